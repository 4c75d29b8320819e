/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/status.h>

const char *hol_status_name(HolStatus status)
{
    switch (status) {
    case HOL_OK: return "ok";
    case HOL_NO_MEMORY: return "no-memory";
    case HOL_BAD_INPUT: return "bad-input";
    case HOL_UNSUPPORTED: return "unsupported";
    case HOL_SINGULAR: return "singular";
    case HOL_NO_CONVERGENCE: return "no-convergence";
    case HOL_NOT_FINITE: return "not-finite";
    case HOL_STOPPED: return "stopped";
    case HOL_NOT_WRITTEN: return "not-written";
    case HOL_GIVEN_UP: return "given-up";
    }
    return "unknown status";
}
