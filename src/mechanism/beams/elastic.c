/* SPDX-License-Identifier: BSD-3-Clause */
/* Strains, stresses and stiffness, (1)-(3) of beam.h. With g the gradient of sigma . eps by r', a_k and a_k',
 *
 *     g_r' = sum n_k a_k,   g_a_k = n_k r' + half of the moments with a',   g_a_k' = half of them with a    (1)
 *     Q_i  = -sum w (N_i' g_r', N_i g_a + N_i' g_a')                                                        (2)
 *     K_ij = sum w (B_i^T S B_j + what (1) changes by where a and r' change under a sigma that stays)       (3) */
#include "mechanism/beams/evaluate.h"
#include "mechanism/beams/shape.h"

#include <string.h>

/* r', a_k and a_k' at a point; also the gradient by them. */
typedef struct Fields {
    double dr[3], a[3][3], da[3][3];
} Fields;

static void elastic_read_fields(const HolBeamElement *e, const HolBeamPoint *p, const double *q, Fields *f)
{
    memset(f, 0, sizeof *f);
    for (int i = 0; i < e->node_count; ++i, q += HOL_NODE_NUMBERS)
        for (int x = 0; x < 3; ++x) {
            f->dr[x] += p->dN[i] * q[x];
            for (int k = 0; k < 3; ++k) {
                f->a[k][x] += p->N[i] * q[3 + 3 * k + x];
                f->da[k][x] += p->dN[i] * q[3 + 3 * k + x];
            }
        }
}

static void strains_of(const Fields *f, double *eps)
{
    for (int k = 0; k < 3; ++k) {
        int j = (k + 1) % 3, l = (k + 2) % 3;
        eps[k] = hol_dot3(f->a[k], f->dr);
        eps[3 + k] = 0.5 * (hol_dot3(f->a[l], f->da[j]) - hol_dot3(f->a[j], f->da[l]));
    }
}

double hol_beam_axis(const HolBeamElement *element, const HolBeamPoint *point, const double *q)
{
    Fields f;
    elastic_read_fields(element, point, q, &f);
    return hol_dot3(f.a[0], f.a[0]);
}

void hol_beam_strains(const HolBeamElement *element, const HolBeamPoint *point, const double *q, double *eps)
{
    Fields f;
    elastic_read_fields(element, point, q, &f);
    strains_of(&f, eps);
}

static void stresses_of(const HolBeamPoint *p, const double *eps, double *sigma)
{
    for (int i = 0; i < HOL_STRAINS; ++i) {
        sigma[i] = 0;
        for (int j = 0; j < HOL_STRAINS; ++j)
            sigma[i] += p->S[i][j] * eps[j];
    }
}

/* (2) of beam.h; returns eps . sigma */
static double respond(const HolBeamPoint *p, const Fields *f, double *sigma)
{
    double eps[HOL_STRAINS], sum = 0;
    strains_of(f, eps);
    for (int i = 0; i < HOL_STRAINS; ++i)
        eps[i] -= p->eps_0[i];
    stresses_of(p, eps, sigma);
    for (int i = 0; i < HOL_STRAINS; ++i)
        sum += eps[i] * sigma[i];
    return sum;
}

/* (1) */
static void gradient_of(const Fields *f, const double *sigma, Fields *g)
{
    memset(g, 0, sizeof *g);
    for (int k = 0; k < 3; ++k) {
        int j = (k + 1) % 3, l = (k + 2) % 3;
        double n = sigma[k], half = 0.5 * sigma[3 + k];
        for (int x = 0; x < 3; ++x) {
            g->dr[x] += n * f->a[k][x];
            g->a[k][x] += n * f->dr[x];
            g->a[l][x] += half * f->da[j][x];
            g->da[j][x] += half * f->a[l][x];
            g->a[j][x] -= half * f->da[l][x];
            g->da[l][x] -= half * f->a[j][x];
        }
    }
}

/* (2): adds factor times the gradient by the nodes. */
static void elastic_spread(const HolBeamElement *e, const HolBeamPoint *p, double factor, const Fields *g, double *to)
{
    for (int i = 0; i < e->node_count; ++i, to += HOL_NODE_NUMBERS)
        for (int x = 0; x < 3; ++x) {
            to[x] += factor * p->dN[i] * g->dr[x];
            for (int k = 0; k < 3; ++k)
                to[3 + 3 * k + x] += factor * (p->N[i] * g->a[k][x] + p->dN[i] * g->da[k][x]);
        }
}

