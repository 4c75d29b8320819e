/* SPDX-License-Identifier: BSD-3-Clause */
/* Detection of singular configurations: where the rows of D lose rank and the motion may continue on another branch.
 *
 * Each accepted state is characterised by s = sqrt(smallest pivot), the sine of the angle between a row and the others.
 * Near a singular configuration at t* it is proportional to |t - t*|, a straight line if its sign changes there. Three
 * consecutive states on such a line, falling and then rising, are a passage; states that bend away from zero are
 * not.                                                                                                           (1)
 *
 * After a passage the velocity should be the one before, continued by its acceleration:
 *
 *     v_c = v_0 + (t_2 - t_0) vdot_0,      cos = v_c . M v_2 / |v_c|_M |v_2|_M                                   (2)
 *
 * If the cosine is small, the mechanism has changed its branch. */
#ifndef HOLON_SIMULATE_SINGULAR_DETECTOR_H
#define HOLON_SIMULATE_SINGULAR_DETECTOR_H

#include <holon/simulation.h>

#include "base/archive.h"
#include "linalg/rank/independent_rows.h"
#include "linalg/rank/smallest_singular.h"
#include "system/workspace.h"

enum { HOL_DETECTOR_SAMPLES = 3 };

typedef struct HolDetectorSample {
    double t, sine, drift, kinetic;
    bool has_lost_acceleration; /* to rounding (branch.h) */
    bool is_recovered;          /* the run was corrected here */
    bool is_after_crossing;     /* the step to here began at the state before the previous one, */
    bool has_passage;           /* and passed a singular configuration */
    double *q, *v, *vdot;
} HolDetectorSample;

/* The motions that are possible at a singular configuration (branches.h). */
typedef struct HolBranches {
    double t;
    bool are_known;
    double *q;
    double *v[2]; /* of the run, and of the other branch */
} HolBranches;

typedef enum HolCriticalKind {
    HOL_CRITICAL_NONE,      /* no singular configuration is near */
    HOL_CRITICAL_MISSED,    /* the motion turns next to one, from one branch into the other */
    HOL_CRITICAL_AMBIGUOUS, /* the same, but the turn is lost to rounding */
    HOL_CRITICAL_REACHED,   /* the motion passes it */
    HOL_CRITICAL_UNKNOWN,   /* it is singular, but more than one direction becomes free or constraints are driven */
} HolCriticalKind;

/* The singular configuration next to the motion (critical.h). */
typedef struct HolCritical {
    HolCriticalKind kind;
    double t;                /* about when the motion is nearest to it */
    double width;            /* of the turn, as a time */
    double seen, distance;   /* when it was examined, and how far the turn was then, as a time */
    double misfit, residual; /* (2) of critical.h, and y^T Phi when it was examined */
} HolCritical;

enum { HOL_MAX_BRANCHES = 8 }; /* that are kept */

typedef struct HolDetector {
    const HolPattern *pattern;
    bool is_disabled; /* a system without loops has no singular configurations */
    HolSchur *schur;  /* D D^T, for formulations that do not report their pivots, and for names */
    HolRowChoice *rows;
    unsigned char *left_out; /* m flags: redundant rows */
    unsigned char *candidates;
    int left_out_count;
    HolDetectorSample samples[HOL_DETECTOR_SAMPLES]; /* accepted, latest first */
    int sample_count;
    bool began_singular;
    HolDetectorSample initial;
    bool initial_is_suspect;             /* it may have been near a singular configuration, */
    HolPassage initial_passage;          /* which is this one */
    HolDetectorSample trial;             /* the state that may be accepted next, */
    bool has_passage;                    /* whether it has passed a singular configuration, */
    HolPassage passage;                  /* which is this one */
    bool is_repair;                      /* though it is none: the step is only replaced */
    double max_sine, max_kinetic_energy; /* so far */
    HolPassage passages[HOL_MAX_PASSAGES];
    int count;                                   /* of the passages kept */
    HolBranches branches;                        /* of the latest passage */
    HolBranches kept_branches[HOL_MAX_BRANCHES]; /* of passages that are reported */
    int branches_index[HOL_MAX_PASSAGES];        /* into them, -1: not kept */
    int branches_count;
    HolSmallest *smallest;
    long events; /* all passages */
    long changes, jumps, recoveries, ambiguous;
    HolCritical critical;               /* that the run approaches, */
    double critical_sine;               /* when it was examined; 0: it was not */
    double *x, *y, *z, *dq, *r, *moved; /* scratch: nv, m, nv, nv, m, nv */
} HolDetector;

/* Needs D and M of the initial state in the workspace. v: the initial velocity as given; a formulation with a state of
 * its own may change one that is not consistent at once. */
HolStatus hol_detector_create(HolArena *arena, HolWorkspace *work, const double *v, HolDetector **detector);

/* Makes a state the trial until the next call; the workspace is at it, with D and M evaluated. pivot < 0 where the
 * formulation does not report it. */
void hol_detector_sample(HolDetector *detector, HolWorkspace *work, double pivot, const HolState *state,
                         const HolMeasures *measures);

/* Whether a passage of the trial at time t is one: whether the motion reaches a singular configuration there. */
bool hol_detector_confirms(HolDetector *detector, HolWorkspace *work, double t);

/* Examines a singular configuration that lies less than some steps of h ahead (critical.h). */
void hol_detector_look_ahead(HolDetector *detector, HolWorkspace *work, double h);

/* Whether a step of h from time t is too long for the turn of the motion next to a singular configuration, and the size
 * of a step at time t that is not. */
bool hol_detector_is_turning(const HolDetector *detector, double t, double h);
double hol_detector_turn_step(const HolDetector *detector, double t);

/* How far the turn is at time t, as a time. */
double hol_detector_turn_distance(const HolDetector *detector, double t);

/* Accepts the trial. */
void hol_detector_accept(HolDetector *detector, HolWorkspace *work);

/* An impulse has changed the velocities by dv: earlier ones are changed by as much, so that they continue in it. */
void hol_detector_kick(HolDetector *detector, const double *dv);

/* Keeps the passage of the trial, which is rejected because the run stops there. */
void hol_detector_stop(HolDetector *detector, HolWorkspace *work);

/* Whether the trial shows that the initial state was next to a singular configuration and its branch was lost there. */
bool hol_detector_lost_initial_branch(const HolDetector *detector);

/* Factorises D D^T without redundant rows. */
HolStatus hol_detector_factor(HolDetector *detector, const HolTerms *terms);

/* When the sines of the latest samples extrapolate to zero, if that is soon; else NAN. */
double hol_detector_singular_time(const HolDetector *detector);

/* sigma_min of HolMeasures. */
double hol_detector_sigma_min(HolDetector *detector, const HolTerms *terms);

/* The motion at time t predicted from a sample and the previous one, which may be NULL: its velocity, and the
 * displacement dq since the sample, to be retracted. */
void hol_detector_predict(const HolDetector *detector, const HolDetectorSample *one, const HolDetectorSample *zero,
                          double t, double *v, double *dq);

/* Whether the energy balance has changed by more than a fraction of the kinetic energy. */
bool hol_detector_energy_jumped(const HolDetector *detector, const HolDetectorSample *before,
                                const HolDetectorSample *now);

/* The sample before samples[index], or NULL. */
const HolDetectorSample *hol_detector_previous(const HolDetector *detector, int index);

/* Lists what changes along a run. */
void hol_detector_archive(HolDetector *detector, HolArchive *archive);

/* a . M b */
double hol_detector_mass_product(HolDetector *detector, const HolTerms *terms, const double *a, const double *b);

#endif
