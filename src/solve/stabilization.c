/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/stabilization.h"

#include "base/message.h"
#include "linalg/block/blocks.h"

#include <math.h>

const char *const hol_gain_choices[] = {"fixed", "automatic", NULL};

HolGains hol_gains_automatic(double h)
{
    return (HolGains){.damping = 2 / h, .stiffness = 2 / (h * h)};
}

HolGains hol_gains_of_motion(const HolWorkspace *work, double h)
{
    double rate = hol_motion_norm(work->pattern, work->at.v) / work->pattern->arm;
    double omega = h > 0 ? fmin(rate, 0.5 / h) : rate;
    return (HolGains){.damping = 2 * omega, .stiffness = omega * omega};
}

/* The number of row i, or that of all rows where it has none. */
static double own_or(const double *of_rows, int i, double of_all)
{
    return of_rows && !isnan(of_rows[i]) ? of_rows[i] : of_all;
}

HolStatus hol_row_gains(const HolSetup *setup, double omega, double xi, HolGains *gains)
{
    const int m = hol_system_pattern(setup->system)->m;
    if (!setup->row_omega && !setup->row_xi)
        return HOL_OK;
    HOL_DOUBLES(setup->arena, m, &gains->row_damping, &gains->row_stiffness);
    HOL_TRY(hol_arena_status(setup->arena));
    for (int i = 0; i < m; ++i) {
        double omega_i = own_or(setup->row_omega, i, omega), xi_i = own_or(setup->row_xi, i, xi);
        gains->row_damping[i] = 2 * xi_i * omega_i;
        gains->row_stiffness[i] = omega_i * omega_i;
    }
    return HOL_OK;
}

void hol_stabilized_gamma(const HolWorkspace *work, HolGains gains, double *c)
{
    const HolPattern *p = work->pattern;
    const HolTerms *terms = work->terms;
    hol_workspace_velocity_residual(work, c);
    for (int i = 0; i < p->m; ++i)
        c[i] = terms->gamma[i] - (gains.row_damping ? gains.row_damping[i] : gains.damping) * c[i];
    for (int i = 0; i < p->nh; ++i)
        c[i] -= (gains.row_stiffness ? gains.row_stiffness[i] : gains.stiffness) * terms->Phi[i];
}
