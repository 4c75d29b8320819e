/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank and null space of D^T, against null spaces that are known and singular values. */
#include "simulate/diagnosis/redundancy.h"

#include "check.h"
#include "linalg/block/blocks.h"
#include "linkage.h"
#include "singular_values.h"
#include "system_of.h"
#include "systems/scenes.h"

#include <stdlib.h>

typedef struct Bench {
    HolArena *arena;
    HolWorkspace *work;
    HolRedundancy *r;
} Bench;

static bool bench_open(Bench *b, const HolSystem *system, const double *q, const double *v)
{
    *b = (Bench){.arena = hol_arena_create()};
    if (!CHECK(system != NULL && b->arena != NULL) || !CHECK_OK(hol_workspace_create(system, b->arena, &b->work)))
        return false;
    hol_workspace_move(b->work, 0, q, v);
    return CHECK_OK(hol_workspace_need(b->work, HOL_WANT_JACOBIAN)) &&
           CHECK_OK(hol_redundancy_create(b->arena, b->work, &b->r));
}

static void bench_close(Bench *b)
{
    hol_workspace_destroy(b->work);
    hol_arena_destroy(b->arena);
}

static int dense_rank(const Bench *b)
{
    const HolPattern *p = b->work->pattern;
    int rank = 0, most = p->m < p->nv ? p->m : p->nv;
    double *D = calloc((size_t)(p->m * p->nv + most + p->m), sizeof *D), *sigma = D + p->m * p->nv,
           *size = sigma + most;
    hol_jacobian_dense_scaled(p, b->work->terms->D, D, size);
    CHECK_OK(singular_values(p->m, p->nv, D, sigma));
    while (rank < most && sigma[rank] > 1e-9 * sigma[0])
        ++rank;
    free(D);
    return rank;
}

/* |D^T n| against the sizes of what is summed up */
static double error_of(const Bench *b, const double *n)
{
    const HolPattern *p = b->work->pattern;
    double *d = calloc((size_t)p->nv, sizeof *d), size = 0;
    hol_jacobian_add_transposed(p, b->work->terms->D, n, d);
    double *rows = calloc((size_t)p->m, sizeof *rows);
    hol_jacobian_row_sizes(p, b->work->terms->D, rows);
    for (int i = 0; i < p->m; i++)
        size = fmax(size, fabs(n[i]) * rows[i]);
    double error = hol_max_norm(p->nv, d) / (size > 0 ? size : 1);
    free(d);
    free(rows);
    return error;
}

/* Ranks agree; each vector is -1 at its own row, zero at the other redundant ones, and D^T n = 0. */
static void check_null_space(const Bench *b, int redundant_count)
{
    const HolRedundancy *r = b->r;
    int rank = -1, m = b->work->pattern->m;
    CHECK_EQUAL_INT(r->redundant_count, redundant_count);
    CHECK_EQUAL_INT(r->rank, m - redundant_count);
    CHECK_EQUAL_INT(dense_rank(b), r->rank);
    CHECK_OK(hol_count_rank(b->work, &rank));
    CHECK_EQUAL_INT(rank, r->rank);
    for (int k = 0; k < r->redundant_count; k++) {
        CHECK(r->redundant[k] >= 0 && r->redundant[k] < m && (k == 0 || r->redundant[k] > r->redundant[k - 1]));
        for (int l = 0; l < r->redundant_count; l++)
            CHECK(r->null_vectors[k][r->redundant[l]] == (k == l ? -1 : 0));
        CHECK_NEAR(error_of(b, r->null_vectors[k]), 0, 1e-12);
    }
}

/* Constant rows in three coordinates. */
typedef struct Rows {
    int m;
    double D[6][3];
} Rows;

static HolStatus evaluate_rows(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Rows *rows = self;
    (void)at, (void)want;
    memcpy(terms->D, rows->D, sizeof *rows->D * (size_t)rows->m);
    terms->M[0] = terms->M[4] = terms->M[8] = 1;
    return HOL_OK;
}

static HolSystem *rows_system(const Rows *rows)
{
    static const HolSystemOps ops = {.evaluate = evaluate_rows};
    static const int sizes[] = {1, 1, 1, 1, 1, 1};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = rows;
    spec.nq = spec.nv = 3;
    spec.nh = spec.group_count = rows->m;
    spec.group_sizes = sizes;
    return system_of(&spec);
}

static const double zero[64];

/* Of dependent rows any may be the redundant one; n is known up to its factor. */
static void check_direction(const double *n, int m, const double *expected)
{
    double nn = 0, ne = 0, ee = 0;
    for (int i = 0; i < m; i++) {
        nn += n[i] * n[i];
        ne += n[i] * expected[i];
        ee += expected[i] * expected[i];
    }
    CHECK_NEAR(fabs(ne) / sqrt(nn * ee), 1, 1e-14);
}

static void independent_rows_have_no_null_space(void)
{
    static const Rows rows = {.m = 3, .D = {{1, 2, 0}, {0, 1, 1e-4}, {1, 0, 1}}};
    HolSystem *system = rows_system(&rows);
    Bench b;
    if (bench_open(&b, system, zero, zero))
        check_null_space(&b, 0);
    bench_close(&b);
    hol_system_destroy(system);
}

static void a_copy_is_its_original(void)
{
    static const Rows rows = {.m = 3, .D = {{1, 2, 3}, {0, 1, -1}, {-2, -4, -6}}};
    static const double expected[] = {2, 0, 1};
    HolSystem *system = rows_system(&rows);
    Bench b;
    if (bench_open(&b, system, zero, zero)) {
        check_null_space(&b, 1);
        check_direction(b.r->null_vectors[0], 3, expected);
    }
    bench_close(&b);
    hol_system_destroy(system);
}

