/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism filled by hand: bodies, groups of rows, holds and forces, one after the other, then the system.
 *
 *     Rig *rig = rig_open(planar, 3);
 *     rig_group(rig);                         the rows that follow are one group; holonomic groups come first
 *     rig_coincide(rig, 0, 1, s0, s1);
 *     rig_row(rig, 1, (int[]){rig_dot(rig, 1, 2)});
 *     rig_group(rig);
 *     rig_slip(rig, rolling);
 *     rig_close(rig);                         numbers, places, and creates rig->m.system
 *     rig_destroy(rig); */
#ifndef TESTS_UNIT_RIG_H
#define TESTS_UNIT_RIG_H

#include "check.h"
#include "mechanism/evaluate/system_ops.h"
#include "mechanism/forces/force_kind.h"

#include <stdlib.h>

typedef struct Rig {
    HolMechanism m;
    HolArena *arena;
    int room;        /* of every list */
    int *row_groups; /* by index of lambda */
    int row_total, nh;
    int *group_sizes, group_count;
    HolPair *pairs;
    int pair_count;
} Rig;

static inline Rig *rig_open(bool planar, int body_count)
{
    HolArena *arena = hol_arena_create();
    Rig *rig = hol_arena_alloc(arena, sizeof *rig);
    size_t room = 20 * (size_t)body_count + 20;
    rig->arena = arena;
    rig->room = (int)room;
    rig->m = (HolMechanism){.name = planar ? "planar rig" : "spatial rig", .planar = planar, .body_count = body_count};
    rig->m.bodies = hol_arena_alloc(arena, (size_t)body_count * sizeof(HolBody));
    for (int b = 0; b < body_count; b++)
        rig->m.bodies[b].layout = rig->m.planar ? &hol_planar_layout : &hol_spatial_layout;
    rig->m.measures = hol_arena_alloc(arena, room * sizeof(HolMeasure));
    rig->m.rows = hol_arena_alloc(arena, room * sizeof(HolRow));
    rig->m.coincidences = hol_arena_alloc(arena, room * sizeof(HolCoincidence));
    rig->m.rollings = hol_arena_alloc(arena, room * sizeof(HolRolling));
    rig->m.hold_rows = hol_arena_alloc(arena, room * sizeof(HolHoldRow));
    rig->m.forces = hol_arena_alloc(arena, room * sizeof(HolForce));
    rig->row_groups = hol_arena_ints(arena, 3 * room);
    rig->group_sizes = hol_arena_ints(arena, room);
    rig->pairs = hol_arena_alloc(arena, 4 * room * sizeof(HolPair));
    return rig;
}

static inline void rig_destroy(Rig *rig)
{
    hol_system_destroy(rig->m.system);
    hol_arena_destroy(rig->arena);
}

static inline void rig_group(Rig *rig)
{
    rig->group_count++;
}

/* `count` rows of the present group on a body; the index of the first. They are counted where body is not -1. */
static inline int rig_rows(Rig *rig, int count, bool holonomic)
{
    int first = rig->row_total;
    for (int i = 0; i < count; i++)
        rig->row_groups[rig->row_total++] = rig->group_count - 1;
    rig->group_sizes[rig->group_count - 1] += count;
    rig->nh += holonomic ? count : 0;
    return first;
}

static inline void rig_touch(Rig *rig, int body)
{
    HolPair pair = {rig->group_count - 1, body - 1};
    for (int i = 0; i < rig->pair_count; i++)
        if (rig->pairs[i].row == pair.row && rig->pairs[i].column == pair.column)
            return;
    if (body > 0)
        rig->pairs[rig->pair_count++] = pair;
}

static inline void rig_coincide(Rig *rig, int a, int b, const double *sa, const double *sb)
{
    HolCoincidence *c = &rig->m.coincidences[rig->m.coincidence_count++];
    *c = (HolCoincidence){.body = {a, b}, .s = {{sa[0], sa[1], sa[2]}, {sb[0], sb[1], sb[2]}}};
    c->row = rig_rows(rig, rig->m.planar ? 2 : 3, true);
    rig_touch(rig, a);
    rig_touch(rig, b);
}

static inline HolMark rig_mark(int body, bool is_point, const double *s)
{
    return (HolMark){.body = body, .is_point = is_point, .s = {s[0], s[1], s[2]}};
}

/* A measure whose marks are set by the caller; its index. */
static inline int rig_measure(Rig *rig, HolMeasure measure)
{
    rig->m.measures[rig->m.measure_count] = measure;
    return rig->m.measure_count++;
}

static inline int rig_dot(Rig *rig, int a, int b, const double *sa, const double *sb)
{
    return rig_measure(rig, (HolMeasure){.kind = &hol_measure_dot,
                                         .body = {a, b},
                                         .mark = {rig_mark(a, false, sa), rig_mark(b, false, sb)}});
}

/* A row with k = 1 and f = 0 that may be changed. */
static inline HolRow *rig_row(Rig *rig, int measure_count, const int *measures)
{
    HolRow *row = &rig->m.rows[rig->m.row_count++];
    *row = (HolRow){.measure_count = measure_count, .k = {1, 1}, .factor = 1};
    for (int i = 0; i < measure_count; i++) {
        row->measure[i] = measures[i];
        rig_touch(rig, rig->m.measures[measures[i]].body[0]);
        rig_touch(rig, rig->m.measures[measures[i]].body[1]);
    }
    row->at = rig_rows(rig, 1, true);
    return row;
}

