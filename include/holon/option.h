/* SPDX-License-Identifier: BSD-3-Clause */
/* Options are data: one table per kind tells names, defaults, ranges and help.
 *
 * The same table serves settings, lists and manuals, so an option cannot exist in one of them only. Values travel as
 * text ("1e7", "mass") and are checked against the table. */
#ifndef HOLON_OPTION_H
#define HOLON_OPTION_H

#include <holon/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum HolOptionType {
    HOL_OPTION_REAL,    /* stored as double */
    HOL_OPTION_INTEGER, /* stored as int */
    HOL_OPTION_CHOICE   /* stored as int: the index into choices */
} HolOptionType;

typedef struct HolOption {
    const char *name;
    HolOptionType type;
    size_t offset;              /* of the field in the kind's options struct */
    double fallback;            /* the default; for a choice its index */
    double min, max;            /* inclusive range of numbers */
    const char *const *choices; /* NULL-terminated names, for a choice */
    const char *unit, *help;    /* unit is "" for plain numbers */
} HolOption;

/* "formulation.alpha" = "1e9": what the user asked of the chosen kinds. */
typedef struct HolSetting {
    const char *name, *value;
} HolSetting;

/* What the library offers, for lists and manuals. The options end at option_count. */
typedef struct HolKindInfo {
    const char *name, *title, *page;
    const HolOption *options;
    int option_count;
    bool adaptive;          /* an integrator that chooses its steps itself */
    const char *integrator; /* of a formulation: the one that runs it where nobody chose another */
} HolKindInfo;

int hol_formulation_count(void);
HolKindInfo hol_formulation_info(int index);
int hol_integrator_count(void);
HolKindInfo hol_integrator_info(int index);

/* Whether the pair can run together; the sentence says why not. Unknown names are HOL_BAD_INPUT. */
HolStatus hol_pair_supported(const char *formulation, const char *integrator, HolMessage *message);

#ifdef __cplusplus
}
#endif

#endif
