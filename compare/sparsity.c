/* SPDX-License-Identifier: BSD-3-Clause */
/* Which equations depend on which numbers, by the blocks and groups of the system, and a colour for each column so that
 * columns of one colour have no row in common. */
#include "index2.h"

#include <math.h>

typedef struct Sparsity {
    HolIndex2 *e;
    const HolPattern *p;
    bool *moves;   /* nq x blocks: whether a block moves a number of q */
    bool *near;    /* blocks x blocks: whether the motion of one depends on the other */
    bool *touches; /* groups x blocks */
    int *group_of; /* of each row of D */
    int *seen;     /* n: the column that had this row last, plus 1 */
    int column, count;
} Sparsity;

static void emit(Sparsity *s, int row)
{
    if (s->seen[row] == s->column + 1)
        return;
    s->seen[row] = s->column + 1;
    if (s->e->row)
        s->e->row[s->count] = row;
    ++s->count;
}

static void emit_kinematics(Sparsity *s, int block)
{
    for (int i = 0; i < s->p->nq; ++i)
        if (s->moves[i * s->p->block_count + block])
            emit(s, i);
}

static void emit_motion(Sparsity *s, int block)
{
    for (int i = s->p->block_start[block]; i < s->p->block_start[block + 1]; ++i)
        emit(s, s->p->nq + i);
}

/* The rows of D that touch a block, at both levels or at that of velocities. */
static void emit_constraints(Sparsity *s, int block, bool positions)
{
    for (int i = 0; i < s->p->m; ++i) {
        if (s->e->lambda[i] < 0 || !s->touches[s->group_of[i] * s->p->block_count + block])
            continue;
        emit(s, s->e->lambda[i]);
        if (positions && s->e->mu[i] >= 0)
            emit(s, s->e->mu[i]);
    }
}

static void emit_block(Sparsity *s, int block, bool positions)
{
    emit_kinematics(s, block);
    for (int b = 0; b < s->p->block_count; ++b)
        if (s->near[block * s->p->block_count + b])
            emit_motion(s, b);
    emit_constraints(s, block, positions);
}

static void emit_multiplier(Sparsity *s, int group, bool of_positions)
{
    for (int b = 0; b < s->p->block_count; ++b) {
        if (!s->touches[group * s->p->block_count + b])
            continue;
        if (of_positions)
            emit_kinematics(s, b);
        else
            emit_motion(s, b);
    }
}

static void begin_column(Sparsity *s, int column)
{
    s->column = column;
    s->e->start[column] = s->count;
}

static void emit_columns(Sparsity *s)
{
    const HolPattern *p = s->p;
    s->count = 0;
    for (int i = 0; i < s->e->n; ++i)
        s->seen[i] = 0;
    for (int i = 0; i < p->nq; ++i) {
        begin_column(s, i);
        for (int b = 0; b < p->block_count; ++b)
            if (s->moves[i * p->block_count + b])
                emit_block(s, b, true);
    }
    for (int b = 0; b < p->block_count; ++b)
        for (int i = p->block_start[b]; i < p->block_start[b + 1]; ++i) {
            begin_column(s, p->nq + i);
            emit_block(s, b, false);
        }
    for (int level = 0; level < 2; ++level)
        for (int i = 0; i < p->m; ++i) {
            int place = level ? s->e->mu[i] : s->e->lambda[i];
            if (place < 0)
                continue;
            begin_column(s, place);
            emit_multiplier(s, s->group_of[i], level);
        }
    s->e->start[s->e->n] = s->count;
}

/* At a configuration without accidental zeros. */
static void find_moves(Sparsity *s, const double *q)
{
    HolIndex2 *e = s->e;
    for (int i = 0; i < s->p->nv; ++i)
        e->u[i] = 0.1 * sin(1 + 2.7 * i);
    hol_system_retract(e->system, q, e->u, e->q);
    for (int b = 0; b < s->p->block_count; ++b) {
        for (int i = 0; i < s->p->nv; ++i)
            e->u[i] = i >= s->p->block_start[b] && i < s->p->block_start[b + 1] ? 1.3 + sin(1 + 2.7 * i) : 0;
        hol_system_qdot(e->system, e->q, e->u, e->rate);
        for (int i = 0; i < s->p->nq; ++i)
            s->moves[i * s->p->block_count + b] = e->rate[i] != 0;
    }
}

