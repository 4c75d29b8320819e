/* SPDX-License-Identifier: BSD-3-Clause */
/* The abstract constrained system: what mechanisms provide and methods solve.
 *
 *     M(q) vdot = Q(t,q,v) + D^T lambda        (1)  motion
 *     Phi(t,q)  = 0                            (2)  nh holonomic rows
 *     D v       = nu                           (3)  velocity level, all m = nh + nn rows
 *     D vdot    = gamma                        (4)  acceleration level
 *
 * q lives on a manifold (nq numbers), v is tangent to it (nv numbers). Holonomic rows come first: their D is dPhi in
 * the direction of v, their nu is -Phi_t. A nonholonomic row Psi(t,q,v) = 0 has D = dPsi/dv and nu = D v - Psi, which
 * for a row linear in v is again a function of t and q alone; rows nonlinear in v are allowed.
 * lambda is the generalised force of the constraint: it acts on the system as +D^T lambda.
 *
 * v is divided into blocks (a body, a point, ...), the rows into groups (a joint, ...), and each group touches few
 * blocks. Matrices are stored by these blocks, row-major and dense inside. A small system needs no division: leave the
 * lists NULL, then there is one block, M is nv x nv and D is m x nv. */
#ifndef HOLON_SYSTEM_H
#define HOLON_SYSTEM_H

#include <holon/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct HolPoint {
    double t;
    const double *q, *v;
} HolPoint;

/* The terms that an evaluation computes, or-ed, so that shared kinematics are computed once. */
typedef enum HolWant {
    HOL_WANT_MASS = 1 << 0,     /* M */
    HOL_WANT_FORCE = 1 << 1,    /* Q and power */
    HOL_WANT_PHI = 1 << 2,      /* Phi */
    HOL_WANT_JACOBIAN = 1 << 3, /* D */
    HOL_WANT_NU = 1 << 4,       /* nu */
    HOL_WANT_GAMMA = 1 << 5,    /* gamma */
    HOL_WANT_ENERGY = 1 << 6,   /* kinetic, potential */
    HOL_WANT_ALL = (1 << 7) - 1
} HolWant;

/* A rectangular matrix block: group x block for D, block x block for masses and tangents. */
typedef struct HolPair {
    int row, column;
} HolPair;

/* Where the blocks are stored; made by hol_system_create(). The ..._start arrays have one entry more than there are
 * parts, so that the size of a part is the difference of two neighbours. */
typedef struct HolPattern {
    int nq, nv, nh, nn, m;
    size_t memory;      /* HolSystemSpec.memory */
    double length;      /* the order of magnitude of HolSystemSpec.length: 1 from 0.02 to 45, else a power of two */
    const bool *pure;   /* nq flags, or NULL */
    double arm;         /* the same of HolSystemSpec.arm */
    const double *unit; /* nv: 1, or 1/arm of a velocity that is a pure number per time; NULL: all are 1 */
    int block_count, group_count, pair_count, mass_pair_count, tangent_count;
    const int *block_start;    /* into v */
    const int *group_start;    /* into the rows */
    const HolPair *pairs;      /* D blocks, sorted by group: row = group, column = block */
    const int *pair_start;     /* D block p begins at D[pair_start[p]] */
    const bool *own_groups;    /* group_count: see HolSystemSpec */
    const int *group_pairs;    /* pairs of group g: group_pairs[g] ... group_pairs[g+1]-1 */
    const HolPair *mass_pairs; /* mass blocks: first the block_count diagonal ones, then row > column */
    const int *mass_start;     /* mass block k begins at M[mass_start[k]] */
    const HolPair *tangents;   /* blocks of K and C: all pairs that share a group, a mass block or a coupling */
    const int *tangent_start;
} HolPattern;

/* The terms of (1)-(4) at one point. The arrays are initially zero and keep their values between calls: evaluate() need
 * not write an entry that is always zero. */
typedef struct HolTerms {
    const HolPattern *pattern;
    double *M, *Q, *Phi, *D, *nu, *gamma;
    double *K, *C; /* -d(Q + D^T lambda - M vdot)/dq and /dv, only if the system has a tangent */
    double kinetic, potential;
    double power; /* of the applied forces that have no potential */
    double *u;    /* the inputs: read by evaluate(), written by the owner of the terms; see HolSystemSpec */
    double
        *angles;   /* angles at the latest accepted state, full turns included: read by evaluate(), written by follow();
                     * zeros at first */
    double load;   /* the fraction of the applied loads that acts: 1, or less in a load step of static.h; a system may
                    * scale Q, power and potential by it or ignore it */
    void *scratch; /* scratch_size bytes for intermediate results of evaluate() */
    int undefined_group; /* written by evaluate() that returns HOL_SINGULAR: whose rows are undefined; -1: not known */
} HolTerms;

