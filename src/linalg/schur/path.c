/* SPDX-License-Identifier: BSD-3-Clause */
/* The Schur solver along a path: open chains of bodies, and single loops closed over the ground.
 *
 * Where every group shares a block with at most one group before it and one behind it, S is block tridiagonal, and (1)
 * and (2) of schur.h are one sweep down the path and one back. With E_in and E_out the two pairs of group k, of which
 * E_in depends on the block of E_out of group k-1:
 *
 *     down:  S_k,k-1 = E_in E_out,k-1^T,   L_k,k-1 = S_k,k-1 L^-T / d =: Y / d,
 *            S_kk = E_in E_in^T + E_out E_out^T - Y L_k,k-1^T = L diag(d) L^T,
 *            r_k = L^-1 (c - E_in g - E_out g - L_k,k-1 r_k-1)
 *     up:    lambda_k = L^-T (r_k / d - L_k+1,k^T lambda_k+1),   x = T T^T (f + D_out^T lambda_k + D_in^T lambda_k+1)
 *
 * The numbers are left in the HolBlockLdl, whose order follows the path, just as the general code leaves them: that
 * code does all that is not done here. In the functions below R x N is the size of all pairs. */
#include "base/message.h"
#include "linalg/block/block_ldl_kernels.h"
#include "linalg/block/blocks.h"
#include "linalg/schur/internal.h"
#include "linalg/schur/weigh.h"

/* One of a group's pairs. */
typedef struct Arm {
    ptrdiff_t value, column; /* where it begins in D and E, and its block in vectors; negative if there is none */
} Arm;

/* A group, in the order of the path. */
struct HolSchurLink {
    Arm in, out;
    double *L;     /* the diagonal block; that below it, if there is one, follows in memory */
    ptrdiff_t row; /* in vectors */
    bool linked;   /* `in` depends on the block of `out` of the group before */
};
typedef struct HolSchurLink Link;

/* What all groups share, to be kept in registers. */
typedef struct Arrays {
    const double *D, *f, *c, *t, *w;
    double *E, *d_inverse, *x, *lambda;
} Arrays;

/* Small blocks stay in registers until they are done; for others that would mean one more copy. */
#define IN_PLACE(R) ((R) > 3)

HOL_KERNEL void copy(int R, int columns, const double *from, double *to)
{
    HolColumn c;
    HOL_UNROLL
    for (int j = 0; j < columns; ++j) {
        hol_column_load(R, from + j * R, &c);
        hol_column_store(R, &c, to + j * R);
    }
}

/* Only the part below the diagonal, since no other part of L is read. */
HOL_KERNEL void copy_lower(int R, const double *from, double *to)
{
    HOL_UNROLL
    for (int j = 0; j < R; ++j)
        HOL_UNROLL
    for (int i = j + 1; i < R; ++i)
        to[j * R + i] = from[j * R + i];
}

/* A pair's part of the sums; if it is linked to the pair `before`, B = S_k,k-1, too. */
HOL_KERNEL void weigh(int R, int N, const Arrays *a, Arm arm, bool first, const Arm *before, HolSchurSums *sums)
{
    const HolSchurWeighing with = {.D = a->D + arm.value,
                                   .t = a->t + arm.column,
                                   .f = a->f + arm.column,
                                   .E = a->E + arm.value,
                                   .other = before ? a->E + before->value : NULL,
                                   .r = true,
                                   .B = before != NULL,
                                   .first = first};
    hol_schur_weigh(R, N, &with, sums);
}

/* Forms S = E E^T of the pairs of the group and r = c - E g, for small blocks also B: these sums just fill the
 * registers. */
HOL_KERNEL void form(const Link *link, int R, int N, const Arrays *a, HolSchurSums *sums)
{
    hol_column_load(R, a->c + link->row, &sums->r);
    if (!IN_PLACE(R) && link->linked)
        weigh(R, N, a, link->in, true, &link[-1].out, sums);
    else if (link->in.value >= 0)
        weigh(R, N, a, link->in, true, NULL, sums);
    else
        hol_schur_clear(R, sums);
    if (link->out.value >= 0)
        weigh(R, N, a, link->out, false, NULL, sums);
}

HOL_KERNEL void store(int R, const HolColumn *columns, double *block)
{
    HOL_UNROLL
    for (int j = 0; j < R; ++j)
        hol_column_store(R, &columns[j], block + j * R);
}

