/* SPDX-License-Identifier: BSD-3-Clause */
/* Resolves reactions where rows are redundant: chooses among the multipliers that cause the same motion.
 *
 * All lambda + N z are possible, N spanning the null space of D^T (linalg/left_null_space.h). By elimination the
 * redundant rows get zero. Else z is chosen such that
 *
 *     N^T (C (lambda + N z - p) - d) = 0                                                                  (1)
 *
 * With the compliances C of the joints (elastic.h), their misfits d and preloads p this is compatibility: the joints,
 * each deformed by its own force, fit together; the complementary energy (lambda - p)^T C (lambda - p) / 2 - d^T lambda
 * is least. With C the identity and d = 0 it is the minimum-norm solution. Rows that keep bodies rigid in natural
 * coordinates have no part in C. Where C is singular, between rigid joints, the minimum norm decides: the limit of
 *
 *     C + c 1,   c -> 0                                                                                   (2)
 *
 * found from two small c.
 *
 * (1) is solved by conjugate gradients, so that nothing is larger than the system. */
#ifndef HOLON_MECHANISM_REACTIONS_RESOLVER_H
#define HOLON_MECHANISM_REACTIONS_RESOLVER_H

#include "base/archive.h"
#include "mechanism/mechanism.h"
#include "mechanism/run_section.h"

typedef struct HolResolver HolResolver;

HolStatus hol_resolver_create(HolArena *arena, const HolMechanism *mechanism, HolResolver **resolver);
void hol_resolver_destroy(HolResolver *resolver); /* frees what is not in the arena; NULL is allowed */

/* A state: D as in HolTerms, violation = max |Phi_i|. Rows that are linearly dependent where constraints are met are
 * only nearly so where they are violated, and still count as redundant. */
typedef struct HolResolverState {
    HolReactionRule rule;
    const HolFrame *frames;
    const double *D;
    double violation;
} HolResolverState;

/* *resolved is lambda itself, or m numbers of the resolver that are valid until the next call. If the first state has
 * no redundant rows, later ones are not examined. */
HolStatus hol_resolver_apply(HolResolver *resolver, const HolResolverState *state, const double *lambda,
                             const double **resolved);

/* Lists what is remembered of earlier states (base/archive.h). Before it is read, hol_resolver_reserve() must have
 * allocated the memory that the first state with redundant rows needs. */
HolStatus hol_resolver_reserve(HolResolver *resolver);
void hol_resolver_archive(HolResolver *resolver, HolArchive *archive);

/* Whether constraints of the last state were violated so much that fewer redundant rows were found than in the first,
 * or none that could be eliminated: lambda is then resolved in part or not at all. */
bool hol_resolver_is_partial(const HolResolver *resolver);

/* What the run section gives, and where it gives nothing, what suits a formulation with these bits of HolLoadSharing.
 * Never HOL_AUTOMATIC. */
HolReactionRule hol_reaction_rule(const HolMechanism *mechanism, unsigned load_sharing);

/* Whether such a formulation takes the stiffness, misfits and preloads of all joints into account exactly. */
bool hol_shares_by_stiffness(const HolMechanism *mechanism, unsigned load_sharing);

#endif
