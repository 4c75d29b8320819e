/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that occur many times: the section `repeat` is written out into the other sections.
 *
 *     repeat:
 *       - for: i
 *         from: 0
 *         to: N                  nothing if it is less than `from`
 *         step: 2                1 if it is not given
 *         points: {A$i: [i, 0], B$(i+1): [i, 1]}
 *
 * In keys and in scalars `$i` and `$(expression)` become the digits of a whole number. In scalars without quotes the
 * word `i` becomes the number, in parentheses where it is negative; names that only contain it, and i(...), stay. An
 * entry may have a `repeat` of its own, four levels deep; HolLimits.parts may be made in all. */
#ifndef HOLON_MODEL_REPEAT_H
#define HOLON_MODEL_REPEAT_H

#include "base/expression/expression.h"
#include "model/model.h"

/* Gives the model a new root, in the arena, that has the repeated parts in its sections and no `repeat`; the old root
 * stays as it was. The symbols are the parameters. HOL_BAD_INPUT after errors, HOL_NO_MEMORY; the root is then the old
 * one. */
HolStatus hol_repeat_expand(HolModel *model, HolArena *arena, const HolSymbols *symbols);

#endif
