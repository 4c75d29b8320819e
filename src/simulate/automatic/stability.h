/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the steps of an explicit integrator are short enough for the fastest motion s: they amplify it by |R(h s)|,
 * R of HolIntegratorKind.amplification, where the motion itself grows by exp(h Re s). Steps that amplify more make the
 * run blow up within a few hundred of them. */
#ifndef HOLON_SIMULATE_AUTOMATIC_STABILITY_H
#define HOLON_SIMULATE_AUTOMATIC_STABILITY_H

#include "simulate/automatic/fastest.h"

/* False for integrators without a stability limit. */
bool hol_step_is_unstable(const HolIntegratorKind *integrator, double h, const HolFastest *fastest);

/* The longest step without growth, rounded down to one digit; HUGE_VAL: any. */
double hol_stable_step(const HolIntegratorKind *integrator, const HolFastest *fastest);

/* Whether steps from `from` are unstable, and still are where the first one leads: friction that is steep at rest is
 * not, once the body slides. *fastest is that of from->y; from->ydot is not read, y_next is scratch. Failed evaluations
 * decide nothing. */
bool hol_probe_is_unstable(HolProbe *probe, HolRates *rates, const HolIntegratorKind *integrator,
                           const HolStepFrom *from, double *y_next, HolFastest *fastest);

/* HOL_TOO_STIFF, with the sentence. */
HolStatus hol_too_stiff(const HolIntegratorKind *integrator, double t, double h, const HolFastest *fastest,
                        HolMessage *message);

#endif
