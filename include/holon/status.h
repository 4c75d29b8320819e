/* SPDX-License-Identifier: BSD-3-Clause */
/* How calls report their outcome: a status for the program, a sentence for the person.
 *
 * Every call that can fail returns a HolStatus. Calls that meet a user's mistake also take a HolMessage to
 * fill (NULL is allowed everywhere: then the sentence is lost, the status is not). There is no global error
 * state, nothing prints and nothing exits. */
#ifndef HOLON_STATUS_H
#define HOLON_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum HolStatus {
    HOL_OK = 0,
    HOL_NO_MEMORY,
    HOL_BAD_INPUT,      /* a value, size, name or option that cannot be used */
    HOL_UNSUPPORTED,    /* the parts exist, but not together */
    HOL_SINGULAR,       /* a matrix that must be invertible is not */
    HOL_NO_CONVERGENCE, /* an iteration ended without reaching its tolerance */
    HOL_NOT_FINITE,     /* a NaN or an infinity appeared */
    HOL_STOPPED,        /* the caller's own record function asked to stop */
    HOL_NOT_WRITTEN,    /* a file could not be written */
    HOL_GIVEN_UP        /* it would have taken more work than was allowed */
} HolStatus;

/* One sentence, always terminated. */
typedef struct HolMessage {
    char text[512];
} HolMessage;

/* The name of a status in words, e.g. "no-convergence"; never NULL. */
const char *hol_status_name(HolStatus status);

/* The known name closest to the one given, or NULL if none is near; for "did you mean". names is NULL-terminated. */
const char *hol_nearest_name(const char *given, const char *const *names);

#ifdef __cplusplus
}
#endif

#endif
