/* SPDX-License-Identifier: BSD-3-Clause */
/* The terms of mechanisms that are filled by hand, against finite differences of each other at random points. */
#include "random.h"
#include "rig.h"

enum { POINTS = 25, MOST_NUMBERS = 64 };

static const double zero[3] = {0, 0, 0};

/* ---- Random parts ---- */

static void random_inertia(Rig *rig)
{
    for (int b = 0; b < rig->m.body_count; b++) {
        HolBody *body = &rig->m.bodies[b];
        double A[3][3];
        random_fill(9, A[0]);
        body->mass = 1.5 + 0.5 * random_number();
        for (int i = 0; i < 9; i++)
            body->J[i / 3][i % 3] = hol_dot3(A[i / 3], A[i % 3]) + (i / 3 == i % 3 ? 0.3 : 0);
    }
    random_fill(rig->m.planar ? 2 : 3, rig->m.gravity);
}

static HolMark random_mark(const Rig *rig, int body, bool is_point)
{
    HolMark mark = {.body = body, .is_point = is_point};
    random_fill(rig->m.planar ? 2 : 3, mark.s);
    return mark;
}

static void random_coincidence(Rig *rig, int a, int b)
{
    HolMark first = random_mark(rig, a, true), second = random_mark(rig, b, true);
    rig_coincide(rig, a, b, first.s, second.s);
}

/* A direction of unit length, and two that complete it. */
static void random_axes(double axes[3][3])
{
    double size;
    do {
        random_fill(3, axes[0]);
        random_fill(3, axes[1]);
        hol_cross3(axes[0], axes[1], axes[2]);
        size = sqrt(hol_dot3(axes[2], axes[2]));
    } while (size < 0.2);
    hol_cross3(axes[2], axes[0], axes[1]);
    for (int k = 0; k < 3; k++) {
        size = sqrt(hol_dot3(axes[k], axes[k]));
        for (int i = 0; i < 3; i++)
            axes[k][i] /= size;
    }
}

static int random_measure(Rig *rig, const HolMeasureKind *kind, int a, int b)
{
    HolMeasure measure = {.kind = kind, .body = {a, b}, .scale = 1.5 + 0.5 * random_number()};
    for (int i = 0; i < kind->mark_count; i++)
        measure.mark[i] = random_mark(rig, measure.body[kind->side[i]], kind->is_point[i]);
    return rig_measure(rig, measure);
}

static HolFunction wave(Rig *rig)
{
    static const char *const variables[] = {"t"};
    const HolSymbols symbols = {.variables = variables, .variable_count = 1};
    HolExpression *expression = NULL;
    HolExpressionError error;
    CHECK_OK(hol_expression_parse("0.9 + 0.2*sin(1.7*t)", &symbols, rig->arena, &expression, &error));
    return (HolFunction){.expression = expression};
}

static HolRolling random_rolling(HolRollingShape shape, int a, int b)
{
    double plane[3][3], disc[3][3], points[2][3];
    random_axes(plane);
    random_axes(disc);
    random_fill(6, points[0]);
    return (HolRolling){
        .shape = shape,
        .body = {a, b},
        .normal = rig_mark(a, false, plane[0]),
        .tangent = {rig_mark(a, false, plane[1]), rig_mark(a, false, plane[2])},
        .through = rig_mark(a, true, points[0]),
        .centre = rig_mark(b, true, points[1]),
        .axis = rig_mark(b, false, disc[0]),
        .radius = 0.4,
        .sphere_radius = 1.5,
    };
}

/* ---- Two forces: a spring along a measure, and drag ---- */

typedef struct Spring {
    HolMeasure measure;
    double stiffness, length;
} Spring;

static double stretch(const HolForce *force, const HolMotion *motion, HolGauge *gauge)
{
    const Spring *spring = force->self;
    hol_measure_read(&spring->measure, motion->frames, motion->phi, true, gauge);
    return gauge->value - spring->length;
}

