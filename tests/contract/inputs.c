/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs: numbers from outside that change between steps. The whole of the next step sees a new value with every pair,
 * simulations that share a system have their own, setting one allocates nothing, and models may name some. */
#include <holon/holon.h>

#include "allocations.h"
#include "check.h"
#include "runs.h"

static const double MASS = 2, TOO_MUCH = 1e3;
enum { PUSH, LIFT, INPUTS };

/* A bead on a wire along x: pushed along it, and lifted against it. */
typedef struct Bead {
    bool rubs; /* the wire moves with an input, which is wrong */
} Bead;

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Bead *bead = self;
    if (fabs(terms->u[PUSH]) > TOO_MUCH)
        return HOL_NOT_FINITE;
    if (want & HOL_WANT_MASS)
        terms->M[0] = terms->M[3] = MASS;
    if (want & HOL_WANT_FORCE) {
        terms->Q[0] = terms->u[PUSH];
        terms->Q[1] = terms->u[LIFT];
        terms->power = terms->u[PUSH] * at->v[0] + terms->u[LIFT] * at->v[1];
    }
    if (want & HOL_WANT_PHI)
        terms->Phi[0] = at->q[1] - (bead->rubs ? terms->u[LIFT] : 0);
    if (want & HOL_WANT_JACOBIAN)
        terms->D[1] = 1;
    if (want & HOL_WANT_ENERGY)
        terms->kinetic = MASS / 2 * (at->v[0] * at->v[0] + at->v[1] * at->v[1]);
    return HOL_OK;
}

static HolSystem *bead_system(const Bead *bead, const double *inputs)
{
    static const HolSystemOps ops = {.evaluate = evaluate};
    static const char *const names[INPUTS] = {"push", "lift"};
    HolSystemSpec spec = hol_system_spec();
    HolSystem *system = NULL;
    spec.name = "bead", spec.ops = &ops, spec.self = bead;
    spec.nq = spec.nv = 2, spec.nh = 1;
    spec.constant_mass = spec.scleronomic = true;
    spec.input_count = INPUTS, spec.input_names = names, spec.inputs = inputs;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    return system;
}

static HolSimulation *bead_simulation(const HolSystem *system, const char *formulation, const char *integrator)
{
    static const double zeros[2] = {0, 0};
    HolSimulationOptions options = run_options(formulation, integrator, 1e-2);
    HolSimulation *simulation = NULL;
    HolInitialState start = {.q = zeros, .v = zeros};
    CHECK_OK(hol_simulation_create(system, &start, &options, &simulation, NULL));
    return simulation;
}

/* ---- Systems ---- */

static void a_system_knows_its_inputs(void)
{
    const double values[INPUTS] = {0.5, -3};
    Bead bead = {false};
    HolSystem *system = bead_system(&bead, values);
    HolTerms *terms = NULL;
    REQUIRE(system != NULL);
    REQUIRE_OK(hol_terms_create(system, &terms));
    CHECK_EQUAL_INT(hol_system_input_count(system), INPUTS);
    CHECK_STRING(hol_system_input_name(system, LIFT), "lift");
    CHECK_STRING(hol_system_input_name(system, INPUTS), "no such input");
    CHECK_EQUAL_INT(hol_system_find_input(system, "lift"), LIFT);
    CHECK_EQUAL_INT(hol_system_find_input(system, "pull"), -1);
    CHECK_EQUAL_INT(hol_system_find_input(system, NULL), -1);
    CHECK(terms->u[PUSH] == 0.5 && terms->u[LIFT] == -3);
    hol_terms_destroy(terms);
    hol_system_destroy(system);
}

