/* SPDX-License-Identifier: BSD-3-Clause */
/* The drawing of a mechanism: shapes of bodies, attachment points of joints and forces, beams, springs, points.
 *
 *     status = hol_scene_create(mechanism, &scene);
 *     for (int i = 0; i < scene->body_count; ++i) ... scene->bodies[i].shapes ...
 *     hol_scene_destroy(scene);
 *
 * Positions on bodies are in body axes about the centre of mass, which is the position that recorders report. In the
 * plane z is zero. Nothing here takes part in a simulation. */
#ifndef HOLON_SCENE_H
#define HOLON_SCENE_H

#include <holon/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum HolShapeType {
    HOL_SHAPE_BAR,      /* points: its two ends */
    HOL_SHAPE_BOX,      /* points: its middle */
    HOL_SHAPE_CYLINDER, /* points: the middles of its ends; in the plane it may have no length */
    HOL_SHAPE_SPHERE,   /* points: its middle */
    HOL_SHAPE_PLATE     /* points: its outline */
} HolShapeType;

typedef struct HolSceneShape {
    HolShapeType type;
    int point_count;
    const double (*points)[3];
    double radius;     /* of bar, cylinder, sphere; 0: the model gives none */
    double edges[3];   /* of a box, along its axes; in the plane the last may be 0 */
    double axes[3][3]; /* of a box, axes[i] = edge i */
} HolSceneShape;

/* What the columns of a body contain: position and orientation of a rigid body, the position of a particle, the unit
 * vector of a direction, which has no position. */
typedef enum HolSceneForm { HOL_SCENE_RIGID, HOL_SCENE_PARTICLE, HOL_SCENE_DIRECTION } HolSceneForm;

typedef struct HolSceneBody {
    const char *name;
    HolSceneForm form;
    int node_of; /* the beam whose node it is, -1: none */
    int shape_count;
    const HolSceneShape *shapes;
    int mark_count;
    const double (*marks)[3]; /* attachment points of joints and forces, each once */
} HolSceneBody;

typedef struct HolSceneBeam {
    const char *name;
    int order;                  /* of its polynomials */
    int first_node, node_count; /* bodies, in order */
    const double *s;            /* of each node, from 0 to 1 */
    bool round;
    double width, height; /* of the section along axes 2 and 3, 0: the model gives none */
} HolSceneBeam;

/* A place on a body, -1: on the ground. */
typedef struct HolScenePlace {
    int body;
    double at[3];
} HolScenePlace;

typedef struct HolSceneJoint {
    const char *name, *kind;
    int first, second;   /* bodies, -1: the ground */
    HolScenePlace place; /* on the second body; on the first where that is the ground and the joint is no rod */
    bool has_axis;
    double axis[3]; /* in the axes of the body that has the place; of a disc that rolls its own, balls have none */
    bool is_rod;
    HolScenePlace from; /* of a rod: its other end */
    double radius;      /* of a rolling ball or disc; 0: no rolling joint */
} HolSceneJoint;

typedef struct HolSceneForce {
    const char *name, *kind;
    int end_count; /* 2 if it acts along the line between two points, else 0 */
    HolScenePlace ends[2];
} HolSceneForce;

typedef struct HolScene {
    bool planar;
    double gravity[3];
    int body_count, beam_count, joint_count, force_count, point_count;
    const HolSceneBody *bodies;  /* in the order of the mechanism, */
    const HolSceneJoint *joints; /* drivers too */
    const HolSceneBeam *beams;
    const HolSceneForce *forces;
    const char *const *points; /* names, and */
    const HolScenePlace *point_places;
    int ground_mark_count;
    const double (*ground_marks)[3];
} HolScene;

/* The mechanism must outlive the scene. On failure, for lack of memory, *scene is NULL. */
HolStatus hol_scene_create(const HolMechanism *mechanism, HolScene **scene);
void hol_scene_destroy(HolScene *scene);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
