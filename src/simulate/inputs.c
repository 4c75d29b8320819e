/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers from outside that change between steps. They live in the terms of the simulation, which nobody shares. */
#include "base/message.h"
#include "simulate/internal.h"

#include <math.h>
#include <string.h>

HolStatus hol_simulation_set_input(HolSimulation *simulation, int input, double value)
{
    HolSimulation *s = simulation;
    if (!s)
        return HOL_BAD_INPUT;
    s->message.text[0] = '\0';
    int count = hol_system_input_count(s->system);
    if (input < 0 || input >= count)
        return hol_fail(&s->message, HOL_BAD_INPUT, "'%s' has %d inputs: there is none of the index %d",
                        hol_system_name(s->system), count, input);
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
    if (!s->has_new_inputs)
        return HOL_OK;
    s->rates->stands_at_result = false; /* what was evaluated there is of the inputs before */
    HOL_TRY(hol_rates_accept(s->rates, s->state.t, s->step, s->y, s->ydot_new));
    HOL_TRY(hol_rates_prepare(s->rates)); /* filtered accelerations begin anew, as at the start */
    memcpy(s->ydot, s->ydot_new, (size_t)s->rates->size * sizeof *s->ydot);
    s->has_new_inputs = false;
    return HOL_OK;
}
