/* SPDX-License-Identifier: BSD-3-Clause */
/* What the set-up and the numbers of the Schur solver share. */
#ifndef HOLON_LINALG_SCHUR_INTERNAL_H
#define HOLON_LINALG_SCHUR_INTERNAL_H

#include "linalg/schur.h"

/* Rows eliminated with the one block that they stand on, see schur_local.c. */
typedef struct HolSchurLocal HolSchurLocal;
typedef struct HolLocalPair HolLocalPair;

/* Addresses stand ready wherever possible: the loops are short of registers for more than a few arrays. */

/* A D block. */
typedef struct HolSchurPair {
    double *E;           /* = D T, by columns */
    const double *t, *T; /* the root T of M^-1, row-major, and its diagonal */
    double *g;           /* T^T f */
    int row, column;     /* in vectors */
    int value;           /* in D */
    int rows, columns;
    const HolLocalPair *turned; /* the same of the solver around, if there is one: see schur_local.h */
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

/* Rows of zeros that make groups of different sizes alike, see schur_padding.c. */
typedef struct HolSchurPadding HolSchurPadding;

/* Blocks that became one, see schur_merge.h. */
typedef struct HolSchurMerge HolSchurMerge;

/* The equations to solve, and where to. */
typedef struct HolSchurTask {
    const double *D, *f, *c;
    double tolerance;
    const unsigned char *left_out;
    double *x, *lambda;
    /* What has been taken of the square of each row by an elimination before this one: pivots are told relative to the
     * whole. NULL: nothing. */
    const double *taken;
} HolSchurTask;

struct HolSchur {
    const HolPattern *pattern;
    HolSchurMerge *merge;        /* NULL if there is none; with it, nothing else is used but its inner solver */
    HolSchurPadding *padding;    /* NULL if there is none; with it, all that follows has its rows, as has the pattern */
    HolSchurLocal *local;        /* NULL if there is none, */
    bool is_local;               /* and whether the latest factors are its own */
    const HolSchurLocal *around; /* whose inner solver this is, or NULL */
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

    /* Those for a task of the solver around, whose blocks are turned on the way (schur_twins.c); NULL where there are
     * no such copies. */
    void (*factor_turned)(HolSchur *schur, const HolSchurTask *task);
    void (*solve_turned)(HolSchur *schur, const HolSchurTask *task);
    void (*factor_solve_turned)(HolSchur *schur, const HolSchurTask *task);

    /* The groups along a path and code that goes along it, for a diagonal T; NULL if there is none. */
    const HolSchurLink *path, *path_end;
    void (*factor_solve_path)(HolSchur *schur, const HolSchurTask *task);
};

void hol_schur_choose_kernels(HolSchur *schur);

/* The least number of rows, not below the given one, that there is a copy for; 0 if there is none. */
int hol_schur_sized_rows(int rows, int columns);

/* Whether it may have to turn rows of four columns: its E then has room for them. */
bool hol_schur_turns(const HolSchur *schur);

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

/* Without schur_local.c; as the inner solver of another, or NULL. */
HolStatus hol_schur_create_plain(HolArena *arena, const HolPattern *pattern, bool identity, const HolSchurLocal *around,
                                 HolSchur **schur);
/* A solver with fewer rows, if every block has one of its own; the pattern is that of the caller. */
HolStatus hol_schur_find_local(HolSchur *schur, const HolPattern *pattern, HolArena *arena);
void hol_schur_local_set_mass(HolSchur *schur);
/* False where that solver does not fit, and the general one must do it. */
bool hol_schur_local_factor(HolSchur *schur, const HolSchurTask *task, HolStatus *status);
bool hol_schur_local_factor_solve(HolSchur *schur, const HolSchurTask *task, HolStatus *status);
/* With its factors. */
void hol_schur_local_solve(HolSchur *schur, const HolSchurTask *task);
void hol_schur_local_left_out(const HolSchur *schur, unsigned char *left_out);

/* Exchanges the pattern for one with padding, if that pays. */
HolStatus hol_schur_pad(HolSchur *schur, HolArena *arena);

/* The caller's arrays into those with padding, and the result back. */
void hol_schur_widen(const HolSchurPadding *padding, HolSchurTask *task);
void hol_schur_narrow(const HolSchurPadding *padding, double *lambda);
void hol_schur_narrow_left_out(const HolSchur *schur, unsigned char *left_out);

#endif
