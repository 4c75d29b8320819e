/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes of a caller: each gives a status other than HOL_OK and a sentence that names the thing, and nothing aborts.
 * What a faulty library could crash on runs in a child process, so that the other cases are still seen. */
#define _GNU_SOURCE
#include "check.h"
#include "faulty.h"
#include "runs.h"
#include "systems/scenes.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A mistake has the right status, and its sentence has all the words. */
static void check_mistake(HolStatus status, HolStatus expected, const char *sentence, const char *const *words)
{
    CHECK_STATUS(status, expected);
    CHECK(strlen(sentence) > 10);
    for (int i = 0; words[i]; i++)
        CHECK_CONTAINS(sentence, words[i]);
}

/* Whether the function returns true, and at all. */
static bool holds_in_child(bool (*function)(const void *argument), const void *argument)
{
    int outcome = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(function(argument) ? 0 : 1);
    return child > 0 && waitpid(child, &outcome, 0) == child && WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0;
}

/* Systems */

static HolStatus no_terms(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)at, (void)want, (void)terms;
    return HOL_OK;
}

static void some_qdot(const void *self, const double *q, const double *v, double *qdot)
{
    (void)self, (void)q, (void)v, (void)qdot;
}

static const HolSystemOps good_ops = {.evaluate = no_terms};
static void some_step(const void *self, const double *q_a, const double *delta, double *q_b)
{
    (void)self, (void)q_a, (void)delta, (void)q_b;
}

static HolStatus some_gradient(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                               HolTerms *terms)
{
    (void)self, (void)middle, (void)q_a, (void)q_b, (void)terms;
    return HOL_OK;
}

static HolStatus some_mean(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                           unsigned want, HolTerms *terms)
{
    (void)self, (void)middle, (void)q_a, (void)q_b, (void)want, (void)terms;
    return HOL_OK;
}

static const HolSystemOps empty_ops = {.evaluate = NULL}, half_ops = {.evaluate = no_terms, .qdot = some_qdot};
static const HolSystemOps displace_ops = {.evaluate = no_terms, .displace = some_step};
static const HolSystemOps flat_mean_ops = {.evaluate = no_terms, .displace = some_step, .evaluate_mean = some_mean};
static const HolSystemOps curved_mean_ops = {
    .evaluate = no_terms, .qdot = some_qdot, .retract = some_qdot, .displace = some_step, .evaluate_mean = some_mean};
static const HolSystemOps curved_gradient_ops = {
    .evaluate = no_terms, .qdot = some_qdot, .retract = some_qdot, .discrete_gradient = some_gradient};
static const int two_two[] = {2, 2}, two_one[] = {2, 1}, one_two[] = {1, 2}, four_zero[] = {4, 0}, too_many[] = {5, -1};
static const int huge[] = {INT_MAX, INT_MAX, 6}, wide[] = {69998, 2};
static const HolPair good_pairs[] = {{0, 0}, {0, 1}, {1, 1}};
static const HolPair low_pairs[] = {{2, 0}}, wide_pairs[] = {{0, 2}}, minus_pairs[] = {{0, -1}};
static const HolPair equal_pairs[] = {{0, 1}, {0, 0}, {0, 1}}, upper_pairs[] = {{0, 1}}, diagonal_pairs[] = {{1, 1}};
static const HolPair equal_masses[] = {{1, 0}, {1, 0}};

/* nq = nv = 4 in two blocks, two holonomic rows and one nonholonomic, in two groups. */
static HolSystemSpec good_spec(void)
{
    HolSystemSpec spec = hol_system_spec();
    spec.name = "good";
    spec.ops = &good_ops;
    spec.nq = spec.nv = 4;
    spec.nh = 2;
    spec.nn = 1;
    spec.block_count = spec.group_count = 2;
    spec.block_sizes = two_two;
    spec.group_sizes = two_one;
    spec.pair_count = 3;
    spec.pairs = good_pairs;
    return spec;
}

/* One or two numbers and a pointer of the good spec, changed; offset 0 (the name) means no change. */
typedef struct SpecCase {
    const char *words[3];
    struct {
        size_t offset;
        int value;
    } number[2];
    struct {
        size_t offset;
        const void *value;
    } pointer;
} SpecCase;

#define NUMBER(field, value)                                                                                           \
    {                                                                                                                  \
        offsetof(HolSystemSpec, field), value                                                                          \
    }
#define POINTER(field, value)                                                                                          \
    {                                                                                                                  \
        offsetof(HolSystemSpec, field), value                                                                          \
    }
#define NONE                                                                                                           \
    {                                                                                                                  \
        0, 0                                                                                                           \
    }

