/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/unique.h"

#include "base/message.h"
#include "mechanism/mechanism.h"

enum { STATES = 5 };

/* Of six components: whether the three from there on are unique. */
static bool are_unique(const HolJointDiagnosis *joint, int from)
{
    return joint->unique[from] && joint->unique[from + 1] && joint->unique[from + 2];
}

/* What is not unique here is so no longer. In the order of the recorder: in the plane fx fy tz. */
static void examine(const HolDiagnosis *diagnosis, bool planar, bool *unique)
{
    for (int j = 0; j < diagnosis->joint_count; ++j) {
        bool known = diagnosis->looked_at_reactions;
        bool force = known && are_unique(&diagnosis->joints[j], 0),
             torque = known && are_unique(&diagnosis->joints[j], 3);
        for (int i = 0; i < 6; ++i)
            if (!planar || i < 2 || i == 5) {
                *unique = *unique && (i < 3 ? force : torque);
                ++unique;
            }
    }
}

static HolStatus examine_at(const HolMechanism *mechanism, double *q, bool *unique)
{
    HolMechanism there = *mechanism; /* one that would start in q */
    HolDiagnosis *diagnosis;
    HolMessage message;
    there.q = q;
    HOL_TRY(hol_mechanism_diagnose(&there, &diagnosis, &message));
    examine(diagnosis, mechanism->planar, unique);
    hol_diagnosis_destroy(diagnosis);
    return HOL_OK;
}

HolStatus hol_unique_reactions(HolArena *arena, const HolMechanism *mechanism, const HolSamples *samples,
                               const bool **is_unique)
{
    int count = samples->reaction_count;
    bool *unique = hol_arena_alloc(arena, (size_t)count + 1);
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
        unique[i] = false; /* none is known to be */
    return status == HOL_NO_MEMORY ? status : HOL_OK;
}
