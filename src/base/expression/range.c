/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression/range.h"

#include "base/expression/bounds.h"
#include "base/tolerances.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double everything[2] = {-HUGE_VAL, HUGE_VAL};

/* Pieces */

static uint64_t piece_mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u ^ b;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t piece_of(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return piece_mix(1, bits);
}

static int count_switches(int a, int b)
{
    return a + b > 1 ? 2 : a + b;
}

/* How often x may pass a threshold that lies in its range. What is rounding cannot be resolved further: the two ends
 * of the interval decide. */
static int count_crossings(const HolRange *x)
{
    double width = x->value[1] - x->value[0]; /* infinite around a pole */
    bool is_rounding = isfinite(width) && width <= HOL_ROUNDINGS(8) * x->size;
    bool is_monotonic = x->switches == 0 && (x->slope[0] > 0 || x->slope[1] < 0);
    return is_rounding || is_monotonic ? 1 : 2;
}

/* Ranges */

static HolRange range_constant(double x)
{
    return (HolRange){.value = {x, x}, .middle = x, .piece = piece_of(x), .size = fabs(x), .known = true};
}

/* What depends on other variables than time. */
static HolRange range_unknown(uint64_t piece, int switches)
{
    return (HolRange){.value = {-HUGE_VAL, HUGE_VAL},
                      .slope = {-HUGE_VAL, HUGE_VAL},
                      .middle = NAN,
                      .piece = piece,
                      .switches = switches};
}

/* A function that is constant in pieces is described by its value. */
static HolRange range_jump(double low, double high, double middle, int switches)
{
    if (low == high)
        return range_constant(low);
    HolRange r = range_unknown(piece_of(middle), switches);
    r.value[0] = low;
    r.value[1] = high;
    r.middle = middle;
    r.known = true;
    return r;
}

/* (1) */
static void range_narrow(HolRange *r, double radius)
{
    if (isnan(r->value[0]) || isnan(r->value[1]))
        bounds_set(r->value, everything);
    if (isnan(r->slope[0]) || isnan(r->slope[1]))
        bounds_set(r->slope, everything);
    double reach = bounds_size(r->slope) * radius;
    if (!isfinite(reach) || !isfinite(r->middle))
        return;
    r->value[0] = fmax(r->value[0], r->middle - reach);
    r->value[1] = fmin(r->value[1], r->middle + reach);
}

/* Operations of one value. Each gets x in r and replaces value, slope, size, switches and piece of it. */

/* g(x) with the bounds of g and of its slope. */
static void range_chain(HolRange *r, const double value[2], const double slope[2])
{
    r->size = bounds_size(value) + (r->size == 0 ? 0 : bounds_size(slope) * r->size);
    bounds_multiply(slope, r->slope, r->slope);
    bounds_set(r->value, value);
}

static void range_hull(const HolOperation *operation, HolRange *r)
{
    const double at[3] = {r->value[0], r->value[1], 0};
    double value[2] = {HUGE_VAL, -HUGE_VAL}, slope[2] = {HUGE_VAL, -HUGE_VAL};
    bool is_defined = true;
    for (int i = 0; i < (bounds_contain(r->value, 0) ? 3 : 2); ++i) {
        HolJet g = operation->jet((HolJet){at[i], 1, 0});
        is_defined = is_defined && !isnan(g.f) && !isnan(g.d);
        bounds_include(value, g.f);
        bounds_include(slope, g.d);
    }
    range_chain(r, is_defined ? value : everything, is_defined ? slope : everything);
}

/* Bounds of sin(x + phase). */
static void sine_bounds(const double x[2], double phase, double bounds[2])
{
    bounds[0] = -1;
    bounds[1] = 1;
    if (!isfinite(x[0]) || !isfinite(x[1]))
        return;
    double ends[2] = {HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 2; ++i) {
        double extreme = (i == 0 ? -PI / 2 : PI / 2) - phase;
        bounds_include(ends, sin(x[i] + phase));
        if (ceil((x[0] - extreme) / (2 * PI)) > floor((x[1] - extreme) / (2 * PI)))
            bounds[i] = NAN; /* this extreme is not inside */
    }
    for (int i = 0; i < 2; ++i)
        bounds[i] = isnan(bounds[i]) ? ends[i] : bounds[i];
}