/* If neighbouring nodes rotate in opposite directions, the interpolated axis between them becomes short. Tension
 * increases that, and beyond this limit the element has no stiffness against it. */
static bool is_folded(const HolBeamElement *e, const HolBeamPoint *p, const double *q)
{
    static const double SHORTEST = 0.5; /* relative to what is drawn */
    return !(hol_beam_axis(e, p, q) > SHORTEST * SHORTEST * p->a_1);
}

/* Reports the rows of the first node of the element as undefined. */
static HolStatus elastic_refuse(const HolMotion *motion, const HolBeamElement *e)
{
    const HolPattern *p = motion->mechanism->pattern;
    int row = motion->mechanism->bodies[e->body].rigid_row, group = p->group_count - 1;
    while (group > 0 && p->group_start[group] > row)
        --group;
    motion->terms->undefined_group = group;
    return HOL_SINGULAR;
}

HolStatus hol_beams_refuse_folds(const HolMotion *motion, const double *q)
{
    const HolMechanism *m = motion->mechanism;
    for (int k = 0; k < m->beam_element_count; ++k) {
        const HolBeamElement *e = &m->beam_elements[k];
        for (int i = 0; i < e->node_count - 1; ++i)
            if (is_folded(e, &e->points[i], q + hol_beam_at(m, e)))
                return elastic_refuse(motion, e);
    }
    return HOL_OK;
}

void hol_beams_push(const HolMotion *motion, const double *q)
{
    const HolMechanism *m = motion->mechanism;
    for (int k = 0; k < m->beam_element_count; ++k) {
        const HolBeamElement *e = &m->beam_elements[k];
        int start = hol_beam_at(m, e);
        for (int i = 0; i < e->node_count - 1; ++i) {
            Fields f, g;
            double sigma[HOL_STRAINS];
            elastic_read_fields(e, &e->points[i], q + start, &f);
            respond(&e->points[i], &f, sigma);
            gradient_of(&f, sigma, &g);
            elastic_spread(e, &e->points[i], -e->points[i].weight, &g, motion->terms->Q + start);
        }
    }
}

double hol_beams_potential(const HolMechanism *mechanism, const double *q)
{
    double sum = 0;
    for (int k = 0; k < mechanism->beam_element_count; ++k) {
        const HolBeamElement *e = &mechanism->beam_elements[k];
        for (int i = 0; i < e->node_count - 1; ++i) {
            Fields f;
            double sigma[HOL_STRAINS];
            elastic_read_fields(e, &e->points[i], q + hol_beam_at(mechanism, e), &f);
            sum += 0.5 * e->points[i].weight * respond(&e->points[i], &f, sigma);
        }
    }
    return sum;
}

/* With d = (q_b - q_a)/2 from the middle to the ends, quadratic strains have the mean eps(q_m) + eps(d), the latter of
 * (1) of beam.h alone: that is what the stress of the middle misses. */
void hol_beams_add_discrete_gradient(const HolMechanism *mechanism, const double *q_a, const double *q_b, double *Q)
{
    for (int k = 0; k < mechanism->beam_element_count; ++k) {
        const HolBeamElement *e = &mechanism->beam_elements[k];
        int start = hol_beam_at(mechanism, e), n = HOL_NODE_NUMBERS * e->node_count;
        double middle[HOL_NODE_NUMBERS * HOL_BEAM_NODES], d[HOL_NODE_NUMBERS * HOL_BEAM_NODES];
        for (int i = 0; i < n; ++i) {
            middle[i] = 0.5 * (q_a[start + i] + q_b[start + i]);
            d[i] = 0.5 * (q_b[start + i] - q_a[start + i]);
        }
        for (int i = 0; i < e->node_count - 1; ++i) {
            Fields f, g;
            double eps[HOL_STRAINS], sigma[HOL_STRAINS];
            hol_beam_strains(e, &e->points[i], d, eps);
            stresses_of(&e->points[i], eps, sigma);
            elastic_read_fields(e, &e->points[i], middle, &f);
            gradient_of(&f, sigma, &g);
            elastic_spread(e, &e->points[i], -e->points[i].weight, &g, Q + start);
        }
    }
}

enum { MOST = HOL_NODE_NUMBERS * HOL_BEAM_NODES };

/* Rows of B, and of w S B */
typedef struct Slopes {
    double B[HOL_STRAINS][MOST], SB[HOL_STRAINS][MOST];
} Slopes;