/* An event function g of the state: the system changes its form where g passes through zero. */
typedef struct HolCrossing {
    double g;    /* NAN: has no meaning at this state */
    double gdot; /* along the motion; NAN: unknown */
    double l;    /* the distance of two points, if g is that minus a constant or a constant minus it; else 0. Its square
                  * is nearly quadratic in time, so that two crossings within a step are found */
} HolCrossing;

/* A function of the state, such as a force law, over a part of a step: bounds {lowest, highest} of its value, infinite
 * if they are not known, its value and slope in the middle, and whether it may jump or have a kink in that part. */
typedef struct HolStateBounds {
    double value[2], slope[2], middle;
    bool may_switch;
} HolStateBounds;

/* The ends of a step for HolSystemOps.state_bounds: its times and what HolSystemOps.arguments wrote there. */
typedef struct HolStepEnds {
    double t[2];
    const double *from, *to;
} HolStepEnds;

/* Strains between two configurations of a step, and a displacement z from the first; see HolSystemOps.strain_forces. */
typedef struct HolStrainPath {
    double t;
    const double *q_a, *q_b, *q_m; /* the ends, and the middle (q_a + q_b)/2 */
    const double *z;
    double of_change, of_z; /* factors */
    bool at_a;              /* the forces act at q_a, else between the ends */
} HolStrainPath;

/* The name of a function of the state, for output, and whether its value is a force or torque along its argument. */
typedef struct HolStateFunction {
    const char *name;
    bool is_force;
} HolStateFunction;

/* For output: "bump-stop 'end'", "closes" where g becomes positive, "opens" where it becomes negative. */
typedef struct HolEventName {
    const char *name, *rising, *falling;
} HolEventName;

/* Bounds of a function of time over an interval: {lowest, highest} of its value and of its slope, infinite if they are
 * not known, and its value in the middle of the interval. */
typedef struct HolTimeBounds {
    double value[2], slope[2], middle;
} HolTimeBounds;

/* A jump of a prescribed motion in time. */
typedef struct HolJump {
    double t;
    const char *name;  /* of what prescribes it, such as a driver */
    const char *place; /* where it is given, such as "file:line:column"; NULL: unknown */
    bool of_velocity;  /* else of the position */
    double size;       /* the value after it minus that before it */
    const char *unit;  /* of the size; NULL: unknown */
} HolJump;

/* The whole contract of a system. evaluate() must be pure: same point, inputs, angles and load, same numbers. It may
 * return HOL_NOT_FINITE or HOL_SINGULAR where the system is not defined. */
