/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenes.h"

#include <stdlib.h>
#include <string.h>

/* One line per kind, the simple ones first. */
#define KINDS(X)                                                                                                       \
    X(pendulum)                                                                                                        \
    X(double_pendulum)                                                                                                 \
    X(spherical_pendulum)                                                                                              \
    X(four_bar)                                                                                                        \
    X(slider_crank)                                                                                                    \
    X(n_four_bar)                                                                                                      \
    X(planar_chain)                                                                                                    \
    X(spatial_chain)                                                                                                   \
    X(rolling_disc)                                                                                                    \
    X(ball_in_bowl)                                                                                                    \
    X(constant_speed)                                                                                                  \
    X(rheonomic_crank)                                                                                                 \
    X(damped_pendulum)                                                                                                 \
    X(elastic_pendulum)                                                                                                \
    X(free_body)

#define DECLARE(kind) extern const SceneKind scene_##kind;
#define ADDRESS(kind) &scene_##kind,

KINDS(DECLARE)

const SceneKind *const scene_kinds[] = {KINDS(ADDRESS)};
const int scene_kind_count = sizeof scene_kinds / sizeof scene_kinds[0];

Scene *scene_create(const char *name, int n)
{
    for (int i = 0; i < scene_kind_count; i++) {
        if (strcmp(scene_kinds[i]->name, name) == 0)
            return scene_kinds[i]->create(n > 0 ? n : scene_kinds[i]->default_n);
    }
    return NULL;
}

void scene_destroy(Scene *scene)
{
    if (!scene)
        return;
    if (scene->system)
        hol_system_destroy(scene->system);
    free(scene->owned);
    free(scene);
}
