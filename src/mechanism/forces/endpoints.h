/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by forces while they are built: checks, warnings, and the two endpoints of a force between two points. */
#ifndef HOLON_MECHANISM_FORCES_ENDPOINTS_H
#define HOLON_MECHANISM_FORCES_ENDPOINTS_H

#include "mechanism/forces/force_law.h"

/* True if any of these keys (NULL-terminated) is given, readable or not, or a key that resembles it. */
bool hol_part_has_any(const HolPart *part, const char *const *keys);
/* Warns of a negative stiffness or damping, which is allowed. */
void hol_warn_negative(const HolBuilder *builder, const HolPart *part, const char *key, double value);
/* Warns that in natural coordinates of the plane an angle is known within half a turn only. */
void hol_warn_half_turn(const HolBuilder *builder, const HolPart *part, const char *key);

/* Memory for force->self; NULL if there is none, and builder->failed is set. */
void *hol_force_memory(HolBuilder *builder, size_t size);

typedef struct HolEndpoints {
    int body[2];
    double from[3], to[3], along[3];
} HolEndpoints;

#define HOL_ENDPOINT_FIELDS(kind, values)                                                                              \
    HOL_FIELD(kind, BODIES, values, ends.body, "the two bodies", .needed = true),                                      \
        HOL_FIELD("from", POINT, values, ends.from, "a point of the first body", .needed = true),                      \
        HOL_FIELD("to", POINT, values, ends.to, "a point of the second body", .needed = true),                         \
        HOL_FIELD("along", DIRECTION, values, ends.along,                                                              \
                  "the direction, fixed in the first body, in which the length l is measured and the force acts",      \
                  .fallback = "the line between the points; nothing acts while they coincide")

/* The measure of the length between the endpoints, along the direction if there is one; -1 after an error. */
int hol_endpoints_measure(HolBuilder *builder, const HolPart *part, const HolEndpoints *ends);

#endif