static const SpecCase spec_cases[] = {
    {{"evaluate"}, {NONE}, POINTER(ops, NULL)},
    {{"evaluate"}, {NONE}, POINTER(ops, &empty_ops)},
    {{"qdot", "retract"}, {NONE}, POINTER(ops, &half_ops)},
    {{"displace", "evaluate_mean"}, {NONE}, POINTER(ops, &displace_ops)},
    {{"displace", "qdot"}, {NONE}, POINTER(ops, &flat_mean_ops)},
    {{"displace", "constant mass"}, {NONE}, POINTER(ops, &curved_mean_ops)},
    {{"discrete_gradient", "evaluate_mean"}, {NONE}, POINTER(ops, &curved_gradient_ops)},
    {{"nq", "nv"}, {NUMBER(nv, -1)}, NONE},
    {{"nq", "nv"}, {NUMBER(nv, 0)}, NONE},
    {{"nq", "nv"}, {NUMBER(nq, 3)}, NONE},
    {{"qdot", "retract"}, {NUMBER(nq, 5)}, NONE},
    {{"nh"}, {NUMBER(nh, -1)}, NONE},
    {{"nn"}, {NUMBER(nn, -1)}, NONE},
    {{"negative"}, {NUMBER(block_count, -2)}, NONE},
    {{"negative"}, {NUMBER(group_count, -2)}, NONE},
    {{"negative"}, {NUMBER(pair_count, -2)}, NONE},
    {{"negative"}, {NUMBER(mass_pair_count, -2)}, NONE},
    {{"negative"}, {NUMBER(coupling_count, -2)}, NONE},
    {{"block", "3", "4"}, {NONE}, POINTER(block_sizes, two_one)},
    {{"block", "2", "4"}, {NUMBER(block_count, 1)}, NONE},
    {{"block 1"}, {NONE}, POINTER(block_sizes, four_zero)},
    {{"block"}, {NONE}, POINTER(block_sizes, too_many)},
    {{"group", "4", "3"}, {NONE}, POINTER(group_sizes, two_two)},
    {{"group 1", "holonomic"}, {NONE}, POINTER(group_sizes, one_two)},
    {{"pair (2, 0)"}, {NUMBER(pair_count, 1)}, POINTER(pairs, low_pairs)},
    {{"pair (0, 2)"}, {NUMBER(pair_count, 1)}, POINTER(pairs, wide_pairs)},
    {{"pair (0, -1)"}, {NUMBER(pair_count, 1)}, POINTER(pairs, minus_pairs)},
    {{"pair (0, 1)", "twice"}, {NONE}, POINTER(pairs, equal_pairs)},
    {{"mass pair"}, {NUMBER(mass_pair_count, 1)}, NONE},
    {{"mass pair (0, 1)"}, {NUMBER(mass_pair_count, 1)}, POINTER(mass_pairs, upper_pairs)},
    {{"mass pair (1, 1)"}, {NUMBER(mass_pair_count, 1)}, POINTER(mass_pairs, diagonal_pairs)},
    {{"mass pair (2, 0)"}, {NUMBER(mass_pair_count, 1)}, POINTER(mass_pairs, low_pairs)},
    {{"mass pair (1, 0)", "twice"}, {NUMBER(mass_pair_count, 2)}, POINTER(mass_pairs, equal_masses)},
    {{"coupling"}, {NUMBER(coupling_count, 1)}, NONE},
    {{"coupling (0, 2)"}, {NUMBER(coupling_count, 1)}, POINTER(couplings, wide_pairs)},
};

/* Sizes whose sums or products leave the range of int. */
static const SpecCase huge_cases[] = {
    {{"block"}, {NUMBER(block_count, 3)}, POINTER(block_sizes, huge)},
    {{"nh", "nn"}, {NUMBER(nh, INT_MAX), NUMBER(nn, INT_MAX)}, POINTER(group_sizes, NULL)},
    {{"good"}, {NUMBER(nq, 70000), NUMBER(nv, 70000)}, POINTER(block_sizes, wide)},
};

static HolSystemSpec changed_spec(const SpecCase *test)
{
    HolSystemSpec spec = good_spec();
    for (int i = 0; i < 2; i++)
        if (test->number[i].offset)
            memcpy((char *)&spec + test->number[i].offset, &test->number[i].value, sizeof(int));
    if (test->pointer.offset)
        memcpy((char *)&spec + test->pointer.offset, &test->pointer.value, sizeof(void *));
    return spec;
}

static void wrong_sizes_are_named(void)
{
    HolSystemSpec good = good_spec();
    HolSystem *system = NULL;
    CHECK_OK(hol_system_create(&good, &system, NULL));
    hol_system_destroy(system);
    for (size_t i = 0; i < sizeof spec_cases / sizeof *spec_cases; i++) {
        const char *words[] = {spec_cases[i].words[0], spec_cases[i].words[1], spec_cases[i].words[2], NULL};
        HolSystemSpec spec = changed_spec(&spec_cases[i]);
        HolMessage message = {""};
        system = (HolSystem *)&message;
        CHECK_CONTEXT("spec %zu, '%s'", i, words[0]);
        check_mistake(hol_system_create(&spec, &system, &message), HOL_BAD_INPUT, message.text, words);
        CHECK(system == NULL);
        CHECK_STATUS(hol_system_create(&spec, &system, NULL), HOL_BAD_INPUT);
    }
}

