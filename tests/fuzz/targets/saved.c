/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved simulations, damaged: the first three bytes choose a model, a formulation, an integrator and whether the
 * checksum is made to fit; the rest is a list of changes, three bytes of place and kind each. An image that is refused
 * leaves the simulation as it was, bit for bit. One that is accepted may fail later, inside its memory; the good image
 * then restores all. */
#include <holon/mechanism.h>

#include "base/hash.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

enum { MODELS = 4, MOST_METHODS = 32, HEADER = 64, CHECKSUM = 56, STEPS = 3 };

/* A simulation that is created once, with its image after some steps. */
typedef struct Saved {
    HolSimulation *simulation;
    uint8_t *good, *bad, *again;
    size_t size;
    bool is_tried;
} Saved;

static const char *const names[MODELS] = {"four-bar", "rolling-disc", "gyroscope", "slider-crank-flexible"};

static HolMechanism *mechanism_of(int index)
{
    static HolMechanism *mechanisms[MODELS]; /* kept for all inputs */
    HolModel *model = mechanisms[index] ? NULL : hol_model_create();
    if (model) {
        bool made = hol_model_load(model, names[index]) == HOL_OK &&
                    hol_mechanism_create(model, &mechanisms[index]) == HOL_OK &&
                    hol_mechanism_assemble(mechanisms[index], NULL) == HOL_OK;
        FUZZ_CHECK(made, "the model '%s' is refused", names[index]);
        hol_model_destroy(model);
    }
    return mechanisms[index];
}

static void saved_create(Saved *saved, int model, const char *formulation, const char *integrator)
{
    HolMechanism *mechanism = mechanism_of(model);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    hol_mechanism_choose_formulation(mechanism, formulation, &options);
    options.integrator = integrator;
    saved->is_tried = true;
    if (hol_pair_supported(formulation, integrator, NULL) != HOL_OK ||
        hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &saved->simulation, NULL) != HOL_OK)
        return;
    for (int i = 0; i < STEPS; ++i)
        hol_simulation_step(saved->simulation, NULL);
    saved->size = hol_simulation_save_size(saved->simulation);
    saved->good = malloc(saved->size);
    saved->bad = malloc(saved->size);
    saved->again = malloc(saved->size);
    FUZZ_CHECK(hol_simulation_save(saved->simulation, saved->good, saved->size) == HOL_OK, "not saved");
}

static Saved *saved_of(FuzzBytes *bytes)
{
    static Saved all[MODELS][MOST_METHODS][MOST_METHODS];
    unsigned which = fuzz_byte(bytes);
    int model = (int)(which % MODELS), formulation = (int)(which / MODELS) % hol_formulation_count();
    int integrator = fuzz_byte(bytes) % hol_integrator_count();
    Saved *saved = &all[model][formulation % MOST_METHODS][integrator % MOST_METHODS];
    if (!saved->is_tried)
        saved_create(saved, model, hol_formulation_info(formulation).name, hol_integrator_info(integrator).name);
    return saved;
}

static void saved_damage(Saved *saved, FuzzBytes *bytes)
{
    static const double numbers[] = {0, -1, 1e300, -1e300, NAN, INFINITY, 3, 1e18};
    static const int words[] = {-1, 0x7fffffff, 0x01010101, 2, 1000000};
    while (bytes->size >= 3) {
        size_t at = ((size_t)fuzz_byte(bytes) << 8 | fuzz_byte(bytes)) * 4 % (saved->size - 8);
        unsigned kind = fuzz_byte(bytes);
        if (kind < 8)
            memcpy(saved->bad + at, &numbers[kind], sizeof *numbers);
        else if (kind < 13)
            memcpy(saved->bad + at, &words[kind - 8], sizeof *words);
        else
            saved->bad[at + kind % 8] ^= (uint8_t)(1U << kind / 8 % 8);
    }
}

static void set_checksum(Saved *saved)
{
    uint64_t hash = hol_hash_bytes(HOL_HASH_BEGIN, saved->bad, CHECKSUM);
    hash = hol_hash_bytes(hash, saved->bad + HEADER, saved->size - HEADER);
    memcpy(saved->bad + CHECKSUM, &hash, sizeof hash);
}

static void check_as_before(Saved *saved)
{
    HolStatus status = hol_simulation_save(saved->simulation, saved->again, saved->size);
    FUZZ_CHECK(status == HOL_OK && memcmp(saved->again, saved->good, saved->size) == 0,
               "the simulation has changed although the image was refused, or is not restored");
}

static void check_restored(Saved *saved)
{
    HolRun run = {.until = hol_simulation_state(saved->simulation)->t + 2e-3, .resume = true};
    for (int i = 0; i < STEPS; ++i)
        hol_simulation_step(saved->simulation, NULL);
    if (run.until - hol_simulation_state(saved->simulation)->t < 1)
        hol_simulation_run(saved->simulation, &run);
    hol_simulation_summary(saved->simulation);
    fuzz_check_sentence(hol_simulation_message(saved->simulation));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FuzzBytes bytes = {data, size};
    Saved *saved = saved_of(&bytes);
    if (!saved->simulation)
        return 0;
    unsigned flags = fuzz_byte(&bytes);
    size_t length = flags & 2 ? saved->size * fuzz_byte(&bytes) / 256 : saved->size;
    memcpy(saved->bad, saved->good, saved->size);
    saved_damage(saved, &bytes);
    if (flags & 1)
        set_checksum(saved);
    HolStatus status = hol_simulation_restore(saved->simulation, saved->bad, length);
    FUZZ_CHECK(status != HOL_OK || length == saved->size, "a cut image of %zu bytes is accepted", length);
    if (status == HOL_OK)
        check_restored(saved);
    else
        fuzz_check_sentence(hol_simulation_message(saved->simulation));
    if (status == HOL_OK)
        FUZZ_CHECK(hol_simulation_restore(saved->simulation, saved->good, saved->size) == HOL_OK, "not restored");
    check_as_before(saved);
    return 0;
}
