/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/reactions/resolver.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/independent_rows.h"
#include "linalg/rank/left_null_space.h"
#include "linalg/rank/rank.h"
#include "mechanism/reactions/elastic.h"

#include <math.h>
#include <string.h>

static const double STILL_REDUNDANT = 10; /* times that: defect of rows that were left out at the state before */
static const double CONVERGED = HOL_TOL_CONVERGED;
static const double ROUNDING = HOL_TOL_ITERATION; /* relative to the largest compliance */
static const double LITTLE = 10 * HOL_TOL_SAME;   /* that of rigid joints at first, relative to the least one given */
enum { MOST_ITERATIONS = 10000 };

struct HolResolver {
    const HolMechanism *m;
    HolReactionRule rule;
    bool is_ready;      /* a state has been examined */
    bool has_redundant; /* it had redundant rows */
    bool has_choice;    /* left_out is that of the state before */
    HolArena *arena;    /* of the members below, created at the first state with redundant rows */
    HolRowChoice *choice;
    HolLeftNullSpace *space;
    unsigned char *left_out, *of_joint;
    int count, count_at_start;
    double tolerance; /* of this state */
    bool is_lost;     /* not all redundant rows were found in this state */
    double *C;        /* of each joint a matrix, one after the other */
    int *start;       /* where that of each joint begins */
    double *lambda, *target, *z, *step, *image, *residual, *product, *unit, *before; /* m */
};

HolStatus hol_resolver_create(HolArena *arena, const HolMechanism *mechanism, HolResolver **resolver)
{
    *resolver = hol_arena_alloc(arena, sizeof **resolver);
    if (!*resolver)
        return HOL_NO_MEMORY;
    (*resolver)->m = mechanism;
    return HOL_OK;
}

void hol_resolver_destroy(HolResolver *resolver)
{
    if (resolver)
        hol_arena_destroy(resolver->arena);
}

static HolStatus resolve_take_memory(HolResolver *r)
{
    const HolMechanism *m = r->m;
    double **of_rows[] = {&r->lambda,   &r->target,  &r->z,    &r->step,  &r->image,
                          &r->residual, &r->product, &r->unit, &r->before};
    size_t rows = (size_t)m->pattern->m;
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; ++i)
        *of_rows[i] = hol_arena_doubles(r->arena, rows);
    r->of_joint = hol_arena_alloc(r->arena, rows);
    r->start = hol_arena_ints(r->arena, (size_t)m->joint_count + 1);
    if (hol_arena_failed(r->arena))
        return HOL_NO_MEMORY;
    for (int j = 0; j < m->joint_count; ++j) {
        r->start[j + 1] = r->start[j] + m->joints[j].row_count * m->joints[j].row_count;
        for (int i = 0; i < m->joints[j].row_count; ++i)
            r->of_joint[m->joints[j].rows[i]] = 1;
    }
    r->C = hol_arena_doubles(r->arena, (size_t)r->start[m->joint_count]);
    return r->C ? hol_left_null_create(r->arena, m->pattern, &r->space) : HOL_NO_MEMORY;
}

/* Memory to find whether rows are redundant. */
static HolStatus resolve_begin_memory(HolResolver *r)
{
    r->arena = hol_arena_create_within(r->m->pattern->memory);
    if (!r->arena)
        return HOL_NO_MEMORY;
    HOL_TRY(hol_rows_create(r->arena, r->m->pattern, &r->choice));
    r->left_out = hol_arena_alloc(r->arena, (size_t)r->m->pattern->m);
    return r->left_out ? HOL_OK : HOL_NO_MEMORY;
}

