/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of records as people write them. The sum start + k every is rounded twice and prints as 0.7000000000000001; the
 * quotient of two whole numbers, 7/10, is rounded once and prints as 0.7. */
#ifndef HOLON_SIMULATE_RUN_TIMES_H
#define HOLON_SIMULATE_RUN_TIMES_H

#include <stdbool.h>

/* The times start + k every; units is the number per second of those that both are multiples of, 0: none. */
typedef struct HolRecordTimes {
    double start, every, units;
} HolRecordTimes;

HolRecordTimes hol_record_times(double start, double every);
/* The correctly rounded start + k every where t is that but for a few roundings; else t itself. */
double hol_record_time(const HolRecordTimes *times, double t);

#endif
