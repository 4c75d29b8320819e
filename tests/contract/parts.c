/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kind of joint, driver and force, wherever it has a meaning: its rows, their derivatives, its potential, power
 * and tangent agree with finite differences away from the constraints, in both kinds of coordinates, and its rows hold
 * as drawn. A kind that is in
 * the registry but not in the table below fails. */
#include <holon/mechanism.h>

#include "check.h"
#include "random.h"

#include <stdlib.h>

typedef struct Sample {
    HolSection section;
    const char *kind;
    const char *text; /* of the part 'x' in the model below; NULL: it has no meaning there */
    int rows;         /* holonomic and nonholonomic; 0 for forces */
    int nonholonomic;
} Sample;

/* Two bodies askew, joints with freedoms for the kinds that couple them. */
static const char *const planar_model = "plane: xy\n"
                                        "gravity: [0.3, -9.81]\n"
                                        "points: {P: [0.4, 0.3], Q: [1.1, -0.2], O: [0, 0]}\n"
                                        "bodies:\n"
                                        "  a: {rigid: [0.2, 0.5], mass: 2, inertia: 0.3, orientation: 20 deg}\n"
                                        "  b: {rigid: [0.9, 0.1], mass: 1.5, inertia: 0.2, orientation: -50 deg}\n";
static const char *const planar_joints = "joints:\n"
                                         "  pin_a: {revolute: [ground, a], at: O}\n"
                                         "  pin_b: {revolute: [a, b], at: P}\n"
                                         "  slide: {prismatic: [ground, b], at: Q, axis: [1, 2]}\n";
static const char *const spatial_model =
    "gravity: [0.3, -1, -9.81]\n"
    "points: {P: [0.4, 0.3, 0.2], Q: [1.1, -0.2, 0.5], O: [0, 0, 0]}\n"
    "bodies:\n"
    "  a: {rigid: [0.2, 0.5, -0.1], mass: 2, inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.01],\n"
    "      orientation: {axis: [1, 2, 3], angle: 40 deg}}\n"
    "  b: {rigid: [0.9, 0.1, 0.4], mass: 1.5, inertia: [0.2, 0.3, 0.25],\n"
    "      orientation: {axis: [-1, 1, 0.5], angle: 70 deg}}\n";
static const char *const spatial_joints = "joints:\n"
                                          "  pin_a: {revolute: [ground, a], at: O, axis: y}\n"
                                          "  pin_b: {revolute: [a, b], at: P, axis: [0, 1, 1]}\n"
                                          "  slide: {prismatic: [ground, b], at: Q, axis: [1, 2, 0]}\n";

/* For loads along it. */
static const char *const curved_beam =
    "{from: O, to: Q, through: P, twist: 20 deg, elements: 2, order: 2,"
    " section: {EA: 20, GA2: 7, GA3: 6, GJ: 3, EI2: 2, EI3: 1.5, mass: 1 + s, J2: 0.1, J3: 0.2}}";

