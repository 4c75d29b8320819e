/* SPDX-License-Identifier: BSD-3-Clause */
/* Scaled penalties and redundant rows: the pendulums on two supports and the spatial parallelogram of F. Gonzalez and
 * J. Kovecses, Multibody System Dynamics 29, 2013, against solutions computed without the library (tools/references). */
#include <holon/mechanism.h>

#include "check.h"

static const char index3[] = "index3-augmented-lagrangian";

/* ---- A built-in model with changes, looked at in every record ---- */

typedef struct Change {
    const char *path, *text;
} Change;

typedef struct Reader {
    void (*look)(struct Reader *reader, double t);
    void *into;
    HolRecorder *recorder;
    double values[400];
    int states;
} Reader;

static double value(const Reader *reader, const char *part, const char *column)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", part, column);
    int index = hol_recorder_find(reader->recorder, name);
    return CHECK(index >= 0) ? reader->values[index] : NAN;
}

static HolStatus record(void *user, const HolState *state, const HolMeasures *measures)
{
    Reader *reader = user;
    HolStatus status = hol_recorder_read(reader->recorder, state, measures, reader->values);
    if (status == HOL_OK) {
        reader->states++;
        reader->look(reader, state->t);
    }
    return status;
}

static HolMechanism *open_mechanism(const char *name, const Change *changes)
{
    HolMechanism *mechanism = NULL;
    HolMessage message = {{0}};
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, name));
    for (; changes && changes->path; changes++)
        CHECK_OK(hol_model_set(model, changes->path, "%s", changes->text));
    if (CHECK_OK(hol_mechanism_create(model, &mechanism)) && !CHECK_OK(hol_mechanism_assemble(mechanism, &message)))
        printf("    %s\n", message.text);
    for (int i = 0; i < hol_model_error_count(model); ++i)
        printf("    %s\n", hol_model_error(model, i));
    hol_model_destroy(model);
    return mechanism;
}

static void run_model(const char *name, const Change *changes, double until, double every, Reader *reader)
{
    static const char *const columns[] = {"bodies", "points", "reactions"};
    HolMessage message = {{0}};
    HolSimulation *simulation = NULL;
    HolMechanism *mechanism = open_mechanism(name, changes);
    REQUIRE(mechanism != NULL);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    HolRun run = {.until = until, .every = every, .record = record, .user = reader};
    CHECK_OK(hol_recorder_create(mechanism, columns, 3, &reader->recorder, &message));
    CHECK(hol_recorder_column_count(reader->recorder) <= 400);
    if (!CHECK_OK(hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message)))
        printf("    %s\n", message.text);
    else if (!CHECK_OK(hol_simulation_run(simulation, &run)))
        printf("    %s\n", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    hol_recorder_destroy(reader->recorder);
    hol_mechanism_destroy(mechanism);
}

/* ---- Pendulums: 1 kg at the end of 2 m, let go from the horizontal ---- */

static const double weight = 9.81, length = 2;

/* cn(u | 1/2), by the arithmetic-geometric mean; K is the quarter period. */
static double cosine_amplitude(double u, double *K)
{
    double a[12] = {1}, b = sqrt(0.5), c[12] = {sqrt(0.5)};
    int n = 0;
    for (; n < 8; n++) {
        a[n + 1] = (a[n] + b) / 2;
        c[n + 1] = (a[n] - b) / 2;
        b = sqrt(a[n] * b);
    }
    double phi = ldexp(a[n], n) * u;
    for (; n > 0; n--)
        phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
    *K = acos(-1) / (2 * b);
    return cos(phi);
}

/* -3 m g sin(theta) = 3 m g cn^2(sqrt(g/l) t + K) */
static double exact_tension(double t)
{
    double K;
    cosine_amplitude(0, &K);
    double cn = cosine_amplitude(sqrt(9.81 / length) * t + K, &K);
    return 3 * weight * cn * cn;
}

typedef struct Supports {
    const char *body, *first, *second;
    double share, extra;                           /* expected of the first: part of the force, and tension besides */
    double worst_share, worst_force, worst_across; /* N, the last without the preload */
} Supports;

