/* SPDX-License-Identifier: BSD-3-Clause */
/* Static equilibrium by load steps. Applied forces and torques are scaled by the load, wherever they follow a body too
 * (HolTerms.load). All else that acts at the start, f_0 = Q(q_0) under load 0, is taken off at first and let come on
 * bit by bit, f = Q - (1 - load) f_0: weights, which do not depend on q, grow in proportion to the load, and the start
 * is in equilibrium for load = 0. */
#include <holon/modes.h>
#include <holon/static.h>

#include "base/float_mode.h"
#include "base/message.h"
#include "linalg/blocks.h"
#include "mechanism/mechanism.h"
#include "simulate/redundancy.h"
#include "study/descent.h"
#include "study/linear.h"
#include "study/unheld.h"
#include "system/undefined.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SMALLEST = 1.0 / 4096; /* load step */
static const char runs_away[] = "'%s' has no equilibrium%s that can be reached from this start: '%s' moves on and on, "
                                "nothing holds it against the forces on it";
enum { EASY = 12, LOOKED_AT = 10 };

/* What is handed out: the public part first. */
typedef struct Box {
    HolEquilibrium shown;
    HolArena *arena;
} Box;

typedef struct Search {
    const HolStaticOptions *options;
    HolDescentWay way;
    Box *box;
    double *q_before, *lambda_before;
    double load; /* the largest that an equilibrium was found for */
} Search;

HolStaticOptions hol_static_options(void)
{
    return (HolStaticOptions){.steps = 1, .tolerance = 1e-10, .most_iterations = 1000};
}

static HolStatus check(const HolSystem *system, const HolStaticOptions *options, HolMessage *message)
{
    if (!hol_system_has_tangent(system))
        return hol_fail(message, HOL_UNSUPPORTED, "'%s' has no tangent, which modes and equilibria are found by",
                        hol_system_name(system));
    if (options->steps < 1)
        return hol_fail(message, HOL_BAD_INPUT, "there must be one load step at least, not %d", options->steps);
    if (!(options->tolerance > 0 && options->tolerance < 1))
        return hol_fail(message, HOL_BAD_INPUT, "the tolerance of an equilibrium must be between 0 and 1, not %g",
                        options->tolerance);
    if (options->most_iterations < 1)
        return hol_fail(message, HOL_BAD_INPUT, "a load step needs one iteration at least, not %d",
                        options->most_iterations);
    return HOL_OK;
}

static HolStatus create(Search *s, const HolSystem *system, double t, const double *q, HolArena *scratch)
{
    const HolPattern *p = hol_system_pattern(system);
    HolState *state = &s->box->shown.state;
    HolArena *arena = s->box->arena;
    HOL_TRY(hol_descent_create(system, t, q, scratch, &s->way));
    s->q_before = hol_arena_doubles(scratch, (size_t)p->nq);
    s->lambda_before = hol_arena_doubles(scratch, (size_t)p->m);
    *state = (HolState){.t = t,
                        .q = hol_arena_doubles(arena, (size_t)p->nq),
                        .v = hol_arena_doubles(arena, (size_t)p->nv),
                        .vdot = hol_arena_doubles(arena, (size_t)p->nv),
                        .lambda = hol_arena_doubles(arena, (size_t)p->m)};
    return hol_arena_failed(scratch) || hol_arena_failed(arena) ? HOL_NO_MEMORY : HOL_OK;
}

static void take_state(Search *s)
{
    const HolPattern *p = s->way.pattern;
    memcpy(s->box->shown.state.q, s->way.q, (size_t)p->nq * sizeof(double));
    memcpy(s->box->shown.state.lambda, s->way.lambda, (size_t)p->m * sizeof(double));
}

static HolStatus record(Search *s, int iterations)
{
    take_state(s);
    if (!s->options->record)
        return HOL_OK;
    HolLoadStep step = {.load = s->way.load,
                        .iterations = iterations,
                        .imbalance = s->way.imbalance,
                        .violation = s->way.violation,
                        .state = &s->box->shown.state};
    return s->options->record(s->options->user, &step);
}