static void bad_inputs_of_a_spec_are_refused(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate};
    const double nan[1] = {NAN};
    HolMessage message;
    HolSystem *system;
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 2, spec.input_count = -1;
    CHECK_STATUS(hol_system_create(&spec, &system, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "input_count = -1");
    spec.input_count = 1, spec.inputs = nan;
    CHECK_STATUS(hol_system_create(&spec, &system, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "inputs[0]");
}

static void the_check_sees_what_inputs_may_not_do(void)
{
    HolMessage message;
    HolPoint at = {.t = 0.3, .q = (double[]){0.4, 0.2}, .v = (double[]){1.1, -0.7}};
    Bead good = {false}, bad = {.rubs = true};
    HolSystem *right = bead_system(&good, NULL), *wrong = bead_system(&bad, NULL);
    REQUIRE(right != NULL && wrong != NULL);
    CHECK_OK(hol_system_check(right, &at, &message));
    CHECK_STATUS(hol_system_check(wrong, &at, &message), HOL_BAD_INPUT);
    CHECK_STRING(message.text, "'bead': Phi depends on the inputs, which may change Q and power only");
    hol_system_destroy(right);
    hol_system_destroy(wrong);
}

/* ---- Stepping ---- */

/* Under a force that is constant in each step every integrator finds v = sum F h / m, if all its stages see the force
 * of their own step, the first too. */
static void check_pair(const HolSystem *system, const char *formulation, const char *integrator)
{
    HolSimulation *simulation = bead_simulation(system, formulation, integrator);
    double v = 0;
    REQUIRE(simulation != NULL);
    for (int i = 0; i < 20; i++) {
        double t = hol_simulation_state(simulation)->t, F = i % 3 == 2 ? -1.5 * i : 4 + i;
        allocations_start();
        HolStatus status = hol_simulation_set_input(simulation, PUSH, F);
        status = status == HOL_OK ? hol_simulation_step(simulation, NULL) : status;
        long allocations = allocations_stop();
        CHECK_OK(status);
        CHECK_EQUAL_INT(allocations, 0);
        v += F / MASS * (hol_simulation_state(simulation)->t - t);
        if (!CHECK_NEAR(hol_simulation_state(simulation)->v[0], v, 1e-12 * (1 + fabs(v)))) /* dopri5 takes long steps */
            break;
    }
    CHECK(hol_simulation_input(simulation, PUSH) == 4 + 19);
    hol_simulation_destroy(simulation);
}

static void the_next_step_sees_a_new_input(void)
{
    Bead bead = {false};
    HolSystem *system = bead_system(&bead, NULL);
    REQUIRE(system != NULL);
    for (int k = 0; k < hol_formulation_count() * hol_integrator_count(); k++) {
        const char *formulation = hol_formulation_info(k / hol_integrator_count()).name;
        const char *integrator = hol_integrator_info(k % hol_integrator_count()).name;
        CHECK_CONTEXT("%s with %s", formulation, integrator);
        if (is_supported(formulation, integrator) && is_served(formulation, system))
            check_pair(system, formulation, integrator);
    }
    hol_system_destroy(system);
}

/* The reaction of the step that ends is that of its own input, and the work of inputs is part of the balance. */
static void reactions_and_work_follow_inputs(void)
{
    Bead bead = {false};
    HolSystem *system = bead_system(&bead, NULL);
    REQUIRE(system != NULL);
    HolSimulation *simulation = bead_simulation(system, "direct-correction", "rk4");
    REQUIRE(simulation != NULL);
    for (int i = 0; i < 10; i++) {
        CHECK_OK(hol_simulation_set_input(simulation, LIFT, i));
        CHECK_OK(hol_simulation_set_input(simulation, PUSH, 7 - 2 * i));
        CHECK_OK(hol_simulation_step(simulation, NULL));
        CHECK_NEAR(hol_simulation_state(simulation)->lambda[0], -i, 1e-12);
        CHECK_NEAR(hol_simulation_state(simulation)->vdot[0], (7 - 2 * i) / MASS, 1e-12);
    }
    CHECK(fabs(hol_simulation_measures(simulation).work) > 1e-3);
    CHECK_NEAR(hol_simulation_summary(simulation).max_energy_drift, 0, 1e-13);
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
}

/* The present state shows a new input at once, with every pair, and reading it changes no later result. */
static void check_read(const HolSystem *system, const char *formulation, const char *integrator)
{
    HolSimulation *read = bead_simulation(system, formulation, integrator);
    HolSimulation *unread = bead_simulation(system, formulation, integrator);
    REQUIRE(read != NULL && unread != NULL);
    for (int i = 1; i < 6; i++) {
        CHECK_OK(hol_simulation_set_input(read, LIFT, i));
        CHECK_OK(hol_simulation_set_input(read, PUSH, 7 - 2 * i));
        CHECK_OK(hol_simulation_set_input(unread, LIFT, i));
        CHECK_OK(hol_simulation_set_input(unread, PUSH, 7 - 2 * i));
        const HolState *state = hol_simulation_state(read);
        CHECK_NEAR(state->lambda[0], -i, 1e-6 * i);
        CHECK_NEAR(state->vdot[0], (7 - 2 * i) / MASS, 1e-9);
        CHECK_NEAR(state->vdot[1], 0, 1e-6);
        CHECK_OK(hol_simulation_step(read, NULL));
        CHECK_OK(hol_simulation_step(unread, NULL));
        CHECK(hol_simulation_state(read)->v[0] == hol_simulation_state(unread)->v[0]);
        CHECK(hol_simulation_state(read)->lambda[0] == hol_simulation_state(unread)->lambda[0]);
    }
    CHECK_EQUAL_INT(hol_simulation_summary(read).evaluations, hol_simulation_summary(unread).evaluations);
    hol_simulation_destroy(read);
    hol_simulation_destroy(unread);
}

static void the_present_state_shows_a_new_input(void)
{
    Bead bead = {false};
    HolSystem *system = bead_system(&bead, NULL);
    REQUIRE(system != NULL);
    for (int k = 0; k < hol_formulation_count() * hol_integrator_count(); k++) {
        const char *formulation = hol_formulation_info(k / hol_integrator_count()).name;
        const char *integrator = hol_integrator_info(k % hol_integrator_count()).name;
        CHECK_CONTEXT("%s with %s", formulation, integrator);
        if (is_supported(formulation, integrator) && is_served(formulation, system))
            check_read(system, formulation, integrator);
    }
    hol_system_destroy(system);
}

/* An input that the system cannot evaluate leaves the state as it was; the next step reports it. */
static void a_state_that_an_input_fails_stays(void)
{
    Bead bead = {false};
    HolSystem *system = bead_system(&bead, NULL);
    REQUIRE(system != NULL);
    HolSimulation *simulation = bead_simulation(system, "direct-correction", "rk4");
    REQUIRE(simulation != NULL);
    CHECK_OK(hol_simulation_set_input(simulation, PUSH, 4));
    CHECK_NEAR(hol_simulation_state(simulation)->vdot[0], 4 / MASS, 1e-12);
    CHECK_OK(hol_simulation_set_input(simulation, PUSH, 2 * TOO_MUCH));
    CHECK_NEAR(hol_simulation_state(simulation)->vdot[0], 4 / MASS, 1e-12);
    CHECK_STATUS(hol_simulation_step(simulation, NULL), HOL_NOT_FINITE);
    CHECK_OK(hol_simulation_set_input(simulation, PUSH, 6));
    CHECK_NEAR(hol_simulation_state(simulation)->vdot[0], 6 / MASS, 1e-12);
    CHECK_OK(hol_simulation_step(simulation, NULL));
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
}

/* A value that is there already costs no evaluation. */
static void an_input_that_stays_costs_nothing(void)
{
    HolStepReport plain, same, other, after;
    Bead bead = {false};
    HolSystem *system = bead_system(&bead, NULL);
    REQUIRE(system != NULL);
    HolSimulation *simulation = bead_simulation(system, "direct-correction", "rk4");
    REQUIRE(simulation != NULL);
    CHECK_OK(hol_simulation_step(simulation, &plain));
    CHECK_OK(hol_simulation_set_input(simulation, PUSH, 0));
    CHECK_OK(hol_simulation_step(simulation, &same));
    CHECK_OK(hol_simulation_set_input(simulation, PUSH, 1));
    CHECK_OK(hol_simulation_set_input(simulation, LIFT, 1));
    CHECK_OK(hol_simulation_step(simulation, &other));
    CHECK_OK(hol_simulation_step(simulation, &after));
    CHECK_EQUAL_INT(same.evaluations, plain.evaluations);
    CHECK_EQUAL_INT(other.evaluations, plain.evaluations + 1);
    CHECK_EQUAL_INT(after.evaluations, plain.evaluations);
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
}

/* An input that the system cannot bear fails the step, which changes nothing; another one lets it go on. */
static void a_step_that_an_input_fails_changes_nothing(void)
{
    Bead bead = {false};
    HolSystem *system = bead_system(&bead, NULL);
    REQUIRE(system != NULL);
    HolSimulation *simulation = bead_simulation(system, "direct-correction", "rk4");
    REQUIRE(simulation != NULL);
    CHECK_OK(hol_simulation_set_input(simulation, PUSH, 3));
    CHECK_OK(hol_simulation_step(simulation, NULL));
    double v = hol_simulation_state(simulation)->v[0], vdot = hol_simulation_state(simulation)->vdot[0];
    CHECK_OK(hol_simulation_set_input(simulation, PUSH, 2 * TOO_MUCH));
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(hol_simulation_step(simulation, NULL), HOL_NOT_FINITE);
        CHECK_CONTAINS(hol_simulation_message(simulation), "step 0.01 from t = 0.01");
        CHECK(hol_simulation_state(simulation)->t == 0.01 && hol_simulation_state(simulation)->v[0] == v);
        CHECK(hol_simulation_state(simulation)->vdot[0] == vdot && hol_simulation_summary(simulation).steps == 1);
    }
    CHECK_OK(hol_simulation_set_input(simulation, PUSH, -5));
    CHECK_OK(hol_simulation_step(simulation, NULL));
    CHECK_NEAR(hol_simulation_state(simulation)->v[0], (3 - 5) / MASS * 1e-2, 1e-14);
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
}

