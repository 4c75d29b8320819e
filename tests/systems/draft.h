/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene in the making: memory for its parameters and its start, and the division of its system.
 *
 *     HolSystemSpec spec = hol_system_spec();   ... name, ops, sizes ...
 *     Draft draft = draft_open(&spec, sizeof(FourBar));
 *     if (draft.scene) { ... fill draft.self, draft.q, draft.v ... }
 *     return draft_close(&draft);
 *
 * Running out of memory is remembered and comes out of draft_close() as NULL, so that the lines between need not
 * look. A spec that the library refuses is a mistake in the scene: it prints the sentence and aborts. */
#ifndef TESTS_SYSTEMS_DRAFT_H
#define TESTS_SYSTEMS_DRAFT_H

#include "scenes.h"

#include <stddef.h>

typedef struct Draft {
    Scene *scene; /* NULL: no memory */
    void *self;
    double *q, *v;
    HolSystemSpec spec;
    int *sizes;
    HolPair *pairs;
} Draft;

/* self_size zeroed bytes for the parameters, and a zeroed start of the sizes in the spec. */
Draft draft_open(const HolSystemSpec *spec, size_t self_size);

/* block_count equal blocks and group_count equal groups; each group touches at most two blocks. */
void draft_divide(Draft *draft, int block_count, int block_size, int group_count, int group_size);
/* Pairs must come sorted by group, then by block: their order is the order of the blocks in D. */
void draft_pair(Draft *draft, int group, int block);

/* Makes the system; dof follows from redundant_rows. */
Scene *draft_close(Draft *draft);

/* Where block (row, column) of K and C begins, -1 if it is not in the pattern. */
int draft_tangent(const Scene *scene, int row, int column);

#endif
