/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages for users, and the one control-flow macro. */
#ifndef HOLON_BASE_MESSAGE_H
#define HOLON_BASE_MESSAGE_H

#include <holon/status.h>

#include <stdbool.h>

#define HOL_TRY(call)                                                                                                  \
    do {                                                                                                               \
        HolStatus hol_try_status = (call);                                                                             \
        if (hol_try_status != HOL_OK)                                                                                  \
            return hol_try_status;                                                                                     \
    } while (0)

/* Whether a character of this size steers a terminal or changes the direction of text: see hol_make_printable(). */
bool hol_character_is_control(const char *character, int size);

#endif
