/* SPDX-License-Identifier: BSD-3-Clause */
/* A controller in the loop, in real time: a cart on a rail balances a pole. A thousand times a second the loop reads the
 * state by name, sets the force of the motor, takes one step and waits for the clock. A gust hits the pole on the way.
 * docs/guide/from-c.md walks through this file. Fails if the pole does not stand at the end. */
#include <holon/holon.h>

#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

enum { STEPS = 3000, SHOWN_EVERY = 250 };
static const double H = 1e-3;

/* What the controller knows, in the order of the columns; t comes first. */
enum { T, X, Y, PHI, VX, VY, W, POLE }; /* of the cart, then the same of the pole */
enum { COLUMNS = POLE + 6 };

typedef struct Sample {
    double t, x, lean, push;
} Sample;

/* Everything the loop touches is made before it begins. */
typedef struct Loop {
    HolSimulation *simulation;
    HolRecorder *recorder;
    int push, gust; /* inputs */
    Sample samples[STEPS];
    int count, late;
    double worst; /* lateness in s */
} Loop;

static void describe(HolModel *model)
{
    hol_model_set(model, "title", "Pole on a cart");
    hol_model_set(model, "plane", "xy");
    hol_model_set(model, "gravity", "[0, -9.81]");
    hol_model_set(model, "inputs", "{push: 0 N, gust: 0 N}");
    hol_model_set(model, "points.A", "[0, 0]");
    hol_model_set(model, "points.B", "[sin(0.1), cos(0.1)]"); /* leans by 0.1 rad */
    hol_model_set(model, "bodies.cart", "{rigid: A, mass: 1, inertia: 0.1}");
    hol_model_set(model, "bodies.pole", "{bar: [A, B], mass: 0.2}");
    hol_model_set(model, "joints.rail", "{prismatic: [ground, cart], at: A, axis: x}");
    hol_model_set(model, "joints.pin", "{revolute: [cart, pole], at: A}");
    hol_model_set(model, "forces.motor", "{force: cart, vector: [push, 0]}");
    hol_model_set(model, "forces.wind", "{force: pole, at: B, vector: [gust, 0]}");
    hol_model_set(model, "run", "{step: %.17g, formulation: explicit-dae}", H);
}

/* How far the pole leans in the direction of x. */
static double lean(const double *columns)
{
    return acos(-1) / 2 - columns[POLE + PHI - X];
}

/* All four poles of the linearised loop at -5 1/s. */
static double control(const double *columns)
{
    return 44.6 * columns[X] + 35.7 * columns[VX] + 146.5 * lean(columns) - 37.8 * columns[POLE + W - X];
}

/* One period: read, decide, act, step. Nothing here allocates, prints or waits. */
static HolStatus tick(Loop *loop)
{
    double columns[COLUMNS];
    const HolState *state = hol_simulation_state(loop->simulation);
    HolMeasures measures = hol_simulation_measures(loop->simulation);
    HolStatus status = hol_recorder_read(loop->recorder, state, &measures, columns);
    if (status != HOL_OK)
        return status;
    double push = control(columns), gust = state->t >= 1 && state->t < 1.1 ? 0.5 : 0;
    loop->samples[loop->count++] = (Sample){columns[T], columns[X], lean(columns), push};
    hol_simulation_set_input(loop->simulation, loop->gust, gust);
    status = hol_simulation_set_input(loop->simulation, loop->push, push); /* refuses what is not finite */
    return status == HOL_OK ? hol_simulation_step(loop->simulation, NULL) : status;
}

static double seconds(struct timespec time)
{
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Sleeps until the next period. Deadlines follow from the first, so that waking up late does not add up. */
static void wait_for_period(Loop *loop, struct timespec *deadline)
{
    struct timespec now;
    deadline->tv_nsec += (long)(1e9 * H);
    if (deadline->tv_nsec >= 1000000000)
        ++deadline->tv_sec, deadline->tv_nsec -= 1000000000;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double lateness = seconds(now) - seconds(*deadline);
    loop->late += lateness > 0;
    loop->worst = fmax(loop->worst, lateness);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, deadline, NULL);
}

/* A step that fails has changed nothing: the last good state is still there, and the loop decides what to do with it.
 * This one switches the motor off and stops. */
static HolStatus control_loop(Loop *loop)
{
    struct timespec deadline;
    HolStatus status = HOL_OK;
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        fprintf(stderr, "memory is not locked: a page fault may make a step late\n");
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    while (loop->count < STEPS && status == HOL_OK) {
        status = tick(loop);
        wait_for_period(loop, &deadline);
    }
    if (status != HOL_OK)
        hol_simulation_set_input(loop->simulation, loop->push, 0);
    return status;
}

/* After the loop: printing takes its time. True if the pole stands. */
static bool report(const Loop *loop)
{
    puts("     t    cart.x      lean      push");
    for (int i = 0; i < loop->count; i += SHOWN_EVERY)
        printf("%6.2f %9.4f %9.4f %9.3f\n", loop->samples[i].t, loop->samples[i].x, loop->samples[i].lean,
               loop->samples[i].push);
    const Sample *last = &loop->samples[loop->count - 1];
    printf("%6.2f %9.4f %9.4f %9.3f\n", last->t, last->x, last->lean, last->push);
    fprintf(stderr, "%d of %d periods late, by up to %.0f us\n", loop->late, loop->count, 1e6 * fmax(loop->worst, 0));
    return loop->count == STEPS && fabs(last->x) < 0.01 && fabs(last->lean) < 0.01;
}

static HolStatus simulate(HolMechanism *mechanism, Loop *loop, HolMessage *message)
{
    const HolSystem *system = hol_mechanism_system(mechanism);
    HolStatus status = hol_mechanism_assemble(mechanism, message);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    loop->push = hol_system_find_input(system, "push");
    loop->gust = hol_system_find_input(system, "gust");
    if (status == HOL_OK)
        status = hol_simulation_create(system, &start, &options, &loop->simulation, message);
    if (status == HOL_OK)
        status = hol_recorder_create(mechanism, (const char *[]){"cart", "pole"}, 2, &loop->recorder, message);
    if (status != HOL_OK)
        return status;
    status = control_loop(loop);
    snprintf(message->text, sizeof message->text, "%s", hol_simulation_message(loop->simulation));
    return status;
}

int main(void)
{
    static Loop loop;
    HolMessage message = {{0}};
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    if (!model)
        return 1;
    describe(model);
    HolStatus status = hol_mechanism_create(model, &mechanism);
    for (int i = 0; i < hol_model_error_count(model); ++i)
        fprintf(stderr, "%s\n", hol_model_error(model, i));
    hol_model_destroy(model);
    if (status == HOL_OK)
        status = simulate(mechanism, &loop, &message);
    if (status != HOL_OK)
        fprintf(stderr, "%s: %s\n", hol_status_name(status), message.text);
    bool stands = loop.count > 0 && report(&loop);
    hol_recorder_destroy(loop.recorder);
    hol_simulation_destroy(loop.simulation);
    hol_mechanism_destroy(mechanism);
    return status == HOL_OK && stands ? 0 : 1;
}