/* clang-format off */
static const Sample planar_samples[] = {
    {HOL_JOINTS, "revolute", "{revolute: [a, b], at: P}", 2, 0},
    {HOL_JOINTS, "prismatic", "{prismatic: [a, b], at: P, axis: [1, 1]}", 2, 0},
    {HOL_JOINTS, "fixed", "{fixed: [a, b], at: P}", 3, 0},
    {HOL_JOINTS, "distance", "{distance: [a, b], from: P, to: Q}", 1, 0},
    {HOL_JOINTS, "rod", "{rod: [a, b], from: P, to: Q, mass: 3}", 1, 0},
    {HOL_JOINTS, "rod", "{rod: [ground, b], from: P, to: Q, mass: 3}", 1, 0},
    {HOL_JOINTS, "point-on-line", "{point-on-line: [a, b], at: P, axis: [1, 3]}", 1, 0},
    {HOL_JOINTS, "lock-angle", "{lock-angle: [a, b]}", 1, 0},
    {HOL_JOINTS, "gear", "{gear: [pin_a, pin_b], teeth: [20, 37]}", 1, 0},
    {HOL_JOINTS, "gear", "{gear: [pin_a, pin_b], teeth: [20, 37], internal: true}", 1, 0},
    {HOL_JOINTS, "gear", "{gear: [pin_a, pin_b], ratio: 0.37}", 1, 0},
    {HOL_JOINTS, "rack", "{rack: [pin_a, slide], radius: 0.3}", 1, 0},
    {HOL_JOINTS, "rolling", "{rolling: [ground, b], radius: 0.1, through: O}", 2, 0},
    {HOL_JOINTS, "rolling", "{rolling: [a, b], radius: 0.2, through: P, normal: [1, 2]}", 2, 0},
    {HOL_JOINTS, "knife-edge", "{knife-edge: [ground, b], at: Q, along: [1, 2]}", 1, 1},
    {HOL_JOINTS, "knife-edge", "{knife-edge: [a, b], at: Q, along: x}", 1, 1},
    {HOL_JOINTS, "velocity", "{velocity: [ground, b], along: x}", 1, 1},
    {HOL_JOINTS, "velocity", "{velocity: [a, b], at: Q, along: [1, 2], value: sin(3*t)}", 1, 1},
    {HOL_JOINTS, "velocity", "{velocity: [a, b], at: Q, along: [1, 2], fixed_in: second, value: 2}", 1, 1},
    {HOL_JOINTS, "velocity", "{velocity: [b, ground], at: Q, along: y}", 1, 1},
    {HOL_JOINTS, "angular-velocity", "{angular-velocity: [a, b], value: cos(t)}", 1, 1},
    {HOL_JOINTS, "velocity-sum", "{velocity-sum: [{velocity: [a, b], at: Q, along: y, fixed_in: second},"
                                 " {angle-rate: pin_a, times: -0.3}, {angular-velocity: [ground, b], times: 2},"
                                 " {displacement-rate: slide}], value: t^2}", 1, 1},
    {HOL_DRIVERS, "angle", "{angle: pin_b, value: sin(2*t)}", 1, 0},
    {HOL_DRIVERS, "displacement", "{displacement: slide, value: 0.1*t^3}", 1, 0},
    {HOL_DRIVERS, "length", "{length: [a, b], from: P, to: Q, value: 1 + 0.1*sin(3*t)}", 1, 0},
    {HOL_DRIVERS, "angle-rate", "{angle-rate: pin_b, value: sin(2*t)}", 1, 1},
    {HOL_DRIVERS, "displacement-rate", "{displacement-rate: slide, value: 0.1*t^3}", 1, 1},
    {HOL_DRIVERS, "angle-between", "{angle-between: [a, b], value: sin(2*t)}", 1, 0},
    {HOL_DRIVERS, "angle-between", "{angle-between: [ground, b], value: t^2}", 1, 0},
    {HOL_FORCES, "force", "{force: b, at: Q, vector: [3, -2]}", 0, 0},
    {HOL_FORCES, "force", "{force: b, at: Q, vector: [3*t, cos(t)], axes: body}", 0, 0},
    {HOL_FORCES, "force", "{force: b, at: Q, vector: [3, t], from: a}", 0, 0},
    {HOL_FORCES, "torque", "{torque: b, vector: 2*t}", 0, 0},
    {HOL_FORCES, "torque", "{torque: b, vector: 2, from: a}", 0, 0},
    {HOL_FORCES, "spring", "{spring: [a, b], from: P, to: Q, stiffness: 50, damping: 3, free_length: 0.4}", 0, 0},
    {HOL_FORCES, "spring", "{spring: [a, b], from: P, to: Q, along: [1, 1], stiffness: 50, damping: 3}", 0, 0},
    {HOL_FORCES, "spring", "{spring: [ground, b], from: P, to: Q, force: 10*l^2 + 3*ldot^3 + t}", 0, 0},
    {HOL_FORCES, "spring", "{spring: [a, b], from: P, to: Q, polynomial: [1, -2, 3, 4]}", 0, 0},
    {HOL_FORCES, "spring", "{spring: [a, b], from: P, to: Q, table: [[0, -5], [0.5, 0], [3, 20]]}", 0, 0},
    {HOL_FORCES, "torsion", "{torsion: pin_b, stiffness: 4, damping: 0.3, free_angle: 10 deg}", 0, 0},
    {HOL_FORCES, "torsion", "{torsion: pin_b, torque: angle^3 + rate*t}", 0, 0},
    {HOL_FORCES, "bushing", "{bushing: [a, b], at: P, stiffness: [50, 60], damping: [1, 2],"
                            " turning_stiffness: 5, turning_damping: 0.2}", 0, 0},
    {HOL_FORCES, "bump-stop", "{bump-stop: [a, b], from: P, to: Q, above: 0.3, stiffness: 100, damping: 2}", 0, 0},
    {HOL_FORCES, "bump-stop", "{bump-stop: [a, b], from: P, to: Q, along: [1, 0], below: 2, stiffness: 100,"
                              " exponent: 1.5}", 0, 0},
    {HOL_FORCES, "tyre", "{tyre: b, radius: 0.5, stiffness: 1000, damping: 5}", 0, 0},
    {HOL_FORCES, "tyre", "{tyre: b, radius: 0.5, stiffness: 1000, road: 0.1*sin(x) + 0.01*t}", 0, 0},
};

