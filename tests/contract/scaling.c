/* SPDX-License-Identifier: BSD-3-Clause */
/* Built-in models in other units: every length, mass and time of a model times a factor, each alone and all together,
 * gives the same verdicts and, divided by the factors, the same motion. A threshold with a unit fails here. Sizes
 * are rounded: factors of 1000 leave the range that counts as 1, factors of 30 come near its ends.
 *
 * Motions agree to 1e-6 of the largest number of their kind: the factors are no powers of two, so all rounding
 * differs, and short runs of these models amplify it by less than 1e6. Formulations with penalties or
 * gains (penalty, baumgarte, generalized-inverse, ...) are left out: their options have units. */
#include <holon/holon.h>

#include "check.h"

#include <float.h>
#include <stdlib.h>

static const double AGREEMENT = 1e-6;

/* A value in the units UL, UM and UT of length, mass and time. */
typedef struct Change {
    const char *path, *value;
} Change;

enum { MOST_CHANGES = 24, MOST_COLUMNS = 200 };

typedef struct Sample {
    const char *model;
    double step, until; /* in UT */
    bool is_static;     /* has an equilibrium, */
    bool only_static;   /* and no run: its own method has options with units */
    double amplified;   /* rounding, or the error that dopri5 allows, by its stiffness: a factor on AGREEMENT, or 0 */
    Change changes[MOST_CHANGES];
} Sample;

#define GRAVITY_PLANE                                                                                                  \
    {                                                                                                                  \
        "gravity", "[0, -9.81*UL/UT^2]"                                                                                \
    }

