/* SPDX-License-Identifier: BSD-3-Clause */
#include "unique_reactions.h"

enum { STATES = 5 };

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

static HolStatus examine_at(const HolMechanism *mechanism, const double *q, bool *unique)
{
    HolDiagnosis *diagnosis;
    HolMessage message;
    HOL_TRY(hol_mechanism_diagnose(mechanism, q, &diagnosis, &message));
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
    HolStatus status = HOL_OK;
    for (int k = 0; count > 0 && k < STATES && status == HOL_OK; ++k) {
        int row = k * (samples->count - 1) / (STATES - 1);
        status = examine_at(mechanism, samples->q + (size_t)row * (size_t)samples->nq, unique);
    }
    for (int i = 0; status != HOL_OK && i < count; ++i)
        unique[i] = false; /* unknown */
    return status == HOL_NO_MEMORY ? status : HOL_OK;
}
