/* SPDX-License-Identifier: BSD-3-Clause */
/* Assembly from far away: bodies scattered by metres and turned by radians, links in one line, redundant rows, masses
 * and units of all sizes; and what cannot be assembled, with the least gap in closed form. */
#include <holon/holon.h>

#include "check.h"
#include "linkage.h"
#include "random.h"
#include "systems/scenes.h"
#include "wrapped.h"

#include <stdlib.h>

/* How far a coordinate is moved and turned at most. */
typedef struct Scatter {
    double move, turn;
} Scatter;

static const Scatter scatters[] = {{0.1, 0.2}, {0.3, 0.5}, {1, 1}, {3, 1.5}, {5, 2}, {10, 3.1}};
enum { SCATTERS = sizeof scatters / sizeof *scatters, SEEDS = 25, MOST = 512 };

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fabs(x[i]) <= most ? most : fabs(x[i]);
    return most;
}

/* max |Phi| and max |D v - nu| are zero, the latter to a part of what D and v may give. */
static void check_consistent(const HolSystem *system, double t, const double *q, const double *v, double tolerance)
{
    const HolPattern *p = hol_system_pattern(system);
    HolTerms *terms = NULL;
    double rate[MOST] = {0};
    REQUIRE_OK(hol_terms_create(system, &terms));
    CHECK_OK(hol_system_evaluate(system, &(HolPoint){t, q, v}, HOL_WANT_ALL, terms));
    for (int k = 0; k < p->pair_count; k++) {
        int row = p->group_start[p->pairs[k].row], column = p->block_start[p->pairs[k].column];
        int n = p->block_start[p->pairs[k].column + 1] - column;
        for (int i = 0; i < p->pair_start[k + 1] - p->pair_start[k]; i++)
            rate[row + i / n] += terms->D[p->pair_start[k] + i] * v[column + i % n];
    }
    for (int i = 0; i < p->m; i++)
        rate[i] -= terms->nu[i];
    CHECK_NEAR(largest(p->nh, terms->Phi), 0, 1e-13 * (1 + largest(p->nq, q)));
    double entry = largest(p->pair_start[p->pair_count], terms->D);
    CHECK_NEAR(largest(p->m, rate), 0, tolerance * (1 + entry) * (1 + largest(p->nv, v)));
    hol_terms_destroy(terms);
}

static void check_assembly_within(const HolSystem *system, double t, double *q, double tolerance)
{
    double v[MOST];
    HolMessage message = {""};
    random_fill(hol_system_pattern(system)->nv, v);
    if (CHECK_OK(hol_assemble(system, t, q, v, &message)))
        check_consistent(system, t, q, v, tolerance);
    else
        printf("    %s\n", message.text);
}

static void check_assembly(const HolSystem *system, double t, double *q)
{
    check_assembly_within(system, t, q, 1e-12);
}

/* Scenes; turns: which coordinates of a body turn it, as the first of how many. */
static const struct {
    const char *name;
    int n, first_turn, of;
} scenes[] = {
    {"four-bar", 0, 2, 3},        {"n-four-bar", 2, 2, 3},      {"planar-chain", 10, 2, 3},
    {"spatial-chain", 3, 3, 6},   {"spatial-chain", 10, 3, 6},  {"slider-crank", 0, 3, 3},
    {"pendulum", 0, 2, 2},        {"double-pendulum", 0, 4, 4}, {"spherical-pendulum", 0, 3, 6},
    {"rheonomic-crank", 0, 2, 3},
};

static void scattered_scenes_find_together(void)
{
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        Scene *scene = scene_create(scenes[k].name, scenes[k].n);
        REQUIRE(scene != NULL);
        const HolPattern *p = hol_system_pattern(scene->system);
        for (int i = 0; i < SCATTERS * SEEDS; i++) {
            const Scatter *s = &scatters[i / SEEDS];
            double q[MOST], w[MOST];
            CHECK_CONTEXT("%s %d, %g m and %g rad, seed %d", scenes[k].name, scenes[k].n, s->move, s->turn, i % SEEDS);
            random_seed(1000 + (unsigned)i);
            for (int j = 0; j < p->nv; j++)
                w[j] = (j % scenes[k].of < scenes[k].first_turn ? s->move : s->turn) * random_number();
            hol_system_retract(scene->system, scene->start.q, w, q);
            check_assembly(scene->system, scene->start.t, q);
        }
        scene_destroy(scene);
    }
}

