/* SPDX-License-Identifier: BSD-3-Clause */
/* Every built-in model against the reference.csv in its folder: with its own settings, and with direct-correction and
 * dopri5 at a tight tolerance. A row is `t,quantity,value,fixed,tight`; the last two are the tolerances of the two runs,
 * `-` where a run is not held to it; a run that no row asks for is left out, as the tight one of stiff models with beams
 * is. Instead of a time there may stand `static`, for a quantity in the equilibrium that hol_static() finds, or `modes`,
 * for omega1, omega2, ... (rad/s) about it. Comments `# set: path=value` and `# variant: name` say what the rows after
 * them are of; those after a row begin anew. `# step: h` says that the model has another step than 1e-3, `# loads: n`
 * that equilibria are sought by n load steps. HOLON_MODEL=name in the environment checks one model alone. */
#include <holon/modes.h>
#include <holon/static.h>

#include "check.h"

#include <stdlib.h>

enum { MOST_ROWS = 4000, LONGEST = 512, MOST_CHANGES = 8 };

enum { MODES = -2, AT_REST = -1 };

typedef struct Row {
    double t, value, tolerance[2]; /* negative: not held to it; a t below zero is AT_REST or of MODES */
    char quantity[64];
} Row;

typedef struct Changes {
    int count;
    char text[MOST_CHANGES][LONGEST]; /* "set: ...", "variant: ..." */
} Changes;

typedef struct Block {
    Changes changes;
    double step; /* of the model */
    int loads;   /* steps of equilibria */
    Row *rows;
    int row_count;
} Block;

static const char *const run_names[2] = {"its own settings", "dopri5, 1e-12"};

/* ---- A run ---- */

typedef struct Run {
    HolModel *model;
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolRecorder *recorder;
    double *values;
} Run;

static void apply_change(HolModel *model, const char *change)
{
    char text[LONGEST];
    const char *body = strchr(change, ':') + 1;
    while (*body == ' ')
        ++body;
    snprintf(text, sizeof text, "%s", body);
    if (strncmp(change, "variant", 7) == 0) {
        CHECK_OK(hol_model_choose(model, text));
        return;
    }
    char *equals = strchr(text, '=');
    if (!CHECK(equals != NULL))
        return;
    *equals = '\0';
    CHECK_OK(hol_model_set(model, text, "%s", equals + 1));
}

/* All columns, and the sections of beams that rows name: "blade1@0.5.N" is of the section "blade1@0.5". */
static HolStatus create_recorder(const Block *block, Run *run, HolMessage *message)
{
    enum { MOST_NAMES = 64 };
    char sections[MOST_NAMES][64];
    const char *names[MOST_NAMES] = {"all"};
    int count = 1;
    for (int i = 0; i < block->row_count && count < MOST_NAMES; ++i)
        if (strchr(block->rows[i].quantity, '@')) {
            snprintf(sections[count], sizeof sections[count], "%s", block->rows[i].quantity);
            *strrchr(sections[count], '.') = '\0';
            names[count] = sections[count];
            ++count;
        }
    return hol_recorder_create(run->mechanism, names, count, &run->recorder, message);
}

static HolStatus open_run(const char *name, const Block *block, bool tight, Run *run)
{
    const Changes *changes = &block->changes;
    HolMessage message = {{0}};
    *run = (Run){.model = hol_model_create()};
    CHECK_OK(hol_model_load(run->model, name));
    for (int i = 0; i < changes->count; ++i)
        apply_change(run->model, changes->text[i]);
    if (tight) {
        CHECK_OK(hol_model_set(run->model, "run.formulation", "direct-correction"));
        CHECK_OK(hol_model_set(run->model, "run.integrator", "{kind: dopri5, tolerance: 1e-12, absolute: 1e-12}"));
    }
    HolStatus status = hol_mechanism_create(run->model, &run->mechanism);
    for (int i = 0; i < hol_model_error_count(run->model); ++i)
        printf("    %s\n", hol_model_error(run->model, i));
    if (status == HOL_OK)
        status = hol_mechanism_assemble(run->mechanism, &message);
    if (status == HOL_OK) {
        HolSimulationOptions options = hol_mechanism_options(run->mechanism);
        HolInitialState start = hol_mechanism_initial_state(run->mechanism);
        if (strcmp(options.formulation, "direct-correction") == 0)
            CHECK_NEAR(options.step, tight ? options.step : block->step, 0);
        status =
            hol_simulation_create(hol_mechanism_system(run->mechanism), &start, &options, &run->simulation, &message);
    }
    if (status == HOL_OK)
        status = create_recorder(block, run, &message);
    if (!CHECK_OK(status))
        printf("    %s\n", message.text);
    else
        run->values = calloc((size_t)hol_recorder_column_count(run->recorder), sizeof(double));
    return status;
}

