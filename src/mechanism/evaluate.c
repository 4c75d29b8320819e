/* SPDX-License-Identifier: BSD-3-Clause */
/* The terms of a mechanism: the frames first, then all that reads them. */
#include "mechanism/evaluate.h"

#include "base/message.h"
#include "mechanism/beams/evaluate.h"
#include "mechanism/force.h"

#include <stddef.h>

/* ---- Where the frames stand in the scratch memory ---- */

/* Of one configuration. */
static size_t place_size(const HolMechanism *mechanism)
{
    size_t each = sizeof(HolFrame) + (mechanism->planar ? sizeof(HolPose) + sizeof(double) : 0);
    return ((size_t)mechanism->body_count + 1) * each;
}

/* Three where chords are followed: the middle first, then their ends. */
int hol_mechanism_scratch_size(const HolMechanism *mechanism)
{
    return (int)(place_size(mechanism) * (mechanism->natural || mechanism->planar ? 3 : 1));
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

/* ---- The parts in their order ---- */

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
        hol_holds_evaluate(motion, at, want);
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

/* Pins are content with poses; frames are made where something else is there to read them. */
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
    bool mixed = mechanism->has_elements;
    bool has_rows = mechanism->row_count + mechanism->rolling_count + mechanism->velocity_row_count > 0;
    bool rows_need_frames = (want & HOL_WANT_GEOMETRY) && (has_rows || mixed);
    bool rods_need_frames = mechanism->rod_count > 0 && (want & (HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_ENERGY));
    (mixed               ? hol_mixed_bodies
     : mechanism->planar ? hol_natural_planar_bodies
                         : hol_natural_bodies)(mechanism, at, want, terms);
    if (rows_need_frames || rods_need_frames || forces_need_frames(mechanism, want))
        hol_natural_frames(mechanism, at->q, want & HOL_WANT_RATES ? at->v : NULL, frames_in(terms));
    if ((want & HOL_WANT_GEOMETRY) && mixed) {
        hol_mixed_coincidences(mechanism, frames_in(terms), want, terms);
        hol_mixed_rigidity(mechanism, at, want, terms);
    } else if ((want & HOL_WANT_GEOMETRY) && mechanism->planar) {
        hol_natural_planar_geometry(mechanism, at, want, terms);
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

/* Frames are made for forces, and for rows that are read from them. */
static HolStatus evaluate_natural_planar(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const HolMechanism *mechanism = self;
    if (want & (HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_ENERGY))
        hol_natural_planar_bodies(mechanism, at, want, terms);
    if (want & HOL_WANT_GEOMETRY)
        hol_natural_planar_geometry(mechanism, at, want, terms);
    if (mechanism->row_count + mechanism->velocity_row_count + mechanism->force_count == 0)
        return HOL_OK;
    bool rows = want & (HOL_WANT_GEOMETRY | HOL_WANT_NU);
    if (rows && mechanism->rows_are_plain)
        hol_natural_rows(mechanism, at, want, terms);
    if (rows && mechanism->speeds_are_plain)
        hol_natural_speeds(mechanism, at, want, terms);
    bool rows_need_frames = rows && !(mechanism->rows_are_plain && mechanism->speeds_are_plain);
    if (!rows_need_frames && !forces_need_frames(mechanism, want))
        return HOL_OK;
    hol_natural_frames(mechanism, at->q, want & HOL_WANT_RATES ? at->v : NULL, frames_in(terms));
    HolMotion motion = {.mechanism = mechanism, .t = at->t, .frames = frames_in(terms), .terms = terms};
    if (rows && !mechanism->rows_are_plain)
        hol_rows_evaluate(&motion, want);
    if (rows && !mechanism->speeds_are_plain)
        HOL_TRY(hol_velocity_rows_evaluate(&motion, want));
    apply_forces(&motion, want);
    return HOL_OK;
}

/* ---- Chords ---- */

/* The motion of one end, at rest, in a place of its own in the scratch memory. */
static HolMotion end_motion(const HolMechanism *mechanism, double t, const double *q, int place, HolTerms *terms)
{
    HolTerms elsewhere = *terms;
    elsewhere.scratch = (char *)terms->scratch + (size_t)place * place_size(mechanism);
    HolMotion motion = hol_mechanism_motion(mechanism, &(HolPoint){t, q, NULL}, false, &elsewhere);
    motion.terms = terms;
    return motion;
}

static HolStatus follow_chord(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                              HolTerms *terms)
{
    const HolMechanism *mechanism = self;
    hol_beams_add_chord(mechanism, q_a, q_b, terms->Q);
    if (mechanism->force_count == 0)
        return HOL_OK; /* gravity is uniform: its potential is linear */
    HolChordMotion chord = {.middle = hol_mechanism_motion(mechanism, middle, true, terms),
                            .a = end_motion(mechanism, middle->t, q_a, 1, terms),
                            .b = end_motion(mechanism, middle->t, q_b, 2, terms),
                            .q_a = q_a,
                            .q_b = q_b};
    for (int i = 0; i < mechanism->force_count; ++i)
        if (mechanism->forces[i].kind->chord)
            mechanism->forces[i].kind->chord(&mechanism->forces[i], &chord);
    return HOL_OK;
}

const HolSystemOps hol_natural_planar_ops = {
    .evaluate = evaluate_natural_planar, .tangent = hol_natural_tangent, .chord = follow_chord};

/* That of forces is left out: springs are seldom stiff. */
static HolStatus stiffen_chord(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                               HolTerms *terms)
{
    (void)middle;
    hol_beams_add_chord_tangent(self, q_a, q_b, terms->K);
    return HOL_OK;
}

const HolSystemOps hol_natural_ops = {.evaluate = evaluate_natural,
                                      .tangent = hol_natural_tangent,
                                      .chord = follow_chord,
                                      .chord_tangent = stiffen_chord};

const HolSystemOps hol_planar_ops = {.evaluate = evaluate_planar, .tangent = hol_planar_tangent, .chord = follow_chord};

const HolSystemOps hol_spatial_ops = {
    .evaluate = evaluate_spatial,
    .qdot = hol_spatial_qdot,
    .retract = hol_spatial_retract,
    .tangent = hol_spatial_tangent,
};
