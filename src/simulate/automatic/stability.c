/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/automatic/stability.h"

#include "base/message.h"
#include "base/tolerances.h"

#include <math.h>

bool hol_step_is_unstable(const HolIntegratorKind *integrator, double h, const HolFastest *fastest)
{
    if (!integrator->amplification)
        return false;
    double own = fmax(1, exp(h * fastest->re));
    return integrator->amplification(h * fastest->re, h * fastest->im) > HOL_GROWTH_UNSTABLE * own;
}

/* Rounds down to one digit. */
static double one_digit(double h)
{
    double power = pow(10, floor(log10(h)));
    return floor(h / power * (1 + HOL_TOL_EQUAL)) * power;
}

double hol_stable_step(const HolIntegratorKind *integrator, const HolFastest *fastest)
{
    const double rate = hol_fastest_rate(fastest), finer = 1.05;
    if (!integrator->amplification || !(rate > 0))
        return HUGE_VAL;
    double h = HOL_TOL_SMALL / rate;
    while (h * rate < 1 / HOL_TOL_SMALL && !hol_step_is_unstable(integrator, finer * h, fastest))
        h *= finer;
    return h * rate < 1 / HOL_TOL_SMALL ? one_digit(h) : HUGE_VAL;
}

bool hol_probe_is_unstable(HolProbe *probe, HolRates *rates, const HolIntegratorKind *integrator,
                           const HolStepFrom *from, double *y_next, HolFastest *fastest)
{
    const double t = from->t, h = from->h;
    HolFastest next;
    if (hol_probe_fastest(probe, rates, t, h, from->y, fastest) != HOL_OK ||
        !hol_step_is_unstable(integrator, h, fastest))
        return false;
    for (int i = 0; i < rates->size; ++i)
        y_next[i] = from->y[i] + h * probe->f[i];
    return hol_probe_fastest(probe, rates, t + h, h, y_next, &next) != HOL_OK ||
           hol_step_is_unstable(integrator, h, &next);
}

HolStatus hol_too_stiff(const HolIntegratorKind *integrator, double t, double h, const HolFastest *fastest,
                        HolMessage *message)
{
    return hol_fail(
        message, HOL_TOO_STIFF,
        "the model is too stiff for explicit steps of %g s (%s) at t = %.9g: its fastest motion (%.3g rad/s) "
        "needs steps of about %.1g s, or implicit ones such as 'newmark' with "
        "'index3-augmented-lagrangian'",
        h, integrator->name, t, hol_fastest_rate(fastest), hol_stable_step(integrator, fastest));
}