/* Finds at the first state whether rows are redundant. */
static HolStatus resolve_look(HolResolver *r, const double *D)
{
    r->is_ready = true;
    if (!r->arena)
        HOL_TRY(resolve_begin_memory(r));
    HOL_TRY(hol_rows_choose(r->choice, D, r->tolerance, r->left_out, &r->count));
    r->has_redundant = r->count > 0;
    r->count_at_start = r->count;
    if (r->has_redundant)
        return r->C ? HOL_OK : resolve_take_memory(r);
    hol_arena_destroy(r->arena);
    r->arena = NULL;
    r->left_out = NULL;
    r->C = NULL;
    return HOL_OK;
}

/* The last row of a joint with a large coefficient in the linear dependence of row i. */
static int joint_row_instead_of(HolResolver *r, int i)
{
    double largest = 0;
    int row = -1, m = r->m->pattern->m;
    memset(r->z, 0, (size_t)m * sizeof *r->z);
    r->z[i] = 1;
    hol_left_null_times(r->space, r->z, r->image);
    for (int k = 0; k < m; ++k)
        if (r->of_joint[k] && !r->left_out[k])
            largest = fmax(largest, fabs(r->image[k]));
    for (int k = 0; k < m; ++k)
        if (r->of_joint[k] && !r->left_out[k] && fabs(r->image[k]) > largest / 2)
            row = k;
    return row;
}

/* Eliminates rows of joints only, and later rows rather than earlier ones. */
static HolStatus prefer(HolResolver *r, const double *D)
{
    HOL_TRY(hol_rows_prefer_first(r->choice, D, r->left_out));
    for (int i = 0; i < r->m->pattern->m; ++i) {
        if (!r->left_out[i] || r->of_joint[i])
            continue;
        HOL_TRY(hol_left_null_factor(r->space, D, r->left_out));
        int instead = joint_row_instead_of(r, i);
        if (instead < 0)
            continue;
        r->left_out[i] = 0;
        r->left_out[instead] = 1;
    }
    return HOL_OK;
}

/* Eliminates the rows of the state before again, as long as they are redundant. */
static HolStatus resolve_choose_rows(HolResolver *r, const double *D)
{
    if (r->has_choice && hol_left_null_factor(r->space, D, r->left_out) == HOL_OK &&
        hol_left_null_defect(r->space) <= STILL_REDUNDANT * r->tolerance)
        return HOL_OK;
    r->has_choice = false;
    HOL_TRY(hol_rows_choose(r->choice, D, r->tolerance, r->left_out, &r->count));
    r->is_lost = r->count < r->count_at_start && r->tolerance >= HOL_TOL_RANK_MOST;
    if (r->count == 0)
        return HOL_OK;
    if (r->rule == HOL_BY_ELIMINATION)
        HOL_TRY(prefer(r, D));
    r->has_choice = hol_left_null_factor(r->space, D, r->left_out) == HOL_OK;
    r->is_lost = r->is_lost || !r->has_choice;
    return HOL_OK;
}

static void fill_compliances(HolResolver *r, const HolFrame *frames, const double *D)
{
    for (int j = 0; j < r->m->joint_count; ++j)
        hol_joint_compliance(r->m, &r->m->joints[j], frames, D, r->unit, r->C + r->start[j]);
}

static void fill_identity(HolResolver *r)
{
    for (int j = 0; j < r->m->joint_count; ++j)
        for (int i = 0, n = r->m->joints[j].row_count; i < n * n; ++i)
            r->C[r->start[j] + i] = i / n == i % n;
}

/* y = C x; zero for rows of no joint */
static void comply(const HolResolver *r, const double *x, double *y)
{
    memset(y, 0, (size_t)r->m->pattern->m * sizeof *y);
    for (int j = 0; j < r->m->joint_count; ++j) {
        const HolJoint *joint = &r->m->joints[j];
        int n = joint->row_count;
        const double *C = r->C + r->start[j];
        for (int i = 0; i < n * n; ++i)
            y[joint->rows[i / n]] += C[i] * x[joint->rows[i % n]];
    }
}

