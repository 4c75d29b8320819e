/* SPDX-License-Identifier: BSD-3-Clause */
/* The contributions of beams to the terms of a mechanism, in space and in natural coordinates. */
#ifndef HOLON_MECHANISM_BEAMS_EVALUATE_H
#define HOLON_MECHANISM_BEAMS_EVALUATE_H

#include "mechanism/motion.h"

/* mass.c: sets M of the nodes and adds to the other terms that are wanted. */
HolStatus hol_beams_evaluate(const HolMotion *motion, const HolPoint *at, unsigned want);

/* elastic.c: adds Q and the potential of (3), and K. */
void hol_beams_push(const HolMotion *motion, const double *q);
/* HOL_SINGULAR where a beam is folded between two nodes. */
HolStatus hol_beams_refuse_folds(const HolMotion *motion, const double *q);
double hol_beams_potential(const HolMechanism *mechanism, const double *q);
void hol_beams_add_tangent(const HolMotion *motion, const double *q);

/* Adds to Q the correction to the elastic forces in the middle of q_a and q_b that makes their work from q_a to q_b
 * exactly V_a - V_b: mean stresses with the strain gradients of the middle. */
void hol_beams_add_discrete_gradient(const HolMechanism *mechanism, const double *q_a, const double *q_b, double *Q);

/* Adds to K of the middle by how much these forces change more where q_a and q_b move alike. */
void hol_beams_add_discrete_gradient_tangent(const HolMechanism *mechanism, const double *q_a, const double *q_b,
                                             double *K);

/* HolSystemOps.strain_stiffness and strain_forces, with the strains of (1) of beam.h. */
void hol_beams_add_strain_stiffness(const HolMotion *motion, const double *q);
void hol_beams_add_strain_forces(const HolMechanism *mechanism, const HolStrainPath *path, double *Q);

/* Strains (1), without eps_0, at a Gauss point of an element; q is that of its first node on. */
double hol_beam_axis(const HolBeamElement *element, const HolBeamPoint *point, const double *q); /* |a_1|^2 */
void hol_beam_strains(const HolBeamElement *element, const HolBeamPoint *point, const double *q, double *eps);

/* (2) at a part x, 0 ... 1, of a beam's length: through the stresses of the element's Gauss points. */
void hol_beam_resultants(const HolMechanism *mechanism, const HolBeam *beam, double x, const double *q, double *sigma);
/* The same for a state, which may be the mean of a step. */
void hol_beam_mean_resultants(const HolMechanism *mechanism, const HolBeam *beam, double x, const HolState *state,
                              double *sigma);

/* Where the numbers of an element's first node begin in q, v and Q. */
static inline int hol_beam_at(const HolMechanism *mechanism, const HolBeamElement *element)
{
    return mechanism->pattern->block_start[element->body - 1];
}

#endif
