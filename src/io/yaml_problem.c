/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/yaml_problem.h"

#include "base/format.h"

#include <string.h>

/* The first row whose parts occur in libyaml's problem and context gives the message. */
typedef struct Sentence {
    const char *problem, *context; /* NULL: any */
    const char *text;
    const char *opened; /* "the list": it is added where this begins */
    bool is_at_context; /* reported where the context begins, not where reading failed */
} Sentence;

static const char a_tab[] = "tabs cannot indent; use spaces";

static const Sentence sentences[] = {
    {"found a tab character", NULL, a_tab, NULL, false},
    {"mapping values are not allowed", NULL,
     "':' is not expected here; is the indentation wrong, a blank missing after ':' above, or quotes around a text?",
     NULL, false},
    {"could not find expected ':'", NULL, "': ' is missing after this key (or '- ' before a list entry)", NULL, true},
    {"did not find expected key", NULL, "a key is expected here; look at the indentation, quotes and brackets",
     "the map", false},
    {"did not find expected '-' indicator", NULL, "a list entry '- ...' is expected here; is the indentation right?",
     "the list", false},
    {"did not find expected ',' or ']'", NULL, "',' or ']' is expected here", "the list", false},
    {"did not find expected ',' or '}'", NULL, "',' or '}' is expected here", "the map", false},
    {"found unexpected ':'", NULL, "a blank is missing after ':'", NULL, false},
    {"did not find expected node content", NULL, "a value is expected here", NULL, false},
    {"found unexpected end of stream", "quoted scalar", "the quote that opens here is never closed", NULL, true},
    {"found unexpected document indicator", "quoted scalar", "the quote that opens here is never closed", NULL, true},
    {"found unknown escape character", NULL,
     "the escape after '\\' is unknown; single quotes leave backslashes as they are", NULL, false},
    {"hexdecimal number", NULL, "this escape needs hexadecimal digits", NULL, false},
    {"invalid Unicode character escape", NULL,
     "this escape is no Unicode character; write the character itself instead of an escape in two parts", NULL, false},
    {"block sequence entries are not allowed", NULL, "a list entry '-' is not allowed here; begin it on a new line",
     NULL, false},
    {"mapping keys are not allowed", NULL, "'?' is not allowed here", NULL, false},
    {"comment or line break", NULL, "the line must end after '|' or '>'", NULL, false},
    {NULL, "an anchor", HOL_YAML_NO_ANCHORS, NULL, true},
    {NULL, "an alias", HOL_YAML_NO_ANCHORS, NULL, true},
    {"tag handle", NULL, HOL_YAML_NO_TAGS, NULL, false},
    {NULL, "directive", "'%' at the beginning of a line is a YAML directive, which is not supported", NULL, true},
    {NULL, "a tag", HOL_YAML_NO_TAGS, NULL, true},
    {"<document start>", NULL,
     "the model has ended before this; is the indentation right, or a bracket closed too early?", NULL, false},
    {"incompatible YAML document", NULL, "only YAML 1.1 and 1.2 are understood", NULL, false},
};

HolPlace hol_yaml_place(const HolYamlText *text, yaml_mark_t mark)
{
    if (text->is_value)
        return (HolPlace){text->file, 0, 0};
    return (HolPlace){text->file, (int)mark.line + 1, (int)mark.column + 1};
}

static bool contains(const char *text, const char *part)
{
    return !part || (text && strstr(text, part));
}

static const Sentence *sentence_for(const yaml_parser_t *parser)
{
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; ++i) {
        if (contains(parser->problem, sentences[i].problem) && contains(parser->context, sentences[i].context))
            return &sentences[i];
    }
    return NULL;
}

/* One sentence; of a value from the command line it begins with the value. */
static HolStatus say(HolModel *model, const HolYamlText *text, yaml_mark_t mark, const char *sentence)
{
    HolPlace place = hol_yaml_place(text, mark);
    if (!text->is_value)
        return hol_error(model, place, "%s", sentence);
    int shown = text->length > 40 ? 40 : (int)text->length;
    return hol_error(model, place, "the value '%.*s%s' is not valid YAML: %s", shown, text->text,
                     text->length > 40 ? "..." : "", sentence);
}

static HolStatus say_row(HolModel *model, const HolYamlText *text, const yaml_parser_t *parser, const Sentence *row)
{
    yaml_mark_t mark = row->is_at_context ? parser->context_mark : parser->problem_mark;
    if (!row->opened || text->is_value)
        return say(model, text, mark, row->text);
    char sentence[256];
    hol_format(sentence, sizeof sentence, "%s (%s begins at line %d)", row->text, row->opened,
               (int)parser->context_mark.line + 1);
    return say(model, text, mark, sentence);
}

/* The parser has met a character that cannot begin a value. */
static HolStatus say_bad_character(HolModel *model, const HolYamlText *text, const yaml_parser_t *parser)
{
    char sentence[80];
    char c = (char)*parser->buffer.pointer;
    if (c == '\t')
        return say(model, text, parser->problem_mark, a_tab);
    hol_format(sentence, sizeof sentence, "a value cannot begin with '%c'; put it in quotes", c);
    return say(model, text, parser->problem_mark, sentence);
}

/* Line and column of a byte; libyaml gives byte offsets only where it cannot decode characters. */
static yaml_mark_t mark_of_byte(const HolYamlText *text, size_t offset)
{
    yaml_mark_t mark = {offset, 0, 0};
    for (size_t i = 0; i < offset && i < text->length; ++i) {
        bool is_inside = ((unsigned char)text->text[i] & 0xC0) == 0x80;
        mark.column += !is_inside;
        if (text->text[i] == '\n') {
            mark.line++;
            mark.column = 0;
        }
    }
    return mark;
}

static HolStatus say_unreadable(HolModel *model, const HolYamlText *text, const yaml_parser_t *parser)
{
    char sentence[120];
    if (contains(parser->problem, "control characters"))
        hol_format(sentence, sizeof sentence, "the control character 0x%02X is not allowed in a model",
                   parser->problem_value);
    else
        hol_format(sentence, sizeof sentence, "this is not UTF-8 text: %s",
                   parser->problem ? parser->problem : "it cannot be read");
    return say(model, text, mark_of_byte(text, parser->problem_offset), sentence);
}

HolStatus hol_yaml_problem(HolModel *model, const HolYamlText *text, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return HOL_NO_MEMORY;
    if (parser->error == YAML_READER_ERROR)
        return say_unreadable(model, text, parser);
    if (contains(parser->problem, "cannot start any token"))
        return say_bad_character(model, text, parser);
    const Sentence *row = sentence_for(parser);
    if (row)
        return say_row(model, text, parser, row);
    return say(model, text, parser->problem_mark, parser->problem ? parser->problem : "it cannot be read");
}
