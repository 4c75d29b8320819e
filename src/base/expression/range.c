/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression/range_parts.h"
#include "base/tolerances.h"

#include <string.h>

/* Pieces */

uint64_t hol_piece_mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u ^ b;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t hol_piece_of(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return hol_piece_mix(1, bits);
}

int hol_range_crossings(const HolRange *x)
{
    double width = x->value[1] - x->value[0]; /* infinite around a pole */
    bool is_rounding = isfinite(width) && isfinite(x->size) && width <= HOL_ROUNDINGS(8) * x->size;
    bool is_monotonic = x->switches == 0 && (x->slope[0] > 0 || x->slope[1] < 0);
    return is_rounding || is_monotonic ? 1 : 2;
}

/* Ranges */

HolRange hol_range_constant(double x)
{
    return (HolRange){.value = {x, x}, .middle = x, .piece = hol_piece_of(x), .size = fabs(x), .known = true};
}

HolRange hol_range_unknown(uint64_t piece, int switches)
{
    return (HolRange){.value = {-HUGE_VAL, HUGE_VAL},
                      .slope = {-HUGE_VAL, HUGE_VAL},
                      .curvature = {-HUGE_VAL, HUGE_VAL},
                      .middle = NAN,
                      .rate = NAN,
                      .piece = piece,
                      .switches = switches};
}

HolRange hol_range_jump(double low, double high, double middle, int switches)
{
    if (low == high)
        return hol_range_constant(low);
    HolRange r = hol_range_unknown(hol_piece_of(middle), switches);
    r.value[0] = low;
    r.value[1] = high;
    r.middle = middle;
    r.known = true;
    return r;
}

/* Bounds that are not known are infinite. */
static void bounds_complete(double bounds[2])
{
    if (isnan(bounds[0]) || isnan(bounds[1]))
        bounds_set(bounds, everything);
}

/* Within `reach` of what it is in the middle. */
static void bounds_narrow(double bounds[2], double middle, double reach)
{
    if (!isfinite(reach) || !isfinite(middle))
        return;
    bounds[0] = bounds_upper(bounds[0], middle - reach);
    bounds[1] = bounds_lower(bounds[1], middle + reach);
}

void hol_range_narrow(HolRange *r, double radius)
{
    bounds_complete(r->value);
    bounds_complete(r->slope);
    bounds_complete(r->curvature);
    bounds_narrow(r->slope, r->rate, bounds_size(r->curvature) * radius); /* (2) */
    bounds_narrow(r->value, r->middle, bounds_size(r->slope) * radius);   /* (1) */
}

/* Operations of one value. Each gets x in r and replaces value, slope, size, switches and piece of it. */

/* g'' x'^2 + g' x'' */
static void chain_curvature(HolRange *r, const double slope[2], const double curvature[2])
{
    double nearest = bounds_nearest(r->slope), size = bounds_size(r->slope);
    double square[2] = {nearest * nearest, nearest * nearest}, first[2], second[2];
    bounds_include_product(square, size, size);
    bounds_multiply(curvature, square, first);
    bounds_multiply(slope, r->curvature, second);
    bounds_add(first, 1, second, r->curvature);
}

void hol_range_chain(HolRange *r, const double value[2], const double slope[2], const double curvature[2])
{
    r->size = bounds_size(value) + (r->size == 0 ? 0 : bounds_size(slope) * r->size);
    chain_curvature(r, slope, curvature);
    bounds_multiply(slope, r->slope, r->slope);
    bounds_set(r->value, value);
}

void hol_range_hull(const HolOperation *operation, HolRange *r)
{
    const double at[5] = {r->value[0], r->value[1], 0, -operation->bend, operation->bend};
    double value[2] = {HUGE_VAL, -HUGE_VAL}, slope[2] = {HUGE_VAL, -HUGE_VAL}, curvature[2] = {HUGE_VAL, -HUGE_VAL};
    bool is_defined = true;
    for (int i = 0; i < (operation->bend > 0 ? 5 : 3); ++i) {
        if (!bounds_contain(r->value, at[i]))
            continue;
        HolJet g = operation->jet((HolJet){at[i], 1, 0});
        is_defined = is_defined && !isnan(g.f) && !isnan(g.d);
        bounds_include(value, g.f);
        bounds_include(slope, g.d);
        bounds_include(curvature, isnan(g.dd) ? -HUGE_VAL : g.dd);
        bounds_include(curvature, isnan(g.dd) ? HUGE_VAL : g.dd);
    }
    hol_range_chain(r, is_defined ? value : everything, is_defined ? slope : everything,
                    is_defined ? curvature : everything);
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
    const double curvature[2] = {-value[1], -value[0]};
    hol_range_chain(r, value, slope, curvature);
}

