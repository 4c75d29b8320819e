/* SPDX-License-Identifier: BSD-3-Clause */
/* From the text of a model to its tree: places, every sentence, and texts that are none. */
#include "check.h"
#include "model/model.h"
#include "random.h"

#include <stdlib.h>
#include <time.h>

static HolModel *model;

static bool begin(void)
{
    model = hol_model_create();
    return CHECK(model != NULL);
}

static void end(void)
{
    hol_model_destroy(model);
}

static HolStatus parse(const char *text)
{
    return hol_model_parse(model, text, "x.yaml");
}

static const HolNode *at(const char *section, const char *key)
{
    return hol_node_find(hol_node_find(model->root, section), key);
}

static const char good_model[] = "# a comment\n"
                                 "title: \"Four-bar\"\n"
                                 "plane: xy\n"
                                 "gravity: [0, -9.81]\n"
                                 "parameters: {crank_mass: 1, \"rate\": 60 rpm}\n"
                                 "points:\n"
                                 "  A: [0, 0]\n"
                                 "  B: [1,\n"
                                 "      1.7320508075688772]\n"
                                 "bodies:\n"
                                 "  crank: {bar: [A, B], mass: crank_mass, inertia: 0.3}\n"
                                 "  rocker:\n"
                                 "    bar: [A, B]\n"
                                 "    mass: ~\n"
                                 "repeat:\n"
                                 "  - for: i\n"
                                 "    bodies: {}\n"
                                 "  - for: j\n"
                                 "run: {until: 10 s, step: 1 ms}\n";

/* Reading */

static void a_model_becomes_a_tree(void)
{
    REQUIRE(begin());
    REQUIRE_OK(parse(good_model));
    CHECK_STRING(hol_model_title(model), "Four-bar");
    CHECK_STRING(hol_model_name(model), "x");
    CHECK_EQUAL_INT(model->root->count, 8);
    CHECK_EQUAL_INT(hol_node_find(model->root, "gravity")->count, 2);
    CHECK_STRING(hol_node_find(model->root, "gravity")->last->text, "-9.81");
    CHECK_STRING(at("parameters", "rate")->text, "60 rpm");
    CHECK_STRING(at("points", "B")->first->next->text, "1.7320508075688772");
    CHECK_STRING(hol_node_find(at("bodies", "crank"), "mass")->text, "crank_mass");
    CHECK(hol_node_is_null(hol_node_find(at("bodies", "rocker"), "mass")));
    CHECK(hol_node_find(model->root, "title")->is_quoted && !hol_node_find(model->root, "plane")->is_quoted);
    const HolNode *repeat = hol_node_find(model->root, "repeat");
    CHECK(repeat->type == HOL_LIST && repeat->count == 2 && repeat->first->key == NULL);
    CHECK_EQUAL_INT(hol_model_error_count(model), 0);
    end();
}

static void check_place(const HolNode *node, int key_line, int key_column, int line, int column)
{
    REQUIRE(node != NULL);
    CHECK_CONTEXT("%s", node->key);
    CHECK_STRING(node->place.file, "x.yaml");
    CHECK_EQUAL_INT(node->key_place.line, key_line);
    CHECK_EQUAL_INT(node->key_place.column, key_column);
    CHECK_EQUAL_INT(node->place.line, line);
    CHECK_EQUAL_INT(node->place.column, column);
}

static void keys_and_values_have_places(void)
{
    REQUIRE(begin());
    REQUIRE_OK(parse(good_model));
    check_place(hol_node_find(model->root, "title"), 2, 1, 2, 8);
    check_place(hol_node_find(model->root, "points"), 6, 1, 7, 3);
    check_place(at("parameters", "rate"), 5, 29, 5, 37);
    check_place(at("points", "B"), 8, 3, 8, 6);
    CHECK_EQUAL_INT(at("points", "B")->last->place.line, 9);
    CHECK_EQUAL_INT(at("points", "B")->last->place.column, 7);
    check_place(at("bodies", "rocker"), 12, 3, 13, 5);
    check_place(hol_node_find(at("bodies", "rocker"), "mass"), 14, 5, 14, 11);
    end();
}

