/* SPDX-License-Identifier: BSD-3-Clause */
#include "wrong_arguments.h"

#include <stdlib.h>
#include <string.h>

static void wrong_hol_mechanism_create(void)
{
    HolMechanism *mechanism = (HolMechanism *)&said;
    HolModel *model = hol_model_create();
    CHECK_STATUS(hol_mechanism_create(NULL, &mechanism), HOL_BAD_INPUT);
    CHECK(mechanism == NULL);
    REFUSED_BY_MODEL(model, "hol_mechanism_create: mechanism", hol_mechanism_create(model, NULL));
    hol_model_destroy(model);
}

static void wrong_hol_mechanism_destroy(void)
{
    hol_mechanism_destroy(NULL);
    CHECK(true);
}

static void wrong_hol_mechanism_check_jumps(void)
{
    Subject s;
    if (subject_open(&s, "four-bar")) {
        CHECK_STATUS(hol_mechanism_check_jumps(s.mechanism, NULL), HOL_BAD_INPUT);
        REFUSED_BY_MODEL(s.model, "hol_mechanism_check_jumps: mechanism", hol_mechanism_check_jumps(NULL, s.model));
    }
    subject_close(&s);
}

static void wrong_hol_mechanism_system(void)
{
    CHECK(hol_mechanism_system(NULL) == NULL);
}

static void wrong_hol_mechanism_is_planar(void)
{
    CHECK(!hol_mechanism_is_planar(NULL));
}

static void wrong_hol_mechanism_coordinates(void)
{
    CHECK_STRING(hol_mechanism_coordinates(NULL), "");
}

static void wrong_hol_mechanism_assemble(void)
{
    REFUSED("hol_mechanism_assemble: mechanism", hol_mechanism_assemble(NULL, message));
}

static void wrong_hol_mechanism_initial_state(void)
{
    HolInitialState start = hol_mechanism_initial_state(NULL);
    CHECK(start.q == NULL && start.v == NULL);
}

static void wrong_hol_mechanism_gap(void)
{
    CHECK(hol_mechanism_gap(NULL).where == NULL);
}

static void wrong_hol_mechanism_keeps_initial_state(void)
{
    CHECK(!hol_mechanism_keeps_initial_state(NULL));
}

static void wrong_hol_mechanism_time_scales(void)
{
    HolTimeScales scales;
    Subject s;
    CHECK_STATUS(hol_mechanism_time_scales(NULL, &scales), HOL_BAD_INPUT);
    if (subject_open(&s, "four-bar"))
        CHECK_STATUS(hol_mechanism_time_scales(s.mechanism, NULL), HOL_BAD_INPUT);
    subject_close(&s);
}

static void wrong_hol_mechanism_options(void)
{
    CHECK_STRING(hol_mechanism_options(NULL).formulation, hol_simulation_options().formulation);
}

static void wrong_hol_mechanism_choose_formulation(void)
{
    HolSimulationOptions options = hol_simulation_options();
    const char *before = options.formulation;
    Subject s;
    hol_mechanism_choose_formulation(NULL, "penalty", &options);
    if (subject_open(&s, "four-bar")) {
        hol_mechanism_choose_formulation(s.mechanism, NULL, &options);
        hol_mechanism_choose_formulation(s.mechanism, "penalty", NULL);
        CHECK(options.formulation == before);
        hol_mechanism_choose_formulation(s.mechanism, "nothing", &options); /* refused with the options */
        CHECK(options.row_weights == NULL);
    }
    subject_close(&s);
}

static void wrong_hol_mechanism_until(void)
{
    CHECK(isnan(hol_mechanism_until(NULL)));
}

static void wrong_hol_mechanism_every(void)
{
    CHECK(isnan(hol_mechanism_every(NULL)));
}

static void wrong_hol_mechanism_reaction_rule(void)
{
    CHECK_STRING(hol_mechanism_reaction_rule(NULL), "");
}

