/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that stand on one block alone, eliminated with the block: the length of a planar body's axis, for example.
 *
 * Where every block has one such row, g x = c_g, and M^-1 = diag(t^2), the block is seen as y = x / t, with a unit
 * mass:
 *
 *     e = g t / |g t|,    e y = c_e := c_g / |g t|                                                         (1)
 *     H = I - b u u^T,    u = e + sign(e_n) e_n,   b = 1/(1 + |e_n|):   H e = -sign(e_n) e_n               (2)
 *     y = H [z; 0] + e c_e                                                                                 (3)
 *
 * z has one number less, and is free of the row. The other rows E = D t then are E H without its last column, with
 * c - E e c_e on their right side, and force H^T t f: equations with a unit mass and fewer rows, for another solver.
 * Afterwards
 *
 *     lambda_g = (c_e - e (t f + E^T lambda)) / |g t|                                                      (4) */
#include "base/message.h"
#include "linalg/blocks.h"
#include "linalg/schur_internal.h"
#include "math/kernels.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 16 };

/* One block and its own row. */
typedef struct Block {
    double e[MOST_COLUMNS], u[MOST_COLUMNS];
    double b, size, c; /* b of (2), |g t|, c_e */
    double pull;       /* e (t f + E^T lambda) */
    int row, value;    /* of its own row, and where that is in D */
} Block;

/* A pair of the other rows. */
typedef struct Pair {
    int block;
    int row, rows;      /* among all rows, */
    int inner_row;      /* and among those of the inner solver */
    int value, reduced; /* where it begins in D and in its reduced copy */
} Pair;

struct HolSchurLocal {
    int n, block_count, pair_count;
    Block *blocks;
    Pair *pairs;
    HolPattern pattern; /* of the inner solver */
    HolSchur *inner;
    int *row_of; /* of each inner row among all */
    double *D, *Ee, *f, *c, *z, *lambda;
    double *taken; /* (E e)^2 of each inner row, for its pivots */
    unsigned char *left_out;
};

/* ---- Set-up ---- */

/* For each group the block whose own it is, or -1; false if some block has none, or sizes differ. Of several that a
 * block might have, the last. */
static bool find_own_groups(const HolPattern *p, int *owner, int *own)
{
    int n = p->block_count ? hol_part_size(p->block_start, 0) : 0;
    for (int b = 0; b < p->block_count; ++b)
        own[b] = -1;
    for (int g = 0; g < p->group_count; ++g) {
        owner[g] = -1;
        if (hol_part_size(p->group_pairs, g) == 1 && hol_part_size(p->group_start, g) == 1)
            own[p->pairs[p->group_pairs[g]].column] = g;
    }
    for (int b = 0; b < p->block_count; ++b) {
        if (own[b] < 0 || hol_part_size(p->block_start, b) != n)
            return false;
        owner[own[b]] = b;
    }
    return p->block_count > 0 && n > 1 && n <= MOST_COLUMNS && p->group_count > p->block_count;
}

/* The pattern without the blocks' own rows, and with one column less in each block. */
typedef struct Reduced {
    int *block_start, *group_start, *pair_start, *group_pairs, *mass_start;
    HolPair *pairs;
} Reduced;

