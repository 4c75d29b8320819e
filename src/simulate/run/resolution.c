/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/resolution.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "simulate/run/internal.h"

#include <math.h>
#include <string.h>

/* Of (1) and (3): the part of the variation that a step may miss at some points, and between them, where bounds are
 * wider than the function; the steps before and after it that count. */
static const double PART_MISSED[2] = {HOL_PART_OF_IMPULSE, HOL_PART_OF_VELOCITY};
static const double PART_HIDDEN[2] = {HOL_PART_HIDDEN_IMPULSE, HOL_PART_HIDDEN_VELOCITY};
static const double STEPS_AROUND = 32;
/* A variation counts for steps that begin this many steps before or after the time for which it was found. */
static const double STEPS_NEAR = 8;
/* Steps that a search looks ahead, and the intervals that it may take for each function. */
static const double STEPS_AHEAD = 128;
enum { MOST_INTERVALS = 64 };
/* Intervals that a variation is found from, of a force and of a velocity. */
enum { MOST_SPANS = 160, MOST_VELOCITY_SPANS = 48 };
/* Steps that may be shortened: some, and more in a longer run. */
enum { FEW_SHORTENED = 10000, SHORTENED_EACH = 30 };
/* Pairs of shortened steps after which a longer one is tried again. */
enum { PAIRS_ALIKE = 4 };

/* The variation of a function around a step of w at the time t is at least `size`; `too_much` could not be shown. It
 * counts for steps near that time. */
typedef struct Variation {
    double t, w, size, too_much;
} Variation;

typedef struct HolResolution {
    int count;                  /* of functions */
    Variation *nominal, *local; /* of each: around the nominal step, and around the shortened one; */
    double *blind;              /* up to this time its bounds show nothing, at any step */
    double h;                   /* of steps up to `clear` */
    double clear;               /* up to this time each step of h resolves all functions, */
    double ahead;               /* this many steps after the last search */
    double last, second;        /* the last step that was shortened, and the next one, equal to it; 0: it is not so */
    int wait;                   /* pairs of shortened steps until a longer one is tried */
    bool is_near;               /* the present step is shortened, or next to one that may be */
    long shortened, unresolved;
    int function; /* the first that was not resolved; -1: none */
} HolResolution;

HolStatus hol_resolution_create(HolSimulation *s)
{
    int count = hol_system_time_function_count(s->system);
    if (count == 0)
        return HOL_OK;
    HolResolution *r = hol_arena_alloc(s->arena, sizeof *r);
    HOL_TRY(hol_arena_status(s->arena));
    r->nominal = hol_arena_alloc(s->arena, (size_t)count * sizeof *r->nominal);
    r->local = hol_arena_alloc(s->arena, (size_t)count * sizeof *r->local);
    HOL_DOUBLES(s->arena, count, &r->blind);
    HOL_TRY(hol_arena_status(s->arena));
    for (int i = 0; i < count; ++i)
        r->blind[i] = -HUGE_VAL;
    r->count = count;
    r->ahead = STEPS_AHEAD;
    r->clear = -HUGE_VAL;
    r->function = -1;
    s->resolution = r;
    return HOL_OK;
}

/* How a function is examined: by its bounds, or, where they are far wider than it, by some values. */
typedef enum Way { BY_BOUNDS, BY_VALUES } Way;

/* An interval of time, and what is known of a function there. */
typedef struct Span {
    double start, size, middle;
    double doubt; /* its part of (2) or (4) that is not known */
} Span;

static Span span_of(const HolSystem *system, int function, double start, double size)
{
    HolTimeBounds bounds = hol_system_time_bounds(system, function, start, start + size);
    double change = bounds.value[1] - bounds.value[0];
    bool is_velocity = hol_system_function_is_velocity(system, function);
    return (Span){start, size, bounds.middle, is_velocity ? change : size * change};
}

/* (4) */
static double spans_spread(const Span *spans, int count)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < count; ++i)
        if (isfinite(spans[i].middle)) {
            low = fmin(low, spans[i].middle);
            high = fmax(high, spans[i].middle);
        }
    return high > low ? high - low : 0;
}

/* (2), where the function is finite. */
static double spans_variation(const Span *spans, int count)
{
    double sum = 0, length = 0, impulse = 0, low = 0, high = 0;
    for (int i = 0; i < count; ++i)
        if (isfinite(spans[i].middle)) {
            sum += spans[i].size * spans[i].middle;
            length += spans[i].size;
        }
    for (int i = 0; i < count; ++i)
        if (isfinite(spans[i].middle)) {
            impulse += spans[i].size * (spans[i].middle - sum / length);
            low = fmin(low, impulse);
            high = fmax(high, impulse);
        }
    return high - low;
}

