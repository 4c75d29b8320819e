/* SPDX-License-Identifier: BSD-3-Clause */
/* The division of a system: what is stored where, and which divisions are refused. */
#include "system/pattern.h"

#include "check.h"

#include <stdlib.h>

static HolArena *arena;
static HolPattern pattern;

static HolStatus build(const HolSystemSpec *spec, HolMessage *message)
{
    hol_arena_destroy(arena);
    arena = hol_arena_create();
    return hol_pattern_build(spec, arena, &pattern, message);
}

static void tear_down(void)
{
    hol_arena_destroy(arena);
    arena = NULL;
}

/* Three blocks, three groups, pairs in no order: group 0 on block 1, group 1 on 0 and 2, group 2 (nonholonomic) on 2. */
static const int block_sizes[] = {3, 2, 6}, group_sizes[] = {2, 1, 3};
static const HolPair pairs[] = {{2, 2}, {1, 2}, {0, 1}, {1, 0}};
static const HolPair mass_pairs[] = {{2, 0}, {1, 0}};
static const HolPair couplings[] = {{1, 2}};

static HolSystemSpec divided(void)
{
    HolSystemSpec spec = hol_system_spec();
    spec.nq = 12;
    spec.nv = 11;
    spec.nh = 3;
    spec.nn = 3;
    spec.block_count = spec.group_count = 3;
    spec.block_sizes = block_sizes;
    spec.group_sizes = group_sizes;
    spec.pair_count = 4;
    spec.pairs = pairs;
    return spec;
}

static void check_ints(const int *actual, int count, const int *expected)
{
    for (int i = 0; i < count; i++)
        CHECK_EQUAL_INT(actual[i], expected[i]);
}

static void check_pairs(const HolPair *actual, int count, const HolPair *expected)
{
    for (int i = 0; i < count; i++)
        CHECK(actual[i].row == expected[i].row && actual[i].column == expected[i].column);
}

static void starts_are_sums_of_sizes(void)
{
    HolSystemSpec spec = divided();
    REQUIRE_OK(build(&spec, NULL));
    CHECK(pattern.nq == 12 && pattern.nv == 11 && pattern.nh == 3 && pattern.nn == 3 && pattern.m == 6);
    CHECK(pattern.block_count == 3 && pattern.group_count == 3);
    check_ints(pattern.block_start, 4, (int[]){0, 3, 5, 11});
    check_ints(pattern.group_start, 4, (int[]){0, 2, 3, 6});
    tear_down();
}

static void jacobian_blocks_are_sorted_by_group(void)
{
    HolSystemSpec spec = divided();
    REQUIRE_OK(build(&spec, NULL));
    REQUIRE(pattern.pair_count == 4);
    check_pairs(pattern.pairs, 4, (HolPair[]){{0, 1}, {1, 0}, {1, 2}, {2, 2}});
    check_ints(pattern.pair_start, 5, (int[]){0, 2 * 2, 4 + 1 * 3, 7 + 1 * 6, 13 + 3 * 6});
    check_ints(pattern.group_pairs, 4, (int[]){0, 1, 3, 4});
    tear_down();
}

static void mass_blocks_begin_with_the_diagonal(void)
{
    HolSystemSpec spec = divided();
    spec.mass_pair_count = 2;
    spec.mass_pairs = mass_pairs;
    REQUIRE_OK(build(&spec, NULL));
    REQUIRE(pattern.mass_pair_count == 5);
    check_pairs(pattern.mass_pairs, 5, (HolPair[]){{0, 0}, {1, 1}, {2, 2}, {1, 0}, {2, 0}});
    check_ints(pattern.mass_start, 6, (int[]){0, 9, 13, 49, 49 + 2 * 3, 55 + 6 * 3});
    tear_down();
}

/* All pairs of blocks that share a group, a mass block or a coupling, in both directions, each once. */
static void tangents_hold_everything_that_couples(void)
{
    HolSystemSpec spec = divided();
    REQUIRE_OK(build(&spec, NULL));
    REQUIRE(pattern.tangent_count == 5);
    check_pairs(pattern.tangents, 5, (HolPair[]){{0, 0}, {0, 2}, {1, 1}, {2, 0}, {2, 2}});
    check_ints(pattern.tangent_start, 6, (int[]){0, 9, 9 + 18, 27 + 4, 31 + 18, 49 + 36});

    spec.coupling_count = 1;
    spec.couplings = couplings;
    REQUIRE_OK(build(&spec, NULL));
    REQUIRE(pattern.tangent_count == 7);
    check_pairs(pattern.tangents, 7, (HolPair[]){{0, 0}, {0, 2}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}});

    spec.mass_pair_count = 2;
    spec.mass_pairs = mass_pairs;
    REQUIRE_OK(build(&spec, NULL));
    REQUIRE(pattern.tangent_count == 9);
    for (int k = 0; k < 9; k++)
        CHECK(pattern.tangents[k].row == k / 3 && pattern.tangents[k].column == k % 3);
    CHECK_EQUAL_INT(pattern.tangent_start[9], 11 * 11);
    tear_down();
}

