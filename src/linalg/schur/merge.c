/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/schur/merge.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/block/spd_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row s of (1). */
typedef struct Shift {
    int row, value; /* in vectors, and in the merged D */
    int block;      /* on which it depends */
    double weight;
    double w; /* the weight, or 0 while the row is left out */
} Shift;

/* A mass block of the caller: where it begins, in his M and in the merged one, whose blocks have n columns. */
typedef struct Mass {
    int from, to, mirror; /* mirror < 0: there is none */
    int rows, columns, n;
} Mass;

struct HolSchurMerge {
    const HolPattern *narrow; /* the caller's */
    HolPattern pattern;
    HolSchur *inner;
    int *column_of; /* of each of the caller's columns, */
    int *value_of;  /* and of each number of D, where it is in the merged ones */
    bool in_order;  /* columns keep their positions */
    Mass *masses;
    Shift *shifts, *shifts_end; /* by blocks */
    double *M, *D, *f, *x;
    double *shifted, *root; /* scratch: one block */
};

static void take_mass(HolSchurMerge *merge, const double *M)
{
    const Mass *end = merge->masses + merge->narrow->mass_pair_count;
    for (const Mass *mass = merge->masses; mass < end; ++mass)
        for (int i = 0; i < mass->rows; ++i)
            for (int j = 0; j < mass->columns; ++j) {
                double value = M[mass->from + i * mass->columns + j];
                merge->M[mass->to + i * mass->n + j] = value;
                if (mass->mirror >= 0)
                    merge->M[mass->mirror + j * mass->n + i] = value;
            }
}

static void copy_rows(HolSchurMerge *merge, const double *D, const unsigned char *left_out)
{
    const HolPattern *p = merge->narrow;
    for (int i = 0; i < p->pair_start[p->pair_count]; ++i)
        merge->D[merge->value_of[i]] = D[i];
    for (Shift *shift = merge->shifts; shift < merge->shifts_end; ++shift)
        shift->w = left_out && left_out[shift->row] ? 0 : shift->weight;
}

typedef struct Starts {
    int *block, *mass, *group, *pair, *group_pairs;
    HolPair *pairs;
    int *offset;  /* of each block of the caller in the merged one */
    int *parts;   /* of each merged block, the number of blocks in it */
    int *touched; /* of each merged block, the pair of the group at hand on it, plus one */
    int *row;     /* of each group of the caller in the merged one */
    int *group_of;
} Starts;

static bool merge_take_memory(HolSchurMerge *s, HolArena *arena, const HolMergePlan *plan, Starts *r)
{
    const HolPattern *p = s->narrow;
    size_t blocks = (size_t)plan->count + 1, groups = (size_t)p->group_count + 1, pairs = (size_t)p->pair_count + 1;
    HOL_INTS(arena, blocks, &r->block, &r->mass, &r->parts, &r->touched);
    HOL_INTS(arena, groups, &r->group, &r->group_pairs, &r->row, &r->group_of);
    r->pair = hol_arena_ints(arena, pairs);
    r->pairs = hol_arena_alloc(arena, pairs * sizeof *r->pairs);
    r->offset = hol_arena_ints(arena, (size_t)p->block_count);
    s->column_of = hol_arena_ints(arena, (size_t)p->nv);
    s->value_of = hol_arena_ints(arena, (size_t)p->pair_start[p->pair_count]);
    s->masses = hol_arena_alloc(arena, (size_t)p->mass_pair_count * sizeof *s->masses);
    s->shifts = s->shifts_end = hol_arena_alloc(arena, (size_t)p->m * sizeof *s->shifts);
    return !hol_arena_failed(arena);
}

static void lay_out_blocks(HolSchurMerge *s, const int *of, Starts *r)
{
    const HolPattern *p = s->narrow;
    int *start = r->block;
    for (int b = 0; b < p->block_count; ++b) {
        ++r->parts[of[b]];
        r->offset[b] = start[of[b] + 1];
        start[of[b] + 1] += hol_part_size(p->block_start, b);
    }
    for (int b = 0; b < s->pattern.block_count; ++b) {
        r->mass[b + 1] = r->mass[b] + start[b + 1] * start[b + 1];
        start[b + 1] += start[b];
    }
    s->in_order = true;
    for (int b = 0; b < p->block_count; ++b)
        for (int k = p->block_start[b]; k < p->block_start[b + 1]; ++k) {
            s->column_of[k] = start[of[b]] + r->offset[b] + k - p->block_start[b];
            s->in_order = s->in_order && s->column_of[k] == k;
        }
}

