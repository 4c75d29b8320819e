/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of models that are wrong. Each file of tests/bad_models has mistakes and begins with the sentences that
 * must be said of them, all of these and no others:
 *
 *     # expect: 4:15: body 'bar': it has no 'mass'        a file's name in front means another file
 *     # variant: heavy                                    is chosen before
 *
 * Those of tests/bad_models/assembly read well but cannot be put together:
 *
 *     # expect-assembly: 'pin_C' remains violated               a part of the sentence
 *
 * And nothing does harm: noise, deep nesting, and built-in models of which bytes are changed or cut off. */
#include <holon/mechanism.h>

#include "check.h"
#include "random.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#define FOLDER HOLON_SOURCE_DIR "/tests/bad_models"

enum { FEWEST_FILES = 60, MOST_FILES = 1000, LONGEST_LINE = 1000, MOST_EXPECTED = 40, LONGEST_NAME = 200 };

/* ---- Files ---- */

typedef struct Expected {
    int count;
    char sentences[MOST_EXPECTED][LONGEST_LINE];
    char variant[LONGEST_LINE];
    char assembly[LONGEST_LINE];
} Expected;

static bool ends_in_yaml(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".yaml") == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The models of a folder, sorted; their number. */
static int list_files(const char *folder, char (*names)[LONGEST_NAME])
{
    int count = 0;
    DIR *directory = opendir(folder);
    if (!CHECK(directory != NULL))
        return 0;
    for (const struct dirent *entry; (entry = readdir(directory)) && count < MOST_FILES;)
        if (ends_in_yaml(entry->d_name) && strlen(entry->d_name) < LONGEST_NAME)
            strcpy(names[count++], entry->d_name);
    closedir(directory);
    qsort(names, (size_t)count, sizeof *names, compare_names);
    return count;
}

/* The rest of a line after a word it begins with, or NULL. */
static const char *after(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length : NULL;
}

/* "4:15: it has no mass" in x.yaml is "x.yaml:4:15: ...", "the file is empty" is "x.yaml: ..." */
static void take_sentence(Expected *expected, const char *name, const char *sentence)
{
    bool has_file = strstr(sentence, ".yaml:") && strcspn(sentence, " ") > strcspn(sentence, ".");
    bool has_place = sentence[0] >= '0' && sentence[0] <= '9';
    if (!CHECK(expected->count < MOST_EXPECTED))
        return;
    snprintf(expected->sentences[expected->count++], LONGEST_LINE, "%s%s%s", has_file ? "" : name,
             has_file    ? ""
             : has_place ? ":"
                         : ": ",
             sentence);
}

/* The comments at the beginning of a file. */
static bool read_expected(const char *path, const char *name, Expected *expected)
{
    char line[LONGEST_LINE];
    *expected = (Expected){0};
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL))
        return false;
    while (fgets(line, sizeof line, file) && line[0] == '#') {
        const char *rest;
        line[strcspn(line, "\n")] = '\0';
        if ((rest = after(line, "# expect: ")))
            take_sentence(expected, name, rest);
        else if ((rest = after(line, "# expect-assembly: ")))
            strcpy(expected->assembly, rest);
        else if ((rest = after(line, "# variant: ")))
            strcpy(expected->variant, rest);
    }
    fclose(file);
    return true;
}

/* Sentences name files by their whole path; what is before the folder of the bad models is left out. */
static void shorten(const char *sentence, char *shortened)
{
    static const char folder[] = FOLDER "/";
    char *end = shortened + LONGEST_LINE - 1;
    while (*sentence && shortened < end) {
        if (strncmp(sentence, folder, sizeof folder - 1) == 0)
            sentence += sizeof folder - 1;
        else
            *shortened++ = *sentence++;
    }
    *shortened = '\0';
}

static void compare_errors(const HolModel *model, const Expected *expected)
{
    int count = hol_model_error_count(model);
    CHECK_EQUAL_INT(count, expected->count);
    for (int i = 0; i < count || i < expected->count; i++) {
        char sentence[LONGEST_LINE] = "";
        if (i < count)
            shorten(hol_model_error(model, i), sentence);
        CHECK_STRING(sentence, i < expected->count ? expected->sentences[i] : "");
    }
}

