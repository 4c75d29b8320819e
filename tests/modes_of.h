/* SPDX-License-Identifier: BSD-3-Clause */
/* A model from text, its equilibrium and its modes. */
#ifndef HOLON_TESTS_MODES_OF_H
#define HOLON_TESTS_MODES_OF_H

#include <holon/modes.h>
#include <holon/static.h>

#include "assembled.h"

#include <math.h>
#include <stdio.h>

typedef struct Case {
    HolMechanism *mechanism;
    HolEquilibrium *equilibrium;
    HolModes *modes;
    HolMessage message;
} Case;

static inline bool open_text(Case *c, const char *text)
{
    *c = (Case){0};
    return assembled_text(text, &c->mechanism, &c->message);
}

static inline void close_case(Case *c)
{
    hol_modes_destroy(c->modes);
    hol_equilibrium_destroy(c->equilibrium);
    hol_mechanism_destroy(c->mechanism);
}

static inline bool about_equilibrium(Case *c, int count, HolModesMethod method)
{
    HolStaticOptions options = hol_static_options();
    HolModesOptions wanted = {.count = count, .method = method};
    HolStatus status =
        c->equilibrium ? HOL_OK : hol_mechanism_static(c->mechanism, &options, &c->equilibrium, &c->message);
    hol_modes_destroy(c->modes);
    c->modes = NULL;
    if (status == HOL_OK)
        status = hol_mechanism_modes(c->mechanism, &c->equilibrium->state, NULL, &wanted, &c->modes, &c->message);
    if (!CHECK_OK(status))
        printf("    %s\n", c->message.text);
    return status == HOL_OK;
}

/* About the start as it moves, seen from a frame that turns. */
static inline bool about_start(Case *c, const double *turning, HolModesMethod method)
{
    HolSimulation *simulation = NULL;
    HolInitialState start = hol_mechanism_initial_state(c->mechanism);
    HolSimulationOptions options = hol_mechanism_options(c->mechanism);
    HolModesOptions wanted = {.method = method};
    HolStatus status =
        hol_simulation_create(hol_mechanism_system(c->mechanism), &start, &options, &simulation, &c->message);
    if (status == HOL_OK)
        status = hol_mechanism_modes(c->mechanism, hol_simulation_state(simulation), turning, &wanted, &c->modes,
                                     &c->message);
    if (!CHECK_OK(status))
        printf("    %s\n", c->message.text);
    hol_simulation_destroy(simulation);
    return status == HOL_OK;
}

/* The mode whose eigenvalue is nearest. */
static inline const HolMode *nearest(const HolModes *modes, double real, double imaginary)
{
    const HolMode *best = &modes->modes[0];
    for (int i = 1; i < modes->count; ++i)
        if (hypot(modes->modes[i].real - real, modes->modes[i].imaginary - imaginary) <
            hypot(best->real - real, best->imaginary - imaginary))
            best = &modes->modes[i];
    return best;
}

static inline void check_mode(const HolModes *modes, double real, double imaginary, double tolerance)
{
    const HolMode *mode = nearest(modes, real, imaginary);
    CHECK_NEAR(mode->real, real, tolerance);
    CHECK_NEAR(mode->imaginary, imaginary, tolerance);
}

#endif
