/* SPDX-License-Identifier: BSD-3-Clause */
/* Verdicts on runs whose error is known in closed form: a mass on a spring, x = cos(w t), with every method and steps
 * from fine to hopeless. */
#include <holon/holon.h>

#include "check.h"
#include "simulated.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double W = 10, UNTIL = 3;
static const char spring[] =
    "plane: xy\n"
    "bodies: {m: {particle: [1, 0], mass: 1}}\n"
    "joints: {guide: {point-on-line: [ground, m], at: [1, 0], axis: [1, 0]}}\n"
    "forces: {s: {spring: [ground, m], from: [-9, 0], to: [1, 0], stiffness: 100, free_length: 9}}\n"
    "run: {until: 3}\n";

/* Runs the pair; the largest error of x relative to its range is in *error. */
typedef struct Watched {
    double error;
} Watched;

static HolStatus watch(void *user, const HolState *state, const HolMeasures *measures)
{
    Watched *watched = user;
    (void)measures;
    watched->error = fmax(watched->error, fabs(state->q[0] - cos(W * state->t)) / 2);
    return HOL_OK;
}

static bool run_pair(const char *formulation, const char *integrator, double h, Watched *watched, HolSummary *summary,
                     HolFindings *findings)
{
    Simulated run;
    HolMessage message;
    *watched = (Watched){0};
    if (!simulated_assemble(&run, parsed_model(spring)))
        return false;
    HolSimulationOptions options = hol_mechanism_options(run.mechanism);
    HolInitialState start = hol_mechanism_initial_state(run.mechanism);
    options.formulation = formulation;
    options.integrator = integrator;
    options.step = h;
    HolStatus status =
        hol_simulation_create(hol_mechanism_system(run.mechanism), &start, &options, &run.simulation, &message);
    if (status == HOL_OK) {
        HolRun request = {.until = UNTIL, .record = watch, .user = watched};
        status = hol_simulation_run(run.simulation, &request);
        *summary = hol_simulation_summary(run.simulation);
        hol_simulation_findings(run.simulation, findings);
    }
    simulated_close(&run);
    return status == HOL_OK;
}

static void check_pair(const char *formulation, const char *integrator, double h)
{
    Watched watched;
    HolSummary summary;
    HolFindings findings;
    CHECK_CONTEXT("%s with %s, step %g", formulation, integrator, h);
    if (!run_pair(formulation, integrator, h, &watched, &summary, &findings))
        return;
    if (watched.error > 0.1)
        CHECK(findings.verdict != HOL_VERDICT_GOOD);
    if (watched.error < 1e-3)
        CHECK(findings.verdict != HOL_VERDICT_BAD);
    if (watched.error > 1e-7 && watched.error < 0.1) /* within what local errors can say of the whole */
        CHECK(summary.estimated_error > watched.error / 10 && summary.estimated_error < 100 * watched.error);
}

static void errors_are_estimated(void)
{
    static const double steps[] = {1e-3, 5e-3, 2e-2, 5e-2, 0.15};
    for (int i = 0; i < hol_formulation_count() * hol_integrator_count(); ++i) {
        const char *formulation = hol_formulation_info(i / hol_integrator_count()).name;
        const char *integrator = hol_integrator_info(i % hol_integrator_count()).name;
        if (hol_pair_supported(formulation, integrator, NULL) != HOL_OK)
            continue;
        for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k)
            check_pair(formulation, integrator, steps[k]);
    }
}

