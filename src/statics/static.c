/* SPDX-License-Identifier: BSD-3-Clause */
/* Static equilibrium by load steps. The load scales applied forces and torques, followers included (HolTerms.load). All
 * other forces of the initial configuration, f_0 = Q(q_0) under load 0, are subtracted at first and applied in
 * proportion, f = Q - (1 - load) f_0: weights grow with the load, and the initial configuration is in equilibrium for
 * load = 0. */
#include <holon/argument.h>
#include <holon/modes.h>
#include <holon/static.h>

#include "base/float_mode.h"
#include "base/format.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "mechanism/mechanism.h"
#include "simulate/diagnosis/redundancy.h"
#include "statics/newton.h"
#include "statics/unconstrained.h"

#include <math.h>
#include <string.h>

static const double SMALLEST = 1.0 / 4096; /* load step */
static const char unconstrained[] =
    "'%s' has no static equilibrium%s that can be reached from its initial configuration: "
    "'%s' is unconstrained along the forces on it; add a joint, spring or stop";
enum { EASY = 12, LOOKED_AT = 10 };

/* The public part is the first member, so that a pointer to it is a pointer to the whole. */
typedef struct Box {
    HolEquilibrium shown;
    HolArena *arena;
} Box;

typedef struct Search {
    const HolStaticOptions *options;
    HolNewton newton;
    Box *box;
    double *q_before, *lambda_before;
    double load; /* the largest with an equilibrium so far */
} Search;

HolStaticOptions hol_static_options(void)
{
    return (HolStaticOptions){.steps = 1, .tolerance = HOL_TOL_ITERATION, .max_iterations = 1000};
}

static HolStatus static_check(const HolSystem *system, const HolStaticOptions *options, HolMessage *message)
{
    if (!hol_system_has_tangent(system))
        return hol_fail(message, HOL_UNSUPPORTED, "'%s' has no tangent: static equilibrium and modes need one",
                        hol_system_name(system));
    if (options->steps < 1)
        return hol_fail(message, HOL_BAD_INPUT, "the number of load steps must be at least 1, not %d", options->steps);
    if (!(options->tolerance > 0 && options->tolerance < 1))
        return hol_fail(message, HOL_BAD_INPUT,
                        "the tolerance of a static equilibrium must lie between 0 and 1, not %g", options->tolerance);
    if (options->max_iterations < 1)
        return hol_fail(message, HOL_BAD_INPUT, "the iterations of a load step must be at least 1, not %d",
                        options->max_iterations);
    return HOL_OK;
}

static HolStatus static_create(Search *s, const HolSystem *system, double t, const double *q, HolArena *scratch)
{
    const HolPattern *p = hol_system_pattern(system);
    HolState *state = &s->box->shown.state;
    HolArena *arena = s->box->arena;
    HOL_TRY(hol_newton_create(system, t, q, scratch, &s->newton));
    s->q_before = hol_arena_doubles(scratch, (size_t)p->nq);
    s->lambda_before = hol_arena_doubles(scratch, (size_t)p->m);
    *state = (HolState){
        .t = t, .q = hol_arena_doubles(arena, (size_t)p->nq), .lambda = hol_arena_doubles(arena, (size_t)p->m)};
    HOL_DOUBLES(arena, p->nv, &state->v, &state->vdot);
    return hol_arena_failed(scratch) || hol_arena_failed(arena) ? HOL_NO_MEMORY : HOL_OK;
}

static void static_copy_state(Search *s)
{
    const HolPattern *p = s->newton.pattern;
    memcpy(s->box->shown.state.q, s->newton.q, (size_t)p->nq * sizeof(double));
    memcpy(s->box->shown.state.lambda, s->newton.lambda, (size_t)p->m * sizeof(double));
}

static HolStatus static_record(Search *s, int iterations)
{
    static_copy_state(s);
    if (!s->options->record)
        return HOL_OK;
    HolLoadStep step = {.load = s->newton.load,
                        .iterations = iterations,
                        .imbalance = s->newton.imbalance,
                        .violation = s->newton.violation,
                        .state = &s->box->shown.state};
    return s->options->record(s->options->user, &step);
}