static void a_spec_without_division_is_one_block(void)
{
    HolSystemSpec spec = hol_system_spec();
    spec.nq = spec.nv = 4;
    spec.nh = 2;
    spec.nn = 1;
    REQUIRE_OK(build(&spec, NULL));
    CHECK(pattern.block_count == 1 && pattern.group_count == 2 && pattern.pair_count == 2);
    check_ints(pattern.block_start, 2, (int[]){0, 4});
    check_ints(pattern.group_start, 3, (int[]){0, 2, 3});
    check_pairs(pattern.pairs, 2, (HolPair[]){{0, 0}, {1, 0}});
    check_ints(pattern.pair_start, 3, (int[]){0, 8, 12});
    CHECK(pattern.mass_pair_count == 1 && pattern.mass_start[1] == 16);
    CHECK(pattern.tangent_count == 1 && pattern.tangent_start[1] == 16);
    spec.nh = 0;
    REQUIRE_OK(build(&spec, NULL));
    CHECK(pattern.group_count == 1 && pattern.m == 1 && pattern.group_start[1] == 1);
    tear_down();
}

/* D is then stored group by group and, inside, block by block: every group touches every block. */
static void without_pairs_everything_touches_everything(void)
{
    HolSystemSpec spec = divided();
    spec.pairs = NULL;
    REQUIRE_OK(build(&spec, NULL));
    REQUIRE(pattern.pair_count == 9);
    for (int k = 0; k < 9; k++)
        CHECK(pattern.pairs[k].row == k / 3 && pattern.pairs[k].column == k % 3);
    CHECK_EQUAL_INT(pattern.pair_start[9], 6 * 11);
    CHECK_EQUAL_INT(pattern.tangent_count, 9);
    tear_down();
}

static void a_system_without_rows_has_no_groups(void)
{
    HolSystemSpec spec = hol_system_spec();
    spec.nq = spec.nv = 2;
    REQUIRE_OK(build(&spec, NULL));
    CHECK(pattern.m == 0 && pattern.group_count == 0 && pattern.pair_count == 0 && pattern.tangent_count == 1);
    CHECK(pattern.group_start[0] == 0 && pattern.pair_start[0] == 0);
    tear_down();
}

/* The lists are copied: what the caller does with his own afterwards does not matter. */
static void lists_are_copied(void)
{
    int sizes[] = {1, 1};
    HolPair own[] = {{0, 1}, {0, 0}};
    HolSystemSpec spec = hol_system_spec();
    spec.nq = spec.nv = 2;
    spec.nh = 1;
    spec.block_count = 2;
    spec.block_sizes = sizes;
    spec.pair_count = 2;
    spec.pairs = own;
    REQUIRE_OK(build(&spec, NULL));
    CHECK(own[0].column == 1); /* nor are they sorted in place */
    sizes[0] = 7;
    own[0] = (HolPair){8, 9};
    check_ints(pattern.block_start, 3, (int[]){0, 1, 2});
    check_pairs(pattern.pairs, 2, (HolPair[]){{0, 0}, {0, 1}});
    tear_down();
}

/* One change that makes a good spec bad, and a part of the sentence. */
typedef struct Refusal {
    const char *part;
    void (*spoil)(HolSystemSpec *spec);
} Refusal;

static void block_of_nothing(HolSystemSpec *spec)
{
    static const int sizes[] = {3, 0, 8};
    spec->block_sizes = sizes;
}

static void block_of_less_than_nothing(HolSystemSpec *spec)
{
    static const int sizes[] = {3, -2, 10};
    spec->block_sizes = sizes;
}

static void blocks_too_small(HolSystemSpec *spec)
{
    static const int sizes[] = {3, 2, 5};
    spec->block_sizes = sizes;
}

static void block_missing(HolSystemSpec *spec)
{
    spec->block_count = 2;
}

static void groups_too_large(HolSystemSpec *spec)
{
    static const int sizes[] = {2, 1, 4};
    spec->group_sizes = sizes;
}

static void group_of_nothing(HolSystemSpec *spec)
{
    static const int sizes[] = {3, 0, 3};
    spec->group_sizes = sizes;
}

static void group_of_both_sorts(HolSystemSpec *spec)
{
    static const int sizes[] = {2, 2, 2};
    spec->group_sizes = sizes;
}

