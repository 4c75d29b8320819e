/* SPDX-License-Identifier: BSD-3-Clause */
#include "wrong_arguments.h"

#include <stdlib.h>

static HolModel *loaded(void)
{
    HolModel *model = hol_model_create();
    if (CHECK(model != NULL))
        CHECK_OK(hol_model_load(model, "four-bar"));
    return model;
}

static void wrong_hol_model_create(void)
{
    HolModel *model = hol_model_create(); /* it has no argument */
    CHECK(model != NULL);
    hol_model_destroy(model);
}

static void wrong_hol_model_destroy(void)
{
    hol_model_destroy(NULL);
    CHECK(true);
}

static void wrong_hol_model_load(void)
{
    HolModel *model = loaded();
    CHECK_STATUS(hol_model_load(NULL, "four-bar"), HOL_BAD_INPUT);
    REFUSED_BY_MODEL(model, "hol_model_load: name must not be NULL", hol_model_load(model, NULL));
    CHECK_STRING(hol_model_name(model), "four-bar"); /* it is still there */
    REFUSED_BY_MODEL(model, "", hol_model_load(model, ""));
    REFUSED_BY_MODEL(model, "nothing.yaml", hol_model_load(model, "nothing.yaml"));
    REFUSED_BY_MODEL(model, ".", hol_model_load(model, "\xff.yaml"));
    hol_model_destroy(model);
}

static void wrong_hol_model_parse(void)
{
    HolModel *model = loaded();
    CHECK_STATUS(hol_model_parse(NULL, "title: x", "x"), HOL_BAD_INPUT);
    REFUSED_BY_MODEL(model, "hol_model_parse: text must not be NULL", hol_model_parse(model, NULL, "x"));
    REFUSED_BY_MODEL(model, "x.yaml", hol_model_parse(model, "title: \xff\xfe", "x.yaml"));
    REFUSED_BY_MODEL(model, "text", hol_model_parse(model, "[", NULL));
    hol_model_destroy(model);
}

/* A text of `size` letters. */
static char *long_text(size_t size)
{
    char *text = malloc(size + 1);
    if (CHECK(text != NULL)) {
        memset(text, 'x', size);
        text[size] = '\0';
    }
    return text;
}

static void wrong_hol_model_set(void)
{
    const char *volatile nothing = NULL; /* the compiler does not see the mistake */
    HolModel *model = loaded();
    char *text = long_text(100000);
    CHECK_STATUS(hol_model_set(NULL, "title", "x"), HOL_BAD_INPUT);
    REFUSED_BY_MODEL(model, "hol_model_set: path must not be NULL", hol_model_set(model, NULL, "%d", 1));
    REFUSED_BY_MODEL(model, "hol_model_set: format must not be NULL", hol_model_set(model, "title", nothing, 1));
    REFUSED_BY_MODEL(model, "empty part", hol_model_set(model, "", "%d", 1));
    REFUSED_BY_MODEL(model, "empty part", hol_model_set(model, "a..b", "%d", 1));
    REFUSED_BY_MODEL(model, "UTF-8", hol_model_set(model, "a.\xff", "%d", 1));
    REFUSED_BY_MODEL(model, "--set title", hol_model_set(model, "title", "%s", "\xff"));
    CHECK_OK(hol_model_set(model, "title", "%s", text));
    hol_model_set(model, text, "%d", 1); /* no section, but that is found when the model is compiled */
    free(text);
    hol_model_destroy(model);
}

static void wrong_hol_model_set_as(void)
{
    HolModel *model = loaded();
    CHECK_STATUS(hol_model_set_as(NULL, "--step", "run.step", "1"), HOL_BAD_INPUT);
    REFUSED_BY_MODEL(model, "hol_model_set_as: origin", hol_model_set_as(model, NULL, "run.step", "1"));
    REFUSED_BY_MODEL(model, "hol_model_set_as: path", hol_model_set_as(model, "--step", NULL, "1"));
    REFUSED_BY_MODEL(model, "hol_model_set_as: text", hol_model_set_as(model, "--step", "run.step", NULL));
    REFUSED_BY_MODEL(model, "--step: ", hol_model_set_as(model, "--step", "run.\xff", "1"));
    REFUSED_BY_MODEL(model, "--step", hol_model_set_as(model, "--step", "run.step", "{"));
    hol_model_destroy(model);
}

