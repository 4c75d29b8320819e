/* SPDX-License-Identifier: BSD-3-Clause */
/* Finite differences against every term of a system.
 *
 * A quantity f is followed along a path through the point,
 *
 *     t + s dt,   q (+) s w,   v + s a                                            (1)
 *
 * and its derivative at s = 0 is taken by the central difference of fourth order. Each term of the contract is the
 * derivative of another one along a path of its own:
 *
 *     D_h    of Phi along w                 nu_h   of -Phi along dt
 *     D      of D v - nu along a            gamma  = D a - (derivative of D v - nu along dt = 1, w = v, a)
 *     qdot   of q along w = v               power  of T + V along dt = 1, w = v, a = M^-1 Q
 *     K      of -(Q + D^T lambda - M vdot) along w, C the same along a
 *
 * and the discrete gradient does the work V(q_a) - V(q_b). Strains: check_strains.c. */
#include <holon/argument.h>
#include <holon/system.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/dense/lu.h"
#include "system/check_mean.h"
#include "system/check_strains.h"

#include <math.h>
#include <string.h>

static const double STEP =
    0.1 * HOL_DIFFERENCE_STEP;                     /* error ~ STEP^4 times the fifth derivative, and rounding / STEP */
static const double TOLERANCE = 10 * HOL_TOL_HALF; /* relative to 1 + the largest number of its kind */

typedef struct Probe {
    const HolSystem *system;
    const HolPattern *p;
    HolTerms *here, *there; /* terms at the point itself and along the path */
    HolPoint at;
    double *q, *v; /* on the path */
    double dt, *w, *a;
    double *vdot, *lambda; /* arbitrary, for K and C */
    double *values[4], *derivative;
    double *D, *M, *analytic;
    HolMessage *message;
} Probe;

typedef HolStatus Quantity(Probe *probe, const HolPoint *at, double *f);

static HolStatus phi(Probe *probe, const HolPoint *at, double *f)
{
    HOL_TRY(hol_system_evaluate(probe->system, at, HOL_WANT_PHI, probe->there));
    memcpy(f, probe->there->Phi, (size_t)probe->p->nh * sizeof *f);
    return HOL_OK;
}

static HolStatus velocity_level(Probe *probe, const HolPoint *at, double *f)
{
    HOL_TRY(hol_system_evaluate(probe->system, at, HOL_WANT_JACOBIAN | HOL_WANT_NU, probe->there));
    hol_jacobian_times(probe->p, probe->there->D, at->v, f);
    hol_add_scaled(probe->p->m, -1, probe->there->nu, f);
    return HOL_OK;
}

static HolStatus coordinates(Probe *probe, const HolPoint *at, double *f)
{
    memcpy(f, at->q, (size_t)probe->p->nq * sizeof *f);
    return HOL_OK;
}

static HolStatus check_energy_own(Probe *probe, const HolPoint *at, double *f)
{
    HOL_TRY(hol_system_evaluate(probe->system, at, HOL_WANT_ENERGY, probe->there));
    *f = probe->there->kinetic + probe->there->potential;
    return HOL_OK;
}

/* -(Q + D^T lambda - M vdot) */
static HolStatus residual(Probe *probe, const HolPoint *at, double *f)
{
    const HolPattern *p = probe->p;
    HOL_TRY(hol_system_evaluate(probe->system, at, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN, probe->there));
    double *force = probe->v; /* reused: the velocity has been evaluated */
    hol_mass_times(p, probe->there->M, probe->vdot, f);
    memcpy(force, probe->there->Q, (size_t)p->nv * sizeof *f);
    hol_jacobian_add_transposed(p, probe->there->D, probe->lambda, force);
    hol_add_scaled(p->nv, -1, force, f);
    return HOL_OK;
}