static void pair_in_row_3(HolSystemSpec *spec)
{
    static const HolPair bad[] = {{0, 1}, {3, 0}, {1, 2}, {2, 2}};
    spec->pairs = bad;
}

static void pair_in_column_3(HolSystemSpec *spec)
{
    static const HolPair bad[] = {{0, 1}, {1, 3}, {1, 2}, {2, 2}};
    spec->pairs = bad;
}

static void pair_before_the_first(HolSystemSpec *spec)
{
    static const HolPair bad[] = {{0, 1}, {-1, 0}, {1, 2}, {2, 2}};
    spec->pairs = bad;
}

static void pair_twice(HolSystemSpec *spec)
{
    static const HolPair bad[] = {{1, 2}, {0, 1}, {1, 2}, {2, 2}};
    spec->pairs = bad;
}

static void mass_pair_of(HolSystemSpec *spec, const HolPair *bad, int count)
{
    spec->mass_pairs = bad;
    spec->mass_pair_count = count;
}

static void mass_pair_outside(HolSystemSpec *spec)
{
    static const HolPair bad[] = {{3, 1}};
    mass_pair_of(spec, bad, 1);
}

static void mass_pair_above_the_diagonal(HolSystemSpec *spec)
{
    static const HolPair bad[] = {{0, 2}};
    mass_pair_of(spec, bad, 1);
}

static void mass_pair_on_the_diagonal(HolSystemSpec *spec)
{
    static const HolPair bad[] = {{1, 1}};
    mass_pair_of(spec, bad, 1);
}

static void mass_pair_twice(HolSystemSpec *spec)
{
    static const HolPair bad[] = {{2, 1}, {1, 0}, {2, 1}};
    mass_pair_of(spec, bad, 3);
}

static void coupling_outside(HolSystemSpec *spec)
{
    static const HolPair bad[] = {{0, 1}, {0, 3}};
    spec->couplings = bad;
    spec->coupling_count = 2;
}

static const Refusal refusals[] = {
    {"block 1 has size 0", block_of_nothing},
    {"block 1 has size -2", block_of_less_than_nothing},
    {"blocks add up to 10 instead of 11", blocks_too_small},
    {"blocks add up to 5 instead of 11", block_missing},
    {"groups add up to 7 instead of 6", groups_too_large},
    {"group 1 has size 0", group_of_nothing},
    {"group 1 mixes", group_of_both_sorts},
    {"pair (3, 0) lies outside of 3 x 3", pair_in_row_3},
    {"pair (1, 3) lies outside of 3 x 3", pair_in_column_3},
    {"pair (-1, 0) lies outside", pair_before_the_first},
    {"pair (1, 2) is given twice", pair_twice},
    {"mass pair (3, 1) lies outside", mass_pair_outside},
    {"mass pair (0, 2)", mass_pair_above_the_diagonal},
    {"mass pair (1, 1)", mass_pair_on_the_diagonal},
    {"mass pair (2, 1) is given twice", mass_pair_twice},
    {"coupling (0, 3) lies outside", coupling_outside},
};

static void bad_divisions_are_refused_with_a_sentence(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        CHECK_CONTEXT("expecting '%s'", refusals[i].part);
        HolSystemSpec spec = divided();
        HolMessage message = {""};
        refusals[i].spoil(&spec);
        CHECK_STATUS(build(&spec, &message), HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, refusals[i].part);
        CHECK_STATUS(build(&spec, NULL), HOL_BAD_INPUT);
    }
    tear_down();
}

/* The same through the door that users take, with what is refused before the division is looked at. */

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)at, (void)want, (void)terms;
    return HOL_OK;
}

static void qdot(const void *self, const double *q, const double *v, double *rate)
{
    (void)self, (void)q, (void)v, (void)rate;
}

static void retract(const void *self, const double *q, const double *w, double *q_new)
{
    (void)self, (void)q, (void)w, (void)q_new;
}

static const HolSystemOps plain = {.evaluate = evaluate},
                          manifold = {.evaluate = evaluate, .qdot = qdot, .retract = retract};
static const HolSystemOps nothing = {.qdot = NULL}, half = {.evaluate = evaluate, .qdot = qdot};
static const HolSystemOps other_half = {.evaluate = evaluate, .retract = retract};

static void no_ops(HolSystemSpec *spec)
{
    spec->ops = NULL;
}

static void no_evaluate(HolSystemSpec *spec)
{
    spec->ops = &nothing;
}

static void only_qdot(HolSystemSpec *spec)
{
    spec->ops = &half;
}

static void only_retract(HolSystemSpec *spec)
{
    spec->ops = &other_half;
}

