/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/samples.h"

#include "base/message.h"

#include <math.h>
#include <string.h>

/* Which columns of the reactions are unique, in the order of the recorder. */
static HolStatus find_unique(HolArena *arena, HolSamples *s)
{
    HolDiagnosis *diagnosis;
    HolMessage message;
    bool planar = hol_mechanism_is_planar(s->mechanism);
    bool *unique = hol_arena_alloc(arena, (size_t)s->reaction_count * sizeof *unique);
    int at = 0;
    if (!unique)
        return HOL_NO_MEMORY;
    HOL_TRY(hol_mechanism_diagnose(s->mechanism, &diagnosis, &message));
    for (int j = 0; j < diagnosis->joint_count; ++j)
        for (int i = 0; i < 6; ++i)
            if (!planar || i < 2 || i == 5)
                unique[at++] = diagnosis->looked_at_reactions && diagnosis->joints[j].unique[i];
    hol_diagnosis_destroy(diagnosis);
    s->is_unique = unique;
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
    s->reactions = hol_arena_doubles(arena, (size_t)s->room * (size_t)s->reaction_count);
    s->row = hol_arena_doubles(arena, (size_t)s->reaction_count + 1);
    if (!s->q || !s->reactions || !s->row)
        return HOL_NO_MEMORY;
    return find_unique(arena, s);
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

HolStatus hol_samples_run(HolSamples *samples, HolSimulation *simulation, double until)
{
    double start = hol_simulation_state(simulation)->t;
    HolRun run = {.until = until, .every = (until - start) / (samples->room - 1), .record = take, .user = samples};
    samples->count = 0;
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

double hol_samples_reaction_difference(const HolSamples *a, const HolSamples *b)
{
    double largest = 0;
    if (a->count != b->count)
        return NAN;
    for (int i = 0; i < a->count * a->reaction_count; ++i)
        if (a->is_unique[i % a->reaction_count])
            largest = fmax(largest, fabs(a->reactions[i] - b->reactions[i]));
    return largest;
}
