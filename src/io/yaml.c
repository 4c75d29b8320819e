/* SPDX-License-Identifier: BSD-3-Clause */
/* libyaml emits a sequence of events: scalars, and where lists and maps begin and end. A stack of open lists and
 * maps says where the next value belongs. Functions that take an event return anything but HOL_OK to stop reading;
 * mistakes that need not stop it are remembered in `failed`. */
#include "io/yaml.h"

#include "base/message.h"
#include "io/yaml_problem.h"

#include <string.h>

typedef struct Level {
    HolNode *node; /* a list or a map */
    bool has_key;  /* a map: the key has been read, its value comes next */
    bool is_left_out;
    const char *key;
    HolPlace key_place;
} Level;

typedef struct Reader {
    HolModel *model;
    const HolYamlText *text;
    HolNode *root;
    int document_count;
    bool failed;
    int depth;
    Level levels[HOL_YAML_DEEPEST];
} Reader;

static Level *innermost(Reader *reader)
{
    return reader->depth > 0 ? &reader->levels[reader->depth - 1] : NULL;
}

static bool expects_key(Reader *reader)
{
    const Level *level = innermost(reader);
    return level && level->node->type == HOL_MAP && !level->has_key;
}

/* Records the failure and continues, unless memory is exhausted. */
static HolStatus yaml_continue_after(Reader *reader, HolStatus status)
{
    reader->failed = true;
    return status == HOL_NO_MEMORY ? status : HOL_OK;
}

static HolStatus refuse_properties(Reader *reader, HolPlace place, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    HolStatus status = HOL_OK;
    if (anchor)
        status = yaml_continue_after(reader, hol_error(reader->model, place, HOL_YAML_NO_ANCHORS));
    if (status == HOL_OK && tag)
        status = yaml_continue_after(reader, hol_error(reader->model, place, HOL_YAML_NO_TAGS));
    return status;
}

/* Keys */

/* Whether it ends an expression that a comma has torn in two: "2)". */
static bool closes_more(const char *text)
{
    int closed = 0;
    for (; *text; ++text)
        closed += (*text == ')') - (*text == '(');
    return closed > 0;
}

/* A key that cannot be used is an error; its value is read and left out. */
static HolStatus yaml_check_key(Reader *reader, const Level *level, bool is_quoted, bool *is_usable)
{
    HolModel *model = reader->model;
    const HolNode *first = hol_node_find(level->node, level->key);
    HolStatus status = HOL_OK;
    if (!is_quoted && strcmp(level->key, "<<") == 0)
        status = hol_error(model, level->key_place, "merge keys ('<<') are not supported; use parameters or extends");
    else if (level->key[0] == '\0')
        status = hol_error(model, level->key_place, "a key is missing before ':'");
    else if (!is_quoted && strchr(level->key, ':'))
        status = hol_error(model, level->key_place, "a blank is missing after ':' in '%s'", level->key);
    else if (first && !is_quoted && closes_more(level->key))
        status =
            hol_error(model, level->key_place,
                      "'%s' is given twice; an expression that contains a comma needs quotes around it", level->key);
    else if (first && first->key_place.line > 0)
        status = hol_error(model, level->key_place, "'%s' is given twice (first at line %d)", level->key,
                           first->key_place.line);
    else if (first)
        status = hol_error(model, level->key_place, "'%s' is given twice", level->key);
    *is_usable = status == HOL_OK;
    return *is_usable ? HOL_OK : yaml_continue_after(reader, status);
}

static HolStatus take_key(Reader *reader, const char *key, HolPlace place, bool is_quoted)
{
    Level *level = innermost(reader);
    bool is_usable;
    level->key = key;
    level->key_place = place;
    HolStatus status = yaml_check_key(reader, level, is_quoted, &is_usable);
    level->has_key = true;
    level->is_left_out = !is_usable;
    return status;
}

/* Values */

static HolStatus put_value(Reader *reader, HolNode *node)
{
    Level *level = innermost(reader);
    if (!level) {
        reader->root = node;
        return HOL_OK;
    }
    if (level->node->type == HOL_MAP) {
        node->key = level->key;
        node->key_place = level->key_place;
        level->has_key = false;
        if (level->is_left_out)
            return HOL_OK;
    }
    return hol_node_append(reader->model->arena, level->node, node) ? HOL_OK : HOL_NO_MEMORY;
}

static HolStatus put_scalar(Reader *reader, HolPlace place, const char *text, bool is_quoted, bool is_rewritten)
{
    HolNode *node = hol_node_create(reader->model->arena, HOL_SCALAR, place);
    if (!node)
        return HOL_NO_MEMORY;
    node->text = text;
    node->is_quoted = is_quoted;
    node->is_rewritten = is_rewritten;
    return put_value(reader, node);
}

/* Escapes in quotes can name characters that the file itself may not contain. */
static HolStatus yaml_check_characters(Reader *reader, HolPlace place, const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        int size = hol_character_size(text + i);
        bool is_blank = text[i] == '\n' || text[i] == '\r' || text[i] == '\t' || text[i] == '\0';
        if (is_blank || !hol_character_is_control(text + i, size))
            continue;
        return yaml_continue_after(reader, hol_error(reader->model, place,
                                                     "a text cannot contain control characters, nor such that change "
                                                     "its direction; write them out in words"));
    }
    return HOL_OK;
}

