/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of a mechanism: numbers compiled from a model, read by the evaluation.
 *
 * A row of a joint is a sum of measures that equals a function of time,
 *
 *     Phi = sum k_i mu_i - f(t)                                                                        (1)
 *
 * (wrapped to (-pi, pi] where angles of space are coupled). Nonholonomic rows are those of rolling, and sums of speeds
 * that equal a function of time. A force knows its own kind. Bodies, measures, rows and forces stand in plain arrays;
 * the pattern says where their results go. */
#ifndef HOLON_MECHANISM_MECHANISM_H
#define HOLON_MECHANISM_MECHANISM_H

#include <holon/scene.h>

#include "base/arena.h"
#include "base/function.h"
#include "mechanism/beams/beam.h"
#include "mechanism/layout.h"
#include "mechanism/measure.h"
#include "model/node.h"

/* What a body is described by: all but rigid ones exist in natural coordinates only. */
typedef enum HolBodyForm { HOL_RIGID, HOL_PARTICLE, HOL_DIRECTION } HolBodyForm;

typedef struct HolBody {
    const char *name;
    HolBodyForm form;
    const HolLayout *layout;
    double mass;
    double J[3][3];         /* about the centre of mass in body axes; planar: J[2][2] */
    double r[3], e[4], phi; /* as drawn; e and phi say the same in the plane */
    double compliance;      /* of a bar that yields between its ends as drawn, 0: rigid */
    double ends[2][3];
    const HolSceneShape *drawn; /* what it looks like, NULL: not known */
    bool is_node;               /* of a beam, which has the mass; what it weighs while assembled: */
    double lent_mass, lent_inertia;
    /* The rows that keep it rigid in natural coordinates: the first of them, and where it begins in D and K. */
    int rigid_row, rigid_D, rigid_tangent; /* -1: it needs none */
} HolBody;

enum { HOL_RIGID_ROWS = 6 }; /* of a body in space; in the plane there is one */

/* A slender rod between the marks of a measure. */
typedef struct HolRod {
    int measure;
    double mass;
    int pair; /* its off-diagonal block of M, -1: none */
} HolRod;

/* What the start section holds. */
typedef struct HolHold {
    int body; /* 0-based, without the ground */
    bool position[3], velocity[3];
    bool orientation, angular_velocity;
    double turning[3]; /* the angular velocity in global axes, in space */
} HolHold;

enum { HOL_ROW_MEASURES = 2 };

/* A holonomic row (1). */
typedef struct HolRow {
    int measure[HOL_ROW_MEASURES]; /* indices */
    double k[HOL_ROW_MEASURES];
    int measure_count;
    HolFunction f;
    bool squares;                        /* f is L(t)^2 / (2 scale of the first measure) with L the function */
    bool wraps;                          /* modulo 2 pi */
    double factor;                       /* of the whole row, for its scale */
    int at;                              /* index in Phi */
    int D[HOL_ROW_MEASURES][2];          /* where the row of each measure's bodies begins in D, -1: ground */
    int tangent[HOL_ROW_MEASURES][2][2]; /* where the blocks of its measures' bodies begin in K, -1: none */
} HolRow;

/* Two points that coincide: two or three rows with a kernel of their own. */
typedef struct HolCoincidence {
    int body[2]; /* 0: ground */
    double s[2][3];
    int row;        /* its first */
    int D[2];       /* where the blocks of its rows begin in D, -1: ground */
    int tangent[2]; /* where the diagonal blocks of its bodies begin in K, -1: ground; it couples no two bodies */
} HolCoincidence;

/* The point of the second body that touches the first rolls: velocity rows along two directions that are normal to
 * `normal`. Shapes differ in where the point is. */
typedef enum HolRollingShape { HOL_BALL_ON_PLANE, HOL_DISC_ON_PLANE, HOL_BALL_IN_SPHERE } HolRollingShape;

typedef struct HolRolling {
    HolRollingShape shape;
    int body[2];
    HolMark normal;     /* of the plane, on body[0]; of the sphere, inward, at the bottom */
    HolMark tangent[2]; /* directions of body[0] that complete it */
    HolMark through;    /* a point of the plane, or the centre of the sphere, on body[0] */
    HolMark centre;     /* of ball or disc, on body[1] */
    HolMark axis;       /* of the disc, on body[1] */
    double radius, sphere_radius;
    int row;          /* the holonomic row of contact (discs only, -1 where a plain measure does it) */
    int velocity_row; /* the first of two nonholonomic rows, as an index of lambda */
    int contact_group, velocity_group;
} HolRolling;

/* A function of the configuration that is linear in v, between two bodies. */
typedef enum HolSpeedType {
    HOL_SPEED_POINT,    /* of a point of body[1], seen from body[0], along a direction of either */
    HOL_SPEED_SIDEWAYS, /* the same across an edge of body[1] and `normal` of body[0] */
    HOL_SPEED_TURNING,  /* of body[1], seen from body[0], about a direction of either */
    HOL_SPEED_MEASURE   /* the rate of a measure */
} HolSpeedType;

typedef struct HolSpeed {
    HolSpeedType type;
    double k; /* its factor in the row */
    int body[2];
    HolMark along, normal, point; /* along: the direction, or the edge */
    int measure;
} HolSpeed;

/* A nonholonomic row: Psi = sum k_i sigma_i - f(t) of speeds sigma_i. */
typedef struct HolVelocityRow {
    int first_speed, speed_count;
    HolFunction f;
    int row, group;
} HolVelocityRow;

/* A body's equations held at their start value while assembling. */
typedef enum HolHoldType { HOL_HOLD_POSITION, HOL_HOLD_ORIENTATION, HOL_HOLD_VELOCITY, HOL_HOLD_TURNING } HolHoldType;

