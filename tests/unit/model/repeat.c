/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeated parts: what they become, and every mistake in them. */
#include "model/repeat.h"

#include "check.h"
#include "random.h"

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

/* N = 2, half = 0.5, bad without a value, L = 3 m */
static bool find_parameter(void *scope, const char *name, size_t length, double *value, HolDimension *dimension,
                           bool *broken)
{
    (void)scope;
    bool is_length = length == 1 && name[0] == 'L';
    *value = is_length ? 3 : length == 1 ? 2 : 0.5;
    *dimension = (HolDimension){.state = is_length ? HOL_KNOWN : HOL_FREE, .length = is_length};
    *broken = length == 3 && strncmp(name, "bad", 3) == 0;
    return *broken || is_length || (length == 1 && name[0] == 'N') || (length == 4 && strncmp(name, "half", 4) == 0);
}

static HolStatus expand(const char *text)
{
    static const HolSymbols symbols = {.parameter = find_parameter};
    HolStatus status = hol_model_parse(model, text, "x.yaml");
    return status == HOL_OK ? hol_repeat_expand(model, model->arena, &symbols) : status;
}

/* The tree as one line of flow style; quotes are kept. */
static void write_node(const HolNode *node, char *text)
{
    if (node->key)
        strcat(strcat(text, node->key), ": ");
    if (node->type == HOL_SCALAR) {
        strcat(strcat(strcat(text, node->is_quoted ? "'" : ""), node->text), node->is_quoted ? "'" : "");
        return;
    }
    strcat(text, node->type == HOL_MAP ? "{" : "[");
    for (const HolNode *child = node->first; child; child = child->next) {
        write_node(child, text);
        strcat(text, child->next ? ", " : "");
    }
    strcat(text, node->type == HOL_MAP ? "}" : "]");
}

static const char *tree(void)
{
    static char text[10000];
    text[0] = '\0';
    write_node(model->root, text);
    return text;
}

typedef struct Example {
    const char *text, *result;
} Example;

static const Example examples[] = {
    {"points: {P: [1]}\nrepeat:\n- {for: i, from: 0, to: N, points: {A$i: [i, 0]}, bodies: {b$i: {bar: [A$i, A$(i+1)]}}}\n",
     "{points: {P: [1], A0: [0, 0], A1: [1, 0], A2: [2, 0]}, "
     "bodies: {b0: {bar: [A0, A1]}, b1: {bar: [A1, A2]}, b2: {bar: [A2, A3]}}}"},
    {"repeat:\n- {for: i, from: 3, to: 2, points: {A$i: 1}}\ntitle: x\n", "{title: x}"},
    {"repeat: []\ntitle: x\n", "{title: x}"},
    {"repeat:\ntitle: x\n", "{title: x}"},
    {"title: i$i\n", "{title: i$i}"},
    {"points:\nrepeat:\n- {for: k, from: -1, to: 1, step: 2, points: {A$k: [k, 2*k, \"k\", 'k$k', k^2 - k, $k]}, forces: ~}\n",
     "{points: {A-1: [(-1), 2*(-1), 'k', 'k-1', (-1)^2 - (-1), -1], A1: [1, 2*1, 'k', 'k1', 1^2 - 1, 1]}}"},
    {"repeat:\n- {for: i, from: 7, to: 7, start: {i: [pi, i_1, i2, ii, i(2), i (2), 2i, x.i, i.x, i$i, $(i)i, $(i)_i, (i), \xc3\xa9i]}}\n",
     "{start: {i: [pi, i_1, i2, ii, i(2), i (2), 2i, x.i, i.x, i7, 7i, 7_i, (7), \xc3\xa9i]}}"},
    {"repeat:\n- {for: i, from: 1, to: 2, joints: {j$(i*10+N)x$(2*(i-1)): {a$i: {b: [{c: i}]}}}}\n",
     "{joints: {j12x0: {a1: {b: [{c: 1}]}}, j22x2: {a2: {b: [{c: 2}]}}}}"},
    {"repeat:\n- for: i\n  from: 1\n  to: N\n  drivers: {d$i: i}\n  repeat:\n  - {for: j, from: i, to: $i+1, forces: {f$(i)_$j: i*j}}\n",
     "{drivers: {d1: 1, d2: 2}, forces: {f1_1: 1*1, f1_2: 1*2, f2_2: 2*2, f2_3: 2*3}}"},
    {"repeat:\n- {for: N, from: 5, to: 5, points: {P$N: N}}\n", "{points: {P5: 5}}"},
    {"repeat:\n- {for: row, from: 1, to: 1, points: {P: row rows arrow}}\n", "{points: {P: 1 rows arrow}}"},
    {"repeat:\n- {for: i, from: half*2, to: 1 + 1e-13, points: {P$i: 0}}\n", "{points: {P1: 0}}"},
};

