/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/stabilization.h"

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

void hol_stabilized_gamma(const HolWorkspace *work, HolGains gains, double *c)
{
    const HolPattern *p = work->pattern;
    const HolTerms *terms = work->terms;
    hol_workspace_velocity_residual(work, c);
    for (int i = 0; i < p->m; ++i)
        c[i] = terms->gamma[i] - gains.damping * c[i];
    for (int i = 0; i < p->nh; ++i)
        c[i] -= gains.stiffness * terms->Phi[i];
}