/* The findings of a summary by hand: limits are relative to what moves. */
static void limits_scale_with_the_motion(void)
{
    HolSummary run = {.steps = 100,
                      .dof = 1,
                      .constraint_equations = 2,
                      .length = 1,
                      .motion = 1e-3,
                      .max_speed = 1e-2,
                      .max_kinetic_energy = 1e-6,
                      .estimated_error = 1e-5};
    HolFindings findings;
    hol_summary_findings(&run, &findings);
    CHECK(findings.verdict == HOL_VERDICT_GOOD && findings.count >= 3);
    run.max_energy_drift = 1e-6; /* as much as moves, though little in J */
    hol_summary_findings(&run, &findings);
    CHECK(findings.verdict == HOL_VERDICT_BAD);
    CHECK_STRING(findings.list[0].what, "energy balance");
    CHECK_NEAR(findings.list[0].value, 1, 1e-12);
    run.potential_high = 1; /* and little beside what a spring exchanges */
    hol_summary_findings(&run, &findings);
    CHECK(findings.verdict == HOL_VERDICT_GOOD);
    run.max_position_violation = run.max_displacement = 5e-4; /* half of the motion */
    hol_summary_findings(&run, &findings);
    CHECK(findings.verdict == HOL_VERDICT_BAD);
    CHECK_STRING(findings.list[0].what, "position violation");
    CHECK(findings.list[0].advice[0] != '\0');
    run.status = HOL_SINGULAR;
    hol_summary_findings(&run, &findings);
    CHECK_STRING(findings.list[0].what, "end");
    run = (HolSummary){.steps = 100, .dof = 1, .length = 1, .energy_initial = 1e9, .max_energy_drift = 1e-6};
    hol_summary_findings(&run, &findings); /* rounding of a mechanism at rest */
    CHECK(findings.verdict == HOL_VERDICT_GOOD);
}

static const HolFinding *finding_of(const HolFindings *findings, const char *what)
{
    for (int i = 0; i < findings->count; ++i)
        if (strcmp(findings->list[i].what, what) == 0)
            return &findings->list[i];
    return NULL;
}

/* A run of which nothing is bad. */
static HolSummary good_summary(void)
{
    return (HolSummary){.steps = 100,
                        .dof = 2,
                        .length = 1,
                        .motion = 1,
                        .constraint_equations = 2,
                        .max_speed = 1,
                        .max_kinetic_energy = 1,
                        .potential_high = 1,
                        .estimated_error = 1e-5,
                        .phase_error = 1e-5};
}

static void sentences_fit_what_they_say(void)
{
    HolFindings findings;
    HolSummary run = good_summary();
    run.status = HOL_NO_CONVERGENCE;
    run.phase_error = 1.1e5;
    run.unconverged = 3;
    run.integrator = "dopri5";
    run.singular_events = 1;
    run.branch_changes = 1;
    hol_summary_findings(&run, &findings);
    const HolFinding *end = finding_of(&findings, "end"), *error = finding_of(&findings, "estimated error"),
                     *convergence = finding_of(&findings, "convergence"), *branch = finding_of(&findings, "branch");
    REQUIRE(end && error && convergence && branch);
    CHECK(end->reason[strlen(end->reason) - 1] == '.');
    CHECK(strstr(error->reason, "the error of the run is larger than the motion."));
    CHECK(strstr(convergence->advice, "tolerance") && !strstr(convergence->advice, "shorter step"));
    CHECK(!strstr(branch->advice, "continue"));
    run.integrator = "rk4";
    hol_summary_findings(&run, &findings);
    CHECK(strstr(finding_of(&findings, "convergence")->advice, "shorter step"));
    hol_findings_verify(&findings, 2);
    CHECK(strstr(finding_of(&findings, "verified error")->reason, "is larger than the motion."));
}

/* Each rule decides the verdict of a run that is good otherwise. */
static void check_verdict(const HolSummary *run, HolVerdict verdict, const char *what)
{
    HolFindings findings;
    hol_summary_findings(run, &findings);
    CHECK_CONTEXT("%s", what);
    CHECK(findings.verdict == verdict);
    CHECK(verdict == HOL_VERDICT_GOOD || (findings.count > 0 && strcmp(findings.list[0].what, what) == 0));
}

