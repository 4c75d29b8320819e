/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators and functions with their derivatives along x(s):
 *
 *     g(x)'  = g_x x'
 *     g(x)'' = g_xx x'^2 + g_x x''                                                                               (1)
 *
 * At a kink the derivative is that for growing s. A condition that compares NaN is NaN: neither true nor false. */
#include "base/expression/code.h"

#include <math.h>
#include <string.h>

/* (1). What does not move has no derivatives, also where slopes are infinite. */
static HolJet chain(HolJet x, double value, double first, double second)
{
    if (x.d == 0 && x.dd == 0)
        return (HolJet){value, 0, 0};
    return (HolJet){value, first * x.d, second * x.d * x.d + (x.dd == 0 ? 0 : first * x.dd)};
}

/* Arithmetic */

static double operations_add(double a, double b)
{
    return a + b;
}

static HolJet add_jet(HolJet a, HolJet b)
{
    return (HolJet){a.f + b.f, a.d + b.d, a.dd + b.dd};
}

static double operations_subtract(double a, double b)
{
    return a - b;
}

static HolJet subtract_jet(HolJet a, HolJet b)
{
    return (HolJet){a.f - b.f, a.d - b.d, a.dd - b.dd};
}

static double multiply(double a, double b)
{
    return a * b;
}

static HolJet multiply_jet(HolJet a, HolJet b)
{
    return (HolJet){a.f * b.f, a.d * b.f + a.f * b.d, a.dd * b.f + 2 * a.d * b.d + a.f * b.dd};
}

static double operations_divide(double a, double b)
{
    return a / b;
}

/* From q b = a. */
static HolJet divide_jet(HolJet a, HolJet b)
{
    double q = a.f / b.f, d = (a.d - q * b.d) / b.f;
    return (HolJet){q, d, (a.dd - 2 * d * b.d - q * b.dd) / b.f};
}

static double negate(double x)
{
    return -x;
}

static HolJet negate_jet(HolJet x)
{
    return (HolJet){-x.f, -x.d, -x.dd};
}

static double operations_power(double x, double p)
{
    return p == 2 ? x * x : p == 1 ? x : pow(x, p);
}

static HolJet exp_jet(HolJet x)
{
    double f = exp(x.f);
    return chain(x, f, f, f);
}

static HolJet log_jet(HolJet x)
{
    return chain(x, log(x.f), 1 / x.f, -1 / (x.f * x.f));
}

/* Constant exponents without logarithm, so that x^2 is right at 0 and below. */
static HolJet power_jet(HolJet x, HolJet p)
{
    double value = operations_power(x.f, p.f);
    if (p.d == 0 && p.dd == 0) {
        double first = p.f == 0 ? 0 : p.f * operations_power(x.f, p.f - 1);
        double second = p.f == 0 || p.f == 1 ? 0 : p.f * (p.f - 1) * operations_power(x.f, p.f - 2);
        return chain(x, value, first, second);
    }
    if (x.f == 0 && x.d == 0 && x.dd == 0 && p.f > 0)
        return (HolJet){0, 0, 0};
    HolJet exponent = multiply_jet(p, log_jet(x));
    return chain(exponent, value, value, value);
}

/* Comparisons and logic */

#define COMPARISON(name, operator)                                                                                     \
    static double name(double a, double b)                                                                             \
    {                                                                                                                  \
        return isunordered(a, b) ? NAN : a operator b;                                                                 \
    }
COMPARISON(less, <)
COMPARISON(less_or_equal, <=)
COMPARISON(greater, >)
COMPARISON(greater_or_equal, >=)
COMPARISON(equal, ==)
COMPARISON(unequal, !=)

static double negation(double a)
{
    return isnan(a) ? NAN : a == 0;
}

static double both(double a, double b)
{
    if (a == 0 || b == 0)
        return 0;
    return isunordered(a, b) ? NAN : 1;
}

static double either(double a, double b)
{
    return negation(both(negation(a), negation(b)));
}

/* Trigonometry and the like */

static HolJet sin_jet(HolJet x)
{
    double s = sin(x.f);
    return chain(x, s, cos(x.f), -s);
}

static HolJet cos_jet(HolJet x)
{
    double c = cos(x.f);
    return chain(x, c, -sin(x.f), -c);
}

static HolJet tan_jet(HolJet x)
{
    double t = tan(x.f), first = 1 + t * t;
    return chain(x, t, first, 2 * t * first);
}

static HolJet asin_jet(HolJet x)
{
    double first = 1 / sqrt((1 - x.f) * (1 + x.f));
    return chain(x, asin(x.f), first, x.f * first * first * first);
}

