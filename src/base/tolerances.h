/* SPDX-License-Identifier: BSD-3-Clause */
/* The tolerances of the library. Every threshold that decides something is one of these, or derived from one in place
 * (`10 * HOL_TOL_ROUNDING`), so that this page answers how small counts as zero. tools/check_tolerances.sh rejects
 * others.
 *
 * All are pure numbers: what is compared is first divided by a size of its own kind. A pivot is divided by the diagonal
 * it came from, a row by its largest entry, a force by the forces it balances, a time by the step. Positions are
 * divided by hol_position_size(), the size of the mechanism as drawn plus |q|; rotations are compared with translations
 * at the lever arm of the joints (hol_motion_norm(), hol_jacobian_in_units()); velocities and accelerations at rest,
 * which have no size of their own, with those that take a thousand steps for that size (HolWorkspace.slow, gentle). A
 * model in micrometres and the same one in kilometres give the same verdicts (tests/contract/scaling.c). Sizes from
 * 0.02 to 45 count as 1, others as the nearest power of two. Doubles carry 2.2e-16. */
#ifndef HOLON_BASE_TOLERANCES_H
#define HOLON_BASE_TOLERANCES_H

#include <float.h>

/* n roundings of numbers of size 1: what n operations may lose, where they can be counted. */
#define HOL_ROUNDINGS(n) ((n)*DBL_EPSILON)
/* An iteration whose residual no longer shrinks is taken for rounding below this, ten thousand roundings of a position
 * or velocity; above, it fails. Used by projections. */
#define HOL_TOL_STALLED HOL_ROUNDINGS(1e4)
/* A pivot relative to its diagonal entry before elimination: the matrix is singular to rounding. Five units in the last
 * place, one for each of the few operations on a pivot. Larger values would stop mechanisms that pass close to a
 * singular configuration. Used by all factorisations. */
#define HOL_TOL_PIVOT 1e-15
/* What is left of a residual once Newton's iteration has converged, relative to its size; it costs one more iteration
 * at most. Used by projections, assembly, whole steps and the sharing of reactions. */
#define HOL_TOL_CONVERGED 1e-14
/* Rounding of a sum of a hundred terms or of one pass of elimination, relative to the largest term. */
#define HOL_TOL_ROUNDING 1e-13
/* The same after the solution of equations of ordinary condition (1e2 to 1e4), and of numbers that people have typed
 * with all their digits. Twice amplified it is written as 10 times this. */
#define HOL_TOL_AMPLIFIED 1e-12
/* The default tolerance of iterations inside a step and of equilibria, relative to the size of their unknowns: well
 * below the error of any step, well above rounding. Larger values show in energy and in reactions. */
#define HOL_TOL_ITERATION 1e-10

/* The sine of the angle between a constraint row and the span of the others, at or below which it is redundant.
 * Redundant rows of exact models come to 1e-15, of models typed with ten digits to 1e-10; independent rows of long
 * chains come down to 1e-7. */
#define HOL_TOL_RANK 1e-9
/* A row once left out must show this sine to be taken again (hysteresis), or a slightly inconsistent redundant row
 * would lock the mechanism. Also the pivot of a dense factorisation, relative to the largest, below which a direction
 * is free. */
#define HOL_TOL_RANK_STILL 1e-6
/* Redundant rows that have drifted apart show a sine of about their violation over the lengths of the bodies: the limit
 * grows by this factor times the relative violation, */
#define HOL_TOL_RANK_PER_VIOLATION 100
/* but not beyond this value, above which independent rows would be taken for redundant. */
#define HOL_TOL_RANK_MOST 1e-3

/* Points closer than this part of the size of the model, or of their coordinates, coincide. The rounding of coordinates
 * that expressions work out is a thousandth of it. */
#define HOL_TOL_LENGTH 1e-12
/* The sine of the angle at which two directions are parallel: squares of it are still above rounding. */
#define HOL_TOL_PARALLEL 1e-6
/* Two values of one quantity that came by different ways (typed twice, or a part against the whole) are equal, in parts
 * of the larger. Nine digits are more than anybody measures. */
