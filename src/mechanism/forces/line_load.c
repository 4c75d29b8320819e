/* SPDX-License-Identifier: BSD-3-Clause */
/* A distributed load f per length of a beam, in global axes or in the local axes of the section. With the
 * nodes' shares s_ij = int N_i N_j ds and s_i = sum_j s_ij of each element:
 *
 *     r_i: Q = s_i f              in global axes; constant loads have the potential -sum s_i f . r_i         (1)
 *     r_i: Q = sum_j s_ij R_j f   in section axes, R_j = (a_1, a_2, a_3) of node j: a follower load               (2)
 *     K    = -s_ij f_k I          where r_i meets a_k of node j                                             (3) */
#include "mechanism/beams/build.h"
#include "mechanism/beams/evaluate.h"
#include "mechanism/forces/endpoints.h"
#include "mechanism/forces/wrench.h"

#include <string.h>

typedef struct Values {
    const HolNode *beam;
    HolFunction vector[3];
    int axes;
} Values;

typedef struct Load {
    const HolBeam *beam;
    HolFunction vector[3];
    bool follows, has_potential;
} Load;

static const HolBeamElement *element_at(const HolMotion *motion, const Load *s, int index)
{
    return &motion->mechanism->beam_elements[s->beam->first_element + index];
}

/* The force on node i of an element. */
static void force_on(const HolMotion *motion, const Load *s, const HolBeamElement *e, int i, const double *f, double *F)
{
    F[0] = F[1] = F[2] = 0;
    for (int j = 0; j < e->node_count; ++j) {
        double turned[3] = {f[0], f[1], f[2]};
        if (s->follows)
            hol_turn(&motion->frames[e->body + j], f, turned);
        for (int x = 0; x < 3; ++x)
            F[x] += e->share[i][j] * turned[x];
    }
}

static void line_load_apply(const HolForce *force, const HolMotion *motion)
{
    const Load *s = force->self;
    double f[3], F[3];
    hol_wrench_evaluate(s->vector, motion, f);
    for (int k = 0; k < s->beam->element_count; ++k) {
        const HolBeamElement *e = element_at(motion, s, k);
        double *Q = motion->terms->Q + hol_beam_at(motion->mechanism, e);
        for (int i = 0; i < e->node_count; ++i, Q += HOL_NODE_NUMBERS) {
            force_on(motion, s, e, i, f, F);
            for (int x = 0; x < 3; ++x)
                Q[x] += F[x];
            if (!s->has_potential)
                motion->terms->power += hol_dot3(F, motion->frames[e->body + i].v);
        }
    }
}

static double line_load_potential(const HolForce *force, const HolMotion *motion)
{
    const Load *s = force->self;
    double f[3], F[3], sum = 0;
    hol_wrench_evaluate(s->vector, motion, f);
    for (int k = 0; k < s->beam->element_count && s->has_potential; ++k) {
        const HolBeamElement *e = element_at(motion, s, k);
        for (int i = 0; i < e->node_count; ++i) {
            force_on(motion, s, e, i, f, F);
            sum -= hol_dot3(F, motion->frames[e->body + i].r);
        }
    }
    return sum;
}

/* (3) */
static void line_load_tangent(const HolForce *force, const HolMotion *motion)
{
    const Load *s = force->self;
    double f[3];
    hol_wrench_evaluate(s->vector, motion, f);
    for (int k = 0; k < s->beam->element_count && s->follows; ++k) {
        const HolBeamElement *e = element_at(motion, s, k);
        for (int i = 0; i < e->node_count; ++i)
            for (int j = 0; j < e->node_count; ++j)
                for (int x = 0; x < 9; ++x)
                    motion->terms->K[e->tangent[i][j] + HOL_NODE_NUMBERS * (x % 3) + 3 + x] -=
                        e->share[i][j] * f[x / 3];
    }
}

static const char *const axes_names[] = {"global", "section", NULL};

static const HolField fields[] = {
    {"line-load", HOL_FIELD_NODE, offsetof(Values, beam), "the beam it acts on", .needed = true},
    {"vector", HOL_FIELD_FUNCTIONS, offsetof(Values, vector), "its components per length as functions of t and inputs",
     .unit = "N/m", .needed = true, .names = hol_time_names, .inputs = true},
    {"axes", HOL_FIELD_CHOICE, offsetof(Values, axes), "axes of the components; in section axes it is a follower load",
     .names = axes_names, .fallback = "global"},
};

static const HolBeam *find_beam(HolBuilder *builder, const HolNode *node)
{
    const HolMechanism *m = builder->mechanism;
    const char *text = hol_read_text(builder->reader, node, "the name of a beam"), *near = NULL;
    const HolBeam *beam = text ? hol_beam_find(m, text, strlen(text)) : NULL;
    if (!text || beam || hol_reader_has_lost(builder->reader, "beams"))
        return beam;
    for (int i = 0; i < m->beam_count && !near; ++i)
        near = hol_nearest_name(text, (const char *const[]){m->beams[i].name, NULL});
    hol_reader_error(builder->reader, node->place, "beam '%s' is unknown%s%s%s", text, near ? " (did you mean '" : "",
                     near ? near : "", near ? "'?)" : "");
    return NULL;
}

static void line_load_build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    const Values *from = values;
    Load *s = hol_force_memory(builder, sizeof *s);
    const HolBeam *beam = s ? find_beam(builder, from->beam) : NULL;
    if (!beam || !hol_wrench_starts(builder, part, from->vector))
        return;
    s->beam = beam;
    memcpy(s->vector, from->vector, sizeof s->vector);
    s->follows = from->axes == 1;
    s->has_potential = !s->follows && !s->vector[0].expression && !s->vector[1].expression && !s->vector[2].expression;
    force->follows = s->follows ? beam->first_node : 0;
    force->self = s;
}

static const HolSample samples[] = {
    {"{line-load: c, vector: [1, 2, -3]}", HOL_IN_SPACE, 0, 0},
    {"{line-load: c, vector: [t, -1, 2*t], axes: section}", HOL_IN_SPACE, 0, 0},
};

const HolForceKind hol_line_load = {
    .kind = {"line-load", "a distributed load along a beam", "beam", HOL_IN_SPACE, HOL_FIELDS(fields, Values),
             HOL_SAMPLES(samples), .natural = true},
    .is_load = true,
    .build = line_load_build,
    .apply = line_load_apply,
    .potential = line_load_potential,
    .tangent = line_load_tangent,
};
