/* SPDX-License-Identifier: BSD-3-Clause */
/* A rigid body in free flight without gravity, spinning near its unstable middle axis. No rows at all. */
#include "draft.h"
#include "spatial.h"

#include <string.h>

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    spatial_single(self, at, want, terms);
    return HOL_OK;
}

static const HolSystemOps ops = {
    .evaluate = evaluate,
    .qdot = spatial_single_qdot,
    .retract = spatial_single_retract,
};

static Scene *create(int n)
{
    (void)n;
    static const double v[6] = {0.5, -0.2, 1, 0.1, 4, 0.1};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "free-body";
    spec.ops = &ops;
    spec.nq = 7;
    spec.nv = 6;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(SpatialBody));
    if (draft.scene) {
        *(SpatialBody *)draft.self = spatial_body(1.5, 0, 0.1, 0.2, 0.3);
        draft.q[3] = 1;
        memcpy(draft.v, v, sizeof v);
        draft.scene->until = 3;
        draft.scene->conservative = true;
    }
    return draft_close(&draft);
}

const SceneKind scene_free_body = {
    .name = "free-body",
    .title = "rigid body in free flight: no constraints",
    .create = create,
};
