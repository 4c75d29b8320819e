/* SPDX-License-Identifier: BSD-3-Clause */
/* The built-in models with nonholonomic rows: with the default formulation all of them keep their velocities to
 * rounding, in both kinds of coordinates; the ball in the bowl keeps its first integral and converges with the order of
 * rk4; the biped recovers from an open start; the bicycle is neutral at the speeds that are published for it. */
#include "recorded.h"

/* settings: "path=value" or the name of a variant, ..., NULL at the end */
static bool open_scene(Recorded *s, const char *name, const char *const *settings)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, name));
    if (settings[0] && !strchr(settings[0], '='))
        CHECK_OK(hol_model_choose(model, *settings++));
    for (int i = 0; settings[i]; ++i) {
        char path[100];
        snprintf(path, sizeof path, "%.*s", (int)strcspn(settings[i], "="), settings[i]);
        CHECK_OK(hol_model_set(model, path, "%s", strchr(settings[i], '=') + 1));
    }
    return recorded_open(s, model, "all");
}

/* ---- All of them ---- */

static bool is_nonholonomic(const char *name)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    CHECK_OK(hol_model_load(model, name));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    bool found = mechanism && hol_system_pattern(hol_mechanism_system(mechanism))->nn > 0;
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    return found;
}

/* Two seconds with steps of 1 ms; largest violations of velocities of up to 16 rad/s. */
static void keep_velocities(const char *name)
{
    static const char *const settings[2][3] = {{"run.coordinates=reference-point", "run.step=1e-3"},
                                               {"run.coordinates=natural", "run.step=1e-3"}};
    Recorded s[2] = {{0}};
    bool ran = true;
    for (int k = 0; k < 2; ++k) {
        CHECK_CONTEXT("%s, %s", name, settings[k][0]);
        ran = open_scene(&s[k], name, settings[k]) && recorded_go_to(&s[k], 2) && ran;
        HolSummary summary = hol_simulation_summary(s[k].simulation);
        CHECK_NEAR(summary.max_velocity_violation, 0, 2e-14);
        CHECK_NEAR(summary.max_position_violation, 0, 1e-12);
    }
    for (int i = 0; ran && i < hol_recorder_column_count(s[0].recorder); ++i) {
        const char *column = hol_recorder_column(s[0].recorder, i);
        CHECK_CONTEXT("%s: %s", name, column);
        bool has_sign = !strstr(column, ".e") || strstr(column, "energy"); /* e and -e are one orientation */
        CHECK_NEAR(has_sign ? s[1].values[i] : fabs(s[1].values[i]), has_sign ? s[0].values[i] : fabs(s[0].values[i]),
                   2e-7);
    }
    for (int k = 0; k < 2; ++k)
        recorded_close(&s[k]);
}

static void velocities_are_kept_to_rounding(void)
{
    int count = 0;
    for (int i = 0; i < hol_library_count(); ++i)
        if (is_nonholonomic(hol_library_model(i).name)) {
            keep_velocities(hol_library_model(i).name);
            ++count;
        }
    CHECK(count >= 6);
}

/* ---- The ball in the bowl ---- */

static const double RHO = 7;

/* beta' cos^2 alpha + 2 r w/(7 rho) sin alpha, which is constant; so is w, the spin about the line to the middle. */
static double first_integral(const Recorded *s)
{
    double x = recorded_value(s, "ball.x"), y = recorded_value(s, "ball.y"), z = recorded_value(s, "ball.z");
    double w =
        (x * recorded_value(s, "ball.wx") + y * recorded_value(s, "ball.wy") + z * recorded_value(s, "ball.wz")) / RHO;
    return (x * recorded_value(s, "ball.vy") - y * recorded_value(s, "ball.vx")) / (RHO * RHO) +
           2 * w / (7 * RHO) * (-z / RHO);
}

static void ball_keeps_its_first_integral(void)
{
    static const char *const as_is[] = {NULL};
    Recorded s;
    double worst = 0;
    if (open_scene(&s, "ball-in-bowl", as_is))
        for (int i = 0; i <= 100 && (i == 0 || recorded_go_to(&s, i)); ++i)
            worst = fmax(worst, fabs(first_integral(&s) - 0.5288615012729203));
    CHECK_NEAR(worst, 0, 1e-7);
    CHECK_NEAR(recorded_value(&s, "t"), 100, 1e-12);
    CHECK_NEAR(recorded_value(&s, "energy.total"), -22.632022664080218, 2e-6);
    recorded_close(&s);
}

/* The error of alpha and beta at t = 1, from an independent integration. */
static double ball_error(const char *step)
{
    const char *const settings[] = {step, NULL};
    Recorded s;
    double error = INFINITY;
    if (open_scene(&s, "ball-in-bowl", settings) && recorded_go_to(&s, 1))
        error = hypot(asin(-recorded_value(&s, "ball.z") / RHO) - 1.0449845333244006,
                      atan2(recorded_value(&s, "ball.y"), recorded_value(&s, "ball.x")) - 1.7386516987572997);
    recorded_close(&s);
    return error;
}

static void ball_converges_with_the_order_of_rk4(void)
{
    double coarse = ball_error("run.step=20 ms"), fine = ball_error("run.step=10 ms");
    CHECK_NEAR(fine, 0, 2e-8);
    CHECK_NEAR(log2(coarse / fine), 4, 0.15);
}

/* ---- The biped ---- */