static void spring_apply(const HolForce *force, const HolMotion *motion)
{
    const Spring *spring = force->self;
    HolGauge gauge;
    double tension = spring->stiffness * stretch(force, motion, &gauge);
    for (int side = 0; side < 2; side++)
        hol_motion_push(motion, force->body[side], -tension, gauge.g[side]);
}

static double spring_potential(const HolForce *force, const HolMotion *motion)
{
    HolGauge gauge;
    double x = stretch(force, motion, &gauge);
    return 0.5 * ((const Spring *)force->self)->stiffness * x * x;
}

static void spring_tangent(const HolForce *force, const HolMotion *motion)
{
    const Spring *spring = force->self;
    HolGauge gauge;
    HolBlocks K = {0};
    double tension = spring->stiffness * stretch(force, motion, &gauge);
    hol_measure_add_hessian(&spring->measure, motion->frames, tension, K);
    for (int i = 0; i < 144; i++)
        K[i / 72][i / 36 % 2][HOL_WIDE * (i % 36 / 6) + i % 6] +=
            spring->stiffness * gauge.g[i / 72][i % 36 / 6] * gauge.g[i / 36 % 2][i % 6];
    for (int i = 0; i < 4; i++)
        hol_motion_add_block(motion, motion->terms->K, force->tangent[i / 2][i % 2], force->body[i / 2],
                             force->body[i % 2], K[i / 2][i % 2]);
}

static void spring_discrete_gradient(const HolForce *force, const HolDiscreteGradientMotion *motion)
{
    const Spring *spring = force->self;
    HolGauge a, b, middle;
    double x_a = stretch(force, &motion->a, &a), x_b = stretch(force, &motion->b, &b);
    double applied = spring->stiffness * stretch(force, &motion->middle, &middle);
    hol_discrete_gradient_push(motion, &(HolDiscreteGradientLaw){.body = {force->body[0], force->body[1]},
                                                                 .l_a = a.value,
                                                                 .l_b = b.value,
                                                                 .mean = spring->stiffness * (x_a + x_b) / 2,
                                                                 .applied = applied,
                                                                 .middle = &middle});
}

static const HolForceKind spring_kind = {
    .kind.name = "spring",
    .apply = spring_apply,
    .potential = spring_potential,
    .tangent = spring_tangent,
    .discrete_gradient = spring_discrete_gradient,
};

static void drag_apply(const HolForce *force, const HolMotion *motion)
{
    const HolFrame *f = &motion->frames[force->body[0]];
    const double v[6] = {f->v[0], f->v[1], f->v[2], f->w[0], f->w[1], f->w[2]};
    hol_motion_push(motion, force->body[0], -0.7, v);
    motion->terms->power -= 0.7 * (hol_dot3(v, v) + hol_dot3(v + 3, v + 3));
}

static void drag_tangent(const HolForce *force, const HolMotion *motion)
{
    double C[HOL_WIDE * HOL_WIDE] = {0};
    for (int i = 0; i < 6; i++)
        C[(HOL_WIDE + 1) * i] = 0.7;
    hol_motion_add_block(motion, motion->terms->C, force->tangent[0][0], force->body[0], force->body[0], C);
}

static const HolForceKind drag_kind = {.kind.name = "drag", .apply = drag_apply, .tangent = drag_tangent};

static void add_forces(Rig *rig, int a, int b)
{
    Spring *spring = hol_arena_alloc(rig->arena, sizeof *spring);
    *spring = (Spring){.measure = {.kind = &hol_measure_length, .body = {a, b}}, .stiffness = 2, .length = 0.3};
    spring->measure.mark[0] = random_mark(rig, a, true);
    spring->measure.mark[1] = random_mark(rig, b, true);
    rig_force(rig, (HolForce){.kind = &spring_kind, .self = spring, .body = {a, b}});
    rig_force(rig, (HolForce){.kind = &drag_kind, .body = {b, 0}});
}

