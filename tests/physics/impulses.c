/* SPDX-License-Identifier: BSD-3-Clause */
/* Prescribed velocities that jump act as impulses: closed forms, a dense solution of the impulse equations, and the
 * energy balance, with every pair of methods. */
#include "allocations.h"
#include "dense.h"
#include "runs.h"
#include "simulated.h"
#include "system_of.h"

#include <stdlib.h>

static const char *const kinds[] = {"reference-point", "natural"};

static HolModel *parse(const char *text, const char *coordinates)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, text, "test"));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", coordinates));
    return model;
}

/* Calls check() with every pair of methods that runs the mechanism. */
static void for_each_pair(Simulated *run, const void *subject,
                          void (*check)(Simulated *run, const void *subject, const HolSimulationOptions *options))
{
    const HolSystem *system = hol_mechanism_system(run->mechanism);
    for (int k = 0; k < hol_formulation_count() * hol_integrator_count(); ++k) {
        const char *formulation = hol_formulation_info(k / hol_integrator_count()).name;
        const char *integrator = hol_integrator_info(k % hol_integrator_count()).name;
        HolSimulationOptions options = run_options(formulation, integrator, 1e-3);
        if (!is_supported(formulation, integrator) || !is_served(formulation, system))
            continue;
        CHECK_CONTEXT("%s, %s with %s", hol_mechanism_coordinates(run->mechanism), formulation, integrator);
        check(run, subject, &options);
        hol_simulation_destroy(run->simulation);
        run->simulation = NULL;
    }
}

/* Runs to `until` from the initial state. */
static bool go(Simulated *run, const HolSimulationOptions *options, double until)
{
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    if (!simulated_start(run, &start, options))
        return false;
    if (CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = until})))
        return true;
    printf("    %s\n", hol_simulation_message(run->simulation));
    return false;
}

static HolDriverImpulse impulse_at(const Simulated *run, int index, double *t, double *work)
{
    HolImpulse impulse = hol_simulation_impulse(run->simulation, index);
    *t = impulse.t;
    *work = impulse.work;
    return hol_mechanism_impulse(run->mechanism, &impulse);
}

/* ---- Closed forms ---- */

/* A body of which one coordinate moves, with this inertia, whose rate is 1 at first, 3 from t = 0.2 on and -1 from 0.3
 * on: impulses 2 I and -4 I, works 4 I and -4 I. */
typedef struct Driven {
    const char *parts; /* the joints and drivers */
    double inertia;
    const char *unit;
    bool turns;
} Driven;

#define TWICE "piecewise(t < 0.2, 1, t < 0.3, 3, -1)"
#define POSITION "t + 2*max(0, t - 0.2) - 4*max(0, t - 0.3)"

static const Driven driven[] = {
    {"joints: {s: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
     "drivers: {d: {displacement: s, value: '" POSITION "', impulse: true}}\n",
     2, "N*s", false},
    {"joints: {s: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
     "drivers: {d: {displacement-rate: s, value: '" TWICE "', impulse: true}}\n",
     2, "N*s", false},
    {"joints: {s: {prismatic: [ground, m], at: [0, 0], axis: x},\n"
     "  d: {velocity: [ground, m], along: x, value: '" TWICE "', impulse: true}}\n",
     2, "N*s", false},
    {"joints: {s: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
     "drivers: {d: {length: [ground, m], from: [-2, 0], to: [0, 0], value: '2 + " POSITION "', impulse: true}}\n",
     2, "N*s", false},
    {"joints: {s: {revolute: [ground, m], at: [1, 0]}}\n"
     "drivers: {d: {angle: s, value: '" POSITION "', impulse: true}}\n",
     3 + 2, "N*m*s", true},
    {"joints: {s: {revolute: [ground, m], at: [1, 0]}}\n"
     "drivers: {d: {angle-rate: s, value: '" TWICE "', impulse: true}}\n",
     3 + 2, "N*m*s", true},
    {"joints: {s: {revolute: [ground, m], at: [1, 0]}}\n"
     "drivers: {d: {angle-between: [ground, m], value: '" POSITION "', impulse: true}}\n",
     3 + 2, "N*m*s", true},
    {"joints: {s: {revolute: [ground, m], at: [1, 0]},\n"
     "  d: {angular-velocity: [ground, m], value: '" TWICE "', impulse: true}}\n",
     3 + 2, "N*m*s", true},
    {"joints: {s: {revolute: [ground, m], at: [1, 0]},\n"
     "  d: {velocity-sum: [{angle-rate: s}], value: '" TWICE "', impulse: true}}\n",
     3 + 2, "", true},
};

