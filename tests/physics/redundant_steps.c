/* SPDX-License-Identifier: BSD-3-Clause */
/* Every implicit step on a plate with a redundant rod: the reactions that are unique, and the motion, against
 * direct-correction by dopri5. A step that is wrong must say so itself. */
#include <holon/verdict.h>

#include "recorded.h"

static const char *const reactions[] = {"K.fx", "K.fy", "K.fz", "M.fx", "M.fy", "M.fz",
                                        "L.fx", "L.fy", "L.fz", "N.fx", "N.fy", "N.fz"};
enum { REACTIONS = sizeof reactions / sizeof *reactions, TIMES = 10 };

typedef struct Course {
    double force[TIMES][REACTIONS], place[TIMES][3];
    HolVerdict verdict;
} Course;

static bool follow(const char *coordinates, const char *formulation, const char *integrator, Course *course)
{
    static const char *const place[] = {"plate.x", "plate.y", "plate.z"};
    Recorded r;
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, "spatial-parallelogram"));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", coordinates));
    CHECK_OK(hol_model_set(model, "run.formulation", "%s", formulation));
    CHECK_OK(hol_model_set(model, "run.integrator", "%s", integrator));
    CHECK_OK(hol_model_set(model, "run.step", "1 ms"));
    CHECK_OK(hol_model_set(model, "run.record", "[reactions, plate]"));
    bool runs = recorded_open(&r, model, NULL);
    for (int k = 0; k < TIMES && runs; ++k) {
        runs = recorded_go_to(&r, 0.1 * (k + 1));
        for (int i = 0; i < REACTIONS; ++i)
            course->force[k][i] = recorded_value(&r, reactions[i]);
        for (int i = 0; i < 3; ++i)
            course->place[k][i] = recorded_value(&r, place[i]);
    }
    course->verdict = runs ? hol_simulation_verdict(r.simulation) : HOL_VERDICT_BAD;
    recorded_close(&r);
    return runs;
}

static double most_off(const Course *course, const Course *exact, double *force)
{
    double place = 0;
    *force = 0;
    for (int k = 0; k < TIMES; ++k) {
        for (int i = 0; i < REACTIONS; ++i)
            *force = fmax(*force, fabs(course->force[k][i] - exact->force[k][i]));
        for (int i = 0; i < 3; ++i)
            place = fmax(place, fabs(course->place[k][i] - exact->place[k][i]));
    }
    return place;
}

/* Returns whether the pair serves these coordinates. */
static bool check_steps(const char *coordinates, const char *formulation, const char *integrator, const Course *exact)
{
    Course course = {.verdict = HOL_VERDICT_GOOD};
    double force;
    CHECK_CONTEXT("%s, %s, %s", coordinates, formulation, integrator);
    if (!follow(coordinates, formulation, integrator, &course))
        return false;
    double place = most_off(&course, exact, &force);
    CHECK((force < 1 && place < 1e-4) || course.verdict == HOL_VERDICT_BAD);
    return true;
}

static void reactions_are_right_or_the_verdict_is_bad(void)
{
    static const char *const integrators[] = {"built-in", "newmark", "generalized-alpha"};
    Course exact;
    int count = 0;
    REQUIRE(follow("natural", "direct-correction", "{kind: dopri5, tolerance: 1e-11}", &exact));
    for (int i = 0; i < hol_formulation_count(); ++i)
        for (int k = 0; k < 3; ++k)
            if (hol_pair_supported(hol_formulation_info(i).name, integrators[k], NULL) == HOL_OK)
                count += check_steps("natural", hol_formulation_info(i).name, integrators[k], &exact);
    CHECK(count >= 8);
    for (int k = 1; k < 3; ++k) {
        CHECK(check_steps("reference-point", "index3-augmented-lagrangian", integrators[k], &exact));
        CHECK(check_steps("reference-point", "ggl", integrators[k], &exact));
    }
}

CHECK_MAIN(TEST(reactions_are_right_or_the_verdict_is_bad))