/* Replaces an interval by its halves, in the order of time. */
static void spans_split(const HolSystem *system, int function, Span *spans, int count, int at)
{
    double half = spans[at].size / 2, start = spans[at].start;
    memmove(&spans[at + 1], &spans[at], (size_t)(count - at) * sizeof *spans);
    spans[at] = span_of(system, function, start, half);
    spans[at + 1] = span_of(system, function, start + half, half);
}

/* The sum of what is not known, and the interval with the largest part of it that can be halved; -1: none. */
static double spans_doubt(const Span *spans, int count, bool is_velocity, double least, int *worst)
{
    double sum = 0, most = 0;
    *worst = -1;
    for (int i = 0; i < count; ++i) {
        double doubt = isnan(spans[i].doubt) ? HUGE_VAL : spans[i].doubt;
        if (spans[i].size <= least)
            continue;
        sum = is_velocity ? fmax(sum, doubt) : sum + doubt;
        if (doubt > most) {
            most = doubt;
            *worst = i;
        }
    }
    return sum;
}

/* (2) or (4) over [a, b], less what is not known. Intervals are halved until that is `needed`. Values at single times
 * show a spread, but no integral. */
static double function_variation(const HolSystem *system, int function, double a, double b, double needed, Way way)
{
    Span spans[MOST_SPANS] = {span_of(system, function, a, b - a)};
    const bool is_velocity = hol_system_function_is_velocity(system, function);
    double most = 0;
    for (int count = 1; count < (is_velocity ? MOST_VELOCITY_SPANS : MOST_SPANS) && most < needed; ++count) {
        int worst;
        double doubt = spans_doubt(spans, count, is_velocity, HOL_PART_SHORTEST * HOL_PART_SHORTEST * (b - a), &worst);
        double variation = (is_velocity ? spans_spread : spans_variation)(spans, count);
        most = fmax(most, is_velocity || way == BY_VALUES ? variation : variation - doubt);
        if (worst < 0 || variation + 2 * doubt < needed)
            break;
        spans_split(system, function, spans, count, worst);
    }
    return most;
}

static double variation_around(const HolSimulation *s, int function, double t, double w, double needed, Way way)
{
    double reach = STEPS_AROUND * w, first = fmax(t - reach, fmin(s->summary.start, t));
    return function_variation(s->system, function, first, t + reach, needed, way);
}

/* Whether the variation around a step of w near t is at least `needed`. */
static bool varies_by(const HolSimulation *s, int function, double t, double w, double needed, Variation *known)
{
    if (known->w != w || fabs(t - known->t) > STEPS_NEAR * w)
        *known = (Variation){t, w, 0, HUGE_VAL};
    if (known->size < needed && needed < known->too_much) {
        double size = variation_around(s, function, known->t, w, needed, BY_BOUNDS);
        known->size = fmax(known->size, size);
        known->too_much = size < needed ? needed : known->too_much;
    }
    return known->size >= needed;
}

/* How far a function leaves the line between its values at the ends of an interval, at three points, and by how much
 * its bounds exceed these values. */
typedef struct Bend {
    double seen, hidden;
} Bend;

static Bend function_bend(const HolSystem *system, int function, double a, double b)
{
    enum { PARTS = 4 };
    HolTimeBounds bounds = hol_system_time_bounds(system, function, a, b);
    double f[PARTS + 1], low = HUGE_VAL, high = -HUGE_VAL, seen = 0;
    if (bounds.value[1] - bounds.value[0] <= 0)
        return (Bend){0, 0};
    for (int i = 0; i <= PARTS; ++i) {
        double t = i == PARTS ? b : a + i * (b - a) / PARTS;
        f[i] = i == PARTS / 2 ? bounds.middle : hol_system_time_bounds(system, function, t, t).middle;
        low = fmin(low, f[i]);
        high = fmax(high, f[i]);
    }
    for (int i = 1; i < PARTS; ++i)
        seen = fmax(seen, fabs(f[i] - f[0] - i * (f[PARTS] - f[0]) / PARTS));
    return (Bend){seen, fmax(0, (bounds.value[1] - bounds.value[0]) - (high - low))};
}

/* The variation that a step of w needs, by (1) or (3). */
static double needed_variation(const HolSimulation *s, int function, Bend bend, double w, Way way)
{
    const int is_velocity = hol_system_function_is_velocity(s->system, function);
    double hidden = way == BY_VALUES ? 0 : bend.hidden / PART_HIDDEN[is_velocity];
    return (is_velocity ? 1 : w) * fmax(bend.seen / PART_MISSED[is_velocity], hidden);
}

/* A step from a to b, which is of the size w but for rounding and the distance to a breakpoint. */
typedef struct Step {
    double a, b, w;
} Step;

