/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be drawn of a mechanism, against places worked out by hand. */
#include <holon/holon.h>

#include "check.h"

#include <math.h>
#include <string.h>

/* A model, compiled. */
typedef struct Drawn {
    HolModel *model;
    HolMechanism *mechanism;
    HolScene *scene;
} Drawn;

static void draw(const char *text, Drawn *drawn)
{
    *drawn = (Drawn){.model = hol_model_create()};
    REQUIRE(drawn->model);
    REQUIRE_OK(hol_model_parse(drawn->model, text, "scene"));
    HolStatus status = hol_mechanism_create(drawn->model, &drawn->mechanism);
    if (status != HOL_OK)
        CHECK_STRING(hol_model_error_count(drawn->model) > 0 ? hol_model_error(drawn->model, 0) : "no memory", "");
    else
        CHECK_OK(hol_scene_create(drawn->mechanism, &drawn->scene));
}

static void forget(Drawn *drawn)
{
    hol_scene_destroy(drawn->scene);
    hol_mechanism_destroy(drawn->mechanism);
    hol_model_destroy(drawn->model);
}

static void check_vector(const double *x, double a, double b, double c)
{
    CHECK_NEAR(x[0], a, 1e-12);
    CHECK_NEAR(x[1], b, 1e-12);
    CHECK_NEAR(x[2], c, 1e-12);
}

static void shapes_are_in_body_axes_about_the_centre(void)
{
    Drawn d;
    draw(
        "bodies:\n"
        "  bar: {bar: [[0, 0, 0], [0, 4, 0]], mass: 1}\n"
        "  thick: {bar: [[0, 0, 0], [0, 0, 2]], section: 0.1, density: 1000}\n"
        "  beam: {bar: [[1, 1, 1], [4, 1, 1]], section: [0.2, 0.3], density: 1000}\n"
        "  box: {box: [1, 2, 3], at: [5, 5, 5], centre: [5, 5, 4], mass: 1, orientation: {axis: [0, 0, 1], angle: 90 deg}}\n"
        "  wheel: {cylinder: [0.5, 0.2], at: [1, 0, 0], mass: 1, orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
        "  ball: {sphere: 0.7, at: [9, 0, 0], mass: 1}\n"
        "  plate: {rigid: [1, 1, 0], mass: 1, inertia: [1, 1, 1], outline: [[0, 0, 0], [3, 0, 0], [0, 3, 0]],\n"
        "    orientation: {axis: [0, 0, 1], angle: 90 deg}}\n"
        "  lump: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n",
        &d);
    REQUIRE(d.scene && d.scene->body_count == 8);
    const HolSceneBody *b = d.scene->bodies;
    CHECK(b[0].shapes->type == HOL_SHAPE_BAR && b[0].shapes->radius == 0);
    check_vector(b[0].shapes->points[0], -2, 0, 0); /* x along the bar */
    check_vector(b[0].shapes->points[1], 2, 0, 0);
    CHECK_NEAR(b[1].shapes->radius, 0.1, 0);
    CHECK(b[2].shapes->type == HOL_SHAPE_BOX);
    check_vector(b[2].shapes->edges, 3, 0.2, 0.3);
    check_vector(b[2].shapes->points[0], 0, 0, 0);
    check_vector(b[2].shapes->axes[0], 1, 0, 0);
    check_vector(b[3].shapes->edges, 1, 2, 3); /* along the body axes, its middle one above the centre */
    check_vector(b[3].shapes->points[0], 0, 0, 1);
    check_vector(b[3].shapes->axes[1], 0, 1, 0);
    check_vector(b[4].shapes->points[0], 0, 0, -0.1);
    check_vector(b[4].shapes->points[1], 0, 0, 0.1);
    CHECK(b[5].shapes->type == HOL_SHAPE_SPHERE && b[5].shapes->radius == 0.7);
    CHECK_EQUAL_INT(b[6].shapes->point_count, 3);
    check_vector(b[6].shapes->points[1], -1, -2, 0); /* (2, -1) turned back by 90 deg */
    CHECK_EQUAL_INT(b[7].shape_count, 0);
    forget(&d);
}

