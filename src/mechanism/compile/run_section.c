/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the run section. Names and options of formulations and integrators are checked by the layer above. */
#include "mechanism/run_section.h"

#include "base/format.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "mechanism/compile/compile.h"

#include <string.h>

typedef struct Values {
    double until, step, every;
    const HolNode *formulation, *integrator, *record;
    int coordinates, reactions, start, branch;
} Values;

enum { UNTIL, STEP, EVERY, FORMULATION, INTEGRATOR, COORDINATES, REACTIONS, START, BRANCH, RECORD, FIELD_COUNT };

static const char *const coordinate_names[] = {"reference-point", "natural", NULL};

/* HolReactionRule */
static const char *const reaction_names[] = {"automatic", "as-computed", "minimum-norm",
                                             "stiffness", "elimination", NULL};

static const char *const start_names[] = {"assembled", "as-given", NULL};

/* HolBranchPolicy */
static const char *const branch_names[] = {"continue", "report", "stop", NULL};

static const HolField fields[FIELD_COUNT] = {
    {"until", HOL_FIELD_NUMBER, offsetof(Values, until), .unit = "s", .rule = HOL_NOT_NEGATIVE, .otherwise = 1,
     .help = "end time of the run"},
    {"step", HOL_FIELD_NUMBER, offsetof(Values, step), .unit = "s", .rule = HOL_POSITIVE, .otherwise = 1e-3,
     .help = "time step"},
    {"every", HOL_FIELD_NUMBER, offsetof(Values, every), .unit = "s", .rule = HOL_NOT_NEGATIVE,
     .help = "record interval"},
    {"formulation", HOL_FIELD_NODE, offsetof(Values, formulation), .help = "a name, or {kind: name, option: value}"},
    {"integrator", HOL_FIELD_NODE, offsetof(Values, integrator), .help = "a name, or {kind: name, option: value}"},
    {"coordinates", HOL_FIELD_CHOICE, offsetof(Values, coordinates), .names = coordinate_names,
     .help = "coordinates of the bodies: reference-point (x, y, phi or r and Euler parameters) or natural (r and "
             "the vectors of the body axes)"},
    {"reactions", HOL_FIELD_CHOICE, offsetof(Values, reactions), .names = reaction_names,
     .help = "the rule for reactions that are not unique"},
    {"start", HOL_FIELD_CHOICE, offsetof(Values, start), .names = start_names,
     .help = "assembled: moved onto the constraints first; as-given: as drawn and given, even if joints are open"},
    {"branch", HOL_FIELD_CHOICE, offsetof(Values, branch), .names = branch_names,
     .help = "where the motion would leave its branch at a singular configuration: continue along it, report the "
             "change and accept it, or stop"},
    {"record", HOL_FIELD_NODE, offsetof(Values, record), .help = "a list of names"},
};

/* The value of an option: the number of an expression, or the word as it is. */
static const char *plain_value(HolBuilder *builder, const char *value)
{
    HolExpressionError error;
    HolDimension dimension;
    double number;
    char text[80], unit[32] = "";
    if (hol_number_parse(value, &builder->reader->symbols, &number, &dimension, &error) != HOL_OK)
        return value;
    if (dimension.state == HOL_KNOWN)
        hol_dimension_name(dimension, unit);
    int length = hol_format(text, sizeof text, "%.17g %s", number, unit);
    return hol_arena_text(builder->arena, text, (size_t)length);
}

static void add_setting(HolBuilder *builder, const char *what, const HolNode *node)
{
    HolRunSection *run = builder->mechanism->run;
    size_t size = strlen(what) + strlen(node->key) + 2;
    char *name = hol_arena_small(builder->arena, size);
    builder->reader->field = node->key;
    const char *value = hol_read_text(builder->reader, node, "the value of an option");
    if (!name || !value)
        return;
    hol_format(name, size, "%s.%s", what, node->key);
    run->setting_places[run->setting_count] = node->place;
    run->settings[run->setting_count++] = (HolSetting){name, plain_value(builder, value)};
}

/* A plain word, or a map whose other keys are options; "" where no kind is given. */
static const char *run_read_choice(HolBuilder *builder, const char *what, const HolNode *node)
{
    HolReader *reader = builder->reader;
    const char *kind = "";
    if (!node)
        return kind;
    reader->field = what;
    if (node->type != HOL_MAP)
        return hol_read_text(reader, node, "a name, or {kind: name, option: value},");
    for (const HolNode *option = node->first; option; option = option->next)
        if (strcmp(option->key, "kind") == 0)
            kind = hol_read_text(reader, option, "a name");
        else
            add_setting(builder, what, option);
    return kind;
}

