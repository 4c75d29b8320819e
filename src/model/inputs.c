/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs: {torque: 0 N*m}: numbers that a program may change while the model runs, with their values until then. */
#include "base/message.h"
#include "model/reader_internal.h"

#include <string.h>

/* Inputs and variables of forces share one set of names. */
static bool is_variable(const char *name)
{
    static const char *const variables[] = {"l", "ldot", "angle", "rate", "x", NULL};
    for (int i = 0; variables[i]; ++i)
        if (strcmp(variables[i], name) == 0)
            return true;
    return false;
}

static bool inputs_is_free(HolReader *reader, const HolNode *node)
{
    if (!hol_check_name(reader, node, "input"))
        return false;
    if (hol_names_find(reader->parameter_names, node->key) >= 0)
        hol_error(reader->model, node->key_place, "input '%s': a parameter has this name too; choose another",
                  node->key);
    else if (is_variable(node->key))
        hol_error(reader->model, node->key_place, "input '%s': in forces this name is reserved; choose another",
                  node->key);
    else
        return true;
    return false;
}

HolStatus hol_read_inputs(HolReader *reader)
{
    const HolNode *section = hol_reader_section(reader, "inputs");
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next) {
        HolDimension dimension;
        double value = 0;
        int index = hol_names_count(reader->input_names);
        if (!inputs_is_free(reader, node))
            continue;
        if (index == HOL_MAX_INPUTS) {
            hol_error(reader->model, node->key_place, "input '%s': a model has at most %d inputs", node->key,
                      HOL_MAX_INPUTS);
            break;
        }
        hol_reader_enter(reader, "input", node->key);
        hol_read_quantity(reader, node, &value, &dimension);
        hol_reader_leave(reader);
        if (hol_names_add(reader->input_names, node->key) < 0)
            return HOL_NO_MEMORY;
        reader->inputs[index] = value;
    }
    return HOL_OK;
}