static void columns_count_characters(void)
{
    REQUIRE(begin());
    REQUIRE_OK(parse("{\xc3\xa9\xe2\x82\xac: 1, b: 2}"));
    check_place(hol_node_find(model->root, "b"), 1, 9, 1, 12);
    end();
}

static void json_is_accepted(void)
{
    REQUIRE(begin());
    REQUIRE_OK(parse("{\n\t\"title\":\"M\\u00fcller \\/ \\\"x\\\"\\n\",\n\t\"points\":{\"A\":[1,-2.5e-3],\"B\":[]},\n"
                     "\t\"bodies\" : {\t\"a\":{\"b\":{\"c\":[{},{\"d\":true},[null]]}}}\n}\n"));
    CHECK_STRING(hol_model_title(model), "M\xc3\xbcller / \"x\"\n");
    CHECK_STRING(at("points", "A")->last->text, "-2.5e-3");
    CHECK_EQUAL_INT(at("points", "B")->count, 0);
    const HolNode *c = hol_node_find(hol_node_find(at("bodies", "a"), "b"), "c");
    REQUIRE(c != NULL && c->count == 3);
    CHECK(hol_node_is_null(c->last->first));
    end();
}

static void other_writings_are_accepted(void)
{
    REQUIRE(begin());
    CHECK_OK(parse("---\na: 1\n...\n"));
    CHECK_OK(parse("%YAML 1.2\n---\na: 1\n"));
    CHECK_OK(parse("\xef\xbb\xbf"
                   "a: 1\r\nb: 2\r\n"));
    CHECK_EQUAL_INT(hol_node_find(model->root, "b")->place.line, 2);
    CHECK_OK(parse("a: |\n  two\n  lines\nb: 1"));
    CHECK_STRING(hol_node_find(model->root, "a")->text, "two\nlines\n");
    CHECK_OK(parse("{}"));
    CHECK_EQUAL_INT(model->root->count, 0);
    end();
}

/* Sentences */

typedef struct Mistake {
    const char *text, *sentence;
} Mistake;

#define NO_ANCHORS "anchors and aliases are not supported; use parameters or extends"
#define ODD_COLON                                                                                                      \
    "':' is not expected here; is the indentation wrong, a blank missing after ':' above, or quotes around a text?"
#define ODD_KEY "a key is expected here; look at the indentation, quotes and brackets (the map begins at line 1)"