static HolStatus evaluate_on_path(Probe *probe, Quantity *quantity, double s, double *f)
{
    const HolPattern *p = probe->p;
    double *w = probe->v; /* scratch until v is written */
    for (int i = 0; i < p->nv; ++i)
        w[i] = s * probe->w[i];
    hol_system_retract(probe->system, probe->at.q, w, probe->q);
    for (int i = 0; i < p->nv; ++i)
        probe->v[i] = probe->at.v[i] + s * probe->a[i];
    HolPoint at = {probe->at.t + s * probe->dt, probe->q, probe->v};
    return quantity(probe, &at, f);
}

/* Derivative of n numbers along (1). */
static HolStatus check_differentiate(Probe *probe, Quantity *quantity, int n)
{
    static const double places[4] = {-2, -1, 1, 2};
    static const double weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    memset(probe->derivative, 0, (size_t)n * sizeof *probe->derivative);
    for (int k = 0; k < 4; ++k) {
        HOL_TRY(evaluate_on_path(probe, quantity, places[k] * STEP, probe->values[k]));
        for (int i = 0; i < n; ++i)
            probe->derivative[i] += weights[k] / STEP * probe->values[k][i];
    }
    return HOL_OK;
}

static void clear_path(Probe *probe)
{
    probe->dt = 0;
    memset(probe->w, 0, (size_t)probe->p->nv * sizeof *probe->w);
    memset(probe->a, 0, (size_t)probe->p->nv * sizeof *probe->a);
}

static void follow_motion(Probe *probe, const double *a)
{
    probe->dt = 1;
    memcpy(probe->w, probe->at.v, (size_t)probe->p->nv * sizeof *probe->w);
    memcpy(probe->a, a, (size_t)probe->p->nv * sizeof *probe->a);
}

/* Compares `given` with the derivative; the sentence names the term, its row and column (column < 0: a vector). */
static HolStatus check_compare(Probe *probe, const char *term, int row, int column, double given, double expected,
                               double scale)
{
    char place[48];
    if (fabs(given - expected) <= TOLERANCE * (1 + scale))
        return HOL_OK;
    if (column < 0)
        hol_format(place, sizeof place, "[%d]", row);
    else
        hol_format(place, sizeof place, "[%d][%d]", row, column);
    return hol_fail(probe->message, HOL_BAD_INPUT, "'%s': %s%s is %.12g but finite differences give %.12g",
                    hol_system_name(probe->system), term, place, given, expected);
}

static double largest_of(Probe *probe, int n, const double *given)
{
    return fmax(hol_max_norm(n, given), hol_max_norm(n, probe->derivative));
}

static HolStatus check_jacobian(Probe *probe)
{
    const HolPattern *p = probe->p;
    hol_jacobian_row_sizes(p, probe->here->D, probe->analytic);
    for (int j = 0; j < p->nv; ++j) {
        clear_path(probe);
        probe->w[j] = 1;
        HOL_TRY(check_differentiate(probe, phi, p->nh));
        for (int i = 0; i < p->nh; ++i)
            HOL_TRY(check_compare(probe, "D", i, j, probe->D[i * p->nv + j], probe->derivative[i], probe->analytic[i]));
        clear_path(probe);
        probe->a[j] = 1;
        HOL_TRY(check_differentiate(probe, velocity_level, p->m));
        for (int i = p->nh; i < p->m; ++i)
            HOL_TRY(check_compare(probe, "D", i, j, probe->D[i * p->nv + j], probe->derivative[i], probe->analytic[i]));
    }
    return HOL_OK;
}

static HolStatus check_nu(Probe *probe)
{
    clear_path(probe);
    probe->dt = 1;
    HOL_TRY(check_differentiate(probe, phi, probe->p->nh));
    for (int i = 0; i < probe->p->nh; ++i)
        HOL_TRY(
            check_compare(probe, "nu", i, -1, probe->here->nu[i], -probe->derivative[i], fabs(probe->derivative[i])));
    return HOL_OK;
}