static void range_periodic(const HolOperation *operation, HolRange *r)
{
    double value[2], slope[2], phase = operation->name[0] == 's' ? 0 : PI / 2;
    sine_bounds(r->value, phase, value);
    sine_bounds(r->value, phase + PI / 2, slope);
    range_chain(r, value, slope);
}

static void range_tangent(HolRange *r)
{
    bool has_pole = floor(r->value[0] / PI + 0.5) != floor(r->value[1] / PI + 0.5);
    double value[2] = {tan(r->value[0]), tan(r->value[1])};
    double slope[2] = {1 + value[0] * value[0], 1 + value[0] * value[0]};
    bounds_include(slope, 1 + value[1] * value[1]);
    slope[0] = value[0] < 0 && value[1] > 0 ? 1 : slope[0];
    range_chain(r, has_pole ? everything : value, has_pole ? everything : slope);
}

static void range_absolute(HolRange *r)
{
    double value[2] = {0, bounds_size(r->value)}, slope[2] = {1, 1};
    bool crosses = r->value[0] < 0 && r->value[1] > 0;
    if (crosses) {
        r->switches = count_switches(r->switches, count_crossings(r));
        slope[0] = -1;
    } else {
        value[0] = fmin(fabs(r->value[0]), fabs(r->value[1]));
        slope[0] = slope[1] = r->value[1] > 0 ? 1 : -1;
    }
    r->piece = piece_mix(r->piece, r->middle < 0);
    range_chain(r, value, slope);
}

static void range_stairs(const HolOperation *operation, HolRange *r)
{
    double low = operation->value(r->value[0]), high = operation->value(r->value[1]);
    bool is_one_step = high - low <= 1 || operation->value(HUGE_VAL) == 1;
    *r = range_jump(low, high, operation->value(r->middle), is_one_step ? count_crossings(r) : 2);
}

static void range_not(HolRange *r)
{
    double truth = r->middle == 0;
    *r = r->switches == 0 ? range_constant(truth) : range_jump(0, 1, truth, r->switches);
}

static HolRange range_unary(const HolOperation *operation, HolRange x, double radius)
{
    if (!x.known)
        return x;
    double middle = operation->value(x.middle);
    switch (operation->shape) {
    case HOL_SHAPE_PERIODIC: range_periodic(operation, &x); break;
    case HOL_SHAPE_TANGENT: range_tangent(&x); break;
    case HOL_SHAPE_ABS: range_absolute(&x); break;
    case HOL_SHAPE_STAIRS: range_stairs(operation, &x); break;
    case HOL_SHAPE_NOT: range_not(&x); break;
    default: range_hull(operation, &x); break;
    }
    x.middle = middle;
    range_narrow(&x, radius);
    return x;
}

/* Operations of two values. Each gets r with the sum of switches, the mixed piece and the middle. */

static void range_add(const HolRange *a, double factor, const HolRange *b, HolRange *r)
{
    bounds_add(a->value, factor, b->value, r->value);
    bounds_add(a->slope, factor, b->slope, r->slope);
    r->size = a->size + b->size;
}

static void range_multiply(const HolRange *a, const HolRange *b, HolRange *r)
{
    double first[2], second[2];
    bounds_multiply(a->value, b->value, r->value);
    bounds_multiply(a->slope, b->value, first);
    bounds_multiply(a->value, b->slope, second);
    bounds_add(first, 1, second, r->slope);
    r->size = a->size * bounds_size(b->value) + b->size * bounds_size(a->value);
}

static void range_divide(const HolRange *a, const HolRange *b, HolRange *r)
{
    if (bounds_contain(b->value, 0)) {
        bounds_set(r->value, everything);
        bounds_set(r->slope, everything);
        return;
    }
    const double inverse[2] = {1 / b->value[1], 1 / b->value[0]};
    double change[2];
    bounds_multiply(a->value, inverse, r->value);
    bounds_multiply(r->value, b->slope, change);
    bounds_add(a->slope, -1, change, change);
    bounds_multiply(change, inverse, r->slope);
    r->size = bounds_size(inverse) * (a->size + bounds_size(r->value) * b->size);
}