static const Mistake mistakes[] = {
    {"a:\n\tb: 2\n", "x.yaml:2:1: tabs cannot indent; use spaces"},
    {"a: 1\n\tb: 2\n", "x.yaml:2:1: tabs cannot indent; use spaces"},
    {"a: >\n\tx\n", "x.yaml:2:1: tabs cannot indent; use spaces"},
    {"a: 1\n  b: 2\n", "x.yaml:2:4: " ODD_COLON},
    {"a: b: c\n", "x.yaml:1:5: " ODD_COLON},
    {"a:\n    b: 1\n  c: 2\n", "x.yaml:3:3: " ODD_KEY},
    {"a: 'it's'\n", "x.yaml:1:8: " ODD_KEY},
    {"a: [1, 2]]\n", "x.yaml:1:10: " ODD_KEY},
    {"a: [1, 2\nb: 3\n", "x.yaml:2:2: ',' or ']' is expected here (the list begins at line 1)"},
    {"a:\n {x: 1\nb: 3\n", "x.yaml:3:2: ',' or '}' is expected here (the map begins at line 2)"},
    {"a: [1,,2]\n", "x.yaml:1:7: a value is expected here"},
    {"{", "x.yaml:2:1: a value is expected here"},
    {"a:\n - 1\n b: 2\n",
     "x.yaml:3:2: a list entry '- ...' is expected here; is the indentation right? (the list begins at line 2)"},
    {"a: - b\n", "x.yaml:1:4: a list entry '-' is not allowed here; begin it on a new line"},
    {"a: ? b\n", "x.yaml:1:4: '?' is not allowed here"},
    {"a: 1\nb\nc: 2\n", "x.yaml:2:1: ': ' is missing after this key (or '- ' before a list entry)"},
    {"a: 'x\nb: 3\n", "x.yaml:1:4: the quote that opens here is never closed"},
    {"a: \"\n---\n\"", "x.yaml:1:4: the quote that opens here is never closed"},
    {"a: @x\n", "x.yaml:1:4: a value cannot begin with '@'; put it in quotes"},
    {"a: %x\n", "x.yaml:1:4: a value cannot begin with '%'; put it in quotes"},
    {"a: \"\\q\"\n", "x.yaml:1:5: the escape after '\\' is unknown; single quotes leave backslashes as they are"},
    {"a: \"\\x1\"\n", "x.yaml:1:7: this escape needs hexadecimal digits"},
    {"a: \"\\ud83d\\ude00\"\n",
     "x.yaml:1:7: this escape is no Unicode character; write the character itself instead of an escape in two parts"},
    {"a: |x\n  b\n", "x.yaml:1:5: the line must end after '|' or '>'"},
    {"%FOO\na: 1\n", "x.yaml:1:1: '%' at the beginning of a line is a YAML directive, which is not supported"},
    {"%YAML 3.0\n---\na: 1\n", "x.yaml:1:1: only YAML 1.1 and 1.2 are understood"},
    {"{a: 1}\nb: 2\n",
     "x.yaml:2:1: the model has ended before this; is the indentation right, or a bracket closed too early?"},
    {"---\na: 1\n---\nb: 1\n", "x.yaml:3:1: a second document begins here; a model is one document"},
    {"a: 1\nb: \x01\n", "x.yaml:2:4: the control character 0x01 is not allowed in a model"},
    {"a: 1\n\xc3\xa9: \xff\n", "x.yaml:2:4: this is not UTF-8 text: invalid leading UTF-8 octet"},
    {"a: \xc3", "x.yaml:1:4: this is not UTF-8 text: incomplete UTF-8 octet sequence"},
    {"a: \"\\0\"", "x.yaml:1:4: a text cannot contain the character NUL"},
    {"mass: 1\nb: 2\nmass: 3\n", "x.yaml:3:1: 'mass' is given twice (first at line 1)"},
    {"a: {b: 1, \"b\": 2}\n", "x.yaml:1:11: 'b' is given twice (first at line 1)"},
    {"? [a]\n: 1\n", "x.yaml:1:3: a key must be a name, not a list"},
    {"{{a: 1}: 1}\n", "x.yaml:1:2: a key must be a name, not a map"},
    {"a: {b:1}\n", "x.yaml:1:5: a blank is missing after ':' in 'b:1'"},
    {"a: {b:}\n", "x.yaml:1:6: a blank is missing after ':'"},
    {"{'': 1}\n", "x.yaml:1:2: a key is missing before ':'"},
    {"a: &b 1\n", "x.yaml:1:4: " NO_ANCHORS},
    {"a: &b [1]\n", "x.yaml:1:4: " NO_ANCHORS},
    {"a: &b {c: 1}\n", "x.yaml:1:4: " NO_ANCHORS},
    {"a: *b\n", "x.yaml:1:4: " NO_ANCHORS},
    {"*b : 1\n", "x.yaml:1:1: " NO_ANCHORS},
    {"a: *\n", "x.yaml:1:4: " NO_ANCHORS},
    {"a: &\n", "x.yaml:1:4: " NO_ANCHORS},
    {"a: 1\n<<: {b: 2}\n", "x.yaml:2:1: merge keys ('<<') are not supported; use parameters or extends"},
    {"a: !!int 1\n", "x.yaml:1:4: tags ('!') are not supported"},
    {"a: !x [1]\n", "x.yaml:1:4: tags ('!') are not supported"},
    {"a: !x {b: 1}\n", "x.yaml:1:4: tags ('!') are not supported"},
    {"a: !x!y 1\n", "x.yaml:1:4: tags ('!') are not supported"},
    {"a: !<\n", "x.yaml:1:4: tags ('!') are not supported"},
    {"", "x.yaml: the file is empty"},
    {"# nothing\n\n", "x.yaml: the file is empty"},
    {"---\n", "x.yaml: the file is empty"},
    {"- a\n- b\n", "x.yaml:1:1: a model is a map of 'key: value', not a list"},
    {"\n title\n", "x.yaml:2:2: a model is a map of 'key: value', not a single value"},
};