static bool refuses_spec(const void *argument)
{
    const SpecCase *test = argument;
    HolSystemSpec spec = changed_spec(test);
    HolMessage message = {""};
    HolSystem *system = NULL;
    HolStatus status = hol_system_create(&spec, &system, &message);
    return status == HOL_BAD_INPUT && system == NULL && strstr(message.text, test->words[0]);
}

static void huge_sizes_are_refused(void)
{
    for (size_t i = 0; i < sizeof huge_cases / sizeof *huge_cases; i++) {
        CHECK_CONTEXT("huge spec %zu, '%s'", i, huge_cases[i].words[0]);
        CHECK(holds_in_child(refuses_spec, &huge_cases[i]));
    }
}

/* Nothing where something is needed */

static Scene *bar; /* a four-bar, for all tests from here */
static HolSimulation *running;

static bool opened(void)
{
    HolSimulationOptions options = hol_simulation_options();
    bar = scene_create("four-bar", 0);
    return CHECK(bar != NULL) && CHECK_OK(hol_simulation_create(bar->system, &bar->start, &options, &running, NULL));
}

static void closed(void)
{
    hol_simulation_destroy(running);
    scene_destroy(bar);
}

static bool said(HolStatus status, const HolMessage *message)
{
    return status == HOL_BAD_INPUT && message->text[0] != '\0';
}

static HolStatus create_with(const HolSystem *system, const HolInitialState *start, const HolSimulationOptions *options,
                             HolMessage *message)
{
    HolSimulation *simulation = NULL;
    HolStatus status = hol_simulation_create(system, start, options, &simulation, message);
    hol_simulation_destroy(simulation);
    return status;
}

/* NULL for each argument in turn; q and v are scratch copies of the start. */
typedef struct NullCase {
    const char *label;
    bool (*holds)(double *q, double *v, HolMessage *message);
} NullCase;

#define NULL_CASE(name, ...)                                                                                           \
    static bool name(double *q, double *v, HolMessage *m)                                                              \
    {                                                                                                                  \
        HolSimulationOptions options = hol_simulation_options();                                                       \
        HolSystemSpec spec = good_spec();                                                                              \
        HolSystem *system = NULL;                                                                                      \
        HolSimulation *simulation = NULL;                                                                              \
        HolTerms *terms = NULL;                                                                                        \
        HolInitialState start = {0, q, v};                                                                             \
        HolPoint at = {0, q, v};                                                                                       \
        (void)options, (void)spec, (void)system, (void)simulation, (void)terms, (void)start, (void)at, (void)m;        \
        return __VA_ARGS__;                                                                                            \
    }

NULL_CASE(system_create_spec, said(hol_system_create(NULL, &system, m), m))
NULL_CASE(system_create_system, said(hol_system_create(&spec, NULL, m), m))
NULL_CASE(system_destroy, (hol_system_destroy(NULL), true))
NULL_CASE(terms_create_system, hol_terms_create(NULL, &terms) == HOL_BAD_INPUT)
NULL_CASE(terms_create_terms, hol_terms_create(bar->system, NULL) == HOL_BAD_INPUT)
NULL_CASE(terms_destroy, (hol_terms_destroy(NULL), true))
NULL_CASE(check_system, said(hol_system_check(NULL, &at, m), m))
NULL_CASE(check_at, said(hol_system_check(bar->system, NULL, m), m))
NULL_CASE(check_q, said(hol_system_check(bar->system, &(HolPoint){0, NULL, v}, m), m))
NULL_CASE(check_v, said(hol_system_check(bar->system, &(HolPoint){0, q, NULL}, m), m))
NULL_CASE(assemble_system, said(hol_assemble(NULL, 0, q, v, m), m))
NULL_CASE(assemble_q, said(hol_assemble(bar->system, 0, NULL, v, m), m))
NULL_CASE(assemble_v, said(hol_assemble(bar->system, 0, q, NULL, m), m))
NULL_CASE(create_system, said(create_with(NULL, &start, &options, m), m))
NULL_CASE(create_start, said(create_with(bar->system, NULL, &options, m), m))
NULL_CASE(create_options, said(create_with(bar->system, &start, NULL, m), m))
NULL_CASE(create_result, said(hol_simulation_create(bar->system, &start, &options, NULL, m), m))
NULL_CASE(create_q, said(create_with(bar->system, &(HolInitialState){0, NULL, v}, &options, m), m))
NULL_CASE(create_v, said(create_with(bar->system, &(HolInitialState){0, q, NULL}, &options, m), m))
NULL_CASE(create_formulation, (options.formulation = NULL, said(create_with(bar->system, &start, &options, m), m)))
NULL_CASE(create_integrator, (options.integrator = NULL, said(create_with(bar->system, &start, &options, m), m)))
NULL_CASE(create_settings, (options.setting_count = 1, said(create_with(bar->system, &start, &options, m), m)))
NULL_CASE(simulation_destroy, (hol_simulation_destroy(NULL), true))
NULL_CASE(step_simulation, hol_simulation_step(NULL, NULL) == HOL_BAD_INPUT)
NULL_CASE(step_report, hol_simulation_step(running, NULL) == HOL_OK)
NULL_CASE(run_simulation, hol_simulation_run(NULL, &(HolRun){.until = 1}) == HOL_BAD_INPUT)
NULL_CASE(run_run, hol_simulation_run(running, NULL) == HOL_BAD_INPUT && hol_simulation_message(running)[0])
NULL_CASE(accelerate_simulation, hol_simulation_accelerate(NULL) == HOL_BAD_INPUT)
NULL_CASE(pair_formulation, said(hol_pair_supported(NULL, "rk4", m), m))
NULL_CASE(pair_integrator, said(hol_pair_supported("lagrange", NULL, m), m))
NULL_CASE(pair_message, hol_pair_supported("lagrange", "nothing", NULL) == HOL_BAD_INPUT)
NULL_CASE(no_such_formulation, !hol_formulation_info(-1).name && !hol_formulation_info(hol_formulation_count()).name)
NULL_CASE(no_such_integrator, !hol_integrator_info(-1).name && !hol_integrator_info(hol_integrator_count()).name)
NULL_CASE(no_such_group, hol_system_group_name(bar->system, -1) && hol_system_group_name(bar->system, 4))
NULL_CASE(no_such_status, hol_status_name((HolStatus)77)[0] && hol_status_cause((HolStatus)77)[0])

