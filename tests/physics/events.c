/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps end at the jumps of functions of time: a pulse on a mass gives it its impulse with every pair of methods and
 * at every step, however short it is. */
#include "runs.h"
#include "simulated.h"

static const char *const kinds[] = {"reference-point", "natural"};

/* A mass of 1 kg on a slide along x with this force law. */
static bool open_slide(Simulated *run, const char *force, const char *coordinates)
{
    static const char *const text = "plane: xy\n"
                                    "bodies: {m: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
                                    "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
                                    "forces: {f: {force: m, at: [0, 0], vector: ['%s', 0]}}\n"
                                    "run: {coordinates: %s}\n";
    char model_text[600];
    snprintf(model_text, sizeof model_text, text, force, coordinates);
    HolModel *model = hol_model_create();
    return CHECK_OK(hol_model_parse(model, model_text, "test")) && simulated_assemble(run, model);
}

typedef struct Motion {
    double x, v, work, drift;
    long steps;
} Motion;

/* The mass at the time `until`. */
static Motion move(Simulated *run, const HolSimulationOptions *options, double until)
{
    Motion motion = {NAN, NAN, NAN, NAN, 0};
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    if (!simulated_start(run, &start, options))
        return motion;
    HolRun request = {.until = until};
    if (!CHECK_OK(hol_simulation_run(run->simulation, &request)))
        printf("    %s\n", hol_simulation_message(run->simulation));
    const HolState *state = hol_simulation_state(run->simulation);
    HolMeasures measures = hol_simulation_measures(run->simulation);
    motion = (Motion){state->q[0], state->v[0], measures.work, measures.drift,
                      hol_simulation_summary(run->simulation).steps};
    hol_simulation_destroy(run->simulation);
    run->simulation = NULL;
    return motion;
}

typedef struct Pulse {
    const char *force;
    double impulse, end; /* when it ends */
} Pulse;

static const Pulse pulses[] = {
    {"if(t > 0.3 and t < 0.302, 500, 0)", 1, 0.302},
    {"1e6*(step(t - 0.1) - step(t - 0.100001))", 1, 0.100001},
    {"piecewise(t <= 0.05, 0, t <= 0.06, 50, t <= 0.0625, 200, 0)", 1, 0.0625},
    {"if(abs(t - 0.2) < 0.5e-6, 1e6, 0)", 1, 0.2000005},
    {"if(t > 0, if(t < 0.1, 10, 0), 0)", 1, 0.1},
    {"if(sin(20*t) > 0.5 and t < 0.2, 30/3.14159265358979323846, 0)", 1, 0.2},
};

static bool is_of_order_two(const char *formulation, const char *integrator)
{
    int order = pair_order(formulation, integrator);
    return order == 0 || order >= 2;
}

static void check_pulse(Simulated *run, const Pulse *pulse, const char *formulation, const char *integrator)
{
    static const double steps[] = {1e-3, 7e-3, 5e-2};
    for (int i = 0; i < 3; ++i) {
        HolSimulationOptions options = run_options(formulation, integrator, steps[i]);
        CHECK_CONTEXT("%s, %s with %s, step %g", pulse->force, formulation, integrator, steps[i]);
        Motion m = move(run, &options, 0.45);
        CHECK_NEAR(m.v, pulse->impulse, 1e-9);
        if (is_of_order_two(formulation, integrator)) {
            CHECK_NEAR(m.work, 0.5, 1e-9);
            CHECK_NEAR(m.drift, 0, 1e-9);
        }
    }
}

static void pulses_give_their_impulse(void)
{
    for (int c = 0; c < 2; ++c)
        for (size_t p = 0; p < sizeof pulses / sizeof pulses[0]; ++p) {
            Simulated run;
            REQUIRE(open_slide(&run, pulses[p].force, kinds[c]));
            const HolSystem *system = hol_mechanism_system(run.mechanism);
            for (int k = 0; k < hol_formulation_count() * hol_integrator_count(); ++k) {
                const char *formulation = hol_formulation_info(k / hol_integrator_count()).name;
                const char *integrator = hol_integrator_info(k % hol_integrator_count()).name;
                if (is_supported(formulation, integrator) && is_served(formulation, system))
                    check_pulse(&run, &pulses[p], formulation, integrator);
            }
            simulated_close(&run);
        }
}

CHECK_MAIN(TEST(pulses_give_their_impulse))
