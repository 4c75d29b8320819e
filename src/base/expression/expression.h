/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic that users write: parsed once into code, evaluated without allocation with first and second derivative.
 *
 * The grammar is in docs/guide/model-file.md. A number may carry a unit; a value then has a dimension, which is
 * followed through the expression as far as it is known:
 *
 *     pure     2, pi, 2*3          fits everything
 *     known    2 m, 3 m * 2        must fit
 *     free     a parameter given without unit, and what is computed from it: fits everything */
#ifndef HOLON_BASE_EXPRESSION_EXPRESSION_H
#define HOLON_BASE_EXPRESSION_EXPRESSION_H

#include <holon/status.h>

#include "base/arena.h"

#include <stdbool.h>

/* Powers of metre, kilogram, second, radian. */
typedef struct HolDimension {
    enum { HOL_PURE, HOL_KNOWN, HOL_FREE } state;
    signed char length, mass, time, angle;
} HolDimension;

/* A value with its first two derivatives along one direction. */
typedef struct HolJet {
    double f, d, dd;
} HolJet;

/* A function given by points with ascending x: piecewise linear, or a natural cubic spline. Outside the points linear
 * tables are constant, cubic ones continue along the tangent. hol_table_create() allocates it in the arena. */
typedef struct HolTable HolTable;
HolStatus hol_table_create(HolArena *arena, int count, const double *x, const double *y, bool cubic, HolTable **table,
                           HolMessage *message);
HolJet hol_table_jet(const HolTable *table, HolJet x);
double hol_table_integral(const HolTable *table, double x); /* from the first point to x, also outside */
/* The number of the smooth piece in which x lies, in ascending order: a linear table has one between any two points, a
 * cubic one has three: before, among and after its points. */
int hol_table_piece(const HolTable *table, double x);
/* Bounds of value, slope and second derivative over low <= x <= high, as {lowest, highest}. */
void hol_table_bounds(const HolTable *table, double low, double high, double value[2], double slope[2],
                      double curvature[2]);

/* Names an expression may use besides functions and constants, which they hide. All names are given with their length,
 * not terminated. The functions may parse other expressions. Anything may be absent (zero). */
typedef struct HolSymbols {
    const char *const *variables; /* variable_count names, e.g. "l", "ldot", "t" */
    int variable_count;
    void *scope;
    /* A parameter: false if there is none of that name; a parameter that exists but has no value (because it is wrong
     * itself) sets *broken, and the expression then fails without a sentence of its own. NULL: no parameters. */
    bool (*parameter)(void *scope, const char *name, size_t length, double *value, HolDimension *dimension,
                      bool *broken);
    const HolTable *(*table)(void *scope, const char *name, size_t length); /* NULL if there is none */
    /* The known parameter or table most like the name, or NULL; for "did you mean". May be NULL. */
    const char *(*nearest)(void *scope, const char *name, size_t length);
} HolSymbols;

typedef struct HolExpressionError {
    int offset;         /* into the text, where the mistake is */
    HolMessage message; /* "'lenght' is unknown (did you mean 'length'?)"; empty if another message has reported it */
} HolExpressionError;

typedef struct HolExpression HolExpression;

/* HOL_BAD_INPUT and error (which may be NULL), HOL_NO_MEMORY. The text is not kept. Nothing is left in the arena on
 * failure but waste. symbols may be NULL: no names. A constant part that is not finite is an error, unless an if() or
 * piecewise() leaves it out. Nesting, length and the places needed for evaluation are limited, to about 100 levels and
 * 1000 operations. */
HolStatus hol_expression_parse(const char *text, const HolSymbols *symbols, HolArena *arena, HolExpression **expression,
                               HolExpressionError *error);

/* A number at once, without variables and without keeping anything; fast for plain numbers. Not finite is an error. */
HolStatus hol_number_parse(const char *text, const HolSymbols *symbols, double *value, HolDimension *dimension,
                           HolExpressionError *error);

/* Whether a name is that of a constant or a function, which a parameter or table would hide. */
bool hol_expression_knows(const char *name);

HolDimension hol_expression_dimension(const HolExpression *expression);
bool hol_expression_is_constant(const HolExpression *expression);

