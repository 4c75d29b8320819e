/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene whose system fails on demand: it forwards another system until the fault begins. */
#ifndef HOLON_TESTS_FAULTY_H
#define HOLON_TESTS_FAULTY_H

#include "systems/scenes.h"

typedef struct Fault {
    HolStatus status; /* what evaluate returns, or */
    const char *term; /* which term holds a NaN */
    double after;     /* acts at times larger than this, */
    long calls;       /* and only after so many calls since the fault was set */
} Fault;

typedef struct Faulty Faulty;

/* The scene must outlive it. NULL without memory. */
Faulty *faulty_create(const Scene *scene);
void faulty_destroy(Faulty *faulty);

const Scene *faulty_scene(const Faulty *faulty);

/* NULL: it works again. */
void faulty_set(Faulty *faulty, const Fault *fault);

#endif
