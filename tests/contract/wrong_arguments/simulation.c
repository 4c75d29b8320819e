/* SPDX-License-Identifier: BSD-3-Clause */
#include "wrong_arguments.h"

#include <stdlib.h>

/* Copies of the initial state, which the calls may not change. */
static double q[64], v[64];

static bool subject_begin(Subject *s)
{
    if (!subject_open(s, "four-bar"))
        return false;
    const HolPattern *p = hol_system_pattern(s->system);
    memcpy(q, s->start.q, (size_t)p->nq * sizeof *q);
    memcpy(v, s->start.v, (size_t)p->nv * sizeof *v);
    return true;
}

static void check_unchanged(const Subject *s)
{
    const HolPattern *p = hol_system_pattern(s->system);
    CHECK(memcmp(q, s->start.q, (size_t)p->nq * sizeof *q) == 0);
    CHECK(memcmp(v, s->start.v, (size_t)p->nv * sizeof *v) == 0);
}

static void wrong_hol_assemble(void)
{
    Subject s;
    if (subject_begin(&s)) {
        REFUSED("hol_assemble: system", hol_assemble(NULL, 0, q, v, message));
        REFUSED("hol_assemble: q", hol_assemble(s.system, 0, NULL, v, message));
        REFUSED("hol_assemble: v", hol_assemble(s.system, 0, q, NULL, message));
        for (int i = 0; i < WRONG_NUMBERS; ++i)
            REFUSED("hol_assemble: t", hol_assemble(s.system, wrong_numbers[i], q, v, message));
        check_unchanged(&s);
    }
    subject_close(&s);
}

static void wrong_hol_assemble_positions(void)
{
    Subject s;
    if (subject_begin(&s)) {
        REFUSED("hol_assemble_positions: system", hol_assemble_positions(NULL, 0, q, message));
        REFUSED("hol_assemble_positions: q", hol_assemble_positions(s.system, 0, NULL, message));
        for (int i = 0; i < WRONG_NUMBERS; ++i)
            REFUSED("hol_assemble_positions: t", hol_assemble_positions(s.system, wrong_numbers[i], q, message));
        check_unchanged(&s);
    }
    subject_close(&s);
}

static void wrong_hol_assemble_velocities(void)
{
    Subject s;
    if (subject_begin(&s)) {
        REFUSED("hol_assemble_velocities: system", hol_assemble_velocities(NULL, 0, q, v, message));
        REFUSED("hol_assemble_velocities: q", hol_assemble_velocities(s.system, 0, NULL, v, message));
        REFUSED("hol_assemble_velocities: v", hol_assemble_velocities(s.system, 0, q, NULL, message));
        for (int i = 0; i < WRONG_NUMBERS; ++i)
            REFUSED("hol_assemble_velocities: t", hol_assemble_velocities(s.system, wrong_numbers[i], q, v, message));
        check_unchanged(&s);
    }
    subject_close(&s);
}

static void wrong_hol_simulation_options(void)
{
    CHECK(hol_simulation_options().step > 0); /* it has no argument */
}

/* Options that are not NULL but wrong; their values in detail: contract.wrong_use. */
static void check_wrong_options(const Subject *s)
{
    static const HolSetting nameless[] = {{NULL, "1"}}, valueless[] = {{"formulation.alpha", NULL}};
    HolSimulationOptions good = hol_simulation_options(), wrong = good;
    HolSimulation *made = NULL;
    wrong.formulation = NULL;
    REFUSED("formulation", hol_simulation_create(s->system, &s->start, &wrong, &made, message));
    wrong = good;
    wrong.integrator = NULL;
    REFUSED("integrator", hol_simulation_create(s->system, &s->start, &wrong, &made, message));
    wrong = good;
    wrong.branch = (HolBranchPolicy)9;
    REFUSED("branch", hol_simulation_create(s->system, &s->start, &wrong, &made, message));
    wrong = good;
    wrong.setting_count = 1;
    REFUSED("settings", hol_simulation_create(s->system, &s->start, &wrong, &made, message));
    wrong.settings = nameless;
    REFUSED("no name", hol_simulation_create(s->system, &s->start, &wrong, &made, message));
    wrong.settings = valueless;
    REFUSED("alpha", hol_simulation_create(s->system, &s->start, &wrong, &made, message));
    wrong.setting_count = -1;
    REFUSED("setting_count", hol_simulation_create(s->system, &s->start, &wrong, &made, message));
    for (int i = 0; i < WRONG_NUMBERS; ++i) {
        wrong = good;
        wrong.step = wrong_numbers[i];
        REFUSED("step", hol_simulation_create(s->system, &s->start, &wrong, &made, message));
        HolInitialState start = s->start;
        start.t = wrong_numbers[i];
        REFUSED("t[0]", hol_simulation_create(s->system, &start, &good, &made, message));
    }
    CHECK(made == NULL);
}

