/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/format.h"
#include "base/letters.h"
#include "base/message.h"
#include "model/reader_internal.h"

#include <stdarg.h>
#include <string.h>

void hol_reader_enter(HolReader *reader, const char *what, const char *name)
{
    reader->what = what;
    reader->name = name;
    reader->field = NULL;
}

void hol_reader_leave(HolReader *reader)
{
    hol_reader_enter(reader, NULL, NULL);
}

bool hol_reader_error(HolReader *reader, HolPlace place, const char *format, ...)
{
    HolMessage sentence;
    va_list arguments;
    va_start(arguments, format);
    hol_vformat(sentence.text, sizeof sentence.text, format, arguments);
    va_end(arguments);
    if (reader->what && reader->name)
        hol_error(reader->model, place, "%s '%s': %s", reader->what, reader->name, sentence.text);
    else if (reader->what)
        hol_error(reader->model, place, "%s: %s", reader->what, sentence.text);
    else
        hol_error(reader->model, place, "%s", sentence.text);
    return false;
}

HolPlace hol_part_place(const HolPart *part, const char *key)
{
    const HolNode *node = hol_node_find(part->node, key);
    return node ? node->place : part->node->place;
}

static int find_field(const HolField *fields, int count, const char *name)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(fields[i].name, name) == 0)
            return i;
    return -1;
}

static bool has_meaning(const HolReader *reader, const HolField *field)
{
    return field->space == HOL_EVERYWHERE || (field->space == HOL_IN_PLANE) == reader->planar;
}

/* 'mass: 2,5' between braces is a mass of 2 and a key 5. */
static bool is_decimal_comma(const HolNode *node)
{
    const HolNode *before = node->previous;
    return before && before->type == HOL_SCALAR && hol_node_is_null(node) && hol_is_digit(node->key[0]) &&
           hol_is_digit(before->text[0]);
}

/* Reports the key; returns the fields that were probably meant. */
static uint64_t report_unknown_key(HolReader *reader, const HolNode *node, const HolField *fields, int count)
{
    const char *names[65] = {NULL};
    char list[300] = "";
    size_t used = 0;
    for (int i = 0, n = 0; i < count && n < 64; ++i) {
        if (!has_meaning(reader, &fields[i]))
            continue;
        if (used < sizeof list)
            used += (size_t)hol_format(list + used, sizeof list - used, "%s%s", n ? ", " : "", fields[i].name);
        names[n++] = fields[i].name;
    }
    const char *near = hol_nearest_name(node->key, names);
    if (near)
        hol_reader_error(reader, node->key_place, "key '%s' is unknown (did you mean '%s'?)", node->key, near);
    else if (is_decimal_comma(node))
        hol_reader_error(reader, node->key_place, "key '%s' is unknown (is %s.%s meant, with a point?)", node->key,
                         node->previous->text, node->key);
    else
        hol_reader_error(reader, node->key_place, "key '%s' is unknown (known are: %s)", node->key, list);
    return near ? UINT64_C(1) << find_field(fields, count, near) : 0;
}

/* Numbers that are not given. */
static void set_otherwise(const HolField *field, void *target)
{
    switch (field->type) {
    case HOL_FIELD_NUMBER: *(double *)target = field->otherwise; break;
    case HOL_FIELD_WHOLE:
    case HOL_FIELD_CHOICE: *(int *)target = (int)field->otherwise; break;
    case HOL_FIELD_FLAG: *(bool *)target = field->otherwise != 0; break;
    case HOL_FIELD_FUNCTION: *(HolFunction *)target = (HolFunction){.constant = field->otherwise}; break;
    default: break;
    }
}

static void report_missing(HolReader *reader, const HolNode *map, const HolField *fields, int count, uint64_t named)
{
    for (int i = 0; i < count; ++i)
        if (fields[i].needed && has_meaning(reader, &fields[i]) && !(named >> i & 1))
            hol_reader_error(reader, map->place, "'%s' is missing (%s)", fields[i].name, fields[i].help);
}

/* What a comma has torn from an expression without quotes: keys without a value behind it, up to its end. */
static bool is_rest_of_expression(const HolNode *node)
{
    for (; node && node->key && hol_node_is_null(node); node = node->previous)
        if (node->previous && hol_is_torn(node->previous))
            return true;
    return false;
}

uint64_t hol_read_fields(HolReader *reader, const HolNode *map, const HolField *fields, int count, void *values)
{
    uint64_t given = 0, named = 0;
    for (int i = 0; i < count; ++i)
        set_otherwise(&fields[i], (char *)values + fields[i].offset);
    reader->named = ~UINT64_C(0);
    if (map->type != HOL_MAP) {
        hol_reader_error(reader, map->place, "a map such as {%s: ...} is expected, not %s", fields[0].name,
                         hol_node_type_name(map));
        return 0;
    }
    for (const HolNode *node = map->first; node; node = node->next) {
        int i = find_field(fields, count, node->key);
        if (i < 0 && is_rest_of_expression(node))
            continue;
        if (i < 0) {
            named |= report_unknown_key(reader, node, fields, count);
            continue;
        }
        named |= UINT64_C(1) << i;
        if (!has_meaning(reader, &fields[i])) {
            hol_reader_error(reader, node->key_place, "'%s' has no meaning in a %s model", fields[i].name,
                             reader->planar ? "planar" : "spatial");
            continue;
        }
        reader->field = fields[i].name;
        if (hol_read_value(reader, node, &fields[i], (char *)values + fields[i].offset))
            given |= UINT64_C(1) << i;
        reader->field = NULL;
    }
    report_missing(reader, map, fields, count, named);
    reader->named = named;
    return given;
}

