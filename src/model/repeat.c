/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/repeat.h"

#include "base/letters.h"
#include "base/message.h"
#include "model/loops.h"

#include <math.h>
#include <string.h>

enum { SECTION_COUNT = 7 };
/* Of a part that counts once against HolLimits.parts. */
enum { VALUES_OF_A_PART = 20, CHARACTERS_OF_A_PART = 200 };

static const char *const section_names[SECTION_COUNT] = {"points", "bodies",  "beams", "joints",
                                                         "forces", "drivers", "start"};

/* The keys of an entry of `repeat`. */
static const char *const entry_keys[] = {"points", "bodies", "beams", "joints", "forces", "drivers", "start",
                                         "for",    "from",   "to",    "step",   "repeat", NULL};

typedef struct Expander {
    HolModel *model;
    HolArena *arena;
    HolLoops loops;
    HolNode *root;
    bool is_counting; /* the first of two passes: nothing is copied */
    bool is_too_large;
    double copy_count;
} Expander;

/* One entry of `repeat`, read. */
typedef struct Range {
    const HolNode *entry;
    const char *variable;
    long long from, to, step;
} Range;

static HolStatus expand_entries(Expander *expander, const HolNode *repeat);

/* The more severe status: HOL_NO_MEMORY, then errors of the model. */
static HolStatus worse(HolStatus a, HolStatus b)
{
    return a == HOL_NO_MEMORY || b == HOL_OK ? a : b;
}

/* Copying with substitution */

static HolStatus substitute(Expander *expander, HolPlace place, const char *text, bool words, const char **result)
{
    bool changed;
    *result = text;
    HOL_TRY(hol_loops_substitute(&expander->loops, place, text, words, &changed));
    if (changed)
        *result = hol_arena_text(expander->arena, expander->loops.text, expander->loops.length);
    return *result ? HOL_OK : HOL_NO_MEMORY;
}

static HolStatus twice(Expander *expander, const HolNode *child, const HolNode *first)
{
    char place[300];
    hol_place_text(first->key_place, place, sizeof place);
    if (strchr(child->key, '$'))
        return hol_error(expander->model, child->key_place, "'%s' is given twice (first at %s)", first->key, place);
    return hol_error(expander->model, child->key_place,
                     "'%s' is given twice (first at %s); a repeated name needs '$%s'", first->key, place,
                     expander->loops.variables[expander->loops.count - 1].name);
}

/* Copies a child of the repeated parts into a list or a map. */
static HolStatus copy_into(Expander *expander, HolNode *parent, const HolNode *child)
{
    HolNode *copy = hol_node_create(expander->arena, child->type, child->place);
    if (!copy)
        return HOL_NO_MEMORY;
    copy->is_quoted = child->is_quoted;
    copy->key_place = child->key_place;
    if (child->key)
        HOL_TRY(substitute(expander, child->key_place, child->key, false, &copy->key));
    const HolNode *first = child->key ? hol_node_find(parent, copy->key) : NULL;
    if (first)
        return twice(expander, child, first);
    HolStatus status = HOL_OK;
    if (child->type == HOL_SCALAR)
        status = substitute(expander, child->place, child->text, !child->is_quoted, &copy->text);
    copy->is_rewritten = child->is_rewritten || copy->text != child->text;
    for (const HolNode *node = child->first; node && status != HOL_NO_MEMORY; node = node->next)
        status = worse(status, copy_into(expander, copy, node));
    if (status != HOL_OK)
        return status;
    return hol_node_append(expander->arena, parent, copy) ? HOL_OK : HOL_NO_MEMORY;
}

/* The section of the model that takes the copies; made where the model has none. */
static HolStatus repeat_find_section(Expander *expander, const HolNode *source, HolNode **section)
{
    *section = hol_node_find(expander->root, source->key);
    if (*section && (*section)->type != HOL_MAP)
        return hol_error(expander->model, (*section)->place, "'%s' must be a map, not %s", source->key,
                         hol_node_type_name(*section));
    if (*section)
        return HOL_OK;
    *section = hol_node_create(expander->arena, HOL_MAP, source->place);
    if (!*section)
        return HOL_NO_MEMORY;
    (*section)->key = source->key;
    (*section)->key_place = source->key_place;
    return hol_node_append(expander->arena, expander->root, *section) ? HOL_OK : HOL_NO_MEMORY;
}

static HolStatus copy_section(Expander *expander, const HolNode *source)
{
    HolNode *section;
    HOL_TRY(repeat_find_section(expander, source, &section));
    HolStatus status = HOL_OK;
    for (const HolNode *child = source->first; child && status != HOL_NO_MEMORY; child = child->next)
        status = worse(status, copy_into(expander, section, child));
    return status;
}

/* One value of the variable. */
static HolStatus copy_entry(Expander *expander, const HolNode *entry)
{
    HolStatus status = HOL_OK;
    for (int i = 0; i < SECTION_COUNT && status != HOL_NO_MEMORY && !expander->is_counting; ++i) {
        const HolNode *source = hol_node_find(entry, section_names[i]);
        if (source && source->type == HOL_MAP)
            status = worse(status, copy_section(expander, source));
    }
    const HolNode *inner = hol_node_find(entry, "repeat");
    return inner && status != HOL_NO_MEMORY ? worse(status, expand_entries(expander, inner)) : status;
}

