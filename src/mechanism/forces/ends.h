/* SPDX-License-Identifier: BSD-3-Clause */
/* What forces have in common while they are built: sentences, and the two ends of what acts between two points. */
#ifndef HOLON_MECHANISM_FORCES_ENDS_H
#define HOLON_MECHANISM_FORCES_ENDS_H

#include "mechanism/forces/law.h"

/* Whether any of these keys (NULL-terminated) is there, readable or not, or seems to be meant. */
bool hol_part_has_any(const HolPart *part, const HolField *fields, int count, const char *const *keys);
/* Says that a stiffness or damping is negative, which is allowed. */
void hol_warn_negative(const HolBuilder *builder, const HolPart *part, const char *key, double value);
/* Says that a law of an angle in the plane works within half a turn only, where natural coordinates are used. */
void hol_warn_half_turn(const HolBuilder *builder, const HolPart *part, const char *key);

/* Memory for force->self; NULL when out of it, and the builder then knows. */
void *hol_force_memory(HolBuilder *builder, size_t size);

typedef struct HolEnds {
    int body[2];
    double from[3], to[3], along[3];
} HolEnds;

#define HOL_ENDS_FIELDS(kind, values)                                                                                  \
    {kind, HOL_FIELD_BODIES, offsetof(values, ends.body), "the two bodies", .needed = true},                           \
        {"from", HOL_FIELD_POINT, offsetof(values, ends.from), "a point of the first body", .needed = true},           \
        {"to", HOL_FIELD_POINT, offsetof(values, ends.to), "a point of the second body", .needed = true},              \
    {                                                                                                                  \
        "along", HOL_FIELD_DIRECTION, offsetof(values, ends.along),                                                    \
            "the direction, fixed in the first body, in which the length l is measured and the force acts",            \
            .fallback = "the line between the points; nothing acts while they coincide"                                \
    }

/* The length between the ends, along the direction if there is one: a measure, or -1 after a sentence or
 * without memory. */
int hol_ends_measure(HolBuilder *builder, const HolPart *part, const HolEnds *ends, bool has_direction);

#endif
