/* SPDX-License-Identifier: BSD-3-Clause */
/* A reference that no integrator and no formulation of holon computes: IDA of SUNDIALS, backward differentiation
 * formulas of orders 1 to 5 with error control, on the equations of index2.h. Only the terms of the system are holon's,
 * and the accelerations from which the first step is guessed. */
#ifndef HOLON_COMPARE_IDA_H
#define HOLON_COMPARE_IDA_H

#include <holon/simulation.h>

typedef struct HolIda HolIda;

typedef struct HolIdaOptions {
    double tolerance; /* of q and v, relative to their size and to that of the model */
    /* Of a model with vibrations far faster than its motion: order 2 at most, and q alone is tested for errors, so that
     * vibrations of no size are damped and not followed. */
    bool is_stiff;
    double until;      /* end of the run: no step is longer than a thousandth of it */
    double work_limit; /* evaluations times coordinates of the whole run, extrapolated: HOL_GIVEN_UP beyond; 0: none */
    HolStatus (*after_step)(void *user, double t); /* anything but HOL_OK ends the run with that status; NULL: none */
    void *user;
} HolIdaOptions;

/* The initial state must be consistent. On failure *ida is NULL; without SUNDIALS that is HOL_UNSUPPORTED. */
HolStatus hol_ida_create(const HolSystem *system, const HolInitialState *start, const HolIdaOptions *options,
                         HolIda **ida, HolMessage *message);
void hol_ida_destroy(HolIda *ida);
/* Ends exactly there. */
HolStatus hol_ida_run(HolIda *ida, double until);
/* Multipliers of rows that are redundant are zero, and vdot is the derivative of the formula. */
const HolState *hol_ida_state(const HolIda *ida);
double hol_ida_work(const HolIda *ida);         /* evaluations times coordinates */
const char *hol_ida_message(const HolIda *ida); /* why the last call failed */

#endif