/* ---- Random points ---- */

static void normalise(double *e)
{
    double size = sqrt(e[0] * e[0] + hol_dot3(e + 1, e + 1));
    for (int i = 0; i < 4; i++)
        e[i] /= size;
}

static void random_point(const Rig *rig, double *q, double *v)
{
    random_fill(rig->m.pattern->nq, q);
    random_fill(rig->m.pattern->nv, v);
    for (int b = 0; b < rig->m.body_count && !rig->m.planar; b++)
        normalise(q + 7 * b + 3);
}

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Away from the places where a length, an angle or a contact has no derivative, and from jumps of angles. */
static bool is_tame(const Rig *rig, const HolPoint *at, HolTerms *terms)
{
    const HolPattern *p = rig->m.pattern;
    if (hol_system_evaluate(rig->m.system, at, HOL_WANT_ALL, terms) != HOL_OK)
        return false;
    bool jumps = false;
    for (int i = 0; i < rig->m.row_count; i++)
        jumps = jumps || (rig->m.rows[i].wraps && fabs(terms->Phi[rig->m.rows[i].at] / rig->m.rows[i].factor) > 3);
    return !jumps && largest(p->pair_start[p->pair_count], terms->D) < 4 && largest(p->m, terms->gamma) < 20;
}

static void check_rig(Rig *rig)
{
    double q[MOST_NUMBERS], v[MOST_NUMBERS];
    HolTerms *terms;
    HolMessage message;
    REQUIRE_OK(rig_close(rig));
    REQUIRE_OK(hol_terms_create(rig->m.system, &terms));
    for (int k = 0, tries = 0; k < POINTS && CHECK(tries < 100 * POINTS); tries++) {
        HolPoint at = {0.7 * random_number(), q, v};
        random_point(rig, q, v);
        if (!is_tame(rig, &at, terms))
            continue;
        CHECK_CONTEXT("point %d", k++);
        if (!CHECK_OK(hol_system_check(rig->m.system, &at, &message)))
            printf("    %s\n", message.text);
    }
    hol_terms_destroy(terms);
    rig_destroy(rig);
}

/* ---- The tests ---- */

/* Pairs of bodies of which one may be the ground. */
static const int couples[5][2] = {{0, 1}, {1, 2}, {3, 2}, {1, 0}, {1, 3}};

static void coincidences(bool planar)
{
    random_seed(3);
    Rig *rig = rig_open(planar, 3);
    random_inertia(rig);
    for (int k = 0; k < 5; k++) {
        if (k != 3) /* the fourth shares the group of the third */
            rig_group(rig);
        random_coincidence(rig, couples[k][0], couples[k][1]);
    }
    check_rig(rig);
}

static void points_coincide_in_space(void)
{
    coincidences(false);
}

static void points_coincide_in_the_plane(void)
{
    coincidences(true);
}

static void general_rows(bool planar)
{
    random_seed(4);
    Rig *rig = rig_open(planar, 3);
    random_inertia(rig);
    const HolMeasureKind *const kinds[] = {&hol_measure_length, &hol_measure_square, &hol_measure_offset,
                                           &hol_measure_dot, planar ? &hol_measure_turn : &hol_measure_angle};
    for (int i = 0; i < 5; i++) {
        const HolMeasureKind *kind = kinds[i];
        rig_group(rig);
        for (int k = 0; k < 5; k++) {
            int measure = random_measure(rig, kind, couples[k][0], couples[k][1]);
            HolRow *row = rig_row(rig, 1, &measure);
            row->k[0] = 1.3;
            row->factor = k == 2 ? -0.6 : 1;
            row->wraps = kind == &hol_measure_angle;
            row->f = k == 1 ? wave(rig) : (HolFunction){.constant = 0.2};
            row->squares = kind == &hol_measure_square && k < 3;
        }
        random_coincidence(rig, 1, 2);
    }
    add_forces(rig, 1, 2);
    add_forces(rig, 0, 3);
    check_rig(rig);
}