static void wrong_hol_mechanism_formulation_shares(void)
{
    CHECK(!hol_mechanism_formulation_shares(NULL));
}

static void wrong_hol_mechanism_body_count(void)
{
    CHECK_EQUAL_INT(hol_mechanism_body_count(NULL), 0);
}

static void wrong_hol_mechanism_body(void)
{
    Subject s;
    CHECK_STRING(hol_mechanism_body(NULL, 0), "");
    if (subject_open(&s, "four-bar")) {
        CHECK_STRING(hol_mechanism_body(s.mechanism, hol_mechanism_body_count(s.mechanism)), "");
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK_STRING(hol_mechanism_body(s.mechanism, wrong_indices[i]), "");
    }
    subject_close(&s);
}

static void wrong_hol_mechanism_beam_count(void)
{
    CHECK_EQUAL_INT(hol_mechanism_beam_count(NULL), 0);
}

static void wrong_hol_mechanism_beam(void)
{
    Subject s;
    CHECK(hol_mechanism_beam(NULL, 0).name == NULL);
    if (subject_open(&s, "four-bar")) {
        CHECK(hol_mechanism_beam(s.mechanism, 0).name == NULL); /* it has no beams */
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK(hol_mechanism_beam(s.mechanism, wrong_indices[i]).name == NULL);
    }
    subject_close(&s);
}

static void wrong_hol_mechanism_joint_count(void)
{
    CHECK_EQUAL_INT(hol_mechanism_joint_count(NULL), 0);
}

static void wrong_hol_mechanism_joint(void)
{
    Subject s;
    CHECK(hol_mechanism_joint(NULL, 0).name == NULL);
    if (subject_open(&s, "four-bar")) {
        CHECK(hol_mechanism_joint(s.mechanism, hol_mechanism_joint_count(s.mechanism)).name == NULL);
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK(hol_mechanism_joint(s.mechanism, wrong_indices[i]).row_count == 0);
    }
    subject_close(&s);
}

static void wrong_hol_mechanism_impulse(void)
{
    HolImpulse impulse = {.impulse = 1};
    Subject s;
    CHECK(isnan(hol_mechanism_impulse(NULL, &impulse).impulse));
    CHECK_STRING(hol_mechanism_impulse(NULL, &impulse).name, "");
    if (subject_open(&s, "four-bar")) {
        CHECK(isnan(hol_mechanism_impulse(s.mechanism, NULL).impulse));
        impulse.group = hol_system_pattern(s.system)->group_count;
        CHECK(isnan(hol_mechanism_impulse(s.mechanism, &impulse).impulse));
        for (int i = 0; i < WRONG_INDICES; ++i) {
            impulse.group = wrong_indices[i];
            CHECK(isnan(hol_mechanism_impulse(s.mechanism, &impulse).impulse));
            CHECK_STRING(hol_mechanism_impulse(s.mechanism, &impulse).part, "");
        }
    }
    subject_close(&s);
}

/* Recorders */

static void wrong_hol_recorder_create(void)
{
    static const char *const names[] = {"energy", NULL}, *const unknown[] = {"nothing"}, *const broken[] = {"\xff"};
    HolRecorder *recorder = (HolRecorder *)&said;
    Subject s;
    if (subject_open(&s, "four-bar")) {
        REFUSED("hol_recorder_create: mechanism", hol_recorder_create(NULL, NULL, 0, &recorder, message));
        CHECK(recorder == NULL);
        REFUSED("hol_recorder_create: recorder", hol_recorder_create(s.mechanism, NULL, 0, NULL, message));
        REFUSED("hol_recorder_create: names[1]", hol_recorder_create(s.mechanism, names, 2, &recorder, message));
        REFUSED("must not be negative", hol_recorder_create(s.mechanism, names, -1, &recorder, message));
        REFUSED("'nothing'", hol_recorder_create(s.mechanism, unknown, 1, &recorder, message));
        REFUSED("'?'", hol_recorder_create(s.mechanism, broken, 1, &recorder, message));
        CHECK(recorder == NULL);
    }
    subject_close(&s);
}