static const Sample spatial_samples[] = {
    {HOL_JOINTS, "revolute", "{revolute: [a, b], at: P, axis: [1, 0.2, 3]}", 5, 0},
    {HOL_JOINTS, "prismatic", "{prismatic: [a, b], at: P, axis: [1, 1, 0]}", 5, 0},
    {HOL_JOINTS, "cylindrical", "{cylindrical: [a, b], at: P, axis: [1, 1, 0]}", 4, 0},
    {HOL_JOINTS, "screw", "{screw: [a, b], at: P, axis: [1, 1, 0], pitch: 0.2}", 5, 0},
    {HOL_JOINTS, "spherical", "{spherical: [a, b], at: P}", 3, 0},
    {HOL_JOINTS, "universal", "{universal: [a, b], at: P, axes: [[1, 1, 0], [1, -1, 2]]}", 4, 0},
    {HOL_JOINTS, "planar", "{planar: [a, b], at: P, normal: [1, 1, 4]}", 3, 0},
    {HOL_JOINTS, "fixed", "{fixed: [a, b], at: P}", 6, 0},
    {HOL_JOINTS, "distance", "{distance: [a, b], from: P, to: Q}", 1, 0},
    {HOL_JOINTS, "rod", "{rod: [a, b], from: P, to: Q, mass: 3}", 1, 0},
    {HOL_JOINTS, "rod", "{rod: [ground, b], from: P, to: Q, mass: 3}", 1, 0},
    {HOL_JOINTS, "point-on-line", "{point-on-line: [a, b], at: P, axis: [1, 3, 2]}", 2, 0},
    {HOL_JOINTS, "point-in-plane", "{point-in-plane: [a, b], at: P, normal: [1, 3, 2]}", 1, 0},
    {HOL_JOINTS, "constant-angle", "{constant-angle: [a, b], axes: [[1, 3, 2], [0, 1, -1]]}", 1, 0},
    {HOL_JOINTS, "lock-angle", "{lock-angle: [a, b]}", 3, 0},
    {HOL_JOINTS, "gear", "{gear: [pin_a, pin_b], teeth: [20, 37]}", 1, 0},
    {HOL_JOINTS, "gear", "{gear: [pin_a, pin_b], ratio: -0.375}", 1, 0},
    {HOL_JOINTS, "rack", "{rack: [pin_a, slide], radius: 0.3}", 1, 0},
    {HOL_JOINTS, "rolling", "{rolling: [ground, b], radius: 0.4, through: O}", 3, 2},
    {HOL_JOINTS, "rolling", "{rolling: [a, b], radius: 0.2, through: P, normal: [1, 2, 3]}", 3, 2},
    {HOL_JOINTS, "rolling", "{rolling: [ground, b], shape: disc, axis: [3, 1, 1], radius: 0.4, through: O}", 3, 2},
    {HOL_JOINTS, "rolling", "{rolling: [ground, b], radius: 0.4, inside: 1.4, normal: [0.9, 0, 0.4],"
                            " through: [1.8, 0.1, 0.8]}", 3, 2},
    {HOL_JOINTS, "rolling", "{rolling: [a, b], radius: 0.4, inside: 1.4, normal: [0.9, 0, 0.4],"
                            " through: [1.8, 0.1, 0.8]}", 3, 2},
    {HOL_JOINTS, "knife-edge", "{knife-edge: [ground, b], at: Q, along: [1, 2, 0]}", 1, 1},
    {HOL_JOINTS, "knife-edge", "{knife-edge: [a, b], at: Q, along: [1, 2, 1], normal: [1, 0, 3]}", 1, 1},
    {HOL_JOINTS, "velocity", "{velocity: [ground, b], along: x}", 1, 1},
    {HOL_JOINTS, "velocity", "{velocity: [a, b], at: Q, along: [1, 2, 3], value: sin(3*t)}", 1, 1},
    {HOL_JOINTS, "velocity", "{velocity: [a, b], at: Q, along: [1, 2, 3], fixed_in: second, value: 2}", 1, 1},
    {HOL_JOINTS, "velocity", "{velocity: [b, ground], at: Q, along: [1, 0, 1]}", 1, 1},
    {HOL_JOINTS, "angular-velocity", "{angular-velocity: [a, b], axis: [1, 2, 3], value: cos(t)}", 1, 1},
    {HOL_JOINTS, "angular-velocity", "{angular-velocity: [a, b], axis: [1, 2, 3], fixed_in: second}", 1, 1},
    {HOL_JOINTS, "velocity-sum", "{velocity-sum: [{velocity: [a, b], at: Q, along: y, fixed_in: second},"
                                 " {angle-rate: pin_a, times: -0.3}, {angular-velocity: [ground, b], axis: z},"
                                 " {displacement-rate: slide}], value: t^2}", 1, 1},
    {HOL_DRIVERS, "angle", "{angle: pin_b, value: sin(2*t)}", 1, 0},
    {HOL_DRIVERS, "displacement", "{displacement: slide, value: 0.1*t^3}", 1, 0},
    {HOL_DRIVERS, "length", "{length: [a, b], from: P, to: Q, value: 1 + 0.1*sin(3*t)}", 1, 0},
    {HOL_DRIVERS, "angle-rate", "{angle-rate: pin_b, value: sin(2*t)}", 1, 1},
    {HOL_DRIVERS, "displacement-rate", "{displacement-rate: slide, value: 0.1*t^3}", 1, 1},
    {HOL_FORCES, "force", "{force: b, at: Q, vector: [3, -2, 1]}", 0, 0},
    {HOL_FORCES, "force", "{force: b, at: Q, vector: [3*t, cos(t), 1], axes: body}", 0, 0},
    {HOL_FORCES, "force", "{force: b, at: Q, vector: [3, t, 2], from: a}", 0, 0},
    {HOL_FORCES, "torque", "{torque: b, vector: [2*t, 1, 0]}", 0, 0},
    {HOL_FORCES, "torque", "{torque: b, vector: [2, 1, t], axes: body, from: a}", 0, 0},
    {HOL_FORCES, "spring", "{spring: [a, b], from: P, to: Q, stiffness: 50, damping: 3, free_length: 0.4}", 0, 0},
    {HOL_FORCES, "spring", "{spring: [a, b], from: P, to: Q, along: [1, 1, 1], stiffness: 50, damping: 3}", 0, 0},
    {HOL_FORCES, "spring", "{spring: [ground, b], from: P, to: Q, force: 10*l^2 + 3*ldot^3 + t}", 0, 0},
    {HOL_FORCES, "spring", "{spring: [a, b], from: P, to: Q, polynomial: [1, -2, 3, 4]}", 0, 0},
    {HOL_FORCES, "spring", "{spring: [a, b], from: P, to: Q, table: [[0, -5], [0.5, 0], [3, 20]]}", 0, 0},
    {HOL_FORCES, "torsion", "{torsion: pin_b, stiffness: 4, damping: 0.3, free_angle: 10 deg}", 0, 0},
    {HOL_FORCES, "torsion", "{torsion: pin_b, torque: angle^3 + rate*t}", 0, 0},
    {HOL_FORCES, "bushing", "{bushing: [a, b], at: P, stiffness: [50, 60, 70], damping: [1, 2, 3],"
                            " turning_stiffness: [5, 6, 7], turning_damping: [0.2, 0.3, 0.4]}", 0, 0},
    {HOL_FORCES, "bump-stop", "{bump-stop: [a, b], from: P, to: Q, above: 0.3, stiffness: 100, damping: 2}", 0, 0},
    {HOL_FORCES, "bump-stop", "{bump-stop: [a, b], from: P, to: Q, along: x, below: 2, stiffness: 100,"
                              " exponent: 1.5}", 0, 0},
    {HOL_FORCES, "line-load", "{line-load: c, vector: [1, 2, -3]}", 0, 0},
    {HOL_FORCES, "line-load", "{line-load: c, vector: [t, -1, 2*t], axes: section}", 0, 0},
    {HOL_FORCES, "tyre", "{tyre: b, radius: 0.9, stiffness: 1000, damping: 5}", 0, 0},
    {HOL_FORCES, "tyre", "{tyre: b, radius: 0.9, stiffness: 1000, road: 0.1*sin(x) + 0.01*t}", 0, 0},
};
/* clang-format on */