/* f_0: what acts at the start but for the loads. */
static HolStatus find_start_forces(Search *s)
{
    HolDescentWay *w = &s->way;
    w->terms->load = 0;
    HOL_TRY(hol_system_evaluate(w->system, &(HolPoint){w->t, w->q, w->v}, HOL_WANT_FORCE, w->terms));
    memcpy(w->f_0, w->terms->Q, (size_t)w->pattern->nv * sizeof *w->f_0);
    return isfinite(hol_max_norm(w->pattern->nv, w->f_0)) ? HOL_OK : HOL_NOT_FINITE;
}

/* Rows of velocities must not ask for motion. */
static HolStatus check_rest(const HolSystem *system, double t, const double *q, HolMessage *message)
{
    const HolPattern *p = hol_system_pattern(system);
    HolTerms *terms;
    HolArena *arena = hol_arena_create();
    double *v = arena ? hol_arena_doubles(arena, (size_t)p->nv) : NULL;
    HolStatus status = v ? hol_terms_create(system, &terms) : HOL_NO_MEMORY;
    if (status == HOL_OK) {
        status = hol_system_evaluate(system, &(HolPoint){t, q, v}, HOL_WANT_JACOBIAN | HOL_WANT_NU, terms);
        for (int g = 0; status == HOL_OK && g < p->group_count; ++g)
            for (int i = p->group_start[g]; i < p->group_start[g + 1] && status == HOL_OK; ++i)
                if (i >= p->nh && terms->nu[i] != 0)
                    status = hol_fail(message, HOL_BAD_INPUT, "'%s' cannot be at rest: '%s' asks for a velocity of %g",
                                      hol_system_name(system), hol_system_group_name(system, g), terms->nu[i]);
        hol_terms_destroy(terms);
    }
    hol_arena_destroy(arena);
    return status;
}

static bool is_numerical(HolStatus status)
{
    return status == HOL_NO_CONVERGENCE || status == HOL_SINGULAR || status == HOL_NOT_FINITE;
}

static void go_back(Search *s)
{
    HolDescentWay *w = &s->way;
    memcpy(w->q, s->q_before, (size_t)w->pattern->nq * sizeof *w->q);
    memcpy(w->lambda, s->lambda_before, (size_t)w->pattern->m * sizeof *w->lambda);
}

/* An equilibrium for way->load: behind the first one the nearest that continues it, else downhill. */
static HolStatus settle(Search *s, bool is_first)
{
    HolDescentWay *w = &s->way;
    if (!is_first) {
        HolStatus status = hol_descent_follow(w, s->options->tolerance);
        if (!is_numerical(status))
            return status;
        go_back(s);
    }
    return hol_descent_go(w, s->options->tolerance, s->options->most_iterations);
}

/* Load steps of the size asked for; halved where one fails, doubled where it was easy. */
static HolStatus climb(Search *s)
{
    HolDescentWay *w = &s->way;
    double size = 1.0 / s->options->steps, most = size;
    HOL_TRY(find_start_forces(s));
    w->load = 0;
    HOL_TRY(record(s, 0));
    while (s->load < 1) {
        int before = w->iterations;
        memcpy(s->q_before, w->q, (size_t)w->pattern->nq * sizeof *w->q);
        memcpy(s->lambda_before, w->lambda, (size_t)w->pattern->m * sizeof *w->lambda);
        w->load = s->load + size < 1 - 1e-9 ? s->load + size : 1;
        HolStatus status = settle(s, s->load == 0);
        if (is_numerical(status) && size / 2 >= SMALLEST) {
            go_back(s);
            size /= 2;
            continue;
        }
        HOL_TRY(status);
        s->load = w->load;
        ++s->box->shown.load_steps;
        HOL_TRY(record(s, w->iterations - before));
        if (w->iterations - before <= EASY && size < most)
            size = fmin(2 * size, most);
    }
    return HOL_OK;
}