static void wrong_hol_recorder_destroy(void)
{
    hol_recorder_destroy(NULL);
    CHECK(true);
}

static void wrong_hol_recorder_column_count(void)
{
    CHECK_EQUAL_INT(hol_recorder_column_count(NULL), 0);
}

static void wrong_hol_recorder_column(void)
{
    HolRecorder *recorder = NULL;
    Subject s;
    CHECK_STRING(hol_recorder_column(NULL, 0), "");
    if (subject_open(&s, "four-bar") && CHECK_OK(hol_recorder_create(s.mechanism, NULL, 0, &recorder, NULL))) {
        CHECK_STRING(hol_recorder_column(recorder, hol_recorder_column_count(recorder)), "");
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK_STRING(hol_recorder_column(recorder, wrong_indices[i]), "");
    }
    hol_recorder_destroy(recorder);
    subject_close(&s);
}

static void wrong_hol_recorder_find(void)
{
    HolRecorder *recorder = NULL;
    Subject s;
    CHECK_EQUAL_INT(hol_recorder_find(NULL, "t"), -1);
    if (subject_open(&s, "four-bar") && CHECK_OK(hol_recorder_create(s.mechanism, NULL, 0, &recorder, NULL))) {
        CHECK_EQUAL_INT(hol_recorder_find(recorder, NULL), -1);
        CHECK_EQUAL_INT(hol_recorder_find(recorder, ""), -1);
        CHECK_EQUAL_INT(hol_recorder_find(recorder, "\xff"), -1);
    }
    hol_recorder_destroy(recorder);
    subject_close(&s);
}

static void check_reading(const Subject *s, HolRecorder *recorder)
{
    double values[256];
    const HolState *state = hol_simulation_state(s->simulation);
    HolMeasures measures = hol_simulation_measures(s->simulation);
    HolState without_q = *state, without_v = *state, without_lambda = *state;
    without_q.q = without_v.v = without_lambda.lambda = NULL;
    CHECK_STATUS(hol_recorder_read(NULL, state, &measures, values), HOL_BAD_INPUT);
    CHECK_STATUS(hol_recorder_read(recorder, NULL, &measures, values), HOL_BAD_INPUT);
    CHECK_STATUS(hol_recorder_read(recorder, &without_q, &measures, values), HOL_BAD_INPUT);
    CHECK_STATUS(hol_recorder_read(recorder, &without_v, &measures, values), HOL_BAD_INPUT);
    CHECK_STATUS(hol_recorder_read(recorder, &without_lambda, &measures, values), HOL_BAD_INPUT);
    CHECK_STATUS(hol_recorder_read(recorder, state, NULL, values), HOL_BAD_INPUT);
    CHECK_STATUS(hol_recorder_read(recorder, state, &measures, NULL), HOL_BAD_INPUT);
    if (CHECK(hol_recorder_column_count(recorder) <= 256))
        CHECK_OK(hol_recorder_read(recorder, state, &measures, values));
}

static void wrong_hol_recorder_read(void)
{
    HolRecorder *recorder = NULL;
    Subject s;
    if (subject_open(&s, "four-bar") && CHECK_OK(hol_recorder_create(s.mechanism, NULL, 0, &recorder, NULL)))
        check_reading(&s, recorder);
    hol_recorder_destroy(recorder);
    subject_close(&s);
}

static void wrong_hol_recorder_unresolved_since(void)
{
    CHECK(isnan(hol_recorder_unresolved_since(NULL)));
}

static void wrong_hol_recorder_save_size(void)
{
    CHECK(hol_recorder_save_size(NULL) == 0);
}

