/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/recording.h>

#include "wrong_arguments.h"

static void wrong_hol_model_run(void)
{
    static const char *const names[] = {"energy", NULL}, *const unknown[] = {"nothing"};
    HolRecording *recording = (HolRecording *)&said;
    Subject s;
    if (subject_open(&s, "four-bar")) {
        REFUSED("hol_model_run: model", hol_model_run(NULL, NULL, 0, &recording, message));
        CHECK(recording == NULL);
        REFUSED("hol_model_run: recording", hol_model_run(s.model, NULL, 0, NULL, message));
        REFUSED("hol_model_run: record[1]", hol_model_run(s.model, names, 2, &recording, message));
        REFUSED("must not be negative", hol_model_run(s.model, names, -1, &recording, message));
        REFUSED("'nothing'", hol_model_run(s.model, unknown, 1, &recording, message));
        CHECK(recording == NULL);
    }
    subject_close(&s);
}

static void wrong_hol_recording_destroy(void)
{
    hol_recording_destroy(NULL);
    CHECK(true);
}

static void wrong_hol_recording_find(void)
{
    const HolRecording empty = {0};
    CHECK_EQUAL_INT(hol_recording_find(NULL, "t"), -1);
    CHECK_EQUAL_INT(hol_recording_find(&empty, "t"), -1);
    CHECK_EQUAL_INT(hol_recording_find(&empty, NULL), -1);
}

static void wrong_hol_recording_value(void)
{
    const char *const columns[] = {"t"};
    const double values[] = {4};
    const HolRecording one = {.column_count = 1, .row_count = 1, .columns = columns, .values = values};
    CHECK_NEAR(hol_recording_value(&one, 0, "t"), 4, 0);
    CHECK(isnan(hol_recording_value(NULL, 0, "t")));
    CHECK(isnan(hol_recording_value(&one, 0, NULL)));
    CHECK(isnan(hol_recording_value(&one, 0, "x")));
    CHECK(isnan(hol_recording_value(&one, 1, "t")));
    CHECK(isnan(hol_recording_value(&one, -2, "t")));
    CHECK(isnan(hol_recording_value(&one, INT_MAX, "t")));
    CHECK(isnan(hol_recording_value(NULL, -1, NULL)));
}

WRONG_ARGUMENTS_MAIN()
