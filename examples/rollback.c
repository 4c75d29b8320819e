/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking ahead: a crane carries a load to x = 1 m. Ten times a second it saves the simulation, tries eleven forces over
 * the next second, restores the simulation after each and takes the best. docs/guide/from-c.md shows the loop. Fails if
 * the load does not arrive. */
#include <holon/holon.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double GOAL = 1, PERIOD = 0.1, AHEAD = 1;

static void describe(HolModel *model)
{
    hol_model_set(model, "plane", "xy");
    hol_model_set(model, "gravity", "[0, -9.81]");
    hol_model_set(model, "inputs", "{push: 0 N}");
    hol_model_set(model, "points.A", "[0, 0]");
    hol_model_set(model, "points.B", "[0, -1]");
    hol_model_set(model, "bodies.trolley", "{rigid: A, mass: 5, inertia: 0.1}");
    hol_model_set(model, "bodies.load", "{bar: [A, B], mass: 2}");
    hol_model_set(model, "joints.rail", "{prismatic: [ground, trolley], at: A, axis: x}");
    hol_model_set(model, "joints.pin", "{revolute: [trolley, load], at: A}");
    hol_model_set(model, "forces.motor", "{force: trolley, vector: [push, 0]}");
    hol_model_set(model, "run", "{step: 2 ms}");
}

/* How far the load is from rest at the goal: the trolley and the load with their velocities. */
static double miss(const HolState *state)
{
    const double *q = state->q, *v = state->v; /* x, y, angle of the trolley, then of the load */
    return fabs(q[0] - GOAL) + fabs(q[3] - GOAL) + 0.4 * (fabs(v[0]) + fabs(v[3]));
}

/* The force that leads nearest to the goal. The simulation is afterwards as before. */
static double look_ahead(HolSimulation *simulation, void *memory, size_t size)
{
    double best = 0, least = HUGE_VAL;
    hol_simulation_save(simulation, memory, size);
    for (double push = -10; push <= 10; push += 2) {
        const double t = hol_simulation_state(simulation)->t;
        hol_simulation_set_input(simulation, 0, push);
        hol_simulation_run(simulation, &(HolRun){.until = t + AHEAD / 2});
        hol_simulation_set_input(simulation, 0, -push / 2);
        hol_simulation_run(simulation, &(HolRun){.until = t + AHEAD});
        const double now = miss(hol_simulation_state(simulation));
        best = now < least ? push : best;
        least = fmin(least, now);
        hol_simulation_restore(simulation, memory, size);
    }
    return best;
}

static int carry(HolSimulation *simulation)
{
    const HolState *state = hol_simulation_state(simulation);
    const size_t size = hol_simulation_save_size(simulation);
    void *memory = malloc(size);
    HolStatus status = memory ? HOL_OK : HOL_NO_MEMORY;
    printf("     t   trolley      load      push\n");
    for (int i = 1; i <= 80 && status == HOL_OK; i++) {
        const double push = look_ahead(simulation, memory, size);
        hol_simulation_set_input(simulation, 0, push);
        status = hol_simulation_run(simulation, &(HolRun){.until = i * PERIOD});
        if (i % 8 == 0)
            printf("%6.2f %9.4f %9.4f %9.3f\n", state->t, state->q[0], state->q[3], push);
    }
    free(memory);
    return status == HOL_OK && miss(state) < 0.2 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolSimulation *simulation = NULL;
    HolMessage message = {""};
    int result = EXIT_FAILURE;
    describe(model);
    HolStatus status = hol_mechanism_create(model, &mechanism);
    if (status == HOL_OK)
        status = hol_mechanism_assemble(mechanism, &message);
    if (status == HOL_OK) {
        HolInitialState start = hol_mechanism_initial_state(mechanism);
        HolSimulationOptions options = hol_mechanism_options(mechanism);
        status = hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message);
    }
    if (status == HOL_OK)
        result = carry(simulation);
    else
        fprintf(stderr, "%s\n", message.text);
    hol_simulation_destroy(simulation);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    return result;
}
