/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism: a model compiled into a system of equations, with the names kept.
 *
 *     status = hol_mechanism_create(model, &mechanism);          reads the whole model; its mistakes go to the model
 *     status = hol_mechanism_assemble(mechanism, &message);      a consistent start
 *     HolInitialState start = hol_mechanism_initial_state(mechanism);
 *     HolSimulationOptions options = hol_mechanism_options(mechanism);
 *     status = hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message);
 *
 * Results are read by name through a recorder. The mechanism must outlive its simulations and recorders; the model need
 * not. */
#ifndef HOLON_MECHANISM_H
#define HOLON_MECHANISM_H

#include <holon/model.h>
#include <holon/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct HolMechanism HolMechanism;

/* HOL_BAD_INPUT if the model has errors: see hol_model_error(). On failure *mechanism is NULL. */
HolStatus hol_mechanism_create(HolModel *model, HolMechanism **mechanism);
void hol_mechanism_destroy(HolMechanism *mechanism);

/* HOL_BAD_INPUT if a prescribed motion jumps before the end of the run (docs/methods/events.md); its errors go to the
 * model that the mechanism was created from. hol_simulation_run() checks it too; equilibria and modes do not depend on
 * it. */
HolStatus hol_mechanism_check_jumps(HolMechanism *mechanism, HolModel *model);

const HolSystem *hol_mechanism_system(const HolMechanism *mechanism);
bool hol_mechanism_is_planar(const HolMechanism *mechanism);
const char *hol_mechanism_coordinates(const HolMechanism *mechanism); /* "reference-point" or "natural" */

/* Makes the initial state satisfy the joints and drivers; values in the model's `start` section stay as they are.
 * HOL_NO_CONVERGENCE and a sentence that names the violated constraint and its violation; the initial state is then
 * unchanged. With `run: {start: as-given}` nothing moves, and only the gap is measured. */
HolStatus hol_mechanism_assemble(HolMechanism *mechanism, HolMessage *message);
/* As drawn before hol_mechanism_assemble(), consistent after it. */
HolInitialState hol_mechanism_initial_state(const HolMechanism *mechanism);
/* The constraint violation as drawn: max |Phi_i| and max |D v - nu|. */
typedef struct HolGap {
    double position, velocity;
    const char *where; /* the joint, driver or start value with the largest violation, or NULL */
} HolGap;
HolGap hol_mechanism_gap(const HolMechanism *mechanism);
bool hol_mechanism_keeps_initial_state(const HolMechanism *mechanism); /* run: {start: as-given} */

/* The time scales of the initial state, from which hol_mechanism_assemble() chooses the integrator and its step where
 * the model names neither (docs/methods/automatic.md). */
typedef struct HolTimeScales {
    double fastest;       /* |s| of the fastest motion exp(s t), rad/s; NAN: not known */
    double growth;        /* Re s: negative where it decays */
    const char *body;     /* that moves most in it, or NULL */
    double rotation;      /* the largest angular velocity of a body, rad/s; 0: steps of any length integrate it, */
    const char *rotating; /* and the body that rotates fastest, or NULL */
    double stop; /* the largest natural frequency of a stop, once compressed, or of a spring with a table, where
                           * that is steepest, rad/s; 0: none, */
    const char *stop_name;
    double explicit_step; /* the longest stable step of rk4, s; HUGE_VAL: any */
    double passage;       /* sqrt(gravity / size of the model) or speed / size, the larger, rad/s */
} HolTimeScales;
HolStatus hol_mechanism_time_scales(const HolMechanism *mechanism, HolTimeScales *scales);

/* The options of the `run` section, defaults included. After hol_mechanism_assemble() an automatic choice is made;
 * before, the integrator is the default one. */
HolSimulationOptions hol_mechanism_options(const HolMechanism *mechanism);
/* Puts another formulation into these options, with what the joints have for it: stiffness, preloads, and frequencies
 * and damping ratios of penalties. */
void hol_mechanism_choose_formulation(const HolMechanism *mechanism, const char *formulation,
                                      HolSimulationOptions *options);
double hol_mechanism_until(const HolMechanism *mechanism);
double hol_mechanism_every(const HolMechanism *mechanism); /* 0 if not given */

/* The rule by which recorders determine reactions that are not unique: "as-computed", "minimum-norm", "stiffness" or
 * "elimination". `automatic` is resolved for the formulation of the model, by recorders for that of the state. */
