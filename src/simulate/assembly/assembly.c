/* SPDX-License-Identifier: BSD-3-Clause */
/* Assembles a consistent initial state, see docs/methods/assembly.md. Positions first, by Newton steps of least norm,
 *
 *     q <- q (+) dq,   min |dq|_M  subject to  D dq = -Phi (holonomic rows),  0 (the others)        (1)
 *
 * as long as each is clearly shorter than the previous one: then a solution is near. Otherwise minimum_residual.h comes
 * closer, and Newton steps finish. Then velocities,
 *
 *     v <- v + dv,     min |dv|_M  subject to  D dv = nu - D v                                      (2)
 *
 * repeated because of rounding and of rows that are nonlinear in v. */
#include <holon/argument.h>

#include "base/float_mode.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/schur/penalty_matrix.h"
#include "simulate/assembly/minimum_residual.h"
#include "solve/projection.h"

#include <math.h>
#include <string.h>

enum { NEWTON_STEPS = 60, VELOCITY_ITERATIONS = 10 };
enum { POSITION_TERMS = HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN };
/* The distance at which an iteration ends, and the one accepted if rounding or nearly redundant rows prevent that. */
static const double TOLERANCE = HOL_TOL_CONVERGED, LARGEST_ERROR = HOL_TOL_EQUAL, HALF_THE_DIGITS = HOL_TOL_SAME;
/* The violation at which minimum_residual.h leaves off for Newton steps, and the one where these fail. */
static const double NEAR = HOL_TOL_HALF, NEAREST = HOL_TOL_ROUNDING;

/* The present point, at which the workspace is. */
typedef struct Assembly {
    const HolSystem *system;
    const HolPattern *pattern;
    HolArena *arena;
    HolWorkspace *work;
    double t;
    double *q, *v;
    double *q_before;                  /* before the Newton steps */
    double *c, *x, *y, *lambda, *size; /* m, nv, nv, m, m */
} Assembly;

