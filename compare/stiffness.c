/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether a model is too stiff for explicit integrators, from the beginning of an explicit run with error
 * control. Stability limits its steps wherever the motion goes; their number decides. */
#include "study.h"

#include <math.h>
#include <string.h>

static const double MOST_WORK = 1e7;     /* of an explicit reference; the built-in rigid mechanisms need 3e6 at most */
static const double MOST_SHORTER = 50;   /* times, than the steps that are compared: a long run alone is not stiff */
static const double MOST_ADAPTIVE = 3e7; /* work of a run that is measured */

typedef struct Probe {
    const HolStudy *study;
    const HolSimulation *simulation;
    double start;
} Probe;

static HolStatus stiffness_after_step(void *user, double t)
{
    const Probe *p = user;
    HOL_TRY(hol_study_after_step((void *)(size_t)p->study->options, t));
    bool is_known = hol_work_expected(p->simulation, p->study->sampler.nq, p->start, p->study->result.until) > 0;
    return is_known ? HOL_GIVEN_UP : HOL_OK;
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

static void stiffness_decide(HolStudy *s, const Probe *p)
{
    double step =
        (hol_simulation_state(p->simulation)->t - p->start) / (double)hol_simulation_summary(p->simulation).steps;
    double work = hol_work_expected(p->simulation, s->sampler.nq, p->start, s->result.until);
    s->result.is_stiff = hol_study_is_stiff(work, step, hol_study_shortest_step(s));
    s->result.explicit_step = s->result.is_stiff ? step : NAN;
}

/* Leaves out lagrange where it only serves to compare times: its adaptive run would have no work limit. */
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
    s->result.explicit_step = NAN;
    HolStatus status = hol_study_open_explicit(s, "1e-12", &simulation, &message);
    if (status != HOL_OK) /* there is then no explicit reference either, which is reported */
        return status == HOL_NO_MEMORY ? status : HOL_OK;
    probe.simulation = simulation;
    probe.start = hol_simulation_state(simulation)->t;
    HolRun run = {.until = s->result.until, .progress = stiffness_after_step, .user = &probe};
    status = hol_simulation_run(simulation, &run);
    if (status == HOL_GIVEN_UP)
        stiffness_decide(s, &probe);
    if (s->result.is_stiff)
        leave_out_hidden(s);
    hol_simulation_destroy(simulation);
    return status == HOL_STOPPED ? status : HOL_OK;
}

double hol_study_work_limit(const HolStudy *s, const HolCompareRecord *r)
{
    return s->result.is_stiff && hol_compare_is_adaptive(r->integrator) ? MOST_ADAPTIVE : 0;
}

static bool stiffness_is_explicit(const char *integrator)
{
    for (int i = 0; i < hol_integrator_count(); ++i)
        if (strcmp(hol_integrator_info(i).name, integrator) == 0)
            return hol_integrator_info(i).is_explicit;
    return false;
}

/* A run that failed before its first step has another reason. */
void hol_study_note_stiffness(const HolStudy *s, HolCompareRecord *r)
{
    HolMessage why = r->message;
    bool failed = r->status != HOL_OK && r->status != HOL_UNSUPPORTED && r->summary.steps > 0;
    bool was_stopped = r->status == HOL_TOO_STIFF; /* its message says so */
    if (!s->result.is_stiff || !(failed || was_stopped) || !stiffness_is_explicit(r->integrator))
        return;
    r->remark = "too stiff";
    if (was_stopped)
        return;
    if (r->status == HOL_GIVEN_UP)
        hol_fail(&r->message, r->status,
                 "given up at t = %.3g s of %g s after %ld steps: the model is too stiff for explicit steps",
                 r->summary.reached, s->result.until, r->summary.steps);
    else
        hol_fail(&r->message, r->status, "%.400s; the model is too stiff for explicit steps of %g s", why.text,
                 r->step);
}
