/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of nodes: children, merging; and the model that owns one: sentences, variants. */
#include "model/node.h"

#include "check.h"
#include "model/model.h"

#include <time.h>

static HolModel *model;
static HolArena *arena;
static const HolPlace here = {"x.yaml", 14, 7};

static bool begin(void)
{
    model = hol_model_create();
    arena = model ? model->arena : NULL;
    return CHECK(model != NULL);
}

static void end(void)
{
    hol_model_destroy(model);
}

static HolNode *scalar(const char *text)
{
    HolNode *node = hol_node_create(arena, HOL_SCALAR, here);
    node->text = hol_arena_text(arena, text, strlen(text));
    return node;
}

static HolNode *map(void)
{
    return hol_node_create(arena, HOL_MAP, here);
}

static HolNode *put(HolNode *parent, const char *key, HolNode *child)
{
    child->key = hol_arena_text(arena, key, strlen(key));
    child->key_place = here;
    CHECK(hol_node_append(arena, parent, child));
    return child;
}

static HolNode *put_text(HolNode *parent, const char *key, const char *text)
{
    return put(parent, key, scalar(text));
}

static const char *text_at(const HolNode *node, const char *key)
{
    const HolNode *child = hol_node_find(node, key);
    return child ? child->text : NULL;
}

static const char *numbered(int i)
{
    static char text[32];
    snprintf(text, sizeof text, "name%d", i);
    return text;
}

/* Both directions of the list agree with the count and with finding by key. */
static bool is_sound(const HolNode *node)
{
    int forwards = 0, backwards = 0;
    bool found = true;
    for (const HolNode *child = node->first; child; child = child->next, ++forwards)
        found = found && (node->type != HOL_MAP || hol_node_find(node, child->key) == child);
    for (const HolNode *child = node->last; child; child = child->previous)
        ++backwards;
    return found && forwards == node->count && backwards == node->count;
}

static void a_node_is_small(void)
{
    CHECK(sizeof(HolNode) <= 112);
}

static void children_are_found_in_small_and_large_maps(void)
{
    REQUIRE(begin());
    HolNode *node = map();
    for (int i = 0; i < 300; i++) {
        CHECK(hol_node_find(node, numbered(i)) == NULL);
        HolNode *child = put_text(node, numbered(i), numbered(i));
        CHECK(hol_node_find(node, numbered(i)) == child);
        CHECK(is_sound(node));
    }
    CHECK_EQUAL_INT(node->count, 300);
    CHECK(hol_node_find(NULL, "a") == NULL);
    CHECK(hol_node_find(scalar("a"), "a") == NULL);
    CHECK_STRING(hol_node_nearest(arena, node, "nam7"), "name7");
    CHECK(hol_node_nearest(arena, node, "suspension") == NULL);
    end();
}

/* Removed in a scattered order and put back, around the sizes at which the index appears and grows. */
static void children_are_removed_and_come_back(void)
{
    for (int count = 1; count < 70; count++) {
        CHECK_CONTEXT("%d children", count);
        REQUIRE(begin());
        HolNode *node = map();
        for (int i = 0; i < count; i++)
            put_text(node, numbered(i), "old");
        for (int i = 0; i < count; i++) {
            int k = i * 71 % count;
            HolNode *child = hol_node_find(node, numbered(k));
            if (!child)
                continue;
            hol_node_remove(node, child);
            CHECK(hol_node_find(node, numbered(k)) == NULL);
            if (i % 2)
                put_text(node, numbered(k), "new");
            CHECK(is_sound(node));
        }
        for (int i = 0; i < count; i++) {
            if (!hol_node_find(node, numbered(i)))
                put_text(node, numbered(i), "new");
            CHECK_STRING(text_at(node, numbered(i)), "new");
        }
        CHECK(is_sound(node) && node->count == count);
        end();
    }
}

static void copies_are_deep(void)
{
    REQUIRE(begin());
    HolNode *node = put(map(), "bodies", map());
    HolNode *inner = put(node, "crank", map());
    put_text(inner, "mass", "1")->is_quoted = true;
    for (int i = 0; i < 20; i++)
        put_text(node, numbered(i), "x");
    HolNode *copy = hol_node_copy(arena, node);
    REQUIRE(copy != NULL && is_sound(copy));
    CHECK_STRING(copy->key, "bodies");
    CHECK_EQUAL_INT(copy->count, 21);
    CHECK_EQUAL_INT(copy->place.line, 14);
    HolNode *inner_copy = hol_node_find(copy, "crank");
    CHECK(inner_copy != inner && hol_node_find(inner_copy, "mass")->is_quoted);
    hol_node_remove(inner, hol_node_find(inner, "mass"));
    put_text(node, "new", "1");
    CHECK_STRING(text_at(inner_copy, "mass"), "1");
    CHECK(hol_node_find(copy, "new") == NULL);
    CHECK(copy->key != node->key && hol_node_find(inner_copy, "mass")->text != NULL);
    end();
}