static void close_run(Run *run)
{
    free(run->values);
    hol_recorder_destroy(run->recorder);
    hol_simulation_destroy(run->simulation);
    hol_mechanism_destroy(run->mechanism);
    hol_model_destroy(run->model);
}

static bool advance(Run *run, double t)
{
    HolRun leg = {.until = t};
    if (t > hol_simulation_state(run->simulation)->t && !CHECK_OK(hol_simulation_run(run->simulation, &leg))) {
        printf("    %s\n", hol_simulation_message(run->simulation));
        return false;
    }
    HolMeasures measures = hol_simulation_measures(run->simulation);
    return CHECK_OK(hol_recorder_read(run->recorder, hol_simulation_state(run->simulation), &measures, run->values));
}

/* ---- Rest ---- */

static void check_modes(const Run *run, const HolState *state, const Block *block, const char *name)
{
    HolModesOptions options = hol_modes_options();
    HolModes *modes;
    options.count = 12;
    if (!CHECK_OK(hol_mechanism_modes(run->mechanism, state, NULL, &options, &modes, NULL)))
        return;
    for (int i = 0; i < block->row_count; ++i) {
        const Row *row = &block->rows[i];
        int number = row->t == MODES ? atoi(row->quantity + strcspn(row->quantity, "0123456789")) : 0;
        CHECK_CONTEXT("%s: %s", name, row->quantity);
        if (row->t == MODES && CHECK(number >= 1 && number <= modes->count))
            CHECK_NEAR(modes->modes[number - 1].imaginary, row->value, row->tolerance[0]);
    }
    hol_modes_destroy(modes);
}

static void check_row(const Run *run, const Row *row, double tolerance, const char *name, const char *what)
{
    int column = hol_recorder_find(run->recorder, row->quantity);
    CHECK_CONTEXT("%s, %s: %s at t = %g", name, what, row->quantity, row->t);
    if (CHECK(column >= 0))
        CHECK_NEAR(run->values[column], row->value, tolerance);
}

/* The rows that are not of a run. */
static void check_rest(const char *name, const Block *block)
{
    Run run;
    HolMessage message = {{0}};
    HolEquilibrium *rest = NULL;
    HolStaticOptions options = hol_static_options();
    HolMeasures measures = {0};
    options.steps = block->loads;
    CHECK_CONTEXT("%s at rest %s", name, block->changes.count ? block->changes.text[0] : "");
    if (open_run(name, block, false, &run) == HOL_OK) {
        if (!CHECK_OK(hol_mechanism_static(run.mechanism, &options, &rest, &message)))
            printf("    %s\n", message.text);
        else if (CHECK_OK(hol_recorder_read(run.recorder, &rest->state, &measures, run.values)))
            for (int i = 0; i < block->row_count; ++i)
                if (block->rows[i].t == AT_REST)
                    check_row(&run, &block->rows[i], block->rows[i].tolerance[0], name, "at rest");
        if (rest && block->rows[0].t == MODES)
            check_modes(&run, &rest->state, block, name);
    }
    hol_equilibrium_destroy(rest);
    close_run(&run);
}

/* How many rows of runs there are for this kind. */
static int count_rows(const Block *block, int kind)
{
    int count = 0;
    for (int i = 0; i < block->row_count; ++i)
        count += block->rows[i].t >= 0 && block->rows[i].tolerance[kind] >= 0;
    return count;
}

