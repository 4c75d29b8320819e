/* SPDX-License-Identifier: BSD-3-Clause */
/* Every measure against finite differences: its gradient and its rate are those of the value, its bias that of the rate,
 * its Hessian that of the gradient. Two bodies move along
 *
 *     r + h d_r,   e * exp(h d_w / 2)  (not normalised),   phi + h d_5
 *
 * at random places, with Euler parameters that are not of unit length too. */
#include "mechanism/kinematics/measure.h"

#include "check.h"
#include "random.h"

static const double STEP = 3e-4, TOLERANCE = 1e-8;

typedef struct Stand {
    double r[3], e[4], phi, v[3], w[3];
} Stand;

typedef struct Case {
    HolMeasure measure;
    bool planar;
    Stand stands[3]; /* [0]: ground */
} Case;

/* ---- Frames, computed independently ---- */

static void quaternion_times(const double *a, const double *b, double *c)
{
    c[0] = a[0] * b[0] - hol_dot3(a + 1, b + 1);
    hol_cross3(a + 1, b + 1, c + 1);
    for (int i = 1; i < 4; i++)
        c[i] += a[0] * b[i] + b[0] * a[i];
}

/* Column j of R is the vector part of e * (0, e_j) * conj(e). */
static void set_frame(const Stand *stand, bool planar, HolFrame *frame)
{
    double half = 0.5 * stand->phi, turned[4] = {cos(half), 0, 0, sin(half)};
    const double *e = planar ? turned : stand->e;
    const double conjugate[4] = {e[0], -e[1], -e[2], -e[3]};
    for (int j = 0; j < 3; j++) {
        const double unit[4] = {0, j == 0, j == 1, j == 2};
        double half_way[4], column[4];
        quaternion_times(e, unit, half_way);
        quaternion_times(half_way, conjugate, column);
        for (int i = 0; i < 3; i++)
            frame->R[i][j] = column[1 + i];
    }
    frame->is_natural = false;
    memcpy(frame->r, stand->r, sizeof frame->r);
    memcpy(frame->v, stand->v, sizeof frame->v);
    memcpy(frame->w, stand->w, sizeof frame->w);
}

static void move(Stand *stand, const double *d, double h)
{
    double angle = 0.5 * h * sqrt(hol_dot3(d + 3, d + 3)), share = angle > 0 ? sin(angle) / angle : 1, e[4];
    const double turn[4] = {cos(angle), 0.5 * h * share * d[3], 0.5 * h * share * d[4], 0.5 * h * share * d[5]};
    quaternion_times(stand->e, turn, e);
    memcpy(stand->e, e, sizeof e);
    stand->phi += h * d[5];
    for (int i = 0; i < 3; i++)
        stand->r[i] += h * d[i];
}

static void frames_of(const Case *c, HolFrame frames[3], double phi[3])
{
    for (int b = 0; b < 3; b++) {
        set_frame(&c->stands[b], c->planar, &frames[b]);
        phi[b] = c->stands[b].phi;
    }
}

static HolGauge read(const Case *c)
{
    HolFrame frames[3] = {0};
    double phi[3];
    HolGauge gauge;
    frames_of(c, frames, phi);
    hol_measure_read(&c->measure, frames, c->planar ? phi : NULL, true, &gauge);
    return gauge;
}

/* ---- Finite differences ---- */

/* value, rate and both gradients, moving body a and b along d[0] and d[1]. */
typedef struct Slope {
    double value, rate, g[2][6];
} Slope;

static Slope slope(const Case *c, const double d[2][6])
{
    static const double places[4] = {-2, -1, 1, 2}, weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    Slope sum = {0};
    for (int k = 0; k < 4; k++) {
        Case there = *c;
        for (int side = 0; side < 2; side++)
            if (c->measure.body[side] > 0)
                move(&there.stands[c->measure.body[side]], d[side], STEP * places[k]);
        HolGauge gauge = read(&there);
        sum.value += weights[k] / STEP * gauge.value;
        sum.rate += weights[k] / STEP * gauge.rate;
        for (int i = 0; i < 12; i++)
            sum.g[i / 6][i % 6] += weights[k] / STEP * gauge.g[i / 6][i % 6];
    }
    return sum;
}