/* The tension of a support is what pulls the body towards the origin. */
static void look_at_supports(Reader *reader, double t)
{
    Supports *s = reader->into;
    double x = value(reader, s->body, "x") / length, y = value(reader, s->body, "y") / length, f[2], exact[2];
    const char *const names[2] = {s->first, s->second};
    for (int i = 0; i < 2; i++) {
        double fx = value(reader, names[i], "fx"), fy = value(reader, names[i], "fy");
        f[i] = -fx * x - fy * y;
        s->worst_across = fmax(s->worst_across, fabs(fx * y - fy * x));
    }
    exact[0] = s->share * exact_tension(t) + s->extra;
    exact[1] = (1 - s->share) * exact_tension(t) - s->extra;
    for (int i = 0; i < 2; i++)
        s->worst_force = fmax(s->worst_force, fabs(f[i] - exact[i]));
    s->worst_share = fmax(s->worst_share, fabs(f[0] - s->extra - s->share * (f[0] + f[1])));
}

static Supports expect(double share, double extra)
{
    return (Supports){.body = "P", .first = "rod1", .second = "rod2", .share = share, .extra = extra};
}

/* At all 10001 records: each force, and how they are shared whatever the sum. */
static void check_supports(const char *model, const Change *changes, Supports s, double force, double share)
{
    Reader reader = {.look = look_at_supports, .into = &s};
    run_model(model, changes, 10, 0, &reader);
    CHECK_EQUAL_INT(reader.states, 10001);
    CHECK_NEAR(s.worst_force, 0, force);
    CHECK_NEAR(s.worst_share, 0, share);
    CHECK_NEAR(s.worst_across, 0, fmax(force / 10, 1e-9));
}

static void closed_form_is_that_of_the_tables(void)
{
    static const double t[3] = {0.5, 1, 5}, force[3] = {16.752784448332957, 25.838706221440287, 0.03802011930040928};
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(exact_tension(t[i]), force[i], 1e-12);
}

static void penalties_share_by_their_ratio_whatever_their_size(void)
{
    static const char *const alphas[] = {"0", "1e6", "1e9", "1e12"};
    for (int i = 0; i < 4; i++) {
        CHECK_CONTEXT("alpha %s", alphas[i]);
        const Change method = {"run.formulation", index3}, alpha = {"run.formulation.alpha", alphas[i]};
        check_supports("pendulum-two-rods", (Change[]){method, alpha, {0}}, expect(1.0 / 3, 0), 1e-3, 1e-6);
        check_supports("pendulum-preload", (Change[]){method, alpha, {0}}, expect(1.0 / 3, -4), 1e-3, 1e-6);
    }
}

static void penalties_of_one_size_share_equally(void)
{
    check_supports("pendulum-two-rods",
                   (Change[]){{"run.formulation", index3},
                              {"joints.rod1.stiffness", "~"},
                              {"joints.rod2.stiffness", "~"},
                              {"run.reactions", "as-computed"},
                              {0}},
                   expect(0.5, 0), 1e-3, 1e-6);
}

static void reactions_are_reported_as_asked_for(void)
{
    check_supports("pendulum-two-rods", NULL, expect(1.0 / 3, 0), 1e-8, 1e-8);
    check_supports("pendulum-two-rods", (Change[]){{"run.reactions", "minimum-norm"}, {0}}, expect(0.5, 0), 1e-8, 1e-8);
    check_supports("pendulum-two-rods", (Change[]){{"run.reactions", "elimination"}, {0}}, expect(1, 0), 1e-8, 0);
    check_supports("pendulum-preload", NULL, expect(1.0 / 3, -4), 1e-6, 1e-6);
}

static void bearings_share_like_rods(void)
{
    Supports s = {.body = "rod", .first = "bearing1", .second = "bearing2", .share = 1.0 / 3};
    check_supports("pendulum-two-bearings", (Change[]){{"run.formulation", index3}, {0}}, s, 1e-3, 1e-6);
    check_supports("pendulum-two-bearings", NULL, s, 1e-4, 1e-8); /* a bar of 1e-6 kg m^2 swings a little slower */
}

/* ---- The spatial parallelogram ---- */

enum { RODS = 6, TIMES = 4 };