/* target = C p + d */
static void fill_target(HolResolver *r, bool with_misfit)
{
    memset(r->image, 0, (size_t)r->m->pattern->m * sizeof *r->image);
    for (int j = 0; j < r->m->joint_count; ++j) {
        const HolJoint *joint = &r->m->joints[j];
        for (int i = 0; joint->elastic && joint->elastic->preload && i < joint->row_count; ++i)
            r->image[joint->rows[i]] = joint->elastic->preload[i];
    }
    comply(r, r->image, r->target);
    for (int j = 0; j < r->m->joint_count && with_misfit; ++j) {
        const HolJoint *joint = &r->m->joints[j];
        for (int i = 0; joint->elastic && joint->elastic->misfit && i < joint->row_count; ++i)
            r->target[joint->rows[i]] += joint->elastic->misfit[i];
    }
}

/* residual = N^T (target - C lambda); how large its terms are, squared */
static double resolve_find_residual(HolResolver *r)
{
    int m = r->m->pattern->m;
    comply(r, r->lambda, r->image);
    double size = hol_inner_product(m, r->image, r->image) + hol_inner_product(m, r->target, r->target);
    for (int i = 0; i < m; ++i)
        r->image[i] = r->target[i] - r->image[i];
    hol_left_null_transposed(r->space, r->image, r->residual);
    return size;
}

/* product = N^T C N step */
static void find_product(HolResolver *r)
{
    hol_left_null_times(r->space, r->step, r->product);
    comply(r, r->product, r->image);
    hol_left_null_transposed(r->space, r->image, r->product);
}

/* z of (1) by conjugate gradients; in exact arithmetic there are as many iterations as redundant rows. It
 * stops at rounding, since C may be singular. */
static void find_combination(HolResolver *r)
{
    int m = r->m->pattern->m, most = 3 * r->count + 10 < MOST_ITERATIONS ? 3 * r->count + 10 : MOST_ITERATIONS;
    double enough = CONVERGED * CONVERGED * resolve_find_residual(r);
    memset(r->z, 0, (size_t)m * sizeof *r->z);
    memcpy(r->step, r->residual, (size_t)m * sizeof *r->step);
    double size = hol_inner_product(m, r->residual, r->residual);
    for (int k = 0; k < most && size > enough; ++k) {
        find_product(r);
        double curvature = hol_inner_product(m, r->step, r->product), before = size;
        if (!(curvature > 0))
            return;
        for (int i = 0; i < m; ++i) {
            r->z[i] += size / curvature * r->step[i];
            r->residual[i] -= size / curvature * r->product[i];
        }
        size = hol_inner_product(m, r->residual, r->residual);
        for (int i = 0; i < m; ++i)
            r->step[i] = r->residual[i] + size / before * r->step[i];
    }
}

/* lambda += N z */
static void resolve_move(HolResolver *r)
{
    hol_left_null_times(r->space, r->z, r->image);
    hol_add_scaled(r->m->pattern->m, 1, r->image, r->lambda);
}

static void resolve_share(HolResolver *r, bool by_stiffness)
{
    fill_target(r, by_stiffness);
    find_combination(r);
    resolve_move(r);
}

/* The least diagonal entry above rounding, 0: all joints are rigid. */
static double least_compliance(const HolResolver *r)
{
    double largest = 0, least = HUGE_VAL;
    for (int pass = 0; pass < 2; ++pass)
        for (int j = 0; j < r->m->joint_count; ++j)
            for (int i = 0, n = r->m->joints[j].row_count; i < n; ++i) {
                double c = r->C[r->start[j] + i * (n + 1)];
                largest = fmax(largest, c);
                if (pass && c > ROUNDING * largest)
                    least = fmin(least, c);
            }
    return largest > 0 ? least : 0;
}

static bool has_compliance(HolResolver *r, const HolFrame *frames, const double *D)
{
    fill_compliances(r, frames, D);
    return least_compliance(r) > 0;
}

