/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved simulations that somebody has changed, with a checksum that fits: whatever the numbers are, restoring and
 * stepping stay inside their memory. A run may fail afterwards. The sanitizers watch. */
#include <holon/holon.h>

#include "base/hash.h"
#include "check.h"
#include "random.h"
#include "runs.h"

#include <stdlib.h>

enum { HEADER = 64, CHECKSUM = 56, PER_PAIR = 40, STEPS = 3 };

static void set_checksum(unsigned char *memory, size_t size)
{
    uint64_t hash = hol_hash_bytes(HOL_HASH_BEGIN, memory, CHECKSUM);
    hash = hol_hash_bytes(hash, memory + HEADER, size - HEADER);
    memcpy(memory + CHECKSUM, &hash, sizeof hash);
}

/* Replaces a few words by what hurts most. */
static void damage(unsigned char *memory, size_t size)
{
    static const double numbers[] = {0, -1, 1e300, -1e300, NAN, INFINITY, 3, 1e18};
    static const int words[] = {-1, 0x7fffffff, 0x01010101, 2};
    for (int i = random_between(1, 4); i > 0; i--) {
        size_t at = HEADER + 4 * (size_t)random_between(0, (int)((size - HEADER) / 4) - 2);
        int kind = random_between(0, 11);
        if (kind < 8)
            memcpy(memory + at, &numbers[kind], sizeof *numbers);
        else
            memcpy(memory + at, &words[kind - 8], sizeof *words);
    }
    set_checksum(memory, size);
}

static void check_pair(const Scene *scene, const char *formulation, const char *integrator)
{
    HolSimulationOptions options = run_options(formulation, integrator, 1e-3);
    HolSimulation *simulation = NULL;
    REQUIRE_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    size_t size = hol_simulation_save_size(simulation);
    unsigned char *good = malloc(size), *bad = malloc(size);
    for (int i = 0; i < 3; i++)
        hol_simulation_step(simulation, NULL);
    CHECK_OK(hol_simulation_save(simulation, good, size));
    for (int i = 0; i < PER_PAIR; i++) {
        memcpy(bad, good, size);
        damage(bad, size);
        hol_simulation_restore(simulation, bad, size);
        for (int k = 0; k < STEPS; k++)
            hol_simulation_step(simulation, NULL);
        hol_simulation_run(simulation, &(HolRun){.until = hol_simulation_state(simulation)->t + 2e-3, .resume = true});
        (void)hol_simulation_summary(simulation);
    }
    CHECK_OK(hol_simulation_restore(simulation, good, size));
    CHECK_OK(hol_simulation_step(simulation, NULL));
    free(good);
    free(bad);
    hol_simulation_destroy(simulation);
}

static void any_numbers_stay_inside_their_memory(void)
{
    static const char *const scenes[] = {"four-bar", "rolling-disc", "n-four-bar", "rheonomic-crank", "spatial-chain"};
    random_seed(1);
    for (int s = 0; s < 5; s++) {
        Scene *scene = scene_create(scenes[s], 2);
        REQUIRE(scene != NULL);
        for (int k = 0; k < hol_formulation_count() * hol_integrator_count(); k++) {
            const char *formulation = hol_formulation_info(k / hol_integrator_count()).name;
            const char *integrator = hol_integrator_info(k % hol_integrator_count()).name;
            CHECK_CONTEXT("%s with %s on %s", formulation, integrator, scenes[s]);
            if (is_supported(formulation, integrator) && is_served(formulation, scene->system))
                check_pair(scene, formulation, integrator);
        }
        scene_destroy(scene);
    }
}

CHECK_MAIN(TEST(any_numbers_stay_inside_their_memory))