/* With an exponent that changes: x^p = exp(p log x). */
static void range_exponential(const HolRange *x, const HolRange *p, HolRange *r)
{
    HolRange log_x = *x, exponent = {0};
    range_hull(hol_operation_find("log", 3), &log_x);
    range_multiply(p, &log_x, &exponent);
    range_hull(hol_operation_find("exp", 3), &exponent);
    bounds_set(r->value, exponent.value);
    bounds_set(r->slope, exponent.slope);
    r->size = exponent.size;
}

static void range_power(const HolOperation *operation, const HolRange *x, const HolRange *p, HolRange *r)
{
    double n = p->value[0], value[2] = {HUGE_VAL, -HUGE_VAL}, slope[2] = {HUGE_VAL, -HUGE_VAL};
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
    }
    bool is_defined = n == floor(n) ? n >= 0 || !has_zero : x->value[0] >= 0;
    r->size = x->size;
    bounds_set(r->slope, x->slope);
    range_chain(r, is_defined ? value : everything, is_defined ? slope : everything);
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
                    .piece = r->piece,
                    .switches = r->switches,
                    .size = 1,
                    .known = true};
    r->piece = piece_mix(r->piece, y->middle < 0 && x->middle < 0);
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
    HolRange d = {.middle = a->middle - b->middle, .switches = count_switches(a->switches, b->switches)};
    range_add(a, -1, b, &d);
    range_narrow(&d, radius);
    return d;
}

/* min and max: `sign` is 1 where the larger is chosen. */
static void range_choose(const HolRange *a, const HolRange *b, double sign, double radius, HolRange *r)
{
    HolRange d = range_difference(a, b, radius);
    bool takes_a = sign * d.middle > 0, is_clear = d.value[0] >= 0 || d.value[1] <= 0;
    uint64_t piece = piece_mix(takes_a, takes_a ? a->piece : b->piece);
    int switches = count_switches(r->switches, count_crossings(&d));
    *r = takes_a ? *a : *b;
    r->piece = piece;
    if (is_clear)
        return;
    for (int i = 0; i < 2; ++i)
        r->value[i] = sign > 0 ? fmax(a->value[i], b->value[i]) : fmin(a->value[i], b->value[i]);
    bounds_set(r->slope, a->slope);
    bounds_join(r->slope, b->slope);
    r->size = fmax(a->size, b->size);
    r->switches = switches;
}

/* a - n b with n = floor(a / b) */
static void range_modulo(const HolRange *a, const HolRange *b, double radius, HolRange *r)
{
    HolRange q = {.middle = a->middle / b->middle, .switches = r->switches};
    range_divide(a, b, &q);
    range_narrow(&q, radius);
    double low = floor(q.value[0]), high = floor(q.value[1]);
    r->piece = piece_mix(r->piece, piece_of(floor(q.middle)));
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
    r->size = a->size;
}

static void range_order(const HolOperation *operation, const HolRange *a, const HolRange *b, double radius, HolRange *r)
{
    HolRange d = range_difference(a, b, radius);
    double first = operation->value2(d.value[0], 0), last = operation->value2(d.value[1], 0);
    double middle = operation->value2(a->middle, b->middle);
    *r = first == last ? range_constant(first) : range_jump(0, 1, middle, count_crossings(&d));
}

/* Smooth functions are equal at single times, which do not count; functions with jumps may be so for longer. */
static void range_equal(const HolOperation *operation, const HolRange *a, const HolRange *b, HolRange *r)
{
    double middle = operation->value2(a->middle, b->middle);
    *r = r->switches == 0 ? range_constant(middle) : range_jump(0, 1, middle, r->switches);
}

static bool range_is_clear(const HolRange *r)
{
    return r->known && r->switches == 0;
}

/* `and` is 0 if either is, `or` is 1 if either is. */
static HolRange range_logic(const HolOperation *operation, const HolRange *a, const HolRange *b)
{
    bool is_or = operation->shape == HOL_SHAPE_OR, clear[2] = {range_is_clear(a), range_is_clear(b)};
    if ((clear[0] && (a->middle != 0) == is_or) || (clear[1] && (b->middle != 0) == is_or))
        return range_constant(is_or);
    double middle = operation->value2(a->middle, b->middle);
    if (clear[0] && clear[1])
        return range_constant(middle);
    int switches = count_switches(a->switches, b->switches);
    if (!a->known || !b->known)
        return range_unknown(piece_mix(a->piece, b->piece), switches);
    return range_jump(0, 1, middle, switches);
}

