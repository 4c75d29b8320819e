/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs that keep up with the clock: `holon run --realtime`. The books are kept in pace.h. */
#ifndef HOLON_CLI_REALTIME_H
#define HOLON_CLI_REALTIME_H

#include <holon/json.h>

#include "pace.h"

#include <stdbool.h>
#include <stddef.h>

/* The factor that was asked for: 1 if the text is empty. False after a sentence on stderr. */
bool cli_realtime_parse(const char *text, double *factor);

CliPace cli_realtime_begin(double factor, double start);
/* A step to t has ended. False if it was late. */
bool cli_realtime_step(CliPace *pace, double t);
/* Waits until the step that has ended is due, or until an interrupt. */
void cli_realtime_wait(CliPace *pace);

/* "every step in time; a step takes ..." for the summary. */
void cli_realtime_text(const CliPace *pace, char *text, size_t size);
/* A sentence on stderr if steps were late. */
void cli_realtime_warn(const CliPace *pace);
/* The member "realtime": an object, or null for NULL, a run that did not look at the clock. */
void cli_realtime_member(const CliPace *pace, HolJson *json);

#endif
