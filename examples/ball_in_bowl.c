/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball rolls in a bowl for 100 s: a system with holonomic and nonholonomic rows, written by hand. The equations are in
 * ball_in_bowl_system.h; this file checks them, runs them and looks at what is known of the motion: the angles at two
 * times, the energy and a first integral. Fails if they are off. */
#include <holon/holon.h>

#include "ball_in_bowl_system.h"

#include <math.h>
#include <stdio.h>

/* Of an integration in minimal coordinates (alpha, beta) with 18 digits. */
typedef struct Known {
    double t, alpha, beta;
} Known;

static const Known KNOWN[] = {
    {1, 1.0449845333244006, 1.7386516987572997},
    {100, 0.5306351347555113, 116.91364102110958},
};
enum { KNOWN_COUNT = sizeof KNOWN / sizeof *KNOWN };
static const double FIRST_INTEGRAL = 0.5288615012729203, ENERGY = -22.632022664080218;

/* What a run is allowed to be off. */
typedef struct Limits {
    double angle_at_1, angle_at_100, rows, energy, integral;
} Limits;

typedef struct Watch {
    const Ball *ball;
    double angle[KNOWN_COUNT];                   /* errors at the known times */
    double position, velocity, energy, integral; /* largest of all steps */
} Watch;

static HolStatus look(void *user, const HolState *state, const HolMeasures *measures)
{
    Watch *watch = user;
    const double *q = state->q;
    for (int i = 0; i < KNOWN_COUNT; ++i)
        if (fabs(state->t - KNOWN[i].t) < 1e-9)
            watch->angle[i] = fmax(fabs(q[1] - KNOWN[i].alpha), fabs(q[2] - KNOWN[i].beta));
    double integral = ball_first_integral(watch->ball, q, state->v);
    watch->position = fmax(watch->position, measures->position);
    watch->velocity = fmax(watch->velocity, measures->velocity);
    watch->energy = fmax(watch->energy, fabs(measures->kinetic + measures->potential - ENERGY));
    watch->integral = fmax(watch->integral, fabs(integral - FIRST_INTEGRAL));
    return HOL_OK;
}

static HolStatus roll(const HolSystem *system, const HolSimulationOptions *options, Watch *watch, HolMessage *message)
{
    double q[BALL_NV], v[BALL_NV];
    HolInitialState start = {.q = q, .v = v};
    HolSimulation *simulation;
    ball_start(watch->ball, acos(-1) / 4, 0.5, 1, 1, q, v);
    HolStatus status = hol_simulation_create(system, &start, options, &simulation, message);
    if (status != HOL_OK)
        return status;
    for (int i = 0; i < KNOWN_COUNT; ++i)
        watch->angle[i] = NAN; /* until it is seen */
    status = hol_simulation_run(simulation, &(HolRun){.until = 100, .record = look, .user = watch});
    snprintf(message->text, sizeof message->text, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

/* A way to integrate, and what it may be off. The explicit ones need no iteration: their corrections act once in a step,
 * and can keep the energy too, or in every stage, which costs orders. */
typedef struct Method {
    const char *formulation;
    HolSetting setting; /* of the formulation, if it has a name */
    double step;
    Limits limits;
} Method;

static const Method METHODS[] = {
    {"direct-correction", {NULL, NULL}, 1e-2, {2e-7, 1e-5, 1e-12, 2e-4, 2e-6}},
    {"direct-correction", {NULL, NULL}, 5e-3, {2e-8, 1e-6, 1e-12, 1e-5, 1e-7}},
    {"explicit-dae", {NULL, NULL}, 1e-2, {2e-7, 2e-5, 1e-12, 2e-4, 2e-6}},
    {"explicit-dae", {NULL, NULL}, 5e-3, {2e-8, 2e-6, 1e-12, 1e-5, 1e-7}},
    {"explicit-dae", {"formulation.energy", "threshold"}, 1e-2, {2e-7, 4e-5, 1e-12, 1e-12, 5e-7}},
    {"explicit-dae", {"formulation.correction", "stages"}, 1e-2, {4e-5, 6e-2, 1e-2, 2e-1, 2e-3}},
    {"explicit-dae", {"formulation.correction", "stages"}, 5e-3, {5e-6, 8e-3, 3e-3, 2e-2, 3e-4}},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

/* One line of the table; false if a number is larger than it may be, or missing. */
static bool show(const Method *method, const Watch *watch)
{
    const Limits *limits = &method->limits;
    printf("%-18s %-10s %4g ms %9.1e %9.1e %9.1e %9.1e %9.1e %9.1e\n", method->formulation,
           method->setting.name ? method->setting.value : "", 1e3 * method->step, watch->angle[0], watch->angle[1],
           watch->position, watch->velocity, watch->energy, watch->integral);
    return watch->angle[0] <= limits->angle_at_1 && watch->angle[1] <= limits->angle_at_100 &&
           watch->position <= limits->rows && watch->velocity <= limits->rows && watch->energy <= limits->energy &&
           watch->integral <= limits->integral;
}

static bool compare(const HolSystem *system, const Ball *ball, const Method *method)
{
    HolMessage message = {{0}};
    HolSimulationOptions options = hol_simulation_options(); /* rk4 */
    Watch watch = {.ball = ball};
    options.formulation = method->formulation, options.step = method->step;
    options.settings = &method->setting, options.setting_count = method->setting.name ? 1 : 0;
    HolStatus status = roll(system, &options, &watch, &message);
    if (status != HOL_OK) {
        fprintf(stderr, "%s: %s: %s\n", method->formulation, hol_status_name(status), message.text);
        return false;
    }
    return show(method, &watch);
}

/* A place where nothing is zero by accident; it need not roll there. */
static HolStatus check(const HolSystem *system, HolMessage *message)
{
    const double q[BALL_NV] = {6.8, 0.7, 0.3, 0.9, -0.3, 0.2, 0.2, 1.1, 0.4, -0.3, 0.5, 0.8};
    const double v[BALL_NV] = {0.3, 0.5, 1.1, -0.4, 0.7, 1.2, 0.6, -0.2, 0.9, 0.8, -1.1, 0.35};
    return hol_system_check(system, &(HolPoint){.t = 0.4, .q = q, .v = v}, message);
}

int main(void)
{
    Ball ball = {.mass = 1, .radius = 1, .bowl = 8, .gravity = 9.81};
    HolSystemSpec spec = ball_spec(&ball);
    HolMessage message;
    HolSystem *system;
    HolStatus status = hol_system_create(&spec, &system, &message);
    status = status == HOL_OK ? check(system, &message) : status;
    if (status != HOL_OK) {
        fprintf(stderr, "%s: %s\n", hol_status_name(status), message.text);
        hol_system_destroy(system);
        return 1;
    }
    printf(
        "Largest errors in 100 s: angles at 1 s and at 100 s [rad], constraints, energy [J], first integral [1/s]\n");
    printf("%-18s %-10s %7s %9s %9s %9s %9s %9s %9s\n", "formulation", "option", "step", "at 1 s", "at 100 s",
           "position", "velocity", "energy", "integral");
    bool good = true;
    for (int i = 0; i < METHOD_COUNT; ++i)
        good = compare(system, &ball, &METHODS[i]) && good;
    hol_system_destroy(system);
    if (!good)
        fprintf(stderr, "a run is off\n");
    return good ? 0 : 1;
}