static bool counts(const Case *c, int i)
{
    return !c->planar || i == 0 || i == 1 || i == 5;
}

static void check_rates(const Case *c)
{
    double d[2][6];
    for (int side = 0; side < 2; side++) {
        const Stand *stand = &c->stands[c->measure.body[side]];
        memcpy(d[side], stand->v, sizeof stand->v);
        memcpy(d[side] + 3, stand->w, sizeof stand->w);
    }
    HolGauge gauge = read(c);
    Slope found = slope(c, (const double(*)[6])d);
    CHECK_NEAR(gauge.rate, found.value, TOLERANCE * (1 + fabs(found.value)));
    CHECK_NEAR(gauge.bias, found.rate, TOLERANCE * (1 + fabs(found.rate)));
}

static void check_gradients(const Case *c, int side, int j)
{
    const double factor = -1.7;
    HolBlocks K;
    double d[2][6] = {0}, phi[3];
    HolFrame frames[3] = {0};
    d[side][j] = 1;
    HolGauge gauge = read(c);
    Slope found = slope(c, (const double(*)[6])d);
    CHECK_NEAR(gauge.g[side][j], found.value, TOLERANCE * (1 + fabs(found.value)));
    frames_of(c, frames, phi);
    for (int i = 0; i < 4 * HOL_WIDE * HOL_WIDE; i++)
        K[i / (2 * HOL_WIDE * HOL_WIDE)][i / (HOL_WIDE * HOL_WIDE) % 2][i % (HOL_WIDE * HOL_WIDE)] = 3;
    hol_measure_add_hessian(&c->measure, frames, factor, K);
    for (int i = 0; i < 12; i++) {
        double expected = 3 + factor * found.g[i / 6][i % 6];
        if (counts(c, i % 6) && c->measure.body[i / 6] > 0)
            CHECK_NEAR(K[i / 6][side][HOL_WIDE * (i % 6) + j], expected, TOLERANCE * (1 + fabs(expected)));
    }
}

static void check_case(const Case *c)
{
    check_rates(c);
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < 6; j++)
            if (c->measure.body[side] > 0 && counts(c, j))
                check_gradients(c, side, j);
}

/* ---- Random cases ---- */

static void random_stand(bool planar, Stand *stand)
{
    *stand = (Stand){.phi = 3 * random_number(), .e = {1, 0, 0, 0}};
    random_fill(planar ? 2 : 3, stand->r);
    random_fill(planar ? 2 : 3, stand->v);
    random_fill(planar ? 1 : 3, planar ? stand->w + 2 : stand->w);
    if (planar)
        return;
    random_fill(4, stand->e);
    double size = sqrt(stand->e[0] * stand->e[0] + hol_dot3(stand->e + 1, stand->e + 1));
    double wanted = random_number() > 0 ? 1 : 1 + 0.3 * random_number();
    for (int i = 0; i < 4; i++)
        stand->e[i] *= wanted / size;
}

static const HolMeasureKind *const kinds[] = {&hol_measure_length, &hol_measure_square, &hol_measure_offset,
                                              &hol_measure_dot,    &hol_measure_angle,  &hol_measure_turn};

static Case random_case(const HolMeasureKind *kind, bool planar, int a, int b)
{
    Case c = {.planar = planar, .measure = {.kind = kind, .scale = 1.5 + 0.5 * random_number(), .body = {a, b}}};
    for (int i = 0; i < kind->mark_count; i++) {
        HolMark *mark = &c.measure.mark[i];
        mark->body = c.measure.body[kind->side[i]];
        mark->is_point = kind->is_point[i];
        random_fill(planar ? 2 : 3, mark->s);
    }
    c.stands[0] = (Stand){.e = {1, 0, 0, 0}};
    random_stand(planar, &c.stands[1]);
    random_stand(planar, &c.stands[2]);
    return c;
}