#define ROW(name)                                                                                                      \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
static const NullCase null_cases[] = {
    ROW(system_create_spec),
    ROW(system_create_system),
    ROW(system_destroy),
    ROW(terms_create_system),
    ROW(terms_create_terms),
    ROW(terms_destroy),
    ROW(check_system),
    ROW(check_at),
    ROW(check_q),
    ROW(check_v),
    ROW(assemble_system),
    ROW(assemble_q),
    ROW(assemble_v),
    ROW(create_system),
    ROW(create_start),
    ROW(create_options),
    ROW(create_result),
    ROW(create_q),
    ROW(create_v),
    ROW(create_formulation),
    ROW(create_integrator),
    ROW(create_settings),
    ROW(simulation_destroy),
    ROW(step_simulation),
    ROW(step_report),
    ROW(run_simulation),
    ROW(run_run),
    ROW(accelerate_simulation),
    ROW(pair_formulation),
    ROW(pair_integrator),
    ROW(pair_message),
    ROW(no_such_formulation),
    ROW(no_such_integrator),
    ROW(no_such_group),
    ROW(no_such_status),
};

static bool null_case_holds(const void *argument)
{
    const NullCase *test = argument;
    double q[9], v[9];
    HolMessage message = {""};
    memcpy(q, bar->start.q, sizeof q);
    memcpy(v, bar->start.v, sizeof v);
    return test->holds(q, v, &message);
}

static void nothing_is_noticed(void)
{
    if (opened())
        for (size_t i = 0; i < sizeof null_cases / sizeof *null_cases; i++) {
            CHECK_CONTEXT("%s", null_cases[i].label);
            CHECK(holds_in_child(null_case_holds, &null_cases[i]));
        }
    closed();
}

/* Names and settings */

static void check_refusal(const HolSimulationOptions *options, const char *const *words)
{
    HolMessage message = {""};
    HolSimulation *simulation = (HolSimulation *)&message;
    HolStatus status = hol_simulation_create(bar->system, &bar->start, options, &simulation, &message);
    check_mistake(status, HOL_BAD_INPUT, message.text, words);
    CHECK(simulation == NULL);
    CHECK_STATUS(hol_simulation_create(bar->system, &bar->start, options, &simulation, NULL), HOL_BAD_INPUT);
}

static char long_name[700];

typedef struct NameCase {
    const char *formulation, *integrator;
    const char *words[4];
} NameCase;

static const NameCase name_cases[] = {
    {"lagrnge", "rk4", {"formulation", "'lagrnge'", "did you mean 'lagrange'", NULL}},
    {"Direct-Correction", "rk4", {"'Direct-Correction'", "did you mean 'direct-correction'", NULL}},
    {"xyzzy", "rk4", {"formulation", "'xyzzy'", "unknown", NULL}},
    {"", "rk4", {"formulation", "''", NULL}},
    {long_name, "rk4", {"formulation", "aaaaaaaaaaaaaaaa", NULL}},
    {"lagrange", "rk5", {"integrator", "'rk5'", "did you mean 'rk4'", NULL}},
    {"lagrange", "trapezoid", {"'trapezoid'", "did you mean 'trapezoidal'", NULL}},
    {"lagrange", "xyzzy-xyzzy", {"integrator", "'xyzzy-xyzzy'", "unknown", NULL}},
    {"lagrange", long_name, {"integrator", "aaaaaaaaaaaaaaaa", NULL}},
};

