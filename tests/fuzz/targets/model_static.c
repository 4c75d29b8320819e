/* SPDX-License-Identifier: BSD-3-Clause */
/* A model from its text to its static equilibrium, with few iterations, and to the modes about that or about its
 * initial state. */
#include <holon/modes.h>
#include <holon/static.h>
#include <holon/verdict.h>

#include "fuzz.h"
#include "model_check.h"

#include <math.h>

enum { MOST_VELOCITIES = 60 };
enum { LOWEST = 1, LOAD_STEPS = 2, ROTATING = 4 }; /* flags of the choice */

static void check_modes(const HolMechanism *mechanism, const HolState *at, const FuzzChoice *choice)
{
    static HolFindings findings;
    static const double rate[3] = {0.5, -1, 2};
    HolMessage message = {""};
    HolModes *modes = NULL;
    HolModesOptions options = hol_modes_options();
    if (choice->flags & LOWEST)
        options.method = HOL_MODES_LOWEST;
    HolStatus status =
        hol_mechanism_modes(mechanism, at, choice->flags & ROTATING ? rate : NULL, &options, &modes, &message);
    FUZZ_CHECK((status == HOL_OK) == (modes != NULL), "status %d", (int)status);
    fuzz_check_sentence(message.text);
    if (!modes)
        return;
    hol_modes_findings(modes, &findings);
    for (int i = 0; i < modes->count; ++i)
        FUZZ_CHECK(isfinite(modes->modes[i].real) && isfinite(modes->modes[i].imaginary), "mode %d is not finite", i);
    hol_modes_destroy(modes);
}

/* The modes about the initial state, which need not be an equilibrium. */
static void check_initial(const HolMechanism *mechanism, const FuzzChoice *choice)
{
    HolMessage message = {""};
    HolSimulation *simulation = NULL;
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    const HolSystem *system = hol_mechanism_system(mechanism);
    if (hol_simulation_create(system, &start, &options, &simulation, &message) == HOL_OK)
        check_modes(mechanism, hol_simulation_state(simulation), choice);
    fuzz_check_sentence(message.text);
    hol_simulation_destroy(simulation);
}

static void check_static(const HolMechanism *mechanism, const FuzzChoice *choice)
{
    static HolFindings findings;
    HolMessage message = {""};
    HolEquilibrium *equilibrium = NULL;
    HolStaticOptions options = hol_static_options();
    options.max_iterations = 8;
    options.steps = choice->flags & LOAD_STEPS ? 3 : 1;
    HolStatus status = hol_mechanism_static(mechanism, &options, &equilibrium, &message);
    FUZZ_CHECK((status == HOL_OK) == (equilibrium != NULL), "status %d", (int)status);
    fuzz_check_sentence(message.text);
    if (!equilibrium) {
        check_initial(mechanism, choice);
        return;
    }
    hol_equilibrium_findings(equilibrium, &findings);
    check_modes(mechanism, &equilibrium->state, choice);
    hol_equilibrium_destroy(equilibrium);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    FuzzChoice choice = fuzz_choice(text);
    HolModel *model;
    HolMechanism *mechanism = fuzz_mechanism(text, &choice, &model);
    if (mechanism && hol_system_pattern(hol_mechanism_system(mechanism))->nv <= MOST_VELOCITIES)
        check_static(mechanism, &choice);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    fuzz_memory_end();
    free(text);
    return 0;
}