static HolStatus check_gamma(Probe *probe)
{
    const HolPattern *p = probe->p;
    clear_path(probe);
    follow_motion(probe, probe->vdot);
    HOL_TRY(check_differentiate(probe, velocity_level, p->m));
    hol_jacobian_times(p, probe->here->D, probe->vdot, probe->analytic);
    double scale = largest_of(probe, p->m, probe->analytic);
    for (int i = 0; i < p->m; ++i)
        HOL_TRY(check_compare(probe, "gamma", i, -1, probe->here->gamma[i], probe->analytic[i] - probe->derivative[i],
                              scale));
    return HOL_OK;
}

static HolStatus check_mass(Probe *probe)
{
    const HolPattern *p = probe->p;
    double scale = hol_max_norm(p->nv * p->nv, probe->M);
    for (int i = 0; i < p->nv; ++i) {
        if (!(probe->M[i * p->nv + i] >= 0))
            return hol_fail(probe->message, HOL_BAD_INPUT, "'%s': mass M[%d][%d] = %g must not be negative",
                            hol_system_name(probe->system), i, i, probe->M[i * p->nv + i]);
        for (int j = 0; j < i; ++j) {
            double a = probe->M[i * p->nv + j], b = probe->M[j * p->nv + i];
            if (!(fabs(a - b) <= HOL_TOL_AMPLIFIED * scale))
                return hol_fail(probe->message, HOL_BAD_INPUT,
                                "'%s': mass M[%d][%d] is %.10g but M[%d][%d] is %.10g: it must be symmetric",
                                hol_system_name(probe->system), i, j, a, j, i, b);
        }
    }
    return HOL_OK;
}

/* Symmetric elimination: a negative pivot shows a direction of negative kinetic energy, and so does a vanishing pivot
 * whose column does not vanish. A semidefinite M passes. */
static HolStatus check_definite(Probe *probe, double *M)
{
    int n = probe->p->nv;
    double scale = hol_max_norm(n * n, probe->M), zero = HOL_TOL_AMPLIFIED * scale;
    memcpy(M, probe->M, (size_t)(n * n) * sizeof *M);
    for (int k = 0; k < n; ++k) {
        double d = M[k * n + k], column = 0;
        for (int i = k + 1; i < n; ++i)
            column = fmax(column, fabs(M[i * n + k]));
        if (d < -zero || (d <= zero && column > HOL_TOL_SAME * scale))
            return hol_fail(probe->message, HOL_BAD_INPUT, "'%s': mass M is not positive semidefinite (pivot %d is %g)",
                            hol_system_name(probe->system), k, d);
        for (int i = k + 1; i < n && d > zero; ++i)
            for (int j = k + 1; j < n; ++j)
                M[i * n + j] -= M[i * n + k] / d * M[k * n + j];
    }
    return HOL_OK;
}

/* The terms must not have changed. */
static HolStatus check_same(Probe *probe, int n, const double *before, const double *now, const char *what,
                            const char *flag)
{
    double scale = hol_max_norm(n, before);
    for (int i = 0; i < n; ++i)
        if (!(fabs(now[i] - before[i]) <= HOL_TOL_AMPLIFIED * scale))
            return hol_fail(probe->message, HOL_BAD_INPUT, "'%s': the %s changes from %.10g to %.10g, but %s is set",
                            hol_system_name(probe->system), what, before[i], now[i], flag);
    return HOL_OK;
}

/* A mass that is declared constant is evaluated once per HolTerms, so that new terms are needed to see it change. */
static HolStatus check_constancy(Probe *probe)
{
    const HolPattern *p = probe->p;
    HolTerms *fresh = NULL;
    bool mass = hol_system_has_constant_mass(probe->system), force = hol_system_has_constant_force(probe->system);
    if (!mass && !force)
        return HOL_OK;
    HOL_TRY(hol_terms_create(probe->system, &fresh));
    hol_system_retract(probe->system, probe->at.q, probe->vdot, probe->q);
    HolPoint elsewhere = {probe->at.t + 1, probe->q, probe->vdot};
    bool can_tell = hol_system_evaluate(probe->system, &elsewhere, HOL_WANT_MASS | HOL_WANT_FORCE, fresh) == HOL_OK;
    HolStatus status = HOL_OK;
    if (can_tell && mass)
        status =
            check_same(probe, p->mass_start[p->mass_pair_count], probe->here->M, fresh->M, "mass", "constant_mass");
    if (can_tell && force && status == HOL_OK)
        status = check_same(probe, p->nv, probe->here->Q, fresh->Q, "force", "constant_force");
    hol_terms_destroy(fresh);
    return status;
}

