/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the rows of joints stand in D, and their tangents in K and C. */
#include "base/message.h"
#include "mechanism/compile.h"

/* Where the rows of a group begin on a body (0: ground), -1 if it does not touch it. */
static int block_at(const HolPattern *p, int group, int body)
{
    for (int pair = p->group_pairs[group]; pair < p->group_pairs[group + 1]; ++pair)
        if (p->pairs[pair].column == body - 1)
            return p->pair_start[pair];
    return -1;
}

static int row_at(const HolMechanism *m, int group, int row, int body)
{
    const HolPattern *p = m->pattern;
    int start = body > 0 ? block_at(p, group, body) : -1;
    return start < 0 ? -1 : start + (row - p->group_start[group]) * m->bodies[body - 1].layout->nv;
}

/* The tangent blocks by the block of their row; their order in the pattern is not relied upon. */
typedef struct TangentIndex {
    const HolPattern *pattern;
    int *start, *entries; /* of block b: entries[start[b]] ... */
} TangentIndex;

static HolStatus index_tangents(const HolPattern *p, HolArena *arena, TangentIndex *index)
{
    index->pattern = p;
    index->start = hol_arena_ints(arena, (size_t)p->block_count + 2);
    index->entries = hol_arena_ints(arena, (size_t)p->tangent_count);
    if (!index->start || !index->entries)
        return HOL_NO_MEMORY;
    for (int i = 0; i < p->tangent_count; ++i)
        ++index->start[p->tangents[i].row + 2];
    for (int b = 0; b < p->block_count; ++b)
        index->start[b + 2] += index->start[b + 1];
    for (int i = 0; i < p->tangent_count; ++i)
        index->entries[index->start[p->tangents[i].row + 1]++] = i;
    return HOL_OK;
}

static int tangent_at(const TangentIndex *index, int row_body, int column_body)
{
    if (row_body == 0 || column_body == 0)
        return -1;
    for (int i = index->start[row_body - 1]; i < index->start[row_body]; ++i)
        if (index->pattern->tangents[index->entries[i]].column == column_body - 1)
            return index->pattern->tangent_start[index->entries[i]];
    return -1;
}

static void place_joint(HolMechanism *m, const TangentIndex *index, const HolJoint *joint)
{
    for (int i = 0; i < joint->coincidence_count; ++i) {
        HolCoincidence *c = &m->coincidences[joint->first_coincidence + i];
        for (int b = 0; b < 2; ++b) {
            c->D[b] = row_at(m, joint->group, c->row, c->body[b]);
            c->tangent[b] = tangent_at(index, c->body[b], c->body[b]);
        }
    }
    for (int i = 0; i < joint->general_count; ++i) {
        HolRow *row = &m->rows[joint->first_row + i];
        for (int j = 0; j < row->measure_count; ++j) {
            const int *body = m->measures[row->measure[j]].body;
            for (int b = 0; b < 2; ++b) {
                row->D[j][b] = row_at(m, joint->group, row->at, body[b]);
                for (int c = 0; c < 2; ++c)
                    row->tangent[j][b][c] = tangent_at(index, body[b], body[c]);
            }
        }
    }
}

static void place_rigidity(HolMechanism *m, const TangentIndex *index)
{
    const HolPattern *p = m->pattern;
    for (int g = 0; g < p->group_count && m->natural; ++g) {
        int b = p->pairs[p->group_pairs[g]].column;
        if (p->group_start[g] != m->bodies[b].rigid_row)
            continue; /* -1 included */
        m->bodies[b].rigid_D = p->pair_start[p->group_pairs[g]];
        m->bodies[b].rigid_tangent = tangent_at(index, b + 1, b + 1);
    }
}

/* The block of M of two bodies (0-based, row > column), -1 if there is none; they stand sorted behind the diagonal
 * ones. */
static int mass_pair(const HolPattern *p, int row, int column)
{
    int low = p->block_count, high = p->mass_pair_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        HolPair pair = p->mass_pairs[middle];
        if (pair.row < row || (pair.row == row && pair.column < column))
            low = middle + 1;
        else
            high = middle;
    }
    bool is_there = low < p->mass_pair_count && p->mass_pairs[low].row == row && p->mass_pairs[low].column == column;
    return is_there ? low : -1;
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

static void place_beams(HolMechanism *m, const TangentIndex *index)
{
    const HolPattern *p = m->pattern;
    for (int k = 0; k < m->beam_element_count; ++k) {
        HolBeamElement *e = &m->beam_elements[k];
        for (int i = 0; i < e->node_count; ++i)
            for (int j = 0; j < e->node_count; ++j) {
                int row = e->body - 1 + i, column = e->body - 1 + j;
                e->tangent[i][j] = tangent_at(index, row + 1, column + 1);
                if (j <= i)
                    e->mass[i][j] = p->mass_start[j < i ? mass_pair(p, row, column) : row];
            }
    }
}

static void place_force(const TangentIndex *index, HolForce *force)
{
    for (int a = 0; a < HOL_FORCE_BODIES; ++a)
        for (int b = 0; b < HOL_FORCE_BODIES; ++b)
            force->tangent[a][b] = tangent_at(index, force->body[a], force->body[b]);
}

HolStatus hol_compile_offsets(HolMechanism *mechanism)
{
    TangentIndex index;
    HolArena *arena = hol_arena_create();
    HolStatus status = arena ? index_tangents(mechanism->pattern, arena, &index) : HOL_NO_MEMORY;
    for (int i = 0; status == HOL_OK && i < mechanism->joint_count; ++i)
        place_joint(mechanism, &index, &mechanism->joints[i]);
    if (status == HOL_OK)
        place_rigidity(mechanism, &index);
    if (status == HOL_OK && mechanism->natural) {
        place_rods(mechanism);
        place_beams(mechanism, &index);
    }
    for (int i = 0; status == HOL_OK && i < mechanism->force_count; ++i)
        place_force(&index, &mechanism->forces[i]);
    hol_arena_destroy(arena);
    return status;
}
