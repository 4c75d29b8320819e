/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of every registered kind of body, beam, section, joint, driver and force, in the plane and in space, in
 * both kinds of coordinates: constraint equations, their derivatives, potential, power and tangent agree with finite
 * differences away from the constraints; the constraint equations of a joint hold in the position drawn; joints share
 * reactions by their stiffness. */
#include <holon/mechanism.h>

#include "check.h"
#include "random.h"

#include <stdlib.h>

/* One sample in one kind of model. */
typedef struct Case {
    HolSection section;
    HolPartKind kind;
    HolPartSample sample;
    bool planar, natural;
} Case;

/* The model around a sample, see HolPartSample: two bodies in general position, and joints to be coupled or driven. */
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

static const char *const curved_beam =
    "{from: O, to: Q, through: P, twist: 20 deg, elements: 2, order: 2,"
    " section: {EA: 20, GA2: 7, GA3: 6, GJ: 3, EI2: 2, EI3: 1.5, mass: 1 + s, J2: 0.1, J3: 0.2}}";

static const char *const section_names[] = {
    [HOL_BODIES] = "bodies", [HOL_JOINTS] = "joints", [HOL_DRIVERS] = "drivers",
    [HOL_FORCES] = "forces", [HOL_BEAMS] = "beams",   [HOL_BEAM_SECTIONS] = "beams"};

static bool is_joint(const Case *c)
{
    return c->section == HOL_JOINTS || c->section == HOL_DRIVERS;
}

static void show_errors(const HolModel *model)
{
    for (int i = 0; i < hol_model_error_count(model); ++i)
        printf("    %s\n", hol_model_error(model, i));
}

/* ---- Models with a sample ---- */

static HolModel *create_frame(const Case *c)
{
    HolModel *model = hol_model_create();
    char text[4000];
    snprintf(text, sizeof text, "%s%s", c->planar ? planar_model : spatial_model,
             c->planar ? planar_joints : spatial_joints);
    CHECK_OK(hol_model_parse(model, text, "sample"));
    if (strcmp(c->kind.connects, "beam") == 0)
        CHECK_OK(hol_model_set(model, "beams.c", "%s", curved_beam));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", c->natural ? "natural" : "reference-point"));
    return model;
}

/* Adds the sample as a part of that name, with further keys (", key: value") if there are any. */
static void add_sample(HolModel *model, const Case *c, const char *name, const char *keys)
{
    char path[64];
    const char *text = c->sample.text;
    snprintf(path, sizeof path, "%s.%s", section_names[c->section], name);
    if (c->section == HOL_BEAM_SECTIONS)
        CHECK_OK(hol_model_set(model, path, "{from: O, to: Q, through: P, elements: 2, order: 2, section: %s}", text));
    else
        CHECK_OK(hol_model_set(model, path, "%.*s%s}", (int)strlen(text) - 1, text, keys));
}

/* NULL after a failed check. */
static HolMechanism *compile(HolModel *model)
{
    HolMechanism *mechanism = NULL;
    if (!CHECK_OK(hol_mechanism_create(model, &mechanism)))
        show_errors(model);
    hol_model_destroy(model);
    return mechanism;
}

/* Whether a model with the sample, and these further keys, is accepted. */
static bool is_accepted(const Case *c, const char *keys)
{
    HolMechanism *mechanism = NULL;
    HolModel *model = create_frame(c);
    add_sample(model, c, "x", keys);
    HolStatus status = hol_mechanism_create(model, &mechanism);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    return status == HOL_OK;
}

/* Calls check() for each sample of each kind in each kind of model that it is for. */
static void for_each_case(void (*check)(const Case *c))
{
    for (HolSection section = HOL_BODIES; section <= HOL_BEAM_SECTIONS; ++section)
        for (int k = 0; k < hol_part_kind_count(section); ++k)
            for (int i = 0; i < 4 * hol_part_kind(section, k).sample_count; ++i) {
                Case c = {section, hol_part_kind(section, k), hol_part_sample(section, k, i / 4), i / 2 % 2 == 0,
                          i % 2};
                CHECK_CONTEXT("%s, %s coordinates, %s", c.planar ? "plane" : "space",
                              c.natural ? "natural" : "reference-point", c.sample.text);
                if (c.planar ? c.sample.planar : c.sample.spatial)
                    check(&c);
            }
}

static void every_registered_kind_has_samples(void)
{
    for (HolSection section = HOL_BODIES; section <= HOL_BEAM_SECTIONS; ++section)
        for (int k = 0; k < hol_part_kind_count(section); ++k) {
            HolPartKind kind = hol_part_kind(section, k);
            bool planar = false, spatial = false;
            CHECK_CONTEXT("%s: %s", section_names[section], kind.name);
            for (int i = 0; i < kind.sample_count; ++i) {
                planar = planar || hol_part_sample(section, k, i).planar;
                spatial = spatial || hol_part_sample(section, k, i).spatial;
            }
            CHECK(planar == kind.planar);
            CHECK(spatial == kind.spatial);
        }
}

/* ---- Derivatives ---- */