static void unknown_names_are_named(void)
{
    memset(long_name, 'a', sizeof long_name - 1);
    if (opened())
        for (size_t i = 0; i < sizeof name_cases / sizeof *name_cases; i++) {
            const NameCase *test = &name_cases[i];
            HolSimulationOptions options = run_options(test->formulation, test->integrator, 1e-3);
            HolMessage message = {""};
            CHECK_CONTEXT("'%.40s' with '%.40s'", test->formulation, test->integrator);
            check_refusal(&options, test->words);
            check_mistake(hol_pair_supported(test->formulation, test->integrator, &message), HOL_BAD_INPUT,
                          message.text, test->words);
        }
    closed();
}

typedef struct SettingCase {
    HolSetting setting;
    const char *words[4];
} SettingCase;

/* On lagrange, which has no options, with rk4. */
static const SettingCase setting_cases[] = {
    {{"alpha", "1"}, {"'alpha'", "'formulation.'", "'integrator.'", NULL}},
    {{"formulation", "1"}, {"'formulation'", "'formulation.'", NULL}},
    {{"Formulation.alpha", "1"}, {"'Formulation.alpha'", NULL}},
    {{"", "1"}, {"''", "'formulation.'", NULL}},
    {{NULL, "1"}, {"setting", "'formulation.'", NULL}},
    {{"formulation.", "1"}, {"'lagrange'", "option ''", NULL}},
    {{"formulation.alpha", "1"}, {"'lagrange'", "'alpha'", NULL}},
    {{"formulation.alpha", NULL}, {"'lagrange'", "'alpha'", NULL}},
    {{"integrator.tolerance", "1"}, {"'rk4'", "'tolerance'", NULL}},
};

static void settings_without_a_home_are_named(void)
{
    if (opened())
        for (size_t i = 0; i < sizeof setting_cases / sizeof *setting_cases; i++) {
            HolSimulationOptions options = run_options("lagrange", "rk4", 1e-3);
            options.settings = &setting_cases[i].setting;
            options.setting_count = 1;
            CHECK_CONTEXT("setting %zu", i);
            check_refusal(&options, setting_cases[i].words);
        }
    closed();
}

/* One kind in its place: prefix is "formulation." or "integrator.". */
typedef struct Kind {
    HolKindInfo info;
    const char *prefix;
    HolSimulationOptions options;
} Kind;

static void check_setting(Kind *kind, const char *option, const char *value, const char *const *words)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s", kind->prefix, option);
    const HolSetting setting = {name, value};
    kind->options.settings = &setting;
    kind->options.setting_count = 1;
    CHECK_CONTEXT("%s = %s of %s", name, value ? value : "(none)", kind->info.name);
    check_refusal(&kind->options, words);
}

static void check_number_option(Kind *kind, const HolOption *option)
{
    const char *words[] = {kind->info.name, option->name, NULL};
    static const char *const no_numbers[] = {"abc", "", "1x", "1 2", "nan", "inf", "-inf", "1e999", NULL};
    for (int i = 0; no_numbers[i]; i++)
        check_setting(kind, option->name, no_numbers[i], words);
    char value[64];
    snprintf(value, sizeof value, "%.17g", option->min - 1 - fabs(option->min));
    check_setting(kind, option->name, value, words);
    snprintf(value, sizeof value, "%.17g", option->max * 2 + 1);
    check_setting(kind, option->name, value, words);
    if (option->type == HOL_OPTION_INTEGER)
        check_setting(kind, option->name, "2.5", words);
}

static void check_choice_option(Kind *kind, const HolOption *option)
{
    for (int i = 0; option->choices[i]; i++) {
        char value[64], answer[96];
        snprintf(value, sizeof value, "%sx", option->choices[i]);
        snprintf(answer, sizeof answer, "did you mean '%s'", option->choices[i]);
        const char *words[] = {kind->info.name, option->name, value, answer, NULL};
        check_setting(kind, option->name, value, words);
    }
    const char *words[] = {kind->info.name, option->name, NULL};
    check_setting(kind, option->name, "", words);
    check_setting(kind, option->name, "0", words);
}

static void check_options(Kind *kind)
{
    for (int i = 0; i < kind->info.option_count; i++) {
        const HolOption *option = &kind->info.options[i];
        char misspelt[64], answer[96];
        snprintf(misspelt, sizeof misspelt, "%sx", option->name);
        snprintf(answer, sizeof answer, "did you mean '%s'", option->name);
        const char *words[] = {kind->info.name, option->name, NULL};
        const char *misspelt_words[] = {kind->info.name, misspelt, answer, NULL};
        check_setting(kind, option->name, NULL, words);
        check_setting(kind, misspelt, "1", misspelt_words);
        if (option->type == HOL_OPTION_CHOICE)
            check_choice_option(kind, option);
        else
            check_number_option(kind, option);
    }
}