static void wrong_hol_simulation_create(void)
{
    HolSimulationOptions options = hol_simulation_options();
    HolSimulation *made = (HolSimulation *)&said;
    Subject s;
    if (subject_begin(&s)) {
        HolInitialState empty = {.t = 0};
        REFUSED("hol_simulation_create: system", hol_simulation_create(NULL, &s.start, &options, &made, message));
        CHECK(made == NULL);
        REFUSED("hol_simulation_create: start", hol_simulation_create(s.system, NULL, &options, &made, message));
        REFUSED("hol_simulation_create: options", hol_simulation_create(s.system, &s.start, NULL, &made, message));
        REFUSED("hol_simulation_create: simulation",
                hol_simulation_create(s.system, &s.start, &options, NULL, message));
        REFUSED("no q", hol_simulation_create(s.system, &empty, &options, &made, message));
        check_wrong_options(&s);
    }
    subject_close(&s);
}

static void wrong_hol_simulation_destroy(void)
{
    hol_simulation_destroy(NULL);
    CHECK(true);
}

/* ---- Calls inside record() and progress() ---- */

typedef HolStatus Advance(HolSimulation *simulation);

typedef struct Inside {
    HolSimulation *simulation;
    Advance *advance;
    const char *function;
    bool in_record, passes_on; /* the function returns what the call has returned */
    int calls;
} Inside;

static HolStatus advance_inside(Inside *inside)
{
    double t = hol_simulation_state(inside->simulation)->t;
    HolStatus status = inside->advance(inside->simulation);
    ++inside->calls;
    CHECK_STATUS(status, HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(inside->simulation), inside->function);
    CHECK_CONTAINS(hol_simulation_message(inside->simulation), "while a run is under way");
    CHECK_NEAR(hol_simulation_state(inside->simulation)->t, t, 0);
    return inside->passes_on ? status : HOL_OK;
}

static HolStatus record_inside(void *user, const HolState *state, const HolMeasures *measures)
{
    Inside *inside = user;
    (void)state, (void)measures;
    return inside->in_record ? advance_inside(inside) : HOL_OK;
}

static HolStatus progress_inside(void *user, double t)
{
    Inside *inside = user;
    (void)t;
    return inside->in_record ? HOL_OK : advance_inside(inside);
}

/* The outer run is as it would be without the call, unless record() or progress() passes its status on. */
static void check_inside(Advance *advance, const char *function)
{
    for (int k = 0; k < 4; ++k) {
        Subject s;
        CHECK_CONTEXT("%s in %s, %s", function, k & 1 ? "record" : "progress", k & 2 ? "passed on" : "ignored");
        if (subject_begin(&s)) {
            Inside inside = {s.simulation, advance, function, k & 1, k & 2, 0};
            HolRun run = {.until = 0.01, .record = record_inside, .progress = progress_inside, .user = &inside};
            CHECK_STATUS(hol_simulation_run(s.simulation, &run), k & 2 ? HOL_BAD_INPUT : HOL_OK);
            CHECK(inside.calls > 0);
            CHECK((hol_simulation_message(s.simulation)[0] != '\0') == ((k & 2) != 0));
            if (!(k & 2))
                CHECK_NEAR(hol_simulation_state(s.simulation)->t, 0.01, 1e-12);
        }
        subject_close(&s);
    }
}

static HolStatus one_step(HolSimulation *simulation)
{
    return hol_simulation_step(simulation, NULL);
}

static HolStatus run_to_one(HolSimulation *simulation)
{
    return hol_simulation_run(simulation, &(HolRun){.until = 1});
}

static void wrong_hol_simulation_step(void)
{
    HolStepReport report;
    Subject s;
    CHECK_STATUS(hol_simulation_step(NULL, &report), HOL_BAD_INPUT);
    CHECK_STATUS(hol_simulation_step(NULL, NULL), HOL_BAD_INPUT);
    if (subject_begin(&s))
        CHECK_OK(hol_simulation_step(s.simulation, NULL));
    subject_close(&s);
    check_inside(one_step, "hol_simulation_step");
}

static void wrong_hol_simulation_set_input(void)
{
    Subject s;
    CHECK_STATUS(hol_simulation_set_input(NULL, 0, 1), HOL_BAD_INPUT);
    if (subject_open(&s, "four-bar")) {
        for (int i = 0; i < WRONG_INDICES; ++i) {
            CHECK_STATUS(hol_simulation_set_input(s.simulation, wrong_indices[i], 1), HOL_BAD_INPUT);
            CHECK_CONTAINS(hol_simulation_message(s.simulation), "input");
        }
    }
    subject_close(&s);
}