/* Linkages */

static void check_scattered_within(Linkage *linkage, const char *name, double unit, double tolerance)
{
    HolSystem *system = linkage_create(linkage);
    REQUIRE(system != NULL);
    for (int i = 0; i < SCATTERS * SEEDS; i++) {
        const Scatter *s = &scatters[i / SEEDS];
        double q[LINKAGE_NUMBERS];
        CHECK_CONTEXT("%s, %g m and %g rad, seed %d", name, s->move, s->turn, i % SEEDS);
        random_seed(2000 + (unsigned)i);
        linkage_scatter(linkage, system, unit * s->move, s->turn, q);
        check_assembly_within(system, 0, q, tolerance);
    }
    hol_system_destroy(system);
}

static void check_scattered(Linkage *linkage, const char *name, double unit)
{
    check_scattered_within(linkage, name, unit, 1e-12);
}

/* Loops in space: four and five hinges about parallel axes have three redundant rows; seven hinges leave one freedom. */
static void scattered_linkages_find_together(void)
{
    Linkage four_bar = linkage_four_bar(1, 2, 2, 2.5), rssr = linkage_polygon(4, 9, 0),
            balls = linkage_polygon(6, 0, 0);
    Linkage parallel = linkage_polygon(4, 15, 0), five = linkage_polygon(5, 31, 0),
            seven = linkage_polygon(7, 127, 0.3);
    check_scattered(&four_bar, "four-bar", 1);
    check_scattered(&rssr, "two hinges, two balls", 1);
    check_scattered(&balls, "six balls", 1);
    check_scattered(&parallel, "four parallel hinges", 1);
    check_scattered(&five, "five parallel hinges", 1);
    check_scattered(&seven, "seven hinges", 1);
}

/* Metres, millimetres or kilometres, and every other body a thousand times as heavy. */
static void units_and_masses_do_not_matter(void)
{
    static const double units[] = {1e-3, 1, 1e3};
    for (int i = 0; i < 6; i++) {
        Linkage four_bar = linkage_four_bar(1, 2, 2, 2.5), seven = linkage_polygon(7, 127, 0.3);
        four_bar.mass[1] = seven.mass[1] = seven.mass[3] = seven.mass[5] = i < 3 ? 1 : 1e3;
        linkage_scale(&four_bar, units[i % 3]);
        linkage_scale(&seven, units[i % 3]);
        check_scattered(&four_bar, i < 3 ? "four-bar in another unit" : "heavy four-bar in another unit", units[i % 3]);
        check_scattered(&seven, i < 3 ? "hinges in another unit" : "heavy hinges in another unit", units[i % 3]);
    }
}

/* Rows multiplied by 1e-4 ... 1e4 ask the same, and the way is the same too. */
static void the_scale_of_rows_does_not_matter(void)
{
    static const double scales[] = {1e4, 1e-4, 1e2, 1e-3};
    Linkage plain = linkage_four_bar(1, 2, 2, 2.5), scaled = plain;
    for (int j = 0; j < 4; j++)
        scaled.joints[j].scale = scales[j];
    HolSystem *one = linkage_create(&plain), *other = linkage_create(&scaled);
    REQUIRE(one != NULL && other != NULL);
    for (int i = 0; i < SCATTERS * SEEDS; i++) {
        double q[9], q_scaled[9];
        random_seed(3000 + (unsigned)i);
        linkage_scatter(&plain, one, scatters[i / SEEDS].move, scatters[i / SEEDS].turn, q);
        memcpy(q_scaled, q, sizeof q);
        CHECK_CONTEXT("seed %d", i);
        CHECK_OK(hol_assemble_positions(one, 0, q, NULL));
        CHECK_OK(hol_assemble_positions(other, 0, q_scaled, NULL));
        for (int k = 0; k < 9; k++)
            CHECK_NEAR(q_scaled[k], q[k], 1e-6);
    }
    hol_system_destroy(one);
    hol_system_destroy(other);
}

