/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial states that violate the constraints: assembled by the smallest change, or left to the formulation. */
#include <holon/holon.h>

#include "check.h"
#include "dense.h"
#include "random.h"
#include "runs.h"
#include "systems/scenes.h"

enum { MOST = 128 }; /* coordinates or rows of a scene at its default size */

/* A scene, its start pushed off the constraints, and the terms wherever they were evaluated last, also written out. */
typedef struct Pushed {
    const Scene *scene;
    const HolPattern *pattern;
    HolTerms *terms;
    Dense dense;
    double q[MOST], v[MOST];
} Pushed;

static bool push(Pushed *p, const Scene *scene, double size)
{
    double w[MOST];
    *p = (Pushed){.scene = scene, .pattern = hol_system_pattern(scene->system)};
    if (!CHECK(p->pattern->nq <= MOST && p->pattern->m <= MOST) ||
        !CHECK_OK(hol_terms_create(scene->system, &p->terms)))
        return false;
    for (int i = 0; i < p->pattern->nv; i++) {
        w[i] = size * random_number();
        p->v[i] = scene->start.v[i] + size * random_number();
    }
    hol_system_retract(scene->system, scene->start.q, w, p->q);
    return true;
}

static void evaluate(Pushed *p, double t, const double *q, const double *v)
{
    HolPoint at = {t, q, v};
    CHECK_OK(hol_system_evaluate(p->scene->system, &at, HOL_WANT_ALL, p->terms));
    dense_close(&p->dense);
    REQUIRE(dense_open(p->terms, &p->dense));
}

static void release(Pushed *p)
{
    dense_close(&p->dense);
    hol_terms_destroy(p->terms);
}