static const Sample samples[] = {
    {"four-bar",
     2e-3,
     0.2,
     true,
     false,
     0, /* planar */
     {GRAVITY_PLANE,
      {"parameters.ground_length", "2.5*UL"},
      {"parameters.crank_length", "2*UL"},
      {"parameters.coupler_length", "4*UL"},
      {"parameters.follower_length", "4*UL"},
      {"bodies.crank.mass", "UM"},
      {"bodies.crank.inertia", "0.3*UM*UL^2"},
      {"bodies.coupler.mass", "2.25*UM"},
      {"bodies.coupler.inertia", "2*UM*UL^2"},
      {"bodies.follower.mass", "2.2*UM"},
      {"bodies.follower.inertia", "1.35*UM*UL^2"}}},
    {"slider-crank",
     2e-3,
     0.6,
     false,
     false,
     0, /* passes a singular configuration */
     {GRAVITY_PLANE, {"parameters.length", "UL"}, {"parameters.mass", "UM"}, {"parameters.speed", "-4*UL/UT"}}},
    {"double-four-bar",
     5e-3,
     1.2,
     false,
     false,
     0, /* passes one where several rows become dependent */
     {GRAVITY_PLANE, {"parameters.length", "UL"}, {"parameters.mass", "UM"}, {"parameters.speed", "UL/UT"}}},
    {"pendulum-two-rods",
     5e-3,
     0.5,
     true,
     false,
     0, /* redundant, reactions by stiffness */
     {GRAVITY_PLANE,
      {"parameters.length", "2*UL"},
      {"parameters.stiffness1", "1e7*UM/UT^2"},
      {"parameters.stiffness2", "2e7*UM/UT^2"},
      {"bodies.P.mass", "UM"}}},
    {"bricard",
     5e-3,
     0.2,
     false,
     false,
     0, /* spatial, redundant */
     {{"gravity", "[0, -9.81*UL/UT^2, 0]"},
      {"points.P2", "[UL, 0, 0]"},
      {"points.P3", "[UL, -UL, 0]"},
      {"points.P4", "[UL, -UL, UL]"},
      {"points.P5", "[0, -UL, UL]"},
      {"points.P6", "[0, 0, UL]"},
      {"repeat", "~"},
      {"bodies",
       "{rod1: {bar: [P1, P2], mass: UM, section: [0.1*UL, 0.1*UL]}, rod2: {bar: [P2, P3], mass: UM, section: [0.1*UL, "
       "0.1*UL]}, rod3: {bar: [P3, P4], mass: UM, section: [0.1*UL, 0.1*UL]}, rod4: {bar: [P4, P5], mass: UM, section: "
       "[0.1*UL, 0.1*UL]}, rod5: {bar: [P5, P6], mass: UM, section: [0.1*UL, 0.1*UL]}}"}}},
    {"spatial-slider-crank",
     2e-3,
     0.1,
     false,
     false,
     0,
     {{"gravity", "[0, 0, -9.81*UL/UT^2]"},
      {"parameters.crank_length", "0.1*UL"},
      {"parameters.rod_length", "0.29*UL"},
      {"parameters.level", "-0.15*UL"},
      {"bodies.crank.mass", "0.12*UM"},
      {"bodies.crank.inertia", "[1e-4*UM*UL^2, 1e-4*UM*UL^2, 1e-5*UM*UL^2]"},
      {"bodies.rod.mass", "0.5*UM"},
      {"bodies.rod.inertia", "[0.004*UM*UL^2, 0.0004*UM*UL^2, 0.004*UM*UL^2]"},
      {"bodies.slider.mass", "0.5*UM"},
      {"bodies.slider.inertia", "[1e-4*UM*UL^2, 1e-4*UM*UL^2, 1e-4*UM*UL^2]"},
      {"start.crank.angular_velocity", "[0, -2*pi/UT, 0]"}}},
    {"snakeboard",
     1e-3,
     0.3,
     false,
     false,
     0, /* nonholonomic, driven */
     {{"parameters.half", "0.25*UL"},
      {"parameters.m_board", "4*UM"},
      {"parameters.i_board", "0.06*UM*UL^2"},
      {"parameters.m_rotor", "2*UM"},
      {"parameters.i_rotor", "0.05*UM*UL^2"},
      {"parameters.m_wheels", "0.5*UM"},
      {"parameters.i_wheels", "0.002*UM*UL^2"},
      {"parameters.rate", "5/UT"}}},
    {"rolling-disc",
     5e-3,
     0.3,
     false,
     false,
     0, /* nonholonomic, spatial */
     {{"parameters.g", "9.81*UL/UT^2"},
      {"parameters.radius", "0.3*UL"},
      {"parameters.thickness", "0.01*UL"},
      {"parameters.mass", "2*UM"},
      {"parameters.circle", "UL"},
      {"parameters.push", "0.5/UT"}}},
    {"quick-return",
     2e-3,
     0.1,
     false,
     false,
     0, /* driven, with forces */
     {GRAVITY_PLANE,
      {"parameters.crank_radius", "0.1*UL"},
      {"parameters.centres", "0.3*UL"},
      {"parameters.lever_length", "0.6*UL"},
      {"parameters.rod_length", "0.25*UL"},
      {"parameters.ram_height", "0.58*UL"},
      {"parameters.rate", "2*pi/UT"},
      {"parameters.cutting_force", "600*UM*UL/UT^2"},
      {"parameters.blur", "0.05*UL/UT"},
      {"points.vice", "[UL, ram_height]"},
      {"bodies.crank.mass", "2*UM"},
      {"bodies.block", "{box: [0.06*UL, 0.04*UL], mass: 0.5*UM, at: A}"},
      {"bodies.lever.mass", "8*UM"},
      {"bodies.rod.mass", "2*UM"},
      {"bodies.ram", "{box: [0.4*UL, 0.06*UL], mass: 15*UM, at: C}"}}},
    {"princeton-beam",
     1e-3,
     0,
     true,
     true,
     0, /* a beam, bent and twisted */
     {{"parameters.P", "13.345*UM*UL/UT^2"},
      {"parameters.elements", "2"},
      {"points.B", "[0.508*UL, 0, 0]"},
      {"run.record", "[b.end, clamp.reaction, energy]"},
      {"beams.b.section",
       "{rectangle: [3.2024e-3*UL, 12.377e-3*UL], E: 71.7e9*UM/UL/UT^2, nu: 0.31, density: 2700*UM/UL^3}"}}},
    {"cantilever",
     2e-3,
     0.01,
     true,
     false,
     100, /* a beam that moves */
     {{"parameters.L", "10*UL"},
      {"parameters.EI", "14000*UM*UL^3/UT^2"},
      {"parameters.mass", "1.2*UM/UL"},
      {"parameters.g", "0.01*UL/UT^2"},
      {"parameters.elements", "1"},
      {"beams.b.section",
       "{EA: 1e7*UM*UL/UT^2, GA2: 1e7*UM*UL/UT^2, GA3: 1e7*UM*UL/UT^2, GJ: 1e4*UM*UL^3/UT^2, EI2: EI, EI3: EI, mass: "
       "mass}"},
      {"run.record", "[b.end, clamp.reaction, energy]"}}},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

typedef struct Units {
    double length, mass, time;
} Units;

static const Units units[] = {{1e-3, 1, 1}, {1e3, 1, 1},        {1, 1e-3, 1},    {1, 1e3, 1},      {1, 1, 1e-3},
                              {1, 1, 1e3},  {1e-3, 1e-3, 1e-3}, {1e3, 1e3, 1e3}, {1e3, 1e-3, 1e3}, {1e-3, 1e3, 1e-3},
                              {30, 1, 1},   {1. / 30, 1, 1},    {1, 30, 1},      {1, 1, 30},       {1, 1, 1. / 30}};
enum { UNITS = sizeof units / sizeof *units };

typedef enum Kind { POSITIONS, ORIENTATIONS, VELOCITIES, TURNINGS, FORCES, MOMENTS, TIMES, ENERGIES, KINDS } Kind;

/* The powers of length, mass and time in a column, by the end of its name. */
static const struct Dimension {
    const char *names;
    int length, mass, time;
} dimensions[KINDS] = {
    [POSITIONS] = {" x y z position ", 1, 0, 0},
    [ORIENTATIONS] = {" phi e0 e1 e2 e3 ", 0, 0, 0},
    [VELOCITIES] = {" vx vy vz velocity ", 1, 0, -1},
    [TURNINGS] = {" w wx wy wz ", 0, 0, -1},
    [FORCES] = {" fx fy fz ", 1, 1, -2},
    [MOMENTS] = {" tx ty tz ", 2, 1, -2},
    [TIMES] = {" t ", 0, 0, 1},
    [ENERGIES] = {" kinetic potential total drift ", 2, 1, -2},
};

static int kind_of(const char *column)
{
    const char *dot = strrchr(column, '.');
    char name[64];
    snprintf(name, sizeof name, " %s ", dot ? dot + 1 : column);
    for (int i = 0; i < KINDS; i++)
        if (strstr(dimensions[i].names, name))
            return i;
    return -1;
}

static double size_of_unit(Units u, int kind)
{
    const struct Dimension *d = &dimensions[kind];
    return pow(u.length, d->length) * pow(u.mass, d->mass) * pow(u.time, d->time);
}

static void set_units(HolModel *model, Units u)
{
    CHECK_OK(hol_model_set(model, "parameters.UL", "%.17g", u.length));
    CHECK_OK(hol_model_set(model, "parameters.UM", "%.17g", u.mass));
    CHECK_OK(hol_model_set(model, "parameters.UT", "%.17g", u.time));
}

static HolMechanism *mechanism_of(const Sample *sample, Units u)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolMessage message = {""};
    CHECK_OK(hol_model_load(model, sample->model));
    set_units(model, u);
    for (int i = 0; i < MOST_CHANGES && sample->changes[i].path; i++)
        CHECK_OK(hol_model_set(model, sample->changes[i].path, "%s", sample->changes[i].value));
    if (!CHECK_OK(hol_mechanism_create(model, &mechanism)))
        for (int i = 0; i < hol_model_error_count(model); i++)
            printf("    %s\n", hol_model_error(model, i));
    else if (!CHECK_OK(hol_mechanism_assemble(mechanism, &message)))
        printf("    %s\n", message.text);
    hol_model_destroy(model);
    return mechanism;
}

