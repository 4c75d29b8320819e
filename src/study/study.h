/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of a comparison share. */
#ifndef HOLON_STUDY_STUDY_H
#define HOLON_STUDY_STUDY_H

#include <holon/compare.h>

#include "base/arena.h"
#include "study/samples.h"

enum { HOL_STUDY_SAMPLES = 50, HOL_STUDY_MOST_ROUNDS = 1000 };

/* Of one run, s; NAN if it failed. */
typedef struct HolTimes {
    double wall, processor;
} HolTimes;

/* What is handed out: the public part first. */
typedef struct HolStudy {
    HolComparison shown;
    HolArena *arena;
    const HolMechanism *mechanism;
    const HolCompareOptions *options;
    HolCompareRecord *records;
    int all_count;         /* of records: after the shown ones lagrange where it was not asked for, to compare times */
    HolTimes *times;       /* rounds x all_count */
    const bool *is_unique; /* of each reaction column */
    HolSamples reference, scratch;
    int done, all; /* runs */
} HolStudy;

/* Tells what comes next. */
HolStatus hol_study_announce(HolStudy *study, const char *what);

/* reference.c: two runs, and a third against known values. Only lack of memory and a stop are failures. */
HolStatus hol_study_reference(HolStudy *study);

/* timing.c: runs everything again and again, and compares the times. */
HolStatus hol_study_timing(HolStudy *study);

/* The simulation of a record. */
HolStatus hol_study_open(const HolStudy *study, const HolCompareRecord *record, HolSimulation **simulation,
                         HolMessage *message);

#endif
