/* SPDX-License-Identifier: BSD-3-Clause */
/* A model from its text to ten steps, with all that it records, its findings, its scene and its diagnosis. An accepted
 * state is finite, and time advances. */
#include <holon/scene.h>
#include <holon/verdict.h>

#include "fuzz.h"
#include "model_check.h"

#include <math.h>

enum { STEPS = 10, RECORDS = 40, MOST_VELOCITIES = 100 };
enum { DIAGNOSE = 1, REPEAT = 2, RECORD_SINGULAR = 4, KEEP_START = 8 }; /* flags of the choice */

typedef struct Watch {
    HolRecorder *recorder;
    double *values;
    double t;
    int steps, records, nq, nv;
} Watch;

static void check_finite(const Watch *w, const HolState *state)
{
    bool finite = isfinite(state->t);
    for (int i = 0; i < w->nq; ++i)
        finite = finite && isfinite(state->q[i]);
    for (int i = 0; i < w->nv; ++i)
        finite = finite && isfinite(state->v[i]);
    FUZZ_CHECK(finite, "an accepted state at t = %g is not finite", state->t);
}

static HolStatus watch_record(void *user, const HolState *state, const HolMeasures *measures)
{
    Watch *w = user;
    check_finite(w, state);
    HolStatus status = hol_recorder_read(w->recorder, state, measures, w->values);
    return status == HOL_OK && ++w->records >= RECORDS ? HOL_STOPPED : status;
}

static HolStatus watch_progress(void *user, double t)
{
    Watch *w = user;
    FUZZ_CHECK(t > w->t, "a step from %a to %a", w->t, t);
    w->t = t;
    return ++w->steps >= STEPS ? HOL_STOPPED : HOL_OK;
}

static void take_steps(const HolMechanism *mechanism, HolSimulation *simulation, bool singular, Watch *w)
{
    static HolFindings findings;
    HolRun run = {.until = hol_mechanism_until(mechanism),
                  .every = hol_mechanism_every(mechanism),
                  .singular = singular || hol_recorder_find(w->recorder, "singular.sigma_min") >= 0,
                  .record = watch_record,
                  .user = w,
                  .progress = watch_progress};
    w->t = hol_simulation_state(simulation)->t;
    hol_simulation_run(simulation, &run);
    fuzz_check_sentence(hol_simulation_message(simulation));
    check_finite(w, hol_simulation_state(simulation));
    hol_simulation_findings(simulation, &findings);
    for (int i = 0; i < findings.count; ++i)
        fuzz_check_sentence(findings.list[i].reason);
}

static void run(const HolMechanism *mechanism, const FuzzChoice *choice)
{
    HolMessage message = {""};
    HolSimulation *simulation = NULL;
    const HolSystem *system = hol_mechanism_system(mechanism);
    Watch w = {.nq = hol_system_pattern(system)->nq, .nv = hol_system_pattern(system)->nv};
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    if (choice->formulation)
        hol_mechanism_choose_formulation(mechanism, choice->formulation, &options);
    if (choice->integrator)
        options.integrator = choice->integrator;
    options.keep_start = options.keep_start || choice->flags & KEEP_START;
    if (hol_recorder_create(mechanism, NULL, 0, &w.recorder, &message) == HOL_OK &&
        hol_simulation_create(system, &start, &options, &simulation, &message) == HOL_OK) {
        w.values = calloc((size_t)hol_recorder_column_count(w.recorder), sizeof *w.values);
        if (w.values)
            take_steps(mechanism, simulation, choice->flags & RECORD_SINGULAR, &w);
    }
    fuzz_check_sentence(message.text);
    free(w.values);
    hol_simulation_destroy(simulation);
    hol_recorder_destroy(w.recorder);
}

static void diagnose(const HolMechanism *mechanism)
{
    HolDiagnosis *diagnosis = NULL;
    HolScene *scene = NULL;
    HolTimeScales scales;
    HolMessage message = {""};
    if (hol_mechanism_diagnose(mechanism, NULL, &diagnosis, &message) == HOL_OK)
        hol_diagnosis_destroy(diagnosis);
    fuzz_check_sentence(message.text);
    if (hol_scene_create(mechanism, &scene) == HOL_OK)
        hol_scene_destroy(scene);
    hol_mechanism_time_scales(mechanism, &scales);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    FuzzChoice choice = fuzz_choice(text);
    HolModel *model;
    HolMechanism *mechanism = fuzz_mechanism(text, &choice, &model);
    if (mechanism && hol_system_pattern(hol_mechanism_system(mechanism))->nv <= MOST_VELOCITIES) {
        run(mechanism, &choice);
        if (choice.flags & DIAGNOSE)
            diagnose(mechanism);
    }
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    fuzz_memory_end();
    if (choice.flags & REPEAT)
        fuzz_check_repeatable(text);
    free(text);
    return 0;
}
