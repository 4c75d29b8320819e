/* SPDX-License-Identifier: BSD-3-Clause */
#include "linkage.h"

#include "random.h"
#include "systems/spatial.h"

#include <string.h>

/* Numbers of q and v of a body, rows of a point. */
static int nq_of(const Linkage *l)
{
    return l->planar ? 3 : 7;
}

static int nv_of(const Linkage *l)
{
    return l->planar ? 3 : 6;
}

static int moves_of(const Linkage *l)
{
    return l->planar ? 2 : 3;
}

/* A body, or the ground, where it stands. */
typedef struct Place {
    double r[3];
    Axes axes;
} Place;

static Place place_of(const Linkage *l, const double *q, int body)
{
    Place place = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (body == GROUND)
        return place;
    const double *own = q + nq_of(l) * body;
    memcpy(place.r, own, (size_t)moves_of(l) * sizeof *own);
    if (l->planar)
        place.axes = (Axes){{cos(own[2]), sin(own[2]), 0}, {-sin(own[2]), cos(own[2]), 0}, {0, 0, 1}};
    else
        place.axes = spatial_axes(own + 3);
    return place;
}

static int row_count(const Linkage *l, const LinkageJoint *joint)
{
    return l->planar ? 2 : dot3(joint->axis[0], joint->axis[0]) > 0 ? 5 : 3;
}

/* Two directions f, g normal to the unit vector a. */
static void normals(const double *a, double fg[2][3])
{
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    cross3(a, fabs(a[0]) < 0.8 ? x : y, fg[0]);
    double scale = 1 / sqrt(dot3(fg[0], fg[0]));
    for (int i = 0; i < 3; i++)
        fg[0][i] *= scale;
    cross3(a, fg[0], fg[1]);
}

static void joint_positions(const Linkage *l, const LinkageJoint *joint, const Place *place, double *Phi)
{
    double end[2][3], u[3], fg[2][3], f[3];
    for (int k = 0; k < 2; k++)
        spatial_turn(&place[k].axes, joint->point[k], end[k]);
    for (int i = 0; i < moves_of(l); i++)
        Phi[i] = place[1].r[i] + end[1][i] - place[0].r[i] - end[0][i];
    spatial_turn(&place[0].axes, joint->axis[0], u);
    normals(joint->axis[1], fg);
    for (int k = 0; k < row_count(l, joint) - 3; k++) {
        spatial_turn(&place[1].axes, fg[k], f);
        Phi[3 + k] = dot3(u, f);
    }
}

/* The point's rows: r' = rdot + R (w x s). */
static void point_jacobian(const Linkage *l, const Place *place, const double *s, double sign, double *D)
{
    int n = nv_of(l);
    for (int axis = l->planar ? 2 : 0; axis < 3; axis++) {
        const double w[3] = {axis == 0, axis == 1, axis == 2};
        double local[3], turned[3];
        cross3(w, s, local);
        spatial_turn(&place->axes, local, turned);
        for (int i = 0; i < moves_of(l); i++)
            D[n * i + (l->planar ? 2 : 3 + axis)] = sign * turned[i];
    }
    for (int i = 0; i < moves_of(l); i++)
        D[n * i + i] = sign;
}

/* (1): for a direction a of the turning body and the other one b, (R a . b)' = w . (a x R^T b). */
static void axis_jacobian(const LinkageJoint *joint, const Place *place, int k, double *D)
{
    double u[3], f[3], fg[2][3], local[3];
    const Axes *R = &place[k].axes;
    spatial_turn(&place[0].axes, joint->axis[0], u);
    normals(joint->axis[1], fg);
    for (int row = 0; row < 2; row++) {
        spatial_turn(&place[1].axes, fg[row], f);
        const double *other = k == 1 ? u : f;
        local[0] = dot3(R->x, other);
        local[1] = dot3(R->y, other);
        local[2] = dot3(R->z, other);
        cross3(k == 1 ? fg[row] : joint->axis[0], local, D + 6 * (3 + row) + 3);
    }
}

