/* SPDX-License-Identifier: BSD-3-Clause */
/* What a force is: one kind is one file in forces/ ending in one const table, plus one line in its registry.c. */
#ifndef HOLON_MECHANISM_FORCE_H
#define HOLON_MECHANISM_FORCE_H

#include "mechanism/builder.h"
#include "mechanism/motion.h"

struct HolForceKind {
    HolKind kind;
    bool is_load; /* applied, and scaled by HolTerms.load: the same wherever bodies are, but for how they are turned */

    /* From the values to force->self (in the builder's arena) and force->body. Errors go to the builder's reader. */
    void (*build)(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force);

    /* Adds its Q; the power of what has no potential goes to terms->power. Velocities are there. */
    void (*apply)(const HolForce *force, const HolMotion *motion);
    double (*potential)(const HolForce *force, const HolMotion *motion); /* NULL: none */
    /* Adds -dQ/dq to K and -dQ/dv to C at force->tangent. NULL: neither q nor v matters. */
    void (*tangent)(const HolForce *force, const HolMotion *motion);
    /* Adds what its potential lacks along a chord (motion.h). NULL: it has no potential. */
    void (*chord)(const HolForce *force, const HolChordMotion *chord);
    /* Where it acts, for pictures: 2 ends of a line, or 1 place; returns how many. NULL: none in particular. */
    int (*ends)(const HolForce *force, const HolMechanism *mechanism, HolMark ends[2]);
};

extern const HolForceKind *const hol_force_kinds[]; /* NULL-terminated */

#endif
