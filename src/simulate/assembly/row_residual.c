/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/assembly/row_residual.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

/* The mass of a coordinate that has none, as a part of the largest one of its block. */
static const double LEAST_MASS = HOL_TOL_MASS;
/* Numbers of D that differ by less are the same. */
static const double ROUNDING = HOL_TOL_AMPLIFIED;

HolStatus hol_row_residual_create(HolArena *arena, const HolPattern *p, HolRowResidual **rows)
{
    HolRowResidual *r = hol_arena_alloc(arena, sizeof *r);
    HOL_TRY(hol_arena_status(arena));
    r->pattern = p;
    HOL_DOUBLES(arena, p->m, &r->Phi, &r->size, &r->yield, &r->length, &r->scratch);
    r->M = hol_arena_doubles(arena, (size_t)p->mass_start[p->mass_pair_count]);
    r->D = hol_arena_doubles(arena, (size_t)p->pair_start[p->pair_count]);
    r->is_linear = hol_arena_alloc(arena, (size_t)p->pair_start[p->pair_count]);
    *rows = r;
    return hol_arena_status(arena);
}

void hol_row_residual_reset(HolRowResidual *rows, double reach)
{
    rows->reach = reach;
    rows->equal_masses = rows->own_units = false;
    rows->is_first = true;
    memset(rows->is_linear, 1, (size_t)rows->pattern->pair_start[rows->pattern->pair_count]);
}

double hol_row_residual_sum(const HolRowResidual *rows, const double *Phi)
{
    double sum = 0;
    for (int i = 0; i < rows->pattern->nh; ++i)
        sum += Phi[i] / rows->size[i] * (Phi[i] / rows->size[i]);
    return sum / 2;
}

static int block_size(const HolRowResidual *r, int block)
{
    return hol_part_size(r->pattern->block_start, block);
}

static double largest_mass(const HolRowResidual *r, int block)
{
    double largest = 0;
    for (int i = 0; i < block_size(r, block); ++i)
        largest = fmax(largest, *hol_row_residual_mass(r, block, i));
    return largest;
}

/* A block of M, with its neighbours, divided so that its largest mass becomes one. */
static void equalize_masses(HolRowResidual *r)
{
    const HolPattern *p = r->pattern;
    for (int k = p->mass_pair_count - 1; k >= 0; --k) { /* diagonal blocks, which determine the factors, come last */
        double factor = 1 / sqrt(largest_mass(r, p->mass_pairs[k].row) * largest_mass(r, p->mass_pairs[k].column));
        for (int i = p->mass_start[k]; i < p->mass_start[k + 1]; ++i)
            r->M[i] *= factor;
    }
}

static void read_masses(HolRowResidual *r, const double *M)
{
    const HolPattern *p = r->pattern;
    double largest = 0;
    memcpy(r->M, M, (size_t)p->mass_start[p->mass_pair_count] * sizeof *M);
    for (int b = 0; b < p->block_count; ++b)
        largest = fmax(largest, largest_mass(r, b));
    for (int b = 0; b < p->block_count; ++b) {
        double own = largest_mass(r, b), least = own > 0 ? LEAST_MASS * own : largest > 0 ? LEAST_MASS * largest : 1;
        for (int i = 0; i < block_size(r, b); ++i)
            *hol_row_residual_mass(r, b, i) = fmax(*hol_row_residual_mass(r, b, i), least);
    }
    if (r->equal_masses)
        equalize_masses(r);
}

static void read_jacobian(HolRowResidual *r, const double *D)
{
    for (int i = 0; i < r->pattern->pair_start[r->pattern->pair_count]; ++i) {
        if (!r->is_first && fabs(D[i] - r->D[i]) > ROUNDING * fabs(D[i]))
            r->is_linear[i] = 0;
        r->D[i] = D[i];
    }
    r->is_first = false;
}

/* length_i, the size of row i in its own unit. */
static void measure_lengths(HolRowResidual *r)
{
    const HolPattern *p = r->pattern;
    double *of_linear = r->length, *of_all = r->scratch;
    hol_jacobian_row_sizes(p, r->D, of_all);
    memset(of_linear, 0, (size_t)p->m * sizeof *of_linear);
    for (int k = 0; k < p->pair_count; ++k) {
        int row = p->group_start[p->pairs[k].row], n = block_size(r, p->pairs[k].column), from = p->pair_start[k];
        for (int i = from; i < p->pair_start[k + 1]; ++i)
            if (r->is_linear[i])
                of_linear[row + (i - from) / n] = fmax(of_linear[row + (i - from) / n], fabs(r->D[i]));
    }
    for (int i = 0; i < p->m; ++i)
        r->length[i] = of_linear[i] > 0 ? of_linear[i] : of_all[i];
}

/* yield_i = D_i M^-1 D_i^T with the diagonal of M, and the largest 1 / M_jj that row i might see. */
static void measure_yields(HolRowResidual *r, double *most)
{
    const HolPattern *p = r->pattern;
    memset(r->yield, 0, (size_t)p->m * sizeof *r->yield);
    memset(most, 0, (size_t)p->m * sizeof *most);
    for (int k = 0; k < p->pair_count; ++k) {
        int row = p->group_start[p->pairs[k].row], b = p->pairs[k].column, n = block_size(r, b),
            from = p->pair_start[k];
        for (int i = from; i < p->pair_start[k + 1]; ++i) {
            double inverse = 1 / *hol_row_residual_mass(r, b, (i - from) % n);
            r->yield[row + (i - from) / n] += r->D[i] * r->D[i] * inverse;
            most[row + (i - from) / n] = fmax(most[row + (i - from) / n], inverse);
        }
    }
}

/* If the residual of a row exceeds what D and the largest possible motion can close, the row is singular here. Its size
 * is then raised until the motion just suffices. */
static double row_residual_size(const HolRowResidual *r, int i, double most)
{
    double least = i < r->pattern->nh ? fabs(r->Phi[i]) / r->reach : 0;
    bool is_singular = r->length[i] < least;
    if (is_singular)
        r->length[i] = least;
    if (r->own_units)
        return r->length[i];
    return is_singular ? least * sqrt(most) : sqrt(r->yield[i]);
}

static void measure_sizes(HolRowResidual *r, bool anew)
{
    double *most = r->scratch;
    measure_lengths(r);
    measure_yields(r, most);
    r->mobility = 0;
    for (int i = 0; i < r->pattern->m; ++i) {
        double size = fmax(row_residual_size(r, i, most[i]), anew ? 0 : r->size[i]);
        r->size[i] = size > 0 ? size : 1;
        r->mobility = fmax(r->mobility, r->yield[i] / (r->size[i] * r->size[i]));
    }
}

static void measure_gaps(HolRowResidual *r)
{
    r->open = r->distance = r->score = 0;
    for (int i = 0; i < r->pattern->nh; ++i) {
        double distance = r->length[i] > 0 ? fabs(r->Phi[i]) / r->length[i] : 0;
        r->open = fmax(r->open, fabs(r->Phi[i]) / r->size[i]);
        r->distance = fmax(r->distance, distance);
        r->score += distance * distance / 2;
    }
    r->F = hol_row_residual_sum(r, r->Phi);
}

void hol_row_residual_read(HolRowResidual *rows, const HolTerms *terms, bool anew)
{
    read_masses(rows, terms->M);
    read_jacobian(rows, terms->D);
    memcpy(rows->Phi, terms->Phi, (size_t)rows->pattern->nh * sizeof *rows->Phi);
    measure_sizes(rows, anew);
    measure_gaps(rows);
}
