/* SPDX-License-Identifier: BSD-3-Clause */
/* Small motions about a state: eigenvalues s and shapes y of motions y e^(s t) that the constraints allow.
 *
 *     HolModesOptions options = hol_modes_options();
 *     status = hol_modes(system, &state, &options, &modes, &message);
 *     ... modes->modes[i].frequency ...
 *     hol_modes_destroy(modes);
 *
 * The state is one at rest, or one of steady motion: see docs/methods/modes.md for what that means and what is done for
 * systems that are too large for dense matrices. The system must have a tangent. */
#ifndef HOLON_MODES_H
#define HOLON_MODES_H

#include <holon/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum HolModesMethod {
    HOL_MODES_AUTOMATIC, /* complete up to HOL_MODES_DENSE velocities, and where only that can do it; else lowest */
    HOL_MODES_COMPLETE,  /* dense: all modes, damping, gyroscopic terms and nonholonomic rows exactly */
    HOL_MODES_LOWEST     /* sparse: the lowest ones of a state at rest; damping as seen by these */
} HolModesMethod;

enum { HOL_MODES_DENSE = 400, HOL_MODES_MOST_DENSE = 2000 };

/* How vectors of positions and velocities turn with the frame in which a motion is steady; see the page. */
typedef struct HolTurning {
    void (*turn)(const void *self, const double *x, double *position, double *velocity); /* nv numbers each */
    const void *self;
} HolTurning;

typedef struct HolModesOptions {
    int count; /* modes wanted, the slowest ones; 0: all, if the method is complete, else 10 */
    HolModesMethod method;
    HolTurning turning; /* turn NULL: nothing turns */
} HolModesOptions;

typedef struct HolMode {
    double real, imaginary;        /* s in 1/s and rad/s; of a pair the one with imaginary > 0 */
    double frequency;              /* |imaginary| / (2 pi), Hz */
    double damping;                /* -real / |s|, from -1 to 1; NAN where s is zero */
    bool is_zero;                  /* nothing brings it back, and nothing drives it away */
    const double *shape;           /* nv numbers, of largest size 1: y, or its real part */
    const double *shape_imaginary; /* nv numbers; zeros where all parts move in step */
} HolMode;

typedef struct HolModes {
    int count; /* of modes told, by rising |s|, those that grow fastest first among equals */
    const HolMode *modes;
    int dof;            /* independent velocities */
    int zero_count;     /* of the modes told */
    int unstable_count; /* of the modes told: s with real > 0 */
    bool is_complete;   /* all modes there are, but for massless directions */
    bool is_undamped;   /* no damping, no gyroscopic terms, symmetric stiffness */
    bool is_steady;     /* the state goes on as it is, seen from the turning frame */
    bool is_settled;    /* it is not the one given, but the steady motion beside it: hol_mechanism_modes() */
    int iterations;     /* of the sparse method */
} HolModes;

HolModesOptions hol_modes_options(void);

/* v and vdot of the state may be NULL: at rest. lambda must be given where there are rows. HOL_UNSUPPORTED and a
 * sentence where the method cannot treat the state, as where its stresses are means of a step (HolState.q_before) that
 * it does not have itself; HOL_NO_CONVERGENCE of the sparse method. On failure *modes is NULL. */
HolStatus hol_modes(const HolSystem *system, const HolState *at, const HolModesOptions *options, HolModes **modes,
                    HolMessage *message);
void hol_modes_destroy(HolModes *modes);

/* The same of a mechanism in a motion that is steady in a frame which turns about the origin with this angular velocity
 * (global axes, rad/s; NULL: it does not turn; in the plane the third counts). options->turning is not looked at. Where
 * the stresses of the state are means of a step, the steady motion beside it is found first. */
HolStatus hol_mechanism_modes(const HolMechanism *mechanism, const HolState *at, const double *angular_velocity,
                              const HolModesOptions *options, HolModes **modes, HolMessage *message);

#ifdef __cplusplus
}
#endif

#endif
