/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/diagnosis/conflict.h"

#include "base/format.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/independent_rows.h"
#include "linalg/rank/left_null_space.h"
#include "linalg/rank/rank.h"

#include <math.h>
#include <string.h>

/* Rates differ by this part of themselves at least: motions typed with six digits are consistent. */
static const double LEAST = HOL_TOL_RANK_STILL;
/* Of the relative violation squared, in the contradiction of positions. */
static const double SECOND_ORDER = 10;
/* Parts of a null vector, relative to the sizes of the rows, that are rounding. */
static const double NOTHING = HOL_TOL_EQUAL;

struct HolConflict {
    HolRowChoice *rows;
    HolLeftNullSpace *space;
    unsigned char *left_out, *takes_part; /* m flags; takes_part: in some dependence at the initial state */
    int count;                            /* of the redundant rows at the initial state */
    double *n, *z, *e, *size;             /* m */
};

/* The rows of some dependence: those of a combination of all null vectors without a pattern. */
static void conflict_find_rows(HolConflict *c, const HolWorkspace *work)
{
    uint64_t seed = 1;
    int m = work->pattern->m;
    double largest = 0;
    for (int i = 0; i < m; ++i)
        c->z[i] = hol_scattered(&seed);
    hol_left_null_times(c->space, c->z, c->n);
    hol_jacobian_row_divisors(work->pattern, work->terms->D, c->size);
    for (int i = 0; i < m; ++i)
        largest = fmax(largest, fabs(c->n[i]) * c->size[i]);
    for (int i = 0; i < m; ++i)
        c->takes_part[i] = fabs(c->n[i]) * c->size[i] > NOTHING * largest;
}

/* Chooses the rows at the point of the workspace; false if none is redundant there, more than initially are, as in a
 * singular configuration, or they cannot be factored. */
static bool conflict_choose(HolConflict *c, const HolWorkspace *work, double violation)
{
    int count = 0;
    const double *D = work->terms->D;
    return hol_rows_choose(c->rows, D, hol_rank_sine(HOL_TOL_RANK, violation), c->left_out, &count) == HOL_OK &&
           count > 0 && count <= c->count && hol_left_null_factor(c->space, D, c->left_out) == HOL_OK;
}

HolStatus hol_conflict_create(HolArena *arena, HolWorkspace *work, int redundant_count, HolConflict **conflict)
{
    size_t m = (size_t)work->pattern->m;
    *conflict = NULL;
    if (redundant_count == 0 || hol_system_is_scleronomic(work->system))
        return HOL_OK;
    HolConflict *c = hol_arena_alloc(arena, sizeof *c);
    HOL_TRY(hol_arena_status(arena));
    c->count = redundant_count;
    c->left_out = hol_arena_alloc(arena, m);
    c->takes_part = hol_arena_alloc(arena, m);
    HOL_DOUBLES(arena, m, &c->n, &c->z, &c->e, &c->size);
    HOL_TRY(hol_arena_status(arena));
    HOL_TRY(hol_rows_create(arena, work->pattern, &c->rows));
    HOL_TRY(hol_left_null_create(arena, work->pattern, &c->space));
    if (!conflict_choose(c, work, 0))
        return HOL_OK;
    conflict_find_rows(c, work);
    *conflict = c;
    return HOL_OK;
}

static bool conflict_moves(const HolConflict *c, const HolWorkspace *work)
{
    for (int i = 0; i < work->pattern->m; ++i)
        if (c->takes_part[i] && work->terms->nu[i] != 0)
            return true;
    return false;
}

/* The null vector n of a row left out. Returns |n^T nu| / max |n_i nu_i|: by how much the rates differ. */
static double conflict_difference(HolConflict *c, const HolWorkspace *work, int row)
{
    const double *nu = work->terms->nu;
    double sum = 0, largest = 0;
    memset(c->e, 0, (size_t)work->pattern->m * sizeof *c->e);
    c->e[row] = 1;
    hol_left_null_times(c->space, c->e, c->n);
    for (int i = 0; i < work->pattern->m; ++i) {
        sum += c->n[i] * nu[i];
        largest = fmax(largest, fabs(c->n[i] * nu[i]));
    }
    return largest > 0 ? fabs(sum) / largest : 0;
}

