/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/status.h>

#include <stddef.h>

static const struct {
    const char *name, *cause;
} statuses[] = {
    [HOL_OK] = {"ok", "no error occurred"},
    [HOL_NO_MEMORY] = {"no-memory",
                       "not enough memory, or more than the limit, which '--limit memory=8GB' or HolLimits raises"},
    [HOL_BAD_INPUT] = {"bad-input", "the system rejected its input"},
    [HOL_UNSUPPORTED] = {"unsupported", "the system does not offer what is needed"},
    [HOL_SINGULAR] = {"singular", "a matrix is singular: a coordinate has no mass and no constraint, or magnitudes "
                                  "are too far apart (a large penalty, units far from the size of the model)"},
    [HOL_NO_CONVERGENCE] = {"no-convergence", "the iteration did not converge"},
    [HOL_NOT_FINITE] = {"not-finite", "a number is not finite: check the model for values that overflow and functions "
                                      "that are undefined"},
    [HOL_STOPPED] = {"stopped", "the system requested a stop"},
    [HOL_NOT_WRITTEN] = {"not-written", "a file could not be written"},
    [HOL_GIVEN_UP] = {"given-up", "it would take more work than is allowed"},
    [HOL_TOO_STIFF] = {"too-stiff", "the steps of an explicit integrator are too long for stiff forces"},
};

const char *hol_status_name(HolStatus status)
{
    return (size_t)status < sizeof statuses / sizeof *statuses ? statuses[status].name : "unknown status";
}

const char *hol_status_cause(HolStatus status)
{
    return (size_t)status < sizeof statuses / sizeof *statuses ? statuses[status].cause : "unknown status";
}
