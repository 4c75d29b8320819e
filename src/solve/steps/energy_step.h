/* SPDX-License-Identifier: BSD-3-Clause */
/* The implicit step of the energy-preserving and energy-decaying formulations.
 *
 * The unknowns are displacements and lambda. They are iterated with a frozen matrix, in which penalties represent the
 * rows, each scaled by the effective mass m_i of the row and its size u_i,
 *
 *     w_i = (DOMINANCE m_i + STIFFER k_i) / u_i^2,   u_i = |D_i|,       in the initial configuration,       (1)
 *     m_i = sum_j D_ij^2 M_jj / u_i^2,   k_i = sum_j D_ij^2 h^2/4 |K_jj| / u_i^2
 *
 * so that a factor on a row has no effect. The limit of the iteration does not depend on w.
 *
 * A step begins with vdot and lambda of the state. Near a singular configuration these may be arbitrarily large: a step
 * that does not converge begins again with those of the previous step. Where a potential oscillates faster than the
 * step resolves, all steps begin with those of the previous one, because vdot of a state is that of its fastest
 * oscillation. If the step still does not converge, it is divided into two unequal substeps, recursively.
 *
 * In that case vdot and lambda of a single state also differ much from those that determine the motion: a formulation
 * that sets `before` reports the means of the step instead, at its end and at all times within it.
 *
 * The velocities carried from step to step may satisfy the rows at the midpoint of steps instead of their ends. The
 * reported velocities are projected onto the rows in the metric of the mass; the energy is that of the velocities
 * carried. end_velocity.h has velocities that satisfy the rows at the ends. */
#ifndef HOLON_SOLVE_STEPS_ENERGY_STEP_H
#define HOLON_SOLVE_STEPS_ENERGY_STEP_H

#include "base/tolerances.h"
#include "solve/projection.h"
#include "solve/steps/anderson.h"

#include <stddef.h>

typedef struct HolEnergyStepOptions {
    double tolerance;
    int max_iterations;
} HolEnergyStepOptions;

/* Table rows; the struct they are offsets of must begin with HolEnergyStepOptions. */
#define HOL_ENERGY_STEP_OPTION_ROWS                                                                                    \
    HOL_REAL(                                                                                                          \
        HolEnergyStepOptions, tolerance, HOL_TOL_CONVERGED, HOL_TOL_PIVOT, HOL_TOL_SMALL, "",                          \
        "ends the iteration: change of q over L/1000 + max |q_new - q|, L: size of the model, and largest |Phi_i| / "  \
        "max_j |D_ij| over that"),                                                                                     \
        HOL_INTEGER(HolEnergyStepOptions, max_iterations, 100, 1, 10000, "iterations per step before it is divided")

/* A step, or a part of it. */
typedef struct HolSubstep {
    double t, h;
    const double *q, *v, *vdot; /* where it begins; vdot is an estimate */
    double *q_new;
} HolSubstep;

typedef struct HolEnergyStep HolEnergyStep;

/* The equations of a formulation. All get its self. */
typedef struct HolEnergyStepOps {
    /* Initial values of the unknowns, except lambda, and what does not depend on them. */
    HolStatus (*begin)(void *self, HolWorkspace *work, const HolSubstep *part);
    /* q_new, the residual and all that depends on the unknowns; leaves the workspace where factor() evaluates K. */
    HolStatus (*evaluate)(void *self, HolWorkspace *work, const HolSubstep *part);
    HolStatus (*factor)(void *self, HolWorkspace *work, const HolSubstep *part);
    /* One iteration; returns the largest change of a coordinate. */
    double (*correct)(void *self, HolWorkspace *work, const HolSubstep *part);
    /* v_new from the converged unknowns, and the work done. */
    HolStatus (*end)(void *self, HolWorkspace *work, const HolSubstep *part, double *v_new, double *done);
} HolEnergyStepOps;

struct HolEnergyStep {
    const HolPattern *pattern;
    const HolEnergyStepOps *ops;
    HolEnergyStepOptions options;
    HolProjection *projection;
    HolAnderson *anderson;
    int displacement_count; /* number of unknown displacements */
    bool *is_fast;          /* nv: coordinates whose potential oscillates faster than the step, initially */
    bool has_fast;          /* there are such coordinates */
    double *w,
        *force; /* m: (1), and the force that moves the effective mass of a row by the size of the row, times h^2 */
    double
        *all_w; /* m: w with the rows that are left out; NULL: none is, where lambda of redundant rows moves nothing */
    double *lambda;     /* m: unknown */
    double *residual;   /* m: of holonomic rows Phi at the end, of others the velocity residual times h */
    const double *size; /* m: of the rows, max_j |D_ij|; set by the formulation */
    double *D;          /* of the matrix */
    double *change;     /* displacement_count + m: of the displacements, and of lambda as displacements */
    double *known;      /* m: lambda at the beginning of the substep */
    double *kept;       /* m: lambda at the beginning of the step */
    double *latest;     /* m: lambda at the beginning of the next step, if this one is accepted */
    double *of_step[2]; /* m + nv: lambda and mean acceleration of the previous step and of this one */
    double *before;     /* nq: with q_new the configurations of the means, set by end(); NULL: no means are reported */
    double *reported;   /* nq: `before` of the latest step */
    double from, to;    /* times of the latest step */
    double *parts;      /* a state and its vdot for each level of subdivision */
    double *y;          /* scratch: m */
};

/* self begins with a HolKkt *, then a HolEnergyStep *. HOL_UNSUPPORTED and a message if the system is not suitable. */
HolStatus hol_energy_step_create(const HolSetup *setup, const char *name, const HolEnergyStepOps *ops,
                                 const HolEnergyStepOptions *options, int displacement_count, void *self);

/* For formulations in which multipliers that balance each other would move something: gives the redundant rows that the
 * KKT solver leaves out no lambda. The rows kept imply them. */
HolStatus hol_energy_step_omit_redundant(const HolSetup *setup, void *self);

/* Accelerates the change of the displacements, of which D_d is D times the change, and updates lambda. `scale` is the
 * factor that the equations of motion have in the matrix. */
void hol_energy_step_update(HolEnergyStep *energy_step, double scale, const double *D_d);

/* Members of HolFormulationKind, HolOwnStepOps and HolStateOps. */
HolStatus hol_energy_step_take(void *self, HolWorkspace *work, const HolStepFrom *from, double *y_new,
                               HolStepReport *report);
HolStatus hol_energy_step_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                     HolStepReport *report);
HolStatus hol_energy_step_prepare(void *self, HolWorkspace *work, HolStepReport *report);
void hol_energy_step_archive(void *self, HolArchive *archive);
int hol_energy_step_state_size(const HolPattern *pattern);
void hol_energy_step_open(void *self, HolWorkspace *work, double *x);
HolStatus hol_energy_step_close(void *self, HolWorkspace *work, double t, const double *y, double *v,
                                HolStepReport *report);
const double *hol_energy_step_q_before(void *self, double t);
const double *hol_energy_step_midpoint_multipliers(void *self);
double hol_energy_step_kinetic(void *self, HolWorkspace *work, const double *x, double *off_manifold_energy);

#endif