static HolJet acos_jet(HolJet x)
{
    HolJet a = asin_jet(x);
    return (HolJet){acos(x.f), -a.d, -a.dd};
}

static HolJet atan_jet(HolJet x)
{
    double first = 1 / (1 + x.f * x.f);
    return chain(x, atan(x.f), first, -2 * x.f * first * first);
}

static HolJet sinh_jet(HolJet x)
{
    double s = sinh(x.f);
    return chain(x, s, cosh(x.f), s);
}

static HolJet cosh_jet(HolJet x)
{
    double c = cosh(x.f);
    return chain(x, c, sinh(x.f), c);
}

static HolJet tanh_jet(HolJet x)
{
    double t = tanh(x.f), c = cosh(x.f), first = 1 / c / c;
    return chain(x, t, first, -2 * t * first);
}

static HolJet log10_jet(HolJet x)
{
    double first = 1 / (x.f * log(10));
    return chain(x, log10(x.f), first, -first / x.f);
}

static HolJet sqrt_jet(HolJet x)
{
    double r = sqrt(x.f), first = 0.5 / r;
    return chain(x, r, first, -0.5 * first / x.f);
}

static HolJet cbrt_jet(HolJet x)
{
    double r = cbrt(x.f), first = 1 / (3 * r * r);
    return chain(x, r, first, -2 * first / (3 * x.f));
}

/* A point (x, y) that moves, seen along the ray to it and across:
 *
 *     r' = along,  r'' = along of the second derivatives + across^2 / r
 *     angle' = across / r,  angle'' = (across of the second derivatives - 2 angle' r') / r                      (2) */
typedef struct Polar {
    double r, along, across, along2, across2;
} Polar;

static Polar polar(HolJet x, HolJet y)
{
    double r = hypot(x.f, y.f), c = x.f / r, s = y.f / r;
    return (Polar){r, c * x.d + s * y.d, c * y.d - s * x.d, c * x.dd + s * y.dd, c * y.dd - s * x.dd};
}

/* (2); at the origin r begins with the speed, from rest with the acceleration. */
static HolJet hypot_jet(HolJet x, HolJet y)
{
    if (x.f == 0 && y.f == 0) {
        double speed = hypot(x.d, y.d);
        return (HolJet){0, speed, speed > 0 ? (x.d * x.dd + y.d * y.dd) / speed : hypot(x.dd, y.dd)};
    }
    Polar p = polar(x, y);
    return (HolJet){p.r, p.along, p.along2 + p.across * p.across / p.r};
}

/* (2) */
static HolJet atan2_jet(HolJet y, HolJet x)
{
    double angle = atan2(y.f, x.f);
    if (x.d == 0 && y.d == 0 && x.dd == 0 && y.dd == 0)
        return (HolJet){angle, 0, 0};
    Polar p = polar(x, y);
    double d = p.across / p.r;
    return (HolJet){angle, d, (p.across2 - 2 * d * p.along) / p.r};
}

/* Kinks and steps */

/* Whether a is above b, now or for s a little larger. */
static bool is_above(HolJet a, HolJet b)
{
    return a.f != b.f ? a.f > b.f : a.d != b.d ? a.d > b.d : a.dd > b.dd;
}

static double smaller(double a, double b)
{
    return a < b || isnan(a) ? a : b;
}

static HolJet smaller_jet(HolJet a, HolJet b)
{
    return is_above(b, a) || isnan(a.f) ? a : b;
}

static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

static HolJet larger_jet(HolJet a, HolJet b)
{
    return is_above(a, b) || isnan(a.f) ? a : b;
}

static HolJet abs_jet(HolJet x)
{
    HolJet a = is_above((HolJet){0, 0, 0}, x) ? negate_jet(x) : x;
    a.f = fabs(x.f);
    return a;
}

static double sign(double x)
{
    return isnan(x) ? x : (double)((x > 0) - (x < 0));
}

static double operations_step(double x)
{
    return isnan(x) ? NAN : x >= 0;
}