static const struct {
    const char *base, *plate;
    double at_plate[2], at_base[2]; /* tension at t = 0 and 0.5 s */
} rods[RODS] = {
    {"A", "B", {214.6200956315863, 237.4602914972259}, {212.2616116736167, 235.4350064419273}},
    {"C", "D", {921.7268768181338, 956.7652903400056}, {919.3683928601642, 954.740005284707}},
    {"E", "F", {1770.255014241991, 1805.293427763863}, {1767.896530284021, 1803.268142708564}},
    {"G", "H", {1063.148233055443, 1085.988428921083}, {1060.789749097474, 1083.963143865784}},
    {"K", "L", {-569.4823055214973, -523.5823945131643}, {-567.1238215635277, -520.8907116525236}},
    {"M", "N", {844.7312568515977, 915.0276031723951}, {847.0897408095674, 917.7192860330358}},
};

static const double times[TIMES] = {0, 0.1, 0.2, 0.5};
static const double angles[TIMES] = {0, 0.4405659956499552, 1.1039578293139263, 0.02808649491922543};

typedef struct Parallelogram {
    double theta[TIMES], plate[TIMES][RODS], base[TIMES][RODS]; /* tensions at both ends */
} Parallelogram;

/* Of a joint, along its rod. */
static double tension(const Reader *reader, int rod, const char *joint)
{
    static const char *const places[3] = {"x", "y", "z"}, *const forces[3] = {"fx", "fy", "fz"};
    double sum = 0, squares = 0;
    for (int i = 0; i < 3; i++) {
        double u = value(reader, rods[rod].plate, places[i]) - value(reader, rods[rod].base, places[i]);
        sum -= u * value(reader, joint, forces[i]);
        squares += u * u;
    }
    return sum / sqrt(squares);
}

static void look_at_parallelogram(Reader *reader, double t)
{
    Parallelogram *found = reader->into;
    for (int i = 0; i < TIMES; i++) {
        if (fabs(t - times[i]) > 1e-9)
            continue;
        found->theta[i] = atan2(value(reader, "plate", "x") - 0.25, value(reader, "plate", "y") - 0.25);
        for (int rod = 0; rod < RODS; rod++) {
            found->plate[i][rod] = tension(reader, rod, rods[rod].plate);
            found->base[i][rod] = tension(reader, rod, rods[rod].base);
        }
    }
}

static Parallelogram run_parallelogram(const Change *changes, double until)
{
    Parallelogram found;
    memset(&found, 0, sizeof found);
    Reader reader = {.look = look_at_parallelogram, .into = &found};
    run_model("spatial-parallelogram", changes, until, 0.1, &reader);
    CHECK_EQUAL_INT(reader.states, (int)(until / 0.1 + 1.5));
    return found;
}

/* At 0 and 0.5 s, as a part of each load. */
static void check_loads(const Parallelogram *found, double tolerance)
{
    for (int rod = 0; rod < RODS; rod++)
        for (int k = 0; k < 2; k++) {
            int i = k ? TIMES - 1 : 0;
            CHECK_CONTEXT("%s at %g s", rods[rod].base, times[i]);
            CHECK_NEAR(found->plate[i][rod] / rods[rod].at_plate[k], 1, tolerance);
            CHECK_NEAR(found->base[i][rod] / rods[rod].at_base[k], 1, tolerance);
        }
}

static double worst_angle(const Parallelogram *found)
{
    double worst = 0;
    for (int i = 0; i < TIMES; i++)
        worst = fmax(worst, fabs(found->theta[i] - angles[i]));
    return worst;
}

static void index3_finds_motion_and_loads(void)
{
    static const char *const steps[3] = {"1e-3", "0.5e-3", "0.25e-3"};
    double error[3];
    for (int i = 0; i < 3; i++) {
        CHECK_CONTEXT("step %s", steps[i]);
        Change changes[] = {{"run.formulation", index3}, {"run.step", steps[i]}, {0}};
        Parallelogram found = run_parallelogram(changes, 0.5);
        error[i] = worst_angle(&found);
        check_loads(&found, 1e-3);
    }
    CHECK_NEAR(error[0], 0, 2e-4);
    CHECK_NEAR(error[0] / error[1], 4, 0.2);
    CHECK_NEAR(error[1] / error[2], 4, 0.2);
}

