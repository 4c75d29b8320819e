/* SPDX-License-Identifier: BSD-3-Clause */
/* A body as compiled: inertia, initial position, and its numbers in the system. */
#ifndef HOLON_MECHANISM_PARTS_BODY_H
#define HOLON_MECHANISM_PARTS_BODY_H

#include <holon/scene.h>

#include "mechanism/kinematics/layout.h"

/* What describes a body; particles and directions exist in natural coordinates only. */
typedef enum HolBodyForm { HOL_RIGID, HOL_PARTICLE, HOL_DIRECTION } HolBodyForm;

enum { HOL_RIGID_ROWS = 6 }; /* constraints that keep a body rigid in natural coordinates; one in the plane */

typedef struct HolBody {
    const char *name;
    HolBodyForm form;
    const HolLayout *layout;
    double mass;
    double J[3][3];                         /* about the centre of mass in body axes; planar: J[2][2] */
    double r[3], e[4], phi;                 /* as drawn; in the plane e and phi describe the same rotation */
    double compliance;                      /* of an elastic bar between its ends, 0: rigid */
    double ends[2][3];                      /* of that bar, as drawn */
    const HolSceneShape *drawn;             /* its picture, NULL: none */
    bool is_node;                           /* of a beam, whose elements have the mass */
    double assembly_mass, assembly_inertia; /* of a node while its initial state is assembled */
    int rigid_row;                          /* the first constraint that keeps it rigid, -1: it needs none */
    int rigid_D, rigid_tangent;             /* where that begins in D and in K */
} HolBody;

#endif
