/* SPDX-License-Identifier: BSD-3-Clause */
/* What the set-up and the numbers of the Schur solver share. */
#ifndef HOLON_LINALG_SCHUR_INTERNAL_H
#define HOLON_LINALG_SCHUR_INTERNAL_H

#include "linalg/schur.h"

/* Addresses stand ready wherever possible: the loops are short of registers for more than a few arrays. */

/* A D block. */
typedef struct HolSchurPair {
    double *E;           /* = D T, by columns */
    const double *t, *T; /* the root T of M^-1, row-major, and its diagonal */
    double *g;           /* T^T f */
    int row, column;     /* in vectors */
    int value;           /* in D */
    int rows, columns;
} HolSchurPair;

/* A group and the diagonal block of S that is made of its own pairs alone. */
typedef struct HolSchurGroup {
    const HolSchurPair *pairs, *end; /* pairs ... end - 1 */
    double *S, *reference;           /* the block, and its diagonal for the pivots */
    int row, rows;
} HolSchurGroup;

/* E_i E_j^T: two D blocks on the same block, i of the group eliminated later. */
typedef struct HolSchurProduct {
    const double *i, *j;
    int columns;
} HolSchurProduct;

/* A block of S below the diagonal, the sum of its products, or zero. */
typedef struct HolSchurBlock {
    const HolSchurProduct *products, *end; /* products ... end - 1 */
    double *S;
    int rows, columns;
} HolSchurBlock;

/* How far groups and blocks must have been formed before a column of S can be eliminated. */
typedef struct HolSchurStage {
    const HolSchurGroup *groups;
    const HolSchurBlock *blocks;
} HolSchurStage;

/* A group of a path, see schur_path.c. */
typedef struct HolSchurLink HolSchurLink;

/* The equations to solve, and where to. */
typedef struct HolSchurTask {
    const double *D, *f, *c;
    double tolerance;
    const unsigned char *left_out;
    double *x, *lambda;
} HolSchurTask;

struct HolSchur {
    const HolPattern *pattern;
    HolBlockLdl *S;
    HolSchurPair *pairs;
    HolSchurGroup *groups; /* groups and blocks in the order in which the elimination comes to them */
    HolSchurBlock *blocks;
    HolSchurProduct *products;
    HolSchurStage *stages; /* one for each column of S */
    double *E;             /* blocks by columns */
    double *T, *t;         /* roots of M^-1 row-major, and their diagonals */
    double *w;             /* t^2, which is M^-1 if T is diagonal */
    double *g;             /* nv */
    bool identity;         /* M is replaced by the unit matrix */
    bool diagonal;         /* T is a diagonal matrix */

    /* Copies of the numeric code for the sizes at hand. */
    void (*factor)(HolSchur *schur, const HolSchurTask *task); /* forms and factors S */
    void (*solve)(HolSchur *schur, const HolSchurTask *task);
    void (*factor_solve)(HolSchur *schur, const HolSchurTask *task);

    /* The groups along a path and code that goes along it, for a diagonal T; NULL if there is none. */
    const HolSchurLink *path, *path_end;
    void (*factor_solve_path)(HolSchur *schur, const HolSchurTask *task);
};

void hol_schur_choose_kernels(HolSchur *schur);
HolStatus hol_schur_find_path(HolSchur *schur, HolArena *arena);

#endif
