/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences for people, and the one control-flow macro. */
#ifndef HOLON_BASE_MESSAGE_H
#define HOLON_BASE_MESSAGE_H

#include <holon/status.h>

/* Writes the sentence (message may be NULL) and returns the status, so that a failure is one line:
 *     return hol_fail(message, HOL_BAD_INPUT, "step must be positive, not %g", h); */
__attribute__((format(printf, 3, 4))) HolStatus hol_fail(HolMessage *message, HolStatus status, const char *format,
                                                         ...);

#define HOL_TRY(call)                                                                                                  \
    do {                                                                                                               \
        HolStatus hol_try_status = (call);                                                                             \
        if (hol_try_status != HOL_OK)                                                                                  \
            return hol_try_status;                                                                                     \
    } while (0)

#endif