/* f_0: all forces of the initial configuration but the loads. */
static HolStatus static_initial_forces(Search *s)
{
    HolNewton *solver = &s->newton;
    solver->terms->load = 0;
    HOL_TRY(hol_system_evaluate(solver->system, &(HolPoint){solver->t, solver->q, solver->v}, HOL_WANT_FORCE,
                                solver->terms));
    memcpy(solver->f_0, solver->terms->Q, (size_t)solver->pattern->nv * sizeof *solver->f_0);
    return isfinite(hol_max_norm(solver->pattern->nv, solver->f_0)) ? HOL_OK : HOL_NOT_FINITE;
}

/* No nonholonomic constraint may prescribe a velocity. */
static HolStatus static_check_velocities(const HolSystem *system, double t, const double *q, HolMessage *message)
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
                    status = hol_fail(message, HOL_BAD_INPUT,
                                      "'%s' has no static equilibrium: '%s' prescribes a velocity of %g",
                                      hol_system_name(system), hol_system_group_name(system, g), terms->nu[i]);
        hol_terms_destroy(terms);
    }
    hol_arena_destroy(arena);
    return status;
}

static bool static_is_numerical(HolStatus status)
{
    return status == HOL_NO_CONVERGENCE || status == HOL_SINGULAR || status == HOL_NOT_FINITE;
}

static void static_restore(Search *s)
{
    HolNewton *solver = &s->newton;
    memcpy(solver->q, s->q_before, (size_t)solver->pattern->nq * sizeof *solver->q);
    memcpy(solver->lambda, s->lambda_before, (size_t)solver->pattern->m * sizeof *solver->lambda);
}

/* The equilibrium for the present load: after the first by continuation, where that fails by descent. */
static HolStatus static_solve(Search *s, bool is_first)
{
    HolNewton *solver = &s->newton;
    if (!is_first) {
        HolStatus status = hol_newton_continue(solver, s->options->tolerance);
        if (!static_is_numerical(status))
            return status;
        static_restore(s);
    }
    return hol_newton_descend(solver, s->options->tolerance, s->options->max_iterations);
}

/* Load steps of the size in the options: halved where one fails, doubled again where few iterations suffice. */
static HolStatus static_load(Search *s)
{
    HolNewton *solver = &s->newton;
    double size = 1.0 / s->options->steps, most = size;
    HOL_TRY(static_initial_forces(s));
    solver->load = 0;
    HOL_TRY(static_record(s, 0));
    while (s->load < 1) {
        int before = solver->iterations;
        memcpy(s->q_before, solver->q, (size_t)solver->pattern->nq * sizeof *solver->q);
        memcpy(s->lambda_before, solver->lambda, (size_t)solver->pattern->m * sizeof *solver->lambda);
        solver->load = s->load + size < 1 - HOL_TOL_EQUAL ? s->load + size : 1;
        HolStatus status = static_solve(s, s->load == 0);
        if (static_is_numerical(status) && size / 2 >= SMALLEST) {
            static_restore(s);
            size /= 2;
            continue;
        }
        HOL_TRY(status);
        s->load = solver->load;
        ++s->box->shown.load_steps;
        HOL_TRY(static_record(s, solver->iterations - before));
        if (solver->iterations - before <= EASY && size < most)
            size = fmin(2 * size, most);
    }
    return HOL_OK;
}

/* The multipliers of minimum norm: without their part in the null space of D^T. */
static HolStatus static_minimum_norm(Search *s, HolArena *arena)
{
    HolNewton *solver = &s->newton;
    int m = solver->pattern->m;
    HolWorkspace *work;
    HolRedundancy *r = NULL;
    if (solver->left_out_count == 0)
        return HOL_OK;
    HOL_TRY(hol_workspace_create(solver->system, arena, &work));
    hol_workspace_move(work, solver->t, solver->q, solver->v);
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
                double part = hol_inner_product(m, n, basis + j * m);
                for (int i = 0; i < m; ++i)
                    n[i] -= part * basis[j * m + i];
            }
        }
        double length = sqrt(hol_inner_product(m, n, n));
        for (int i = 0; i < m; ++i)
            n[i] /= length;
        double part = hol_inner_product(m, n, solver->lambda);
        hol_add_scaled(m, -part, n, solver->lambda);
    }
    hol_workspace_destroy(work);
    return status;
}

