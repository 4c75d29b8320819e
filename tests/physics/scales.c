/* SPDX-License-Identifier: BSD-3-Clause */
/* Units and masses: rows written in other units, long lengths, heavy and massless coordinates and masses that change
 * give the same motion and the forces that belong to it. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "system_of.h"

static const double G = 9.81;

/* Rows are weighed by 1 / scale^2 where the formulation has penalties: then its results do not depend on the units either. */
typedef struct Units {
    int m;
    const double *scale;
} Units;

enum { MOST_ROWS = 3, MOST_NUMBERS = 4 };

/* The end of a run with its multipliers in the units of scale 1. */
typedef struct End {
    HolStatus status;
    HolMessage message;
    HolSummary summary;
    double t, q[MOST_NUMBERS], v[MOST_NUMBERS], vdot[MOST_NUMBERS], lambda[MOST_ROWS];
} End;

static HolSimulation *create(const HolSystem *system, const HolInitialState *start, const HolSimulationOptions *given,
                             Units units, End *end)
{
    double weights[MOST_ROWS];
    HolSimulation *simulation = NULL;
    HolSimulationOptions options = *given;
    for (int i = 0; i < units.m; i++)
        weights[i] = 1 / (units.scale[i] * units.scale[i]);
    options.row_weights = weights;
    end->status = hol_simulation_create(system, start, &options, &simulation, &end->message);
    if (end->status == HOL_UNSUPPORTED) {
        options.row_weights = NULL;
        end->status = hol_simulation_create(system, start, &options, &simulation, &end->message);
    }
    return simulation;
}

static void keep(const HolSystem *system, const HolSimulation *simulation, Units units, End *end)
{
    const HolPattern *p = hol_system_pattern(system);
    const HolState *state = hol_simulation_state(simulation);
    end->t = state->t;
    end->summary = hol_simulation_summary(simulation);
    memcpy(end->q, state->q, (size_t)p->nq * sizeof *end->q);
    memcpy(end->v, state->v, (size_t)p->nv * sizeof *end->v);
    memcpy(end->vdot, state->vdot, (size_t)p->nv * sizeof *end->vdot);
    for (int i = 0; i < p->m; i++)
        end->lambda[i] = state->lambda[i] * units.scale[i];
}

static End run(const HolSystem *system, const HolInitialState *start, const HolSimulationOptions *options, Units units,
               double until)
{
    End end = {.status = HOL_OK};
    HolSimulation *simulation = create(system, start, options, units, &end);
    if (!simulation)
        return end;
    if (until > start->t)
        end.status = hol_simulation_run(simulation, &(HolRun){.until = until});
    snprintf(end.message.text, sizeof end.message.text, "%s", hol_simulation_message(simulation));
    keep(system, simulation, units, &end);
    hol_simulation_destroy(simulation);
    return end;
}

static bool ended_well(const End *end)
{
    if (CHECK_OK(end->status))
        return true;
    printf("    %s\n", end->message.text);
    return false;
}

/* A bead (x, y) on a circle, a massless coordinate z = sin x with a spring on it, and a second mass u = x y.
 *
 *     Phi = s_0 (x^2 + y^2 - 1) / 2,   s_1 (z - sin x),   s_2 (u - x y)
 *
 * c couples the momenta of x and u. In two blocks (x, y) and (z, u) it is a mass block off the diagonal. */
typedef struct Gear {
    double m, m_u, m_z, c, k;
    double scale[3];
    bool divided;
} Gear;

static void gear_mass(const Gear *gear, double M[4][4])
{
    memset(M, 0, 16 * sizeof(double));
    M[0][0] = M[1][1] = gear->m;
    M[2][2] = gear->m_z;
    M[3][3] = gear->m_u;
    M[0][3] = M[3][0] = gear->c;
}

