/* SPDX-License-Identifier: BSD-3-Clause */
/* Frequencies and damping ratios of the penalties of single rows: each violation is a damped oscillator of its own, by
 * its closed form. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "system_of.h"

/* A particle of mass 1 on the planes x = 0 and y = 0, which it violates initially; nothing couples them. */
static HolStatus evaluate_planes(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    for (int i = 0; i < 2; i++) {
        terms->M[3 * i] = 1;
        terms->D[3 * i] = 1;
        terms->Phi[i] = at->q[i];
        terms->gamma[i] = 0;
    }
    terms->kinetic = (at->v[0] * at->v[0] + at->v[1] * at->v[1]) / 2;
    return HOL_OK;
}

static const double start_q[2] = {0.3, -0.2}, start_v[2] = {0, 0};
static const HolInitialState start = {0, start_q, start_v};

static HolSystem *planes_create(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate_planes};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "planes";
    spec.ops = &ops;
    spec.nq = spec.nv = spec.nh = 2;
    spec.constant_mass = spec.scleronomic = true;
    return system_of(&spec);
}

/* Of x'' + 2 xi omega x' + omega^2 x = 0 with x(0) = 1, x'(0) = 0, with xi below or at 1. */
static double decay(double omega, double xi, double t)
{
    double own = omega * sqrt(1 - xi * xi), fall = exp(-xi * omega * t);
    return own > 0 ? fall * (cos(own * t) + xi * omega / own * sin(own * t)) : fall * (1 + omega * t);
}

static Result run_planes(const char *formulation, const char *gains, const double *omega, const double *xi)
{
    const HolSetting settings[] = {{"formulation.omega", "3"}, {"formulation.xi", "0.5"}, {"formulation.gains", gains}};
    HolSystem *system = planes_create();
    HolSimulationOptions options = run_options(formulation, "rk4", 1e-3);
    options.settings = settings;
    options.setting_count = 3;
    options.row_omega = omega;
    options.row_xi = xi;
    options.keep_start = true;
    Result end = run_system(system, &start, &options, &(HolRun){.until = 0.25});
    hol_system_destroy(system);
    return end;
}

/* omega and xi of both rows. */
static void check_decay(const char *formulation, Result end, const double *omega, const double *xi)
{
    CHECK_CONTEXT("%s", formulation);
    if (!CHECK_OK(end.status))
        printf("    %s\n", end.message.text);
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(end.q[i], start_q[i] * decay(omega[i], xi[i], 0.25), 1e-6); /* 1/alpha of it is missing */
}

static void each_row_has_its_own(void)
{
    static const char *const formulations[] = {"penalty", "augmented-lagrangian"};
    static const double omega[2] = {10, 4}, xi[2] = {1, 0.25}, usual_omega[2] = {3, 3}, usual_xi[2] = {0.5, 0.5};
    for (int i = 0; i < 2; i++) {
        const char *name = formulations[i];
        check_decay(name, run_planes(name, "fixed", omega, xi), omega, xi);
        check_decay(name, run_planes(name, "fixed", omega, NULL), omega, usual_xi);
        check_decay(name, run_planes(name, "fixed", NULL, xi), usual_omega, xi);
        check_decay(name, run_planes(name, "fixed", NULL, NULL), usual_omega, usual_xi);
    }
}

static void automatic_gains_fill_in_what_is_missing(void)
{
    static const double omega[2] = {10, 4}, automatic_xi[2] = {0.70710678118654752, 0.70710678118654752};
    check_decay("penalty", run_planes("penalty", "automatic", omega, NULL), omega, automatic_xi);
}

static void check_refused(const char *formulation, const double *omega, HolStatus status, const char *words)
{
    HolSystem *system = planes_create();
    HolSimulationOptions options = run_options(formulation, "rk4", 1e-3);
    options.row_omega = omega;
    options.setting_count = 0;
    options.keep_start = true;
    Result end = run_system(system, &start, &options, &(HolRun){.until = 0.01});
    CHECK_STATUS(end.status, status);
    CHECK_CONTAINS(end.message.text, words);
    hol_system_destroy(system);
}

static void wrong_ones_are_refused(void)
{
    static const double negative[2] = {1, -1}, good[2] = {1, 1};
    check_refused("penalty", negative, HOL_BAD_INPUT, "row_omega[1] = -1");
    check_refused("baumgarte", good, HOL_UNSUPPORTED, "'baumgarte'");
}

CHECK_MAIN(TEST(each_row_has_its_own), TEST(automatic_gains_fill_in_what_is_missing), TEST(wrong_ones_are_refused))
