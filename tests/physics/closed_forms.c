/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes with a known motion: a closed form, an invariant, or minimal coordinates. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "systems/scenes.h"
#include "wrapped.h"

static const double PI = 3.14159265358979323846, G = 9.81;

typedef struct Case {
    const char *scene;
    const HolInitialState *start; /* NULL: that of the scene */
    double h, until;
    HolRecord *record;
    void *user;
    const char *formulation; /* NULL: direct-correction */
} Case;

static HolSummary run(Case c)
{
    HolSimulationOptions options = run_options(c.formulation ? c.formulation : "direct-correction", "rk4", c.h);
    HolRun request = {.until = c.until, .record = c.record, .user = c.user};
    Result result = run_alone(c.scene, 0, c.start, &options, &request);
    CHECK_OK(result.status);
    CHECK_NEAR(result.summary.reached, c.until, 1e-12);
    return result.summary;
}

static void keep_larger(double *worst, double difference)
{
    *worst = fmax(*worst, fabs(difference));
}

/* Jacobi's amplitude am(u, k) by the arithmetic-geometric mean: sn = sin am, cn = cos am. */
static double amplitude(double u, double k)
{
    double a = 1, b = sqrt(1 - k * k), c = k, ratio[16], scale = 1;
    int n = 0;
    while (fabs(c) > 1e-17 && n < 16) {
        double mean = (a + b) / 2;
        c = (a - b) / 2;
        b = sqrt(a * b);
        a = mean;
        ratio[n++] = c / a;
        scale *= 2;
    }
    double phi = scale * a * u;
    while (n > 0)
        phi = (phi + asin(ratio[--n] * sin(phi))) / 2;
    return phi;
}

