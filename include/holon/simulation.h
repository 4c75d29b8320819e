/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulation: a system, a formulation, an integrator and all the memory they need.
 *
 *     HolSimulationOptions options = hol_simulation_options();
 *     options.formulation = "direct-correction";
 *     status = hol_simulation_create(system, &start, &options, &simulation, &message);
 *     status = hol_simulation_run(simulation, &run);
 *
 * Creating may allocate and may fail with a sentence; stepping does neither. A step is all or nothing: when it fails
 * the state is the one before it, and hol_simulation_message() has the reason. During these calls denormal numbers are
 * flushed to zero, in the functions of the system and in record() too; the caller's mode is restored afterwards. */
#ifndef HOLON_SIMULATION_H
#define HOLON_SIMULATION_H

#include <holon/option.h>
#include <holon/system.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* How a formulation shares reactions among redundant constraints, as bits. */
typedef enum HolLoadSharing {
    HOL_SHARING_KNOWN = 1 << 0,          /* set by every simulation */
    HOL_SHARING_BY_RULE = 1 << 1,        /* it has a rule; else rounding decides */
    HOL_SHARING_BY_ELIMINATION = 1 << 2, /* that rule: redundant constraints carry nothing */
    HOL_SHARING_BY_WEIGHTS = 1 << 3,     /* it uses HolSimulationOptions.row_weights */
    HOL_SHARING_BY_STIFFNESS = 1 << 4    /* it uses row_stiffness and preload */
} HolLoadSharing;

typedef struct HolState {
    double t;
    double *q, *v, *vdot, *lambda; /* nq, nv, nv, m; lambda acts as +D^T lambda */
    const char *formulation;       /* that computed them; NULL: unknown */
    unsigned load_sharing;         /* its HolLoadSharing; 0: unknown */
    /* Usually NULL. Otherwise nq numbers: vdot, lambda and stresses are means over a step, stresses those at q and at
     * q_before. */
    const double *q_before;
} HolState;

/* The state from which a simulation starts; copied. */
typedef struct HolInitialState {
    double t;
    const double *q, *v;
} HolInitialState;

/* What a run does if it would change its branch, or its energy would jump, at a singular configuration. */
typedef enum HolBranchPolicy {
    HOL_BRANCH_CONTINUE, /* steps back and is carried across the singularity on its branch */
    HOL_BRANCH_REPORT,   /* reports it and continues as the method does */
    HOL_BRANCH_STOP      /* ends with HOL_SINGULAR at the last state before it */
} HolBranchPolicy;

/* What `integrator: automatic` has chosen for a mechanism, and why in one line. */
typedef struct HolChoice {
    const char *formulation, *integrator;
    double step;
    const char *text;
} HolChoice;

typedef struct HolSimulationOptions {
    /* The integrator "automatic" is chosen for the system at its initial state. So are the step and the formulation
     * where they are those of hol_simulation_options(). HolSummary has the choice. */
    const char *formulation, *integrator;
    double step;                /* the step, or the first one of an adaptive integrator; > 0 */
    const HolSetting *settings; /* "formulation.alpha", "integrator.tolerance", ... */
    int setting_count;
    const double *row_weights; /* m factors on the penalty of each row, NULL: 1 */
    /* The same with coupled rows: a symmetric positive definite matrix of each group, row-major, in the order of the
     * groups. NULL: row_weights hold. */
    const double *row_stiffness;
    /* m frequencies (rad/s) and damping ratios of the penalties in the place of the options omega and xi, which hold
     * for the rows where they are NAN; NULL: for all rows. */
    const double *row_omega, *row_xi;
    const double *preload; /* m multipliers that act without any load, such as those of a misfit; NULL: none */
    bool keep_start;       /* do not project the initial state onto the constraints */
    HolBranchPolicy branch;
    const HolChoice *choice; /* see hol_mechanism_options(); it counts while these options are what it says */
} HolSimulationOptions;

/* Cost and quality of one accepted step. */
typedef struct HolStepReport {
    double h;                    /* the step that was taken */
    double error;                /* local error in units of the tolerance, adaptive integrators only */
    int evaluations;             /* of M, Q, D, gamma */
    int iterations;              /* of the integrator and of the formulation */
    int position_iterations;     /* of projections, or for the dependent coordinates */
    int max_position_iterations; /* largest number in one solution */
    int rejections;              /* of an adaptive integrator */
    int repartitions;            /* changes of the independent coordinates */
    int divisions;               /* of the step into shorter ones: near singular configurations, or by own steps */
    int unconverged;             /* 1 if the step was accepted without convergence, as the options allow */
    int rank;                    /* independent rows found by the linear solver, -1: not determined */
    double pivot;                /* smallest pivot relative to its row, 1 is best */
} HolStepReport;

