/* SPDX-License-Identifier: BSD-3-Clause */
/* What a formulation is: a way to get vdot and lambda from the terms of a constrained system, and perhaps a way to pull
 * an accepted state back onto its constraints. One kind is one file ending in one const table, plus one line in
 * registry.c. A formulation never sees a body or a joint. */
#ifndef HOLON_FORMULATIONS_FORMULATION_H
#define HOLON_FORMULATIONS_FORMULATION_H

#include <holon/option.h>
#include <holon/simulation.h>

#include "base/arena.h"
#include "system/workspace.h"

/* What a formulation offers and an integrator needs, or-ed. */
typedef enum HolOffer {
    HOL_RATES = 1 << 0, /* a first-order state y and its ydot */
    HOL_SPLIT = 1 << 1  /* y is (q, v), so positions may move with the new velocities */
} HolOffer;

/* What create() may use. Everything lives as long as the simulation. */
typedef struct HolSetup {
    const HolSystem *system;
    HolArena *arena;
    HolWorkspace *work;        /* the terms, shared by all that works on one point at a time */
    double h;                  /* nominal step, for gains that depend on it */
    const double *row_weights; /* m factors on penalties, or NULL */
    HolMessage *message;       /* for what only create() can tell */
} HolSetup;

typedef struct HolFormulationKind {
    const char *name, *title, *page; /* "baumgarte", one line for people, docs page */
    const char *advice;              /* what to do when its own iteration fails; NULL: take a smaller step */
    unsigned offers;                 /* HolOffer */
    bool weighs_rows;                /* makes use of row_weights */
    unsigned wants;                  /* HolWant: the terms that accelerate() reads */
    size_t options_size;
    const HolOption *options;
    int option_count;

    /* The workspace stands at the consistent start, with M and D evaluated. */
    HolStatus (*create)(const HolSetup *setup, const void *options, void **self);

    /* vdot and lambda from the terms, which hold all that is wanted; h is the present step. */
    HolStatus (*accelerate)(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                            HolStepReport *report);

    /* Optional: once per step, before it, where the workspace stands at the accepted state. */
    HolStatus (*prepare)(void *self, HolWorkspace *work, HolStepReport *report);

    /* Optional: makes the dependent part of q and v agree with the independent one, before each evaluation. */
    HolStatus (*complete)(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report);

    /* Optional: pulls an accepted q and v back onto the constraints. Called by the run loop, once per step. */
    HolStatus (*project)(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report);
} HolFormulationKind;

extern const HolFormulationKind *const hol_formulation_kinds[]; /* NULL-terminated */

/* HOL_UNSUPPORTED and a sentence if dense nv x nv and m x nv matrices would be too large. */
HolStatus hol_formulation_check_dense(const HolSetup *setup, const char *name);

const HolFormulationKind *hol_formulation_find(const char *name, HolMessage *message);

#endif