/* Every link lies flat, so that the loop is open by as much as a link is long. */
static void a_loop_may_be_open_by_a_link(void)
{
    Linkage l = linkage_four_bar(1, 2, 2, 2.5);
    HolSystem *system = linkage_create(&l);
    REQUIRE(system != NULL);
    double drawings[][9] = {{0, 0.5, 1.5, 1, 1, 0, 3.5, 1, 1.5},     /* C and D open by 1 to 2 */
                            {0.5, 0, 0, 1, 1, 1.5, 2, 3, 1.5},       /* the follower beyond the coupler */
                            {0.5, 0, 0, 0.5, 0, 0, 0.5, 0, 0.1},     /* all on one another */
                            {0, 0, 0.3, 10, 10, 0.4, -10, 5, -1.3}}; /* anywhere */
    for (int i = 0; i < 4; i++) {
        CHECK_CONTEXT("drawing %d", i);
        check_assembly(system, 0, drawings[i]);
    }
    hol_system_destroy(system);
}

/* In one line D has no row across it that helps, and no gap is across it either: without leaving the line, nothing
 * closes. */
static void links_in_one_line_are_bent(void)
{
    static const double lengths[][4] = {{1, 2, 2, 2.5}, {1, 1, 1, 1}, {1, 2, 2, 4.9}, {2, 3, 4, 1.5}, {1, 2, 2, 5}};
    for (int i = 0; i < 5; i++) {
        const double *d = lengths[i];
        Linkage l = linkage_four_bar(d[0], d[1], d[2], d[3]);
        HolSystem *system = linkage_create(&l);
        REQUIRE(system != NULL);
        CHECK_CONTEXT("%g %g %g on %g", d[0], d[1], d[2], d[3]);
        check_assembly(system, 0, l.q);
        hol_system_destroy(system);
    }
    Linkage chain = linkage_polygon(6, 0, 0); /* in space, drawn as a straight chain */
    HolSystem *system = linkage_create(&chain);
    REQUIRE(system != NULL);
    for (int b = 0; b < 5; b++) {
        const double q[7] = {1.5 + b, 0, 0, 1, 0, 0, 0};
        memcpy(chain.q + 7 * b, q, sizeof q);
    }
    CHECK_CONTEXT("six balls");
    check_assembly(system, 0, chain.q);
    hol_system_destroy(system);
}

/* A hinge drawn a quarter turn off: u . f is largest, and its gradient zero. */
static void a_hinge_a_quarter_turn_off_closes(void)
{
    Linkage l = {.body_count = 1, .joint_count = 1, .mass = {1}, .inertia = 0.1};
    l.joints[0] = (LinkageJoint){"hinge", {GROUND, 0}, {{0}, {-0.5, 0, 0}}, {{0, 0, 1}, {0, 0, 1}}, 0};
    HolSystem *system = linkage_create(&l);
    REQUIRE(system != NULL);
    const double c = sqrt(0.5);
    double exact[7] = {0.5, 0, 0, c, c, 0, 0}, other[7] = {3, -2, 5, c, 0, c, 0};
    check_assembly(system, 0, exact);
    check_assembly(system, 0, other);
    hol_system_destroy(system);
}

/* A parallelogram with a third crank: one row too many, which fits. Many a start ends flat, where D is singular; there q
 * and D, and with them velocities, are known to half of the digits. */