static HolStatus static_examine_stability(Search *s)
{
    HolEquilibrium *e = &s->box->shown;
    HolModesOptions options = hol_modes_options();
    HolModes *modes;
    HolStatus status = hol_modes(s->newton.system, &e->state, &options, &modes, NULL);
    if (status == HOL_NO_MEMORY)
        return status;
    e->has_stability = status == HOL_OK;
    if (status != HOL_OK)
        return HOL_OK;
    e->unstable_count = modes->unstable_count;
    e->neutral_count = modes->zero_count;
    e->all_modes_examined = modes->is_complete;
    e->dof = modes->dof;
    for (int i = 0; i < modes->count && modes->unstable_count > 0; ++i)
        e->growth_rate = fmax(e->growth_rate, modes->modes[i].real);
    hol_modes_destroy(modes);
    return HOL_OK;
}

static HolStatus static_finish(Search *s, HolArena *scratch)
{
    HolNewton *solver = &s->newton;
    HolEquilibrium *e = &s->box->shown;
    HOL_TRY(static_minimum_norm(s, scratch));
    static_copy_state(s);
    e->iterations = solver->iterations;
    e->imbalance = solver->imbalance;
    e->violation = solver->violation;
    e->is_singular = solver->left_out_count > solver->initial_redundant_count;
    HOL_TRY(hol_system_evaluate(solver->system, &(HolPoint){solver->t, solver->q, solver->v}, HOL_WANT_ENERGY,
                                solver->terms));
    e->potential = solver->terms->potential;
    return static_examine_stability(s);
}

static const char *static_block_name(const Search *s, char *text, size_t size)
{
    if (s->options->block_names)
        return s->options->block_names[s->newton.fastest_block];
    hol_format(text, size, "block %d", s->newton.fastest_block);
    return text;
}

/* " beyond the load factor 0.7", or "" where no load step succeeded. */
static const char *static_load_text(const Search *s, char *text, size_t size)
{
    text[0] = '\0';
    if (s->load > 0)
        hol_format(text, size, " beyond the load factor %.4g", s->load);
    return text;
}

/* Names the body that moves most, and the load. */
static HolStatus static_describe_failure(const Search *s, HolStatus status, HolMessage *message)
{
    const HolNewton *solver = &s->newton;
    const char *name = hol_system_name(solver->system);
    char text[40], beyond[40];
    static_load_text(s, beyond, sizeof beyond);
    if (status == HOL_STOPPED)
        return hol_fail(message, status, "the search for a static equilibrium of '%s' was stopped", name);
    if (!static_is_numerical(status) || solver->fastest_block < 0)
        return hol_fail(message, status, "no static equilibrium of '%s' was found%s: %s", name, beyond,
                        hol_status_cause(status));
    const char *what = static_block_name(s, text, sizeof text);
    if (solver->has_diverged)
        return hol_fail(message, status, unconstrained, name, beyond, what);
    return hol_fail(message, status,
                    "no static equilibrium of '%s'%s was found in %d iterations: '%s' moves most, and forces of %.3g "
                    "are unbalanced; try more load steps or iterations",
                    name, beyond, solver->iterations, what, solver->imbalance);
}

/* Forces may balance where the equations are undefined, as those of a beam that has folded between its nodes. */
static bool static_is_defined(const Search *s, HolMessage *message)
{
    const HolNewton *solver = &s->newton;
    HolPoint at = {solver->t, solver->q, solver->v};
    if (hol_system_evaluate(solver->system, &at, HOL_WANT_GAMMA, solver->terms) != HOL_SINGULAR)
        return true;
    int group = solver->terms->undefined_group;
    hol_fail(message, HOL_SINGULAR,
             "no static equilibrium of '%s' was found: the search ended where the equations of '%s' are undefined; a "
             "beam that folds between its nodes needs more elements",
             hol_system_name(solver->system), group >= 0 ? hol_system_group_name(solver->system, group) : "the system");
    return false;
}