static HolStatus load(HolModel *model, const char *path, const char *variant, HolMechanism **mechanism)
{
    HolStatus status = hol_model_load(model, path);
    if (variant[0] && status == HOL_OK)
        hol_model_choose(model, variant);
    status = hol_mechanism_create(model, mechanism);
    if (status == HOL_OK)
        status = hol_mechanism_check_jumps(*mechanism, model);
    if (status != HOL_OK) {
        hol_mechanism_destroy(*mechanism);
        *mechanism = NULL;
    }
    return status;
}

static void check_file(const char *name)
{
    char path[LONGEST_LINE];
    Expected *expected = malloc(sizeof *expected);
    HolModel *model = hol_model_create();
    HolMechanism *mechanism;
    snprintf(path, sizeof path, FOLDER "/%s", name);
    if (CHECK(expected && model) && read_expected(path, name, expected)) {
        CHECK_STATUS(load(model, path, expected->variant, &mechanism), HOL_BAD_INPUT);
        CHECK(mechanism == NULL);
        CHECK(expected->count > 0);
        compare_errors(model, expected);
    }
    hol_model_destroy(model);
    free(expected);
}

static void every_mistake_is_reported_once_and_nothing_else(void)
{
    static char names[MOST_FILES][LONGEST_NAME];
    int count = list_files(FOLDER, names);
    CHECK(count >= FEWEST_FILES);
    for (int i = 0; i < count; i++) {
        CHECK_CONTEXT("%s", names[i]);
        check_file(names[i]);
    }
}

static void check_assembly(const char *name)
{
    char path[LONGEST_LINE];
    Expected *expected = malloc(sizeof *expected);
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolMessage message = {{0}};
    snprintf(path, sizeof path, FOLDER "/assembly/%s", name);
    if (CHECK(expected && model) && read_expected(path, name, expected) &&
        CHECK_OK(load(model, path, expected->variant, &mechanism))) {
        CHECK_STATUS(hol_mechanism_assemble(mechanism, &message), HOL_NO_CONVERGENCE);
        CHECK(expected->assembly[0] != '\0');
        CHECK_CONTAINS(message.text, expected->assembly);
    }
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    free(expected);
}

static void what_cannot_be_assembled_is_named(void)
{
    static char names[MOST_FILES][LONGEST_NAME];
    int count = list_files(FOLDER "/assembly", names);
    CHECK(count > 0);
    for (int i = 0; i < count; i++) {
        CHECK_CONTEXT("assembly/%s", names[i]);
        check_assembly(names[i]);
    }
}

/* ---- Texts that do harm ---- */

static HolStatus compile(const char *text)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolStatus status = HOL_NO_MEMORY;
    if (!model)
        return status;
    hol_model_parse(model, text, "x.yaml");
    status = hol_mechanism_create(model, &mechanism);
    CHECK((status == HOL_OK) == (mechanism != NULL));
    CHECK(status == HOL_OK || (status == HOL_BAD_INPUT && hol_model_error_count(model) > 0));
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    return status;
}

/* Every byte is drawn from a set of characters; NULL: from all. */
static void fill_noise(const char *set, char *text, int size)
{
    int last = set ? (int)strlen(set) - 1 : 255;
    for (int i = 0; i < size; i++) {
        int drawn = random_between(0, last);
        text[i] = (char)(set ? set[drawn] : drawn);
    }
}

/* From a file, because noise contains NULs. */
static void check_noise_in_file(const char *noise, int size)
{
    char path[] = "/tmp/holon-noise-XXXXXX";
    int descriptor = mkstemp(path);
    HolMechanism *mechanism;
    HolModel *model = hol_model_create();
    if (CHECK(model != NULL && descriptor >= 0)) {
        CHECK(write(descriptor, noise, (size_t)size) == size);
        CHECK_STATUS(load(model, path, "", &mechanism), HOL_BAD_INPUT);
        CHECK(hol_model_error_count(model) > 0);
        unlink(path);
        close(descriptor);
    }
    hol_model_destroy(model);
}

