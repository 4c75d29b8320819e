/* SPDX-License-Identifier: BSD-3-Clause */
/* Beams from the inside: strains, energies, sections, stresses, and discrete gradients. */
#include "mechanism/beams/evaluate.h"
#include "mechanism/beams/shape.h"
#include "random.h"
#include "unit/flexible.h"

/* Curved, twisted, with a full matrix of stiffness. */
static const char curved[] =
    "gravity: [1, 2, -3]\n"
    "points: {A: [0, 0, 0], M: [1, 0.3, 0.1], B: [2, 0, 0.5]}\n"
    "beams:\n"
    "  b: {from: A, through: M, to: B, elements: 3, order: %d, twist: 40 deg, axis2: [0, 1, 1],\n"
    "      section: {stiffness: [[20, 1, 0, 2, 0, 1], [1, 9, 1, 0, 0, 0], [0, 1, 8, 0, 1, 0],\n"
    "                            [2, 0, 0, 3, 0.2, 0], [0, 0, 1, 0.2, 2, 0.1], [1, 0, 0, 0, 0.1, 1]],\n"
    "                inertia: [[2, 0, 0, 0, 0.2, -0.1], [0, 2, 0, -0.2, 0, 0], [0, 0, 2, 0.1, 0, 0],\n"
    "                          [0, -0.2, 0.1, 0.7, 0, 0], [0.2, 0, 0, 0, 0.4, 0.02], [-0.1, 0, 0, 0, 0.02, 0.3]]}}\n";

static Flexible *open_curved(int order)
{
    char text[1500];
    snprintf(text, sizeof text, curved, order);
    return flexible_open(text);
}

static void shake(Flexible *f, double distance)
{
    for (int i = 0; i < f->pattern->nq; ++i)
        f->q[i] += distance * random_number();
}

static void every_order_agrees_with_finite_differences(void)
{
    random_seed(3);
    for (int order = 1; order <= 3; ++order) {
        Flexible *f = open_curved(order);
        HolMessage message = {{0}};
        CHECK_CONTEXT("order %d", order);
        REQUIRE(f != NULL);
        shake(f, 0.1);
        for (int i = 0; i < f->pattern->nv; ++i)
            f->v[i] = random_number();
        HolPoint at = {0, f->q, f->v};
        if (!CHECK_OK(hol_system_check(f->system, &at, &message)))
            printf("    %s\n", message.text);
        flexible_close(f);
    }
}

/* Q is minus the slope of V, weights and dead loads included; M is singular, so that hol_system_check() does not apply. */
static void forces_are_the_slope_of_the_potential(void)
{
    random_seed(6);
    for (int order = 1; order <= 3; ++order) {
        char text[1500];
        int length = snprintf(text, sizeof text, curved, order);
        snprintf(text + length, sizeof text - (size_t)length,
                 "forces: {w: {line-load: b, vector: [3, -2, 1]}, end: {force: b.end, vector: [1, 0, 2]}}\n");
        Flexible *f = flexible_open(text);
        CHECK_CONTEXT("order %d", order);
        REQUIRE(f != NULL);
        shake(f, 0.1);
        int n = f->pattern->nv;
        double *w = calloc((size_t)n, sizeof *w), V[2], along = 0;
        HolPoint at = {0, f->q, f->v};
        CHECK_OK(hol_system_evaluate(f->system, &at, HOL_WANT_FORCE, f->terms));
        for (int i = 0; i < n; ++i) {
            w[i] = random_number();
            along -= f->terms->Q[i] * w[i];
        }
        for (int k = 0; k < 2; ++k) {
            for (int i = 0; i < n; ++i)
                f->q[i] += (k ? -2e-5 : 1e-5) * w[i];
            CHECK_OK(hol_system_evaluate(f->system, &at, HOL_WANT_ENERGY, f->terms));
            V[k] = f->terms->potential;
        }
        CHECK_NEAR((V[0] - V[1]) / 2e-5, along, 1e-7 * (1 + fabs(along)));
        free(w);
        flexible_close(f);
    }
}

/* Turned about (1, 2, 2)/3 by 2 rad and moved. */
static void move_rigidly(Flexible *f)
{
    static const double n[3] = {1 / 3.0, 2 / 3.0, 2 / 3.0}, move[3] = {3, -1, 2};
    for (int k = 0; k < f->pattern->nq; k += 3) {
        double *x = f->q + k, along = hol_dot3(n, x), across[3];
        hol_cross3(n, x, across);
        for (int i = 0; i < 3; ++i)
            x[i] = cos(2) * x[i] + sin(2) * across[i] + (1 - cos(2)) * along * n[i] + (k % 12 == 0 ? move[i] : 0);
    }
}

