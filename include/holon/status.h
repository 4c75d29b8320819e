/* SPDX-License-Identifier: BSD-3-Clause */
/* How calls report their outcome: a status for the program, a sentence for the person.
 *
 * Every call that can fail returns a HolStatus. Calls that can fail by a mistake of the user also fill a
 * HolMessage (NULL is allowed everywhere: the status is returned all the same). There is no global error
 * state, nothing prints and nothing exits. */
#ifndef HOLON_STATUS_H
#define HOLON_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum HolStatus {
    HOL_OK = 0,
    HOL_NO_MEMORY,
    HOL_BAD_INPUT,      /* a value, size, name or option that cannot be used */
    HOL_UNSUPPORTED,    /* the combination is not supported */
    HOL_SINGULAR,       /* a matrix that must be invertible is not */
    HOL_NO_CONVERGENCE, /* an iteration ended without reaching its tolerance */
    HOL_NOT_FINITE,     /* a NaN or an infinity appeared */
    HOL_STOPPED,        /* a function of the caller (record, progress) ended the run */
    HOL_NOT_WRITTEN,    /* a file could not be written */
    HOL_GIVEN_UP,       /* it would take more work than is allowed */
    HOL_TOO_STIFF       /* the steps of an explicit integrator are too long for the model: they would diverge */
} HolStatus;

/* One sentence, always terminated. */
typedef struct HolMessage {
    char text[512];
} HolMessage;

/* The name of a status in words, e.g. "no-convergence"; never NULL. */
const char *hol_status_name(HolStatus status);

/* The usual cause of a status and what to do about it, for the end of a sentence; never NULL. */
const char *hol_status_cause(HolStatus status);

/* Writes the sentence (message may be NULL) and returns the status, so that a failure is one line:
 *     return hol_fail(message, HOL_BAD_INPUT, "step must be positive, not %g", h); */
HolStatus hol_fail(HolMessage *message, HolStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The bytes of the UTF-8 character that begins here: 1 at the end of the text, 0 if it is none or NULL. */
int hol_character_size(const char *character);

/* Makes a text safe for a terminal or a log, in place and without changing its length: blanks for line breaks and tabs,
 * '?' for other control characters (C0, C1, DEL) and for bytes that are no UTF-8, U+FFFD for characters that change the
 * direction of text or break lines. hol_fail() does this to every sentence. Returns the text. */
char *hol_make_printable(char *text);

/* The known name closest to the one given, or NULL if none is near; for "did you mean". names is NULL-terminated. */
const char *hol_nearest_name(const char *given, const char *const *names);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
