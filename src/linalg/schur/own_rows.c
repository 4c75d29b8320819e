/* SPDX-License-Identifier: BSD-3-Clause */
/* A row that depends on one block alone, such as the length of a planar body's axis, is eliminated with the block.
 *
 * Where every block has such a row g x = c_g, and M^-1 = diag(t^2), the block is written as y = x / t, with unit mass:
 *
 *     e = g t / |g t|,    e y = c_e := c_g / |g t|                                                         (1)
 *     H = I - b u u^T,    u = e + sign(e_n) e_n,   b = 1/(1 + |e_n|):   H e = -sign(e_n) e_n               (2)
 *     y = H [z; 0] + e c_e                                                                                 (3)
 *
 * z has one component less and does not occur in the row. The other rows E = D t become E H without its last column,
 * with the right side c - E e c_e and the force H^T t f. These equations have a unit mass and fewer rows; an inner
 * solver of the same kind takes them. Afterwards
 *
 *     lambda_g = (c_e - e (t f + E^T lambda)) / |g t|                                                      (4) */
#include "base/message.h"
#include "linalg/block/blocks.h"
#include "linalg/schur/internal.h"
#include "math/kernels.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 16 };

/* A block and its own row. */
typedef struct OwnBlock {
    int row, value; /* of its own row, among all rows and in D */
    double inverse; /* 1/|g t| */
    double b;       /* of (2) */
    double along;   /* c_e */
    double pull;    /* e (t f + E^T lambda) */
} OwnBlock;

/* A pair of the other rows. */
typedef struct OtherPair {
    OwnBlock *block;
    int value;      /* where it begins in D */
    double *D, *Ee; /* reflected; and E e, one for each row */
} OtherPair;

typedef struct OtherGroup {
    OtherPair *pairs, *end;
    int row, inner, rows; /* its first row among all, and among those of the inner solver, which pads */
} OtherGroup;

struct HolOwnRows {
    int n, block_count, group_count, pair_count;
    OwnBlock *blocks;
    OtherGroup *groups;
    OtherPair *pairs;
    HolPattern pattern; /* of the inner solver, before padding */
    HolSchur *inner;
    double *e, *u, *f, *z;       /* n for each block */
    double *D, *Ee, *c, *lambda; /* of the inner solver */
    double *taken;               /* (E e)^2 of each inner row, for its pivots */
    unsigned char *left_out;     /* of the inner rows */
};

/* Finds for each group the block that it constrains alone, or -1; false if a block has no such group, or sizes differ.
 * Of several the last holonomic one is used: rigidity rows come after the joints, and are never velocity rows. */
