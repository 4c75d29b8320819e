/* SPDX-License-Identifier: BSD-3-Clause */
#include "system/check_mean.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

static const double STEP = 0.1 * HOL_DIFFERENCE_STEP; /* of finite differences of fourth order */
static const double TOLERANCE = 10 * HOL_TOL_HALF;    /* relative to 1 + the number itself */
static const double EXACT = 10 * HOL_TOL_AMPLIFIED;   /* the same where nothing is differentiated */
static const double FAR = 20 * HOL_DIFFERENCE_STEP;   /* of a displacement */

typedef struct Mean {
    const HolSystem *system;
    const HolPattern *p;
    HolPoint at;
    HolTerms *terms;
    HolMessage *message;
    double *direction, *delta, *back;  /* nv */
    double *q_b, *q_m, *qdot, *change; /* nq */
    double *Phi, *along;               /* m + 1 */
    double *whole, *half, *size; /* nh + 1: the errors of (3) over both displacements, and the size of the terms */
    double *Q, *nu, *D;          /* of a point */
} Mean;

static HolStatus mean_compare(const Mean *s, const char *what, int i, double given, double expected, double tolerance)
{
    if (fabs(given - expected) <= tolerance * (1 + fabs(expected)))
        return HOL_OK;
    return hol_fail(s->message, HOL_BAD_INPUT, "'%s': %s[%d] is %.12g but should be %.12g", hol_system_name(s->system),
                    what, i, given, expected);
}

/* delta = far times the direction, and q_b. */
static void mean_go(Mean *s, double far)
{
    for (int i = 0; i < s->p->nv; ++i)
        s->delta[i] = far * s->direction[i];
    hol_system_displace(s->system, s->at.q, s->delta, s->q_b);
}

/* (1) */
static HolStatus check_displace(Mean *s)
{
    static const double places[4] = {-2, -1, 1, 2}, weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    const HolPattern *p = s->p;
    memset(s->change, 0, (size_t)p->nq * sizeof *s->change);
    for (int k = 0; k < 4; ++k) {
        mean_go(s, places[k] * STEP);
        hol_add_scaled(p->nq, weights[k] / STEP, s->q_b, s->change);
    }
    hol_system_qdot(s->system, s->at.q, s->direction, s->qdot);
    for (int i = 0; i < p->nq; ++i)
        HOL_TRY(mean_compare(s, "the derivative of displace", i, s->change[i], s->qdot[i], TOLERANCE));
    mean_go(s, FAR);
    for (int i = 0; i < p->nv; ++i)
        s->back[i] = -s->delta[i];
    hol_system_displace(s->system, s->q_b, s->back, s->q_m);
    for (int i = 0; i < p->nq; ++i)
        HOL_TRY(mean_compare(s, "displace there and back", i, s->q_m[i], s->at.q[i], EXACT));
    return HOL_OK;
}

/* (2) */
static HolStatus check_mean_of_one(Mean *s)
{
    const HolPattern *p = s->p;
    HolTerms *terms = s->terms;
    int entries = p->pair_start[p->pair_count];
    unsigned want = HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_NU;
    HOL_TRY(hol_system_evaluate(s->system, &s->at, want, terms));
    double power = terms->power;
    memcpy(s->Q, terms->Q, (size_t)p->nv * sizeof *s->Q);
    memcpy(s->nu, terms->nu, (size_t)p->m * sizeof *s->nu);
    memcpy(s->D, terms->D, (size_t)entries * sizeof *s->D);
    HOL_TRY(hol_system_evaluate_mean(s->system, &s->at, s->at.q, s->at.q, want, terms));
    for (int i = 0; i < p->nv; ++i)
        HOL_TRY(mean_compare(s, "Q of the mean of one configuration", i, terms->Q[i], s->Q[i], EXACT));
    for (int i = 0; i < p->m; ++i)
        HOL_TRY(mean_compare(s, "nu of the mean of one configuration", i, terms->nu[i], s->nu[i], EXACT));
    for (int i = 0; i < entries; ++i)
        HOL_TRY(mean_compare(s, "entry D of the mean of one configuration", i, terms->D[i], s->D[i], EXACT));
    return mean_compare(s, "power of the mean of one configuration", 0, terms->power, power, EXACT);
}

static HolStatus mean_end(Mean *s, const double *q, double *Phi, double *V)
{
    HOL_TRY(hol_system_evaluate(s->system, &(HolPoint){s->at.t, q, s->at.v}, HOL_WANT_PHI | HOL_WANT_ENERGY, s->terms));
    memcpy(Phi, s->terms->Phi, (size_t)s->p->nh * sizeof *Phi);
    *V = s->terms->potential;
    return HOL_OK;
}

