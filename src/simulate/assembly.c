/* SPDX-License-Identifier: BSD-3-Clause */
/* A consistent start, see docs/methods/assembly.md. Positions first by Newton's steps, which take the shortest way in
 * the norm of the masses,
 *
 *     q <- q (+) dq,   min |dq|_M  subject to  D dq = -Phi (holonomic rows),  0 (the others)        (1)
 *
 * as long as each is clearly shorter than the one before: then a solution is near. Where it is not, least_gap.h comes
 * closer, and Newton's steps finish. Then velocities,
 *
 *     v <- v + dv,     min |dv|_M  subject to  D dv = nu - D v                                      (2)
 *
 * repeated for rounding, and where rows are not linear in v. */
#include "base/float_mode.h"
#include "base/message.h"
#include "formulations/projection.h"
#include "linalg/blocks.h"
#include "linalg/primal.h"
#include "simulate/least_gap.h"

#include <math.h>
#include <string.h>

enum { NEWTON_STEPS = 60, VELOCITY_ITERATIONS = 10 };
enum { POSITION_TERMS = HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN };
/* The distance at which an iteration ends, and what is let pass if rounding or nearly redundant rows allow no more. */
static const double TOLERANCE = 1e-14, LARGEST_ERROR = 1e-9, HALF_THE_DIGITS = 1e-6;
/* Each of Newton's steps is at most this part of the one before; near a singular solution they halve. */
static const double SHORTER = 0.75;
/* How close least_gap.h comes before Newton's steps finish, and how close where these fail. */
static const double NEAR = 1e-8, NEAREST = 1e-13;

/* A point on its way; the workspace stands at it. */
typedef struct Assembly {
    const HolSystem *system;
    const HolPattern *pattern;
    HolArena *arena;
    HolWorkspace *work;
    double t;
    double *q, *v;
    double *q_before;                  /* where Newton's steps began */
    double *c, *x, *y, *lambda, *size; /* m, nv, nv, m, m */
} Assembly;

static HolStatus create(const HolSystem *system, double t, const double *q, const double *v, HolArena *arena,
                        Assembly *a)
{
    const HolPattern *p = hol_system_pattern(system);
    *a = (Assembly){.system = system, .pattern = p, .arena = arena, .t = t};
    double **of_nq[] = {&a->q, &a->q_before}, **of_nv[] = {&a->v, &a->x, &a->y},
           **of_m[] = {&a->c, &a->lambda, &a->size};
    for (size_t i = 0; i < 2; ++i)
        *of_nq[i] = hol_arena_doubles(arena, (size_t)p->nq);
    for (size_t i = 0; i < 3; ++i)
        *of_nv[i] = hol_arena_doubles(arena, (size_t)p->nv);
    for (size_t i = 0; i < 3; ++i)
        *of_m[i] = hol_arena_doubles(arena, (size_t)p->m);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    hol_system_retract(system, q, a->x, a->q); /* x is zero */
    if (v)
        memcpy(a->v, v, (size_t)p->nv * sizeof *v);
    HOL_TRY(hol_workspace_create(system, arena, &a->work));
    hol_workspace_move(a->work, t, a->q, a->v);
    return HOL_OK;
}

static HolStatus create_kkt(const Assembly *a, HolArena *arena, HolKkt **kkt)
{
    return hol_kkt_create(&(HolSetup){.system = a->system, .arena = arena, .work = a->work}, kkt);
}

/* |x|_M */
static double length(const Assembly *a, const double *x)
{
    double sum = 0;
    hol_mass_times(a->pattern, a->work->terms->M, x, a->y);
    for (int j = 0; j < a->pattern->nv; ++j)
        sum += a->y[j] * x[j];
    return sqrt(sum);
}

/* (1), once; HOL_NO_CONVERGENCE if it is not clearly shorter than the one before. */
static HolStatus newton_step(Assembly *a, HolKkt *kkt, double *last)
{
    HolStepReport report = {0};
    for (int i = 0; i < a->pattern->m; ++i)
        a->c[i] = i < a->pattern->nh ? -a->work->terms->Phi[i] : 0;
    HOL_TRY(hol_kkt_solve(kkt, a->work, NULL, a->c, a->x, a->lambda, &report));
    double now = length(a, a->x);
    if (!(now <= SHORTER * *last))
        return HOL_NO_CONVERGENCE;
    *last = now;
    hol_system_retract(a->system, a->q, a->x, a->q);
    hol_workspace_move(a->work, a->t, a->q, a->v);
    return hol_workspace_need(a->work, POSITION_TERMS);
}

