/* SPDX-License-Identifier: BSD-3-Clause */
/* The abstract constrained system, the one thing that mechanisms and methods share.
 *
 *     M(q) vdot = Q(t,q,v) + D^T lambda        (1)  motion
 *     Phi(t,q)  = 0                            (2)  nh holonomic rows
 *     D v       = nu                           (3)  velocity level, all m = nh + nn rows
 *     D vdot    = gamma                        (4)  acceleration level
 *
 * q lives on a manifold (nq numbers), v is tangent to it (nv numbers). Holonomic rows come first: their D is dPhi in
 * the direction of v, their nu is -Phi_t. A nonholonomic row Psi(t,q,v) = 0 has D = dPsi/dv and nu = D v - Psi, which
 * for a row linear in v is again a function of t and q alone; nonlinear rows are welcome.
 * lambda is the generalised force of the constraint: it acts on the system as +D^T lambda.
 *
 * v is divided into blocks (a body, a point, ...), the rows into groups (a joint, ...), and each group touches few
 * blocks. Matrices are stored by these blocks, row-major and dense inside. A small system needs no division: leave the
 * lists NULL, then there is one block, M is nv x nv and D is m x nv. */
#ifndef HOLON_SYSTEM_H
#define HOLON_SYSTEM_H

#include <holon/status.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HolPoint {
    double t;
    const double *q, *v;
} HolPoint;

/* What an evaluation is asked for, or-ed, so that shared kinematics are computed once. */
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

/* Where the blocks stand; made by hol_system_create(), read by everyone. Starts have one entry more than there are
 * parts, so that a part's size is the difference of two neighbours. */
