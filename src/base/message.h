/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages for users, and the one control-flow macro. */
#ifndef HOLON_BASE_MESSAGE_H
#define HOLON_BASE_MESSAGE_H

#include <holon/status.h>

#define HOL_TRY(call)                                                                                                  \
    do {                                                                                                               \
        HolStatus hol_try_status = (call);                                                                             \
        if (hol_try_status != HOL_OK)                                                                                  \
            return hol_try_status;                                                                                     \
    } while (0)

#endif