/* (1) or (3). The variation around the nominal step h is known, unless the function is much faster. */
static bool resolves(HolSimulation *s, int function, Step step, double h, Way way)
{
    HolResolution *r = s->resolution;
    Bend bend = function_bend(s->system, function, step.a, step.b);
    double needed = needed_variation(s, function, bend, step.w, way);
    if (needed <= 0)
        return true;
    if (way == BY_VALUES)
        return variation_around(s, function, step.a, step.w, needed, way) >= needed;
    return varies_by(s, function, step.a, h, needed, &r->nominal[function]) ||
           (step.w < h && varies_by(s, function, step.a, step.w, needed, &r->local[function]));
}

/* Terms are evaluated strictly between two breakpoints, where jumps are. */
static double within(const HolSimulation *s, double t)
{
    return fmin(fmax(t, s->work->t_first), s->work->t_last);
}

/* (1) or (3) for a step of w from the present time. If it is shorter than h, two such steps follow each other: they can
 * be compared with one of twice the size (estimate.h). */
static bool step_resolves(HolSimulation *s, int function, double w, double h, Way way)
{
    double t = s->state.t, middle = within(s, t + w);
    return resolves(s, function, (Step){within(s, t), middle, w}, h, way) &&
           (w == h || resolves(s, function, (Step){middle, within(s, t + 2 * w), w}, h, way));
}

static double function_step_by(HolSimulation *s, int function, double h, double longest, Way way)
{
    double shortest = fmax(HOL_PART_SHORTEST * h, HOL_TOL_ADVANCE * fabs(s->state.t));
    for (double w = longest; w >= shortest; w /= 2)
        if (step_resolves(s, function, w, h, way))
            return w;
    return 0;
}

/* The longest step of at most `longest`, halved until it resolves the function; 0: there is none. */
static double function_step(HolSimulation *s, int function, double h, double longest)
{
    double *blind = &s->resolution->blind[function];
    double step = s->state.t < *blind ? 0 : function_step_by(s, function, h, longest, BY_BOUNDS);
    if (step > 0)
        return step;
    if (s->state.t >= *blind)
        *blind = s->state.t + STEPS_NEAR * s->step;
    return function_step_by(s, function, h, longest, BY_VALUES);
}

/* A function with slopes between l and u leaves the line by h (u - l)/4 at most in a step of h. If l > 0, the integral
 * of its variation is at least l (b - a)^2/8. */
static bool interval_is_steady(const HolTimeBounds *bounds, double length, double h)
{
    const double *slope = bounds->slope;
    double low = fmin(fabs(slope[0]), fabs(slope[1])), high = fmax(fabs(slope[0]), fabs(slope[1]));
    bool has_one_sign = slope[0] > 0 || slope[1] < 0 || high == 0;
    return has_one_sign && 2 * h * h * (high - low) <= PART_MISSED[0] * low * length * length;
}

/* The same for the spread of a velocity: between points that are 32 steps apart it changes enough. */
static bool velocity_is_steady(const HolSimulation *s, int function, const HolTimeBounds *bounds, double a, double b,
                               double h)
{
    double needed = h * (bounds->slope[1] - bounds->slope[0]) / 4 / PART_MISSED[1], before = NAN;
    const int parts = (int)ceil((b - a) / (STEPS_AROUND * h));
    for (int i = 0; i <= parts; ++i) {
        double t = within(s, a + i * (b - a) / parts), f = hol_system_time_bounds(s->system, function, t, t).middle;
        if (i > 0 && !(fabs(f - before) >= needed))
            return false;
        before = f;
    }
    return true;
}

/* Whether all steps of h that begin in [a, b] resolve the function. */
static bool interval_is_clear(HolSimulation *s, int function, double a, double b, double h)
{
    const bool is_velocity = hol_system_function_is_velocity(s->system, function);
    double first = within(s, a), last = within(s, b + h), length = b - a;
    HolTimeBounds bounds = hol_system_time_bounds(s->system, function, first, last);
    if (is_velocity ? velocity_is_steady(s, function, &bounds, a, b, h) : interval_is_steady(&bounds, length, h))
        return true;
    if (length > 2 * STEPS_NEAR * h)
        return false;
    Bend bend = function_bend(s->system, function, first, last);
    double needed = needed_variation(s, function, bend, h, BY_BOUNDS);
    return varies_by(s, function, a + length / 2, h, needed, &s->resolution->nominal[function]);
}

/* Up to which time, at most `until`, steps of h resolve the function, as far as few intervals show. */
static double function_clear_until(HolSimulation *s, int function, double h, double until)
{
    double ends[MOST_INTERVALS] = {until}, a = s->state.t;
    int count = 1;
    for (int i = 0; i < MOST_INTERVALS && count > 0; ++i) {
        double b = ends[count - 1];
        if (interval_is_clear(s, function, a, b, h))
            a = ends[--count];
        else if (b - a > h)
            ends[count++] = a + (b - a) / 2;
        else
            break;
    }
    return a;
}

