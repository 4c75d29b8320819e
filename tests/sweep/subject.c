/* SPDX-License-Identifier: BSD-3-Clause */
#include "subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tight_work = 6e7, stiff_work = 1e9;

static const double full_turn = 6.283185307179586;
static const char *const uncertain = "the references of two families differ or fail";

/* ---- Signals ---- */

static bool ends_in(const char *text, const char *ending)
{
    size_t n = strlen(text), e = strlen(ending);
    return n >= e && strcmp(text + n - e, ending) == 0;
}

static bool is_position(const char *column)
{
    return ends_in(column, ".x") || ends_in(column, ".y") || ends_in(column, ".z");
}

/* The signals that a column begins: nine where it is the first Euler parameter. */
static int column_signals(const char *column)
{
    return ends_in(column, ".e0") ? 9 : is_position(column) || ends_in(column, ".phi") ? 1 : 0;
}

static void rotation_matrix(const double *e, double *A)
{
    double a = e[0], b = e[1], c = e[2], d = e[3];
    const double R[9] = {a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
                         2 * (b * c + a * d),           a * a - b * b + c * c - d * d, 2 * (c * d - a * b),
                         2 * (b * d - a * c),           2 * (c * d + a * b),           a * a - b * b - c * c + d * d};
    memcpy(A, R, sizeof R);
}

static void read_signals(const Subject *subject, double *signals)
{
    for (int i = 0; i < hol_recorder_column_count(subject->recorder); ++i) {
        int count = column_signals(hol_recorder_column(subject->recorder, i));
        if (count == 9)
            rotation_matrix(subject->values + i, signals);
        else if (count == 1)
            *signals = subject->values[i];
        signals += count;
    }
}

/* ---- Opening ---- */

static HolStatus create_recorder(Subject *subject)
{
    HolScene *scene;
    HolStatus status = hol_scene_create(subject->mechanism, &scene);
    if (status != HOL_OK)
        return status;
    int count = 0;
    const char **names = calloc((size_t)(scene->body_count + scene->point_count) + 1, sizeof *names);
    for (int i = 0; i < scene->body_count; ++i)
        names[count++] = scene->bodies[i].name;
    for (int i = 0; i < scene->point_count; ++i)
        names[count++] = scene->points[i];
    HolMessage message = {{0}};
    status = hol_recorder_create(subject->mechanism, names, count, &subject->recorder, &message);
    if (status != HOL_OK)
        fprintf(stderr, "%s: %s\n", subject->label, message.text);
    free(names);
    hol_scene_destroy(scene);
    return status;
}

static bool is_in_coordinates(Subject *subject, const char *path)
{
    HolMessage message = {{0}};
    if (hol_model_load(subject->model, path) != HOL_OK ||
        hol_model_set(subject->model, "run.coordinates", "%s", subject->coordinates) != HOL_OK ||
        hol_mechanism_create(subject->model, &subject->mechanism) != HOL_OK)
        return false;
    if (strcmp(hol_mechanism_coordinates(subject->mechanism), subject->coordinates) != 0)
        return false;
    if (hol_mechanism_assemble(subject->mechanism, &message) == HOL_OK)
        return true;
    fprintf(stderr, "%s: %s\n", subject->label, message.text);
    return false;
}

bool subject_open(const char *name, const char *coordinates, Subject *subject)
{
    char path[1024];
    const char *slash = strrchr(name, '/');
    *subject = (Subject){.coordinates = coordinates, .model = hol_model_create(), .why = ""};
    snprintf(subject->name, sizeof subject->name, "%s", name);
    snprintf(subject->label, sizeof subject->label, "%s", slash ? slash + 1 : name);
    snprintf(path, sizeof path, "%s%s", slash && name[0] != '/' ? HOLON_SOURCE_DIR "/" : "", name);
    if (!is_in_coordinates(subject, path) || create_recorder(subject) != HOL_OK) {
        subject_close(subject);
        return false;
    }
    int columns = hol_recorder_column_count(subject->recorder);
    subject->values = calloc((size_t)columns, sizeof(double));
    subject->size = hol_system_pattern(hol_mechanism_system(subject->mechanism))->nv;
    for (int i = 0; i < columns; ++i)
        subject->signals += column_signals(hol_recorder_column(subject->recorder, i));
    return true;
}

