/* SPDX-License-Identifier: BSD-3-Clause */
/* How the numbers of bodies turn with a frame of angular velocity Omega about the origin (docs/methods/modes.md, (2)).
 *
 * Displacements of points and all vectors of natural coordinates: P x = W x = Omega x x. Rotations theta of a body and
 * changes of its w are in body axes, which turn with w themselves: there w changes by theta' + w x theta, so that
 *
 *     W x = (Omega_b - w) x x,   P x = Omega_b x x,   Omega_b = Omega in body axes                       (1) */
#include <holon/argument.h>
#include <holon/modes.h>

#include "base/message.h"
#include "math/kernels.h"
#include "mechanism/kinematics/rotation.h"
#include "mechanism/mechanism.h"
#include "modes/steady.h"

#include <string.h>

typedef struct Turning {
    const HolMechanism *mechanism;
    const HolState *at;
    double omega[3];
} Turning;

/* (1) of a rotation. */
static void turn_rotation(const double *omega, const double *e, const double *w, const double *x, double *position,
                          double *velocity)
{
    static const double origin[3] = {0};
    HolFrame frame;
    double local[3], seen[3];
    hol_frame_place(&frame, origin, e);
    hol_turn_back(&frame, omega, local);
    for (int i = 0; i < 3; ++i)
        seen[i] = local[i] - w[i];
    hol_cross3(local, x, position);
    hol_cross3(seen, x, velocity);
}

static void turn_spatial(const Turning *t, const double *x, double *position, double *velocity)
{
    for (int b = 0; b < t->mechanism->body_count; ++b) {
        int v = 6 * b;
        hol_cross3(t->omega, x + v, position + v);
        hol_cross3(t->omega, x + v, velocity + v);
        turn_rotation(t->omega, t->at->q + 7 * b + 3, t->at->v + v + 3, x + v + 3, position + v + 3, velocity + v + 3);
    }
}

/* Vectors of n numbers each; a number alone, such as an angle, does not turn. */
static void turn_vectors(const double *omega, int n, int count, const double *x, double *turned)
{
    memset(turned, 0, (size_t)count * sizeof *turned);
    for (int i = 0; i + n <= count; i += n) {
        if (n == 3) {
            hol_cross3(omega, x + i, turned + i);
        } else {
            turned[i] = -omega[2] * x[i + 1];
            turned[i + 1] = omega[2] * x[i];
        }
    }
}

static void turning_turn(const void *self, const double *x, double *position, double *velocity)
{
    const Turning *t = self;
    const HolMechanism *m = t->mechanism;
    const int *start = m->pattern->block_start;
    if (!m->natural && !m->planar) {
        turn_spatial(t, x, position, velocity);
        return;
    }
    for (int b = 0; b < m->pattern->block_count; ++b) {
        turn_vectors(t->omega, m->planar ? 2 : 3, start[b + 1] - start[b], x + start[b], position + start[b]);
        turn_vectors(t->omega, m->planar ? 2 : 3, start[b + 1] - start[b], x + start[b], velocity + start[b]);
    }
}

static bool moves(const HolMechanism *mechanism, const HolState *at)
{
    for (int j = 0; at->v && j < mechanism->pattern->nv; ++j)
        if (at->v[j] != 0)
            return true;
    return false;
}

/* Means of a step are the stresses of no state: the modes are those about the steady motion near it. */
static HolStatus about_steady(const HolSystem *system, const HolState *at, const HolModesOptions *options,
                              HolModes **modes, HolMessage *message)
{
    HolState steady;
    HolArena *arena = hol_arena_create_within(hol_system_pattern(system)->memory);
    HolStatus status = arena ? hol_steady_find(system, &options->turning, at, arena, &steady) : HOL_NO_MEMORY;
    bool found = status == HOL_OK;
    if (status != HOL_NO_MEMORY)
        status = hol_modes(system, found ? &steady : at, options, modes, message);
    else
        hol_fail(message, status, "not enough memory for the modes of '%s'", hol_system_name(system));
    if (status == HOL_OK)
        (*modes)->state_refined = found;
    hol_arena_destroy(arena);
    return status;
}

HolStatus hol_mechanism_modes(const HolMechanism *mechanism, const HolState *at, const double *angular_velocity,
                              const HolModesOptions *options, HolModes **modes, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, modes));
    *modes = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, mechanism));
    HOL_TRY(HOL_CHECK_POINTER(message, at));
    HOL_TRY(HOL_CHECK_POINTER(message, options));
    if (angular_velocity)
        HOL_TRY(hol_argument_numbers(message, __func__, "angular_velocity", angular_velocity, 3));
    const HolSystem *system = hol_mechanism_system(mechanism);
    Turning turning = {.mechanism = mechanism, .at = at};
    HolModesOptions with = *options;
    with.turning = (HolTurning){0};
    if (angular_velocity)
        memcpy(turning.omega, angular_velocity, sizeof turning.omega);
    if (angular_velocity || moves(mechanism, at))
        with.turning = (HolTurning){turning_turn, &turning};
    if (at->q_before && angular_velocity && mechanism->natural && moves(mechanism, at))
        return about_steady(system, at, &with, modes, message);
    return hol_modes(system, at, &with, modes, message);
}
