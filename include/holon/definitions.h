/* SPDX-License-Identifier: BSD-3-Clause */
/* Typed definitions: the parts of a model as structs. Each struct comes from its defaults function; the program changes
 * what differs and adds it under a name:
 *
 *     HolBodyDef crank = hol_body_def();
 *     crank.mass = 2;                                                  kg
 *     crank.inertia[2] = 0.3;                                          kg m^2, about z
 *     status = hol_model_add_body(model, "crank", &crank);
 *
 * All numbers are in SI units. NAN means "not given": the default of the kind then holds, and a component beside others
 * that are given is zero. Positions and directions are global coordinates of the initial configuration; in a planar
 * model z is ignored. Names of other parts may be defined later. Mistakes are found when the model is compiled and
 * reported with the name of the part: "joints.pin: joint 'pin': body 'crnk' is unknown (did you mean 'crank'?)".
 *
 * A key of a kind that has no member here goes into `more`, written as in the model file: "outline: [A, B, C]". The
 * kinds and their keys are listed by `holon list` and docs/guide/model-file.md. Adding a part under a name that exists
 * replaces it. Every function returns HOL_BAD_INPUT for a missing name, for names and texts that are not UTF-8, for
 * text in `more` that is no list of keys with values, for a section that is no map of names and for a rotation that the
 * plane does not have, and leaves the parts as they were. The reason stays in hol_model_error(), so that a program may
 * add all parts and look at the status of hol_model_run() alone: it then fails with the first of these sentences. */
#ifndef HOLON_DEFINITIONS_H
#define HOLON_DEFINITIONS_H

#include <holon/model.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What holds for the whole model. Define it first: it decides how many components a position has. */
typedef struct HolWorldDef {
    const char *title;
    bool is_planar;    /* the plane xy; otherwise space */
    double gravity[3]; /* m/s^2 */
} HolWorldDef;

/* kind      members that give its geometry
 * rigid     at: the centre of mass; mass and inertia are needed
 * bar       ends
 * box       size: edge lengths; at: the middle
 * cylinder  size: radius, length along its z axis; at: the middle
 * sphere    size: radius; at: the middle
 * particle  at
 * Of a kind that is not in this list, `more` contains the key of the kind too. */
typedef struct HolBodyDef {
    const char *kind;                        /* "rigid" by default */
    double at[3], ends[2][3], size[3];       /* m */
    double mass, density;                    /* kg, or kg/m^3 instead */
    double inertia[6];                       /* kg m^2 about the centre of mass: Jx Jy Jz, then Jxy Jxz Jyz or NAN;
                                                in the plane Jz alone */
    double orientation[4];                   /* Euler parameters; in the plane the angle in orientation[0], rad */
    double velocity[3], angular_velocity[3]; /* initial ones that are prescribed; in the plane angular_velocity[2] */
    const char *more;
} HolBodyDef;

typedef struct HolJointDef {
    const char *kind;           /* "revolute" by default */
    const char *first, *second; /* bodies, or joints of a gear or rack; "ground" is the fixed frame */
    double at[3], axis[3];
    const char *more;
} HolJointDef;

typedef struct HolDriverDef {
    const char *kind;           /* "angle" by default */
    const char *first, *second; /* a joint and NULL, or two bodies */
    const char *value;          /* a function of the time t: "2*pi*t" */
    const char *more;
} HolDriverDef;

typedef struct HolForceDef {
    const char *kind;           /* "force" by default */
    const char *first, *second; /* a body or joint and NULL, or two bodies */
    double at[3];               /* of a force: where it acts */
    double vector[3];           /* of a force or torque: constant components; functions of time go into `more` */
    double from[3], to[3];      /* of a spring: its ends on the first and second body */
    double stiffness, damping;
    const char *more;
} HolForceDef;

/* How the model is run; see hol_mechanism_options(). */
typedef struct HolRunDef {
    const char *formulation, *integrator; /* NULL: the defaults of the library */
    double step, until, every;            /* s */
    const char *more;
} HolRunDef;

HolWorldDef hol_world_def(void); /* space without gravity */
HolBodyDef hol_body_def(void);
HolJointDef hol_joint_def(void); /* the first body is the ground */
HolDriverDef hol_driver_def(void);
HolForceDef hol_force_def(void);
HolRunDef hol_run_def(void);

HolStatus hol_model_set_world(HolModel *model, const HolWorldDef *def);
HolStatus hol_model_add_point(HolModel *model, const char *name, const double at[3]);
HolStatus hol_model_add_body(HolModel *model, const char *name, const HolBodyDef *def);
HolStatus hol_model_add_joint(HolModel *model, const char *name, const HolJointDef *def);
HolStatus hol_model_add_driver(HolModel *model, const char *name, const HolDriverDef *def);
HolStatus hol_model_add_force(HolModel *model, const char *name, const HolForceDef *def);
HolStatus hol_model_set_run(HolModel *model, const HolRunDef *def);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
