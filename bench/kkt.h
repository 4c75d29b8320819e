/* SPDX-License-Identifier: BSD-3-Clause */
/* The competitors: general solvers of the equations of motion, written as one matrix
 *
 *     [ M  -D^T ] [ vdot   ]   [ Q     ]
 *     [ D    0  ] [ lambda ] = [ gamma ]
 *
 * Where each number of M and D goes is found out once, so that an evaluation copies numbers and solves. Numbers that are
 * zero at the first point are left out, so that KLU sees the sparsest matrix there is, unless whole blocks are asked
 * for, which is what a caller who knows nothing but the pattern would pass. */
#ifndef BENCH_KKT_H
#define BENCH_KKT_H

#include <holon/system.h>

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<suitesparse/klu.h>)
#include <suitesparse/klu.h>
#else
#include <klu.h>
#endif

typedef enum Part { MASS, LOWER, UPPER } Part; /* M, D, -D^T */

typedef struct Entry {
    Part part;
    int from; /* into M or D */
    int row, column;
} Entry;

typedef struct Copy {
    int from, to;
} Copy;

typedef struct Kkt {
    const HolSystem *system;
    HolTerms *terms;
    HolPoint at;
    int n, nv, m;
    Entry *entries; /* by parts */
    Copy *copies;   /* of the entries, in their order */
    int part_end[3];
    int count;
    bool constant_mass, whole_blocks;
    double *A; /* dense by columns, or the values of the sparse matrix */
    double *x; /* right side, then vdot and lambda */
} Kkt;

enum { KKT_WANTS = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_NU | HOL_WANT_GAMMA };