/* Looks ahead, so that not every step is examined: twice as far as the last time. */
static void resolution_search(HolSimulation *s, double h)
{
    HolResolution *r = s->resolution;
    r->h = h;
    r->clear = fmin(s->state.t + fmin(2 * r->ahead, STEPS_AHEAD) * h, s->work->t_last);
    for (int i = 0; i < r->count && r->clear > s->state.t; ++i)
        r->clear = function_clear_until(s, i, h, r->clear);
    r->ahead = fmax(1, (r->clear - s->state.t) / h);
}

/* Whether one more step may be shortened: not if the run would become far longer. */
static bool resolution_is_affordable(const HolSimulation *s)
{
    double nominal = (s->state.t - s->summary.start) / s->step;
    return (double)s->resolution->shortened < FEW_SHORTENED + SHORTENED_EACH * nominal;
}

/* The next steps are not examined. */
static void resolution_give_up(HolSimulation *s, int function, double h)
{
    HolResolution *r = s->resolution;
    ++r->unresolved;
    r->function = r->function < 0 ? function : r->function;
    r->h = h;
    r->clear = s->state.t + STEPS_NEAR * h;
    r->last = r->second = 0;
}

static double resolution_shorten(HolResolution *r, double step, double second)
{
    if (second > 0)
        r->wait = step > r->last ? 0 : r->wait > 0 ? r->wait - 1 : PAIRS_ALIKE;
    r->last = step;
    r->second = second;
    ++r->shortened;
    return step;
}

/* The longest step to be examined: h, or after a shortened step twice that. That is tried again at once if it
 * succeeds, else after a while. */
static double resolution_first(const HolResolution *r, double h)
{
    return r->last > 0 ? fmin(h, r->wait == 0 ? 2 * r->last : r->last) : h;
}

/* Whether steps up to h resolve all functions here; *longest: the longest that does. */
static bool resolution_examine(HolSimulation *s, double h, double *longest)
{
    *longest = resolution_first(s->resolution, h);
    for (int i = 0; i < s->resolution->count; ++i) {
        double step = function_step(s, i, h, *longest);
        if (step == 0 || (step < h && !resolution_is_affordable(s))) {
            resolution_give_up(s, i, h);
            return false;
        }
        *longest = step;
    }
    return true;
}

/* Adaptive steps are examined as the next power of two: what was found for it serves many of them. */
static double resolution_size(const HolSimulation *s, double h)
{
    int exponent;
    frexp(h, &exponent);
    return s->integrator->adapt ? ldexp(1, exponent) : h;
}

static double resolution_examined_step(HolSimulation *s, double h)
{
    HolResolution *r = s->resolution;
    double longest;
    r->is_near = h > r->h || s->state.t >= r->clear;
    if (!r->is_near)
        return HUGE_VAL;
    if (r->second > 0 && r->second < h)
        return resolution_shorten(r, r->second, 0);
    if (!resolution_examine(s, h, &longest))
        return HUGE_VAL;
    if (longest < h)
        return resolution_shorten(r, longest, longest);
    r->last = 0;
    resolution_search(s, h);
    r->is_near = r->clear <= s->state.t + h;
    return HUGE_VAL;
}

double hol_resolution_step(HolSimulation *s, double h)
{
    return s->resolution ? resolution_examined_step(s, resolution_size(s, h)) : HUGE_VAL;
}

bool hol_resolution_is_near(const HolSimulation *s)
{
    return s->resolution && s->resolution->is_near;
}

static void variation_archive(Variation *variation, HolArchive *archive)
{
    HOL_ARCHIVE_EACH(archive, &variation->t, &variation->w, &variation->size, &variation->too_much);
}

void hol_resolution_archive(HolSimulation *s, HolArchive *archive)
{
    HolResolution *r = s->resolution;
    if (!r)
        return;
    for (int i = 0; i < r->count; ++i) {
        variation_archive(&r->nominal[i], archive);
        variation_archive(&r->local[i], archive);
    }
    hol_archive_doubles(archive, r->blind, r->count);
    HOL_ARCHIVE_EACH(archive, &r->h, &r->clear, &r->ahead, &r->last, &r->second);
    HOL_ARCHIVE_BOOLS(archive, &r->is_near);
    hol_archive_int(archive, &r->wait, 0, PAIRS_ALIKE);
    hol_archive_tally(archive, &r->shortened);
    hol_archive_tally(archive, &r->unresolved);
    hol_archive_int(archive, &r->function, -1, r->count - 1);
}

void hol_resolution_summarise(const HolSimulation *s, HolSummary *summary)
{
    const HolResolution *r = s->resolution;
    if (!r)
        return;
    summary->shortened_steps = r->shortened;
    summary->unresolved_steps = r->unresolved;
    summary->unresolved_function = r->function < 0 ? NULL : hol_system_time_function_name(s->system, r->function);
}
