/* SPDX-License-Identifier: BSD-3-Clause */
/* Own rows of blocks (schur_local.c) that stand on two columns with one mass: bodies of the plane in natural
 * coordinates.
 *
 * Of four columns the last two have the same t, and g is zero in the others. Then with
 *
 *     (c, s) = e t = g t^2 / |g t|   of these two,                                                        (1)
 *
 *     x = (z_0, z_1, -s z_2, c z_2) + (0, 0, c, s) c_e                                                    (2)
 *
 * where z has the masses of the first two columns and a unit one. A row D of others becomes
 *
 *     (D_0, D_1, c D_3 - s D_2)   and   E e = c D_2 + s D_3,                                              (3)
 *
 * a force likewise. This is what a reflection does in more steps. */
#include "linalg/schur_local.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 4, Z = 3 };

bool hol_twins_fit(const HolSchurLocal *local, const double *t)
{
    for (int b = 0; b < local->block_count && local->n == N; ++b)
        if (t[N * b + 2] != t[N * b + 3])
            return false;
    return local->n == N;
}

void hol_twins_set_mass(HolSchurLocal *local, const double *t)
{
    for (int b = 0; b < local->block_count; ++b)
        for (int i = 0; i < Z; ++i) {
            double ti = i < 2 ? t[N * b + i] : 1;
            local->inner->t[Z * b + i] = ti;
            local->inner->w[Z * b + i] = ti * ti;
        }
}

/* (1) */
HOL_KERNEL bool turn_block(const double *D, double t, HolLocalBlock *block)
{
    const double *g = D + block->value;
    double x = g[2] * t, y = g[3] * t, square = x * x + y * y;
    if (!(square > 0 && square <= DBL_MAX) || g[0] != 0 || g[1] != 0)
        return false;
    double inverse = 1 / sqrt(square), scale = inverse * t;
    block->inverse = inverse;
    block->c = x * scale;
    block->s = y * scale;
    return true;
}

/* c_e, and a force as (3) */
HOL_KERNEL void turn_force(const double *f, double c, HolLocalBlock *block)
{
    double x = f ? f[block->column + 2] : 0, y = f ? f[block->column + 3] : 0, across = block->c * y - block->s * x;
    block->pull = block->c * x + block->s * y;
    block->across = across;
    block->along = c * block->inverse;
}

/* What the inner solver needs of it. */
HOL_KERNEL void copy_forces(HolSchurLocal *s, const double *f)
{
    double *z = s->f;
    for (const HolLocalBlock *block = s->blocks; block < s->blocks + s->block_count; ++block, z += Z) {
        hol_put_two(hol_two_at(f + block->column), z);
        z[2] = block->across;
    }
}

/* (3) of two rows; what they take, and what is known of them on the right side. */
HOL_KERNEL void turn_rows(const HolLocalPair *pair, int i, const double *D, HolTwo *taken, HolTwo *known)
{
    const HolLocalBlock *block = pair->block;
    double *reduced = pair->D + Z * i;
    D += pair->value + N * i;
    HolTwo row0 = hol_two_at(D + 2), row1 = hol_two_at(D + N + 2);
    HolTwo x = __builtin_shufflevector(row0, row1, 0, 2), y = __builtin_shufflevector(row0, row1, 1, 3);
    HolTwo along = x * block->c + y * block->s, across = y * block->c - x * block->s;
    hol_put_two(hol_two_at(D), reduced);
    hol_put_two(hol_two_at(D + N), reduced + Z);
    reduced[2] = across[0];
    reduced[Z + 2] = across[1];
    hol_put_two(along, pair->Ee + i);
    *taken += along * along;
    *known += along * block->along;
}

HOL_KERNEL void turn_row(const HolLocalPair *pair, int i, const double *D, double *taken, double *known)
{
    const HolLocalBlock *block = pair->block;
    double *reduced = pair->D + Z * i;
    D += pair->value + N * i;
    double along = block->c * D[2] + block->s * D[3];
    hol_put_two(hol_two_at(D), reduced);
    reduced[2] = block->c * D[3] - block->s * D[2];
    pair->Ee[i] = along;
    *taken += along * along;
    *known += along * block->along;
}