static void rigid_motions_change_no_strain(void)
{
    random_seed(4);
    for (int order = 1; order <= 3; ++order) {
        Flexible *f = open_curved(order);
        CHECK_CONTEXT("order %d", order);
        REQUIRE(f != NULL);
        CHECK_NEAR(hol_beams_potential(f->mechanism, f->q), 0, 1e-28);
        move_rigidly(f);
        CHECK_NEAR(hol_beams_potential(f->mechanism, f->q), 0, 1e-28);
        shake(f, 0.1);
        double V = hol_beams_potential(f->mechanism, f->q);
        CHECK(V > 0.01);
        move_rigidly(f);
        CHECK_NEAR(hol_beams_potential(f->mechanism, f->q), V, 1e-12 * V);
        flexible_close(f);
    }
}

/* A beam that keeps its axes and is stretched and sheared evenly has these strains, in whatever elements. */
static void even_strains_are_exact(void)
{
    static const double Gamma[3] = {1.1, 0.2, -0.3};
    for (int order = 1; order <= 3; ++order) {
        char text[500];
        snprintf(text, sizeof text,
                 "beams: {b: {from: [0, 0, 0], to: [2, 0, 0], elements: 2, order: %d,\n"
                 "  section: {EA: 7, GA2: 5, GA3: 3, GJ: 1, EI2: 1, EI3: 1, mass: 1}}}\n",
                 order);
        Flexible *f = flexible_open(text);
        double sigma[6];
        REQUIRE(f != NULL);
        for (int k = 0; k < f->pattern->nq; k += 12)
            for (int i = 2; i >= 0; --i)
                f->q[k + i] = Gamma[i] * f->q[k];
        double V = 2 * (7 * 0.1 * 0.1 + 5 * 0.2 * 0.2 + 3 * 0.3 * 0.3) / 2;
        CHECK_NEAR(hol_beams_potential(f->mechanism, f->q), V, 1e-14);
        for (int i = 0; i <= 8; ++i) {
            const HolBeam *beam = &f->mechanism->beams[0];
            hol_beam_resultants(f->mechanism, beam, i / 8.0, f->q, sigma);
            CHECK_NEAR(sigma[0], 0.7, 1e-13);
            CHECK_NEAR(sigma[1], 1, 1e-13);
            CHECK_NEAR(sigma[2], -0.9, 1e-13);
            CHECK_NEAR(fabs(sigma[3]) + fabs(sigma[4]) + fabs(sigma[5]), 0, 1e-13);
        }
        flexible_close(f);
    }
}

/* What is computed by (4) of beam.h, against sums over many places of a beam that turns and moves as a rigid body. */
static void masses_are_those_of_a_rigid_body(void)
{
    static const double w[3] = {0.3, -0.5, 0.8}, v[3] = {1, 2, 3};
    Flexible *f =
        flexible_open("gravity: [1, 2, -3]\n"
                      "beams: {b: {from: [0, 0, 0], to: [2, 0, 0], axis2: y, elements: 2, order: 2,\n"
                      "  section: {EA: 7, GA2: 5, GA3: 3, GJ: 1, EI2: 1, EI3: 1, mass: 3, J2: 0.5, J3: 0.2}}}\n");
    REQUIRE(f != NULL);
    for (int k = 0; k < f->pattern->nq; k += 3) {
        hol_cross3(w, f->q + k, f->v + k);
        for (int i = 0; i < 3 && k % 12 == 0; ++i)
            f->v[k + i] += v[i];
    }
    HolPoint at = {0, f->q, f->v};
    CHECK_OK(hol_system_evaluate(f->system, &at, HOL_WANT_ENERGY, f->terms));
    /* m = 6, centre at x = 1, J about it: 0.7 * 2 about x, J2 * 2 + 6 * 4 / 12 about y, J3 * 2 + 2 about z */
    const double arm[3] = {1, 0, 0};
    double c[3], T;
    hol_cross3(w, arm, c);
    for (int i = 0; i < 3; ++i)
        c[i] += v[i];
    T = 0.5 * (6 * hol_dot3(c, c) + 1.4 * w[0] * w[0] + 3 * w[1] * w[1] + 2.4 * w[2] * w[2]);
    CHECK_NEAR(f->terms->kinetic, T, 1e-12);
    CHECK_NEAR(f->terms->potential, -6, 1e-12);
    flexible_close(f);
}

