/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparisons of mechanisms whose reactions are unique only in part. */
#include <holon/compare.h>

#include "check.h"

#include <math.h>

/* Axes turn in a joint: nothing that is not unique at some time may count, or formulations differ by what is arbitrary. */
static void reactions_that_are_not_unique_do_not_count(void)
{
    const char *const models[] = {"governor", "differential"}, *const variants[] = {"hinged", NULL};
    const char *const formulations[] = {"direct-correction", "null-space", "coordinate-partitioning"};
    for (int k = 0; k < 2; ++k) {
        HolModel *model = hol_model_create();
        HolMechanism *mechanism = NULL;
        HolComparison *c = NULL;
        HolCompareOptions options = {.formulations = formulations, .formulation_count = 3, .until = 1};
        CHECK_CONTEXT("%s", models[k]);
        REQUIRE_OK(hol_model_load(model, models[k]));
        if (variants[k])
            REQUIRE_OK(hol_model_choose(model, variants[k]));
        REQUIRE_OK(hol_mechanism_create(model, &mechanism));
        REQUIRE_OK(hol_mechanism_assemble(mechanism, NULL));
        REQUIRE_OK(hol_compare(mechanism, &options, &c, NULL));
        CHECK(c->count == 3);
        double largest = 0; /* positive if any reaction counts */
        for (int i = 0; i < c->count; ++i) {
            CHECK(c->records[i].status == HOL_OK && c->records[i].reaction_error < 1e-3);
            largest = fmax(largest, c->records[i].reaction_error);
        }
        CHECK(largest > 0);
        hol_comparison_destroy(c);
        hol_mechanism_destroy(mechanism);
        hol_model_destroy(model);
    }
}

CHECK_MAIN(TEST(reactions_that_are_not_unique_do_not_count))
