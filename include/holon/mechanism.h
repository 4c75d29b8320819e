/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism: a model compiled into a system of equations, with the names kept.
 *
 *     status = hol_mechanism_create(model, &mechanism);          reads the whole model; its mistakes go to the model
 *     status = hol_mechanism_assemble(mechanism, &message);      a consistent start
 *     HolStart start = hol_mechanism_start(mechanism);
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

typedef struct HolMechanism HolMechanism;

/* HOL_BAD_INPUT if the model has errors: see hol_model_error(). On failure *mechanism is NULL. */
HolStatus hol_mechanism_create(HolModel *model, HolMechanism **mechanism);
void hol_mechanism_destroy(HolMechanism *mechanism);

const HolSystem *hol_mechanism_system(const HolMechanism *mechanism);
bool hol_mechanism_is_planar(const HolMechanism *mechanism);
const char *hol_mechanism_coordinates(const HolMechanism *mechanism); /* "reference-point" or "natural" */

/* Moves the start onto the joints and drivers, holding what the model's `start` section gives. HOL_NO_CONVERGENCE and a
 * sentence that names what stays open and by how much; the start is then as it was. Where the model says
 * `run: {start: as-given}` nothing moves, and only the gap is measured. */
HolStatus hol_mechanism_assemble(HolMechanism *mechanism, HolMessage *message);
/* The start: as drawn before hol_mechanism_assemble(), consistent after it. */
HolStart hol_mechanism_start(const HolMechanism *mechanism);
/* How much the joints were open as drawn: max |Phi_i| and max |D v - nu|. */
typedef struct HolGap {
    double position, velocity;
    const char *where; /* the joint, driver or start value that was worst, or NULL */
} HolGap;
HolGap hol_mechanism_gap(const HolMechanism *mechanism);
bool hol_mechanism_keeps_start(const HolMechanism *mechanism); /* run: {start: as-given} */

/* What the `run` section says, defaults included. */
HolSimulationOptions hol_mechanism_options(const HolMechanism *mechanism);
/* Another formulation in these options, with the stiffness and the preloads of the joints if it makes use of them. */
void hol_mechanism_choose(const HolMechanism *mechanism, const char *formulation, HolSimulationOptions *options);
double hol_mechanism_until(const HolMechanism *mechanism);
double hol_mechanism_every(const HolMechanism *mechanism); /* 0 where it is not given */

/* How reactions that are not unique are told by recorders: "as-computed", "minimum-norm", "stiffness" or
 * "elimination". Of `automatic` what it means for the formulation of the model; states of another are told as it means
 * for that. */
const char *hol_mechanism_resolution(const HolMechanism *mechanism);
/* Whether the formulation of the model has been told the stiffness of all joints, so that what it computes is shared by
 * that: "as-computed" then means as much. */
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
HolBeamInfo hol_mechanism_beam(const HolMechanism *mechanism, int index);

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
HolJointInfo hol_mechanism_joint(const HolMechanism *mechanism, int index);

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
/* Fills values, one for each column. The first call that tells reactions allocates what it needs to share them, no
 * other does. Without vdot, rods with mass are told as if they had none. */
HolStatus hol_recorder_read(HolRecorder *recorder, const HolState *state, const HolMeasures *measures, double *values);
/* The time of the first state read whose reactions could not be told as hol_mechanism_resolution() says, since the
 * joints were too far open there: some of them are then as computed. HUGE_VAL: none. */
double hol_recorder_unresolved_since(const HolRecorder *recorder);

/* ---- What can be said about a mechanism in one configuration ---- */

/* Of one joint or driver. Components of its reaction on the second body: fx fy fz tx ty tz. A component is unique if
 * every set of multipliers that moves the bodies alike gives the same; one that cannot occur is unique too. */
typedef struct HolJointDiagnosis {
    int redundant_count;  /* of its rows; which of several dependent rows counts as redundant is a choice */
    const int *redundant; /* indices into HolJointInfo.rows */
    bool involved;        /* some of its multipliers are not unique */
    bool unique[6];
} HolJointDiagnosis;

/* A pattern of forces that the joints can exert on each other while nothing else acts: no body feels it as a whole. */
typedef struct HolSelfForce {
    int joint;
    double f[6]; /* on its second body, as a reaction */
    bool is_rod; /* a rod without mass, which feels the tension */
    double tension;
} HolSelfForce;

/* A body that two joints alone pull, or push, along the line between them. */
typedef struct HolSelfMember {
    int body;
    double tension;
} HolSelfMember;

typedef struct HolSelfStress {
    int force_count, member_count;
    const HolSelfForce *forces; /* the largest number of f is 1 */
    const HolSelfMember *members;
} HolSelfStress;

typedef struct HolDiagnosis {
    int nq, nv, m, rank, dof, redundant_rows;
    /* By how much the row that comes nearest to redundancy differs from all others: the sine of an angle, 1 where none
     * comes near; and the joint or body that it belongs to, else NULL. */
    double smallest_sine;
    const char *nearly_redundant;
    bool looked_at_reactions; /* false for models too large for it */
    int joint_count;
    const HolJointDiagnosis *joints;
    int self_stress_count; /* independent patterns; 0 if reactions were not looked at */
    const HolSelfStress *self_stresses;
} HolDiagnosis;

/* At the mechanism's start. */
HolStatus hol_mechanism_diagnose(const HolMechanism *mechanism, HolDiagnosis **diagnosis, HolMessage *message);
void hol_diagnosis_destroy(HolDiagnosis *diagnosis);

/* ---- What kinds there are, for lists and manuals ---- */

typedef struct HolFieldInfo {
    const char *name, *type, *unit, *fallback, *help; /* fallback: the default as text, NULL if the value is needed */
    const char *const *choices; /* NULL-terminated words, or variables of a function; NULL: none */
    const char *where;          /* "in space", "in the plane", or "" where it has a meaning in both */
} HolFieldInfo;

typedef struct HolPartKind {
    const char *name, *title, *connects; /* connects: "[body, body]", "joint", ... what the kind's own key takes */
    bool planar, spatial;                /* where it can be used */
    int field_count;
} HolPartKind;

typedef enum HolSection {
    HOL_BODIES,
    HOL_JOINTS,
    HOL_DRIVERS,
    HOL_FORCES,
    HOL_BEAMS,        /* one: what may be said of a beam */
    HOL_BEAM_SECTIONS /* what stands at its key `section` */
} HolSection;

int hol_part_kind_count(HolSection section);
HolPartKind hol_part_kind(HolSection section, int index);
HolFieldInfo hol_part_field(HolSection section, int kind, int index);

#ifdef __cplusplus
}
#endif

#endif
