/* SPDX-License-Identifier: BSD-3-Clause */
/* Static block-sparse factorisation S = L diag(d) L^T of a symmetric positive semidefinite matrix.
 *
 * The pattern is fixed once: blocks are ordered by approximate minimum degree, or where they form paths from end to
 * end, fill is computed, and the target of every update is stored. The numeric elimination then takes a single
 * decision: a pivot that vanishes relative to its row,
 *
 *     d_i <= tolerance * S_ii,                                                       (1)
 *
 * belongs to a row that depends on the rows eliminated before it. Such a row is left out: its unknown is zero. For a
 * consistent right side the rest is then still a solution. Rows may also be left out by the caller from the start.
 *
 * Blocks are stored by columns. Only the lower triangle is used: of the diagonal blocks, too. */
#ifndef HOLON_LINALG_BLOCK_BLOCK_LDL_H
#define HOLON_LINALG_BLOCK_BLOCK_LDL_H

#include <holon/system.h>

#include "base/arena.h"

/* A block below the diagonal. */
typedef struct HolLdlEntry {
    double *L;       /* its numbers */
    int size, start; /* of its rows: how many, and the first of them in vectors, which keep the caller's order */
    int row;         /* the place of its rows in the order of elimination */
    int value;       /* where it begins in L */
} HolLdlEntry;

/* Block column k of L, in the order of elimination. Pointers are stored, because loops over small blocks do not have
 * registers for more than a few arrays. */
typedef struct HolLdlColumn {
    double *L, *d_inverse, *reference;    /* of the diagonal block */
    const HolLdlEntry *below, *below_end; /* the blocks below it: below ... below_end - 1 */
    int size, start;                      /* as above */
    int diagonal;                         /* where the diagonal block begins in L */
    int entries, end;                     /* the numbers of the blocks below it: entries ... end - 1 */
    /* Of a column with many blocks below it, where they are all coupled: for each of them the first block of its column
     * that is updated; the others follow it. NULL: the updates go to `target`, which has a place for each three of
     * coupled blocks. */
    const HolLdlEntry *const *runs;
} HolLdlColumn;

typedef struct HolBlockLdl HolBlockLdl;
struct HolBlockLdl {
    int count, n; /* block columns, scalar rows */
    const HolLdlColumn *columns;
    double *const *target; /* where the updates of each column without runs go, in the order of elimination */
    const int *place;      /* of the caller's blocks in the order of elimination */
    int values;            /* doubles in L */
    double *L;             /* assembled into, then factored in place: diag(d) and a unit lower triangle */
    double *d_inverse;     /* n; zero for a row left out */
    double *reference;     /* n; the diagonal before elimination, infinite for a row to leave out */
    double *scratch;
    int rank;     /* rows kept by the latest factorisation */
    double pivot; /* its smallest d_i / S_ii among the rows kept */
    bool finite;  /* no pivot was NaN or infinite */

    /* Copies of the numeric code for the common block size. */
    void (*eliminate)(HolBlockLdl *ldl, double tolerance, const unsigned char *left_out);
    void (*substitute)(const HolBlockLdl *ldl, double *x);
};

/* count blocks of the given sizes; edges couple blocks, in any order, repeated or not. */
HolStatus hol_ldl_create(HolArena *arena, int count, const int *sizes, const HolPair *edges, int edge_count,
                         HolBlockLdl **ldl);

/* Where the block (a, b) of the matrix is assembled. Returns true if it is stored as (row a, column b) and false if
 * it is stored as (b, a). */
bool hol_ldl_slot(const HolBlockLdl *ldl, int a, int b, int *offset);

/* How many of the targets belong to a column. */
static inline size_t hol_ldl_update_count(const HolLdlColumn *c)
{
    size_t count = (size_t)(c->below_end - c->below);
    return c->runs ? 0 : count * (count + 1) / 2;
}

/* Factors in place what has been written into L; left_out (n flags, or NULL) names rows to leave out beforehand.
 * HOL_NOT_FINITE on NaN. */
HolStatus hol_ldl_factor(HolBlockLdl *ldl, double tolerance, const unsigned char *left_out);

/* x <- S^-1 x, zero in the rows left out. */
void hol_ldl_solve(const HolBlockLdl *ldl, double *x);

/* Gives eliminate and substitute the copies for this common block size, 0 for mixed sizes. */
void hol_ldl_choose_kernels(HolBlockLdl *ldl, int size);

#endif
