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
 *     lambda_g = (c_e - e (t f + E^T lambda)) / |g t|                                                      (4)
 *
 * Bodies of the plane have a shorter way, in schur_twins.c. */
#include "linalg/schur_local.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 16 };

/* ---- Set-up ---- */

/* For each group the block whose own it is, or -1; false if some block has none, or sizes differ. Of several that a
 * block might have, the last holonomic one: what keeps a body in shape comes behind its joints, and is never about
 * velocities alone. */
static bool find_own_groups(const HolPattern *p, int *owner, int *own)
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
    s->groups = hol_arena_alloc(arena, groups * sizeof *s->groups);
    s->pairs = hol_arena_alloc(arena, pairs * sizeof *s->pairs);
    s->rows.first = s->rows.end = hol_arena_alloc(arena, groups * sizeof(HolLocalRun));
    s->values.first = s->values.end = hol_arena_alloc(arena, pairs * sizeof(HolLocalRun));
    s->e = hol_arena_doubles(arena, (size_t)p->nv);
    s->u = hol_arena_doubles(arena, (size_t)p->nv);
    s->f = hol_arena_doubles(arena, (size_t)p->nv);
    s->z = hol_arena_doubles(arena, (size_t)p->nv);
    return !hol_arena_failed(arena);
}

/* What has the padding of the inner solver. */
static bool take_inner_memory(HolSchurLocal *s, HolArena *arena)
{
    const HolPattern *p = s->inner->pattern;
    size_t m = (size_t)p->m, values = (size_t)p->pair_start[p->pair_count];
    s->D = hol_arena_doubles(arena, values);
    s->Ee = hol_arena_doubles(arena, values);
    s->c = hol_arena_doubles(arena, m);
    s->lambda = hol_arena_doubles(arena, m + (size_t)s->block_count);
    s->wide = s->inner->factor_solve_turned ? hol_arena_doubles(arena, 2 * values) : NULL;
    s->taken = hol_arena_doubles(arena, m);
    s->left_out = hol_arena_alloc(arena, m);
    return !hol_arena_failed(arena);
}

static void reduce_group(HolSchurLocal *s, const HolPattern *p, int g, Reduced *r)
{
    HolPattern *to = &s->pattern;
    int rows = hol_part_size(p->group_start, g);
    s->groups[s->group_count++] = (HolLocalGroup){
        .pairs = s->pairs + s->pair_count,
        .end = s->pairs + s->pair_count + hol_part_size(p->group_pairs, g),
        .row = p->group_start[g],
        .rows = rows,
    };
    for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i) {
        int k = s->pair_count++, b = p->pairs[i].column;
        s->pairs[k] = (HolLocalPair){.value = p->pair_start[i], .block = s->blocks + b};
        r->pairs[k] = (HolPair){to->group_count, b};
        r->pair_start[k + 1] = r->pair_start[k] + rows * (s->n - 1);
    }
    to->m += rows;
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
            s->blocks[owner[g]].column = p->block_start[owner[g]];
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

static void add_run(HolLocalRuns *runs, ptrdiff_t outer, ptrdiff_t inner, int count)
{
    HolLocalRun *last = runs->end > runs->first ? runs->end - 1 : NULL;
    if (last && outer - last->outer == inner - last->inner && outer - last->outer == (ptrdiff_t)last->count)
        last->count += (size_t)count;
    else
        *runs->end++ = (HolLocalRun){outer, inner, (size_t)count};
}

static void add_runs(HolSchurLocal *s)
{
    for (const HolLocalGroup *group = s->groups; group < s->groups + s->group_count; ++group) {
        add_run(&s->rows, group->row, group->inner, group->rows);
        for (const HolLocalPair *pair = group->pairs; pair < group->end; ++pair)
            add_run(&s->values, pair->value, pair->turned, group->rows * s->n);
    }
}

/* Where the inner solver reads. */
static void aim(HolSchurLocal *s)
{
    const HolPattern *p = s->inner->pattern;
    s->is_first = !s->inner->padding;
    for (int g = 0; g < s->group_count; ++g) {
        s->groups[g].inner = p->group_start[g];
        s->is_first = s->is_first && s->groups[g].row == s->groups[g].inner;
    }
    for (int k = 0; k < s->pair_count; ++k) {
        s->pairs[k].D = s->D + p->pair_start[k];
        s->pairs[k].Ee = s->Ee + p->pair_start[k];
        s->pairs[k].E = s->inner->pairs[k].E;
        s->pairs[k].row = s->inner->pairs[k].row;
        s->pairs[k].turned = s->is_first ? s->pairs[k].value : p->pair_start[k] / (s->n - 1) * s->n;
    }
    if (s->is_first)
        s->wide = NULL;
    add_runs(s);
    for (int b = 0; b < s->block_count; ++b)
        s->blocks[b].turned = s->wide ? p->m + b : s->blocks[b].row;
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
    HOL_TRY(hol_schur_create_plain(arena, &s->pattern, true, s, &s->inner));
    if (!take_inner_memory(s, arena))
        return HOL_NO_MEMORY;
    aim(s);
    schur->local = s;
    hol_schur_local_set_mass(schur);
    return HOL_OK;
}