static void every_mistake_is_one_sentence_with_its_place(void)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        CHECK_CONTEXT("%s", mistakes[i].text);
        REQUIRE(begin());
        CHECK_STATUS(parse(mistakes[i].text), HOL_BAD_INPUT);
        CHECK_STRING(hol_model_error(model, 0), mistakes[i].sentence);
        CHECK_EQUAL_INT(hol_model_error_count(model), 1);
        CHECK(model->root != NULL && model->root->type == HOL_MAP);
        end();
    }
}

/* What can be read stays, the first of two is kept, and the mistakes of what is left out are found. */
static void reading_goes_on_after_mistakes_of_meaning(void)
{
    REQUIRE(begin());
    CHECK_STATUS(parse("a: 1\na: {b: 1, b: [&x 1]}\nc: *x\n<<: {d: 1}\ne: !t {f: 1}\ne: 2\n"), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_model_error_count(model), 7);
    CHECK_STRING(hol_model_error(model, 1), "x.yaml:2:11: 'b' is given twice (first at line 2)");
    CHECK_STRING(hol_model_error(model, 6), "x.yaml:6:1: 'e' is given twice (first at line 5)");
    CHECK_STRING(hol_node_find(model->root, "a")->text, "1");
    CHECK(hol_node_is_null(hol_node_find(model->root, "c")));
    CHECK_STRING(at("e", "f")->text, "1");
    CHECK(hol_node_find(model->root, "<<") == NULL);
    CHECK_EQUAL_INT(model->root->count, 3);
    end();
}