/* Reading an entry */

static HolStatus unknown_key(Expander *expander, const HolNode *node)
{
    const char *nearest = hol_nearest_name(node->key, entry_keys);
    if (nearest)
        return hol_error(expander->model, node->key_place, "'%s' cannot be repeated (did you mean '%s'?)", node->key,
                         nearest);
    return hol_error(expander->model, node->key_place, "'%s' cannot be repeated", node->key);
}

static HolStatus repeat_check_key(Expander *expander, const HolNode *node)
{
    int known = 0;
    while (entry_keys[known] && strcmp(entry_keys[known], node->key) != 0)
        ++known;
    if (!entry_keys[known])
        return unknown_key(expander, node);
    if (known < SECTION_COUNT && node->type != HOL_MAP && !hol_node_is_null(node))
        return hol_error(expander->model, node->place, "'%s' must be a map, not %s", node->key,
                         hol_node_type_name(node));
    return HOL_OK;
}

/* NULL, or why a name cannot be that of a variable. */
static const char *refusal(const Expander *expander, const char *name)
{
    static const char *const taken[] = {"t", "x", "y", "z", "e", "pi", "free", "ground", "and", "or", "not", "if"};
    bool is_name = name[0] != '\0' && !hol_is_digit(name[0]);
    for (const char *c = name; *c; ++c)
        is_name = is_name && (hol_is_letter_or_digit(*c) || *c == '_');
    if (!is_name)
        return "cannot be a variable; use letters, digits and _, with a letter first";
    for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i) {
        if (strcmp(taken[i], name) == 0)
            return "cannot be a variable; the name is reserved";
    }
    for (int i = 0; i < expander->loops.count; ++i) {
        if (strcmp(expander->loops.variables[i].name, name) == 0)
            return "is already the variable of an outer 'repeat'";
    }
    return NULL;
}

static HolStatus read_variable(Expander *expander, const HolNode *entry, const char **variable)
{
    const HolNode *node = hol_node_find(entry, "for");
    if (!node || node->type != HOL_SCALAR)
        return hol_error(expander->model, node ? node->place : entry->place,
                         "an entry of 'repeat' needs 'for: i', the name of its variable");
    const char *why = refusal(expander, node->text);
    if (why)
        return hol_error(expander->model, node->place, "'%s' %s", node->text, why);
    *variable = node->text;
    return HOL_OK;
}

/* Reads a whole number; if it is optional and missing, *value keeps its default. */
static HolStatus repeat_read_whole(Expander *expander, const HolNode *entry, const char *key, bool is_needed,
                                   long long *value)
{
    const HolNode *node = hol_node_find(entry, key);
    char what[16] = "'";
    strcat(strcat(what, key), "'");
    if (!node && !is_needed)
        return HOL_OK;
    if (!node)
        return hol_error(expander->model, entry->place, "an entry of 'repeat' needs %s", what);
    if (node->type != HOL_SCALAR)
        return hol_error(expander->model, node->place, "%s must be a whole number, not %s", what,
                         hol_node_type_name(node));
    const char *text;
    HOL_TRY(substitute(expander, node->place, node->text, false, &text));
    return hol_loops_whole(&expander->loops, node->place, what, text, value);
}

static HolStatus repeat_read_entry(Expander *expander, const HolNode *entry, Range *range)
{
    *range = (Range){.entry = entry, .step = 1};
    if (entry->type != HOL_MAP)
        return hol_error(expander->model, entry->place, "an entry of 'repeat' must be a map, not %s",
                         hol_node_type_name(entry));
    if (expander->loops.count == HOL_LOOPS_DEEPEST)
        return hol_error(expander->model, entry->place, "repeats are nested deeper than %d levels", HOL_LOOPS_DEEPEST);
    HolStatus status = read_variable(expander, entry, &range->variable);
    for (const HolNode *node = entry->first; node; node = node->next)
        status = worse(status, repeat_check_key(expander, node));
    status = worse(status, repeat_read_whole(expander, entry, "from", true, &range->from));
    status = worse(status, repeat_read_whole(expander, entry, "to", true, &range->to));
    status = worse(status, repeat_read_whole(expander, entry, "step", false, &range->step));
    if (status == HOL_OK && range->step < 1)
        return hol_error(expander->model, hol_node_find(entry, "step")->place, "'step' must be positive, not %lld",
                         range->step);
    return status;
}

/* Expanding */

static void count_values(const HolNode *node, long long *values, long long *characters)
{
    ++*values;
    *characters += (long long)((node->key ? strlen(node->key) : 0) + (node->text ? strlen(node->text) : 0));
    for (const HolNode *child = node->first; child; child = child->next)
        count_values(child, values, characters);
}

