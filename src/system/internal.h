/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system is made of: created and asked in system.c, evaluated in evaluate.c. */
#ifndef HOLON_SYSTEM_INTERNAL_H
#define HOLON_SYSTEM_INTERNAL_H

#include <holon/system.h>

#include "base/arena.h"

struct HolSystem {
    HolArena *arena;
    HolPattern pattern;
    HolSystemOps ops;
    const void *self;
    bool constant_mass, constant_force, scleronomic, no_loops;
    int scratch_size;
    unsigned long long fingerprint;
    const char *name;
    const char **group_names;
    bool *impulsive_groups; /* NULL: none */
    int input_count, angle_count;
    const char **input_names;
    double *inputs;
    int event_count;
    HolEventName *event_names;
    int time_function_count;
    const char **time_function_names;
    bool *velocity_functions;
    int state_function_count;
    HolStateFunction *state_functions;
};

#endif