static void sections_of_one_material_are_what_books_say(void)
{
    static const struct {
        const char *section;
        double S[6], mass, J[2]; /* J about axes 2 and 3 */
    } cases[] = {
        {"{rectangle: [0.1, 0.2], E: 12e6, G: 5e6, density: 1000}",
         {240e3, 5e6 * 0.02 * 5 / 6, 5e6 * 0.02 * 5 / 6, 5e6 * 0.2286818 * 0.2 * 1e-3, 12e6 * 0.1 * 8e-3 / 12,
          12e6 * 0.2 * 1e-3 / 12},
         20,
         {1000 * 0.1 * 8e-3 / 12, 1000 * 0.2 * 1e-3 / 12}},
        {"{circle: 0.1, E: 26e6, nu: 0.3, density: 1000, shear: [0.8, 0.9]}",
         {26e6 * M_PI * 0.01, 8e6 * M_PI * 0.01, 9e6 * M_PI * 0.01, 1e7 * M_PI * 1e-4 / 2, 26e6 * M_PI * 1e-4 / 4,
          26e6 * M_PI * 1e-4 / 4},
         1000 * M_PI * 0.01,
         {1000 * M_PI * 1e-4 / 4, 1000 * M_PI * 1e-4 / 4}},
        {"{tube: [900 mm, 12 mm], E: 210 GPa, nu: 0.3, density: 7850}",
         {14155262514.838768, 14155262514.838768 / 2.6 * 0.500037535, 14155262514.838768 / 2.6 * 0.500037535,
          5656952490.380097 / 1.3, 5656952490.380097, 5656952490.380097},
         529.1371940070682,
         {529.1371940070682 * 5656952490.380097 / 14155262514.838768,
          529.1371940070682 * 5656952490.380097 / 14155262514.838768}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char text[500];
        snprintf(text, sizeof text, "beams: {b: {from: [0, 0, 0], to: [1, 0, 0], elements: 1, order: 1, section: %s}}",
                 cases[k].section);
        Flexible *f = flexible_open(text);
        CHECK_CONTEXT("%s", cases[k].section);
        REQUIRE(f != NULL);
        const HolBeamElement *e = &f->mechanism->beam_elements[0];
        for (int i = 0; i < 6; ++i)
            CHECK_NEAR(e->points[0].S[i][i], cases[k].S[i], 2e-6 * cases[k].S[i]);
        CHECK_NEAR(e->moments[0][0], cases[k].mass / 2, 1e-12 * cases[k].mass);
        CHECK_NEAR(e->inertia[0][0][2][2], cases[k].J[0] / 3, 1e-12 * cases[k].J[0]);
        CHECK_NEAR(e->inertia[0][0][1][1], cases[k].J[1] / 3, 1e-12 * cases[k].J[1]);
        flexible_close(f);
    }
}

/* The work of Q(middle) + its correction along the way is V_a - V_b, however far. */
static void discrete_gradients_do_the_work_of_the_potential(void)
{
    random_seed(5);
    for (int order = 1; order <= 3; ++order) {
        Flexible *f = open_curved(order);
        CHECK_CONTEXT("order %d", order);
        REQUIRE(f != NULL);
        int n = f->pattern->nv;
        double *a = calloc((size_t)n, sizeof *a), *b = calloc((size_t)n, sizeof *b), work = 0, largest = 0;
        shake(f, 0.3);
        memcpy(a, f->q, (size_t)n * sizeof *a);
        shake(f, 0.5);
        memcpy(b, f->q, (size_t)n * sizeof *b);
        for (int i = 0; i < n; ++i)
            f->q[i] = (a[i] + b[i]) / 2;
        HolPoint at = {0, f->q, f->v};
        HolPoint ends[2] = {{0, a, f->v}, {0, b, f->v}};
        double V[2];
        for (int k = 0; k < 2; ++k) {
            CHECK_OK(hol_system_evaluate(f->system, &ends[k], HOL_WANT_ENERGY, f->terms));
            V[k] = f->terms->potential;
        }
        CHECK_OK(hol_system_evaluate(f->system, &at, HOL_WANT_FORCE, f->terms));
        for (int i = 0; i < n; ++i)
            largest += f->terms->Q[i] * (b[i] - a[i]);
        hol_beams_add_discrete_gradient(f->mechanism, a, b, f->terms->Q);
        for (int i = 0; i < n; ++i)
            work += f->terms->Q[i] * (b[i] - a[i]);
        CHECK_NEAR(work, V[0] - V[1], 1e-11 * (fabs(V[0]) + fabs(V[1])));
        CHECK(fabs(largest - work) > 1e-3 * fabs(V[0] - V[1])); /* the middle alone is not enough */
        free(a);
        free(b);
        flexible_close(f);
    }
}

/* y += factor K x */
static void add_slopes_times(const Flexible *f, double factor, const double *x, double *y)
{
    const HolPattern *p = f->pattern;
    for (int k = 0; k < p->tangent_count; ++k) {
        int columns = hol_part_size(p->block_start, p->tangents[k].column);
        for (int i = 0; i < p->tangent_start[k + 1] - p->tangent_start[k]; ++i)
            y[p->block_start[p->tangents[k].row] + i / columns] +=
                factor * f->terms->K[p->tangent_start[k] + i] * x[p->block_start[p->tangents[k].column] + i % columns];
    }
}

/* Q(middle) + its correction where both ends move by x: the difference quotient, without error since it is cubic in x. */
static void slopes_of_discrete_gradients_are_those_of_their_forces(void)
{
    random_seed(6);
    for (int order = 1; order <= 3; ++order) {
        Flexible *f = open_curved(order);
        CHECK_CONTEXT("order %d", order);
        REQUIRE(f != NULL);
        int n = f->pattern->nv;
        double *a = calloc(6 * (size_t)n, sizeof *a), *b = a + n, *x = a + 2 * n, *Kx = a + 3 * n, *Q[2];
        double largest = 0, more = 0;
        Q[0] = a + 4 * n;
        Q[1] = a + 5 * n;
        shake(f, 0.3);
        memcpy(a, f->q, (size_t)n * sizeof *a);
        shake(f, 0.5);
        memcpy(b, f->q, (size_t)n * sizeof *b);
        random_fill(n, x);
        for (int k = 0; k < 2; ++k) {
            double step = k ? -1e-5 : 1e-5;
            for (int i = 0; i < n; ++i) {
                a[i] += step * x[i];
                b[i] += step * x[i];
                f->q[i] = (a[i] + b[i]) / 2;
            }
            CHECK_OK(hol_system_evaluate(f->system, &(HolPoint){0, f->q, f->v}, HOL_WANT_FORCE, f->terms));
            hol_beams_add_discrete_gradient(f->mechanism, a, b, f->terms->Q);
            memcpy(Q[k], f->terms->Q, (size_t)n * sizeof *a);
            for (int i = 0; i < n; ++i) {
                a[i] -= step * x[i];
                b[i] -= step * x[i];
                f->q[i] = (a[i] + b[i]) / 2;
            }
        }
        CHECK_OK(hol_system_tangent(f->system, &(HolPoint){0, f->q, f->v}, f->v, f->lambda, f->terms));
        add_slopes_times(f, -1, x, Kx);
        more = hol_max_norm(n, Kx);
        CHECK_OK(hol_system_discrete_gradient_tangent(f->system, &(HolPoint){0, f->q, f->v}, a, b, f->terms));
        memset(Kx, 0, (size_t)n * sizeof *Kx);
        add_slopes_times(f, 1, x, Kx);
        largest = hol_max_norm(n, Kx);
        CHECK(fabs(more - largest) > 1e-4 * largest); /* the middle alone is not enough */
        for (int i = 0; i < n; ++i)
            CHECK_NEAR((Q[1][i] - Q[0][i]) / 2e-5, Kx[i], 1e-7 * largest);
        free(a);
        flexible_close(f);
    }
}

CHECK_MAIN(TEST(slopes_of_discrete_gradients_are_those_of_their_forces),
           TEST(every_order_agrees_with_finite_differences), TEST(forces_are_the_slope_of_the_potential),
           TEST(rigid_motions_change_no_strain), TEST(even_strains_are_exact), TEST(masses_are_those_of_a_rigid_body),
           TEST(sections_of_one_material_are_what_books_say), TEST(discrete_gradients_do_the_work_of_the_potential))