/* Whether group g depends on the same blocks as the merged group before it, of which one is made of several: S is dense
 * in their rows, so that they may as well be one group. */
static bool continues(const HolSchurMerge *s, const int *of, const Starts *r, int g)
{
    const HolPattern *p = s->narrow, *to = &s->pattern;
    int first = to->group_count > 0 ? r->group_pairs[to->group_count - 1] : 0, seen = 0;
    bool several = false;
    for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i) {
        if (r->touched[of[p->pairs[i].column]] <= first)
            return false;
        several = several || r->parts[of[p->pairs[i].column]] > 1;
    }
    for (int k = first; k < to->pair_count; ++k) {
        bool found = false;
        for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i)
            found = found || of[p->pairs[i].column] == r->pairs[k].column;
        seen += found;
    }
    return to->group_count > 0 && several && seen == to->pair_count - first;
}

static void lay_out_groups(HolSchurMerge *s, const int *of, Starts *r)
{
    const HolPattern *p = s->narrow;
    HolPattern *to = &s->pattern;
    for (int g = 0; g < p->group_count; ++g) {
        bool new = !continues(s, of, r, g);
        int first = to->pair_count;
        for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1] && new; ++i) {
            int b = of[p->pairs[i].column];
            if (r->touched[b] > first)
                continue;
            r->pairs[to->pair_count++] = (HolPair){to->group_count, b};
            r->touched[b] = to->pair_count;
        }
        to->group_count += new;
        r->group_of[g] = to->group_count - 1;
        r->row[g] = p->group_start[g] - r->group[to->group_count - 1];
        r->group[to->group_count] = p->group_start[g + 1];
        r->group_pairs[to->group_count] = to->pair_count;
    }
    for (int k = 0; k < to->pair_count; ++k)
        r->pair[k + 1] =
            r->pair[k] + hol_part_size(r->group, r->pairs[k].row) * hol_part_size(r->block, r->pairs[k].column);
}

static int pair_on(const Starts *r, int group, int block)
{
    int k = r->group_pairs[group];
    while (r->pairs[k].column != block)
        ++k;
    return k;
}

static void map_values(HolSchurMerge *s, const int *of, const Starts *r)
{
    const HolPattern *p = s->narrow;
    for (int i = 0; i < p->pair_count; ++i) {
        int g = p->pairs[i].row, b = p->pairs[i].column, columns = hol_part_size(p->block_start, b);
        int n = hol_part_size(r->block, of[b]), start = r->pair[pair_on(r, r->group_of[g], of[b])];
        for (int k = 0; k < hol_part_size(p->group_start, g) * columns; ++k)
            s->value_of[p->pair_start[i] + k] = start + (r->row[g] + k / columns) * n + r->offset[b] + k % columns;
    }
    for (int k = 0; k < p->mass_pair_count; ++k) {
        int a = p->mass_pairs[k].row, b = p->mass_pairs[k].column, n = hol_part_size(r->block, of[a]);
        int start = r->mass[of[a]];
        s->masses[k] = (Mass){
            .from = p->mass_start[k],
            .to = start + r->offset[a] * n + r->offset[b],
            .mirror = a == b ? -1 : start + r->offset[b] * n + r->offset[a],
            .rows = hol_part_size(p->block_start, a),
            .columns = hol_part_size(p->block_start, b),
            .n = n,
        };
    }
}

/* A row weighs as much as the masses that it sees, or as the largest of its block if they are nothing. */
static double weight_of(const HolSchurMerge *s, const Shift *shift, int n)
{
    static const double LEAST_MASS = HOL_TOL_MASS;
    const double *d = s->D + shift->value, *M = s->M + s->pattern.mass_start[shift->block];
    double size = 0, seen = 0, largest = 0;
    for (int j = 0; j < n; ++j) {
        size += d[j] * d[j];
        seen += d[j] * d[j] * M[j * (n + 1)];
        largest = fmax(largest, M[j * (n + 1)]);
    }
    largest = largest > 0 ? largest : 1;
    return size > 0 ? fmax(seen / size, LEAST_MASS * largest) / size : largest;
}

