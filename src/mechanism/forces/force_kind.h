/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of force is one file in forces/ ending in one const table, plus one line in registry.c. */
#ifndef HOLON_MECHANISM_FORCES_FORCE_KIND_H
#define HOLON_MECHANISM_FORCES_FORCE_KIND_H

#include "mechanism/builder/builder.h"
#include "mechanism/motion.h"

struct HolForceKind {
    HolKind kind;
    bool is_load; /* applied load, scaled by HolTerms.load: independent of positions, except for rotating axes */

    /* Sets force->self (in the builder's arena) and force->body from the values. Errors go to the builder's reader. */
    void (*build)(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force);

    /* Adds its Q, and the power of its part without potential to terms->power. Velocities are available. */
    void (*apply)(const HolForce *force, const HolMotion *motion);
    double (*potential)(const HolForce *force, const HolMotion *motion); /* NULL: none */
    /* Adds -dQ/dq to K and -dQ/dv to C at force->tangent. NULL: Q depends on neither q nor v. */
    void (*tangent)(const HolForce *force, const HolMotion *motion);
    /* Adds the correction that makes its work exact (motion.h). NULL: it has no potential. */
    void (*discrete_gradient)(const HolForce *force, const HolDiscreteGradientMotion *motion);
    /* Together: add strain_stiffness and strain_forces of system.h. NULL: nothing to be damped. */
    void (*strain_stiffness)(const HolForce *force, const HolMotion *motion);
    void (*strain_force)(const HolForce *force, const HolStrainMotion *motion);
    /* Optional, together: its event functions and what happens there: `named` gets `rising` and `falling` if it is not
     * NULL. Returns their number. */
    int (*name_events)(const HolForce *force, HolEventName *named);
    void (*events)(const HolForce *force, const HolMotion *motion, HolCrossing *crossings);
    /* Optional, together: its function of the state, NULL if it depends on t alone: of an argument, here[0], and of t,
     * variable `time`, and of the rate of the argument, here[1], if time = 2. */
    const HolExpression *(*function)(const HolForce *force, int *time);
    void (*argument)(const HolForce *force, const HolMotion *motion, double here[2]);
    /* Stiffness and damping along the length, of stops once compressed by `depth`, of tables where they are steepest;
     * 0: neither. NULL: others. */
    void (*compressed)(const HolForce *force, double depth, double *stiffness, double *damping);
    /* Writes its angles of HolTerms.angles. NULL: it has none. */
    void (*follow)(const HolForce *force, const HolMotion *motion);
    /* Where it acts, for pictures: the 2 ends of a line, or 1 point; returns their number. NULL: none. */
    int (*ends)(const HolForce *force, const HolMechanism *mechanism, HolMark ends[2]);
};

extern const HolKind *const hol_force_kinds[]; /* each the first member of a HolForceKind; NULL-terminated */

#endif