static HolStatus newton_steps(Assembly *a, HolArena *arena)
{
    HolDescent descent = {.tolerance = TOLERANCE, .previous = HUGE_VAL, .size = a->size};
    HolKkt *kkt = NULL;
    double last = HUGE_VAL;
    for (int i = 0; i <= NEWTON_STEPS; ++i) {
        if (hol_descent_done(&descent, a->work, a->pattern->nh, a->work->terms->Phi,
                             hol_max_norm(a->pattern->nq, a->q)))
            return HOL_OK;
        if (!isfinite(descent.previous))
            return HOL_NOT_FINITE;
        if (!kkt)
            HOL_TRY(create_kkt(a, arena, &kkt));
        HOL_TRY(newton_step(a, kkt, &last));
    }
    return HOL_NO_CONVERGENCE;
}

/* Newton's steps from where the workspace stands, in memory of their own; taken back if they fail. */
static HolStatus newton(Assembly *a)
{
    size_t bytes = (size_t)a->pattern->nq * sizeof *a->q;
    HolArena *arena = hol_arena_create();
    if (!arena)
        return HOL_NO_MEMORY;
    memcpy(a->q_before, a->q, bytes);
    HolStatus status = newton_steps(a, arena);
    hol_arena_destroy(arena);
    if (status == HOL_OK)
        return HOL_OK;
    memcpy(a->q, a->q_before, bytes);
    hol_workspace_move(a->work, a->t, a->q, a->v);
    HOL_TRY(hol_workspace_need(a->work, POSITION_TERMS));
    return status;
}

static bool is_numerical(HolStatus status)
{
    return status == HOL_NO_CONVERGENCE || status == HOL_SINGULAR || status == HOL_NOT_FINITE;
}

static bool positions_are_met(const Assembly *a)
{
    double scale = 1 + hol_max_norm(a->pattern->nq, a->q);
    return hol_max_norm(a->pattern->nh, a->work->terms->Phi) <= LARGEST_ERROR * scale;
}

/* Closer by the least gap, then Newton's steps again; if these cannot finish, as close as it gets. */
static HolStatus close_gaps(Assembly *a)
{
    HolLeastGap *search;
    double scale = 1 + hol_max_norm(a->pattern->nq, a->q);
    HOL_TRY(hol_least_gap_create(a->arena, a->work, &search));
    HOL_TRY(hol_least_gap_find(search, NEAR * scale, a->t, a->q, a->v));
    HolStatus status = newton(a);
    if (!is_numerical(status))
        return status;
    status = hol_least_gap_find(search, NEAREST * scale, a->t, a->q, a->v);
    return status == HOL_NO_CONVERGENCE && positions_are_met(a) ? HOL_OK : status;
}

static bool start_is_finite(const Assembly *a)
{
    const HolPattern *p = a->pattern;
    const HolTerms *terms = a->work->terms;
    return isfinite(hol_max_norm(p->nq, a->q)) && isfinite(hol_max_norm(p->nh, terms->Phi)) &&
           isfinite(hol_max_norm(p->pair_start[p->pair_count], terms->D)) &&
           isfinite(hol_max_norm(p->mass_start[p->mass_pair_count], terms->M));
}

static HolStatus close_positions(Assembly *a)
{
    HOL_TRY(hol_workspace_need(a->work, POSITION_TERMS | HOL_WANT_NU));
    if (!start_is_finite(a))
        return HOL_NOT_FINITE;
    HolStatus status = newton(a);
    return is_numerical(status) ? close_gaps(a) : status;
}

/* The group with the largest of the first n numbers in x, which has one for each row. */
static int worst_group(const HolPattern *p, int n, const double *x, double *worst)
{
    int group = -1;
    *worst = 0;
    for (int g = 0; g < p->group_count && p->group_start[g] < n; ++g) {
        double largest = hol_max_norm(hol_part_size(p->group_start, g), x + p->group_start[g]);
        if (!(largest <= *worst)) {
            *worst = largest;
            group = g;
        }
    }
    return group;
}

/* The sentence: which group stays open by how much. */
static HolStatus explain(const Assembly *a, HolStatus status, HolMessage *message)
{
    const char *name = hol_system_name(a->system);
    double worst;
    int group = worst_group(a->pattern, a->pattern->nh, a->work->terms->Phi, &worst);
    if (group < 0 || (status != HOL_NO_CONVERGENCE && status != HOL_SINGULAR))
        return hol_fail(message, status, "'%s' cannot be assembled: %s", name, hol_status_name(status));
    return hol_fail(message, status, "'%s' cannot be assembled from this start: '%s' stays open by %.3g", name,
                    hol_system_group_name(a->system, group), worst);
}

