/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the least gap: where it ends, what it makes of rows of any size, and what it does where the system is
 * not defined. And the yardsticks it uses. */
#include "simulate/assembly/minimum_residual.h"

#include "check.h"
#include "linkage.h"
#include "simulate/assembly/row_residual.h"
#include "system_of.h"

/* A point in the plane with up to four rows, each evaluated by the same function. */
typedef struct Plane {
    int m;
    double (*row)(int i, const double *q, double *D);
    double scale[4];
    double wall;      /* not defined for x beyond it; 0: defined everywhere */
    HolStatus beyond; /* what is answered there */
    long evaluations;
} Plane;

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    Plane *plane = (Plane *)self;
    (void)want;
    ++plane->evaluations;
    if (plane->wall > 0 && at->q[0] > plane->wall)
        return plane->beyond;
    terms->M[0] = terms->M[3] = 1;
    for (int i = 0; i < plane->m; i++) {
        terms->Phi[i] = plane->scale[i] * plane->row(i, at->q, terms->D + 2 * i);
        terms->D[2 * i] *= plane->scale[i];
        terms->D[2 * i + 1] *= plane->scale[i];
    }
    return HOL_OK;
}

static HolSystem *plane_system(Plane *plane)
{
    static const HolSystemOps ops = {.evaluate = evaluate};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = plane;
    spec.nq = spec.nv = 2;
    spec.nh = plane->m;
    spec.scleronomic = true;
    for (int i = 0; i < 4; i++)
        plane->scale[i] = plane->scale[i] != 0 ? plane->scale[i] : 1;
    return system_of(&spec);
}

typedef struct Found {
    HolStatus status;
    double q[2], Phi[4];
} Found;

static Found search(Plane *plane, double x, double y)
{
    static const double v[2];
    Found found = {.status = HOL_NO_MEMORY, .q = {x, y}};
    HolSystem *system = plane_system(plane);
    HolArena *arena = hol_arena_create();
    HolWorkspace *work = NULL;
    HolMinimumResidual *gap = NULL;
    if (CHECK(system && arena) && CHECK_OK(hol_workspace_create(system, arena, &work)) &&
        CHECK_OK(hol_minimum_residual_create(arena, work, &gap))) {
        found.status = hol_minimum_residual_find(gap, 1e-10, 0, found.q, v);
        memcpy(found.Phi, work->terms->Phi, (size_t)plane->m * sizeof *found.Phi);
    }
    hol_workspace_destroy(work);
    hol_arena_destroy(arena);
    hol_system_destroy(system);
    return found;
}

/* x = 0, x = 1, x = 5 and y = 0 */
static double lines(int i, const double *q, double *D)
{
    static const double at[] = {0, 1, 5};
    D[0] = i < 3;
    D[1] = i == 3;
    return i < 3 ? q[0] - at[i] : q[1];
}

static void contradicting_lines_meet_in_the_middle(void)
{
    Plane plane = {.m = 4, .row = lines};
    Found found = search(&plane, 100, -30);
    CHECK_STATUS(found.status, HOL_NO_CONVERGENCE);
    CHECK_NEAR(found.q[0], 2, 1e-6);
    CHECK_NEAR(found.q[1], 0, 1e-6);
    CHECK_NEAR(found.Phi[2], -3, 1e-6); /* where the workspace stands */
}

static void the_scale_of_a_row_does_not_matter(void)
{
    Plane plane = {.m = 4, .row = lines, .scale = {1e3, 1, 1e-3, 1e5}};
    Found found = search(&plane, 100, -30);
    CHECK_STATUS(found.status, HOL_NO_CONVERGENCE);
    CHECK_NEAR(found.q[0], 2, 1e-6);
    CHECK_NEAR(found.q[1], 0, 1e-6);
}

/* Circles about the origin with the same centre: least where rho^2 is the mean of the squares of their radii. */
static double circles(int i, const double *q, double *D)
{
    const double radius = i + 1;
    D[0] = q[0];
    D[1] = q[1];
    return (q[0] * q[0] + q[1] * q[1] - radius * radius) / 2;
}

static void contradicting_circles_meet_in_the_middle(void)
{
    Plane plane = {.m = 2, .row = circles};
    Found found = search(&plane, 0.1, -0.2);
    CHECK_STATUS(found.status, HOL_NO_CONVERGENCE);
    CHECK_NEAR(hypot(found.q[0], found.q[1]), sqrt(2.5), 1e-6);
}

static void one_circle_is_reached_quickly(void)
{
    static const double starts[][2] = {{1e-3, 0}, {1e-12, 1e-12}, {1, 1}, {50, -20}, {0, 1e4}};
    for (int i = 0; i < 5; i++) {
        Plane plane = {.m = 1, .row = circles};
        CHECK_CONTEXT("start %d", i);
        Found found = search(&plane, starts[i][0], starts[i][1]);
        CHECK_OK(found.status);
        CHECK_NEAR(hypot(found.q[0], found.q[1]), 1, 1e-9);
        CHECK(plane.evaluations <= 32); /* 30 iterations, the initial and the final configuration */
    }
}

