/* SPDX-License-Identifier: BSD-3-Clause */
/* A model from text, its static equilibrium, and the columns that a recorder reads there. */
#ifndef HOLON_TESTS_EQUILIBRIUM_OF_H
#define HOLON_TESTS_EQUILIBRIUM_OF_H

#include <holon/static.h>

#include "assembled.h"

enum { MOST_COLUMNS = 2000 };

typedef struct Case {
    HolMechanism *mechanism;
    HolEquilibrium *equilibrium;
    HolRecorder *recorder;
    HolMessage message;
    double values[MOST_COLUMNS];
} Case;

static inline bool open_text(Case *c, const char *text)
{
    *c = (Case){0};
    if (!assembled_text(text, &c->mechanism, &c->message))
        return false;
    HolStatus status = hol_recorder_create(c->mechanism, (const char *[]){"all"}, 1, &c->recorder, &c->message);
    CHECK_OK(status);
    return status == HOL_OK && CHECK(hol_recorder_column_count(c->recorder) <= MOST_COLUMNS);
}

static inline void close_case(Case *c)
{
    hol_recorder_destroy(c->recorder);
    hol_equilibrium_destroy(c->equilibrium);
    hol_mechanism_destroy(c->mechanism);
}

static inline bool find(Case *c, const HolStaticOptions *options)
{
    HolStaticOptions usual = hol_static_options();
    HolMeasures measures = {0};
    HolStatus status = hol_mechanism_static(c->mechanism, options ? options : &usual, &c->equilibrium, &c->message);
    if (!CHECK_OK(status)) {
        printf("    %s\n", c->message.text);
        return false;
    }
    return CHECK_OK(hol_recorder_read(c->recorder, &c->equilibrium->state, &measures, c->values));
}

static inline double value(const Case *c, const char *column)
{
    int index = hol_recorder_find(c->recorder, column);
    return CHECK(index >= 0) ? c->values[index] : NAN;
}

#endif
