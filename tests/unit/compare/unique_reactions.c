/* SPDX-License-Identifier: BSD-3-Clause */
/* Which reactions count: of a parallelogram, whose rows depend on each other where it is flat and nowhere else. */
#include "unique_reactions.h"

#include "check.h"

typedef struct Linkage {
    HolModel *model;
    HolMechanism *mechanism;
} Linkage;

/* Cranks of 1 m, 2 m apart, at this angle to the base. */
static bool open_linkage(Linkage *linkage, const char *angle)
{
    static const char *const values[][2] = {
        {"plane", "xy"},
        {"points", "{A: [0, 0], B: [cos(a), sin(a)], C: [2 + cos(a), sin(a)], D: [2, 0]}"},
        {"bodies", "{crank: {bar: [A, B], mass: 1}, rod: {bar: [B, C], mass: 1}, rocker: {bar: [D, C], mass: 1}}"},
        {"joints", "{A: {revolute: [ground, crank], at: A}, B: {revolute: [crank, rod], at: B}, "
                   "C: {revolute: [rod, rocker], at: C}, D: {revolute: [ground, rocker], at: D}}"},
    };
    *linkage = (Linkage){.model = hol_model_create()};
    HolStatus status = hol_model_set(linkage->model, "parameters.a", "%s", angle);
    for (size_t i = 0; i < sizeof values / sizeof *values && status == HOL_OK; ++i)
        status = hol_model_set(linkage->model, values[i][0], "%s", values[i][1]);
    if (status == HOL_OK)
        status = hol_mechanism_create(linkage->model, &linkage->mechanism);
    for (int i = 0; i < hol_model_error_count(linkage->model); ++i)
        printf("    %s\n", hol_model_error(linkage->model, i));
    return CHECK_OK(status);
}

static void close_linkage(Linkage *linkage)
{
    hol_mechanism_destroy(linkage->mechanism);
    hol_model_destroy(linkage->model);
}

enum { NQ = 9, ROWS = 9, REACTIONS = 12 };

/* How many of the reactions are unique if the samples stand at the start, except for one of them. */
static int count_unique(const Linkage *linkage, int row, const double *other)
{
    double q[ROWS * NQ], t[ROWS] = {0};
    const bool *is_unique = NULL;
    int count = 0;
    HolPool pool = {NULL};
    for (int i = 0; i < ROWS * NQ; ++i)
        q[i] = (i / NQ == row ? other : hol_mechanism_initial_state(linkage->mechanism).q)[i % NQ];
    HolSamples samples = {.count = ROWS, .nq = NQ, .reaction_count = REACTIONS, .t = t, .q = q};
    CHECK_OK(hol_unique_reactions(&pool, linkage->mechanism, &samples, &is_unique));
    for (int i = 0; i < REACTIONS; ++i)
        count += is_unique[i];
    hol_pool_clear(&pool);
    return count;
}

static void what_becomes_redundant_on_the_way_does_not_count(void)
{
    Linkage open, flat;
    REQUIRE(open_linkage(&open, "1") && open_linkage(&flat, "0"));
    HolInitialState there = hol_mechanism_initial_state(flat.mechanism);
    CHECK_EQUAL_INT(count_unique(&open, -1, NULL), REACTIONS);
    CHECK_EQUAL_INT(count_unique(&open, 4, there.q), 4); /* torques of pins cannot occur */
    CHECK_EQUAL_INT(count_unique(&open, 8, there.q), 4);
    CHECK_EQUAL_INT(count_unique(&flat, -1, NULL), 4);
    close_linkage(&open);
    close_linkage(&flat);
}

CHECK_MAIN(TEST(what_becomes_redundant_on_the_way_does_not_count))
