/* SPDX-License-Identifier: BSD-3-Clause */
/* Small motions about a state: eigenvalues s and shapes y of motions y e^(s t) that the constraints allow.
 *
 *     HolModesOptions options = hol_modes_options();
 *     status = hol_modes(system, &state, &options, &modes, &message);
 *     ... modes->modes[i].frequency ...
 *     hol_modes_destroy(modes);
 *
 * The state is a static equilibrium or a steady motion; docs/methods/modes.md defines both and describes the method for
 * systems that are too large for dense matrices. The system must have a tangent. */
#ifndef HOLON_MODES_H
#define HOLON_MODES_H

#include <holon/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum HolModesMethod {
    HOL_MODES_AUTOMATIC, /* complete up to HOL_MODES_DENSE velocities and where LOWEST does not apply */
    HOL_MODES_COMPLETE,  /* dense: all modes, exact for damping, gyroscopic terms and nonholonomic rows */
    HOL_MODES_LOWEST     /* sparse: the lowest modes of an equilibrium; damping projected onto them */
} HolModesMethod;

enum { HOL_MODES_DENSE = 400, HOL_MODES_MAX_DENSE = 2000 };

/* How vectors of positions and velocities rotate with the frame in which a motion is steady; docs/methods/modes.md. */
typedef struct HolTurning {
    void (*turn)(const void *self, const double *x, double *position, double *velocity); /* nv numbers each */
    const void *self;
} HolTurning;

typedef struct HolModesOptions {
    int count; /* of modes wanted, slowest first; 0: all of the complete method, 10 of the sparse one */
    HolModesMethod method;
    HolTurning turning; /* turn NULL: the frame does not rotate */
} HolModesOptions;

typedef struct HolMode {
    double real, imaginary;        /* s in 1/s and rad/s; of a pair the one with imaginary > 0 */
    double frequency;              /* |imaginary| / (2 pi), Hz */
    double damping;                /* -real / |s|, from -1 to 1; NAN where s is zero */
    bool is_zero;                  /* a rigid-body or neutral motion: neither restored nor driven away */
    const double *shape;           /* nv numbers, the largest of magnitude 1: y, or its real part */
    const double *shape_imaginary; /* nv numbers; zeros if all parts move in phase */
} HolMode;

typedef struct HolModes {
    int count; /* of modes reported, by rising |s|; among equal |s| the fastest growing first */
    const HolMode *modes;
    int dof;            /* independent velocities */
    int zero_count;     /* of the modes reported */
    int unstable_count; /* of the modes reported: s with real > 0 */
    bool is_complete;   /* all modes, apart from massless directions */
    bool is_undamped;   /* no damping, no gyroscopic terms, symmetric stiffness */
    bool is_steady;     /* the state is constant as seen from the rotating frame */
    bool state_refined; /* it is not the one given, but the steady motion beside it: hol_mechanism_modes() */
    int iterations;     /* of the sparse method */
} HolModes;

HolModesOptions hol_modes_options(void);

/* v and vdot of the state may be NULL: at rest. lambda must be given where there are rows. HOL_UNSUPPORTED and a
 * sentence where the method does not apply to the state, for example if its stresses are means over a step
 * (HolState.q_before); HOL_NO_CONVERGENCE of the sparse method. On failure *modes is NULL. */
HolStatus hol_modes(const HolSystem *system, const HolState *at, const HolModesOptions *options, HolModes **modes,
                    HolMessage *message);
void hol_modes_destroy(HolModes *modes);

/* The same for a mechanism whose motion is steady in a frame that rotates about the origin with this angular velocity
 * (global axes, rad/s; NULL: no rotation; in the plane the third component counts). options->turning is ignored. If the
 * stresses of the state are means over a step, the nearest steady motion is computed first. */
HolStatus hol_mechanism_modes(const HolMechanism *mechanism, const HolState *at, const double *angular_velocity,
                              const HolModesOptions *options, HolModes **modes, HolMessage *message);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
