/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/automatic/stability.h"

#include "base/message.h"
#include "base/tolerances.h"

#include <math.h>

/* Whether the steps amplify the motion by more than `growth` times its own growth. */
static bool step_grows(const HolIntegratorKind *integrator, double h, const HolFastest *fastest, double growth)
{
    if (!integrator->amplification)
        return false;
    double own = fmax(1, exp(h * fastest->re));
    return integrator->amplification(h * fastest->re, h * fastest->im) > growth * own;
}

bool hol_step_is_unstable(const HolIntegratorKind *integrator, double h, const HolFastest *fastest)
{
    return step_grows(integrator, h, fastest, HOL_GROWTH_UNSTABLE);
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
    while (h * rate < 1 / HOL_TOL_SMALL && !step_grows(integrator, finer * h, fastest, 1 + HOL_TOL_EQUAL))
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

/* The longest step that resolves the motion, where it oscillates, and lets it grow by no more than a small part of its
 * phase, rounded down to one digit. */
static double resolving_step(const HolIntegratorKind *integrator, const HolFastest *fastest)
{
    const double rate = hol_fastest_rate(fastest), finer = 1.05;
    double h = (fastest->im >= fabs(fastest->re) ? HOL_PHASE_VIBRATION : 1) / rate;
    while (h * rate > HOL_TOL_SMALL && step_grows(integrator, h, fastest, 1 + HOL_PART_GROWTH * h * rate))
        h /= finer;
    return one_digit(h);
}

HolStatus hol_too_stiff(const HolIntegratorKind *integrator, double t, double h, const HolFastest *fastest,
                        HolMessage *message)
{
    static const char otherwise[] = "implicit ones such as 'newmark' with 'index3-augmented-lagrangian'";
    const double rate = hol_fastest_rate(fastest), needed = resolving_step(integrator, fastest);
    if (!(needed > HOL_TOL_EQUAL * h)) /* no property of the model: its state has grown without bound */
        return hol_fail(message, HOL_TOO_STIFF,
                        "the model is too stiff for explicit steps of %g s (%s) at t = %.9g: it needs much shorter "
                        "steps, or %s",
                        h, integrator->name, t, otherwise);
    return hol_fail(message, HOL_TOO_STIFF,
                    "the model is too stiff for explicit steps of %g s (%s) at t = %.9g: its fastest motion (%.3g "
                    "rad/s) needs steps of about %.1g s to be resolved, or %s",
                    h, integrator->name, t, rate, needed, otherwise);
}