/* lambda without its part in the null space of D^T. */
static HolStatus take_least_multipliers(Search *s, HolArena *arena)
{
    HolDescentWay *w = &s->way;
    int m = w->pattern->m;
    HolWorkspace *work;
    HolRedundancy *r = NULL;
    if (w->left_out_count == 0)
        return HOL_OK;
    HOL_TRY(hol_workspace_create(w->system, arena, &work));
    hol_workspace_move(work, w->t, w->q, w->v);
    HolStatus status = hol_workspace_need(work, HOL_WANT_JACOBIAN);
    if (status == HOL_OK)
        status = hol_redundancy_create(arena, work, &r);
    double *basis =
        status == HOL_OK && r->null_vectors ? hol_arena_doubles(arena, (size_t)r->redundant_count * (size_t)m) : NULL;
    for (int k = 0; basis && k < r->redundant_count; ++k) {
        double *n = basis + k * m;
        memcpy(n, r->null_vectors[k], (size_t)m * sizeof *n);
        for (int pass = 0; pass < 2; ++pass) {
            for (int j = 0; j < k; ++j) {
                double part = hol_inner(m, n, basis + j * m);
                for (int i = 0; i < m; ++i)
                    n[i] -= part * basis[j * m + i];
            }
        }
        double length = sqrt(hol_inner(m, n, n));
        for (int i = 0; i < m; ++i)
            n[i] /= length;
        double part = hol_inner(m, n, w->lambda);
        for (int i = 0; i < m; ++i)
            w->lambda[i] -= part * n[i];
    }
    hol_workspace_destroy(work);
    return status;
}

static HolStatus judge(Search *s)
{
    HolEquilibrium *e = &s->box->shown;
    HolModesOptions options = hol_modes_options();
    HolModes *modes;
    HolStatus status = hol_modes(s->way.system, &e->state, &options, &modes, NULL);
    if (status == HOL_NO_MEMORY)
        return status;
    e->looked_at_stability = status == HOL_OK;
    if (status != HOL_OK)
        return HOL_OK;
    e->unstable_count = modes->unstable_count;
    e->neutral_count = modes->zero_count;
    e->looked_at_all = modes->is_complete;
    e->dof = modes->dof;
    for (int i = 0; i < modes->count && modes->unstable_count > 0; ++i)
        e->growth = fmax(e->growth, modes->modes[i].real);
    hol_modes_destroy(modes);
    return HOL_OK;
}

static HolStatus finish(Search *s, HolArena *scratch)
{
    HolDescentWay *w = &s->way;
    HolEquilibrium *e = &s->box->shown;
    HOL_TRY(take_least_multipliers(s, scratch));
    take_state(s);
    e->iterations = w->iterations;
    e->imbalance = w->imbalance;
    e->violation = w->violation;
    e->is_singular = w->left_out_count > w->redundant_at_start;
    HOL_TRY(hol_system_evaluate(w->system, &(HolPoint){w->t, w->q, w->v}, HOL_WANT_ENERGY, w->terms));
    e->potential = w->terms->potential;
    return judge(s);
}

static const char *block_name(const Search *s, char *text, size_t size)
{
    if (s->options->block_names)
        return s->options->block_names[s->way.runaway];
    snprintf(text, size, "block %d", s->way.runaway);
    return text;
}

/* "", or how far the loads had come. */
static const char *load_text(const Search *s, char *text, size_t size)
{
    text[0] = '\0';
    if (s->load > 0)
        snprintf(text, size, " beyond %.4g of its loads", s->load);
    return text;
}

/* What moves most, and under what. */
static HolStatus explain(const Search *s, HolStatus status, HolMessage *message)
{
    const HolDescentWay *w = &s->way;
    const char *name = hol_system_name(w->system);
    char text[40], beyond[40];
    load_text(s, beyond, sizeof beyond);
    if (status == HOL_STOPPED)
        return hol_fail(message, status, "the search for an equilibrium of '%s' was stopped", name);
    if (!is_numerical(status) || w->runaway < 0)
        return hol_fail(message, status, "no equilibrium of '%s' was found%s: %s", name, beyond,
                        hol_status_name(status));
    const char *what = block_name(s, text, sizeof text);
    if (w->is_lost)
        return hol_fail(message, status, runs_away, name, beyond, what);
    return hol_fail(message, status,
                    "no equilibrium of '%s'%s was found in %d iterations: '%s' moves most, and %.3g of the forces is "
                    "left unbalanced",
                    name, beyond, w->iterations, what, w->imbalance);
}