static void range_tangent(HolRange *r)
{
    bool has_pole = floor(r->value[0] / PI + 0.5) != floor(r->value[1] / PI + 0.5);
    double value[2] = {tan(r->value[0]), tan(r->value[1])};
    double slope[2] = {1 + value[0] * value[0], 1 + value[0] * value[0]};
    bounds_include(slope, 1 + value[1] * value[1]);
    const double curvature[2] = {2 * value[0] * (1 + value[0] * value[0]), 2 * value[1] * (1 + value[1] * value[1])};
    slope[0] = value[0] < 0 && value[1] > 0 ? 1 : slope[0];
    hol_range_chain(r, has_pole ? everything : value, has_pole ? everything : slope, has_pole ? everything : curvature);
}

static void range_absolute(HolRange *r)
{
    const double nothing[2] = {0, 0};
    double value[2] = {0, bounds_size(r->value)}, slope[2] = {1, 1};
    bool crosses = r->value[0] < 0 && r->value[1] > 0;
    if (crosses) {
        r->switches = count_switches(r->switches, hol_range_crossings(r));
        slope[0] = -1;
    } else {
        value[0] = fmin(fabs(r->value[0]), fabs(r->value[1]));
        slope[0] = slope[1] = r->value[1] > 0 ? 1 : -1;
    }
    r->piece = hol_piece_mix(r->piece, r->middle < 0);
    hol_range_chain(r, value, slope, crosses ? everything : nothing);
}

static void range_stairs(const HolOperation *operation, HolRange *r)
{
    double low = operation->value(r->value[0]), high = operation->value(r->value[1]);
    bool is_one_step = high - low <= 1 || operation->value(HUGE_VAL) == 1;
    *r = hol_range_jump(low, high, operation->value(r->middle), is_one_step ? hol_range_crossings(r) : 2);
}

static void range_not(HolRange *r)
{
    double truth = r->middle == 0;
    *r = r->switches == 0 ? hol_range_constant(truth) : hol_range_jump(0, 1, truth, r->switches);
}

static HolRange range_unary(const HolOperation *operation, HolRange x, double radius)
{
    if (!x.known)
        return x;
    double middle = operation->value(x.middle);
    double rate = operation->jet ? operation->jet((HolJet){x.middle, x.rate, 0}).d : NAN;
    switch (operation->shape) {
    case HOL_SHAPE_PERIODIC: range_periodic(operation, &x); break;
    case HOL_SHAPE_TANGENT: range_tangent(&x); break;
    case HOL_SHAPE_ABS: range_absolute(&x); break;
    case HOL_SHAPE_STAIRS: range_stairs(operation, &x); break;
    case HOL_SHAPE_NOT: range_not(&x); break;
    default: hol_range_hull(operation, &x); break;
    }
    x.middle = middle;
    x.rate = operation->jet ? rate : x.rate;
    hol_range_narrow(&x, radius);
    return x;
}

/* Choices and tables */

static void range_join(HolRange *r, const HolRange *other, int index)
{
    bounds_join(r->value, other->value);
    bounds_join(r->slope, other->slope);
    bounds_join(r->curvature, other->curvature);
    r->size = fmax(r->size, other->size);
    r->switches = count_switches(r->switches, other->switches);
    r->known = r->known && other->known;
    r->piece = hol_piece_mix(hol_piece_mix(r->piece, (uint64_t)index), other->piece);
}

/* The hull of the values that can be chosen. */
static HolRange range_choice(const HolRange *values, int count)
{
    HolRange r = {.value = {HUGE_VAL, -HUGE_VAL},
                  .slope = {HUGE_VAL, -HUGE_VAL},
                  .curvature = {HUGE_VAL, -HUGE_VAL},
                  .known = true};
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
            r.piece = hol_piece_mix(r.piece, condition->known ? 0 : condition->piece);
        }
        range_join(&r, &values[i + 1], i + 1);
    }
    if (!is_decided)
        range_join(&r, &values[count - 1], count - 1);
    if (!r.known)
        return hol_range_unknown(r.piece, r.switches);
    if (is_open) {
        bounds_set(r.slope, everything);
        bounds_set(r.curvature, everything);
    }
    int chosen = hol_code_chosen(&values->middle, count, sizeof(HolRange) / sizeof(double));
    r.middle = chosen < 0 ? NAN : values[chosen].middle;
    r.rate = chosen < 0 ? NAN : values[chosen].rate;
    r.piece = chosen < 0 ? 0 : hol_piece_mix((uint64_t)chosen, values[chosen].piece);
    return r;
}