/* Row 2 = 2 row 0 - 3 row 1, whatever their scales. */
static void combinations_are_found(void)
{
    static const double scales[] = {1, 1e6, 1e-6};
    for (int i = 0; i < 3; i++) {
        double s = scales[i];
        const Rows rows = {.m = 3, .D = {{1, 0, 2}, {0, s, s}, {2, -3, 1}}};
        const double expected[] = {2, -3 / s, -1};
        HolSystem *system = rows_system(&rows);
        Bench b;
        CHECK_CONTEXT("scale %g", s);
        if (bench_open(&b, system, zero, zero)) {
            check_null_space(&b, 1);
            check_direction(b.r->null_vectors[0], 3, expected);
        }
        bench_close(&b);
        hol_system_destroy(system);
    }
}

/* Six rows in three coordinates, one of them zero. */
static void several_redundant_rows_have_a_basis(void)
{
    static const Rows rows = {.m = 6, .D = {{1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {0, 3, 0}, {1, 2, 3}, {0, 0, 1}}};
    HolSystem *system = rows_system(&rows);
    Bench b;
    if (bench_open(&b, system, zero, zero))
        check_null_space(&b, 3);
    bench_close(&b);
    hol_system_destroy(system);
}

/* Rows that differ by 1e-7 are independent, by less than 1e-9 they are not. */
static void nearly_dependent_rows_count_as_elsewhere(void)
{
    for (int i = 0; i < 2; i++) {
        const Rows rows = {.m = 2, .D = {{1, 1, 0}, {1, 1, i ? 1e-11 : 1e-7}}};
        HolSystem *system = rows_system(&rows);
        Bench b;
        if (bench_open(&b, system, zero, zero))
            CHECK_EQUAL_INT(b.r->redundant_count, i);
        bench_close(&b);
        hol_system_destroy(system);
    }
}

/* A parallelogram A B C D with a third crank from E to F, half-way. The third crank and the two halves of the coupler
 * carry a force along themselves that needs no load: cranks -1, 2, -1. In rows: the pins of a crank pass it on. */
static void a_parallelogram_with_a_third_crank_has_one_redundant_row(void)
{
    const double c = cos(1.1), s = sin(1.1);
    Linkage l = linkage_four_bar(1, 2, 1, 2);
    l.body_count = 4;
    l.joint_count = 6;
    l.mass[3] = 1;
    l.joints[4] = (LinkageJoint){"E", {GROUND, 3}, {{1}, {-0.5}}, {{0}, {0}}, 0};
    l.joints[5] = (LinkageJoint){"F", {3, 1}, {{0.5}, {0}}, {{0}, {0}}, 0};
    const double q[12] = {c / 2, s / 2, 1.1, c + 1, s, 0, 2 + c / 2, s / 2, 1.1, 1 + c / 2, s / 2, 1.1};
    /* forces of the first on the second body of each pin; C is coupler on follower */
    const double expected[12] = {c, s, c, s, -c, -s, c, s, -2 * c, -2 * s, -2 * c, -2 * s};
    HolSystem *system = linkage_create(&l);
    Bench b;
    if (bench_open(&b, system, q, zero)) {
        check_null_space(&b, 1);
        check_direction(b.r->null_vectors[0], 12, expected);
    }
    bench_close(&b);
    hol_system_destroy(system);
}

/* Parallel hinges in space ask three things twice; seven that lean ask nothing twice. */
static void loops_of_hinges_are_redundant(void)
{
    for (int sides = 4; sides <= 7; sides++) {
        Linkage parallel = linkage_polygon(sides, 127, 0), lean = linkage_polygon(7, 127, 0.3);
        HolSystem *system = linkage_create(sides < 7 ? &parallel : &lean);
        Bench b;
        CHECK_CONTEXT("%d hinges", sides);
        if (bench_open(&b, system, sides < 7 ? parallel.q : lean.q, zero))
            check_null_space(&b, sides < 7 ? 3 : 0);
        bench_close(&b);
        hol_system_destroy(system);
    }
}

/* A long row of parallelograms lying flat: one redundant row for each loop, and an ill-conditioned D. */
static void long_null_vectors_are_accurate(void)
{
    enum { LOOPS = 60 };
    Scene *scene = scene_create("n-four-bar", LOOPS);
    REQUIRE(scene != NULL);
    double *q = calloc(6 * LOOPS + 3, sizeof *q), *v = calloc(6 * LOOPS + 3, sizeof *v);
    for (int k = 0; k <= LOOPS; k++) {
        q[6 * k] = k + 0.5;
        if (k > 0)
            q[6 * k - 3] = k + 0.5;
    }
    Bench b;
    if (bench_open(&b, scene->system, q, v))
        check_null_space(&b, LOOPS);
    bench_close(&b);
    free(q);
    free(v);
    scene_destroy(scene);
}

CHECK_MAIN(TEST(independent_rows_have_no_null_space), TEST(a_copy_is_its_original), TEST(combinations_are_found),
           TEST(several_redundant_rows_have_a_basis), TEST(nearly_dependent_rows_count_as_elsewhere),
           TEST(a_parallelogram_with_a_third_crank_has_one_redundant_row), TEST(loops_of_hinges_are_redundant),
           TEST(long_null_vectors_are_accurate))
