/* SPDX-License-Identifier: BSD-3-Clause */
/* All that changes along a run, except what every step computes before it reads it. */
#include "base/archive.h"

#include "simulate/automatic/fastest.h"
#include "simulate/run/estimate.h"
#include "simulate/run/internal.h"
#include "simulate/run/path.h"
#include "simulate/run/resolution.h"
#include "simulate/run/sensitivity.h"
#include "simulate/run/swept.h"
#include "solve/kkt.h"

#include <limits.h>
#include <math.h>

enum { MOST = INT_MAX / 2 }; /* of a count of the latest steps */

static void archive_measures(HolMeasures *m, HolArchive *archive)
{
    HOL_ARCHIVE_EACH(archive, &m->kinetic, &m->potential, &m->work, &m->drift, &m->off_manifold_energy, &m->position,
                     &m->position_sq, &m->velocity, &m->velocity_sq, &m->acceleration, &m->acceleration_sq,
                     &m->displacement, &m->displacement_rate, &m->sigma_min);
}

static void archive_report(HolStepReport *r, HolArchive *archive)
{
    int *const counts[] = {&r->evaluations, &r->iterations,   &r->position_iterations, &r->max_position_iterations,
                           &r->rejections,  &r->repartitions, &r->divisions,           &r->unconverged};
    HOL_ARCHIVE_EACH(archive, &r->h, &r->error, &r->pivot);
    for (int i = 0; i < (int)(sizeof counts / sizeof *counts); ++i)
        hol_archive_int(archive, counts[i], 0, MOST);
    hol_archive_int(archive, &r->rank, -1, MOST);
}

static void archive_summary(HolSummary *s, HolArchive *archive)
{
    long *const tallies[] = {&s->steps,        &s->rejections, &s->evaluations, &s->iterations, &s->position_iterations,
                             &s->repartitions, &s->divisions,  &s->unconverged, &s->events,     &s->skipped_events,
                             &s->impulses};
    int status = (int)s->status;
    for (int i = 0; i < (int)(sizeof tallies / sizeof *tallies); ++i)
        hol_archive_tally(archive, tallies[i]);
    hol_archive_int(archive, &s->max_position_iterations, 0, MOST);
    hol_archive_int(archive, &status, HOL_OK, HOL_TOO_STIFF);
    if (hol_archive_reads(archive))
        s->status = (HolStatus)status;
    HOL_ARCHIVE_EACH(archive, &s->wall_s, &s->processor_s, &s->max_position_violation, &s->max_velocity_violation,
                     &s->max_acceleration_violation, &s->max_energy_drift, &s->max_kinetic_energy,
                     &s->max_off_manifold_energy, &s->potential_low, &s->potential_high, &s->max_energy_rise,
                     &s->max_displacement, &s->max_displacement_rate);
}

static void archive_breakpoints(HolBreakpoints *b, HolArchive *archive)
{
    HOL_ARCHIVE_EACH(archive, &b->last, &b->next, &b->searched, &b->pulse, &b->longest);
    hol_archive_int(archive, &b->crowded, 0, MOST);
    HOL_ARCHIVE_BOOLS(archive, &b->is_off_grid);
}

static void archive_events(HolEvents *e, HolArchive *archive)
{
    for (int i = 0; i < e->count; ++i)
        HOL_ARCHIVE_EACH(archive, &e->start[i].g, &e->start[i].gdot);
    HOL_ARCHIVE_BOOLS(archive, &e->crosses, &e->are_located);
    hol_archive_int(archive, &e->recent, 0, MOST);
    HOL_ARCHIVE_EACH(archive, &e->last, &e->since, &e->paused);
    int count = hol_archive_count(archive, &e->kept_count, HOL_MAX_EVENTS);
    for (int i = 0; i < count; ++i) {
        HOL_ARCHIVE_EACH(archive, &e->kept[i].t);
        hol_archive_int(archive, &e->kept[i].event, 0, e->count - 1);
        hol_archive_int(archive, &e->kept[i].direction, -1, 1);
    }
}

static void archive_impulses(HolSimulation *s, HolArchive *archive)
{
    HolImpulses *w = s->impulses;
    if (!w)
        return;
    hol_kkt_archive(w->kkt, archive);
    int count = hol_archive_count(archive, &w->kept_count, HOL_MAX_IMPULSES);
    for (int i = 0; i < count; ++i) {
        HOL_ARCHIVE_EACH(archive, &w->kept[i].t, &w->kept[i].impulse, &w->kept[i].work);
        hol_archive_int(archive, &w->kept[i].group, 0, s->work->pattern->group_count - 1);
    }
}