static void nulls_are_known(void)
{
    REQUIRE(begin());
    const char *const nulls[] = {"", "~", "null", "Null", "NULL"}, *const others[] = {"0", "nul", "none", " "};
    for (int i = 0; i < 5; i++) {
        HolNode *node = scalar(nulls[i]);
        CHECK(hol_node_is_null(node));
        node->is_quoted = true;
        CHECK(!hol_node_is_null(node));
    }
    for (int i = 0; i < 4; i++)
        CHECK(!hol_node_is_null(scalar(others[i])));
    CHECK(!hol_node_is_null(map()));
    CHECK_STRING(hol_node_type_name(map()), "a map");
    CHECK_STRING(hol_node_type_name(scalar("1")), "a single value");
    CHECK_STRING(hol_node_type_name(scalar("")), "nothing");
    CHECK_STRING(hol_node_type_name(hol_node_create(arena, HOL_LIST, here)), "a list");
    end();
}

/* {crank: {mass: 1, inertia: 2}, rocker: {mass: 3}, tags: [a]} */
static HolNode *example(void)
{
    HolNode *node = map();
    HolNode *crank = put(node, "crank", map());
    put_text(crank, "mass", "1");
    put_text(crank, "inertia", "2");
    put_text(put(node, "rocker", map()), "mass", "3");
    hol_node_append(arena, put(node, "tags", hol_node_create(arena, HOL_LIST, here)), scalar("a"));
    return node;
}

static void maps_are_merged_key_by_key(void)
{
    REQUIRE(begin());
    HolNode *over = map();
    HolNode *crank = put(over, "crank", map());
    put_text(crank, "mass", "10");
    put_text(crank, "density", "5");
    put_text(over, "rocker", "~");
    put_text(over, "not there", "null");
    put_text(over, "tags", "none");
    put_text(put(over, "coupler", map()), "gone", "~");
    HolNode *merged = hol_node_merge(arena, example(), over);
    REQUIRE(merged != NULL && is_sound(merged));
    CHECK_EQUAL_INT(merged->count, 3);
    CHECK_STRING(text_at(hol_node_find(merged, "crank"), "mass"), "10");
    CHECK_STRING(text_at(hol_node_find(merged, "crank"), "inertia"), "2");
    CHECK_STRING(text_at(hol_node_find(merged, "crank"), "density"), "5");
    CHECK(hol_node_find(merged, "rocker") == NULL);
    CHECK_STRING(text_at(merged, "tags"), "none");
    CHECK_EQUAL_INT(hol_node_find(merged, "coupler")->count, 0);
    CHECK_EQUAL_INT(over->count, 5);
    end();
}

static void anything_else_replaces(void)
{
    REQUIRE(begin());
    HolNode *list = hol_node_create(arena, HOL_LIST, here);
    hol_node_append(arena, list, scalar("~"));
    HolNode *over = map();
    put(over, "crank", list);
    put_text(put(over, "tags", map()), "b", "c");
    HolNode *merged = hol_node_merge(arena, example(), over);
    CHECK_EQUAL_INT(hol_node_find(merged, "crank")->count, 1);
    CHECK(merged->first == hol_node_find(merged, "crank"));
    CHECK_STRING(text_at(hol_node_find(merged, "tags"), "b"), "c");
    CHECK(is_sound(merged));
    CHECK_STRING(hol_node_merge(arena, example(), scalar("x"))->text, "x");
    CHECK_EQUAL_INT(hol_node_merge(arena, scalar("x"), example())->count, 3);
    CHECK_EQUAL_INT(hol_node_merge(arena, NULL, example())->count, 3);
    end();
}

static void changes_keep_their_nulls(void)
{
    REQUIRE(begin());
    HolNode *over = map();
    put_text(over, "crank", "~");
    put_text(put(over, "coupler", map()), "mass", "~");
    HolNode *merged = hol_node_merge_changes(arena, example(), over);
    CHECK_STRING(text_at(merged, "crank"), "~");
    CHECK_STRING(text_at(hol_node_find(merged, "coupler"), "mass"), "~");
    end();
}

