/* SPDX-License-Identifier: BSD-3-Clause */
/* The run section. Names and options of formulations and integrators are only carried: who creates the simulation
 * knows them. */
#include "mechanism/compile.h"

#include <stdio.h>
#include <string.h>

typedef struct Values {
    double until, step, every;
    const HolNode *formulation, *integrator, *record;
    int coordinates, reactions, start, branch;
} Values;

enum { UNTIL, STEP, EVERY, FORMULATION, INTEGRATOR, COORDINATES, REACTIONS, START, BRANCH, RECORD, FIELD_COUNT };

static const char *const coordinate_names[] = {"reference-point", "natural", NULL};

/* HolResolution, behind the first. */
static const char *const reaction_names[] = {"automatic", "as-computed", "minimum-norm",
                                             "stiffness", "elimination", NULL};

static const char *const start_names[] = {"assembled", "as-given", NULL};

/* HolBranch */
static const char *const branch_names[] = {"continue", "report", "stop", NULL};

static const HolField fields[FIELD_COUNT] = {
    {"until", HOL_FIELD_NUMBER, offsetof(Values, until), .unit = "s", .rule = HOL_NOT_NEGATIVE, .otherwise = 1,
     .help = "the end of the run"},
    {"step", HOL_FIELD_NUMBER, offsetof(Values, step), .unit = "s", .rule = HOL_POSITIVE, .otherwise = 1e-3,
     .help = "the step"},
    {"every", HOL_FIELD_NUMBER, offsetof(Values, every), .unit = "s", .rule = HOL_NOT_NEGATIVE,
     .help = "record interval"},
    {"formulation", HOL_FIELD_NODE, offsetof(Values, formulation), .help = "a name, or {kind: name, option: value}"},
    {"integrator", HOL_FIELD_NODE, offsetof(Values, integrator), .help = "a name, or {kind: name, option: value}"},
    {"coordinates", HOL_FIELD_CHOICE, offsetof(Values, coordinates), .names = coordinate_names,
     .help = "what bodies are described by: reference-point (x, y, phi or r and Euler parameters) or natural (r and "
             "the vectors of the body axes)"},
    {"reactions", HOL_FIELD_CHOICE, offsetof(Values, reactions), .names = reaction_names,
     .help = "how reactions that are not unique are told"},
    {"start", HOL_FIELD_CHOICE, offsetof(Values, start), .names = start_names,
     .help = "assembled: moved onto the joints first; as-given: as drawn and given, also where joints are open"},
    {"branch", HOL_FIELD_CHOICE, offsetof(Values, branch), .names = branch_names,
     .help = "where the motion would turn into another one at a singular configuration: continue as it came, report it "
             "and go on, or stop"},
    {"record", HOL_FIELD_NODE, offsetof(Values, record), .help = "a list of names"},
};

/* Options are numbers or words: an expression becomes its number, anything else stays as it is. */
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
    int length = snprintf(text, sizeof text, "%.17g %s", number, unit);
    return hol_arena_text(builder->arena, text, (size_t)length);
}

static void add_setting(HolBuilder *builder, const char *what, const HolNode *node)
{
    HolMechanism *m = builder->mechanism;
    size_t size = strlen(what) + strlen(node->key) + 2;
    char *name = hol_arena_small(builder->arena, size);
    builder->reader->field = node->key;
    const char *value = hol_read_text(builder->reader, node, "the value of an option");
    if (!name || !value)
        return;
    snprintf(name, size, "%s.%s", what, node->key);
    m->setting_places[m->setting_count] = node->place;
    m->settings[m->setting_count++] = (HolSetting){name, plain_value(builder, value)};
}