/* Measures of one accepted state. */
typedef struct HolMeasures {
    double kinetic, potential, work; /* work of non-conservative forces and moving constraints so far */
    double drift;                    /* kinetic + potential - work, minus its initial value */
    /* Kinetic energy of the velocity off the constraint manifold: of the difference between the velocity that an energy
     * method carries and the reported one. */
    double off_manifold_energy;
    double position, position_sq;         /* max |Phi_i|, Phi^T Phi */
    double velocity, velocity_sq;         /* the same of D v - nu */
    double acceleration, acceleration_sq; /* and of D vdot - gamma */
    /* position and velocity as displacements: those of rows that are pure numbers, such as angles and directions, at
     * the lever arm of the system. The same as above if the arm is 1. */
    double displacement, displacement_rate;
    /* The smallest singular value of D with each row divided by max_j |D_ij|, permanently redundant rows excluded: zero
     * in a singular configuration. NAN unless requested (HolRun). */
    double sigma_min;
} HolMeasures;

/* A singular configuration that the run encountered: D lost rank, and more than one branch continued from there. */
typedef struct HolPassage {
    double t;         /* when, between steps */
    double sine;      /* of the angle between the rows at the step nearest to it */
    double sigma_min; /* of D at the located configuration, as in HolMeasures */
    bool is_initial;  /* the run began there */
    bool changed_branch, energy_jump;
    bool is_ambiguous;      /* the motion turns there, into the other branch, but rounding hides how sharply */
    bool stopped;           /* the run stopped there, as HOL_BRANCH_STOP says */
    bool recovered;         /* the run was carried across the singularity on its branch */
    double cosine;          /* between the velocity after it and the continued one from before; 1: same branch */
    int group;              /* with the largest share in the lost rank, -1: unknown */
    int blocks[2];          /* whose motions on the branches differ most, -1: none */
    bool has_many_branches; /* more than two branches: the rank dropped by more than one */
    int branch_taken;       /* index of hol_simulation_passage_branch(), -1: neither, or unknown */
} HolPassage;

/* A singular configuration ahead of the run. */
typedef struct HolApproach {
    double t;    /* extrapolated */
    double sine; /* present sine of the angle between the rows, a distance from singularity */
    int group;   /* with the largest share in the lost rank, -1: unknown */
} HolApproach;

enum { HOL_MAX_PASSAGES = 200 }; /* kept in detail; all are counted */

/* A configuration that a run has passed. */
typedef struct HolConfiguration {
    double t;
    const double *q; /* nq */
} HolConfiguration;

/* An event function of the system has passed through zero, and a step has ended there. */
typedef struct HolEvent {
    double t;
    int event;     /* its index, see hol_system_event_name() */
    int direction; /* 1: rising, -1: falling */
} HolEvent;

enum { HOL_MAX_EVENTS = 200 }; /* kept in detail; all are counted */

/* The prescribed velocity of a group has jumped, see HolSystemSpec.impulsive_groups. */
typedef struct HolImpulse {
    double t;
    int group;
    double impulse; /* Lambda, the integral of the lambda of its row over the jump; of the row that jumps most */
    double work;    /* of all its rows, (nu before + nu after)^T Lambda / 2 */
} HolImpulse;

enum { HOL_MAX_IMPULSES = 200 }; /* kept in detail; all are counted */