static void *checked(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static inline void kkt_add(Kkt *k, Part part, int from, int row, int column)
{
    double value = part == MASS ? k->terms->M[from] : k->terms->D[from];
    if (value != 0 || k->whole_blocks)
        k->entries[k->count++] = (Entry){part, from, row, column};
}

static inline void kkt_add_mass(Kkt *k, const HolPattern *p, int pair)
{
    int row = p->block_start[p->mass_pairs[pair].row], column = p->block_start[p->mass_pairs[pair].column];
    int columns = p->block_start[p->mass_pairs[pair].column + 1] - column;
    for (int s = p->mass_start[pair]; s < p->mass_start[pair + 1]; ++s) {
        int i = row + (s - p->mass_start[pair]) / columns, j = column + (s - p->mass_start[pair]) % columns;
        kkt_add(k, MASS, s, i, j);
        if (row != column)
            kkt_add(k, MASS, s, j, i);
    }
}

static inline void kkt_add_jacobian(Kkt *k, const HolPattern *p, int pair, Part part)
{
    int row = p->nv + p->group_start[p->pairs[pair].row], column = p->block_start[p->pairs[pair].column];
    int columns = p->block_start[p->pairs[pair].column + 1] - column;
    for (int s = p->pair_start[pair]; s < p->pair_start[pair + 1]; ++s) {
        int i = row + (s - p->pair_start[pair]) / columns, j = column + (s - p->pair_start[pair]) % columns;
        kkt_add(k, part, s, part == LOWER ? i : j, part == LOWER ? j : i);
    }
}

static inline void kkt_list(Kkt *k, const HolPattern *p)
{
    int most = 2 * (p->mass_start[p->mass_pair_count] + p->pair_start[p->pair_count]);
    k->entries = checked(malloc((size_t)most * sizeof *k->entries));
    k->copies = checked(malloc((size_t)most * sizeof *k->copies));
    for (int pair = 0; pair < p->mass_pair_count; ++pair)
        kkt_add_mass(k, p, pair);
    k->part_end[MASS] = k->count;
    for (Part part = LOWER; part <= UPPER; ++part) {
        for (int pair = 0; pair < p->pair_count; ++pair)
            kkt_add_jacobian(k, p, pair, part);
        k->part_end[part] = k->count;
    }
}

/* Without A, which is dense or sparse. The point must stay. */
static inline Kkt kkt_create(const HolSystem *system, HolPoint at, bool whole_blocks)
{
    const HolPattern *p = hol_system_pattern(system);
    Kkt k = {.system = system, .at = at, .n = p->nv + p->m, .nv = p->nv, .m = p->m};
    k.constant_mass = hol_system_has_constant_mass(system);
    k.whole_blocks = whole_blocks;
    if (hol_terms_create(system, &k.terms) != HOL_OK || hol_system_evaluate(system, &at, KKT_WANTS, k.terms) != HOL_OK)
        abort();
    kkt_list(&k, p);
    k.x = checked(malloc((size_t)k.n * sizeof *k.x));
    return k;
}

static inline void kkt_destroy(Kkt *k)
{
    hol_terms_destroy(k->terms);
    free(k->entries);
    free(k->copies);
    free(k->A);
    free(k->x);
}

/* The terms at the point, into A and x; the mass only if it is asked for. */
static inline bool kkt_assemble(Kkt *k, bool mass)
{
    const HolTerms *terms = k->terms;
    if (hol_system_evaluate(k->system, &k->at, KKT_WANTS, k->terms) != HOL_OK)
        return false;
    const Copy *copy = k->copies;
    for (int e = 0; mass && e < k->part_end[MASS]; ++e)
        k->A[copy[e].to] = terms->M[copy[e].from];
    for (int e = k->part_end[MASS]; e < k->part_end[LOWER]; ++e)
        k->A[copy[e].to] = terms->D[copy[e].from];
    for (int e = k->part_end[LOWER]; e < k->part_end[UPPER]; ++e)
        k->A[copy[e].to] = -terms->D[copy[e].from];
    memcpy(k->x, terms->Q, (size_t)k->nv * sizeof *k->x);
    memcpy(k->x + k->nv, terms->gamma, (size_t)k->m * sizeof *k->x);
    return true;
}

/* ---- Dense, by LAPACK ---- */

typedef struct DenseKkt {
    Kkt kkt;
    lapack_int *pivots;
} DenseKkt;

static inline DenseKkt dense_create(const HolSystem *system, HolPoint at)
{
    DenseKkt dense = {.kkt = kkt_create(system, at, false)};
    Kkt *k = &dense.kkt;
    for (int e = 0; e < k->count; ++e)
        k->copies[e] = (Copy){k->entries[e].from, k->entries[e].column * k->n + k->entries[e].row};
    k->A = checked(malloc((size_t)k->n * (size_t)k->n * sizeof *k->A));
    dense.pivots = checked(malloc((size_t)k->n * sizeof *dense.pivots));
    return dense;
}

static inline void dense_destroy(DenseKkt *dense)
{
    kkt_destroy(&dense->kkt);
    free(dense->pivots);
}

static inline bool dense_evaluate(DenseKkt *dense)
{
    Kkt *k = &dense->kkt;
    memset(k->A, 0, (size_t)k->n * (size_t)k->n * sizeof *k->A);
    return kkt_assemble(k, true) &&
           LAPACKE_dgesv_work(LAPACK_COL_MAJOR, k->n, 1, k->A, k->n, dense->pivots, k->x, k->n) == 0;
}

/* ---- Sparse, by KLU: analysis and pivots once, then numbers only ---- */

typedef struct SparseKkt {
    Kkt kkt;
    int *column_start, *row;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} SparseKkt;

static inline void sparse_pattern(SparseKkt *sparse)
{
    Kkt *k = &sparse->kkt;
    int *start = checked(calloc((size_t)k->n + 2, sizeof *start));
    sparse->row = checked(malloc((size_t)k->count * sizeof *sparse->row));
    for (int e = 0; e < k->count; ++e)
        ++start[k->entries[e].column + 2];
    for (int j = 1; j <= k->n; ++j)
        start[j + 1] += start[j];
    for (int e = 0; e < k->count; ++e) {
        int to = start[k->entries[e].column + 1]++;
        sparse->row[to] = k->entries[e].row;
        k->copies[e] = (Copy){k->entries[e].from, to};
    }
    sparse->column_start = start;
}

static inline bool sparse_create(const HolSystem *system, HolPoint at, bool whole_blocks, SparseKkt *sparse)
{
    *sparse = (SparseKkt){.kkt = kkt_create(system, at, whole_blocks)};
    Kkt *k = &sparse->kkt;
    sparse_pattern(sparse);
    k->A = checked(malloc((size_t)k->count * sizeof *k->A));
    klu_defaults(&sparse->common);
    sparse->symbolic = klu_analyze(k->n, sparse->column_start, sparse->row, &sparse->common);
    if (!sparse->symbolic || !kkt_assemble(k, true))
        return false;
    sparse->numeric = klu_factor(sparse->column_start, sparse->row, k->A, sparse->symbolic, &sparse->common);
    return sparse->numeric != NULL;
}

static inline void sparse_destroy(SparseKkt *sparse)
{
    klu_free_numeric(&sparse->numeric, &sparse->common);
    klu_free_symbolic(&sparse->symbolic, &sparse->common);
    free(sparse->column_start);
    free(sparse->row);
    kkt_destroy(&sparse->kkt);
}

static inline bool sparse_evaluate(SparseKkt *sparse)
{
    Kkt *k = &sparse->kkt;
    return kkt_assemble(k, !k->constant_mass) &&
           klu_refactor(sparse->column_start, sparse->row, k->A, sparse->symbolic, sparse->numeric, &sparse->common) &&
           klu_solve(sparse->symbolic, sparse->numeric, k->n, 1, k->x, &sparse->common);
}

#endif