static void gear_rows(const Gear *gear, const double *q, double D[3][4])
{
    const double rows[3][4] = {{q[0], q[1], 0, 0}, {-cos(q[0]), 0, 1, 0}, {-q[1], -q[0], 0, 1}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            D[i][j] = gear->scale[i] * rows[i][j];
}

/* Rows r ... r + rows - 1 and columns c ... c + columns - 1 of a matrix with four columns. */
static double *put(double *to, double A[][4], const int rows[2], const int columns[2])
{
    for (int i = rows[0]; i < rows[0] + rows[1]; i++)
        for (int j = columns[0]; j < columns[0] + columns[1]; j++)
            *to++ = A[i][j];
    return to;
}

static void put_matrices(const Gear *gear, const double *q, HolTerms *terms)
{
    static const int all[2] = {0, 4}, three[2] = {0, 3}, front[2] = {0, 2}, back[2] = {2, 2};
    double M[4][4], D[3][4];
    gear_mass(gear, M);
    gear_rows(gear, q, D);
    if (!gear->divided) {
        put(terms->M, M, all, all);
        put(terms->D, D, three, all);
        return;
    }
    put(put(put(terms->M, M, front, front), M, back, back), M, back, front);
    put(put(terms->D, D, three, front), D, three, back);
}

static HolStatus evaluate_gear(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Gear *gear = self;
    const double *q = at->q, *v = at->v, *s = gear->scale;
    (void)want;
    put_matrices(gear, q, terms);
    terms->Q[1] = -gear->m * G;
    terms->Q[2] = -gear->k * q[2];
    terms->Phi[0] = s[0] * (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    terms->Phi[1] = s[1] * (q[2] - sin(q[0]));
    terms->Phi[2] = s[2] * (q[3] - q[0] * q[1]);
    terms->gamma[0] = -s[0] * (v[0] * v[0] + v[1] * v[1]);
    terms->gamma[1] = -s[1] * sin(q[0]) * v[0] * v[0];
    terms->gamma[2] = 2 * s[2] * v[0] * v[1];
    terms->kinetic = (gear->m * (v[0] * v[0] + v[1] * v[1]) + gear->m_z * v[2] * v[2] + gear->m_u * v[3] * v[3]) / 2 +
                     gear->c * v[0] * v[3];
    terms->potential = gear->m * G * q[1] + gear->k * q[2] * q[2] / 2;
    return HOL_OK;
}

static HolSystem *gear_system(const Gear *gear)
{
    static const HolSystemOps ops = {.evaluate = evaluate_gear};
    static const int sizes[2] = {2, 2}, rows[1] = {3};
    static const HolPair coupled[1] = {{1, 0}};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = gear;
    spec.nq = spec.nv = 4;
    spec.nh = 3;
    spec.constant_mass = spec.scleronomic = true;
    if (gear->divided) {
        spec.block_count = 2;
        spec.block_sizes = sizes;
        spec.group_count = 1;
        spec.group_sizes = rows;
        spec.mass_pair_count = 1;
        spec.mass_pairs = coupled;
    }
    return system_of(&spec);
}

/* Velocities, or with the bias of turning at the rate w the accelerations, of the angle's rate. */
static void gear_rates(const double *q, double rate, const double *bias, double *v)
{
    v[0] = -q[1] * rate + (bias ? bias[0] : 0);
    v[1] = q[0] * rate + (bias ? bias[1] : 0);
    v[2] = cos(q[0]) * v[0] + (bias ? bias[2] : 0);
    v[3] = q[1] * v[0] + q[0] * v[1] + (bias ? bias[3] : 0);
}

static void gear_state(double angle, double rate, double *q, double *v)
{
    q[0] = cos(angle);
    q[1] = sin(angle);
    q[2] = sin(q[0]);
    q[3] = q[0] * q[1];
    gear_rates(q, rate, NULL, v);
}

static double times(double M[4][4], int row, const double *x)
{
    return M[row][0] * x[0] + M[row][1] * x[1] + M[row][2] * x[2] + M[row][3] * x[3];
}

/* The force that the constraints must exert, M vdot - Q, with the angle's acceleration a. */
static void gear_reaction(const Gear *gear, const double *q, const double *vdot, double *f)
{
    double M[4][4];
    const double Q[4] = {0, -gear->m * G, -gear->k * q[2], 0};
    gear_mass(gear, M);
    for (int i = 0; i < 4; i++)
        f[i] = times(M, i, vdot) - Q[i];
}

/* vdot and lambda from the equation of the angle: R^T (M (R a + bias) - Q) = 0 */
static void gear_solution(const Gear *gear, double angle, double rate, double *vdot, double *lambda)
{
    double q[4], v[4], R[4], f[4], M[4][4], inertia = 0, force = 0;
    gear_state(angle, rate, q, v);
    gear_state(angle, 1, q, R);
    const double bias[4] = {-q[0] * rate * rate, -q[1] * rate * rate, -sin(q[0]) * v[0] * v[0], 2 * v[0] * v[1]};
    gear_rates(q, 0, bias, vdot);
    gear_reaction(gear, q, vdot, f);
    gear_mass(gear, M);
    for (int i = 0; i < 4; i++) {
        inertia += R[i] * times(M, i, R);
        force -= R[i] * f[i];
    }
    gear_rates(q, force / inertia, bias, vdot);
    gear_reaction(gear, q, vdot, f);
    lambda[1] = f[2];
    lambda[2] = f[3];
    lambda[0] = (f[1] + q[0] * lambda[2]) / q[1];
}

static const double ONES[MOST_ROWS] = {1, 1, 1};

static Gear gear_with(double ratio, double m_z, bool divided)
{
    Gear gear = {.m = 1, .m_u = ratio, .m_z = m_z, .c = 0.3 * sqrt(ratio), .k = 50, .divided = divided};
    memcpy(gear.scale, ONES, sizeof ONES);
    return gear;
}

static void with_every_gear(void (*check)(const Gear *gear))
{
    static const double ratios[] = {1, 1e3, 1e6};
    for (int i = 0; i < 12; i++) {
        const Gear gear = gear_with(ratios[i / 4], i & 1, (i & 2) != 0);
        check(&gear);
    }
}

static void check_gear(const Gear *gear)
{
    HolSystem *system = gear_system(gear);
    double q[4], v[4];
    gear_state(0.4, 2, q, v);
    v[1] += 1; /* off the constraints as well */
    HolMessage message = {""};
    if (!CHECK_OK(hol_system_check(system, &(HolPoint){0, q, v}, &message)))
        printf("    %s\n", message.text);
    hol_system_destroy(system);
}

static void gears_are_what_they_say(void)
{
    with_every_gear(check_gear);
}

static const char *const exact[] = {"lagrange",          "baumgarte",  "coordinate-partitioning",
                                    "direct-correction", "null-space", "generalized-inverse",
                                    "elimination"};
enum { EXACT = sizeof exact / sizeof *exact };

static void check_solution(const Gear *gear, const char *formulation, double angle)
{
    double q[4], v[4], vdot[4], lambda[3], largest = 0;
    HolSystem *system = gear_system(gear);
    HolSimulationOptions options = fitting_options(formulation, "rk4", 1e-3);
    gear_state(angle, 2, q, v);
    gear_solution(gear, angle, 2, vdot, lambda);
    End end = run(system, &(HolInitialState){0, q, v}, &options, (Units){3, gear->scale}, 0);
    if (ended_well(&end)) {
        for (int i = 0; i < 3; i++)
            largest = fmax(largest, fabs(lambda[i]));
        for (int i = 0; i < 4; i++)
            CHECK_NEAR(end.vdot[i], vdot[i], 1e-9 * 20);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(end.lambda[i], lambda[i], 1e-9 * largest);
    }
    hol_system_destroy(system);
}

static void check_solutions(const Gear *gear)
{
    static const double scales[4][3] = {{1, 1, 1}, {1e-6, 1e-6, 1e-6}, {1e6, 1e6, 1e6}, {1e6, 1, 1e-6}};
    for (int i = 0; i < EXACT; i++)
        for (int k = 0; k < 8; k++) {
            Gear scaled = *gear;
            memcpy(scaled.scale, scales[k / 2], sizeof scaled.scale);
            CHECK_CONTEXT("%s, masses %g and %g, %s, rows times %g %g %g", exact[i], gear->m_u, gear->m_z,
                          gear->divided ? "divided" : "whole", scaled.scale[0], scaled.scale[1], scaled.scale[2]);
            check_solution(&scaled, exact[i], k % 2 ? 2.3 : 0.4);
        }
}

static void forces_are_exact_for_any_masses_and_scales(void)
{
    with_every_gear(check_solutions);
}

static void check_near_end(const End *end, const End *expected, double tolerance)
{
    double largest = 0;
    for (int i = 0; i < 3; i++)
        largest = fmax(largest, fabs(expected->lambda[i]));
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(end->q[i], expected->q[i], tolerance);
        CHECK_NEAR(end->v[i], expected->v[i], 10 * tolerance);
    }
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(end->lambda[i], expected->lambda[i], 100 * tolerance * largest);
}

static void check_scales(const Gear *gear, const char *formulation)
{
    static const double scales[5][3] = {
        {1e-6, 1e-6, 1e-6}, {1e-3, 1e-3, 1e-3}, {1e3, 1e3, 1e3}, {1e6, 1e6, 1e6}, {1e6, 1, 1e-6}};
    double q[4], v[4];
    HolSimulationOptions options = fitting_options(formulation, "rk4", 1e-3);
    gear_state(0.4, 2, q, v);
    q[1] += 1e-4;
    Gear scaled = *gear;
    HolSystem *system = gear_system(&scaled);
    End expected = run(system, &(HolInitialState){0, q, v}, &options, (Units){3, scaled.scale}, 0.1);
    ended_well(&expected);
    for (int k = 0; k < 5; k++) {
        memcpy(scaled.scale, scales[k], sizeof scaled.scale);
        CHECK_CONTEXT("%s, mass %g, %s, rows times %g %g %g", formulation, gear->m_z,
                      gear->divided ? "divided" : "whole", scaled.scale[0], scaled.scale[1], scaled.scale[2]);
        End end = run(system, &(HolInitialState){0, q, v}, &options, (Units){3, scaled.scale}, 0.1);
        if (ended_well(&end))
            check_near_end(&end, &expected, 1e-9);
    }
    hol_system_destroy(system);
}

static void rows_in_other_units_change_nothing(void)
{
    for (int i = 0; i < 4 * hol_formulation_count(); i++) {
        const Gear gear = gear_with(10, i & 1, (i & 2) != 0);
        const char *formulation = hol_formulation_info(i / 4).name;
        if (gear.m_z > 0 || !formulation_traits(formulation).massive)
            check_scales(&gear, formulation);
    }
}

/* The pendulum of length l as Phi = s (x^2 + y^2 - l^2) / 2; gravity grows with the length, so that x / l is always the
 * same function of time. */
typedef struct Pendulum {
    double m, l, s;
    bool level; /* starts there, where nothing pulls at the row yet */
} Pendulum;

static HolStatus evaluate_pendulum(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Pendulum *p = self;
    const double *q = at->q, *v = at->v;
    (void)want;
    terms->M[0] = terms->M[3] = p->m;
    terms->Q[1] = -p->m * G * p->l;
    terms->Phi[0] = p->s * (q[0] * q[0] + q[1] * q[1] - p->l * p->l) / 2;
    terms->D[0] = p->s * q[0];
    terms->D[1] = p->s * q[1];
    terms->gamma[0] = -p->s * (v[0] * v[0] + v[1] * v[1]);
    terms->kinetic = p->m * (v[0] * v[0] + v[1] * v[1]) / 2;
    terms->potential = p->m * G * p->l * q[1];
    return HOL_OK;
}

static HolSystem *pendulum_system(const Pendulum *pendulum)
{
    static const HolSystemOps ops = {.evaluate = evaluate_pendulum};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = pendulum;
    spec.nq = spec.nv = 2;
    spec.nh = 1;
    spec.constant_mass = spec.scleronomic = true;
    return system_of(&spec);
}

/* From the horizontal, or from below it and a little off the circle; q, v and lambda in units of l and s. */
static End swing(const Pendulum *pendulum, const HolSimulationOptions *options, bool weigh, double until)
{
    const double l = pendulum->l, scale[1] = {weigh ? pendulum->s * l : 1};
    const double q[2] = {pendulum->level ? l : 0.6 * l, pendulum->level ? 0 : -0.8000001 * l}, v[2] = {0, 0};
    HolSystem *system = pendulum_system(pendulum);
    End end = run(system, &(HolInitialState){0, q, v}, options, (Units){1, scale}, until);
    end.lambda[0] *= pendulum->s / scale[0];
    for (int i = 0; i < 2; i++) {
        end.q[i] /= l;
        end.v[i] /= l;
    }
    hol_system_destroy(system);
    return end;
}

static void check_swing(const char *formulation)
{
    static const Pendulum others[] = {
        {1, 1e5, 1, false}, {1, 1e-5, 1, false}, {1, 1, 1e6, false}, {1, 1, 1e-9, false}, {1, 1e5, 1e-9, false}};
    const Pendulum plain = {1, 1, 1, false};
    HolSimulationOptions options = fitting_options(formulation, "rk4", 1e-3);
    CHECK_CONTEXT("%s, plain", formulation);
    End expected = swing(&plain, &options, true, 0.2);
    ended_well(&expected);
    for (int k = 0; k < 5; k++) {
        CHECK_CONTEXT("%s, length %g, row times %g", formulation, others[k].l, others[k].s);
        End end = swing(&others[k], &options, true, 0.2);
        if (!ended_well(&end))
            continue;
        CHECK_NEAR(end.q[0], expected.q[0], 1e-9);
        CHECK_NEAR(end.q[1], expected.q[1], 1e-9);
        CHECK_NEAR(end.v[0], expected.v[0], 1e-8);
        CHECK_NEAR(end.lambda[0], expected.lambda[0], 1e-6);
    }
}

static void long_pendulums_swing_like_short_ones(void)
{
    for (int i = 0; i < hol_formulation_count(); i++)
        check_swing(hol_formulation_info(i).name);
}

/* A penalty that is hopelessly weak against the mass or the scale of the row: the iteration that is to make it exact
 * gets there or says what to do. What it has accepted obeys its row. */
typedef struct Weak {
    Pendulum pendulum;
    const char *alpha;
} Weak;

static void check_weak(const char *formulation, const Weak *weak)
{
    HolSetting alpha = {"formulation.alpha", weak->alpha};
    const Pendulum plain = {1, 1, 1, weak->pendulum.level};
    HolSimulationOptions options = fitting_options(formulation, "rk4", 1e-3), good = options;
    options.settings = &alpha;
    options.setting_count = 1;
    CHECK_CONTEXT("%s, mass %g, row times %g, alpha %s%s", formulation, weak->pendulum.m, weak->pendulum.s, weak->alpha,
                  weak->pendulum.level ? ", level" : "");
    End expected = swing(&plain, &good, false, 0.05), end = swing(&weak->pendulum, &options, false, 0.05);
    if (end.status == HOL_OK) {
        CHECK_NEAR(end.q[0], expected.q[0], 1e-7);
        CHECK_NEAR(end.q[1], expected.q[1], 1e-7);
        return;
    }
    CHECK_STATUS(end.status, HOL_NO_CONVERGENCE);
    CHECK_CONTAINS(end.message.text, "raise alpha");
    CHECK_NEAR(end.summary.max_acceleration_violation / weak->pendulum.s, 0, 1e-2);
}

static void weak_penalties_do_not_let_go(void)
{
    static const struct {
        double m, s;
        const char *alpha;
    } weak[] = {
        {1e6, 1, "1e7"},  {1e9, 1, "1e7"},  {1e12, 1, "1e7"},  {1e15, 1, "1e7"}, {1, 1, "1"},
        {1, 1, "0.1"},    {1, 1, "1e-3"},   {1, 1, "1e-5"},    {1, 1, "1e-7"},   {1, 1, "1e-12"},
        {1, 1e-3, "1e7"}, {1, 1e-6, "1e7"}, {1, 1e-12, "1e7"}, {1, 1e3, "1e-5"}, {1, 1e-6, "1e-12"},
    };
    for (size_t k = 0; k < 2 * (sizeof weak / sizeof *weak); k++) {
        const Weak sample = {{weak[k / 2].m, 1, weak[k / 2].s, k % 2 == 1}, weak[k / 2].alpha};
        check_weak("augmented-lagrangian", &sample);
        check_weak("augmented-lagrangian-projected", &sample);
    }
}

/* Two angles of a double pendulum tied by b = a^2: the mass is full and changes, M = (2, cos d; cos d, 1), d = a - b. */
typedef struct Angles {
    bool divided;
} Angles;

static void angle_terms(const double *q, const double *v, double M[3], double Q[2])
{
    double d = q[0] - q[1];
    M[0] = 2;
    M[1] = cos(d);
    M[2] = 1;
    Q[0] = -sin(d) * v[1] * v[1] - 2 * G * sin(q[0]);
    Q[1] = sin(d) * v[0] * v[0] - G * sin(q[1]);
}

static HolStatus evaluate_angles(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const double *q = at->q, *v = at->v;
    double M[3];
    (void)want;
    angle_terms(q, v, M, terms->Q);
    const double whole[4] = {M[0], M[1], M[1], M[2]}, divided[3] = {M[0], M[2], M[1]};
    if (((const Angles *)self)->divided)
        memcpy(terms->M, divided, sizeof divided);
    else
        memcpy(terms->M, whole, sizeof whole);
    terms->Phi[0] = q[1] - q[0] * q[0];
    terms->D[0] = -2 * q[0];
    terms->D[1] = 1;
    terms->gamma[0] = 2 * v[0] * v[0];
    terms->kinetic = (M[0] * v[0] * v[0] + 2 * M[1] * v[0] * v[1] + M[2] * v[1] * v[1]) / 2;
    terms->potential = -G * (2 * cos(q[0]) + cos(q[1]));
    return HOL_OK;
}

static HolSystem *angles_system(const Angles *angles)
{
    static const HolSystemOps ops = {.evaluate = evaluate_angles};
    static const int ones[2] = {1, 1};
    static const HolPair coupled[1] = {{1, 0}};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = angles;
    spec.nq = spec.nv = 2;
    spec.nh = 1;
    spec.scleronomic = true;
    if (angles->divided) {
        spec.block_count = 2;
        spec.block_sizes = ones;
        spec.group_count = 1;
        spec.group_sizes = ones;
        spec.mass_pair_count = 1;
        spec.mass_pairs = coupled;
    }
    return system_of(&spec);
}

/* With a alone: v = R u, R = (1, 2 a), vdot = R udot + (0, 2 u^2). Returns udot and lambda, the force on b. */
static double angle_rate(double a, double u, double *lambda)
{
    const double q[2] = {a, a * a}, v[2] = {u, 2 * a * u}, bias = 2 * u * u;
    double M[3], Q[2];
    angle_terms(q, v, M, Q);
    double inertia = M[0] + 4 * a * M[1] + 4 * a * a * M[2];
    double udot = (Q[0] - M[1] * bias + 2 * a * (Q[1] - M[2] * bias)) / inertia;
    *lambda = M[1] * udot + M[2] * (2 * a * udot + bias) - Q[1];
    return udot;
}

/* RK4 on (a, u) */
static void angle_step(double h, double *a, double *u)
{
    double lambda, a1 = *u, u1 = angle_rate(*a, *u, &lambda);
    double a2 = *u + h / 2 * u1, u2 = angle_rate(*a + h / 2 * a1, *u + h / 2 * u1, &lambda);
    double a3 = *u + h / 2 * u2, u3 = angle_rate(*a + h / 2 * a2, *u + h / 2 * u2, &lambda);
    double a4 = *u + h * u3, u4 = angle_rate(*a + h * a3, *u + h * u3, &lambda);
    *a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    *u += h / 6 * (u1 + 2 * u2 + 2 * u3 + u4);
}

static void check_angles(const HolSystem *system, const char *formulation, const double *expected)
{
    const double q[2] = {1, 1}, v[2] = {0, 0};
    HolSimulationOptions options = fitting_options(formulation, "rk4", 1e-3);
    End end = run(system, &(HolInitialState){0, q, v}, &options, (Units){1, ONES}, 1);
    double tolerance = formulation_traits(formulation).penalty ? 1e-6 : 1e-8;
    if (pair_order(formulation, options.integrator) == 2)
        tolerance = 50 * options.step * options.step;
    if (!ended_well(&end))
        return;
    CHECK_NEAR(end.q[0], expected[0], tolerance);
    CHECK_NEAR(end.q[1], expected[0] * expected[0], 2 * tolerance);
    CHECK_NEAR(end.v[0], expected[1], 3 * tolerance);
    CHECK_NEAR(end.vdot[0], expected[2], 10 * tolerance);
    CHECK_NEAR(end.lambda[0], expected[3], 20 * tolerance);
    CHECK_NEAR(end.summary.max_energy_drift, 0, 10 * tolerance);
}

static void masses_may_change(void)
{
    double expected[4] = {1, 0, 0, 0};
    for (int i = 0; i < 10000; i++)
        angle_step(1e-4, &expected[0], &expected[1]);
    expected[2] = angle_rate(expected[0], expected[1], &expected[3]);
    for (int i = 0; i < 2 * hol_formulation_count(); i++) {
        const Angles angles = {i % 2 == 1};
        const char *formulation = hol_formulation_info(i / 2).name;
        const double q[2] = {0.7, 0.4}, v[2] = {0.3, 0.8};
        HolSystem *system = angles_system(&angles);
        CHECK_CONTEXT("%s, %s", formulation, angles.divided ? "divided" : "whole");
        CHECK_OK(hol_system_check(system, &(HolPoint){0, q, v}, NULL));
        if (is_served(formulation, system))
            check_angles(system, formulation, expected);
        hol_system_destroy(system);
    }
}

CHECK_MAIN(TEST(gears_are_what_they_say), TEST(forces_are_exact_for_any_masses_and_scales),
           TEST(rows_in_other_units_change_nothing), TEST(long_pendulums_swing_like_short_ones),
           TEST(weak_penalties_do_not_let_go), TEST(masses_may_change))