static void simulations_have_their_own_inputs(void)
{
    const double values[INPUTS] = {1, 0};
    Bead bead = {false};
    HolSystem *system = bead_system(&bead, values);
    REQUIRE(system != NULL);
    HolSimulation *one = bead_simulation(system, "direct-correction", "rk4");
    HolSimulation *other = bead_simulation(system, "direct-correction", "rk4");
    REQUIRE(one != NULL && other != NULL);
    CHECK_OK(hol_simulation_set_input(one, PUSH, -6));
    CHECK(hol_simulation_input(other, PUSH) == 1);
    CHECK_OK(hol_simulation_step(one, NULL));
    CHECK_OK(hol_simulation_step(other, NULL));
    CHECK_NEAR(hol_simulation_state(one)->v[0], -6 / MASS * 1e-2, 1e-14);
    CHECK_NEAR(hol_simulation_state(other)->v[0], 1 / MASS * 1e-2, 1e-14);
    hol_simulation_destroy(one);
    hol_simulation_destroy(other);
    hol_system_destroy(system);
}

static void a_wrong_input_is_reported(void)
{
    Bead bead = {false};
    HolSystem *system = bead_system(&bead, NULL);
    REQUIRE(system != NULL);
    HolSimulation *simulation = bead_simulation(system, "direct-correction", "rk4");
    REQUIRE(simulation != NULL);
    CHECK_STATUS(hol_simulation_set_input(simulation, INPUTS, 1), HOL_BAD_INPUT);
    CHECK_STRING(hol_simulation_message(simulation), "input 2 does not exist: 'bead' has 2 inputs");
    CHECK_STATUS(hol_simulation_set_input(simulation, -1, 1), HOL_BAD_INPUT);
    CHECK_STATUS(hol_simulation_set_input(simulation, PUSH, INFINITY), HOL_BAD_INPUT);
    CHECK_STRING(hol_simulation_message(simulation), "the input 'push' must be finite, not inf");
    CHECK(hol_simulation_input(simulation, PUSH) == 0 && isnan(hol_simulation_input(simulation, -1)));
    CHECK_STATUS(hol_simulation_set_input(NULL, 0, 1), HOL_BAD_INPUT);
    CHECK_OK(hol_simulation_step(simulation, NULL));
    CHECK(hol_simulation_state(simulation)->v[0] == 0);
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
}

