/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/option.h>

#include "wrong_arguments.h"

static void wrong_hol_formulation_count(void)
{
    CHECK(hol_formulation_count() > 0); /* it has no argument */
}

static void wrong_hol_formulation_info(void)
{
    for (int i = 0; i < WRONG_INDICES; ++i)
        CHECK(hol_formulation_info(wrong_indices[i]).name == NULL);
    CHECK(hol_formulation_info(hol_formulation_count()).name == NULL);
}

static void wrong_hol_integrator_count(void)
{
    CHECK(hol_integrator_count() > 0); /* it has no argument */
}

static void wrong_hol_integrator_info(void)
{
    for (int i = 0; i < WRONG_INDICES; ++i)
        CHECK(hol_integrator_info(wrong_indices[i]).name == NULL);
    CHECK(hol_integrator_info(hol_integrator_count()).name == NULL);
}

static void wrong_hol_automatic_info(void)
{
    CHECK_STRING(hol_automatic_info().name, "automatic"); /* it has no argument */
}

static void wrong_hol_pair_supported(void)
{
    REFUSED("formulation must not be NULL", hol_pair_supported(NULL, "rk4", message));
    REFUSED("integrator must not be NULL", hol_pair_supported("lagrange", NULL, message));
    REFUSED("formulation 'x'", hol_pair_supported("x", "rk4", message));
    REFUSED("integrator '?'", hol_pair_supported("lagrange", "\xff", message));
}

WRONG_ARGUMENTS_MAIN()
