/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a model is too stiff for explicit integrators, told by one that begins to run it with error control. Steps
 * that its stability allows are short wherever the motion leads; what counts is how many would be needed. */
#include "base/message.h"
#include "integrators/integrator.h"
#include "study/study.h"

#include <math.h>

static const double MOST_WORK = 1e8;     /* of an explicit reference; the built-in rigid mechanisms need 3e6 at most */
static const double MOST_SHORTER = 50;   /* times, than the steps that are compared: a long run alone is not stiff */
static const double MOST_ADAPTIVE = 3e7; /* work of a run that is measured */

typedef struct Probe {
    const HolStudy *study;
    const HolSimulation *simulation;
    double start;
} Probe;

static HolStatus look(void *user, double t)
{
    const Probe *p = user;
    HOL_TRY(hol_study_watch((void *)(size_t)p->study->options, t));
    bool tells = hol_work_expected(p->simulation, p->study->sampler.nq, p->start, p->study->shown.until) > 0;
    return tells ? HOL_GIVEN_UP : HOL_OK;
}

double hol_study_shortest_step(const HolStudy *s)
{
    double least = NAN;
    for (int i = 0; i < s->entry_count; ++i)
        if (s->entries[i].record.status == HOL_OK && !hol_compare_is_adaptive(s->entries[i].record.integrator))
            least = fmin(least, s->entries[i].record.step);
    return isnan(least) ? hol_mechanism_options(s->mechanism).step : least;
}

bool hol_study_is_stiff(double work, double explicit_step, double shortest_step)
{
    return work > MOST_WORK && explicit_step * MOST_SHORTER < shortest_step;
}

static void judge(HolStudy *s, const Probe *p)
{
    double step =
        (hol_simulation_state(p->simulation)->t - p->start) / (double)hol_simulation_summary(p->simulation).steps;
    double work = hol_work_expected(p->simulation, s->sampler.nq, p->start, s->shown.until);
    s->shown.is_stiff = hol_study_is_stiff(work, step, hol_study_shortest_step(s));
    s->shown.explicit_step = s->shown.is_stiff ? step : NAN;
}

/* lagrange that is only timed beside the others: its run would not be watched. */
static void leave_out_hidden(HolStudy *s)
{
    for (HolEntry *e = s->entries; e < s->entries + s->entry_count; ++e)
        if (!e->shown && hol_compare_is_adaptive(e->record.integrator))
            e->record.status = HOL_GIVEN_UP;
}

HolStatus hol_study_probe(HolStudy *s)
{
    Probe probe = {.study = s};
    HolSimulation *simulation;
    HolMessage message;
    s->shown.explicit_step = NAN;
    HolStatus status = hol_study_open_explicit(s, "1e-12", &simulation, &message);
    if (status != HOL_OK) /* then there is no explicit reference either, which will be told */
        return status == HOL_NO_MEMORY ? status : HOL_OK;
    probe.simulation = simulation;
    probe.start = hol_simulation_state(simulation)->t;
    HolRun run = {.until = s->shown.until, .progress = look, .user = &probe};
    status = hol_simulation_run(simulation, &run);
    if (status == HOL_GIVEN_UP)
        judge(s, &probe);
    if (s->shown.is_stiff)
        leave_out_hidden(s);
    hol_simulation_destroy(simulation);
    return status == HOL_STOPPED ? status : HOL_OK;
}

double hol_study_most_work(const HolStudy *s, const HolCompareRecord *r)
{
    return s->shown.is_stiff && hol_compare_is_adaptive(r->integrator) ? MOST_ADAPTIVE : 0;
}

/* One that knows nothing of stiffness: no whole steps, no equations to be solved for them. */
static bool is_explicit(const char *integrator)
{
    const HolIntegratorKind *kind = hol_integrator_find(integrator, NULL);
    return kind && (kind->needs & (HOL_RATES | HOL_SPLIT)) && !(kind->needs & (HOL_NEWMARK | HOL_OWN_STEP));
}

/* A run that could not even begin has another reason. */
void hol_study_blame_stiffness(const HolStudy *s, HolCompareRecord *r)
{
    HolMessage why = r->message;
    bool failed = r->status != HOL_OK && r->status != HOL_UNSUPPORTED && r->summary.steps > 0;
    if (!s->shown.is_stiff || !failed || !is_explicit(r->integrator))
        return;
    r->remark = "too stiff";
    if (r->status == HOL_GIVEN_UP)
        hol_fail(&r->message, r->status,
                 "given up at t = %.3g s of %g s after %ld steps: the model is too stiff for explicit steps",
                 r->summary.reached, s->shown.until, r->summary.steps);
    else
        hol_fail(&r->message, r->status, "%.400s; the model is too stiff for explicit steps of %g s", why.text,
                 r->step);
}
