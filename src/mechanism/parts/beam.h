/* SPDX-License-Identifier: BSD-3-Clause */
/* A geometrically exact beam on nodes that are rigid bodies in natural coordinates. See docs/methods/beams.md.
 *
 * A node is q = (r, a_1, a_2, a_3): a point of the reference line and the axes of the section there, a_1 along the
 * beam. An element interpolates all four between its n nodes, u(s) = sum N_i(s) u_i, and has, with ' = d/ds along the
 * beam as drawn,
 *
 *     Gamma_k = a_k . r',      kappa_1 = (a_3 . a_2' - a_2 . a_3') / 2 and cyclic                           (1)
 *     eps     = (Gamma, kappa) - eps_0,      sigma = S eps = (N, V_2, V_3, T, M_2, M_3)                     (2)
 *     V       = sum over n - 1 Gauss points of  w eps^T S eps / 2                                           (3)
 *
 * The strains are quadratic in q and invariant under rigid-body motions. A mass element lies at X_2 a_2 +
 * X_3 a_3 from the reference line, so that M is constant:
 *
 *     M_ij = int N_i N_j mu ds,   mu = int (1, X_2, X_3)^T (1, X_2, X_3) dm per length, of r, a_2, a_3      (4) */
#ifndef HOLON_MECHANISM_PARTS_BEAM_H
#define HOLON_MECHANISM_PARTS_BEAM_H

#include <stdbool.h>

enum { HOL_BEAM_NODES = 4, HOL_STRAINS = 6, HOL_NODE_NUMBERS = 12, HOL_MASS_VECTORS = 3 };

/* Stiffness and mass per length of the section at one point of the beam. */
typedef struct HolCrossSection {
    double S[HOL_STRAINS][HOL_STRAINS];
    double mu[HOL_MASS_VECTORS][HOL_MASS_VECTORS];
} HolCrossSection;

/* A Gauss point of an element. */
typedef struct HolBeamPoint {
    double N[HOL_BEAM_NODES], dN[HOL_BEAM_NODES]; /* dN by s */
    double weight;                                /* of its part of the length, m */
    double eps_0[HOL_STRAINS];
    double a_1; /* |a_1|^2 as drawn; below 1 where an element spans a wide arc */
    double S[HOL_STRAINS][HOL_STRAINS];
} HolBeamPoint;

typedef struct HolBeamElement {
    int node_count; /* n */
    int body;       /* its first node, 1-based; the others follow it */
    HolBeamPoint points[HOL_BEAM_NODES - 1];
    double inertia[HOL_BEAM_NODES][HOL_BEAM_NODES][HOL_MASS_VECTORS][HOL_MASS_VECTORS]; /* (4) */
    double moments[HOL_BEAM_NODES][HOL_MASS_VECTORS];                                   /* int N_i (m, mX_2, mX_3) ds */
    double share[HOL_BEAM_NODES][HOL_BEAM_NODES];                                       /* int N_i N_j ds */
    int tangent[HOL_BEAM_NODES][HOL_BEAM_NODES];                                        /* where K_ij begins */
    int mass[HOL_BEAM_NODES][HOL_BEAM_NODES];                                           /* where M_ij begins, i >= j */
} HolBeamElement;

typedef struct HolBeam {
    const char *name;
    double length;
    int order;                  /* n - 1 */
    int first_node, node_count; /* 1-based body */
    int first_element, element_count;
    bool is_round;
    double width, height; /* of the section, 0: it has no shape */
} HolBeam;

#endif