typedef struct HolSystemOps {
    HolStatus (*evaluate)(const void *self, const HolPoint *at, unsigned want, HolTerms *terms);

    /* Optional, together: the kinematics of q. NULL means qdot = v and q_new = q + w (then nq = nv).
     * retract(q, 0) must put q back on its manifold, e.g. normalise Euler parameters. q_new may be q. */
    void (*qdot)(const void *self, const double *q, const double *v, double *qdot);
    void (*retract)(const void *self, const double *q, const double *w, double *q_new);

    /* Optional, together, where there is a qdot and M is constant: a step of a method that preserves energy, from q_a
     * to q_b (docs/methods/energy-preserving.md). displace() gives the q_b that is reached along delta, nv numbers,
     * which are h times the mean velocity of the step: d q_b/d delta = N(q_a) at delta = 0, and -delta leads back from
     * q_b to q_a. q_b may be q_a. evaluate_mean() writes the wanted ones of Q with power, D and nu at the time and mean
     * velocity of `middle`, so that
     *
     *     D delta = Phi(q_b) - Phi(q_a), exactly where possible, else to third order in delta             (5)
     *     M (v_b - v_a) = h (Q + D^T lambda)                                                              (6)
     *
     * is the balance of momentum with gyroscopic forces in Q that do no work along delta. middle->q is a configuration
     * between both, of no meaning for (5). HOL_SINGULAR where q_a and q_b are too far apart: the step is divided.
     * Without these functions such methods refuse the system. */
    void (*displace)(const void *self, const double *q_a, const double *delta, double *q_b);
    HolStatus (*evaluate_mean)(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                               unsigned want, HolTerms *terms);

    /* Optional: K and C on the tangent pattern, for implicit methods. Every entry must be written. */
    HolStatus (*tangent)(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms);

    /* Optional, only where qdot = v or with evaluate_mean: the discrete gradient of the potential, for methods that
     * preserve energy. Adds to terms->Q, which holds the forces at the midpoint q = (q_a + q_b)/2, or those of
     * evaluate_mean(), the correction that makes the work of the conservative forces exact,
     *
     *     sum of their Q . delta = V(q_a) - V(q_b),   delta = q_b - q_a where qdot = v            (7)
     *
     * and writes no other term. The correction is zero where V is at most quadratic. Without this function such
     * methods distribute one correction over the whole system, which is less accurate if some forces are stiff. */
    HolStatus (*discrete_gradient)(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                                   HolTerms *terms);

    /* Optional, with discrete_gradient and tangent: adds to terms->K, which holds the midpoint tangent, the derivative
     * of the correction for equal increments of q_a and q_b. Only the speed of convergence depends on it: a stiff part
     * that rotates is shorter at the midpoint than at both ends, so that the midpoint tangent sees compression. */
    HolStatus (*discrete_gradient_tangent)(const void *self, const HolPoint *middle, const double *q_a,
                                           const double *q_b, HolTerms *terms);

    /* Optional, together, with discrete_gradient and tangent: the strains eps(q) of elastic parts, such as the length
     * of a spring, with B = d eps/dq and a stiffness S(q_a), symmetric and positive semidefinite, by which methods damp
     * them.
     *
     * strain_stiffness() writes B^T S B at a configuration to terms->K, every entry of the tangent pattern.
     * strain_forces() adds to terms->Q, and writes no other term,
     *
     *     -X^T S (of_change (eps(q_b) - eps(q_a)) + of_z B(q_a) z),    X = B(q_a) or G,            (6)
     *     G (q_b - q_a) = eps(q_b) - eps(q_a)                                                       (7)
     *
     * where S is that of q_a, and G is B of the middle where strains are at most quadratic. Strains should not change
     * in a motion as a rigid body: then forces on them, and what damps them, leave all momenta as they are. Without
     * these functions no part of the system is damped. */
    HolStatus (*strain_stiffness)(const void *self, const HolPoint *at, HolTerms *terms);
    HolStatus (*strain_forces)(const void *self, const HolStrainPath *path, HolTerms *terms);

    /* Optional: the first time after t, up to `until`, at which a term jumps or has a kink in time; HUGE_VAL if there
     * is none. Steps end there, see docs/methods/events.md. Called with growing t, and seldom: for many steps at once.
     * Without this function steps go over jumps in time. */
    double (*next_breakpoint)(const void *self, double t, double until);

    /* Optional, with HolSystemSpec.time_function_count: bounds of the function with that index over a <= t <= b. Steps
     * are shortened where a function changes faster, see docs/methods/events.md: none is stepped over. The bounds must
     * contain all values, and become narrow with the interval. Without this function an adaptive step may miss a short
     * pulse. */
    HolTimeBounds (*time_bounds)(const void *self, int function, double a, double b);

    /* Optional: the first time after t and before `until` at which Phi jumps, or nu of a group that has no impulses.
     * False if there is none, or none was found with bounded effort. A run is refused before its first step if there
     * is one. Without this function, and beyond its effort, a run ends where it comes to a jump. */
    bool (*next_jump)(const void *self, double t, double until, HolJump *jump);

    /* Optional: the event_count event functions at a point. Steps end where one of them changes its sign. terms: for
     * inputs and scratch alone. */
    void (*events)(const void *self, const HolPoint *at, HolTerms *terms, HolCrossing *crossings);

    /* Optional, with HolSystemSpec.angle_count: writes terms->angles at an accepted state. q determines an angle within
     * half a turn only; evaluate() adds the full turns that bring it nearest to terms->angles. */
    void (*follow)(const void *self, const HolPoint *at, HolTerms *terms);

    /* Optional, with HolSystemSpec.state_function_count: two numbers for each of these functions, its argument, such as
     * a length, and the rate of that. terms: as for events. */
    void (*arguments)(const void *self, const HolPoint *at, HolTerms *terms, double *arguments);
    /* Bounds of a function over the part a ... b of a step, 0 <= a <= b <= 1, from its arguments at both ends. What the
     * function does between the points at which it is evaluated is found by them. */
    HolStateBounds (*state_bounds)(const void *self, int function, const HolStepEnds *ends, const HolTerms *terms,
                                   double a, double b);
} HolSystemOps;

