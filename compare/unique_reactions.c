/* SPDX-License-Identifier: BSD-3-Clause */
#include "unique_reactions.h"

enum { STATES = 17 };

/* Whether the three components beginning there are unique. */
static bool are_unique(const HolJointDiagnosis *joint, int from)
{
    return joint->unique[from] && joint->unique[from + 1] && joint->unique[from + 2];
}

/* Clears the flags of reactions that are not unique here. In the order of the recorder: in the plane fx fy tz. */
static void unique_examine(const HolDiagnosis *diagnosis, bool planar, bool *unique)
{
    for (int j = 0; j < diagnosis->joint_count; ++j) {
        bool known = diagnosis->reactions_examined;
        bool force = known && are_unique(&diagnosis->joints[j], 0),
             torque = known && are_unique(&diagnosis->joints[j], 3);
        for (int i = 0; i < 6; ++i)
            if (!planar || i < 2 || i == 5) {
                *unique = *unique && (i < 3 ? force : torque);
                ++unique;
            }
    }
}

static HolStatus examine_samples(const HolMechanism *mechanism, const HolSamples *samples, bool *unique)
{
    HolConfiguration list[STATES];
    HolDiagnosis *diagnosis;
    HolMessage message;
    int count = samples->count < STATES ? samples->count : STATES;
    for (int k = 0; k < count; ++k) {
        int row = count > 1 ? k * (samples->count - 1) / (count - 1) : 0;
        list[k] = (HolConfiguration){samples->t[row], samples->q + (size_t)row * (size_t)samples->nq};
    }
    HOL_TRY(hol_mechanism_diagnose_motion(mechanism, list, count, &diagnosis, &message));
    unique_examine(diagnosis, hol_mechanism_is_planar(mechanism), unique);
    hol_diagnosis_destroy(diagnosis);
    return HOL_OK;
}

HolStatus hol_unique_reactions(HolPool *pool, const HolMechanism *mechanism, const HolSamples *samples,
                               const bool **is_unique)
{
    int count = samples->reaction_count;
    bool *unique = hol_pool_alloc(pool, (size_t)count + 1);
    if (!unique)
        return HOL_NO_MEMORY;
    *is_unique = unique;
    for (int i = 0; i < count; ++i)
        unique[i] = true;
    HolStatus status = count > 0 ? examine_samples(mechanism, samples, unique) : HOL_OK;
    for (int i = 0; status != HOL_OK && i < count; ++i)
        unique[i] = false; /* unknown */
    return status == HOL_NO_MEMORY ? status : HOL_OK;
}
