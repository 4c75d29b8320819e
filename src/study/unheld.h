/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that can be moved together along n, as far as one likes, while rows and forces stay as they are, and that
 * their forces push there, have no equilibrium:
 *
 *     D n = 0,   Phi(q (+) L n) = Phi(q),   n^T Q(q (+) L n) = n^T Q(q) > 0                              (1)
 *
 * Looked at are translations of bodies that act on each other by rows or forces. Where springs, stops or tyres act
 * between them and the ground, nothing is told: (1) is tried at a few distances alone. Nor where forces turn with a
 * body: what pushes now may balance another force when it has turned. */
#ifndef HOLON_STUDY_UNHELD_H
#define HOLON_STUDY_UNHELD_H

#include <holon/mechanism.h>

/* One of them, or the beam whose node it is; *name NULL: none. */
HolStatus hol_unheld_find(const HolMechanism *mechanism, double t, const double *q, const char **name);

#endif