/* By how much the energy balance changes from t, where an impulse is due, through a short step after it. */
static double drift_across(Simulated *run, double t)
{
    if (!CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = t})))
        return NAN;
    double before = hol_simulation_measures(run->simulation).drift;
    if (!CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = t + 1e-8})))
        return NAN;
    return hol_simulation_measures(run->simulation).drift - before;
}

static void check_driven(Simulated *run, const void *subject, const HolSimulationOptions *options)
{
    const Driven *d = subject;
    const double I = d->inertia;
    double t, work;
    if (!go(run, options, 0.1))
        return;
    CHECK_NEAR(drift_across(run, 0.2), 0, 1e-10 * 4.5 * I);
    CHECK_NEAR(drift_across(run, 0.3), 0, 1e-10 * 4.5 * I);
    REQUIRE(hol_simulation_impulse_count(run->simulation) == 2);
    HolSummary summary = hol_simulation_summary(run->simulation);
    CHECK_EQUAL_INT(summary.impulses, 2);
    const double tolerance = (1e-12 + 10 * summary.max_position_violation) * I; /* of the inertia of the open body */
    HolDriverImpulse first = impulse_at(run, 0, &t, &work);
    CHECK_NEAR(t, 0.2, 1e-15);
    CHECK_NEAR(first.impulse, 2 * I, tolerance);
    CHECK_NEAR(work, 4 * I, tolerance);
    CHECK_STRING(first.name, "d");
    CHECK_STRING(first.unit, d->unit);
    HolDriverImpulse second = impulse_at(run, 1, &t, &work);
    CHECK_NEAR(t, 0.3, 1e-15);
    CHECK_NEAR(second.impulse, -4 * I, tolerance);
    CHECK_NEAR(work, -4 * I, tolerance);
    CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = 0.4}));
    summary = hol_simulation_summary(run->simulation);
    CHECK_NEAR(hol_simulation_measures(run->simulation).kinetic, I / 2,
               (1e-9 + 10 * summary.max_position_violation + 10 * summary.max_velocity_violation) * I +
                   4 * sqrt(summary.max_off_manifold_energy * I));
    if (!d->turns)
        CHECK_NEAR(summary.max_energy_drift, 0, 1e-10 * 4.5 * I);
}

static void bodies_get_the_impulse_of_their_closed_form(void)
{
    static const char *const bodies = "plane: xy\n"
                                      "bodies: {m: {rigid: [0, 0], mass: 2, inertia: 3}}\n";
    for (int c = 0; c < 2; ++c)
        for (size_t i = 0; i < sizeof driven / sizeof driven[0]; ++i) {
            char text[800];
            Simulated run;
            snprintf(text, sizeof text, "%s%s", bodies, driven[i].parts);
            REQUIRE(simulated_assemble(&run, parse(text, kinds[c])));
            for_each_pair(&run, &driven[i], check_driven);
            simulated_close(&run);
        }
}

/* ---- Dense solution of the impulse equations ---- */

/* A mechanism whose motor 'motor' jumps at t = 0.1 s by `jump` in its velocity, from `before`. */
typedef struct Linkage {
    const char *text;
    double before, jump;
} Linkage;

#define FOUR_BAR                                                                                                       \
    "plane: xy\n"                                                                                                      \
    "gravity: [0, -9.81]\n"                                                                                            \
    "points: {A: [0, 0], B: [0.5, 1], C: [2, 1.5], D: [2.5, 0]}\n"                                                     \
    "bodies: {crank: {bar: [A, B], mass: 1}, rod: {bar: [B, C], mass: 2}, rocker: {bar: [C, D], mass: 3}}\n"           \
    "joints:\n"                                                                                                        \
    "  a: {revolute: [ground, crank], at: A}\n"                                                                        \
    "  b: {revolute: [crank, rod], at: B}\n"                                                                           \
    "  c: {revolute: [rod, rocker], at: C}\n"                                                                          \
    "  d: {revolute: [ground, rocker], at: D}\n"