static void add_compliance(HolResolver *r, double c)
{
    for (int j = 0; j < r->m->joint_count; ++j)
        for (int i = 0, n = r->m->joints[j].row_count; i < n; ++i)
            r->C[r->start[j] + i * (n + 1)] += c;
}

/* (2): both solutions are wrong in proportion to c. */
static void share_beside_rigid(HolResolver *r)
{
    double c = LITTLE * least_compliance(r);
    add_compliance(r, c);
    resolve_share(r, true);
    memcpy(r->before, r->lambda, (size_t)r->m->pattern->m * sizeof *r->before);
    add_compliance(r, -c / 2);
    resolve_share(r, true);
    for (int i = 0; i < r->m->pattern->m; ++i)
        r->lambda[i] = 2 * r->lambda[i] - r->before[i];
}

static void resolve_eliminate(HolResolver *r)
{
    for (int i = 0; i < r->m->pattern->m; ++i)
        r->z[i] = r->left_out[i] ? -r->lambda[i] : 0;
    resolve_move(r);
    for (int i = 0; i < r->m->pattern->m; ++i)
        if (r->left_out[i])
            r->lambda[i] = 0;
}

static void resolve(HolResolver *r, const HolFrame *frames, const double *D)
{
    if (r->rule == HOL_BY_ELIMINATION) {
        resolve_eliminate(r);
        return;
    }
    if (r->rule == HOL_BY_STIFFNESS && has_compliance(r, frames, D)) {
        share_beside_rigid(r);
        fill_compliances(r, frames, D);
        resolve_share(r, true);
        return;
    }
    fill_identity(r);
    resolve_share(r, false);
}

/* Sets what depends on the state. */
static void resolve_begin(HolResolver *r, const HolResolverState *state)
{
    r->has_choice = r->has_choice && r->rule == state->rule;
    r->rule = state->rule;
    r->tolerance = hol_rank_sine(HOL_TOL_RANK, state->violation / r->m->pattern->length);
    r->is_lost = false;
}

HolStatus hol_resolver_apply(HolResolver *r, const HolResolverState *state, const double *lambda,
                             const double **resolved)
{
    *resolved = lambda;
    resolve_begin(r, state);
    if (r->rule == HOL_AS_COMPUTED || r->m->pattern->m == 0)
        return HOL_OK;
    if (!r->is_ready)
        HOL_TRY(resolve_look(r, state->D));
    if (!r->has_redundant)
        return HOL_OK;
    HOL_TRY(resolve_choose_rows(r, state->D));
    if (!r->has_choice)
        return HOL_OK;
    memcpy(r->lambda, lambda, (size_t)r->m->pattern->m * sizeof *r->lambda);
    resolve(r, state->frames, state->D);
    *resolved = r->lambda;
    return HOL_OK;
}

HolStatus hol_resolver_reserve(HolResolver *r)
{
    if (r->m->pattern->m == 0)
        return HOL_OK;
    if (!r->arena)
        HOL_TRY(resolve_begin_memory(r));
    return r->C ? HOL_OK : resolve_take_memory(r);
}

/* Before the first state there are no flags yet: all are zero. */
void hol_resolver_archive(HolResolver *r, HolArchive *archive)
{
    const int m = r->m->pattern->m;
    int rule = (int)r->rule;
    unsigned char none = 0;
    HOL_ARCHIVE_BOOLS(archive, &r->is_ready, &r->has_redundant, &r->has_choice);
    hol_archive_int(archive, &rule, HOL_AUTOMATIC, HOL_BY_ELIMINATION);
    hol_archive_int(archive, &r->count, 0, m);
    hol_archive_int(archive, &r->count_at_start, 0, m);
    for (int i = 0; i < m; ++i)
        hol_archive_flags(archive, r->left_out ? &r->left_out[i] : &none, 1, 1);
    if (hol_archive_reads(archive))
        r->rule = (HolReactionRule)rule;
}

bool hol_resolver_is_partial(const HolResolver *resolver)
{
    return resolver->is_lost;
}