/* At a point away from the initial one, off the constraints, at another time. */
static void check_derivatives(const HolMechanism *mechanism, double distance)
{
    const HolSystem *system = hol_mechanism_system(mechanism);
    const HolPattern *p = hol_system_pattern(system);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
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

/* The samples are drawn such that their constraint equations hold. */
static void check_joint(const HolMechanism *mechanism, const Case *c)
{
    HolTerms *terms;
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolPoint at = {start.t, start.q, start.v};
    HolJointInfo joint = hol_mechanism_joint(mechanism, hol_mechanism_joint_count(mechanism) - 1);
    CHECK_STRING(joint.name, "x");
    CHECK_STRING(joint.kind, c->kind.name);
    CHECK_EQUAL_INT(joint.row_count, c->sample.row_count);
    CHECK_EQUAL_INT(joint.nonholonomic_count, c->sample.nonholonomic_count);
    REQUIRE_OK(hol_terms_create(hol_mechanism_system(mechanism), &terms));
    CHECK_OK(hol_system_evaluate(hol_mechanism_system(mechanism), &at, HOL_WANT_PHI, terms));
    for (int i = 0; i < joint.row_count - joint.nonholonomic_count; ++i)
        CHECK_NEAR(terms->Phi[joint.rows[i]], 0, 1e-14);
    hol_terms_destroy(terms);
}

static void check_sample(const Case *c)
{
    if (c->kind.natural && !c->natural) {
        CHECK(!is_accepted(c, ""));
        return;
    }
    HolModel *model = create_frame(c);
    add_sample(model, c, "x", "");
    HolMechanism *mechanism = compile(model);
    if (!mechanism)
        return;
    random_seed(7);
    for (int i = 0; i < 10; ++i)
        check_derivatives(mechanism, i == 0 ? 0 : 0.15);
    if (is_joint(c))
        check_joint(mechanism, c);
    hol_mechanism_destroy(mechanism);
}

static void samples_agree_with_finite_differences(void)
{
    for_each_case(check_sample);
}

/* ---- Elastic joints ---- */

/* The keys that make a joint elastic: those of the two that it accepts. */
static void write_stiffness(const Case *c, int factor, char *keys, size_t size)
{
    size_t used = 0;
    keys[0] = '\0';
    if (is_accepted(c, ", stiffness: 1e6"))
        used = (size_t)snprintf(keys, size, ", stiffness: %de6", factor);
    if (is_accepted(c, ", turning_stiffness: 2e4"))
        snprintf(keys + used, size - used, ", turning_stiffness: %de4", 2 * factor);
    CHECK(keys[0]);
}

/* The sample as joints 'x' and 'y', the latter three times as stiff. Rigid joints of the frame would carry the whole
 * load, so that these are elastic too. */
static HolMechanism *build_twice(const Case *c)
{
    static const char *const frame[] = {"pin_a", "pin_b", "slide"};
    char path[64], keys[80];
    HolModel *model = create_frame(c);
    for (int i = 0; i < 2; ++i) {
        write_stiffness(c, i ? 3 : 1, keys, sizeof keys);
        add_sample(model, c, i ? "y" : "x", keys);
    }
    for (int i = 0; i < 3; ++i) {
        snprintf(path, sizeof path, "joints.%s.stiffness", frame[i]);
        CHECK_OK(hol_model_set(model, path, "1e6"));
        snprintf(path, sizeof path, "joints.%s.turning_stiffness", frame[i]);
        if (!c->planar || i == 2)
            CHECK_OK(hol_model_set(model, path, "1e4"));
    }
    CHECK_OK(hol_model_set(model, "run.record", "[x.reaction, y.reaction, x.local, y.local]"));
    return compile(model);
}

/* Whatever the multipliers are, the reaction of 'y' is three times that of 'x'. */
static void check_shares(const HolMechanism *mechanism)
{
    enum { MOST = 100, COLUMNS = 25 };
    double lambda[MOST], values[COLUMNS], largest = 0;
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolMeasures measures = {0};
    HolRecorder *recorder;
    HolMessage message = {{0}};
    random_fill(MOST, lambda);
    HolState state = {.t = 0, .lambda = lambda};
    memcpy(&state.q, &start.q, sizeof state.q); /* which is only read */
    memcpy(&state.v, &start.v, sizeof state.v);
    REQUIRE(hol_system_pattern(hol_mechanism_system(mechanism))->m <= MOST);
    REQUIRE_OK(hol_recorder_create(mechanism, NULL, 0, &recorder, &message));
    CHECK_STRING(hol_mechanism_reaction_rule(mechanism), "stiffness");
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

static void check_elastic(const Case *c)
{
    if (!is_joint(c) || (c->kind.natural && !c->natural))
        return;
    HolMechanism *mechanism = build_twice(c);
    if (mechanism)
        check_shares(mechanism);
    hol_mechanism_destroy(mechanism);
}

static void every_joint_shares_by_its_stiffness(void)
{
    random_seed(7);
    for_each_case(check_elastic);
}

/* ---- Joints and forces on particles and unit vectors ---- */

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
        HolModel *model = hol_model_create();
        CHECK_CONTEXT("%s", k ? "spatial" : "planar");
        CHECK_OK(hol_model_parse(model, texts[k], "elements"));
        HolMechanism *mechanism = compile(model);
        REQUIRE(mechanism);
        CHECK_STRING(hol_mechanism_coordinates(mechanism), "natural");
        random_seed(7);
        for (int i = 0; i < 10; ++i)
            check_derivatives(mechanism, i == 0 ? 0 : 0.15);
        hol_mechanism_destroy(mechanism);
    }
}

CHECK_MAIN(TEST(elements_agree_with_finite_differences), TEST(every_joint_shares_by_its_stiffness),
           TEST(every_registered_kind_has_samples), TEST(samples_agree_with_finite_differences))
