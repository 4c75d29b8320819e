/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes model files as a tree of lines and of entries in braces: parts are doubled, removed, moved, joined from two
 * files or added from the samples of the kinds; names are exchanged; values are replaced by those of model_tables.c.
 * Some changes are left to libFuzzer, so that texts that are no YAML are tried too. */
#include "fuzz.h"
#include "model_check.h"
#include "model_tables.h"

#include <string.h>

enum { LONGEST = 1 << 14, LONGEST_PIECE = 1 << 10 };

/* A text under change. What does not fit is left out. */
typedef struct Text {
    char data[LONGEST];
    size_t size, room;
    uint64_t random;
} Text;

typedef struct Span {
    size_t begin, end;
} Span;

static size_t text_random(Text *text, size_t count)
{
    text->random ^= text->random << 13;
    text->random ^= text->random >> 7;
    text->random ^= text->random << 17;
    return count > 0 ? (size_t)(text->random >> 11) % count : 0;
}

static void text_replace(Text *text, Span span, const char *piece, size_t length)
{
    size_t size = text->size - (span.end - span.begin) + length;
    if (size > text->room)
        return;
    char copy[LONGEST_PIECE]; /* the piece may be part of the text */
    if (length > sizeof copy)
        return;
    memcpy(copy, piece, length);
    memmove(text->data + span.begin + length, text->data + span.end, text->size - span.end);
    memcpy(text->data + span.begin, copy, length);
    text->size = size;
}

static void text_insert(Text *text, size_t at, const char *piece, size_t length)
{
    text_replace(text, (Span){at, at}, piece, length);
}

/* ---- Words ---- */

static bool is_word(char c)
{
    return c && !strchr(" \t\n\r,:{}[]#\"'", c);
}

/* A word at or after a random place; empty at the end if there is none. */
static Span random_word(Text *text)
{
    size_t begin = text_random(text, text->size);
    while (begin > 0 && is_word(text->data[begin - 1]))
        --begin;
    while (begin < text->size && !is_word(text->data[begin]))
        ++begin;
    size_t end = begin;
    while (end < text->size && is_word(text->data[end]))
        ++end;
    return (Span){begin, end};
}

static const char *random_of(Text *text, const char *const *words)
{
    return words[text_random(text, (size_t)fuzz_word_count(words))];
}

static const char *random_value(Text *text)
{
    return text_random(text, 3) > 0 ? random_of(text, fuzz_values) : random_of(text, fuzz_words());
}

static void replace_by_value(Text *text)
{
    const char *value = random_value(text);
    text_replace(text, random_word(text), value, strlen(value));
}

static void replace_by_key(Text *text)
{
    const char *key = random_of(text, fuzz_keys());
    text_replace(text, random_word(text), key, strlen(key));
}

static void replace_by_other_word(Text *text)
{
    Span from = random_word(text), to = random_word(text);
    text_replace(text, to, text->data + from.begin, from.end - from.begin);
}

static void exchange_words(Text *text)
{
    char first[LONGEST_PIECE];
    Span a = random_word(text), b = random_word(text);
    size_t length = a.end - a.begin;
    if (b.begin < a.end || length > sizeof first)
        return;
    memcpy(first, text->data + a.begin, length);
    char second[LONGEST_PIECE];
    if (b.end - b.begin > sizeof second)
        return;
    memcpy(second, text->data + b.begin, b.end - b.begin);
    text_replace(text, b, first, length);
    text_replace(text, a, second, b.end - b.begin);
}

/* Multiplies a number by a power of ten. */
static void scale_number(Text *text)
{
    char piece[64];
    Span word = random_word(text);
    int length = (int)(word.end - word.begin);
    if (length > 20 || length == 0 || !strchr("0123456789.-", text->data[word.begin]))
        return;
    static const char *const factors[] = {"e3", "e-3", "e9", "e-9", "e100", "0", "*2", "/3", " mm"};
    length = snprintf(piece, sizeof piece, "%.*s%s", length, text->data + word.begin, factors[text_random(text, 9)]);
    text_replace(text, word, piece, (size_t)length);
}

