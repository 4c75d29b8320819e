/* SPDX-License-Identifier: BSD-3-Clause */
/* Typed definitions give the same mechanism as a model file, bit for bit; mistakes in them are sentences; a whole run is
 * one call. */
#include <holon/holon.h>

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char pendulum_file[] =
    "title: Elastic pendulum\n"
    "plane: xy\n"
    "gravity: [0, -9.81]\n"
    "points: {O: [0, 0]}\n"
    "bodies:\n"
    "  arm: {bar: [[0, 0], [1, -0.5]], mass: 2}\n"
    "  ball: {rigid: [1.5, -1], mass: 3, inertia: 0.25, outline: [[1, -1], [2, -1], O]}\n"
    "joints:\n"
    "  pin: {revolute: [ground, arm], at: [0, 0]}\n"
    "  knee: {revolute: [arm, ball], at: [1, -0.5]}\n"
    "forces:\n"
    "  coil: {spring: [ground, ball], from: [2, 0], to: [1.5, -1], stiffness: 50, damping: 0.5}\n"
    "  twist: {torque: arm, vector: 0.75}\n"
    "start: {ball: {angular_velocity: 0.5}}\n"
    "run: {until: 0.5, step: 0.002, every: 0.1, formulation: lagrange}\n";

static void define_bodies(HolModel *model)
{
    HolBodyDef arm = hol_body_def(), ball = hol_body_def();
    arm.kind = "bar";
    arm.ends[1][0] = 1;
    arm.ends[1][1] = -0.5;
    arm.mass = 2;
    CHECK_OK(hol_model_add_body(model, "arm", &arm));
    ball.at[0] = 1.5;
    ball.at[1] = -1;
    ball.mass = 3;
    ball.inertia[2] = 0.25;
    ball.angular_velocity[2] = 0.5;
    ball.more = "outline: [[1, -1], [2, -1], O]";
    CHECK_OK(hol_model_add_body(model, "ball", &ball));
}

static void define_joints(HolModel *model)
{
    HolJointDef pin = hol_joint_def(), knee = hol_joint_def();
    pin.second = "arm";
    pin.at[0] = 0; /* the other components are zero then */
    CHECK_OK(hol_model_add_joint(model, "pin", &pin));
    knee.first = "arm";
    knee.second = "ball";
    knee.at[0] = 1;
    knee.at[1] = -0.5;
    CHECK_OK(hol_model_add_joint(model, "knee", &knee));
}

static void define_forces(HolModel *model)
{
    HolForceDef coil = hol_force_def(), twist = hol_force_def();
    coil.kind = "spring";
    coil.first = "ground";
    coil.second = "ball";
    coil.from[0] = 2;
    coil.to[0] = 1.5;
    coil.to[1] = -1;
    coil.stiffness = 50;
    coil.damping = 0.5;
    CHECK_OK(hol_model_add_force(model, "coil", &coil));
    twist.kind = "torque";
    twist.first = "arm";
    twist.vector[2] = 0.75;
    CHECK_OK(hol_model_add_force(model, "twist", &twist));
}

static void define_pendulum_in(HolModel *model)
{
    HolWorldDef world = hol_world_def();
    HolRunDef run = hol_run_def();
    world.title = "Elastic pendulum";
    world.is_planar = true;
    world.gravity[1] = -9.81;
    CHECK_OK(hol_model_set_world(model, &world));
    CHECK_OK(hol_model_add_point(model, "O", (const double[3]){0}));
    define_bodies(model);
    define_joints(model);
    define_forces(model);
    run.until = 0.5;
    run.step = 2e-3;
    run.every = 0.1;
    run.formulation = "lagrange";
    CHECK_OK(hol_model_set_run(model, &run));
}

static HolModel *define_pendulum(void)
{
    HolModel *model = hol_model_create();
    define_pendulum_in(model);
    return model;
}

