/* SPDX-License-Identifier: BSD-3-Clause */
/* Options are data: one table per kind has their names, defaults, ranges and help texts.
 *
 * Settings, lists and manuals read the same table, so that an option cannot exist in one of them only. Values are
 * passed as text ("1e7", "mass") and are checked against the table. */
#ifndef HOLON_OPTION_H
#define HOLON_OPTION_H

#include <holon/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

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

/* "formulation.alpha" = "1e9": an option of a chosen kind. */
typedef struct HolSetting {
    const char *name, *value;
} HolSetting;

/* One formulation or integrator of the library, for lists and manuals. */
typedef struct HolKindInfo {
    const char *name, *title, *page;
    const HolOption *options;
    int option_count;
    bool adaptive;          /* an integrator that chooses its steps by error control */
    bool is_explicit;       /* an integrator that solves no equations for the end of a step */
    const char *integrator; /* of a formulation: its default integrator */
    int order;              /* of an integrator: its error is of the order of the step to this power */
} HolKindInfo;

/* name NULL: there is none of this index. */
int hol_formulation_count(void);
HolKindInfo hol_formulation_info(int index);
int hol_integrator_count(void);
HolKindInfo hol_integrator_info(int index);
/* `automatic`, a choice among the integrators and none of them (docs/methods/automatic.md). */
HolKindInfo hol_automatic_info(void);

/* Whether the pair can run together: HOL_UNSUPPORTED and the reason if not, HOL_BAD_INPUT for an unknown name. */
HolStatus hol_pair_supported(const char *formulation, const char *integrator, HolMessage *message);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