static bool take_memory(HolSchurLocal *s, HolArena *arena, const HolPattern *p, Reduced *r)
{
    size_t blocks = (size_t)p->block_count + 1, groups = (size_t)p->group_count + 1, pairs = (size_t)p->pair_count + 1;
    r->block_start = hol_arena_ints(arena, blocks);
    r->mass_start = hol_arena_ints(arena, blocks);
    r->group_start = hol_arena_ints(arena, groups);
    r->group_pairs = hol_arena_ints(arena, groups);
    r->pair_start = hol_arena_ints(arena, pairs);
    r->pairs = hol_arena_alloc(arena, pairs * sizeof *r->pairs);
    s->blocks = hol_arena_alloc(arena, blocks * sizeof *s->blocks);
    s->pairs = hol_arena_alloc(arena, pairs * sizeof *s->pairs);
    s->row_of = hol_arena_ints(arena, (size_t)p->m);
    s->D = hol_arena_doubles(arena, (size_t)p->pair_start[p->pair_count]);
    s->Ee = hol_arena_doubles(arena, (size_t)p->pair_start[p->pair_count]);
    s->f = hol_arena_doubles(arena, (size_t)p->nv);
    s->z = hol_arena_doubles(arena, (size_t)p->nv);
    s->c = hol_arena_doubles(arena, (size_t)p->m);
    s->lambda = hol_arena_doubles(arena, (size_t)p->m);
    s->taken = hol_arena_doubles(arena, (size_t)p->m);
    s->left_out = hol_arena_alloc(arena, (size_t)p->m);
    return !hol_arena_failed(arena);
}

static void reduce_group(HolSchurLocal *s, const HolPattern *p, int g, Reduced *r)
{
    HolPattern *to = &s->pattern;
    int rows = hol_part_size(p->group_start, g);
    for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i) {
        int k = s->pair_count++, b = p->pairs[i].column;
        s->pairs[k] = (Pair){b, p->group_start[g], rows, to->m, p->pair_start[i], r->pair_start[k]};
        r->pairs[k] = (HolPair){to->group_count, b};
        r->pair_start[k + 1] = r->pair_start[k] + rows * (s->n - 1);
    }
    for (int i = 0; i < rows; ++i)
        s->row_of[to->m++] = p->group_start[g] + i;
    r->group_start[++to->group_count] = to->m;
    r->group_pairs[to->group_count] = s->pair_count;
}

static void reduce(HolSchurLocal *s, const HolPattern *p, const int *owner, Reduced *r)
{
    HolPattern *to = &s->pattern;
    s->n = hol_part_size(p->block_start, 0);
    s->block_count = p->block_count;
    for (int b = 0; b < p->block_count; ++b) {
        r->block_start[b + 1] = r->block_start[b] + s->n - 1;
        r->mass_start[b + 1] = r->mass_start[b] + (s->n - 1) * (s->n - 1);
    }
    for (int g = 0; g < p->group_count; ++g) {
        if (owner[g] < 0) {
            reduce_group(s, p, g, r);
        } else {
            s->blocks[owner[g]].row = p->group_start[g];
            s->blocks[owner[g]].value = p->pair_start[p->group_pairs[g]];
        }
    }
    to->block_count = p->block_count;
    to->nq = to->nv = p->block_count * (s->n - 1);
    to->nh = to->m;
    to->pair_count = s->pair_count;
    to->mass_pair_count = p->block_count;
    to->block_start = r->block_start;
    to->group_start = r->group_start;
    to->pairs = r->pairs;
    to->pair_start = r->pair_start;
    to->group_pairs = r->group_pairs;
    to->mass_start = r->mass_start;
}

HolStatus hol_schur_find_local(HolSchur *schur, const HolPattern *p, HolArena *arena)
{
    Reduced reduced;
    int *owner = hol_arena_ints(arena, (size_t)p->group_count), *own = hol_arena_ints(arena, (size_t)p->block_count);
    HolSchurLocal *s = hol_arena_alloc(arena, sizeof *s);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    if (!find_own_groups(p, owner, own))
        return HOL_OK;
    if (!take_memory(s, arena, p, &reduced))
        return HOL_NO_MEMORY;
    reduce(s, p, owner, &reduced);
    HOL_TRY(hol_schur_create_plain(arena, &s->pattern, true, &s->inner));
    s->inner->taken = s->taken;
    schur->local = s;
    return HOL_OK;
}

/* ---- Numbers ---- */