typedef struct HolSystemSpec {
    const char *name;
    const HolSystemOps *ops;
    const void *self; /* passed to ops; must outlive the system */
    int nq, nv, nh, nn;
    bool constant_mass;  /* M never changes: evaluated once */
    bool constant_force; /* Q never changes: K and C have nothing of it */
    bool scleronomic;    /* nu is zero in all rows: never evaluated */
    /* The size of the system in the units of q, such as the longest distance in it: tolerances of positions are in
     * parts of its order of magnitude. 0: 1. And a lever arm by which rotations are compared with translations, such
     * as half of a usual body. 0: length. */
    double length, arm;
    /* Which numbers of q are not lengths but angles, or other pure numbers (nq flags, copied; NULL: none), and which of
     * v (nv flags, copied; NULL: as of q if nq = nv, else none). */
    const bool *pure, *pure_velocity;
    int scratch_size; /* bytes in HolTerms.scratch; its contents must not matter between two calls */
    /* The most bytes that a simulation, an equilibrium or another object of this system may take; 0: 4e9, as of
     * hol_limits(). More is HOL_NO_MEMORY with a sentence, before it is taken. */
    size_t memory;
    /* A hash of the numbers that `self` holds, or any number that changes with them: a saved simulation is refused by a
     * system with another one. */
    unsigned long long fingerprint;

    /* Inputs u: numbers from outside that may change between steps, such as the torque of a motor. They belong to each
     * simulation, not to the system; evaluate() finds them in HolTerms.u. Only Q and power may depend on them.
     * Names and values are copied. */
    int input_count;
    const char *const *input_names; /* NULL: "input 0" */
    const double *inputs;           /* initial values; NULL: zeros */

    int event_count;                 /* 0: none */
    const HolEventName *event_names; /* copied, the texts must outlive the system; NULL: "an event" */
    int angle_count;                 /* numbers in HolTerms.angles, see HolSystemOps.follow */
    /* Functions of time that the terms depend on, such as forces and prescribed motions, and the names of what they
     * belong to (copied; NULL: "function 0"). */
    int time_function_count;
    const char *const *time_function_names;
    int state_function_count; /* functions of the state whose course within a step is to be watched; 0: none */
    const HolStateFunction *state_functions; /* copied, the texts must outlive the system; NULL: "a function" */
    const bool *velocity_functions;          /* which of them are prescribed velocities (copied; NULL: none) */

    /* The division into blocks and groups, copied. A group must not mix holonomic and nonholonomic rows. */
    int block_count;
    const int *block_sizes; /* NULL: one block of nv */
    int group_count;
    const int *group_sizes;         /* NULL: one group for nh and one for nn rows */
    const char *const *group_names; /* NULL: "rows 0-4"; used in sentences */
    const bool *own_groups;         /* groups that constrain one block only, in the same way at all times, such as
                                       axes that stay unit vectors; NULL: none */
    const bool *impulsive_groups;   /* groups whose nu may jump at breakpoints, which is an impulse; NULL: none */
    /* The rows can never become linearly dependent: those of each group are independent, and the groups that are not
     * own_groups connect blocks and ground as a tree. false: not known. */
    bool no_loops;
    int pair_count;
    const HolPair *pairs; /* NULL: every group touches every block */
    int mass_pair_count;
    const HolPair *mass_pairs; /* off-diagonal mass blocks, row > column */
    int coupling_count;
    const HolPair *couplings; /* blocks that only forces couple, for K and C */
} HolSystemSpec;

typedef struct HolSystem HolSystem;

/* An empty specification. */
HolSystemSpec hol_system_spec(void);
/* On failure *system is NULL. */
HolStatus hol_system_create(const HolSystemSpec *spec, HolSystem **system, HolMessage *message);
void hol_system_destroy(HolSystem *system);

bool hol_system_has_constant_mass(const HolSystem *system);
bool hol_system_has_constant_force(const HolSystem *system);
bool hol_system_has_tangent(const HolSystem *system);
bool hol_system_has_retraction(const HolSystem *system); /* otherwise q (+) w is q + w */
bool hol_system_has_discrete_gradient(const HolSystem *system);
bool hol_system_has_mean(const HolSystem *system); /* displace() and evaluate_mean() */
bool hol_system_has_strains(const HolSystem *system);
bool hol_system_is_scleronomic(const HolSystem *system);
bool hol_system_is_flat(const HolSystem *system); /* qdot = v, so that q_new = q + w */
bool hol_system_has_no_loops(const HolSystem *system);
const HolPattern *hol_system_pattern(const HolSystem *system);
const char *hol_system_name(const HolSystem *system);
const char *hol_system_group_name(const HolSystem *system, int group);
bool hol_system_group_is_impulsive(const HolSystem *system, int group);
int hol_system_input_count(const HolSystem *system);
const char *hol_system_input_name(const HolSystem *system, int input);
int hol_system_angle_count(const HolSystem *system);
unsigned long long hol_system_fingerprint(const HolSystem *system);   /* HolSystemSpec.fingerprint; of no system 0 */
int hol_system_find_input(const HolSystem *system, const char *name); /* its index, -1: there is none */
int hol_system_event_count(const HolSystem *system);
HolEventName hol_system_event_name(const HolSystem *system, int event); /* "no such event" */