static void wrong_values_of_options_are_named(void)
{
    bool ready = opened();
    for (int i = 0; ready && i < hol_formulation_count(); i++) {
        Kind kind = {hol_formulation_info(i), "formulation.", hol_simulation_options()};
        kind.options = fitting_options(kind.info.name, "rk4", 1e-3);
        check_options(&kind);
    }
    for (int i = 0; ready && i < hol_integrator_count(); i++) {
        Kind kind = {hol_integrator_info(i), "integrator.", hol_simulation_options()};
        kind.options = run_options(formulation_for(kind.info.name), kind.info.name, 1e-3);
        check_options(&kind);
    }
    closed();
}

/* What lists and manuals read must be there, and the default must be allowed. */
static void check_table(HolKindInfo info)
{
    CHECK_CONTEXT("%s", info.name);
    CHECK(info.title && info.title[0] && info.page && strstr(info.page, info.name));
    for (int i = 0; i < info.option_count; i++) {
        const HolOption *option = &info.options[i];
        CHECK_CONTEXT("%s.%s", info.name, option->name);
        CHECK(option->unit && option->help && option->help[0]);
        if (option->type == HOL_OPTION_CHOICE)
            CHECK(option->choices && option->choices[(int)option->fallback]);
        else
            CHECK(option->min <= option->fallback && option->fallback <= option->max);
    }
}

static void tables_are_complete(void)
{
    for (int i = 0; i < hol_formulation_count(); i++)
        check_table(hol_formulation_info(i));
    for (int i = 0; i < hol_integrator_count(); i++)
        check_table(hol_integrator_info(i));
}

/* Numbers */

static const double no_step[] = {0, -1e-3, NAN, INFINITY, -INFINITY};
static const double no_number[] = {NAN, INFINITY, -INFINITY};
static const double no_weight[] = {0, -1, NAN, INFINITY};

static void check_start_number(double *number, double wrong, const char *name)
{
    HolSimulationOptions options = hol_simulation_options();
    const char *words[] = {name, "initial state", NULL};
    double right = *number;
    *number = wrong;
    CHECK_CONTEXT("%s = %g", name, wrong);
    check_refusal(&options, words);
    options.keep_start = true;
    check_refusal(&options, words);
    *number = right;
}

static void wrong_starts_are_named(void)
{
    if (opened()) {
        double q[9], v[9];
        HolInitialState right = bar->start;
        memcpy(q, right.q, sizeof q);
        memcpy(v, right.v, sizeof v);
        bar->start = (HolInitialState){0, q, v};
        for (int i = 0; i < 3; i++) {
            check_start_number(&bar->start.t, no_number[i], "t");
            check_start_number(&q[2], no_number[i], "q[2]");
            check_start_number(&v[8], no_number[i], "v[8]");
        }
        bar->start = right;
    }
    closed();
}

static void wrong_steps_and_weights_are_named(void)
{
    const char *step_words[] = {"step", NULL}, *weight_words[] = {"row_weights[3]", NULL};
    double weights[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    if (opened()) {
        for (size_t i = 0; i < sizeof no_step / sizeof *no_step; i++) {
            HolSimulationOptions options = run_options("lagrange", "rk4", no_step[i]);
            CHECK_CONTEXT("step = %g", no_step[i]);
            check_refusal(&options, step_words);
        }
        for (size_t i = 0; i < sizeof no_weight / sizeof *no_weight; i++) {
            HolSimulationOptions options = run_options("penalty", "rk4", 1e-3);
            weights[3] = no_weight[i];
            options.row_weights = weights;
            CHECK_CONTEXT("row weight %g", no_weight[i]);
            check_refusal(&options, weight_words);
        }
    }
    closed();
}

typedef struct RunCase {
    HolRun run;
    const char *words[2];
} RunCase;

/* From t = 0.5. */
static const RunCase run_cases[] = {
    {{.until = 0.4}, {"until", NULL}},
    {{.until = NAN}, {"until", NULL}},
    {{.until = INFINITY}, {"until", NULL}},
    {{.until = -INFINITY}, {"until", NULL}},
    {{.until = 1, .every = -0.1}, {"every", NULL}},
    {{.until = 1, .every = NAN}, {"every", NULL}},
    {{.until = 1, .every = INFINITY}, {"every", NULL}},
};

static void wrong_runs_are_named(void)
{
    HolRun good = {.until = 0.5};
    if (opened() && CHECK_OK(hol_simulation_run(running, &good))) {
        for (size_t i = 0; i < sizeof run_cases / sizeof *run_cases; i++) {
            CHECK_CONTEXT("until %g, every %g", run_cases[i].run.until, run_cases[i].run.every);
            HolStatus status = hol_simulation_run(running, &run_cases[i].run);
            check_mistake(status, HOL_BAD_INPUT, hol_simulation_message(running), run_cases[i].words);
            CHECK_NEAR(hol_simulation_state(running)->t, 0.5, 0);
        }
        good.until = 0.6;
        CHECK_OK(hol_simulation_run(running, &good));
        CHECK_STRING(hol_simulation_message(running), "");
    }
    closed();
}

/* A success also ends the complaint about the call before. */
static void accelerating_clears_the_message(void)
{
    HolRun wrong = {.until = NAN};
    if (opened()) {
        CHECK_STATUS(hol_simulation_run(running, &wrong), HOL_BAD_INPUT);
        CHECK(hol_simulation_message(running)[0] != '\0');
        CHECK_OK(hol_simulation_accelerate(running));
        CHECK_STRING(hol_simulation_message(running), "");
    }
    closed();
}

/* Starts that cannot be assembled */

/* A point in the plane with two demands that contradict each other. */
typedef struct Demands {
    double radius[2]; /* the point is on both circles around the origin, */
    double speed[2];  /* or has both speeds along x */
} Demands;

static HolStatus demands_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Demands *d = self;
    (void)want;
    terms->M[0] = terms->M[3] = 1;
    for (int i = 0; i < 2; i++) {
        bool circles = terms->pattern->nh > 0;
        terms->D[2 * i] = circles ? at->q[0] : 1;
        terms->D[2 * i + 1] = circles ? at->q[1] : 0;
        terms->nu[i] = circles ? 0 : d->speed[i];
        terms->gamma[i] = circles ? -at->v[0] * at->v[0] - at->v[1] * at->v[1] : 0;
        if (circles)
            terms->Phi[i] = 0.5 * (at->q[0] * at->q[0] + at->q[1] * at->q[1] - d->radius[i] * d->radius[i]);
    }
    return HOL_OK;
}