static HolStatus check_qdot(Probe *probe)
{
    const HolPattern *p = probe->p;
    clear_path(probe);
    memcpy(probe->w, probe->at.v, (size_t)p->nv * sizeof *probe->w);
    HOL_TRY(check_differentiate(probe, coordinates, p->nq));
    hol_system_qdot(probe->system, probe->at.q, probe->at.v, probe->analytic);
    double scale = largest_of(probe, p->nq, probe->analytic);
    for (int i = 0; i < p->nq; ++i)
        HOL_TRY(check_compare(probe, "qdot", i, -1, probe->analytic[i], probe->derivative[i], scale));
    return HOL_OK;
}

/* Moving freely with M^-1 Q, the energy changes by the power of the forces without potential alone. */
static HolStatus check_energy(Probe *probe, HolLu *lu)
{
    const HolPattern *p = probe->p;
    if (hol_lu_factor(lu, p->nv, probe->M) != HOL_OK)
        return HOL_OK; /* a singular mass has no free motion to compare with */
    memcpy(probe->analytic, probe->here->Q, (size_t)p->nv * sizeof *probe->analytic);
    hol_lu_solve(lu, probe->analytic);
    clear_path(probe);
    follow_motion(probe, probe->analytic);
    HOL_TRY(check_differentiate(probe, check_energy_own, 1));
    double size = 0, given = probe->here->power, found = probe->derivative[0];
    for (int i = 0; i < p->nv; ++i)
        size += fabs(probe->here->Q[i] * probe->at.v[i]);
    if (fabs(given - found) <= TOLERANCE * (1 + size + fabs(probe->here->potential)))
        return HOL_OK;
    return hol_fail(probe->message, HOL_BAD_INPUT,
                    "'%s': energy, force Q and power do not fit: moving freely T + V changes at %.10g, power is %.10g",
                    hol_system_name(probe->system), found, given);
}

/* Column j of K or C, out of its blocks. */
static void tangent_column(Probe *probe, const double *blocks, int j, double *column)
{
    const HolPattern *p = probe->p;
    memset(column, 0, (size_t)p->nv * sizeof *column);
    for (int k = 0; k < p->tangent_count; ++k) {
        int r = p->tangents[k].row, c = p->tangents[k].column;
        int width = hol_part_size(p->block_start, c), within = j - p->block_start[c];
        for (int i = 0; i < hol_part_size(p->block_start, r) && within >= 0 && within < width; ++i)
            column[p->block_start[r] + i] = blocks[p->tangent_start[k] + i * width + within];
    }
}

static HolStatus check_tangent(Probe *probe)
{
    const HolPattern *p = probe->p;
    if (!hol_system_has_tangent(probe->system))
        return HOL_OK;
    HOL_TRY(hol_system_tangent(probe->system, &probe->at, probe->vdot, probe->lambda, probe->here));
    for (int j = 0; j < 2 * p->nv; ++j) {
        bool is_K = j < p->nv;
        clear_path(probe);
        (is_K ? probe->w : probe->a)[j % p->nv] = 1;
        HOL_TRY(check_differentiate(probe, residual, p->nv));
        tangent_column(probe, is_K ? probe->here->K : probe->here->C, j % p->nv, probe->analytic);
        double scale = largest_of(probe, p->nv, probe->analytic);
        for (int i = 0; i < p->nv; ++i)
            HOL_TRY(
                check_compare(probe, is_K ? "K" : "C", i, j % p->nv, probe->analytic[i], probe->derivative[i], scale));
    }
    return HOL_OK;
}