static HolRange range_binary(const HolOperation *operation, const HolRange *a, const HolRange *b, double radius)
{
    if (operation->shape == HOL_SHAPE_AND || operation->shape == HOL_SHAPE_OR)
        return range_logic(operation, a, b);
    uint64_t piece = piece_mix(a->piece, b->piece);
    int switches = count_switches(a->switches, b->switches);
    if (!a->known || !b->known)
        return range_unknown(piece, switches);
    HolRange r = {.piece = piece, .switches = switches, .known = true};
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
    range_narrow(&r, radius);
    return r;
}

/* Choices and tables */

static void range_join(HolRange *r, const HolRange *other, int index)
{
    bounds_join(r->value, other->value);
    bounds_join(r->slope, other->slope);
    r->size = fmax(r->size, other->size);
    r->switches = count_switches(r->switches, other->switches);
    r->known = r->known && other->known;
    r->piece = piece_mix(piece_mix(r->piece, (uint64_t)index), other->piece);
}

/* The hull of the values that can be chosen. */
static HolRange range_choice(const HolRange *values, int count)
{
    HolRange r = {.value = {HUGE_VAL, -HUGE_VAL}, .slope = {HUGE_VAL, -HUGE_VAL}, .known = true};
    bool is_open = false, is_decided = false;
    for (int i = 0; i + 1 < count && !is_decided; i += 2) {
        const HolRange *condition = &values[i];
        is_decided = range_is_clear(condition) && condition->middle != 0;
        if (range_is_clear(condition) && !is_decided)
            continue;
        if (!is_decided) {
            is_open = true;
            r.known = r.known && condition->known;
            r.switches = count_switches(r.switches, condition->switches);
            r.piece = piece_mix(r.piece, condition->known ? 0 : condition->piece);
        }
        range_join(&r, &values[i + 1], i + 1);
    }
    if (!is_decided)
        range_join(&r, &values[count - 1], count - 1);
    if (!r.known)
        return range_unknown(r.piece, r.switches);
    if (is_open)
        bounds_set(r.slope, everything);
    int chosen = hol_code_chosen(&values->middle, count, sizeof(HolRange) / sizeof(double));
    r.middle = chosen < 0 ? NAN : values[chosen].middle;
    r.piece = chosen < 0 ? 0 : piece_mix((uint64_t)chosen, values[chosen].piece);
    return r;
}

static HolRange range_table(const HolTable *table, HolRange x, double radius)
{
    if (!x.known)
        return x;
    double value[2], slope[2];
    int first = hol_table_piece(table, x.value[0]), last = hol_table_piece(table, x.value[1]);
    if (first != last)
        x.switches = last - first == 1 && x.switches == 0 && (x.slope[0] > 0 || x.slope[1] < 0) ? 1 : 2;
    x.piece = piece_mix(x.piece, (uint64_t)hol_table_piece(table, x.middle));
    hol_table_bounds(table, x.value[0], x.value[1], value, slope);
    x.middle = hol_table_jet(table, (HolJet){x.middle, 0, 0}).f;
    range_chain(&x, value, slope);
    range_narrow(&x, radius);
    return x;
}

HolRange hol_code_range(const HolInstruction *code, int count, int variable, double a, double b)
{
    const double middle = a + (b - a) / 2, radius = fmax(b - middle, middle - a);
    const HolRange time = {
        .value = {a, b}, .slope = {1, 1}, .middle = middle, .size = fmax(fabs(a), fabs(b)), .known = true};
    HolRange stack[HOL_CODE_STACK], *top = stack; /* one past the topmost value */
    for (const HolInstruction *c = code; c < code + count; c++) {
        switch (c->kind) {
        case HOL_CODE_NUMBER: *top++ = range_constant(c->number); break;
        case HOL_CODE_VARIABLE: *top++ = c->variable == variable ? time : range_unknown(0, 0); break;
        case HOL_CODE_UNARY: top[-1] = range_unary(c->operation, top[-1], radius); break;
        case HOL_CODE_BINARY:
            top--;
            top[-1] = range_binary(c->operation, &top[-1], &top[0], radius);
            break;
        case HOL_CODE_CHOICE:
            top -= c->count - 1;
            top[-1] = range_choice(top - 1, c->count);
            break;
        case HOL_CODE_TABLE: top[-1] = range_table(c->table, top[-1], radius); break;
        }
    }
    return stack[0];
}
