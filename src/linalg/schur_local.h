/* SPDX-License-Identifier: BSD-3-Clause */
/* What the two ways to eliminate a block's own row share: by reflections (schur_local.c) and, where two columns have
 * the row to themselves, by turning those (schur_twins.c) while the inner solver goes through its rows. */
#ifndef HOLON_LINALG_SCHUR_LOCAL_H
#define HOLON_LINALG_SCHUR_LOCAL_H

#include "linalg/schur_internal.h"
#include "math/kernels.h"

#include <stddef.h>

/* One block and its own row. */
typedef struct HolLocalBlock {
    double turn[4], mix[4], weight[4]; /* of (4) and (5) in schur_twins.c, */
    double force[4], side[4];          /* and (6) there */
    double inverse;                    /* 1/|g t|; of twins 1/n */
    double along;                      /* c_e; of twins c_g / w */
    double mass;                       /* of twins, 1/w */
    ptrdiff_t row, value;              /* of its own row, among all rows and in D */
    ptrdiff_t column;                  /* in vectors */
    ptrdiff_t turned;                  /* its own row in the lambda of a task that is turned */
    double pull;                       /* of schur_local.c: e (t f + E^T lambda) */
    double b;                          /* of (2) there */
    double unused[3];                  /* blocks begin where fours are loaded at once */
} HolLocalBlock;

/* A pair of the other rows. */
struct HolLocalPair {
    HolLocalBlock *block;
    ptrdiff_t value;  /* where it begins in D, */
    ptrdiff_t turned; /* and in the D of a task that is turned */
    ptrdiff_t row;    /* its first among those of the inner solver */
    double *E;        /* of the inner solver, with room for turned rows */
    double *D, *Ee;   /* reflected; and E e, one for each row */
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
    bool has_twins;      /* the last two of four columns have equal masses, and the inner solver can turn them */
    double *wide;        /* D with its padding, but four columns; NULL if D will do, as is_first */
    bool is_turned;      /* the latest factors are those of schur_twins.c */
    HolLocalRuns rows;   /* of vectors, */
    HolLocalRuns values; /* and from D to `wide` */
    double *D, *Ee, *f, *c, *z, *lambda;
    double *taken; /* (E e)^2 of each inner row, for its pivots */
    double *e, *u; /* of schur_local.c, n for each block */
    unsigned char *left_out;
};

/* Whether the masses t let them be turned; keeps what it needs of them. */
bool hol_twins_fit(HolSchurLocal *local, const double *t);
/* With w = t^2: what of each block the inner solver needs to turn D, and its right sides, if the task has a c; its f
 * may be NULL for zero. False where an own row does not stand on the twins alone. */
bool hol_twins_turn(HolSchurLocal *local, const double *t, const double *w, const HolSchurTask *task);
/* The right sides alone. */
void hol_twins_set_sides(HolSchurLocal *local, const HolSchurTask *task);

#endif