static void noise_is_refused(void)
{
    enum { SIZE = 1 << 20 };
    static const char *const sets[] = {NULL, "abcdefghij: \n", "ab:,[]{}\n -'\"#&*!|>%@\t", "a: \n- ", "{}[],: ab"};
    char *noise = malloc(SIZE + 1);
    REQUIRE(noise != NULL);
    for (uint64_t seed = 0; seed < 10; seed++) {
        CHECK_CONTEXT("noise %d", (int)seed);
        random_seed(seed);
        fill_noise(sets[seed % (sizeof sets / sizeof *sets)], noise, SIZE);
        noise[SIZE] = '\0';
        check_noise_in_file(noise, SIZE);
        CHECK_STATUS(compile(noise), HOL_BAD_INPUT);
    }
    free(noise);
}

/* before, count times opens, middle, count times closes, after */
static HolStatus compile_nested(const char *before, const char *opens, const char *middle, const char *closes,
                                const char *behind, int count)
{
    size_t size = strlen(before) + strlen(middle) + strlen(behind) + (size_t)count * (strlen(opens) + strlen(closes));
    char *text = malloc(size + 1), *end = text;
    if (!text)
        return HOL_NO_MEMORY;
    end = stpcpy(end, before);
    for (int i = 0; i < count; i++)
        end = stpcpy(end, opens);
    end = stpcpy(end, middle);
    for (int i = 0; i < count; i++)
        end = stpcpy(end, closes);
    stpcpy(end, behind);
    HolStatus status = compile(text);
    free(text);
    return status;
}

static void deep_nesting_is_refused(void)
{
    static const int depths[] = {100, 100000};
    for (int i = 0; i < 2; i++) {
        int n = depths[i];
        CHECK_CONTEXT("%d levels", n);
        CHECK_STATUS(compile_nested("", "[", "", "]", "", n), HOL_BAD_INPUT);
        CHECK_STATUS(compile_nested("", "[", "", "", "", n), HOL_BAD_INPUT);
        CHECK_STATUS(compile_nested("", "{a: ", "1", "}", "", n), HOL_BAD_INPUT);
        CHECK_STATUS(compile_nested("", "{", "", "", "", n), HOL_BAD_INPUT);
        CHECK_STATUS(compile_nested("a: ", "- ", "1", "", "", n), HOL_BAD_INPUT);
        CHECK_STATUS(compile_nested("", "- ", "1", "", "", n), HOL_BAD_INPUT);
        CHECK_STATUS(compile_nested("", "? ", "1", "", "", n), HOL_BAD_INPUT);
        CHECK_STATUS(compile_nested("", "", "1", "]", "", n), HOL_BAD_INPUT);
        CHECK_STATUS(compile_nested("repeat: ", "[{for: i, from: 1, to: 1, repeat: ", "[]", "}]", "\n", n),
                     HOL_BAD_INPUT);
    }
}

/* In an expression some hundred levels are allowed. */
static void deep_expressions_do_no_harm(void)
{
    static const char ball[] = "bodies: {ball: {sphere: 1, mass: ", rest[] = "}}\n";
    static const char *const opens[] = {"(", "sin(", "if(1, 2, ", "-", "not ", "2^", "1 + ", "1 + (", "m*"};
    static const char *const closes[] = {")", ")", ")", "", "", "", "", ")", ""};
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        CHECK_CONTEXT("nested %s", opens[i]);
        compile_nested(ball, opens[i], "1", closes[i], rest, 100);
        compile_nested(ball, opens[i], "1", closes[i], rest, 100000);
    }
    CHECK_STATUS(compile_nested(ball, "(", "1", ")", rest, 100000), HOL_BAD_INPUT);
}

/* Names, numbers and lists that are long but not deep. */
static void long_texts_are_refused(void)
{
    static const char ball[] = "bodies: {ball: {sphere: 1, mass: ", rest[] = "}}\n";
    enum { N = 100000 };
    CHECK_STATUS(compile_nested(ball, "a", "a", "", rest, N), HOL_BAD_INPUT);
    CHECK_STATUS(compile_nested(ball, "1", "1", "", rest, N), HOL_BAD_INPUT);
    CHECK_STATUS(compile_nested("bodies: {", "b", ": {spheer: 1, mass: 1}", "", "}\n", N), HOL_BAD_INPUT);
    CHECK_STATUS(compile_nested("bodies: {ball: {sphere: 1, mass: 1}}\npoints: {A: [", "0, ", "0", "", "]}\n", N),
                 HOL_BAD_INPUT);
    CHECK_STATUS(compile_nested("extends: ", "../", "x.yaml", "", "\n", N), HOL_BAD_INPUT);
    CHECK_STATUS(compile_nested("title: \"", "\\u263a", "\"\nbodies: {}", "", "\n", N), HOL_BAD_INPUT);
}