/* The row left out whose nu differs most from what the others imply, or -1. */
static int conflict_worst_row(HolConflict *c, const HolWorkspace *work, double *worst)
{
    int row = -1, m = work->pattern->m;
    double largest = 0;
    *worst = 0;
    hol_jacobian_row_divisors(work->pattern, work->terms->D, c->size);
    hol_left_null_transposed(c->space, work->terms->nu, c->z);
    for (int i = 0; i < m; ++i)
        largest = fmax(largest, c->takes_part[i] ? fabs(work->terms->nu[i]) / c->size[i] : 0);
    for (int i = 0; i < m; ++i) {
        bool is_rounding = !c->left_out[i] || fabs(c->z[i]) <= NOTHING * largest * c->size[i];
        double difference = is_rounding ? 0 : conflict_difference(c, work, i);
        row = difference > *worst ? i : row;
        *worst = fmax(*worst, difference);
    }
    return row;
}

/* The group, other than the given one, with the largest share n_i nu_i in the contradiction; -1 if there is none. */
static int conflict_largest_group(const HolConflict *c, const HolWorkspace *work, int other)
{
    const HolPattern *p = work->pattern;
    double largest = 0, all = 0;
    int group = -1;
    for (int i = 0; i < p->m; ++i)
        all = fmax(all, fabs(c->n[i] * work->terms->nu[i]));
    for (int g = 0; g < p->group_count; ++g)
        for (int i = p->group_start[g]; i < p->group_start[g + 1] && g != other; ++i)
            if (fabs(c->n[i] * work->terms->nu[i]) > fmax(largest, NOTHING * all)) {
                largest = fabs(c->n[i] * work->terms->nu[i]);
                group = g;
            }
    return group;
}

/* Names what contradicts at the row left out; `how` says by how much the two differ. */
static HolStatus conflict_fail(HolConflict *c, const HolWorkspace *work, int row, const char *how, HolMessage *message)
{
    conflict_difference(c, work, row);
    int first = conflict_largest_group(c, work, -1), second = conflict_largest_group(c, work, first);
    if (second < 0)
        return hol_fail(message, HOL_BAD_INPUT,
                        "'%.80s' prescribes a motion that the other constraints do not allow at t = %.9g; remove it or "
                        "the constraint that prevents the motion",
                        hol_system_group_name(work->system, first), work->at.t);
    return hol_fail(message, HOL_BAD_INPUT,
                    "'%.80s' and '%.80s' contradict each other at t = %.9g: they prescribe the same degree of freedom, "
                    "but their %s; remove one of them or make them consistent",
                    hol_system_group_name(work->system, first < second ? first : second),
                    hol_system_group_name(work->system, first < second ? second : first), work->at.t, how);
}

/* n^T Phi of a row left out: by how much positions contradict each other. Drift changes it in second order only. */
static double conflict_in_positions(HolConflict *c, const HolWorkspace *work, int row)
{
    double sum = 0;
    conflict_difference(c, work, row);
    for (int i = 0; i < work->pattern->nh; ++i)
        sum += c->n[i] * work->terms->Phi[i];
    return fabs(sum);
}

/* The relative violation without what prescribed motions contribute by contradicting each other, each by n^T Phi / n_i
 * at most: that is no drift. */
static double conflict_drift(HolConflict *c, const HolWorkspace *work, int row)
{
    const HolPattern *p = work->pattern;
    const double *Phi = work->terms->Phi, contradiction = conflict_in_positions(c, work, row);
    for (int i = 0; i < p->nh; ++i) {
        bool is_prescribed = work->terms->nu[i] != 0 && c->n[i] != 0;
        c->e[i] = is_prescribed ? fmax(0, fabs(Phi[i]) - contradiction / fabs(c->n[i])) : Phi[i];
    }
    return hol_relative_violation(p, work->terms->D, c->e);
}

