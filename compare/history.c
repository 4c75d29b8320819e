/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/compare.h>

#include <math.h>

HolHistory hol_history_begin(double start, double until)
{
    HolHistory history = {.start = start, .until = until};
    for (int i = 0; i < HOL_HISTORY_INTERVALS; ++i)
        history.violation[i] = history.drift[i] = NAN;
    return history;
}

void hol_history_add(HolHistory *history, double t, const HolMeasures *measures)
{
    if (!history || !measures || isnan(t))
        return;
    double done = (t - history->start) / (history->until - history->start);
    int part = done > 0 ? (int)(HOL_HISTORY_INTERVALS * fmin(done, 1)) : 0;
    part = part < HOL_HISTORY_INTERVALS ? part : HOL_HISTORY_INTERVALS - 1;
    history->violation[part] = fmax(history->violation[part], measures->position);
    history->drift[part] = fmax(history->drift[part], fabs(measures->drift));
}