void subject_close(Subject *subject)
{
    hol_recorder_destroy(subject->recorder);
    hol_mechanism_destroy(subject->mechanism);
    hol_model_destroy(subject->model);
    free(subject->values);
    free(subject->path);
    *subject = (Subject){0};
}

/* ---- A run ---- */

typedef struct Observer {
    Subject *subject;
    HolSimulation *simulation;
    Outcome *outcome;
    double work;
} Observer;

static HolStatus observe_sample(void *user, const HolState *state, const HolMeasures *measures)
{
    Observer *observer = user;
    Outcome *outcome = observer->outcome;
    Subject *subject = observer->subject;
    if (outcome->samples == SAMPLE_COUNT)
        return HOL_OK;
    HolStatus status = hol_recorder_read(subject->recorder, state, measures, subject->values);
    if (status == HOL_OK)
        read_signals(subject, outcome->path + (size_t)outcome->samples++ * (size_t)subject->signals);
    double energy = measures->kinetic + measures->potential;
    outcome->min_energy = fmin(outcome->min_energy, energy);
    outcome->max_energy = fmax(outcome->max_energy, energy);
    outcome->min_potential = fmin(outcome->min_potential, measures->potential);
    outcome->max_potential = fmax(outcome->max_potential, measures->potential);
    return status;
}

static HolStatus observe_step(void *user, double t)
{
    (void)t;
    Observer *observer = user;
    HolSummary summary = hol_simulation_summary(observer->simulation);
    double size = observer->subject->size; /* large systems also solve dense equations */
    double work = (double)(summary.evaluations + summary.iterations) * size * (1 + size * size / 2500);
    observer->outcome->is_expensive = work > observer->work;
    return observer->outcome->is_expensive ? HOL_GIVEN_UP : HOL_OK;
}

static HolStatus create_simulation(const Subject *subject, const Method *method, HolSimulation **simulation,
                                   HolMessage *message)
{
    char tolerance[32];
    snprintf(tolerance, sizeof tolerance, "%.6g", method->tolerance);
    HolSetting settings[] = {{"integrator.tolerance", tolerance}};
    HolSimulationOptions options = hol_mechanism_options(subject->mechanism);
    HolInitialState start = hol_mechanism_initial_state(subject->mechanism);
    if (method->formulation) {
        hol_mechanism_choose_formulation(subject->mechanism, method->formulation, &options);
        options.integrator = method->integrator;
        options.step = method->step;
        options.settings = settings;
        options.setting_count = method->tolerance > 0;
    }
    return hol_simulation_create(hol_mechanism_system(subject->mechanism), &start, &options, simulation, message);
}

void subject_run(Subject *subject, const Method *method, double until, double work, Outcome *outcome)
{
    Observer observer = {.subject = subject, .outcome = outcome, .work = work};
    /* A recorder counts turns from one state to the next: each run has its own. */
    hol_recorder_destroy(subject->recorder);
    subject->recorder = NULL;
    *outcome = (Outcome){.min_energy = HUGE_VAL, .max_energy = -HUGE_VAL};
    outcome->min_potential = HUGE_VAL, outcome->max_potential = -HUGE_VAL;
    outcome->path = calloc((size_t)SAMPLE_COUNT * (size_t)subject->signals, sizeof(double));
    outcome->status = create_recorder(subject);
    if (outcome->status == HOL_OK)
        outcome->status = create_simulation(subject, method, &observer.simulation, &outcome->message);
    outcome->is_created = outcome->status == HOL_OK;
    if (!outcome->is_created)
        return;
    HolRun run = {.until = until,
                  .every = until / (SAMPLE_COUNT - 1),
                  .record = observe_sample,
                  .progress = observe_step,
                  .user = &observer};
    outcome->status = hol_simulation_run(observer.simulation, &run);
    snprintf(outcome->message.text, sizeof outcome->message.text, "%s", hol_simulation_message(observer.simulation));
    outcome->summary = hol_simulation_summary(observer.simulation);
    hol_simulation_findings(observer.simulation, &outcome->findings);
    hol_simulation_destroy(observer.simulation);
}

