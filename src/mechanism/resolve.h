/* SPDX-License-Identifier: BSD-3-Clause */
/* Reactions where rows are redundant: which of the multipliers that move the bodies alike are told.
 *
 * All lambda + N z are possible, N spanning the null space of D^T (linalg/left_null_space.h). By elimination the
 * redundant rows get zero. Else z is chosen such that
 *
 *     N^T (C (lambda + N z - p) - d) = 0                                                                  (1)
 *
 * With the compliances C of the joints (elastic.h), their misfits d and preloads p these are the forces with which the
 * parts, each deformed by its own force, fit together; equally (lambda - p)^T C (lambda - p) / 2 - d^T lambda is least.
 * With C the identity and d = 0 they are the shortest. Rows of no joint, which keep bodies rigid in natural
 * coordinates, have no part in C. Where C leaves freedom, between rigid joints, the shortest are taken: the limit of
 *
 *     C + c 1,   c -> 0                                                                                   (2)
 *
 * found from two small c.
 *
 * (1) is solved by conjugate gradients, so that nothing is larger than the system. */
#ifndef HOLON_MECHANISM_RESOLVE_H
#define HOLON_MECHANISM_RESOLVE_H

#include "mechanism/mechanism.h"

typedef struct HolResolver HolResolver;

HolStatus hol_resolver_create(HolArena *arena, const HolMechanism *mechanism, HolResolver **resolver);
void hol_resolver_destroy(HolResolver *resolver); /* what is not in the arena; NULL is nothing */

/* A state: D as in HolTerms, violation = max |Phi_i|. Rows that depend on each other where they are fulfilled do so
 * only nearly where they are not, and count as redundant still. */
typedef struct HolResolverState {
    HolResolution resolution;
    const HolFrame *frames;
    const double *D;
    double violation;
} HolResolverState;

/* *resolved is lambda itself, or m numbers of the resolver's until the next call. Where the first state has no
 * redundant rows, no later one is looked at. */
HolStatus hol_resolver_apply(HolResolver *resolver, const HolResolverState *state, const double *lambda,
                             const double **resolved);

/* Whether the last state was so far off that fewer rows than at the first were found redundant, or none that could be
 * left out: lambda is then resolved in part or not at all. */
bool hol_resolver_is_lost(const HolResolver *resolver);

#endif
