/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/model.h>

#include "check.h"

static HolModel *new_model(void)
{
    static const char text[] =
        "title: A model\n"
        "parameters: {m: 2 kg, none: ~}\n"
        "bodies: {bar: {bar: [A, B], mass: m}}\n"
        "run: {step: '1 ms', formulation: penalty, integrator: {kind: dopri5, tolerance: 1e-9}}\n";
    HolModel *model = hol_model_create();
    if (model)
        CHECK_OK(hol_model_parse(model, text, "text"));
    return model;
}

static void values_are_found_by_their_paths(void)
{
    HolModel *model = new_model();
    REQUIRE(model != NULL);
    CHECK_STRING(hol_model_get(model, "title"), "A model");
    CHECK_STRING(hol_model_get(model, "parameters.m"), "2 kg");
    CHECK_STRING(hol_model_get(model, "bodies.bar.mass"), "m");
    CHECK_STRING(hol_model_get(model, "run.step"), "1 ms");
    CHECK_STRING(hol_model_get(model, "run.formulation"), "penalty");
    CHECK_STRING(hol_model_get(model, "run.integrator.tolerance"), "1e-9");
    CHECK_OK(hol_model_set(model, "bodies.bar.mass", "%d", 7));
    CHECK_STRING(hol_model_get(model, "bodies.bar.mass"), "7");
    hol_model_destroy(model);
}

static void kinds_are_words_or_in_maps(void)
{
    HolModel *model = new_model();
    REQUIRE(model != NULL);
    CHECK_STRING(hol_model_get(model, "run.formulation.kind"), "penalty");
    CHECK_STRING(hol_model_get(model, "run.integrator.kind"), "dopri5");
    CHECK(hol_model_get(model, "run.formulation.alpha") == NULL);
    CHECK(hol_model_get(model, "run.step.kind") == NULL);
    hol_model_destroy(model);
}

static void what_is_no_value_is_null(void)
{
    static const char *const paths[] = {
        "",       "nothing",        "bodies",      "bodies.bar.bar", "parameters.none",
        "title.", "title.x",        "bodies..bar", ".title",         "bodies.bar.mass.x",
        "run",    "run.integrator", "bodies.ba",   "bodies.barr"};
    HolModel *model = new_model();
    REQUIRE(model != NULL);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
        CHECK_CONTEXT("path '%s'", paths[i]);
        CHECK(hol_model_get(model, paths[i]) == NULL);
    }
    hol_model_destroy(model);
}

CHECK_MAIN(TEST(values_are_found_by_their_paths), TEST(kinds_are_words_or_in_maps), TEST(what_is_no_value_is_null))