static void parts_are_repeated(void)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        CHECK_CONTEXT("%s", examples[i].text);
        REQUIRE(begin());
        CHECK_OK(expand(examples[i].text));
        CHECK(hol_model_error_count(model) == 0 || CHECK_STRING(hol_model_error(model, 0), NULL));
        CHECK_STRING(tree(), examples[i].result);
        end();
    }
}

static void copies_keep_their_places(void)
{
    REQUIRE(begin());
    REQUIRE_OK(expand("repeat:\n- for: i\n  from: 1\n  to: 2\n  points:\n    A$i: [i, 0]\n"));
    const HolNode *point = hol_node_find(hol_node_find(model->root, "points"), "A2");
    REQUIRE(point != NULL);
    CHECK_EQUAL_INT(point->key_place.line, 6);
    CHECK_EQUAL_INT(point->first->place.column, 11);
    CHECK_STRING(point->place.file, "x.yaml");
    end();
}

/* So that the model can be changed and expanded again. */
static void the_old_root_stays(void)
{
    REQUIRE(begin());
    REQUIRE_OK(
        hol_model_parse(model, "points: {P: 1}\nrepeat:\n- {for: i, from: 1, to: N, points: {A$i: i}}\n", "x.yaml"));
    HolNode *old = model->root;
    HolSymbols symbols = {.parameter = find_parameter};
    CHECK_OK(hol_repeat_expand(model, model->arena, &symbols));
    CHECK_STRING(tree(), "{points: {P: 1, A1: 1, A2: 2}}");
    model->root = old;
    CHECK_STRING(tree(), "{points: {P: 1}, repeat: [{for: i, from: 1, to: N, points: {A$i: i}}]}");
    CHECK_OK(hol_model_set(model, "points.P", "5"));
    CHECK_OK(hol_repeat_expand(model, model->arena, &symbols));
    CHECK_STRING(tree(), "{points: {P: 5, A1: 1, A2: 2}}");
    end();
}

#define ONE(parts) "repeat:\n- {for: i, from: 1, to: 3, " parts "}\n"