static void wrong_hol_simulation_input(void)
{
    Subject s;
    CHECK(isnan(hol_simulation_input(NULL, 0)));
    if (subject_open(&s, "four-bar"))
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK(isnan(hol_simulation_input(s.simulation, wrong_indices[i])));
    subject_close(&s);
}

static void wrong_hol_simulation_run(void)
{
    HolRun run = {.until = 1};
    Subject s;
    CHECK_STATUS(hol_simulation_run(NULL, &run), HOL_BAD_INPUT);
    if (subject_open(&s, "four-bar")) {
        CHECK_STATUS(hol_simulation_run(s.simulation, NULL), HOL_BAD_INPUT);
        CHECK_CONTAINS(hol_simulation_message(s.simulation), "hol_simulation_run: run");
        for (int i = 0; i < WRONG_NUMBERS; ++i) {
            run = (HolRun){.until = wrong_numbers[i]};
            CHECK_STATUS(hol_simulation_run(s.simulation, &run), HOL_BAD_INPUT);
            CHECK_CONTAINS(hol_simulation_message(s.simulation), "until");
            run = (HolRun){.until = 1, .every = wrong_numbers[i]};
            CHECK_STATUS(hol_simulation_run(s.simulation, &run), HOL_BAD_INPUT);
            CHECK_CONTAINS(hol_simulation_message(s.simulation), "every");
        }
        CHECK_NEAR(hol_simulation_state(s.simulation)->t, 0, 0);
    }
    subject_close(&s);
    check_inside(run_to_one, "hol_simulation_run");
}

static void wrong_hol_simulation_check_run(void)
{
    HolRun run = {.until = 1};
    Subject s;
    CHECK_STATUS(hol_simulation_check_run(NULL, &run), HOL_BAD_INPUT);
    if (subject_open(&s, "four-bar")) {
        CHECK_STATUS(hol_simulation_check_run(s.simulation, NULL), HOL_BAD_INPUT);
        CHECK_OK(hol_simulation_check_run(s.simulation, &run));
        run.resume = true;
        CHECK_STATUS(hol_simulation_check_run(s.simulation, &run), HOL_BAD_INPUT);
        CHECK_CONTAINS(hol_simulation_message(s.simulation), "there is no run to resume");
        CHECK_NEAR(hol_simulation_state(s.simulation)->t, 0, 0);
    }
    subject_close(&s);
}

static void wrong_hol_simulation_may_reach(void)
{
    CHECK(!hol_simulation_may_reach(NULL, 0));
}

static void wrong_hol_simulation_was_cut(void)
{
    CHECK(!hol_simulation_was_cut(NULL));
}

static void wrong_hol_simulation_save_size(void)
{
    CHECK(hol_simulation_save_size(NULL) == 0);
}

/* Memory that is wrong in detail: contract.save_damage. */
static void check_saving(const Subject *s, unsigned char *memory, size_t size)
{
    CHECK_STATUS(hol_simulation_save(NULL, memory, size), HOL_BAD_INPUT);
    CHECK_STATUS(hol_simulation_save(s->simulation, NULL, size), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(s->simulation), "hol_simulation_save");
    CHECK_STATUS(hol_simulation_save(s->simulation, memory, size - 1), HOL_BAD_INPUT);
    CHECK_STATUS(hol_simulation_save(s->simulation, memory, 0), HOL_BAD_INPUT);
    CHECK(memory[0] == 0 && memory[size - 1] == 0); /* nothing was written */
    CHECK_OK(hol_simulation_save(s->simulation, memory, size));
}

static void check_restoring(const Subject *s, unsigned char *memory, size_t size)
{
    CHECK_STATUS(hol_simulation_restore(s->simulation, memory, size), HOL_BAD_INPUT); /* zeros */
    CHECK_OK(hol_simulation_save(s->simulation, memory, size));
    CHECK_STATUS(hol_simulation_restore(NULL, memory, size), HOL_BAD_INPUT);
    CHECK_STATUS(hol_simulation_restore(s->simulation, NULL, size), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(s->simulation), "cannot be restored");
    CHECK_STATUS(hol_simulation_restore(s->simulation, memory, size - 1), HOL_BAD_INPUT);
    CHECK_STATUS(hol_simulation_restore(s->simulation, memory, 0), HOL_BAD_INPUT);
    CHECK_OK(hol_simulation_restore(s->simulation, memory, size));
}

static void with_memory(void (*check)(const Subject *, unsigned char *, size_t))
{
    Subject s;
    if (subject_open(&s, "four-bar")) {
        size_t size = hol_simulation_save_size(s.simulation);
        unsigned char *memory = calloc(size, 1);
        if (CHECK(memory != NULL))
            check(&s, memory, size);
        free(memory);
    }
    subject_close(&s);
}

static void wrong_hol_simulation_save(void)
{
    with_memory(check_saving);
}

static void wrong_hol_simulation_restore(void)
{
    with_memory(check_restoring);
}