/* ---- Models ---- */

/* A bar with all forces that may depend on inputs: force, torque, spring and torsion. The texts are those of inputs, or
 * of the numbers that stand for them. */
static HolMechanism *bar_mechanism(bool planar, const char *inputs, const char *u, const char *w)
{
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    if (!CHECK(model != NULL))
        return NULL;
    const char *zero = planar ? "" : ", 0";
    if (planar)
        hol_model_set(model, "plane", "xy");
    if (inputs)
        hol_model_set(model, "inputs", "%s", inputs);
    hol_model_set(model, "points.A", "[0, 0%s]", zero);
    hol_model_set(model, "points.B", "[1, 0.2%s]", zero);
    hol_model_set(model, "points.C", "[1, 1%s]", zero);
    hol_model_set(model, "bodies.bar", "{bar: [A, B], mass: 2, inertia: %s}", planar ? "0.2" : "[0.01, 0.2, 0.2]");
    hol_model_set(model, "joints.pin", "{revolute: [ground, bar], at: A%s}", planar ? "" : ", axis: z");
    hol_model_set(model, "forces.pull", "{force: bar, at: B, vector: [\"%s*sin(t)\", \"3 - %s\"%s]}", u, w, zero);
    hol_model_set(model, "forces.twist", "{torque: bar, vector: %s%s^2 - t%s}", planar ? "" : "[0, 0, ", u,
                  planar ? "" : "]");
    hol_model_set(model, "forces.rope", "{spring: [ground, bar], from: C, to: B, force: \"5*l*%s + ldot\"}", w);
    hol_model_set(model, "forces.motor", "{torsion: pin, torque: \"%s*angle + 2*%s + rate\"}", u, w);
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    for (int i = 0; i < hol_model_error_count(model); i++)
        printf("    %s\n", hol_model_error(model, i));
    hol_model_destroy(model);
    return mechanism;
}

