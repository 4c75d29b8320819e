/* SPDX-License-Identifier: BSD-3-Clause */
/* A child's swing built by calls instead of a file: a bar on a pin, a seat on a spring below it, pushed for a while.
 * Prints where the seat is and how hard the pin is pulled. */
#include <holon/holon.h>

#include <stdio.h>
#include <stdlib.h>

/* Every value is written as in a model file; printf does the rest. */
static void describe(HolModel *model, double length, double child)
{
    hol_model_set(model, "title", "Swing");
    hol_model_set(model, "plane", "xy");
    hol_model_set(model, "gravity", "[0, -9.81]");
    hol_model_set(model, "points.O", "[0, 0]");
    hol_model_set(model, "points.S", "[0, %.17g]", -length);
    hol_model_set(model, "bodies.rope", "{bar: [O, S], mass: 2}");
    hol_model_set(model, "bodies.seat", "{box: [0.4, 0.1], mass: %.17g, at: [0, %.17g]}", child, -length - 0.3);
    hol_model_set(model, "joints.pin", "{revolute: [ground, rope], at: O}");
    hol_model_set(model, "joints.guide", "{prismatic: [rope, seat], at: S, axis: y}");
    hol_model_set(model, "forces.cushion",
                  "{spring: [rope, seat], from: O, to: [0, %.17g], stiffness: 20 kN/m,"
                  " damping: 400}",
                  -length - 0.3);
    hol_model_set(model, "forces.push", "{force: seat, at: S, vector: [\"if(t < 0.5, 150, 0)\", 0]}");
    hol_model_set(model, "run", "{until: 4 s, step: 1 ms}");
}

typedef struct Watch {
    HolRecorder *recorder;
    double *values;
} Watch;

static HolStatus show(void *user, const HolState *state, const HolMeasures *measures)
{
    Watch *watch = user;
    HolStatus status = hol_recorder_read(watch->recorder, state, measures, watch->values);
    const HolRecorder *r = watch->recorder;
    if (status == HOL_OK)
        printf("%6.2f  %8.4f  %8.4f  %9.2f  %9.2f\n", watch->values[0], watch->values[hol_recorder_find(r, "seat.x")],
               watch->values[hol_recorder_find(r, "seat.y")], watch->values[hol_recorder_find(r, "pin.fx")],
               watch->values[hol_recorder_find(r, "pin.fy")]);
    return status;
}

static HolStatus simulate(HolMechanism *mechanism, HolMessage *message)
{
    Watch watch = {0};
    HolSimulation *simulation = NULL;
    HolStatus status = hol_mechanism_assemble(mechanism, message);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    if (status == HOL_OK)
        status = hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, message);
    if (status == HOL_OK)
        status = hol_recorder_create(mechanism, NULL, 0, &watch.recorder, message);
    if (status == HOL_OK) {
        HolRun run = {.until = hol_mechanism_until(mechanism), .every = 0.25, .record = show, .user = &watch};
        watch.values = calloc((size_t)hol_recorder_column_count(watch.recorder), sizeof *watch.values);
        puts("     t    seat.x    seat.y     pin.fx     pin.fy");
        status = watch.values ? hol_simulation_run(simulation, &run) : HOL_NO_MEMORY;
        snprintf(message->text, sizeof message->text, "%s", hol_simulation_message(simulation));
    }
    free(watch.values);
    hol_recorder_destroy(watch.recorder);
    hol_simulation_destroy(simulation);
    return status;
}

int main(void)
{
    HolMessage message = {{0}};
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    if (!model)
        return 1;
    describe(model, 2.5, 30);
    HolStatus status = hol_mechanism_create(model, &mechanism);
    for (int i = 0; i < hol_model_error_count(model); ++i)
        fprintf(stderr, "%s\n", hol_model_error(model, i));
    hol_model_destroy(model);
    if (status == HOL_OK)
        status = simulate(mechanism, &message);
    if (status != HOL_OK)
        fprintf(stderr, "%s: %s\n", hol_status_name(status), message.text);
    hol_mechanism_destroy(mechanism);
    return status == HOL_OK ? 0 : 1;
}