/* A recorder with something to remember. */
static bool recorder_open(Subject *s, HolRecorder **recorder, void **memory, size_t *size)
{
    *recorder = NULL;
    *memory = NULL;
    if (!subject_open(s, "bricard") || !CHECK_OK(hol_recorder_create(s->mechanism, NULL, 0, recorder, NULL)))
        return false;
    *size = hol_recorder_save_size(*recorder);
    *memory = calloc(1, *size);
    return CHECK(*size > 0 && *memory);
}

static void wrong_hol_recorder_save(void)
{
    Subject s;
    HolRecorder *recorder;
    void *memory;
    size_t size;
    if (recorder_open(&s, &recorder, &memory, &size)) {
        CHECK_STATUS(hol_recorder_save(NULL, memory, size), HOL_BAD_INPUT);
        CHECK_STATUS(hol_recorder_save(recorder, NULL, size), HOL_BAD_INPUT);
        CHECK_STATUS(hol_recorder_save(recorder, memory, size - 1), HOL_BAD_INPUT);
    }
    free(memory);
    hol_recorder_destroy(recorder);
    subject_close(&s);
}

static void wrong_hol_recorder_restore(void)
{
    Subject s;
    HolRecorder *recorder;
    void *memory;
    size_t size;
    if (recorder_open(&s, &recorder, &memory, &size)) {
        CHECK_STATUS(hol_recorder_restore(NULL, memory, size), HOL_BAD_INPUT);
        CHECK_STATUS(hol_recorder_restore(recorder, NULL, size), HOL_BAD_INPUT);
        CHECK_STATUS(hol_recorder_restore(recorder, memory, size - 1), HOL_BAD_INPUT);
        memset(memory, 0x7f, size); /* flags that are none */
        CHECK_STATUS(hol_recorder_restore(recorder, memory, size), HOL_BAD_INPUT);
    }
    free(memory);
    hol_recorder_destroy(recorder);
    subject_close(&s);
}

static void wrong_hol_mechanism_diagnose(void)
{
    const double no_numbers[64] = {0, NAN};
    HolDiagnosis *diagnosis = (HolDiagnosis *)&said;
    Subject s;
    if (subject_open(&s, "four-bar")) {
        REFUSED("hol_mechanism_diagnose: mechanism", hol_mechanism_diagnose(NULL, NULL, &diagnosis, message));
        CHECK(diagnosis == NULL);
        REFUSED("hol_mechanism_diagnose: diagnosis", hol_mechanism_diagnose(s.mechanism, NULL, NULL, message));
        REFUSED("hol_mechanism_diagnose: q[1]", hol_mechanism_diagnose(s.mechanism, no_numbers, &diagnosis, message));
        CHECK(diagnosis == NULL);
    }
    subject_close(&s);
}

static void wrong_hol_mechanism_diagnose_motion(void)
{
#define MOTION(mechanism, list, count) hol_mechanism_diagnose_motion(mechanism, list, count, &diagnosis, message)
    const double no_numbers[64] = {0, NAN};
    HolDiagnosis *diagnosis = (HolDiagnosis *)&said;
    Subject s;
    if (subject_open(&s, "four-bar")) {
        HolConfiguration good = {0, s.start.q}, late = {NAN, s.start.q}, nowhere = {0, NULL}, wild = {0, no_numbers};
        REFUSED("hol_mechanism_diagnose_motion: mechanism", MOTION(NULL, &good, 1));
        CHECK(diagnosis == NULL);
        REFUSED("hol_mechanism_diagnose_motion: diagnosis",
                hol_mechanism_diagnose_motion(s.mechanism, &good, 1, NULL, message));
        REFUSED("hol_mechanism_diagnose_motion: configurations", MOTION(s.mechanism, NULL, 1));
        REFUSED("hol_mechanism_diagnose_motion: count = 0", MOTION(s.mechanism, &good, 0));
        REFUSED("hol_mechanism_diagnose_motion: count = -1", MOTION(s.mechanism, &good, -1));
        REFUSED("hol_mechanism_diagnose_motion: t = nan", MOTION(s.mechanism, &late, 1));
        REFUSED("hol_mechanism_diagnose_motion: q must not be NULL", MOTION(s.mechanism, &nowhere, 1));
        REFUSED("hol_mechanism_diagnose_motion: q[1]", MOTION(s.mechanism, &wild, 1));
        CHECK(diagnosis == NULL);
    }
    subject_close(&s);
}

