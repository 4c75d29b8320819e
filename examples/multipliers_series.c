/* SPDX-License-Identifier: BSD-3-Clause */
/* Multipliers of all rows of a model, also of those that keep bodies rigid, as CSV on standard output:
 *
 *     multipliers_series [MODEL [PATH=VALUE ...]]
 *
 * MODEL is free-rigid-body by default; PATH=VALUE changes it, as run.step=0.01. One line per step. lambda
 * acts as +D^T lambda, and the rows are in the order of the system. The columns "midpoint" are those of
 * energy-preserving steps at the midpoint of the step before; nan where there are none. */
#include <holon/holon.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Series {
    HolSimulation *simulation;
    int rows;
} Series;

static HolStatus write_row(void *user, const HolState *state, const HolMeasures *measures)
{
    const Series *series = user;
    const double *midpoint = hol_simulation_midpoint_multipliers(series->simulation);
    (void)measures;
    int length = printf("%.17g", state->t);
    for (int i = 0; i < series->rows && length >= 0; ++i)
        length = printf(",%.17g", state->lambda[i]);
    for (int i = 0; i < series->rows && length >= 0; ++i)
        length = printf(",%.17g", midpoint ? midpoint[i] : NAN);
    return length < 0 || printf("\n") < 0 ? HOL_STOPPED : HOL_OK;
}

static HolStatus simulate(HolMechanism *mechanism, HolMessage *message)
{
    HolStatus status = hol_mechanism_assemble(mechanism, message);
    if (status != HOL_OK)
        return status;
    const HolSystem *system = hol_mechanism_system(mechanism);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    Series series = {NULL, hol_system_pattern(system)->m};
    status = hol_simulation_create(system, &start, &options, &series.simulation, message);
    if (status != HOL_OK)
        return status;
    printf("t");
    for (int i = 0; i < series.rows; ++i)
        printf(",lambda%d", i + 1);
    for (int i = 0; i < series.rows; ++i)
        printf(",midpoint%d", i + 1);
    printf("\n");
    HolRun run = {.until = hol_mechanism_until(mechanism), .record = write_row, .user = &series};
    status = hol_simulation_run(series.simulation, &run);
    snprintf(message->text, sizeof message->text, "%s", hol_simulation_message(series.simulation));
    hol_simulation_destroy(series.simulation);
    return status;
}

/* False, after a message, if an argument is not PATH=VALUE. The model reports wrong paths and values. */
static bool change(HolModel *model, int count, char **arguments)
{
    for (int i = 2; i < count; ++i) {
        char *value = strchr(arguments[i], '=');
        if (!value) {
            fprintf(stderr, "argument %d, '%s', should be PATH=VALUE\n", i, arguments[i]);
            return false;
        }
        *value++ = '\0';
        hol_model_set(model, arguments[i], "%s", value);
    }
    return true;
}

int main(int count, char **arguments)
{
    HolMessage message = {{0}};
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    if (!model)
        return 1;
    hol_model_load(model, count > 1 ? arguments[1] : "free-rigid-body");
    if (!change(model, count, arguments)) {
        hol_model_destroy(model);
        return 2;
    }
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