#define HOL_TOL_EQUAL 1e-9

/* Two times are the same, relative to the interval between records or to the whole run. */
#define HOL_TOL_TIME 1e-9
/* A step, or an interval between records, that is shorter than this part of the time itself: most of it would be
 * rounding, and a little less does not advance time at all. */
#define HOL_TOL_ADVANCE HOL_ROUNDINGS(16)
/* A step that would miss the end by less than this part of itself ends there. */
#define HOL_TOL_STEP 1e-6

/* The misfit of a singular configuration, relative to the size of positions, that is rounding: models of exact geometry
 * show up to 1e-15. */
#define HOL_TOL_MISFIT HOL_ROUNDINGS(50)
/* A larger one makes the motion turn next to the singular configuration. Below this value the turn cannot be followed:
 * rounding of positions rotates the motion there by HOL_ROUNDINGS(1) over this. */
#define HOL_TOL_TURN (10 * HOL_TOL_AMPLIFIED)

/* Half of all digits: what remains of a difference whose square is at rounding. */
#define HOL_TOL_HALF 1e-8
/* Two results are the same: six digits, what a reader compares. */
#define HOL_TOL_SAME 1e-6
/* A mass, relative to the largest, that a row must see at least to be weighed by it. */
#define HOL_TOL_MASS 1e-6
/* A part that does not matter: a thousandth. */
#define HOL_TOL_SMALL 1e-3

/* The step of finite differences of fourth order, relative to what changes: the fifth root of rounding. */
#define HOL_DIFFERENCE_STEP 1e-3

/* Limits of verdicts (simulate/verdict), relative to the motion and its energy: a result is good up to the first, bad
 * above the second, doubtful between. A tenth of the motion is wrong, a hundredth is not; the sweep of docs/truth.md is
 * what these were chosen by. */
#define HOL_GOOD_VIOLATION 1e-3
#define HOL_DOUBTFUL_VIOLATION 0.1
#define HOL_GOOD_ENERGY 5e-3
#define HOL_DOUBTFUL_ENERGY 0.3
#define HOL_GOOD_ERROR 5e-3
#define HOL_WRONG_ERROR 0.1

/* Errors that the motion enlarges by more than this belong to a sensitive motion: ten cycles of an oscillation whose
 * period depends on its amplitude enlarge them by less. */
#define HOL_GOOD_SENSITIVITY 100
#define HOL_LOG_LARGEST 690 /* of what exp() can return */

/* Fractions that steer searches and iterations: each is a part of a quantity of the same kind, named here, and scales
 * with it; angles are weighed by masses. None decides what counts as zero. */
