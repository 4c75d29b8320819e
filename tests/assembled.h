/* SPDX-License-Identifier: BSD-3-Clause */
/* A model compiled and assembled, with its mistakes printed where that fails. */
#ifndef TESTS_ASSEMBLED_H
#define TESTS_ASSEMBLED_H

#include <holon/mechanism.h>

#include "check.h"

#include <stdio.h>

/* False after a failed check, with the message printed. The model stays the caller's. */
static inline bool assembled_open(HolModel *model, HolMechanism **mechanism, HolMessage *message)
{
    *message = (HolMessage){{0}};
    HolStatus status = hol_mechanism_create(model, mechanism);
    for (int i = 0; i < hol_model_error_count(model); ++i)
        printf("    %s\n", hol_model_error(model, i));
    if (status == HOL_OK)
        status = hol_mechanism_assemble(*mechanism, message);
    if (!CHECK_OK(status))
        printf("    %s\n", message->text);
    return status == HOL_OK;
}

/* A model from text; a mistake in it fails the test. */
static inline HolModel *parsed_model(const char *text)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, text, "case"));
    return model;
}

/* The same of a text. */
static inline bool assembled_text(const char *text, HolMechanism **mechanism, HolMessage *message)
{
    HolModel *model = parsed_model(text);
    bool is_open = assembled_open(model, mechanism, message);
    hol_model_destroy(model);
    return is_open;
}

#endif