static void wrong_hol_simulation_state(void)
{
    CHECK(hol_simulation_state(NULL) == NULL);
}

static void wrong_hol_simulation_measures(void)
{
    CHECK(isnan(hol_simulation_measures(NULL).sigma_min));
}

static void wrong_hol_simulation_midpoint_multipliers(void)
{
    CHECK(hol_simulation_midpoint_multipliers(NULL) == NULL);
}

static void wrong_hol_simulation_summary(void)
{
    HolSummary summary = hol_simulation_summary(NULL);
    CHECK_STATUS(summary.status, HOL_BAD_INPUT);
    CHECK_STRING(summary.integrator, "");
}

static void wrong_hol_simulation_passage_count(void)
{
    CHECK_EQUAL_INT(hol_simulation_passage_count(NULL), 0);
}

static void wrong_hol_simulation_passage(void)
{
    Subject s;
    CHECK(isnan(hol_simulation_passage(NULL, 0).t));
    if (subject_open(&s, "four-bar")) {
        CHECK(isnan(hol_simulation_passage(s.simulation, hol_simulation_passage_count(s.simulation)).t));
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK_EQUAL_INT(hol_simulation_passage(s.simulation, wrong_indices[i]).group, -1);
    }
    subject_close(&s);
}

static void wrong_hol_simulation_passage_branch(void)
{
    HolState branch;
    Subject s;
    CHECK(!hol_simulation_passage_branch(NULL, 0, 0, &branch));
    if (subject_open(&s, "four-bar")) {
        CHECK(!hol_simulation_passage_branch(s.simulation, 0, 0, &branch)); /* there is none yet */
        CHECK(!hol_simulation_passage_branch(s.simulation, 0, 0, NULL));
        for (int i = 0; i < WRONG_INDICES; ++i) {
            CHECK(!hol_simulation_passage_branch(s.simulation, wrong_indices[i], 0, &branch));
            CHECK(!hol_simulation_passage_branch(s.simulation, 0, wrong_indices[i], &branch));
        }
    }
    subject_close(&s);
}

static void wrong_hol_simulation_event_count(void)
{
    CHECK_EQUAL_INT(hol_simulation_event_count(NULL), 0);
}

static void wrong_hol_simulation_event(void)
{
    Subject s;
    CHECK_EQUAL_INT(hol_simulation_event(NULL, 0).event, -1);
    if (subject_open(&s, "four-bar")) {
        CHECK_EQUAL_INT(hol_simulation_event(s.simulation, hol_simulation_event_count(s.simulation)).event, -1);
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK(isnan(hol_simulation_event(s.simulation, wrong_indices[i]).t));
    }
    subject_close(&s);
}

static void wrong_hol_simulation_impulse_count(void)
{
    CHECK_EQUAL_INT(hol_simulation_impulse_count(NULL), 0);
}

static void wrong_hol_simulation_impulse(void)
{
    Subject s;
    CHECK_EQUAL_INT(hol_simulation_impulse(NULL, 0).group, -1);
    if (subject_open(&s, "four-bar")) {
        CHECK(isnan(hol_simulation_impulse(s.simulation, 0).impulse)); /* there is none */
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK_EQUAL_INT(hol_simulation_impulse(s.simulation, wrong_indices[i]).group, -1);
    }
    subject_close(&s);
}

static void wrong_hol_simulation_configuration_count(void)
{
    CHECK_EQUAL_INT(hol_simulation_configuration_count(NULL), 0);
}

static void wrong_hol_simulation_configuration(void)
{
    Subject s;
    CHECK(hol_simulation_configuration(NULL, 0).q == NULL);
    if (subject_open(&s, "bricard")) {
        int count = hol_simulation_configuration_count(s.simulation);
        CHECK(count > 0 && hol_simulation_configuration(s.simulation, count - 1).q != NULL);
        CHECK(hol_simulation_configuration(s.simulation, count).q == NULL);
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK(isnan(hol_simulation_configuration(s.simulation, wrong_indices[i]).t));
    }
    subject_close(&s);
}

static void wrong_hol_simulation_approach(void)
{
    HolApproach approach;
    Subject s;
    CHECK(!hol_simulation_approach(NULL, &approach));
    if (subject_open(&s, "four-bar"))
        CHECK(!hol_simulation_approach(s.simulation, NULL));
    subject_close(&s);
}

static void wrong_hol_simulation_message(void)
{
    CHECK_STRING(hol_simulation_message(NULL), "");
}

static void wrong_hol_simulation_accelerate(void)
{
    CHECK_STATUS(hol_simulation_accelerate(NULL), HOL_BAD_INPUT);
    check_inside(hol_simulation_accelerate, "hol_simulation_accelerate");
}

WRONG_ARGUMENTS_MAIN()
