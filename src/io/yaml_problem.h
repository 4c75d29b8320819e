/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates the errors of libyaml into messages for users. */
#ifndef HOLON_IO_YAML_PROBLEM_H
#define HOLON_IO_YAML_PROBLEM_H

#include "io/yaml.h"

#include <yaml.h>

HolPlace hol_yaml_place(const HolYamlText *text, yaml_mark_t mark);

/* After a yaml_parser function has failed: the sentence goes to the model. HOL_BAD_INPUT or HOL_NO_MEMORY. */
HolStatus hol_yaml_problem(HolModel *model, const HolYamlText *text, const yaml_parser_t *parser);

#define HOL_YAML_NO_ANCHORS "anchors and aliases are not supported; use parameters or extends"
#define HOL_YAML_NO_TAGS "tags ('!') are not supported"

#endif
