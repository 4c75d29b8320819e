/* SPDX-License-Identifier: BSD-3-Clause */
/* A walker of seven links bends its knees for 100 s, both feet on the ground: moving rows and rows of velocity together.
 * The equations are in biped_system.h; this file checks them, runs them from a consistent and from a slightly wrong
 * start and holds them against the closed form of the motion. Fails if they are off. */
#include <holon/holon.h>

#include "biped_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The start: hip above the origin, front leg at 2 rad. */
static const double CONSISTENT[BIPED_NV] = {
    0.056, 1.212585901926301, 1.3962634015954636, 2, 2, 0.3490658503988659, 1.1970805177703037, 1.1970805177703037, 0};
static const double ROUNDED[BIPED_NV] = {0.056, 1.2, 1.4, 2, 2, 0.35, 1.19, 1.19, 0}; /* legs too short by 1 cm */

/* The motion repeats every 2 s. In between, at 1 s, by intersecting the circles of the hip about both ankles: */
static const double AT_1[BIPED_NV] = {0.07197603434854281, 1.1867161138124722, 1.7453292519943295,
                                      2.2091767867468795,  1.5808582560289208, 0,
                                      1.3693136524783522,  0.7409951217603937, -0.3490658503988659};
/* The ground's vertical forces on heel and toe there, and its horizontal ones. */
static const double FORCES_AT_1[4] = {501.972998104172, 265.48205543153364, -145.08950290841278, 126.62451644331333};

typedef struct Watch {
    double centre, coordinates, forces; /* errors at 1 s: of x and y, of all of q, of the forces from the ground */
    double first[BIPED_NV];             /* q after the first period */
    double returned;                    /* the farthest from it after later ones */
    double position, velocity;          /* largest violations behind the first second */
} Watch;

static double largest_difference(const double *a, const double *b, int count)
{
    double largest = 0;
    for (int i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

static HolStatus look(void *user, const HolState *state, const HolMeasures *measures)
{
    Watch *watch = user;
    double periods = state->t / 2;
    if (fabs(state->t - 1) < 1e-9) {
        double forces[4] = {state->lambda[0], state->lambda[1], state->lambda[7], state->lambda[8]};
        watch->centre = largest_difference(state->q, AT_1, 2);
        watch->coordinates = largest_difference(state->q, AT_1, BIPED_NV);
        watch->forces = largest_difference(forces, FORCES_AT_1, 4);
    }
    if (fabs(periods - 1) < 1e-9)
        memcpy(watch->first, state->q, sizeof watch->first);
    else if (periods > 1 && fabs(periods - round(periods)) < 1e-9)
        watch->returned = fmax(watch->returned, largest_difference(state->q, watch->first, BIPED_NV));
    if (state->t > 1 + 1e-9) {
        watch->position = fmax(watch->position, measures->position);
        watch->velocity = fmax(watch->velocity, measures->velocity);
    }
    return HOL_OK;
}

static HolStatus walk(const HolSystem *system, const HolSimulationOptions *options, const double *q, Watch *watch,
                      HolMessage *message)
{
    const double v[BIPED_NV] = {0};
    HolInitialState start = {.q = q, .v = v};
    HolSimulation *simulation;
    HolStatus status = hol_simulation_create(system, &start, options, &simulation, message);
    if (status != HOL_OK)
        return status;
    watch->centre = watch->coordinates = watch->forces = NAN; /* until they are seen */
    status = hol_simulation_run(simulation, &(HolRun){.until = 100, .record = look, .user = watch});
    snprintf(message->text, sizeof message->text, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

/* One line of the table; false if a number is larger than it may be. The known numbers are those of the consistent
 * start; from the rounded one the feet stand elsewhere. */
static bool show(const char *formulation, bool is_known, const Watch *watch, const Watch *limits)
{
    printf("%-18s %-10s ", formulation, is_known ? "consistent" : "rounded");
    if (is_known)
        printf("%9.1e %9.1e %9.1e ", watch->centre, watch->coordinates, watch->forces);
    else
        printf("%9s %9s %9s ", "", "", "");
    printf("%9.1e %9.1e %9.1e\n", watch->returned, watch->position, watch->velocity);
    return (!is_known || (watch->centre <= limits->centre && watch->coordinates <= limits->coordinates &&
                          watch->forces <= limits->forces)) &&
           watch->returned <= limits->returned && watch->position <= limits->position &&
           watch->velocity <= limits->velocity;
}

/* From the rounded start as it is: the first steps have to close the gaps. */
static bool compare(const HolSystem *system, const char *formulation, const double *q, const Watch *limits)
{
    HolMessage message = {{0}};
    HolSimulationOptions options = hol_simulation_options();
    Watch watch = {0};
    options.formulation = formulation, options.step = 1e-2, options.keep_start = true;
    HolStatus status = walk(system, &options, q, &watch, &message);
    if (status != HOL_OK) {
        fprintf(stderr, "%s: %s: %s\n", formulation, hol_status_name(status), message.text);
        return false;
    }
    return show(formulation, q == CONSISTENT, &watch, limits);
}

/* A place where nothing is zero by accident; the feet need not be on the ground. */
static HolStatus check(const HolSystem *system, HolMessage *message)
{
    const double q[BIPED_NV] = {0.1, 1.1, 1.5, 2.1, 1.8, 0.3, 1.2, 0.9, -0.2};
    const double v[BIPED_NV] = {0.3, -0.5, 1.1, -0.4, 0.7, 1.2, 0.6, -0.2, 0.9};
    return hol_system_check(system, &(HolPoint){.t = 0.4, .q = q, .v = v}, message);
}

int main(void)
{
    HolSystemSpec spec = biped_spec(&BIPED);
    HolMessage message;
    HolSystem *system;
    HolStatus status = hol_system_create(&spec, &system, &message);
    status = status == HOL_OK ? check(system, &message) : status;
    if (status != HOL_OK) {
        fprintf(stderr, "%s: %s\n", hol_status_name(status), message.text);
        hol_system_destroy(system);
        return 1;
    }
    printf("Errors at 1 s of x and y [m], of all coordinates and of the ground's forces [N]; farthest from the first\n"
           "period in 50 periods; largest violations after 1 s\n");
    printf("%-18s %-10s %9s %9s %9s %9s %9s %9s\n", "formulation", "start", "x, y", "q", "forces", "return", "position",
           "velocity");
    const Watch limits = {
        .centre = 1e-5, .coordinates = 1e-5, .forces = 1e-2, .returned = 1e-6, .position = 1e-12, .velocity = 1e-12};
    bool good = compare(system, "direct-correction", CONSISTENT, &limits);
    good = compare(system, "direct-correction", ROUNDED, &limits) && good;
    good = compare(system, "explicit-dae", CONSISTENT, &limits) && good;
    good = compare(system, "explicit-dae", ROUNDED, &limits) && good;
    hol_system_destroy(system);
    if (!good)
        fprintf(stderr, "a run is off\n");
    return good ? 0 : 1;
}
