/* SPDX-License-Identifier: BSD-3-Clause */
/* The scenes: small systems with known properties that feed the tests, the benchmarks and the examples.
 *
 * A scene is a system together with a consistent start. Every kind is one file that ends in one table; the registry
 * lists them, so that a contract test which iterates scene_kinds meets every sort of system the library promises to
 * serve: one block or many, redundant rows, moving rows, nonholonomic rows (linear or not), no rows at all. */
#ifndef TESTS_SYSTEMS_SCENES_H
#define TESTS_SYSTEMS_SCENES_H

#include <holon/simulation.h>

typedef struct Scene {
    HolSystem *system;
    HolInitialState start; /* satisfies Phi = 0 and D v = nu to rounding; q and v live as long as the scene */
    double until;          /* a length that shows the character of the motion and stays cheap */
    bool conservative;     /* kinetic + potential is constant by itself: nothing drives, damps or works on the system */
    int redundant_rows;    /* m - rank(D) at the start */
    int dof;               /* nv - rank(D) at the start */
    void *owned;           /* the system's parameters and the start, freed by scene_destroy() */
} Scene;

typedef struct SceneKind {
    const char *name;  /* "four-bar" */
    const char *title; /* one line for people */
    Scene *(*create)(int n);
    int default_n; /* how many links or loops; 0 where the scene has a fixed size */
} SceneKind;

extern const SceneKind *const scene_kinds[];
extern const int scene_kind_count;

/* n <= 0 means the default. NULL only for an unknown name or without memory. */
Scene *scene_create(const char *name, int n);
void scene_destroy(Scene *scene);

#endif
