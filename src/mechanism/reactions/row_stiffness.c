/* SPDX-License-Identifier: BSD-3-Clause */
/* The stiffness of rows for penalty formulations. With G of elastic.h that of a joint is K = G^-1; only ratios matter,
 * so the stiffest row given has 1:
 *
 *     row_stiffness = g K,   preload = K misfit + what the model gives,   g the least compliance          (1)
 *
 * Rigid joints, also those rigid in some direction only, get a small compliance there. Much softer joints are made
 * stiffer, since the rounding of the largest penalty disturbs the smallest. */
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/block/spd_block.h"
#include "mechanism/evaluate/evaluate.h"
#include "mechanism/reactions/elastic.h"

#include <math.h>
#include <string.h>

static const double RIGID = 10 * HOL_TOL_SMALL; /* compliance relative to the least one given */

/* The largest compliance relative to the same; less beside the constraints of rigid bodies (natural coordinates). */
static const double SOFTEST = 1e4, SOFTEST_BESIDE_BODIES = 1e3;

/* Scratch memory for all groups. */
typedef struct Weighing {
    HolMechanism *m;
    const double *D;
    const HolFrame *frames;
    double *unit, least;
    double G[HOL_JOINT_ROWS * HOL_JOINT_ROWS], K[HOL_JOINT_ROWS * HOL_JOINT_ROWS];
} Weighing;

/* Whether the compliance rotates: with the axis along which it differs, or with a bar. */
static bool row_stiffness_turns(const HolJoint *joint)
{
    const HolElastic *elastic = joint->elastic;
    bool is_even = !elastic || elastic->rows || elastic->axial == elastic->radial || joint->is_rod;
    return !is_even || hol_joint_is_at_bar(joint);
}

static void find_least(Weighing *w)
{
    w->least = HUGE_VAL;
    for (int j = 0; j < w->m->joint_count; ++j) {
        const HolJoint *joint = &w->m->joints[j];
        hol_joint_compliance(w->m, joint, w->frames, w->D, w->unit, w->G);
        for (int i = 0; i < joint->row_count; ++i)
            if (w->G[i * (joint->row_count + 1)] > 0)
                w->least = fmin(w->least, w->G[i * (joint->row_count + 1)]);
    }
    if (w->least == HUGE_VAL)
        w->least = 1;
}

/* Makes K stiffer where its inverse A is too soft. */
static void bound(Weighing *w, int n, const double *A)
{
    double softest = hol_mechanism_has_rigidity_rows(w->m) ? SOFTEST_BESIDE_BODIES : SOFTEST;
    bool is_soft = false;
    for (int i = 0; i < n; ++i)
        is_soft = is_soft || A[i * (n + 1)] > softest;
    for (int i = 0; i < n && is_soft; ++i)
        w->K[i * (n + 1)] += 1 / softest;
    if (is_soft)
        w->m->weights_are_exact = false;
}

/* K <- least (G of the n rows from `first` on)^-1 */
static void row_stiffness_invert(Weighing *w, const HolJoint *joint, int first, int n)
{
    double A[HOL_JOINT_ROWS * HOL_JOINT_ROWS] = {0}, T[HOL_JOINT_ROWS * HOL_JOINT_ROWS];
    for (int i = 0; i < n * n; ++i)
        A[i] = w->G[(first + i / n) * joint->row_count + first + i % n] / w->least;
    if (hol_spd_inverse_root(n, A, T) != HOL_OK) {
        w->m->weights_are_exact = false;
        for (int i = 0; i < n; ++i)
            A[i * (n + 1)] += RIGID;
        if (hol_spd_inverse_root(n, A, T) != HOL_OK)
            memset(T, 0, sizeof T);
    }
    for (int i = 0; i < n * n; ++i) {
        w->K[i] = 0;
        for (int k = 0; k < n; ++k)
            w->K[i] += T[i / n * n + k] * T[i % n * n + k];
    }
    bound(w, n, A);
}

/* (1) of a group: the n rows of a joint from `first` on */
static void weigh_group(Weighing *w, const HolJoint *joint, int first, int n, double *stiffness)
{
    const HolElastic *elastic = joint->elastic;
    row_stiffness_invert(w, joint, first, n);
    memcpy(stiffness, w->K, (size_t)(n * n) * sizeof *stiffness);
    for (int i = 0; i < n; ++i) {
        double *preload = &w->m->preload[joint->rows[first + i]];
        w->m->row_weights[joint->rows[first + i]] = w->K[i * (n + 1)];
        *preload = elastic && elastic->preload ? elastic->preload[first + i] : 0;
        for (int k = 0; elastic && elastic->misfit && k < n; ++k)
            *preload += w->K[i * n + k] / w->least * elastic->misfit[first + k];
    }
}

