/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates the terms of a mechanism: the frames first, then what depends on them. */
#include "mechanism/evaluate/evaluate.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "mechanism/beams/evaluate.h"
#include "mechanism/evaluate/jumps.h"
#include "mechanism/forces/force_kind.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* The memory of one configuration. */
static size_t place_size(const HolMechanism *mechanism)
{
    size_t each = sizeof(HolFrame) + (mechanism->planar ? sizeof(HolPose) + sizeof(double) : 0);
    return ((size_t)mechanism->body_count + 1) * each;
}

/* The three configurations of a discrete gradient: the middle, then the ends. */
int hol_mechanism_scratch_size(const HolMechanism *mechanism)
{
    return (int)(3 * place_size(mechanism));
}

static HolFrame *frames_in(const HolTerms *terms)
{
    return terms->scratch;
}

static HolPose *poses_in(const HolMechanism *mechanism, const HolTerms *terms)
{
    return (HolPose *)(frames_in(terms) + mechanism->body_count + 1);
}

static double *angles_in(const HolMechanism *mechanism, const HolTerms *terms)
{
    return (double *)(poses_in(mechanism, terms) + mechanism->body_count + 1);
}

static HolMotion motion_at(const HolMechanism *mechanism, double t, HolTerms *terms)
{
    return (HolMotion){
        .mechanism = mechanism,
        .t = t,
        .frames = frames_in(terms),
        .phi = mechanism->planar ? angles_in(mechanism, terms) : NULL,
        .terms = terms,
    };
}

HolMotion hol_spatial_motion(const HolMechanism *mechanism, const HolPoint *at, bool rates, HolTerms *terms)
{
    hol_spatial_frames(mechanism, at->q, rates ? at->v : NULL, frames_in(terms));
    return motion_at(mechanism, at->t, terms);
}

static HolMotion natural_motion(const HolMechanism *mechanism, const HolPoint *at, bool rates, HolTerms *terms)
{
    hol_natural_frames(mechanism, at->q, rates ? at->v : NULL, frames_in(terms));
    return (HolMotion){.mechanism = mechanism, .t = at->t, .frames = frames_in(terms), .terms = terms};
}

HolMotion hol_planar_motion(const HolMechanism *mechanism, const HolPoint *at, bool rates, HolTerms *terms)
{
    const double *v = rates ? at->v : NULL;
    HolPose *poses = poses_in(mechanism, terms);
    hol_planar_poses(mechanism, at->q, v, poses);
    hol_planar_frames(mechanism, poses, at->q, v, frames_in(terms), angles_in(mechanism, terms));
    return motion_at(mechanism, at->t, terms);
}

HolMotion hol_mechanism_motion(const HolMechanism *mechanism, const HolPoint *at, bool rates, HolTerms *terms)
{
    if (mechanism->natural)
        return natural_motion(mechanism, at, rates, terms);
    return mechanism->planar ? hol_planar_motion(mechanism, at, rates, terms)
                             : hol_spatial_motion(mechanism, at, rates, terms);
}

static void apply_forces(const HolMotion *motion, unsigned want)
{
    const HolMechanism *mechanism = motion->mechanism;
    if (want & HOL_WANT_FORCE)
        motion->terms->power = 0;
    for (int i = 0; i < mechanism->force_count; ++i) {
        const HolForce *force = &mechanism->forces[i];
        if (want & HOL_WANT_FORCE)
            force->kind->apply(force, motion);
        if ((want & HOL_WANT_ENERGY) && force->kind->potential)
            motion->terms->potential += force->kind->potential(force, motion);
    }
}

/* All but bodies and coincidences. */
static HolStatus evaluate_rest(const HolMotion *motion, const HolPoint *at, unsigned want)
{
    if (want & (HOL_WANT_GEOMETRY | HOL_WANT_NU)) {
        hol_rows_evaluate(motion, want);
        hol_held_values_evaluate(motion, at, want);
        HOL_TRY(hol_rolling_evaluate(motion, want));
        HOL_TRY(hol_velocity_rows_evaluate(motion, want));
    }
    if (want & (HOL_WANT_FORCE | HOL_WANT_ENERGY))
        apply_forces(motion, want);
    return HOL_OK;
}

static bool forces_need_frames(const HolMechanism *mechanism, unsigned want)
{
    return mechanism->force_count > 0 && (want & (HOL_WANT_FORCE | HOL_WANT_ENERGY));
}