/* (1), (2) */
HOL_KERNEL bool turn_block(int n, const double *D, const double *t, Block *block)
{
    const double *g = D + block->value;
    double square = 0;
    for (int j = 0; j < n; ++j) {
        block->e[j] = g[j] * t[j];
        square += block->e[j] * block->e[j];
    }
    if (!(square > 0) || !isfinite(square))
        return false;
    block->size = sqrt(square);
    for (int j = 0; j < n; ++j)
        block->u[j] = block->e[j] /= block->size;
    block->u[n - 1] += copysign(1, block->e[n - 1]);
    block->b = 1 / (1 + fabs(block->e[n - 1]));
    return true;
}

/* E H without its last column, and E e, row by row. */
HOL_KERNEL void turn_pair(int n, const double *D, const double *t, const Block *block, const Pair *pair,
                          double *reduced, double *Ee, double *taken)
{
    for (int i = 0; i < pair->rows; ++i, D += n, reduced += n - 1) {
        double E[MOST_COLUMNS], along = 0, sum = 0;
        HOL_UNROLL
        for (int j = 0; j < n; ++j) {
            E[j] = D[j] * t[j];
            sum += E[j] * block->u[j];
            along += E[j] * block->e[j];
        }
        Ee[i] = along;
        taken[i] += along * along;
        HOL_UNROLL
        for (int j = 0; j < n - 1; ++j)
            reduced[j] = E[j] - block->b * sum * block->u[j];
    }
}

HOL_KERNEL bool turn(HolSchurLocal *s, int n, const double *D, const double *t)
{
    for (int b = 0; b < s->block_count; ++b)
        if (!turn_block(n, D, t + b * n, &s->blocks[b]))
            return false;
    memset(s->taken, 0, (size_t)s->pattern.m * sizeof *s->taken);
    for (const Pair *pair = s->pairs; pair < s->pairs + s->pair_count; ++pair)
        turn_pair(n, D + pair->value, t + pair->block * n, &s->blocks[pair->block], pair, s->D + pair->reduced,
                  s->Ee + pair->reduced, s->taken + pair->inner_row);
    return true;
}

/* H^T t f without its last number; e t f; c_e */
HOL_KERNEL void turn_force(HolSchurLocal *s, int n, const double *t, const double *f, const double *c)
{
    for (int b = 0; b < s->block_count; ++b, t += n) {
        Block *block = &s->blocks[b];
        double *z = s->f + b * (n - 1), sum = 0, y[MOST_COLUMNS];
        block->c = c[block->row] / block->size;
        block->pull = 0;
        HOL_UNROLL
        for (int j = 0; j < n; ++j) {
            y[j] = f ? t[j] * f[b * n + j] : 0;
            sum += y[j] * block->u[j];
            block->pull += y[j] * block->e[j];
        }
        HOL_UNROLL
        for (int j = 0; j < n - 1; ++j)
            z[j] = y[j] - block->b * sum * block->u[j];
    }
}

/* The right sides of the other rows. */
static void reduce_rows(HolSchurLocal *s, const double *c)
{
    for (int i = 0; i < s->pattern.m; ++i)
        s->c[i] = c[s->row_of[i]];
    for (const Pair *pair = s->pairs; pair < s->pairs + s->pair_count; ++pair)
        for (int i = 0; i < pair->rows; ++i)
            s->c[pair->inner_row + i] -= s->Ee[pair->reduced + i] * s->blocks[pair->block].c;
}

/* (3), (4) */
HOL_KERNEL void turn_back(HolSchurLocal *s, int n, const double *t, double *x, double *lambda)
{
    for (int i = 0; i < s->pattern.m; ++i)
        lambda[s->row_of[i]] = s->lambda[i];
    for (const Pair *pair = s->pairs; pair < s->pairs + s->pair_count; ++pair)
        for (int i = 0; i < pair->rows; ++i)
            s->blocks[pair->block].pull += s->Ee[pair->reduced + i] * s->lambda[pair->inner_row + i];
    for (int b = 0; b < s->block_count; ++b, t += n, x += n) {
        const Block *block = &s->blocks[b];
        const double *z = s->z + b * (n - 1);
        double sum = 0;
        HOL_UNROLL
        for (int j = 0; j < n - 1; ++j)
            sum += block->u[j] * z[j];
        HOL_UNROLL
        for (int j = 0; j < n; ++j)
            x[j] = t[j] * ((j < n - 1 ? z[j] : 0) - block->b * sum * block->u[j] + block->e[j] * block->c);
        lambda[block->row] = (block->c - block->pull) / block->size;
    }
}

