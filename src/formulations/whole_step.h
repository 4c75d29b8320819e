/* SPDX-License-Identifier: BSD-3-Clause */
/* What formulations share that solve for a whole step: energy_preserving.c and energy_decaying.c.
 *
 * Unknown are displacements and lambda. Passes with a frozen matrix are made until they have settled; penalties in that
 * matrix hold the rows, each measured in the mass m_i that it sees and its own size u_i,
 *
 *     w_i = (DOMINANCE m_i + STIFFER k_i) / u_i^2,   u_i = |D_i|,                       at the start,       (1)
 *     m_i = sum_j D_ij^2 M_jj / u_i^2,   k_i = sum_j D_ij^2 h^2/4 |K_jj| / u_i^2
 *
 * so that no factor on a row matters. What the passes end at does not depend on w.
 *
 * A step begins with vdot and lambda of the state. Next to a singular configuration these may be out of all proportion:
 * a step that does not settle begins again with those of the step before. Where a potential is faster than the step all
 * steps begin with those: vdot of a state is that of its fastest oscillation then. If that does not help either, it is
 * made of two shorter ones that are not equal, so that neither ends in the middle, and these again.
 *
 * Where a potential is faster than the step, vdot and lambda of a single state may be far from what moves the bodies. A
 * formulation that sets `before` has the means of the step told instead, at its end and at all times within it.
 *
 * The velocities carried from step to step obey the rows in the middle of steps, not at their ends. What users see is
 * pulled onto the rows, heavy bodies changing least; the energy is that of the velocities carried. */
#ifndef HOLON_FORMULATIONS_WHOLE_STEP_H
#define HOLON_FORMULATIONS_WHOLE_STEP_H

#include "formulations/projection.h"
#include "formulations/secant.h"

#include <stddef.h>

typedef struct HolWholeOptions {
    double tolerance;
    int max_iterations;
} HolWholeOptions;

#define HOL_WHOLE_OPTIONS(Options, member)                                                                             \
    {"tolerance",                                                                                                      \
     HOL_OPTION_REAL,                                                                                                  \
     offsetof(Options, member.tolerance),                                                                              \
     1e-14,                                                                                                            \
     1e-15,                                                                                                            \
     1e-3,                                                                                                             \
     NULL,                                                                                                             \
     "",                                                                                                               \
     "ends the iteration: change of q over h + the way of the step, and largest |Phi_i| / max_j |D_ij| over that"},    \
    {                                                                                                                  \
        "max_iterations", HOL_OPTION_INTEGER, offsetof(Options, member.max_iterations), 100, 1, 10000, NULL, "",       \
            "iterations per step before it is divided"                                                                 \
    }

/* A step, or a part of it. */
typedef struct HolWholePart {
    double t, h;
    const double *q, *v, *vdot; /* where it begins; vdot need not be exact */
    double *q_new;
} HolWholePart;

typedef struct HolWholeStep HolWholeStep;

/* What differs. All get the self of the formulation. */
typedef struct HolWholeOps {
    /* First unknowns, but for lambda, and what does not change with them. */
    HolStatus (*begin)(void *self, HolWorkspace *work, const HolWholePart *part);
    /* q_new, gap and all that the present unknowns give; leaves the workspace where factor() takes its matrix. */
    HolStatus (*look)(void *self, HolWorkspace *work, const HolWholePart *part);
    HolStatus (*factor)(void *self, HolWorkspace *work, const HolWholePart *part);
    /* One pass; returns the largest change of a coordinate. */
    double (*correct)(void *self, HolWorkspace *work, const HolWholePart *part);
    /* v_new of the settled unknowns, and the work done. */
    HolStatus (*end)(void *self, HolWorkspace *work, const HolWholePart *part, double *v_new, double *done);
} HolWholeOps;

struct HolWholeStep {
    const HolPattern *pattern;
    const HolWholeOps *ops;
    HolWholeOptions options;
    HolProjection *projection;
    HolSecant *secant;
    int moves;          /* unknown displacements */
    bool *is_fast;      /* nv: coordinates that the potential moves faster than the step, at the start; */
    bool has_fast;      /* there are some, and vdot of a state tells little of the step */
    double *w, *force;  /* m: (1), and that force of a row which moves the mass by its own size, times h^2 */
    double *lambda;     /* m: unknown */
    double *gap;        /* m: what the rows miss, of holonomic ones Phi at the end, of others times h */
    const double *size; /* m: of the rows, max_j |D_ij|; set by the formulation */
    double *D;          /* in the matrix */
    double *change;     /* moves + m: of the displacements, and of lambda as displacements */
    double *known;      /* m: lambda where the part begins */
    double *kept;       /* the same of the step, */
    double *latest;     /* and of the next one if this is accepted */
    double *of_step[2]; /* m + nv: lambda and mean acceleration of the step before, and of this one */
    double *before;     /* nq: set by end() to tell means, with q_new the state that these are of; NULL: not told */
    double *told;       /* the same of the latest step, */
    double from, to;    /* and its times */
    double *parts;      /* a state and its vdot for each level of division */
    double *y;          /* scratch: m */
};

/* self begins with a HolKkt *, then a HolWholeStep *. HOL_UNSUPPORTED and a sentence if the system is not for it. */
HolStatus hol_whole_create(const HolSetup *setup, const char *name, const HolWholeOps *ops,
                           const HolWholeOptions *options, int moves, void *self);

/* change holds the pass of the displacements, D_f d its rows; improves it by what the passes before have taught, and
 * lambda. `scale` is what the equations of motion were multiplied by for the matrix. */
void hol_whole_take(HolWholeStep *whole, double scale, const double *D_d);

/* Members of HolFormulationKind. */
HolStatus hol_whole_step(void *self, HolWorkspace *work, const HolStepFrom *from, double *y_new, HolStepReport *report);
HolStatus hol_whole_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                               HolStepReport *report);
HolStatus hol_whole_prepare(void *self, HolWorkspace *work, HolStepReport *report);
int hol_whole_own_size(const HolPattern *pattern);
void hol_whole_open(void *self, HolWorkspace *work, double *x);
HolStatus hol_whole_close(void *self, HolWorkspace *work, double t, const double *y, double *v, HolStepReport *report);
const double *hol_whole_q_before(void *self, double t);
double hol_whole_kinetic(void *self, HolWorkspace *work, const double *x, double *stray);

#endif