/* The latest accepted states. */
static void archive_states(HolSimulation *s, HolArchive *archive)
{
    const HolRates *r = s->rates;
    double *const vectors[] = {s->y, s->ydot, s->y_old, s->ydot_old};
    hol_archive_finite(archive, &s->state.t, 1);
    hol_archive_finite(archive, s->y, r->size);
    for (int i = 1; i < 4; ++i)
        hol_archive_doubles(archive, vectors[i], r->size);
    hol_archive_finite(archive, s->state.q, r->nq);
    hol_archive_finite(archive, s->state.v, r->nv);
    hol_archive_doubles(archive, s->state.vdot, r->nv);
    hol_archive_doubles(archive, s->state.lambda, r->m);
    HOL_ARCHIVE_EACH(archive, &s->t_old);
    archive_measures(&s->measures, archive);
}

static void archive_rates(HolSimulation *s, HolArchive *archive)
{
    HolRates *r = s->rates;
    hol_archive_doubles(archive, r->vdot, r->nv + r->m);
    if (r->v)
        hol_archive_doubles(archive, r->v, r->nv);
    HOL_ARCHIVE_EACH(archive, &r->kinetic, &r->off_manifold_energy);
    archive_report(&r->report, archive);
    if (r->kind->archive)
        r->kind->archive(r->formulation, archive);
    if (s->integrator->archive)
        s->integrator->archive(s->integrator_self, archive);
}

/* The inputs and angles, and the times between which terms are evaluated. */
static void archive_terms(HolSimulation *s, HolArchive *archive)
{
    HolWorkspace *work = s->work;
    hol_archive_finite(archive, work->terms->u, hol_system_input_count(s->system));
    hol_archive_finite(archive, work->terms->angles, hol_system_angle_count(s->system));
    HOL_ARCHIVE_EACH(archive, &work->t_first, &work->t_last);
}

static void archive_steps(HolSimulation *s, HolArchive *archive)
{
    HOL_ARCHIVE_EACH(archive, &s->next, &s->origin, &s->energy_initial, &s->lowest_drift, &s->best_pivot,
                     &s->singular_sine, &s->singular_time, &s->sum_position_sq, &s->sum_velocity_sq,
                     &s->sum_acceleration_sq);
    hol_archive_tally(archive, &s->count);
    hol_archive_tally(archive, &s->next_probe);
    HOL_ARCHIVE_BOOLS(archive, &s->is_too_stiff, &s->must_renew, &s->has_new_inputs, &s->singular_time_is_known,
                      &s->stopped_at_singularity, &s->is_crossing);
    s->is_too_stiff = s->is_too_stiff && s->fastest; /* a damaged state may claim it of implicit steps */
    if (!s->fastest)
        return;
    HOL_ARCHIVE_EACH(archive, &s->fastest->re, &s->fastest->im);
    hol_archive_int(archive, &s->fastest->block, -1, s->work->pattern->block_count - 1);
}

static void archive_run(HolRunState *run, HolArchive *archive)
{
    HOL_ARCHIVE_BOOLS(archive, &run->is_known);
    HOL_ARCHIVE_EACH(archive, &run->start, &run->every, &run->last);
    hol_archive_tally(archive, &run->index);
}

/* What has been computed elsewhere belongs to no state now: the workspace is moved, and evaluates again. */
static void simulation_forget(HolSimulation *s)
{
    hol_workspace_move(s->work, s->state.t, s->state.q, s->state.v);
    s->work->stage_t = NAN;
    s->rates->whole_step = s->rates->unfinished = NULL;
    s->rates->is_at_result = false;
    s->rates->message.text[0] = s->message.text[0] = '\0';
    s->state.q_before = hol_rates_q_before(s->rates, s->state.t);
}

void hol_simulation_archive(HolSimulation *s, HolArchive *archive)
{
    archive_states(s, archive);
    archive_terms(s, archive);
    archive_rates(s, archive);
    archive_steps(s, archive);
    archive_breakpoints(&s->breakpoints, archive);
    archive_events(&s->events, archive);
    archive_impulses(s, archive);
    hol_resolution_archive(s, archive);
    hol_swept_archive(s, archive);
    hol_path_archive(s, archive);
    hol_detector_archive(s->detector, archive);
    hol_estimate_archive(s, archive);
    hol_sensitivity_archive(s, archive);
    archive_summary(&s->summary, archive);
    archive_run(&s->run, archive);
    if (hol_archive_reads(archive))
        simulation_forget(s);
}