/* Whether the case is away from the singularity of an angle or a length. */
static bool is_smooth(const Case *c)
{
    HolGauge gauge = read(c);
    double size = 0;
    for (int i = 0; i < 12; i++)
        size = fmax(size, fabs(gauge.g[i / 6][i % 6]));
    if (c->measure.kind->is_length)
        return gauge.value > 0.5;
    return c->measure.kind != &hol_measure_angle || (size < 3 && fabs(gauge.value) < 3);
}

static void check_kind(const HolMeasureKind *kind, bool planar)
{
    static const int bodies[4][2] = {{1, 2}, {2, 1}, {0, 1}, {1, 0}};
    for (int count = 0; count < 40;) {
        const int *body = bodies[count % 4];
        Case c = random_case(kind, planar, body[0], body[1]);
        CHECK_CONTEXT("%s, %s, bodies %d and %d, number %d", kind->name, planar ? "planar" : "spatial", body[0],
                      body[1], count);
        if (!is_smooth(&c))
            continue;
        check_case(&c);
        count++;
    }
}

static void measures_in_space_agree_with_differences(void)
{
    random_seed(1);
    for (int i = 0; i < 5; i++)
        check_kind(kinds[i], false);
}

static void measures_in_the_plane_agree_with_differences(void)
{
    random_seed(2);
    for (int i = 0; i < 6; i++)
        check_kind(kinds[i], true);
}

static void values_are_those_of_their_names(void)
{
    Case c = {
        .stands = {{.e = {1, 0, 0, 0}}, {.e = {1, 0, 0, 0}, .r = {1, 2, 3}}, {.e = {1, 0, 0, 0}, .r = {4, 6, 3}}}};
    c.measure = (HolMeasure){.body = {1, 2}, .mark = {{.body = 1, .is_point = true}, {.body = 2, .is_point = true}}};
    c.measure.kind = &hol_measure_length;
    CHECK_NEAR(read(&c).value, 5, 1e-15);
    c.measure.kind = &hol_measure_square;
    c.measure.scale = 5;
    CHECK_NEAR(read(&c).value, 2.5, 1e-15);
    c.measure.kind = &hol_measure_offset;
    c.measure.mark[2] = c.measure.mark[1];
    c.measure.mark[1] = c.measure.mark[0];
    c.measure.mark[0] = (HolMark){.body = 1, .s = {0, 1, 0}};
    CHECK_NEAR(read(&c).value, 4, 1e-15);
    c.measure.kind = &hol_measure_angle;
    c.measure.mark[1] = (HolMark){.body = 1, .s = {0, 0, 1}};
    c.measure.mark[2] = (HolMark){.body = 2, .s = {0, 1, 1}};
    CHECK_NEAR(read(&c).value, 0.78539816339744831, 1e-15);
}

/* Coinciding points and undefined angles have zero gradients, not NaN. */
static void singular_places_stay_finite(void)
{
    Case c = {.stands = {{.e = {1, 0, 0, 0}}, {.e = {1, 0, 0, 0}, .w = {1, 2, 3}}, {.e = {1, 0, 0, 0}, .v = {1}}}};
    c.measure = (HolMeasure){.kind = &hol_measure_length, .body = {1, 2}};
    c.measure.mark[0] = (HolMark){.body = 1, .is_point = true};
    c.measure.mark[1] = (HolMark){.body = 2, .is_point = true};
    HolGauge gauge = read(&c);
    CHECK(gauge.value == 0 && gauge.rate == 0 && gauge.bias == 0 && gauge.g[0][0] == 0);
    c.measure.kind = &hol_measure_angle;
    c.measure.mark[2] = (HolMark){.body = 2, .s = {1, 0, 0}};
    gauge = read(&c);
    CHECK(gauge.value == 0 && gauge.rate == 0 && gauge.bias == 0 && gauge.g[1][5] == 0);
}

CHECK_MAIN(TEST(measures_in_space_agree_with_differences), TEST(measures_in_the_plane_agree_with_differences),
           TEST(values_are_those_of_their_names), TEST(singular_places_stay_finite))
