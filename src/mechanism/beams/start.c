/* SPDX-License-Identifier: BSD-3-Clause */
/* rdot_i = v + w x (r_i - r_0),   with v the velocity of the first node                                     (1) */
#include "mechanism/beams/build.h"
#include "mechanism/kinematics/rotation.h"

#include <string.h>

typedef struct Values {
    double velocity[3], turning[3];
} Values;

enum { VELOCITY, TURNING, FIELD_COUNT };

static const HolField fields[FIELD_COUNT] = {
    {"velocity", HOL_FIELD_VECTOR, offsetof(Values, velocity), .unit = "m/s", .help = "of its first end"},
    {"angular_velocity", HOL_FIELD_VECTOR, offsetof(Values, turning), .unit = "rad/s", .help = "in global axes"},
};

static void hold_node(HolMechanism *m, int body, const double *v, const double *w)
{
    HolHold *hold = &m->holds[m->hold_count++];
    HolFrame frame;
    *hold = (HolHold){.body = body, .velocity = {true, true, true}, .angular_velocity = true};
    memcpy(hold->turning, w, sizeof hold->turning);
    memcpy(m->v + 6 * body, v, 3 * sizeof *v);
    hol_frame_place(&frame, m->bodies[body].r, m->bodies[body].e);
    hol_turn_back(&frame, w, m->v + 6 * body + 3);
}

void hol_beam_read_start(HolBuilder *builder, const HolNode *node, const HolBeam *beam)
{
    HolMechanism *m = builder->mechanism;
    Values values = {{0}, {0}};
    uint64_t given = hol_read_fields(builder->reader, node, fields, FIELD_COUNT, &values);
    for (int i = 0; i < beam->node_count && given; ++i) {
        int body = beam->first_node - 1 + i;
        double arm[3], v[3];
        for (int x = 0; x < 3; ++x)
            arm[x] = m->bodies[body].r[x] - m->bodies[beam->first_node - 1].r[x];
        hol_cross3(values.turning, arm, v);
        for (int x = 0; x < 3; ++x)
            v[x] += values.velocity[x]; /* (1) */
        hold_node(m, body, v, values.turning);
    }
}
