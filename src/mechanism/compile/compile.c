/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/compile/compile.h"

#include "base/format.h"
#include "base/message.h"
#include "model/repeat.h"

#include <string.h>

static void check_title(HolReader *reader)
{
    const HolNode *node = hol_node_find(reader->model->root, "title");
    reader->what = "title";
    if (node && !hol_node_is_null(node))
        hol_read_text(reader, node, "a text");
    hol_reader_leave(reader);
}

/* How many points and vectors of the model have two and three numbers. */
typedef struct Counts {
    const HolNode *first; /* with two */
    int two, three;
} Counts;

static void count_numbers(const HolNode *place, Counts *counts)
{
    if (!place || place->type != HOL_LIST)
        return;
    if (place->count == 2 && !counts->first)
        counts->first = place;
    counts->two += place->count == 2;
    counts->three += place->count == 3;
}

/* Counts in the sections of a model or of an entry of `repeat`. */
static void count_places(const HolNode *sections, Counts *counts)
{
    const HolNode *points = hol_node_find(sections, "points"), *repeat = hol_node_find(sections, "repeat");
    count_numbers(hol_node_find(sections, "gravity"), counts);
    for (const HolNode *node = points && points->type == HOL_MAP ? points->first : NULL; node; node = node->next)
        count_numbers(node->type == HOL_MAP ? hol_node_find(node, "at") : node, counts);
    for (const HolNode *entry = repeat && repeat->type == HOL_LIST ? repeat->first : NULL; entry; entry = entry->next)
        count_places(entry, counts);
}

/* Reports once a model in which everything has two numbers, and continues to read it as planar. */
static void check_space(HolReader *reader)
{
    Counts counts = {0};
    count_places(reader->model->root, &counts);
    reader->planar = counts.two > 0 && counts.three == 0;
    if (reader->planar && !hol_reader_has_lost(reader, "plane"))
        hol_error(reader->model, counts.first->place,
                  "a third number is missing here, or 'plane: xy' for a planar model");
}

static void read_plane(HolReader *reader)
{
    const HolNode *node = hol_node_find(reader->model->root, "plane");
    if (!node) {
        check_space(reader);
        return;
    }
    reader->what = "plane";
    const char *text = hol_read_text(reader, node, "'xy'");
    if (text && strcmp(text, "xy") != 0)
        hol_reader_error(reader, node->place, "'%.80s' is not supported; planar models lie in the plane 'xy'", text);
    hol_reader_leave(reader);
    reader->planar = true;
}

static void read_gravity(HolReader *reader, HolMechanism *mechanism)
{
    const HolNode *node = hol_node_find(reader->model->root, "gravity");
    if (!node || hol_node_is_null(node))
        return;
    reader->what = "gravity";
    hol_read_vector(reader, node, "m/s^2", mechanism->gravity);
    hol_reader_leave(reader);
}

/* Looks ahead: bodies depend on the coordinates. hol_compile_run() checks the key. */
static bool asks_natural(const HolReader *reader)
{
    const HolNode *run = hol_node_find(reader->model->root, "run");
    const HolNode *node = run && run->type == HOL_MAP ? hol_node_find(run, "coordinates") : NULL;
    return node && node->type == HOL_SCALAR && strcmp(node->text, "natural") == 0;
}

static HolStatus compile_copy_inputs(const HolReader *reader, HolMechanism *mechanism)
{
    int count = hol_names_count(reader->input_names);
    mechanism->input_count = count;
    mechanism->inputs = hol_arena_doubles(mechanism->arena, (size_t)count);
    mechanism->input_names = hol_arena_alloc(mechanism->arena, (size_t)count * sizeof *mechanism->input_names);
    if (hol_arena_failed(mechanism->arena))
        return HOL_NO_MEMORY;
    for (int i = 0; i < count; ++i) {
        mechanism->inputs[i] = reader->inputs[i];
        mechanism->input_names[i] = hol_names_get(reader->input_names, i);
    }
    return HOL_OK;
}