static HolStatus evaluate_spatial(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const HolMechanism *mechanism = self;
    hol_spatial_bodies(mechanism, at, want, terms);
    if ((want & HOL_WANT_GEOMETRY) || forces_need_frames(mechanism, want))
        hol_spatial_frames(mechanism, at->q, want & HOL_WANT_RATES ? at->v : NULL, frames_in(terms));
    if (want & HOL_WANT_GEOMETRY)
        hol_spatial_coincidences(mechanism, frames_in(terms), want, terms);
    HolMotion motion = motion_at(mechanism, at->t, terms);
    return evaluate_rest(&motion, at, want);
}

/* Coincidences need only poses; frames are set only where other parts need them. */
static HolStatus evaluate_planar(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const HolMechanism *mechanism = self;
    const double *v = want & HOL_WANT_RATES ? at->v : NULL;
    bool rows_need_frames = (want & HOL_WANT_GEOMETRY) && mechanism->row_count + mechanism->velocity_row_count > 0;
    bool needs_frames = rows_need_frames || forces_need_frames(mechanism, want);
    HolPose *poses = poses_in(mechanism, terms);
    hol_planar_bodies(mechanism, at, want, terms);
    if ((want & HOL_WANT_GEOMETRY) || needs_frames)
        hol_planar_poses(mechanism, at->q, v, poses);
    if (needs_frames)
        hol_planar_frames(mechanism, poses, at->q, v, frames_in(terms), angles_in(mechanism, terms));
    if (want & HOL_WANT_GEOMETRY)
        hol_planar_coincidences(mechanism, poses, want, terms);
    HolMotion motion = motion_at(mechanism, at->t, terms);
    return evaluate_rest(&motion, at, want);
}

static HolStatus evaluate_natural(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const HolMechanism *mechanism = self;
    bool mixed = mechanism->has_particles || mechanism->planar;
    bool has_rows = mechanism->row_count + mechanism->rolling_count + mechanism->velocity_row_count > 0;
    bool rows_need_frames = (want & HOL_WANT_GEOMETRY) && (has_rows || mixed);
    bool rods_need_frames = mechanism->rod_count > 0 && (want & (HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_ENERGY));
    (mixed ? hol_mixed_bodies : hol_natural_bodies)(mechanism, at, want, terms);
    if (rows_need_frames || rods_need_frames || forces_need_frames(mechanism, want))
        hol_natural_frames(mechanism, at->q, want & HOL_WANT_RATES ? at->v : NULL, frames_in(terms));
    if ((want & HOL_WANT_GEOMETRY) && mixed) {
        hol_mixed_coincidences(mechanism, frames_in(terms), want, terms);
        hol_mixed_rigidity(mechanism, at, want, terms);
    } else if (want & HOL_WANT_GEOMETRY) {
        hol_natural_coincidences(mechanism, at, want, terms);
        hol_natural_rigidity(mechanism, at, want, terms);
    }
    HolMotion motion = {.mechanism = mechanism, .t = at->t, .frames = frames_in(terms), .terms = terms};
    if (mechanism->beam_element_count > 0)
        HOL_TRY(hol_beams_evaluate(&motion, at, want));
    if (rods_need_frames)
        hol_rods_evaluate(&motion, want);
    return evaluate_rest(&motion, at, want);
}

static bool mean_motion(const HolMechanism *mechanism, const HolPoint *at, const double *q_a, const double *q_b,
                        HolTerms *terms, HolMotion *motion)
{
    *motion = motion_at(mechanism, at->t, terms);
    motion->is_mean = true;
    return hol_mean_frames(mechanism, q_a, q_b, at->v, frames_in(terms));
}

static HolStatus evaluate_mean(const void *self, const HolPoint *at, const double *q_a, const double *q_b,
                               unsigned want, HolTerms *terms)
{
    const HolMechanism *mechanism = self;
    HolMotion motion;
    hol_spatial_bodies(mechanism, at, want, terms);
    if (!mean_motion(mechanism, at, q_a, q_b, terms, &motion))
        return HOL_SINGULAR;
    if (want & HOL_WANT_JACOBIAN)
        hol_mean_coincidences(mechanism, motion.frames, terms);
    return evaluate_rest(&motion, at, want);
}