static HolStatus static_run(const HolSystem *system, double t, const double *q, Search *s, HolMessage *message)
{
    HolArena *scratch = hol_arena_create_within(hol_system_pattern(system)->memory);
    HolStatus status = scratch ? static_create(s, system, t, q, scratch) : HOL_NO_MEMORY;
    hol_arena_report(s->box->arena, scratch);
    HolStatus assembled = status == HOL_OK ? hol_assemble_positions(system, t, s->newton.q, message) : HOL_OK;
    if (status == HOL_OK && assembled == HOL_OK)
        status = static_load(s);
    bool defined = status != HOL_OK || assembled != HOL_OK || static_is_defined(s, message);
    if (!defined)
        status = HOL_SINGULAR;
    if (status == HOL_OK && assembled == HOL_OK)
        status = static_finish(s, scratch);
    if (assembled != HOL_OK)
        status = assembled;
    else if (defined && status != HOL_OK && status != HOL_NO_MEMORY)
        static_describe_failure(s, status, message);
    hol_newton_destroy(&s->newton);
    hol_arena_destroy(scratch);
    return status;
}

HolStatus hol_static(const HolSystem *system, double t, const double *q, const HolStaticOptions *options,
                     HolEquilibrium **equilibrium, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, equilibrium));
    *equilibrium = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, system));
    HOL_TRY(HOL_CHECK_POINTER(message, options));
    HOL_TRY(HOL_CHECK_FINITE(message, t));
    HOL_TRY(hol_argument_numbers(message, __func__, "q", q, hol_system_pattern(system)->nq));
    hol_fail(message, HOL_OK, "%s", "");
    HOL_TRY(static_check(system, options, message));
    HOL_TRY(static_check_velocities(system, t, q, message));
    unsigned mode = hol_float_mode_enter();
    HolArena *arena = hol_arena_create_within(hol_system_pattern(system)->memory);
    Box *box = arena ? hol_arena_alloc(arena, sizeof *box) : NULL;
    HolStatus status = HOL_NO_MEMORY;
    if (box) {
        Search search = {.options = options, .box = box};
        box->arena = arena;
        status = static_run(system, t, q, &search, message);
    }
    if (status == HOL_NO_MEMORY)
        hol_arena_fail(arena, "static equilibrium", message);
    if (status == HOL_OK)
        *equilibrium = &box->shown;
    else
        hol_arena_destroy(arena);
    hol_float_mode_leave(mode);
    return status;
}

/* Rejects a mechanism with an unconstrained body before a search would diverge. */
static HolStatus static_reject_unconstrained(const HolMechanism *mechanism, const HolInitialState *start,
                                             HolMessage *message)
{
    const char *name;
    HolStatus status = hol_unconstrained_find(mechanism, start->t, start->q, &name);
    if (status == HOL_NO_MEMORY)
        return hol_fail(message, status, "not enough memory for a static equilibrium");
    if (!name)
        return HOL_OK;
    return hol_fail(message, HOL_NO_CONVERGENCE, unconstrained, hol_system_name(hol_mechanism_system(mechanism)), "",
                    name);
}

HolStatus hol_mechanism_static(const HolMechanism *mechanism, const HolStaticOptions *options,
                               HolEquilibrium **equilibrium, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, equilibrium));
    *equilibrium = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, mechanism));
    HOL_TRY(HOL_CHECK_POINTER(message, options));
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolStaticOptions named = *options;
    HOL_TRY(static_check(hol_mechanism_system(mechanism), options, message));
    HOL_TRY(static_reject_unconstrained(mechanism, &start, message));
    HolArena *arena = hol_arena_create();
    const char **names =
        arena ? hol_arena_alloc(arena, (size_t)hol_mechanism_body_count(mechanism) * sizeof *names) : NULL;
    if (!names) {
        hol_arena_destroy(arena);
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory for a static equilibrium");
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