/* What the group before takes away, with the B that has been gathered, or from E. */
HOL_KERNEL void continue_from(const Link *before, const Link *link, int R, int N, const Arrays *a,
                              const HolSchurSums *sums, double *S, double *r)
{
    double local[64], Y[64], *B = IN_PLACE(R) ? before->L + R * R : local;
    if (IN_PLACE(R))
        hol_set_product_t(R, R, N, a->E + link->in.value, a->E + before->out.value, B);
    else
        store(R, sums->B, B);
    hol_factor_entry(R, R, before->L, a->d_inverse + before->row, B, Y);
    if (!IN_PLACE(R))
        copy(R, R, B, before->L + R * R);
    hol_sub_square(R, R, Y, B, S);
    hol_sub_times(R, R, B, a->lambda + before->row, r);
}

/* Forms and factors S; lambda becomes L^-1 (c - E g). */
HOL_KERNEL void down(HolSchur *s, int R, int N, const Arrays *a, const HolSchurTask *task)
{
    HolPivots pivots = hol_pivots_begin(task->tolerance);
    HolSchurSums sums;
    double reference[8], r[8], local[64];
    for (const Link *link = s->path; link < s->path_end; ++link) {
        double *S = IN_PLACE(R) ? link->L : local;
        form(link, R, N, a, &sums);
        store(R, sums.S, S);
        hol_column_store(R, &sums.r, r);
        hol_remember_diagonal(R, S, reference);
        if (task->taken)
            hol_add_taken(R, task->taken + link->row, reference);
        if (task->left_out)
            hol_leave_out(R, task->left_out + link->row, reference);
        if (link->linked)
            continue_from(link - 1, link, R, N, a, &sums, S, r);
        hol_factor_diagonal(R, S, reference, a->d_inverse + link->row, &pivots);
        hol_solve_diagonal(R, S, r);
        copy(R, 1, r, a->lambda + link->row);
        if (!IN_PLACE(R))
            copy_lower(R, S, link->L);
    }
    hol_pivots_end(&pivots, s->S);
}

/* z += D^T lambda */
HOL_KERNEL void add_force(int R, int N, const double *D, const double *lambda, HolColumn *z)
{
    HolColumn d;
    HOL_UNROLL
    for (int i = 0; i < R; ++i) {
        hol_column_load(N, D + i * N, &d);
        hol_column_add(N, &d, lambda[i], z);
    }
}

/* x = T T^T z */
HOL_KERNEL void finish_block(int N, const Arrays *a, Arm arm, HolColumn *z)
{
    HolColumn w;
    hol_column_load(N, a->w + arm.column, &w);
    hol_column_scale(N, &w, z, z);
    hol_column_store(N, z, a->x + arm.column);
}

/* lambda_k = y from what down() left in its place; `linked` to the group behind */
HOL_KERNEL void find_lambda(const Link *link, int R, const Arrays *a, bool linked, double *y)
{
    const double *d_inverse = a->d_inverse + link->row;
    double *lambda = a->lambda + link->row;
    HOL_UNROLL
    for (int i = 0; i < R; ++i)
        y[i] = lambda[i] * d_inverse[i];
    if (linked)
        hol_sub_t_times(R, R, link->L + R * R, a->lambda + link[1].row, y);
    hol_solve_diagonal_transposed(R, link->L, y);
    copy(R, 1, y, lambda);
}

/* lambda from L^-1 (c - E g), and x */
HOL_KERNEL void up(const HolSchur *s, int R, int N, const Arrays *a)
{
    HolColumn z;
    double y[8];
    bool linked = false; /* to the next group, which has begun z, the force on the block between them */
    for (const Link *link = s->path_end; link-- > s->path;) {
        find_lambda(link, R, a, linked, y);
        if (link->out.value >= 0) {
            if (!linked)
                hol_column_load(N, a->f + link->out.column, &z);
            add_force(R, N, a->D + link->out.value, y, &z);
            finish_block(N, a, link->out, &z);
        }
        linked = link->linked;
        if (link->in.value >= 0) {
            hol_column_load(N, a->f + link->in.column, &z);
            add_force(R, N, a->D + link->in.value, y, &z);
            if (!linked)
                finish_block(N, a, link->in, &z);
        }
    }
}