/* The motion of one end, at rest if it has no v, in its own part of the scratch memory. */
static HolMotion end_motion(const HolMechanism *mechanism, const HolPoint *at, int place, HolTerms *terms)
{
    HolTerms elsewhere = *terms;
    elsewhere.scratch = (char *)terms->scratch + (size_t)place * place_size(mechanism);
    HolMotion motion = hol_mechanism_motion(mechanism, at, at->v != NULL, &elsewhere);
    motion.terms = terms;
    return motion;
}

static HolStatus evaluate_discrete_gradient(const void *self, const HolPoint *middle, const double *q_a,
                                            const double *q_b, HolTerms *terms)
{
    const HolMechanism *mechanism = self;
    hol_beams_add_discrete_gradient(mechanism, q_a, q_b, terms->Q);
    if (mechanism->force_count == 0)
        return HOL_OK; /* gravity is uniform: its potential is linear */
    HolDiscreteGradientMotion motion = {.a = end_motion(mechanism, &(HolPoint){middle->t, q_a, NULL}, 1, terms),
                                        .b = end_motion(mechanism, &(HolPoint){middle->t, q_b, NULL}, 2, terms),
                                        .q_a = q_a,
                                        .q_b = q_b};
    if (mechanism->planar || mechanism->natural)
        motion.middle = hol_mechanism_motion(mechanism, middle, true, terms);
    else if (!mean_motion(mechanism, middle, q_a, q_b, terms, &motion.middle))
        return HOL_SINGULAR;
    for (int i = 0; i < mechanism->force_count; ++i)
        if (mechanism->forces[i].kind->discrete_gradient)
            mechanism->forces[i].kind->discrete_gradient(&mechanism->forces[i], &motion);
    return HOL_OK;
}

/* Omits the stiffness of forces: springs are seldom stiff. */
static HolStatus evaluate_discrete_gradient_tangent(const void *self, const HolPoint *middle, const double *q_a,
                                                    const double *q_b, HolTerms *terms)
{
    (void)middle;
    hol_beams_add_discrete_gradient_tangent(self, q_a, q_b, terms->K);
    return HOL_OK;
}

static HolStatus evaluate_strain_stiffness(const void *self, const HolPoint *at, HolTerms *terms)
{
    const HolMechanism *mechanism = self;
    const HolPattern *p = terms->pattern;
    HolMotion motion = hol_mechanism_motion(mechanism, at, false, terms);
    memset(terms->K, 0, (size_t)p->tangent_start[p->tangent_count] * sizeof *terms->K);
    hol_beams_add_strain_stiffness(&motion, at->q);
    for (int i = 0; i < mechanism->force_count; ++i)
        if (mechanism->forces[i].kind->strain_stiffness)
            mechanism->forces[i].kind->strain_stiffness(&mechanism->forces[i], &motion);
    return HOL_OK;
}

static HolStatus evaluate_strain_forces(const void *self, const HolStrainPath *path, HolTerms *terms)
{
    const HolMechanism *mechanism = self;
    hol_beams_add_strain_forces(mechanism, path, terms->Q);
    if (mechanism->force_count == 0)
        return HOL_OK;
    HolStrainMotion motion = {
        .between = {.a = end_motion(mechanism, &(HolPoint){path->t, path->q_a, path->z}, 1, terms),
                    .b = end_motion(mechanism, &(HolPoint){path->t, path->q_b, NULL}, 2, terms),
                    .q_a = path->q_a,
                    .q_b = path->q_b},
        .path = path};
    if (!path->at_a)
        motion.between.middle = hol_mechanism_motion(mechanism, &(HolPoint){path->t, path->q_m, path->z}, false, terms);
    for (int i = 0; i < mechanism->force_count; ++i)
        if (mechanism->forces[i].kind->strain_force)
            mechanism->forces[i].kind->strain_force(&mechanism->forces[i], &motion);
    return HOL_OK;
}

static void evaluate_events(const void *self, const HolPoint *at, HolTerms *terms, HolCrossing *crossings)
{
    const HolMechanism *mechanism = self;
    HolMotion motion = hol_mechanism_motion(mechanism, at, true, terms);
    for (int i = 0; i < mechanism->force_count; ++i) {
        const HolForce *force = &mechanism->forces[i];
        if (force->event_count > 0)
            force->kind->events(force, &motion, crossings);
        crossings += force->event_count;
    }
}