static void joints_have_place_and_axis_in_the_second_body(void)
{
    Drawn d;
    draw("gravity: [0, 0, -9.81]\n"
         "points: {P: {at: [2, 0, 0], on: a}}\n"
         "bodies:\n"
         "  a: {rigid: [1, 0, 0], mass: 1, inertia: [1, 1, 1], orientation: {axis: [0, 0, 1], angle: 90 deg}}\n"
         "  b: {rigid: [3, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
         "joints:\n"
         "  pin: {revolute: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}\n"
         "  back: {revolute: [b, ground], at: [4, 0, 0], axis: [0, 1, 0]}\n"
         "  ball: {spherical: [a, b], at: [2, 0, 0]}\n"
         "  link: {distance: [a, b], from: [1, 1, 0], to: [3, 1, 0]}\n"
         "  stay: {distance: [b, ground], from: [3, 1, 0], to: [5, 6, 7]}\n"
         "forces:\n"
         "  coil: {spring: [ground, b], from: [0, 5, 0], to: [3, 2, 0], stiffness: 1}\n"
         "  push: {force: b, at: [3, 0, 7], vector: [1, 0, 0]}\n"
         "  turn: {torque: b, vector: [1, 0, 0]}\n",
         &d);
    REQUIRE(d.scene && d.scene->joint_count == 5 && d.scene->force_count == 3);
    const HolSceneJoint *j = d.scene->joints;
    CHECK(j[0].first == -1 && j[0].second == 0 && j[0].has_axis && strcmp(j[0].kind, "revolute") == 0);
    check_vector(j[0].place.at, 0, 1, 0); /* (-1, 0, 0) turned back */
    check_vector(j[0].axis, 0, -1, 0);
    CHECK(j[1].first == 1 && j[1].second == -1 && j[1].place.body == 1);
    check_vector(j[1].place.at, 1, 0, 0);
    check_vector(j[1].axis, 0, 1, 0);
    CHECK(!j[2].has_axis && !j[2].is_rod);
    CHECK(j[3].is_rod && j[3].from.body == 0 && j[3].place.body == 1);
    check_vector(j[3].from.at, 1, 0, 0); /* (0, 1, 0) turned back */
    check_vector(j[3].place.at, 0, 1, 0);
    CHECK(j[4].is_rod && j[4].from.body == 1 && j[4].place.body == -1); /* its end does not go with b */
    check_vector(j[4].from.at, 0, 1, 0);
    check_vector(j[4].place.at, 5, 6, 7);
    const HolSceneForce *f = d.scene->forces;
    CHECK(f[0].end_count == 2 && f[0].ends[0].body == -1 && f[0].ends[1].body == 1);
    check_vector(f[0].ends[0].at, 0, 5, 0);
    check_vector(f[0].ends[1].at, 0, 2, 0);
    CHECK(f[1].end_count == 0 && f[2].end_count == 0);
    /* b: pin, ball, link, spring, force; a torque has no place. */
    CHECK_EQUAL_INT(d.scene->bodies[1].mark_count, 5);
    CHECK_EQUAL_INT(d.scene->bodies[0].mark_count, 3);
    CHECK_EQUAL_INT(d.scene->ground_mark_count, 4);
    CHECK(d.scene->point_count == 1 && strcmp(d.scene->points[0], "P") == 0);
    CHECK_EQUAL_INT(d.scene->point_places[0].body, 0);
    check_vector(d.scene->point_places[0].at, 0, -1, 0); /* (1, 0, 0) turned back */
    check_vector(d.scene->gravity, 0, 0, -9.81);
    forget(&d);
}

