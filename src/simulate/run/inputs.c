/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs: numbers that the caller changes between steps. They are kept in the terms of the simulation, which are not
 * shared. */
#include "base/float_mode.h"
#include "base/message.h"
#include "simulate/run/internal.h"

#include <math.h>
#include <string.h>

HolStatus hol_simulation_set_input(HolSimulation *s, int input, double value)
{
    if (!s)
        return HOL_BAD_INPUT;
    s->message.text[0] = '\0';
    int count = hol_system_input_count(s->system);
    if (input < 0 || input >= count)
        return hol_fail(&s->message, HOL_BAD_INPUT, "input %d does not exist: '%s' has %d inputs", input,
                        hol_system_name(s->system), count);
    if (!isfinite(value))
        return hol_fail(&s->message, HOL_BAD_INPUT, "the input '%s' must be finite, not %g",
                        hol_system_input_name(s->system, input), value);
    double *u = s->work->terms->u;
    s->has_new_inputs = s->has_new_inputs || u[input] != value;
    u[input] = value;
    return HOL_OK;
}

double hol_simulation_input(const HolSimulation *simulation, int input)
{
    bool is_there = simulation && input >= 0 && input < hol_system_input_count(simulation->system);
    return is_there ? simulation->work->terms->u[input] : NAN;
}

HolStatus hol_renew_rates(HolSimulation *s)
{
    if (!s->must_renew && !s->has_new_inputs)
        return HOL_OK;
    s->rates->is_at_result = false; /* its terms belong to the previous inputs or time */
    HOL_TRY(hol_rates_accept(s->rates, s->state.t, s->step, s->y, s->ydot_new));
    HOL_TRY(hol_rates_prepare(s->rates)); /* filtered accelerations restart */
    memcpy(s->ydot, s->ydot_new, (size_t)s->rates->size * sizeof *s->ydot);
    s->must_renew = s->has_new_inputs = false;
    return HOL_OK;
}

/* At a breakpoint the state is that before it, and the step that follows renews the rates once more. Inside the record
 * function the rates belong to the recorded time; the next step renews them. */
void hol_renew_state(HolSimulation *s)
{
    if (!s->has_new_inputs || s->is_recording)
        return;
    unsigned mode = hol_float_mode_enter();
    int before = s->rates->report.evaluations;
    const bool is_at_breakpoint = s->must_renew;
    if (hol_renew_rates(s) == HOL_OK) {
        hol_state_fill(s->rates, s->state.t, s->y, &s->state);
        s->measures = hol_measure(s, s->y);
        s->summary.evaluations += s->rates->report.evaluations - before;
    }
    s->must_renew = s->must_renew || is_at_breakpoint;
    s->rates->message.text[0] = '\0'; /* the next step fails for the same reason and reports it */
    hol_float_mode_leave(mode);
}
