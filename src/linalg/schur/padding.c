/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of different sizes are padded with rows of zeros to one size.
 *
 * The fast copies of the numeric code know one size R x N of all pairs, but most mechanisms mix joints. Rows of zeros
 * therefore follow those of each smaller group. Such a row has a zero on the diagonal of S and a
 * zero for a pivot, so that (1) of block_ldl.h leaves it out: its lambda is zero, and neither the rank, which counts
 * the rows kept, nor the smallest pivot depends on it. */
#include "base/message.h"
#include "linalg/block/blocks.h"
#include "linalg/schur/internal.h"

#include <limits.h>
#include <string.h>

/* With more rows than this for each of the caller's, loops over the sizes as they are cost less. */
static const double MOST_ROWS = 2.5;

/* Numbers that are contiguous in the caller's arrays (narrow) and in those with zeros (wide). */
typedef struct Run {
    int narrow, wide, count;
} Run;

typedef struct Runs {
    Run *first, *end;
} Runs;

struct HolSchurPadding {
    HolPattern pattern;      /* the caller's, but with R rows in each group, m altogether */
    Runs rows, values;       /* of vectors, and of D */
    double *D, *c, *lambda;  /* wide; what is not in a run stays zero */
    unsigned char *left_out; /* likewise */
};

/* The rows that all groups should have; 0 if they may stay as they are, or must. */
static int common_rows(const HolPattern *p)
{
    int most = 0, columns = p->pair_count ? hol_part_size(p->block_start, p->pairs[0].column) : 0;
    for (int g = 0; g < p->group_count; ++g) {
        int rows = hol_part_size(p->group_start, g);
        most = rows > most ? rows : most;
    }
    for (int i = 0; i < p->pair_count; ++i)
        if (hol_part_size(p->block_start, p->pairs[i].column) != columns)
            return 0;
    int rows = hol_schur_sized_rows(most, columns);
    double all = (double)rows * p->group_count;
    bool fits = rows && p->pair_start[p->pair_count] <= INT_MAX / rows;
    return fits && all > p->m && all <= MOST_ROWS * p->m ? rows : 0;
}

/* Part k, which gets `size` numbers in the wide array. */
static void padding_add_part(const int *narrow, int *wide, int k, int size, Runs *runs)
{
    int count = hol_part_size(narrow, k);
    wide[k + 1] = wide[k] + size;
    if (k > 0 && runs->end[-1].wide + runs->end[-1].count == wide[k])
        runs->end[-1].count += count;
    else
        *runs->end++ = (Run){narrow[k], wide[k], count};
}

static HolStatus padding_lay_out(HolSchurPadding *s, HolArena *arena, const HolPattern *p, int rows)
{
    size_t groups = (size_t)p->group_count, pairs = (size_t)p->pair_count;
    int *group_start = hol_arena_ints(arena, groups + 1), *pair_start = hol_arena_ints(arena, pairs + 1);
    s->rows.first = s->rows.end = hol_arena_alloc(arena, groups * sizeof(Run));
    s->values.first = s->values.end = hol_arena_alloc(arena, pairs * sizeof(Run));
    HOL_TRY(hol_arena_status(arena));
    for (int g = 0; g < p->group_count; ++g)
        padding_add_part(p->group_start, group_start, g, rows, &s->rows);
    for (int i = 0; i < p->pair_count; ++i)
        padding_add_part(p->pair_start, pair_start, i, rows * hol_part_size(p->block_start, p->pairs[i].column),
                         &s->values);
    s->pattern = *p;
    s->pattern.m = group_start[p->group_count];
    s->pattern.group_start = group_start;
    s->pattern.pair_start = pair_start;
    return HOL_OK;
}

HolStatus hol_schur_pad(HolSchur *schur, HolArena *arena)
{
    int rows = common_rows(schur->pattern);
    if (!rows)
        return HOL_OK;
    HolSchurPadding *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    HOL_TRY(padding_lay_out(s, arena, schur->pattern, rows));
    size_t m = (size_t)s->pattern.m;
    s->D = hol_arena_doubles(arena, (size_t)s->pattern.pair_start[s->pattern.pair_count]);
    HOL_DOUBLES(arena, m, &s->c, &s->lambda);
    s->left_out = hol_arena_alloc(arena, m);
    schur->padding = s;
    schur->pattern = &s->pattern;
    return hol_arena_status(arena);
}

static void widen(Runs runs, const double *narrow, double *wide)
{
    for (const Run *r = runs.first; r < runs.end; ++r)
        memcpy(wide + r->wide, narrow + r->narrow, (size_t)r->count * sizeof *wide);
}

void hol_schur_widen(const HolSchurPadding *padding, HolSchurTask *task)
{
    if (task->D)
        widen(padding->values, task->D, padding->D);
    if (task->c)
        widen(padding->rows, task->c, padding->c);
    for (const Run *r = padding->rows.first; r < padding->rows.end && task->left_out; ++r)
        memcpy(padding->left_out + r->wide, task->left_out + r->narrow, (size_t)r->count);
    task->D = padding->D;
    task->c = padding->c;
    task->lambda = padding->lambda;
    if (task->left_out)
        task->left_out = padding->left_out;
}

void hol_schur_narrow(const HolSchurPadding *padding, double *lambda)
{
    for (const Run *r = padding->rows.first; r < padding->rows.end; ++r)
        memcpy(lambda + r->narrow, padding->lambda + r->wide, (size_t)r->count * sizeof *lambda);
}

void hol_schur_narrow_left_out(const HolSchur *schur, unsigned char *left_out)
{
    for (const Run *r = schur->padding->rows.first; r < schur->padding->rows.end; ++r)
        for (int i = 0; i < r->count; ++i)
            left_out[r->narrow + i] = schur->S->d_inverse[r->wide + i] == 0;
}