static void redundant_rows_that_fit_are_met(void)
{
    Linkage l = linkage_four_bar(1, 2, 1, 2);
    l.body_count = 4;
    l.joint_count = 6;
    l.mass[3] = 1;
    l.joints[4] = (LinkageJoint){"E", {GROUND, 3}, {{1}, {-0.5}}, {{0}, {0}}, 0};
    l.joints[5] = (LinkageJoint){"F", {3, 1}, {{0.5}, {0}}, {{0}, {0}}, 0};
    const double flat[12] = {0.5, 0, 0, 2, 0, 0, 2.5, 0, 0, 1.5, 0, 0},
                 tilted[12] = {0, 0.5, 1.5, 1, 1, 0.2, 2, 0.5, 1.4, 1, 0.5, 1.7};
    memcpy(l.q, flat, sizeof flat);
    check_scattered_within(&l, "three cranks, flat", 1, 1e-7);
    memcpy(l.q, tilted, sizeof tilted);
    check_scattered_within(&l, "three cranks", 1, 1e-7);
}

/* What is impossible */

/* Assembling must fail, name the linkage and one of its joints, and leave everything alone. Returns the gap it reports. */
static double reported_gap(const HolSystem *system, const double *start)
{
    const HolPattern *p = hol_system_pattern(system);
    double q[LINKAGE_NUMBERS], v[LINKAGE_NUMBERS], v_start[LINKAGE_NUMBERS], gap = NAN;
    HolMessage message = {""};
    random_fill(p->nv, v_start);
    memcpy(q, start, (size_t)p->nq * sizeof *q);
    memcpy(v, v_start, (size_t)p->nv * sizeof *v);
    CHECK_STATUS(hol_assemble(system, 0, q, v, &message), HOL_NO_CONVERGENCE);
    CHECK(memcmp(q, start, (size_t)p->nq * sizeof *q) == 0 && memcmp(v, v_start, (size_t)p->nv * sizeof *v) == 0);
    CHECK_CONTAINS(message.text, "'linkage'");
    const char *found = strstr(message.text, "' remains violated by ");
    if (CHECK(found != NULL))
        gap = strtod(found + strlen("' remains violated by "), NULL);
    CHECK_STATUS(hol_assemble_positions(system, 0, q, NULL), HOL_NO_CONVERGENCE);
    CHECK(memcmp(q, start, (size_t)p->nq * sizeof *q) == 0);
    return gap;
}

static void check_gap(Linkage *linkage, double expected)
{
    HolSystem *system = linkage_create(linkage);
    REQUIRE(system != NULL);
    for (int i = 0; i < 12; i++) {
        double q[LINKAGE_NUMBERS];
        CHECK_CONTEXT("gap %g, seed %d", expected, i);
        random_seed(4000 + (unsigned)i);
        linkage_scatter(linkage, system, i % 4, i % 3, q); /* as drawn, too */
        CHECK_NEAR(reported_gap(system, q), expected, 1e-3 * expected);
    }
    hol_system_destroy(system);
}

/* Where one length exceeds the sum of the other three by e, the least squares share it among all pins: e / 4 each. */
static void a_four_bar_that_cannot_close_tells_its_least_gap(void)
{
    Linkage long_ground = linkage_four_bar(1, 2, 2, 5.4), short_coupler = linkage_four_bar(1, 0.7, 1, 3);
    Linkage long_follower = linkage_four_bar(1, 1, 4, 1), heavy = linkage_four_bar(1, 2, 2, 5.4);
    Linkage millimetres = linkage_four_bar(1, 2, 2, 5.4);
    heavy.mass[0] = 1e3;
    linkage_scale(&millimetres, 1e3);
    check_gap(&long_ground, 0.1);
    check_gap(&short_coupler, 0.075);
    check_gap(&long_follower, 0.25);
    check_gap(&heavy, 0.1);
    check_gap(&millimetres, 100);
}

/* Three bars of length 1 between points 5 apart, in space: (5 - 3) / 4. */
static void a_chain_that_is_too_short_tells_its_least_gap(void)
{
    Linkage l = linkage_polygon(4, 0, 0);
    l.joints[3].point[1][0] = -4;
    check_gap(&l, 0.5);
}