static void evaluate_arguments(const void *self, const HolPoint *at, HolTerms *terms, double *arguments)
{
    const HolMechanism *mechanism = self;
    HolMotion motion = hol_mechanism_motion(mechanism, at, true, terms);
    for (int i = 0; i < mechanism->state_function_count; ++i) {
        const HolForce *force = &mechanism->forces[mechanism->state_forces[i]];
        force->kind->argument(force, &motion, &arguments[2 * i]);
    }
}

/* Ends of a step, or of a part of it: times and the argument and its rate there. */
typedef struct Ends {
    double t[2], from[2], to[2];
} Ends;

/* The argument is the cubic of its values and rates, its rate is a line. */
static HolStateBounds bounds_along(const HolMechanism *mechanism, const HolForce *force, const HolTerms *terms,
                                   const Ends *ends, double a, double b)
{
    const double *from = ends->from, *to = ends->to, h = ends->t[1] - ends->t[0];
    HolCourse courses[HOL_MOST_COURSES] = {{{from[0], h * from[1]}, {to[0], h * to[1]}}};
    int count = force->time + 1;
    courses[1] = (HolCourse){{from[1], to[1] - from[1]}, {to[1], to[1] - from[1]}};
    courses[force->time] = (HolCourse){{ends->t[0], h}, {ends->t[1], h}};
    for (int i = 0; i < mechanism->input_count && force->time == 2 && count < HOL_MOST_COURSES; ++i)
        courses[count++] = (HolCourse){{terms->u[i], 0}, {terms->u[i], 0}};
    HolAlong along = hol_expression_along(force->function, courses, count, a, b);
    return (HolStateBounds){
        {along.value[0], along.value[1]}, {along.slope[0], along.slope[1]}, along.middle, along.may_switch};
}

/* Two points that approach and part again pass each other more closely than a cubic of their distance l shows. That of
 * l^2 does: its least value is at the root of its slope r + 2 c theta + 3 d theta^2. False: not, or not by much. */
static bool closest_approach(const Ends *ends, double *theta, double *least)
{
    const double *from = ends->from, *to = ends->to, h = ends->t[1] - ends->t[0], end = fmin(from[0], to[0]);
    if (!(from[1] < 0 && to[1] > 0))
        return false;
    const double r = 2 * h * from[0] * from[1], r_end = 2 * h * to[0] * to[1];
    const double rise = to[0] * to[0] - from[0] * from[0], c = 3 * rise - 2 * r - r_end, d = r + r_end - 2 * rise;
    *theta = -r / (c + sqrt(fmax(0, c * c - 3 * d * r)));
    const double square = from[0] * from[0] + *theta * (r + *theta * (c + *theta * d));
    *least = fmax(sqrt(fmax(0, square)), HOL_TOL_SAME * end);
    return *theta > 0 && *theta < 1 && *least < end / 2;
}

static void bounds_include(HolStateBounds *all, const HolStateBounds *part)
{
    for (int i = 0; i < 2; ++i) {
        all->value[i] = i == 0 ? fmin(all->value[0], part->value[0]) : fmax(all->value[1], part->value[1]);
        all->slope[i] = i == 0 ? fmin(all->slope[0], part->slope[0]) : fmax(all->slope[1], part->slope[1]);
    }
    all->may_switch = all->may_switch || part->may_switch;
}

/* The bounds of one of the two pieces of a step that is divided at `theta`, over the part a ... b of the whole. */
static HolStateBounds bounds_of_piece(const HolMechanism *mechanism, const HolForce *force, const HolTerms *terms,
                                      const Ends *piece, double begin, double length, double a, double b)
{
    HolStateBounds f =
        bounds_along(mechanism, force, terms, piece, fmax(0, (a - begin) / length), fmin(1, (b - begin) / length));
    f.slope[0] /= length;
    f.slope[1] /= length;
    return f;
}

