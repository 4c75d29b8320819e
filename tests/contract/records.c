/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of runs: their times are the decimals that people write, the last one is the state in which the run ends, and
 * an input that has just been set shows in the present state. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"

#include <stdlib.h>

enum { MOST = 4000 };

typedef struct Log {
    int count;
    double t[MOST], q[MOST];
    double stop; /* the progress function stops the run here */
    int refuse;  /* the record function ends the run at this record */
    HolMessage message;
} Log;

static HolStatus log_record(void *user, const HolState *state, const HolMeasures *measures)
{
    Log *log = user;
    (void)measures;
    log->t[log->count] = state->t;
    log->q[log->count++] = state->q[0];
    return log->refuse > 0 && log->count >= log->refuse ? HOL_STOPPED : HOL_OK;
}

static HolStatus log_progress(void *user, double t)
{
    const Log *log = user;
    return log->stop > 0 && t >= log->stop ? HOL_STOPPED : HOL_OK;
}

/* A particle that is accelerated by 2 m/s^2: q = t^2, which all integrators below integrate exactly. */
static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const double *fails_after = self;
    if (at->t > *fails_after)
        return HOL_NOT_FINITE;
    if (want & HOL_WANT_MASS)
        terms->M[0] = 1;
    if (want & HOL_WANT_FORCE)
        terms->Q[0] = 2;
    if (want & HOL_WANT_ENERGY)
        terms->kinetic = at->v[0] * at->v[0] / 2;
    return HOL_OK;
}

typedef struct Case {
    const char *integrator;
    double start, step, every, until, fails_after;
} Case;

static HolStatus run_case(const Case *c, Log *log)
{
    static const HolSystemOps ops = {.evaluate = evaluate};
    HolSystemSpec spec = hol_system_spec();
    HolSystem *system = NULL;
    HolSimulation *simulation = NULL;
    double fails_after = c->fails_after > 0 ? c->fails_after : HUGE_VAL;
    spec.name = "particle", spec.ops = &ops, spec.self = &fails_after;
    spec.nq = spec.nv = 1;
    spec.constant_mass = spec.scleronomic = true;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    double q = c->start * c->start, v = 2 * c->start;
    HolSimulationOptions options = run_options("direct-correction", c->integrator, c->step);
    CHECK_OK(hol_simulation_create(system, &(HolInitialState){.t = c->start, .q = &q, .v = &v}, &options, &simulation,
                                   NULL));
    HolRun run = {.until = c->until, .every = c->every, .record = log_record, .progress = log_progress, .user = log};
    log->count = 0;
    HolStatus status = simulation ? hol_simulation_run(simulation, &run) : HOL_NO_MEMORY;
    snprintf(log->message.text, sizeof log->message.text, "%s", simulation ? hol_simulation_message(simulation) : "");
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
    return status;
}

/* t is what the shortest decimal of at most 12 digits reads as. */
static void check_decimal(double t)
{
    char text[40];
    snprintf(text, sizeof text, "%.12g", t);
    CHECK(t == strtod(text, NULL));
}