enum {
    PLANAR_COUNT = sizeof planar_samples / sizeof planar_samples[0],
    SPATIAL_COUNT = sizeof spatial_samples / sizeof spatial_samples[0]
};

static const char *const section_names[] = {
    [HOL_BODIES] = "bodies", [HOL_JOINTS] = "joints", [HOL_DRIVERS] = "drivers", [HOL_FORCES] = "forces"};

static void show_errors(const HolModel *model)
{
    for (int i = 0; i < hol_model_error_count(model); ++i)
        printf("    %s\n", hol_model_error(model, i));
}

/* A mechanism with the sample as part 'x'; NULL after a failed check. */
static HolMechanism *build(const Sample *sample, bool planar, const char *coordinates)
{
    char text[4000], path[64];
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    snprintf(text, sizeof text, "%s%s", planar ? planar_model : spatial_model, planar ? planar_joints : spatial_joints);
    snprintf(path, sizeof path, "%s.x", section_names[sample->section]);
    CHECK_OK(hol_model_parse(model, text, "sample"));
    if (strcmp(sample->kind, "line-load") == 0)
        CHECK_OK(hol_model_set(model, "beams.c", "%s", curved_beam));
    CHECK_OK(hol_model_set(model, path, "%s", sample->text));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", coordinates));
    if (!CHECK_OK(hol_mechanism_create(model, &mechanism)))
        show_errors(model);
    hol_model_destroy(model);
    return mechanism;
}