/* K(k), and u with am(u, k) = phi */
static double quarter_period(double k)
{
    double a = 1, b = sqrt(1 - k * k);
    for (int i = 0; i < 8; i++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return PI / (2 * a);
}

static double inverse_amplitude(double phi, double k)
{
    double low = -4 * quarter_period(k), high = -low;
    for (int i = 0; i < 100; i++) {
        double u = (low + high) / 2;
        *(amplitude(u, k) < phi ? &low : &high) = u;
    }
    return (low + high) / 2;
}

/* The pendulum: from the horizontal, sin(theta/2) = k sn(K - w t), k = sin 45 deg, w = sqrt(g/l), theta from below. */

typedef struct PendulumErrors {
    double angle, force, speed;
} PendulumErrors;

/* |v|^2 = -2 g y, and the rod pulls with m |v|^2 / l - m g y / l = -3 m g y / l. */
static HolStatus record_pendulum(void *user, const HolState *s, const HolMeasures *m)
{
    (void)m;
    PendulumErrors *e = user;
    double k = sqrt(0.5), half = k * sin(amplitude(quarter_period(k) - sqrt(G) * s->t, k));
    keep_larger(&e->angle, atan2(s->q[0], -s->q[1]) - 2 * asin(half));
    keep_larger(&e->force, s->lambda[0] - 3 * G * s->q[1]);
    keep_larger(&e->speed, s->v[0] * s->v[0] + s->v[1] * s->v[1] + 2 * G * s->q[1]);
    return HOL_OK;
}

static void pendulum_follows_the_elliptic_function(void)
{
    PendulumErrors e = {0};
    CHECK_NEAR(quarter_period(sqrt(0.5)), 1.8540746773013719, 1e-15);
    double period = 4 * quarter_period(sqrt(0.5)) / sqrt(G);
    HolSummary summary = run((Case){"pendulum", NULL, 1e-3, 2 * period, record_pendulum, &e, NULL});
    CHECK(summary.steps > 1000);
    CHECK_NEAR(e.angle, 0, 1e-9);
    CHECK_NEAR(e.force, 0, 1e-9);
    CHECK_NEAR(e.speed, 0, 1e-9);
    CHECK_NEAR(summary.max_energy_drift, 0, 1e-9);
}

/* Each passes the lowest point, where no motion of y is left and x alone is independent, and both sides, where it is the
 * other way round. */
static void every_formulation_swings_the_pendulum(void)
{
    for (int i = 0; i < hol_formulation_count(); i++) {
        const char *name = hol_formulation_info(i).name;
        if (hol_pair_supported(name, "rk4", NULL) != HOL_OK)
            continue;
        PendulumErrors e = {0};
        CHECK_CONTEXT("%s", name);
        HolSummary summary = run((Case){"pendulum", NULL, 1e-3, 2, record_pendulum, &e, name});
        CHECK_NEAR(summary.reached, 2, 1e-12);
        CHECK_NEAR(e.angle, 0, strcmp(name, "penalty") == 0 ? 1e-4 : 1e-7);
    }
}

static HolStatus record_last_q(void *user, const HolState *s, const HolMeasures *m)
{
    (void)m;
    memcpy(user, s->q, 2 * sizeof(double));
    return HOL_OK;
}

static void pendulum_returns_after_its_period(void)
{
    double q[2] = {0}, period = 4 * 1.8540746773013719 / sqrt(G);
    run((Case){"pendulum", NULL, period / 2000, period / 2, record_last_q, q, NULL});
    CHECK_NEAR(q[0], -1, 1e-10);
    CHECK_NEAR(q[1], 0, 1e-8);
    run((Case){"pendulum", NULL, period / 2000, period, record_last_q, q, NULL});
    CHECK_NEAR(q[0], 1, 1e-10);
    CHECK_NEAR(q[1], 0, 1e-8);
}

/* The rolling disc */

typedef struct Vector {
    double x, y, z;
} Vector;

static Vector cross(Vector a, Vector b)
{
    return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vector sum(Vector a, double factor, Vector b)
{
    return (Vector){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

/* Turned by the Euler parameters e = (e0, u): a + 2 e0 (u x a) + 2 u x (u x a) */
static Vector turned(const double *e, Vector a)
{
    Vector u = {e[1], e[2], e[3]}, ua = cross(u, a);
    return sum(sum(a, 2 * e[0], ua), 2, cross(u, ua));
}

static Vector vector(const double *x)
{
    return (Vector){x[0], x[1], x[2]};
}

static double length(Vector a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static const double RADIUS = 0.5, LEAN = 1.0471975511965976, CIRCLE = 1;

typedef struct DiscErrors {
    double slip, height;                                     /* of the lowest point of the rim */
    double radius, azimuth, lean, contact_force, rate, spin; /* against steady rolling */
    double turning;                                          /* Omega */
} DiscErrors;

/* From the centre to the lowest point: down along the disc, which is the vertical less its part along the axis a. */
static Vector lowest_point(const double *q)
{
    Vector axis = turned(q + 3, (Vector){0, 0, 1}), up = {0, 0, 1};
    Vector along = sum(up, -axis.z, axis);
    return sum((Vector){0, 0, 0}, -RADIUS / length(along), along);
}

static void look_at_contact(DiscErrors *e, const HolState *s)
{
    Vector c = lowest_point(s->q), w = turned(s->q + 3, vector(s->v + 3));
    keep_larger(&e->height, s->q[2] + c.z);
    keep_larger(&e->slip, length(sum(vector(s->v), 1, cross(w, c))));
}

static HolStatus record_contact(void *user, const HolState *s, const HolMeasures *m)
{
    (void)m;
    look_at_contact(user, s);
    return HOL_OK;
}

static void disc_rolls_without_slip_and_keeps_its_energy(void)
{
    DiscErrors e = {0};
    HolSummary summary = run((Case){"rolling-disc", NULL, 1e-3, 3, record_contact, &e, NULL});
    CHECK(summary.steps == 3000);
    CHECK_NEAR(e.slip, 0, 1e-12);
    CHECK_NEAR(e.height, 0, 1e-13);
    CHECK_NEAR(summary.max_energy_drift, 0, 1e-9);
}

/* Steady rolling of a thin disc of radius a, its plane at the angle alpha to the ground, its centre on a circle of
 * radius b. With the turning rate Omega, rolling asks for the spin w3 = -Omega b / a about the axis, and the moment of
 * the contact force (N = m g, friction m Omega^2 b inwards) about the centre equals Omega x L if
 *
 *     Omega^2 (6 b + a cos alpha) = 4 g cot alpha. */
static double steady_turning(void)
{
    return sqrt(4 * G / tan(LEAN) / (6 * CIRCLE + RADIUS * cos(LEAN)));
}

static double wrapped(double angle)
{
    return angle - 2 * PI * round(angle / (2 * PI));
}

static HolStatus record_steady(void *user, const HolState *s, const HolMeasures *m)
{
    (void)m;
    DiscErrors *e = user;
    double azimuth = e->turning * s->t, friction = e->turning * e->turning * CIRCLE;
    look_at_contact(e, s);
    keep_larger(&e->radius, hypot(s->q[0], s->q[1]) - CIRCLE);
    keep_larger(&e->azimuth, wrapped(atan2(s->q[1], s->q[0]) - azimuth));
    keep_larger(&e->lean, s->q[2] - RADIUS * sin(LEAN));
    keep_larger(&e->rate, length(vector(s->v)) - e->turning * CIRCLE);
    keep_larger(&e->spin, s->v[5] + e->turning * CIRCLE / RADIUS);
    keep_larger(&e->contact_force, s->lambda[0] - G);
    keep_larger(&e->contact_force, s->lambda[1] + friction * cos(azimuth));
    keep_larger(&e->contact_force, s->lambda[2] + friction * sin(azimuth));
    return HOL_OK;
}

static void disc_in_steady_rolling_describes_its_circle(void)
{
    DiscErrors e = {.turning = steady_turning()};
    const double q[7] = {CIRCLE, 0, RADIUS * sin(LEAN), cos(LEAN / 2), 0, sin(LEAN / 2), 0};
    const double v[6] = {0, e.turning * CIRCLE, 0, -e.turning * sin(LEAN), 0, -e.turning * CIRCLE / RADIUS};
    const HolInitialState start = {0, q, v};
    run((Case){"rolling-disc", &start, 1e-3, 2 * PI / e.turning, record_steady, &e, NULL});
    CHECK_NEAR(e.slip, 0, 1e-12);
    CHECK_NEAR(e.radius, 0, 1e-9);
    CHECK_NEAR(e.azimuth, 0, 1e-9);
    CHECK_NEAR(e.lean, 0, 1e-9);
    CHECK_NEAR(e.rate, 0, 1e-9);
    CHECK_NEAR(e.spin, 0, 1e-9);
    CHECK_NEAR(e.contact_force, 0, 1e-8);
}

/* Constant speed under gravity: with s = g t / v0 the direction falls as tanh s and the drive brakes with it. */

typedef struct RunnerErrors {
    double speed, velocity, place, lambda;
} RunnerErrors;

static HolStatus record_runner(void *user, const HolState *s, const HolMeasures *m)
{
    (void)m;
    RunnerErrors *e = user;
    const double v0 = 3, size = v0 * v0 / G, x = G * s->t / v0;
    keep_larger(&e->speed, hypot(s->v[0], s->v[1]) - v0);
    keep_larger(&e->velocity, s->v[0] - v0 / cosh(x));
    keep_larger(&e->velocity, s->v[1] + v0 * tanh(x));
    keep_larger(&e->place, s->q[0] - size * atan(sinh(x)));
    keep_larger(&e->place, s->q[1] + size * log(cosh(x)));
    keep_larger(&e->lambda, s->lambda[0] + G / v0 * tanh(x));
    return HOL_OK;
}

static void speed_is_held_and_the_path_is_known(void)
{
    RunnerErrors e = {0};
    HolSummary summary = run((Case){"constant-speed", NULL, 1e-3, 1, record_runner, &e, NULL});
    CHECK(summary.steps == 1000);
    CHECK_NEAR(e.speed, 0, 1e-13);
    CHECK_NEAR(e.velocity, 0, 1e-10);
    CHECK_NEAR(e.place, 0, 1e-10);
    CHECK_NEAR(e.lambda, 0, 1e-10);
    CHECK_NEAR(summary.max_energy_drift, 0, 1e-9);
}

/* The free body. With J1 < J2 < J3 and H^2 > 2 T J2 Euler's equations give w = (A cn, B sn, C dn)(p t + u0). */

static const double J[3] = {0.1, 0.2, 0.3};

typedef struct FreeBody {
    double momentum, energy, spin, flight; /* errors */
    double H2, T2;                         /* H^2 and 2 T of the start */
    Vector H;
} FreeBody;

static Vector angular_momentum(const HolState *s)
{
    return turned(s->q + 3, (Vector){J[0] * s->v[3], J[1] * s->v[4], J[2] * s->v[5]});
}

static double spin_error(const FreeBody *b, const HolState *s)
{
    double low = b->T2 * J[2] - b->H2, high = b->H2 - b->T2 * J[0];
    double A = sqrt(low / (J[0] * (J[2] - J[0]))), B = sqrt(low / (J[1] * (J[2] - J[1])));
    double C = sqrt(high / (J[2] * (J[2] - J[0]))), p = sqrt((J[2] - J[1]) * high / (J[0] * J[1] * J[2]));
    double k = sqrt((J[1] - J[0]) * low / ((J[2] - J[1]) * high));
    double u = p * s->t + inverse_amplitude(atan2(4 / B, 0.1 / A), k), am = amplitude(u, k);
    double dn = sqrt(1 - k * k * sin(am) * sin(am));
    return length((Vector){s->v[3] - A * cos(am), s->v[4] - B * sin(am), s->v[5] - C * dn});
}

static HolStatus record_free_body(void *user, const HolState *s, const HolMeasures *m)
{
    FreeBody *b = user;
    Vector H = angular_momentum(s);
    if (s->t == 0) {
        b->H = H;
        b->H2 = length(H) * length(H);
        b->T2 = J[0] * s->v[3] * s->v[3] + J[1] * s->v[4] * s->v[4] + J[2] * s->v[5] * s->v[5];
    }
    keep_larger(&b->momentum, length(sum(H, -1, b->H)));
    keep_larger(&b->energy, m->drift);
    keep_larger(&b->spin, spin_error(b, s));
    keep_larger(&b->flight, length(sum(vector(s->q), -s->t, vector(s->v))));
    return HOL_OK;
}

static FreeBody fly(double h)
{
    FreeBody b = {0};
    run((Case){"free-body", NULL, h, 3, record_free_body, &b, NULL});
    return b;
}

static void free_body_keeps_its_momentum_and_follows_euler(void)
{
    FreeBody b = fly(1e-3);
    CHECK_NEAR(b.momentum, 0, 1e-10);
    CHECK_NEAR(b.energy, 0, 1e-10);
    CHECK_NEAR(b.spin, 0, 1e-9);
    CHECK_NEAR(b.flight, 0, 1e-12);
}

static void free_body_converges_with_order_four(void)
{
    FreeBody coarse = fly(2e-2), fine = fly(1e-2);
    CHECK(coarse.spin > 1e-7 && coarse.momentum > 1e-9);
    CHECK(log2(coarse.spin / fine.spin) >= 3.9);
    CHECK(log2(coarse.momentum / fine.momentum) >= 3.9);
}

/* Bars on a pin in minimal coordinates, by steps ten times finer than those of the run: y = (phi, phidot, work). */

typedef void BarRates(double t, const double *y, double *ydot);

static void reference_step(BarRates *rates, double t, double h, double *y)
{
    double k[4][3], z[3];
    rates(t, y, k[0]);
    for (int stage = 1; stage < 4; stage++) {
        double d = stage < 3 ? h / 2 : h;
        for (int i = 0; i < 3; i++)
            z[i] = y[i] + d * k[stage - 1][i];
        rates(t + d, z, k[stage]);
    }
    for (int i = 0; i < 3; i++)
        y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

typedef struct BarReference {
    BarRates *rates;
    double t, y[3];
    double angle, rate, work, energy, drive, reaction; /* errors */
} BarReference;

static void reference_catch_up(BarReference *r, const HolState *s)
{
    enum { PARTS = 10 };
    double h = (s->t - r->t) / PARTS;
    for (int i = 0; h > 0 && i < PARTS; i++)
        reference_step(r->rates, r->t + i * h, h, r->y);
    r->t = s->t;
}

/* (1/3) phiddot = -(g/2) cos phi - c phidot, and the damper works -c phidot^2. */
static void damped_rates(double t, const double *y, double *ydot)
{
    const double c = 0.4;
    (void)t;
    ydot[0] = y[1];
    ydot[1] = 3 * (-G / 2 * cos(y[0]) - c * y[1]);
    ydot[2] = -c * y[1] * y[1];
}

static HolStatus record_damped(void *user, const HolState *s, const HolMeasures *m)
{
    BarReference *r = user;
    reference_catch_up(r, s);
    keep_larger(&r->angle, s->q[2] - r->y[0]);
    keep_larger(&r->rate, s->v[2] - r->y[1]);
    keep_larger(&r->work, m->work - r->y[2]);
    keep_larger(&r->energy, m->kinetic + m->potential - r->y[2]); /* it begins with nothing */
    return HOL_OK;
}

static void damped_pendulum_loses_what_its_damper_takes(void)
{
    BarReference r = {.rates = damped_rates};
    HolSummary summary = run((Case){"damped-pendulum", NULL, 1e-3, 3, record_damped, &r, NULL});
    CHECK(r.y[2] < -1);
    CHECK_NEAR(r.angle, 0, 1e-9);
    CHECK_NEAR(r.rate, 0, 1e-9);
    CHECK_NEAR(r.work, 0, 1e-9);
    CHECK_NEAR(r.energy, 0, 1e-9);
    CHECK_NEAR(summary.max_energy_drift, 0, 1e-9);
}

/* The driven crank of 0.5 m and 1 kg turns by theta = 4 t + 0.3 sin 2t; p is its tip. The bar (1 m, 2 kg) on it:
 *
 *     (1/3) phiddot = (1/2) (sin phi p_x'' - cos phi (g + p_y''))                 (m = 2 cancels)
 *     B = 2 (p'' + (1/2) (phiddot (-sin phi, cos phi) - phidot^2 (cos phi, sin phi)) + (0, g))   crank on bar
 *     torque = (1/12) theta'' + (1/4) g cos theta + p x B                         (1/12 = 1 0.5^2 / 3)
 *
 * and the work is the torque's, torque theta'. */
typedef struct Drive {
    double theta, rate, accel, px, py, ax, ay;
} Drive;

static Drive drive_at(double t)
{
    const double l = 0.5;
    Drive d = {4 * t + 0.3 * sin(2 * t), 4 + 0.6 * cos(2 * t), -1.2 * sin(2 * t), 0, 0, 0, 0};
    d.px = l * cos(d.theta);
    d.py = l * sin(d.theta);
    d.ax = -d.accel * d.py - d.rate * d.rate * d.px;
    d.ay = d.accel * d.px - d.rate * d.rate * d.py;
    return d;
}

static double bar_accel(const Drive *d, double phi)
{
    return 1.5 * (sin(phi) * d->ax - cos(phi) * (G + d->ay));
}

static double torque_at(const Drive *d, double phi, double rate)
{
    double accel = bar_accel(d, phi), c = cos(phi), s = sin(phi);
    double Bx = 2 * (d->ax + (-accel * s - rate * rate * c) / 2);
    double By = 2 * (d->ay + (accel * c - rate * rate * s) / 2 + G);
    return d->accel / 12 + G / 4 * cos(d->theta) + d->px * By - d->py * Bx;
}

static void driven_rates(double t, const double *y, double *ydot)
{
    Drive d = drive_at(t);
    ydot[0] = y[1];
    ydot[1] = bar_accel(&d, y[0]);
    ydot[2] = torque_at(&d, y[0], y[1]) * d.rate;
}

static HolStatus record_driven(void *user, const HolState *s, const HolMeasures *m)
{
    BarReference *r = user;
    reference_catch_up(r, s);
    Drive d = drive_at(s->t);
    keep_larger(&r->drive, s->q[2] - d.theta);
    keep_larger(&r->drive, s->v[2] - d.rate);
    keep_larger(&r->drive, s->vdot[2] - d.accel);
    keep_larger(&r->angle, s->q[5] - r->y[0]);
    keep_larger(&r->rate, s->v[5] - r->y[1]);
    keep_larger(&r->reaction, s->lambda[2] - torque_at(&d, r->y[0], r->y[1]));
    keep_larger(&r->work, m->work - r->y[2]);
    return HOL_OK;
}

static void driven_crank_keeps_its_angle_and_its_books(void)
{
    BarReference r = {.rates = driven_rates, .y = {-PI / 2, 0, 0}};
    HolSummary summary = run((Case){"rheonomic-crank", NULL, 1e-3, 2, record_driven, &r, NULL});
    CHECK(fabs(r.y[2]) > 1);
    CHECK_NEAR(r.drive, 0, 1e-12);
    CHECK_NEAR(r.angle, 0, 1e-8);
    CHECK_NEAR(r.rate, 0, 1e-8);
    CHECK_NEAR(r.reaction, 0, 1e-7);
    CHECK_NEAR(r.work, 0, 1e-8);
    CHECK_NEAR(summary.energy_final - summary.energy_initial, r.y[2], 1e-8);
    CHECK_NEAR(summary.max_energy_drift, 0, 1e-8);
}

/* The spherical pendulum, and the same without its redundant row. */

static HolSystem *create_without(const Wrapped *with)
{
    static const HolSystemOps ops = {.evaluate = wrapped_evaluate, .qdot = wrapped_qdot, .retract = wrapped_retract};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = with;
    spec.nq = 7;
    spec.nv = 6;
    spec.nh = 3;
    spec.scleronomic = true;
    HolSystem *system = NULL;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    return system;
}

typedef struct Spinning {
    double vertical, first; /* angular momentum about the vertical: largest change, value at the start */
} Spinning;

/* H_z about the joint of m = 2, J = (0.3, 0.2, 0.15) */
static double vertical_momentum(const HolState *s)
{
    const double I[3] = {0.3, 0.2, 0.15}, m = 2;
    Vector orbit = cross(vector(s->q), vector(s->v));
    Vector spin = turned(s->q + 3, (Vector){I[0] * s->v[3], I[1] * s->v[4], I[2] * s->v[5]});
    return m * orbit.z + spin.z;
}

static HolStatus record_spinning(void *user, const HolState *s, const HolMeasures *m)
{
    (void)m;
    Spinning *p = user;
    double H = vertical_momentum(s);
    if (s->t == 0)
        p->first = H;
    keep_larger(&p->vertical, H - p->first);
    return HOL_OK;
}

static void spherical_pendulum_keeps_its_vertical_momentum(void)
{
    Spinning p = {0};
    HolSummary summary = run((Case){"spherical-pendulum", NULL, 1e-3, 2, record_spinning, &p, NULL});
    CHECK_EQUAL_INT(summary.redundant_rows, 1);
    CHECK_EQUAL_INT(summary.dof, 3);
    CHECK(fabs(p.first) > 0.1);
    CHECK_NEAR(p.vertical, 0, 1e-9);
    CHECK_NEAR(summary.max_energy_drift, 0, 1e-9);
    CHECK_NEAR(summary.max_position_violation, 0, 1e-13);
}

static void a_redundant_row_changes_nothing(void)
{
    Scene *scene = scene_create("spherical-pendulum", 0);
    REQUIRE(scene != NULL);
    HolSimulationOptions options = run_options("direct-correction", "rk4", 1e-3);
    HolRun request = {.until = 2};
    Wrapped spared;
    CHECK_OK(wrapped_open(scene->system, &spared));
    HolSystem *system = create_without(&spared);
    Result with = run_system(scene->system, &scene->start, &options, &request);
    Result without = run_system(system, &scene->start, &options, &request);
    CHECK_OK(with.status);
    CHECK_OK(without.status);
    CHECK_EQUAL_INT(without.summary.redundant_rows, 0);
    for (int i = 0; i < 7; i++)
        CHECK_NEAR(with.q[i], without.q[i], 1e-11);
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(with.v[i], without.v[i], 1e-10);
    hol_system_destroy(system);
    wrapped_close(&spared);
    scene_destroy(scene);
}

CHECK_MAIN(TEST(pendulum_follows_the_elliptic_function), TEST(pendulum_returns_after_its_period),
           TEST(every_formulation_swings_the_pendulum), TEST(disc_rolls_without_slip_and_keeps_its_energy),
           TEST(disc_in_steady_rolling_describes_its_circle), TEST(speed_is_held_and_the_path_is_known),
           TEST(free_body_keeps_its_momentum_and_follows_euler), TEST(free_body_converges_with_order_four),
           TEST(damped_pendulum_loses_what_its_damper_takes), TEST(driven_crank_keeps_its_angle_and_its_books),
           TEST(spherical_pendulum_keeps_its_vertical_momentum), TEST(a_redundant_row_changes_nothing))