void hol_schur_local_set_mass(HolSchur *schur)
{
    schur->local->has_twins = schur->diagonal && hol_twins_fit(schur->local, schur->t);
}

/* ---- Reflections ---- */

/* (1), (2) */
static bool reflect_block(int n, const double *D, const double *t, HolLocalBlock *block, double *e, double *u)
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
static void reflect_pair(const HolSchurLocal *s, const HolLocalGroup *group, const HolLocalPair *pair, const double *D,
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

static bool reflect(HolSchurLocal *s, const double *D, const double *t)
{
    for (int b = 0; b < s->block_count; ++b)
        if (!reflect_block(s->n, D, t + b * s->n, &s->blocks[b], s->e + b * s->n, s->u + b * s->n))
            return false;
    memset(s->taken, 0, (size_t)s->inner->pattern->m * sizeof *s->taken);
    for (const HolLocalGroup *group = s->groups; group < s->groups + s->group_count; ++group)
        for (const HolLocalPair *pair = group->pairs; pair < group->end; ++pair)
            reflect_pair(s, group, pair, D, t);
    return true;
}

/* H^T t f without its last number; e t f; c_e */
static void reflect_force(HolSchurLocal *s, const double *t, const double *f, const double *c)
{
    int n = s->n;
    for (int b = 0; b < s->block_count; ++b) {
        HolLocalBlock *block = &s->blocks[b];
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

/* What the own rows leave of the right sides of the others. */
static void set_sides(HolSchurLocal *local, const double *c)
{
    for (const HolLocalGroup *group = local->groups; group < local->groups + local->group_count; ++group) {
        for (int i = 0; i < group->rows; ++i) {
            double sum = c[group->row + i];
            for (const HolLocalPair *pair = group->pairs; pair < group->end; ++pair)
                sum -= pair->Ee[i] * pair->block->along;
            local->c[group->inner + i] = sum;
        }
    }
}

/* Adds e E^T lambda, lambda being that of the inner rows. */
static void pull(HolSchurLocal *local, const double *lambda)
{
    for (const HolLocalGroup *group = local->groups; group < local->groups + local->group_count; ++group)
        for (const HolLocalPair *pair = group->pairs; pair < group->end; ++pair)
            pair->block->pull += hol_dot(group->rows, pair->Ee, lambda + group->inner);
}

/* (3), (4) */
static void reflect_back(const HolSchurLocal *s, const double *t, double *x, double *lambda)
{
    int n = s->n;
    for (int b = 0; b < s->block_count; ++b, t += n, x += n) {
        const HolLocalBlock *block = &s->blocks[b];
        const double *z = s->z + b * (n - 1), *e = s->e + b * n, *u = s->u + b * n;
        double sum = 0;
        for (int j = 0; j < n - 1; ++j)
            sum += u[j] * z[j];
        for (int j = 0; j < n; ++j)
            x[j] = t[j] * ((j < n - 1 ? z[j] : 0) - block->b * sum * u[j] + e[j] * block->along);
        lambda[block->row] = (block->along - block->pull) * block->inverse;
    }
}

/* ---- Both ways ---- */

static const double *inner_lambda(const HolSchurLocal *s, const HolSchurTask *task)
{
    return s->is_first ? task->lambda : s->lambda;
}

static HolSchurTask inner_task(HolSchurLocal *s, const HolSchurTask *task)
{
    return (HolSchurTask){
        .D = s->D,
        .f = task->f ? s->f : NULL,
        .c = s->c,
        .tolerance = task->tolerance,
        .left_out = task->left_out && !s->is_first ? s->left_out : task->left_out,
        .x = s->z,
        .lambda = s->is_first ? task->lambda : s->lambda,
        .taken = s->taken,
    };
}

/* The rows left out, for the inner solver. False if one of them is a block's own. */
static bool choose_rows(HolSchurLocal *s, const unsigned char *left_out)
{
    for (int b = 0; b < s->block_count; ++b)
        if (left_out[s->blocks[b].row])
            return false;
    for (const HolLocalRun *run = s->rows.first; run < s->rows.end; ++run)
        memcpy(s->left_out + run->inner, left_out + run->outer, run->count);
    return true;
}

static void reflect_sides(HolSchurLocal *s, const HolSchurTask *task, const double *t)
{
    reflect_force(s, t, task->f, task->c);
    set_sides(s, task->c);
}

static bool reduce_by_reflecting(HolSchurLocal *s, const HolSchurTask *task, const double *t)
{
    if (!reflect(s, task->D, t))
        return false;
    if (task->c)
        reflect_sides(s, task, t);
    return true;
}

/* Prepares for the D of the task and for its f and c, if it has them; false where an own row does not let itself be
 * eliminated, and the general solver must do it. */
static bool fits(HolSchur *schur, const HolSchurTask *task)
{
    HolSchurLocal *s = schur->local;
    bool may = schur->diagonal && !(task->left_out && !choose_rows(s, task->left_out));
    s->is_turned = may && s->has_twins && hol_twins_turn(s, schur->t, schur->w, task);
    schur->is_local = s->is_turned || (may && reduce_by_reflecting(s, task, schur->t));
    return schur->is_local;
}

/* The lambda of the inner rows. */
static void narrow(const HolSchurLocal *s, double *lambda)
{
    for (const HolLocalRun *run = s->rows.first; run < s->rows.end; ++run)
        memcpy(lambda + run->outer, s->lambda + run->inner, run->count * sizeof *lambda);
}

typedef void Solver(HolSchur *schur, const HolSchurTask *task);

/* A task for one of the functions that turn, in arrays with padding. */
static void solve_wide(HolSchurLocal *s, const HolSchurTask *task, Solver *solver)
{
    HolSchurTask wide = *task;
    wide.D = s->wide;
    wide.c = s->c;
    wide.lambda = s->lambda;
    wide.left_out = task->left_out ? s->left_out : NULL;
    for (const HolLocalRun *run = s->values.first; run < s->values.end && task->D; ++run)
        memcpy(s->wide + run->inner, task->D + run->outer, run->count * sizeof *s->wide);
    for (const HolLocalRun *run = s->rows.first; run < s->rows.end && task->c; ++run)
        memcpy(s->c + run->inner, task->c + run->outer, run->count * sizeof *s->c);
    solver(s->inner, &wide);
    if (!task->lambda)
        return;
    narrow(s, task->lambda);
    for (const HolLocalBlock *block = s->blocks; block < s->blocks + s->block_count; ++block)
        task->lambda[block->row] = s->lambda[block->turned];
}

/* Rank and pivot where the caller looks for them. */
static HolStatus keep_pivots(HolSchur *schur)
{
    const HolBlockLdl *inner = schur->local->inner->S;
    schur->S->rank = inner->rank + schur->local->block_count;
    schur->S->pivot = inner->pivot;
    return inner->finite ? HOL_OK : HOL_NOT_FINITE;
}

static void solve_turned(HolSchurLocal *s, const HolSchurTask *task, Solver *solver)
{
    if (s->wide)
        solve_wide(s, task, solver);
    else
        solver(s->inner, task);
}

static void finish(HolSchur *schur, const HolSchurTask *task)
{
    HolSchurLocal *s = schur->local;
    pull(s, inner_lambda(s, task));
    reflect_back(s, schur->t, task->x, task->lambda);
    if (!s->is_first)
        narrow(s, task->lambda);
}

bool hol_schur_local_factor(HolSchur *schur, const HolSchurTask *task, HolStatus *status)
{
    HolSchurLocal *s = schur->local;
    if (!fits(schur, task))
        return false;
    HolSchurTask inner = inner_task(s, task);
    if (s->is_turned)
        solve_turned(s, task, s->inner->factor_turned);
    else
        hol_schur_factor_own(s->inner, &inner);
    *status = keep_pivots(schur);
    return true;
}

void hol_schur_local_solve(HolSchur *schur, const HolSchurTask *task)
{
    HolSchurLocal *s = schur->local;
    if (s->is_turned) {
        hol_twins_set_sides(s, task);
        solve_turned(s, task, s->inner->solve_turned);
        return;
    }
    HolSchurTask inner = inner_task(s, task);
    reflect_sides(s, task, schur->t);
    s->inner->solve(s->inner, &inner);
    finish(schur, task);
}

bool hol_schur_local_factor_solve(HolSchur *schur, const HolSchurTask *task, HolStatus *status)
{
    HolSchurLocal *s = schur->local;
    if (s->has_twins && !task->left_out && !s->wide && hol_twins_turn(s, schur->t, schur->w, task)) {
        s->is_turned = schur->is_local = true; /* the shortest way of the most frequent task */
        s->inner->factor_solve_turned(s->inner, task);
    } else if (!fits(schur, task)) {
        return false;
    } else if (s->is_turned) {
        solve_turned(s, task, s->inner->factor_solve_turned);
    } else {
        HolSchurTask inner = inner_task(s, task);
        if (hol_schur_factor_solve_own(s->inner, &inner) == HOL_OK)
            finish(schur, task);
    }
    *status = keep_pivots(schur);
    return true;
}

void hol_schur_local_left_out(const HolSchur *schur, unsigned char *left_out)
{
    const HolSchurLocal *s = schur->local;
    for (int b = 0; b < s->block_count; ++b)
        left_out[s->blocks[b].row] = 0;
    for (const HolLocalGroup *group = s->groups; group < s->groups + s->group_count; ++group)
        for (int i = 0; i < group->rows; ++i)
            left_out[group->row + i] = s->inner->S->d_inverse[group->inner + i] == 0;
}