static void joint_jacobian(const Linkage *l, int j, const Place *place, HolTerms *terms)
{
    const LinkageJoint *joint = &l->joints[j];
    const HolPattern *p = terms->pattern;
    for (int pair = p->group_pairs[j]; pair < p->group_pairs[j + 1]; pair++) {
        double *D = terms->D + p->pair_start[pair], scale = joint->scale != 0 ? joint->scale : 1;
        int k = p->pairs[pair].column == joint->body[1];
        point_jacobian(l, &place[k], joint->point[k], k == 1 ? 1 : -1, D);
        if (row_count(l, joint) == 5)
            axis_jacobian(joint, place, k, D);
        for (int i = 0; i < p->pair_start[pair + 1] - p->pair_start[pair]; i++)
            D[i] *= scale;
    }
}

static void joint_terms(const Linkage *l, int j, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const LinkageJoint *joint = &l->joints[j];
    const Place place[2] = {place_of(l, at->q, joint->body[0]), place_of(l, at->q, joint->body[1])};
    double *Phi = terms->Phi + l->row[j];
    if (want & HOL_WANT_PHI)
        joint_positions(l, joint, place, Phi);
    for (int i = 0; (want & HOL_WANT_PHI) && joint->scale != 0 && i < row_count(l, joint); i++)
        Phi[i] *= joint->scale;
    if (want & HOL_WANT_JACOBIAN)
        joint_jacobian(l, j, place, terms);
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Linkage *l = self;
    int n = nv_of(l);
    if (l->evaluations)
        ++*l->evaluations;
    for (int j = 0; j < l->joint_count; j++)
        joint_terms(l, j, at, want, terms);
    for (int b = 0; (want & HOL_WANT_MASS) && b < l->body_count; b++)
        for (int i = 0; i < n; i++)
            terms->M[terms->pattern->mass_start[b] + i * (n + 1)] = l->mass[b] * (i < moves_of(l) ? 1 : l->inertia);
    return HOL_OK;
}

static void qdot(const void *self, const double *q, const double *v, double *rate)
{
    const Linkage *l = self;
    for (int b = 0; b < l->body_count; b++)
        spatial_qdot(q + 7 * b, v + 6 * b, rate + 7 * b);
}

static void retract(const void *self, const double *q, const double *w, double *q_new)
{
    const Linkage *l = self;
    for (int b = 0; b < l->body_count; b++)
        spatial_retract(q + 7 * b, w + 6 * b, q_new + 7 * b);
}

HolSystem *linkage_create(Linkage *linkage)
{
    static const HolSystemOps planar = {.evaluate = evaluate};
    static const HolSystemOps spatial = {.evaluate = evaluate, .qdot = qdot, .retract = retract};
    int blocks[LINKAGE_MOST], groups[LINKAGE_MOST];
    const char *names[LINKAGE_MOST];
    HolPair pairs[2 * LINKAGE_MOST];
    HolSystemSpec spec = hol_system_spec();
    spec.name = "linkage";
    spec.ops = linkage->planar ? &planar : &spatial;
    spec.self = linkage;
    spec.nv = linkage->body_count * nv_of(linkage);
    spec.nq = linkage->body_count * nq_of(linkage);
    spec.constant_mass = spec.scleronomic = true;
    spec.block_count = linkage->body_count;
    spec.group_count = linkage->joint_count;
    spec.block_sizes = blocks;
    spec.group_sizes = groups;
    spec.group_names = names;
    spec.pairs = pairs;
    for (int b = 0; b < linkage->body_count; b++)
        blocks[b] = nv_of(linkage);
    for (int j = 0; j < linkage->joint_count; j++) {
        linkage->row[j] = spec.nh;
        groups[j] = row_count(linkage, &linkage->joints[j]);
        names[j] = linkage->joints[j].name;
        spec.nh += groups[j];
        for (int k = 0; k < 2; k++)
            if (linkage->joints[j].body[k] != GROUND)
                pairs[spec.pair_count++] = (HolPair){j, linkage->joints[j].body[k]};
    }
    HolSystem *system = NULL;
    return hol_system_create(&spec, &system, NULL) == HOL_OK ? system : NULL;
}

