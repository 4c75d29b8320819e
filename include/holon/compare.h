/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares methods on one model: every formulation with every integrator and step of the options, measured alike. The
 * library holon-compare, which uses the public headers of holon only.
 *
 *     HolCompareOptions options = hol_compare_options();
 *     status = hol_compare(mechanism, &options, &comparison, &message);
 *     for (int i = 0; i < comparison->count; ++i) ... comparison->records[i] ...
 *     hol_comparison_destroy(comparison);
 *
 * Errors are differences from a reference run with tight error control. A second reference run estimates its error;
 * known values, where given, check it. For stiff models the reference is an implicit run whose steps are halved until
 * it has converged, and known values are not used. A second family of methods must confirm the reference: if it differs
 * by more than a thousandth of the motion, there is no reference. Errors are taken at the ends of steps, to which the
 * reference is run, so that no interpolation enters them.
 *
 * Times are taken in rounds, each of which runs every combination once. They are compared within a round, so that a
 * busy machine affects all alike. Everything but the times is reproducible. */
#ifndef HOLON_COMPARE_H
#define HOLON_COMPARE_H

#include <holon/verdict.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { HOL_HISTORY_INTERVALS = 64, HOL_COMPARE_MAX_ROUNDS = 1000 };

/* Repeated names and steps count once. */
typedef struct HolCompareOptions {
    const char *const *formulations; /* NULL: all */
    int formulation_count;
    const char *const *integrators; /* NULL: the model's, or the formulation's own where they do not fit */
    int integrator_count;
    const double *steps; /* NULL: the model's; the first one is the initial step of adaptive integrators */
    int step_count;
    double until; /* 0: the model's */
    int rounds;   /* of timing, at most HOL_COMPARE_MAX_ROUNDS */
    /* s: for a stiff model no round begins after this time, measuring runs included; 0: no limit */
    double stiff_time_limit;
    /* Known values to check the reference against, or NULL: lines `t,quantity,value` with names of columns, as in
     * HolLibraryModel. Lines after a comment `# set: ...` or `# variant: ...` belong to another model. */
    const char *known;
    /* Called before each run with a description of it; anything but HOL_OK ends the comparison with that status. */
    HolStatus (*progress)(void *user, const char *what, int done, int all);
    HolStatus (*after_step)(void *user); /* the same after each step */
    /* Called at the beginning and after each step of the run that measures a record, with the index of the record. */
    void (*observe)(void *user, int record, double t, const HolMeasures *measures);
    void *user;
} HolCompareOptions;

HolCompareOptions hol_compare_options(void); /* five rounds, everything else the model's */

/* One combination. Unknown numbers are NAN. */
typedef struct HolCompareRecord {
    const char *formulation, *integrator;
    const char *block_integrator; /* of its block; differs from `integrator` where that of the model does not fit */
    double step;
    int block;          /* the same for all records of one integrator and step of the options */
    HolStatus status;   /* HOL_UNSUPPORTED: the methods do not fit; others: how the run ended */
    HolMessage message; /* why, if not HOL_OK */
    /* "inaccurate": the run finished, but its error exceeds a tenth of the motion or its drift the kinetic energy;
     * "too stiff": it failed because the model is too stiff for its integrator; else "" */
    const char *remark;
    HolSummary summary;
    HolVerdict verdict;      /* of hol_summary_findings(); bad if the run is inaccurate */
    double position_error;   /* largest difference of a coordinate from the reference, at the sampled steps */
    double reaction_error;   /* the same for unique reactions, N or N m */
    double order;            /* of the error, observed from the next larger step; NAN near the reference's error */
    double time_ratio;       /* of processor time to lagrange of the same block: median over the rounds, */
    double time_ratio_low;   /* lower */
    double time_ratio_high;  /* and upper quartile */
    double processor_s;      /* median over the rounds; without rounds that of the measuring run */
    double wall_s;           /* of the fastest round; without rounds that of the measuring run */
    const double *violation; /* HOL_HISTORY_INTERVALS: largest |Phi_i| in each interval of time, NAN if not reached */
    const double *drift;     /* the same for the |drift| of the energy */
} HolCompareRecord;