/* A wheel that stands along x, turned by 90 deg about z, and a ball; the floor's normal is neither's axis. */
static void what_rolls_has_its_own_axis(void)
{
    Drawn d;
    draw("gravity: [0, 0, -9.81]\n"
         "bodies:\n"
         "  wheel: {rigid: [0, 0, 0.3], mass: 1, inertia: [1, 1, 1], orientation: {axis: [0, 0, 1], angle: 90 deg}}\n"
         "  ball: {sphere: 0.2, at: [2, 0, 0.2], mass: 1}\n"
         "joints:\n"
         "  wheel: {rolling: [ground, wheel], shape: disc, axis: y, radius: 0.3, through: [0, 0, 0]}\n"
         "  ball: {rolling: [ground, ball], shape: ball, radius: 0.2, through: [0, 0, 0], normal: z}\n",
         &d);
    REQUIRE(d.scene && d.scene->joint_count == 2);
    const HolSceneJoint *j = d.scene->joints;
    CHECK(j[0].radius == 0.3 && j[0].has_axis);
    check_vector(j[0].axis, 1, 0, 0); /* y turned back */
    check_vector(j[0].place.at, 0, 0, 0);
    CHECK(j[1].radius == 0.2 && !j[1].has_axis);
    forget(&d);
}

static void beams_have_nodes_and_sections(void)
{
    Drawn d;
    draw("beams:\n"
         "  tower: {from: [0, 0, 0], to: [0, 0, 6], elements: 2, order: 2,\n"
         "    section: {tube: [0.5, 0.1], E: 1e9, nu: 0.3, density: 1000}}\n"
         "  blade: {from: [0, 0, 6], to: [3, 0, 6], elements: 1, order: 1,\n"
         "    section: {rectangle: [0.4, 0.1], E: 1e9, nu: 0.3, density: 1000}}\n",
         &d);
    REQUIRE(d.scene && d.scene->beam_count == 2);
    const HolSceneBeam *tower = &d.scene->beams[0], *blade = &d.scene->beams[1];
    CHECK(tower->round && tower->width == 1 && tower->height == 1);
    CHECK_EQUAL_INT(tower->node_count, 5);
    for (int i = 0; i < 5; ++i)
        CHECK_NEAR(tower->s[i], i / 4.0, 1e-15);
    CHECK(!blade->round && blade->width == 0.4 && blade->height == 0.1 && blade->first_node == 5);
    CHECK(d.scene->bodies[4].node_of == 0 && d.scene->bodies[5].node_of == 1);
    forget(&d);
}

static void an_outline_changes_nothing_but_pictures(void)
{
    static const char *const texts[] = {
        "plane: xy\nbodies: {b: {rigid: [0, 0], mass: 1, inertia: 1, outline: [[0, 0], [1, 0]]}}\n",
        "plane: xy\nbodies: {b: {rigid: [0, 0], mass: 1, inertia: 1, outline: 3}}\n",
        "plane: xy\nbodies: {b: {rigid: [0, 0], mass: 1, inertia: 1, outline: [[0, 0], [1, 0], nowhere]}}\n"};
    static const char *const sentences[] = {"'outline' must be a list of 3 to 100 points",
                                            "'outline' must be a list of 3 to 100 points", "nowhere"};
    for (int i = 0; i < 3; ++i) {
        HolModel *model = hol_model_create();
        HolMechanism *mechanism = NULL;
        REQUIRE(model);
        CHECK_OK(hol_model_parse(model, texts[i], "outline"));
        CHECK_STATUS(hol_mechanism_create(model, &mechanism), HOL_BAD_INPUT);
        CHECK_EQUAL_INT(hol_model_error_count(model), 1);
        CHECK_CONTAINS(hol_model_error(model, 0), sentences[i]);
        hol_model_destroy(model);
    }
}

CHECK_MAIN(TEST(shapes_are_in_body_axes_about_the_centre), TEST(joints_have_place_and_axis_in_the_second_body),
           TEST(what_rolls_has_its_own_axis), TEST(beams_have_nodes_and_sections),
           TEST(an_outline_changes_nothing_but_pictures))
