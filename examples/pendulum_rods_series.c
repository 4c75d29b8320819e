/* SPDX-License-Identifier: BSD-3-Clause */
/* A pendulum on two parallel rods in the twelve natural coordinates of F. Gonzalez and J. Kovecses, Multibody System
 * Dynamics 29(1), 2013, Section 4: points O and P and vectors u1 and u2, each with three components; 1 kg at P, nothing
 * elsewhere. As CSV on standard output:
 *
 *     pendulum_rods_series [NAME=VALUE ...]
 *
 *     until, step, every                numbers, in seconds; 10, 0.001, and 0: every step
 *     eta1, eta2                        penalties of the rods relative to those of the other rows; 1e-3, 2e-3
 *     coupling                          of their stiffness, K_c = [eta1 coupling; coupling eta2]; 0
 *     preload                           initial multiplier of rod 1, with the opposite one of rod 2; 0
 *     bearings                          1: one rod, and a second joint at O, with the penalties eta1 and eta2; 0
 *     formulation, integrator           index3-augmented-lagrangian, newmark
 *     formulation.NAME, integrator.NAME their options, as formulation.alpha=1e10
 *
 * Rows: O and u2 fixed (6), the distance O P (Eq. 13, |d|^2/L - L) of each rod (2), the angles of u1, u2 and d (3), the
 * length of u1 (1); with bearings the second distance is replaced by O fixed once more (3). Columns: the time, the place
 * of P, and the axial forces of the rods, which are twice the multipliers because the gradient of such a row has the
 * length 2, or the forces of the bearings along the rod. */
#include <holon/holon.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NQ = 12, RODS_ROWS = 12, BEARINGS_ROWS = 14, ROD1 = 6, ROD2 = 7, JOINT1 = 0, JOINT2 = 11 };
enum { O = 0, P = 3, U1 = 6, U2 = 9, MAX_SETTINGS = 16 };

static const double mass = 1, gravity = 9.81; /* and rods of 2 m */

typedef struct Task {
    HolSimulationOptions options;
    HolSetting settings[MAX_SETTINGS];
    double until, every, eta1, eta2, coupling, preload, bearings;
} Task;