static HolStatus take_scalar(Reader *reader, const yaml_event_t *event)
{
    HolPlace place = hol_yaml_place(reader->text, event->start_mark);
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    bool is_quoted = event->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
                     event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    HolStatus status = refuse_properties(reader, place, event->data.scalar.anchor, event->data.scalar.tag);
    if (status == HOL_OK && memchr(value, '\0', length))
        status =
            yaml_continue_after(reader, hol_error(reader->model, place, "a text cannot contain the character NUL"));
    if (status == HOL_OK)
        status = yaml_check_characters(reader, place, value, length);
    char *text = status == HOL_OK ? hol_arena_text(reader->model->arena, value, length) : NULL;
    if (!text)
        return HOL_NO_MEMORY;
    bool is_rewritten = event->end_mark.index - event->start_mark.index != length + (is_quoted ? 2 : 0);
    return expects_key(reader) ? take_key(reader, text, place, is_quoted)
                               : put_scalar(reader, place, text, is_quoted, is_rewritten);
}

/* An alias is read as null, so that the rest can be read. */
static HolStatus take_alias(Reader *reader, const yaml_event_t *event)
{
    HolPlace place = hol_yaml_place(reader->text, event->start_mark);
    HolStatus status = hol_error(reader->model, place, HOL_YAML_NO_ANCHORS);
    if (expects_key(reader) || yaml_continue_after(reader, status) != HOL_OK)
        return status;
    return put_scalar(reader, place, "", false, false);
}

static HolStatus yaml_open_level(Reader *reader, const yaml_event_t *event, HolNodeType type)
{
    HolPlace place = hol_yaml_place(reader->text, event->start_mark);
    if (expects_key(reader))
        return hol_error(reader->model, place, "a key must be a name, not %s", type == HOL_MAP ? "a map" : "a list");
    if (reader->depth == HOL_YAML_DEEPEST)
        return hol_error(reader->model, place, "lists and maps are nested deeper than %d levels", HOL_YAML_DEEPEST);
    HolNode *node = hol_node_create(reader->model->arena, type, place);
    HolStatus status = node ? put_value(reader, node) : HOL_NO_MEMORY;
    if (status == HOL_OK)
        reader->levels[reader->depth++] = (Level){.node = node};
    return status;
}

static HolStatus take_list(Reader *reader, const yaml_event_t *event)
{
    HolPlace place = hol_yaml_place(reader->text, event->start_mark);
    HolStatus status =
        refuse_properties(reader, place, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    return status == HOL_OK ? yaml_open_level(reader, event, HOL_LIST) : status;
}

static HolStatus take_map(Reader *reader, const yaml_event_t *event)
{
    HolPlace place = hol_yaml_place(reader->text, event->start_mark);
    HolStatus status =
        refuse_properties(reader, place, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    return status == HOL_OK ? yaml_open_level(reader, event, HOL_MAP) : status;
}

/* The whole */

static HolStatus take_document(Reader *reader, const yaml_event_t *event)
{
    if (reader->document_count++ == 0)
        return HOL_OK;
    return hol_error(reader->model, hol_yaml_place(reader->text, event->start_mark),
                     "a second document begins here; a model is one document");
}

static HolStatus take_event(Reader *reader, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT: return take_document(reader, event);
    case YAML_ALIAS_EVENT: return take_alias(reader, event);
    case YAML_SCALAR_EVENT: return take_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT: return take_list(reader, event);
    case YAML_MAPPING_START_EVENT: return take_map(reader, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: reader->depth--; return HOL_OK;
    default: return HOL_OK;
    }
}

static HolStatus read_events(Reader *reader, yaml_parser_t *parser)
{
    HolStatus status = HOL_OK;
    for (bool ended = false; !ended && status == HOL_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return hol_yaml_problem(reader->model, reader->text, parser);
        status = take_event(reader, &event);
        ended = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    return status;
}

static HolStatus check_root(const Reader *reader)
{
    const HolNode *root = reader->root;
    HolPlace whole = {reader->text->file, 0, 0};
    if (!root && reader->text->is_value)
        return hol_error(reader->model, whole, "no value is given (~ removes)");
    if (!root || (!reader->text->is_value && hol_node_is_null(root)))
        return hol_error(reader->model, whole, "the file is empty");
    if (!reader->text->is_value && root->type != HOL_MAP)
        return hol_error(reader->model, root->place, "a model is a map of 'key: value', not %s",
                         hol_node_type_name(root));
    return HOL_OK;
}

HolStatus hol_yaml_parse(HolModel *model, const HolYamlText *text, HolNode **root)
{
    Reader reader = {.model = model, .text = text};
    yaml_parser_t parser;
    *root = NULL;
    if (!yaml_parser_initialize(&parser))
        return HOL_NO_MEMORY;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text->text, text->length);
    HolStatus status = read_events(&reader, &parser);
    yaml_parser_delete(&parser);
    if (status == HOL_OK)
        status = check_root(&reader);
    if (status != HOL_OK)
        return status;
    *root = reader.root;
    return reader.failed ? HOL_BAD_INPUT : HOL_OK;
}
