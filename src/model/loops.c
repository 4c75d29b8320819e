/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/loops.h"

#include "base/format.h"
#include "base/letters.h"
#include "base/message.h"
#include "base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 128, LONGEST_NUMBER = 32 };

static const double largest_whole = 1e15; /* every whole number up to here is a double */

void hol_loops_close(HolLoops *loops)
{
    free(loops->text);
    loops->text = NULL;
    loops->length = loops->room = 0;
}

/* The text that is being made; always terminated. */

static HolStatus loops_append(HolLoops *loops, const char *part, size_t length)
{
    size_t need = loops->length + length + 1;
    if (need > loops->room) {
        size_t room = need > FIRST_ROOM ? 2 * need : FIRST_ROOM;
        char *text = realloc(loops->text, room);
        if (!text)
            return HOL_NO_MEMORY;
        loops->text = text;
        loops->room = room;
    }
    memcpy(loops->text + loops->length, part, length);
    loops->length += length;
    loops->text[loops->length] = '\0';
    return HOL_OK;
}

static HolStatus append_number(HolLoops *loops, long long value, bool is_expression)
{
    char digits[LONGEST_NUMBER];
    bool in_parentheses = is_expression && value < 0;
    int length = hol_format(digits, sizeof digits, in_parentheses ? "(%lld)" : "%lld", value);
    return loops_append(loops, digits, (size_t)length);
}

/* Names and numbers */

static const HolLoopVariable *find_variable(const HolLoops *loops, const char *name, size_t length)
{
    for (int i = 0; i < loops->count; ++i) {
        const HolLoopVariable *variable = &loops->variables[i];
        if (strlen(variable->name) == length && memcmp(variable->name, name, length) == 0)
            return variable;
    }
    return NULL;
}

static bool loops_find_parameter(void *scope, const char *name, size_t length, double *value, HolDimension *dimension,
                                 bool *broken)
{
    const HolLoops *loops = scope;
    const HolSymbols *outside = loops->outside;
    const HolLoopVariable *variable = find_variable(loops, name, length);
    if (!variable)
        return outside->parameter && outside->parameter(outside->scope, name, length, value, dimension, broken);
    *value = (double)variable->value;
    *dimension = (HolDimension){.state = HOL_PURE};
    return true;
}

static const HolTable *loops_find_table(void *scope, const char *name, size_t length)
{
    const HolSymbols *outside = ((const HolLoops *)scope)->outside;
    return outside->table ? outside->table(outside->scope, name, length) : NULL;
}

static const char *loops_find_nearest(void *scope, const char *name, size_t length)
{
    const HolSymbols *outside = ((const HolLoops *)scope)->outside;
    return outside->nearest ? outside->nearest(outside->scope, name, length) : NULL;
}

HolStatus hol_loops_whole(HolLoops *loops, HolPlace place, const char *what, const char *text, long long *value)
{
    HolSymbols symbols = {
        .scope = loops, .parameter = loops_find_parameter, .table = loops_find_table, .nearest = loops_find_nearest};
    HolExpressionError error = {0};
    HolDimension dimension = {0};
    double x;
    HolStatus status = hol_number_parse(text, &symbols, &x, &dimension, &error);
    if (status == HOL_BAD_INPUT && error.message.text[0] != '\0')
        return hol_error(loops->model, place, "%s: %s", what, error.message.text);
    if (status != HOL_OK)
        return status;
    double whole = nearbyint(x);
    if (dimension.state == HOL_KNOWN)
        return hol_error(loops->model, place, "%s must be a number without unit, not %s", what, text);
    if (!(fabs(x) <= largest_whole) || fabs(x - whole) > HOL_TOL_EQUAL * fmax(1, fabs(x)))
        return hol_error(loops->model, place, "%s must be a whole number, not %.10g", what, x);
    *value = (long long)whole;
    return HOL_OK;
}

/* Substitution. Each function takes what begins at *at and moves it on. */

typedef struct Scan {
    HolLoops *loops;
    HolPlace place;
    const char *at;
    bool words;
    bool is_glued; /* to what was replaced just before: "$(i)i" */
} Scan;

