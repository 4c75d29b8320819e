/* SPDX-License-Identifier: BSD-3-Clause */
/* holon: constrained multibody dynamics with the constraints satisfied to machine precision.
 *
 * status.h      outcomes and sentences
 * option.h      what the kinds offer and how they are set
 * system.h      the equations of a constrained system, and how to bring your own
 * simulation.h  running them
 * model.h       a mechanism as described in a file or by calls
 * definitions.h the same from structs of a C program
 * mechanism.h   the description compiled into equations; results by name
 * scene.h       what can be drawn of a mechanism
 * static.h      static equilibrium by load steps
 * modes.h       small motions about a state: frequencies, damping, shapes
 * verdict.h     whether a result can be relied on
 * recording.h   from a model to its motion in one call
 * number.h      numbers as text
 *
 * Not included: compare.h of the library holon-compare, results.h of the library holon-results, and argument.h, which
 * says how all functions refuse wrong arguments. */
#ifndef HOLON_HOLON_H
#define HOLON_HOLON_H

#include <holon/definitions.h>
#include <holon/limits.h>
#include <holon/mechanism.h>
#include <holon/model.h>
#include <holon/modes.h>
#include <holon/number.h>
#include <holon/option.h>
#include <holon/recording.h>
#include <holon/scene.h>
#include <holon/simulation.h>
#include <holon/static.h>
#include <holon/status.h>
#include <holon/system.h>
#include <holon/verdict.h>

#define HOL_VERSION "0.1.0"

#endif