#define HOL_PART_NEAR 0.3           /* of the largest sine so far: near a singular configuration, */
#define HOL_PART_TOUCHING 0.2       /* at one if the sines are on no line, */
#define HOL_PART_LOST_NEAR 0.05     /* and so near that accelerations may be lost */
#define HOL_PART_TURN 0.05          /* of the time to a singular configuration: a step that resolves the turn there */
#define HOL_PART_TURN_ADAPTIVE 0.5  /* the same if its error is controlled */
#define HOL_PART_TURN_SHORTEST 2e-3 /* of the width of the turn: no step needs to be shorter */
#define HOL_WIDTHS_OF_TURN 3        /* from its middle: nearer, the motion is no longer that of one branch */
#define HOL_PART_OF_MISFIT 0.1      /* the residual of a constraint equation that decides how a motion turns there */
#define HOL_PART_FALLEN 0.5         /* of the singular value some steps before: it falls to zero */
#define HOL_PART_STRAIGHT 0.2       /* of a sine or time: by which it may miss its prediction on a line */
#define HOL_PART_SAME_TIME 0.02     /* of the time left: two estimates of a singular configuration agree */
#define HOL_PART_GRAZING 0.1        /* of an event function at the ends of a step: nearer to zero it is looked at */
#define HOL_PART_UNSEEN 0.01 /* of a force law: what steps may miss of it between the points that they evaluate */
#define HOL_PART_UNSEEN_ENERGY 1e-4   /* of the energy in motion: the same of its work, which then does not matter */
#define HOL_PART_BETWEEN 0.05         /* of the path from one event to the next: two ways to step along it agree */
#define HOL_PART_ACROSS_EVENT 0.1     /* of the nominal step: a step with an event in it gets no shorter by its error */
#define HOL_PART_JUMP 0.01            /* of the kinetic energy: energy has jumped, steps change it by less */
#define HOL_PART_SCALED 0.1           /* of velocities: the most by which a new branch scales them */
#define HOL_PART_AS_MUCH 0.8          /* of the largest share: almost as large, so the later one is named */
#define HOL_SINE_SMALL 0.1            /* a larger one is not near to singular */
#define HOL_SINE_SAME_SHAPE 0.05      /* between modes that have one shape */
#define HOL_COSINE_SAME_WAY 0.99      /* between velocities before and after, on one branch */
#define HOL_COSINE_APART 0.95         /* the largest between two distinct branches */
#define HOL_COSINE_ALONG 0.97         /* the least of a motion that follows a branch */
#define HOL_PART_FIRST_SHIFT 0.01     /* of K / M: a shift above the frequencies searched */
#define HOL_PART_SHIFT 0.05           /* of the wanted omega^2: below all of them, yet not far */
#define HOL_PART_DEVIATION 0.1        /* of P q: a step rotates v by up to Omega h / 2, */
#define HOL_PART_SPEED 0.01           /* and changes its component along P q by less */
#define HOL_PART_MISSED 0.05          /* of the largest correction: a row left out that misses more was wrong */
#define HOL_PART_OF_ACCELERATION 0.1  /* of max |vdot|: what misses are compared with at rest, where gamma vanishes */
#define HOL_PART_REDUCED 0.1          /* of a violation: a correction that leaves less was near enough */
#define HOL_PART_STALLED 0.95         /* of the change before: one that is larger no longer shrinks */
#define HOL_PART_SLOW 0.2             /* of the change before: a larger one calls for a new matrix */
#define HOL_PART_SHORTER 0.75         /* of the Newton step before; near a singular solution they halve */
#define HOL_PART_BETTER 0.9           /* of the least residual so far: a descent was not in vain */
#define HOL_PART_AS_GOOD 0.99         /* of the volume of the rows kept: an exchange for an earlier row keeps it */
#define HOL_PART_UNRESISTED 0.99      /* of a step by damping alone: no stiffness resists it */
#define HOL_PART_ENERGY_JUMP 0.1      /* of the largest kinetic energy so far: more in one step calls for a probe */
#define HOL_GROWTH_UNSTABLE 1.1       /* amplification per step: by 1e4 in a hundred of them */
#define HOL_PART_GROWTH 1e-3          /* of the phase: growth of a motion by steps that resolve it */
#define HOL_PHASE_VIBRATION 0.3       /* rad per step of rk4: a vibration is resolved, */
#define HOL_PHASE_ROTATION 0.1        /* a rotation, which goes on for many turns, */
#define HOL_PHASE_ROTATION_LEAST 0.01 /* and needs no shorter steps, however long the run is, */
#define HOL_PHASE_STOP 0.4            /* and the brief contact of a stop, which loses 1e-3 of its height */
#define HOL_PART_DEPTH 0.01           /* of the size of the system: by which stops are compressed at most */
#define HOL_PART_SAME_RATE 0.02       /* of the rate of the fastest motion: its iteration has converged */
#define HOL_PART_STILL 0.1            /* of the motion: coordinates that move less are compared with this */
#define HOL_PART_OF_IMPULSE 2e-3      /* of the impulse of a force around a step: what the step may miss, */
#define HOL_PART_OF_VELOCITY 0.01     /* of the range of a prescribed velocity, the same, */
#define HOL_PART_HIDDEN_IMPULSE 0.05  /* and what the bounds of both allow between the points that are looked at */
#define HOL_PART_HIDDEN_VELOCITY 0.3
#define HOL_PART_SHORTEST 0x1p-26 /* of the nominal step: a function that needs shorter ones is not resolved */
#define HOL_DOMINANCE 1e3         /* of a penalty over the largest mass: a step takes nearly all residual away */

#endif
