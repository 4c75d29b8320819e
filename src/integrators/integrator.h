/* SPDX-License-Identifier: BSD-3-Clause */
/* What an integrator is: a way to get y(t + h) from y(t) and ydot(t). One kind is one file ending in one const table,
 * plus one line in registry.c. An integrator never sees q, v or a constraint, only y and HolRates. */
#ifndef HOLON_INTEGRATORS_INTEGRATOR_H
#define HOLON_INTEGRATORS_INTEGRATOR_H

#include "formulations/rates.h"

typedef struct HolIntegratorKind {
    const char *name, *title, *page;
    unsigned needs; /* HolOffer: any of these will do */
    int order;
    size_t options_size;
    const HolOption *options;
    int option_count;

    unsigned options_need; /* HolOffer that the options are for; 0: for all it runs with */

    /* Optional: HOL_BAD_INPUT and a sentence where options that are right by themselves do not fit each other. */
    HolStatus (*check)(const void *options, HolMessage *message);

    /* Optional: where these options let energy decay on purpose, a method beside it that does not; else NULL. */
    const char *(*undamped)(const void *options);

    HolStatus (*create)(HolArena *arena, const HolRates *rates, const void *options, void **self);

    /* Writes y_new. Counts go to rates->report; an adaptive kind sets rates->report.error (accepted if <= 1). On
     * failure returns the status with a sentence in rates->message. */
    HolStatus (*step)(void *self, HolRates *rates, const HolStepFrom *from, double *y_new);

    /* Adaptive kinds only: the next step to try after one of size h with this error was accepted or rejected. */
    double (*adapt)(void *self, double h, double error, bool accepted);

    /* Explicit kinds with steps of a fixed size: |R(z)|, by which a step of h amplifies a motion exp(s t), z = h s =
     * re + i im. NULL: its steps are stable, or adapt. */
    double (*amplification)(double re, double im);

    /* Optional: a step has failed for good; forget what its attempts left behind. */
    void (*forget)(void *self);

    /* Lists what persists between steps, and what interpolate() reads (base/archive.h); NULL: nothing. */
    void (*archive)(void *self, HolArchive *archive);

    /* Optional: y at t + theta h inside the step just taken; kinds without it get cubic Hermite interpolation. It may
     * evaluate further stages of that step. */
    HolStatus (*interpolate)(void *self, HolRates *rates, double theta, double *y);
} HolIntegratorKind;

extern const HolIntegratorKind *const hol_integrator_kinds[]; /* NULL-terminated */

const HolIntegratorKind *hol_integrator_find(const char *name, HolMessage *message);

/* The step of kinds whose self is a HolNewmark. */
HolStatus hol_newmark_step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new);

/* HOL_UNSUPPORTED and a sentence unless the formulation offers what the integrator needs. */
HolStatus hol_pair_check(const HolFormulationKind *formulation, const HolIntegratorKind *integrator,
                         HolMessage *message);

#endif
