/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of n points is n + 1 polynomials: before the first point, between two, after the last,
 *
 *     y(x) = a + b u + c u^2 + d u^3,    u = x - x0                                                              (1)
 *
 * with x0 the point before, of the first piece the first point. Lines have c = d = 0. The second derivatives s_i of the
 * natural spline at the points, h_i = x_(i+1) - x_i, follow from s_0 = s_(n-1) = 0 and
 *
 *     h_(i-1) s_(i-1) + 2 (h_(i-1) + h_i) s_i + h_i s_(i+1) = 6 (m_i - m_(i-1)),   m_i = (y_(i+1) - y_i)/h_i    (2)
 *
 * and give, between i and i+1,
 *
 *     b = m_i - h_i (2 s_i + s_(i+1))/6,   c = s_i/2,   d = (s_(i+1) - s_i)/(6 h_i)                             (3) */
#include "base/expression/expression.h"
#include "base/message.h"

#include <math.h>

typedef struct Piece {
    double x0, a, b, c, d;
    double integral; /* from the first point to x0 */
} Piece;

struct HolTable {
    int count; /* of points */
    bool cubic;
    Piece *pieces;
};

static HolStatus check_points(int count, const double *x, const double *y, HolMessage *message)
{
    if (count < 2)
        return hol_fail(message, HOL_BAD_INPUT, "a table needs at least 2 points, not %d", count);
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return hol_fail(message, HOL_BAD_INPUT, "point %d of the table is not finite: %g, %g", i + 1, x[i], y[i]);
        if (i > 0 && x[i] <= x[i - 1])
            return hol_fail(message, HOL_BAD_INPUT, "the points of a table must ascend, but %g comes after %g", x[i],
                            x[i - 1]);
    }
    return HOL_OK;
}