static int row_count(const Task *task)
{
    return task->bearings ? BEARINGS_ROWS : RODS_ROWS;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Row i is factor (a - b) . (c - d) less a constant, with a, ..., d points of q or, below zero, nothing. */
typedef struct Product {
    int a, b, c, d;
    double factor, constant;
} Product;

static const Product products[] = {{P, O, P, O, 0.5, 2}, {P, O, P, O, 0.5, 2},   {U1, -1, P, O, 1, 0},
                                   {U2, -1, P, O, 1, 0}, {U1, -1, U2, -1, 1, 0}, {U1, -1, U1, -1, 1, 1}};

static void difference(const double *x, int from, int to, double *result)
{
    for (int i = 0; i < 3; ++i)
        result[i] = x[from + i] - (to < 0 ? 0 : x[to + i]);
}

/* D(q) is linear in q: D += factor (c - d) at a and b, factor (a - b) at c and d. */
static void add_gradient(int plus, int minus, double factor, const double *other, double *D)
{
    for (int i = 0; i < 3; ++i) {
        D[plus + i] += factor * other[i];
        if (minus >= 0)
            D[minus + i] -= factor * other[i];
    }
}

static void evaluate_product(const Product *p, const HolPoint *at, int row, HolTerms *terms)
{
    double x[3], y[3], x_rate[3], y_rate[3];
    difference(at->q, p->a, p->b, x);
    difference(at->q, p->c, p->d, y);
    difference(at->v, p->a, p->b, x_rate);
    difference(at->v, p->c, p->d, y_rate);
    terms->Phi[row] = p->factor * dot(x, y) - p->constant;
    terms->gamma[row] = -2 * p->factor * dot(x_rate, y_rate);
    add_gradient(p->a, p->b, p->factor, y, terms->D + (size_t)row * NQ);
    add_gradient(p->c, p->d, p->factor, x, terms->D + (size_t)row * NQ);
}

/* Three coordinates are fixed: a point at the origin, or a vector along z. */
static void evaluate_fixed(int first, double z, const HolPoint *at, int row, HolTerms *terms)
{
    for (int i = 0; i < 3; ++i) {
        terms->Phi[row + i] = at->q[first + i] - (i == 2 ? z : 0);
        terms->gamma[row + i] = 0;
        terms->D[(row + i) * NQ + first + i] = 1;
    }
}

static HolStatus evaluate_pendulum(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Task *task = self;
    int row = ROD1;
    (void)want;
    memset(terms->D, 0, sizeof(double) * (size_t)row_count(task) * NQ);
    for (int i = 0; i < 3; ++i)
        terms->M[(P + i) * (NQ + 1)] = mass;
    terms->Q[P + 1] = -mass * gravity;
    evaluate_fixed(O, 0, at, JOINT1, terms);
    evaluate_fixed(U2, 1, at, 3, terms);
    for (int i = 0; i < (int)(sizeof products / sizeof *products); ++i)
        if (i != 1 || !task->bearings) /* the second rod */
            evaluate_product(&products[i], at, row++, terms);
    if (task->bearings)
        evaluate_fixed(O, 0, at, JOINT2, terms);
    terms->kinetic = mass * dot(at->v + P, at->v + P) / 2;
    terms->potential = mass * gravity * at->q[P + 1];
    return HOL_OK;
}

static HolStatus write_row(void *user, const HolState *state, const HolMeasures *measures)
{
    const Task *task = user;
    (void)measures;
    double along[3], first = -2 * state->lambda[ROD1], second = -2 * state->lambda[ROD2];
    difference(state->q, P, O, along);
    if (task->bearings) {
        double length = sqrt(dot(along, along));
        first = -dot(state->lambda + JOINT1, along) / length;
        second = -dot(state->lambda + JOINT2, along) / length;
    }
    int written = printf("%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", state->t, state->q[P], state->q[P + 1],
                         state->q[P + 2], first, second);
    return written < 0 ? HOL_STOPPED : HOL_OK;
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
    const struct {
        const char *name;
        double *number;
    } numbers[] = {{"until", &task->until},     {"every", &task->every},      {"step", &options->step},
                   {"eta1", &task->eta1},       {"eta2", &task->eta2},        {"coupling", &task->coupling},
                   {"preload", &task->preload}, {"bearings", &task->bearings}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (!strcmp(argument, numbers[i].name))
            return read_number(value, numbers[i].number);
    if (!strcmp(argument, "formulation"))
        return options->formulation = value, true;
    if (!strcmp(argument, "integrator"))
        return options->integrator = value, true;
    if (options->setting_count == MAX_SETTINGS)
        return false;
    task->settings[options->setting_count++] = (HolSetting){argument, value}; /* the library knows which there are */
    return true;
}

/* Weights of the rows, or with a coupling the matrix K_c of Eq. (25). */
static void weigh(Task *task, double *weights, double *stiffness, double *preload)
{
    int first = task->bearings ? JOINT1 : ROD1, second = task->bearings ? JOINT2 : ROD2, n = task->bearings ? 3 : 1;
    for (int i = 0; i < BEARINGS_ROWS; ++i)
        weights[i] = i >= first && i < first + n ? task->eta1 : i >= second && i < second + n ? task->eta2 : 1;
    for (int i = 0; i < RODS_ROWS; ++i)
        stiffness[i * (RODS_ROWS + 1)] = weights[i];
    stiffness[ROD1 * RODS_ROWS + ROD2] = stiffness[ROD2 * RODS_ROWS + ROD1] = task->coupling;
    preload[ROD1] = task->preload;
    preload[ROD2] = -task->preload;
    if (strcmp(task->options.formulation, "index3-augmented-lagrangian") != 0)
        return; /* others take neither */
    if (task->coupling != 0)
        task->options.row_stiffness = stiffness;
    else
        task->options.row_weights = weights;
    if (task->preload != 0)
        task->options.preload = preload;
}

static HolStatus swing(const HolSystem *system, Task *task, HolMessage *message)
{
    static const double q[NQ] = {[P] = 2, [U1 + 1] = 1, [U2 + 2] = 1}, v[NQ] = {0};
    HolSimulation *simulation;
    HolStatus status =
        hol_simulation_create(system, &(HolInitialState){.q = q, .v = v}, &task->options, &simulation, message);
    if (status != HOL_OK)
        return status;
    printf("t,x,y,z,rod1,rod2\n");
    status = hol_simulation_run(
        simulation, &(HolRun){.until = task->until, .every = task->every, .record = write_row, .user = task});
    snprintf(message->text, sizeof message->text, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

int main(int count, char **arguments)
{
    static double weights[BEARINGS_ROWS], stiffness[RODS_ROWS * RODS_ROWS], preload[RODS_ROWS];
    static const HolSystemOps ops = {.evaluate = evaluate_pendulum};
    Task task = {.options = hol_simulation_options(), .until = 10, .eta1 = 1e-3, .eta2 = 2e-3};
    task.options.step = 1e-3, task.options.settings = task.settings;
    task.options.formulation = "index3-augmented-lagrangian", task.options.integrator = "newmark";
    for (int i = 1; i < count; ++i)
        if (!read_argument(arguments[i], &task)) {
            fprintf(stderr, "argument %d, '%s', should be NAME=VALUE with a number for until, step and the like\n", i,
                    arguments[i]);
            return 2;
        }
    if (task.bearings && (task.coupling != 0 || task.preload != 0)) {
        fprintf(stderr, "coupling and preload are those of two rods: leave them out with bearings\n");
        return 2;
    }
    weigh(&task, weights, stiffness, preload);
    HolSystemSpec spec = hol_system_spec();
    spec.name = "pendulum on two rods", spec.ops = &ops, spec.self = &task;
    spec.nq = spec.nv = NQ, spec.nh = row_count(&task);
    spec.constant_mass = spec.scleronomic = true;
    HolMessage message = {{0}};
    HolSystem *system;
    HolStatus status = hol_system_create(&spec, &system, &message);
    if (status == HOL_OK)
        status = swing(system, &task, &message);
    hol_system_destroy(system);
    if (status != HOL_OK)
        fprintf(stderr, "%s: %s\n", hol_status_name(status), message.text);
    return status == HOL_OK ? 0 : 1;
}
