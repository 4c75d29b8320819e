/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/carrier.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "solve/projection.h"

struct HolCarrier {
    HolKkt *kkt;
    HolProjection *projection;
    double *zero, *lambda; /* nv, m */
    HolStepReport report;
};

HolStatus hol_carrier_create(HolSimulation *s, HolCarrier **carrier)
{
    const HolPattern *p = s->work->pattern;
    HolCarrier *c = hol_arena_alloc(s->arena, sizeof *c);
    HolSetup setup = {.system = s->system, .arena = s->arena, .work = s->work, .h = s->step, .message = &s->message};
    HOL_TRY(hol_arena_status(s->arena));
    HOL_DOUBLES(s->arena, p->nv, &c->zero);
    HOL_DOUBLES(s->arena, p->m, &c->lambda);
    HOL_TRY(hol_arena_status(s->arena));
    hol_workspace_move(s->work, s->state.t, s->state.q, s->state.v);
    HOL_TRY(hol_workspace_need(s->work, HOL_WANT_ALL));
    HOL_TRY(hol_kkt_create_eliminating(&setup, HOL_TOL_RANK_STILL, &c->kkt));
    HOL_TRY(hol_projection_create(&setup, c->kkt, false, &c->projection));
    c->projection->tolerance = HOL_TOL_CONVERGED;
    c->projection->max_iterations = 20;
    *carrier = c;
    return HOL_OK;
}

HolStatus hol_carrier_prepare(HolCarrier *carrier, HolWorkspace *work, double t, const double *x)
{
    hol_workspace_move(work, t, x, x + work->pattern->nq);
    return hol_kkt_review(carrier->kkt, work, &carrier->report);
}

HolStatus hol_carrier_accelerate(HolCarrier *carrier, HolWorkspace *work, double t, const double *x, double *vdot)
{
    hol_workspace_move(work, t, x, x + work->pattern->nq);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA));
    HOL_TRY(
        hol_kkt_solve(carrier->kkt, work, work->terms->Q, work->terms->gamma, vdot, carrier->lambda, &carrier->report));
    return hol_all_finite((size_t)work->pattern->nv, vdot) ? HOL_OK : HOL_NOT_FINITE;
}

HolStatus hol_carrier_project(HolCarrier *carrier, HolWorkspace *work, double t, double *x)
{
    hol_system_retract(work->system, x, carrier->zero, x);
    hol_workspace_move(work, t, x, x + work->pattern->nq);
    return hol_projection_apply(carrier->projection, work, t, x, x + work->pattern->nq, &carrier->report);
}

void hol_carrier_archive(HolCarrier *carrier, HolArchive *archive)
{
    hol_kkt_archive(carrier->kkt, archive);
}