static void elastic_find_slopes(const HolBeamElement *e, const HolBeamPoint *p, const Fields *f, Slopes *s)
{
    int n = HOL_NODE_NUMBERS * e->node_count;
    memset(s, 0, sizeof *s);
    for (int k = 0; k < HOL_STRAINS; ++k) {
        double unit[HOL_STRAINS] = {0};
        Fields g;
        unit[k] = 1;
        gradient_of(f, unit, &g);
        elastic_spread(e, p, 1, &g, s->B[k]);
    }
    for (int k = 0; k < HOL_STRAINS; ++k)
        for (int l = 0; l < HOL_STRAINS; ++l)
            for (int i = 0; i < n && p->S[k][l] != 0; ++i)
                s->SB[k][i] += p->weight * p->S[k][l] * s->B[l][i];
}

/* Block (i, j) of B^T w S B */
static void add_material(const Slopes *s, int i, int j, double *K)
{
    for (int k = 0; k < HOL_STRAINS; ++k)
        for (int row = 0; row < HOL_NODE_NUMBERS; ++row) {
            double b = s->B[k][HOL_NODE_NUMBERS * i + row];
            const double *SB = s->SB[k] + HOL_NODE_NUMBERS * j;
            for (int column = 0; column < HOL_NODE_NUMBERS && b != 0; ++column)
                K[HOL_NODE_NUMBERS * row + column] += b * SB[column];
        }
}

/* A multiple of I where two of the vectors r, a_1, a_2, a_3 meet. */
static void add_unit(double factor, int row, int column, double *K)
{
    for (int x = 0; x < 3; ++x)
        K[HOL_NODE_NUMBERS * (3 * row + x) + 3 * column + x] += factor;
}

static void add_geometric(const HolBeamPoint *p, const double *sigma, int i, int j, double *K)
{
    double rising = p->weight * p->dN[i] * p->N[j], falling = p->weight * p->N[i] * p->dN[j];
    for (int k = 0; k < 3; ++k) {
        int b = 1 + (k + 1) % 3, c = 1 + (k + 2) % 3;
        double half = 0.5 * sigma[3 + k];
        add_unit(sigma[k] * rising, 0, 1 + k, K);
        add_unit(sigma[k] * falling, 1 + k, 0, K);
        add_unit(half * (rising - falling), b, c, K);
        add_unit(half * (falling - rising), c, b, K);
    }
}

static void add_element_tangent(const HolBeamElement *e, const double *q, double *K)
{
    for (int g = 0; g < e->node_count - 1; ++g) {
        const HolBeamPoint *p = &e->points[g];
        Fields f;
        Slopes slopes;
        double sigma[HOL_STRAINS];
        elastic_read_fields(e, p, q, &f);
        respond(p, &f, sigma);
        elastic_find_slopes(e, p, &f, &slopes);
        for (int i = 0; i < e->node_count; ++i)
            for (int j = 0; j < e->node_count; ++j) {
                add_material(&slopes, i, j, K + e->tangent[i][j]);
                add_geometric(p, sigma, i, j, K + e->tangent[i][j]);
            }
    }
}

void hol_beams_add_tangent(const HolMotion *motion, const double *q)
{
    const HolMechanism *m = motion->mechanism;
    for (int k = 0; k < m->beam_element_count; ++k)
        add_element_tangent(&m->beam_elements[k], q + hol_beam_at(m, &m->beam_elements[k]), motion->terms->K);
}

/* B of the middle is the mean of those of the ends, so that only the stress is another one than in the middle. */
void hol_beams_add_discrete_gradient_tangent(const HolMechanism *mechanism, const double *q_a, const double *q_b,
                                             double *K)
{
    for (int k = 0; k < mechanism->beam_element_count; ++k) {
        const HolBeamElement *e = &mechanism->beam_elements[k];
        int start = hol_beam_at(mechanism, e), n = HOL_NODE_NUMBERS * e->node_count;
        double d[MOST], eps[HOL_STRAINS], sigma[HOL_STRAINS];
        for (int i = 0; i < n; ++i)
            d[i] = 0.5 * (q_b[start + i] - q_a[start + i]);
        for (const HolBeamPoint *p = e->points; p < e->points + (e->node_count - 1); ++p) {
            hol_beam_strains(e, p, d, eps);
            stresses_of(p, eps, sigma);
            for (int i = 0; i < e->node_count * e->node_count; ++i)
                add_geometric(p, sigma, i / e->node_count, i % e->node_count,
                              K + e->tangent[i / e->node_count][i % e->node_count]);
        }
    }
}