/* Reports a part without a kind, with the list of kinds. */
static void report_no_kind(HolReader *reader, const HolNode *map, const char *what, const HolKind *const *kinds,
                           int count)
{
    const char *names[HOL_MAX_KINDS + 1] = {NULL};
    char list[300];
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < count && i < HOL_MAX_KINDS; ++i) {
        names[i] = kinds[i]->name;
        if (used < sizeof list)
            used += (size_t)hol_format(list + used, sizeof list - used, "%s%s", i ? ", " : "", kinds[i]->name);
    }
    for (const HolNode *node = map->first; node; node = node->next) {
        const char *near = hol_nearest_name(node->key, names);
        if (near) {
            hol_reader_error(reader, node->key_place, "'%s' is no kind of %s (did you mean '%s'?)", node->key, what,
                             near);
            return;
        }
    }
    hol_reader_error(reader, map->place, "no kind of %s is among its keys (known are: %s)", what, list);
}

/* Whether every other kind that is named is a field of this one. */
static bool explains_all(const HolNode *map, const HolKind *const *kinds, int count, int kind)
{
    for (int i = 0; i < count; ++i)
        if (i != kind && hol_node_find(map, kinds[i]->name) &&
            find_field(kinds[kind]->fields, kinds[kind]->field_count, kinds[i]->name) < 0)
            return false;
    return true;
}

/* At the second of them in the file. */
static int report_two_kinds(HolReader *reader, const HolNode *map, const char *what, const char *first,
                            const char *second)
{
    for (const HolNode *node = map->first; node && strcmp(node->key, first) != 0; node = node->next)
        if (strcmp(node->key, second) == 0)
            return report_two_kinds(reader, map, what, second, first);
    hol_reader_error(reader, hol_node_find(map, second)->key_place, "it is both '%s' and '%s'; a %s has one kind",
                     first, second, what);
    return -1;
}

const HolKind *hol_read_kind(HolReader *reader, const HolNode *map, const char *what, const HolKind *const *kinds)
{
    int kind = -1, last = -1, count = 0;
    if (map->type != HOL_MAP) {
        hol_reader_error(reader, map->place, "a map such as {%s: ...} is expected, not %s", kinds[0]->name,
                         hol_node_type_name(map));
        return NULL;
    }
    while (kinds[count])
        ++count;
    for (int i = 0; i < count; ++i) {
        if (!hol_node_find(map, kinds[i]->name))
            continue;
        if (kind < 0 || explains_all(map, kinds, count, i))
            kind = i;
        last = i;
    }
    if (kind < 0)
        report_no_kind(reader, map, what, kinds, count);
    else if (!explains_all(map, kinds, count, kind))
        kind = report_two_kinds(reader, map, what, kinds[kind]->name, kinds[last]->name);
    return kind < 0 ? NULL : kinds[kind];
}

static bool has_field(const HolPart *part, uint64_t fields, const char *name)
{
    int field = find_field(part->kind->fields, part->kind->field_count, name);
    return field >= 0 && (fields >> field & 1);
}

bool hol_part_was_given(const HolPart *part, const char *name)
{
    return has_field(part, part->given, name);
}

bool hol_part_is_named(const HolPart *part, const char *name)
{
    return has_field(part, part->named, name);
}

bool hol_read_part(HolReader *reader, const HolKind *kind, HolPart *part, void *values)
{
    bool complete = true;
    if (kind->space != HOL_EVERYWHERE && (kind->space == HOL_IN_PLANE) != reader->planar)
        return hol_reader_error(reader, hol_node_find(part->node, kind->name)->key_place,
                                "'%s' has no meaning in a %s model", kind->name, reader->planar ? "planar" : "spatial");
    part->kind = kind;
    part->given = hol_read_fields(reader, part->node, kind->fields, kind->field_count, values);
    part->named = reader->named;
    for (int i = 0; i < kind->field_count; ++i)
        if (kind->fields[i].needed && has_meaning(reader, &kind->fields[i]) && !(part->given >> i & 1))
            complete = false;
    return complete;
}

const char *hol_field_type_name(const HolField *field)
{
    static const char *const names[] = {
        [HOL_FIELD_NUMBER] = "number",
        [HOL_FIELD_WHOLE] = "whole number",
        [HOL_FIELD_FLAG] = "true or false",
        [HOL_FIELD_CHOICE] = "word",
        [HOL_FIELD_TEXT] = "text",
        [HOL_FIELD_FUNCTION] = "function",
        [HOL_FIELD_VECTOR] = "vector",
        [HOL_FIELD_FUNCTIONS] = "vector of functions",
        [HOL_FIELD_NUMBERS] = "numbers",
        [HOL_FIELD_POINT] = "point",
        [HOL_FIELD_POINTS] = "[point, point]",
        [HOL_FIELD_DIRECTION] = "direction",
        [HOL_FIELD_DIRECTIONS] = "[direction, direction]",
        [HOL_FIELD_BODY] = "body",
        [HOL_FIELD_BODIES] = "[body, body]",
        [HOL_FIELD_JOINT] = "joint",
        [HOL_FIELD_JOINTS] = "[joint, joint]",
        [HOL_FIELD_TABLE] = "list of pairs",
        [HOL_FIELD_NODE] = "value",
    };
    return names[field->type];
}