static void more_coordinates_without_qdot(HolSystemSpec *spec)
{
    spec->ops = &plain;
}

static void no_coordinates(HolSystemSpec *spec)
{
    spec->nq = spec->nv = 0;
}

static void fewer_coordinates_than_velocities(HolSystemSpec *spec)
{
    spec->nq = 10;
}

static void negative_rows(HolSystemSpec *spec)
{
    spec->nn = -1;
}

static void negative_count(HolSystemSpec *spec)
{
    spec->pair_count = -1;
}

static void mass_pairs_not_given(HolSystemSpec *spec)
{
    spec->mass_pair_count = 1;
}

static void couplings_not_given(HolSystemSpec *spec)
{
    spec->coupling_count = 1;
}

static const Refusal system_refusals[] = {
    {"evaluate", no_ops},
    {"evaluate", no_evaluate},
    {"together", only_qdot},
    {"together", only_retract},
    {"qdot and retract are needed", more_coordinates_without_qdot},
    {"positive", no_coordinates},
    {"nq at least nv", fewer_coordinates_than_velocities},
    {"nn = -1", negative_rows},
    {"negative", negative_count},
    {"not given", mass_pairs_not_given},
    {"not given", couplings_not_given},
    {"given twice", pair_twice},
};

static void bad_systems_are_refused_with_a_sentence(void)
{
    for (size_t i = 0; i < sizeof system_refusals / sizeof *system_refusals; i++) {
        CHECK_CONTEXT("expecting '%s', case %d", system_refusals[i].part, (int)i);
        HolSystemSpec spec = divided();
        HolSystem *system = (HolSystem *)&spec;
        HolMessage message = {""};
        spec.ops = &manifold;
        system_refusals[i].spoil(&spec);
        CHECK_STATUS(hol_system_create(&spec, &system, &message), HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, system_refusals[i].part);
        CHECK(system == NULL);
    }
    HolMessage message = {""};
    HolSystem *system = NULL;
    CHECK_STATUS(hol_system_create(NULL, &system, &message), HOL_BAD_INPUT);
    CHECK(message.text[0] != '\0');
}

static void a_good_system_has_names_for_its_groups(void)
{
    static const char *const names[] = {"pin", NULL, "wheel"};
    HolSystemSpec spec = divided();
    HolSystem *system = NULL;
    spec.ops = &manifold;
    spec.name = "test";
    spec.group_names = names;
    REQUIRE_OK(hol_system_create(&spec, &system, NULL));
    CHECK_STRING(hol_system_name(system), "test");
    CHECK_STRING(hol_system_group_name(system, 0), "pin");
    CHECK_STRING(hol_system_group_name(system, 1), "rows 2-2");
    CHECK_STRING(hol_system_group_name(system, 2), "wheel");
    CHECK(hol_system_group_name(system, 3) != NULL && hol_system_group_name(system, -1) != NULL);
    CHECK_EQUAL_INT(hol_system_pattern(system)->pair_count, 4);
    hol_system_destroy(system);
}

/* Group 0 touches one block; group 1 two; group 2 one, but by nonholonomic rows. */
static void groups_may_be_a_blocks_own(void)
{
    bool own[3] = {true, false, false};
    HolSystemSpec spec = divided();
    HolMessage message = {{0}};
    CHECK_OK(build(&spec, NULL));
    CHECK(!pattern.own_groups[0] && !pattern.own_groups[1] && !pattern.own_groups[2]);
    spec.own_groups = own;
    CHECK_OK(build(&spec, NULL));
    CHECK(pattern.own_groups[0] && !pattern.own_groups[1] && !pattern.own_groups[2]);
    for (int g = 1; g < 3; g++) {
        own[g] = true;
        CHECK_STATUS(build(&spec, &message), HOL_BAD_INPUT);
        CHECK(strstr(message.text, g == 1 ? "group 1 is not a block's own" : "group 2 is not a block's own") != NULL);
        own[g] = false;
    }
    tear_down();
}

CHECK_MAIN(TEST(groups_may_be_a_blocks_own), TEST(starts_are_sums_of_sizes), TEST(jacobian_blocks_are_sorted_by_group),
           TEST(mass_blocks_begin_with_the_diagonal), TEST(tangents_hold_everything_that_couples),
           TEST(a_spec_without_division_is_one_block), TEST(without_pairs_everything_touches_everything),
           TEST(a_system_without_rows_has_no_groups), TEST(lists_are_copied),
           TEST(bad_divisions_are_refused_with_a_sentence), TEST(bad_systems_are_refused_with_a_sentence),
           TEST(a_good_system_has_names_for_its_groups))