static HolStatus assembly_create(const HolSystem *system, double t, const double *q, const double *v, HolArena *arena,
                                 Assembly *a)
{
    const HolPattern *p = hol_system_pattern(system);
    *a = (Assembly){.system = system, .pattern = p, .arena = arena, .t = t};
    HOL_DOUBLES(arena, p->nq, &a->q, &a->q_before);
    HOL_DOUBLES(arena, p->nv, &a->v, &a->x, &a->y);
    HOL_DOUBLES(arena, p->m, &a->c, &a->lambda, &a->size);
    HOL_TRY(hol_arena_status(arena));
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

/* One step (1); HOL_NO_CONVERGENCE if it is not clearly shorter than the previous one. */
static HolStatus assembly_newton_step(Assembly *a, HolKkt *kkt, double *last)
{
    HolStepReport report = {0};
    hol_position_residual(a->pattern, a->work->terms->Phi, a->c);
    HOL_TRY(hol_kkt_solve(kkt, a->work, NULL, a->c, a->x, a->lambda, &report));
    double now = sqrt(hol_mass_product(a->pattern, a->work->terms->M, a->x, a->x, a->y)); /* |x|_M */
    if (!(now <= HOL_PART_SHORTER * *last))
        return HOL_NO_CONVERGENCE;
    *last = now;
    hol_system_retract(a->system, a->q, a->x, a->q);
    hol_workspace_move(a->work, a->t, a->q, a->v);
    return hol_workspace_need(a->work, POSITION_TERMS);
}

static HolStatus newton_steps(Assembly *a, HolArena *arena)
{
    HolRowConvergence descent = {.tolerance = TOLERANCE, .previous = HUGE_VAL, .size = a->size};
    HolKkt *kkt = NULL;
    double last = HUGE_VAL;
    for (int i = 0; i <= NEWTON_STEPS; ++i) {
        if (hol_positions_converged(&descent, a->work, a->q))
            return HOL_OK;
        if (!isfinite(descent.previous))
            return HOL_NOT_FINITE;
        if (!kkt)
            HOL_TRY(create_kkt(a, arena, &kkt));
        HOL_TRY(assembly_newton_step(a, kkt, &last));
    }
    return HOL_NO_CONVERGENCE;
}

/* Newton steps from the point of the workspace, with memory of their own; undone if they fail. */
static HolStatus assembly_newton(Assembly *a)
{
    size_t bytes = (size_t)a->pattern->nq * sizeof *a->q;
    HolArena *arena = hol_arena_create_within(a->pattern->memory);
    if (!arena)
        return HOL_NO_MEMORY;
    memcpy(a->q_before, a->q, bytes);
    HolStatus status = newton_steps(a, arena);
    hol_arena_report(a->arena, arena);
    hol_arena_destroy(arena);
    if (status == HOL_OK)
        return HOL_OK;
    memcpy(a->q, a->q_before, bytes);
    hol_workspace_move(a->work, a->t, a->q, a->v);
    HOL_TRY(hol_workspace_need(a->work, POSITION_TERMS));
    return status;
}

static bool assembly_is_numerical(HolStatus status)
{
    return status == HOL_NO_CONVERGENCE || status == HOL_SINGULAR || status == HOL_NOT_FINITE;
}

static bool positions_are_met(const Assembly *a)
{
    double scale = hol_position_size(a->pattern, a->q);
    return hol_max_norm(a->pattern->nh, a->work->terms->Phi) <= LARGEST_ERROR * scale;
}

/* Minimises the violation, then tries Newton steps again; if these fail, minimises as far as possible. */
static HolStatus close_gaps(Assembly *a)
{
    HolMinimumResidual *search;
    double scale = hol_position_size(a->pattern, a->q);
    HOL_TRY(hol_minimum_residual_create(a->arena, a->work, &search));
    HOL_TRY(hol_minimum_residual_find(search, NEAR * scale, a->t, a->q, a->v));
    HolStatus status = assembly_newton(a);
    if (!assembly_is_numerical(status))
        return status;
    status = hol_minimum_residual_find(search, NEAREST * scale, a->t, a->q, a->v);
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
    HolStatus status = assembly_newton(a);
    return assembly_is_numerical(status) ? close_gaps(a) : status;
}

/* The group with the largest of the first n numbers in x, which has one for each row. */
static int assembly_worst_group(const HolPattern *p, int n, const double *x, double *worst)
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

/* The message names the group with the largest violation. */
static HolStatus assembly_explain(const Assembly *a, HolStatus status, HolMessage *message)
{
    const char *name = hol_system_name(a->system);
    double worst;
    int group = assembly_worst_group(a->pattern, a->pattern->nh, a->work->terms->Phi, &worst);
    if (group < 0 || (status != HOL_NO_CONVERGENCE && status != HOL_SINGULAR))
        return hol_fail(message, status, "'%s' cannot be assembled: %s", name, hol_status_cause(status));
    return hol_fail(message, status,
                    "'%s' cannot be assembled from its initial configuration: '%s' remains violated by %.3g", name,
                    hol_system_group_name(a->system, group), worst);
}

static HolStatus assemble_positions(Assembly *a, HolMessage *message)
{
    HolStatus status = close_positions(a);
    return status == HOL_OK || status == HOL_NO_MEMORY ? status : assembly_explain(a, status, message);
}

/* One step (2). */
static HolStatus assembly_correct_velocities(Assembly *a, HolKkt *kkt)
{
    HolStepReport report = {0};
    for (int i = 0; i < a->pattern->m; ++i)
        a->c[i] = -a->c[i];
    HOL_TRY(hol_kkt_solve(kkt, a->work, NULL, a->c, a->x, a->lambda, &report));
    hol_add_scaled(a->pattern->nv, 1, a->x, a->v);
    hol_workspace_new_velocity(a->work);
    return HOL_OK;
}

/* Repeats (2) until it no longer improves: with nearly dependent rows the rest is amplified rounding. */
static HolStatus iterate_velocities(Assembly *a, HolKkt *kkt)
{
    HolRowConvergence descent = {.tolerance = TOLERANCE, .previous = HUGE_VAL, .size = a->size};
    double before = HUGE_VAL;
    for (int i = 0; i < VELOCITY_ITERATIONS; ++i) {
        HOL_TRY(hol_workspace_need(a->work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
        double residual = hol_workspace_velocity_residual(a->work, a->c);
        if (i > 0 && hol_velocities_converged(&descent, a->work, a->c, a->v))
            return HOL_OK;
        if (i > 1 && residual > before) {
            hol_add_scaled(a->pattern->nv, -1, a->x, a->v); /* undoes the latest correction */
            hol_workspace_new_velocity(a->work);
            return HOL_OK;
        }
        before = residual;
        HOL_TRY(assembly_correct_velocities(a, kkt));
    }
    return HOL_OK;
}

/* The relative error of the velocities; the residual is left in c. */
static HolStatus judge_velocities(Assembly *a, double *error)
{
    const HolPattern *p = a->pattern;
    HOL_TRY(hol_workspace_need(a->work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
    double largest = hol_workspace_velocity_residual(a->work, a->c);
    double size = hol_velocity_unit(a->work, a->v) + hol_motion_norm(p, a->v) + hol_max_norm(p->m, a->work->terms->nu);
    *error = largest == 0 ? 0 : largest / size;
    return HOL_OK;
}

/* At a singular point q and D are known to half of the digits only: rows that are independent by less are redundant. */
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

/* The magnitude of the velocities that the initial state and the drivers prescribe, the largest that can have been
 * rounded; all are exactly zero where it is. */
static double velocity_given(const Assembly *a)
{
    const HolPattern *p = a->pattern;
    const HolTerms *terms = a->work->terms;
    return hol_magnitude(fmax(hol_motion_norm(p, a->v), hol_max_displacement(p, p->m, terms->D, terms->nu)));
}

/* The remaining error, and the largest that is accepted. */
static HolStatus close_velocities(Assembly *a, double *error, double *most)
{
    size_t bytes = (size_t)a->pattern->nv * sizeof *a->v;
    HolKkt *kkt;
    HOL_TRY(hol_workspace_need(a->work, POSITION_TERMS | HOL_WANT_NU));
    HOL_TRY(create_kkt(a, a->arena, &kkt));
    a->work->slow = velocity_given(a);
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
static HolStatus minimise_velocity_residual(Assembly *a)
{
    enum { STEPS = 60 };
    const HolPattern *p = a->pattern;
    const HolTerms *terms = a->work->terms;
    HolPenaltyMatrix *penalty;
    HOL_TRY(hol_penalty_matrix_create(a->arena, p, false, &penalty));
    HOL_TRY(hol_workspace_need(a->work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    double weight = HOL_DOMINANCE * hol_max_norm(p->mass_start[p->mass_pair_count], terms->M);
    for (int i = 0; i < p->m; ++i)
        a->lambda[i] = weight;
    HOL_TRY(hol_penalty_matrix_factor(penalty, terms->M, NULL, terms->D, a->lambda));
    for (int k = 0; k < STEPS; ++k) {
        hol_workspace_velocity_residual(a->work, a->c);
        memset(a->x, 0, (size_t)p->nv * sizeof *a->x);
        hol_jacobian_add_transposed(p, terms->D, a->c, a->x);
        hol_penalty_matrix_solve(penalty, a->x);
        hol_add_scaled(p->nv, -weight, a->x, a->v);
        hol_workspace_new_velocity(a->work);
        HOL_TRY(hol_workspace_need(a->work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
    }
    hol_workspace_velocity_residual(a->work, a->c);
    return HOL_OK;
}

/* The group other than `first` with the largest residual, if it is as much as half of that one's; -1: there is none. */
static int assembly_second_group(const Assembly *a, int first, double worst)
{
    int second = -1;
    double largest = worst / 2;
    for (int g = 0; g < a->pattern->group_count; ++g)
        for (int i = a->pattern->group_start[g]; i < a->pattern->group_start[g + 1] && g != first; ++i)
            if (fabs(a->c[i]) >= largest) {
                largest = fabs(a->c[i]);
                second = g;
            }
    return second;
}

static HolStatus fail_velocities(const Assembly *a, HolMessage *message)
{
    double worst;
    const int first = assembly_worst_group(a->pattern, a->pattern->m, a->c, &worst);
    const int second = assembly_second_group(a, first, worst);
    const char *name = hol_system_name(a->system);
    if (second < 0)
        return hol_fail(message, HOL_NO_CONVERGENCE,
                        "'%s' cannot be assembled: the velocity constraints of '%s' remain violated by %.3g", name,
                        hol_system_group_name(a->system, first), worst);
    return hol_fail(message, HOL_NO_CONVERGENCE,
                    "'%s' cannot be assembled: the velocity constraints of '%s' and '%s' remain violated by %.3g", name,
                    hol_system_group_name(a->system, first < second ? first : second),
                    hol_system_group_name(a->system, first < second ? second : first), worst);
}

/* Accepts or rejects the velocities: constraints may prescribe contradictory ones. */
static HolStatus assemble_velocities(Assembly *a, HolMessage *message)
{
    double error, most;
    HolStatus status = close_velocities(a, &error, &most);
    if (status == HOL_NO_MEMORY || (status == HOL_OK && error <= most))
        return status;
    if (status != HOL_OK)
        return assembly_explain(a, status, message);
    if (minimise_velocity_residual(a) != HOL_OK) /* the message then uses the present residual */
        HOL_TRY(judge_velocities(a, &error));
    return fail_velocities(a, message);
}

/* Where the result is written; NULL: that part is not changed. */
typedef struct Result {
    double *q, *v;
} Result;

static HolStatus assembly_assemble(Assembly *a, Result result, HolMessage *message)
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

static HolStatus assembly_run(const HolSystem *system, double t, const double *q, const double *v, Result result,
                              HolMessage *message)
{
    if (!isfinite(t))
        return hol_fail(message, HOL_BAD_INPUT, "hol_assemble: t = %g must be finite", t);
    hol_fail(message, HOL_OK, "%s", "");
    unsigned mode = hol_float_mode_enter();
    HolArena *arena = hol_arena_create_within(hol_system_pattern(system)->memory);
    Assembly assembly = {.work = NULL};
    HolStatus status = arena ? assembly_create(system, t, q, v, arena, &assembly) : HOL_NO_MEMORY;
    if (status == HOL_OK)
        status = assembly_assemble(&assembly, result, message);
    if (status == HOL_NO_MEMORY)
        hol_arena_fail(arena, "assembly", message);
    hol_workspace_destroy(assembly.work);
    hol_arena_destroy(arena);
    hol_float_mode_leave(mode);
    return status;
}

HolStatus hol_assemble(const HolSystem *system, double t, double *q, double *v, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, system));
    HOL_TRY(HOL_CHECK_POINTER(message, q));
    HOL_TRY(HOL_CHECK_POINTER(message, v));
    HOL_TRY(HOL_CHECK_FINITE(message, t));
    return assembly_run(system, t, q, v, (Result){q, v}, message);
}

HolStatus hol_assemble_positions(const HolSystem *system, double t, double *q, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, system));
    HOL_TRY(HOL_CHECK_POINTER(message, q));
    HOL_TRY(HOL_CHECK_FINITE(message, t));
    return assembly_run(system, t, q, NULL, (Result){q, NULL}, message);
}

HolStatus hol_assemble_velocities(const HolSystem *system, double t, const double *q, double *v, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, system));
    HOL_TRY(HOL_CHECK_POINTER(message, q));
    HOL_TRY(HOL_CHECK_POINTER(message, v));
    HOL_TRY(HOL_CHECK_FINITE(message, t));
    return assembly_run(system, t, q, v, (Result){NULL, v}, message);
}