void outcome_close(Outcome *outcome)
{
    free(outcome->path);
    outcome->path = NULL;
}

/* ---- The reference ---- */

static const char *signal_column(const Subject *subject, int signal)
{
    for (int i = 0, at = 0; i < hol_recorder_column_count(subject->recorder); ++i) {
        const char *column = hol_recorder_column(subject->recorder, i);
        at += column_signals(column);
        if (signal < at)
            return column;
    }
    return "";
}

/* Natural coordinates contain no turns, which a recorder that sees few states may miscount: these angles are compared
 * within a turn. */
static bool signal_is_turn(const Subject *subject, int signal)
{
    return strcmp(subject->coordinates, "natural") == 0 && ends_in(signal_column(subject, signal), ".phi");
}

/* Positions are divided by the length of the model, so that they can be compared with angles. */
static double signal_scale(const Subject *subject, int signal)
{
    return is_position(signal_column(subject, signal)) ? 1 / subject->length : 1;
}

typedef struct Range {
    double low, high;
} Range;

static void range_add(Range *range, double x)
{
    range->low = fmin(range->low, x); /* NAN, unknown, changes nothing */
    range->high = fmax(range->high, x);
}

static double range_size(Range range)
{
    return range.high > range.low ? range.high - range.low : 0;
}