static void a_new_text_replaces_the_old_one(void)
{
    REQUIRE(begin());
    CHECK_STATUS(parse("a: ["), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(model->root->count, 0);
    CHECK_OK(hol_model_parse(model, "b: 1", NULL));
    CHECK_EQUAL_INT(hol_model_error_count(model), 0);
    CHECK(hol_node_find(model->root, "b") != NULL);
    CHECK_STRING(hol_model_name(model), "text");
    CHECK_OK(hol_model_parse(model, "b: 1", "folder.d/.hidden"));
    CHECK_STRING(hol_model_name(model), ".hidden");
    end();
}

/* Texts that are none */

static char *filled(size_t length, const char *unit)
{
    char *text = malloc(length + 1);
    size_t period = strlen(unit);
    for (size_t i = 0; text && i < length; i++)
        text[i] = unit[i % period];
    if (text)
        text[length] = '\0';
    return text;
}

static void deep_nesting_is_refused_at_once(void)
{
    const char *const units[] = {"[", "{a: ", "- ", "? ", "[{a: ", "! [", "&a [", "{\"a\":"};
    const size_t lengths[] = {100, 100000, 1000000};
    for (int u = 0; u < 8; u++) {
        for (int i = 0; i < 3; i++) {
            CHECK_CONTEXT("%zu bytes of %s", lengths[i], units[u]);
            char *text = filled(lengths[i], units[u]);
            REQUIRE(text != NULL && begin());
            CHECK_STATUS(parse(text), HOL_BAD_INPUT);
            CHECK(hol_model_error_count(model) >= 1);
            CHECK(hol_arena_size(model->arena) < 1 << 20);
            end();
            free(text);
        }
    }
}

static void the_depth_is_counted(void)
{
    char text[200];
    for (int depth = 30; depth < 36; depth++) {
        CHECK_CONTEXT("depth %d", depth);
        snprintf(text, sizeof text, "a: %.*s%.*s", depth - 1, "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", depth - 1,
                 "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
        REQUIRE(begin());
        CHECK_STATUS(parse(text), depth <= 32 ? HOL_OK : HOL_BAD_INPUT);
        if (depth > 32)
            CHECK_STRING(hol_model_error(model, 0), "x.yaml:1:35: lists and maps are nested deeper than 32 levels");
        end();
    }
}

enum { MEGABYTE = 1 << 20 };

static void noise_is_refused(void)
{
    const char *const alphabets[] = {NULL, "[]{},:- \n?\"'a1", "abc 123\n", "a: \n", "-\n ", "a:b\n "};
    char *text = malloc(MEGABYTE + 1);
    REQUIRE(text != NULL);
    random_seed(5);
    for (int a = 0; a < 6; a++) {
        CHECK_CONTEXT("noise %d", a);
        for (int i = 0; i < MEGABYTE; i++)
            text[i] = alphabets[a] ? alphabets[a][random_between(0, (int)strlen(alphabets[a]) - 1)]
                                   : (char)random_between(1, 255);
        text[MEGABYTE] = '\0';
        REQUIRE(begin());
        CHECK_STATUS(parse(text), HOL_BAD_INPUT);
        CHECK(hol_model_error_count(model) >= 1 && hol_model_error_count(model) <= 201);
        end();
    }
    free(text);
}

static void one_long_word_is_no_model(void)
{
    char *text = filled(MEGABYTE, "a");
    REQUIRE(text != NULL && begin());
    CHECK_STATUS(parse(text), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_model_error(model, 0), "not a single value");
    end();
    free(text);
}

static void too_much_text_is_refused(void)
{
    char *text = filled(((size_t)64 << 20) + 1, "a: 1\n");
    REQUIRE(text != NULL && begin());
    CHECK_STATUS(parse(text), HOL_BAD_INPUT);
    CHECK_STRING(hol_model_error(model, 0),
                 "'x.yaml' is larger than the limit of 64 MB; '--limit file=...MB' raises it");
    end();
    free(text);
}

/* Whatever the text: either it is good, or there is a sentence. */
static void mutations_do_no_harm(void)
{
    static const char spice[] = "[]{}:,-?&*!|>'\"%@`#~ \n\t$().\\abc019\xc3\xff\x01";
    char text[sizeof good_model + 16];
    random_seed(17);
    for (int round = 0; round < 2000; round++) {
        CHECK_CONTEXT("round %d", round);
        strcpy(text, good_model);
        for (int k = random_between(1, 4); k > 0; k--) {
            int place = random_between(0, (int)strlen(text) - 1);
            if (round % 3 == 0)
                memmove(text + place, text + place + 1, strlen(text + place));
            else
                text[place] = spice[random_between(0, (int)sizeof spice - 2)];
        }
        REQUIRE(begin());
        HolStatus status = parse(text);
        CHECK((status == HOL_OK) == (hol_model_error_count(model) == 0));
        CHECK(status == HOL_OK || status == HOL_BAD_INPUT);
        end();
    }
}

/* Processor time of reading a map with so many keys. */
static double time_of(int count)
{
    char *text = malloc((size_t)count * 32 + 32);
    if (!CHECK(text != NULL) || !begin())
        return 0;
    char *end_of_text = text + sprintf(text, "points:\n");
    for (int i = 0; i < count; i++)
        end_of_text += sprintf(end_of_text, "  point%d: [1, 2]\n", i);
    clock_t start = clock();
    CHECK_OK(parse(text));
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    CHECK_EQUAL_INT(hol_node_find(model->root, "points")->count, count);
    CHECK(hol_arena_size(model->arena) < (size_t)count * 600 + 10000);
    end();
    free(text);
    return seconds;
}

/* Quadratic time would give a ratio of 256. */
static void time_is_linear(void)
{
    double small = time_of(12500), large = time_of(200000);
    CHECK(large < 80 * (small + 0.001));
}

CHECK_MAIN(TEST(a_model_becomes_a_tree), TEST(keys_and_values_have_places), TEST(columns_count_characters),
           TEST(json_is_accepted), TEST(other_writings_are_accepted),
           TEST(every_mistake_is_one_sentence_with_its_place), TEST(reading_goes_on_after_mistakes_of_meaning),
           TEST(a_new_text_replaces_the_old_one), TEST(deep_nesting_is_refused_at_once), TEST(the_depth_is_counted),
           TEST(noise_is_refused), TEST(one_long_word_is_no_model), TEST(too_much_text_is_refused),
           TEST(mutations_do_no_harm), TEST(time_is_linear))
