/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that all penalty-type formulations share, and the stabilised right side they lead to. */
#ifndef HOLON_FORMULATIONS_PENALTY_OPTIONS_H
#define HOLON_FORMULATIONS_PENALTY_OPTIONS_H

#include "base/options.h"
#include "formulations/stabilization.h"

typedef struct HolPenaltyOptions {
    double alpha, omega, xi;
    int gains;
    double tolerance;
    int max_iterations, divergence;
} HolPenaltyOptions;

enum { HOL_DIVERGENCE_FAILS, HOL_DIVERGENCE_GOES_ON };
extern const char *const hol_divergence_choices[];

/* h is the nominal step: gains that followed a shortened last step would ruin it. */
static inline HolGains hol_penalty_gains(const HolPenaltyOptions *options, double h)
{
    if (options->gains == HOL_GAINS_AUTOMATIC)
        return hol_gains_automatic(h);
    return (HolGains){2 * options->xi * options->omega, options->omega * options->omega};
}

/* Table rows; the struct they are offsets of must begin with HolPenaltyOptions. rate: the default of omega. */
#define HOL_PENALTY_OPTION_ROWS(rate)                                                                                  \
    {"alpha",                                                                                                          \
     HOL_OPTION_REAL,                                                                                                  \
     offsetof(HolPenaltyOptions, alpha),                                                                               \
     1e7,                                                                                                              \
     HOL_SMALLEST,                                                                                                     \
     1e15,                                                                                                             \
     NULL,                                                                                                             \
     "",                                                                                                               \
     "penalty, times the row weight"},                                                                                 \
        {"omega", HOL_OPTION_REAL, offsetof(HolPenaltyOptions, omega),  rate, 0, HOL_LARGEST,                          \
         NULL,    "rad/s",         "rate at which a violation dies out"},                                              \
        {"xi", HOL_OPTION_REAL, offsetof(HolPenaltyOptions, xi), 1, 0, HOL_LARGEST, NULL, "", "its damping ratio"},    \
    {                                                                                                                  \
        "gains", HOL_OPTION_CHOICE, offsetof(HolPenaltyOptions, gains), HOL_GAINS_FIXED, 0, 1, hol_gain_choices, "",   \
            "fixed: omega and xi as given; automatic: omega = sqrt(2)/h, xi = 1/sqrt(2), h nominal"                    \
    }

#define HOL_AUGMENTED_OPTION_ROWS                                                                                      \
    {"tolerance",                                                                                                      \
     HOL_OPTION_REAL,                                                                                                  \
     offsetof(HolPenaltyOptions, tolerance),                                                                           \
     1e-10,                                                                                                            \
     1e-15,                                                                                                            \
     1,                                                                                                                \
     NULL,                                                                                                             \
     "",                                                                                                               \
     "ends the iteration: change of vdot relative to 1 + max |vdot|"},                                                 \
        {"max_iterations",                                                                                             \
         HOL_OPTION_INTEGER,                                                                                           \
         offsetof(HolPenaltyOptions, max_iterations),                                                                  \
         50,                                                                                                           \
         2,                                                                                                            \
         1000,                                                                                                         \
         NULL,                                                                                                         \
         "",                                                                                                           \
         "iterations per evaluation before giving up"},                                                                \
    {                                                                                                                  \
        "divergence", HOL_OPTION_CHOICE, offsetof(HolPenaltyOptions, divergence), HOL_DIVERGENCE_FAILS, 0, 1,          \
            hol_divergence_choices, "", "without convergence: fail, or go-on with what the passes have found"          \
    }

#endif
