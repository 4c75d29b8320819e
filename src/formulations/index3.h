/* SPDX-License-Identifier: BSD-3-Clause */
/* index3-augmented-lagrangian: what its steps (index3_augmented_lagrangian.c) and its states (index3_state.c) share.
 * The numbers of equations are those of the former file. */
#ifndef HOLON_FORMULATIONS_INDEX3_H
#define HOLON_FORMULATIONS_INDEX3_H

#include "formulations/formulation.h"
#include "solve/augmented.h"
#include "solve/row_scaling.h"
#include "solve/steps/accelerations.h"
#include "solve/steps/predictor.h"

typedef struct HolIndex3Options {
    double alpha, tolerance, absolute_tolerance;
    int max_iterations, multipliers, projection, divergence;
} HolIndex3Options;

enum { HOL_MULTIPLIERS_OF_STATE, HOL_MULTIPLIERS_CARRIED };
enum { HOL_PROJECTION_BY_MASS, HOL_PROJECTION_BY_TANGENT };

/* Of a state, kept until that state is accepted or another one is looked at. lambda~ follows vdot. */
typedef struct HolIndex3Solution {
    double *vdot, *lambda; /* lambda~ */
} HolIndex3Solution;

/* Where the step ends, and the factors of (4) there. */
typedef struct HolIndex3End {
    double t, k, c, alpha;
} HolIndex3End;

typedef struct HolIndex3 {
    HolIndex3Options options;
    HolRowScaling *rows;
    double *preload;           /* or NULL */
    HolAugmented *augmented;   /* (6): M + w D~^T D~ */
    HolPenaltyMatrix *tangent; /* (4), divided by mass_factor */
    double mass_factor;        /* 1 where (4) is positive definite */
    double seen_mass;          /* the largest effective mass of a row, over its squared size: the unit of penalties */
    bool has_tangent;
    HolIndex3Solution latest;
    HolAccelerations accelerations; /* the a of the scheme */
    HolPredictor predictor;         /* vdot and lambda~ of the accepted states */
    double *guess;                  /* the same for the end of the step */
    HolIndex3End end;               /* of the step under way */

    double *D_at_state, *D_at_trial, *weights;
    double *a, *w, *vdot, *lambda, *force, *dw, *x; /* of the trial; lambda is lambda~, force that of the rows */
    double *g, *scaled, *size, *multipliers;        /* m each */
} HolIndex3;

/* lambda = preload + L lambda~ */
void hol_index3_unscale(const HolIndex3 *s, const double *scaled, double *lambda);

/* The matrix of (4) at the point of the workspace, at the end of the step of `end`, with these lambda~ in its K. */
HolStatus hol_index3_factor_tangent(HolIndex3 *s, HolWorkspace *work, const HolIndex3End *end, const double *scaled);

/* Members of HolFormulationKind. */
HolStatus hol_index3_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                HolStepReport *report);
HolStatus hol_index3_project(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report);

#endif