/* The whole run so far. */
typedef struct HolSummary {
    const char *system, *formulation, *integrator;
    double step, start, reached;
    HolStatus status;
    long steps, rejections, evaluations, iterations, position_iterations, repartitions, divisions, unconverged;
    int max_position_iterations; /* largest number in one solution */
    int dof, redundant_rows;
    double wall_s, processor_s; /* of hol_simulation_run(): elapsed, and used by its thread */
    double max_position_violation, max_velocity_violation, max_acceleration_violation;
    double max_displacement, max_displacement_rate; /* the first two as in HolMeasures: what verdicts judge by */
    double mean_position_violation_sq, mean_velocity_violation_sq, mean_acceleration_violation_sq; /* time means */
    double energy_initial, energy_final, max_energy_drift;
    double max_kinetic_energy, max_off_manifold_energy; /* see HolMeasures */
    double potential_low, potential_high;               /* of the potential energy */
    /* The range of the positions (m) and the largest speed (m/s) of a coordinate, rotations at the lever arm of the
     * joints; and the largest error of a coordinate, relative to its own range or speed, estimated from steps that were
     * taken twice, and the same after errors of speed have become errors of phase. NAN: none was taken twice. */
    double motion, max_speed, estimated_error, phase_error;
    long checked_steps;     /* that were taken twice */
    long unchecked_steps;   /* that could not be */
    long unresolved_events; /* of an implicit method: followed by the next one within two steps */
    long shortened_steps;   /* that are shorter than asked for, to resolve functions of time */
    long unresolved_steps;  /* how often this did not succeed for some steps, and for what, or NULL */
    const char *unresolved_function;
    long missed_steps; /* in which a function of the state changes between the points that steps evaluate, and which */
    const char *missed_function; /* one, or NULL */
    double sensitivity;          /* by how much the motion enlarges small errors; NAN: not known */
    double unknown_sensitivity;  /* the part of the run in which it could not be measured */
    double length;               /* the size of the model, to an order of magnitude */
    int constraint_equations;
    double max_energy_rise; /* of the drift above its previous minimum: 0 if it never rose */
    const char *undamped;   /* of a method with numerical damping: an undamped alternative; else NULL */
    const char *choice;     /* how the method was chosen, HolChoice.text of the mechanism; NULL: not so */
    long singular_events, branch_changes, energy_jumps; /* at singular configurations, see HolPassage */
    long recoveries;                                    /* steps that were carried across or repaired there */
    /* of singular_events, see HolPassage.is_ambiguous, and turns next to a singular configuration that the violation of
     * constraints decides */
    long ambiguous_branches;
    long events;         /* zero crossings at which steps ended, see HolEvent */
    long impulses;       /* of prescribed velocities that jump, see HolImpulse */
    long skipped_events; /* that followed each other too closely, and were stepped over */
} HolSummary;

typedef struct HolSimulation HolSimulation;

/* Called at each recorded time; anything but HOL_OK ends the run with that status. */
typedef HolStatus HolRecord(void *user, const HolState *state, const HolMeasures *measures);

/* Inside record() and progress() the simulation may be read and its inputs set, in progress() it may also be saved.
 * hol_simulation_run(), hol_simulation_step(), hol_simulation_accelerate() and hol_simulation_restore() are refused
 * there with HOL_BAD_INPUT, because they would move the state of the run; it must not be destroyed. */
typedef struct HolRun {
    double until;
    double every;  /* record interval; 0: every accepted step */
    bool singular; /* compute sigma_min of records */
    /* Continues the latest run of the simulation, or the one that a saved simulation was in, with the same `every`: its
     * records keep their times start + k every, and the present state is recorded only if the run ends there. */
    bool resume;
    HolRecord *record;
    void *user; /* for record and progress */
    /* Called with the time reached after each accepted step, once its records are written; may be NULL. A result other
     * than HOL_OK, such as HOL_STOPPED, ends the run with that status; the step and all records so far remain. */
    HolStatus (*progress)(void *user, double t);
} HolRun;

/* Assembly: moves q and v onto the constraints at time t from any distance, with the displacement smallest in the mass
 * metric. HOL_NO_CONVERGENCE and a sentence if that fails; q and v are then unchanged. For positions the sentence names
 * the constraints that remain violated where the sum of squared violations is smallest. hol_assemble() does both. For
 * positions alone, nonholonomic rows nonlinear in v are evaluated at v = 0; for velocities alone, q should be
 * consistent. See docs/methods/assembly.md. */
HolStatus hol_assemble(const HolSystem *system, double t, double *q, double *v, HolMessage *message);
HolStatus hol_assemble_positions(const HolSystem *system, double t, double *q, HolMessage *message);
HolStatus hol_assemble_velocities(const HolSystem *system, double t, const double *q, double *v, HolMessage *message);

HolSimulationOptions hol_simulation_options(void); /* direct-correction, rk4, step 1e-3 */
/* On failure *simulation is NULL and the message has the reason. */
HolStatus hol_simulation_create(const HolSystem *system, const HolInitialState *start,
                                const HolSimulationOptions *options, HolSimulation **simulation, HolMessage *message);
void hol_simulation_destroy(HolSimulation *simulation);

/* One accepted step; the step of an adaptive integrator is its own choice. A step ends early at a breakpoint or event
 * of the system. report may be NULL. */
HolStatus hol_simulation_step(HolSimulation *simulation, HolStepReport *report);

/* Inputs of the system by their index, see hol_system_find_input(). A new value holds from the present time until
 * another is set, in all stages of the next step and in vdot and lambda of the present state. It costs one evaluation,
 * however many inputs change, when the state or its measures are next read or the next step is taken; it allocates
 * nothing. A value set in the record function of a run holds from the next step on. If the system cannot be evaluated
 * with the new values, vdot and lambda still belong to the old ones, and the next step fails. HOL_BAD_INPUT and a
 * sentence in hol_simulation_message() if there is no such input or the value is not finite. */