/* ---- Changed models ---- */

/* One of the ways in which a text goes wrong. */
static void mutate(char *text)
{
    static const char signs[] = "0123456789 \t\n:,.-+*/^()[]{}'\"#&!|>%@$~abcdefghijklmnopqrstuvwxyzABC";
    int length = (int)strlen(text), at = random_between(0, length - 1), kind = random_between(0, 5);
    if (kind == 0)
        text[at] = '\0';
    else if (kind == 1)
        memmove(text + at, text + at + 1, (size_t)(length - at));
    else if (kind == 2) /* a piece goes */
        memmove(text + at, text + at + strnlen(text + at, 12),
                (size_t)length + 1 - (size_t)at - strnlen(text + at, 12));
    else if (kind == 3) /* two change places */
        text[at] = text[random_between(0, length - 1)];
    else
        for (int i = random_between(1, 3); i > 0; i--)
            text[random_between(0, length - 1)] = signs[random_between(0, (int)sizeof signs - 2)];
}

static void changed_models_do_no_harm(void)
{
    enum { EACH = 200 };
    int refused = 0;
    random_seed(1);
    for (int m = 0; m < hol_library_count(); m++) {
        HolLibraryModel model = hol_library_model(m);
        char *text = malloc(strlen(model.text) + 1);
        REQUIRE(text != NULL);
        for (int i = 0; i < EACH; i++) {
            CHECK_CONTEXT("change %d of %s", i, model.name);
            strcpy(text, model.text);
            mutate(text);
            refused += compile(text) != HOL_OK;
        }
        free(text);
    }
    CHECK(refused > EACH * hol_library_count() / 4);
}

/* ---- Mending ---- */

static void a_model_can_be_mended(void)
{
    static const char text[] = "plane: xy\n"
                               "points: {A: [0, 0], B: [1, 0]}\n"
                               "bodies: {bar: {bar: [A, B], mass: -1}}\n"
                               "joints: {pin: {revolute: [ground, baar], at: A, friction: 1}}\n";
    HolMechanism *mechanism;
    HolModel *model = hol_model_create();
    REQUIRE(model != NULL);
    CHECK_OK(hol_model_parse(model, text, "x.yaml"));
    CHECK_STATUS(hol_mechanism_create(model, &mechanism), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_model_error_count(model), 3);
    CHECK_STATUS(hol_mechanism_create(model, &mechanism), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_model_error_count(model), 3);
    CHECK_OK(hol_model_set(model, "bodies.bar.mass", "%g", 2.0));
    CHECK_OK(hol_model_set(model, "joints.pin.revolute", "[ground, bar]"));
    CHECK_STATUS(hol_mechanism_create(model, &mechanism), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_model_error_count(model), 1);
    CHECK_STRING(hol_model_error(model, 0),
                 "x.yaml:4:49: joint 'pin': key 'friction' is unknown (known are: revolute, at, stiffness, "
                 "turning_stiffness, misfit, preload, penalty_omega, penalty_xi)");
    CHECK_OK(hol_model_set(model, "joints.pin.friction", "~"));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    CHECK_EQUAL_INT(hol_model_error_count(model), 0);
    CHECK(mechanism != NULL);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

/* clang-format off */
CHECK_MAIN(TEST(every_mistake_is_reported_once_and_nothing_else),
           TEST(what_cannot_be_assembled_is_named),
           TEST(noise_is_refused),
           TEST(deep_nesting_is_refused),
           TEST(deep_expressions_do_no_harm),
           TEST(long_texts_are_refused),
           TEST(changed_models_do_no_harm),
           TEST(a_model_can_be_mended))