typedef struct HolPattern {
    int nq, nv, nh, nn, m;
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

/* The terms of (1)-(4) at one point. The arrays begin as zeros, keep their values between calls and are written by
 * nobody else: an entry that is always zero need not be written. */
typedef struct HolTerms {
    const HolPattern *pattern;
    double *M, *Q, *Phi, *D, *nu, *gamma;
    double *K, *C; /* -d(Q + D^T lambda - M vdot)/dq and /dv, only if the system has a tangent */
    double kinetic, potential;
    double power;  /* of the applied forces that have no potential */
    double *u;     /* the inputs: read by evaluate(), written by who owns the terms; see HolSystemSpec */
    double load;   /* 1: the part of the applied loads that acts, less only on the way to an equilibrium (static.h); Q,
                    * power and potential may follow it or not care */
    void *scratch; /* scratch_size bytes of the system's own, for what evaluate() computes on the way */
} HolTerms;

/* The whole contract of a system. evaluate() must be pure: same point, inputs and load, same numbers. It may return
 * HOL_NOT_FINITE or HOL_SINGULAR where the system is not defined. */
typedef struct HolSystemOps {
    HolStatus (*evaluate)(const void *self, const HolPoint *at, unsigned want, HolTerms *terms);

    /* Optional, together: how q moves. NULL means qdot = v and q_new = q + w (then nq = nv).
     * retract(q, 0) must put q back on its manifold, e.g. normalise Euler parameters. q_new may be q. */
    void (*qdot)(const void *self, const double *q, const double *v, double *qdot);
    void (*retract)(const void *self, const double *q, const double *w, double *q_new);

    /* Optional: K and C on the tangent pattern, for implicit methods. Every entry must be written. */
    HolStatus (*tangent)(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms);

    /* Optional, only where qdot = v: forces whose work between two configurations is exact, for methods that keep the
     * energy. Adds to terms->Q, which hold the forces at the middle, q = (q_a + q_b)/2, what those with a potential
     * lack for
     *
     *     sum of their Q . (q_b - q_a) = V(q_a) - V(q_b)                                      (5)
     *
     * and overwrites no other term. Nothing is lacking where V is at most quadratic. Without it such methods spread
     * what all forces together lack over the whole system, which is less good where some are stiff. */
    HolStatus (*chord)(const void *self, const HolPoint *middle, const double *q_a, const double *q_b, HolTerms *terms);

    /* Optional, with chord and tangent: adds to terms->K, which holds that of the middle, by how much the forces of the
     * chord change more where both of its ends move alike. Only the speed of iterations depends on it, which is worth
     * it where a stiff part turns: its middle is shorter than both ends and would seem to be pressed together. */
    HolStatus (*chord_tangent)(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                               HolTerms *terms);
} HolSystemOps;

typedef struct HolSystemSpec {
    const char *name;
    const HolSystemOps *ops;
    const void *self; /* passed to ops; must outlive the system */
    int nq, nv, nh, nn;
    bool constant_mass;  /* M never changes: evaluated once */
    bool constant_force; /* Q never changes: K and C have nothing of it */
    bool scleronomic;    /* nu is zero in all rows: never evaluated */
    int scratch_size;    /* bytes in HolTerms.scratch; what stands there between two calls must not matter */

    /* Inputs u: numbers from outside that may change between steps, such as the torque of a motor. They belong to each
     * simulation, not to the system; evaluate() finds them in HolTerms.u. Only Q and power may depend on them. Copied
     * are names and values. */
    int input_count;
    const char *const *input_names; /* NULL: "input 0" */
    const double *inputs;           /* as long as nobody sets others; NULL: zeros */

    /* The division, copied. Groups must not mix holonomic and nonholonomic rows. */
    int block_count;
    const int *block_sizes; /* NULL: one block of nv */
    int group_count;
    const int *group_sizes;         /* NULL: one group for nh and one for nn rows */
    const char *const *group_names; /* NULL: "rows 0-4"; used in sentences */
    const bool *own_groups;         /* which tie the numbers of one block to each other, to nothing else and at all
                                       times alike, such as axes that stay unit vectors; NULL: none is known to */
    /* Rows cannot come to depend on each other: those of a group do not by themselves, and groups that are no own ones
     * join blocks and ground as a tree. false: not known. */
    bool no_loops;
    int pair_count;
    const HolPair *pairs; /* NULL: every group touches every block */
    int mass_pair_count;
    const HolPair *mass_pairs; /* off-diagonal mass blocks, row > column */
    int coupling_count;
    const HolPair *couplings; /* blocks that only forces couple, for K and C */
} HolSystemSpec;

typedef struct HolSystem HolSystem;

/* A spec with nothing set. */
HolSystemSpec hol_system_spec(void);
/* On failure *system is NULL. */
HolStatus hol_system_create(const HolSystemSpec *spec, HolSystem **system, HolMessage *message);
void hol_system_destroy(HolSystem *system);

bool hol_system_has_constant_mass(const HolSystem *system);
bool hol_system_has_constant_force(const HolSystem *system);
bool hol_system_has_tangent(const HolSystem *system);
bool hol_system_has_retraction(const HolSystem *system); /* of its own; else q (+) w is q + w */
bool hol_system_has_chord(const HolSystem *system);
bool hol_system_is_scleronomic(const HolSystem *system);
bool hol_system_is_flat(const HolSystem *system); /* qdot = v, so that q_new = q + w */
bool hol_system_has_no_loops(const HolSystem *system);
const HolPattern *hol_system_pattern(const HolSystem *system);
const char *hol_system_name(const HolSystem *system);
const char *hol_system_group_name(const HolSystem *system, int group);
int hol_system_input_count(const HolSystem *system);
const char *hol_system_input_name(const HolSystem *system, int input);
int hol_system_find_input(const HolSystem *system, const char *name); /* its index, -1: there is none */

/* Memory for the terms of one thread; no other HolTerms may be evaluated. */
HolStatus hol_terms_create(const HolSystem *system, HolTerms **terms);
void hol_terms_destroy(HolTerms *terms);

/* Evaluates through the system's own functions, constant mass and zero nu included. */
HolStatus hol_system_evaluate(const HolSystem *system, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_system_qdot(const HolSystem *system, const double *q, const double *v, double *qdot);
void hol_system_retract(const HolSystem *system, const double *q, const double *w, double *q_new);
/* HOL_UNSUPPORTED where the system has no tangent. */
HolStatus hol_system_tangent(const HolSystem *system, const HolPoint *at, const double *vdot, const double *lambda,
                             HolTerms *terms);

/* Adds to terms->Q, which must hold the forces at the middle. HOL_UNSUPPORTED where the system has no chord. */
HolStatus hol_system_chord(const HolSystem *system, const HolPoint *middle, const double *q_a, const double *q_b,
                           HolTerms *terms);
/* Adds to terms->K, which must hold that of the middle; nothing where the system has no chord_tangent. */
HolStatus hol_system_chord_tangent(const HolSystem *system, const HolPoint *middle, const double *q_a,
                                   const double *q_b, HolTerms *terms);

/* Compares every term with finite differences of the others at one point (q on its manifold, not necessarily on the
 * constraints): D against Phi (and Psi), nu, gamma, symmetry, definiteness and constancy of the mass, qdot against
 * retract, energy against Q and power, the tangent, the work of a chord, and that inputs change nothing but Q and
 * power. HOL_BAD_INPUT and a sentence that names the first wrong term, its row and column, what it is and what it
 * should be. Nonholonomic D and nu cannot be compared with a Psi that is not given; for them (3) and (4) are
 * compared. */
HolStatus hol_system_check(const HolSystem *system, const HolPoint *at, HolMessage *message);

#ifdef __cplusplus
}
#endif

#endif
