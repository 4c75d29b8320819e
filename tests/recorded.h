/* SPDX-License-Identifier: BSD-3-Clause */
/* A model that runs with its own settings and is read by the names of columns. */
#ifndef TESTS_RECORDED_H
#define TESTS_RECORDED_H

#include <holon/mechanism.h>

#include "assembled.h"

enum { RECORDED_MOST = 200 };

typedef struct Recorded {
    HolModel *model;
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolRecorder *recorder;
    double values[RECORDED_MOST]; /* of the present state */
} Recorded;

static inline bool recorded_read(Recorded *r)
{
    HolMeasures measures = hol_simulation_measures(r->simulation);
    return CHECK_OK(hol_recorder_read(r->recorder, hol_simulation_state(r->simulation), &measures, r->values));
}

/* At its start; what: "all", or NULL for what the model says. False and the mistakes of the model if that fails. Takes
 * the model over. */
static inline bool recorded_open(Recorded *r, HolModel *model, const char *what)
{
    HolMessage message;
    *r = (Recorded){.model = model};
    if (!assembled_open(model, &r->mechanism, &message) ||
        !CHECK_OK(hol_recorder_create(r->mechanism, what ? &what : NULL, what ? 1 : 0, &r->recorder, &message)) ||
        !CHECK(hol_recorder_column_count(r->recorder) <= RECORDED_MOST))
        return false;
    HolInitialState start = hol_mechanism_initial_state(r->mechanism);
    HolSimulationOptions options = hol_mechanism_options(r->mechanism);
    const HolSystem *system = hol_mechanism_system(r->mechanism);
    return CHECK_OK(hol_simulation_create(system, &start, &options, &r->simulation, &message)) && recorded_read(r);
}

static inline bool recorded_go_to(Recorded *r, double t)
{
    bool runs = t == 0 || CHECK_OK(hol_simulation_run(r->simulation, &(HolRun){.until = t}));
    return runs && recorded_read(r);
}

static inline void recorded_close(Recorded *r)
{
    hol_recorder_destroy(r->recorder);
    hol_simulation_destroy(r->simulation);
    hol_mechanism_destroy(r->mechanism);
    hol_model_destroy(r->model);
}

static inline double recorded_value(const Recorded *r, const char *column)
{
    int index = hol_recorder_find(r->recorder, column);
    return CHECK(index >= 0) ? r->values[index] : NAN;
}

#endif