static bool own_rows_find(const HolPattern *p, int *owner, int *own)
{
    int n = p->block_count ? hol_part_size(p->block_start, 0) : 0;
    for (int b = 0; b < p->block_count; ++b)
        own[b] = -1;
    for (int g = 0; g < p->group_count; ++g) {
        owner[g] = -1;
        bool is_alone = hol_part_size(p->group_pairs, g) == 1 && hol_part_size(p->group_start, g) == 1;
        int *of_block = is_alone ? &own[p->pairs[p->group_pairs[g]].column] : NULL;
        if (is_alone && (*of_block < 0 || p->group_start[g] < p->nh))
            *of_block = g;
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

static bool own_rows_take_memory(HolOwnRows *s, HolArena *arena, const HolPattern *p, Reduced *r)
{
    size_t blocks = (size_t)p->block_count + 1, groups = (size_t)p->group_count + 1, pairs = (size_t)p->pair_count + 1;
    HOL_INTS(arena, blocks, &r->block_start, &r->mass_start);
    HOL_INTS(arena, groups, &r->group_start, &r->group_pairs);
    r->pair_start = hol_arena_ints(arena, pairs);
    r->pairs = hol_arena_alloc(arena, pairs * sizeof *r->pairs);
    s->blocks = hol_arena_alloc(arena, blocks * sizeof *s->blocks);
    s->groups = hol_arena_alloc(arena, groups * sizeof *s->groups);
    s->pairs = hol_arena_alloc(arena, pairs * sizeof *s->pairs);
    HOL_DOUBLES(arena, p->nv, &s->e, &s->u, &s->f, &s->z);
    return !hol_arena_failed(arena);
}

static bool own_rows_take_inner_memory(HolOwnRows *s, HolArena *arena)
{
    const HolPattern *p = s->inner->pattern;
    size_t m = (size_t)p->m, values = (size_t)p->pair_start[p->pair_count];
    HOL_DOUBLES(arena, values, &s->D, &s->Ee);
    HOL_DOUBLES(arena, m, &s->c, &s->lambda, &s->taken);
    s->left_out = hol_arena_alloc(arena, m);
    return !hol_arena_failed(arena);
}

static void own_rows_reduce_group(HolOwnRows *s, const HolPattern *p, int g, Reduced *r)
{
    HolPattern *to = &s->pattern;
    int rows = hol_part_size(p->group_start, g);
    OtherPair *pairs = s->pairs + s->pair_count;
    s->groups[s->group_count++] = (OtherGroup){
        .pairs = pairs, .end = pairs + hol_part_size(p->group_pairs, g), .row = p->group_start[g], .rows = rows};
    for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i) {
        int k = s->pair_count++, b = p->pairs[i].column;
        s->pairs[k] = (OtherPair){.value = p->pair_start[i], .block = s->blocks + b};
        r->pairs[k] = (HolPair){to->group_count, b};
        r->pair_start[k + 1] = r->pair_start[k] + rows * (s->n - 1);
    }
    to->m += rows;
    r->group_start[++to->group_count] = to->m;
    r->group_pairs[to->group_count] = s->pair_count;
}

static void own_rows_reduce(HolOwnRows *s, const HolPattern *p, const int *owner, Reduced *r)
{
    HolPattern *to = &s->pattern;
    s->n = hol_part_size(p->block_start, 0);
    s->block_count = to->block_count = to->mass_pair_count = p->block_count;
    for (int b = 0; b < p->block_count; ++b) {
        r->block_start[b + 1] = r->block_start[b] + s->n - 1;
        r->mass_start[b + 1] = r->mass_start[b] + (s->n - 1) * (s->n - 1);
    }
    for (int g = 0; g < p->group_count; ++g) {
        if (owner[g] < 0) {
            own_rows_reduce_group(s, p, g, r);
        } else {
            s->blocks[owner[g]].row = p->group_start[g];
            s->blocks[owner[g]].value = p->pair_start[p->group_pairs[g]];
        }
    }
    to->nq = to->nv = p->block_count * (s->n - 1);
    to->nh = to->m;
    to->pair_count = s->pair_count;
    to->block_start = r->block_start;
    to->group_start = r->group_start;
    to->pairs = r->pairs;
    to->pair_start = r->pair_start;
    to->group_pairs = r->group_pairs;
    to->mass_start = r->mass_start;
}

HolStatus hol_schur_find_own_rows(HolSchur *schur, const HolPattern *p, HolArena *arena)
{
    Reduced reduced;
    int *owner = hol_arena_ints(arena, (size_t)p->group_count), *own = hol_arena_ints(arena, (size_t)p->block_count);
    HolOwnRows *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    if (!own_rows_find(p, owner, own))
        return HOL_OK;
    if (!own_rows_take_memory(s, arena, p, &reduced))
        return HOL_NO_MEMORY;
    own_rows_reduce(s, p, owner, &reduced);
    HOL_TRY(hol_schur_create_plain(arena, &s->pattern, true, &s->inner));
    if (!own_rows_take_inner_memory(s, arena))
        return HOL_NO_MEMORY;
    for (int g = 0; g < s->group_count; ++g)
        s->groups[g].inner = s->inner->pattern->group_start[g];
    for (int k = 0; k < s->pair_count; ++k) {
        s->pairs[k].D = s->D + s->inner->pattern->pair_start[k];
        s->pairs[k].Ee = s->Ee + s->inner->pattern->pair_start[k];
    }
    schur->own_rows = s;
    return HOL_OK;
}

/* (1), (2) */
static bool own_rows_reflect_block(int n, const double *D, const double *t, OwnBlock *block, double *e, double *u)
{
    const double *g = D + block->value;
    double square = 0;
    for (int j = 0; j < n; ++j) {
        e[j] = g[j] * t[j];
        square += e[j] * e[j];
    }
    if (!(square > 0) || !isfinite(square))
        return false;
    block->inverse = 1 / sqrt(square);
    for (int j = 0; j < n; ++j)
        u[j] = e[j] *= block->inverse;
    u[n - 1] += copysign(1, e[n - 1]);
    block->b = 1 / (1 + fabs(e[n - 1]));
    return true;
}

/* E H without its last column, and E e, row by row. */
static void own_rows_reflect_pair(const HolOwnRows *s, const OtherGroup *group, const OtherPair *pair, const double *D,
                                  const double *t)
{
    ptrdiff_t n = s->n, b = pair->block - s->blocks;
    const double *e = s->e + b * n, *u = s->u + b * n;
    D += pair->value;
    t += b * n;
    for (int i = 0; i < group->rows; ++i, D += n) {
        double E[MOST_COLUMNS], along = 0, sum = 0, *reduced = pair->D + i * (n - 1);
        for (int j = 0; j < n; ++j) {
            E[j] = D[j] * t[j];
            sum += E[j] * u[j];
            along += E[j] * e[j];
        }
        pair->Ee[i] = along;
        s->taken[group->inner + i] += along * along;
        for (int j = 0; j < n - 1; ++j)
            reduced[j] = E[j] - pair->block->b * sum * u[j];
    }
}

static bool own_rows_reflect(HolOwnRows *s, const double *D, const double *t)
{
    for (int b = 0; b < s->block_count; ++b)
        if (!own_rows_reflect_block(s->n, D, t + b * s->n, &s->blocks[b], s->e + b * s->n, s->u + b * s->n))
            return false;
    memset(s->taken, 0, (size_t)s->inner->pattern->m * sizeof *s->taken);
    for (const OtherGroup *group = s->groups; group < s->groups + s->group_count; ++group)
        for (const OtherPair *pair = group->pairs; pair < group->end; ++pair)
            own_rows_reflect_pair(s, group, pair, D, t);
    return true;
}

/* H^T t f without its last component; e t f; c_e */
static void own_rows_reflect_force(HolOwnRows *s, const double *t, const double *f, const double *c)
{
    int n = s->n;
    for (int b = 0; b < s->block_count; ++b) {
        OwnBlock *block = &s->blocks[b];
        const double *e = s->e + b * n, *u = s->u + b * n;
        double *z = s->f + b * (n - 1), sum = 0, y[MOST_COLUMNS];
        block->along = c[block->row] * block->inverse;
        block->pull = 0;
        for (int j = 0; j < n; ++j) {
            y[j] = f ? t[b * n + j] * f[b * n + j] : 0;
            sum += y[j] * u[j];
            block->pull += y[j] * e[j];
        }
        for (int j = 0; j < n - 1; ++j)
            z[j] = y[j] - block->b * sum * u[j];
    }
}

static void own_rows_set_right_sides(HolOwnRows *s, const HolSchurTask *task, const double *t)
{
    own_rows_reflect_force(s, t, task->f, task->c);
    for (const OtherGroup *group = s->groups; group < s->groups + s->group_count; ++group) {
        for (int i = 0; i < group->rows; ++i) {
            double sum = task->c[group->row + i];
            for (const OtherPair *pair = group->pairs; pair < group->end; ++pair)
                sum -= pair->Ee[i] * pair->block->along;
            s->c[group->inner + i] = sum;
        }
    }
}

/* (3), (4) */
static void own_rows_reflect_back(const HolOwnRows *s, const double *t, double *x, double *lambda)
{
    int n = s->n;
    for (int b = 0; b < s->block_count; ++b, t += n, x += n) {
        const OwnBlock *block = &s->blocks[b];
        const double *z = s->z + b * (n - 1), *e = s->e + b * n, *u = s->u + b * n;
        double sum = 0;
        for (int j = 0; j < n - 1; ++j)
            sum += u[j] * z[j];
        for (int j = 0; j < n; ++j)
            x[j] = t[j] * ((j < n - 1 ? z[j] : 0) - block->b * sum * u[j] + e[j] * block->along);
        lambda[block->row] = (block->along - block->pull) * block->inverse;
    }
}

static HolSchurTask own_rows_inner_task(HolOwnRows *s, const HolSchurTask *task)
{
    return (HolSchurTask){
        .D = s->D,
        .f = task->f ? s->f : NULL,
        .c = s->c,
        .tolerance = task->tolerance,
        .left_out = task->left_out ? s->left_out : NULL,
        .x = s->z,
        .lambda = s->lambda,
        .taken = s->taken,
    };
}

/* The rows left out, for the inner solver. False if one of them is a block's own. */
static bool own_rows_leave_out(HolOwnRows *s, const unsigned char *left_out)
{
    for (int b = 0; b < s->block_count; ++b)
        if (left_out[s->blocks[b].row])
            return false;
    for (const OtherGroup *group = s->groups; group < s->groups + s->group_count; ++group)
        memcpy(s->left_out + group->inner, left_out + group->row, (size_t)group->rows);
    return true;
}

/* Prepares for the D of the task and for its f and c, if it has them. False where an own row cannot be eliminated: the
 * general solver then takes the whole task. */
static bool own_rows_begin(HolSchur *schur, const HolSchurTask *task)
{
    HolOwnRows *s = schur->own_rows;
    schur->used_own_rows = schur->diagonal && !(task->left_out && !own_rows_leave_out(s, task->left_out)) &&
                           own_rows_reflect(s, task->D, schur->t);
    if (schur->used_own_rows && task->c)
        own_rows_set_right_sides(s, task, schur->t);
    return schur->used_own_rows;
}

/* Copies rank and smallest pivot of the inner solver to the outer one. */
static HolStatus own_rows_keep_pivots(HolSchur *schur)
{
    const HolBlockLdl *inner = schur->own_rows->inner->S;
    schur->S->rank = inner->rank + schur->own_rows->block_count;
    schur->S->pivot = inner->pivot;
    return inner->finite ? HOL_OK : HOL_NOT_FINITE;
}

static void own_rows_finish(HolSchur *schur, const HolSchurTask *task)
{
    HolOwnRows *s = schur->own_rows;
    for (const OtherGroup *group = s->groups; group < s->groups + s->group_count; ++group) {
        const double *lambda = s->lambda + group->inner;
        for (const OtherPair *pair = group->pairs; pair < group->end; ++pair)
            pair->block->pull += hol_dot(group->rows, pair->Ee, lambda);
        memcpy(task->lambda + group->row, lambda, (size_t)group->rows * sizeof *lambda);
    }
    own_rows_reflect_back(s, schur->t, task->x, task->lambda);
}

bool hol_own_rows_factor(HolSchur *schur, const HolSchurTask *task, HolStatus *status)
{
    if (!own_rows_begin(schur, task))
        return false;
    HolSchurTask inner = own_rows_inner_task(schur->own_rows, task);
    hol_schur_factor_own(schur->own_rows->inner, &inner);
    *status = own_rows_keep_pivots(schur);
    return true;
}

void hol_own_rows_solve(HolSchur *schur, const HolSchurTask *task)
{
    HolOwnRows *s = schur->own_rows;
    HolSchurTask inner = own_rows_inner_task(s, task);
    own_rows_set_right_sides(s, task, schur->t);
    s->inner->solve(s->inner, &inner);
    own_rows_finish(schur, task);
}

bool hol_own_rows_factor_solve(HolSchur *schur, const HolSchurTask *task, HolStatus *status)
{
    if (!own_rows_begin(schur, task))
        return false;
    HolSchurTask inner = own_rows_inner_task(schur->own_rows, task);
    if (hol_schur_factor_solve_own(schur->own_rows->inner, &inner) == HOL_OK)
        own_rows_finish(schur, task);
    *status = own_rows_keep_pivots(schur);
    return true;
}

void hol_own_rows_left_out(const HolSchur *schur, unsigned char *left_out)
{
    const HolOwnRows *s = schur->own_rows;
    for (int b = 0; b < s->block_count; ++b)
        left_out[s->blocks[b].row] = 0;
    for (const OtherGroup *group = s->groups; group < s->groups + s->group_count; ++group)
        for (int i = 0; i < group->rows; ++i)
            left_out[group->row + i] = s->inner->S->d_inverse[group->inner + i] == 0;
}
