/* SPDX-License-Identifier: BSD-3-Clause */
/* What columns alone tell of a scene: where bodies and points are. */
#ifndef HOLON_CLI_VIEW_COLUMNS_H
#define HOLON_CLI_VIEW_COLUMNS_H

#include "scene_json.h"

/* The same members as cli_scene_members(), all of them, most of them empty. */
void cli_view_columns(const CliNames *names, HolJson *json);

#endif
