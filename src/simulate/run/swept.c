/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/swept.h"

#include "base/archive.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "simulate/run/internal.h"
#include "simulate/run/scan.h"
#include "system/state_functions.h"

#include <math.h>

/* Parts of a step that are looked at for each function, and the shortest of them. */
enum { MOST_PARTS = 256, MOST_DOUBTS = 128 };
static const double SHORTEST = 1.0 / (1 << 20);

/* What is known of a function. */
typedef struct Swept {
    double most, fastest; /* its largest magnitude so far, and the largest rate of its argument */
    double seen, missed;  /* (2) */
    long steps;           /* in which something was missed */
} Swept;

typedef struct HolSwept {
    int count;         /* of functions */
    double t;          /* of `from` */
    double *from, *to; /* 2 count: the arguments and their rates at the ends of the step */
    Swept *functions;
    long uncertain; /* steps in which events may have been missed */
} HolSwept;

static void swept_evaluate(const HolSimulation *s, double t, const double *q, const double *v, double *arguments)
{
    HolPoint at = {hol_workspace_time(s->work, t), q, v};
    hol_system_arguments(s->system, &at, s->work->terms, arguments);
}

HolStatus hol_swept_create(HolSimulation *s)
{
    int count = hol_system_state_function_count(s->system);
    if (count == 0)
        return HOL_OK;
    HolSwept *w = hol_arena_alloc(s->arena, sizeof *w);
    HOL_TRY(hol_arena_status(s->arena));
    w->functions = hol_arena_alloc(s->arena, (size_t)count * sizeof *w->functions);
    HOL_DOUBLES(s->arena, 2 * count, &w->from, &w->to);
    HOL_TRY(hol_arena_status(s->arena));
    w->count = count;
    w->t = NAN;
    s->swept = w;
    return HOL_OK;
}

void hol_swept_begin(HolSimulation *s)
{
    HolSwept *w = s->swept;
    if (!w || (w->t == s->state.t && !s->must_renew))
        return;
    swept_evaluate(s, s->state.t, s->state.q, s->state.v, w->from);
    w->t = s->state.t;
}

static HolStepEnds swept_ends(const HolSimulation *s, double from, double to)
{
    return (HolStepEnds){
        {hol_workspace_time(s->work, from), hol_workspace_time(s->work, to)}, s->swept->from, s->swept->to};
}

static HolStateBounds swept_bounds(const HolSimulation *s, int function, const HolStepEnds *ends, double a, double b)
{
    return hol_system_state_bounds(s->system, function, ends, s->work->terms, a, b);
}

/* A part of a step, from the first one of all down to the shortest that is needed. */
typedef struct Part {
    double a, length;
} Part;

static void part_halve(Part *part)
{
    part->length /= 2;
}

/* The next part, as long as it may be in a binary division. */
static void part_advance(Part *part)
{
    part->a += part->length;
    while (part->length < 1 && fmod(part->a, 2 * part->length) == 0)
        part->length *= 2;
}

/* Where bounds allow a switch, halves are looked at, down to parts in which it does not matter. */
static double function_scan(HolSimulation *s, int function, const HolStepEnds *ends, double h, double *certain)
{
    Part part = {0, 1};
    for (int k = 0; part.a < 1; ++k) {
        if (k == MOST_PARTS) {
            *certain = fmin(*certain, part.a);
            return 0;
        }
        HolStateBounds bounds = swept_bounds(s, function, ends, part.a, part.a + part.length);
        double middle = part.a + part.length / 2;
        if (!bounds.may_switch || part.length <= SHORTEST)
            part_advance(&part);
        else if (hol_events_have_changed(s, middle * h, h))
            return middle;
        else
            part_halve(&part);
    }
    return 0;
}

double hol_swept_scan(HolSimulation *s, double h, double *certain)
{
    *certain = 1;
    if (!s->swept || s->rates->v || s->state.t < s->events.paused)
        return 0;
    swept_evaluate(s, s->state.t + h, s->y_new, hol_rates_v(s->rates, s->y_new), s->swept->to);
    const HolStepEnds ends = swept_ends(s, s->state.t, s->state.t + h);
    double first = 0;
    for (int i = 0; i < s->swept->count; ++i) {
        double found = function_scan(s, i, &ends, h, certain);
        first = found > 0 && (first == 0 || found < first) ? found : first;
    }
    return first;
}

void hol_swept_count_uncertain(HolSimulation *s)
{
    ++s->swept->uncertain;
}

/* The values that the ends of a step suggest: a range, and the middle of the cubic of values and slopes. */
typedef struct Expected {
    double low, high, middle;
    double small; /* what may be missed */
} Expected;

/* How far bounds or a value are outside. */
static double expected_excess(const Expected *expected, double low, double high)
{
    return fmax(0, fmax(high - expected->high, expected->low - low));
}

static double slope_size(const HolStateBounds *f)
{
    return fmax(fabs(f->slope[0]), fabs(f->slope[1]));
}

/* (1), and what is negligible beside the largest values so far. Not finite: nothing is known. */
static Expected function_expected(const HolSimulation *s, int function, const HolStepEnds *ends, Swept *known)
{
    HolStateBounds first = swept_bounds(s, function, ends, 0, 0), last = swept_bounds(s, function, ends, 1, 1);
    double reach = fmin(slope_size(&first), slope_size(&last));
    double most = fmax(fabs(first.middle), fabs(last.middle)), length = ends->t[1] - ends->t[0];
    if (!isfinite(most) || !isfinite(reach))
        return (Expected){-HUGE_VAL, HUGE_VAL, 0, HUGE_VAL};
    known->most = fmax(known->most, most);
    known->seen += length * (fabs(first.middle) + fabs(last.middle)) / 2;
    const double small = HOL_PART_UNSEEN * known->most;
    reach += small;
    return (Expected){fmin(first.middle, last.middle) - reach, fmax(first.middle, last.middle) + reach,
                      (first.middle + last.middle) / 2 + (first.slope[0] - last.slope[0]) / 8, small};
}

