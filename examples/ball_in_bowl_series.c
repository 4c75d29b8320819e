/* SPDX-License-Identifier: BSD-3-Clause */
/* The ball of ball_in_bowl.c by a method of your choice, as CSV on standard output:
 *
 *     ball_in_bowl_series [NAME=VALUE ...]
 *
 *     until, step, every                numbers, in seconds; 10, 0.01, and 0: every step
 *     formulation, integrator           direct-correction, rk4
 *     formulation.NAME, integrator.NAME their options, as formulation.correction=stages
 *
 * Columns: the time, the angles of the centre, violations of the rows, and errors of the energy and of the first integral
 * since the start. */
#include <holon/holon.h>

#include "ball_in_bowl_system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETTINGS = 16 };

typedef struct Task {
    HolSimulationOptions options;
    HolSetting settings[MAX_SETTINGS];
    double until, every;
} Task;

typedef struct Writer {
    const Ball *ball;
    double integral; /* at the start */
} Writer;

static HolStatus write_row(void *user, const HolState *state, const HolMeasures *measures)
{
    const Writer *writer = user;
    double integral = ball_first_integral(writer->ball, state->q, state->v) - writer->integral;
    int length = printf("%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", state->t, state->q[1], state->q[2],
                        measures->position, measures->velocity, measures->drift, integral);
    return length < 0 ? HOL_STOPPED : HOL_OK;
}

static bool read_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end;
}

/* One NAME=VALUE, which is taken apart in place; false if it is none of those above. */
static bool read_argument(char *argument, Task *task)
{
    char *value = strchr(argument, '=');
    if (!value)
        return false;
    *value++ = '\0';
    HolSimulationOptions *options = &task->options;
    if (!strcmp(argument, "until"))
        return read_number(value, &task->until);
    if (!strcmp(argument, "every"))
        return read_number(value, &task->every);
    if (!strcmp(argument, "step"))
        return read_number(value, &options->step);
    if (!strcmp(argument, "formulation"))
        return options->formulation = value, true;
    if (!strcmp(argument, "integrator"))
        return options->integrator = value, true;
    if (options->setting_count == MAX_SETTINGS)
        return false;
    task->settings[options->setting_count++] = (HolSetting){argument, value}; /* the library knows which there are */
    return true;
}

static HolStatus roll(const HolSystem *system, const Ball *ball, const Task *task, HolMessage *message)
{
    double q[BALL_NV], v[BALL_NV];
    ball_start(ball, acos(-1) / 4, 0.5, 1, 1, q, v);
    Writer writer = {ball, ball_first_integral(ball, q, v)};
    HolSimulation *simulation;
    HolStatus status =
        hol_simulation_create(system, &(HolInitialState){.q = q, .v = v}, &task->options, &simulation, message);
    if (status != HOL_OK)
        return status;
    printf("t,alpha,beta,position,velocity,energy,integral\n");
    status = hol_simulation_run(
        simulation, &(HolRun){.until = task->until, .every = task->every, .record = write_row, .user = &writer});
    snprintf(message->text, sizeof message->text, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

int main(int count, char **arguments)
{
    Task task = {.options = hol_simulation_options(), .until = 10};
    task.options.step = 1e-2, task.options.settings = task.settings;
    for (int i = 1; i < count; ++i)
        if (!read_argument(arguments[i], &task)) {
            fprintf(stderr, "argument %d, '%s', should be NAME=VALUE with a number for until, every and step\n", i,
                    arguments[i]);
            return 2;
        }
    Ball ball = {.mass = 1, .radius = 1, .bowl = 8, .gravity = 9.81};
    HolSystemSpec spec = ball_spec(&ball);
    HolMessage message = {{0}};
    HolSystem *system;
    HolStatus status = hol_system_create(&spec, &system, &message);
    if (status == HOL_OK)
        status = roll(system, &ball, &task, &message);
    hol_system_destroy(system);
    if (status != HOL_OK)
        fprintf(stderr, "%s: %s\n", hol_status_name(status), message.text);
    return status == HOL_OK ? 0 : 1;
}