/* Rows i and i + 1; with `sides` the right side, too. */
HOL_KERNEL void turn_two(const HolSchurLocal *s, const HolLocalGroup *group, int i, const double *D, const double *c,
                         bool sides)
{
    HolTwo taken = {0}, known = {0};
    for (const HolLocalPair *pair = group->pairs; pair < group->end; ++pair)
        turn_rows(pair, i, D, &taken, &known);
    hol_put_two(taken, s->taken + group->inner + i);
    if (sides)
        hol_put_two(hol_two_at(c + group->row + i) - known, s->c + group->inner + i);
}

HOL_KERNEL void turn_one(const HolSchurLocal *s, const HolLocalGroup *group, int i, const double *D, const double *c,
                         bool sides)
{
    double taken = 0, known = 0;
    for (const HolLocalPair *pair = group->pairs; pair < group->end; ++pair)
        turn_row(pair, i, D, &taken, &known);
    s->taken[group->inner + i] = taken;
    if (sides)
        s->c[group->inner + i] = c[group->row + i] - known;
}

HOL_KERNEL void turn_group(const HolSchurLocal *s, const HolLocalGroup *group, const double *D, const double *c,
                           bool sides)
{
    if (group->rows == 2) {
        turn_two(s, group, 0, D, c, sides);
        return;
    }
    for (int i = 0; i < group->rows; ++i)
        turn_one(s, group, i, D, c, sides);
}

/* D and c for a fused task where the inner solver has padding, or another order of rows. */
static void widen(const HolSchurLocal *s, const double *D, const double *c)
{
    for (const HolLocalRun *run = s->values.first; run < s->values.end; ++run)
        memcpy(s->wide + run->inner, D + run->outer, run->count * sizeof *D);
    for (const HolLocalRun *run = s->rows.first; run < s->rows.end; ++run)
        memcpy(s->c + run->inner, c + run->outer, run->count * sizeof *c);
}

HOL_KERNEL bool reduce(HolSchurLocal *s, const double *t, const double *D, const double *f, const double *c, bool sides)
{
    HolLocalBlock *end = s->blocks + s->block_count;
    for (HolLocalBlock *block = s->blocks; block < end; ++block, t += N) {
        if (!turn_block(D, t[2], block))
            return false;
        if (sides)
            turn_force(f, c[block->row], block);
    }
    if (sides && s->is_fused) {
        if (s->wide)
            widen(s, D, c);
        return true;
    }
    if (sides)
        copy_forces(s, f);
    for (const HolLocalGroup *group = s->groups; group < s->groups + s->group_count; ++group)
        turn_group(s, group, D, c, sides);
    return true;
}

HOL_CLONES bool hol_twins_reduce(HolSchurLocal *local, const double *t, const double *D, const double *f,
                                 const double *c)
{
    return c ? reduce(local, t, D, f, c, true) : reduce(local, t, D, NULL, NULL, false);
}

HOL_CLONES void hol_twins_set_sides(HolSchurLocal *local, const double *f, const double *c)
{
    for (int b = 0; b < local->block_count; ++b)
        turn_force(f, c[local->blocks[b].row], &local->blocks[b]);
    if (f)
        copy_forces(local, f);
    hol_local_set_sides(local, c);
}

/* (2), and (4) of schur_local.c */
HOL_CLONES void hol_twins_finish(HolSchurLocal *local, const double *inner, double *x, double *lambda)
{
    const double *z = local->z;
    hol_local_pull(local, inner);
    for (const HolLocalBlock *block = local->blocks; block < local->blocks + local->block_count; ++block) {
        hol_put_two(hol_two_at(z), x);
        x[2] = block->c * block->along - block->s * z[2];
        x[3] = block->s * block->along + block->c * z[2];
        lambda[block->row] = (block->along - block->pull) * block->inverse;
        x += N;
        z += Z;
    }
}