/* The terms of one thread. Only terms made by this function may be evaluated. */
HolStatus hol_terms_create(const HolSystem *system, HolTerms **terms);
void hol_terms_destroy(HolTerms *terms);

/* Calls the functions of the system; a constant mass and a zero nu are provided too. HOL_BAD_INPUT without q or v, and
 * with the terms of another system. Functions without a status then do nothing. */
HolStatus hol_system_evaluate(const HolSystem *system, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_system_qdot(const HolSystem *system, const double *q, const double *v, double *qdot);
void hol_system_retract(const HolSystem *system, const double *q, const double *w, double *q_new);
/* HOL_UNSUPPORTED where the system has no tangent. */
HolStatus hol_system_tangent(const HolSystem *system, const HolPoint *at, const double *vdot, const double *lambda,
                             HolTerms *terms);

void hol_system_events(const HolSystem *system, const HolPoint *at, HolTerms *terms, HolCrossing *crossings);
/* HUGE_VAL: none up to there. */
double hol_system_next_breakpoint(const HolSystem *system, double t, double until);
int hol_system_time_function_count(const HolSystem *system);
const char *hol_system_time_function_name(const HolSystem *system, int function); /* "no such function" */
bool hol_system_function_is_velocity(const HolSystem *system, int function);
/* Everything is possible if there is no such function, or the interval is none. */
HolTimeBounds hol_system_time_bounds(const HolSystem *system, int function, double a, double b);
/* False without next_jump(). */
bool hol_system_next_jump(const HolSystem *system, double t, double until, HolJump *jump);
/* "the prescribed velocity jumps by 3 rad/s at t = 0.5 s, which takes an infinite force; ..."; of NULL "" */
void hol_jump_describe(const HolJump *jump, HolMessage *message);

/* q_b that is reached from q_a along delta in a step; q_a + delta where qdot = v. Nothing where there is neither. */
void hol_system_displace(const HolSystem *system, const double *q_a, const double *delta, double *q_b);
/* Q, D and nu of a step from q_a to q_b: want of HOL_WANT_FORCE, HOL_WANT_JACOBIAN and HOL_WANT_NU. HOL_UNSUPPORTED
 * where there is no such function. */
HolStatus hol_system_evaluate_mean(const HolSystem *system, const HolPoint *middle, const double *q_a,
                                   const double *q_b, unsigned want, HolTerms *terms);

/* Adds to terms->Q, which must hold the forces at the midpoint. HOL_UNSUPPORTED where there is none. */
HolStatus hol_system_discrete_gradient(const HolSystem *system, const HolPoint *middle, const double *q_a,
                                       const double *q_b, HolTerms *terms);
/* Adds to terms->K, which must hold the tangent at the midpoint; nothing if there is none. */
HolStatus hol_system_discrete_gradient_tangent(const HolSystem *system, const HolPoint *middle, const double *q_a,
                                               const double *q_b, HolTerms *terms);
/* HOL_UNSUPPORTED where there are no strains. */
HolStatus hol_system_strain_stiffness(const HolSystem *system, const HolPoint *at, HolTerms *terms);
HolStatus hol_system_strain_forces(const HolSystem *system, const HolStrainPath *path, HolTerms *terms);
/* After an accepted step; nothing without follow(). */
void hol_system_follow(const HolSystem *system, const HolPoint *at, HolTerms *terms);

/* Compares every term with finite differences of the others at one point (q on its manifold, not necessarily on the
 * constraints): D against Phi (and Psi), nu, gamma, symmetry, definiteness and constancy of the mass, qdot against
 * retract, energy against Q and power, the tangent, the mean of a step, the discrete gradient, the strains, and that
 * inputs change nothing but Q and power. HOL_BAD_INPUT and a sentence that names the first wrong term, its row and
 * column, what it is and what it should be. Nonholonomic D and nu cannot be compared with a Psi that is not given; for
 * them (3) and (4) are compared. */
HolStatus hol_system_check(const HolSystem *system, const HolPoint *at, HolMessage *message);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
