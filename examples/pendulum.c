/* SPDX-License-Identifier: BSD-3-Clause */
/* Your own equations: a point mass on a rigid rod, in x and y. docs/guide/own-equations.md walks through this file.
 *
 *     M vdot = Q + D^T lambda,   Phi = (x^2 + y^2 - l^2) / 2l = 0
 *
 * The gradient of this Phi is the unit vector along the rod, so lambda is the force in the rod, negative in tension. */
#include <holon/holon.h>

#include <math.h>
#include <stdio.h>

typedef struct Pendulum {
    double mass, gravity, length;
} Pendulum;

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Pendulum *p = self;
    double x = at->q[0], y = at->q[1], vx = at->v[0], vy = at->v[1];
    if (want & HOL_WANT_MASS)
        terms->M[0] = terms->M[3] = p->mass; /* 2 x 2, row by row; the rest stays zero */
    if (want & HOL_WANT_FORCE)
        terms->Q[1] = -p->mass * p->gravity;
    if (want & HOL_WANT_PHI)
        terms->Phi[0] = (x * x + y * y - p->length * p->length) / (2 * p->length);
    if (want & HOL_WANT_JACOBIAN)
        terms->D[0] = x / p->length, terms->D[1] = y / p->length;
    if (want & HOL_WANT_GAMMA)
        terms->gamma[0] = -(vx * vx + vy * vy) / p->length;
    if (want & HOL_WANT_ENERGY) {
        terms->kinetic = 0.5 * p->mass * (vx * vx + vy * vy);
        terms->potential = p->mass * p->gravity * y;
    }
    return HOL_OK;
}

static HolStatus print_line(void *user, const HolState *state, const HolMeasures *measures)
{
    (void)user, (void)measures;
    double degrees = atan2(state->q[0], -state->q[1]) * 180 / acos(-1);
    printf("%5.2f s %9.3f deg %9.4f N\n", state->t, degrees, 0 - state->lambda[0]);
    return HOL_OK;
}

static HolStatus simulate(const HolSystem *system, HolMessage *message)
{
    HolInitialState start = {.q = (double[]){1, 0}, .v = (double[]){0, 0}};
    HolSimulationOptions options = hol_simulation_options();
    HolSimulation *simulation;
    HolStatus status = hol_simulation_create(system, &start, &options, &simulation, message);
    if (status != HOL_OK)
        return status;
    status = hol_simulation_run(simulation, &(HolRun){.until = 2, .every = 0.1, .record = print_line});
    HolSummary s = hol_simulation_summary(simulation);
    printf("%s, %s, %s: %ld steps to t = %g s, max |Phi| %.1e m, energy drift %.1e J\n", s.system, s.formulation,
           s.integrator, s.steps, s.reached, s.max_position_violation, s.max_energy_drift);
    snprintf(message->text, sizeof message->text, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

int main(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate};
    Pendulum pendulum = {.mass = 1, .gravity = 9.81, .length = 1};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "my pendulum", spec.ops = &ops, spec.self = &pendulum;
    spec.nq = spec.nv = 2, spec.nh = 1;
    spec.constant_mass = spec.scleronomic = true;
    HolMessage message;
    HolSystem *system;
    HolPoint anywhere = {.t = 0.3, .q = (double[]){0.6, -0.7}, .v = (double[]){0.4, 1.1}};
    HolStatus status = hol_system_create(&spec, &system, &message);
    status = status == HOL_OK ? hol_system_check(system, &anywhere, &message) : status;
    status = status == HOL_OK ? simulate(system, &message) : status;
    if (status != HOL_OK)
        fprintf(stderr, "%s: %s\n", hol_status_name(status), message.text);
    hol_system_destroy(system);
    return status == HOL_OK ? 0 : 1;
}