/* By how much drift may make the rates of a null vector differ, as a part of max |n_i nu_i|. It turns n and D by about
 * itself: beside the speed, for the rates themselves may be passing through zero. */
static double conflict_by_drift(HolConflict *c, const HolWorkspace *work, int row)
{
    const double drift = conflict_drift(c, work, row), speed = hol_motion_norm(work->pattern, work->at.v);
    double reach = 0, largest = 0;
    for (int i = 0; i < work->pattern->m; ++i) {
        reach = fmax(reach, fabs(c->n[i]) * c->size[i] * speed);
        largest = fmax(largest, fabs(c->n[i] * work->terms->nu[i]));
    }
    return HOL_TOL_RANK_PER_VIOLATION * drift * fmax(1, reach / largest);
}

/* The row left out whose rates differ, or -1. */
static int conflict_find(HolConflict *c, const HolWorkspace *work)
{
    double worst, violation = hol_relative_violation(work->pattern, work->terms->D, work->terms->Phi);
    if (!conflict_moves(c, work) || !conflict_choose(c, work, violation))
        return -1;
    const int row = conflict_worst_row(c, work, &worst);
    if (row < 0 || worst <= LEAST)
        return -1;
    return worst > LEAST + conflict_by_drift(c, work, row) ? row : -1;
}

/* |n^T Phi| of a row left out, as the relative violation of the row that feels it least: no state has a smaller one. */
static double conflict_violation(HolConflict *c, const HolWorkspace *work, int row)
{
    const HolPattern *p = work->pattern;
    const double contradiction = conflict_in_positions(c, work, row);
    int most = row;
    for (int i = 0; i < p->nh; ++i)
        most = fabs(c->n[i]) * c->size[i] > fabs(c->n[most]) * c->size[most] ? i : most;
    memset(c->e, 0, (size_t)p->m * sizeof *c->e);
    c->e[most] = contradiction / fabs(c->n[most]);
    return hol_relative_violation(p, work->terms->D, c->e);
}

/* The row left out whose positions differ most at a predicted state, or -1. The prediction is wrong by its violation,
 * which enters the contradiction squared. */
static int conflict_find_in_positions(HolConflict *c, const HolWorkspace *work, double *worst)
{
    const HolPattern *p = work->pattern;
    const double violation = hol_relative_violation(p, work->terms->D, work->terms->Phi);
    int row = -1;
    if (!conflict_moves(c, work) || !conflict_choose(c, work, violation))
        return -1;
    const double rounding = HOL_TOL_ROUNDING * hol_position_size(p, work->at.q) / p->length;
    *worst = fmax(rounding, SECOND_ORDER * violation * violation);
    hol_jacobian_row_divisors(p, work->terms->D, c->size);
    for (int i = 0; i < p->nh; ++i) {
        double here = c->left_out[i] && c->takes_part[i] ? conflict_violation(c, work, i) : 0;
        row = here > *worst ? i : row;
        *worst = fmax(*worst, here);
    }
    return row;
}

HolStatus hol_conflict_check(HolConflict *c, HolWorkspace *work, HolMessage *message)
{
    char how[60];
    if (!c)
        return HOL_OK;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_JACOBIAN | HOL_WANT_NU | HOL_WANT_PHI));
    const int row = conflict_find(c, work);
    if (row < 0)
        return HOL_OK;
    hol_format(how, sizeof how, "rates differ by %.3g %%", 100 * conflict_difference(c, work, row));
    return conflict_fail(c, work, row, how, message);
}

HolStatus hol_conflict_check_ahead(HolConflict *c, HolWorkspace *work, HolMessage *message)
{
    char how[80];
    double worst;
    HOL_TRY(hol_conflict_check(c, work, message));
    const int row = c ? conflict_find_in_positions(c, work, &worst) : -1;
    if (row < 0)
        return HOL_OK;
    hol_format(how, sizeof how, "positions differ by %.3g of the size of the model", worst);
    return conflict_fail(c, work, row, how, message);
}