static HolStatus assemble_positions(Assembly *a, HolMessage *message)
{
    HolStatus status = close_positions(a);
    return status == HOL_OK || status == HOL_NO_MEMORY ? status : explain(a, status, message);
}

/* (2), once. */
static HolStatus correct_velocities(Assembly *a, HolKkt *kkt)
{
    HolStepReport report = {0};
    for (int i = 0; i < a->pattern->m; ++i)
        a->c[i] = -a->c[i];
    HOL_TRY(hol_kkt_solve(kkt, a->work, NULL, a->c, a->x, a->lambda, &report));
    for (int j = 0; j < a->pattern->nv; ++j)
        a->v[j] += a->x[j];
    hol_workspace_new_velocity(a->work);
    return HOL_OK;
}

/* Gives back the velocities before the latest correction, which is still in x. */
static void take_back_velocities(Assembly *a)
{
    for (int j = 0; j < a->pattern->nv; ++j)
        a->v[j] -= a->x[j];
    hol_workspace_new_velocity(a->work);
}

/* (2), repeated until nothing is gained: where rows are nearly dependent, what is left is rounding magnified. */
static HolStatus iterate_velocities(Assembly *a, HolKkt *kkt)
{
    const HolPattern *p = a->pattern;
    HolDescent descent = {.tolerance = TOLERANCE, .previous = HUGE_VAL, .size = a->size};
    double before = HUGE_VAL;
    for (int i = 0; i < VELOCITY_ITERATIONS; ++i) {
        HOL_TRY(hol_workspace_need(a->work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
        double residual = hol_workspace_velocity_residual(a->work, a->c);
        if (i > 0 && hol_descent_done(&descent, a->work, p->m, a->c, hol_max_norm(p->nv, a->v)))
            return HOL_OK;
        if (i > 1 && residual > before) {
            take_back_velocities(a);
            return HOL_OK;
        }
        before = residual;
        HOL_TRY(correct_velocities(a, kkt));
    }
    return HOL_OK;
}

/* How wrong velocities are, as a part of their size; the residual is left in c. */
static HolStatus judge_velocities(Assembly *a, double *error)
{
    const HolPattern *p = a->pattern;
    HOL_TRY(hol_workspace_need(a->work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
    double largest = hol_workspace_velocity_residual(a->work, a->c);
    *error = largest / (1 + hol_max_norm(p->nv, a->v) + hol_max_norm(p->m, a->work->terms->nu));
    return HOL_OK;
}

/* At a singular point q, and with it D, is known to half of the digits only: what is independent by less is not. */
static HolStatus leave_out_more(Assembly *a, HolKkt *kkt)
{
    HolRowChoice *rows;
    if (!kkt->schur)
        return HOL_OK;
    HOL_TRY(hol_rows_create(a->arena, a->pattern, &rows));
    HOL_TRY(hol_workspace_need(a->work, HOL_WANT_JACOBIAN));
    kkt->stamp = -1;
    return hol_rows_choose(rows, a->work->terms->D, HALF_THE_DIGITS, kkt->left_out, &kkt->left_out_count);
}

/* The error that is left, and the largest that is let pass. */
static HolStatus close_velocities(Assembly *a, double *error, double *most)
{
    size_t bytes = (size_t)a->pattern->nv * sizeof *a->v;
    HolKkt *kkt;
    HOL_TRY(hol_workspace_need(a->work, POSITION_TERMS | HOL_WANT_NU));
    HOL_TRY(create_kkt(a, a->arena, &kkt));
    memcpy(a->y, a->v, bytes);
    HOL_TRY(iterate_velocities(a, kkt));
    HOL_TRY(judge_velocities(a, error));
    *most = LARGEST_ERROR;
    if (*error <= *most)
        return HOL_OK;
    memcpy(a->v, a->y, bytes);
    hol_workspace_new_velocity(a->work);
    HOL_TRY(leave_out_more(a, kkt));
    *most = kkt->left_out_count > 0 ? HALF_THE_DIGITS : LARGEST_ERROR;
    HOL_TRY(iterate_velocities(a, kkt));
    return judge_velocities(a, error);
}

/* v where the sum of the squares of D v - nu is least, for the sentence: steps (M + w D^T D) dv = -w D^T (D v - nu),
 * each of which takes away nearly all that can be. The residual is left in c. */
static HolStatus find_least_velocity_gap(Assembly *a)
{
    enum { STEPS = 60 };
    const HolPattern *p = a->pattern;
    const HolTerms *terms = a->work->terms;
    HolPrimal *primal;
    HOL_TRY(hol_primal_create(a->arena, p, &primal));
    HOL_TRY(hol_workspace_need(a->work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    double weight = 1e3 * hol_max_norm(p->mass_start[p->mass_pair_count], terms->M);
    for (int i = 0; i < p->m; ++i)
        a->lambda[i] = weight;
    HOL_TRY(hol_primal_factor(primal, terms->M, terms->D, a->lambda));
    for (int k = 0; k < STEPS; ++k) {
        hol_workspace_velocity_residual(a->work, a->c);
        memset(a->x, 0, (size_t)p->nv * sizeof *a->x);
        hol_jacobian_add_transposed(p, terms->D, a->c, a->x);
        hol_primal_solve(primal, a->x);
        for (int j = 0; j < p->nv; ++j)
            a->v[j] -= weight * a->x[j];
        hol_workspace_new_velocity(a->work);
        HOL_TRY(hol_workspace_need(a->work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
    }
    hol_workspace_velocity_residual(a->work, a->c);
    return HOL_OK;
}

/* The last word: rows may contradict each other in what they ask of the velocities. */
static HolStatus assemble_velocities(Assembly *a, HolMessage *message)
{
    double error, most, worst;
    HolStatus status = close_velocities(a, &error, &most);
    if (status == HOL_NO_MEMORY || (status == HOL_OK && error <= most))
        return status;
    if (status != HOL_OK)
        return explain(a, status, message);
    if (find_least_velocity_gap(a) != HOL_OK) /* then the residual at hand must do */
        HOL_TRY(judge_velocities(a, &error));
    int group = worst_group(a->pattern, a->pattern->m, a->c, &worst);
    return hol_fail(message, HOL_NO_CONVERGENCE, "'%s' cannot be assembled: the velocities of '%s' stay wrong by %.3g",
                    hol_system_name(a->system), hol_system_group_name(a->system, group), worst);
}

/* Where the result goes; NULL: that part stays as it is. */
typedef struct Result {
    double *q, *v;
} Result;

static HolStatus assemble(Assembly *a, Result result, HolMessage *message)
{
    if (result.q)
        HOL_TRY(assemble_positions(a, message));
    if (result.v)
        HOL_TRY(assemble_velocities(a, message));
    if (result.q)
        memcpy(result.q, a->q, (size_t)a->pattern->nq * sizeof *a->q);
    if (result.v)
        memcpy(result.v, a->v, (size_t)a->pattern->nv * sizeof *a->v);
    return HOL_OK;
}

static HolStatus run(const HolSystem *system, double t, const double *q, const double *v, Result result,
                     HolMessage *message)
{
    if (!isfinite(t))
        return hol_fail(message, HOL_BAD_INPUT, "hol_assemble: t = %g must be finite", t);
    hol_fail(message, HOL_OK, "%s", "");
    unsigned mode = hol_float_mode_enter();
    HolArena *arena = hol_arena_create();
    Assembly assembly = {.work = NULL};
    HolStatus status = arena ? create(system, t, q, v, arena, &assembly) : HOL_NO_MEMORY;
    if (status == HOL_OK)
        status = assemble(&assembly, result, message);
    if (status == HOL_NO_MEMORY)
        hol_fail(message, status, "not enough memory to assemble '%s'", hol_system_name(system));
    hol_workspace_destroy(assembly.work);
    hol_arena_destroy(arena);
    hol_float_mode_leave(mode);
    return status;
}

HolStatus hol_assemble(const HolSystem *system, double t, double *q, double *v, HolMessage *message)
{
    if (!system || !q || !v)
        return hol_fail(message, HOL_BAD_INPUT, "hol_assemble: system, q and v must not be NULL");
    return run(system, t, q, v, (Result){q, v}, message);
}

HolStatus hol_assemble_positions(const HolSystem *system, double t, double *q, HolMessage *message)
{
    if (!system || !q)
        return hol_fail(message, HOL_BAD_INPUT, "hol_assemble_positions: system and q must not be NULL");
    return run(system, t, q, NULL, (Result){q, NULL}, message);
}

HolStatus hol_assemble_velocities(const HolSystem *system, double t, const double *q, double *v, HolMessage *message)
{
    if (!system || !q || !v)
        return hol_fail(message, HOL_BAD_INPUT, "hol_assemble_velocities: system, q and v must not be NULL");
    return run(system, t, q, v, (Result){NULL, v}, message);
}
