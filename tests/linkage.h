/* SPDX-License-Identifier: BSD-3-Clause */
/* Linkages for the tests of assembly and redundancy: bodies held together by pins, balls and hinges, with nothing but
 * what these need: M, Phi and D. Unlike scenes they may be drawn apart, be redundant or impossible.
 *
 * Planar bodies are (x, y, phi); a pin has two rows, second point - first point. Spatial bodies are those of
 * systems/spatial.h; a ball has three such rows, a hinge two more: its axis u, fixed in the first body, is normal to
 * two directions f, g of the second,
 *
 *     Phi_3 = u . f,   Phi_4 = u . g                                                                  (1) */
#ifndef HOLON_TESTS_LINKAGE_H
#define HOLON_TESTS_LINKAGE_H

#include <holon/system.h>

enum { LINKAGE_MOST = 12, LINKAGE_NUMBERS = 7 * LINKAGE_MOST, GROUND = -1 };

typedef struct LinkageJoint {
    const char *name;
    int body[2];        /* GROUND: its point and axis are global */
    double point[2][3]; /* in body axes */
    double axis[2][3];  /* of a hinge, in body axes, unit vectors; zero: a ball or a pin */
    double scale;       /* of its rows, 0: 1 */
} LinkageJoint;

typedef struct Linkage {
    bool planar;
    int body_count, joint_count;
    double mass[LINKAGE_MOST];
    double inertia; /* of a body of mass 1 about every axis */
    LinkageJoint joints[LINKAGE_MOST];
    double q[LINKAGE_NUMBERS]; /* as drawn */
    int row[LINKAGE_MOST];     /* the first of each joint, filled in by linkage_create() */
    long *evaluations;         /* NULL, or what counts them */
} Linkage;

/* Pins A, B, C, D as in the scene "four-bar": lengths of crank, coupler, follower and ground. Drawn in one line. */
Linkage linkage_four_bar(double crank, double coupler, double follower, double ground);

/* A closed polygon of bars of length 1, drawn closed; the ground is one of its sides. Joints 0, 1, ... are hinges if
 * that bit is set in `hinges`, else balls. Their axes are upright, or lean by a multiple of `lean` each. */
Linkage linkage_polygon(int sides, unsigned hinges, double lean);

/* All lengths, and with them q as drawn, in another unit. */
void linkage_scale(Linkage *linkage, double factor);

/* The linkage must outlive the system. NULL if it is refused. */
HolSystem *linkage_create(Linkage *linkage);

/* The drawing, every coordinate moved at random by up to `move` and turned by up to `turn`. */
void linkage_scatter(const Linkage *linkage, const HolSystem *system, double move, double turn, double *q);

#endif
