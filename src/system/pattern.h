/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds and checks the division of a system into blocks, groups and pairs. */
#ifndef HOLON_SYSTEM_PATTERN_H
#define HOLON_SYSTEM_PATTERN_H

#include <holon/system.h>

#include "base/arena.h"

HolStatus hol_pattern_build(const HolSystemSpec *spec, HolArena *arena, HolPattern *pattern, HolMessage *message);

#endif