/* A large part costs the memory and the time of several. */
static long long parts_of(const HolNode *section)
{
    long long parts = 0;
    for (const HolNode *part = section ? section->first : NULL; part; part = part->next) {
        long long values = 0, characters = 0;
        count_values(part, &values, &characters);
        parts += 1 + values / VALUES_OF_A_PART + characters / CHARACTERS_OF_A_PART;
    }
    return parts;
}

/* Before anything is copied: the memory of a wrong number would be large. A round without parts counts as one, and so
 * does an entry without rounds, which costs time where it is inside another. */
static HolStatus count_copies(Expander *expander, const Range *range)
{
    const double most = expander->model->limits.parts;
    long long parts = 0, rounds = range->to < range->from ? 0 : (range->to - range->from) / range->step + 1;
    for (int i = 0; i < SECTION_COUNT && rounds > 0; ++i)
        parts += parts_of(hol_node_find(range->entry, section_names[i]));
    expander->copy_count += fmax(1, (double)rounds * (double)(parts > 0 ? parts : 1));
    expander->is_too_large = expander->copy_count > most;
    if (!expander->is_too_large)
        return HOL_OK;
    return hol_error(expander->model, range->entry->place,
                     "more than %.9g parts are repeated, the limit; '--limit parts=...' raises it", most);
}

/* Ends with the first value that shows a mistake; the others would show the same. */
static HolStatus expand_entry(Expander *expander, const HolNode *entry)
{
    Range range;
    HOL_TRY(repeat_read_entry(expander, entry, &range));
    if (expander->is_counting)
        HOL_TRY(count_copies(expander, &range));
    if (expander->is_counting && !hol_node_find(entry, "repeat"))
        return HOL_OK;
    HolLoopVariable *variable = &expander->loops.variables[expander->loops.count++];
    HolStatus status = HOL_OK;
    variable->name = range.variable;
    for (long long i = range.from; i <= range.to && status == HOL_OK; i += range.step) {
        variable->value = i;
        status = copy_entry(expander, entry);
    }
    expander->loops.count--;
    return status;
}

static HolStatus expand_entries(Expander *expander, const HolNode *repeat)
{
    HolStatus status = HOL_OK;
    if (hol_node_is_null(repeat))
        return HOL_OK;
    if (repeat->type != HOL_LIST)
        return hol_error(expander->model, repeat->place, "'repeat' must be a list of entries '- for: i', not %s",
                         hol_node_type_name(repeat));
    for (const HolNode *entry = repeat->first; entry && status != HOL_NO_MEMORY && !expander->is_too_large;
         entry = entry->next)
        status = worse(status, expand_entry(expander, entry));
    return status;
}

/* Counts before it copies, so that a model that is too large is refused at once. */
static HolStatus repeat_expand_twice(Expander *expander, const HolNode *repeat)
{
    expander->is_counting = true;
    HolStatus status = expand_entries(expander, repeat);
    expander->is_counting = false;
    return status == HOL_NO_MEMORY || expander->is_too_large ? status : expand_entries(expander, repeat);
}

/* The new root: nodes of its own for what will be appended to, the rest is shared with the old one. */

static HolNode *repeat_share(HolArena *arena, HolNode *parent, const HolNode *child)
{
    HolNode *node = hol_arena_small(arena, sizeof *node);
    if (!node)
        return NULL;
    *node = *child;
    return hol_node_append(arena, parent, node) ? node : NULL;
}

static bool open_section(HolArena *arena, HolNode *root, const HolNode *section)
{
    HolNode *map = hol_node_create(arena, HOL_MAP, section->place);
    if (!map)
        return false;
    map->key = section->key;
    map->key_place = section->key_place;
    for (const HolNode *child = section->first; child; child = child->next) {
        if (!repeat_share(arena, map, child))
            return false;
    }
    return hol_node_append(arena, root, map);
}

static bool is_section(const HolNode *node)
{
    bool found = false;
    for (int i = 0; i < SECTION_COUNT; ++i)
        found = found || strcmp(section_names[i], node->key) == 0;
    return found && (node->type == HOL_MAP || hol_node_is_null(node));
}

static HolNode *open_root(HolArena *arena, const HolNode *old)
{
    HolNode *root = hol_node_create(arena, HOL_MAP, old->place);
    for (const HolNode *node = old->first; node && root; node = node->next) {
        bool works = strcmp(node->key, "repeat") == 0 ||
                     (is_section(node) ? open_section(arena, root, node) : repeat_share(arena, root, node) != NULL);
        if (!works)
            return NULL;
    }
    return root;
}

HolStatus hol_repeat_expand(HolModel *model, HolArena *arena, const HolSymbols *symbols)
{
    const HolNode *repeat = hol_node_find(model->root, "repeat");
    if (!repeat)
        return HOL_OK;
    Expander expander = {.model = model, .arena = arena, .loops = {.model = model, .outside = symbols}};
    expander.root = open_root(arena, model->root);
    HolStatus status = expander.root ? repeat_expand_twice(&expander, repeat) : HOL_NO_MEMORY;
    hol_loops_close(&expander.loops);
    if (status == HOL_OK)
        model->root = expander.root;
    return status;
}
