/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulation that is saved and restored continues as if nothing had happened, bit by bit: every pair on every scene,
 * in the same simulation and in a new one, by single steps and in runs with records. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "saved.h"

typedef void SubjectCheck(const Subject *subject, double step);

static void with_pair(const Scene *scene, const char *formulation, const char *integrator, double step,
                      SubjectCheck *check)
{
    HolSimulationOptions options = run_options(formulation, integrator, step);
    Subject subject = {.system = scene->system, .start = &scene->start, .options = &options};
    CHECK_CONTEXT("%s with %s on %s, step %g", formulation, integrator, hol_system_name(scene->system), step);
    if (is_supported(formulation, integrator) && is_served(formulation, scene->system))
        check(&subject, step);
}

static void with_every_pair(double step, SubjectCheck *check)
{
    for (int k = 0; k < scene_kind_count; k++) {
        Scene *scene = scene_create(scene_kinds[k]->name, 0);
        REQUIRE(scene != NULL);
        for (int i = 0; i < hol_formulation_count() * hol_integrator_count(); i++)
            with_pair(scene, hol_formulation_info(i / hol_integrator_count()).name,
                      hol_integrator_info(i % hol_integrator_count()).name, step, check);
        scene_destroy(scene);
    }
}

static void check_steps(const Subject *subject, double step)
{
    (void)step;
    check_saved_steps(subject, 0, 4);
    check_saved_steps(subject, 7, 9);
}

static void single_steps_are_repeated(void)
{
    with_every_pair(1e-3, check_steps);
    with_every_pair(0.013, check_steps);
}

static void check_runs(const Subject *subject, double step)
{
    static const int at[] = {1, 23, 40, 0};
    check_saved_run(subject, 40 * step, 0, at);
    check_saved_run(subject, 40.5 * step, 0.37 * step, at + 1);
    check_saved_run(subject, 40.5 * step, 7.3 * step, at + 1);
}

static void runs_are_resumed(void)
{
    with_every_pair(4e-3, check_runs);
}

/* Settings with memory of their own. */
static void other_settings_are_saved(void)
{
    static const struct {
        const char *formulation, *integrator;
        HolSetting setting;
    } cases[] = {
        {"direct-correction", "trapezoidal", {"integrator.iteration", "newton"}},
        {"penalty", "trapezoidal", {"integrator.iteration", "newton"}},
        {"explicit-dae", "rk4", {"formulation.energy", "smooth"}},
        {"explicit-dae", "symplectic-euler", {"formulation.correction", "stages"}},
        {"explicit-dae", "rk4", {"formulation.solver", "dense"}},
        {"direct-correction", "rk4", {"formulation.weight", "identity"}},
        {"index3-augmented-lagrangian", "generalized-alpha", {"integrator.rho", "0.5"}},
        {"index3-augmented-lagrangian", "newmark", {"formulation.multipliers", "carried"}},
        {"index3-augmented-lagrangian", "newmark", {"formulation.projection", "tangent"}},
        {"ggl", "generalized-alpha", {"integrator.rho", "0.5"}},
        {"augmented-hamiltonian", "rk4", {"formulation.max_iterations", "1"}},
        {"direct-correction", "dop853", {"integrator.tolerance", "1e-11"}},
    };
    static const int at[] = {1, 23, 40, 0};
    for (int k = 0; k < scene_kind_count * (int)(sizeof cases / sizeof *cases); k++) {
        int i = k / scene_kind_count;
        Scene *scene = scene_create(scene_kinds[k % scene_kind_count]->name, 0);
        REQUIRE(scene != NULL);
        HolSimulationOptions options = run_options(cases[i].formulation, cases[i].integrator, 4e-3);
        options.settings = &cases[i].setting;
        options.setting_count = 1;
        Subject subject = {.system = scene->system, .start = &scene->start, .options = &options};
        CHECK_CONTEXT("%s with %s on %s, %s = %s", cases[i].formulation, cases[i].integrator,
                      hol_system_name(scene->system), cases[i].setting.name, cases[i].setting.value);
        if (is_served(cases[i].formulation, scene->system)) {
            check_saved_steps(&subject, 7, 12);
            check_saved_run(&subject, 40.5 * 4e-3, 7.3 * 4e-3, at);
        }
        scene_destroy(scene);
    }
}

CHECK_MAIN(TEST(single_steps_are_repeated), TEST(runs_are_resumed), TEST(other_settings_are_saved))