static HolSystem *demands_system(const Demands *demands, bool circles)
{
    static const HolSystemOps ops = {.evaluate = demands_evaluate};
    static const int sizes[] = {1, 1};
    static const char *const names[] = {"near", "far"};
    HolSystemSpec spec = hol_system_spec();
    HolSystem *system = NULL;
    spec.name = "demands";
    spec.ops = &ops;
    spec.self = demands;
    spec.nq = spec.nv = 2;
    spec.nh = circles ? 2 : 0;
    spec.nn = circles ? 0 : 2;
    spec.group_count = 2;
    spec.group_sizes = sizes;
    spec.group_names = names;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    return system;
}

/* Neither assembling nor simulating succeeds; q and v stay as they were; the sentence names system and group. */
static void check_not_assembled(const HolSystem *system, const double *q0, const double *v0, const char *const *words)
{
    double q[2] = {q0[0], q0[1]}, v[2] = {v0[0], v0[1]};
    HolMessage message = {""};
    HolSimulationOptions options = hol_simulation_options();
    HolInitialState start = {0, q, v};
    check_mistake(hol_assemble(system, 0, q, v, &message), HOL_NO_CONVERGENCE, message.text, words);
    CHECK(memcmp(q, q0, sizeof q) == 0 && memcmp(v, v0, sizeof v) == 0);
    message.text[0] = '\0';
    check_mistake(create_with(system, &start, &options, &message), HOL_NO_CONVERGENCE, message.text, words);
}

static void contradictions_are_named(void)
{
    const Demands demands = {{1, 2}, {1, 2}};
    const double q[2] = {1.2, 0.3}, v[2] = {0.5, 0.5};
    const char *words[] = {"'demands'", "ar'", NULL}; /* near or far */
    HolSystem *circles = demands_system(&demands, true), *speeds = demands_system(&demands, false);
    CHECK_CONTEXT("two circles");
    if (circles)
        check_not_assembled(circles, q, v, words);
    CHECK_CONTEXT("two speeds");
    if (speeds)
        check_not_assembled(speeds, q, v, words);
    hol_system_destroy(circles);
    hol_system_destroy(speeds);
}

/* Held at a constant speed, but without a direction to begin with: D is zero, no step leads to the constraint. */
static void a_speed_without_direction_is_named(void)
{
    const double rest[2] = {0, 0};
    const char *words[] = {"'constant-speed'", "rows 0-0", NULL};
    Scene *scene = scene_create("constant-speed", 0);
    REQUIRE(scene != NULL);
    check_not_assembled(scene->system, rest, rest, words);
    scene_destroy(scene);
}

static void assembling_without_numbers_fails(void)
{
    if (opened()) {
        const HolPattern *p = hol_system_pattern(bar->system);
        for (int k = 0; k < p->nq + p->nv; k++) {
            double x[18];
            HolMessage message = {""};
            memcpy(x, bar->start.q, 9 * sizeof *x);
            memcpy(x + 9, bar->start.v, 9 * sizeof *x);
            x[k] = NAN;
            CHECK_CONTEXT("NaN in number %d", k);
            CHECK(hol_assemble(bar->system, 0, x, x + 9, &message) != HOL_OK);
            CHECK(message.text[0] != '\0');
        }
    }
    closed();
}

