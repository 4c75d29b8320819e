/* SPDX-License-Identifier: BSD-3-Clause */
/* How the functions of holon refuse wrong arguments: HOL_BAD_INPUT and a sentence that names the function and the
 * argument, always in the same form. Libraries on top of holon may use them too:
 *
 *     HolStatus hol_model_load(HolModel *model, const char *name)
 *         HOL_TRY(HOL_CHECK_POINTER(message, name));     "hol_model_load: name must not be NULL"
 *         HOL_TRY(HOL_CHECK_INDEX(message, index, 4));   "hol_...: index 7 is out of range 0 ... 3"
 *         HOL_TRY(HOL_CHECK_FINITE(message, t));         "hol_...: t = nan must be finite"
 *
 * Every public function refuses NULL, indices out of range, numbers that are not finite and unknown values of an enum,
 * unless its header gives them a meaning. A function without a status returns what stands for nothing: "" or NULL as
 * its header says, 0, -1 of an index, NAN of a number, false, or a struct of zeros. Functions that destroy accept NULL.
 * A pointer that is neither NULL nor valid cannot be recognised. */
#ifndef HOLON_ARGUMENT_H
#define HOLON_ARGUMENT_H

#include <holon/status.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define HOL_CHECK_POINTER(message, pointer) hol_argument_pointer(message, __func__, #pointer, pointer)
#define HOL_CHECK_INDEX(message, index, count) hol_argument_index(message, __func__, #index, index, count)
#define HOL_CHECK_COUNT(message, count) hol_argument_count(message, __func__, #count, count)
#define HOL_CHECK_FINITE(message, number) hol_argument_finite(message, __func__, #number, number)

/* The name of the function and of the argument are parts of the sentence only. The message may be NULL. */
HolStatus hol_argument_pointer(HolMessage *message, const char *function, const char *argument, const void *pointer);
/* 0 <= index < count */
HolStatus hol_argument_index(HolMessage *message, const char *function, const char *argument, long index, long count);
/* count >= 0 */
HolStatus hol_argument_count(HolMessage *message, const char *function, const char *argument, long count);
HolStatus hol_argument_finite(HolMessage *message, const char *function, const char *argument, double number);
/* A list of `count` numbers, none of which is NAN or infinite. */
HolStatus hol_argument_numbers(HolMessage *message, const char *function, const char *argument, const double *numbers,
                               long count);
/* A list of `count` names, none of which is NULL. The list itself may be NULL where the count is 0. */
HolStatus hol_argument_names(HolMessage *message, const char *function, const char *argument, const char *const *names,
                             long count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