static void each_rule_decides(void)
{
    HolSummary run = good_summary();
    check_verdict(&run, HOL_VERDICT_GOOD, "");
    run.unchecked_steps = 1;
    run.checked_steps = 4;
    check_verdict(&run, HOL_VERDICT_GOOD, "");
    run.checked_steps = 3;
    check_verdict(&run, HOL_VERDICT_DOUBTFUL, "unchecked steps");
    run = good_summary();
    run.max_energy_drift = 0.9;
    check_verdict(&run, HOL_VERDICT_BAD, "energy balance");
    run.dof = 0;
    check_verdict(&run, HOL_VERDICT_DOUBTFUL, "energy balance");
    run.dof = 2;
    run.undamped = "newmark";
    check_verdict(&run, HOL_VERDICT_DOUBTFUL, "energy balance");
    run.max_energy_rise = 0.9;
    check_verdict(&run, HOL_VERDICT_BAD, "energy balance");
    run = good_summary();
    run.unconverged = 1;
    check_verdict(&run, HOL_VERDICT_DOUBTFUL, "convergence");
    run = good_summary();
    run.singular_events = 1;
    check_verdict(&run, HOL_VERDICT_GOOD, "");
    run.energy_jumps = 1;
    check_verdict(&run, HOL_VERDICT_BAD, "branch");
    run = good_summary();
    run.max_speed = 1e-12; /* at rest: rounding of the velocities is no violation */
    run.max_displacement_rate = 1e-12;
    check_verdict(&run, HOL_VERDICT_GOOD, "");
    run.max_displacement_rate = 1e-8;
    check_verdict(&run, HOL_VERDICT_BAD, "velocity violation");
}

/* Two hinged arms of the length s, in the same time: their rows are lengths and directions. */
static HolFindings findings_of_arms(double s)
{
    static const char text[] = "gravity: [0, 0, -9.81*s]\n"
                               "points: {O: [0, 0, 0], P: [s, 0, 0]}\n"
                               "bodies:\n"
                               "  a: {rigid: ['s/2', 0, 0], mass: 1, inertia: ['0.02*s^2', '0.1*s^2', '0.1*s^2']}\n"
                               "  b: {rigid: [s, '0.4*s', 0], mass: 1, inertia: ['0.1*s^2', '0.02*s^2', '0.1*s^2']}\n"
                               "joints:\n"
                               "  O: {revolute: [ground, a], at: O, axis: y}\n"
                               "  P: {revolute: [a, b], at: P, axis: x}\n"
                               "run: {until: 1, step: 40 ms, formulation: lagrange, integrator: rk4}\n";
    char whole[1000];
    HolModel *model = hol_model_create();
    HolRecording *recording = NULL;
    HolMessage message = {{0}};
    HolFindings findings = {.count = 0};
    snprintf(whole, sizeof whole, "parameters: {s: %g}\n%s", s, text);
    CHECK_OK(hol_model_parse(model, whole, "arms"));
    if (CHECK_OK(hol_model_run(model, NULL, 0, &recording, &message)))
        hol_summary_findings(&recording->summary, &findings);
    hol_recording_destroy(recording);
    hol_model_destroy(model);
    return findings;
}

static double value_of(const HolFindings *findings, const char *what)
{
    for (int i = 0; i < findings->count; ++i)
        if (strcmp(findings->list[i].what, what) == 0)
            return findings->list[i].value;
    return NAN;
}

/* Rows that are pure numbers do not shrink with the mechanism, and lengths do. */
static void violations_are_judged_alike_in_all_sizes(void)
{
    static const double sizes[] = {1e-2, 3e-3, 1e-3, 1e-4, 1e3};
    static const char *const names[] = {"position violation", "velocity violation"};
    HolFindings expected = findings_of_arms(1);
    for (int i = 0; i < 10; ++i) {
        HolFindings found = findings_of_arms(sizes[i / 2]);
        double ratio = value_of(&found, names[i % 2]) / value_of(&expected, names[i % 2]);
        CHECK_CONTEXT("%g m, %s", sizes[i / 2], names[i % 2]);
        CHECK(found.verdict == expected.verdict);
        CHECK(ratio > 0.5 && ratio < 2); /* the lever arm is a power of two */
    }
}

/* A model, a method with which its error is above a tenth of the motion, and one with which it is below 1e-4. The errors
 * were measured against closed forms (stops) and an independent integration in small steps (pendulum). */
typedef struct Deceptive {
    const char *name, *model, *formulation, *integrator;
    double step, fine_step;
    const char *fine_integrator;
} Deceptive;