static void measures_equal_functions_in_space(void)
{
    general_rows(false);
}

static void measures_equal_functions_in_the_plane(void)
{
    general_rows(true);
}

/* Two measures in a row, which share a body or not. */
static void coupled_measures(bool planar)
{
    random_seed(5);
    Rig *rig = rig_open(planar, 4);
    const HolMeasureKind *turning = planar ? &hol_measure_turn : &hol_measure_angle;
    random_inertia(rig);
    rig_group(rig);
    for (int k = 0; k < 4; k++) {
        const int *first = couples[k], second[2] = {2, k < 2 ? 1 : 4};
        const int both[2] = {random_measure(rig, turning, first[0], first[1]),
                             random_measure(rig, k % 2 ? &hol_measure_offset : turning, second[0], second[1])};
        HolRow *row = rig_row(rig, 2, both);
        row->k[1] = -0.5;
        row->factor = 0.8;
        row->wraps = !planar;
    }
    check_rig(rig);
}

static void rows_couple_two_measures(void)
{
    coupled_measures(false);
    coupled_measures(true);
}

static void rolling(HolRollingShape shape, int a, int b)
{
    CHECK_CONTEXT("shape %d, bodies %d and %d", shape, a, b);
    Rig *rig = rig_open(false, 2);
    random_inertia(rig);
    HolRolling *roll = rig_roll(rig, random_rolling(shape, a, b));
    rig_group(rig);
    random_coincidence(rig, 0, 1);
    if (shape == HOL_DISC_ON_PLANE)
        rig_contact(rig, roll);
    rig_group(rig);
    rig_slip(rig, roll);
    check_rig(rig);
}

static void balls_and_discs_roll(void)
{
    random_seed(6);
    for (HolRollingShape shape = HOL_BALL_ON_PLANE; shape <= HOL_BALL_IN_SPHERE; shape++) {
        rolling(shape, 0, 1);
        rolling(shape, 1, 2);
        rolling(shape, 2, 1);
    }
}

static void holds(bool planar)
{
    random_seed(7);
    Rig *rig = rig_open(planar, 2);
    int turns = planar ? 1 : 3, shifts = planar ? 2 : 3;
    double e[4];
    random_fill(4, e);
    normalise(e);
    random_inertia(rig);
    rig_group(rig);
    for (int i = 0; i < shifts; i++)
        rig_hold(rig, (HolHoldRow){.type = HOL_HOLD_POSITION, .body = 1, .axis = i, .target = 0.3});
    rig_group(rig);
    random_coincidence(rig, 1, 2);
    for (int i = 0; i < turns; i++)
        rig_hold(rig,
                 (HolHoldRow){
                     .type = HOL_HOLD_ORIENTATION, .body = 2, .axis = i, .target = 0.1, .e = {e[0], e[1], e[2], e[3]}});
    rig_group(rig);
    for (int i = 0; i < shifts; i++)
        rig_hold(rig, (HolHoldRow){.type = HOL_HOLD_VELOCITY, .body = 2, .axis = i, .target = 0.5});
    for (int i = 0; i < turns; i++)
        rig_hold(rig, (HolHoldRow){.type = HOL_HOLD_TURNING, .body = 1, .axis = i, .target = -0.5});
    check_rig(rig);
}

static void starts_are_held(void)
{
    holds(false);
    holds(true);
}

