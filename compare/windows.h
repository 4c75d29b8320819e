/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that resolve the functions of time of a system: error control alone may step over a short pulse. */
#ifndef HOLON_COMPARE_WINDOWS_H
#define HOLON_COMPARE_WINDOWS_H

#include <holon/system.h>

/* The longest step from t on, at most `longest`, within which every function of time stays near the line between its
 * ends, by a tenth of its range from `start` to `until`. Functions without known bounds do not count. */
double hol_window(const HolSystem *system, double start, double until, double t, double longest);

#endif