/* At a point away from the start, off the constraints, at another time. */
static void check_derivatives(const HolMechanism *mechanism, double distance)
{
    const HolSystem *system = hol_mechanism_system(mechanism);
    const HolPattern *p = hol_system_pattern(system);
    HolStart start = hol_mechanism_start(mechanism);
    HolMessage message = {{0}};
    double *q = calloc((size_t)p->nq, sizeof *q), *v = calloc((size_t)p->nv, sizeof *v);
    double *w = calloc((size_t)p->nv, sizeof *w);
    for (int i = 0; i < p->nv; i++) {
        w[i] = distance * random_number();
        v[i] = 2 * random_number();
    }
    hol_system_retract(system, start.q, w, q);
    HolPoint at = {0.3, q, v};
    if (!CHECK_OK(hol_system_check(system, &at, &message)))
        printf("    %s\n", message.text);
    free(q);
    free(v);
    free(w);
}

/* Rows hold as drawn; kinds with a value of their own (rolling radius, driven length) are drawn otherwise. */
static void check_drawn(const HolMechanism *mechanism, const Sample *sample)
{
    HolTerms *terms;
    HolStart start = hol_mechanism_start(mechanism);
    HolPoint at = {start.t, start.q, start.v};
    int last = hol_mechanism_joint_count(mechanism) - 1;
    HolJointInfo joint = hol_mechanism_joint(mechanism, last);
    CHECK_STRING(joint.name, "x");
    CHECK_STRING(joint.kind, sample->kind);
    CHECK_EQUAL_INT(joint.row_count, sample->rows);
    CHECK_EQUAL_INT(joint.nonholonomic_count, sample->nonholonomic);
    if (strcmp(sample->kind, "rolling") == 0 || strcmp(sample->kind, "length") == 0)
        return;
    REQUIRE_OK(hol_terms_create(hol_mechanism_system(mechanism), &terms));
    CHECK_OK(hol_system_evaluate(hol_mechanism_system(mechanism), &at, HOL_WANT_PHI, terms));
    for (int i = 0; i < joint.row_count - joint.nonholonomic_count; ++i)
        CHECK_NEAR(terms->Phi[joint.rows[i]], 0, 1e-14);
    hol_terms_destroy(terms);
}