static HolRecording *run_model(HolModel *model)
{
    HolMessage message = {{0}};
    HolRecording *recording = NULL;
    HolStatus status = hol_model_run(model, NULL, 0, &recording, &message);
    CHECK_CONTEXT("%s", message.text);
    CHECK(status == HOL_OK && recording);
    return recording;
}

static void structs_and_a_file_give_the_same_motion(void)
{
    HolModel *defined = define_pendulum(), *written = hol_model_create();
    CHECK_OK(hol_model_parse(written, pendulum_file, "pendulum.yaml"));
    HolRecording *a = run_model(defined), *b = run_model(written);
    REQUIRE(a && b);
    CHECK(a->row_count == 6 && b->row_count == 6);
    REQUIRE(a->column_count == b->column_count);
    for (int i = 0; i < a->column_count; ++i)
        CHECK(strcmp(a->columns[i], b->columns[i]) == 0);
    size_t size = (size_t)a->row_count * (size_t)a->column_count * sizeof *a->values;
    CHECK(memcmp(a->values, b->values, size) == 0);
    CHECK(strcmp(hol_model_title(defined), "Elastic pendulum") == 0);
    CHECK(strcmp(a->summary.formulation, "lagrange") == 0);
    CHECK(a->summary.steps == 250);
    hol_recording_destroy(a);
    hol_recording_destroy(b);
    hol_model_destroy(defined);
    hol_model_destroy(written);
}

/* A spatial body with all members, compared with the same body in a file. */
static void a_spatial_body_with_a_driver(void)
{
    static const char file[] = "gravity: [0, 0, -9.81]\n"
                               "bodies: {top: {rigid: [0, 0, 1], mass: 2, inertia: [0.3, 0.4, 0.2, 0.01, 0, 0.02],"
                               " orientation: [0.8, 0.6, 0, 0]}}\n"
                               "joints: {slide: {cylindrical: [ground, top], at: [0, 0, 0], axis: [0, 1, 1]}}\n"
                               "drivers: {motor: {angle: slide, value: 3*t^2}}\n"
                               "start: {top: {velocity: [0, 0.5, 0.5], angular_velocity: [0, 0, 0]}}\n"
                               "run: {until: 0.25}\n";
    HolModel *defined = hol_model_create(), *written = hol_model_create();
    HolBodyDef top = hol_body_def();
    HolJointDef slide = hol_joint_def();
    HolDriverDef motor = hol_driver_def();
    HolWorldDef world = hol_world_def();
    HolRunDef run = hol_run_def();
    world.gravity[2] = -9.81;
    top.at[2] = 1;
    top.mass = 2;
    memcpy(top.inertia, (const double[6]){0.3, 0.4, 0.2, 0.01, 0, 0.02}, sizeof top.inertia);
    top.orientation[0] = 0.8;
    top.orientation[1] = 0.6; /* the other components are zero then */
    top.velocity[1] = top.velocity[2] = 0.5;
    top.angular_velocity[0] = 0;
    slide.kind = "cylindrical";
    slide.second = "top";
    slide.at[0] = 0;
    slide.axis[1] = slide.axis[2] = 1;
    motor.first = "slide";
    motor.value = "3*t^2";
    run.until = 0.25;
    CHECK_OK(hol_model_set_world(defined, &world));
    CHECK_OK(hol_model_add_body(defined, "top", &top));
    CHECK_OK(hol_model_add_joint(defined, "slide", &slide));
    CHECK_OK(hol_model_add_driver(defined, "motor", &motor));
    CHECK_OK(hol_model_set_run(defined, &run));
    CHECK_OK(hol_model_parse(written, file, "top.yaml"));
    HolRecording *a = run_model(defined), *b = run_model(written);
    REQUIRE(a && b);
    REQUIRE(a->column_count == b->column_count && a->row_count == b->row_count);
    CHECK(memcmp(a->values, b->values, (size_t)a->row_count * (size_t)a->column_count * sizeof *a->values) == 0);
    hol_recording_destroy(a);
    hol_recording_destroy(b);
    hol_model_destroy(defined);
    hol_model_destroy(written);
}