static double table_slope(const double *x, const double *y, int i)
{
    return (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
}

/* (2), a tridiagonal system: s gets the solution, work the upper diagonal after elimination. */
static void spline_curvatures(int count, const double *x, const double *y, double *s, double *work)
{
    s[0] = work[0] = 0;
    for (int i = 1; i < count - 1; i++) {
        double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
        double pivot = 2 * (before + after) - before * work[i - 1];
        work[i] = after / pivot;
        s[i] = (6 * (table_slope(x, y, i) - table_slope(x, y, i - 1)) - before * s[i - 1]) / pivot;
    }
    s[count - 1] = 0;
    for (int i = count - 2; i > 0; i--)
        s[i] -= work[i] * s[i + 1];
}

static double piece_integral(const Piece *p, double x)
{
    double u = x - p->x0;
    return p->integral + u * (p->a + u * (p->b / 2 + u * (p->c / 3 + u * (p->d / 4))));
}

static double piece_value(const Piece *p, double x)
{
    double u = x - p->x0;
    return p->a + u * (p->b + u * (p->c + u * p->d));
}

static double piece_slope(const Piece *p, double x)
{
    double u = x - p->x0;
    return p->b + u * (2 * p->c + u * (3 * p->d));
}

/* (1), (3); s NULL: lines. */
static void set_pieces(HolTable *table, const double *x, const double *y, const double *s)
{
    Piece *pieces = table->pieces;
    int last = table->count - 1;
    for (int i = 0; i < last; i++) {
        double h = x[i + 1] - x[i];
        Piece *p = &pieces[i + 1];
        *p = (Piece){
            .x0 = x[i], .a = y[i], .b = table_slope(x, y, i), .integral = i > 0 ? piece_integral(p - 1, x[i]) : 0};
        if (s) {
            p->b -= h * (2 * s[i] + s[i + 1]) / 6;
            p->c = s[i] / 2;
            p->d = (s[i + 1] - s[i]) / (6 * h);
        }
    }
    pieces[0] = (Piece){.x0 = x[0], .a = y[0], .b = s ? pieces[1].b : 0};
    pieces[last + 1] = (Piece){.x0 = x[last],
                               .a = y[last],
                               .b = s ? piece_slope(&pieces[last], x[last]) : 0,
                               .integral = piece_integral(&pieces[last], x[last])};
}

static bool pieces_are_finite(const HolTable *table)
{
    for (int i = 0; i <= table->count; i++) {
        const Piece *p = &table->pieces[i];
        if (!isfinite(p->b) || !isfinite(p->c) || !isfinite(p->d) || !isfinite(p->integral))
            return false;
    }
    return true;
}

HolStatus hol_table_create(HolArena *arena, int count, const double *x, const double *y, bool cubic, HolTable **table,
                           HolMessage *message)
{
    HOL_TRY(check_points(count, x, y, message));
    HolTable *made = hol_arena_alloc(arena, sizeof *made);
    Piece *pieces = hol_arena_alloc(arena, ((size_t)count + 1) * sizeof *pieces);
    double *s = cubic ? hol_arena_doubles(arena, 2 * (size_t)count) : NULL;
    if (!made || !pieces || (cubic && !s))
        return hol_fail(message, HOL_NO_MEMORY, "out of memory");
    *made = (HolTable){.count = count, .cubic = cubic, .pieces = pieces};
    if (cubic)
        spline_curvatures(count, x, y, s, s + count);
    set_pieces(made, x, y, s);
    if (!pieces_are_finite(made))
        return hol_fail(message, HOL_BAD_INPUT, "the table is too steep or too large to compute with");
    *table = made;
    return HOL_OK;
}

/* The piece to the right of x, or through it. */
static int find_piece(const HolTable *table, double x)
{
    int low = 0, high = table->count; /* as many points are at or left of x */
    while (low < high) {
        int middle = (low + high) / 2;
        if (table->pieces[middle + 1].x0 <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool moves_left(HolJet x)
{
    return x.d < 0 || (x.d == 0 && x.dd < 0);
}

HolJet hol_table_jet(const HolTable *table, HolJet x)
{
    int i = find_piece(table, x.f);
    const Piece *p = &table->pieces[i];
    double value = piece_value(p, x.f);
    if (i > 0 && x.f == p->x0 && moves_left(x))
        p--;
    double first = piece_slope(p, x.f), second = 2 * p->c + 6 * p->d * (x.f - p->x0);
    return (HolJet){value, first * x.d, second * x.d * x.d + first * x.dd};
}

double hol_table_integral(const HolTable *table, double x)
{
    return piece_integral(&table->pieces[find_piece(table, x)], x);
}

int hol_table_piece(const HolTable *table, double x)
{
    int i = find_piece(table, x);
    return !table->cubic || i == 0 ? i : 1 + (i == table->count);
}

/* Bounds of c0 + u (c1 + u (c2 + u c3)) over u[0] <= u <= u[1], by Horner's scheme with intervals. */
static void polynomial_bounds(const double c[4], const double u[2], double bounds[2])
{
    double low = c[3], high = c[3];
    for (int k = 2; k >= 0; --k) {
        double a = low * u[0], b = low * u[1], d = high * u[0], e = high * u[1];
        low = c[k] + fmin(fmin(a, b), fmin(d, e));
        high = c[k] + fmax(fmax(a, b), fmax(d, e));
    }
    bounds[0] = low;
    bounds[1] = high;
}

static void bounds_hull(double bounds[2], const double other[2])
{
    bounds[0] = fmin(bounds[0], other[0]);
    bounds[1] = fmax(bounds[1], other[1]);
}

void hol_table_bounds(const HolTable *table, double low, double high, double value[2], double slope[2],
                      double curvature[2])
{
    int first = find_piece(table, low), last = find_piece(table, high);
    bool has_kink = !table->cubic && first != last;
    value[0] = slope[0] = HUGE_VAL;
    value[1] = slope[1] = -HUGE_VAL;
    curvature[0] = has_kink ? -HUGE_VAL : HUGE_VAL;
    curvature[1] = -curvature[0];
    for (int i = first; i <= last; ++i) {
        const Piece *p = &table->pieces[i];
        const double u[2] = {(i == first ? low : p->x0) - p->x0, (i == last ? high : p[1].x0) - p->x0};
        const double f[4] = {p->a, p->b, p->c, p->d}, d[4] = {p->b, 2 * p->c, 3 * p->d, 0};
        const double dd[4] = {2 * p->c, 6 * p->d, 0, 0};
        double of_value[2], of_slope[2], of_curvature[2];
        polynomial_bounds(f, u, of_value);
        polynomial_bounds(d, u, of_slope);
        polynomial_bounds(dd, u, of_curvature);
        bounds_hull(value, of_value);
        bounds_hull(slope, of_slope);
        bounds_hull(curvature, of_curvature);
    }
}
