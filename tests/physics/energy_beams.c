/* SPDX-License-Identifier: BSD-3-Clause */
/* Beams by steps that preserve the energy, or let it only decay: against the same elements in other coordinates, the
 * energy balance, and motions that are faster than the step. */
#include <holon/mechanism.h>

#include "check.h"
#include "recorded.h"

typedef struct Run {
    Recorded of;
    double kinetic, before, growth; /* largest; the drift before; by how much it has grown in a step at most */
} Run;

static void close_run(Run *run)
{
    recorded_close(&run->of);
}

static bool open_run(const char *text, const char *formulation, double step, Run *run)
{
    HolModel *model = hol_model_create();
    run->kinetic = run->before = 0;
    run->growth = -HUGE_VAL;
    CHECK_OK(hol_model_parse(model, text, "energy beams"));
    CHECK_OK(hol_model_set(model, "run.formulation", "%s", formulation));
    CHECK_OK(hol_model_set(model, "run.integrator", "%s", "built-in"));
    CHECK_OK(hol_model_set(model, "run.step", "%.17g", step));
    return recorded_open(&run->of, model, NULL);
}

static HolStatus keep_books(void *user, const HolState *state, const HolMeasures *measures)
{
    Run *run = user;
    run->kinetic = fmax(run->kinetic, measures->kinetic);
    if (state->t > 0)
        run->growth = fmax(run->growth, measures->drift - run->before);
    run->before = measures->drift;
    return HOL_OK;
}

static HolSummary run_until(Run *run, double until)
{
    HolRun all = {.until = until, .record = keep_books, .user = run};
    if (!CHECK_OK(hol_simulation_run(run->of.simulation, &all)))
        printf("    %s\n", hol_simulation_message(run->of.simulation));
    return hol_simulation_summary(run->of.simulation);
}

static double value(Run *run, const char *column)
{
    recorded_read(&run->of);
    return recorded_value(&run->of, column);
}

/* ---- A soft beam that swings ---- */

static const char swinging[] =
    "gravity: [0, -9.81, 0]\n"
    "points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
    "beams: {b: {from: A, to: B, elements: 2, order: 2, axis2: y, section: {EA: 200, GA2: 200, GA3: 200, GJ: 4,\n"
    "            EI2: 4, EI3: 4, mass: 1, J2: 0.05, J3: 0.05}}}\n"
    "joints: {pin: {revolute: [ground, b.start], at: A, axis: z}}\n"
    "run: {until: 0.8, coordinates: natural, record: [b.end]}\n";

/* How far the end is after 0.8 s from where tools/references/swinging_beam.py finds it, and the books. */
static double miss(const char *formulation, double step, Run *run)
{
    if (!open_run(swinging, formulation, step, run))
        return HUGE_VAL;
    HolSummary sum = run_until(run, 0.8);
    CHECK(sum.divisions == 0 && sum.max_position_violation < 1e-13);
    double x = value(run, "b.end.x") + 0.915286722503, y = value(run, "b.end.y") + 0.473193290144;
    CHECK_NEAR(value(run, "b.end.z"), 0, 1e-12);
    close_run(run);
    return hypot(x, y);
}

