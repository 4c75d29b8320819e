/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression/range_parts.h"

#include <math.h>

/* Operations of two values. Each gets r with the sum of switches, the mixed piece and the middle. */

static void range_add(const HolRange *a, double factor, const HolRange *b, HolRange *r)
{
    bounds_add(a->value, factor, b->value, r->value);
    bounds_add(a->slope, factor, b->slope, r->slope);
    bounds_add(a->curvature, factor, b->curvature, r->curvature);
    r->size = a->size + b->size;
}

/* a'' b + 2 a' b' + a b'' */
static void multiply_curvature(const HolRange *a, const HolRange *b, HolRange *r)
{
    double first[2], second[2], third[2];
    bounds_multiply(a->curvature, b->value, first);
    bounds_multiply(a->slope, b->slope, second);
    bounds_multiply(a->value, b->curvature, third);
    bounds_add(first, 2, second, first);
    bounds_add(first, 1, third, r->curvature);
}

static void range_multiply(const HolRange *a, const HolRange *b, HolRange *r)
{
    double first[2], second[2];
    bounds_multiply(a->value, b->value, r->value);
    bounds_multiply(a->slope, b->value, first);
    bounds_multiply(a->value, b->slope, second);
    bounds_add(first, 1, second, r->slope);
    multiply_curvature(a, b, r);
    r->size = a->size * bounds_size(b->value) + b->size * bounds_size(a->value);
}

/* (a'' - 2 q' b' - q b'') / b, from q b = a */
static void divide_curvature(const HolRange *a, const HolRange *b, const double inverse[2], HolRange *q)
{
    double first[2], second[2];
    bounds_multiply(q->slope, b->slope, first);
    bounds_multiply(q->value, b->curvature, second);
    bounds_add(a->curvature, -2, first, first);
    bounds_add(first, -1, second, first);
    bounds_multiply(first, inverse, q->curvature);
}

static void range_divide(const HolRange *a, const HolRange *b, HolRange *r)
{
    if (bounds_contain(b->value, 0)) {
        bounds_set(r->value, everything);
        bounds_set(r->slope, everything);
        bounds_set(r->curvature, everything);
        return;
    }
    const double inverse[2] = {1 / b->value[1], 1 / b->value[0]};
    double change[2];
    bounds_multiply(a->value, inverse, r->value);
    bounds_multiply(r->value, b->slope, change);
    bounds_add(a->slope, -1, change, change);
    bounds_multiply(change, inverse, r->slope);
    divide_curvature(a, b, inverse, r);
    r->size = bounds_size(inverse) * (a->size + bounds_size(r->value) * b->size);
}

/* With an exponent that changes: x^p = exp(p log x). */
static void range_exponential(const HolRange *x, const HolRange *p, HolRange *r)
{
    HolRange log_x = *x, exponent = {0};
    hol_range_hull(hol_operation_find("log", 3), &log_x);
    range_multiply(p, &log_x, &exponent);
    hol_range_hull(hol_operation_find("exp", 3), &exponent);
    bounds_set(r->value, exponent.value);
    bounds_set(r->slope, exponent.slope);
    bounds_set(r->curvature, exponent.curvature);
    r->size = exponent.size;
}

static void range_power(const HolOperation *operation, const HolRange *x, const HolRange *p, HolRange *r)
{
    double n = p->value[0], value[2] = {HUGE_VAL, -HUGE_VAL}, slope[2] = {HUGE_VAL, -HUGE_VAL};
    double curvature[2] = {HUGE_VAL, -HUGE_VAL};
    if (n != p->value[1]) {
        range_exponential(x, p, r);
        return;
    }
    bool has_zero = bounds_contain(x->value, 0);
    const double at[3] = {x->value[0], x->value[1], 0};
    for (int i = 0; i < (has_zero ? 3 : 2); ++i) {
        HolJet g = operation->jet2((HolJet){at[i], 1, 0}, (HolJet){n, 0, 0});
        bounds_include(value, g.f);
        bounds_include(slope, g.d);
        bounds_include(curvature, isnan(g.dd) ? -HUGE_VAL : g.dd);
        bounds_include(curvature, isnan(g.dd) ? HUGE_VAL : g.dd);
    }
    bool is_defined = n == floor(n) ? n >= 0 || !has_zero : x->value[0] >= 0;
    r->size = x->size;
    bounds_set(r->slope, x->slope);
    bounds_set(r->curvature, x->curvature);
    hol_range_chain(r, is_defined ? value : everything, is_defined ? slope : everything,
                    is_defined ? curvature : everything);
}