static void the_default_finds_them_closer(void)
{
    Parallelogram found = run_parallelogram(NULL, 0.5);
    CHECK_NEAR(worst_angle(&found), 0, 1e-7);
    check_loads(&found, 1e-7);
}

static void natural_coordinates_find_the_same(void)
{
    Parallelogram found =
        run_parallelogram((Change[]){{"run.formulation", index3}, {"run.coordinates", "natural"}, {0}}, 0.5);
    CHECK_NEAR(worst_angle(&found), 0, 2e-4);
    check_loads(&found, 1e-3);
}

/* GH of half the stiffness: its tension and that of CD fall, that of AB and EF grow by the same. */
static void a_softer_rod_carries_less(void)
{
    static const double plate[RODS] = {427.0139860429514, 709.3329864067683,  1982.648904653356,
                                       850.7543426440782, -569.4823055214973, 844.7312568515977};
    Parallelogram found = run_parallelogram((Change[]){{"run.formulation", index3},
                                                       {"joints.G.stiffness", "rod_stiffness"},
                                                       {"joints.H.stiffness", "rod_stiffness"},
                                                       {0}},
                                            0);
    for (int rod = 0; rod < RODS; rod++)
        CHECK_NEAR(found.plate[0][rod] / plate[rod], 1, 1e-3);
}

static void the_size_of_the_penalty_does_not_matter(void)
{
    static const char *const alphas[3] = {"8.89e6", "8.89e7", "8.89e8"};
    Parallelogram found[3];
    for (int i = 0; i < 3; i++)
        found[i] = run_parallelogram((Change[]){{"run.formulation", index3},
                                                {"run.formulation.alpha", alphas[i]},
                                                {"run.formulation.max_iterations", "2000"},
                                                {0}},
                                     0.1);
    for (int i = 1; i < 3; i++)
        for (int rod = 0; rod < RODS; rod++) {
            CHECK_CONTEXT("%s, alpha %s", rods[rod].base, alphas[i]);
            CHECK_NEAR(found[i].plate[1][rod] / found[0].plate[1][rod], 1, 1e-3);
            CHECK_NEAR(found[i].base[1][rod] / found[0].base[1][rod], 1, 1e-3);
        }
}

static void one_row_is_redundant_and_two_rods_do_not_mind(void)
{
    HolDiagnosis *diagnosis = NULL;
    HolMessage message = {{0}};
    HolMechanism *mechanism = open_mechanism("spatial-parallelogram", NULL);
    REQUIRE(mechanism != NULL);
    REQUIRE_OK(hol_mechanism_diagnose(mechanism, NULL, &diagnosis, &message));
    CHECK_EQUAL_INT(diagnosis->dof, 7);
    CHECK_EQUAL_INT(diagnosis->redundant_rows, 1);
    CHECK_EQUAL_INT(diagnosis->self_stress_count, 1);
    CHECK_EQUAL_INT(diagnosis->joint_count, 2 * RODS);
    for (int i = 0; i < diagnosis->joint_count; i++) {
        const char *name = hol_mechanism_joint(mechanism, i).name;
        bool is_unique = strchr("KLMN", name[0]) != NULL, found = true;
        for (int k = 0; k < 6; k++)
            found = found && diagnosis->joints[i].unique[k];
        CHECK_CONTEXT("%s", name);
        CHECK_EQUAL_INT(found, is_unique);
    }
    hol_diagnosis_destroy(diagnosis);
    hol_mechanism_destroy(mechanism);
}

CHECK_MAIN(TEST(closed_form_is_that_of_the_tables), TEST(penalties_share_by_their_ratio_whatever_their_size),
           TEST(penalties_of_one_size_share_equally), TEST(reactions_are_reported_as_asked_for),
           TEST(bearings_share_like_rods), TEST(index3_finds_motion_and_loads), TEST(the_default_finds_them_closer),
           TEST(natural_coordinates_find_the_same), TEST(a_softer_rod_carries_less),
           TEST(the_size_of_the_penalty_does_not_matter), TEST(one_row_is_redundant_and_two_rods_do_not_mind))
