/* SPDX-License-Identifier: BSD-3-Clause */
/* A torsion spring that is wound by ten turns and unwinds again: a rotor of inertia J on a spring k swings as
 *
 *     angle = A sin(w t),   w = sqrt(k / J),   A = 20 pi                                             (1)
 *
 * whether or not the coordinates know angles beyond half a turn. */
#include "recorded.h"

#include <string.h>

static const double J = 0.5, STIFFNESS = 2, A = 20 * M_PI;

static HolModel *rotor(bool planar, const char *coordinates, const char *formulation, const char *integrator)
{
    HolModel *model = parsed_model(planar ? "plane: xy\n"
                                            "bodies: {rotor: {rigid: [0, 0], mass: 1, inertia: 0.5}}\n"
                                            "joints: {pin: {revolute: [ground, rotor], at: [0, 0]}}\n"
                                            "forces: {spring: {torsion: pin, stiffness: 2}}\n"
                                          : "bodies: {rotor: {rigid: [0, 0, 0], mass: 1, inertia: [0.3, 0.4, 0.5]}}\n"
                                            "joints: {pin: {revolute: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
                                            "forces: {spring: {torsion: pin, stiffness: 2}}\n");
    double rate = A * sqrt(STIFFNESS / J);
    CHECK_OK(hol_model_set(model, "start.rotor",
                           planar ? "{angular_velocity: %.17g}" : "{angular_velocity: [0, 0, %.17g]}", rate));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", coordinates));
    CHECK_OK(hol_model_set(model, "run.formulation", "%s", formulation));
    CHECK_OK(hol_model_set(model, "run.integrator", "%s", integrator));
    CHECK_OK(hol_model_set(model, "run.step", "0.25 ms"));
    return model;
}

/* Three quarters of a period, through -10 turns: the rate and the energy of the spring at their ends and between. */
static void check_swing(HolModel *model, bool planar, double tolerance)
{
    Recorded r;
    double w = sqrt(STIFFNESS / J), energy = J * A * A * w * w / 2;
    if (recorded_open(&r, model, "all"))
        for (int quarter = 1; quarter <= 6; ++quarter) {
            double t = quarter * M_PI / (4 * w);
            if (!recorded_go_to(&r, t))
                break;
            HolMeasures measures = hol_simulation_measures(r.simulation);
            CHECK_NEAR(recorded_value(&r, planar ? "rotor.w" : "rotor.wz") / (A * w), cos(w * t), tolerance);
            CHECK_NEAR(measures.potential / energy, sin(w * t) * sin(w * t), tolerance);
            CHECK_NEAR(measures.drift / energy, 0, tolerance);
        }
    recorded_close(&r);
}

static void springs_count_turns(void)
{
    static const char *const formulations[] = {"direct-correction", "lagrange", "index3-augmented-lagrangian"};
    for (int planar = 0; planar < 2; ++planar)
        for (int natural = 0; natural < 2; ++natural)
            for (int i = 0; i < 3; ++i)
                check_swing(
                    rotor(planar, natural ? "natural" : "reference-point", formulations[i], i < 2 ? "rk4" : "newmark"),
                    planar, i < 2 ? 1e-6 : 1e-2);
}

/* Error control rejects steps, and a rejected step must not count. */
static void rejected_steps_do_not_count(void)
{
    for (int planar = 0; planar < 2; ++planar)
        check_swing(rotor(planar, "natural", "direct-correction", "{kind: dopri5, tolerance: 1e-9}"), planar, 1e-6);
}

static void energy_methods_balance_it(void)
{
    for (int planar = 0; planar < 2; ++planar) {
        check_swing(rotor(planar, "natural", "energy-preserving", "built-in"), planar, 2e-3);
        check_swing(rotor(planar, "natural", "energy-decaying", "built-in"), planar, 2e-3);
    }
}

CHECK_MAIN(TEST(springs_count_turns), TEST(rejected_steps_do_not_count), TEST(energy_methods_balance_it))
