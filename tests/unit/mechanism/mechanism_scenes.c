/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms that are the same as scenes written by hand must have the same terms: same signs, same order of rows. */
#include "random.h"
#include "rig.h"
#include "systems/scenes.h"

static const double zero[3] = {0, 0, 0}, x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

static void set_inertia(Rig *rig, double mass, double J0, double J1, double J2)
{
    for (int b = 0; b < rig->m.body_count; b++)
        rig->m.bodies[b] =
            (HolBody){.layout = rig->m.bodies[b].layout, .mass = mass, .J = {{J0, 0, 0}, {0, J1, 0}, {0, 0, J2}}};
    rig->m.gravity[rig->m.planar ? 1 : 2] = -9.81;
}

/* Bars along body x with their hinge along body y, which is the x axis of the bar before; see spatial_chain.c. */
static Rig *spatial_chain(int n)
{
    const double tip[3] = {0.5, 0, 0}, tail[3] = {-0.5, 0, 0};
    double transverse = 1.01 / 12;
    Rig *rig = rig_open(false, n);
    set_inertia(rig, 1, 0.01 / 6, transverse, transverse);
    for (int i = 1; i <= n; i++) {
        const double *hinge = i > 1 ? x_axis : y_axis;
        rig_group(rig);
        rig_coincide(rig, i - 1, i, i > 1 ? tip : zero, tail);
        rig_row(rig, 1, (int[]){rig_dot(rig, i - 1, i, hinge, x_axis)});
        rig_row(rig, 1, (int[]){rig_dot(rig, i - 1, i, hinge, z_axis)});
    }
    return rig;
}

/* Numbered as in n_four_bar.c: crank k is body 2k + 1 here, coupler k body 2k. */
static Rig *n_four_bar(int n)
{
    const double tip[3] = {0.5, 0, 0}, tail[3] = {-0.5, 0, 0};
    Rig *rig = rig_open(true, 2 * n + 1);
    set_inertia(rig, 1, 0, 0, 1.0 / 12);
    for (int k = 0; k <= n; k++) {
        const double pivot[3] = {k, 0, 0};
        int crank = 2 * k + 1, coupler = 2 * k;
        if (k > 0) {
            rig_group(rig);
            rig_coincide(rig, crank - 2, coupler, tip, tail);
            rig_group(rig);
            rig_coincide(rig, crank, coupler, tip, tip);
        }
        rig_group(rig);
        rig_coincide(rig, 0, crank, pivot, tail);
    }
    return rig;
}

static Rig *rolling_disc(int n)
{
    (void)n;
    Rig *rig = rig_open(false, 1);
    set_inertia(rig, 1, 0.0625, 0.0625, 0.125);
    HolRolling *roll = rig_roll(rig, (HolRolling){
                                         .shape = HOL_DISC_ON_PLANE,
                                         .body = {0, 1},
                                         .normal = rig_mark(0, false, z_axis),
                                         .tangent = {rig_mark(0, false, x_axis), rig_mark(0, false, y_axis)},
                                         .through = rig_mark(0, true, zero),
                                         .centre = rig_mark(1, true, zero),
                                         .axis = rig_mark(1, false, z_axis),
                                         .radius = 0.5,
                                     });
    rig_group(rig);
    rig_contact(rig, roll);
    rig_group(rig);
    rig_slip(rig, roll);
    return rig;
}

static void check_same(const char *what, int count, const double *actual, const double *expected)
{
    for (int i = 0; i < count; i++) {
        CHECK_CONTEXT("%s[%d]", what, i);
        CHECK_NEAR(actual[i], expected[i], 1e-14 * (1 + fabs(expected[i])));
    }
}

static void check_terms(const HolPattern *p, const HolTerms *actual, const HolTerms *expected)
{
    check_same("M", p->mass_start[p->mass_pair_count], actual->M, expected->M);
    check_same("Q", p->nv, actual->Q, expected->Q);
    check_same("Phi", p->nh, actual->Phi, expected->Phi);
    check_same("D", p->pair_start[p->pair_count], actual->D, expected->D);
    check_same("gamma", p->m, actual->gamma, expected->gamma);
    check_same("kinetic", 1, &actual->kinetic, &expected->kinetic);
    check_same("potential", 1, &actual->potential, &expected->potential);
}

static void compare(const char *name, Rig *rig, int n)
{
    double w[64], q[64], v[64];
    Scene *scene = scene_create(name, n);
    HolTerms *terms, *scene_terms;
    REQUIRE(scene != NULL);
    REQUIRE_OK(rig_close(rig));
    REQUIRE_OK(hol_terms_create(rig->m.system, &terms));
    REQUIRE_OK(hol_terms_create(scene->system, &scene_terms));
    const HolPattern *p = rig->m.pattern, *expected = hol_system_pattern(scene->system);
    REQUIRE(p->nq == expected->nq && p->m == expected->m && p->pair_count == expected->pair_count);
    for (int k = 0; k < 10; k++) {
        random_fill(p->nv, w);
        random_fill(p->nv, v);
        hol_system_retract(scene->system, scene->start.q, w, q);
        HolPoint at = {0, q, v};
        CHECK_OK(hol_system_evaluate(scene->system, &at, HOL_WANT_ALL, scene_terms));
        CHECK_OK(hol_system_evaluate(rig->m.system, &at, HOL_WANT_ALL, terms));
        check_terms(p, terms, scene_terms);
    }
    hol_terms_destroy(terms);
    hol_terms_destroy(scene_terms);
    scene_destroy(scene);
    rig_destroy(rig);
}

static void hinged_bars_are_the_scene(void)
{
    random_seed(1);
    compare("spatial-chain", spatial_chain(4), 4);
}

static void pinned_bars_are_the_scene(void)
{
    random_seed(2);
    compare("n-four-bar", n_four_bar(3), 3);
}

static void disc_is_the_scene(void)
{
    random_seed(3);
    compare("rolling-disc", rolling_disc(1), 1);
}

CHECK_MAIN(TEST(hinged_bars_are_the_scene), TEST(pinned_bars_are_the_scene), TEST(disc_is_the_scene))