/* The diagonal of the box around all positions. */
static double path_length(const Subject *subject, const double *path)
{
    Range box[3] = {{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
    for (int i = 0; i < subject->signals; ++i) {
        const char *column = signal_column(subject, i);
        for (int k = 0; is_position(column) && k < SAMPLE_COUNT; ++k)
            range_add(&box[column[strlen(column) - 1] - 'x'], path[k * subject->signals + i]);
    }
    double length = hypot(hypot(range_size(box[0]), range_size(box[1])), range_size(box[2]));
    return length > 0 ? length : 1;
}

/* The length of the model, and the largest range of a signal. */
static void measure_motion(Subject *subject, const double *path)
{
    subject->length = path_length(subject, path);
    subject->motion = 0;
    for (int i = 0; i < subject->signals; ++i) {
        Range range = {HUGE_VAL, -HUGE_VAL};
        for (int k = 0; k < SAMPLE_COUNT; ++k)
            range_add(&range, path[k * subject->signals + i]);
        double most = signal_is_turn(subject, i) ? full_turn : HUGE_VAL;
        subject->motion = fmax(subject->motion, fmin(range_size(range), most) * signal_scale(subject, i));
    }
    if (subject->motion < 1e-9) /* equilibrium: errors are then in parts of the model */
        subject->motion = 1;
}

static double path_distance(const Subject *subject, const double *a, const double *b, int samples)
{
    double largest = 0;
    for (int i = 0; i < subject->signals; ++i) {
        double scale = signal_scale(subject, i) / subject->motion;
        bool is_turn = signal_is_turn(subject, i);
        for (int k = 0; k < samples; ++k) {
            double d = a[k * subject->signals + i] - b[k * subject->signals + i];
            if (isnan(a[k * subject->signals + i])) /* unknown */
                continue;
            largest = isnan(d) ? HUGE_VAL : fmax(largest, fabs(is_turn ? remainder(d, full_turn) : d) * scale);
        }
    }
    return largest;
}

double subject_error(const Subject *subject, const Outcome *outcome)
{
    if (subject->is_impossible)
        return outcome->status == HOL_OK ? HUGE_VAL : (double)NAN;
    return subject->path ? path_distance(subject, subject->path, outcome->path, outcome->samples) : (double)NAN;
}

/* A run of the reference; HUGE_VAL: it did not reach the end. */
static double distance_of(Subject *subject, const double *path, const Method *method, double until, double work)
{
    Outcome outcome;
    subject_run(subject, method, until, work, &outcome);
    bool is_complete = outcome.status == HOL_OK && outcome.samples == SAMPLE_COUNT;
    double distance = is_complete ? path_distance(subject, path, outcome.path, SAMPLE_COUNT) : HUGE_VAL;
    outcome_close(&outcome);
    return distance;
}

/* Takes the path of the method as the reference; false: it does not reach the end. */
static bool take_reference(Subject *subject, const Method *method, double until, double work)
{
    Outcome outcome;
    subject_run(subject, method, until, work, &outcome);
    free(subject->path);
    subject->path = outcome.path;
    if (outcome.status == HOL_OK && outcome.samples == SAMPLE_COUNT) {
        measure_motion(subject, subject->path);
        return true;
    }
    free(subject->path);
    subject->path = NULL;
    return false;
}

/* The smallest of the differences from other families: one that has its own troubles proves nothing. */
static double other_families(Subject *subject, double until, double enough)
{
    double interval = until / (SAMPLE_COUNT - 1), h = interval / ceil(interval / 5e-4);
    const Method others[] = {{"null-space", "rk4", h, 0},
                             {"coordinate-partitioning", "dopri5", h, 1e-11},
                             {"augmented-lagrangian-projected", "rk4", h, 0},
                             {"energy-preserving", "built-in", h / 4, 0}};
    double smallest = HUGE_VAL;
    for (size_t i = 0; i < sizeof others / sizeof others[0] && smallest > enough; ++i)
        smallest = fmin(smallest, distance_of(subject, subject->path, &others[i], until, tight_work));
    return smallest;
}

static bool find_explicit(Subject *subject, double until)
{
    const double enough = 1e-4;
    const Method tight = {"direct-correction", "dopri5", until / 1e4, 1e-11};
    const Method tighter = {"direct-correction", "dopri5", until / 1e4, 1e-12};
    for (int halvings = 0; halvings < 5; ++halvings, until /= 2) {
        if (!take_reference(subject, &tight, until, tight_work))
            continue;
        subject->unsure = distance_of(subject, subject->path, &tighter, until, 2 * tight_work);
        if (subject->unsure < enough)
            subject->unsure = fmax(subject->unsure, other_families(subject, until, enough));
        subject->until = until;
        if (subject->unsure < enough)
            return true;
    }
    return false;
}

/* Steps of a tenth of the model's; the same with twice the step, and another family. */
static bool find_implicit(Subject *subject, double until)
{
    double step = hol_mechanism_options(subject->mechanism).step;
    for (int halvings = 0; halvings < 3; ++halvings, until /= 2) {
        double interval = until / (SAMPLE_COUNT - 1), h = interval / ceil(interval / (step / 10));
        const Method fine = {"energy-preserving", "built-in", h, 0},
                     coarse = {"energy-preserving", "built-in", 2 * h, 0};
        const Method other = {"index3-augmented-lagrangian", "newmark", h, 0};
        if (!take_reference(subject, &fine, until, stiff_work))
            continue;
        subject->until = until;
        subject->unsure = distance_of(subject, subject->path, &coarse, until, stiff_work);
        subject->unsure = fmax(subject->unsure, distance_of(subject, subject->path, &other, until, stiff_work));
        if (subject->unsure < 3e-3)
            return true;
    }
    return false;
}

/* ---- Numbers that others computed ---- */

static int find_signal(const Subject *subject, const char *name)
{
    for (int i = 0, at = 0; i < hol_recorder_column_count(subject->recorder); ++i) {
        const char *column = hol_recorder_column(subject->recorder, i);
        if (strcmp(column, name) == 0)
            return column_signals(column) == 1 ? at : -1;
        at += column_signals(column);
    }
    return -1;
}

/* The signals that a first line `t,column,...` names; 0: it names one that is none. */
static int read_names(const Subject *subject, char *line, int most, int *signals)
{
    int count = 0;
    strtok(line, ",\r\n");
    for (char *name; count < most && (name = strtok(NULL, ",\r\n")) != NULL; ++count)
        if ((signals[count] = find_signal(subject, name)) < 0)
            return 0;
    return count;
}

static bool read_known(Subject *subject, FILE *file)
{
    enum { MOST = 8 };
    char line[1024];
    int signals[MOST], count;
    if (!fgets(line, sizeof line, file))
        return false;
    subject->is_impossible = strncmp(line, "# impossible", 12) == 0;
    if (subject->is_impossible || (count = read_names(subject, line, MOST, signals)) == 0)
        return subject->is_impossible;
    subject->path = malloc((size_t)SAMPLE_COUNT * (size_t)subject->signals * sizeof(double));
    for (int i = 0; i < SAMPLE_COUNT * subject->signals; ++i)
        subject->path[i] = NAN;
    for (int k = 0; k < SAMPLE_COUNT; ++k) {
        char *at = fgets(line, sizeof line, file) ? line : NULL;
        for (int i = 0; at && i < count && (at = strchr(at, ',')) != NULL; ++i)
            subject->path[k * subject->signals + signals[i]] = strtod(++at, NULL);
        if (!at)
            return false;
    }
    measure_motion(subject, subject->path);
    return true;
}

bool subject_find_known(Subject *subject, double until)
{
    char path[1024];
    if (!ends_in(subject->name, ".yaml"))
        return false;
    snprintf(path, sizeof path, "%s%.*s.csv", subject->name[0] == '/' ? "" : HOLON_SOURCE_DIR "/",
             (int)strlen(subject->name) - 5, subject->name);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool is_known = read_known(subject, file);
    if (!is_known)
        fprintf(stderr, "%s: a line `t,column,...` and %d lines of numbers are expected\n", path, SAMPLE_COUNT);
    fclose(file);
    subject->until = until;
    return is_known;
}

static bool cached(Subject *subject, FILE *file)
{
    char name[sizeof subject->name], coordinates[32];
    int signals, has_path, is_stiff;
    while (fscanf(file, "%255s %31s %d %d %d %la %la %la %la", name, coordinates, &signals, &has_path, &is_stiff,
                  &subject->until, &subject->length, &subject->motion, &subject->unsure) == 9) {
        double *path = calloc((size_t)SAMPLE_COUNT * (size_t)signals, sizeof(double));
        for (int i = 0; has_path && i < SAMPLE_COUNT * signals; ++i)
            has_path = fscanf(file, "%la", &path[i]) == 1;
        if (strcmp(name, subject->name) == 0 && strcmp(coordinates, subject->coordinates) == 0 &&
            signals == subject->signals) {
            subject->path = has_path ? path : NULL;
            subject->is_stiff = is_stiff;
            subject->why = has_path ? "" : uncertain;
            if (!has_path)
                free(path);
            return true;
        }
        free(path);
    }
    return false;
}

bool subject_load_reference(Subject *subject, const char *cache)
{
    FILE *file = fopen(cache, "r");
    if (!file)
        return false;
    bool is_found = cached(subject, file);
    fclose(file);
    return is_found;
}

void subject_save_reference(const Subject *subject, const char *cache)
{
    FILE *file = fopen(cache, "a");
    if (!file)
        return;
    fprintf(file, "%s %s %d %d %d %a %a %a %a\n", subject->name, subject->coordinates, subject->signals,
            subject->path != NULL, subject->is_stiff, subject->until, subject->length, subject->motion,
            subject->unsure);
    for (int i = 0; subject->path && i < SAMPLE_COUNT * subject->signals; ++i)
        fprintf(file, "%a\n", subject->path[i]);
    fclose(file);
}

void subject_find_reference(Subject *subject, double until)
{
    subject->is_stiff = hol_mechanism_beam_count(subject->mechanism) > 0;
    if (subject->is_stiff ? find_implicit(subject, until) : find_explicit(subject, until))
        return;
    free(subject->path);
    subject->path = NULL;
    if (!(subject->until > 0))
        subject->until = until / 16;
    subject->why = uncertain;
}
