/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the functions of time of a model, for steps that end at their breakpoints and resolve them. */
#include "model/reader_internal.h"

#include <string.h>

static void list_switching(HolReader *reader, const HolExpression *expression, int variable)
{
    HolSwitching *switching = hol_arena_alloc(reader->arena, sizeof *switching);
    if (!switching)
        return; /* the arena remembers */
    *switching = (HolSwitching){expression, variable, reader->switching};
    reader->switching = switching;
}

static void list_time_functions(HolReader *reader, const HolExpression *expression, int variable)
{
    enum { MOST_PARTS = 32 };
    HolTimePart parts[MOST_PARTS];
    int count = hol_expression_time_parts(expression, variable, parts, MOST_PARTS);
    for (int i = 0; i < count && i < MOST_PARTS; ++i) {
        HolTimeFunction *function = hol_arena_alloc(reader->arena, sizeof *function);
        if (!function)
            return;
        *function = (HolTimeFunction){parts[i], reader->what, reader->name, false, reader->time_functions};
        reader->time_functions = function;
        ++reader->time_function_count;
    }
}

void hol_reader_prescribe(HolReader *reader, const HolFunction *function, bool is_position)
{
    for (HolTimeFunction *f = reader->time_functions; f; f = f->next)
        if (f->part.expression == function->expression) {
            f->is_velocity = true;
            f->part.is_rate = is_position;
        }
}

void hol_reader_list_function(HolReader *reader, const HolSymbols *symbols, const HolExpression *expression)
{
    for (int i = 0; i < symbols->variable_count; ++i) {
        if (strcmp(symbols->variables[i], "t") != 0)
            continue;
        if (hol_expression_has_breakpoints(expression, i))
            list_switching(reader, expression, i);
        list_time_functions(reader, expression, i);
    }
}
