/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/stabilization.h"

const char *const hol_gain_choices[] = {"fixed", "automatic", NULL};

HolGains hol_gains_automatic(double h)
{
    return (HolGains){.damping = 2 / h, .stiffness = 2 / (h * h)};
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
