/* SPDX-License-Identifier: BSD-3-Clause */
/* The initial state in natural coordinates, from that in reference-point coordinates, in which mechanisms are read and
 * assembled. */
#include "base/message.h"
#include "mechanism/compile/compile.h"
#include "mechanism/kinematics/rotation.h"

#include <math.h>

HolStatus hol_natural_create_initial_state(HolMechanism *mechanism)
{
    if (!mechanism->natural)
        return HOL_OK;
    mechanism->q_natural = hol_arena_doubles(mechanism->arena, (size_t)mechanism->pattern->nq);
    mechanism->v_natural = hol_arena_doubles(mechanism->arena, (size_t)mechanism->pattern->nv);
    if (!mechanism->q_natural || !mechanism->v_natural)
        return HOL_NO_MEMORY;
    hol_natural_set_initial_state(mechanism);
    return HOL_OK;
}

static void set_planar(const double *q, const double *v, double *q_natural, double *v_natural)
{
    double c = cos(q[2]), s = sin(q[2]);
    const double place[4] = {q[0], q[1], c, s}, motion[4] = {v[0], v[1], -s * v[2], c * v[2]};
    for (int i = 0; i < 4; ++i) {
        q_natural[i] = place[i];
        v_natural[i] = motion[i];
    }
}

/* a_j is column j of R, and Rdot = R w~, so that row i of Rdot is (row i of R) x w. */
static void natural_set_spatial(const double *q, const double *v, double *q_natural, double *v_natural)
{
    HolFrame f;
    double norm = 0, e[4], rate[3];
    for (int i = 3; i < 7; ++i)
        norm += q[i] * q[i];
    for (int i = 0; i < 4; ++i)
        e[i] = q[3 + i] / sqrt(norm);
    hol_frame_place(&f, q, e);
    for (int i = 0; i < 3; ++i) {
        q_natural[i] = q[i];
        v_natural[i] = v[i];
        hol_cross3(f.R[i], v + 3, rate);
        for (int j = 0; j < 3; ++j) {
            q_natural[3 + 3 * j + i] = f.R[i][j];
            v_natural[3 + 3 * j + i] = rate[j];
        }
    }
}

/* The position of a particle, or the axis of a direction. */
static void set_element(const HolMechanism *mechanism, int b, double *q_natural, double *v_natural)
{
    double q[12], v[12];
    bool is_particle = mechanism->bodies[b].form == HOL_PARTICLE;
    if (mechanism->planar)
        set_planar(mechanism->q + 3 * b, mechanism->v + 3 * b, q, v);
    else
        natural_set_spatial(mechanism->q + 7 * b, mechanism->v + 6 * b, q, v);
    for (int i = 0; i < mechanism->bodies[b].layout->nv; ++i) {
        int from = is_particle ? i : (mechanism->planar ? 2 : 3) + i;
        q_natural[i] = q[from];
        v_natural[i] = v[from];
    }
}

void hol_natural_set_initial_state(HolMechanism *mechanism)
{
    const double *q = mechanism->q, *v = mechanism->v;
    for (int b = 0; b < mechanism->body_count; ++b) {
        int at = mechanism->pattern->block_start[b];
        if (mechanism->bodies[b].form != HOL_RIGID)
            set_element(mechanism, b, mechanism->q_natural + at, mechanism->v_natural + at);
        else if (mechanism->planar)
            set_planar(q + 3 * b, v + 3 * b, mechanism->q_natural + at, mechanism->v_natural + at);
        else
            natural_set_spatial(q + 7 * b, v + 6 * b, mechanism->q_natural + at, mechanism->v_natural + at);
    }
}
