/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where the rows of joints begin in D, and their tangents in K and C. */
#include "mechanism/compile/compile.h"
#include "mechanism/motion.h"

static int row_at(const HolMechanism *m, int group, int row, int body)
{
    const HolPattern *p = m->pattern;
    int start = body > 0 ? hol_place_in_D(p, group, body - 1) : -1;
    return start < 0 ? -1 : start + (row - p->group_start[group]) * m->bodies[body - 1].layout->nv;
}

/* -1 for the ground. */
static int tangent_at(const HolMechanism *m, int row_body, int column_body)
{
    return row_body == 0 || column_body == 0 ? -1 : hol_place_in_tangent(m->pattern, row_body - 1, column_body - 1);
}

static void place_joint(HolMechanism *m, const HolJoint *joint)
{
    for (int i = 0; i < joint->coincidence_count; ++i) {
        HolCoincidence *c = &m->coincidences[joint->first_coincidence + i];
        for (int b = 0; b < 2; ++b) {
            c->D[b] = row_at(m, joint->group, c->row, c->body[b]);
            c->tangent[b] = tangent_at(m, c->body[b], c->body[b]);
        }
    }
    for (int i = 0; i < joint->general_count; ++i) {
        HolRow *row = &m->rows[joint->first_row + i];
        for (int j = 0; j < row->measure_count; ++j) {
            const int *body = m->measures[row->measure[j]].body;
            for (int b = 0; b < 2; ++b) {
                row->D[j][b] = row_at(m, joint->group, row->at, body[b]);
                for (int c = 0; c < 2; ++c)
                    row->tangent[j][b][c] = tangent_at(m, body[b], body[c]);
            }
        }
    }
}

static void place_rigidity(HolMechanism *m)
{
    const HolPattern *p = m->pattern;
    for (int g = 0; g < p->group_count && m->natural; ++g) {
        int b = p->pairs[p->group_pairs[g]].column;
        if (p->group_start[g] != m->bodies[b].rigid_row)
            continue; /* -1 included */
        m->bodies[b].rigid_D = p->pair_start[p->group_pairs[g]];
        m->bodies[b].rigid_tangent = tangent_at(m, b + 1, b + 1);
    }
}

/* The block of M of two bodies (0-based, row > column), -1 if there is none; they follow the diagonal ones, sorted. */
static int mass_pair(const HolPattern *p, int row, int column)
{
    return hol_pair_find(p->mass_pairs, p->block_count, p->mass_pair_count, row, column);
}

static void place_rods(HolMechanism *m)
{
    const HolPattern *p = m->pattern;
    for (int i = 0; i < m->rod_count; ++i) {
        const int *body = m->measures[m->rods[i].measure].body;
        int row = (body[0] > body[1] ? body[0] : body[1]) - 1, column = (body[0] > body[1] ? body[1] : body[0]) - 1;
        m->rods[i].pair = mass_pair(p, row, column);
    }
}

static void place_beams(HolMechanism *m)
{
    const HolPattern *p = m->pattern;
    for (int k = 0; k < m->beam_element_count; ++k) {
        HolBeamElement *e = &m->beam_elements[k];
        for (int i = 0; i < e->node_count; ++i)
            for (int j = 0; j < e->node_count; ++j) {
                int row = e->body - 1 + i, column = e->body - 1 + j;
                e->tangent[i][j] = tangent_at(m, row + 1, column + 1);
                if (j <= i)
                    e->mass[i][j] = p->mass_start[j < i ? mass_pair(p, row, column) : row];
            }
    }
}

static void place_force(const HolMechanism *m, HolForce *force)
{
    for (int a = 0; a < HOL_FORCE_BODIES; ++a)
        for (int b = 0; b < HOL_FORCE_BODIES; ++b)
            force->tangent[a][b] = tangent_at(m, force->body[a], force->body[b]);
}

void hol_compile_offsets(HolMechanism *mechanism)
{
    for (int i = 0; i < mechanism->joint_count; ++i)
        place_joint(mechanism, &mechanism->joints[i]);
    place_rigidity(mechanism);
    if (mechanism->natural) {
        place_rods(mechanism);
        place_beams(mechanism);
    }
    for (int i = 0; i < mechanism->force_count; ++i)
        place_force(mechanism, &mechanism->forces[i]);
}
