/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole runs of a scene in one call, and the distance between their results. */
#ifndef HOLON_TESTS_RUNS_H
#define HOLON_TESTS_RUNS_H

#include "systems/scenes.h"

enum { RESULT_MOST = 1024 };

/* What is left of a run: where it ended and what it was like. After a failure the message says why, and q and v are the
 * last good state, or nothing if there was none. */
typedef struct Result {
    HolStatus status;
    HolMessage message;
    HolSummary summary;
    HolMeasures measures;
    double t;
    int nq, nv; /* 0: a state of more than RESULT_MOST numbers is not kept */
    double q[RESULT_MOST], v[RESULT_MOST];
} Result;

/* What a test must know of a formulation to set its tolerances. One that is not in the table promises nothing special:
 * exact accelerations, constraints kept only as well as the integrator keeps them. */
typedef struct Traits {
    const char *formulation;
    bool penalty;    /* accelerations miss the constraints by lambda / alpha */
    bool stabilized; /* accelerations also bring a violation back */
    bool projects;   /* every accepted state satisfies the constraints to rounding */
    bool holonomic;  /* refuses systems with nonholonomic rows */
    bool flat;       /* refuses systems whose q does not move as v, or whose mass changes */
    bool mean;       /* flat, but takes systems with evaluate_mean() */
    bool massive;    /* refuses systems with coordinates that have no mass */
    bool elastic;    /* its options concern elastic parts */
    int order;       /* of the steps that it brings itself */
    /* What the long steps and small tolerances of the tests ask of it, where its defaults are made for others. */
    HolSetting settings[2];
    int setting_count;
} Traits;

Traits formulation_traits(const char *formulation);

/* The order of a formulation with an integrator of fixed step; 0: adaptive; -1: not known to the tests, so that they
 * fail. */
int pair_order(const char *formulation, const char *integrator);

bool has_option(HolKindInfo kind, const char *name);

/* Whether it takes this system; if not, creating a simulation says HOL_UNSUPPORTED. */
bool is_served(const char *formulation, const HolSystem *system);

/* A list of settings that grows. */
typedef struct Settings {
    HolSetting list[8];
    int count;
} Settings;

/* Those of the formulation's traits, and these; a later one of the same name rules. */
Settings settings_with(const char *formulation, const HolSetting *more, int count);

/* The standard options with this pair, this step and the settings of the traits. */
HolSimulationOptions run_options(const char *formulation, const char *integrator, double step);

bool is_supported(const char *formulation, const char *integrator);

/* The same with the formulation's own integrator where that one does not fit it. */
HolSimulationOptions fitting_options(const char *formulation, const char *integrator, double step);

/* direct-correction, or where the integrator does not fit it another one. */
const char *formulation_for(const char *integrator);

/* From the start through the run. */
Result run_system(const HolSystem *system, const HolInitialState *start, const HolSimulationOptions *options,
                  const HolRun *run);

/* The same with a scene made for it alone; HOL_NO_MEMORY if there is none. start NULL: that of the scene. */
Result run_alone(const char *scene, int n, const HolInitialState *start, const HolSimulationOptions *options,
                 const HolRun *run);

/* From the scene's start to a time `length` later, without records. */
Result run_scene(const Scene *scene, const HolSimulationOptions *options, double length);

/* The same by dopri5, relative and absolute tolerance alike. */
Result run_tight(const Scene *scene, const char *formulation, const char *tolerance, double length);

/* A run that others are measured against: tight to 1e-13 with direct-correction, projected after every step. */
Result run_reference(const Scene *scene, double length);

/* max |a_i - b_i| / (1 + max |b_i|) over q and v; infinite if one of the runs has failed. */
double result_distance(const Result *a, const Result *b);

/* The order that errors at steps h and h / ratio show. */
double observed_order(double coarse, double fine, double ratio);

#endif