static void wrong_hol_mechanism_diagnose_run(void)
{
#define RUN(mechanism, simulation) hol_mechanism_diagnose_run(mechanism, simulation, &diagnosis, message)
    HolDiagnosis *diagnosis = (HolDiagnosis *)&said;
    Subject s, other = {.model = NULL};
    if (subject_open(&s, "four-bar") && subject_open(&other, "pendulum")) {
        REFUSED("hol_mechanism_diagnose_run: mechanism", RUN(NULL, s.simulation));
        CHECK(diagnosis == NULL);
        REFUSED("hol_mechanism_diagnose_run: diagnosis",
                hol_mechanism_diagnose_run(s.mechanism, s.simulation, NULL, message));
        REFUSED("hol_mechanism_diagnose_run: simulation must not be NULL", RUN(s.mechanism, NULL));
        REFUSED("not of this mechanism", RUN(s.mechanism, other.simulation));
        CHECK(diagnosis == NULL);
    }
    subject_close(&s);
    subject_close(&other);
}

static void wrong_hol_diagnosis_destroy(void)
{
    hol_diagnosis_destroy(NULL);
    CHECK(true);
}

/* Kinds of parts */

static const HolSection wrong_sections[] = {(HolSection)-1, (HolSection)(HOL_BEAM_SECTIONS + 1), (HolSection)INT_MAX};
enum { WRONG_SECTIONS = 3 };

static void wrong_hol_part_kind_count(void)
{
    for (int i = 0; i < WRONG_SECTIONS; ++i)
        CHECK_EQUAL_INT(hol_part_kind_count(wrong_sections[i]), 0);
}

static void wrong_hol_part_kind(void)
{
    for (int i = 0; i < WRONG_SECTIONS; ++i)
        CHECK(hol_part_kind(wrong_sections[i], 0).name == NULL);
    for (int i = 0; i < WRONG_INDICES; ++i)
        CHECK(hol_part_kind(HOL_JOINTS, wrong_indices[i]).name == NULL);
    CHECK(hol_part_kind(HOL_JOINTS, hol_part_kind_count(HOL_JOINTS)).name == NULL);
}

static void wrong_hol_part_field(void)
{
    for (int i = 0; i < WRONG_SECTIONS; ++i)
        CHECK(hol_part_field(wrong_sections[i], 0, 0).name == NULL);
    for (int i = 0; i < WRONG_INDICES; ++i) {
        CHECK(hol_part_field(HOL_JOINTS, wrong_indices[i], 0).name == NULL);
        CHECK(hol_part_field(HOL_JOINTS, 0, wrong_indices[i]).name == NULL);
    }
    CHECK(hol_part_field(HOL_JOINTS, 0, hol_part_kind(HOL_JOINTS, 0).field_count).name == NULL);
}

static void wrong_hol_part_sample(void)
{
    for (int i = 0; i < WRONG_SECTIONS; ++i)
        CHECK(hol_part_sample(wrong_sections[i], 0, 0).text == NULL);
    for (int i = 0; i < WRONG_INDICES; ++i) {
        CHECK(hol_part_sample(HOL_JOINTS, wrong_indices[i], 0).text == NULL);
        CHECK(hol_part_sample(HOL_JOINTS, 0, wrong_indices[i]).text == NULL);
    }
    CHECK(hol_part_sample(HOL_JOINTS, 0, hol_part_kind(HOL_JOINTS, 0).sample_count).text == NULL);
}

WRONG_ARGUMENTS_MAIN()
