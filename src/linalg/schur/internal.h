/* SPDX-License-Identifier: BSD-3-Clause */
/* Data shared by the set-up and the numeric code of the Schur solver. */
#ifndef HOLON_LINALG_SCHUR_INTERNAL_H
#define HOLON_LINALG_SCHUR_INTERNAL_H

#include "linalg/schur/schur.h"

/* Rows eliminated with the one block that they depend on, see own_rows.c. */
typedef struct HolOwnRows HolOwnRows;

/* Pointers are stored wherever possible: the loops do not have registers for more than a few arrays. */

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

/* A group of a path, see path.c. */
typedef struct HolSchurLink HolSchurLink;

/* Rows of zeros that make groups of different sizes alike, see padding.c. */
typedef struct HolSchurPadding HolSchurPadding;

/* Blocks that became one, see merge.h. */
typedef struct HolSchurMerge HolSchurMerge;

/* The equations to solve, and where to. */
typedef struct HolSchurTask {
    const double *D, *f, *c;
    double tolerance;
    const unsigned char *left_out;
    double *x, *lambda;
    /* What an elimination before this one took from the square of each row: pivots are relative to the whole. NULL:
     * nothing. */
    const double *taken;
} HolSchurTask;

struct HolSchur {
    const HolPattern *pattern;
    HolSchurMerge *merge;     /* NULL if there is none; with it, nothing else is used but its inner solver */
    HolSchurPadding *padding; /* NULL if there is none; with it, all that follows has its rows, as has the pattern */
    HolOwnRows *own_rows;     /* NULL if there are none, */
    bool used_own_rows;       /* and whether the latest factors are theirs */
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

    /* The numeric code for the sizes of this pattern. */
    void (*factor)(HolSchur *schur, const HolSchurTask *task); /* forms and factors S */
    void (*solve)(HolSchur *schur, const HolSchurTask *task);
    void (*factor_solve)(HolSchur *schur, const HolSchurTask *task);

    /* The groups along a path and code that goes along it, for a diagonal T; NULL if there is none. */
    const HolSchurLink *path, *path_end;
    void (*factor_solve_path)(HolSchur *schur, const HolSchurTask *task);
};

void hol_schur_choose_kernels(HolSchur *schur);

/* The least number of rows, not below the given one, that there is a copy for; 0 if there is none. */
int hol_schur_sized_rows(int rows, int columns);

HolStatus hol_schur_find_path(HolSchur *schur, HolArena *arena);

/* Takes over the mass of one block, as hol_schur_set_mass() of all. */
HolStatus hol_schur_set_block_mass(HolSchur *schur, int b, const double *M);

/* Makes the solver one that hands its work to the inner one of the merge. */
HolStatus hol_schur_merge(HolSchur *schur, HolSchurMerge *merge, HolArena *arena);
HolStatus hol_schur_merge_set_mass(HolSchurMerge *merge, const double *M);
HolStatus hol_schur_merge_factor(HolSchurMerge *merge, const HolSchurTask *task);
void hol_schur_merge_solve(HolSchurMerge *merge, const HolSchurTask *task);
HolStatus hol_schur_merge_factor_solve(HolSchurMerge *merge, const HolSchurTask *task);
const HolSchur *hol_schur_merge_inner(const HolSchurMerge *merge);

/* A task in the rows that the solver has itself, padding included. */
static inline HolStatus hol_schur_factor_own(HolSchur *schur, const HolSchurTask *task)
{
    schur->factor(schur, task);
    return schur->S->finite ? HOL_OK : HOL_NOT_FINITE;
}

/* The same; f is not NULL. */
static inline HolStatus hol_schur_factor_solve_own(HolSchur *schur, const HolSchurTask *task)
{
    if (schur->factor_solve_path && schur->diagonal)
        schur->factor_solve_path(schur, task);
    else
        schur->factor_solve(schur, task);
    return schur->S->finite ? HOL_OK : HOL_NOT_FINITE;
}

/* Without own_rows.c. */
HolStatus hol_schur_create_plain(HolArena *arena, const HolPattern *pattern, bool identity, HolSchur **schur);
/* A solver with fewer rows, if every block has one of its own; the pattern is that of the caller. */
HolStatus hol_schur_find_own_rows(HolSchur *schur, const HolPattern *pattern, HolArena *arena);
/* False where that solver does not fit, and the general one must do it. */
bool hol_own_rows_factor(HolSchur *schur, const HolSchurTask *task, HolStatus *status);
bool hol_own_rows_factor_solve(HolSchur *schur, const HolSchurTask *task, HolStatus *status);
/* With the factors of the latest of these two. */
void hol_own_rows_solve(HolSchur *schur, const HolSchurTask *task);
void hol_own_rows_left_out(const HolSchur *schur, unsigned char *left_out);

/* Exchanges the pattern for one with padding, if that pays. */
HolStatus hol_schur_pad(HolSchur *schur, HolArena *arena);

/* The caller's arrays into those with padding, and the result back. */
void hol_schur_widen(const HolSchurPadding *padding, HolSchurTask *task);
void hol_schur_narrow(const HolSchurPadding *padding, double *lambda);
void hol_schur_narrow_left_out(const HolSchur *schur, unsigned char *left_out);

#endif