const char *hol_mechanism_reaction_rule(const HolMechanism *mechanism);
/* Whether the formulation of the model takes the stiffness of all joints into account: "as-computed" reactions are then
 * shared by stiffness. */
bool hol_mechanism_formulation_shares(const HolMechanism *mechanism);

int hol_mechanism_body_count(const HolMechanism *mechanism); /* nodes of beams are bodies too */
const char *hol_mechanism_body(const HolMechanism *mechanism, int index);

/* Beams, in the order of the model. */
typedef struct HolBeamInfo {
    const char *name;
    double length; /* along it as drawn, m */
    int element_count, order;
    int first_node, node_count; /* its nodes are the bodies first_node, first_node + 1, ... */
} HolBeamInfo;

int hol_mechanism_beam_count(const HolMechanism *mechanism);
HolBeamInfo hol_mechanism_beam(const HolMechanism *mechanism, int index); /* name NULL: there is none */

/* Joints and drivers, in the order of the model. */
typedef struct HolJointInfo {
    const char *name, *kind;
    const char *first, *second;   /* body names, "ground" included */
    int row_count;                /* holonomic and nonholonomic */
    int nonholonomic_count;       /* of these */
    const int *rows;              /* their indices in Phi, D, lambda */
    const char *const *row_names; /* "x of the point", ... */
} HolJointInfo;

int hol_mechanism_joint_count(const HolMechanism *mechanism);
HolJointInfo hol_mechanism_joint(const HolMechanism *mechanism, int index); /* name NULL: there is none */

/* An impulse as that of a driver or velocity joint, on what it prescribes. Impulse NAN: there is no such group. */
typedef struct HolDriverImpulse {
    const char *part, *name; /* part: "driver" or "joint" */
    double impulse;
    const char *unit; /* "N*s", of an angle "N*m*s"; "" where the terms of a velocity-sum may differ */
} HolDriverImpulse;

HolDriverImpulse hol_mechanism_impulse(const HolMechanism *mechanism, const HolImpulse *impulse);

/* ---- Reading results by name ---- */

/* Chooses columns: names as in the `record` list of the model ("crank", "pin_A.reaction", "energy", ...); NULL: what
 * the model says, by default everything. The first column is always t. */
typedef struct HolRecorder HolRecorder;

HolStatus hol_recorder_create(const HolMechanism *mechanism, const char *const *names, int name_count,
                              HolRecorder **recorder, HolMessage *message);
void hol_recorder_destroy(HolRecorder *recorder);
int hol_recorder_column_count(const HolRecorder *recorder);
const char *hol_recorder_column(const HolRecorder *recorder, int index); /* "crank.phi" */
/* The index of a column, or -1. */
int hol_recorder_find(const HolRecorder *recorder, const char *column);
/* Fills values, one for each column. HOL_BAD_INPUT without q, v, or the lambda that reactions need. Only the first call
 * with reactions allocates. Without vdot the reactions of rods with mass omit the inertia of the rod. */
HolStatus hol_recorder_read(HolRecorder *recorder, const HolState *state, const HolMeasures *measures, double *values);
/* The time of the first state read at which hol_mechanism_reaction_rule() could not be applied because the constraint
 * violation was too large: some reactions are then as computed. HUGE_VAL: none. */
double hol_recorder_unresolved_since(const HolRecorder *recorder);
/* Saves what a recorder remembers of the states that it has read (turns of angles, redundant rows) into memory of the
 * caller, and restores it into a recorder with the same columns of the same model: beside hol_simulation_save(), for
 * runs that are continued. HOL_BAD_INPUT if the memory is too small or holds numbers that are out of range; nothing has
 * changed then. Restoring may allocate. */
size_t hol_recorder_save_size(const HolRecorder *recorder);
HolStatus hol_recorder_save(const HolRecorder *recorder, void *memory, size_t size);
HolStatus hol_recorder_restore(HolRecorder *recorder, const void *memory, size_t size);

/* ---- Diagnosis of configurations ---- */

/* One joint or driver. Its reaction on the second body has the components fx fy fz tx ty tz. A component is unique if
 * all multipliers that give the same accelerations give the same value; one that is always zero is unique too. */
typedef struct HolJointDiagnosis {
    int redundant_count;      /* of its rows; which of several dependent rows counts as redundant is a choice */
    const int *redundant;     /* indices into HolJointInfo.rows */
    bool involved;            /* takes part in a state of self-stress */
    bool unique[6];           /* in all configurations that were examined */
    int not_unique[6];        /* in how many of them it is not; */
    int first[6], last[6];    /* the first and the last of these, counted from 1; 0: none, */
    double from[6], until[6]; /* and their times; NAN: none */
} HolJointDiagnosis;