static void check_sample(const Sample *sample, bool planar, const char *coordinates)
{
    bool is_natural = strcmp(coordinates, "natural") == 0;
    if (!is_natural && (strcmp(sample->kind, "rod") == 0 || strcmp(sample->kind, "line-load") == 0))
        return; /* refused there, see tests/bad_models */
    CHECK_CONTEXT("%s, %s: %s", planar ? "planar" : "spatial", coordinates, sample->text);
    HolMechanism *mechanism = build(sample, planar, coordinates);
    if (!mechanism)
        return;
    random_seed(7);
    for (int i = 0; i < 10; ++i)
        check_derivatives(mechanism, i == 0 ? 0 : 0.15);
    if (sample->section != HOL_FORCES)
        check_drawn(mechanism, sample);
    hol_mechanism_destroy(mechanism);
}

static const char *const coordinates[] = {"reference-point", "natural"};

static void planar_parts_agree_with_finite_differences(void)
{
    for (int i = 0; i < PLANAR_COUNT; ++i)
        for (int k = 0; k < 2; ++k)
            check_sample(&planar_samples[i], true, coordinates[k]);
}

static void spatial_parts_agree_with_finite_differences(void)
{
    for (int i = 0; i < SPATIAL_COUNT; ++i)
        for (int k = 0; k < 2; ++k)
            check_sample(&spatial_samples[i], false, coordinates[k]);
}

static bool has_sample(const Sample *samples, int count, HolSection section, const char *kind)
{
    for (int i = 0; i < count; ++i)
        if (samples[i].section == section && strcmp(samples[i].kind, kind) == 0)
            return true;
    return false;
}

static void every_registered_kind_has_a_sample(void)
{
    static const HolSection sections[] = {HOL_JOINTS, HOL_DRIVERS, HOL_FORCES};
    for (int s = 0; s < 3; ++s)
        for (int i = 0; i < hol_part_kind_count(sections[s]); ++i) {
            HolPartKind kind = hol_part_kind(sections[s], i);
            CHECK_CONTEXT("%s", kind.name);
            CHECK(has_sample(planar_samples, PLANAR_COUNT, sections[s], kind.name) == kind.planar);
            CHECK(has_sample(spatial_samples, SPATIAL_COUNT, sections[s], kind.name) == kind.spatial);
        }
}

/* ---- How joints yield ---- */

/* The sample as parts 'x' and 'y', the latter three times as stiff; the other joints must not be rigid, they would carry
 * all. */
/* The stiffness that a kind can have, that many times. */
static const char *stiffness_of(const char *kind, bool planar, int factor, char *text, size_t size)
{
    static const char *const turning[] = {"gear",       "angle",         "lock-angle",       "constant-angle",
                                          "angle-rate", "angle-between", "angular-velocity", NULL};
    static const char *const pushing[] = {"spherical",
                                          "distance",
                                          "rod",
                                          "point-on-line",
                                          "point-in-plane",
                                          "length",
                                          "displacement",
                                          "displacement-rate",
                                          "velocity",
                                          "knife-edge",
                                          NULL};
    bool turns = true, pushes = true;
    for (int i = 0; turning[i]; ++i)
        pushes = pushes && strcmp(kind, turning[i]) != 0;
    for (int i = 0; pushing[i]; ++i)
        turns = turns && strcmp(kind, pushing[i]) != 0;
    turns = turns && !(planar && strcmp(kind, "revolute") == 0);
    turns = turns && !(!planar && strcmp(kind, "rolling") == 0);
    size_t used = 0;
    if (pushes)
        used = (size_t)snprintf(text, size, "stiffness: %de6%s", factor, turns ? ", " : "");
    if (turns)
        snprintf(text + used, size - used, "turning_stiffness: %de4", 2 * factor);
    return text;
}