static bool is_of_word(char c)
{
    return hol_is_letter_or_digit(c) || c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

static size_t length_of_name(const char *text)
{
    size_t length = 0;
    while (hol_is_letter_or_digit(text[length]) || text[length] == '_')
        ++length;
    return hol_is_digit(text[0]) ? 0 : length;
}

static HolStatus unknown_variable(const Scan *scan, const char *name, size_t length)
{
    const HolLoops *loops = scan->loops;
    if (loops->count == 0)
        return hol_error(loops->model, scan->place, "'$' is not allowed here; it numbers parts inside 'repeat'");
    const char *variable = loops->variables[loops->count - 1].name;
    if (length == 0)
        return hol_error(loops->model, scan->place, "'$' must be followed by '%s' or by an expression in parentheses",
                         variable);
    if (strncmp(name, variable, strlen(variable)) == 0)
        return hol_error(loops->model, scan->place, "'$%.*s' is unknown; write $(%s) where letters or digits follow",
                         (int)length, name, variable);
    return hol_error(loops->model, scan->place, "'$%.*s' is unknown; the variable here is '%s'", (int)length, name,
                     variable);
}

/* $i */
static HolStatus take_variable(Scan *scan)
{
    const char *name = scan->at + 1;
    size_t length = length_of_name(name);
    const HolLoopVariable *variable = find_variable(scan->loops, name, length);
    if (!variable)
        return unknown_variable(scan, name, length);
    scan->at = name + length;
    return append_number(scan->loops, variable->value, false);
}

/* The parenthesis that closes the one at the beginning, or NULL. */
static const char *closing(const char *text)
{
    int depth = 0;
    for (; *text; ++text) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0)
            return text;
    }
    return NULL;
}

/* $(i+1). While it is parsed, the expression is at the end of the new text, so that it is terminated. */
static HolStatus take_expression(Scan *scan)
{
    HolLoops *loops = scan->loops;
    const char *start = scan->at + 2, *end = closing(scan->at + 1);
    if (!end)
        return hol_error(loops->model, scan->place, "')' is missing after '$('");
    size_t before = loops->length;
    char what[64];
    long long value = 0;
    hol_format(what, sizeof what, "$(%.*s)", end - start > 50 ? 50 : (int)(end - start), start);
    HOL_TRY(loops_append(loops, start, (size_t)(end - start)));
    HOL_TRY(hol_loops_whole(loops, scan->place, what, loops->text + before, &value));
    loops->length = before;
    scan->at = end + 1;
    return append_number(loops, value, false);
}

/* A word that is not part of a longer name, and no function. */
static bool stands_alone(const Scan *scan, const char *end)
{
    return !scan->is_glued && *end != '$' && end[strspn(end, " \t\n")] != '(';
}

static HolStatus take_word(Scan *scan)
{
    const char *end = scan->at;
    while (is_of_word(*end))
        ++end;
    size_t length = (size_t)(end - scan->at);
    const char *word = scan->at;
    const HolLoopVariable *variable =
        scan->words && stands_alone(scan, end) ? find_variable(scan->loops, word, length) : NULL;
    scan->at = end;
    return variable ? append_number(scan->loops, variable->value, true) : loops_append(scan->loops, word, length);
}

static HolStatus take_part(Scan *scan)
{
    bool is_dollar = *scan->at == '$';
    HolStatus status;
    if (is_dollar)
        status = scan->at[1] == '(' ? take_expression(scan) : take_variable(scan);
    else if (is_of_word(*scan->at))
        status = take_word(scan);
    else
        status = loops_append(scan->loops, scan->at++, 1);
    scan->is_glued = is_dollar;
    return status;
}

/* Whether a loop variable may occur: most texts end here. */
static bool may_change(const HolLoops *loops, const char *text, bool words)
{
    if (strchr(text, '$'))
        return true;
    for (int i = 0; i < loops->count && words; ++i) {
        if (strstr(text, loops->variables[i].name))
            return true;
    }
    return false;
}

HolStatus hol_loops_substitute(HolLoops *loops, HolPlace place, const char *text, bool words, bool *changed)
{
    Scan scan = {loops, place, text, words, false};
    *changed = may_change(loops, text, words);
    loops->length = 0;
    if (!*changed)
        return HOL_OK;
    HOL_TRY(loops_append(loops, "", 0));
    while (*scan.at)
        HOL_TRY(take_part(&scan));
    return HOL_OK;
}
