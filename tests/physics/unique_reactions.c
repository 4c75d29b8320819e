/* SPDX-License-Identifier: BSD-3-Clause */
/* The diagnosis of an initial configuration must call those components of reactions unique that are unique along the
 * motion. Initial configurations are special: parallel rods and right angles make components vanish. */
#include "recorded.h"

enum { MOST_JOINTS = 20, STATES = 4 };

typedef bool Flags[MOST_JOINTS][6];

/* Clears what is not unique at q, NULL for the initial configuration; returns the number of joints. */
static int examine(const HolMechanism *mechanism, const double *q, Flags unique)
{
    HolDiagnosis *diagnosis;
    HolMessage message;
    int count = 0;
    if (CHECK_OK(hol_mechanism_diagnose(mechanism, q, &diagnosis, &message))) {
        count = diagnosis->joint_count;
        for (int i = 0; i < 6 * count; ++i)
            unique[i / 6][i % 6] = unique[i / 6][i % 6] && diagnosis->joints[i / 6].unique[i % 6];
        hol_diagnosis_destroy(diagnosis);
    }
    return count;
}

static void fill(Flags unique)
{
    for (int i = 0; i < 6 * MOST_JOINTS; ++i)
        unique[i / 6][i % 6] = true;
}

static void initial_configurations_stand_for_the_motion(void)
{
    static const char *const names[] = {"spatial-parallelogram", "bricard", "pendulum-two-rods",
                                        "pendulum-two-bearings"};
    for (int k = 0; k < 4; ++k) {
        Recorded r;
        Flags initial, moving;
        HolModel *model = hol_model_create();
        CHECK_CONTEXT("%s", names[k]);
        CHECK_OK(hol_model_load(model, names[k]));
        fill(initial);
        fill(moving);
        if (recorded_open(&r, model, "energy")) {
            int count = examine(r.mechanism, NULL, initial);
            CHECK(count > 1);
            for (int i = 1; i <= STATES && recorded_go_to(&r, 0.15 * i); ++i)
                examine(r.mechanism, hol_simulation_state(r.simulation)->q, moving);
            for (int i = 0; i < 6 * count; ++i)
                CHECK_EQUAL_INT(initial[i / 6][i % 6], moving[i / 6][i % 6]);
        }
        recorded_close(&r);
    }
}

CHECK_MAIN(TEST(initial_configurations_stand_for_the_motion))
