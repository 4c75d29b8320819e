/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/path.h"

#include <holon/argument.h>
#include <holon/mechanism.h>

#include "base/message.h"
#include "base/tolerances.h"

#include <math.h>
#include <string.h>

enum { CAPACITY = 33 }; /* with the initial one */

typedef struct HolPath {
    int count;
    double interval;    /* the least between two of them */
    double t[CAPACITY]; /* ascending */
    double *q;          /* CAPACITY times nq */
} HolPath;

HolStatus hol_path_create(HolSimulation *s)
{
    if (s->summary.redundant_rows == 0)
        return HOL_OK;
    HolPath *path = hol_arena_alloc(s->arena, sizeof *path);
    HOL_TRY(hol_arena_status(s->arena));
    path->q = hol_arena_doubles(s->arena, CAPACITY * (size_t)s->rates->nq);
    HOL_TRY(hol_arena_status(s->arena));
    path->t[0] = s->state.t;
    path->count = 1;
    memcpy(path->q, s->state.q, (size_t)s->rates->nq * sizeof *path->q);
    s->path = path;
    return HOL_OK;
}

/* The first one stays. */
static void path_thin(HolPath *path, size_t nq)
{
    int kept = 1;
    path->interval = (1 - HOL_TOL_TIME) * (path->t[path->count - 1] - path->t[0]) / (CAPACITY / 2);
    for (int i = 1; i < path->count; ++i)
        if (path->t[i] - path->t[kept - 1] >= path->interval) {
            path->t[kept] = path->t[i];
            memmove(path->q + (size_t)kept * nq, path->q + (size_t)i * nq, nq * sizeof *path->q);
            ++kept;
        }
    path->count = kept;
}

void hol_path_accept(HolSimulation *s)
{
    HolPath *path = s->path;
    if (!path || s->state.t - path->t[path->count - 1] < path->interval)
        return;
    const size_t nq = (size_t)s->rates->nq;
    if (path->count == CAPACITY)
        path_thin(path, nq);
    path->t[path->count] = s->state.t;
    memcpy(path->q + (size_t)path->count * nq, s->state.q, nq * sizeof *path->q);
    ++path->count;
}

void hol_path_archive(HolSimulation *s, HolArchive *archive)
{
    HolPath *path = s->path;
    if (!path)
        return;
    int count = hol_archive_count(archive, &path->count, CAPACITY);
    HOL_ARCHIVE_EACH(archive, &path->interval);
    hol_archive_doubles(archive, path->t, count);
    hol_archive_doubles(archive, path->q, count * s->rates->nq);
}

int hol_simulation_configuration_count(const HolSimulation *simulation)
{
    const HolPath *path = simulation ? simulation->path : NULL;
    return path ? path->count + (path->t[path->count - 1] < simulation->state.t) : 0;
}

HolConfiguration hol_simulation_configuration(const HolSimulation *simulation, int index)
{
    if (index < 0 || index >= hol_simulation_configuration_count(simulation))
        return (HolConfiguration){NAN, NULL};
    const HolPath *path = simulation->path;
    if (index < path->count)
        return (HolConfiguration){path->t[index], path->q + (size_t)index * (size_t)simulation->rates->nq};
    return (HolConfiguration){simulation->state.t, simulation->state.q};
}

HolStatus hol_mechanism_diagnose_run(const HolMechanism *mechanism, const HolSimulation *simulation,
                                     HolDiagnosis **diagnosis, HolMessage *message)
{
    HolConfiguration list[CAPACITY + 1];
    HOL_TRY(HOL_CHECK_POINTER(message, diagnosis));
    *diagnosis = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, mechanism));
    HOL_TRY(HOL_CHECK_POINTER(message, simulation));
    if (simulation->system != hol_mechanism_system(mechanism))
        return hol_fail(message, HOL_BAD_INPUT, "%s: the simulation is not of this mechanism", __func__);
    int count = hol_simulation_configuration_count(simulation);
    for (int i = 0; i < count; ++i)
        list[i] = hol_simulation_configuration(simulation, i);
    if (count == 0)
        return hol_mechanism_diagnose(mechanism, NULL, diagnosis, message);
    return hol_mechanism_diagnose_motion(mechanism, list, count, diagnosis, message);
}