/* As printed, its heel is under the ground; the first step brings it up, and the drives have it then. */
static void biped_recovers_from_the_printed_start(void)
{
    static const char *const printed[] = {"printed", NULL};
    Recorded s;
    if (open_scene(&s, "biped", printed)) {
        CHECK_NEAR(recorded_value(&s, "heel_f.y"), -0.012831809956663581, 1e-15);
        CHECK_NEAR(recorded_value(&s, "toe_r.y"), -0.010489062911100591, 1e-15);
        CHECK_NEAR(recorded_value(&s, "violation.position"), 0.012831809956663581, 1e-15);
        CHECK_NEAR(recorded_value(&s, "knee_f.x"), 0.056 - 0.3245184 * cos(1.4) - 0.441 * cos(2), 1e-15);
        if (recorded_go_to(&s, 0.01))
            CHECK_NEAR(recorded_value(&s, "violation.position"), 0, 1e-14);
        if (recorded_go_to(&s, 1)) {
            CHECK_NEAR(recorded_value(&s, "violation.velocity"), 0, 1e-14);
            CHECK_NEAR(recorded_value(&s, "trunk.phi"), 1.7453292519943295, 1e-13);
        }
    }
    recorded_close(&s);
}

/* The same start by explicit-dae, and 50 periods after the first second. Corrections of stages leave O(h^2). */
static void biped_recovers_without_iterations(void)
{
    static const char *const settings[2][3] = {
        {"printed", "run.formulation={kind: explicit-dae, correction: step}"},
        {"printed", "run.formulation={kind: explicit-dae, correction: stages}"},
    };
    static const double position[2] = {1e-14, 5.2e-6}, velocity[2] = {1e-14, 1.7e-5};
    for (int k = 0; k < 2; ++k) {
        CHECK_CONTEXT("%s", settings[k][1]);
        Recorded s;
        double worst[2] = {0};
        bool runs = open_scene(&s, "biped", settings[k]);
        for (int i = 0; runs && i <= 900; ++i) {
            runs = recorded_go_to(&s, 1 + 0.11 * i);
            worst[0] = fmax(worst[0], recorded_value(&s, "violation.position"));
            worst[1] = fmax(worst[1], recorded_value(&s, "violation.velocity"));
        }
        CHECK(recorded_value(&s, "t") > 99.9);
        CHECK_NEAR(worst[0], 0, position[k]);
        CHECK_NEAR(worst[1], 0, velocity[k]);
        recorded_close(&s);
    }
}

/* ---- The bicycle ---- */

/* E^(1/2) is by how much an oscillation grows from one to the next of four samples, equally far apart. */
static double growth(const double x[4])
{
    return 0.5 * log((x[2] * x[2] - x[1] * x[3]) / (x[1] * x[1] - x[0] * x[2]));
}

/* Published for the linearised bicycle: weave is neutral at 4.292383 m/s. After 18 s it is all that is left. */
static void bicycle_weaves_at_the_published_speed(void)
{
    static const char *const settings[] = {"parameters.speed=4.292383", "parameters.lean_rate=1e-4", NULL};
    double lean[4] = {0}, yaw[4] = {0};
    Recorded s;
    if (open_scene(&s, "bicycle", settings))
        for (int i = 0; i < 4 && recorded_go_to(&s, 18 + 0.3 * i); ++i) {
            lean[i] = recorded_value(&s, "frame.wx");
            yaw[i] = recorded_value(&s, "frame.wz");
        }
    CHECK(fabs(lean[0]) + fabs(lean[2]) > 1e-6);
    CHECK_NEAR(growth(lean) / 0.3, 0, 2e-6);
    CHECK_NEAR(growth(yaw) / 0.3, 0, 2e-6);
    recorded_close(&s);
}

/* And capsize is neutral at 6.024262 m/s: it goes round in a circle. */
static void bicycle_capsizes_at_the_published_speed(void)
{
    static const char *const settings[] = {"parameters.speed=6.024262", "parameters.lean_rate=1e-4", NULL};
    double yaw[2] = {0};
    Recorded s;
    if (open_scene(&s, "bicycle", settings))
        for (int i = 0; i < 2 && recorded_go_to(&s, 15 + 5 * i); ++i)
            yaw[i] = recorded_value(&s, "frame.wz");
    CHECK(fabs(yaw[0]) > 1e-6);
    CHECK_NEAR(log(yaw[1] / yaw[0]) / 5, 0, 1e-6);
    recorded_close(&s);
}

static void bicycle_keeps_its_energy(void)
{
    static const char *const as_is[] = {NULL};
    Recorded s;
    if (open_scene(&s, "bicycle", as_is)) {
        double start = recorded_value(&s, "energy.total");
        if (recorded_go_to(&s, 5))
            CHECK_NEAR(recorded_value(&s, "energy.total"), start, 1e-11 * start);
        CHECK_EQUAL_INT(hol_system_pattern(hol_mechanism_system(s.mechanism))->nn, 4);
    }
    recorded_close(&s);
}

CHECK_MAIN(TEST(velocities_are_kept_to_rounding), TEST(ball_keeps_its_first_integral),
           TEST(ball_converges_with_the_order_of_rk4), TEST(biped_recovers_from_the_printed_start),
           TEST(biped_recovers_without_iterations), TEST(bicycle_weaves_at_the_published_speed),
           TEST(bicycle_capsizes_at_the_published_speed), TEST(bicycle_keeps_its_energy))