Linkage linkage_four_bar(double crank, double coupler, double follower, double ground)
{
    const double a = crank / 2, b = coupler / 2, c = follower / 2;
    return (Linkage){
        .planar = true,
        .body_count = 3,
        .joint_count = 4,
        .mass = {1, 1, 1},
        .inertia = 0.1,
        .joints =
            {
                {"A", {GROUND, 0}, {{0}, {-a}}, {{0}, {0}}, 0},
                {"B", {0, 1}, {{a}, {-b}}, {{0}, {0}}, 0},
                {"C", {1, 2}, {{b}, {c}}, {{0}, {0}}, 0},
                {"D", {GROUND, 2}, {{ground}, {-c}}, {{0}, {0}}, 0},
            },
        .q = {a, 0, 0, crank + b, 0, 0, crank + coupler + c, 0, 0},
    };
}

/* Joint j lies at the tip of side j; the ground is side 0 and body b is side b + 1. */
static LinkageJoint polygon_joint(int j, int sides, bool hinge, double lean)
{
    static const char *const names[LINKAGE_MOST] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"};
    double turn = 2 * acos(-1) / sides, tip = j == 0 ? 1 : 0.5, tail = j == sides - 1 ? 0 : -0.5;
    LinkageJoint joint = {
        .name = names[j], .body = {j == 0 ? GROUND : j - 1, j == sides - 1 ? GROUND : j}, .point = {{tip}, {tail}}};
    if (hinge) {
        const double u[3] = {sin(j * lean), 0, cos(j * lean)}, u_next[3] = {u[0] * cos(turn), -u[0] * sin(turn), u[2]};
        memcpy(joint.axis[0], u, sizeof u);
        memcpy(joint.axis[1], u_next, sizeof u_next);
    }
    return joint;
}

Linkage linkage_polygon(int sides, unsigned hinges, double lean)
{
    Linkage l = {.body_count = sides - 1, .joint_count = sides, .inertia = 0.1};
    double x = 1, y = 0;
    for (int j = 0; j < sides; j++)
        l.joints[j] = polygon_joint(j, sides, hinges >> j & 1, lean);
    for (int b = 0; b < sides - 1; b++) {
        double angle = 2 * acos(-1) * (b + 1) / sides;
        const double q[7] = {x + cos(angle) / 2, y + sin(angle) / 2, 0, cos(angle / 2), 0, 0, sin(angle / 2)};
        memcpy(l.q + 7 * b, q, sizeof q);
        l.mass[b] = 1;
        x += cos(angle);
        y += sin(angle);
    }
    return l;
}

void linkage_scale(Linkage *linkage, double factor)
{
    linkage->inertia *= factor * factor;
    for (int j = 0; j < linkage->joint_count; j++)
        for (int i = 0; i < 6; i++)
            linkage->joints[j].point[i / 3][i % 3] *= factor;
    for (int b = 0; b < linkage->body_count; b++)
        for (int i = 0; i < moves_of(linkage); i++)
            linkage->q[nq_of(linkage) * b + i] *= factor;
}

void linkage_scatter(const Linkage *linkage, const HolSystem *system, double move, double turn, double *q)
{
    double w[LINKAGE_NUMBERS];
    for (int i = 0; i < linkage->body_count * nv_of(linkage); i++)
        w[i] = (i % nv_of(linkage) < moves_of(linkage) ? move : turn) * random_number();
    hol_system_retract(system, linkage->q, w, q);
}