static HolMechanism *build_twice(const Sample *sample, bool planar, const char *kind)
{
    char text[4000], path[64], given[80];
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    snprintf(text, sizeof text, "%s%s", planar ? planar_model : spatial_model, planar ? planar_joints : spatial_joints);
    CHECK_OK(hol_model_parse(model, text, "sample"));
    for (int i = 0; i < 2; ++i) {
        snprintf(path, sizeof path, "%s.%s", section_names[sample->section], i ? "y" : "x");
        CHECK_OK(hol_model_set(model, path, "%.*s, %s}", (int)strlen(sample->text) - 1, sample->text,
                               stiffness_of(sample->kind, planar, i ? 3 : 1, given, sizeof given)));
    }
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", kind));
    for (int i = 0; i < 3; ++i) {
        snprintf(path, sizeof path, "joints.%s", (const char *[]){"pin_a", "pin_b", "slide"}[i]);
        snprintf(text, sizeof text, "%s.stiffness", path);
        CHECK_OK(hol_model_set(model, text, "1e6"));
        snprintf(text, sizeof text, "%s.turning_stiffness", path);
        if (!planar || i == 2)
            CHECK_OK(hol_model_set(model, text, "1e4"));
    }
    CHECK_OK(hol_model_set(model, "run.record", "[x.reaction, y.reaction, x.local, y.local]"));
    if (!CHECK_OK(hol_mechanism_create(model, &mechanism)))
        show_errors(model);
    hol_model_destroy(model);
    return mechanism;
}

/* Of any multipliers the second takes three parts. */
static void check_shares(const HolMechanism *mechanism)
{
    enum { MOST = 100, COLUMNS = 25 };
    double lambda[MOST], values[COLUMNS], largest = 0;
    HolStart start = hol_mechanism_start(mechanism);
    HolMeasures measures = {0};
    HolRecorder *recorder;
    HolMessage message = {{0}};
    random_fill(MOST, lambda);
    HolState state = {.t = 0, .lambda = lambda};
    memcpy(&state.q, &start.q, sizeof state.q); /* which is only read */
    memcpy(&state.v, &start.v, sizeof state.v);
    REQUIRE(hol_system_pattern(hol_mechanism_system(mechanism))->m <= MOST);
    REQUIRE_OK(hol_recorder_create(mechanism, NULL, 0, &recorder, &message));
    CHECK_STRING(hol_mechanism_resolution(mechanism), "stiffness");
    CHECK_OK(hol_recorder_read(recorder, &state, &measures, values));
    int count = (hol_recorder_column_count(recorder) - 1) / 4;
    for (int i = 0; i < 2 * count; ++i) {
        const double *x = values + 1 + i + (i < count ? 0 : count);
        CHECK_NEAR(x[count], 3 * x[0], 1e-9);
        largest = fmax(largest, fabs(x[0]));
    }
    CHECK(largest > 1e-4);
    hol_recorder_destroy(recorder);
}

static void every_joint_shares_by_its_stiffness(void)
{
    random_seed(7);
    for (int i = 0; i < PLANAR_COUNT + SPATIAL_COUNT; ++i) {
        bool planar = i < PLANAR_COUNT;
        const Sample *sample = planar ? &planar_samples[i] : &spatial_samples[i - PLANAR_COUNT];
        for (int k = 0; k < 2 && sample->section != HOL_FORCES; ++k) {
            if (strcmp(sample->kind, "rod") == 0 && k == 0)
                continue; /* rods exist in natural coordinates only */
            CHECK_CONTEXT("%s, %s: %s", planar ? "planar" : "spatial", coordinates[k], sample->text);
            HolMechanism *mechanism = build_twice(sample, planar, coordinates[k]);
            if (mechanism)
                check_shares(mechanism);
            hol_mechanism_destroy(mechanism);
        }
    }
}

