/* SPDX-License-Identifier: BSD-3-Clause */
/* General rows in natural coordinates of the plane, read from q alone, against the same rows read from frames, at
 * random points off all constraints. */
#include <holon/holon.h>

#include "check.h"
#include "mechanism/evaluate.h"
#include "random.h"

#include <math.h>

enum { POINTS = 20 };

static const char *const models[] = {"quick-return", "jansen-leg", "gear-pair", "planetary-gear"};
enum { MODELS = sizeof models / sizeof *models };

static HolMechanism *create(const char *name, HolModel **model)
{
    HolMechanism *mechanism = NULL;
    *model = hol_model_create();
    hol_model_load(*model, name);
    hol_model_set(*model, "run.coordinates", "natural");
    CHECK_OK(hol_mechanism_create(*model, &mechanism));
    return mechanism;
}

static void compare(int n, const double *x, const double *y)
{
    for (int i = 0; i < n; ++i)
        CHECK_NEAR(x[i], y[i], 1e-13 * (1 + fabs(y[i])));
}

/* D, gamma and Phi of all rows; by frames where the mechanism is told that its rows are not plain. */
static void compare_at(HolMechanism *mechanism, const HolPoint *at, HolTerms *terms, HolTerms *by_frames)
{
    static const unsigned wants[] = {HOL_WANT_ALL, HOL_WANT_PHI, HOL_WANT_JACOBIAN, HOL_WANT_JACOBIAN | HOL_WANT_GAMMA};
    const HolPattern *p = terms->pattern;
    for (size_t k = 0; k < sizeof wants / sizeof *wants; ++k) {
        mechanism->rows_are_plain = true;
        CHECK_OK(hol_natural_planar_ops.evaluate(mechanism, at, wants[k], terms));
        mechanism->rows_are_plain = false;
        CHECK_OK(hol_natural_planar_ops.evaluate(mechanism, at, wants[k], by_frames));
        compare(p->nh, terms->Phi, by_frames->Phi);
        compare(p->pair_start[p->pair_count], terms->D, by_frames->D);
        compare(p->m, terms->nu, by_frames->nu);
        compare(p->m, terms->gamma, by_frames->gamma);
        compare(p->nv, terms->Q, by_frames->Q);
    }
}

static void rows_need_no_frames(void)
{
    for (int k = 0; k < MODELS; ++k) {
        HolModel *model;
        HolMechanism *mechanism = create(models[k], &model);
        HolTerms *terms, *by_frames;
        double q[128], v[128];
        REQUIRE(mechanism != NULL);
        CHECK(mechanism->rows_are_plain && mechanism->row_count > 0);
        CHECK_OK(hol_terms_create(hol_mechanism_system(mechanism), &terms));
        CHECK_OK(hol_terms_create(hol_mechanism_system(mechanism), &by_frames));
        const HolPattern *p = terms->pattern;
        REQUIRE(p->nq <= 128 && p->nv <= 128);
        for (int i = 0; i < POINTS; ++i) {
            random_fill(p->nq, q);
            random_fill(p->nv, v);
            compare_at(mechanism, &(HolPoint){0.3 * i, q, v}, terms, by_frames);
        }
        hol_terms_destroy(terms);
        hol_terms_destroy(by_frames);
        hol_mechanism_destroy(mechanism);
        hol_model_destroy(model);
    }
}

CHECK_MAIN(TEST(rows_need_no_frames))