/* Shapes: each kind with its own member for the geometry. */
static void every_shape_has_its_members(void)
{
    static const char *const kinds[] = {"box", "cylinder", "sphere", "bar"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        HolModel *model = hol_model_create();
        HolBodyDef body = hol_body_def();
        body.kind = kinds[i];
        body.density = 7800;
        body.size[0] = 0.1;
        body.size[1] = 0.2;
        body.size[2] = 0.3;
        body.ends[1][0] = 1;
        if (strcmp(kinds[i], "bar") == 0)
            body.more = "section: 0.01"; /* a radius, which a bar needs for its volume */
        CHECK_OK(hol_model_add_body(model, "part", &body));
        HolMechanism *mechanism;
        CHECK_OK(hol_mechanism_create(model, &mechanism));
        hol_mechanism_destroy(mechanism);
        hol_model_destroy(model);
    }
}

static void check_error(HolModel *model, const char *expected)
{
    int count = hol_model_error_count(model);
    CHECK_CONTAINS(count > 0 ? hol_model_error(model, count - 1) : "", expected);
}

static void mistakes_are_sentences(void)
{
    HolModel *model = define_pendulum();
    HolBodyDef body = hol_body_def();
    HolMessage message = {{0}};
    HolRecording *recording = (HolRecording *)&message;
    CHECK(hol_model_add_body(NULL, "x", &body) == HOL_BAD_INPUT);
    CHECK(hol_model_add_body(model, NULL, &body) == HOL_BAD_INPUT);
    check_error(model, "hol_model_add_body: name must not be NULL");
    CHECK(hol_model_add_body(model, "x", NULL) == HOL_BAD_INPUT);
    check_error(model, "hol_model_add_body: def must not be NULL");
    hol_model_destroy(model);

    model = define_pendulum();
    body.mass = 1;
    body.inertia[2] = 1;
    body.more = "outline: [";
    CHECK(hol_model_add_body(model, "x", &body) == HOL_BAD_INPUT);
    CHECK(hol_model_error_count(model) == 1);
    body.more = "mass";
    CHECK(hol_model_add_body(model, "x", &body) == HOL_BAD_INPUT);
    check_error(model, "bodies.x: 'mass' has no value in 'more'; write 'mass: VALUE'");
    hol_model_destroy(model);

    model = define_pendulum();
    HolJointDef pin = hol_joint_def();
    pin.second = "bal";
    pin.at[0] = 0;
    CHECK_OK(hol_model_add_joint(model, "pin", &pin)); /* replaces the one that is there */
    CHECK(hol_model_run(model, NULL, 0, &recording, &message) == HOL_BAD_INPUT);
    CHECK(recording == NULL);
    CHECK_CONTAINS(message.text, "joints.pin: joint 'pin': body 'bal' is unknown (did you mean 'ball'?)");
    hol_model_destroy(model);

    model = define_pendulum();
    HolRunDef run = hol_run_def();
    run.step = -1;
    CHECK_OK(hol_model_set_run(model, &run));
    CHECK(hol_model_run(model, NULL, 0, &recording, &message) == HOL_BAD_INPUT);
    CHECK(strcmp(message.text, "model: run: 'step' must be positive, not -1") == 0);
    hol_model_destroy(model);
}

