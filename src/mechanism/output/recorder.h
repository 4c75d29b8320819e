/* SPDX-License-Identifier: BSD-3-Clause */
/* A recorder: what its columns are read from, and what it remembers of the states that were read. */
#ifndef HOLON_MECHANISM_OUTPUT_RECORDER_H
#define HOLON_MECHANISM_OUTPUT_RECORDER_H

#include "base/names.h"
#include "mechanism/mechanism.h"
#include "mechanism/reactions/resolver.h"

typedef enum SourceType {
    TIME,
    BODY,
    POINT,
    REACTION,
    LOCAL,
    ENERGY,
    VIOLATION,
    SINGULAR,
    SECTION,
    SOURCE_TYPES
} SourceType;

/* The source of several columns. */
typedef struct Source {
    SourceType type;
    int index;
    double x;         /* of a section: its place relative to the beam's length */
    const char *name; /* of that section, as given */
} Source;

struct HolRecorder {
    const HolMechanism *mechanism;
    HolArena *arena;
    HolTerms *terms;
    Source *sources;
    int source_count;
    HolNames *columns;
    bool needs_reactions;
    HolResolver *resolver;
    const double *lambda;    /* of the state being read, resolved */
    double (*rod_shares)[3]; /* of each joint; NULL: no rod has mass */
    double lost_at;          /* the first time at which it could not be resolved, HUGE_VAL: none */
    /* Natural coordinates define the angle modulo 2 pi, and the Euler parameters up to their sign: both continue from
     * the state that was read before. */
    double t; /* of that state */
    double (*turned)[4];
};

#endif