/* Two anchors 0.3 apart for one point: each remains violated by half of it. */
static void the_joint_that_stays_open_is_named(void)
{
    Linkage l = linkage_four_bar(1, 2, 2, 2.5);
    HolMessage message = {""};
    double v[9] = {0};
    l.joint_count = 5;
    l.joints[4] = (LinkageJoint){"anchor", {GROUND, 0}, {{0.3}, {-0.5}}, {{0}, {0}}, 1.5};
    HolSystem *system = linkage_create(&l);
    REQUIRE(system != NULL);
    CHECK_STATUS(hol_assemble(system, 0, l.q, v, &message), HOL_NO_CONVERGENCE);
    CHECK_CONTAINS(message.text, "'anchor' remains violated by 0.225"); /* its rows are multiplied by 1.5 */
    hol_system_destroy(system);
}

/* Velocities */

static void velocities_alone_and_positions_alone_make_both(void)
{
    Linkage l = linkage_four_bar(1, 2, 2, 2.5);
    HolSystem *system = linkage_create(&l);
    REQUIRE(system != NULL);
    for (unsigned i = 0; i < 10; i++) {
        double q[9], v[9], q_both[9], v_both[9], v_before[9];
        random_seed(5000 + i);
        linkage_scatter(&l, system, 1, 1, q);
        random_fill(9, v);
        memcpy(q_both, q, sizeof q);
        memcpy(v_both, v, sizeof v);
        memcpy(v_before, v, sizeof v);
        CHECK_OK(hol_assemble(system, 0, q_both, v_both, NULL));
        CHECK_OK(hol_assemble_positions(system, 0, q, NULL));
        CHECK(memcmp(v, v_before, sizeof v) == 0);
        CHECK_OK(hol_assemble_velocities(system, 0, q, v, NULL));
        CHECK(memcmp(q, q_both, sizeof q) == 0 && memcmp(v, v_both, sizeof v) == 0);
        check_consistent(system, 0, q, v, 1e-12);
    }
    hol_system_destroy(system);
}

/* Two points on a line that must coincide and move alike, one nine times as heavy. */
static HolStatus evaluate_points(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    terms->M[0] = 1;
    terms->M[3] = 9;
    terms->D[0] = -1;
    terms->D[1] = 1;
    terms->Phi[0] = at->q[1] - at->q[0];
    return HOL_OK;
}

static void heavy_bodies_move_least(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate_points};
    HolSystemSpec spec = hol_system_spec();
    HolSystem *system = NULL;
    double q[2] = {0, 10}, v[2] = {1, -1};
    spec.ops = &ops;
    spec.nq = spec.nv = 2;
    spec.nh = 1;
    spec.constant_mass = spec.scleronomic = true;
    REQUIRE_OK(hol_system_create(&spec, &system, NULL));
    CHECK_OK(hol_assemble(system, 0, q, v, NULL));
    CHECK_NEAR(q[0], 9, 1e-13);
    CHECK_NEAR(q[1], 9, 1e-13);
    CHECK_NEAR(v[0], -0.8, 1e-14);
    CHECK_NEAR(v[1], -0.8, 1e-14);
    hol_system_destroy(system);
}