/* The remainder has the sign of b: it is periodic through 0. */
static double mod(double a, double b)
{
    double r = fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static HolJet mod_jet(HolJet a, HolJet b)
{
    double r = mod(a.f, b.f), times = nearbyint((a.f - r) / b.f);
    return (HolJet){r, a.d - times * b.d, a.dd - times * b.dd};
}

#define OPERATOR(name, rule, value2, jet2, shape)                                                                      \
    {                                                                                                                  \
        name, HOL_CODE_BINARY, 2, 2, false, HOL_RULE_##rule, NULL, NULL, value2, jet2, HOL_SHAPE_##shape, 0            \
    }
#define OF_TWO_OR_MORE(name, rule, value2, jet2, shape)                                                                \
    {                                                                                                                  \
        name, HOL_CODE_BINARY, 2, 0, false, HOL_RULE_##rule, NULL, NULL, value2, jet2, HOL_SHAPE_##shape, 0            \
    }
#define OF_ONE_BENT(name, rule, value, jet, shape, bend)                                                               \
    {                                                                                                                  \
        name, HOL_CODE_UNARY, 1, 1, false, HOL_RULE_##rule, value, jet, NULL, NULL, HOL_SHAPE_##shape, bend            \
    }
#define OF_ONE(name, rule, value, jet, shape) OF_ONE_BENT(name, rule, value, jet, shape, 0)

const HolOperation hol_operations[] = {
    OPERATOR("+", SAME, operations_add, add_jet, ADD),
    OPERATOR("-", SAME, operations_subtract, subtract_jet, SUBTRACT),
    OPERATOR("*", MULTIPLY, multiply, multiply_jet, MULTIPLY),
    OPERATOR("/", DIVIDE, operations_divide, divide_jet, DIVIDE),
    OPERATOR("^", POWER, operations_power, power_jet, POWER),
    OPERATOR("<", COMPARE, less, NULL, ORDER),
    OPERATOR("<=", COMPARE, less_or_equal, NULL, ORDER),
    OPERATOR(">", COMPARE, greater, NULL, ORDER),
    OPERATOR(">=", COMPARE, greater_or_equal, NULL, ORDER),
    OPERATOR("==", COMPARE, equal, NULL, EQUAL),
    OPERATOR("!=", COMPARE, unequal, NULL, EQUAL),
    OPERATOR("and", OF_ANY, both, NULL, AND),
    OPERATOR("or", OF_ANY, either, NULL, OR),
    OF_ONE("not", OF_ANY, negation, NULL, NOT),
    OF_ONE("-x", SAME, negate, negate_jet, HULL),
    OF_ONE("sin", OF_ANGLE, sin, sin_jet, PERIODIC),
    OF_ONE("cos", OF_ANGLE, cos, cos_jet, PERIODIC),
    OF_ONE("tan", OF_ANGLE, tan, tan_jet, TANGENT),
    OF_ONE("asin", OF_NUMBER, asin, asin_jet, HULL),
    OF_ONE("acos", OF_NUMBER, acos, acos_jet, HULL),
    OF_ONE_BENT("atan", OF_NUMBER, atan, atan_jet, HULL, 0.57735026918962576),
    OPERATOR("atan2", COMPARE, atan2, atan2_jet, ATAN2),
    OF_ONE("sinh", OF_ANGLE, sinh, sinh_jet, HULL),
    OF_ONE("cosh", OF_ANGLE, cosh, cosh_jet, HULL),
    OF_ONE_BENT("tanh", OF_ANGLE, tanh, tanh_jet, HULL, 0.65847894846240835),
    OF_ONE("exp", OF_ANGLE, exp, exp_jet, HULL),
    OF_ONE("log", OF_ANGLE, log, log_jet, HULL),
    OF_ONE("ln", OF_ANGLE, log, log_jet, HULL),
    OF_ONE("log10", OF_ANGLE, log10, log10_jet, HULL),
    OF_ONE("sqrt", SQUARE_ROOT, sqrt, sqrt_jet, HULL),
    OF_ONE("cbrt", CUBE_ROOT, cbrt, cbrt_jet, HULL),
    OF_ONE("abs", SAME, fabs, abs_jet, ABS),
    OF_ONE("sign", OF_ANY, sign, NULL, STAIRS),
    OF_ONE("floor", SAME, floor, NULL, STAIRS),
    OF_ONE("ceil", SAME, ceil, NULL, STAIRS),
    OF_ONE("step", OF_ANY, operations_step, NULL, STAIRS),
    OF_TWO_OR_MORE("min", SAME, smaller, smaller_jet, LOWER),
    OF_TWO_OR_MORE("max", SAME, larger, larger_jet, UPPER),
    OPERATOR("mod", SAME, mod, mod_jet, MODULO),
    OPERATOR("hypot", SAME, hypot, hypot_jet, HYPOT),
    {.name = "if", .kind = HOL_CODE_CHOICE, .fewest = 3, .most = 3},
    {.name = "piecewise", .kind = HOL_CODE_CHOICE, .fewest = 3, .odd = true},
    {.name = "table", .kind = HOL_CODE_TABLE, .fewest = 5, .odd = true},
    {.name = NULL},
};

const HolOperation *hol_operation_find(const char *name, size_t length)
{
    for (const HolOperation *o = hol_operations; o->name; o++) {
        if (strncmp(o->name, name, length) == 0 && o->name[length] == '\0')
            return o;
    }
    return NULL;
}