static void times_are_the_decimals_that_people_write(void)
{
    static Log log;
    static const Case cases[] = {{"rk4", 0, 1e-3, 0, 1.5, 0},        {"rk4", 0, 1e-3, 0.1, 3, 0},
                                 {"rk4", 0, 0.7e-3, 0.3, 6, 0},      {"dopri5", 0, 1e-3, 0.05, 7.05, 0},
                                 {"rk4", 0.2, 1e-3, 0.1, 2.3, 0},    {"rk4", -1.1, 1e-2, 0.03, 1, 0},
                                 {"rk4", 1e5, 1e-2, 0.1, 100005, 0}, {"dop853", 0, 1e-3, 0.05, 7.05, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_CONTEXT("case %d", (int)i);
        CHECK_OK(run_case(&cases[i], &log));
        CHECK(log.count > 20);
        for (int k = 0; k < log.count; k++) {
            check_decimal(log.t[k]);
            CHECK_NEAR(log.q[k], log.t[k] * log.t[k], 1e-9 * (1 + log.t[k] * log.t[k]));
        }
    }
}

/* Thirds have no short decimal: the nearest number to k/3 it is. */
static void thirds_are_correctly_rounded(void)
{
    static Log log;
    CHECK_OK(run_case(&(Case){"dopri5", 0, 1e-2, 1.0 / 3, 40, 0}, &log));
    CHECK_EQUAL_INT(log.count, 121);
    for (int k = 0; k < log.count; k++)
        CHECK(log.t[k] == k / 3.0);
}

/* An interval that is no multiple of anything short stays as it is. */
static void odd_intervals_stay(void)
{
    static Log log;
    double every = sqrt(2) / 10;
    CHECK_OK(run_case(&(Case){"dopri5", 0, 1e-2, every, 1, 0}, &log));
    CHECK_EQUAL_INT(log.count, 9);
    for (int k = 0; k + 1 < log.count; k++)
        CHECK_NEAR(log.t[k], k * every, 1e-15);
}

static void the_end_is_recorded_once(void)
{
    static Log log;
    static const Case odd[] = {{"rk4", 0, 1e-3, 0.3, 1, 0}, {"dopri5", 0, 1e-3, 0.3, 1, 0}};
    for (int i = 0; i < 2; i++) {
        CHECK_OK(run_case(&odd[i], &log));
        CHECK_EQUAL_INT(log.count, 5);
        CHECK(log.t[3] == 0.9 && log.t[4] == 1);
        CHECK_NEAR(log.q[4], 1, 1e-9);
    }
    CHECK_OK(run_case(&(Case){"rk4", 0, 1e-3, 0.25, 1, 0}, &log));
    CHECK_EQUAL_INT(log.count, 5);
    CHECK_OK(run_case(&(Case){"rk4", 0, 1e-2, 0, 1, 0}, &log));
    CHECK_EQUAL_INT(log.count, 101);
    CHECK_OK(run_case(&(Case){"rk4", 0, 1e-2, 0.1, 0, 0}, &log));
    CHECK_EQUAL_INT(log.count, 1);
    CHECK_OK(run_case(&(Case){"rk4", 0, 1e-2, 100, 1, 0}, &log));
    CHECK_EQUAL_INT(log.count, 2);
}

static void the_last_state_of_a_run_that_ends_early_is_recorded(void)
{
    static Log log, stopped = {.stop = 0.55}, refused = {.refuse = 3};
    CHECK_STATUS(run_case(&(Case){"rk4", 0, 1e-2, 0.1, 1, 0.473}, &log), HOL_NOT_FINITE);
    CHECK_EQUAL_INT(log.count, 6);
    CHECK(log.t[4] == 0.4 && fabs(log.t[5] - 0.47) < 1e-12);
    CHECK_CONTAINS(log.message.text, "direct-correction with rk4, step 0.01 from t = 0.47");
    CHECK_STATUS(run_case(&(Case){"rk4", 0, 1e-2, 0.1, 1, 0}, &stopped), HOL_STOPPED);
    CHECK_EQUAL_INT(stopped.count, 7);
    CHECK_NEAR(stopped.t[6], 0.55, 1e-12);
    CHECK_CONTAINS(stopped.message.text, "the progress function stopped the run at t = 0.55");
    CHECK_STATUS(run_case(&(Case){"rk4", 0, 1e-2, 0.1, 1, 0}, &refused), HOL_STOPPED);
    CHECK_EQUAL_INT(refused.count, 3); /* a record function that has ended the run is not called again */
}

CHECK_MAIN(TEST(times_are_the_decimals_that_people_write), TEST(thirds_are_correctly_rounded), TEST(odd_intervals_stay),
           TEST(the_end_is_recorded_once), TEST(the_last_state_of_a_run_that_ends_early_is_recorded))