static int compare_shifts(const void *left, const void *right)
{
    const Shift *a = left, *b = right;
    return a->block != b->block ? a->block - b->block : a->row - b->row;
}

static void list_shifts(HolSchurMerge *s, const HolMergePlan *plan, const Starts *r)
{
    const HolPattern *p = s->narrow;
    for (int g = 0; g < p->group_count; ++g) {
        if (!plan->shifted[g])
            continue;
        int b = plan->of[p->pairs[p->group_pairs[g]].column], n = hol_part_size(r->block, b);
        int start = r->pair[pair_on(r, r->group_of[g], b)];
        for (int i = 0; i < hol_part_size(p->group_start, g); ++i) {
            Shift *shift = s->shifts_end++;
            *shift = (Shift){.row = p->group_start[g] + i, .value = start + (r->row[g] + i) * n, .block = b};
            shift->weight = weight_of(s, shift, n);
        }
    }
    qsort(s->shifts, (size_t)(s->shifts_end - s->shifts), sizeof *s->shifts, compare_shifts);
}

static HolStatus take_numbers(HolSchurMerge *s, HolArena *arena)
{
    const HolPattern *p = &s->pattern;
    int largest = 0;
    for (int b = 0; b < p->block_count; ++b)
        largest = hol_part_size(p->mass_start, b) > largest ? hol_part_size(p->mass_start, b) : largest;
    s->M = hol_arena_doubles(arena, (size_t)p->mass_start[p->block_count]);
    s->D = hol_arena_doubles(arena, (size_t)p->pair_start[p->pair_count]);
    HOL_DOUBLES(arena, p->nv, &s->f, &s->x);
    HOL_DOUBLES(arena, largest, &s->shifted, &s->root);
    return hol_arena_status(arena);
}

HolStatus hol_merge_create(HolArena *arena, const HolPattern *pattern, const HolMergePlan *plan, const double *M,
                           const double *D, HolSchurMerge **merge)
{
    Starts r;
    HolSchurMerge *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    s->narrow = pattern;
    s->pattern.block_count = s->pattern.mass_pair_count = plan->count;
    if (!merge_take_memory(s, arena, plan, &r))
        return HOL_NO_MEMORY;
    lay_out_blocks(s, plan->of, &r);
    lay_out_groups(s, plan->of, &r);
    map_values(s, plan->of, &r);
    s->pattern.nq = s->pattern.nv = pattern->nv;
    s->pattern.nh = pattern->nh;
    s->pattern.nn = pattern->nn;
    s->pattern.m = pattern->m;
    s->pattern.block_start = r.block;
    s->pattern.group_start = r.group;
    s->pattern.pairs = r.pairs;
    s->pattern.pair_start = r.pair;
    s->pattern.group_pairs = r.group_pairs;
    s->pattern.mass_start = r.mass;
    HOL_TRY(take_numbers(s, arena));
    *merge = s;
    if (!plan->shifts)
        return HOL_OK;
    take_mass(s, M);
    copy_rows(s, D, NULL);
    list_shifts(s, plan, &r);
    copy_rows(s, D, NULL);
    return HOL_OK;
}

HolStatus hol_schur_merge(HolSchur *schur, HolSchurMerge *merge, HolArena *arena)
{
    schur->merge = merge;
    schur->pattern = merge->narrow;
    return hol_schur_create(arena, &merge->pattern, false, &merge->inner);
}

/* (1) of the block of the first of these rows; returns where those of the next block begin. */
static const Shift *shift_block(const HolSchurMerge *s, const Shift *shift)
{
    int b = shift->block, n = hol_part_size(s->pattern.block_start, b);
    memcpy(s->shifted, s->M + s->pattern.mass_start[b], (size_t)(n * n) * sizeof *s->shifted);
    for (; shift < s->shifts_end && shift->block == b; ++shift) {
        const double *d = s->D + shift->value;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n && d[i] != 0; ++j)
                s->shifted[i * n + j] += shift->w * d[i] * d[j];
    }
    return shift;
}

