/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/definitions.h>

#include "wrong_arguments.h"

static const double somewhere[3] = {1, 2, 3};

/* These functions have no argument: their result is a definition that can be added. */
static void wrong_hol_world_def(void)
{
    CHECK(hol_world_def().title == NULL);
}

static void wrong_hol_body_def(void)
{
    CHECK_STRING(hol_body_def().kind, "rigid");
}

static void wrong_hol_joint_def(void)
{
    CHECK_STRING(hol_joint_def().kind, "revolute");
}

static void wrong_hol_driver_def(void)
{
    CHECK_STRING(hol_driver_def().kind, "angle");
}

static void wrong_hol_force_def(void)
{
    CHECK_STRING(hol_force_def().kind, "force");
}

static void wrong_hol_run_def(void)
{
    CHECK(isnan(hol_run_def().step));
}

/* Calls with a name and a definition, either of which may be wrong. */
#define CHECK_NAMED(function, good)                                                                                    \
    do {                                                                                                               \
        HolModel *of = hol_model_create();                                                                             \
        CHECK_STATUS(function(NULL, "a", good), HOL_BAD_INPUT);                                                        \
        REFUSED_BY_MODEL(of, #function ": name must not be NULL", function(of, NULL, good));                           \
        REFUSED_BY_MODEL(of, "must not be NULL", function(of, "a", NULL));                                             \
        REFUSED_BY_MODEL(of, "needs a name", function(of, "", good));                                                  \
        REFUSED_BY_MODEL(of, "UTF-8", function(of, "\xff", good));                                                     \
        hol_model_destroy(of);                                                                                         \
    } while (0)

static void wrong_hol_model_set_world(void)
{
    HolModel *model = hol_model_create();
    HolWorldDef def = hol_world_def();
    CHECK_STATUS(hol_model_set_world(NULL, &def), HOL_BAD_INPUT);
    REFUSED_BY_MODEL(model, "hol_model_set_world: def", hol_model_set_world(model, NULL));
    def.title = "\xff";
    REFUSED_BY_MODEL(model, "UTF-8", hol_model_set_world(model, &def));
    hol_model_destroy(model);
}

static void wrong_hol_model_add_point(void)
{
    CHECK_NAMED(hol_model_add_point, somewhere);
}

static void wrong_hol_model_add_body(void)
{
    HolBodyDef def = hol_body_def();
    HolModel *model = hol_model_create();
    CHECK_NAMED(hol_model_add_body, &def);
    def.kind = "\xff";
    REFUSED_BY_MODEL(model, "UTF-8", hol_model_add_body(model, "a", &def));
    def = hol_body_def();
    def.more = "[";
    REFUSED_BY_MODEL(model, "bodies.a", hol_model_add_body(model, "a", &def));
    hol_model_destroy(model);
}

static void wrong_hol_model_add_joint(void)
{
    HolJointDef def = hol_joint_def();
    HolModel *model = hol_model_create();
    REFUSED_BY_MODEL(model, "'second'", hol_model_add_joint(model, "a", &def));
    def.second = "b";
    CHECK_NAMED(hol_model_add_joint, &def);
    def.first = "\xff";
    REFUSED_BY_MODEL(model, "UTF-8", hol_model_add_joint(model, "a", &def));
    hol_model_destroy(model);
}

static void wrong_hol_model_add_driver(void)
{
    HolDriverDef def = hol_driver_def();
    HolModel *model = hol_model_create();
    REFUSED_BY_MODEL(model, "'first'", hol_model_add_driver(model, "a", &def));
    def.first = "pin";
    CHECK_NAMED(hol_model_add_driver, &def);
    def.value = "\xff";
    REFUSED_BY_MODEL(model, "UTF-8", hol_model_add_driver(model, "a", &def));
    hol_model_destroy(model);
}

static void wrong_hol_model_add_force(void)
{
    HolForceDef def = hol_force_def();
    HolModel *model = hol_model_create();
    REFUSED_BY_MODEL(model, "'first'", hol_model_add_force(model, "a", &def));
    def.first = "b";
    CHECK_NAMED(hol_model_add_force, &def);
    def.more = "x";
    REFUSED_BY_MODEL(model, "forces.a", hol_model_add_force(model, "a", &def));
    hol_model_destroy(model);
}

static void wrong_hol_model_set_run(void)
{
    HolModel *model = hol_model_create();
    HolRunDef def = hol_run_def();
    CHECK_STATUS(hol_model_set_run(NULL, &def), HOL_BAD_INPUT);
    REFUSED_BY_MODEL(model, "hol_model_set_run: def", hol_model_set_run(model, NULL));
    def.formulation = "\xff";
    REFUSED_BY_MODEL(model, "UTF-8", hol_model_set_run(model, &def));
    hol_model_destroy(model);
}

WRONG_ARGUMENTS_MAIN()