HOL_CLONES static bool turn_4(HolSchurLocal *s, const double *D, const double *t)
{
    return turn(s, 4, D, t);
}

HOL_CLONES static void turn_force_4(HolSchurLocal *s, const double *t, const double *f, const double *c)
{
    turn_force(s, 4, t, f, c);
}

HOL_CLONES static void turn_back_4(HolSchurLocal *s, const double *t, double *x, double *lambda)
{
    turn_back(s, 4, t, x, lambda);
}

/* The rows left out, for the inner solver; NULL if there are none. False if one of them is a block's own. */
static bool choose_rows(HolSchurLocal *s, const unsigned char *left_out)
{
    for (int b = 0; b < s->block_count && left_out; ++b)
        if (left_out[s->blocks[b].row])
            return false;
    for (int i = 0; i < s->pattern.m && left_out; ++i)
        s->left_out[i] = left_out[s->row_of[i]];
    return true;
}

bool hol_schur_local_fits(HolSchur *schur, const HolSchurTask *task)
{
    HolSchurLocal *s = schur->local;
    schur->is_local = s && schur->diagonal && choose_rows(s, task->left_out) &&
                      (s->n == 4 ? turn_4(s, task->D, schur->t) : turn(s, s->n, task->D, schur->t));
    return schur->is_local;
}

static void set_sides(HolSchur *schur, const double *f, const double *c)
{
    HolSchurLocal *s = schur->local;
    if (s->n == 4)
        turn_force_4(s, schur->t, f, c);
    else
        turn_force(s, s->n, schur->t, f, c);
    reduce_rows(s, c);
}

static void finish(HolSchur *schur, double *x, double *lambda)
{
    HolSchurLocal *s = schur->local;
    if (s->n == 4)
        turn_back_4(s, schur->t, x, lambda);
    else
        turn_back(s, s->n, schur->t, x, lambda);
}

HolStatus hol_schur_local_factor(HolSchur *schur, const HolSchurTask *task)
{
    HolSchurLocal *s = schur->local;
    return hol_schur_factor(s->inner, s->D, task->tolerance, task->left_out ? s->left_out : NULL);
}

void hol_schur_local_solve(HolSchur *schur, const HolSchurTask *task)
{
    HolSchurLocal *s = schur->local;
    set_sides(schur, task->f, task->c);
    hol_schur_solve(s->inner, s->f, s->c, s->z, s->lambda);
    finish(schur, task->x, task->lambda);
}

HolStatus hol_schur_local_factor_solve(HolSchur *schur, const HolSchurTask *task)
{
    HolSchurLocal *s = schur->local;
    set_sides(schur, task->f, task->c);
    HOL_TRY(hol_schur_factor_solve(s->inner, s->D, task->tolerance, task->left_out ? s->left_out : NULL, s->f, s->c,
                                   s->z, s->lambda));
    finish(schur, task->x, task->lambda);
    return HOL_OK;
}

void hol_schur_local_left_out(const HolSchur *schur, unsigned char *left_out)
{
    const HolSchurLocal *s = schur->local;
    hol_schur_rows_left_out(s->inner, s->left_out);
    for (int b = 0; b < s->block_count; ++b)
        left_out[s->blocks[b].row] = 0;
    for (int i = 0; i < s->pattern.m; ++i)
        left_out[s->row_of[i]] = s->left_out[i];
}

int hol_schur_local_rank(const HolSchur *schur)
{
    return hol_schur_rank(schur->local->inner) + schur->local->block_count;
}

double hol_schur_local_pivot(const HolSchur *schur)
{
    return hol_schur_pivot(schur->local->inner);
}