static const Example mistakes[] = {
    {"repeat: 3\n", "x.yaml:1:9: 'repeat' must be a list of entries '- for: i', not a single value"},
    {"repeat: [3]\n", "x.yaml:1:10: an entry of 'repeat' must be a map, not a single value"},
    {"repeat: [{from: 1, to: 2}]\n", "x.yaml:1:10: an entry of 'repeat' needs 'for: i', the name of its variable"},
    {"repeat: [{for: [i], from: 1, to: 2}]\n",
     "x.yaml:1:16: an entry of 'repeat' needs 'for: i', the name of its variable"},
    {"repeat: [{for: 2i, from: 1, to: 2}]\n",
     "x.yaml:1:16: '2i' cannot be a variable; use letters, digits and _, with a letter first"},
    {"repeat: [{for: '', from: 1, to: 2}]\n",
     "x.yaml:1:16: '' cannot be a variable; use letters, digits and _, with a letter first"},
    {"repeat: [{for: t, from: 1, to: 2}]\n", "x.yaml:1:16: 't' cannot be a variable; the name is reserved"},
    {"repeat: [{for: i, to: 2}]\n", "x.yaml:1:10: an entry of 'repeat' needs 'from'"},
    {"repeat: [{for: i, from: 2}]\n", "x.yaml:1:10: an entry of 'repeat' needs 'to'"},
    {"repeat: [{for: i, from: 1, to: [2]}]\n", "x.yaml:1:32: 'to' must be a whole number, not a list"},
    {"repeat: [{for: i, from: half, to: 2}]\n", "x.yaml:1:25: 'from' must be a whole number, not 0.5"},
    {"repeat: [{for: i, from: 1, to: 1e16}]\n", "x.yaml:1:32: 'to' must be a whole number, not 1e+16"},
    {"repeat: [{for: i, from: 1, to: L}]\n", "x.yaml:1:32: 'to' must be a number without unit, not L"},
    {"repeat: [{for: i, from: 1, to: 2, step: 0}]\n", "x.yaml:1:41: 'step' must be positive, not 0"},
    {"repeat: [{for: i, from: 1, to: $i}]\n", "x.yaml:1:32: '$' is not allowed here; it numbers parts inside 'repeat'"},
    {"repeat: [{for: i, from: 1, to: 1e15}]\n",
     "x.yaml:1:10: more than 1000000 parts are repeated, the limit; '--limit parts=...' raises it"},
    {"repeat: [{for: i, from: 1, to: 5000001, points: {A$i: 1, B$i: 1}}]\n",
     "x.yaml:1:10: more than 1000000 parts are repeated, the limit; '--limit parts=...' raises it"},
    {ONE("bodys: {}"), "x.yaml:2:28: 'bodys' cannot be repeated (did you mean 'bodies'?)"},
    {ONE("parameters: {}"), NULL},
    {ONE("points: [1]"), "x.yaml:2:36: 'points' must be a map, not a list"},
    {"points: 5\n" ONE("points: {A$i: 1}"), "x.yaml:1:9: 'points' must be a map, not a single value"},
    {ONE("points: {A: 1}"), "x.yaml:2:37: 'A' is given twice (first at x.yaml:2:37); a repeated name needs '$i'"},
    {"points: {A2: 1}\n" ONE("points: {A$i: 1}"), "x.yaml:3:37: 'A2' is given twice (first at x.yaml:1:10)"},
    {ONE("points: {A$i: {b$i: 1, b1: 2}}"),
     "x.yaml:2:51: 'b1' is given twice (first at x.yaml:2:43); a repeated name needs '$i'"},
    {ONE("points: {A$j: 1}"), "x.yaml:2:37: '$j' is unknown; the variable here is 'i'"},
    {ONE("points: {A$ix: 1}"), "x.yaml:2:37: '$ix' is unknown; write $(i) where letters or digits follow"},
    {ONE("points: {A$i: $}"), "x.yaml:2:42: '$' must be followed by 'i' or by an expression in parentheses"},
    {ONE("points: {A$i: 5$5}"), "x.yaml:2:42: '$' must be followed by 'i' or by an expression in parentheses"},
    {ONE("points: {A$i: B$(i}"), "x.yaml:2:42: ')' is missing after '$('"},
    {ONE("points: {A$i: B$(i/2)}"), "x.yaml:2:42: $(i/2) must be a whole number, not 0.5"},
    {"repeat: [{for: i, from: 1, to: 1, repeat: [{for: i, from: 1, to: 1}]}]\n",
     "x.yaml:1:50: 'i' is already the variable of an outer 'repeat'"},
    {"repeat: [{for: i, from: 1, to: 1, repeat: {for: j, from: 1, to: 1}}]\n",
     "x.yaml:1:43: 'repeat' must be a list of entries '- for: i', not a map"},
};

static void every_mistake_is_one_sentence_with_its_place(void)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        CHECK_CONTEXT("%s", mistakes[i].text);
        REQUIRE(begin());
        CHECK_STATUS(expand(mistakes[i].text), HOL_BAD_INPUT);
        CHECK_EQUAL_INT(hol_model_error_count(model), 1);
        if (mistakes[i].result)
            CHECK_STRING(hol_model_error(model, 0), mistakes[i].result);
        CHECK(hol_node_find(model->root, "repeat") != NULL);
        end();
    }
}

static void wrong_expressions_are_reported(void)
{
    const char *const texts[] = {"repeat: [{for: i, from: 1, to: M}]", "repeat: [{for: i, from: 1, to: 1 +}]",
                                 ONE("points: {A$(i+): 1}"), ONE("points: {A$(k): 1}"), ONE("points: {A$(): 1}")};
    for (int i = 0; i < 5; i++) {
        CHECK_CONTEXT("%s", texts[i]);
        REQUIRE(begin());
        CHECK_STATUS(expand(texts[i]), HOL_BAD_INPUT);
        CHECK_EQUAL_INT(hol_model_error_count(model), 1);
        end();
    }
    REQUIRE(begin());
    CHECK_STATUS(expand("repeat: [{for: i, from: 1, to: bad}]"), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_model_error_count(model), 0); /* the parameter's own sentence says it */
    end();
}