static void find_relations(Sparsity *s)
{
    const HolPattern *p = s->p;
    int blocks = p->block_count;
    bool all = !hol_system_has_tangent(s->e->system); /* the couplings are then not known */
    for (int b = 0; b < blocks * blocks; ++b)
        s->near[b] = all || b % (blocks + 1) == 0;
    for (int k = 0; k < p->tangent_count; ++k) {
        s->near[p->tangents[k].row * blocks + p->tangents[k].column] = true;
        s->near[p->tangents[k].column * blocks + p->tangents[k].row] = true;
    }
    for (int k = 0; k < p->pair_count; ++k)
        s->touches[p->pairs[k].row * blocks + p->pairs[k].column] = true;
    for (int g = 0; g < p->group_count; ++g)
        for (int i = p->group_start[g]; i < p->group_start[g + 1]; ++i)
            s->group_of[i] = g;
}

/* The columns of each row: column[start[i]] ... */
typedef struct Transpose {
    int *start, *column, *used;
} Transpose;

static void transpose_fill(const HolIndex2 *e, Transpose *t)
{
    for (int k = 0; k < e->start[e->n]; ++k)
        ++t->start[e->row[k] + 1];
    for (int i = 0; i < e->n; ++i)
        t->start[i + 1] += t->start[i];
    for (int j = 0; j < e->n; ++j)
        for (int k = e->start[j]; k < e->start[j + 1]; ++k)
            t->column[t->start[e->row[k]]++] = j;
    for (int i = e->n; i > 0; --i)
        t->start[i] = t->start[i - 1];
    t->start[0] = 0;
}

/* The first colour from `first` on that no column with a common row has. */
static int free_colour(const HolIndex2 *e, Transpose *t, int j, int first)
{
    for (int k = e->start[j]; k < e->start[j + 1]; ++k)
        for (int i = t->start[e->row[k]]; i < t->start[e->row[k] + 1]; ++i)
            if (e->colour[t->column[i]] >= 0)
                t->used[e->colour[t->column[i]]] = j + 1;
    while (t->used[first] == j + 1)
        ++first;
    return first;
}

static void colour_columns(HolIndex2 *e, Transpose *t, int from, int end, int first)
{
    for (int j = from; j < end; ++j) {
        e->colour[j] = free_colour(e, t, j, first);
        e->colours = e->colour[j] >= e->colours ? e->colour[j] + 1 : e->colours;
    }
}

static HolStatus colour_all(HolPool *pool, HolIndex2 *e)
{
    size_t n = (size_t)e->n + 1;
    int moving = e->pattern->nq + e->pattern->nv;
    Transpose t = {hol_pool_alloc(pool, n * sizeof(int)),
                   hol_pool_alloc(pool, (size_t)(e->start[e->n] + 1) * sizeof(int)),
                   hol_pool_alloc(pool, n * sizeof(int))};
    if (!t.start || !t.column || !t.used)
        return HOL_NO_MEMORY;
    transpose_fill(e, &t);
    for (int j = 0; j < e->n; ++j)
        e->colour[j] = -1;
    colour_columns(e, &t, moving, e->n, 0);
    e->linear_colours = e->colours;
    colour_columns(e, &t, 0, moving, e->linear_colours);
    return HOL_OK;
}

HolStatus hol_index2_colour(HolPool *pool, HolIndex2 *e, const double *q)
{
    const HolPattern *p = e->pattern;
    size_t blocks = (size_t)p->block_count, n = (size_t)e->n + 1;
    Sparsity s = {.e = e, .p = p};
    s.moves = hol_pool_alloc(pool, (size_t)p->nq * blocks);
    s.near = hol_pool_alloc(pool, blocks * blocks);
    s.touches = hol_pool_alloc(pool, (size_t)p->group_count * blocks + 1);
    s.group_of = hol_pool_alloc(pool, n * sizeof *s.group_of + (size_t)p->m * sizeof *s.group_of);
    s.seen = hol_pool_alloc(pool, n * sizeof *s.seen);
    e->start = hol_pool_alloc(pool, n * sizeof *e->start);
    e->colour = hol_pool_alloc(pool, n * sizeof *e->colour);
    if (!s.moves || !s.near || !s.touches || !s.group_of || !s.seen || !e->start || !e->colour)
        return HOL_NO_MEMORY;
    find_moves(&s, q);
    find_relations(&s);
    emit_columns(&s); /* counts */
    e->row = hol_pool_alloc(pool, (size_t)(s.count + 1) * sizeof *e->row);
    if (!e->row)
        return HOL_NO_MEMORY;
    emit_columns(&s);
    return colour_all(pool, e);
}