/* ---- Lines ---- */

static size_t line_begin(const Text *text, size_t at)
{
    while (at > 0 && text->data[at - 1] != '\n')
        --at;
    return at;
}

static size_t line_end(const Text *text, size_t at)
{
    while (at < text->size && text->data[at] != '\n')
        ++at;
    return at < text->size ? at + 1 : at;
}

static size_t indentation(const Text *text, size_t begin)
{
    size_t at = begin;
    while (at < text->size && text->data[at] == ' ')
        ++at;
    return at - begin;
}

/* A line with the lines below it that are indented more. */
static Span random_block(Text *text)
{
    size_t begin = line_begin(text, text_random(text, text->size)), end = line_end(text, begin);
    size_t depth = indentation(text, begin);
    while (end < text->size && text->data[end] != '\n' && indentation(text, end) > depth)
        end = line_end(text, end);
    return (Span){begin, end};
}

static void remove_block(Text *text)
{
    text_replace(text, random_block(text), "", 0);
}

static void double_block(Text *text)
{
    Span block = random_block(text), to = random_block(text);
    size_t at = text_random(text, 2) ? block.end : to.begin;
    text_insert(text, at, text->data + block.begin, block.end - block.begin);
}

static void move_block(Text *text)
{
    char piece[LONGEST_PIECE];
    Span block = random_block(text);
    size_t length = block.end - block.begin;
    if (length > sizeof piece)
        return;
    memcpy(piece, text->data + block.begin, length);
    text_replace(text, block, "", 0);
    text_insert(text, random_block(text).begin, piece, length);
}

/* ---- Entries in braces and brackets ---- */

/* From after a comma or an opening bracket to the next comma or closing bracket of the same depth. */
static Span random_entry(Text *text)
{
    size_t begin = text_random(text, text->size);
    while (begin < text->size && !strchr(",{[", text->data[begin]))
        ++begin;
    size_t end = begin = begin < text->size ? begin + 1 : begin;
    for (int depth = 0; end < text->size && text->data[end] != '\n'; ++end) {
        depth += strchr("{[(", text->data[end]) ? 1 : 0;
        if (depth == 0 && strchr(",}]", text->data[end]))
            break;
        depth -= strchr("}])", text->data[end]) ? 1 : 0;
    }
    return (Span){begin, end};
}

static void remove_entry(Text *text)
{
    Span entry = random_entry(text);
    entry.end += entry.end < text->size && text->data[entry.end] == ',';
    text_replace(text, entry, "", 0);
}

static void copy_entry(Text *text)
{
    Span from = random_entry(text), to = random_entry(text);
    if (text_random(text, 2))
        to.end = to.begin;
    text_replace(text, to, text->data + from.begin, from.end - from.begin);
}

static void add_entry(Text *text)
{
    char piece[LONGEST_PIECE];
    const char *key = random_of(text, fuzz_keys()), *value = random_value(text);
    int length = snprintf(piece, sizeof piece, "%s: %s, ", key, value);
    text_insert(text, random_entry(text).begin, piece, (size_t)length);
}

/* ---- Parts ---- */

/* Behind the heading of a section, which is added if it is missing; text->size if it cannot be. */
static size_t find_section(Text *text, const char *name)
{
    char heading[64];
    int length = snprintf(heading, sizeof heading, "\n%s:\n", name);
    text->data[text->size < LONGEST ? text->size : LONGEST - 1] = '\0';
    const char *found = strstr(text->data, heading);
    if (!found) {
        text_insert(text, text->size, heading, (size_t)length);
        return text->size;
    }
    return (size_t)(found - text->data) + (size_t)length;
}