/* Columns in the units of the sample, and what was found out on the way. */
typedef struct Outcome {
    HolStatus status;
    HolMessage message;
    HolSummary summary;
    int columns, kind[MOST_COLUMNS];
    double x[MOST_COLUMNS];
} Outcome;

/* Whether a column means the same in all units: violations are rounding (check_violations()), and of reactions that the motion leaves open
 * those of least norm are shown, a norm of forces and moments together. */
static bool is_comparable(const HolMechanism *mechanism, const HolDiagnosis *diagnosis, const char *column)
{
    bool is_shared = strcmp(hol_mechanism_reaction_rule(mechanism), "stiffness") == 0;
    for (int i = 0; i < diagnosis->joint_count && !is_shared; i++) {
        const char *name = hol_mechanism_joint(mechanism, i).name;
        size_t length = strlen(name);
        bool is_of_joint = strncmp(name, column, length) == 0 && column[length] == '.';
        if (diagnosis->joints[i].involved && is_of_joint && (column[length + 1] == 'f' || column[length + 1] == 't'))
            return false;
    }
    return strncmp(column, "violation", strlen("violation")) != 0;
}

static void read_columns(const HolMechanism *mechanism, const HolState *state, const HolMeasures *measures, Units u,
                         Outcome *outcome)
{
    HolRecorder *recorder = NULL;
    HolDiagnosis *diagnosis = NULL;
    double values[MOST_COLUMNS];
    CHECK_OK(hol_mechanism_diagnose(mechanism, NULL, &diagnosis, NULL));
    CHECK_OK(hol_recorder_create(mechanism, NULL, 0, &recorder, NULL));
    outcome->columns = hol_recorder_column_count(recorder);
    if (CHECK(outcome->columns <= MOST_COLUMNS) && CHECK_OK(hol_recorder_read(recorder, state, measures, values)))
        for (int i = 0; i < outcome->columns; i++) {
            const char *name = hol_recorder_column(recorder, i);
            int kind = outcome->kind[i] = kind_of(name);
            CHECK(kind >= 0);
            outcome->x[i] = is_comparable(mechanism, diagnosis, name) ? values[i] / size_of_unit(u, kind) : 0;
        }
    hol_recorder_destroy(recorder);
    hol_diagnosis_destroy(diagnosis);
}

