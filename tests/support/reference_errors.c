/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference_errors.h"

#include "check.h"

#include <stdlib.h>

enum { MOST_ROWS = 128, PLACE = 0, SPEED, FORCE, KINDS };

typedef struct Row {
    char quantity[64];
    double value;
} Row;

typedef struct Case {
    HolModel *model;
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolRecorder *recorder;
    double *values;
} Case;

/* "body.vx" is a velocity, "joint.fx" and "joint.tx" are forces; energies and others have no kind. */
static int kind_of(const char *quantity)
{
    const char *component = strrchr(quantity, '.');
    if (!component || strncmp(quantity, "energy.", 7) == 0)
        return KINDS;
    switch (component[1]) {
    case 'v':
    case 'w': return SPEED;
    case 'f':
    case 't': return FORCE;
    case 'x':
    case 'y':
    case 'z':
    case 'p': return PLACE;
    default: return KINDS;
    }
}

/* The rows for t before the first variant or setting of the file. */
static int read_rows(const char *model, double t, Row *rows)
{
    char path[512], line[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/models/%s/reference.csv", HOLON_SOURCE_DIR, model);
    FILE *file = fopen(path, "r");
    if (!CHECK(file != NULL))
        return 0;
    while (fgets(line, sizeof line, file) && strncmp(line, "# set", 5) != 0 && strncmp(line, "# variant", 9) != 0) {
        double time;
        Row row;
        if (sscanf(line, "%lf,%63[^,],%lf", &time, row.quantity, &row.value) == 3 && time == t && count < MOST_ROWS)
            rows[count++] = row;
    }
    fclose(file);
    return count;
}

static void set_model(HolModel *model, const char *path, const char *value)
{
    if (path && value)
        CHECK_OK(hol_model_set(model, path, "%s", value));
}

static HolStatus read_state(Case *c, const HolState *state, const HolMeasures *measures, HolMessage *message)
{
    HolStatus status = hol_recorder_create(c->mechanism, (const char *[]){"all"}, 1, &c->recorder, message);
    if (status != HOL_OK)
        return status;
    c->values = calloc((size_t)hol_recorder_column_count(c->recorder), sizeof *c->values);
    return hol_recorder_read(c->recorder, state, measures, c->values);
}

static HolStatus read_end(const ReferenceRun *run, Case *c, HolMessage *message)
{
    HolStatus status = hol_simulation_run(c->simulation, &(HolRun){.until = run->t});
    if (status != HOL_OK) {
        snprintf(message->text, sizeof message->text, "%s", hol_simulation_message(c->simulation));
        return status;
    }
    HolMeasures measures = hol_simulation_measures(c->simulation);
    return read_state(c, hol_simulation_state(c->simulation), &measures, message);
}

static HolStatus open_case(const ReferenceRun *run, Case *c, HolMessage *message)
{
    *c = (Case){.model = hol_model_create()};
    CHECK_OK(hol_model_load(c->model, run->model));
    set_model(c->model, "run.coordinates", run->coordinates);
    set_model(c->model, "run.formulation", run->formulation);
    set_model(c->model, "run.integrator", run->integrator);
    set_model(c->model, run->path, run->value);
    HolStatus status = hol_mechanism_create(c->model, &c->mechanism);
    return status == HOL_OK ? hol_mechanism_assemble(c->mechanism, message) : status;
}

static HolStatus run_case(const ReferenceRun *run, Case *c, HolMessage *message)
{
    HolStatus status = open_case(run, c, message);
    if (status != HOL_OK)
        return status;
    HolInitialState start = hol_mechanism_initial_state(c->mechanism);
    HolSimulationOptions options = hol_mechanism_options(c->mechanism);
    options.step = run->step;
    status = hol_simulation_create(hol_mechanism_system(c->mechanism), &start, &options, &c->simulation, message);
    return status == HOL_OK ? read_end(run, c, message) : status;
}

static void destroy_case(Case *c)
{
    free(c->values);
    hol_recorder_destroy(c->recorder);
    hol_simulation_destroy(c->simulation);
    hol_mechanism_destroy(c->mechanism);
    hol_model_destroy(c->model);
}

static ReferenceErrors compare_case(const Case *c, const Row *rows, int count)
{
    double error[KINDS + 1] = {0}, size[KINDS + 1] = {0};
    for (int i = 0; i < count; ++i) {
        int kind = kind_of(rows[i].quantity), column = hol_recorder_find(c->recorder, rows[i].quantity);
        CHECK_CONTEXT("%s", rows[i].quantity);
        if (kind == KINDS || !CHECK(column >= 0))
            continue;
        error[kind] = fmax(error[kind], fabs(c->values[column] - rows[i].value));
        size[kind] = fmax(size[kind], fabs(rows[i].value));
    }
    for (int kind = 0; kind < KINDS; ++kind)
        error[kind] /= size[kind] > 0 ? size[kind] : 1;
    HolSummary summary = c->simulation ? hol_simulation_summary(c->simulation) : (HolSummary){.system = NULL};
    return (ReferenceErrors){summary, error[PLACE], error[SPEED], error[FORCE], size[FORCE]};
}

ReferenceErrors reference_errors(const ReferenceRun *run)
{
    Row rows[MOST_ROWS];
    Case c;
    HolMessage message = {""};
    ReferenceErrors errors = {.place = NAN, .speed = NAN, .force = NAN, .largest_force = NAN};
    int count = read_rows(run->model, run->t, rows);
    CHECK_CONTEXT("%s until %g by %g", run->model, run->t, run->step);
    HolStatus status = run_case(run, &c, &message);
    if (!CHECK_OK(status))
        printf("    %s\n", message.text);
    else if (CHECK(count > 0))
        errors = compare_case(&c, rows, count);
    destroy_case(&c);
    return errors;
}

ReferenceErrors reference_errors_of(const ReferenceRun *run, ReferenceSolver *solve, void *user)
{
    const HolMeasures none = {0};
    Row rows[MOST_ROWS];
    Case c;
    HolMessage message = {""};
    ReferenceErrors errors = {.place = NAN, .speed = NAN, .force = NAN, .largest_force = NAN};
    int count = read_rows(run->model, run->t, rows);
    CHECK_CONTEXT("%s until %g", run->model, run->t);
    const HolState *state =
        CHECK_OK(open_case(run, &c, &message)) && CHECK(count > 0) ? solve(user, c.mechanism, run->t) : NULL;
    if (state && CHECK_OK(read_state(&c, state, &none, &message)))
        errors = compare_case(&c, rows, count);
    destroy_case(&c);
    return errors;
}
