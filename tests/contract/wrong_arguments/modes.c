/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/modes.h>

#include "wrong_arguments.h"

static void wrong_hol_modes_options(void)
{
    CHECK_EQUAL_INT(hol_modes_options().count, 0); /* it has no argument */
}

/* Points and options that are not NULL but wrong. */
static void wrong_numbers_of_modes(const HolSystem *system, const HolState *at)
{
    double no_numbers[64] = {NAN};
    HolModesOptions options = hol_modes_options();
    HolModes *modes = NULL;
    HolState wrong = *at;
    wrong.t = NAN;
    REFUSED("hol_modes: at->t", hol_modes(system, &wrong, &options, &modes, message));
    wrong = *at;
    wrong.q = NULL;
    REFUSED("hol_modes: at->q", hol_modes(system, &wrong, &options, &modes, message));
    wrong.q = no_numbers;
    REFUSED("hol_modes: at->q[0]", hol_modes(system, &wrong, &options, &modes, message));
    wrong = *at;
    wrong.v = no_numbers;
    REFUSED("hol_modes: at->v[0]", hol_modes(system, &wrong, &options, &modes, message));
    wrong = *at;
    wrong.vdot = no_numbers;
    REFUSED("hol_modes: at->vdot[0]", hol_modes(system, &wrong, &options, &modes, message));
    wrong = *at;
    wrong.lambda = NULL;
    REFUSED("hol_modes: at->lambda", hol_modes(system, &wrong, &options, &modes, message));
    options.count = -1;
    REFUSED("hol_modes: options->count", hol_modes(system, at, &options, &modes, message));
    options = hol_modes_options();
    options.method = (HolModesMethod)77;
    REFUSED("hol_modes: options->method", hol_modes(system, at, &options, &modes, message));
    CHECK(modes == NULL);
}

static void wrong_hol_modes(void)
{
    HolModesOptions options = hol_modes_options();
    HolModes *modes = (HolModes *)&said;
    Subject s;
    if (subject_open(&s, "four-bar")) {
        const HolState *at = hol_simulation_state(s.simulation);
        REFUSED("hol_modes: system", hol_modes(NULL, at, &options, &modes, message));
        CHECK(modes == NULL);
        REFUSED("hol_modes: at", hol_modes(s.system, NULL, &options, &modes, message));
        REFUSED("hol_modes: options", hol_modes(s.system, at, NULL, &modes, message));
        REFUSED("hol_modes: modes", hol_modes(s.system, at, &options, NULL, message));
        wrong_numbers_of_modes(s.system, at);
    }
    subject_close(&s);
}

static void wrong_hol_modes_destroy(void)
{
    hol_modes_destroy(NULL);
    CHECK(true);
}

static void wrong_hol_mechanism_modes(void)
{
    const double no_rate[3] = {0, 0, HUGE_VAL};
    HolModesOptions options = hol_modes_options();
    HolModes *modes = (HolModes *)&said;
    Subject s;
    if (subject_open(&s, "four-bar")) {
        const HolState *at = hol_simulation_state(s.simulation);
        REFUSED("hol_mechanism_modes: mechanism", hol_mechanism_modes(NULL, at, NULL, &options, &modes, message));
        CHECK(modes == NULL);
        REFUSED("hol_mechanism_modes: at", hol_mechanism_modes(s.mechanism, NULL, NULL, &options, &modes, message));
        REFUSED("hol_mechanism_modes: options", hol_mechanism_modes(s.mechanism, at, NULL, NULL, &modes, message));
        REFUSED("hol_mechanism_modes: modes", hol_mechanism_modes(s.mechanism, at, NULL, &options, NULL, message));
        REFUSED("angular_velocity[2] = inf", hol_mechanism_modes(s.mechanism, at, no_rate, &options, &modes, message));
        CHECK(modes == NULL);
    }
    subject_close(&s);
}

WRONG_ARGUMENTS_MAIN()