int hol_merge_find_singular(HolSchurMerge *merge, const double *M, unsigned char *singular)
{
    const Shift *shift = merge->shifts;
    int count = 0;
    take_mass(merge, M);
    for (int b = 0; b < merge->pattern.block_count; ++b) {
        bool shifted = shift < merge->shifts_end && shift->block == b;
        const double *A = shifted ? merge->shifted : merge->M + merge->pattern.mass_start[b];
        if (shifted)
            shift = shift_block(merge, shift);
        singular[b] = hol_spd_inverse_root(hol_part_size(merge->pattern.block_start, b), A, merge->root) != HOL_OK;
        count += singular[b];
    }
    return count;
}

/* Blocks that rows shift wait for those. */
HolStatus hol_schur_merge_set_mass(HolSchurMerge *merge, const double *M)
{
    const Shift *shift = merge->shifts;
    take_mass(merge, M);
    if (shift == merge->shifts_end)
        return hol_schur_set_mass(merge->inner, merge->M);
    for (int b = 0; b < merge->pattern.block_count; ++b) {
        bool shifted = shift < merge->shifts_end && shift->block == b;
        while (shift < merge->shifts_end && shift->block == b)
            ++shift;
        if (!shifted)
            HOL_TRY(hol_schur_set_block_mass(merge->inner, b, merge->M + merge->pattern.mass_start[b]));
    }
    return HOL_OK;
}

static HolStatus take_rows(HolSchurMerge *s, const double *D, const unsigned char *left_out)
{
    copy_rows(s, D, left_out);
    for (const Shift *shift = s->shifts; shift < s->shifts_end;) {
        int b = shift->block;
        shift = shift_block(s, shift);
        if (hol_schur_set_block_mass(s->inner, b, s->shifted) != HOL_OK)
            return isfinite(hol_max_norm(hol_part_size(s->pattern.mass_start, b), s->shifted)) ? HOL_SINGULAR
                                                                                               : HOL_NOT_FINITE;
    }
    return HOL_OK;
}

static const double *gather(const HolSchurMerge *s, const double *f)
{
    if (!f || s->in_order)
        return f;
    for (int k = 0; k < s->narrow->nv; ++k)
        s->f[s->column_of[k]] = f[k];
    return s->f;
}

/* (2), and x back in its order */
static void merge_finish(const HolSchurMerge *s, const double *merged, double *x, double *lambda)
{
    for (const Shift *shift = s->shifts; shift < s->shifts_end; ++shift) {
        const double *d = s->D + shift->value, *y = merged + s->pattern.block_start[shift->block];
        double sum = 0;
        for (int j = 0; j < hol_part_size(s->pattern.block_start, shift->block); ++j)
            sum += d[j] * y[j];
        lambda[shift->row] -= shift->w * sum;
    }
    for (int k = 0; k < s->narrow->nv && !s->in_order; ++k)
        x[k] = merged[s->column_of[k]];
}

HolStatus hol_schur_merge_factor(HolSchurMerge *merge, const HolSchurTask *task)
{
    HOL_TRY(take_rows(merge, task->D, task->left_out));
    return hol_schur_factor(merge->inner, merge->D, task->tolerance, task->left_out);
}

void hol_schur_merge_solve(HolSchurMerge *merge, const HolSchurTask *task)
{
    double *x = merge->in_order ? task->x : merge->x;
    hol_schur_solve(merge->inner, gather(merge, task->f), task->c, x, task->lambda);
    merge_finish(merge, x, task->x, task->lambda);
}

HolStatus hol_schur_merge_factor_solve(HolSchurMerge *merge, const HolSchurTask *task)
{
    double *x = merge->in_order ? task->x : merge->x;
    HOL_TRY(take_rows(merge, task->D, task->left_out));
    HOL_TRY(hol_schur_factor_solve(merge->inner, merge->D, task->tolerance, task->left_out, gather(merge, task->f),
                                   task->c, x, task->lambda));
    merge_finish(merge, x, task->x, task->lambda);
    return HOL_OK;
}

const HolSchur *hol_schur_merge_inner(const HolSchurMerge *merge)
{
    return merge->inner;
}