static HolStatus potential_at(Probe *probe, const double *q, double *V)
{
    HOL_TRY(
        hol_system_evaluate(probe->system, &(HolPoint){probe->at.t, q, probe->at.v}, HOL_WANT_ENERGY, probe->there));
    *V = probe->there->potential;
    return HOL_OK;
}

/* From the point along numbers of order a tenth. The forces without potential do what their power says. */
static HolStatus check_discrete_gradient(Probe *probe)
{
    static const double FAR = 0.1;
    const HolPattern *p = probe->p;
    HolTerms *terms = probe->there;
    double *delta = probe->w, *q_b = probe->q, *q_m = probe->v, V_a, V_b, done, size;
    if (!hol_system_has_discrete_gradient(probe->system) || !hol_system_is_flat(probe->system))
        return HOL_OK; /* else with the mean */
    for (int i = 0; i < p->nv; ++i) {
        delta[i] = FAR * probe->vdot[i];
        q_b[i] = probe->at.q[i] + delta[i];
        q_m[i] = probe->at.q[i] + delta[i] / 2;
    }
    HolPoint middle = {probe->at.t, q_m, delta};
    if (potential_at(probe, probe->at.q, &V_a) != HOL_OK || potential_at(probe, q_b, &V_b) != HOL_OK ||
        hol_system_evaluate(probe->system, &middle, HOL_WANT_FORCE, terms) != HOL_OK)
        return HOL_OK; /* the system is not defined so far away */
    HOL_TRY(hol_system_discrete_gradient(probe->system, &middle, probe->at.q, q_b, terms));
    done = -terms->power;
    size = fabs(V_a) + fabs(V_b);
    for (int i = 0; i < p->nv; ++i) {
        done += terms->Q[i] * delta[i];
        size += fabs(terms->Q[i] * delta[i]);
    }
    if (fabs(done - (V_a - V_b)) <= 10 * HOL_TOL_AMPLIFIED * (1 + size))
        return HOL_OK;
    return hol_fail(probe->message, HOL_BAD_INPUT,
                    "'%s': the discrete gradient does the work %.12g, but the potential falls by %.12g",
                    hol_system_name(probe->system), done, V_a - V_b);
}

/* The other checks use inputs raised by one, so that inputs act; this one compares with the original values. */
static HolStatus check_inputs(Probe *probe)
{
    const HolPattern *p = probe->p;
    HolTerms *usual = NULL;
    const HolTerms *here = probe->here;
    if (hol_system_input_count(probe->system) == 0)
        return HOL_OK;
    HOL_TRY(hol_terms_create(probe->system, &usual));
    HolStatus status = hol_system_evaluate(probe->system, &probe->at, HOL_WANT_ALL, usual);
    const struct {
        const char *name;
        const double *with, *without;
        int count;
    } terms[] = {{"M", here->M, usual->M, p->mass_start[p->mass_pair_count]},
                 {"Phi", here->Phi, usual->Phi, p->nh},
                 {"D", here->D, usual->D, p->pair_start[p->pair_count]},
                 {"nu", here->nu, usual->nu, p->m},
                 {"gamma", here->gamma, usual->gamma, p->m},
                 {"kinetic", &here->kinetic, &usual->kinetic, 1},
                 {"potential", &here->potential, &usual->potential, 1}};
    for (size_t k = 0; k < sizeof terms / sizeof *terms; ++k)
        for (int i = 0; i < terms[k].count && status == HOL_OK; ++i)
            if (terms[k].with[i] != terms[k].without[i])
                status = hol_fail(probe->message, HOL_BAD_INPUT,
                                  "'%s': %s depends on the inputs, which may change Q and power only",
                                  hol_system_name(probe->system), terms[k].name);
    hol_terms_destroy(usual);
    return status;
}

static void shift_inputs(Probe *probe)
{
    for (int i = 0; i < hol_system_input_count(probe->system); ++i) {
        probe->here->u[i] += 1;
        probe->there->u[i] += 1;
    }
}

/* Irregular numbers of order one, so that no error hides behind a zero. */
static void fill_arbitrarily(int n, double *x)
{
    for (int i = 0; i < n; ++i)
        x[i] = sin(1 + 2.7 * i) + 0.3;
}

