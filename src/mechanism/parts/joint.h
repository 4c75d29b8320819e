/* SPDX-License-Identifier: BSD-3-Clause */
/* A joint or driver as compiled: what it connects, its axes, its elasticity, and its constraints. */
#ifndef HOLON_MECHANISM_PARTS_JOINT_H
#define HOLON_MECHANISM_PARTS_JOINT_H

#include "mechanism/kinematics/frame.h"
#include "model/node.h"

/* The elasticity of a joint, which decides how reactions are shared where constraints are redundant. It changes no
 * motion. */
typedef struct HolElastic {
    double axial, radial, turning; /* compliances along and across its axis and against rotation, 0: rigid */
    const double *rows;            /* instead, a compliance of each row, or NULL */
    const double *misfit;          /* of each row, by how much it is too long as built; or NULL */
    const double *preload;         /* a multiplier of each row, or NULL */
} HolElastic;

/* Frequencies and damping ratios of the penalties of a joint, each `count` numbers: one for all of its rows, or one for
 * each row; NULL: not given. */
typedef struct HolJointGains {
    const double *omega, *xi;
    int omega_count, xi_count;
    HolPlace place;
} HolJointGains;

typedef struct HolJoint {
    const char *name, *kind, *part; /* part: "joint" or "driver" */
    int body[2];                    /* 0: ground */
    HolMark place;                  /* where its reaction acts, on the second body; the centre of a rolling body */
    HolMark normal;                 /* of the surface that a planar body rolls on */
    double radius;                  /* from the centre of a rolling body to the contact; 0: it does not roll */
    HolMark axis, side;             /* x and y of its own axes, directions of the first body */
    HolMark from;                   /* of a rod: x points from here to its place */
    bool has_axis, is_rod;
    double rod_mass;            /* of a rod that has mass */
    const HolElastic *elastic;  /* NULL: rigid */
    const HolJointGains *gains; /* NULL: those of the formulation */
    HolMark bar[2];             /* direction of each of its bodies that is an elastic bar and ends here */
    double bar_compliance[2];   /* half the compliance of that bar, 0: none */
    int group;                  /* of its holonomic rows, -1: none */
    int velocity_group;         /* of its nonholonomic rows, -1: none */
    int row_count, nonholonomic_count;
    int *rows;
    const char **row_names;
    int angle, displacement; /* measures of its degrees of freedom, -1: none */
    /* Of a prescribed motion: the unit of its position or velocity, NULL: none; where it is given, as text too, which
     * outlives the model; whether jumps of its velocity are impulses. */
    const char *value_unit;
    HolPlace value_place;
    const char *value_place_text;
    bool is_impulsive;
    bool is_broken; /* it could not be read: references to it are no further mistakes */
    int first_coincidence, coincidence_count, first_row, general_count, first_rolling, rolling_count;
    int first_velocity_row, velocity_row_count;
} HolJoint;

/* The mass of a slender rod between the marks of a measure. */
typedef struct HolRod {
    int measure;
    double mass;
    int pair; /* its off-diagonal block of M, -1: none */
} HolRod;

#endif