HOL_KERNEL Arrays arrays_of(const HolSchur *s, const HolSchurTask *task)
{
    return (Arrays){task->D, task->f, task->c, s->t, s->w, s->E, s->S->d_inverse, task->x, task->lambda};
}

#define SIZED(R, N)                                                                                                    \
    HOL_CLONES static void factor_solve_##R##_##N(HolSchur *s, const HolSchurTask *task)                               \
    {                                                                                                                  \
        const Arrays a = arrays_of(s, task);                                                                           \
        down(s, R, N, &a, task);                                                                                       \
        up(s, R, N, &a);                                                                                               \
    }
SIZED(2, 3)
SIZED(3, 6)
SIZED(5, 6)

static const struct {
    int rows, columns;
    void (*factor_solve)(HolSchur *s, const HolSchurTask *task);
} sized[] = {{2, 3, factor_solve_2_3}, {3, 6, factor_solve_3_6}, {5, 6, factor_solve_5_6}};

/* The pair of group g on the one block that it shares with group h; -1 if that is not one block. */
static int shared_pair(const HolPattern *p, int g, int h)
{
    int found = -1, count = 0;
    for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i)
        for (int j = p->group_pairs[h]; j < p->group_pairs[h + 1]; ++j)
            if (p->pairs[i].column == p->pairs[j].column) {
                found = i;
                ++count;
            }
    return count == 1 ? found : -1;
}

static Arm lay_arm(const HolSchur *s, int pair)
{
    const HolPattern *p = s->pattern;
    if (pair < 0)
        return (Arm){-1, -1};
    return (Arm){p->pair_start[pair], p->block_start[p->pairs[pair].column]};
}

/* The group in place k of the order. Returns false if there is no path through it. */
static bool lay_link(const HolSchur *s, const int *group_at, int k, Link *link)
{
    const HolPattern *p = s->pattern;
    const HolLdlColumn *c = &s->S->columns[k];
    int g = group_at[k], in = -1, out = -1;
    bool linked = k > 0 && c[-1].below < c[-1].below_end, continued = c->below < c->below_end;
    if (hol_part_size(p->group_pairs, g) > 2 || c->below_end - c->below > 1 || (continued && c->below->row != k + 1))
        return false;
    if (linked && (in = shared_pair(p, g, group_at[k - 1])) < 0)
        return false;
    if (continued && (out = shared_pair(p, g, group_at[k + 1])) < 0)
        return false;
    for (int pair = p->group_pairs[g]; pair < p->group_pairs[g + 1]; ++pair) /* one on a block of its own */
        if (pair != in && pair != out)
            *(in < 0 ? &in : &out) = pair;
    *link = (Link){lay_arm(s, in), lay_arm(s, out), c->L, p->group_start[g], linked};
    return true;
}

static bool every_block_is_touched(const HolPattern *p, unsigned char *touched)
{
    for (int i = 0; i < p->pair_count; ++i)
        touched[p->pairs[i].column] = 1;
    for (int b = 0; b < p->block_count; ++b)
        if (!touched[b])
            return false;
    return true;
}

HolStatus hol_schur_find_path(HolSchur *schur, HolArena *arena)
{
    size_t count = (size_t)schur->S->count, size = 0, sizes = sizeof sized / sizeof *sized;
    int rows, columns;
    hol_common_pair_size(schur->pattern, &rows, &columns);
    while (size < sizes && (sized[size].rows != rows || sized[size].columns != columns))
        ++size;
    if (size == sizes)
        return HOL_OK;
    Link *links = hol_arena_alloc(arena, count * sizeof *links);
    int *group_at = hol_arena_ints(arena, count);
    unsigned char *touched = hol_arena_alloc(arena, (size_t)schur->pattern->block_count);
    HOL_TRY(hol_arena_status(arena));
    bool path = every_block_is_touched(schur->pattern, touched);
    for (int g = 0; g < schur->S->count; ++g)
        group_at[schur->S->place[g]] = g;
    for (int k = 0; k < schur->S->count && path; ++k)
        path = lay_link(schur, group_at, k, &links[k]);
    if (path) {
        schur->path = links;
        schur->path_end = links + count;
        schur->factor_solve_path = sized[size].factor_solve;
    }
    return HOL_OK;
}