static HolStateBounds evaluate_state_bounds(const void *self, int function, const HolStepEnds *step,
                                            const HolTerms *terms, double a, double b)
{
    const HolMechanism *m = self;
    const HolForce *force = &m->forces[m->state_forces[function]];
    const double *from = &step->from[2 * function], *to = &step->to[2 * function];
    const Ends ends = {{step->t[0], step->t[1]}, {from[0], from[1]}, {to[0], to[1]}};
    double theta, least;
    if (!force->is_of_distance || !closest_approach(&ends, &theta, &least))
        return bounds_along(m, force, terms, &ends, a, b);
    const double t = ends.t[0] + theta * (ends.t[1] - ends.t[0]);
    const Ends first = {{ends.t[0], t}, {from[0], from[1]}, {least, 0}},
               last = {{t, ends.t[1]}, {least, 0}, {to[0], to[1]}};
    if (b <= theta)
        return bounds_of_piece(m, force, terms, &first, 0, theta, a, b);
    HolStateBounds after = bounds_of_piece(m, force, terms, &last, theta, 1 - theta, a, b);
    if (a >= theta)
        return after;
    HolStateBounds before = bounds_of_piece(m, force, terms, &first, 0, theta, a, b);
    const double middle = (a + b) / 2;
    bounds_include(&after, &before);
    after.middle = middle < theta ? bounds_of_piece(m, force, terms, &first, 0, theta, middle, middle).middle
                                  : bounds_of_piece(m, force, terms, &last, theta, 1 - theta, middle, middle).middle;
    return after;
}

static double evaluate_next_breakpoint(const void *self, double t, double until)
{
    const HolMechanism *mechanism = self;
    double next = HUGE_VAL;
    for (const HolSwitching *s = mechanism->switching; s; s = s->next)
        next = fmin(next, hol_expression_next_breakpoint(s->expression, s->variable, t, fmin(until, next)));
    return next;
}

static HolTimeBounds evaluate_time_bounds(const void *self, int function, double a, double b)
{
    const HolMechanism *mechanism = self;
    HolTimeBounds bounds;
    hol_time_part_bounds(&mechanism->time_functions[function], a, b, bounds.value, bounds.slope, &bounds.middle);
    return bounds;
}

static void follow_angles(const void *self, const HolPoint *at, HolTerms *terms)
{
    const HolMechanism *mechanism = self;
    HolMotion motion = hol_mechanism_motion(mechanism, at, false, terms);
    for (int i = 0; i < mechanism->force_count; ++i)
        if (mechanism->forces[i].kind->follow)
            mechanism->forces[i].kind->follow(&mechanism->forces[i], &motion);
}

const HolSystemOps hol_natural_ops = {.evaluate = evaluate_natural,
                                      .tangent = hol_natural_tangent,
                                      .discrete_gradient = evaluate_discrete_gradient,
                                      .discrete_gradient_tangent = evaluate_discrete_gradient_tangent,
                                      .strain_stiffness = evaluate_strain_stiffness,
                                      .strain_forces = evaluate_strain_forces,
                                      .next_breakpoint = evaluate_next_breakpoint,
                                      .time_bounds = evaluate_time_bounds,
                                      .next_jump = hol_mechanism_next_jump,
                                      .events = evaluate_events,
                                      .follow = follow_angles,
                                      .arguments = evaluate_arguments,
                                      .state_bounds = evaluate_state_bounds};

const HolSystemOps hol_planar_ops = {.evaluate = evaluate_planar,
                                     .tangent = hol_planar_tangent,
                                     .discrete_gradient = evaluate_discrete_gradient,
                                     .strain_stiffness = evaluate_strain_stiffness,
                                     .strain_forces = evaluate_strain_forces,
                                     .next_breakpoint = evaluate_next_breakpoint,
                                     .time_bounds = evaluate_time_bounds,
                                     .next_jump = hol_mechanism_next_jump,
                                     .events = evaluate_events,
                                     .follow = follow_angles,
                                     .arguments = evaluate_arguments,
                                     .state_bounds = evaluate_state_bounds};

const HolSystemOps hol_spatial_ops = {
    .evaluate = evaluate_spatial,
    .qdot = hol_spatial_qdot,
    .retract = hol_spatial_retract,
    .displace = hol_spatial_displace,
    .evaluate_mean = evaluate_mean,
    .tangent = hol_spatial_tangent,
    .discrete_gradient = evaluate_discrete_gradient,
    .next_breakpoint = evaluate_next_breakpoint,
    .time_bounds = evaluate_time_bounds,
    .next_jump = hol_mechanism_next_jump,
    .events = evaluate_events,
    .follow = follow_angles,
    .arguments = evaluate_arguments,
    .state_bounds = evaluate_state_bounds,
};

HolInitialState hol_mechanism_initial_state(const HolMechanism *mechanism)
{
    if (!mechanism)
        return (HolInitialState){.q = NULL};
    if (mechanism->natural)
        return (HolInitialState){.t = 0, .q = mechanism->q_natural, .v = mechanism->v_natural};
    return (HolInitialState){.t = 0, .q = mechanism->q, .v = mechanism->v};
}