static Outcome run(const HolMechanism *mechanism, const Sample *sample, Units u, const char *formulation,
                   const char *integrator)
{
    Outcome outcome = {.status = HOL_OK};
    HolSimulation *simulation = NULL;
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    hol_mechanism_choose_formulation(mechanism, formulation, &options);
    options.integrator = integrator;
    options.step = sample->step * u.time;
    options.settings = NULL;
    options.setting_count = 0;
    outcome.status =
        hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &outcome.message);
    if (!simulation)
        return outcome;
    outcome.status = hol_simulation_run(simulation, &(HolRun){.until = sample->until * u.time});
    snprintf(outcome.message.text, sizeof outcome.message.text, "%s", hol_simulation_message(simulation));
    outcome.summary = hol_simulation_summary(simulation);
    HolMeasures measures = hol_simulation_measures(simulation);
    read_columns(mechanism, hol_simulation_state(simulation), &measures, u, &outcome);
    hol_simulation_destroy(simulation);
    return outcome;
}

/* The largest difference, in parts of the largest number of its kind; of moments and energies, where lever arms or
 * heights vanish, of force times length. */
static double difference_of(const Outcome *now, const Outcome *expected)
{
    double largest[KINDS] = {0}, worst = 0;
    for (int i = 0; i < expected->columns; i++)
        largest[expected->kind[i]] = fmax(largest[expected->kind[i]], fabs(expected->x[i]));
    double work = largest[FORCES] * largest[POSITIONS];
    largest[MOMENTS] = fmax(largest[MOMENTS], work);
    largest[ENERGIES] = fmax(largest[ENERGIES], work);
    for (int i = 0; i < expected->columns; i++) {
        double off = fabs(now->x[i] - expected->x[i]) / fmax(largest[expected->kind[i]], DBL_MIN);
        worst = off <= worst ? worst : off;
    }
    return worst;
}

static void check_columns(const Outcome *now, const Outcome *expected, double amplified)
{
    if (CHECK_EQUAL_INT(now->columns, expected->columns))
        CHECK_NEAR(difference_of(now, expected), 0, AGREEMENT * fmax(amplified, 1));
}

/* Singular configurations are found by pivots. Those of D M^-1 D^T, which direct-correction has, are pure numbers; those
 * of D alone compare lengths with angles, and whether a passage is reported depends on that. */
static void check_outcome(const Outcome *now, const Outcome *expected, bool sees_passages, double amplified)
{
    if (!CHECK_STATUS(now->status, expected->status))
        printf("    %s\n    %s\n", now->message.text, expected->message.text);
    CHECK_EQUAL_INT(now->summary.dof, expected->summary.dof);
    CHECK_EQUAL_INT(now->summary.redundant_rows, expected->summary.redundant_rows);
    if (sees_passages)
        CHECK_EQUAL_INT(now->summary.singular_events, expected->summary.singular_events);
    CHECK_EQUAL_INT(now->summary.branch_changes, expected->summary.branch_changes);
    CHECK_EQUAL_INT(now->summary.energy_jumps, expected->summary.energy_jumps);
    check_columns(now, expected, amplified);
}