/* Whether a section of names could not be read. */
static bool has_lost_names(const HolReader *reader)
{
    return hol_reader_has_lost(reader, "points") || hol_reader_has_lost(reader, "joints") ||
           hol_reader_has_lost(reader, "drivers") || hol_names_count(reader->bodies) == 0;
}

static void read_record(HolBuilder *builder, const HolNode *node)
{
    HolRunSection *run = builder->mechanism->run;
    HolReader *reader = builder->reader;
    reader->field = "record";
    if (node->type != HOL_LIST) {
        hol_reader_error(reader, node->place, "'record' must be a list of names, not %s", hol_node_type_name(node));
        return;
    }
    run->record = hol_arena_alloc(builder->arena, (size_t)node->count * sizeof *run->record);
    run->record_count = 0;
    for (const HolNode *entry = node->first; entry && run->record; entry = entry->next) {
        const char *name = hol_read_text(reader, entry, "a name");
        HolMessage message;
        if (name && hol_record_name_is_known(builder->mechanism, name, &message))
            run->record[run->record_count++] = name;
        else if (name && !has_lost_names(reader))
            hol_reader_error(reader, entry->place, "'record': %s", message.text);
    }
}

static HolPlace run_place_of(const HolNode *node)
{
    const HolNode *kind = node && node->type == HOL_MAP ? hol_node_find(node, "kind") : NULL;
    return kind ? kind->place : node ? node->place : (HolPlace){0};
}

static void check_step(HolReader *reader, const HolNode *section, const Values *values)
{
    const HolNode *step = hol_node_find(section, "step"), *every = hol_node_find(section, "every");
    if (step && values->step > 0 && HOL_TOL_ADVANCE * values->until > values->step)
        hol_reader_error(reader, step->place, "'step' is too small (%g s) for a run until %g s", values->step,
                         values->until);
    if (every && values->every > 0 && values->until > HOL_MOST_RECORDS * values->every)
        hol_reader_error(reader, every->place, "'every' is too small (%g s) for a run until %g s", values->every,
                         values->until);
}

static HolStatus run_create(HolBuilder *builder, const Values *values)
{
    int options =
        (values->formulation ? values->formulation->count : 0) + (values->integrator ? values->integrator->count : 0);
    HolRunSection *run = builder->mechanism->run = hol_arena_alloc(builder->arena, sizeof *run);
    if (!run)
        return HOL_NO_MEMORY;
    run->settings = hol_arena_alloc(builder->arena, (size_t)options * sizeof *run->settings);
    run->setting_places = hol_arena_alloc(builder->arena, (size_t)options * sizeof *run->setting_places);
    run->until = values->until;
    run->step = values->step;
    run->every = values->every;
    run->reactions = (HolReactionRule)values->reactions;
    run->keeps_start = values->start == 1;
    run->branch = (HolBranchPolicy)values->branch;
    run->record_count = -1;
    return hol_arena_failed(builder->arena) ? HOL_NO_MEMORY : HOL_OK;
}

HolStatus hol_compile_run(HolBuilder *builder)
{
    static const HolNode nothing = {.type = HOL_MAP};
    const HolMechanism *m = builder->mechanism;
    HolReader *reader = builder->reader;
    const HolNode *section = hol_reader_section(reader, "run");
    Values values = {0};
    hol_reader_enter(reader, "run", NULL);
    uint64_t given = hol_read_fields(reader, section ? section : &nothing, fields, FIELD_COUNT, &values);
    HOL_TRY(run_create(builder, &values));
    m->run->step_is_free = !(given >> STEP & 1);
    check_step(reader, section, &values);
    if (given >> COORDINATES & 1 && m->natural && values.coordinates == 0)
        hol_reader_error(reader, hol_node_find(section, "coordinates")->place, "%s need 'natural' coordinates",
                         m->has_particles ? "particles and directions" : "beams");
    m->run->formulation = run_read_choice(builder, "formulation", values.formulation);
    m->run->integrator = run_read_choice(builder, "integrator", values.integrator);
    m->run->formulation_place = run_place_of(values.formulation);
    m->run->integrator_place = run_place_of(values.integrator);
    if (given >> RECORD & 1)
        read_record(builder, values.record);
    hol_reader_leave(reader);
    return HOL_OK;
}
