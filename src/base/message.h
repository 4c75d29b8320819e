/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages for users, and the one control-flow macro. */
#ifndef HOLON_BASE_MESSAGE_H
#define HOLON_BASE_MESSAGE_H

#include <holon/status.h>

/* A sentence is one line: what would break it or control a terminal (C0 and C1 of UTF-8) becomes blanks, in place. */
void hol_message_make_one_line(char *text);

#define HOL_TRY(call)                                                                                                  \
    do {                                                                                                               \
        HolStatus hol_try_status = (call);                                                                             \
        if (hol_try_status != HOL_OK)                                                                                  \
            return hol_try_status;                                                                                     \
    } while (0)

#endif