/* A part of a step in which a function may be outside by `possible`, and is so by `shown` in its middle. */
typedef struct Doubt {
    Part part;
    double possible, shown;
} Doubt;

static Doubt doubt_of(const HolSimulation *s, int function, const HolStepEnds *ends, const Expected *expected,
                      Part part)
{
    HolStateBounds f = swept_bounds(s, function, ends, part.a, part.a + part.length);
    double shown = isfinite(f.middle) ? expected_excess(expected, f.middle, f.middle) : 0;
    return (Doubt){part, expected_excess(expected, f.value[0], f.value[1]), shown};
}

/* The part in which most may be hidden, and the sum of what is shown. */
static int doubts_worst(const Doubt *doubts, int count, double *hidden, double *shown)
{
    int worst = -1;
    *hidden = *shown = 0;
    for (int i = 0; i < count; ++i) {
        const Doubt *d = &doubts[i];
        double here = d->part.length * (d->possible - d->shown);
        *shown += d->part.length * d->shown;
        if (d->part.length > SHORTEST && here > *hidden) {
            *hidden = here;
            worst = i;
        }
    }
    return worst;
}

/* A change between the ends has values inside their range, but not where the cubic has them: a difference like that of
 * a parabola with this one in the middle. A jump is an event. */
static double function_misplaced(const HolSimulation *s, int function, const HolStepEnds *ends,
                                 const Expected *expected)
{
    const HolStateBounds f = swept_bounds(s, function, ends, 0, 1);
    const double excess = fabs(f.middle - expected->middle) - expected->small;
    return !f.may_switch && excess > 0 ? excess * 2 / 3 : 0;
}

/* The integral of what is outside, as far as bounded effort shows: the part in which most may be hidden is halved until
 * that is little beside what is shown. */
static double function_missed(const HolSimulation *s, int function, const HolStepEnds *ends, const Expected *expected)
{
    Doubt doubts[MOST_DOUBTS] = {doubt_of(s, function, ends, expected, (Part){0, 1})};
    double shown = 0, hidden = 0;
    int count = 1;
    for (; count < MOST_DOUBTS; ++count) {
        int worst = doubts_worst(doubts, count, &hidden, &shown);
        if (worst < 0 || hidden < HOL_PART_UNSEEN * shown)
            break;
        Part half = doubts[worst].part;
        part_halve(&half);
        doubts[worst] = doubt_of(s, function, ends, expected, half);
        half.a += half.length;
        doubts[count] = doubt_of(s, function, ends, expected, half);
    }
    doubts_worst(doubts, count, &hidden, &shown);
    return fmax(shown, function_misplaced(s, function, ends, expected)) * (ends->t[1] - ends->t[0]);
}

static bool function_is_unresolved(const Swept *f)
{
    return f->missed > HOL_PART_UNSEEN * f->seen;
}

void hol_swept_accept(HolSimulation *s)
{
    HolSwept *w = s->swept;
    if (!w)
        return;
    swept_evaluate(s, s->state.t, s->state.q, s->state.v, w->to);
    const HolStepEnds ends = swept_ends(s, w->t, s->state.t);
    for (int i = 0; i < w->count && !s->is_crossing && ends.t[1] > ends.t[0]; ++i) {
        Swept *f = &w->functions[i];
        f->fastest = fmax(f->fastest, fmax(fabs(w->from[2 * i + 1]), fabs(w->to[2 * i + 1])));
        Expected expected = function_expected(s, i, &ends, f);
        double missed = isfinite(expected.low) ? function_missed(s, i, &ends, &expected) : 0;
        f->missed += missed;
        f->steps += missed > 0;
    }
    hol_swap_vectors(&w->from, &w->to);
    w->t = s->state.t;
}

void hol_swept_archive(HolSimulation *s, HolArchive *archive)
{
    HolSwept *w = s->swept;
    if (!w)
        return;
    hol_archive_doubles(archive, w->from, 2 * w->count);
    for (int i = 0; i < w->count; ++i) {
        Swept *f = &w->functions[i];
        HOL_ARCHIVE_EACH(archive, &f->most, &f->fastest, &f->seen, &f->missed);
        hol_archive_tally(archive, &f->steps);
    }
    HOL_ARCHIVE_EACH(archive, &w->t);
    hol_archive_tally(archive, &w->uncertain);
}

/* Whether what a force has missed matters to the energy in motion. Of a body that rests, nothing is known. */
static bool function_matters(const Swept *f, bool is_force, const HolSummary *summary)
{
    double energy = fmax(summary->max_kinetic_energy, summary->potential_high - summary->potential_low);
    return !is_force || f->fastest == 0 || f->missed * f->fastest > HOL_PART_UNSEEN_ENERGY * energy;
}

void hol_swept_summarise(const HolSimulation *s, HolSummary *summary)
{
    const HolSwept *w = s->swept;
    summary->missed_steps = 0;
    summary->missed_function = NULL;
    if (!w)
        return;
    summary->unresolved_events += w->uncertain;
    for (int i = 0; i < w->count; ++i) {
        const HolStateFunction function = hol_system_state_function(s->system, i);
        const Swept *f = &w->functions[i];
        if (!function_is_unresolved(f) || !function_matters(f, function.is_force, summary))
            continue;
        summary->missed_steps += f->steps;
        summary->missed_function = summary->missed_function ? summary->missed_function : function.name;
    }
}
