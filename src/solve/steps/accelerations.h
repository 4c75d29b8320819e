/* SPDX-License-Identifier: BSD-3-Clause */
/* The sequence a of a Newmark scheme (solve/setup.h), which follows the accelerations of accepted states:
 *
 *     a_1 = part vdot_1 + filter,   part = (1 - alpha_f) / (1 - alpha_m),
 *     filter = (alpha_f vdot_0 - alpha_m a_0) / (1 - alpha_m)                                                (1)
 *
 * Steps of one size satisfy (1) to second order with a_0 = vdot(t_0 + delta), delta = (alpha_m - alpha_f) h <= 0. So
 * wherever the sequence begins, which is at the initial state, after a jump of the accelerations and where the size of
 * the step changes, it begins with
 *
 *     a_0 = 2 vdot_0 - vdot(t_0 - delta, q_0 (+) (-delta v_0 + delta^2/2 vdot_0), v_0 - delta vdot_0)        (2)
 *
 * or with vdot_0 where accelerations change by more than the velocity in a step: (2) resolves no motion that is faster
 * than the step. */
#ifndef HOLON_SOLVE_STEPS_ACCELERATIONS_H
#define HOLON_SOLVE_STEPS_ACCELERATIONS_H

#include "base/archive.h"
#include "solve/setup.h"

typedef struct HolAccelerations {
    int nq, nv;
    double *a, *vdot; /* of the accepted state */
    double h;         /* of the steps that a belongs to; 0: it belongs to none, the sequence begins */

    double *a_0, *filter, part, h_step; /* of the step under way */
    bool is_stepping;                   /* there is one, and it has not failed */
    double *y, *w, *near;               /* scratch */
} HolAccelerations;

/* vdot at the point of the workspace, where nothing is evaluated. */
typedef HolStatus (*HolFindAccelerations)(void *self, HolWorkspace *work, double *vdot, HolStepReport *report);

HolStatus hol_accelerations_create(const HolSetup *setup, HolAccelerations *accelerations);

/* a_0 and (1) for a step. Moves the workspace where the sequence begins. */
void hol_accelerations_begin(HolAccelerations *accelerations, HolWorkspace *work, const HolNewmark *scheme,
                             const HolStepFrom *from, HolFindAccelerations find, void *self, HolStepReport *report);

/* The state with these accelerations is accepted: the end of the step under way, or one where the sequence begins. */
void hol_accelerations_accept(HolAccelerations *accelerations, const double *vdot);

void hol_accelerations_archive(HolAccelerations *accelerations, HolArchive *archive);

#endif