/* What projections leave is rounding, in parts of the size of the model or, of rows that are angles, of 1. */
static void check_violations(const Outcome *now, const Sample *sample, Units u, double rounding)
{
    static const char *const with_angles = " bricard snakeboard spatial-slider-crank quick-return cantilever ";
    char name[64];
    snprintf(name, sizeof name, " %s ", sample->model);
    double size = strstr(with_angles, name) ? fmax(u.length, 1) : u.length;
    CHECK_NEAR(now->summary.max_position_violation / size, 0, rounding);
}

/* rounding: what the method leaves of violations, 0: it lets them drift */
static void check_runs(const char *formulation, const char *integrator, double stiff, double rounding)
{
    for (int s = 0; s < SAMPLES; s++) {
        const Sample *sample = &samples[s];
        const Units one = {1, 1, 1};
        if (sample->only_static)
            continue;
        CHECK_CONTEXT("%s, %s with %s", sample->model, formulation, integrator);
        HolMechanism *mechanism = mechanism_of(sample, one);
        Outcome expected = run(mechanism, sample, one, formulation, integrator);
        hol_mechanism_destroy(mechanism);
        for (int i = 0; i < UNITS && expected.status != HOL_UNSUPPORTED; i++) {
            CHECK_CONTEXT("%s, %s with %s, length %g mass %g time %g", sample->model, formulation, integrator,
                          units[i].length, units[i].mass, units[i].time);
            mechanism = mechanism_of(sample, units[i]);
            Outcome now = run(mechanism, sample, units[i], formulation, integrator);
            check_outcome(&now, &expected, strcmp(formulation, "direct-correction") == 0, stiff * sample->amplified);
            if (rounding > 0)
                check_violations(&now, sample, units[i], rounding);
            hol_mechanism_destroy(mechanism);
        }
    }
}

/* The last numbers: which part of the amplification of stiff samples the method shows, 0: none; and `rounding`, ten
 * times larger where lengths of 30, which count as 1, show it. */
static void direct_correction(void)
{
    check_runs("direct-correction", "rk4", 0, 1e-12);
}

/* Farther away, and to all digits but those that rounding takes: a tolerance of positions with a unit shows here. */
static void small_and_large(void)
{
    static const Units far[] = {{1e-9, 1, 1}, {1e9, 1, 1}, {1, 1e-12, 1}, {1, 1e12, 1}, {1, 1, 1e-9}, {1, 1, 1e9}};
    const Units one = {1, 1, 1};
    const Sample *sample = &samples[0];
    HolMechanism *mechanism = mechanism_of(sample, one);
    Outcome expected = run(mechanism, sample, one, "direct-correction", "rk4");
    hol_mechanism_destroy(mechanism);
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        CHECK_CONTEXT("length %g mass %g time %g", far[i].length, far[i].mass, far[i].time);
        mechanism = mechanism_of(sample, far[i]);
        Outcome now = run(mechanism, sample, far[i], "direct-correction", "rk4");
        CHECK_STATUS(now.status, expected.status);
        CHECK_NEAR(difference_of(&now, &expected), 0, 1e-10);
        check_violations(&now, sample, far[i], 1e-13);
        hol_mechanism_destroy(mechanism);
    }
}

/* Whether points coincide is no question of units: bars and springs of a molecule's size have a length, too. */
static void readers(void)
{
    static const double lengths[] = {1e-13, 1e-9, 1e9, 1e13};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        CHECK_CONTEXT("length %g", lengths[i]);
        hol_mechanism_destroy(mechanism_of(&samples[0], (Units){lengths[i], 1, 1}));
        hol_mechanism_destroy(mechanism_of(&samples[SAMPLES - 3], (Units){lengths[i], 1, 1}));
    }
}

static void dormand_prince(void)
{
    check_runs("direct-correction", "dopri5", 1, 1e-12);
}

static void null_space(void)
{
    check_runs("null-space", "rk4", 0, 0);
}

static void coordinate_partitioning(void)
{
    check_runs("coordinate-partitioning", "rk4", 0, 1e-11);
}

static void elimination(void)
{
    check_runs("elimination", "rk4", 0, 0);
}

static void index_3(void)
{
    check_runs("index3-augmented-lagrangian", "newmark", 0.1, 1e-12);
}

static void energy_preserving(void)
{
    check_runs("energy-preserving", "built-in", 0.1, 1e-11);
}

static double stress_norm(const HolSelfStress *stress, double length)
{
    double sum = 0;
    for (int i = 0; i < stress->force_count; i++)
        for (int k = 0; k < 6; k++)
            sum += pow(stress->forces[i].f[k] / (k < 3 ? 1 : length), 2);
    return sqrt(sum);
}