/* A part that connects nothing is reported when it is added, by the member that is missing. */
/* Texts of other encodings would be written into results that cannot be read. */
static void texts_must_be_utf8(void)
{
    static const char *const wrong[] = {"L\xe4nge",         "\xc3",  "\xc0\xaf",     "\xed\xa0\x80",
                                        "\xf5\x80\x80\x80", "a\x80", "\xe0\x80\x80", "\xf4\x90\x80\x80"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_CONTEXT("text %d", (int)i);
        HolModel *model = define_pendulum();
        HolBodyDef body = hol_body_def();
        CHECK_STATUS(hol_model_add_body(model, wrong[i], &body), HOL_BAD_INPUT);
        check_error(model, "bodies: the name of a part is not UTF-8 text");
        CHECK_STATUS(hol_model_add_point(model, wrong[i], (double[3]){0, 0, 0}), HOL_BAD_INPUT);
        HolJointDef joint = hol_joint_def();
        joint.second = wrong[i];
        CHECK_STATUS(hol_model_add_joint(model, "pin", &joint), HOL_BAD_INPUT);
        check_error(model, "joints.pin: a name or text is not UTF-8");
        CHECK_STATUS(hol_model_set_world(model, &(HolWorldDef){.title = wrong[i]}), HOL_BAD_INPUT);
        HolRunDef run = hol_run_def();
        run.integrator = wrong[i];
        CHECK_STATUS(hol_model_set_run(model, &run), HOL_BAD_INPUT);
        hol_model_destroy(model);
    }
    HolModel *model = define_pendulum();
    CHECK_OK(hol_model_add_point(model, "L\xc3\xa4nge\xe2\x82\xac\xf0\x9f\x98\x80", (double[3]){0, 0, 0}));
    hol_model_destroy(model);
}

static void connections_need_names(void)
{
    HolModel *model = define_pendulum();
    HolJointDef joint = hol_joint_def();
    CHECK(hol_model_add_joint(model, "pin", &joint) == HOL_BAD_INPUT);
    check_error(model, "joints.pin: the member 'second' is NULL; set it to the name of what the 'revolute' connects, "
                       "such as \"ground\"");
    joint.first = NULL;
    joint.second = "arm";
    CHECK(hol_model_add_joint(model, "pin", &joint) == HOL_BAD_INPUT);
    check_error(model, "joints.pin: the member 'first' is NULL");
    HolForceDef force = hol_force_def();
    CHECK(hol_model_add_force(model, "push", &force) == HOL_BAD_INPUT);
    check_error(model, "forces.push: the member 'first' is NULL");
    HolDriverDef driver = hol_driver_def();
    CHECK(hol_model_add_driver(model, "motor", &driver) == HOL_BAD_INPUT);
    check_error(model, "drivers.motor: the member 'first' is NULL");
    hol_model_destroy(model);

    model = define_pendulum();
    joint = hol_joint_def();
    joint.more = "revolute: [ground, arm], at: [0, 0]"; /* instead of the members */
    CHECK_OK(hol_model_add_joint(model, "pin", &joint));
    hol_recording_destroy(run_model(model));
    hol_model_destroy(model);
}

/* "joints:" without a value in a file is a section as well; the part that is added must not be lost. */
static void parts_are_added_to_an_empty_section(void)
{
    static const char *const sections[] = {"points", "bodies", "joints", "forces", "start"};
    static const char *const nothings[] = {"", "~", "null"};
    HolModel *complete = define_pendulum();
    HolRecording *expected = run_model(complete);
    REQUIRE(expected);
    for (size_t i = 0; i < 15; ++i) {
        char file[40];
        HolModel *model = hol_model_create();
        CHECK_CONTEXT("%s: %s", sections[i / 3], nothings[i % 3]);
        snprintf(file, sizeof file, "%s: %s\n", sections[i / 3], nothings[i % 3]);
        CHECK_OK(hol_model_parse(model, file, "empty.yaml"));
        define_pendulum_in(model);
        HolRecording *recording = run_model(model);
        REQUIRE(recording);
        CHECK(hol_recording_value(recording, -1, "ball.x") == hol_recording_value(expected, -1, "ball.x"));
        hol_recording_destroy(recording);
        hol_model_destroy(model);
    }
    hol_recording_destroy(expected);
    hol_model_destroy(complete);
}

static void a_section_that_is_no_map_takes_no_part(void)
{
    HolModel *model = hol_model_create();
    HolBodyDef body = hol_body_def();
    body.velocity[0] = 1;
    CHECK_OK(hol_model_set(model, "bodies", "[1, 2]"));
    CHECK(hol_model_add_body(model, "ball", &body) == HOL_BAD_INPUT);
    check_error(model, "bodies.ball: the section 'bodies' must be a map of names, not a list; no part can be added");
    hol_model_destroy(model);

    model = hol_model_create();
    CHECK_OK(hol_model_set(model, "start", "5"));
    CHECK(hol_model_add_body(model, "ball", &body) == HOL_BAD_INPUT);
    check_error(model, "bodies.ball: the section 'start' must be a map of names, not a single value");
    hol_model_destroy(model);
}