static const char upright[] = "plane: xy\ngravity: [0, -9.81]\n"
                              "points: {O: [0, 0], P: [0.000999999833333, 0.9999995]}\n"
                              "bodies: {b: {bar: [O, P], mass: 1}}\n"
                              "joints: {pin: {revolute: [ground, b], at: O}}\n"
                              "run: {until: 20}\n";
static const char two_stops[] =
    "plane: xy\npoints: {O: [0, 0], W: [-1, 0]}\n"
    "bodies: {c: {rigid: O, mass: 1, inertia: 0.1}}\n"
    "joints: {slide: {prismatic: [ground, c], at: O, axis: x}}\n"
    "forces: {s: {bump-stop: [ground, c], from: W, to: O, along: x, below: 0.9, above: 1.1, stiffness: 1e6}}\n"
    "start: {c: {velocity: [3, 0]}}\nrun: {until: 2}\n";
static const char comet[] = "plane: xy\npoints: {O: [0, 0], P: [1, 0]}\n"
                            "bodies: {c: {rigid: P, mass: 1, inertia: 0.1}}\n"
                            "forces: {s: {spring: [ground, c], from: O, to: P, force: 1/l^2}}\n"
                            "start: {c: {velocity: [0, 0.4]}}\nrun: {until: 10}\n";

static HolVerdict verdict_of(const char *text, const char *formulation, const char *integrator, double h)
{
    Simulated run;
    HolMessage message;
    HolVerdict verdict = HOL_VERDICT_BAD;
    if (!simulated_assemble(&run, parsed_model(text)))
        return verdict;
    HolSimulationOptions options = hol_mechanism_options(run.mechanism);
    HolInitialState start = hol_mechanism_initial_state(run.mechanism);
    hol_mechanism_choose_formulation(run.mechanism, formulation, &options);
    options.integrator = integrator;
    options.step = h;
    HolRun request = {.until = hol_mechanism_until(run.mechanism)};
    if (hol_simulation_create(hol_mechanism_system(run.mechanism), &start, &options, &run.simulation, &message) ==
            HOL_OK &&
        hol_simulation_run(run.simulation, &request) == HOL_OK)
        verdict = hol_simulation_verdict(run.simulation);
    simulated_close(&run);
    return verdict;
}