/* Forces may balance where a system is not defined, as a beam is not that has folded between its nodes. */
static bool is_defined(const Search *s, HolMessage *message)
{
    const HolDescentWay *w = &s->way;
    HolPoint at = {w->t, w->q, w->v};
    if (hol_system_evaluate(w->system, &at, HOL_WANT_GAMMA, w->terms) != HOL_SINGULAR)
        return true;
    int group = hol_terms_undefined(w->terms);
    hol_fail(message, HOL_SINGULAR,
             "no equilibrium of '%s' was found: the search ended where what '%s' asks for is not defined; a beam that "
             "folds between its nodes needs more elements",
             hol_system_name(w->system), group >= 0 ? hol_system_group_name(w->system, group) : "the system");
    return false;
}

static HolStatus run(const HolSystem *system, double t, const double *q, Search *s, HolMessage *message)
{
    HolArena *scratch = hol_arena_create();
    HolStatus status = scratch ? create(s, system, t, q, scratch) : HOL_NO_MEMORY;
    HolStatus assembled = status == HOL_OK ? hol_assemble_positions(system, t, s->way.q, message) : HOL_OK;
    if (status == HOL_OK && assembled == HOL_OK)
        status = climb(s);
    bool defined = status != HOL_OK || assembled != HOL_OK || is_defined(s, message);
    if (!defined)
        status = HOL_SINGULAR;
    if (status == HOL_OK && assembled == HOL_OK)
        status = finish(s, scratch);
    if (assembled != HOL_OK)
        status = assembled;
    else if (defined && status != HOL_OK && status != HOL_NO_MEMORY)
        explain(s, status, message);
    hol_descent_destroy(&s->way);
    hol_arena_destroy(scratch);
    return status;
}

HolStatus hol_static(const HolSystem *system, double t, const double *q, const HolStaticOptions *options,
                     HolEquilibrium **equilibrium, HolMessage *message)
{
    *equilibrium = NULL;
    hol_fail(message, HOL_OK, "%s", "");
    HOL_TRY(check(system, options, message));
    HOL_TRY(check_rest(system, t, q, message));
    unsigned mode = hol_float_mode_enter();
    HolArena *arena = hol_arena_create();
    Box *box = arena ? hol_arena_alloc(arena, sizeof *box) : NULL;
    HolStatus status = HOL_NO_MEMORY;
    if (box) {
        Search search = {.options = options, .box = box};
        box->arena = arena;
        status = run(system, t, q, &search, message);
    }
    if (status == HOL_NO_MEMORY)
        hol_fail(message, status, "not enough memory for the equilibrium of '%s'", hol_system_name(system));
    if (status == HOL_OK)
        *equilibrium = &box->shown;
    else
        hol_arena_destroy(arena);
    hol_float_mode_leave(mode);
    return status;
}

/* What nothing holds is told before a search would run after it. */
static HolStatus refuse_unheld(const HolMechanism *mechanism, const HolStart *start, HolMessage *message)
{
    const char *name;
    HolStatus status = hol_unheld_find(mechanism, start->t, start->q, &name);
    if (status == HOL_NO_MEMORY)
        return hol_fail(message, status, "not enough memory for an equilibrium");
    if (!name)
        return HOL_OK;
    return hol_fail(message, HOL_NO_CONVERGENCE, runs_away, hol_system_name(hol_mechanism_system(mechanism)), "", name);
}

HolStatus hol_mechanism_static(const HolMechanism *mechanism, const HolStaticOptions *options,
                               HolEquilibrium **equilibrium, HolMessage *message)
{
    HolStart start = hol_mechanism_start(mechanism);
    HolStaticOptions named = *options;
    *equilibrium = NULL;
    HOL_TRY(check(hol_mechanism_system(mechanism), options, message));
    HOL_TRY(refuse_unheld(mechanism, &start, message));
    HolArena *arena = hol_arena_create();
    const char **names =
        arena ? hol_arena_alloc(arena, (size_t)hol_mechanism_body_count(mechanism) * sizeof *names) : NULL;
    if (!names) {
        hol_arena_destroy(arena);
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory for an equilibrium");
    }
    for (int b = 0; b < hol_mechanism_body_count(mechanism); ++b)
        names[b] = hol_mechanism_body(mechanism, b);
    named.block_names = names;
    HolStatus status = hol_static(hol_mechanism_system(mechanism), start.t, start.q, &named, equilibrium, message);
    hol_arena_destroy(arena);
    return status;
}

void hol_equilibrium_destroy(HolEquilibrium *equilibrium)
{
    if (equilibrium)
        hol_arena_destroy(((Box *)equilibrium)->arena);
}
