/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene from columns alone: the positions of bodies and points. */
#ifndef HOLON_CLI_REPORT_VIEW_COLUMNS_H
#define HOLON_CLI_REPORT_VIEW_COLUMNS_H

#include "report/scene_json.h"

/* Writes the same members as cli_scene_members(), most of them empty. */
void cli_view_columns(const CliNames *names, CliJson *json);

#endif
