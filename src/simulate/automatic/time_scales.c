/* SPDX-License-Identifier: BSD-3-Clause */
/* The time scales of a system in its initial state: the fastest motion by power iteration and, of a mechanism,
 * rotations, and stops that are open yet or tables that are steeper elsewhere. */
#include "simulate/automatic/time_scales.h"

#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "mechanism/evaluate/evaluate.h"
#include "mechanism/evaluate/jumps.h"
#include "mechanism/forces/force_law.h"
#include "mechanism/run_section.h"
#include "simulate/automatic/stability.h"

#include <math.h>
#include <string.h>

/* The equations of motion in the initial state. */
typedef struct Scales {
    const HolSystem *system;
    const HolMechanism *mechanism; /* NULL: a system supplied as functions */
    HolArena *arena;
    HolWorkspace *work;
    HolRates *rates;
    double t, h;
    double *y, *y_next;
} Scales;

static HolStatus scales_create(Scales *s, const HolInitialState *start)
{
    const HolFormulationKind *kind = hol_formulation_find(hol_simulation_options().formulation, NULL);
    void *options = hol_arena_alloc(s->arena, kind->options_size);
    HOL_TRY(hol_arena_status(s->arena));
    HOL_TRY(hol_workspace_create(s->system, s->arena, &s->work));
    hol_workspace_set_step(s->work, s->h);
    hol_workspace_move(s->work, start->t, start->q, start->v);
    HOL_TRY(hol_workspace_need(s->work, HOL_WANT_ALL));
    hol_options_defaults(kind->options, kind->option_count, options);
    HolSetup setup = {.system = s->system, .arena = s->arena, .work = s->work, .h = s->h};
    HOL_TRY(hol_rates_create(&setup, kind, options, &s->rates));
    HOL_DOUBLES(s->arena, s->rates->size, &s->y, &s->y_next);
    HOL_TRY(hol_arena_status(s->arena));
    hol_rates_open(s->rates, start->q, start->v, s->y);
    return HOL_OK;
}

/* Stiffness that the first step leaves behind, such as that of friction at rest, does not count. */
static HolStatus scales_find_fastest(Scales *s, HolTimeScales *scales)
{
    const HolIntegratorKind *rk4 = hol_integrator_find(hol_simulation_options().integrator, NULL);
    const HolStepFrom from = {.t = s->t, .h = s->h, .y = s->y};
    HolProbe *probe;
    HolFastest fastest;
    HOL_TRY(hol_probe_create(s->arena, s->rates, &probe));
    bool is_stiff = hol_probe_is_unstable(probe, s->rates, rk4, &from, s->y_next, &fastest);
    if (!is_stiff && hol_step_is_unstable(rk4, s->h, &fastest))
        HOL_TRY(hol_probe_fastest(probe, s->rates, s->t + s->h, s->h, s->y_next, &fastest));
    double rate = hol_fastest_rate(&fastest);
    if (!isfinite(rate))
        return HOL_NOT_FINITE;
    scales->fastest = rate;
    scales->growth = fastest.re;
    scales->body = s->mechanism && fastest.block >= 0 ? hol_mechanism_body(s->mechanism, fastest.block) : NULL;
    scales->explicit_step = hol_stable_step(rk4, &fastest);
    return HOL_OK;
}

