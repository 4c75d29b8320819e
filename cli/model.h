/* SPDX-License-Identifier: BSD-3-Clause */
/* The model that a command is about, with the changes asked for on the command line. */
#ifndef HOLON_CLI_MODEL_H
#define HOLON_CLI_MODEL_H

#include <holon/mechanism.h>

#include "command.h"

/* Values as they were typed, NULL where nothing was said. */
typedef struct CliModelOptions {
    const char *variant;
    CliWords set;
    const char *formulation, *integrator, *coordinates, *reactions, *branch, *step, *until, *every;
} CliModelOptions;

/* Loads it, applies the variant, each --set in order, then the other options, and compiles it. Errors are printed, all
 * of them; warnings too unless quiet. Returns EXIT_DONE and both objects, or an exit code and NULLs. */
int cli_model_open(const char *name, const CliModelOptions *options, bool quiet, HolModel **model,
                   HolMechanism **mechanism);

/* The same, and puts it together. */
int cli_model_assemble(const char *name, const CliModelOptions *options, bool quiet, HolModel **model,
                       HolMechanism **mechanism);

/* Of a search that failed: whether the input is to blame. */
int cli_search_code(HolStatus status);

/* The rows that run, check and others share in their tables of options. */
#define CLI_MODEL_OPTIONS(Settings, field)                                                                             \
    {"--set", "PATH=VALUE", OPTION_LIST, offsetof(Settings, field.set),                                                \
     "change a value of the model: --set bodies.crank.mass=2 (may be repeated)"},                                      \
    {                                                                                                                  \
        "--variant", "NAME", OPTION_TEXT, offsetof(Settings, field.variant),                                           \
            "apply a variant that the model describes"                                                                 \
    }

#endif