/* The same joints, forces, moments and members, whatever forces and moments are divided by together. */
static void check_self_stress(const HolSelfStress *now, const HolSelfStress *expected, double length)
{
    double size = stress_norm(now, length), wanted = stress_norm(expected, 1);
    if (!CHECK_EQUAL_INT(now->force_count, expected->force_count) ||
        !CHECK_EQUAL_INT(now->member_count, expected->member_count))
        return;
    for (int i = 0; i < now->force_count; i++) {
        const HolSelfForce *a = &now->forces[i], *b = &expected->forces[i];
        CHECK_EQUAL_INT(a->joint, b->joint);
        CHECK_NEAR(a->tension / size, b->tension / wanted, AGREEMENT);
        for (int k = 0; k < 6; k++) {
            CHECK_EQUAL_INT(a->f[k] != 0, b->f[k] != 0);
            CHECK_NEAR(a->f[k] / (k < 3 ? 1 : length) / size, b->f[k] / wanted, AGREEMENT);
        }
    }
    for (int i = 0; i < now->member_count; i++) {
        CHECK_EQUAL_INT(now->members[i].body, expected->members[i].body);
        CHECK_NEAR(now->members[i].tension / size, expected->members[i].tension / wanted, AGREEMENT);
    }
}

static void check_diagnosis(const HolDiagnosis *now, const HolDiagnosis *expected, double length)
{
    CHECK_EQUAL_INT(now->rank, expected->rank);
    CHECK_EQUAL_INT(now->dof, expected->dof);
    CHECK_EQUAL_INT(now->redundant_rows, expected->redundant_rows);
    CHECK_EQUAL_INT(now->self_stress_count, expected->self_stress_count);
    for (int i = 0; i < expected->self_stress_count && i < now->self_stress_count; i++)
        check_self_stress(&now->self_stresses[i], &expected->self_stresses[i], length);
    for (int i = 0; i < expected->joint_count; i++) {
        CHECK_EQUAL_INT(now->joints[i].involved, expected->joints[i].involved);
        /* which of the equations that depend on each other is counted is decided by rounding */
        CHECK(now->joints[i].redundant_count == 0 || expected->joints[i].involved);
        for (int k = 0; k < 6; k++)
            CHECK_EQUAL_INT(now->joints[i].unique[k], expected->joints[i].unique[k]);
    }
}

static void diagnoses(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        HolMechanism *one = mechanism_of(&samples[s], (Units){1, 1, 1});
        HolDiagnosis *expected = NULL;
        CHECK_OK(hol_mechanism_diagnose(one, NULL, &expected, NULL));
        for (int i = 0; i < UNITS && expected; i++) {
            CHECK_CONTEXT("%s, length %g mass %g time %g", samples[s].model, units[i].length, units[i].mass,
                          units[i].time);
            HolMechanism *mechanism = mechanism_of(&samples[s], units[i]);
            HolDiagnosis *now = NULL;
            if (CHECK_OK(hol_mechanism_diagnose(mechanism, NULL, &now, NULL)))
                check_diagnosis(now, expected, units[i].length);
            hol_diagnosis_destroy(now);
            hol_mechanism_destroy(mechanism);
        }
        hol_diagnosis_destroy(expected);
        hol_mechanism_destroy(one);
    }
}

/* A door on two hinges, which hold it twice: every number of a self-stress is a force, a moment or exactly nothing. */
static HolDiagnosis *diagnosis_of_door(Units u)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolDiagnosis *diagnosis = NULL;
    CHECK_OK(hol_model_parse(model,
                             "parameters: {UL: 1, UM: 1, UT: 1}\n"
                             "points: {O: [0, 0, 0], B: [UL, UL, 0], C: [0, UL, 0]}\n"
                             "bodies:\n"
                             "  door: {box: [UL, UL, 0.05*UL], mass: 3*UM, at: [0.5*UL, 0.5*UL, 0]}\n"
                             "  ball: {sphere: 0.1*UL, mass: 0.4*UM, at: [UL, UL, -0.7*UL]}\n"
                             "joints:\n"
                             "  h1: {revolute: [ground, door], at: O, axis: [0, 1, 0]}\n"
                             "  h2: {revolute: [ground, door], at: C, axis: [0, 1, 0]}\n"
                             "  cable: {spherical: [door, ball], at: B}\n",
                             "door"));
    set_units(model, u);
    if (CHECK_OK(hol_mechanism_create(model, &mechanism)))
        CHECK_OK(hol_mechanism_diagnose(mechanism, NULL, &diagnosis, NULL));
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    return diagnosis;
}