static void add_element_stiffness(const HolBeamElement *e, const double *q, double *K)
{
    for (const HolBeamPoint *p = e->points; p < e->points + (e->node_count - 1); ++p) {
        Fields f;
        Slopes slopes;
        elastic_read_fields(e, p, q, &f);
        elastic_find_slopes(e, p, &f, &slopes);
        for (int i = 0; i < e->node_count * e->node_count; ++i)
            add_material(&slopes, i / e->node_count, i % e->node_count,
                         K + e->tangent[i / e->node_count][i % e->node_count]);
    }
}

void hol_beams_add_strain_stiffness(const HolMotion *motion, const double *q)
{
    const HolMechanism *m = motion->mechanism;
    for (int k = 0; k < m->beam_element_count; ++k)
        add_element_stiffness(&m->beam_elements[k], q + hol_beam_at(m, &m->beam_elements[k]), motion->terms->K);
}

/* Adds factor times B d, from the fields of the configuration of B and of d. */
static void add_strains_along(const Fields *f, const Fields *d, double factor, double *eps)
{
    for (int k = 0; k < 3; ++k) {
        int j = (k + 1) % 3, l = (k + 2) % 3;
        eps[k] += factor * (hol_dot3(f->a[k], d->dr) + hol_dot3(d->a[k], f->dr));
        eps[3 + k] += 0.5 * factor *
                      (hol_dot3(f->a[l], d->da[j]) + hol_dot3(d->a[l], f->da[j]) - hol_dot3(f->a[j], d->da[l]) -
                       hol_dot3(d->a[j], f->da[l]));
    }
}

/* Strains are quadratic: they change by B of the middle times the change of q. */
static void add_point_strain_forces(const HolBeamElement *e, const HolBeamPoint *p, const HolStrainPath *path,
                                    const double *change, int start, double *Q)
{
    Fields a, m, d, z, g;
    double eps[HOL_STRAINS] = {0}, sigma[HOL_STRAINS];
    elastic_read_fields(e, p, path->q_a + start, &a);
    elastic_read_fields(e, p, path->q_m + start, &m);
    elastic_read_fields(e, p, change, &d);
    elastic_read_fields(e, p, path->z + start, &z);
    add_strains_along(&m, &d, path->of_change, eps);
    add_strains_along(&a, &z, path->of_z, eps);
    stresses_of(p, eps, sigma);
    gradient_of(path->at_a ? &a : &m, sigma, &g);
    elastic_spread(e, p, -p->weight, &g, Q + start);
}

void hol_beams_add_strain_forces(const HolMechanism *mechanism, const HolStrainPath *path, double *Q)
{
    for (int k = 0; k < mechanism->beam_element_count; ++k) {
        const HolBeamElement *e = &mechanism->beam_elements[k];
        int start = hol_beam_at(mechanism, e);
        double change[MOST];
        for (int i = 0; i < HOL_NODE_NUMBERS * e->node_count; ++i)
            change[i] = path->q_b[start + i] - path->q_a[start + i];
        for (const HolBeamPoint *p = e->points; p < e->points + (e->node_count - 1); ++p)
            add_point_strain_forces(e, p, path, change, start, Q);
    }
}

void hol_beam_resultants(const HolMechanism *mechanism, const HolBeam *beam, double x, const double *q, double *sigma)
{
    int n = beam->element_count, index = (int)(x * n);
    index = index < 0 ? 0 : index < n ? index : n - 1;
    const HolBeamElement *e = &mechanism->beam_elements[beam->first_element + index];
    double weights[HOL_BEAM_NODES];
    hol_gauss_interpolate(e->node_count - 1, 2 * (x * n - index) - 1, weights);
    memset(sigma, 0, HOL_STRAINS * sizeof *sigma);
    for (int i = 0; i < e->node_count - 1; ++i) {
        Fields f;
        double here[HOL_STRAINS];
        elastic_read_fields(e, &e->points[i], q + hol_beam_at(mechanism, e), &f);
        respond(&e->points[i], &f, here);
        for (int k = 0; k < HOL_STRAINS; ++k)
            sigma[k] += weights[i] * here[k];
    }
}

void hol_beam_mean_resultants(const HolMechanism *mechanism, const HolBeam *beam, double x, const HolState *state,
                              double *sigma)
{
    double before[HOL_STRAINS];
    hol_beam_resultants(mechanism, beam, x, state->q, sigma);
    if (!state->q_before)
        return;
    hol_beam_resultants(mechanism, beam, x, state->q_before, before);
    for (int i = 0; i < HOL_STRAINS; ++i)
        sigma[i] = (sigma[i] + before[i]) / 2;
}