/* A start beside the constraints is pulled onto them, unless it is to be kept. */
static void the_start_is_kept_on_request(void)
{
    if (opened()) {
        double q[9], v[9];
        HolSimulationOptions options = hol_simulation_options();
        HolSimulation *pulled = NULL, *kept = NULL;
        HolInitialState start = {0, q, v};
        memcpy(q, bar->start.q, sizeof q);
        memcpy(v, bar->start.v, sizeof v);
        q[0] += 1e-3;
        v[4] += 1e-2;
        CHECK_OK(hol_simulation_create(bar->system, &start, &options, &pulled, NULL));
        options.keep_start = true;
        CHECK_OK(hol_simulation_create(bar->system, &start, &options, &kept, NULL));
        if (pulled && kept) {
            CHECK_NEAR(hol_simulation_measures(pulled).position, 0, 1e-13);
            CHECK_NEAR(hol_simulation_measures(pulled).velocity, 0, 1e-13);
            CHECK(memcmp(hol_simulation_state(kept)->q, q, sizeof q) == 0);
            CHECK(memcmp(hol_simulation_state(kept)->v, v, sizeof v) == 0);
            CHECK_NEAR(hol_simulation_measures(kept).position, 1e-3, 1e-12);
        }
        hol_simulation_destroy(pulled);
        hol_simulation_destroy(kept);
    }
    closed();
}

/* Systems that cannot be evaluated where they start */

static const Fault start_faults[] = {
    {.status = HOL_SINGULAR, .after = -1},
    {.status = HOL_NOT_FINITE, .after = -1},
    {.term = "M", .after = -1},
    {.term = "D", .after = -1},
    {.term = "Phi", .after = -1},
    {.term = "Q", .after = -1},
    {.term = "gamma", .after = -1},
    {.term = "nu", .after = -1},
    {.term = "kinetic", .after = -1},
    {.term = "potential", .after = -1},
};

static void check_start_fault(const Faulty *faulty, const char *formulation, bool keep_start)
{
    const Scene *scene = faulty_scene(faulty);
    HolSimulationOptions options = fitting_options(formulation, "rk4", 1e-3);
    HolMessage message = {""};
    options.keep_start = keep_start;
    CHECK(create_with(scene->system, &scene->start, &options, &message) != HOL_OK);
    CHECK(strlen(message.text) > 10);
}

static void starts_that_fail_to_evaluate_are_refused(void)
{
    Faulty *faulty = opened() ? faulty_create(bar) : NULL;
    for (size_t i = 0; faulty && i < sizeof start_faults / sizeof *start_faults; i++)
        for (int f = 0; f < hol_formulation_count(); f++) {
            const char *formulation = hol_formulation_info(f).name;
            faulty_set(faulty, &start_faults[i]);
            for (int keep = 0; keep < 2; keep++) {
                CHECK_CONTEXT("%s, %s, start %s", formulation,
                              start_faults[i].term ? start_faults[i].term : hol_status_name(start_faults[i].status),
                              keep ? "kept" : "assembled");
                check_start_fault(faulty, formulation, keep == 1);
            }
        }
    CHECK(faulty != NULL);
    faulty_destroy(faulty);
    closed();
}

/* A body that flies away leaves the range of numbers: the run ends and says so. */
static void numbers_that_overflow_end_the_run(void)
{
    Scene *scene = scene_create("free-body", 0);
    REQUIRE(scene != NULL);
    double v[6] = {1e150, 0, 0, 0, 0, 0};
    HolInitialState start = scene->start;
    start.v = v;
    for (int i = 0; i < hol_integrator_count(); i++) {
        const char *integrator = hol_integrator_info(i).name, *formulation = formulation_for(integrator);
        HolSimulationOptions options = run_options(formulation, integrator, 1e157);
        if (!is_served(formulation, scene->system))
            continue;
        HolSimulation *simulation = NULL;
        HolRun run = {.until = 1e160};
        CHECK_CONTEXT("%s", options.integrator);
        if (!CHECK_OK(hol_simulation_create(scene->system, &start, &options, &simulation, NULL)))
            continue;
        CHECK(hol_simulation_run(simulation, &run) != HOL_OK);
        CHECK(isfinite(hol_simulation_state(simulation)->q[0]));
        CHECK(isfinite(hol_simulation_measures(simulation).drift));
        CHECK(strlen(hol_simulation_message(simulation)) > 10);
        hol_simulation_destroy(simulation);
    }
    scene_destroy(scene);
}

CHECK_MAIN(TEST(wrong_sizes_are_named), TEST(huge_sizes_are_refused), TEST(nothing_is_noticed),
           TEST(unknown_names_are_named), TEST(settings_without_a_home_are_named),
           TEST(wrong_values_of_options_are_named), TEST(tables_are_complete), TEST(wrong_starts_are_named),
           TEST(wrong_steps_and_weights_are_named), TEST(wrong_runs_are_named), TEST(accelerating_clears_the_message),
           TEST(contradictions_are_named), TEST(a_speed_without_direction_is_named),
           TEST(assembling_without_numbers_fails), TEST(the_start_is_kept_on_request),
           TEST(starts_that_fail_to_evaluate_are_refused), TEST(numbers_that_overflow_end_the_run))
