/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of a run: `--checkpoint FILE` and `--resume FILE`.
 *
 * A checkpoint has the words of the command, the number of rows in the file of results, what the recorder, the report
 * and the plots have collected, and the saved simulation. It is written after the results up to that row are on the
 * disk, to a file beside it, which takes its name when it is on the disk too. So whenever the run is killed, the file
 * has a complete checkpoint, and the results have at least its rows.
 *
 * The last step of a run is shortened to its end, and an attempt that was shortened may be rejected some steps before.
 * The checkpoint of a run that has come to its end is the one before the first such step, so that a run that is
 * extended takes the steps of a longer one. */
#ifndef HOLON_CLI_RUN_CHECKPOINT_H
#define HOLON_CLI_RUN_CHECKPOINT_H

#include <holon/compare.h>

#include "command.h"
#include "run/bytes.h"
#include "run/recording.h"

/* What a run consists of, besides its options. */
typedef struct CliRunParts {
    unsigned long long model; /* hol_model_fingerprint() */
    HolSimulation *simulation;
    CliRecording *recording;
    HolHistory *history;
    HolRun *run;
    double interval; /* of checkpoints, in seconds of the clock */
} CliRunParts;

/* Writes checkpoints. */
typedef struct CliCheckpoint {
    const char *path;  /* NULL: none are written */
    HolHeldFile *held; /* no other run writes it */
    bool has_older;    /* the file may be of an earlier run, whose results are still there */
    double due;        /* of the next one, on the clock */
    CliBytes words;    /* of the command, and the folder it was given in */
    CliBytes bytes;    /* of the latest */
    double t, filled;  /* times of the latest step, and of the state in the bytes */
    int kept_steps;    /* since that state, if it is kept for the end of the run */
    bool has_failed;   /* a warning was printed */
    bool is_written;   /* the file has one of this run */
} CliCheckpoint;

/* The value of --checkpoint-every, or the default if NULL. Returns false after a message. */
bool cli_checkpoint_interval(const char *text, double *interval);

/* A file that is there already must be a checkpoint. Returns an exit code. */
int cli_checkpoint_check(const char *path);

/* Keeps other runs away from the file, until cli_checkpoint_free(): where there is no file yet, by a temporary one that
 * only a command that watches signals removes. Returns an exit code. */
int cli_checkpoint_hold(CliCheckpoint *checkpoint, const char *path);

/* settings: those of the command, from which the words are taken. Returns an exit code. */
int cli_checkpoint_begin(CliCheckpoint *checkpoint, const char *path, const CliCommand *command, const void *settings,
                         bool is_resumed);
/* Before a run that is not resumed replaces older results: their checkpoint would continue others. Returns
 * HOL_NOT_WRITTEN after a message. */
HolStatus cli_checkpoint_remove_older(CliCheckpoint *checkpoint);
/* After a step: writes a checkpoint if one is due, at once, or at the end of the run. A failure is reported as a
 * warning. */
void cli_checkpoint_update(CliCheckpoint *checkpoint, const CliRunParts *parts, bool at_once);
/* All files of the run are written. */
void cli_checkpoint_end(CliCheckpoint *checkpoint);
void cli_checkpoint_free(CliCheckpoint *checkpoint);

/* A checkpoint that was read. */
typedef struct CliResumed {
    char *path;        /* absolute */
    HolHeldFile *held; /* of the path */
    char *folder;      /* in which the command was given */
    CliWords words;
    unsigned char *file;
    CliBytesReader rest; /* of the file, behind the words */
    bool is_complete;    /* the run had come to its end */
    long rows;           /* of the results, -1: there are none */
    double t, until, every, interval;
    double *last_row; /* of the results */
    int column_count;
    double new_until; /* of --until, or until */
    unsigned long long model;
} CliResumed;

/* Reads and examines a checkpoint. Returns an exit code after a message. */
int cli_resumed_open(const char *path, CliResumed *resumed);
/* Restores all parts of a run that was prepared with the words of the checkpoint, in which only parts->run is not set.
 * Returns an exit code after a message; the results are not touched. */
int cli_resumed_restore(CliResumed *resumed, const char *model_name, const CliRunParts *parts);
void cli_resumed_free(CliResumed *resumed);

#endif