static void weigh_rigid(Weighing *w, int first, int n, double *stiffness)
{
    memset(stiffness, 0, (size_t)(n * n) * sizeof *stiffness);
    for (int i = 0; i < n; ++i)
        stiffness[i * (n + 1)] = w->m->row_weights[first + i] = 1;
}

/* Finds where the matrix of each group begins; those of rows that belong to no joint are the identity. */
static void begin_groups(Weighing *w, int *start)
{
    const HolPattern *p = w->m->pattern;
    for (int g = 0; g < p->group_count; ++g) {
        int n = hol_part_size(p->group_start, g);
        start[g + 1] = start[g] + n * n;
        weigh_rigid(w, p->group_start[g], n, w->m->row_stiffness + start[g]);
    }
}

static void weigh_joints(Weighing *w, const int *start)
{
    HolMechanism *m = w->m;
    m->weights_are_exact = !hol_mechanism_has_rigidity_rows(m) && !m->row_omega; /* frequencies share loads, too */
    for (int j = 0; j < m->joint_count; ++j) {
        const HolJoint *joint = &m->joints[j];
        int velocities = joint->nonholonomic_count, positions = joint->row_count - velocities;
        hol_joint_compliance(m, joint, w->frames, w->D, w->unit, w->G);
        if (positions > 0)
            weigh_group(w, joint, 0, positions, m->row_stiffness + start[joint->group]);
        if (velocities > 0)
            weigh_group(w, joint, positions, velocities, m->row_stiffness + start[joint->velocity_group]);
        m->weights_are_exact = m->weights_are_exact && !row_stiffness_turns(joint);
    }
}

static HolStatus row_stiffness_take_memory(HolMechanism *m)
{
    const HolPattern *p = m->pattern;
    size_t numbers = 0;
    for (int g = 0; g < p->group_count; ++g)
        numbers += (size_t)hol_part_size(p->group_start, g) * (size_t)hol_part_size(p->group_start, g);
    m->row_stiffness = hol_arena_doubles(m->arena, numbers);
    m->row_weights = hol_arena_doubles(m->arena, (size_t)p->m);
    m->preload = hol_arena_doubles(m->arena, (size_t)p->m);
    return hol_arena_failed(m->arena) ? HOL_NO_MEMORY : HOL_OK;
}

static HolStatus row_stiffness_weigh(HolMechanism *m, HolTerms *terms, HolArena *scratch)
{
    HolInitialState start = hol_mechanism_initial_state(m);
    HolPoint at = {.t = start.t, .q = start.q, .v = start.v};
    int *group_start = hol_arena_ints(scratch, (size_t)m->pattern->group_count + 1);
    Weighing w = {.m = m, .D = terms->D, .unit = hol_arena_doubles(scratch, (size_t)m->pattern->m)};
    if (!m->row_stiffness)
        HOL_TRY(row_stiffness_take_memory(m));
    if (hol_arena_failed(scratch))
        return HOL_NO_MEMORY;
    HOL_TRY(hol_system_evaluate(m->system, &at, HOL_WANT_JACOBIAN, terms));
    HolMotion motion = hol_mechanism_motion(m, &at, true, terms);
    w.frames = motion.frames;
    find_least(&w);
    begin_groups(&w, group_start);
    weigh_joints(&w, group_start);
    return HOL_OK;
}

bool hol_mechanism_has_rigidity_rows(const HolMechanism *mechanism)
{
    for (int i = 0; i < mechanism->body_count && mechanism->natural; ++i)
        if (mechanism->bodies[i].rigid_row >= 0)
            return true;
    return false;
}

HolStatus hol_mechanism_set_row_stiffness(HolMechanism *mechanism)
{
    HolTerms *terms = NULL;
    if (!mechanism->is_elastic && !mechanism->has_preload)
        return HOL_OK;
    HolArena *scratch = hol_arena_create_within(mechanism->pattern->memory);
    HolStatus status = scratch ? hol_terms_create(mechanism->system, &terms) : HOL_NO_MEMORY;
    if (status == HOL_OK)
        status = row_stiffness_weigh(mechanism, terms, scratch);
    hol_terms_destroy(terms);
    hol_arena_destroy(scratch);
    return status;
}