static const Linkage linkages[] = {
    {FOUR_BAR "drivers: {motor: {angle: a, value: '2*t + 3*max(0, t - 0.1)', impulse: true}}\n", 2, 3},
    {FOUR_BAR "drivers: {motor: {angle-rate: a, value: '2 - 5*step(t - 0.1)', impulse: true}}\n", 2, -5},
    /* a pin twice: redundant constraints */
    {FOUR_BAR "  e: {revolute: [ground, rocker], at: D}\n"
              "drivers: {motor: {angle-rate: a, value: '2 - 5*step(t - 0.1)', impulse: true}}\n",
     2, -5},
    /* two degrees of freedom: the rocker is free */
    {"plane: xy\n"
     "points: {A: [0, 0], B: [0.5, 1], C: [2, 1.5]}\n"
     "bodies: {crank: {bar: [A, B], mass: 1}, rod: {bar: [B, C], mass: 2}}\n"
     "joints: {a: {revolute: [ground, crank], at: A}, b: {revolute: [crank, rod], at: B}}\n"
     "drivers: {motor: {angle: a, value: 'abs(t - 0.1)', impulse: true}}\n",
     -1, 2},
    /* in space: the body turns about an axis that is none of its own, and carries a ball joint */
    {"gravity: [0, 0, -9.81]\n"
     "points: {O: [0, 0, 0], P: [1, 0.2, 0.3]}\n"
     "bodies:\n"
     "  arm: {rigid: [0.5, 0.1, 0.2], mass: 2, inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.01]}\n"
     "  end: {rigid: [1.4, 0.3, 0.1], mass: 1.5, inertia: [0.2, 0.3, 0.25]}\n"
     "joints: {a: {revolute: [ground, arm], at: O, axis: [1, 2, 3]}, b: {spherical: [arm, end], at: P}}\n"
     "drivers: {motor: {angle: a, value: 't + 4*max(0, t - 0.1)', impulse: true}}\n",
     1, 4},
};

/* Lambda of the motor and dv at the present state, from matrices that the library has not factored. */
static double solve_densely(const HolSystem *system, const HolState *state, int row, double jump, double *dv)
{
    const HolPattern *p = hol_system_pattern(system);
    double *zero = calloc((size_t)p->nv, sizeof *zero), *c = calloc((size_t)p->m, sizeof *c);
    double *Lambda = calloc((size_t)p->m, sizeof *Lambda), found = NAN;
    HolTerms *terms = NULL;
    Dense dense;
    if (CHECK_OK(hol_terms_create(system, &terms)) &&
        CHECK_OK(hol_system_evaluate(system, &(HolPoint){state->t, state->q, state->v},
                                     HOL_WANT_MASS | HOL_WANT_JACOBIAN, terms)) &&
        CHECK(dense_open(terms, &dense))) {
        c[row] = jump;
        dense.Q = zero;
        dense.gamma = c;
        CHECK(dense_solve(&dense, dv, Lambda) > 0);
        found = Lambda[row];
        dense_close(&dense);
    }
    hol_terms_destroy(terms);
    free(zero);
    free(c);
    free(Lambda);
    return found;
}

static int motor_row(const HolMechanism *mechanism)
{
    for (int i = 0; i < hol_mechanism_joint_count(mechanism); ++i)
        if (strcmp(hol_mechanism_joint(mechanism, i).name, "motor") == 0)
            return hol_mechanism_joint(mechanism, i).rows[0];
    return -1;
}

static void check_linkage(Simulated *run, const void *subject, const HolSimulationOptions *options)
{
    const Linkage *l = subject;
    const HolSystem *system = hol_mechanism_system(run->mechanism);
    double dv[64], v[64], t, work;
    if (!go(run, options, 0.1))
        return;
    const int nv = hol_system_pattern(system)->nv, row = motor_row(run->mechanism);
    const HolState *state = hol_simulation_state(run->simulation);
    double Lambda = solve_densely(system, state, row, l->jump, dv);
    for (int i = 0; i < nv; ++i)
        v[i] = state->v[i] + dv[i];
    double kinetic = fmax(hol_simulation_measures(run->simulation).kinetic, 1);
    double drift = drift_across(run, 0.1);
    HolMeasures after = hol_simulation_measures(run->simulation);
    CHECK_NEAR(drift, 0, 1e-10 * fmax(kinetic, after.kinetic));
    REQUIRE(hol_simulation_impulse_count(run->simulation) == 1);
    HolDriverImpulse impulse = impulse_at(run, 0, &t, &work);
    CHECK_NEAR(impulse.impulse, Lambda, 1e-9 * fabs(Lambda));
    CHECK_NEAR(work, Lambda * (l->before + l->jump / 2), 1e-9 * fabs(Lambda));
    CHECK_NEAR(max_difference(nv, hol_simulation_state(run->simulation)->v, v), 0, 1e-5);
    CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = 0.15}));
    CHECK_EQUAL_INT(hol_simulation_summary(run->simulation).singular_events, 0);
}