static double body_rotation(const HolMechanism *m, const double *v, int body)
{
    const double *w = v + (m->planar ? HOL_PLANAR_NV * body + 2 : HOL_SPATIAL_NV * body + 3);
    return m->planar ? fabs(*w) : sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

/* In the plane angles are coordinates, and steps of any length integrate a constant rate. Where a centre moves,
 * rotations also turn velocities and constraint forces. */
static bool rotations_matter(const HolMechanism *m, const double *v, double rotation)
{
    const double still = HOL_TOL_EQUAL * rotation * m->pattern->length;
    bool matter = !m->planar || m->natural;
    for (int b = 0; b < m->body_count && !matter; ++b)
        matter = hypot(v[HOL_PLANAR_NV * b], v[HOL_PLANAR_NV * b + 1]) > still;
    return matter;
}

/* The largest |w|. */
static void scales_find_rotation(const HolMechanism *m, const HolInitialState *start, HolTimeScales *scales)
{
    const double *v = m->natural ? m->v : start->v; /* in reference-point coordinates */
    for (int b = 0; b < m->body_count; ++b) {
        double rate = body_rotation(m, v, b);
        if (rate > scales->rotation) {
            scales->rotation = rate;
            scales->rotating = hol_mechanism_body(m, b);
        }
    }
    if (!rotations_matter(m, v, scales->rotation))
        scales->rotation = 0;
}

/* g^T dvdot, where dvdot is the acceleration by a unit tension along g: the inverse of the mass that the stop moves. */
static HolStatus scales_mobility(Scales *s, const HolForce *force, double *mobility)
{
    const HolPattern *p = s->work->pattern;
    HolRates *r = s->rates;
    double *Q = s->work->terms->Q, *vdot = s->y_next;
    hol_workspace_move(s->work, s->t, s->y, s->y + r->nq);
    HOL_TRY(hol_workspace_need(s->work, HOL_WANT_ALL));
    for (int with = 0; with < 2; ++with) {
        memset(Q, 0, (size_t)p->nv * sizeof *Q);
        HolMotion motion = hol_mechanism_motion(s->mechanism, &s->work->at, false, s->work->terms);
        if (with)
            hol_law_apply_unit(force, &motion);
        HOL_TRY(r->kind->accelerate(r->formulation, s->work, s->h, r->vdot, r->lambda, &r->report));
        for (int i = 0; i < p->nv; ++i)
            vdot[i] = with ? r->vdot[i] - vdot[i] : r->vdot[i];
    }
    *mobility = 0;
    for (int i = 0; i < p->nv; ++i)
        *mobility += Q[i] * vdot[i];
    return HOL_OK;
}

static double gravity_of(const HolMechanism *m)
{
    return sqrt(m->gravity[0] * m->gravity[0] + m->gravity[1] * m->gravity[1] + m->gravity[2] * m->gravity[2]);
}

/* Kinetic energy, and the work of gravity or of the present forces along the size of the model. */
static double energy_at_hand(Scales *s)
{
    const HolMechanism *m = s->mechanism;
    const HolTerms *terms = s->work->terms;
    double mass = 0, force = 0;
    for (int i = 0; i < s->rates->nv; ++i)
        force = fmax(force, fabs(terms->Q[i]));
    for (int b = 0; b < m->body_count; ++b)
        mass += m->bodies[b].mass;
    return terms->kinetic + fmax(mass * gravity_of(m), force) * m->pattern->length;
}

/* Stiffness and damping of a force where it is much stiffer than here: a stop once it is compressed, a table where it
 * is steepest, any other law of a length where it stops the motion. False: nowhere. */
static bool force_is_stiff_elsewhere(Scales *s, const HolForce *force, double *k, double *c)
{
    static const double MUCH = 4, FULL_TURN = 6.283185307179586;
    const double size = s->mechanism->pattern->length;
    double here;
    *k = *c = 0;
    if (force->kind->compressed)
        force->kind->compressed(force, HOL_PART_DEPTH * size, k, c);
    if (*k > 0 || *c > 0 || force->kind->argument != hol_law_argument)
        return *k > 0 || *c > 0;
    HolMotion motion = hol_mechanism_motion(s->mechanism, &s->work->at, false, s->work->terms);
    const double reach = force->kind->follow ? FULL_TURN : size; /* of an angle */
    *k = hol_law_steepest(force, &motion, energy_at_hand(s), reach, &here);
    return *k > MUCH * fmax(here, 0);
}

/* A stop across the way that bodies can take as they are now will be met in another configuration: then its mobility is
 * that of its bodies alone. */
static double mobility_at_contact(const HolMechanism *m, const HolForce *force, double mobility)
{
    double alone = 0;
    for (int i = 0; i < 2; ++i)
        if (force->body[i] > 0 && m->bodies[force->body[i] - 1].mass > 0)
            alone += 1 / m->bodies[force->body[i] - 1].mass;
    return mobility < HOL_TOL_SMALL * alone ? alone : mobility;
}

/* The larger root of s^2 + mobility (c s + k) = 0 of each force that is stiff elsewhere. */
static HolStatus scales_find_stops(Scales *s, HolTimeScales *scales)
{
    const HolMechanism *m = s->mechanism;
    for (int i = 0; i < m->force_count; ++i) {
        const HolForce *force = &m->forces[i];
        double k, c, mobility;
        hol_workspace_move(s->work, s->t, s->y, s->y + s->rates->nq);
        HOL_TRY(hol_workspace_need(s->work, HOL_WANT_ALL));
        if (!force_is_stiff_elsewhere(s, force, &k, &c))
            continue;
        HOL_TRY(scales_mobility(s, force, &mobility));
        mobility = mobility_at_contact(m, force, mobility);
        double half = c * mobility / 2, square = half * half - k * mobility;
        double rate = square > 0 ? half + sqrt(square) : sqrt(fmax(0, k * mobility));
        if (rate > scales->stop) {
            scales->stop = rate;
            scales->stop_name = force->name;
        }
    }
    return HOL_OK;
}

/* Small mechanisms fall, and pass by themselves, in short times. */
static void scales_find_passage(const HolMechanism *m, const HolInitialState *start, HolTimeScales *scales)
{
    const double *v = m->natural ? m->v : start->v, size = m->pattern->length; /* in reference-point coordinates */
    double speed = 0;
    for (int b = 0; b < m->body_count; ++b)
        for (int k = 0; k < (m->planar ? 2 : 3); ++k)
            speed = fmax(speed, fabs(v[(m->planar ? HOL_PLANAR_NV : HOL_SPATIAL_NV) * b + k]));
    scales->passage = fmax(sqrt(gravity_of(m) / size), speed / size);
}

const HolMechanism *hol_mechanism_of(const HolSystem *system)
{
    return hol_system_ops(system)->next_jump == hol_mechanism_next_jump ? hol_system_self(system) : NULL;
}

HolStatus hol_time_scales(const HolSystem *system, const HolInitialState *start, double h, HolTimeScales *scales)
{
    const HolMechanism *mechanism = hol_mechanism_of(system);
    HolArena *arena = hol_arena_create_within(hol_system_pattern(system)->memory);
    Scales s = {.system = system, .mechanism = mechanism, .arena = arena, .t = start->t, .h = h};
    *scales = (HolTimeScales){.fastest = NAN, .explicit_step = HUGE_VAL};
    if (!s.arena)
        return HOL_NO_MEMORY;
    if (mechanism) {
        scales_find_rotation(mechanism, start, scales);
        scales_find_passage(mechanism, start, scales);
    }
    HolStatus status = scales_create(&s, start);
    if (status == HOL_OK)
        status = scales_find_fastest(&s, scales);
    if (status == HOL_OK && mechanism)
        status = scales_find_stops(&s, scales);
    hol_workspace_destroy(s.work);
    hol_arena_destroy(s.arena);
    return status;
}

HolStatus hol_mechanism_time_scales(const HolMechanism *mechanism, HolTimeScales *scales)
{
    if (!mechanism || !scales)
        return HOL_BAD_INPUT;
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    double h = mechanism->run->step_is_free ? hol_simulation_options().step : mechanism->run->step;
    return hol_time_scales(mechanism->system, &start, h, scales);
}
