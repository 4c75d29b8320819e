/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/format.h"
#include "base/letters.h"
#include "base/message.h"
#include "model/reader_internal.h"

#include <string.h>

/* Parameters are evaluated when they are first asked for, so that they may use each other in any order. */
typedef enum ParameterState { UNREAD, READING, READY, BROKEN } ParameterState;

struct HolParameter {
    const HolNode *node;
    ParameterState state;
    int needs; /* while it is read: the parameter that it waits for */
    double value;
    HolDimension dimension;
};

enum { LONGEST_CHAIN = 100 };

static void parameters_evaluate(HolReader *reader, int index);

/* The parameters of the circle after the first, as "'b', 'c'"; nothing if it needs itself. */
static void describe_circle(const HolReader *reader, int index, char *text, size_t size)
{
    size_t used = 0;
    for (int i = reader->parameters[index].needs; i != index && used < size; i = reader->parameters[i].needs)
        used += (size_t)hol_format(text + used, size - used, "%s'%s'", used ? ", " : ", through ",
                                   hol_names_get(reader->parameter_names, i));
}

static void report_circle(HolReader *reader, int index)
{
    char others[200] = "";
    describe_circle(reader, index, others, sizeof others);
    const HolNode *node = reader->parameters[index].node;
    hol_error(reader->model, node->place, "parameter '%s' depends on itself%s", node->key, others);
}

static bool parameters_find_parameter(void *scope, const char *name, size_t length, double *value,
                                      HolDimension *dimension, bool *broken)
{
    HolReader *reader = scope;
    int index = hol_names_find_part(reader->parameter_names, name, length);
    *broken = index < 0 && reader->has_lost_parameters;
    if (index < 0)
        return *broken;
    HolParameter *parameter = &reader->parameters[index];
    if (reader->depth > 0)
        reader->parameters[reader->waiting].needs = index;
    if (parameter->state == READING) {
        report_circle(reader, index);
        parameter->state = BROKEN;
    }
    if (parameter->state == UNREAD)
        parameters_evaluate(reader, index);
    *value = parameter->value;
    *dimension = parameter->dimension;
    *broken = parameter->state != READY;
    return true;
}

static const HolTable *parameters_find_table(void *scope, const char *name, size_t length)
{
    const HolReader *reader = scope;
    int index = hol_names_find_part(reader->table_names, name, length);
    return index < 0 ? NULL : reader->tables[index];
}

static const char *parameters_find_nearest(void *scope, const char *name, size_t length)
{
    const HolReader *reader = scope;
    char copy[64];
    if (length >= sizeof copy || hol_model_has_reported(reader->model, (HolPlace){0}))
        return NULL;
    memcpy(copy, name, length);
    copy[length] = '\0';
    const char *near = hol_names_nearest(reader->parameter_names, copy);
    return near ? near : hol_names_nearest(reader->table_names, copy);
}

static void parameters_evaluate(HolReader *reader, int index)
{
    HolParameter *parameter = &reader->parameters[index];
    HolReader saved = *reader;
    reader->what = "parameter";
    reader->name = parameter->node->key;
    reader->field = NULL;
    reader->waiting = index;
    parameter->state = READING;
    bool ok = false;
    if (++reader->depth > LONGEST_CHAIN)
        hol_reader_error(reader, parameter->node->place, "the chain of parameters that it needs is too long");
    else
        ok = hol_read_quantity(reader, parameter->node, &parameter->value, &parameter->dimension);
    if (parameter->dimension.state == HOL_PURE)
        parameter->dimension.state = HOL_FREE; /* a plain number may mean anything */
    parameter->state = ok && parameter->state == READING ? READY : BROKEN;
    reader->what = saved.what;
    reader->name = saved.name;
    reader->field = saved.field;
    reader->waiting = saved.waiting;
    --reader->depth;
}

static bool is_identifier(const char *text)
{
    if (!hol_is_letter(text[0]) && text[0] != '_')
        return false;
    for (const char *c = text; *c; ++c)
        if (!hol_is_letter_or_digit(*c) && *c != '_')
            return false;
    return true;
}