/* Another family of methods whose runs to the same times were compared with the reference. */
typedef struct HolConfirmation {
    const char *method;  /* "generalized-inverse with rk4", "ida" */
    double step;         /* s, of its last run; of ida NAN, */
    double tolerance;    /* which has this one; else NAN */
    double difference;   /* the largest difference of a coordinate from the reference, */
    double change;       /* and its own change by the last refinement: ten times the tolerance, or twice the step */
    bool is_independent; /* no integrator or formulation of holon has computed it */
} HolConfirmation;

enum { HOL_MAX_CONFIRMATIONS = 5 };

typedef struct HolComparison {
    double until;
    int rounds;       /* of timing, completed */
    int sample_count; /* largest number of times after the initial one at which errors are taken */
    /* Whether explicit integrators would need far more steps than are compared. The reference is then implicit, and
     * adaptive runs are given up that would need too many steps. */
    bool is_stiff;
    double explicit_step; /* s, of an explicit run with tight error control; NAN: not stiff */
    bool has_reference;
    double estimated_error; /* of the reference's coordinates: the difference of a run with ten times its tolerance. For
                               an implicit reference the distance from the limit of its sequence, at least the range
                               of the motion times the fraction of the energy in motion that the steps do not resolve */
    const char *second_method; /* that confirmed or refuted the reference, of another family; NULL: none */
    double second_difference;  /* the largest difference of its coordinates from the reference; the estimated error is
                                  this at least */
    const char *reference_method; /* "direct-correction with dopri5"; NULL: none */
    int confirmation_count;
    HolConfirmation confirmations[HOL_MAX_CONFIRMATIONS]; /* all that finished, the second method among them */
    HolMessage without_ida; /* why IDA of SUNDIALS is not among them: "absent", or what it failed for; "" where it is */
    double reference_step;  /* s, the longest of an implicit reference; else NAN */
    double reference_reaction_error; /* of unique reactions of an implicit reference, its last change; else NAN */
    int known_count;                 /* known values it was checked against, */
    double known_until;              /* up to this time, */
    double known_error;              /* and the largest difference from them */
    double reference_error; /* the smaller of both if all coordinates are known at the end, else the estimated one */
    HolMessage reference;   /* how the reference was made, or why there is none */
    int count;
    const HolCompareRecord *records; /* by integrator, step, formulation */
} HolComparison;

/* The mechanism must be assembled. A combination that fails is a record, not a failure. The names in the options must
 * outlive the comparison. HOL_STOPPED during timing leaves a comparison with the rounds completed so far; after any
 * other failure *comparison is NULL. */
HolStatus hol_compare(const HolMechanism *mechanism, const HolCompareOptions *options, HolComparison **comparison,
                      HolMessage *message);
void hol_comparison_destroy(HolComparison *comparison);

/* A simulation with the methods and the step of a record, as the comparison ran it. */
HolStatus hol_compare_open(const HolMechanism *mechanism, const HolCompareRecord *record, HolSimulation **simulation,
                           HolMessage *message);

typedef enum HolCompareGoal { HOL_GOAL_POSITION, HOL_GOAL_ENERGY } HolCompareGoal;

/* Whether a run finished with a position error, plus that of the reference, or an energy drift of at most `most`. */
bool hol_comparison_reaches(const HolComparison *comparison, int index, HolCompareGoal goal, double most);
/* The index of the record that reaches the goal with the least processor time, or -1. Inaccurate records are left out,
 * and those with the formulation and the integrator of record `except` (-1: none). */
int hol_comparison_fastest(const HolComparison *comparison, HolCompareGoal goal, double most, int except);

bool hol_compare_same_methods(const HolCompareRecord *a, const HolCompareRecord *b); /* formulation and integrator */
bool hol_compare_is_adaptive(const char *integrator); /* whether it chooses its steps itself */
bool hol_compare_has_ida(void);                       /* whether this build confirms references by IDA of SUNDIALS */

/* Largest violation and energy drift in equal intervals of a run, for plots. */
typedef struct HolHistory {
    double start, until;
    double violation[HOL_HISTORY_INTERVALS], drift[HOL_HISTORY_INTERVALS]; /* NAN where there is none */
} HolHistory;

HolHistory hol_history_begin(double start, double until);
void hol_history_add(HolHistory *history, double t, const HolMeasures *measures);

#ifdef __cplusplus
}
#endif

#endif