typedef struct HolHoldRow {
    HolHoldType type;
    int body;      /* 1-based as in frames */
    int axis;      /* of position or velocity; of the others 0, 1, 2 */
    double target; /* position or velocity; angle or w in the plane; w in body axes */
    double e[4];   /* target orientation */
    const char *name;
    int row, group;
} HolHoldRow;

/* How a joint gives way, for reactions that the motion leaves open. */
typedef struct HolElastic {
    double axial, radial, turning; /* compliances along and across its axis and against turning, 0: rigid */
    const double *rows;            /* a compliance of each row instead, or NULL */
    const double *misfit;          /* of each row, by how much it is too long as built; or NULL */
    const double *preload;         /* a multiplier of each row, or NULL */
} HolElastic;

/* How reactions that are not unique are told. */
typedef enum HolResolution { HOL_AS_COMPUTED, HOL_MINIMUM_NORM, HOL_BY_STIFFNESS, HOL_BY_ELIMINATION } HolResolution;

/* Joints and drivers. */
typedef struct HolJoint {
    const char *name, *kind;
    int body[2];        /* 0: ground */
    HolMark place;      /* where its reaction is told, on the second body; of rolling bodies their centre */
    HolMark normal;     /* of what it rolls on in the plane, and */
    double radius;      /* how far the contact lies below the centre; 0: it does not roll */
    HolMark axis, side; /* x and y of its own axes, directions of the first body; */
    HolMark from;       /* of a rod x points from here to its place */
    bool has_axis, is_rod;
    double rod_mass;           /* of a rod that has one */
    const HolElastic *elastic; /* NULL: rigid */
    HolMark bar[2];            /* along each of its bodies that is a bar and yields, if it is at an end of it; */
    double bar_compliance[2];  /* half of the bar's, 0: none */
    int group;                 /* of its holonomic rows, -1: none */
    int velocity_group;        /* of its nonholonomic rows, -1 */
    int row_count, nonholonomic_count;
    int *rows;
    const char **row_names;
    int angle, displacement; /* measures of its freedoms, -1: none */
    bool is_broken;          /* it could not be read; what refers to it is not complained of */
    int first_coincidence, coincidence_count, first_row, general_count, first_rolling, rolling_count;
    int first_velocity_row, velocity_row_count;
} HolJoint;

typedef struct HolForceKind HolForceKind;

enum { HOL_FORCE_BODIES = 2 };

typedef struct HolForce {
    const char *name;
    const HolForceKind *kind;
    void *self;
    int body[HOL_FORCE_BODIES];                      /* what it acts on, 0: ground; its tangent couples them */
    int tangent[HOL_FORCE_BODIES][HOL_FORCE_BODIES]; /* where its blocks begin in K and C, -1: none */
    int follows;                                     /* the body with which its resultant turns if it is a load, or 0 */
} HolForce;

/* A point that can be recorded. */
typedef struct HolNamedPoint {
    const char *name;
    HolMark mark;
} HolNamedPoint;

struct HolMechanism {
    HolArena *arena;
    const char *name;
    bool planar;
    bool natural;      /* coordinates; else reference-point */
    bool has_elements; /* bodies that are not rigid */
    double gravity[3];

    int body_count;
    HolBody *bodies;
    int measure_count;
    HolMeasure *measures;
    int row_count;         /* general rows */
    bool rows_are_plain;   /* all can be read without frames: evaluate_natural_rows.c */
    bool speeds_are_plain; /* those of velocity rows likewise: evaluate_natural_speeds.c */
    HolRow *rows;
    int coincidence_count;
    HolCoincidence *coincidences;
    int rod_count;
    HolRod *rods;
    int rolling_count;
    HolRolling *rollings;
    int speed_count;
    HolSpeed *speeds;
    int velocity_row_count;
    HolVelocityRow *velocity_rows;
    int hold_row_count;
    HolHoldRow *hold_rows;
    int beam_count;
    HolBeam *beams;
    int beam_element_count;
    HolBeamElement *beam_elements;
    int joint_count;
    HolJoint *joints;
    int force_count;
    HolForce *forces;
    int point_count;
    HolNamedPoint *points;
    int hold_count;
    HolHold *holds;
    int input_count;
    const char **input_names;
    double *inputs; /* as long as nobody sets others */

    HolSystem *system;
    const HolPattern *pattern;
    double *q, *v;                 /* the start in reference-point coordinates, */
    double *q_natural, *v_natural; /* and in natural ones where those are used, else NULL */
    HolGap gap;

    /* run */
    const char *formulation, *integrator, *coordinates;
    double until, step, every;
    bool keeps_start; /* as given, not assembled */
    HolBranch branch;
    HolSetting *settings;
    HolPlace *setting_places;
    int setting_count;
    HolPlace formulation_place, integrator_place;
    bool integrator_is_chosen; /* the run section names it */
    HolResolution resolution;
    bool resolution_is_chosen; /* the run section names it; else who knows the formulation chooses: */
    HolResolution (*resolution_of)(const HolMechanism *mechanism, const char *formulation); /* NULL: nobody */
    bool is_elastic;  /* some joint has a stiffness, */
    bool has_preload; /* some a misfit or a preload */
    /* What formulations with penalties share by, NULL if no joint says anything: a matrix for each group, its diagonal,
     * and the multipliers that act while nothing else does. Whether they say all that the joints say, at every time. */
    double *row_stiffness, *row_weights, *preload;
    bool weights_are_exact;
    const char **record;
    int record_count; /* -1: everything */
};

#endif