static void check_block(const char *name, const Block *block, int kind)
{
    Run run;
    double t = -1;
    CHECK_CONTEXT("%s, %s %s", name, run_names[kind], block->changes.count ? block->changes.text[0] : "");
    HolStatus status = open_run(name, block, kind == 1, &run);
    for (int i = 0; status == HOL_OK && i < block->row_count; ++i) {
        const Row *row = &block->rows[i];
        if (row->tolerance[kind] < 0 || row->t < 0)
            continue;
        if (row->t != t && !advance(&run, row->t))
            break;
        t = row->t;
        check_row(&run, row, row->tolerance[kind], name, run_names[kind]);
    }
    close_run(&run);
}

/* ---- The file ---- */

static bool parse_row(const char *line, Row *row)
{
    char t[32], fixed[32], tight[32];
    if (sscanf(line, "%31[^,],%63[^,],%lf,%31[^,],%31[^,\r\n]", t, row->quantity, &row->value, fixed, tight) != 5)
        return false;
    char *end = t;
    bool is_static = strcmp(t, "static") == 0, is_of_modes = strcmp(t, "modes") == 0;
    row->t = is_static ? AT_REST : is_of_modes ? MODES : strtod(t, &end);
    if (!is_static && !is_of_modes && (end == t || *end))
        return false;
    row->tolerance[0] = strcmp(fixed, "-") == 0 ? -1 : strtod(fixed, NULL);
    row->tolerance[1] = strcmp(tight, "-") == 0 ? -1 : strtod(tight, NULL);
    return true;
}

static int by_time(const void *a, const void *b)
{
    double ta = ((const Row *)a)->t, tb = ((const Row *)b)->t;
    return (ta > tb) - (ta < tb);
}

static void finish_block(const char *name, Block *block)
{
    if (block->row_count == 0)
        return;
    qsort(block->rows, (size_t)block->row_count, sizeof *block->rows, by_time);
    if (block->rows[0].t < 0) /* those come first */
        check_rest(name, block);
    for (int kind = 0; kind < 2; ++kind)
        if (count_rows(block, kind) > 0)
            check_block(name, block, kind);
    block->row_count = 0;
    block->changes.count = 0;
}

static bool is_change(const char *line)
{
    return strncmp(line, "# set:", 6) == 0 || strncmp(line, "# variant:", 10) == 0;
}

static int check_file(const char *name, FILE *file, Block *block)
{
    char line[LONGEST];
    int rows = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (is_change(line)) {
            finish_block(name, block);
            if (CHECK(block->changes.count < MOST_CHANGES))
                strcpy(block->changes.text[block->changes.count++], line + 2);
        } else if (strncmp(line, "# step:", 7) == 0) {
            block->step = strtod(line + 7, NULL);
        } else if (strncmp(line, "# loads:", 8) == 0) {
            block->loads = atoi(line + 8);
        } else if (line[0] != '#' && line[0] != '\0' && strncmp(line, "t,", 2) != 0) {
            CHECK_CONTEXT("%s: %s", name, line);
            if (CHECK(block->row_count < MOST_ROWS) && CHECK(parse_row(line, &block->rows[block->row_count])))
                rows += 1, block->row_count += 1;
        }
    }
    finish_block(name, block);
    return rows;
}

static void check_model(const char *name)
{
    char path[LONGEST];
    snprintf(path, sizeof path, "%s/models/%s/reference.csv", HOLON_SOURCE_DIR, name);
    CHECK_CONTEXT("%s", path);
    FILE *file = fopen(path, "r");
    REQUIRE(file != NULL);
    Block block = {.step = 1e-3, .loads = 1, .rows = calloc(MOST_ROWS, sizeof *block.rows)};
    CHECK(check_file(name, file, &block) > 0);
    free(block.rows);
    fclose(file);
}

static void every_model_meets_its_reference(void)
{
    const char *only = getenv("HOLON_MODEL");
    int checked = 0;
    CHECK(hol_library_count() >= 13);
    for (int i = 0; i < hol_library_count(); ++i)
        if (!only || strcmp(only, hol_library_model(i).name) == 0) {
            check_model(hol_library_model(i).name);
            ++checked;
        }
    CHECK_CONTEXT("HOLON_MODEL=%s", only ? only : "");
    CHECK(checked > 0); /* else there is no such model */
}

CHECK_MAIN(TEST(every_model_meets_its_reference))
