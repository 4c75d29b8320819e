/* SPDX-License-Identifier: BSD-3-Clause */
/* What the set-up and the numbers of the Schur solver share. */
#ifndef HOLON_LINALG_SCHUR_INTERNAL_H
#define HOLON_LINALG_SCHUR_INTERNAL_H

#include "linalg/schur.h"

/* A D block with all its addresses at hand. */
typedef struct HolSchurPair {
    int rows, columns;
    int row, column; /* in vectors */
    int value;       /* in D and E */
    int root;        /* in T */
} HolSchurPair;

/* S[target] = E_i E_j^T, or added to it: two D blocks on the same block, i of the group eliminated later. */
typedef struct HolSchurProduct {
    int target, i, j; /* i, j: where the pairs begin in E */
    int rows_i, rows_j, columns;
} HolSchurProduct;

typedef struct HolSchurProducts {
    HolSchurProduct *list;
    int count;
} HolSchurProducts;

struct HolSchur {
    const HolPattern *pattern;
    HolBlockLdl *S;
    HolSchurPair *pairs;
    HolSchurProducts first, further; /* the first product of each block of S is stored, the rest are added */
    int *fill;                       /* offsets of the doubles of S that no product writes */
    int fill_count;
    double *E;     /* blocks by columns */
    double *T, *t; /* roots of M^-1 row-major, and their diagonals */
    double *g;     /* nv */
    bool identity; /* M is replaced by the unit matrix */
    bool diagonal; /* T is a diagonal matrix */

    /* Copies of the numeric code for the sizes at hand. */
    void (*weigh)(HolSchur *schur, const double *D); /* E */
    void (*form)(HolSchur *schur);                   /* S */
    void (*solve)(HolSchur *schur, const double *f, const double *c, double *x, double *lambda);
};

void hol_schur_choose_kernels(HolSchur *schur);

#endif
