/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulation: a system, a formulation, an integrator and all the memory they need.
 *
 *     HolSimulationOptions options = hol_simulation_options();
 *     options.formulation = "direct-correction";
 *     status = hol_simulation_create(system, &start, &options, &simulation, &message);
 *     status = hol_simulation_run(simulation, &run);
 *
 * Creating may allocate and may fail with a sentence; stepping does neither. A step is all or nothing: when it fails
 * the state is the one before it, and hol_simulation_message() tells what happened. While a call here runs, numbers too
 * small to be normal count as zero, in the system's and the record functions too; the caller's mode is put back. */
#ifndef HOLON_SIMULATION_H
#define HOLON_SIMULATION_H

#include <holon/option.h>
#include <holon/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HolState {
    double t;
    double *q, *v, *vdot, *lambda; /* nq, nv, nv, m; lambda acts as +D^T lambda */
    const char *formulation;       /* that computed them, NULL: not known */
    /* Usually NULL; else nq, and vdot, lambda and stresses are the means of a step: stresses those at q and at this. */
    const double *q_before;
} HolState;

/* Where a simulation begins; copied. */
typedef struct HolStart {
    double t;
    const double *q, *v;
} HolStart;

/* What a run does where it would leave its branch, or jump in energy, at a singular configuration. */
typedef enum HolBranch {
    HOL_BRANCH_CONTINUE, /* goes back before it and is led across, as it came */
    HOL_BRANCH_REPORT,   /* tells it and goes on as the method goes */
    HOL_BRANCH_STOP      /* ends with HOL_SINGULAR, at the last state before that */
} HolBranch;

typedef struct HolSimulationOptions {
    const char *formulation, *integrator;
    double step;                /* the step, or the first one of an adaptive integrator; > 0 */
    const HolSetting *settings; /* "formulation.alpha", "integrator.tolerance", ... */
    int setting_count;
    const double *row_weights; /* m factors on the penalty of each row, NULL: 1 */
    /* The same with rows of one group coupled: a symmetric positive definite matrix of each group, row-major, one after
     * the other in the order of the groups. NULL: as row_weights say. */
    const double *row_stiffness;
    const double *preload; /* m multipliers that act while nothing else does, as of parts that do not fit; NULL: none */
    bool keep_start;       /* do not pull the start onto the constraints first */
    HolBranch branch;
} HolSimulationOptions;

/* What one accepted step cost and met. */
typedef struct HolStepReport {
    double h;           /* the step that was taken */
    double error;       /* local error in units of the tolerance, adaptive integrators only */
    int evaluations;    /* of M, Q, D, gamma */
    int iterations;     /* of the integrator and of the formulation */
    int projections;    /* position iterations of projections or of the dependent coordinates */
    int max_projection; /* most of them in one solution */
    int rejections;     /* of an adaptive integrator */
    int repartitions;   /* changes of the independent coordinates */
    int divisions;      /* of the step into shorter ones that converge, by formulations with steps of their own */
    int unsettled;      /* 1 if the step was taken although its iteration had not converged, as the options allow */
    int rank;           /* rows that the linear solver found independent, -1 if it did not look */
    double pivot;       /* smallest pivot relative to its row, 1 is best */
} HolStepReport;

/* The truth about one accepted state. */
typedef struct HolMeasures {
    double kinetic, potential, work; /* work of forces without potential and of moving constraints since the start */
    double drift;                    /* kinetic + potential - work, minus its initial value */
    /* Kinetic energy of the motion across the constraints, which formulations carry that keep or lower the energy: of
     * the difference between their velocity and the one that is told. */
    double stray;
    double position, position_sq;         /* max |Phi_i|, Phi^T Phi */
    double velocity, velocity_sq;         /* the same of D v - nu */
    double acceleration, acceleration_sq; /* and of D vdot - gamma */
    /* The smallest singular value of D, every row of it divided by max_j |D_ij|, without rows that depend on others
     * everywhere: zero in a singular configuration. NAN unless asked for (HolRun). */
    double sigma_min;
} HolMeasures;

/* A singular configuration that was passed: rows of D became dependent there, and there was more than one way on. */
typedef struct HolPassage {
    double t;         /* when, between steps */
    double size;      /* sine of the angle between the rows at the step nearest to it */
    double sigma_min; /* of D at the configuration where it was located, as in HolMeasures: how singular that is */
    bool at_start;    /* the run began there */
    bool changed_branch, energy_jump;
    bool refused;       /* the run was to stop there, and has not passed it */
    bool recovered;     /* it would have come to one of these, or accelerations were lost, and the run was led across */
    double cosine;      /* between the velocity behind it and the one before, continued; 1: it went on as it came */
    int group;          /* of the rows that take part in it most, -1: not known */
    int blocks[2];      /* that can move most in more than one way, -1: none */
    bool has_many_ways; /* more than two motions are possible there: rows of D became dependent in more than one way */
    int taken;          /* of the two motions of hol_simulation_passage_way(), -1: neither, or not known */
} HolPassage;

/* A singular configuration that a run is about to meet. */
typedef struct HolApproach {
    double t;    /* when, if it goes on as it does */
    double size; /* sine of the angle between the rows now: a distance */
    int group;   /* of the rows that take part in it most, -1: not known */
} HolApproach;