/* Energy and violations are in order in all of these, and most steps are accurate. */
static void brief_contacts_and_unstable_motion_are_seen(void)
{
    static const Deceptive all[] = {
        {"upright", upright, "direct-correction", "rk4", 0.0307, 1e-3, "rk4"},
        {"upright", upright, "null-space", "rk4", 0.00526, 1e-3, "rk4"},
        {"upright", upright, "energy-decaying", "built-in", 0.005, 1e-3, "built-in"},
        {"two stops", two_stops, "energy-preserving", "built-in", 0.0014, 0, NULL},
        {"two stops", two_stops, "direct-correction", "trapezoidal", 0.0014, 1e-3, "dopri5"},
        {"comet", comet, "lagrange", "rk4", 0.0145, 1e-3, "rk4"},
        {"comet", comet, "explicit-dae", "rk4", 0.0107, 1e-3, "rk4"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        const Deceptive *d = &all[i];
        CHECK_CONTEXT("%s, %s with %s", d->name, d->formulation, d->integrator);
        CHECK(verdict_of(d->model, d->formulation, d->integrator, d->step) != HOL_VERDICT_GOOD);
        if (d->fine_integrator && d->fine_integrator[0] != 'b')
            CHECK_EQUAL_INT(verdict_of(d->model, d->formulation, d->fine_integrator, d->fine_step), HOL_VERDICT_GOOD);
    }
}

/* A planar triple pendulum whose first pin is given twice is wrong by 17 % of its motion after 5 s, as seen by runs with
 * other steps and methods. A double pendulum that swings has the same redundant equations and a regular motion. */
static const char doubled[] = "plane: xy\ngravity: [0, -9.81]\n"
                              "points: {P0: [0, 0], P1: [0.3, 0.4], P2: [0.8, 0.4], P3: [1.1, 0.8]}\n"
                              "bodies: {l1: {bar: [P0, P1], mass: 1}, l2: {bar: [P1, P2], mass: 1}, "
                              "l3: {bar: [P2, P3], mass: 1}}\n"
                              "joints:\n"
                              "  a: {revolute: [ground, l1], at: P0}\n  a2: {revolute: [ground, l1], at: P0}\n"
                              "  b: {revolute: [l1, l2], at: P1}\n  c: {revolute: [l2, l3], at: P2}\n"
                              "run: {until: 5}\n";
static const char doubled_swing[] = "plane: xy\ngravity: [0, -9.81]\n"
                                    "points: {P0: [0, 0], P1: [0.3, -0.4], P2: [0.5, -0.9]}\n"
                                    "bodies: {l1: {bar: [P0, P1], mass: 1}, l2: {bar: [P1, P2], mass: 1}}\n"
                                    "joints:\n"
                                    "  a: {revolute: [ground, l1], at: P0}\n  a2: {revolute: [ground, l1], at: P0}\n"
                                    "  b: {revolute: [l1, l2], at: P1}\n"
                                    "run: {until: 5}\n";

static void sensitivity_is_measured_with_redundant_equations(void)
{
    static const char *const formulations[] = {"direct-correction", "lagrange",    "generalized-inverse",
                                               "null-space",        "elimination", "augmented-hamiltonian"};
    for (size_t i = 0; i < sizeof formulations / sizeof *formulations; ++i) {
        CHECK_CONTEXT("%s", formulations[i]);
        CHECK_EQUAL_INT(verdict_of(doubled, formulations[i], "rk4", 1e-3), HOL_VERDICT_DOUBTFUL);
        CHECK_EQUAL_INT(verdict_of(doubled_swing, formulations[i], "rk4", 5e-4), HOL_VERDICT_GOOD);
    }
}

/* A carriage at 1 m/s through a narrow window, and against a narrow barrier and slow creep, in which nothing else shows
 * that it is wrong; a wheel whose adaptive steps span many turns. */
#define CARRIAGE(x, force, more)                                                                                       \
    "plane: xy\npoints: {O: [0, 0], C: [" x ", 0]}\nbodies: {b: {rigid: C, mass: 1, inertia: 0.1}}\n"                  \
    "joints: {slide: {prismatic: [ground, b], at: C, axis: x}}\n"                                                      \
    "forces: {f: {spring: [ground, b], from: O, to: C, along: x, force: '" force "'}}\n" more
static const char WINDOW[] =
    CARRIAGE("0.1", "if(l > 0.3 and l < 0.30001, 6e4, 0)", "start: {b: {velocity: [1, 0]}}\nrun: {until: 0.6}\n");
static const char WEAK_WINDOW[] =
    CARRIAGE("0.1", "if(l > 0.3 and l < 0.30001, 3e4, 0)", "start: {b: {velocity: [1, 0]}}\nrun: {until: 0.6}\n");
static const char BARRIER[] =
    CARRIAGE("0.1", "-4*(l-0.5)/2e-5^2*exp(-((l-0.5)/2e-5)^2)", "start: {b: {velocity: [1, 0]}}\nrun: {until: 0.8}\n");
static const char TRAVELLING[] = CARRIAGE("1", "-1e5*exp(-((l - 300*(t-0.09992))/0.003)^2)", "run: {until: 0.5}\n");
static const char CREEP[] = CARRIAGE("1e6", "0", "start: {b: {velocity: [4e-8, 0]}}\nrun: {until: 100}\n");
static const char FASTER_CREEP[] = CARRIAGE("1e3", "0", "start: {b: {velocity: [1e-6, 0]}}\nrun: {until: 20}\n");
static const char SMOOTH[] =
    CARRIAGE("1", "100*(l - 1.2) + 1e4*(l - 1.2)^3 + 2*ldot + 3*sin(5*t)*tanh(20*ldot)", "run: {until: 5}\n");
static const char TEETH[] = "plane: xy\npoints: {O: [0, 0]}\nbodies: {r: {rigid: O, mass: 1, inertia: 0.01}}\n"
                            "joints: {pin: {revolute: [ground, r], at: O}}\n"
                            "forces: {cog: {torsion: pin, torque: '2*exp(20*(cos(80*pi*(angle+0.0125)) - 1))'}}\n"
                            "start: {r: {angular_velocity: 100}}\nrun: {until: 0.2}\n";

static void narrow_functions_of_the_state_are_seen(void)
{
    static const Deceptive all[] = {
        {"window", WINDOW, "direct-correction", "symplectic-euler", 5e-4, 0, NULL},
        {"window", WINDOW, "direct-correction", "euler", 1e-4, 0, NULL},
        {"weak window", WEAK_WINDOW, "direct-correction", "symplectic-euler", 1e-3, 1e-3, "rk4"},
        {"barrier", BARRIER, "direct-correction", "rk4", 1e-3, 0, NULL},
        {"barrier", BARRIER, "direct-correction", "dopri5", 1e-3, 0, NULL},
        {"barrier", BARRIER, "direct-correction", "trapezoidal", 1e-3, 0, NULL},
        {"travelling pulse", TRAVELLING, "direct-correction", "rk4", 1e-3, 0, NULL},
        {"teeth", TEETH, "direct-correction", "rk4", 1e-3, 1e-5, "rk4"},
        {"creep", CREEP, "direct-correction", "rk4", 1e-3, 0, NULL},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        const Deceptive *d = &all[i];
        CHECK_CONTEXT("%s, %s with %s", d->name, d->formulation, d->integrator);
        CHECK(verdict_of(d->model, d->formulation, d->integrator, d->step) != HOL_VERDICT_GOOD);
        if (d->fine_integrator)
            CHECK_EQUAL_INT(verdict_of(d->model, d->formulation, d->fine_integrator, d->fine_step), HOL_VERDICT_GOOD);
    }
    CHECK_EQUAL_INT(verdict_of(SMOOTH, "direct-correction", "rk4", 1e-3), HOL_VERDICT_GOOD);
    CHECK_EQUAL_INT(verdict_of(SMOOTH, "direct-correction", "dopri5", 1e-3), HOL_VERDICT_GOOD);
    CHECK_EQUAL_INT(verdict_of(FASTER_CREEP, "direct-correction", "rk4", 1e-3), HOL_VERDICT_GOOD);
}

/* Each kick is a step of the standard map with K = 5, whose errors grow by about 2.5 per kick: after 40 of them a run is
 * wrong altogether. With K = 0.1 the map is regular. */
static const char kicked[] = "parameters: {K: %g}\nplane: xy\npoints: {O: [0, 0]}\n"
                             "bodies: {r: {rigid: O, mass: 1, inertia: 1}}\n"
                             "joints: {pin: {revolute: [ground, r], at: O}}\n"
                             "forces: {k: {torsion: pin, torque: 'if(mod(t, 0.1) < 1e-5, -1e6*K*sin(angle), 0)'}}\n"
                             "start: {r: {angular_velocity: 13, angle: 1}}\nrun: {until: 4}\n";

static void kicks_are_part_of_the_sensitivity(void)
{
    static const struct {
        const char *formulation, *integrator;
    } all[] = {{"direct-correction", "rk4"}, {"direct-correction", "dopri5"}, {"lagrange", "rk4"}};
    char chaotic[1000], regular[1000];
    snprintf(chaotic, sizeof chaotic, kicked, 5.);
    snprintf(regular, sizeof regular, kicked, 0.1);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        CHECK_CONTEXT("%s with %s", all[i].formulation, all[i].integrator);
        CHECK(verdict_of(chaotic, all[i].formulation, all[i].integrator, 1e-3) != HOL_VERDICT_GOOD);
        CHECK_EQUAL_INT(verdict_of(regular, all[i].formulation, all[i].integrator, 1e-3), HOL_VERDICT_GOOD);
    }
}