/* ---- Particles, unit vectors and what may be attached to them ---- */

static const char *const planar_elements = "plane: xy\n"
                                           "gravity: [0.3, -9.81]\n"
                                           "points: {P: [0.4, 0.3], Q: [1.1, -0.2], O: [0, 0]}\n"
                                           "bodies:\n"
                                           "  p: {particle: P, mass: 2}\n"
                                           "  q: {particle: Q}\n"
                                           "  u: {direction: [0.6, 0.8], inertia: 0.4}\n"
                                           "  b: {rigid: [0.9, 0.1], mass: 1.5, inertia: 0.2}\n"
                                           "joints:\n"
                                           "  pin: {revolute: [b, q], at: Q}\n"
                                           "  rod: {rod: [q, p], from: Q, to: P, mass: 3}\n"
                                           "  base: {rod: [ground, p], from: O, to: P, mass: 1}\n"
                                           "  line: {point-on-line: [ground, p], at: P, axis: [1, 3]}\n"
                                           "  lock: {lock-angle: [b, u]}\n"
                                           "  rail: {velocity: [b, p], at: P, along: [1, 2], value: t}\n"
                                           "  edge: {knife-edge: [ground, b], at: O, along: x}\n"
                                           "  turn: {angular-velocity: [ground, b], value: 2}\n"
                                           "forces:\n"
                                           "  push: {force: p, at: P, vector: [t, 2]}\n"
                                           "  spring: {spring: [b, p], from: O, to: P, stiffness: 30, damping: 2}\n";

static const char *const spatial_elements = "gravity: [0.3, 1, -9.81]\n"
                                            "points: {P: [0.4, 0.3, 0.2], Q: [1.1, -0.2, 0.5], O: [0, 0, 0]}\n"
                                            "bodies:\n"
                                            "  p: {particle: P, mass: 2}\n"
                                            "  q: {particle: Q}\n"
                                            "  u: {direction: [0.6, 0, 0.8], inertia: 0.4}\n"
                                            "  b: {rigid: [0.9, 0.1, 0], mass: 1.5, inertia: [0.2, 0.3, 0.25]}\n"
                                            "joints:\n"
                                            "  ball: {spherical: [q, b], at: Q}\n"
                                            "  rod: {rod: [q, p], from: Q, to: P, mass: 3}\n"
                                            "  base: {rod: [b, p], from: O, to: P, mass: 1}\n"
                                            "  plane: {point-in-plane: [b, p], at: P, normal: [1, 3, 0]}\n"
                                            "  keep: {constant-angle: [b, u], axes: [[1, 0, 0], [0.6, 0, 0.8]]}\n"
                                            "  rail: {velocity: [b, p], at: P, along: [1, 2, 0], value: t}\n"
                                            "  slow: {velocity: [ground, b], at: O, along: y, fixed_in: second}\n"
                                            "forces:\n"
                                            "  push: {force: p, at: P, vector: [t, 2, 1]}\n"
                                            "  spring: {spring: [b, q], from: O, to: Q, stiffness: 30, damping: 2}\n";

static void elements_agree_with_finite_differences(void)
{
    const char *const texts[] = {planar_elements, spatial_elements};
    for (int k = 0; k < 2; ++k) {
        HolMechanism *mechanism = NULL;
        HolModel *model = hol_model_create();
        CHECK_CONTEXT("%s", k ? "spatial" : "planar");
        CHECK_OK(hol_model_parse(model, texts[k], "elements"));
        if (!CHECK_OK(hol_mechanism_create(model, &mechanism)))
            show_errors(model);
        hol_model_destroy(model);
        CHECK_STRING(hol_mechanism_coordinates(mechanism), "natural");
        random_seed(7);
        for (int i = 0; i < 10; ++i)
            check_derivatives(mechanism, i == 0 ? 0 : 0.15);
        hol_mechanism_destroy(mechanism);
    }
}

CHECK_MAIN(TEST(elements_agree_with_finite_differences), TEST(every_joint_shares_by_its_stiffness),
           TEST(every_registered_kind_has_a_sample), TEST(planar_parts_agree_with_finite_differences),
           TEST(spatial_parts_agree_with_finite_differences))