static HolStatus check_prepare(Probe *probe, HolArena *arena)
{
    const HolPattern *p = probe->p;
    size_t most = (size_t)(p->nq > p->m ? p->nq : p->m) + 1, nv = (size_t)p->nv;
    double **vectors[] = {&probe->q,         &probe->v,         &probe->w,          &probe->a,
                          &probe->vdot,      &probe->lambda,    &probe->derivative, &probe->analytic,
                          &probe->values[0], &probe->values[1], &probe->values[2],  &probe->values[3]};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
        *vectors[i] = hol_arena_doubles(arena, most);
    probe->D = hol_arena_doubles(arena, (size_t)p->m * nv);
    probe->M = hol_arena_doubles(arena, nv * nv);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    fill_arbitrarily(p->nv, probe->vdot);
    fill_arbitrarily(p->m, probe->lambda);
    HOL_TRY(hol_terms_create(probe->system, &probe->here));
    return hol_terms_create(probe->system, &probe->there);
}

static HolStatus check_all(Probe *probe, HolArena *arena)
{
    HolLu *lu;
    size_t nv = (size_t)probe->p->nv;
    double *copy = hol_arena_doubles(arena, nv * nv);
    HOL_TRY(check_prepare(probe, arena));
    HOL_TRY(hol_lu_create(arena, probe->p->nv, &lu));
    shift_inputs(probe);
    HOL_TRY(hol_system_evaluate(probe->system, &probe->at, HOL_WANT_ALL, probe->here));
    hol_jacobian_dense(probe->p, probe->here->D, probe->D);
    hol_mass_dense(probe->p, probe->here->M, probe->M);
    HOL_TRY(check_inputs(probe));
    HOL_TRY(check_mass(probe));
    HOL_TRY(check_definite(probe, copy));
    HOL_TRY(check_constancy(probe));
    HOL_TRY(check_qdot(probe));
    HOL_TRY(check_jacobian(probe));
    HOL_TRY(check_nu(probe));
    HOL_TRY(check_gamma(probe));
    HOL_TRY(check_energy(probe, lu));
    HOL_TRY(check_tangent(probe));
    HOL_TRY(hol_system_check_mean(probe->system, &probe->at, probe->there, arena, probe->message));
    HOL_TRY(check_discrete_gradient(probe));
    for (int i = 0; i < probe->p->nv; ++i)
        probe->values[1][i] = cos(2 + 1.9 * i);
    return hol_check_strains(&(HolStrainCheck){.system = probe->system,
                                               .at = &probe->at,
                                               .delta = probe->vdot,
                                               .z = probe->values[1],
                                               .terms = probe->there,
                                               .q_b = probe->q,
                                               .q_m = probe->v,
                                               .f = {probe->w, probe->a, probe->values[0]},
                                               .message = probe->message});
}

HolStatus hol_system_check(const HolSystem *system, const HolPoint *at, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, system));
    HOL_TRY(HOL_CHECK_POINTER(message, at));
    HOL_TRY(HOL_CHECK_FINITE(message, at->t));
    HOL_TRY(hol_argument_numbers(message, __func__, "at->q", at->q, hol_system_pattern(system)->nq));
    HOL_TRY(hol_argument_numbers(message, __func__, "at->v", at->v, hol_system_pattern(system)->nv));
    Probe probe = {.system = system, .p = hol_system_pattern(system), .at = *at, .message = message};
    HolArena *arena = hol_arena_create();
    hol_fail(message, HOL_OK, "%s", "");
    HolStatus status = arena ? check_all(&probe, arena) : HOL_NO_MEMORY;
    if (status != HOL_OK && message && !message->text[0])
        hol_fail(message, status, "'%s' cannot be evaluated: %s", hol_system_name(system), hol_status_cause(status));
    hol_terms_destroy(probe.here);
    hol_terms_destroy(probe.there);
    hol_arena_destroy(arena);
    return status;
}