/* A puck among three round bumpers, wrong by 30 % after 12 s, and a double pendulum with stops, wrong by 2 %; a ball
 * that bounces straight up and down as long, and as often. */
static const char pinball[] =
    "plane: xy\n"
    "points: {O: [0, 0], P1: [1, 0], P2: [-0.5, 0.8660254037844386], P3: [-0.5, -0.8660254037844386], C: [0, 0.05]}\n"
    "bodies: {puck: {rigid: C, mass: 1, inertia: 0.1}}\n"
    "forces:\n"
    "  b1: {bump-stop: [ground, puck], from: P1, to: C, below: 0.8, stiffness: 1e6}\n"
    "  b2: {bump-stop: [ground, puck], from: P2, to: C, below: 0.8, stiffness: 1e6}\n"
    "  b3: {bump-stop: [ground, puck], from: P3, to: C, below: 0.8, stiffness: 1e6}\n"
    "  ring: {bump-stop: [ground, puck], from: O, to: C, above: 1.2, stiffness: 1e6}\n"
    "start: {puck: {velocity: [0.9, 0.43]}}\nrun: {until: 12}\n";
static const char elbow_stops[] =
    "plane: xy\ngravity: [0, -9.81]\npoints: {O: [0, 0], A: [1, 0], B: [2, 0.1]}\n"
    "bodies: {a: {bar: [O, A], mass: 1}, b: {bar: [A, B], mass: 1}}\n"
    "joints: {p: {revolute: [ground, a], at: O}, q: {revolute: [a, b], at: A}}\n"
    "forces: {e: {torsion: q, torque: 'if(angle > 1, 1e4*(angle-1), if(angle < -1, 1e4*(angle+1), 0))'}}\n"
    "run: {until: 15}\n";