/* Neither allocates nor fails: undefined values are NaN or infinite. A comparison with NaN is NaN, and so is the result
 * of a choice that depends on it. */
double hol_expression_value(const HolExpression *expression, const double *x);
/* x: the variables as jets along one direction. For f(t): t = {t, 1, 0}. At kinks the derivatives are those ahead along
 * the direction, of a step zero. */
HolJet hol_expression_jet(const HolExpression *expression, const HolJet *x);

/* The first time after t, up to `until`, at which the expression jumps or has a kink in time: where a comparison, if(),
 * step(), sign(), abs(), min(), max(), floor(), ceil(), mod() or a table passes from one piece to the next. `variable`
 * is the index of time; pieces that other variables choose are no breakpoints. The returned time is the first of the
 * new piece, to the last digit. HUGE_VAL: there is none. See breakpoints.c for what is found. */
double hol_expression_next_breakpoint(const HolExpression *expression, int variable, double t, double until);
/* The same with at most *intervals intervals, from which those that were needed are subtracted. */
double hol_expression_find_breakpoint(const HolExpression *expression, int variable, double t, double until,
                                      int *intervals);
/* Whether it may ever have breakpoints in that variable. */
bool hol_expression_has_breakpoints(const HolExpression *expression, int variable);

/* A part of an expression that depends on time alone. */
typedef struct HolTimePart {
    const HolExpression *expression;
    int variable;     /* the index of time */
    int first, count; /* of its code */
    bool is_rate;     /* its derivative counts, not its value */
} HolTimePart;

/* The largest such parts, at most `most`, which need not be the whole. Returns how many there are in all. */
int hol_expression_time_parts(const HolExpression *expression, int variable, HolTimePart *parts, int most);
/* Bounds {lowest, highest} of its value, or of its rate, and of the slope of that over a <= t <= b, infinite if
 * unknown, and the value in the middle, NAN if unknown. */
void hol_time_part_bounds(const HolTimePart *part, double a, double b, double value[2], double slope[2],
                          double *middle);

/* A variable at both ends of a step: its value, and its rate times the size of the step. */
typedef struct HolCourse {
    double from[2], to[2];
} HolCourse;

/* Bounds {lowest, highest} of an expression and of its slope over a part of a step, infinite if they are not known; its
 * value in the middle, NAN if undefined; and whether a switch may change in that part. */
typedef struct HolAlong {
    double value[2], slope[2], middle;
    bool may_switch;
} HolAlong;

/* Over the part theta = a ... b of a step, 0 <= a <= b <= 1, in which each of the `count` variables is the cubic of its
 * values and rates at both ends. */
enum { HOL_MOST_COURSES = 24 };
HolAlong hol_expression_along(const HolExpression *expression, const HolCourse *variables, int count, double a,
                              double b);
/* Whether it contains one of the variables `first` ... `last`. */
bool hol_expression_depends(const HolExpression *expression, int first, int last);

/* The switches of an expression that depend on other variables than time: functions g that change their sign where the
 * expression jumps or has a kink, at most HOL_MAX_CROSSINGS of them. Tables, whose kinks are mild, have none. x: the
 * variables along the motion; g gets values and rates, or is NULL. Returns their number, always the same. */
enum { HOL_MAX_CROSSINGS = 16 };
int hol_expression_crossings(const HolExpression *expression, int variable, const HolJet *x, HolJet *g);

/* Whether a value of this dimension is allowed where `wanted` (HOL_KNOWN) is required. Where the wanted one is an angle
 * or an angular speed or acceleration, the angle must be there (so that Hz is not taken for rad/s); elsewhere a missing
 * angle is forgiven (N*m for N*m/rad), and an additional one (m*rad, an arc, for m), but not a division by one (N*m/rad
 * for N*m). */
bool hol_dimension_fits(HolDimension value, HolDimension wanted);
/* "m/s^2", "N*m", ...; the common name where there is one. */
void hol_dimension_name(HolDimension dimension, char name[32]);
/* A known dimension from its unit as text ("N*s/m"), for tables; the text must be right. */
HolDimension hol_dimension_of(const char *unit);
/* The same of a unit that may be unknown: false, and nothing is changed. */
bool hol_dimension_read(const char *unit, HolDimension *dimension);

#endif
