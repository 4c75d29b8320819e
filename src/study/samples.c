/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/samples.h"

#include "base/message.h"

#include <math.h>
#include <string.h>

HolStatus hol_samples_unique(HolArena *arena, const HolMechanism *mechanism, const bool **is_unique)
{
    HolDiagnosis *diagnosis;
    HolMessage message;
    bool planar = hol_mechanism_is_planar(mechanism);
    bool *unique = hol_arena_alloc(arena, 6 * (size_t)hol_mechanism_joint_count(mechanism) + 1);
    int at = 0;
    if (!unique)
        return HOL_NO_MEMORY;
    *is_unique = unique;
    HolStatus status = hol_mechanism_diagnose(mechanism, &diagnosis, &message);
    if (status != HOL_OK)
        return status == HOL_NO_MEMORY ? status : HOL_OK; /* then none is known to be unique */
    for (int j = 0; j < diagnosis->joint_count; ++j)
        for (int i = 0; i < 6; ++i)
            if (!planar || i < 2 || i == 5)
                unique[at++] = diagnosis->looked_at_reactions && diagnosis->joints[j].unique[i];
    hol_diagnosis_destroy(diagnosis);
    return HOL_OK;
}

HolStatus hol_samples_create(HolArena *arena, const HolMechanism *mechanism, int count, HolSamples *samples)
{
    static const char *const names[] = {"reactions"};
    HolMessage message;
    HolSamples *s = samples;
    *s = (HolSamples){.mechanism = mechanism, .room = count + 1};
    HOL_TRY(hol_recorder_create(mechanism, names, 1, &s->recorder, &message));
    s->nq = hol_system_pattern(hol_mechanism_system(mechanism))->nq;
    s->reaction_count = hol_recorder_column_count(s->recorder) - 1;
    s->q = hol_arena_doubles(arena, (size_t)s->room * (size_t)s->nq);
    s->reactions = hol_arena_doubles(arena, (size_t)s->room * (size_t)s->reaction_count + 1);
    s->row = hol_arena_doubles(arena, (size_t)s->reaction_count + 1);
    return s->q && s->reactions && s->row ? HOL_OK : HOL_NO_MEMORY;
}

void hol_samples_clear(HolSamples *samples)
{
    hol_recorder_destroy(samples->recorder);
    samples->recorder = NULL;
}

static HolStatus take(void *user, const HolState *state, const HolMeasures *measures)
{
    HolSamples *s = user;
    if (s->count == s->room)
        return HOL_OK;
    HOL_TRY(hol_recorder_read(s->recorder, state, measures, s->row));
    memcpy(s->q + (size_t)s->count * (size_t)s->nq, state->q, (size_t)s->nq * sizeof *s->q);
    memcpy(s->reactions + (size_t)s->count * (size_t)s->reaction_count, s->row + 1,
           (size_t)s->reaction_count * sizeof *s->row);
    ++s->count;
    return HOL_OK;
}

static HolStatus look(void *user, double t)
{
    HolSamples *s = user;
    if (s->violation) {
        HolMeasures measures = hol_simulation_measures(s->simulation);
        int part = (int)(HOL_COMPARE_PARTS * (t - s->start) / (s->until - s->start));
        part = part < 0 ? 0 : part >= HOL_COMPARE_PARTS ? HOL_COMPARE_PARTS - 1 : part;
        s->violation[part] = fmax(s->violation[part], measures.position);
        s->drift[part] = fmax(s->drift[part], fabs(measures.drift));
    }
    return s->options->watch ? s->options->watch(s->options->user) : HOL_OK;
}

HolStatus hol_samples_run(HolSamples *samples, HolSimulation *simulation, double until,
                          const HolCompareOptions *options)
{
    HolSamples *s = samples;
    s->start = hol_simulation_state(simulation)->t;
    s->until = until;
    s->simulation = simulation;
    s->options = options;
    s->count = 0;
    for (int i = 0; s->violation && i < HOL_COMPARE_PARTS; ++i)
        s->violation[i] = s->drift[i] = NAN;
    HolRun run = {
        .until = until, .every = (until - s->start) / (s->room - 1), .record = take, .progress = look, .user = s};
    return hol_simulation_run(simulation, &run);
}

double hol_samples_position_difference(const HolSamples *a, const HolSamples *b)
{
    double largest = 0;
    if (a->count != b->count)
        return NAN;
    for (int i = 0; i < a->count * a->nq; ++i)
        largest = fmax(largest, fabs(a->q[i] - b->q[i]));
    return largest;
}

double hol_samples_reaction_difference(const HolSamples *a, const HolSamples *b, const bool *is_unique)
{
    double largest = NAN;
    if (a->count != b->count)
        return NAN;
    for (int i = 0; i < a->count * a->reaction_count; ++i)
        if (is_unique[i % a->reaction_count])
            largest = fmax(largest, fabs(a->reactions[i] - b->reactions[i]));
    return largest;
}