bool hol_check_name(HolReader *reader, const HolNode *node, const char *what)
{
    static const char *const words[] = {"t", "and", "or", "not", NULL};
    bool taken = hol_expression_knows(node->key);
    if (!is_identifier(node->key)) {
        hol_error(reader->model, node->key_place, "%s '%s': a name for expressions has letters, digits and _ only",
                  what, node->key);
        return false;
    }
    for (int i = 0; words[i]; ++i)
        taken = taken || strcmp(words[i], node->key) == 0;
    if (taken)
        hol_error(reader->model, node->key_place, "%s '%s': this name is reserved; choose another", what, node->key);
    else if (hol_names_find(reader->table_names, node->key) >= 0)
        hol_error(reader->model, node->key_place, "%s '%s': a table has this name too; choose another", what,
                  node->key);
    else
        return true;
    return false;
}

static HolStatus parameters_read_parameters(HolReader *reader)
{
    const HolNode *section = hol_reader_section(reader, "parameters");
    int count = section ? section->count : 0;
    reader->has_lost_parameters = hol_reader_has_lost(reader, "parameters") || hol_reader_has_lost(reader, "inputs");
    reader->parameters = hol_arena_alloc(reader->arena, (size_t)count * sizeof *reader->parameters);
    if (!reader->parameters)
        return HOL_NO_MEMORY;
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next) {
        if (!hol_check_name(reader, node, "parameter"))
            continue;
        int index = hol_names_add(reader->parameter_names, node->key);
        if (index < 0)
            return HOL_NO_MEMORY;
        reader->parameters[index].node = node;
    }
    for (int i = 0; i < hol_names_count(reader->parameter_names); ++i)
        if (reader->parameters[i].state == UNREAD)
            parameters_evaluate(reader, i);
    return HOL_OK;
}

typedef struct TableValues {
    const HolNode *points;
    int between;
} TableValues;

/* Replaces a table that could not be read, so that its uses cause no further errors. */
static const HolTable *create_level_table(HolArena *arena)
{
    static const double x[] = {0, 1}, y[] = {0, 0};
    HolTable *table = NULL;
    hol_table_create(arena, 2, x, y, false, &table, NULL);
    return table;
}

static HolStatus read_tables(HolReader *reader)
{
    static const char *const ways[] = {"linear", "cubic", NULL};
    static const HolField fields[] = {
        {"points", HOL_FIELD_NODE, offsetof(TableValues, points), .needed = true, .help = "pairs [x, y]"},
        {"between", HOL_FIELD_CHOICE, offsetof(TableValues, between), .names = ways, .help = "linear or cubic"},
    };
    const HolNode *section = hol_reader_section(reader, "tables");
    reader->tables = hol_arena_alloc(reader->arena, (size_t)(section ? section->count : 0) * sizeof *reader->tables);
    if (!reader->tables)
        return HOL_NO_MEMORY;
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next) {
        TableValues values = {0};
        if (!hol_check_name(reader, node, "table"))
            continue;
        hol_reader_enter(reader, "table", node->key);
        uint64_t given = hol_read_fields(reader, node, fields, 2, &values);
        reader->field = "points";
        const HolTable *table = given & 1 ? hol_read_table(reader, values.points, values.between == 1) : NULL;
        int index = hol_names_add(reader->table_names, node->key);
        if (index < 0)
            return HOL_NO_MEMORY;
        reader->tables[index] = table ? table : create_level_table(reader->arena);
        hol_reader_leave(reader);
    }
    return HOL_OK;
}

HolStatus hol_reader_open(HolModel *model, HolArena *arena, HolReader *reader)
{
    *reader = (HolReader){.model = model, .arena = arena};
    HolNames **names[] = {&reader->parameter_names, &reader->table_names, &reader->input_names,
                          &reader->points,          &reader->bodies,      &reader->joints};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (!(*names[i] = hol_names_create(arena)))
            return HOL_NO_MEMORY;
    reader->symbols = (HolSymbols){.scope = reader,
                                   .parameter = parameters_find_parameter,
                                   .table = parameters_find_table,
                                   .nearest = parameters_find_nearest};
    HOL_TRY(read_tables(reader));
    HOL_TRY(parameters_read_parameters(reader));
    return hol_read_inputs(reader);
}