/* A rolling contact without rows; then its contact row, if it has one, and its velocity rows. */
static inline HolRolling *rig_roll(Rig *rig, HolRolling rolling)
{
    rolling.row = -1;
    rig->m.rollings[rig->m.rolling_count] = rolling;
    return &rig->m.rollings[rig->m.rolling_count++];
}

static inline void rig_contact(Rig *rig, HolRolling *rolling)
{
    rolling->row = rig_rows(rig, 1, true);
    rolling->contact_group = rig->group_count - 1;
    rig_touch(rig, rolling->body[0]);
    rig_touch(rig, rolling->body[1]);
}

static inline void rig_slip(Rig *rig, HolRolling *rolling)
{
    rolling->velocity_row = rig_rows(rig, 2, false);
    rolling->velocity_group = rig->group_count - 1;
    rig_touch(rig, rolling->body[0]);
    rig_touch(rig, rolling->body[1]);
}

static inline void rig_hold(Rig *rig, HolHoldRow hold)
{
    hold.row = rig_rows(rig, 1, hold.type == HOL_HOLD_POSITION || hold.type == HOL_HOLD_ORIENTATION);
    hold.group = rig->group_count - 1;
    rig_touch(rig, hold.body);
    rig->m.hold_rows[rig->m.hold_row_count++] = hold;
}

static inline void rig_force(Rig *rig, HolForce force)
{
    rig->m.forces[rig->m.force_count++] = force;
}

/* ---- The system, and where everything stands in it ---- */

static inline int rig_place(const Rig *rig, int row, int body)
{
    const HolPattern *p = rig->m.pattern;
    int group = rig->row_groups[row], start = body == 0 ? -1 : hol_place_in_D(p, group, body - 1);
    return start < 0 ? -1 : start + (rig->m.planar ? 3 : 6) * (row - p->group_start[group]);
}

static inline int rig_tangent(const Rig *rig, int a, int b)
{
    return a == 0 || b == 0 ? -1 : hol_place_in_tangent(rig->m.pattern, a - 1, b - 1);
}

static inline void rig_place_row(const Rig *rig, HolRow *row)
{
    for (int i = 0; i < row->measure_count; i++) {
        const int *body = rig->m.measures[row->measure[i]].body;
        for (int a = 0; a < 2; a++) {
            row->D[i][a] = rig_place(rig, row->at, body[a]);
            for (int b = 0; b < 2; b++)
                row->tangent[i][a][b] = rig_tangent(rig, body[a], body[b]);
        }
    }
}

static inline void rig_place_all(Rig *rig)
{
    HolMechanism *m = &rig->m;
    for (int i = 0; i < m->row_count; i++)
        rig_place_row(rig, &m->rows[i]);
    for (int i = 0; i < 2 * m->coincidence_count; i++) {
        HolCoincidence *c = &m->coincidences[i / 2];
        c->D[i % 2] = rig_place(rig, c->row, c->body[i % 2]);
        c->tangent[i % 2] = rig_tangent(rig, c->body[i % 2], c->body[i % 2]);
    }
    for (int i = 0; i < 4 * m->force_count; i++) {
        HolForce *force = &m->forces[i / 4];
        force->tangent[i / 2 % 2][i % 2] = rig_tangent(rig, force->body[i / 2 % 2], force->body[i % 2]);
    }
}

static inline HolStatus rig_close(Rig *rig)
{
    HolMechanism *m = &rig->m;
    HolPair *couplings = hol_arena_alloc(rig->arena, (size_t)rig->room * sizeof *couplings);
    int *block_sizes = hol_arena_ints(rig->arena, (size_t)m->body_count);
    HolSystemSpec spec = hol_system_spec();
    spec.name = m->name;
    spec.ops = m->planar ? &hol_planar_ops : &hol_spatial_ops;
    spec.self = m;
    spec.nv = m->body_count * (m->planar ? HOL_PLANAR_NV : HOL_SPATIAL_NV);
    spec.nq = m->body_count * (m->planar ? HOL_PLANAR_NQ : HOL_SPATIAL_NQ);
    spec.nh = rig->nh;
    spec.nn = rig->row_total - rig->nh;
    spec.constant_mass = true;
    spec.scratch_size = hol_mechanism_scratch_size(m);
    spec.block_count = m->body_count;
    spec.block_sizes = block_sizes;
    spec.group_count = rig->group_count;
    spec.group_sizes = rig->group_sizes;
    spec.pair_count = rig->pair_count;
    spec.pairs = rig->pairs;
    spec.couplings = couplings;
    for (int b = 0; b < m->body_count; b++)
        block_sizes[b] = m->planar ? HOL_PLANAR_NV : HOL_SPATIAL_NV;
    for (int i = 0; i < m->force_count; i++)
        if (m->forces[i].body[0] > 0 && m->forces[i].body[1] > 0)
            couplings[spec.coupling_count++] = (HolPair){m->forces[i].body[0] - 1, m->forces[i].body[1] - 1};
    HolMessage message;
    HolStatus status = hol_system_create(&spec, &m->system, &message);
    if (status != HOL_OK) {
        printf("    %s\n", message.text);
        return status;
    }
    m->pattern = hol_system_pattern(m->system);
    rig_place_all(rig);
    return HOL_OK;
}

#endif