static void wrong_hol_model_get(void)
{
    HolModel *model = loaded();
    CHECK(hol_model_get(NULL, "title") == NULL);
    CHECK(hol_model_get(model, NULL) == NULL);
    CHECK(hol_model_get(model, "") == NULL);
    CHECK(hol_model_get(model, "...") == NULL);
    CHECK(hol_model_get(model, "title.") == NULL);
    CHECK(hol_model_get(model, "\xff") == NULL);
    hol_model_destroy(model);
}

static void wrong_hol_model_choose(void)
{
    HolModel *model = loaded();
    CHECK_STATUS(hol_model_choose(NULL, "x"), HOL_BAD_INPUT);
    REFUSED_BY_MODEL(model, "hol_model_choose: variant", hol_model_choose(model, NULL));
    REFUSED_BY_MODEL(model, "'nothing'", hol_model_choose(model, "nothing"));
    hol_model_destroy(model);
}

static void wrong_hol_model_variant_count(void)
{
    CHECK_EQUAL_INT(hol_model_variant_count(NULL), 0);
}

/* A text of a list that has no such entry is NULL. */
static void check_entries(int (*count)(const HolModel *), const char *(*entry)(const HolModel *, int))
{
    HolModel *model = loaded();
    CHECK(entry(NULL, 0) == NULL);
    CHECK(entry(model, count(model)) == NULL);
    for (int i = 0; i < WRONG_INDICES; ++i)
        CHECK(entry(model, wrong_indices[i]) == NULL);
    hol_model_destroy(model);
}

static void wrong_hol_model_variant(void)
{
    check_entries(hol_model_variant_count, hol_model_variant);
}

static void wrong_hol_model_name(void)
{
    CHECK_STRING(hol_model_name(NULL), "");
}

static void wrong_hol_model_title(void)
{
    CHECK_STRING(hol_model_title(NULL), "");
}

static void wrong_hol_model_error_count(void)
{
    CHECK_EQUAL_INT(hol_model_error_count(NULL), 0);
}

static void wrong_hol_model_error(void)
{
    check_entries(hol_model_error_count, hol_model_error);
}

static void wrong_hol_model_warning_count(void)
{
    CHECK_EQUAL_INT(hol_model_warning_count(NULL), 0);
}

static void wrong_hol_model_warning(void)
{
    check_entries(hol_model_warning_count, hol_model_warning);
}

static void wrong_hol_quantity_parse(void)
{
    static const char *const texts[] = {"", "m", "1 xyz", "1,5", "\xff", "1 +", "((((", "1e999 m"};
    double value = 7;
    char *text = long_text(100000);
    REFUSED("hol_quantity_parse: text", hol_quantity_parse(NULL, "m", &value, message));
    REFUSED("hol_quantity_parse: unit", hol_quantity_parse("1", NULL, &value, message));
    REFUSED("hol_quantity_parse: value", hol_quantity_parse("1", "m", NULL, message));
    REFUSED("'xyz'", hol_quantity_parse("1", "xyz", &value, message));
    REFUSED("'?'", hol_quantity_parse("1 m", "\xff", &value, message));
    REFUSED("m", hol_quantity_parse("1 s", "m", &value, message));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        REFUSED("", hol_quantity_parse(texts[i], "m", &value, message));
    REFUSED("x", hol_quantity_parse(text, "m", &value, message));
    CHECK(value == 7);
    free(text);
}

static void wrong_hol_model_file_count(void)
{
    CHECK(hol_model_file_count(NULL) == 0);
}

static void wrong_hol_model_file(void)
{
    HolModel *model = hol_model_create();
    CHECK(hol_model_file(NULL, 0) == NULL);
    CHECK(hol_model_file(model, -1) == NULL);
    CHECK(hol_model_file(model, 0) == NULL);
    hol_model_destroy(model);
}

static void wrong_hol_model_fingerprint(void)
{
    CHECK(hol_model_fingerprint(NULL) == 0);
}

static void wrong_hol_library_count(void)
{
    CHECK(hol_library_count() > 0); /* it has no argument */
}

static void wrong_hol_library_model(void)
{
    for (int i = 0; i < WRONG_INDICES; ++i)
        CHECK(hol_library_model(wrong_indices[i]).name == NULL);
    CHECK(hol_library_model(hol_library_count()).text == NULL);
}

WRONG_ARGUMENTS_MAIN()
