/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/knock.h"

#include "base/message.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

HolStatus hol_knock(HolSimulation *s, double *Q, double *dv)
{
    HolWorkspace *work = s->work;
    HolRates *rates = s->rates;
    const HolPattern *p = work->pattern;
    uint64_t seed = 1;
    HOL_TRY(hol_rates_accelerate(rates, s->state.t, s->step, s->state.q, s->state.v, s->measures.work));
    HOL_TRY(hol_workspace_need(work, HOL_WANT_ALL));
    memcpy(dv, rates->vdot, (size_t)p->nv * sizeof *dv);
    work->stage_t = NAN; /* the factors of a stage are lost in a saved simulation */
    memcpy(Q, work->terms->Q, (size_t)p->nv * sizeof *Q);
    for (int b = 0; b < p->block_count; ++b) {
        const int first = p->block_start[b], size = p->block_start[b + 1] - first;
        const double *M = work->terms->M + p->mass_start[b];
        for (int i = 0; i < size; ++i)
            work->terms->Q[first + i] += (p->unit ? p->unit[first + i] : 1) * hol_scattered(&seed) * M[i * size + i];
    }
    HolStatus status =
        rates->kind->accelerate(rates->formulation, work, s->step, rates->vdot, rates->lambda, &rates->report);
    for (int i = 0; i < p->nv; ++i)
        dv[i] = rates->vdot[i] - dv[i];
    memcpy(work->terms->Q, Q, (size_t)p->nv * sizeof *Q); /* what is always zero is never written again */
    work->have = 0;
    return status;
}