/* In the order in which they were read, the reverse of the list. */
static HolStatus compile_copy_time_functions(HolBuilder *builder)
{
    enum { LONGEST = 100 };
    HolMechanism *m = builder->mechanism;
    int i = m->time_function_count = builder->reader->time_function_count;
    m->time_functions = hol_arena_alloc(m->arena, (size_t)i * sizeof *m->time_functions);
    m->time_function_names = hol_arena_alloc(m->arena, (size_t)i * sizeof *m->time_function_names);
    m->velocity_functions = hol_arena_alloc(m->arena, (size_t)i);
    HOL_TRY(hol_arena_status(m->arena));
    for (const HolTimeFunction *f = builder->reader->time_functions; f; f = f->next) {
        char text[LONGEST];
        hol_format(text, sizeof text, f->name ? "%s '%.60s'" : "%s", f->what ? f->what : "the model", f->name);
        m->time_functions[--i] = f->part;
        m->velocity_functions[i] = f->is_velocity;
        m->time_function_names[i] = hol_arena_text(m->arena, text, strlen(text));
    }
    return HOL_OK;
}

static HolStatus read_model(HolBuilder *builder)
{
    HolReader *reader = builder->reader;
    HolMechanism *mechanism = builder->mechanism;
    check_title(reader);
    read_plane(reader);
    mechanism->planar = reader->planar;
    mechanism->natural = asks_natural(reader);
    read_gravity(reader, mechanism);
    HOL_TRY(compile_copy_inputs(reader, mechanism));
    HOL_TRY(hol_repeat_expand(reader->model, builder->arena, &reader->symbols));
    HOL_TRY(hol_reader_points(reader));
    HOL_TRY(hol_compile_bodies(builder));
    mechanism->natural = mechanism->natural || mechanism->has_particles || mechanism->beam_count > 0;
    hol_compile_check_inertia(builder);
    HOL_TRY(hol_compile_joints(builder));
    HOL_TRY(hol_compile_massless_particles(builder));
    HOL_TRY(hol_compile_forces(builder));
    HOL_TRY(hol_compile_points(builder));
    HOL_TRY(hol_compile_initial_values(builder));
    HOL_TRY(hol_compile_run(builder));
    hol_compile_length(builder);
    mechanism->switching = reader->switching;
    HOL_TRY(compile_copy_time_functions(builder));
    return builder->failed || hol_arena_failed(builder->arena) ? HOL_NO_MEMORY : HOL_OK;
}

static HolStatus compile_sections(HolModel *model, HolMechanism *mechanism)
{
    HolReader reader;
    HolBuilder builder = {.mechanism = mechanism, .reader = &reader, .arena = mechanism->arena};
    mechanism->name = hol_arena_text(mechanism->arena, hol_model_name(model), strlen(hol_model_name(model)));
    hol_check_keys(model);
    HOL_TRY(hol_reader_open(model, mechanism->arena, &reader));
    return read_model(&builder);
}

/* The tree is copied: repeated parts are expanded in the copy, and the names of the mechanism live in it. */
HolStatus hol_mechanism_read(HolModel *model, HolMechanism **mechanism)
{
    *mechanism = NULL;
    hol_model_begin_compiling(model);
    if (hol_model_error_count(model) > 0)
        return HOL_BAD_INPUT;
    HolArena *arena = hol_arena_create_within(hol_limits_memory(&model->limits));
    HolMechanism *made = arena ? hol_arena_alloc(arena, sizeof *made) : NULL;
    HolNode *copy = made ? hol_node_copy(arena, model->root) : NULL;
    HolStatus status = HOL_NO_MEMORY;
    if (copy) {
        HolNode *root = model->root;
        made->arena = arena;
        model->root = copy;
        status = compile_sections(model, made);
        model->root = root;
    }
    if (status == HOL_OK)
        *mechanism = made;
    else
        hol_arena_destroy(arena);
    return status;
}

HolStatus hol_mechanism_build(HolModel *model, HolMechanism *mechanism)
{
    HolMessage message = {{0}};
    mechanism->fingerprint = hol_model_hash_system(model);
    HolStatus status = hol_compile_system(mechanism, &message);
    if (status == HOL_OK)
        status = hol_natural_create_initial_state(mechanism);
    if (status != HOL_OK && status != HOL_NO_MEMORY)
        hol_error(model, (HolPlace){.file = mechanism->name}, "%s", message.text);
    return status;
}

void hol_mechanism_free(HolMechanism *mechanism)
{
    if (!mechanism)
        return;
    HolArena *arena = mechanism->arena;
    hol_system_destroy(mechanism->system);
    hol_arena_destroy(arena);
}