/* A body that stands as held fits its rows; the velocity rows ask for their targets. */
static void held_values_are_the_targets(void)
{
    const double q[7] = {1, 2, 3, 0.5, 0.5, -0.5, 0.5}, v[6] = {0};
    Rig *rig = rig_open(false, 1);
    HolTerms *terms;
    rig->m.bodies[0].mass = 1;
    rig_group(rig);
    rig_hold(rig, (HolHoldRow){.type = HOL_HOLD_POSITION, .body = 1, .axis = 1, .target = 2});
    for (int i = 0; i < 3; i++)
        rig_hold(rig, (HolHoldRow){.type = HOL_HOLD_ORIENTATION, .body = 1, .axis = i, .e = {-0.5, -0.5, 0.5, -0.5}});
    rig_group(rig);
    rig_hold(rig, (HolHoldRow){.type = HOL_HOLD_TURNING, .body = 1, .axis = 2, .target = 7});
    REQUIRE_OK(rig_close(rig));
    REQUIRE_OK(hol_terms_create(rig->m.system, &terms));
    CHECK_OK(hol_system_evaluate(rig->m.system, &(HolPoint){0, q, v}, HOL_WANT_ALL, terms));
    CHECK(largest(4, terms->Phi) == 0);
    CHECK(terms->nu[4] == 7 && largest(4, terms->nu) == 0);
    CHECK(terms->D[rig_place(rig, 4, 1) + 5] == 1);
    hol_terms_destroy(terms);
    rig_destroy(rig);
}

static HolStatus status_of(HolRolling rolling, const double *q)
{
    const double v[6] = {0}, vdot[6] = {0}, lambda[3] = {1, 1, 1};
    Rig *rig = rig_open(false, 1);
    HolTerms *terms;
    HolRolling *roll = rig_roll(rig, rolling);
    rig_group(rig);
    if (rolling.shape == HOL_DISC_ON_PLANE)
        rig_contact(rig, roll);
    else
        rig_coincide(rig, 0, 1, zero, zero);
    rig_group(rig);
    rig_slip(rig, roll);
    CHECK_OK(rig_close(rig));
    CHECK_OK(hol_terms_create(rig->m.system, &terms));
    HolPoint at = {0, q, v};
    HolStatus status = hol_system_evaluate(rig->m.system, &at, HOL_WANT_JACOBIAN, terms);
    if (rolling.shape == HOL_DISC_ON_PLANE)
        CHECK_STATUS(hol_system_tangent(rig->m.system, &at, vdot, lambda, terms), status);
    hol_terms_destroy(terms);
    rig_destroy(rig);
    return status;
}

static void contacts_without_a_point_are_singular(void)
{
    const double flat[7] = {0, 0, 1, 1, 0, 0, 0}, upright[7] = {0, 0, 1, 0.8, 0.6, 0, 0};
    const double bottom[7] = {0, 0, -1, 1, 0, 0, 0}, middle[7] = {0, 0, 0, 1, 0, 0, 0};
    HolRolling roll = {
        .shape = HOL_DISC_ON_PLANE,
        .body = {0, 1},
        .normal = {.s = {0, 0, 1}},
        .tangent = {{.s = {1, 0, 0}}, {.s = {0, 1, 0}}},
        .through = {.is_point = true},
        .centre = {.body = 1, .is_point = true},
        .axis = {.body = 1, .s = {0, 0, 1}},
        .radius = 0.5,
    };
    CHECK_STATUS(status_of(roll, flat), HOL_SINGULAR);
    CHECK_STATUS(status_of(roll, upright), HOL_OK);
    roll.shape = HOL_BALL_IN_SPHERE;
    CHECK_STATUS(status_of(roll, bottom), HOL_OK);
    CHECK_STATUS(status_of(roll, middle), HOL_SINGULAR);
    CHECK_STATUS(status_of(roll, flat), HOL_SINGULAR); /* at the top */
}

CHECK_MAIN(TEST(points_coincide_in_space), TEST(points_coincide_in_the_plane), TEST(measures_equal_functions_in_space),
           TEST(measures_equal_functions_in_the_plane), TEST(rows_couple_two_measures), TEST(balls_and_discs_roll),
           TEST(starts_are_held), TEST(held_values_are_the_targets), TEST(contacts_without_a_point_are_singular))