enum { DOOR_JOINTS = 3, STRESSES = 5 };
typedef struct Stress {
    double x[6 * DOOR_JOINTS]; /* forces, and moments divided by the unit of length */
} Stress;

static Stress stress_of(const HolSelfStress *from, double length)
{
    Stress stress = {{0}};
    double norm = stress_norm(from, length);
    for (int i = 0; i < from->force_count; i++)
        for (int k = 0; k < 6; k++)
            stress.x[6 * from->forces[i].joint + k] += from->forces[i].f[k] / (k < 3 ? 1 : length) / norm;
    return stress;
}

/* Removes the part along the given ones, which are orthonormal; what is left has this norm. */
static double stress_reject(Stress *stress, const Stress *others, int count)
{
    double rest = 0;
    for (int i = 0; i < count; i++) {
        double part = 0;
        for (int k = 0; k < 6 * DOOR_JOINTS; k++)
            part += stress->x[k] * others[i].x[k];
        for (int k = 0; k < 6 * DOOR_JOINTS; k++)
            stress->x[k] -= part * others[i].x[k];
    }
    for (int k = 0; k < 6 * DOOR_JOINTS; k++)
        rest += stress->x[k] * stress->x[k];
    return sqrt(rest);
}

/* The states of self-stress span the same space; which of its bases is found is arbitrary. */
static void check_stress_space(const HolDiagnosis *now, const Stress *expected, double length)
{
    Stress basis[STRESSES];
    if (!CHECK_EQUAL_INT(now->self_stress_count, STRESSES))
        return;
    for (int i = 0; i < STRESSES; i++) {
        Stress stress = basis[i] = stress_of(&now->self_stresses[i], length);
        CHECK_NEAR(stress_reject(&stress, expected, STRESSES), 0, AGREEMENT);
        double norm = stress_reject(&basis[i], basis, i);
        CHECK(norm > 0.01);
        for (int k = 0; k < 6 * DOOR_JOINTS; k++)
            basis[i].x[k] /= norm;
    }
}

static void self_stresses_of_small_and_large(void)
{
    static const double lengths[] = {1e-12, 1e-9, 3e-9, 1e-8, 1e-7, 1e-6, 1e-3, 1. / 30, 30, 1e3, 1e6, 1e9, 1e12};
    HolDiagnosis *expected = diagnosis_of_door((Units){1, 1, 1});
    Stress basis[STRESSES];
    REQUIRE(expected && expected->self_stress_count == STRESSES && expected->joint_count == DOOR_JOINTS);
    for (int i = 0; i < STRESSES; i++) {
        basis[i] = stress_of(&expected->self_stresses[i], 1);
        double norm = stress_reject(&basis[i], basis, i);
        for (int k = 0; k < 6 * DOOR_JOINTS; k++)
            basis[i].x[k] /= norm;
    }
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        CHECK_CONTEXT("length %g", lengths[i]);
        HolDiagnosis *now = diagnosis_of_door((Units){lengths[i], 1, 1});
        REQUIRE(now);
        CHECK_EQUAL_INT(now->rank, expected->rank);
        check_stress_space(now, basis, lengths[i]);
        for (int k = 0; k < 6 * DOOR_JOINTS; k++)
            CHECK_EQUAL_INT(now->joints[k / 6].unique[k % 6], expected->joints[k / 6].unique[k % 6]);
        hol_diagnosis_destroy(now);
    }
    hol_diagnosis_destroy(expected);
}

/* An equilibrium and its modes. */
typedef struct Rest {
    HolEquilibrium *equilibrium;
    HolModes *modes;
    Outcome outcome;
} Rest;

static Rest rest_of(const HolMechanism *mechanism, Units u)
{
    Rest rest = {NULL, NULL, {.status = HOL_OK}};
    HolModesOptions options = hol_modes_options();
    HolStaticOptions search = hol_static_options();
    HolMeasures measures = {0};
    rest.outcome.status = hol_mechanism_static(mechanism, &search, &rest.equilibrium, &rest.outcome.message);
    if (!rest.equilibrium)
        return rest;
    measures.potential = rest.equilibrium->potential;
    read_columns(mechanism, &rest.equilibrium->state, &measures, u, &rest.outcome);
    rest.outcome.status =
        hol_mechanism_modes(mechanism, &rest.equilibrium->state, NULL, &options, &rest.modes, &rest.outcome.message);
    return rest;
}