static void add_part(Text *text)
{
    char piece[LONGEST_PIECE];
    HolSection section = (HolSection)text_random(text, HOL_BEAM_SECTIONS + 1);
    int kind = (int)text_random(text, (size_t)hol_part_kind_count(section));
    int count = hol_part_kind(section, kind).sample_count;
    if (count == 0)
        return;
    const char *sample = hol_part_sample(section, kind, (int)text_random(text, (size_t)count)).text;
    bool is_section = section == HOL_BEAM_SECTIONS;
    int length = snprintf(piece, sizeof piece, "  n%zu: %s%s%s\n", text_random(text, 100),
                          is_section ? "{from: O, to: Q, through: P, elements: 2, section: " : "", sample,
                          is_section ? "}" : "");
    if (length < LONGEST_PIECE)
        text_insert(text, find_section(text, fuzz_section_names[section]), piece, (size_t)length);
}

static void set_method(Text *text)
{
    char piece[LONGEST_PIECE];
    const char *key = text_random(text, 2) ? "formulation" : "integrator";
    int count = *key == 'f' ? hol_formulation_count() : hol_integrator_count();
    int index = (int)text_random(text, (size_t)count);
    HolKindInfo kind = *key == 'f' ? hol_formulation_info(index) : hol_integrator_info(index);
    int length = kind.option_count == 0 || text_random(text, 2)
                     ? snprintf(piece, sizeof piece, "  %s: %s\n", key, kind.name)
                     : snprintf(piece, sizeof piece, "  %s: {kind: %s, %s: %s}\n", key, kind.name,
                                kind.options[text_random(text, (size_t)kind.option_count)].name, random_value(text));
    text_insert(text, find_section(text, "run"), piece, (size_t)length);
}

/* The last line, see model_check.h. One in thirty has an allocation that fails. */
static void set_choice(Text *text)
{
    char line[32];
    uint32_t bits = (uint32_t)text_random(text, 1 << 16);
    if (text_random(text, 30) == 0)
        bits |= 0xf0000000U | (uint32_t)text_random(text, 300) << 16;
    if (text_random(text, 3) == 0)
        bits &= ~0xfffU;
    size_t at = text->size;
    for (size_t i = 0; i + 4 <= text->size && at == text->size; ++i)
        if (memcmp(text->data + i, FUZZ_CHOICE_MARK, 4) == 0)
            at = i;
    text->size = at;
    int length = snprintf(line, sizeof line, FUZZ_CHOICE_MARK "%x", (unsigned)bits);
    text_insert(text, at, line, (size_t)length);
}

typedef void Change(Text *text);

static Change *const changes[] = {replace_by_value,
                                  replace_by_value,
                                  replace_by_value,
                                  scale_number,
                                  scale_number,
                                  replace_by_key,
                                  replace_by_other_word,
                                  exchange_words,
                                  remove_block,
                                  double_block,
                                  move_block,
                                  remove_entry,
                                  copy_entry,
                                  add_entry,
                                  add_entry,
                                  add_part,
                                  add_part,
                                  set_method,
                                  set_choice,
                                  set_choice};

static Text *text_of(const uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static Text text;
    text.room = max_size < LONGEST - 1 ? max_size : LONGEST - 1;
    text.size = size < text.room ? size : text.room;
    text.random = seed * 2654435761ULL + 88172645463325252ULL;
    memcpy(text.data, data, text.size);
    return &text;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    Text *text = text_of(data, size, max_size, seed);
    if (text_random(text, 5) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    for (size_t i = text_random(text, 3) + 1; i > 0; --i)
        changes[text_random(text, sizeof changes / sizeof *changes)](text);
    memcpy(data, text->data, text->size);
    return text->size;
}

/* A block of the second file goes in front of a block of the first. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_size, unsigned seed)
{
    char piece[LONGEST_PIECE];
    Text *text = text_of(data2, size2, LONGEST, seed);
    Span block = random_block(text);
    size_t length = block.end - block.begin < sizeof piece ? block.end - block.begin : sizeof piece;
    memcpy(piece, text->data + block.begin, length);
    text = text_of(data1, size1, max_size, seed + 1);
    text_insert(text, random_block(text).begin, piece, length);
    memcpy(out, text->data, text->size);
    return text->size;
}