/* Processor time of filling a map, laying it upon another one and removing half of it again. */
static double time_of(int count)
{
    if (!begin())
        return 0;
    clock_t start = clock();
    HolNode *base = map(), *over = map();
    for (int i = 0; i < count; i++)
        put_text(base, numbered(i), "1");
    for (int i = 0; i < count; i++)
        put_text(over, numbered(i), i % 2 ? "~" : "2");
    CHECK_EQUAL_INT(hol_node_merge(arena, base, over)->count, (count + 1) / 2);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    end();
    return seconds;
}

/* Quadratic time would give a ratio of 256. */
static void time_is_linear(void)
{
    double small = time_of(12500), large = time_of(200000);
    CHECK(large < 80 * (small + 0.001));
}

static void sentences_have_places(void)
{
    REQUIRE(begin());
    CHECK_STATUS(hol_error(model, here, "body '%s' is unknown", "couplr"), HOL_BAD_INPUT);
    CHECK_STATUS(hol_error(model, (HolPlace){"--set a.b", 0, 0}, "no"), HOL_BAD_INPUT);
    hol_error(model, (HolPlace){NULL, 0, 0}, "nowhere");
    hol_error(model, here, "a\nb\tc\x1b[0m");
    hol_warning(model, here, "odd");
    CHECK_EQUAL_INT(hol_model_error_count(model), 4);
    CHECK_STRING(hol_model_error(model, 0), "x.yaml:14:7: body 'couplr' is unknown");
    CHECK_STRING(hol_model_error(model, 1), "--set a.b: no");
    CHECK_STRING(hol_model_error(model, 2), "nowhere");
    CHECK_STRING(hol_model_error(model, 3), "x.yaml:14:7: a b c?[0m");
    CHECK(hol_model_error(model, 4) == NULL && hol_model_error(model, -1) == NULL);
    CHECK_EQUAL_INT(hol_model_warning_count(model), 1);
    CHECK_STRING(hol_model_warning(model, 0), "x.yaml:14:7: odd");
    end();
}

static void sentences_are_not_repeated(void)
{
    REQUIRE(begin());
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(hol_error(model, here, "no"), HOL_BAD_INPUT);
        hol_error(model, (HolPlace){"x.yaml", 14, 8}, "no");
    }
    CHECK_EQUAL_INT(hol_model_error_count(model), 2);
    end();
}

/* A mistake in a repeated part is one mistake. */
static void what_differs_in_numbers_is_reported_once(void)
{
    REQUIRE(begin());
    for (int i = -2; i < 12; i++)
        CHECK_STATUS(hol_error(model, here, "body 'bar%d': mass %g", i, i / 2.0), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_model_error_count(model), 1);
    CHECK_STRING(hol_model_error(model, 0), "x.yaml:14:7: body 'bar-2': mass -1");
    hol_error(model, here, "body 'rod1': mass 1");
    hol_error(model, (HolPlace){"x.yaml", 14, 71}, "body 'bar1': mass 1");
    hol_error(model, (HolPlace){"x.yaml", 0, 0}, "mistake 1");
    hol_error(model, (HolPlace){"x.yaml", 0, 0}, "mistake 2");
    CHECK_EQUAL_INT(hol_model_error_count(model), 5);
    end();
}

static void sentences_are_limited_in_number_and_length(void)
{
    REQUIRE(begin());
    static char text[5000];
    for (int i = 0; i < 2499; i++)
        memcpy(text + 2 * i, "\xc3\xa9", 2); /* an accented letter of two bytes */
    CHECK_STATUS(hol_error(model, here, "%s", text), HOL_BAD_INPUT);
    CHECK_STATUS(hol_error(model, here, "a%s", text), HOL_BAD_INPUT);
    for (int i = 0; i < 2; i++) {
        const char *cut = hol_model_error(model, i);
        CHECK(strlen(cut) < 1100 && strcmp(cut + strlen(cut) - 5, "\xc3\xa9...") == 0);
    }
    for (int i = 0; i < 1000; i++)
        CHECK_STATUS(hol_error(model, (HolPlace){"x.yaml", 14, i + 1}, "mistake"), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_model_error_count(model), 201);
    CHECK_STRING(hol_model_error(model, 199), "x.yaml:14:198: mistake");
    CHECK_STRING(hol_model_error(model, 200), "... and more errors");
    for (int i = 0; i < 300; i++)
        hol_warning(model, (HolPlace){"x.yaml", 14, i + 1}, "oddity");
    CHECK_STRING(hol_model_warning(model, 200), "... and more warnings");
    end();
}

