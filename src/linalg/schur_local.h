/* SPDX-License-Identifier: BSD-3-Clause */
/* What the two ways to eliminate a block's own row share: by reflections (schur_local.c) and, where two columns have
 * the row to themselves, by turning those (schur_twins.c). */
#ifndef HOLON_LINALG_SCHUR_LOCAL_H
#define HOLON_LINALG_SCHUR_LOCAL_H

#include "linalg/schur_internal.h"
#include "math/kernels.h"

#include <stddef.h>

/* One block and its own row. */
typedef struct HolLocalBlock {
    ptrdiff_t row, value; /* of its own row, among all rows and in D */
    double inverse;       /* 1/|g t| */
    double along;         /* c_e */
    double pull;          /* e (t f + E^T lambda) */
    double b;             /* of (2) in schur_local.c */
    double c, s;          /* of (1) in schur_twins.c, */
    double across;        /* and c f_3 - s f_2 there */
    ptrdiff_t column;     /* in vectors */
    ptrdiff_t fused;      /* its own row in the lambda of a fused task */
} HolLocalBlock;

/* A pair of the other rows. */
struct HolLocalPair {
    ptrdiff_t value, column; /* where it begins in D, and its block in vectors */
    ptrdiff_t fused;         /* where it begins in the D of a fused task */
    double *D, *Ee;          /* reduced; and E e, one for each row */
    HolLocalBlock *block;
};

typedef struct HolLocalGroup {
    HolLocalPair *pairs, *end;
    ptrdiff_t row, inner; /* its first row among all, and among those of the inner solver */
    int rows;
} HolLocalGroup;

/* Numbers that stand together in the caller's arrays and in those of the inner solver. */
typedef struct HolLocalRun {
    ptrdiff_t outer, inner;
    size_t count;
} HolLocalRun;

typedef struct HolLocalRuns {
    HolLocalRun *first, *end;
} HolLocalRuns;

struct HolSchurLocal {
    int n, block_count, group_count, pair_count;
    HolLocalBlock *blocks;
    HolLocalGroup *groups;
    HolLocalPair *pairs;
    HolPattern pattern;  /* of the inner solver, before padding */
    HolSchur *inner;     /* its arrays have padding, as its pattern has */
    bool is_first;       /* its rows are the first of all, in their order: lambda and left_out need no copies */
    bool has_twins;      /* the last two of four columns have equal masses, in every block */
    bool is_fused;       /* the inner solver can turn them on the way, */
    double *wide;        /* from D with its padding, but four columns; NULL if D will do, as is_first */
    bool is_turned;      /* the latest factors are those of schur_twins.c, and the masses of the inner solver */
    HolLocalRuns rows;   /* of vectors, */
    HolLocalRuns values; /* and from D to `wide` */
    double *D, *Ee, *f, *c, *z, *lambda;
    double *taken; /* (E e)^2 of each inner row, for its pivots */
    double *e, *u; /* of schur_local.c, n for each block */
    unsigned char *left_out;
};

/* What the own rows leave of the right sides of the others. */
HOL_KERNEL void hol_local_set_sides(HolSchurLocal *local, const double *c)
{
    for (const HolLocalGroup *group = local->groups; group < local->groups + local->group_count; ++group) {
        if (group->rows == 2) {
            HolTwo sum = hol_two_at(c + group->row);
            for (const HolLocalPair *pair = group->pairs; pair < group->end; ++pair)
                sum -= hol_two_at(pair->Ee) * pair->block->along;
            hol_put_two(sum, local->c + group->inner);
            continue;
        }
        for (int i = 0; i < group->rows; ++i) {
            double sum = c[group->row + i];
            for (const HolLocalPair *pair = group->pairs; pair < group->end; ++pair)
                sum -= pair->Ee[i] * pair->block->along;
            local->c[group->inner + i] = sum;
        }
    }
}

/* Adds e E^T lambda, lambda being that of the inner rows. */
HOL_KERNEL void hol_local_pull(HolSchurLocal *local, const double *lambda)
{
    for (const HolLocalGroup *group = local->groups; group < local->groups + local->group_count; ++group)
        for (const HolLocalPair *pair = group->pairs; pair < group->end; ++pair)
            pair->block->pull += group->rows == 2 ? hol_dot(2, pair->Ee, lambda + group->inner)
                                                  : hol_dot(group->rows, pair->Ee, lambda + group->inner);
}

/* Whether the masses t let them be turned. */
bool hol_twins_fit(const HolSchurLocal *local, const double *t);
/* Masses for the inner solver. */
void hol_twins_set_mass(HolSchurLocal *local, const double *t);
/* False where an own row does not stand on the twins alone. The right sides are set, too, if there is a c; then all but
 * the blocks is left to the inner solver, if it can do that. */
bool hol_twins_reduce(HolSchurLocal *local, const double *t, const double *D, const double *f, const double *c);
/* The right sides alone; f may be NULL for zero. */
void hol_twins_set_sides(HolSchurLocal *local, const double *f, const double *c);
/* x and the lambda of the own rows, from what the inner solver found: z, and its lambda. */
void hol_twins_finish(HolSchurLocal *local, const double *inner, double *x, double *lambda);

/* (2) of schur_twins.c with z = w (the force), and (4) of schur_local.c; y is f + D^T lambda of the block, without its
 * own row. */
HOL_KERNEL void hol_twins_finish_block(const HolLocalBlock *block, const double *w, const double *y, double *x,
                                       double *lambda)
{
    double c = block->c, s = block->s, along = block->along;
    double pull = c * y[2] + s * y[3], across = c * y[3] - s * y[2];
    lambda[block->fused] = (along - pull) * block->inverse;
    x[0] = w[0] * y[0];
    x[1] = w[1] * y[1];
    x[2] = c * along - s * across;
    x[3] = s * along + c * across;
}

#endif