enum { HOL_MOST_PASSAGES = 200 }; /* that are kept; all are counted */

/* What a run was like, from the start to now. */
typedef struct HolSummary {
    const char *system, *formulation, *integrator;
    double step, start, reached;
    HolStatus status;
    long steps, rejections, evaluations, iterations, projections, repartitions, divisions, unsettled;
    int max_projection; /* most position iterations in one solution */
    int dof, redundant_rows;
    double wall_s, processor_s; /* of hol_simulation_run(): elapsed, and used by its thread */
    double max_position_violation, max_velocity_violation, max_acceleration_violation;
    double mean_position_violation_sq, mean_velocity_violation_sq, mean_acceleration_violation_sq; /* time means */
    double energy_initial, energy_final, max_energy_drift;
    double max_kinetic_energy, max_stray_energy; /* see HolMeasures */
    double max_energy_rise; /* of the drift above the lowest that it had before: 0 if it only fell */
    const char *undamped;   /* of methods that let energy decay on purpose, with their options: one that keeps it */
    long singular_events, branch_changes, energy_jumps; /* at singular configurations, see HolPassage */
    long recoveries;                                    /* steps that were led across or mended there */
} HolSummary;

typedef struct HolSimulation HolSimulation;

/* Called at each recorded time; anything but HOL_OK ends the run with that status. */
typedef HolStatus HolRecord(void *user, const HolState *state, const HolMeasures *measures);

typedef struct HolRun {
    double until;
    double every;  /* record interval; 0: every accepted step */
    bool singular; /* records are to know sigma_min */
    HolRecord *record;
    void *user; /* for record and progress */
    /* Called with the time reached after each accepted step, once its records are written; NULL: nobody looks. Anything
     * but HOL_OK, such as HOL_STOPPED, ends the run with that status; the step and all records so far remain. */
    HolStatus (*progress)(void *user, double t);
} HolRun;

/* Pull q and v onto the constraints at time t, however far away they are, heavy bodies moving least; from nearby by the
 * shortest way. HOL_NO_CONVERGENCE and a sentence if that fails; q and v are then as they were. For positions it names
 * what stays open, and by how much, where the sum of the squares of all gaps is least of what was found. hol_assemble()
 * does both. For positions alone, nonholonomic rows that are not linear in v see v = 0; for velocities alone, q should
 * be consistent. See docs/methods/assembly.md. */
HolStatus hol_assemble(const HolSystem *system, double t, double *q, double *v, HolMessage *message);
HolStatus hol_assemble_positions(const HolSystem *system, double t, double *q, HolMessage *message);
HolStatus hol_assemble_velocities(const HolSystem *system, double t, const double *q, double *v, HolMessage *message);

HolSimulationOptions hol_simulation_options(void); /* direct-correction, rk4, step 1e-3 */
/* On failure *simulation is NULL and the message says why. */
HolStatus hol_simulation_create(const HolSystem *system, const HolStart *start, const HolSimulationOptions *options,
                                HolSimulation **simulation, HolMessage *message);
void hol_simulation_destroy(HolSimulation *simulation);

/* One accepted step; the step of an adaptive integrator is its own choice. report may be NULL. */
HolStatus hol_simulation_step(HolSimulation *simulation, HolStepReport *report);

/* Inputs of the system by their index, see hol_system_find_input(). A new value holds from the present time until
 * another is set: all of the next step sees it. vdot and lambda of the state are those before it until then. Costs one
 * evaluation more in the next step, however many inputs change, and allocates nothing. HOL_BAD_INPUT and a sentence in
 * hol_simulation_message() if there is no such input or the value is not finite. */
HolStatus hol_simulation_set_input(HolSimulation *simulation, int input, double value);
double hol_simulation_input(const HolSimulation *simulation, int input); /* NAN: there is none */

/* Steps until run->until, recording the start and every later requested time. The last step of a fixed-step integrator
 * is shortened if need be. Between steps recorded states are interpolated (dense output), projected, and solved for
 * their own vdot and lambda. */
HolStatus hol_simulation_run(HolSimulation *simulation, const HolRun *run);

const HolState *hol_simulation_state(const HolSimulation *simulation);
HolMeasures hol_simulation_measures(const HolSimulation *simulation);
HolSummary hol_simulation_summary(const HolSimulation *simulation);
int hol_simulation_passage_count(const HolSimulation *simulation); /* of those kept */
HolPassage hol_simulation_passage(const HolSimulation *simulation, int index);
/* The motions that were possible there: t, q, and in v the velocities of the run as it came (which = 0), or those of
 * the other motion (1), whose size means nothing. False if there is none, or it was not kept: only those of the first
 * eight passages with a change, a jump or a recovery, or at the start, are. The numbers belong to the simulation. */
bool hol_simulation_passage_way(const HolSimulation *simulation, int index, int which, HolState *way);
/* Whether one is in sight, within some twenty steps: the sizes of the latest three states must agree about when. */
bool hol_simulation_approach(HolSimulation *simulation, HolApproach *approach);
const char *hol_simulation_message(const HolSimulation *simulation); /* why the last call failed, or "" */

/* Evaluates the terms and solves for vdot and lambda once more at the present state: what a stage costs. */
HolStatus hol_simulation_accelerate(HolSimulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