/* Compiling twice reports each mistake once; those of reading and of changes in between stay. */
static void mistakes_of_compiling_are_forgotten(void)
{
    REQUIRE(begin());
    hol_error(model, here, "read");
    for (int i = 0; i < 3; i++) {
        hol_model_begin_compiling(model);
        CHECK_EQUAL_INT(hol_model_error_count(model), 1 + (i > 0));
        CHECK_EQUAL_INT(hol_model_warning_count(model), 0);
        hol_error(model, here, "compiled");
        hol_warning(model, here, "compiled");
        CHECK_EQUAL_INT(hol_model_error_count(model), 2 + (i > 0));
        if (i < 2)
            CHECK_STATUS(hol_model_choose(model, "a"), HOL_BAD_INPUT);
    }
    hol_model_forget(model);
    hol_model_forget(model);
    CHECK_EQUAL_INT(hol_model_error_count(model), 2);
    CHECK_STRING(hol_model_error(model, 0), "x.yaml:14:7: read");
    CHECK_EQUAL_INT(hol_model_warning_count(model), 0);
    end();
}

static void a_new_model_is_empty(void)
{
    REQUIRE(begin());
    CHECK_STRING(hol_model_title(model), "");
    CHECK_STRING(hol_model_name(model), "model");
    CHECK_EQUAL_INT(hol_model_error_count(model), 0);
    CHECK_EQUAL_INT(hol_model_variant_count(model), 0);
    CHECK(hol_model_variant(model, 0) == NULL);
    CHECK_STATUS(hol_model_choose(model, "a"), HOL_BAD_INPUT);
    CHECK_STRING(hol_model_error(model, 0), "there is no variant 'a': the model has no variants");
    hol_model_destroy(NULL);
    end();
}

static void variants_change_the_model(void)
{
    REQUIRE(begin());
    put(model->root, "bodies", example());
    HolNode *variants = put(model->root, "variants", map());
    HolNode *bodies = put(put(variants, "heavy", map()), "bodies", map());
    put_text(put(bodies, "crank", map()), "mass", "10");
    put_text(bodies, "rocker", "~");
    put_text(variants, "empty", "~");
    put_text(put(variants, "nested", map()), "extends", "x");
    CHECK_EQUAL_INT(hol_model_variant_count(model), 3);
    CHECK_STRING(hol_model_variant(model, 0), "heavy");
    CHECK_STRING(hol_model_variant(model, 2), "nested");
    CHECK(hol_model_variant(model, 3) == NULL && hol_model_variant(model, -1) == NULL);
    CHECK_OK(hol_model_choose(model, "heavy"));
    CHECK_STRING(text_at(hol_node_find(hol_node_find(model->root, "bodies"), "crank"), "mass"), "10");
    CHECK(hol_node_find(hol_node_find(model->root, "bodies"), "rocker") == NULL);
    CHECK_OK(hol_model_choose(model, "heavy"));
    CHECK_STATUS(hol_model_choose(model, "havy"), HOL_BAD_INPUT);
    CHECK_STATUS(hol_model_choose(model, "unlikely"), HOL_BAD_INPUT);
    CHECK_STATUS(hol_model_choose(model, "empty"), HOL_BAD_INPUT);
    CHECK_STATUS(hol_model_choose(model, "nested"), HOL_BAD_INPUT);
    CHECK_STRING(hol_model_error(model, 0), "x.yaml:14:7: there is no variant 'havy' (did you mean 'heavy'?)");
    CHECK_STRING(hol_model_error(model, 1), "x.yaml:14:7: there is no variant 'unlikely'");
    CHECK_STRING(hol_model_error(model, 2), "x.yaml:14:7: variant 'empty' must be a map of changes, not nothing");
    CHECK_STRING(hol_model_error(model, 3), "x.yaml:14:7: 'extends' is not allowed in a variant");
    end();
}

CHECK_MAIN(TEST(a_node_is_small), TEST(children_are_found_in_small_and_large_maps),
           TEST(children_are_removed_and_come_back), TEST(copies_are_deep), TEST(nulls_are_known),
           TEST(maps_are_merged_key_by_key), TEST(anything_else_replaces), TEST(changes_keep_their_nulls),
           TEST(time_is_linear), TEST(sentences_have_places), TEST(sentences_are_not_repeated),
           TEST(what_differs_in_numbers_is_reported_once), TEST(sentences_are_limited_in_number_and_length),
           TEST(mistakes_of_compiling_are_forgotten), TEST(a_new_model_is_empty), TEST(variants_change_the_model))