/* The sentence of a run after the body is added to the pendulum. */
static const char *run_with_body(const HolBodyDef *body, HolMessage *message)
{
    HolModel *model = define_pendulum();
    HolRecording *recording = NULL;
    hol_model_add_body(model, "part", body);
    CHECK(hol_model_run(model, NULL, 0, &recording, message) == HOL_BAD_INPUT);
    hol_model_destroy(model);
    return message->text;
}

static void the_kind_of_a_body_is_checked(void)
{
    HolMessage message = {{0}};
    HolBodyDef body = hol_body_def();
    body.mass = body.inertia[2] = 1;
    body.kind = "rgid";
    CHECK_CONTAINS(run_with_body(&body, &message),
                   "bodies.part: body 'part': 'rgid' is no kind of body (did you mean 'rigid'?)");
    body.kind = "box"; /* without a size */
    CHECK_CONTAINS(run_with_body(&body, &message), "bodies.part: body 'part': 'box': ");
    body.kind = NULL;
    CHECK_CONTAINS(run_with_body(&body, &message),
                   "bodies.part: the member 'kind' is NULL; see 'holon list bodies' for the kinds");
    body.more = "rigid: [3, 4]"; /* instead of the member */
    HolModel *model = define_pendulum();
    CHECK_OK(hol_model_add_body(model, "part", &body));
    hol_recording_destroy(run_model(model));
    hol_model_destroy(model);
}

static void rotations_that_the_plane_does_not_have(void)
{
    HolMessage message = {{0}};
    HolBodyDef body = hol_body_def();
    body.mass = body.inertia[2] = 1;
    body.angular_velocity[0] = 3;
    CHECK_CONTAINS(run_with_body(&body, &message), "bodies.part: angular_velocity[0] is 3, but in the plane only "
                                                   "angular_velocity[2], about z, has a meaning");
    body.angular_velocity[0] = 0;
    body.orientation[0] = 1;
    body.orientation[3] = 0; /* Euler parameters are no angle */
    CHECK_CONTAINS(run_with_body(&body, &message),
                   "bodies.part: the orientation in the plane is the angle in orientation[0], rad; the other "
                   "components must stay NAN");
    HolModel *model = define_pendulum();
    HolForceDef twist = hol_force_def();
    twist.kind = "torque";
    twist.first = "arm";
    twist.vector[1] = -2;
    CHECK(hol_model_add_force(model, "twist", &twist) == HOL_BAD_INPUT);
    check_error(model, "forces.twist: vector[1] is -2, but in the plane only vector[2], about z, has a meaning");
    hol_model_destroy(model);
}

static void a_body_that_is_replaced_takes_its_velocities_along(void)
{
    HolModel *model = hol_model_create();
    HolBodyDef body = hol_body_def();
    body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    body.velocity[0] = 5;
    CHECK_OK(hol_model_add_body(model, "ball", &body));
    body.velocity[0] = NAN;
    CHECK_OK(hol_model_add_body(model, "ball", &body));
    HolRecording *recording = run_model(model);
    REQUIRE(recording);
    CHECK(hol_recording_value(recording, -1, "ball.x") == 0);
    hol_recording_destroy(recording);
    hol_model_destroy(model);
}

static void without_a_model_there_is_no_recording(void)
{
    HolMessage message = {{0}};
    HolRecording *recording = (HolRecording *)&message;
    CHECK(hol_model_run(NULL, NULL, 0, &recording, &message) == HOL_BAD_INPUT);
    CHECK(recording == NULL);
}