static void rest_free(Rest *rest)
{
    hol_equilibrium_destroy(rest->equilibrium);
    hol_modes_destroy(rest->modes);
}

static void check_modes(const HolModes *now, const HolModes *expected, double time)
{
    CHECK_EQUAL_INT(now->dof, expected->dof);
    CHECK_EQUAL_INT(now->count, expected->count);
    CHECK_EQUAL_INT(now->zero_count, expected->zero_count);
    CHECK_EQUAL_INT(now->unstable_count, expected->unstable_count);
    for (int i = 0; i < now->count && i < expected->count && i < 4; i++)
        CHECK_NEAR(now->modes[i].imaginary * time, expected->modes[i].imaginary,
                   AGREEMENT * fabs(expected->modes[i].imaginary));
}

static void check_rest(const Rest *now, const Rest *expected, double time)
{
    if (!CHECK_STATUS(now->outcome.status, expected->outcome.status))
        printf("    %s\n    %s\n", now->outcome.message.text, expected->outcome.message.text);
    if (!CHECK((now->modes != NULL) == (expected->modes != NULL)) || !now->modes)
        return;
    CHECK_EQUAL_INT(now->equilibrium->is_singular, expected->equilibrium->is_singular);
    CHECK_EQUAL_INT(now->equilibrium->dof, expected->equilibrium->dof);
    CHECK_EQUAL_INT(now->equilibrium->unstable_count, expected->equilibrium->unstable_count);
    CHECK_EQUAL_INT(now->equilibrium->neutral_count, expected->equilibrium->neutral_count);
    check_columns(&now->outcome, &expected->outcome, 1);
    check_modes(now->modes, expected->modes, time);
}

static void equilibria_and_modes(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        const Units one = {1, 1, 1};
        if (!samples[s].is_static)
            continue;
        CHECK_CONTEXT("%s", samples[s].model);
        HolMechanism *mechanism = mechanism_of(&samples[s], one);
        Rest expected = rest_of(mechanism, one);
        if (!CHECK(expected.modes != NULL))
            printf("    %s\n", expected.outcome.message.text);
        for (int i = 0; i < UNITS; i++) {
            CHECK_CONTEXT("%s, length %g mass %g time %g", samples[s].model, units[i].length, units[i].mass,
                          units[i].time);
            HolMechanism *scaled = mechanism_of(&samples[s], units[i]);
            Rest now = rest_of(scaled, units[i]);
            check_rest(&now, &expected, units[i].time);
            rest_free(&now);
            hol_mechanism_destroy(scaled);
        }
        rest_free(&expected);
        hol_mechanism_destroy(mechanism);
    }
}

/* The same of an equilibrium, its modes and the rank, which compare forces with moments. */
static void small_and_large_at_rest(void)
{
    static const double lengths[] = {1e-9, 1e9};
    const Sample *sample = &samples[0];
    HolMechanism *one = mechanism_of(sample, (Units){1, 1, 1});
    Rest expected = rest_of(one, (Units){1, 1, 1});
    for (int i = 0; i < 2; i++) {
        CHECK_CONTEXT("length %g", lengths[i]);
        Units u = {lengths[i], 1, 1};
        HolMechanism *mechanism = mechanism_of(sample, u);
        HolDiagnosis *diagnosis = NULL;
        Rest now = rest_of(mechanism, u);
        check_rest(&now, &expected, 1);
        if (CHECK_OK(hol_mechanism_diagnose(mechanism, NULL, &diagnosis, NULL)))
            CHECK_EQUAL_INT(diagnosis->dof, 1);
        hol_diagnosis_destroy(diagnosis);
        rest_free(&now);
        hol_mechanism_destroy(mechanism);
    }
    rest_free(&expected);
    hol_mechanism_destroy(one);
}

CHECK_MAIN(TEST(readers), TEST(diagnoses), TEST(self_stresses_of_small_and_large), TEST(equilibria_and_modes),
           TEST(small_and_large_at_rest), TEST(direct_correction), TEST(small_and_large), TEST(dormand_prince),
           TEST(null_space), TEST(coordinate_partitioning), TEST(elimination), TEST(index_3), TEST(energy_preserving))