static void range_hypot(const HolRange *a, const HolRange *b, HolRange *r)
{
    double slope = bounds_size(a->slope) + bounds_size(b->slope);
    r->value[0] = hypot(bounds_nearest(a->value), bounds_nearest(b->value));
    r->value[1] = hypot(bounds_size(a->value), bounds_size(b->value));
    r->slope[0] = -slope;
    r->slope[1] = slope;
    r->size = a->size + b->size;
}

/* (x y' - y x') / (x^2 + y^2); it jumps where y changes its sign while x is negative */
static void range_atan2(const HolRange *y, const HolRange *x, HolRange *r)
{
    bool is_away = x->value[0] > 0 || y->value[0] > 0 || y->value[1] < 0;
    double first[2], second[2], distance[2] = {HUGE_VAL, -HUGE_VAL};
    *r = (HolRange){.value = {-PI, PI},
                    .slope = {-HUGE_VAL, HUGE_VAL},
                    .curvature = {-HUGE_VAL, HUGE_VAL},
                    .piece = r->piece,
                    .switches = r->switches,
                    .size = 1,
                    .known = true};
    r->piece = hol_piece_mix(r->piece, y->middle < 0 && x->middle < 0);
    if (!is_away) {
        r->switches = 2;
        return;
    }
    r->value[0] = HUGE_VAL, r->value[1] = -HUGE_VAL;
    for (int i = 0; i < 4; ++i) {
        bounds_include(r->value, atan2(y->value[i / 2], x->value[i % 2]));
        bounds_include(distance, hypot(y->value[i / 2], x->value[i % 2]));
    }
    bounds_include(distance, hypot(bounds_nearest(y->value), bounds_nearest(x->value)));
    const double inverse[2] = {1 / (distance[1] * distance[1]), 1 / (distance[0] * distance[0])};
    bounds_multiply(x->value, y->slope, first);
    bounds_multiply(y->value, x->slope, second);
    bounds_add(first, -1, second, first);
    bounds_multiply(first, inverse, r->slope);
}

/* a - b, narrowed. */
static HolRange range_difference(const HolRange *a, const HolRange *b, double radius)
{
    HolRange d = {.middle = a->middle - b->middle,
                  .rate = a->rate - b->rate,
                  .switches = count_switches(a->switches, b->switches)};
    range_add(a, -1, b, &d);
    hol_range_narrow(&d, radius);
    return d;
}

/* min and max: `sign` is 1 where the larger is chosen. */
static void range_choose(const HolRange *a, const HolRange *b, double sign, double radius, HolRange *r)
{
    HolRange d = range_difference(a, b, radius);
    bool takes_a = sign * d.middle > 0, is_clear = d.value[0] >= 0 || d.value[1] <= 0;
    uint64_t piece = hol_piece_mix(takes_a, takes_a ? a->piece : b->piece);
    int switches = count_switches(r->switches, hol_range_crossings(&d));
    *r = takes_a ? *a : *b;
    r->piece = piece;
    if (is_clear)
        return;
    for (int i = 0; i < 2; ++i)
        r->value[i] = sign > 0 ? fmax(a->value[i], b->value[i]) : fmin(a->value[i], b->value[i]);
    bounds_set(r->slope, a->slope);
    bounds_join(r->slope, b->slope);
    bounds_set(r->curvature, everything);
    r->size = fmax(a->size, b->size);
    r->switches = switches;
}