static void what_to_record_must_have_names(void)
{
    HolMessage message = {{0}};
    HolRecording *recording;
    HolModel *model = define_pendulum();
    CHECK(hol_model_run(model, (const char *const[]){"arm", NULL}, 2, &recording, &message) == HOL_BAD_INPUT);
    CHECK(recording == NULL);
    CHECK_CONTAINS(message.text, "record[1] must not be NULL");
    hol_model_destroy(model);
}

/* Names and texts are never read as YAML, and `more` stays inside its part. */
static void texts_stay_texts(void)
{
    static const char *const mores[] = {"}, x: {", "mass: 1}\n---\n{a: b", "# all", "[1, 2]", "'", "&a b: *a"};
    HolModel *model = define_pendulum();
    HolBodyDef body = hol_body_def();
    body.mass = body.inertia[2] = 1;
    for (size_t i = 0; i < sizeof mores / sizeof *mores; ++i) {
        body.more = mores[i];
        HolStatus status = hol_model_add_body(model, "odd", &body);
        CHECK_CONTEXT("%s", mores[i]);
        CHECK(status == HOL_BAD_INPUT);
        CHECK(hol_model_error_count(model) == (int)i + 1);
    }
    HolMessage message = {{0}};
    HolRecording *recording;
    CHECK(hol_model_run(model, NULL, 0, &recording, &message) == HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "bodies.odd: ");
    hol_model_destroy(model);

    model = define_pendulum();
    body.more = NULL;
    CHECK_OK(hol_model_add_body(model, "null", &body));
    CHECK_OK(hol_model_add_body(model, "1e3", &body));
    recording = run_model(model);
    REQUIRE(recording);
    CHECK(hol_recording_find(recording, "null.x") >= 0);
    hol_recording_destroy(recording);
    hol_model_destroy(model);
}

static void values_of_a_recording(void)
{
    HolModel *model = define_pendulum();
    HolRecording *recording = run_model(model);
    REQUIRE(recording);
    CHECK(hol_recording_value(recording, 0, "t") == 0);
    CHECK_NEAR(hol_recording_value(recording, -1, "t"), 0.5, 1e-15);
    CHECK(isnan(hol_recording_value(recording, 6, "t")));
    CHECK(isnan(hol_recording_value(recording, -2, "t")));
    CHECK(isnan(hol_recording_value(recording, 0, "nonsense")));
    CHECK(hol_recording_find(recording, NULL) == -1);
    CHECK(hol_recording_find(NULL, "t") == -1);
    hol_recording_destroy(recording);
    hol_recording_destroy(NULL);
    hol_model_destroy(model);
}

static void a_run_that_stops_keeps_what_it_reached(void)
{
    HolMessage message = {{0}};
    HolRecording *recording = NULL;
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model,
                             "plane: xy\nbodies: {ball: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
                             "forces: {push: {force: ball, vector: [\"sqrt(0.55 - t)\", 0]}}\n"
                             "run: {until: 1, every: 0.1}\n",
                             "stops.yaml"));
    CHECK(hol_model_run(model, NULL, 0, &recording, &message) != HOL_OK);
    REQUIRE(recording != NULL);
    CHECK(recording->row_count == 7);
    CHECK_NEAR(hol_recording_value(recording, -1, "t"), 0.55, 2e-3);
    CHECK(message.text[0] != '\0');
    hol_recording_destroy(recording);
    hol_model_destroy(model);
}

CHECK_MAIN(TEST(structs_and_a_file_give_the_same_motion), TEST(a_spatial_body_with_a_driver),
           TEST(every_shape_has_its_members), TEST(mistakes_are_sentences), TEST(texts_must_be_utf8),
           TEST(connections_need_names), TEST(parts_are_added_to_an_empty_section),
           TEST(a_section_that_is_no_map_takes_no_part), TEST(the_kind_of_a_body_is_checked),
           TEST(rotations_that_the_plane_does_not_have), TEST(a_body_that_is_replaced_takes_its_velocities_along),
           TEST(without_a_model_there_is_no_recording), TEST(what_to_record_must_have_names), TEST(texts_stay_texts),
           TEST(values_of_a_recording), TEST(a_run_that_stops_keeps_what_it_reached))
