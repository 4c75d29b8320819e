/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a checkpoint: its header, and what a run has collected. */
#ifndef HOLON_CLI_RUN_CHECKPOINT_PARTS_H
#define HOLON_CLI_RUN_CHECKPOINT_PARTS_H

#include "run/checkpoint.h"

#define CLI_CHECKPOINT_MAGIC "HOLCKPT"
/* The magic text with its end, then four numbers of eight bytes: version, size, whether it is complete, hash. */
enum { CLI_CHECKPOINT_VERSION = 2, CLI_CHECKPOINT_HEADER = 40 };

/* Fills in the header, before all else has been added. */
void cli_checkpoint_seal(CliBytes *bytes, bool is_complete);

void cli_checkpoint_put_parts(CliBytes *bytes, const CliRunParts *parts);

#endif