static HolRange range_table(const HolTable *table, HolRange x, double radius)
{
    if (!x.known)
        return x;
    double value[2], slope[2], curvature[2];
    int first = hol_table_piece(table, x.value[0]), last = hol_table_piece(table, x.value[1]);
    if (first != last)
        x.switches = last - first == 1 && x.switches == 0 && (x.slope[0] > 0 || x.slope[1] < 0) ? 1 : 2;
    x.piece = hol_piece_mix(x.piece, (uint64_t)hol_table_piece(table, x.middle));
    hol_table_bounds(table, x.value[0], x.value[1], value, slope, curvature);
    HolJet middle = hol_table_jet(table, (HolJet){x.middle, x.rate, 0});
    x.middle = middle.f;
    x.rate = middle.d;
    hol_range_chain(&x, value, slope, curvature);
    hol_range_narrow(&x, radius);
    return x;
}

static HolRange range_time(double a, double b)
{
    double m = a + (b - a) / 2;
    return (HolRange){
        .value = {a, b}, .slope = {1, 1}, .middle = m, .rate = 1, .size = fmax(fabs(a), fabs(b)), .known = true};
}

/* The range after an instruction; top is one past the topmost value, before and as returned. */
static HolRange *range_apply(const HolInstruction *c, const HolRange *variables, double radius, HolRange *top)
{
    switch (c->kind) {
    case HOL_CODE_NUMBER: *top++ = hol_range_constant(c->number); break;
    case HOL_CODE_VARIABLE: *top++ = variables[c->variable]; break;
    case HOL_CODE_UNARY: top[-1] = range_unary(c->operation, top[-1], radius); break;
    case HOL_CODE_BINARY:
        top--;
        top[-1] = hol_range_binary(c->operation, &top[-1], &top[0], radius);
        break;
    case HOL_CODE_CHOICE:
        top -= c->count - 1;
        top[-1] = range_choice(top - 1, c->count);
        break;
    case HOL_CODE_TABLE: top[-1] = range_table(c->table, top[-1], radius); break;
    }
    return top;
}

HolRange hol_code_range(const HolInstruction *code, int count, int variable, double a, double b)
{
    const double middle = a + (b - a) / 2, radius = fmax(b - middle, middle - a);
    const HolRange time = range_time(a, b), unknown = hol_range_unknown(0, 0);
    HolRange stack[HOL_CODE_STACK], *top = stack; /* one past the topmost value */
    for (const HolInstruction *c = code; c < code + count; c++) {
        if (c->kind == HOL_CODE_VARIABLE)
            *top++ = c->variable == variable ? time : unknown;
        else
            top = range_apply(c, NULL, radius, top);
    }
    return stack[0];
}

/* Whether it changes by more than rounding. */
static bool range_varies(const HolRange *x)
{
    return x->known && x->value[1] - x->value[0] > HOL_ROUNDINGS(64) * x->size;
}

static bool range_passes_zero(const HolRange *g)
{
    return range_varies(g) && g->value[0] < 0 && g->value[1] > 0;
}

/* Whether the switch of an operation on the topmost values may change. */
static bool range_switches(const HolInstruction *c, const HolRange *top, double radius)
{
    if (c->kind != HOL_CODE_UNARY && c->kind != HOL_CODE_BINARY)
        return false;
    const HolRange *x = &top[-1];
    switch (c->operation->shape) {
    case HOL_SHAPE_ABS: return range_passes_zero(x);
    case HOL_SHAPE_STAIRS:
        return range_varies(x) && c->operation->value(x->value[0]) != c->operation->value(x->value[1]);
    case HOL_SHAPE_LOWER:
    case HOL_SHAPE_UPPER:
    case HOL_SHAPE_MODULO:
    case HOL_SHAPE_ORDER: break;
    default: return false;
    }
    bool is_modulo = c->operation->shape == HOL_SHAPE_MODULO;
    HolRange g = hol_range_binary(hol_operation_find(is_modulo ? "/" : "-", 1), &top[-2], x, radius);
    return is_modulo ? range_varies(&g) && floor(g.value[0]) != floor(g.value[1]) : range_passes_zero(&g);
}

HolRange hol_code_range_along(const HolInstruction *code, int count, const HolRange *variables, double radius,
                              bool *may_switch)
{
    HolRange stack[HOL_CODE_STACK], *top = stack;
    *may_switch = false;
    for (const HolInstruction *c = code; c < code + count; c++) {
        *may_switch = *may_switch || range_switches(c, top, radius);
        top = range_apply(c, variables, radius, top);
    }
    return stack[0];
}
