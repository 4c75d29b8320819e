/* SPDX-License-Identifier: BSD-3-Clause */
/* A system that must be accepted: otherwise the test fails and prints the message. */
#ifndef TESTS_SYSTEM_OF_H
#define TESTS_SYSTEM_OF_H

#include <holon/system.h>

#include "check.h"

static inline HolSystem *system_of(const HolSystemSpec *spec)
{
    HolSystem *system = NULL;
    HolMessage message = {""};
    if (!CHECK_OK(hol_system_create(spec, &system, &message)))
        printf("    %s\n", message.text);
    return system;
}

#endif