/* Nothing, or no number, where something is needed. */
static void wrong_arguments_are_refused(void)
{
    Linkage l = linkage_four_bar(1, 2, 2, 2.5);
    HolSystem *system = linkage_create(&l);
    double v[9] = {0};
    HolMessage message = {""};
    REQUIRE(system != NULL);
    CHECK_STATUS(hol_assemble_positions(NULL, 0, l.q, NULL), HOL_BAD_INPUT);
    CHECK_STATUS(hol_assemble_positions(system, 0, NULL, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "hol_assemble_positions");
    CHECK_STATUS(hol_assemble_positions(system, NAN, l.q, NULL), HOL_BAD_INPUT);
    CHECK_STATUS(hol_assemble_velocities(NULL, 0, l.q, v, NULL), HOL_BAD_INPUT);
    CHECK_STATUS(hol_assemble_velocities(system, 0, NULL, v, NULL), HOL_BAD_INPUT);
    CHECK_STATUS(hol_assemble_velocities(system, 0, l.q, NULL, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "hol_assemble_velocities");
    CHECK_STATUS(hol_assemble_velocities(system, INFINITY, l.q, v, NULL), HOL_BAD_INPUT);
    l.q[4] = NAN;
    CHECK_STATUS(hol_assemble_positions(system, 0, l.q, &message), HOL_NOT_FINITE);
    CHECK(message.text[0] != '\0');
    hol_system_destroy(system);
}

/* Cost */

static void a_consistent_start_costs_one_evaluation(void)
{
    Linkage l = linkage_polygon(7, 127, 0.3);
    HolSystem *system = linkage_create(&l);
    double v[36] = {0};
    long evaluations = 0;
    REQUIRE(system != NULL);
    CHECK_OK(hol_assemble(system, 0, l.q, v, NULL));
    l.evaluations = &evaluations;
    CHECK_OK(hol_assemble(system, 0, l.q, v, NULL));
    CHECK_EQUAL_INT(evaluations, 1);
    hol_system_destroy(system);
}

typedef struct Counting {
    Wrapped wrapped;
    long *evaluations;
} Counting;

static HolStatus evaluate_counting(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    ++*((const Counting *)self)->evaluations;
    return wrapped_evaluate(self, at, want, terms);
}

/* Evaluations that it takes to assemble n links; each costs time in proportion to n. */
static long evaluations_of(const char *name, int n, int first_turn, int of, Scatter scatter)
{
    static const HolSystemOps ops = {.evaluate = evaluate_counting, .qdot = wrapped_qdot, .retract = wrapped_retract};
    Scene *scene = scene_create(name, n);
    const HolPattern *p = hol_system_pattern(scene->system);
    long evaluations = 0;
    Counting counting = {.evaluations = &evaluations};
    HolSystem *system = NULL;
    CHECK_OK(wrapped_open(scene->system, &counting.wrapped));
    CHECK_OK(wrapped_create(&counting.wrapped, &ops, &system));
    double *w = calloc((size_t)(p->nq + 2 * p->nv), sizeof *w), *v = w + p->nv, *q = v + p->nv;
    random_seed(77);
    for (int j = 0; j < p->nv; j++)
        w[j] = (j % of < first_turn ? scatter.move : scatter.turn) * random_number();
    hol_system_retract(system, scene->start.q, w, q);
    CHECK_OK(hol_assemble(system, 0, q, v, NULL));
    free(w);
    hol_system_destroy(system);
    wrapped_close(&counting.wrapped);
    scene_destroy(scene);
    return evaluations;
}

/* Loops hold each other, so that far away is nowhere; the way of a long open chain grows with it. */
static void ten_thousand_bodies_are_assembled(void)
{
    for (int n = 10; n <= 10000; n *= 10) {
        CHECK_CONTEXT("%d bodies", n);
        CHECK(evaluations_of("n-four-bar", n / 2, 2, 3, (Scatter){0.3, 0.5}) <= 25);
        CHECK(evaluations_of("spatial-chain", n, 3, 6, (Scatter){0.003, 0.003}) <= 20);
    }
    CHECK(evaluations_of("spatial-chain", 1000, 3, 6, (Scatter){0.3, 0.5}) <= 150);
}

CHECK_MAIN(TEST(scattered_scenes_find_together), TEST(scattered_linkages_find_together),
           TEST(units_and_masses_do_not_matter), TEST(the_scale_of_rows_does_not_matter),
           TEST(a_loop_may_be_open_by_a_link), TEST(links_in_one_line_are_bent),
           TEST(a_hinge_a_quarter_turn_off_closes), TEST(redundant_rows_that_fit_are_met),
           TEST(a_four_bar_that_cannot_close_tells_its_least_gap), TEST(a_chain_that_is_too_short_tells_its_least_gap),
           TEST(the_joint_that_stays_open_is_named), TEST(velocities_alone_and_positions_alone_make_both),
           TEST(heavy_bodies_move_least), TEST(wrong_arguments_are_refused),
           TEST(a_consistent_start_costs_one_evaluation), TEST(ten_thousand_bodies_are_assembled))