static HolSimulation *bar_simulation(HolMechanism *mechanism)
{
    HolSimulation *simulation = NULL;
    if (!CHECK(mechanism != NULL))
        return NULL;
    CHECK_OK(hol_mechanism_assemble(mechanism, NULL));
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    CHECK_OK(hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, NULL));
    return simulation;
}

static void check_same_state(const HolMechanism *mechanism, const HolSimulation *a, const HolSimulation *b)
{
    const HolPattern *p = hol_system_pattern(hol_mechanism_system(mechanism));
    const HolState *x = hol_simulation_state(a), *y = hol_simulation_state(b);
    for (int i = 0; i < p->nv; i++) {
        CHECK_NEAR(x->v[i], y->v[i], 1e-13);
        CHECK_NEAR(x->vdot[i], y->vdot[i], 1e-11);
    }
    for (int i = 0; i < p->nq; i++)
        CHECK_NEAR(x->q[i], y->q[i], 1e-14);
    CHECK(fabs(x->v[0]) > 1e-3);
}

/* A model with inputs moves as one with the numbers in their place: at first, and after they are set. */
static void check_model(bool planar)
{
    HolMechanism *with = bar_mechanism(planar, "{u: 0.7 N, w: 2*0.2}", "u", "w");
    HolMechanism *without = bar_mechanism(planar, NULL, "(0.7)", "(0.4)");
    HolMechanism *after = bar_mechanism(planar, "{u: -1.3, w: 2.1}", "u", "w");
    HolSimulation *set = bar_simulation(with), *usual = bar_simulation(with);
    HolSimulation *plain = bar_simulation(without), *other = bar_simulation(after);
    REQUIRE(set != NULL && usual != NULL && plain != NULL && other != NULL);
    const HolSystem *system = hol_mechanism_system(with);
    CHECK_OK(hol_simulation_set_input(set, hol_system_find_input(system, "w"), 2.1));
    CHECK_OK(hol_simulation_set_input(set, hol_system_find_input(system, "u"), -1.3));
    HolSimulation *all[] = {set, usual, plain, other};
    for (int i = 0; i < 4; i++)
        CHECK_OK(hol_simulation_run(all[i], &(HolRun){.until = 0.2}));
    check_same_state(with, usual, plain);
    check_same_state(with, set, other);
    CHECK(fabs(hol_simulation_state(set)->v[0] - hol_simulation_state(usual)->v[0]) > 1e-3);
    for (int i = 0; i < 4; i++)
        hol_simulation_destroy(all[i]);
    HolInitialState start = hol_mechanism_initial_state(with);
    CHECK_OK(hol_system_check(system, &(HolPoint){.t = 0.3, .q = start.q, .v = start.v}, NULL));
    hol_mechanism_destroy(with);
    hol_mechanism_destroy(without);
    hol_mechanism_destroy(after);
}

static void models_have_inputs(void)
{
    check_model(true);
    check_model(false);
}

CHECK_MAIN(TEST(a_system_knows_its_inputs), TEST(bad_inputs_of_a_spec_are_refused),
           TEST(the_check_sees_what_inputs_may_not_do), TEST(the_next_step_sees_a_new_input),
           TEST(reactions_and_work_follow_inputs), TEST(the_present_state_shows_a_new_input),
           TEST(a_state_that_an_input_fails_stays), TEST(an_input_that_stays_costs_nothing),
           TEST(a_step_that_an_input_fails_changes_nothing), TEST(simulations_have_their_own_inputs),
           TEST(a_wrong_input_is_reported), TEST(models_have_inputs))
