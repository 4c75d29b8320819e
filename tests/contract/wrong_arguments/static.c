/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/static.h>

#include "wrong_arguments.h"

static void wrong_hol_static_options(void)
{
    CHECK(hol_static_options().tolerance > 0); /* it has no argument */
}

/* Options that no search accepts. */
static void wrong_options(const Subject *s)
{
    HolEquilibrium *found = NULL;
    HolStaticOptions options = hol_static_options();
    for (int i = 0; i < WRONG_NUMBERS; ++i) {
        options.tolerance = wrong_numbers[i];
        REFUSED("tolerance", hol_mechanism_static(s->mechanism, &options, &found, message));
        REFUSED("tolerance", hol_static(s->system, 0, s->start.q, &options, &found, message));
    }
    options = hol_static_options();
    options.steps = 0;
    REFUSED("load steps", hol_mechanism_static(s->mechanism, &options, &found, message));
    options = hol_static_options();
    options.max_iterations = -1;
    REFUSED("iterations", hol_static(s->system, 0, s->start.q, &options, &found, message));
    CHECK(found == NULL);
}

static void wrong_hol_static(void)
{
    const double no_numbers[64] = {NAN};
    HolStaticOptions options = hol_static_options();
    HolEquilibrium *found = (HolEquilibrium *)&said;
    Subject s;
    if (subject_open(&s, "four-bar")) {
        const double *q = s.start.q;
        REFUSED("hol_static: system", hol_static(NULL, 0, q, &options, &found, message));
        CHECK(found == NULL);
        REFUSED("hol_static: q", hol_static(s.system, 0, NULL, &options, &found, message));
        REFUSED("hol_static: q[0] = nan", hol_static(s.system, 0, no_numbers, &options, &found, message));
        REFUSED("hol_static: options", hol_static(s.system, 0, q, NULL, &found, message));
        REFUSED("hol_static: equilibrium", hol_static(s.system, 0, q, &options, NULL, message));
        for (int i = 0; i < WRONG_NUMBERS; ++i)
            REFUSED("hol_static: t", hol_static(s.system, wrong_numbers[i], q, &options, &found, message));
        wrong_options(&s);
    }
    subject_close(&s);
}

static void wrong_hol_mechanism_static(void)
{
    HolStaticOptions options = hol_static_options();
    HolEquilibrium *found = (HolEquilibrium *)&said;
    Subject s;
    if (subject_open(&s, "four-bar")) {
        REFUSED("hol_mechanism_static: mechanism", hol_mechanism_static(NULL, &options, &found, message));
        CHECK(found == NULL);
        REFUSED("hol_mechanism_static: options", hol_mechanism_static(s.mechanism, NULL, &found, message));
        REFUSED("hol_mechanism_static: equilibrium", hol_mechanism_static(s.mechanism, &options, NULL, message));
    }
    subject_close(&s);
}

static void wrong_hol_equilibrium_destroy(void)
{
    hol_equilibrium_destroy(NULL);
    CHECK(true);
}

WRONG_ARGUMENTS_MAIN()