/* The sum of the magnitudes of the terms of D delta. */
static void mean_add_sizes(const Mean *s)
{
    const HolPattern *p = s->p;
    memset(s->size, 0, ((size_t)p->nh + 1) * sizeof *s->size);
    for (int i = 0; i < p->pair_count; ++i) {
        int n = hol_part_size(p->block_start, p->pairs[i].column), row = p->group_start[p->pairs[i].row];
        for (int k = 0; k < hol_part_size(p->group_start, p->pairs[i].row) * n && row < p->nh; ++k)
            s->size[row + k / n] +=
                fabs(s->terms->D[p->pair_start[i] + k] * s->delta[p->block_start[p->pairs[i].column] + k % n]);
    }
    for (int i = 0; i < p->nv; ++i)
        s->size[p->nh] += fabs(s->terms->Q[i] * s->delta[i]);
}

/* The errors of (3): of the rows, and of the work, error[nh]. */
static HolStatus mean_errors(Mean *s, double far, double *error)
{
    const HolPattern *p = s->p;
    double V_a, V_b;
    mean_go(s, far);
    HOL_TRY(mean_end(s, s->at.q, s->Phi, &V_a));
    HOL_TRY(mean_end(s, s->q_b, error, &V_b));
    hol_add_scaled(p->nh, -1, s->Phi, error);
    for (int i = 0; i < p->nv; ++i)
        s->back[i] = s->delta[i] / 2;
    hol_system_displace(s->system, s->at.q, s->back, s->q_m);
    HolPoint middle = {s->at.t, s->q_m, s->delta};
    HOL_TRY(
        hol_system_evaluate_mean(s->system, &middle, s->at.q, s->q_b, HOL_WANT_FORCE | HOL_WANT_JACOBIAN, s->terms));
    hol_jacobian_times(p, s->terms->D, s->delta, s->along);
    hol_add_scaled(p->nh, -1, s->along, error);
    if (hol_system_has_discrete_gradient(s->system))
        HOL_TRY(hol_system_discrete_gradient(s->system, &middle, s->at.q, s->q_b, s->terms));
    error[p->nh] = V_b - V_a - s->terms->power;
    for (int i = 0; i < p->nv; ++i)
        error[p->nh] += s->terms->Q[i] * s->delta[i];
    mean_add_sizes(s);
    return HOL_OK;
}

/* Half of the displacement leaves an eighth of the error, not a quarter, or the error is small beside the terms: those
 * of third and of fourth order may balance each other. An error that stays is a jump of Phi or V, such as a turn. */
static bool is_of_third_order(double whole, double half, double size)
{
    static const double LEAST = 5, JUMP = 0.75;
    return fabs(half) <= HOL_TOL_SMALL * size || fabs(half) <= fabs(whole) / LEAST || fabs(half) > JUMP * fabs(whole);
}

/* (3) */
static HolStatus check_order(Mean *s)
{
    const HolPattern *p = s->p;
    bool is_exact = hol_system_has_discrete_gradient(s->system);
    double *whole = s->whole, *half = s->half;
    if (mean_errors(s, FAR, whole) != HOL_OK || mean_errors(s, FAR / 2, half) != HOL_OK)
        return HOL_OK; /* the system is not defined so far away */
    for (int i = 0; i < p->nh; ++i)
        if (!is_of_third_order(whole[i], half[i], EXACT + s->size[i]))
            return hol_fail(s->message, HOL_BAD_INPUT,
                            "'%s': D of evaluate_mean misses the change of Phi[%d] by %.3g, and by %.3g over the "
                            "double displacement",
                            hol_system_name(s->system), i, half[i], whole[i]);
    double work = half[p->nh], size = s->size[p->nh];
    if (is_exact ? fabs(work) <= EXACT * (1 + size) : is_of_third_order(whole[p->nh], work, EXACT + size))
        return HOL_OK;
    return hol_fail(s->message, HOL_BAD_INPUT,
                    "'%s': the work of the forces of evaluate_mean differs by %.3g from the fall of the potential",
                    hol_system_name(s->system), work);
}

static void mean_take_memory(Mean *s, HolArena *arena)
{
    const HolPattern *p = s->p;
    HOL_DOUBLES(arena, p->nv, &s->direction, &s->delta, &s->back, &s->Q);
    HOL_DOUBLES(arena, p->nq, &s->q_b, &s->q_m, &s->qdot, &s->change);
    HOL_DOUBLES(arena, p->m + 1, &s->Phi, &s->along, &s->nu, &s->whole, &s->half, &s->size);
    s->D = hol_arena_doubles(arena, (size_t)p->pair_start[p->pair_count]);
}

HolStatus hol_system_check_mean(const HolSystem *system, const HolPoint *at, HolTerms *terms, HolArena *arena,
                                HolMessage *message)
{
    Mean s = {.system = system, .p = hol_system_pattern(system), .at = *at, .terms = terms, .message = message};
    if (!hol_system_has_mean(system))
        return HOL_OK;
    mean_take_memory(&s, arena);
    HOL_TRY(hol_arena_status(arena));
    for (int i = 0; i < s.p->nv; ++i) /* irregular numbers, so that no error hides behind a zero */
        s.direction[i] = sin(2 + 1.9 * i) + 0.4;
    HOL_TRY(check_displace(&s));
    HOL_TRY(check_mean_of_one(&s));
    return check_order(&s);
}
