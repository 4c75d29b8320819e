/* SPDX-License-Identifier: BSD-3-Clause */
/* A model that is assembled and simulated with options of the test. */
#ifndef TESTS_SIMULATED_H
#define TESTS_SIMULATED_H

#include "assembled.h"

typedef struct Simulated {
    HolMechanism *mechanism;
    HolSimulation *simulation;
} Simulated;

/* Compiles and assembles the model, and destroys it. False after a failed check. */
static inline bool simulated_assemble(Simulated *run, HolModel *model)
{
    HolMessage message;
    *run = (Simulated){0};
    bool is_assembled = assembled_open(model, &run->mechanism, &message);
    hol_model_destroy(model);
    return is_assembled;
}

static inline bool simulated_start(Simulated *run, const HolInitialState *start, const HolSimulationOptions *options)
{
    HolMessage message = {{0}};
    const HolSystem *system = hol_mechanism_system(run->mechanism);
    bool is_created = CHECK_OK(hol_simulation_create(system, start, options, &run->simulation, &message));
    if (!is_created)
        printf("    %s\n", message.text);
    return is_created;
}

static inline void simulated_close(Simulated *run)
{
    hol_simulation_destroy(run->simulation);
    hol_mechanism_destroy(run->mechanism);
}

#endif
