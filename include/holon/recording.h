/* SPDX-License-Identifier: BSD-3-Clause */
/* From a model to its motion in one call:
 *
 *     status = hol_model_run(model, NULL, 0, &recording, &message);
 *     int y = hol_recording_find(recording, "crank.y");
 *     for (int i = 0; i < recording->row_count; ++i)
 *         printf("%g %g\n", recording->values[i * recording->column_count], ...[i * recording->column_count + y]);
 *     hol_recording_destroy(recording);
 *
 * It compiles, assembles and simulates the model as its `run` section says. For a controller in the loop, or to look at
 * every step, call the parts of it: mechanism.h and simulation.h. */
#ifndef HOLON_RECORDING_H
#define HOLON_RECORDING_H

#include <holon/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct HolRecording {
    int column_count, row_count;
    const char *const *columns; /* "t", "crank.x", ... as in results files */
    const double *values;       /* row_count times column_count, row after row */
    HolSummary summary;
} HolRecording;

/* Records what the names say ("crank", "pin.reaction", "energy"); NULL: what the model's `record` says, by default
 * everything. Rows are the requested times (`run: {every: ...}`), by default every step.
 * On failure the message has the reason; the first error of the model, if that is the reason. A run that stops early
 * returns its status with the recording of what it reached; before that *recording is NULL. */
HolStatus hol_model_run(HolModel *model, const char *const *record, int record_count, HolRecording **recording,
                        HolMessage *message);
void hol_recording_destroy(HolRecording *recording);

int hol_recording_find(const HolRecording *recording, const char *column); /* -1: there is none */
/* NAN if there is no such row or column. row = -1 is the last one. */
double hol_recording_value(const HolRecording *recording, int row, const char *column);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
