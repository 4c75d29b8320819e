/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/model.h"

#include "base/format.h"
#include "base/hash.h"
#include "base/message.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROBLEMS = 200, LONGEST_SENTENCE = 1000, LONGEST_PLACE = 5000 };

static const char no_name[] = "model";

HolStatus hol_model_clear(HolModel *model)
{
    HolNode *root = hol_node_create(model->arena, HOL_MAP, (HolPlace){NULL, 0, 0});
    if (!root)
        return HOL_NO_MEMORY;
    model->root = root;
    model->name = no_name;
    model->texts = HOL_HASH_BEGIN;
    model->file_count = 0;
    model->errors = model->warnings = (HolProblems){NULL, NULL, 0};
    model->is_compiled = false;
    return HOL_OK;
}

HolModel *hol_model_create(void)
{
    HolModel *model = calloc(1, sizeof *model);
    if (!model)
        return NULL;
    model->limits = hol_limits();
    model->arena = hol_arena_create();
    if (!model->arena || hol_model_clear(model) != HOL_OK) {
        hol_model_destroy(model);
        return NULL;
    }
    return model;
}

void hol_model_destroy(HolModel *model)
{
    if (!model)
        return;
    hol_arena_destroy(model->arena);
    free(model);
}

const char *hol_model_name(const HolModel *model)
{
    return model ? model->name : "";
}

const char *hol_model_title(const HolModel *model)
{
    const HolNode *title = model ? hol_node_find(model->root, "title") : NULL;
    return title && title->type == HOL_SCALAR && !hol_node_is_null(title) ? title->text : "";
}

static void keep_first(HolProblems *problems, int count)
{
    HolProblem *last = NULL;
    for (int i = 0; i < count; ++i)
        last = last ? last->next : problems->first;
    if (last)
        last->next = NULL;
    else
        problems->first = NULL;
    problems->last = last;
    problems->count = count;
}

void hol_model_forget(HolModel *model)
{
    if (!model->is_compiled)
        return;
    keep_first(&model->errors, model->kept_errors);
    keep_first(&model->warnings, model->kept_warnings);
    model->is_compiled = false;
}

void hol_model_begin_compiling(HolModel *model)
{
    hol_model_forget(model);
    model->kept_errors = model->errors.count;
    model->kept_warnings = model->warnings.count;
    model->is_compiled = true;
}

/* Sentences */

void hol_place_text(HolPlace place, char *text, size_t size)
{
    if (!place.file)
        hol_format(text, size, "%s", "");
    else if (place.line == 0)
        hol_format(text, size, "%s", place.file);
    else
        hol_format(text, size, "%s:%d:%d", place.file, place.line, place.column);
}

/* Ends a truncated message with dots, without splitting a UTF-8 character. */
static void mark_cut(char *text, size_t size)
{
    size_t end = size - sizeof "...";
    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
        --end;
    memcpy(text + end, "...", sizeof "...");
}

static bool is_of_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* The same but for numbers. */
static bool is_like(const char *a, const char *b)
{
    for (;;) {
        while (is_of_number(*a))
            ++a;
        while (is_of_number(*b))
            ++b;
        if (*a != *b || *a == '\0')
            return *a == *b;
        ++a;
        ++b;
    }
}

/* Whether the same message for the same place exists, apart from numbers, which differ between repeated parts ('bar1',
 * 'bar2', ...). The message begins after `place` characters. */
static bool model_is_known(const HolProblems *problems, const char *text, size_t place)
{
    for (const HolProblem *p = problems->first; p; p = p->next) {
        bool is_same = place == 0 ? strcmp(p->text, text) == 0
                                  : strncmp(p->text, text, place) == 0 && is_like(p->text + place, text + place);
        if (is_same)
            return true;
    }
    return false;
}

static HolStatus append_problem(HolModel *model, HolProblems *problems, const char *text)
{
    HolProblem *problem = hol_arena_small(model->arena, sizeof *problem);
    if (problem)
        problem->text = hol_arena_text(model->arena, text, strlen(text));
    if (!problem || !problem->text)
        return HOL_NO_MEMORY;
    if (problems->last)
        problems->last->next = problem;
    else
        problems->first = problem;
    problems->last = problem;
    problems->count++;
    return HOL_OK;
}

__attribute__((format(printf, 5, 0))) static HolStatus add_problem(HolModel *model, HolProblems *problems,
                                                                   const char *ending, HolPlace place,
                                                                   const char *format, va_list arguments)
{
    if (problems->count > MOST_PROBLEMS)
        return HOL_OK;
    if (problems->count == MOST_PROBLEMS)
        return append_problem(model, problems, ending);
    char text[LONGEST_PLACE + LONGEST_SENTENCE];
    hol_place_text(place, text, LONGEST_PLACE - 2);
    if (place.file)
        strcat(text, ": ");
    char *sentence = text + strlen(text);
    if (hol_vformat(sentence, LONGEST_SENTENCE, format, arguments) >= LONGEST_SENTENCE)
        mark_cut(sentence, LONGEST_SENTENCE);
    hol_make_printable(text);
    size_t before = place.line > 0 ? (size_t)(sentence - text) : 0;
    return model_is_known(problems, text, before) ? HOL_OK : append_problem(model, problems, text);
}