/* Calls check with every scene, each pushed by the same random numbers in every run. */
static void with_every_scene(double size, void (*check)(Pushed *p))
{
    for (int i = 0; i < scene_kind_count; i++) {
        Pushed p;
        random_seed(77);
        Scene *scene = scene_create(scene_kinds[i]->name, 0);
        CHECK_CONTEXT("%s pushed by %g", scene_kinds[i]->name, size);
        if (CHECK(scene != NULL) && push(&p, scene, size)) {
            check(&p);
            release(&p);
        }
        scene_destroy(scene);
    }
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* f loses its part along the unit vector e */
static void strip(int n, const double *e, double *f)
{
    double along = dot(n, e, f);
    for (int i = 0; i < n; i++)
        f[i] -= along * e[i];
}

/* How much of f lies outside the space of D's rows, as a part of f: zero if f = D^T mu for some mu. */
static double part_outside_rows(const Dense *dense, double *f)
{
    static double D[MOST * MOST];
    int n = dense->nv, m = dense->m;
    double size = sqrt(dot(n, f, f));
    memcpy(D, dense->D, sizeof *D * (size_t)(m * n));
    for (int r = 0; r < m; r++) {
        double *row = D + r * n, before = sqrt(dot(n, row, row));
        for (int k = 0; k < 2 * r; k++) /* twice: once is not orthogonal enough */
            strip(n, D + k % r * n, row);
        double length = sqrt(dot(n, row, row));
        for (int i = 0; i < n; i++)
            row[i] = length > 1e-9 * before ? row[i] / length : 0;
        strip(n, row, f);
    }
    return size > 0 ? sqrt(dot(n, f, f)) / size : 0;
}

/* rate = D v - nu, and its largest */
static void row_rates(const Pushed *p, const double *v, double *rate)
{
    dense_times(p->dense.m, p->dense.nv, p->dense.D, v, rate);
    for (int r = 0; r < p->dense.m; r++)
        rate[r] -= p->terms->nu[r];
}

static double velocity_residual(const Pushed *p, const double *v)
{
    double rate[MOST];
    row_rates(p, v, rate);
    return max_norm(p->dense.m, rate);
}

/* The tangent vector from q to q_new, to first order. The columns of N in qdot = N v are orthogonal in every scene. */
static void way(const Pushed *p, const double *q, const double *q_new, double *w)
{
    double unit[MOST] = {0}, column[MOST], difference[MOST];
    for (int i = 0; i < p->pattern->nq; i++)
        difference[i] = q_new[i] - q[i];
    for (int j = 0; j < p->pattern->nv; j++) {
        unit[j] = 1;
        hol_system_qdot(p->scene->system, q, unit, column);
        unit[j] = 0;
        w[j] = dot(p->pattern->nq, column, difference) / dot(p->pattern->nq, column, column);
    }
}

static void check_assembled(Pushed *p)
{
    HolMessage message = {""};
    evaluate(p, 0, p->q, p->v);
    bool violated = velocity_residual(p, p->v) > 1e-6;
    CHECK(violated || p->pattern->m == 0); /* there was something to do */
    if (!CHECK_OK(hol_assemble(p->scene->system, 0, p->q, p->v, &message)))
        printf("    %s\n", message.text);
    evaluate(p, 0, p->q, p->v);
    CHECK_NEAR(max_norm(p->pattern->nh, p->terms->Phi), 0, 1e-13);
    CHECK_NEAR(velocity_residual(p, p->v), 0, 1e-12);
}

static void every_scene_is_assembled_to_round_off(void)
{
    with_every_scene(1e-3, check_assembled);
    with_every_scene(1e-1, check_assembled);
}

/* The shortest way in the norm of M: M w is a combination of the rows of D, and the same for the velocities. */
static void check_shortest(Pushed *p)
{
    double q[MOST], v[MOST], w[MOST], f[MOST];
    memcpy(q, p->q, sizeof q);
    memcpy(v, p->v, sizeof v);
    CHECK_OK(hol_assemble(p->scene->system, 0, q, v, NULL));
    evaluate(p, 0, q, v);
    way(p, p->q, q, w);
    dense_times(p->dense.nv, p->dense.nv, p->dense.M, w, f);
    if (p->pattern->nh > 0) /* D turned a little on the way: first order in the push of 1e-5 */
        CHECK_NEAR(part_outside_rows(&p->dense, f), 0, 1e-3);
    for (int i = 0; i < p->pattern->nv; i++)
        w[i] = v[i] - p->v[i];
    dense_times(p->dense.nv, p->dense.nv, p->dense.M, w, f);
    if (p->pattern->m > 0)
        CHECK_NEAR(part_outside_rows(&p->dense, f), 0, p->pattern->nn > 0 ? 1e-3 : 1e-8);
}

static void assembly_goes_the_shortest_way(void)
{
    with_every_scene(1e-5, check_shortest);
}

static void check_unmoved(Pushed *p)
{
    const Scene *scene = p->scene;
    memcpy(p->q, scene->start.q, sizeof *p->q * (size_t)p->pattern->nq);
    memcpy(p->v, scene->start.v, sizeof *p->v * (size_t)p->pattern->nv);
    CHECK_OK(hol_assemble(scene->system, 0, p->q, p->v, NULL));
    for (int i = 0; i < p->pattern->nq; i++)
        CHECK_NEAR(p->q[i], scene->start.q[i], 1e-13);
    for (int i = 0; i < p->pattern->nv; i++)
        CHECK_NEAR(p->v[i], scene->start.v[i], 1e-13);
}

static void a_consistent_start_stays_where_it_is(void)
{
    with_every_scene(0, check_unmoved);
}

/* A bob at the pivot has no direction to go: the rod stays open by half its length, and nothing is moved. */
static void what_cannot_be_assembled_is_left_alone(void)
{
    Scene *scene = scene_create("pendulum", 0);
    REQUIRE(scene != NULL);
    double q[2] = {0, 0}, v[2] = {1, 2};
    HolMessage message = {""};
    HolStatus status = hol_assemble(scene->system, 0, q, v, &message);
    CHECK(status == HOL_NO_CONVERGENCE || status == HOL_SINGULAR);
    CHECK_CONTAINS(message.text, "0.5");
    CHECK(q[0] == 0 && q[1] == 0 && v[0] == 1 && v[1] == 2);
    scene_destroy(scene);
}

/* Kept starts. Phi obeys the formulation's own equation, so every row is known at all times:
 *
 *     baumgarte   Phi'' + 2 a Phi' + b^2 Phi = 0, a = b:   Phi = (Phi_0 + (Phi'_0 + a Phi_0) t) exp(-a t)
 *     lagrange    Phi'' = 0:                               Phi = Phi_0 + Phi'_0 t */

typedef struct Kept {
    Pushed *pushed;
    double a; /* gain; 0 for lagrange */
    double Phi[MOST], rate[MOST];
    double position, velocity; /* largest departures from the formula */
    double first, last;        /* max |Phi| at the start and at the end */
    double first_rate, last_rate;
} Kept;

static void compare_rows(Kept *k, double t, const double *rate)
{
    const HolTerms *terms = k->pushed->terms;
    for (int r = 0; r < terms->pattern->m; r++) {
        bool holonomic = r < terms->pattern->nh;
        double slope = holonomic ? k->rate[r] + k->a * k->Phi[r] : 0;
        double Phi = holonomic ? (k->Phi[r] + slope * t) * exp(-k->a * t) : 0;
        double Phi_rate = holonomic ? slope * exp(-k->a * t) - k->a * Phi : k->rate[r] * exp(-2 * k->a * t);
        if (holonomic)
            k->position = fmax(k->position, fabs(terms->Phi[r] - Phi));
        k->velocity = fmax(k->velocity, fabs(rate[r] - Phi_rate));
    }
}

static HolStatus record_kept(void *user, const HolState *s, const HolMeasures *m)
{
    Kept *k = user;
    double rate[MOST];
    evaluate(k->pushed, s->t, s->q, s->v);
    row_rates(k->pushed, s->v, rate);
    if (s->t == 0) {
        memcpy(k->Phi, k->pushed->terms->Phi, sizeof *k->Phi * (size_t)k->pushed->pattern->nh);
        memcpy(k->rate, rate, sizeof rate);
        k->first = m->position;
        k->first_rate = m->velocity;
    }
    compare_rows(k, s->t, rate);
    k->last = m->position;
    k->last_rate = m->velocity;
    return HOL_OK;
}

static Kept run_kept(const char *name, const char *formulation, double a, double until)
{
    Pushed p;
    Kept kept = {.pushed = &p, .a = a, .position = NAN};
    random_seed(5);
    Scene *scene = scene_create(name, 0);
    if (CHECK(scene != NULL) && push(&p, scene, 1e-3)) {
        HolSimulationOptions options = run_options(formulation, "rk4", 1e-3);
        HolInitialState start = {0, p.q, p.v};
        HolRun request = {.until = until, .record = record_kept, .user = &kept};
        options.keep_start = true;
        kept.position = 0;
        Result result = run_system(scene->system, &start, &options, &request);
        CHECK_OK(result.status);
        CHECK_NEAR(result.summary.reached, until, 1e-12);
        release(&p);
    }
    scene_destroy(scene);
    return kept;
}

static void baumgarte_lets_a_kept_violation_decay(void)
{
    static const char *const names[] = {"four-bar", "double-pendulum", "rheonomic-crank", "rolling-disc"};
    for (int i = 0; i < 4; i++) {
        CHECK_CONTEXT("%s", names[i]);
        Kept k = run_kept(names[i], "baumgarte", 5, 2);
        CHECK(k.first > 1e-5 && k.first_rate > 1e-5);
        CHECK(k.last < 1e-2 * k.first && k.last_rate < 1e-2 * k.first_rate);
        CHECK_NEAR(k.position, 0, 1e-8);
        CHECK_NEAR(k.velocity, 0, 1e-7);
    }
}

static void lagrange_carries_a_kept_violation_along(void)
{
    static const char *const names[] = {"four-bar", "double-pendulum", "rheonomic-crank"};
    for (int i = 0; i < 3; i++) {
        CHECK_CONTEXT("%s", names[i]);
        Kept k = run_kept(names[i], "lagrange", 0, 1);
        CHECK(k.last > 1e-5);
        CHECK_NEAR(k.position, 0, 1e-7);
        CHECK_NEAR(k.velocity, 0, 1e-7);
    }
}

/* It projects after the first step; the start itself is kept as it was given. */
static void direct_correction_removes_a_kept_violation(void)
{
    Kept k = run_kept("four-bar", "direct-correction", 0, 1e-3);
    CHECK(k.first > 1e-5 && k.first_rate > 1e-5);
    CHECK_NEAR(k.last, 0, 1e-13);
    CHECK_NEAR(k.last_rate, 0, 1e-12);
}

static void a_start_is_assembled_unless_it_is_kept(void)
{
    Pushed p;
    random_seed(9);
    Scene *scene = scene_create("four-bar", 0);
    REQUIRE(scene != NULL);
    HolSimulation *simulation = NULL;
    if (push(&p, scene, 1e-2)) {
        HolInitialState start = {0, p.q, p.v};
        HolSimulationOptions options = hol_simulation_options();
        CHECK_OK(hol_simulation_create(scene->system, &start, &options, &simulation, NULL));
        CHECK_NEAR(hol_simulation_measures(simulation).position, 0, 1e-13);
        CHECK_NEAR(hol_simulation_measures(simulation).velocity, 0, 1e-12);
        release(&p);
    }
    hol_simulation_destroy(simulation);
    scene_destroy(scene);
}

CHECK_MAIN(TEST(every_scene_is_assembled_to_round_off), TEST(assembly_goes_the_shortest_way),
           TEST(a_consistent_start_stays_where_it_is), TEST(what_cannot_be_assembled_is_left_alone),
           TEST(baumgarte_lets_a_kept_violation_decay), TEST(lagrange_carries_a_kept_violation_along),
           TEST(direct_correction_removes_a_kept_violation), TEST(a_start_is_assembled_unless_it_is_kept))