/* a - n b with n = floor(a / b) */
static void range_modulo(const HolRange *a, const HolRange *b, double radius, HolRange *r)
{
    HolRange q = {.middle = a->middle / b->middle, .rate = NAN, .switches = r->switches};
    range_divide(a, b, &q);
    hol_range_narrow(&q, radius);
    double low = floor(q.value[0]), high = floor(q.value[1]);
    r->piece = hol_piece_mix(r->piece, hol_piece_of(floor(q.middle)));
    if (low == high) {
        range_add(a, -low, b, r);
        r->size = a->size + fabs(low) * b->size;
        return;
    }
    const double nothing[2] = {0, 0};
    r->switches = high - low == 1 && q.switches == 0 && (q.slope[0] > 0 || q.slope[1] < 0) ? 1 : 2;
    bounds_set(r->value, b->value);
    bounds_join(r->value, nothing);
    bounds_set(r->slope, everything);
    bounds_set(r->curvature, everything);
    r->size = a->size;
}

static void range_order(const HolOperation *operation, const HolRange *a, const HolRange *b, double radius, HolRange *r)
{
    HolRange d = range_difference(a, b, radius);
    double first = operation->value2(d.value[0], 0), last = operation->value2(d.value[1], 0);
    double middle = operation->value2(a->middle, b->middle);
    *r = first == last ? hol_range_constant(first) : hol_range_jump(0, 1, middle, hol_range_crossings(&d));
}

/* Smooth functions are equal at single times, which do not count; functions with jumps may be so for longer. */
static void range_equal(const HolOperation *operation, const HolRange *a, const HolRange *b, HolRange *r)
{
    double middle = operation->value2(a->middle, b->middle);
    *r = r->switches == 0 ? hol_range_constant(middle) : hol_range_jump(0, 1, middle, r->switches);
}

/* `and` is 0 if either is, `or` is 1 if either is. */
static HolRange range_logic(const HolOperation *operation, const HolRange *a, const HolRange *b)
{
    bool is_or = operation->shape == HOL_SHAPE_OR, clear[2] = {range_is_clear(a), range_is_clear(b)};
    if ((clear[0] && (a->middle != 0) == is_or) || (clear[1] && (b->middle != 0) == is_or))
        return hol_range_constant(is_or);
    double middle = operation->value2(a->middle, b->middle);
    if (clear[0] && clear[1])
        return hol_range_constant(middle);
    int switches = count_switches(a->switches, b->switches);
    if (!a->known || !b->known)
        return hol_range_unknown(hol_piece_mix(a->piece, b->piece), switches);
    return hol_range_jump(0, 1, middle, switches);
}

HolRange hol_range_binary(const HolOperation *operation, const HolRange *a, const HolRange *b, double radius)
{
    if (operation->shape == HOL_SHAPE_AND || operation->shape == HOL_SHAPE_OR)
        return range_logic(operation, a, b);
    uint64_t piece = hol_piece_mix(a->piece, b->piece);
    int switches = count_switches(a->switches, b->switches);
    if (!a->known || !b->known)
        return hol_range_unknown(piece, switches);
    HolRange r = {.curvature = {-HUGE_VAL, HUGE_VAL}, .piece = piece, .rate = NAN, .switches = switches, .known = true};
    switch (operation->shape) {
    case HOL_SHAPE_ADD: range_add(a, 1, b, &r); break;
    case HOL_SHAPE_SUBTRACT: range_add(a, -1, b, &r); break;
    case HOL_SHAPE_MULTIPLY: range_multiply(a, b, &r); break;
    case HOL_SHAPE_DIVIDE: range_divide(a, b, &r); break;
    case HOL_SHAPE_POWER: range_power(operation, a, b, &r); break;
    case HOL_SHAPE_ATAN2: range_atan2(a, b, &r); break;
    case HOL_SHAPE_HYPOT: range_hypot(a, b, &r); break;
    case HOL_SHAPE_LOWER: range_choose(a, b, -1, radius, &r); break;
    case HOL_SHAPE_UPPER: range_choose(a, b, 1, radius, &r); break;
    case HOL_SHAPE_MODULO: range_modulo(a, b, radius, &r); break;
    case HOL_SHAPE_ORDER: range_order(operation, a, b, radius, &r); break;
    default: range_equal(operation, a, b, &r); break;
    }
    r.middle = operation->value2(a->middle, b->middle);
    if (operation->jet2)
        r.rate = operation->jet2((HolJet){a->middle, a->rate, 0}, (HolJet){b->middle, b->rate, 0}).d;
    hol_range_narrow(&r, radius);
    return r;
}
