/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in real time: `holon run --realtime`. pace.h keeps the record of deadlines. */
#ifndef HOLON_CLI_RUN_REALTIME_H
#define HOLON_CLI_RUN_REALTIME_H

#include "json.h"
#include "run/pace.h"

#include <stdbool.h>
#include <stddef.h>

/* The requested factor, 1 if the text is empty. Returns false after an error message on stderr. */
bool cli_realtime_parse(const char *text, double *factor);

CliPace cli_realtime_begin(double factor, double start);
/* Records that a step to t has ended. Returns false if it was late. */
bool cli_realtime_step(CliPace *pace, double t);
/* Waits until the step that has ended is due, or until an interrupt. */
void cli_realtime_wait(CliPace *pace);

/* "every step on time; time per step: ..." for the summary. */
void cli_realtime_text(const CliPace *pace, char *text, size_t size);
/* Warns on stderr if steps were late. */
void cli_realtime_warn(const CliPace *pace);
/* Writes the member "realtime": an object, or null for a run without --realtime (pace NULL). */
void cli_realtime_member(const CliPace *pace, CliJson *json);

#endif