/* A state of self-stress: forces of joints on each other that are in equilibrium on every body. */
typedef struct HolSelfForce {
    int joint;
    double f[6]; /* on its second body, as a reaction */
    bool is_rod; /* a massless rod, with its tension */
    double tension;
} HolSelfForce;

/* A body that only two joints load, along the line between them. */
typedef struct HolSelfMember {
    int body;
    double tension;
} HolSelfMember;

typedef struct HolSelfStress {
    int force_count, member_count;
    const HolSelfForce *forces; /* the largest force, or moment at the lever arm of the joints, is 1 */
    const HolSelfMember *members;
} HolSelfStress;

typedef struct HolDiagnosis {
    int nq, nv, m, rank, dof, redundant_rows;
    int singular_rows; /* of the redundant ones: independent in neighbouring configurations. Not 0: singular */
    /* The sine of the angle between the row nearest to linear dependence and the span of the others, 1 if none is
     * near; and the joint or body of that row, else NULL. */
    double smallest_sine;
    const char *nearly_redundant;
    bool reactions_examined;              /* false: the model is too large to find out which reactions are unique */
    int configuration_count;              /* examined for this, with the first one */
    double examined_from, examined_until; /* their times */
    double excursion; /* how far displacements from the initial configuration went, in sizes of the model; 0: none */
    int joint_count;
    const HolJointDiagnosis *joints;
    int self_stress_count; /* independent patterns; 0 if reactions were not examined */
    const HolSelfStress *self_stresses;
} HolDiagnosis;

/* In the configuration q at the mechanism's initial velocity and t = 0. NULL: the initial configuration. Reactions must
 * then be unique in others, too, since symmetries of a drawing do not last: after displacements in all degrees of
 * freedom with drivers at rest, and along the motion of the drivers until the end of the model's run. */
HolStatus hol_mechanism_diagnose(const HolMechanism *mechanism, const double *q, HolDiagnosis **diagnosis,
                                 HolMessage *message);
/* Along a motion: reactions must be unique in all of these configurations, which are projected onto the constraints
 * first; those that cannot be are left out. Everything else belongs to the first one. count is 1 at least. */
HolStatus hol_mechanism_diagnose_motion(const HolMechanism *mechanism, const HolConfiguration *configurations,
                                        int count, HolDiagnosis **diagnosis, HolMessage *message);
/* The same along the run of a simulation of this mechanism. */
HolStatus hol_mechanism_diagnose_run(const HolMechanism *mechanism, const HolSimulation *simulation,
                                     HolDiagnosis **diagnosis, HolMessage *message);
void hol_diagnosis_destroy(HolDiagnosis *diagnosis);

/* ---- The kinds of parts, for lists and manuals ---- */

typedef struct HolFieldInfo {
    const char *name, *type, *unit, *fallback, *help; /* fallback: the default as text, NULL if the value is needed */
    const char *const *choices; /* NULL-terminated words, or variables of a function; NULL: none */
    const char *where;          /* "in space", "in the plane", or "" where it has a meaning in both */
} HolFieldInfo;

typedef struct HolPartKind {
    const char *name, *title, *connects; /* connects: "[body, body]", "joint", ... what the kind's own key takes */
    bool planar, spatial;                /* where it can be used */
    bool natural;                        /* in natural coordinates only */
    int field_count, sample_count;
} HolPartKind;

/* A part of the kind as a model file writes it, in a model with bodies a and b, points O, P and Q, joints pin_a and
 * pin_b that have an angle, a joint slide that has a displacement, and a beam c. */
typedef struct HolPartSample {
    const char *text;
    bool planar, spatial;              /* where the text can be used */
    int row_count, nonholonomic_count; /* of a joint or driver, as in HolJointInfo; else 0 */
} HolPartSample;

typedef enum HolSection {
    HOL_BODIES,
    HOL_JOINTS,
    HOL_DRIVERS,
    HOL_FORCES,
    HOL_BEAMS,        /* one kind, with the keys of a beam */
    HOL_BEAM_SECTIONS /* the kinds of its key `section` */
} HolSection;

/* name or text NULL: there is none. */
int hol_part_kind_count(HolSection section);
HolPartKind hol_part_kind(HolSection section, int index);
HolFieldInfo hol_part_field(HolSection section, int kind, int index);
HolPartSample hol_part_sample(HolSection section, int kind, int index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