static void linkages_get_the_impulse_of_a_dense_solution(void)
{
    for (int c = 0; c < 2; ++c)
        for (size_t i = 0; i < sizeof linkages / sizeof linkages[0]; ++i) {
            Simulated run;
            REQUIRE(simulated_assemble(&run, parse(linkages[i].text, kinds[c])));
            for_each_pair(&run, &linkages[i], check_linkage);
            simulated_close(&run);
        }
}

/* ---- More than one driver ---- */

static HolStatus run_text(const char *text, HolMessage *message)
{
    Simulated run;
    HolMessage ignored;
    *message = (HolMessage){""};
    if (!simulated_assemble(&run, parse(text, "reference-point")))
        return HOL_BAD_INPUT;
    HolInitialState start = hol_mechanism_initial_state(run.mechanism);
    HolSimulationOptions options = run_options("direct-correction", "rk4", 1e-3);
    HolStatus status =
        hol_simulation_create(hol_mechanism_system(run.mechanism), &start, &options, &run.simulation, &ignored);
    if (CHECK_OK(status)) {
        status = hol_simulation_run(run.simulation, &(HolRun){.until = 1});
        snprintf(message->text, sizeof message->text, "%s", hol_simulation_message(run.simulation));
        if (status != HOL_OK)
            CHECK_NEAR(hol_simulation_state(run.simulation)->t, 0.5, 1e-15);
        else
            CHECK_EQUAL_INT(hol_simulation_impulse_count(run.simulation), 2);
    }
    simulated_close(&run);
    return status;
}

#define ARM                                                                                                            \
    "plane: xy\n"                                                                                                      \
    "bodies: {m: {bar: [[0, 0], [1, 0]], mass: 1}}\n"                                                                  \
    "joints: {pin: {revolute: [ground, m], at: [0, 0]}}\n"

static void drivers_jump_together_or_contradict_each_other(void)
{
    HolMessage message;
    CHECK_OK(run_text(ARM "drivers: {a: {angle-rate: pin, value: 3*step(t - 0.5), impulse: true},\n"
                          "  b: {angle-between: [ground, m], value: '3*max(0, t - 0.5)', impulse: true}}\n",
                      &message));
    CHECK_EQUAL_INT(run_text(ARM "drivers: {a: {angle-rate: pin, value: 3*step(t - 0.5), impulse: true},\n"
                                 "  b: {angle-between: [ground, m], value: 0*t, impulse: true}}\n",
                             &message),
                    HOL_BAD_INPUT);
    if (!CHECK(strstr(message.text, "'a'") && strstr(message.text, "t = 0.5")))
        printf("    %s\n", message.text);
}

/* ---- Rows and branches that are remembered from before ---- */

/* A body of 2 kg m^2 on a ball joint, upright by three constraints of which one is redundant. After an eighth of a turn
 * two of them coincide: of two chosen at first, one is not enough. Its product of inertia tilts it then. */
static void check_turned(const char *first, const char *second, int sign)
{
    char text[800];
    double t, work;
    const double w = sign * acos(-1) / 4;
    Simulated run;
    snprintf(text, sizeof text,
             "bodies: {m: {rigid: [0, 0, 0], mass: 2, inertia: [2, 2, 2, 0, 0.06, 0.06]}}\n"
             "joints:\n"
             "  O: {spherical: [ground, m], at: [0, 0, 0]}\n"
             "  A: {constant-angle: [ground, m], axes: [%s, z]}\n"
             "  B: {constant-angle: [ground, m], axes: [%s, z]}\n"
             "  C: {constant-angle: [m, ground], axes: [[1, 1, 0], z]}\n"
             "  motor: {angular-velocity: [ground, m], axis: z, value: '%d*pi/4*(1 + step(t - 1))', impulse: true}\n",
             first, second, sign);
    CHECK_CONTEXT("%s, %s, %d", first, second, sign);
    HolSimulationOptions options = run_options("direct-correction", "rk4", 1e-3);
    REQUIRE(simulated_assemble(&run, parse(text, "reference-point")));
    if (go(&run, &options, 1.1) && CHECK_EQUAL_INT(hol_simulation_impulse_count(run.simulation), 1)) {
        HolDriverImpulse impulse = impulse_at(&run, 0, &t, &work);
        CHECK_NEAR(impulse.impulse, 2 * w, 1e-12);
        CHECK_NEAR(work, 3 * w * w, 1e-12);
        CHECK_NEAR(hol_simulation_measures(run.simulation).kinetic, 4 * w * w, 1e-12);
    }
    simulated_close(&run);
}

