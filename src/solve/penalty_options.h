/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that all penalty-type formulations share, and the stabilised right side they lead to. */
#ifndef HOLON_SOLVE_PENALTY_OPTIONS_H
#define HOLON_SOLVE_PENALTY_OPTIONS_H

#include "base/options.h"
#include "base/tolerances.h"
#include "solve/stabilization.h"

#include <math.h>

typedef struct HolPenaltyOptions {
    double alpha, omega, xi;
    int gains;
    double tolerance;
    int max_iterations, divergence;
} HolPenaltyOptions;

enum { HOL_DIVERGENCE_FAILS, HOL_DIVERGENCE_GOES_ON };
extern const char *const hol_divergence_choices[];

/* The nominal step counts: gains that followed a shortened last step would ruin it. */
static inline HolStatus hol_penalty_gains(const HolSetup *setup, const HolPenaltyOptions *options, HolGains *gains)
{
    const bool is_automatic = options->gains == HOL_GAINS_AUTOMATIC;
    const double omega = is_automatic ? sqrt(2) / setup->h : options->omega;
    *gains = is_automatic ? hol_gains_automatic(setup->h)
                          : (HolGains){.damping = 2 * options->xi * options->omega,
                                       .stiffness = options->omega * options->omega};
    return hol_row_gains(setup, omega, is_automatic ? sqrt(0.5) : options->xi, gains);
}

/* Table rows; the struct they are offsets of must begin with HolPenaltyOptions. rate: the default of omega. */
#define HOL_PENALTY_OPTION_ROWS(rate)                                                                                  \
    HOL_REAL(HolPenaltyOptions, alpha, 1e7, HOL_SMALLEST, 1e15, "", "penalty, times the row weight"),                  \
        HOL_REAL(HolPenaltyOptions, omega, rate, 0, HOL_LARGEST, "rad/s", "rate at which a violation decays"),         \
        HOL_REAL(HolPenaltyOptions, xi, 1, 0, HOL_LARGEST, "", "its damping ratio"),                                   \
        HOL_CHOICE(HolPenaltyOptions, gains, HOL_GAINS_FIXED, hol_gain_choices,                                        \
                   "fixed: omega and xi as given; automatic: omega = sqrt(2)/h, xi = 1/sqrt(2), h nominal")

#define HOL_AUGMENTED_OPTION_ROWS                                                                                      \
    HOL_REAL(HolPenaltyOptions, tolerance, HOL_TOL_ITERATION, HOL_TOL_PIVOT, 1, "",                                    \
             "ends the iteration: change of vdot relative to L/(1000 h)^2 + max |vdot|, L: size of the model"),        \
        HOL_INTEGER(HolPenaltyOptions, max_iterations, 50, 2, 1000, "iterations per evaluation before giving up"),     \
        HOL_CHOICE(HolPenaltyOptions, divergence, HOL_DIVERGENCE_FAILS, hol_divergence_choices,                        \
                   "without convergence: fail, or continue with the last iterate")

#endif