/* At the centre D is zero, so that it gives neither a direction nor a distance. */
static void without_direction_the_point_stays(void)
{
    Plane plane = {.m = 1, .row = circles};
    Found found = search(&plane, 0, 0);
    CHECK_STATUS(found.status, HOL_NO_CONVERGENCE);
    CHECK(found.q[0] == 0 && found.q[1] == 0 && found.Phi[0] == -0.5);
    CHECK(plane.evaluations < 50);
}

/* x y = 0 and x + y = 2 from their saddle on x = y */
static double saddle(int i, const double *q, double *D)
{
    D[0] = i == 0 ? q[1] : 1;
    D[1] = i == 0 ? q[0] : 1;
    return i == 0 ? q[0] * q[1] : q[0] + q[1] - 2;
}

static void a_saddle_is_left(void)
{
    Plane plane = {.m = 2, .row = saddle};
    Found found = search(&plane, 0.7, 0.7);
    CHECK_OK(found.status);
    CHECK_NEAR(fmax(found.q[0], found.q[1]), 2, 1e-9);
    CHECK_NEAR(fmin(found.q[0], found.q[1]), 0, 1e-9);
}

/* The short way to the circle of radius 3 leads beyond the wall: another one is found. */
static double ring(int i, const double *q, double *D)
{
    (void)i;
    double rho = hypot(q[0], q[1]);
    D[0] = q[0] / rho;
    D[1] = q[1] / rho;
    return rho - 3;
}

static void where_the_system_is_not_defined_nothing_is_sought(void)
{
    static const HolStatus answers[] = {HOL_NOT_FINITE, HOL_SINGULAR};
    for (int i = 0; i < 2; i++) {
        Plane plane = {.m = 1, .row = ring, .wall = 2, .beyond = answers[i]};
        Found found = search(&plane, 1.9, 0.4);
        CHECK_OK(found.status);
        CHECK_NEAR(hypot(found.q[0], found.q[1]), 3, 1e-9);
        CHECK(found.q[0] <= 2);
    }
}

static void other_failures_are_passed_on(void)
{
    Plane plane = {.m = 1, .row = ring, .wall = 2, .beyond = HOL_UNSUPPORTED};
    Found found = search(&plane, 1.9, 0.4);
    CHECK_STATUS(found.status, HOL_UNSUPPORTED);
    CHECK(found.q[0] == 1.9 && found.q[1] == 0.4);
    Plane beyond = {.m = 1, .row = ring, .wall = 1, .beyond = HOL_NOT_FINITE};
    CHECK_STATUS(search(&beyond, 1.9, 0.4).status, HOL_NOT_FINITE);
}

/* A pin has the size 1 of its translations wherever its arms are longer, once it has been seen in two places. */
static void pins_are_measured_by_their_translations(void)
{
    Linkage l = linkage_four_bar(100, 200, 200, 250);
    HolSystem *system = linkage_create(&l);
    HolArena *arena = hol_arena_create();
    HolTerms *terms = NULL;
    HolRowResidual *rows = NULL;
    REQUIRE(system != NULL && arena != NULL);
    REQUIRE_OK(hol_terms_create(system, &terms));
    REQUIRE_OK(hol_row_residual_create(arena, hol_system_pattern(system), &rows));
    hol_row_residual_reset(rows, 1000);
    for (int k = 0; k < 2; k++) {
        double v[9] = {0};
        for (int b = 0; b < 3; b++)
            l.q[3 * b + 2] = 0.7 + k;
        CHECK_OK(hol_system_evaluate(system, &(HolPoint){0, l.q, v}, HOL_WANT_ALL, terms));
        rows->own_units = true;
        hol_row_residual_read(rows, terms, true);
        CHECK(k == 1 ? rows->size[2] == 1 : rows->size[2] > 50);
    }
    CHECK_NEAR(rows->distance, fabs(rows->open), 0);
    CHECK_NEAR(rows->score, rows->F, 1e-12 * rows->F);
    hol_terms_destroy(terms);
    hol_arena_destroy(arena);
    hol_system_destroy(system);
}

CHECK_MAIN(TEST(contradicting_lines_meet_in_the_middle), TEST(the_scale_of_a_row_does_not_matter),
           TEST(contradicting_circles_meet_in_the_middle), TEST(one_circle_is_reached_quickly),
           TEST(without_direction_the_point_stays), TEST(a_saddle_is_left),
           TEST(where_the_system_is_not_defined_nothing_is_sought), TEST(other_failures_are_passed_on),
           TEST(pins_are_measured_by_their_translations))