HolStatus hol_simulation_set_input(HolSimulation *simulation, int input, double value);
double hol_simulation_input(const HolSimulation *simulation, int input); /* NAN: there is none */

/* Steps until run->until, recording the initial state, every later requested time and the state in which the run ends,
 * also where `every` does not divide the run or the run fails or is stopped by its progress function. The last step of
 * a fixed-step integrator is shortened if need be. Times of records are start + k every, correctly rounded where both
 * are short decimals: 0.7, not 0.7000000000000001. Records between two steps are interpolated (dense output),
 * projected, and solved for their own vdot and lambda. */
HolStatus hol_simulation_run(HolSimulation *simulation, const HolRun *run);
/* What hol_simulation_run() refuses before its first step, with the same status and sentence; nothing changes. */
HolStatus hol_simulation_check_run(HolSimulation *simulation, const HolRun *run);

/* For programs that save a simulation so that its run can be extended bit by bit: a longer run takes the same steps up
 * to the first one of which an attempt is shortened to the end. Whether the next step may be such, and whether the
 * latest was, also if a shorter attempt was accepted. False if simulation is NULL. */
bool hol_simulation_may_reach(const HolSimulation *simulation, double until);
bool hol_simulation_was_cut(const HolSimulation *simulation);

/* Saves all that changes along a run into memory of the caller, and restores it: into the same simulation, or into a
 * new one that was created from the same system, initial state and options, also in another process of the same build.
 * What follows is then the same bit by bit, whatever has happened in between: states, measures, records, summary. To
 * continue a run, use HolRun.resume. Nothing is allocated.
 *
 * A simulation can be saved between steps, also in the progress function of a run; not in a record function. Restoring
 * while a run is under way is refused. All of the memory is examined before anything changes, so it may come from a
 * file: HOL_BAD_INPUT and a sentence in hol_simulation_message() if it is damaged, or was saved by another build, from
 * another system or with other options; the simulation is then as before. Systems are compared by what they declare,
 * their HolSystemSpec.fingerprint and their initial state; mechanisms whose models differ in more than title and
 * section `run` have different fingerprints. */
size_t hol_simulation_save_size(const HolSimulation *simulation); /* in bytes; does not change */
HolStatus hol_simulation_save(const HolSimulation *simulation, void *memory, size_t size);
HolStatus hol_simulation_restore(HolSimulation *simulation, const void *memory, size_t size);

const HolState *hol_simulation_state(const HolSimulation *simulation);
HolMeasures hol_simulation_measures(const HolSimulation *simulation);
/* Of `energy-preserving`: the m multipliers of the equations of the latest step, those of its midpoint (of its last
 * part, if it was divided); valid until the next step. NULL before the first step, and with other formulations. */
const double *hol_simulation_midpoint_multipliers(const HolSimulation *simulation);
HolSummary hol_simulation_summary(const HolSimulation *simulation);
int hol_simulation_passage_count(const HolSimulation *simulation);             /* of those kept */
HolPassage hol_simulation_passage(const HolSimulation *simulation, int index); /* t NAN: there is none */
/* The branches at the singular configuration: t, q, and in v the velocity of the run continued (which = 0) or the
 * direction of the other branch (1), of arbitrary magnitude. False if there is none or it was not kept: only the first
 * eight passages with a branch change, an energy jump or a recovery, or at the start, are. The simulation owns the
 * numbers. */
bool hol_simulation_passage_branch(const HolSimulation *simulation, int index, int which, HolState *branch);
int hol_simulation_event_count(const HolSimulation *simulation);               /* of those kept */
HolEvent hol_simulation_event(const HolSimulation *simulation, int index);     /* event -1: there is none */
int hol_simulation_impulse_count(const HolSimulation *simulation);             /* of those kept */
HolImpulse hol_simulation_impulse(const HolSimulation *simulation, int index); /* group -1: there is none */
/* The initial configuration, 16 to 32 others spread along the run, and the present one; with redundant constraint
 * equations only, else none. For hol_mechanism_diagnose_motion(). The simulation owns q; the next step may change
 * it. */
int hol_simulation_configuration_count(const HolSimulation *simulation);
HolConfiguration hol_simulation_configuration(const HolSimulation *simulation, int index); /* q NULL: there is none */
/* Whether a singular configuration lies within about twenty steps: extrapolations from the last three states agree. */
bool hol_simulation_approach(HolSimulation *simulation, HolApproach *approach);
const char *hol_simulation_message(const HolSimulation *simulation); /* why the last call failed, or "" */

/* Evaluates the terms and solves for vdot and lambda once more at the present state; for benchmarks of one stage. */
HolStatus hol_simulation_accelerate(HolSimulation *simulation);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