static const char ball[] = "plane: xy\ngravity: [0, -9.81]\npoints: {W: [0, 0], C: [0, 1]}\n"
                           "bodies: {b: {rigid: C, mass: 1, inertia: 0.1}}\n"
                           "forces: {s: {bump-stop: [ground, b], from: W, to: C, along: y, below: 0.5, "
                           "stiffness: 1e4}}\nrun: {until: 12}\n";

static void sensitivity_passes_events(void)
{
    CHECK_EQUAL_INT(verdict_of(pinball, "direct-correction", "dopri5", 1e-3), HOL_VERDICT_DOUBTFUL);
    CHECK_EQUAL_INT(verdict_of(elbow_stops, "direct-correction", "rk4", 1e-3), HOL_VERDICT_DOUBTFUL);
    CHECK_EQUAL_INT(verdict_of(ball, "direct-correction", "dopri5", 1e-3), HOL_VERDICT_GOOD);
    CHECK_EQUAL_INT(verdict_of(ball, "direct-correction", "rk4", 1e-3), HOL_VERDICT_GOOD);
}

static void unknown_sensitivity_counts_where_errors_are_not_tiny(void)
{
    HolSummary run = {.steps = 100, .dof = 2, .length = 1, .motion = 1, .max_speed = 1, .max_kinetic_energy = 1};
    HolFindings findings;
    run.sensitivity = 1;
    run.unknown_sensitivity = 0.5;
    run.estimated_error = run.phase_error = 1e-7;
    hol_summary_findings(&run, &findings);
    CHECK_EQUAL_INT(findings.verdict, HOL_VERDICT_GOOD);
    run.estimated_error = run.phase_error = 1e-3;
    hol_summary_findings(&run, &findings);
    CHECK_EQUAL_INT(findings.verdict, HOL_VERDICT_DOUBTFUL);
    CHECK_STRING(findings.list[0].what, "sensitivity");
    run.unknown_sensitivity = 0.05;
    hol_summary_findings(&run, &findings);
    CHECK_EQUAL_INT(findings.verdict, HOL_VERDICT_GOOD);
}

CHECK_MAIN(TEST(narrow_functions_of_the_state_are_seen), TEST(sentences_fit_what_they_say), TEST(each_rule_decides),
           TEST(errors_are_estimated), TEST(limits_scale_with_the_motion),
           TEST(violations_are_judged_alike_in_all_sizes), TEST(brief_contacts_and_unstable_motion_are_seen),
           TEST(sensitivity_is_measured_with_redundant_equations), TEST(kicks_are_part_of_the_sensitivity),
           TEST(sensitivity_passes_events), TEST(unknown_sensitivity_counts_where_errors_are_not_tiny))