static void all_mistakes_are_reported(void)
{
    REQUIRE(begin());
    CHECK_STATUS(expand("repeat:\n- {for: i, from: 1, to: 3, points: {A$x: 1, B$y: $z}, bodies: {c: [$u, $v]}}\n"
                        "- {from: 0.5, too: 3}\n"),
                 HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_model_error_count(model), 8);
    end();
}

static void nesting_ends(void)
{
    static const char inner[] = "{for: e4, from: 1, to: 2, points: {P$(e1)$(e2)$(e3)$e4: 1}%s}";
    char entry[600], text[1000];
    for (int too_deep = 0; too_deep < 2; too_deep++) {
        REQUIRE(begin());
        snprintf(entry, sizeof entry, inner, too_deep ? ", repeat: [{for: e5, from: 1, to: 1}]" : "");
        snprintf(text, sizeof text,
                 "repeat: [{for: e1, from: 1, to: 2, repeat: [{for: e2, from: 1, to: 2, repeat: [{for: e3, from: 1, "
                 "to: 2, repeat: [%s]}]}]}]",
                 entry);
        CHECK_STATUS(expand(text), too_deep ? HOL_BAD_INPUT : HOL_OK);
        if (too_deep)
            CHECK_CONTAINS(hol_model_error(model, 0), "repeats are nested deeper than 4 levels");
        else
            CHECK_EQUAL_INT(hol_node_find(model->root, "points")->count, 16);
        end();
    }
}

/* Inner loops count too, and what is too much is refused before much memory is taken. */
static void copies_are_limited_in_all(void)
{
    REQUIRE(begin());
    CHECK_STATUS(expand("repeat: [{for: i, from: 1, to: 100, repeat: [{for: j, from: 1, to: 1000000}]}]"),
                 HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_model_error(model, 0),
                   "more than 1000000 parts are repeated, the limit; '--limit parts=...' raises it");
    CHECK(hol_arena_size(model->arena) < 1 << 16);
    end();
}

/* Whatever the text: either it is good, or there is a sentence. */
static void mutations_do_no_harm(void)
{
    static const char spice[] = "[]{}:,-~ \n$$$$()()()ijkN0123456789+*/.^'\"";
    char text[600];
    random_seed(23);
    for (int round = 0; round < 2000; round++) {
        CHECK_CONTEXT("round %d", round);
        snprintf(text, sizeof text, "%s", examples[round % 2 ? 0 : 8].text);
        for (int k = random_between(1, 5); k > 0; k--)
            text[random_between(0, (int)strlen(text) - 1)] = spice[random_between(0, (int)sizeof spice - 2)];
        REQUIRE(begin());
        HolStatus status = expand(text);
        CHECK(status == HOL_OK || status == HOL_BAD_INPUT);
        CHECK((status == HOL_OK) == (hol_model_error_count(model) == 0));
        end();
    }
}

static double time_of(int count)
{
    char text[300];
    if (!begin())
        return 0;
    snprintf(text, sizeof text,
             "repeat: [{for: i, from: 1, to: %d, points: {A$i: [i, 0], B$(i+1): [i, 2*i]}, "
             "bodies: {b$i: {bar: [A$i, A$(i+1)], mass: i + 1}}}]",
             count);
    clock_t start = clock();
    CHECK_OK(expand(text));
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    CHECK_EQUAL_INT(hol_node_find(model->root, "points")->count, 2 * count);
    CHECK(hol_arena_size(model->arena) < (size_t)count * 3000 + 10000);
    end();
    return seconds;
}

/* Quadratic time would give a ratio of 256. */
static void time_is_linear(void)
{
    double small = time_of(3000), large = time_of(48000);
    CHECK(large < 80 * (small + 0.001));
}

CHECK_MAIN(TEST(parts_are_repeated), TEST(copies_keep_their_places), TEST(the_old_root_stays),
           TEST(every_mistake_is_one_sentence_with_its_place), TEST(wrong_expressions_are_reported),
           TEST(all_mistakes_are_reported), TEST(nesting_ends), TEST(copies_are_limited_in_all),
           TEST(mutations_do_no_harm), TEST(time_is_linear))
