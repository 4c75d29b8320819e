/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of a command, with the changes requested by its options. */
#ifndef HOLON_CLI_MODEL_H
#define HOLON_CLI_MODEL_H

#include <holon/mechanism.h>

#include "command.h"

/* Values as typed, NULL where an option was not given. */
typedef struct CliModelOptions {
    const char *variant;
    CliWords set, limit;
    const char *formulation, *integrator, *coordinates, *reactions, *branch, *step, *until, *every;
} CliModelOptions;

/* Loads a model, applies the variant, each --set in order, then the other options, and compiles it. Prints all errors,
 * and warnings unless quiet. Returns EXIT_DONE and both objects, or another exit code and NULLs. */
int cli_model_open(const char *name, const CliModelOptions *options, bool quiet, HolModel **model,
                   HolMechanism **mechanism);

/* The same, and assembles the initial configuration. */
int cli_model_assemble(const char *name, const CliModelOptions *options, bool quiet, HolModel **model,
                       HolMechanism **mechanism);

/* Refuses drivers that jump before the end of the run, for commands that run the model: prints all errors and returns
 * EXIT_BAD_INPUT. */
int cli_model_check_jumps(const char *name, HolModel *model, HolMechanism *mechanism);

/* The exit code of a search that failed: EXIT_BAD_INPUT if its input was the reason. */
int cli_search_code(HolStatus status);

/* The options that commands with a model share. */
#define CLI_MODEL_OPTIONS(Settings, field)                                                                             \
    {"--set", "PATH=VALUE", OPTION_LIST, offsetof(Settings, field.set),                                                \
     "change a value of the model: --set bodies.crank.mass=2 (may be repeated)"},                                      \
        {"--limit", "NAME=VALUE", OPTION_LIST, offsetof(Settings, field.limit),                                        \
         "what the model may cost: parts=1e6, memory=4GB, file=64MB (may be repeated)"},                               \
    {                                                                                                                  \
        "--variant", "NAME", OPTION_TEXT, offsetof(Settings, field.variant), "apply a variant of the model"            \
    }

#endif