/* A plain word, or a map whose other keys are options. */
static const char *read_choice(HolBuilder *builder, const char *what, const HolNode *node, const char *otherwise)
{
    HolReader *reader = builder->reader;
    const char *kind = otherwise;
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
    HolMechanism *m = builder->mechanism;
    HolReader *reader = builder->reader;
    reader->field = "record";
    if (node->type != HOL_LIST) {
        hol_reader_error(reader, node->place, "'record' must be a list of names, not %s", hol_node_type_name(node));
        return;
    }
    m->record = hol_arena_alloc(builder->arena, (size_t)node->count * sizeof *m->record);
    m->record_count = 0;
    for (const HolNode *entry = node->first; entry && m->record; entry = entry->next) {
        const char *name = hol_read_text(reader, entry, "a name");
        HolMessage message;
        if (name && hol_record_name_is_known(m, name, &message))
            m->record[m->record_count++] = name;
        else if (name && !has_lost_names(reader))
            hol_reader_error(reader, entry->place, "'record': %s", message.text);
    }
}

static HolPlace place_of(const HolNode *node)
{
    const HolNode *kind = node && node->type == HOL_MAP ? hol_node_find(node, "kind") : NULL;
    return kind ? kind->place : node ? node->place : (HolPlace){0};
}

/* With more steps the time would stand still. */
static const double MOST_STEPS = 1e15;

static void check_step(HolReader *reader, const HolNode *section, const Values *values)
{
    const HolNode *step = hol_node_find(section, "step"), *every = hol_node_find(section, "every");
    if (step && values->step > 0 && values->until > MOST_STEPS * values->step)
        hol_reader_error(reader, step->place, "'step' is too small (%g s) for a run until %g s", values->step,
                         values->until);
    if (every && values->every > 0 && values->until > MOST_STEPS * values->every)
        hol_reader_error(reader, every->place, "'every' is too small (%g s) for a run until %g s", values->every,
                         values->until);
}

/* Beams are too stiff for explicit steps of a usual size. */
static const char *usual_formulation(const HolMechanism *m)
{
    return m->beam_element_count > 0 ? "index3-augmented-lagrangian" : "direct-correction";
}

HolStatus hol_compile_run(HolBuilder *builder)
{
    static const HolNode nothing = {.type = HOL_MAP};
    static const char usual_integrator[] = "rk4";
    HolMechanism *m = builder->mechanism;
    HolReader *reader = builder->reader;
    const HolNode *section = hol_reader_section(reader, "run");
    Values values = {0};
    hol_reader_enter(reader, "run", NULL);
    uint64_t given = hol_read_fields(reader, section ? section : &nothing, fields, FIELD_COUNT, &values);
    int options =
        (values.formulation ? values.formulation->count : 0) + (values.integrator ? values.integrator->count : 0);
    m->settings = hol_arena_alloc(builder->arena, (size_t)options * sizeof *m->settings);
    m->setting_places = hol_arena_alloc(builder->arena, (size_t)options * sizeof *m->setting_places);
    if (!m->settings || !m->setting_places)
        return HOL_NO_MEMORY;
    check_step(reader, section, &values);
    m->until = values.until;
    m->step = values.step;
    m->every = values.every;
    if (given >> COORDINATES & 1 && m->natural && values.coordinates == 0)
        hol_reader_error(reader, hol_node_find(section, "coordinates")->place, "%s need 'natural' coordinates",
                         m->has_elements ? "particles and directions" : "beams");
    m->coordinates = coordinate_names[m->natural ? 1 : 0];
    m->formulation = read_choice(builder, "formulation", values.formulation, usual_formulation(m));
    m->integrator = read_choice(builder, "integrator", values.integrator, usual_integrator);
    m->integrator_is_chosen = m->integrator != usual_integrator;
    m->formulation_place = place_of(values.formulation);
    m->integrator_place = place_of(values.integrator);
    m->resolution_is_chosen = values.reactions > 0;
    m->resolution = values.reactions > 0 ? (HolResolution)(values.reactions - 1) : HOL_MINIMUM_NORM;
    m->keeps_start = values.start == 1;
    m->branch = (HolBranch)values.branch;
    m->record_count = -1;
    if (given >> RECORD & 1)
        read_record(builder, values.record);
    hol_reader_leave(reader);
    return HOL_OK;
}
