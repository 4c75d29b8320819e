/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces along measures: springs, stops, bushings. A force law gives the tension f along a length (or an angle)
 *
 *     l = sum k_i mu_i                    of measures mu_i between the same two bodies                     (1)
 *     Q = -f(l, ldot, t, u) g             with g the gradient of l in v, so that ldot = g . v              (2)
 *     P = -(f - V_l) ldot                 the power of the part that the potential V(l) leaves out              (3)
 *     K = f_l g g^T + f_ldot g r^T + f H  with H = dg/dq and r = d(ldot)/dq = H^T v                        (4)
 *     C = f_ldot g g^T                                                                                     (5)
 *
 * The strain of a part is l, with the stiffness max(0, f_l) at rest (HolSystemOps.strain_forces).
 *
 * A kind puts a HolLaw on top of its own struct, and hol_law_apply(), ... into its table. */
#ifndef HOLON_MECHANISM_FORCES_FORCE_LAW_H
#define HOLON_MECHANISM_FORCES_FORCE_LAW_H

#include "mechanism/forces/force_kind.h"

/* Tension is positive where it shortens l. */
typedef struct HolTension {
    double f, V_l;
    double f_l, f_ldot; /* slopes */
} HolTension;

/* The state at which a law is evaluated. */
typedef struct HolStretch {
    int part; /* index of the length */
    double l, ldot, t;
    bool slopes;     /* f_l and f_ldot are needed */
    const double *u; /* the inputs */
    int input_count;
} HolStretch;

enum { HOL_LAW_PARTS = 6, HOL_ALONG_MEASURES = 2 };

/* (1) */
typedef struct HolMeasureSum {
    int count;
    int measure[HOL_ALONG_MEASURES]; /* indices */
    double k[HOL_ALONG_MEASURES];    /* 1 if there is only one */
    int angle;                       /* of one angle that counts full turns: 1 + its index in HolTerms.angles; else 0 */
} HolMeasureSum;

typedef struct HolLaw {
    HolTension (*tension)(const void *self, const HolStretch *at);
    double (*potential)(const void *self, int part, double l);
    /* Optional: (V(b) - V(a)) / (b - a) without cancellation. */
    double (*mean_slope)(const void *self, int part, double a, double b);
    /* Optional: event functions along the first length. */
    void (*events)(const void *self, const HolStretch *at, HolCrossing *crossings);
    int part_count;
    HolMeasureSum along[HOL_LAW_PARTS];
} HolLaw;

/* f += F(l, ldot, t, u), a function without potential. */
void hol_tension_add(const HolFunction *F, const HolStretch *at, HolTension *sum);

/* Makes it the law of a force along one measure. */
void hol_law_attach(const HolBuilder *builder, HolLaw *law, int measure, HolForce *force);
/* Lets the law of one angle count full turns, where coordinates know it within half a turn only. */
void hol_law_count_turns(const HolBuilder *builder, HolLaw *law);
/* Adds a length that is one measure. */
void hol_law_add(HolLaw *law, int measure);

/* Nothing acts along the line between two points that coincide: it has no direction there. force->self begins with a
 * HolLaw and force->body are the bodies of its measures. */
void hol_law_apply(const HolForce *force, const HolMotion *motion);
/* The same with a tension of 1 along the first length, without power. */
void hol_law_apply_unit(const HolForce *force, const HolMotion *motion);
double hol_law_potential(const HolForce *force, const HolMotion *motion);
void hol_law_tangent(const HolForce *force, const HolMotion *motion);
void hol_law_discrete_gradient(const HolForce *force, const HolDiscreteGradientMotion *motion);
void hol_law_strain_stiffness(const HolForce *force, const HolMotion *motion);
void hol_law_strain_force(const HolForce *force, const HolStrainMotion *motion);
void hol_law_events(const HolForce *force, const HolMotion *motion, HolCrossing *crossings);
void hol_law_follow(const HolForce *force, const HolMotion *motion);
/* The two points of a law along one length. */
int hol_law_ends(const HolForce *force, const HolMechanism *mechanism, HolMark ends[2]);

#define HOL_LAW_OPS                                                                                                    \
    .apply = hol_law_apply, .potential = hol_law_potential, .tangent = hol_law_tangent,                                \
    .discrete_gradient = hol_law_discrete_gradient, .strain_stiffness = hol_law_strain_stiffness,                      \
    .strain_force = hol_law_strain_force

/* r += H^T v of (4), with one block of H (rows of twelve) and the v of one body. */
void hol_law_add_rate(const HolMotion *motion, int body, const double *H, double *r);

/* Contact that can only push: at the depth d
 *
 *     f = max(0, k d^n + c ddot) while d > 0,  else 0;   V = k d^(n+1) / (n+1)                             (6) */
typedef struct HolContact {
    double k, c, n;
} HolContact;

/* Two event functions: the depth, and while d > 0 the force. */
enum { HOL_CONTACT_EVENTS = 2 };
void hol_contact_events(const HolContact *contact, double d, double ddot, double l, HolCrossing *crossings);
void hol_contact_name_events(HolEventName *named);
/* The event functions of F(l, ldot, t, u). */
int hol_tension_name_events(const HolFunction *F, HolEventName *named);
void hol_tension_events(const HolFunction *F, const HolStretch *at, HolCrossing *crossings);

/* HolForceKind.function and argument of a law with F along its first length. */
const HolExpression *hol_tension_function(const HolFunction *F, int *time);
void hol_law_argument(const HolForce *force, const HolMotion *motion, double here[2]);

/* The steepest restoring slope f_l along the first length on the way, at most `reach` to either side, to where the law
 * has taken this energy; *here: that at the present length. */
double hol_law_steepest(const HolForce *force, const HolMotion *motion, double energy, double reach, double *here);

HolTension hol_contact_force(const HolContact *contact, double d, double ddot);
double hol_contact_potential(const HolContact *contact, double d);

#endif
