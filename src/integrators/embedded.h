/* SPDX-License-Identifier: BSD-3-Clause */
/* Embedded explicit Runge-Kutta methods with step size control and dense output, which differ in their numbers only:
 *
 *     k_s  = f(t_0 + c_s h, Y_s),   Y_s = y_0 + h sum_{i<s} a_si k_i,   s = 1 ... stages       (1)
 *     y_1  = Y_r,   r: the stage at the result                                                 (2)
 *     e    = h sum e_i k_i              difference to an embedded result of lower order        (3)
 *     |e|  = max_j |e_j| / (absolute u_j + tolerance max(|y_0j|, |y_1j|)),   u_j: HolRates.unit
 *     err  = |e|,   or with a second estimate e' by other weights   |e|^2 / sqrt(|e|^2 + 0.01 |e'|^2)     (4)
 *
 * The maximum, not the root mean square: a thousand bodies at rest must not hide the error of the one that moves.
 *
 *     h_new = h safety err^-(1/p - 3/4 beta) err_before^beta     after an accepted step (PI control)     (5)
 *     h_new = h safety err^-(1/p)                                after a rejected one                    (6)
 *     y(theta) = y_0 + h sum b_i(theta) k_i                      dense output, 0 <= theta <= 1           (7)
 *
 * The stages that only (7) needs are evaluated when the first state inside a step is asked for. */
#ifndef HOLON_INTEGRATORS_EMBEDDED_H
#define HOLON_INTEGRATORS_EMBEDDED_H

#include "integrators/integrator.h"

enum { HOL_EMBEDDED_STAGES = 16 }; /* at most */

/* Indices begin at 0: the first stage is 0. */
typedef struct HolEmbeddedScheme {
    int stages;                               /* that (2) and (3) need */
    int dense_stages;                         /* that (7) needs, not fewer */
    int result;                               /* r; Y_r is y_1 whether or not it is one of the stages of the step */
    double power;                             /* 1/p */
    const double *c, *a;                      /* a: dense_stages rows of dense_stages numbers */
    const double *e;                          /* of (3), for the stages of the step */
    const double *e_low;                      /* of e' in (4); NULL: there is none */
    void (*weights)(double theta, double *b); /* b_i(theta) of (7), dense_stages numbers */
} HolEmbeddedScheme;

typedef struct HolEmbeddedOptions {
    double tolerance, absolute, safety, min_factor, max_factor, max_step;
} HolEmbeddedOptions;

/* The options of these kinds. */
enum { HOL_EMBEDDED_OPTION_COUNT = 6 };
extern const HolOption hol_embedded_options[HOL_EMBEDDED_OPTION_COUNT];

HolStatus hol_embedded_create(HolArena *arena, const HolRates *rates, const HolEmbeddedScheme *scheme,
                              const HolEmbeddedOptions *options, void **self);
HolStatus hol_embedded_step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new);
double hol_embedded_adapt(void *self, double h, double error, bool accepted);
void hol_embedded_forget(void *self);
void hol_embedded_archive(void *self, HolArchive *archive);
HolStatus hol_embedded_interpolate(void *self, HolRates *rates, double theta, double *y);

/* The members of a kind that all of them share. */
#define HOL_EMBEDDED_KIND                                                                                              \
    .needs = HOL_RATES, .options_size = sizeof(HolEmbeddedOptions), .options = hol_embedded_options,                   \
    .option_count = HOL_EMBEDDED_OPTION_COUNT, .step = hol_embedded_step, .adapt = hol_embedded_adapt,                 \
    .forget = hol_embedded_forget, .archive = hol_embedded_archive, .interpolate = hol_embedded_interpolate

#endif
