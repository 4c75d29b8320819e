/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a mechanism that approaches a singular configuration will reach it.
 *
 * With y and z of branches.h, tau the velocity, and Phi satisfied but for its component along y, all positions near by
 * are q* (+) (alpha tau + beta z), w = (alpha, beta) in units of time, on
 *
 *     g(w) = y^T Phi = g_0 + G . w + w . H w / 2,     G = (y^T D tau, y^T D z),  H_ij = -y^T gamma(i, j)          (1)
 *
 * D loses rank at the critical point of g, H w = -G, which Newton's iteration finds. Its value is the misfit
 *
 *     c = g_0 - G . H^-1 G / 2                                                                                   (2)
 *
 * If it is zero two branches cross there. Otherwise the motion follows a hyperbola, which turns from one branch into
 * the other, and the singular configuration cannot be assembled. The time of the turn is the smaller one of the
 * distance and of the radius of curvature at its vertex,
 *
 *     width = min(a, b^2 / a),     a^2 = 2 |c / lambda_a|,  b^2 = 2 |c / lambda_b|                               (3)
 *
 * with the eigenvalues of H, where lambda_a has the sign of -c. */
#ifndef HOLON_SIMULATE_SINGULAR_CRITICAL_H
#define HOLON_SIMULATE_SINGULAR_CRITICAL_H

#include "simulate/singular/detector.h"

/* Searches from the motion predicted for time t from a sample and the one before it, or NULL (hol_detector_predict()),
 * and not further than `reach` in time. The workspace returns to its point, all terms up to date. Overwrites
 * detector->branches. */
HolCritical hol_critical_find(HolDetector *detector, HolWorkspace *work, const HolDetectorSample *one,
                              const HolDetectorSample *zero, double t, double reach);

#endif