HolStatus hol_error(HolModel *model, HolPlace place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    HolStatus status = add_problem(model, &model->errors, "... and more errors", place, format, arguments);
    va_end(arguments);
    return status == HOL_OK ? HOL_BAD_INPUT : status;
}

HolStatus hol_model_argument(HolModel *model, const char *function, const char *argument, const void *pointer)
{
    HolMessage message;
    if (!model)
        return HOL_BAD_INPUT;
    HolStatus status = hol_argument_pointer(&message, function, argument, pointer);
    return status == HOL_OK ? HOL_OK : hol_error(model, (HolPlace){NULL, 0, 0}, "%s", message.text);
}

void hol_warning(HolModel *model, HolPlace place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)add_problem(model, &model->warnings, "... and more warnings", place, format, arguments);
    va_end(arguments);
}

static const char *problem_at(const HolProblems *problems, int index)
{
    const HolProblem *problem = index < 0 ? NULL : problems->first;
    for (int i = 0; i < index && problem; ++i)
        problem = problem->next;
    return problem ? problem->text : NULL;
}

bool hol_model_has_reported(const HolModel *model, HolPlace place)
{
    char text[LONGEST_PLACE];
    hol_place_text(place, text, LONGEST_PLACE - 2);
    strcat(text, ": ");
    hol_make_printable(text);
    for (const HolProblem *p = place.line > 0 ? model->errors.first : NULL; p; p = p->next) {
        if (strncmp(p->text, text, strlen(text)) == 0)
            return true;
    }
    return model->errors.count > MOST_PROBLEMS;
}

int hol_model_error_count(const HolModel *model)
{
    return model ? model->errors.count : 0;
}

const char *hol_model_error(const HolModel *model, int index)
{
    return model ? problem_at(&model->errors, index) : NULL;
}

int hol_model_warning_count(const HolModel *model)
{
    return model ? model->warnings.count : 0;
}

const char *hol_model_warning(const HolModel *model, int index)
{
    return model ? problem_at(&model->warnings, index) : NULL;
}

/* Variants */

static const HolNode *variants_of(const HolModel *model)
{
    const HolNode *variants = model ? hol_node_find(model->root, "variants") : NULL;
    return variants && variants->type == HOL_MAP ? variants : NULL;
}

int hol_model_variant_count(const HolModel *model)
{
    const HolNode *variants = variants_of(model);
    return variants ? variants->count : 0;
}

const char *hol_model_variant(const HolModel *model, int index)
{
    const HolNode *variants = variants_of(model);
    const HolNode *variant = variants && index >= 0 ? variants->first : NULL;
    for (int i = 0; i < index && variant; ++i)
        variant = variant->next;
    return variant ? variant->key : NULL;
}

static HolStatus unknown_variant(HolModel *model, const char *name)
{
    const HolNode *variants = variants_of(model);
    if (!variants || variants->count == 0)
        return hol_error(model, (HolPlace){model->root->place.file, 0, 0},
                         "there is no variant '%s': the model has no variants", name);
    const char *nearest = hol_node_nearest(model->arena, variants, name);
    if (nearest)
        return hol_error(model, variants->key_place, "there is no variant '%s' (did you mean '%s'?)", name, nearest);
    return hol_error(model, variants->key_place, "there is no variant '%s'", name);
}

HolStatus hol_check_variant(HolModel *model, const HolNode *variant)
{
    static const char *const unchangeable[] = {"extends", "variants"};
    if (variant->type != HOL_MAP)
        return hol_error(model, variant->place, "variant '%s' must be a map of changes, not %s", variant->key,
                         hol_node_type_name(variant));
    for (size_t i = 0; i < sizeof unchangeable / sizeof *unchangeable; ++i) {
        const HolNode *node = hol_node_find(variant, unchangeable[i]);
        if (node)
            return hol_error(model, node->key_place, "'%s' is not allowed in a variant", unchangeable[i]);
    }
    return HOL_OK;
}

HolStatus hol_model_choose(HolModel *model, const char *variant)
{
    HolStatus wrong = HOL_CHECK_FOR_MODEL(model, variant);
    if (wrong != HOL_OK)
        return wrong;
    const HolNode *changes = hol_node_find(variants_of(model), variant);
    hol_model_forget(model);
    if (!changes)
        return unknown_variant(model, variant);
    HolStatus status = hol_check_variant(model, changes);
    if (status != HOL_OK)
        return status;
    return hol_node_merge(model->arena, model->root, changes) ? HOL_OK : HOL_NO_MEMORY;
}

uint64_t hol_model_hash_system(const HolModel *model)
{
    static const char *const others[] = {"title", "extends", "run", "variants"};
    uint64_t hash = HOL_HASH_BEGIN;
    for (const HolNode *section = model->root->first; section; section = section->next) {
        bool belongs = true;
        for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
            belongs = belongs && strcmp(section->key, others[i]) != 0;
        if (belongs)
            hash = hol_node_hash(hash, section);
    }
    return hash;
}

int hol_model_file_count(const HolModel *model)
{
    return model ? model->file_count : 0;
}

const char *hol_model_file(const HolModel *model, int index)
{
    return index >= 0 && index < hol_model_file_count(model) ? model->files[index] : NULL;
}

unsigned long long hol_model_fingerprint(const HolModel *model)
{
    return model ? model->texts : 0;
}