static void redundant_rows_are_chosen_at_the_impulse(void)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        check_turned("x", "y", sign);
        check_turned("y", "x", sign);
    }
}

/* A parallelogram is turned back just before all its bars are on one line: that is no passage to another branch. */
static void reversals_are_no_change_of_branch(void)
{
    static const double distances[] = {1e-4, 4e-4, 1.5e-3, 5e-3};
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; ++i) {
        char text[800];
        Simulated run;
        snprintf(
            text, sizeof text,
            "plane: xy\n"
            "points: {A: [0, 0], B: [0, 1], C: [3, 1], D: [3, 0]}\n"
            "bodies: {crank: {bar: [A, B], mass: 1}, rod: {bar: [B, C], mass: 1}, rocker: {bar: [C, D], mass: 1}}\n"
            "joints: {a: {revolute: [ground, crank], at: A}, b: {revolute: [crank, rod], at: B},\n"
            "  c: {revolute: [rod, rocker], at: C}, d: {revolute: [ground, rocker], at: D}}\n"
            "drivers: {motor: {angle: a, value: 'abs(t - pi/2 + %g) - pi/2 + %g', impulse: true}}\n",
            distances[i], distances[i]);
        CHECK_CONTEXT("%g rad", distances[i]);
        HolSimulationOptions options = run_options("direct-correction", "rk4", 1e-3);
        REQUIRE(simulated_assemble(&run, parse(text, "reference-point")));
        if (go(&run, &options, 1.7)) {
            HolSummary summary = hol_simulation_summary(run.simulation);
            CHECK_EQUAL_INT(summary.impulses, 1);
            CHECK_EQUAL_INT(summary.singular_events, 0);
            CHECK_EQUAL_INT(summary.branch_changes, 0);
        }
        simulated_close(&run);
    }
}

/* ---- Systems in C ---- */

/* A mass of 3 kg whose velocity is 1 m/s, and 5 m/s from t = 0.25 s on. */
static HolStatus own_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    terms->M[0] = 3;
    terms->D[0] = 1;
    terms->nu[0] = at->t < 0.25 ? 1 : 5;
    terms->gamma[0] = 0;
    terms->kinetic = 1.5 * at->v[0] * at->v[0];
    return HOL_OK;
}

static double own_breakpoint(const void *self, double t, double until)
{
    (void)self;
    return t < 0.25 && until >= 0.25 ? 0.25 : HUGE_VAL;
}

static void systems_in_c_have_impulses(void)
{
    static const HolSystemOps ops = {.evaluate = own_evaluate, .next_breakpoint = own_breakpoint};
    for (int has_impulses = 0; has_impulses < 2; ++has_impulses) {
        HolSystemSpec spec = hol_system_spec();
        HolSimulation *simulation = NULL;
        HolMessage message;
        spec.ops = &ops;
        spec.nq = spec.nv = spec.nn = 1;
        spec.impulsive_groups = (bool[]){has_impulses};
        HolSystem *system = system_of(&spec);
        HolSimulationOptions options = hol_simulation_options();
        HolInitialState start = {0, (double[]){0}, (double[]){1}};
        REQUIRE(CHECK_OK(hol_simulation_create(system, &start, &options, &simulation, &message)));
        allocations_start();
        HolStatus status = hol_simulation_run(simulation, &(HolRun){.until = 0.5});
        CHECK_EQUAL_INT(allocations_stop(), 0);
        CHECK_EQUAL_INT(status, has_impulses ? HOL_OK : HOL_BAD_INPUT);
        REQUIRE(hol_simulation_impulse_count(simulation) == has_impulses);
        CHECK_NEAR(hol_simulation_state(simulation)->v[0], has_impulses ? 5 : 1, 1e-14);
        if (has_impulses) {
            CHECK_NEAR(hol_simulation_impulse(simulation, 0).impulse, 12, 1e-13);
            CHECK_NEAR(hol_simulation_impulse(simulation, 0).work, 36, 1e-13);
            CHECK_NEAR(hol_simulation_measures(simulation).drift, 0, 1e-13);
        }
        hol_simulation_destroy(simulation);
        hol_system_destroy(system);
    }
}

CHECK_MAIN(TEST(bodies_get_the_impulse_of_their_closed_form), TEST(linkages_get_the_impulse_of_a_dense_solution),
           TEST(drivers_jump_together_or_contradict_each_other), TEST(redundant_rows_are_chosen_at_the_impulse),
           TEST(reversals_are_no_change_of_branch), TEST(systems_in_c_have_impulses))
