/* SPDX-License-Identifier: BSD-3-Clause */
/* Static block-sparse factorisation S = L diag(d) L^T of a symmetric positive semidefinite matrix.
 *
 * The pattern is fixed once: blocks are ordered by approximate minimum degree, fill is computed, and every update of
 * the elimination knows where it goes. The numbers then run through without a decision, except one: a pivot that
 * vanishes against its row,
 *
 *     d_i <= tolerance * S_ii,                                                       (1)
 *
 * belongs to a row that depends on the rows eliminated before it. Such a row is left out: its unknown is zero. For a
 * consistent right side the rest is then still a solution. Rows may also be left out by the caller from the start. */
#ifndef HOLON_LINALG_BLOCK_LDL_H
#define HOLON_LINALG_BLOCK_LDL_H

#include <holon/system.h>

#include "base/arena.h"

typedef struct HolBlockLdl {
    int count, n;        /* blocks, scalar rows */
    int uniform;         /* the common block size, or 0 */
    const int *order;    /* order[k]: the block eliminated k-th */
    const int *place;    /* the inverse of order */
    const int *size;     /* of the k-th */
    const int *start;    /* of the k-th in vectors, which keep the caller's order */
    const int *diagonal; /* where its diagonal block begins in L */
    const int *column;   /* entries below the diagonal of column k: column[k] ... column[k+1]-1 */
    const int *row;      /* of an entry: the place of its block row */
    const int *entry;    /* where an entry's block begins in L */
    const int *target;   /* where the updates of each column go, in the order of elimination */
    int values;          /* doubles in L */
    double *L;           /* assembled into, then factored in place */
    double *d_inverse;   /* n; zero for a row left out */
    double *reference;   /* n; the diagonal before elimination */
    double *scratch;
    int rank;     /* rows kept by the latest factorisation */
    double pivot; /* its smallest d_i / S_ii among the rows kept */
} HolBlockLdl;

/* count blocks of the given sizes; edges couple blocks, in any order, repeated or not. */
HolStatus hol_ldl_create(HolArena *arena, int count, const int *sizes, const HolPair *edges, int edge_count,
                         HolBlockLdl **ldl);

/* Where the block (a, b) of the matrix is assembled: row-major, lower triangle. Returns true if it stands as
 * (row a, column b) and false if as (b, a). */
bool hol_ldl_slot(const HolBlockLdl *ldl, int a, int b, int *offset);

/* Zeros for assembly. */
void hol_ldl_clear(HolBlockLdl *ldl);

/* Factors in place; left_out (n flags, or NULL) names rows to leave out beforehand. HOL_NOT_FINITE on NaN. */
HolStatus hol_ldl_factor(HolBlockLdl *ldl, double tolerance, const unsigned char *left_out);

/* x <- S^-1 x, zero in the rows left out. */
void hol_ldl_solve(const HolBlockLdl *ldl, double *x);

#endif