/* Strains are quadratic, which costs the third order (docs/methods/energy-decaying.md). */
static void a_soft_beam_swings_where_other_coordinates_say(void)
{
    static const struct {
        const char *formulation;
        double at_1_ms;
    } cases[] = {{"{kind: energy-preserving, tolerance: 1e-14}", 3.4e-5},
                 {"{kind: energy-decaying, tolerance: 1e-14}", 6.3e-6},
                 {"{kind: energy-decaying, alpha: 0.5, tolerance: 1e-14}", 5.6e-6},
                 {"{kind: energy-decaying, alpha: 0, tolerance: 1e-14}", 4.9e-6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Run run;
        CHECK_CONTEXT("%s", cases[i].formulation);
        double coarse = miss(cases[i].formulation, 1e-3, &run), fine = miss(cases[i].formulation, 5e-4, &run);
        CHECK(coarse < cases[i].at_1_ms);
        CHECK_NEAR(coarse / fine, 4, 0.65);
        CHECK(run.growth < 1e-13 * run.kinetic);
        if (i == 0 || i == 3)
            CHECK_NEAR(run.before / run.kinetic, 0, 1e-12);
        else
            CHECK(run.before < -1e-8 * run.kinetic);
    }
}

/* ---- The books ---- */

static const char flying[] =
    "points: {A: [6, 0, 0], B: [0, 8, 0]}\n"
    "beams: {b: {from: A, to: B, elements: 4, order: 2, section: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 500, EI2: 500,\n"
    "            EI3: 500, mass: 1, J2: 10, J3: 10}}}\n"
    "start: {b: {velocity: [1, 0, 0.3], angular_velocity: [0.2, 0.1, 1]}}\n"
    "run: {coordinates: natural, record: [b.end]}\n";

/* The directors of this and the following move through up to 1e4 rad in a step. */
static const char hinged[] =
    "gravity: [0, 0, -9.81]\n"
    "points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
    "beams: {b: {from: A, to: B, elements: 4, section: {rectangle: [0.02, 0.01], E: 210 GPa, nu: 0.3, density: 7850}}}\n"
    "joints: {pin: {revolute: [ground, b.start], at: A, axis: y}}\n"
    "run: {coordinates: natural, record: [b.end, \"b@0.5\"]}\n";

static const char cantilever[] =
    "gravity: [0, 0, -9.81]\n"
    "points: {A: [0, 0, 0], B: [2, 0, 0]}\n"
    "beams: {b: {from: A, to: B, elements: 4, section: {rectangle: [0.05, 0.005], E: 70 GPa, nu: 0.3, density: 2700}}}\n"
    "joints: {clamp: {fixed: [ground, b.start], at: A}}\n"
    "run: {coordinates: natural, record: [b.end]}\n";

static const char turning[] =
    "points: {A: [0, 0, 0], B: [2, 0, 0]}\n"
    "beams: {b: {from: A, to: B, elements: 4, section: {rectangle: [0.05, 0.005], E: 70 GPa, nu: 0.3, density: 2700}}}\n"
    "joints: {pin: {revolute: [ground, b.start], at: A, axis: z}}\n"
    "start: {b: {angular_velocity: [0, 0, 5]}}\n"
    "run: {coordinates: natural, record: [b.end]}\n";

static void check_books(const char *name, const char *text, double alpha, double step, double until)
{
    char formulation[80];
    Run run;
    snprintf(formulation, sizeof formulation, "{kind: energy-decaying, alpha: %g}", alpha);
    CHECK_CONTEXT("%s, alpha %g", name, alpha);
    if (!open_run(text, formulation, step, &run))
        return;
    HolSummary sum = run_until(&run, until);
    CHECK(sum.max_position_violation < 1e-13 && sum.max_velocity_violation < 1e-11);
    CHECK(run.growth < 1e-11 * run.kinetic);
    if (alpha == 0)
        CHECK_NEAR(run.before / run.kinetic, 0, 1e-10);
    else
        CHECK(run.before < -1e-7 * run.kinetic);
    close_run(&run);
}

static void energy_only_decays(void)
{
    check_books("flying", flying, 1, 0.01, 2);
    check_books("flying", flying, 0.5, 0.01, 1);
    check_books("flying", flying, 0, 0.01, 1);
    check_books("hinged", hinged, 1, 0.01, 1);
    check_books("cantilever", cantilever, 1, 0.01, 0.5);
    check_books("turning", turning, 1, 0.01, 1);
}

/* ---- What is faster than the step ---- */

/* The largest second difference from step to step of the shear force and of the moment in the middle of the hinged beam
 * within its second swing; what swings with the pendulum has next to none. */
static void find_ringing(const char *formulation, double *shear, double *moment)
{
    double V[3] = {0}, M[3] = {0};
    Run run;
    *shear = *moment = 0;
    if (!open_run(hinged, formulation, 0.01, &run))
        return;
    run_until(&run, 1);
    for (int i = 0; i < 50; ++i) {
        CHECK_OK(hol_simulation_step(run.of.simulation, NULL));
        memmove(V, V + 1, 2 * sizeof *V);
        memmove(M, M + 1, 2 * sizeof *M);
        V[2] = value(&run, "b@0.5.V3");
        M[2] = value(&run, "b@0.5.M2");
        *shear = i < 2 ? 0 : fmax(*shear, fabs(V[0] - 2 * V[1] + V[2]));
        *moment = i < 2 ? 0 : fmax(*moment, fabs(M[0] - 2 * M[1] + M[2]));
    }
    close_run(&run);
}

static void what_is_faster_than_the_step_dies_out(void)
{
    double V[2], M[2];
    find_ringing("energy-preserving", &V[0], &M[0]);
    find_ringing("energy-decaying", &V[1], &M[1]);
    CHECK(V[0] > 100 * V[1] && M[0] > 100 * M[1]);
    CHECK(V[1] < 0.02 && V[1] > 0);
}

/* A mass of 1 kg on a spring of 1e7 N/m, and a steel rod of 2 m, that turn freely in steps of 5 ms. The forces that keep
 * them on their circles are known; at the end of a step alone stresses are -2 times as large. */
static const char on_a_spring[] =
    "points: {O: [0, 0, 0], P: [1, 0, 0]}\n"
    "bodies: {hub: {rigid: O, mass: 1, inertia: [1, 1, 1]}, m: {box: [0.1, 0.1, 0.1], at: P, mass: 1}}\n"
    "joints: {pin: {revolute: [ground, hub], at: O, axis: z}, slide: {prismatic: [hub, m], at: P, axis: x}}\n"
    "forces: {s: {spring: [hub, m], from: O, to: P, stiffness: 1e7, free_length: 1}}\n"
    "start: {hub: {angular_velocity: [0, 0, 6]}, m: {velocity: [0, 6, 0]}}\n"
    "run: {until: 1, coordinates: natural, record: [hub, m, pin]}\n";
static const char rod[] =
    "points: {A: [0, 0, 0], B: [2, 0, 0]}\n"
    "beams: {b: {from: A, to: B, elements: 4, order: 3, axis2: y, section: {circle: 0.02, E: 2.1e11, nu: 0.3,\n"
    "            density: 7850}}}\n"
    "joints: {pin: {revolute: [ground, b.start], at: A, axis: z}}\n"
    "start: {b: {velocity: [0, 0, 0], angular_velocity: [0, 0, 6]}}\n"
    "run: {until: 1, coordinates: natural, record: [b.start, b.end, pin, b@0.5]}\n";

static void means_tell_what_keeps_stiff_parts_on_their_circle(void)
{
    Run run;
    if (open_run(on_a_spring, "energy-decaying", 0.005, &run)) {
        run_until(&run, 0.7);
        double w = value(&run, "hub.wz"), x = value(&run, "m.x"), y = value(&run, "m.y");
        CHECK(w > 5.5 && w < 6);
        CHECK_NEAR(value(&run, "pin.fx") * x + value(&run, "pin.fy") * y, -w * w, 0.01 * w * w);
        close_run(&run);
    }
    if (open_run(rod, "energy-decaying", 0.005, &run)) {
        run_until(&run, 0.5);
        double w = value(&run, "b.start.wz"), mu = 7850 * acos(-1) * 4e-4;
        CHECK(w > 5 && w < 6);
        CHECK_NEAR(value(&run, "b@0.5.N"), mu * w * w * 1.5, 0.02 * mu * w * w * 1.5);
        close_run(&run);
    }
}

/* Rubber, 2 m long: with too few elements for its weight it folds between its nodes, which ends the run with a
 * message; with enough elements it hangs. */
static void a_beam_that_folds_is_refused(void)
{
    static const char rubber[] =
        "gravity: [0, 0, -9.81]\n"
        "points: {A: [0, 0, 0], B: [2, 0, 0]}\n"
        "beams: {b: {from: A, to: B, elements: %d, section: {rectangle: [0.04, 0.02], E: 10 MPa, nu: 0.3,\n"
        "            density: 7850}}}\n"
        "joints: {pin: {revolute: [ground, b.start], at: A, axis: y}}\n"
        "run: {until: 1, coordinates: natural, record: [b.end]}\n";
    char text[512];
    for (int elements = 4; elements <= 16; elements += 12) {
        Run run;
        snprintf(text, sizeof text, rubber, elements);
        if (!open_run(text, "energy-preserving", 2e-3, &run))
            return;
        HolStatus status = hol_simulation_run(run.of.simulation, &(HolRun){.until = 0.6});
        CHECK_EQUAL_INT(status, elements == 4 ? HOL_SINGULAR : HOL_OK);
        CHECK(hypot(value(&run, "b.end.x"), value(&run, "b.end.z")) < 2.1);
        close_run(&run);
    }
}

CHECK_MAIN(TEST(a_beam_that_folds_is_refused), TEST(means_tell_what_keeps_stiff_parts_on_their_circle),
           TEST(a_soft_beam_swings_where_other_coordinates_say), TEST(energy_only_decays),
           TEST(what_is_faster_than_the_step_dies_out))
