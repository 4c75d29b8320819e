/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/beams/build.h"

#include "base/expression/scan.h"
#include "base/format.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "mechanism/beams/curve.h"
#include "mechanism/beams/elements.h"
#include "mechanism/beams/shape.h"
#include "mechanism/kinematics/rotation.h"

#include <stdio.h>
#include <string.h>

typedef struct Values {
    double from[3], to[3], through[3], axis2[3];
    int elements, order;
    double twist;
    HolNumbers free_curvature;
    const HolNode *section;
} Values;

enum { FROM, TO, SECTION, ELEMENTS, ORDER, THROUGH, AXIS2, TWIST, FREE_CURVATURE, FIELD_COUNT };
enum { MOST_ELEMENTS = 100000 };

static const HolField fields[FIELD_COUNT] = {
    {"from", HOL_FIELD_POINT, offsetof(Values, from), .needed = true, .unit = "m", .help = "its first end"},
    {"to", HOL_FIELD_POINT, offsetof(Values, to), .needed = true, .unit = "m", .help = "its last end"},
    {"section", HOL_FIELD_NODE, offsetof(Values, section), .needed = true,
     .help = "one of the kinds of 'holon list sections', as in {circle: 0.1, E: 210 GPa, nu: 0.3, density: 7850}"},
    {"elements", HOL_FIELD_WHOLE, offsetof(Values, elements), .otherwise = 4, .fallback = "4", .rule = HOL_POSITIVE,
     .help = "number of elements"},
    {"order", HOL_FIELD_WHOLE, offsetof(Values, order), .otherwise = 3, .fallback = "3", .rule = HOL_POSITIVE,
     .help = "order of the polynomials: 1, 2 or 3; an element has one more node"},
    {"through", HOL_FIELD_POINT, offsetof(Values, through), .unit = "m", .fallback = "straight",
     .help = "a point between the ends: an arc of a circle through all three"},
    {"axis2", HOL_FIELD_DIRECTION, offsetof(Values, axis2), .fallback = "horizontal, as for bars",
     .help = "axis 2 of the section at the first end, made normal to the beam"},
    {"twist", HOL_FIELD_NUMBER, offsetof(Values, twist), .unit = "rad", .fallback = "0",
     .help = "rotation of the section from one end to the other in the unstressed beam"},
    {"free_curvature", HOL_FIELD_NUMBERS, offsetof(Values, free_curvature), .unit = "1/m", .fallback = "as drawn",
     .help = "[twist per length, curvature about axis 2, about axis 3] of the stress-free beam"},
};

static const HolSample samples[] = {
    {"{from: O, to: Q, section: {circle: 10 mm, E: 1 MPa, nu: 0.4, density: 1100}}", HOL_IN_SPACE, 0, 0},
    {"{from: O, to: Q, through: P, twist: 20 deg, elements: 2, order: 2,"
     " section: {EA: 20, GA2: 7, GA3: 6, GJ: 3, EI2: 2, EI3: 1.5, mass: 1 + s, J2: 0.1, J3: 0.2}}",
     HOL_IN_SPACE, 0, 0},
};

const HolKind hol_beam_kind = {"beam",
                               "a geometrically exact beam between two points",
                               "",
                               HOL_IN_SPACE,
                               HOL_FIELDS(fields, Values),
                               HOL_SAMPLES(samples),
                               .natural = true};

typedef struct Draft {
    const HolNode *node;
    HolCurve curve;
    HolSectionRead section;
    const double *free_curvature; /* NULL: as drawn */
    bool is_whole;                /* nothing is wrong with it */
} Draft;

struct HolBeamDrafts {
    Draft *list;
};

static void check_name(HolBuilder *builder, const HolNode *node)
{
    hol_builder_check_name(builder, node);
    if (strcmp(node->key, "ground") == 0)
        hol_reader_error(builder->reader, node->key_place,
                         "'ground' is the body that does not move; choose another name");
    if (hol_node_find(hol_reader_section(builder->reader, "bodies"), node->key))
        hol_reader_error(builder->reader, node->key_place, "a body has this name too; choose another");
    if (hol_names_find(builder->reader->points, node->key) >= 0)
        hol_reader_error(builder->reader, node->key_place,
                         "a point has the same name, so that columns of results would be ambiguous; choose another");
}

static bool build_draw(HolBuilder *builder, const HolPart *part, const Values *values, HolCurve *curve)
{
    bool is_arc = part->given >> THROUGH & 1;
    HolCurveFault fault = hol_curve_draw(values->from, values->to, is_arc ? values->through : NULL,
                                         HOL_TOL_LENGTH * builder->reader->largest, curve);
    curve->twist = values->twist;
    if (fault.key)
        hol_reader_error(builder->reader, hol_part_place(part, fault.key), "%s", fault.why);
    else if ((part->given >> AXIS2 & 1) && !hol_curve_orient(curve, values->axis2))
        hol_reader_error(builder->reader, hol_part_place(part, "axis2"),
                         "'axis2' points along the beam; it must lie across it");
    else
        return true;
    return false;
}

static bool check_counts(HolBuilder *builder, const HolPart *part, Values *values)
{
    bool order_fits = values->order <= HOL_BEAM_NODES - 1, count_fits = values->elements <= MOST_ELEMENTS;
    if (!order_fits)
        hol_reader_error(builder->reader, hol_part_place(part, "order"), "'order' must be 1, 2 or 3, not %d",
                         values->order);
    if (!count_fits)
        hol_reader_error(builder->reader, hol_part_place(part, "elements"), "'elements' must be at most %d, not %d",
                         MOST_ELEMENTS, values->elements);
    if ((part->given >> FREE_CURVATURE & 1) && values->free_curvature.count != 3)
        return hol_reader_error(builder->reader, hol_part_place(part, "free_curvature"),
                                "'free_curvature' must be three numbers, about axes 1, 2 and 3, not %d",
                                values->free_curvature.count);
    return order_fits && count_fits;
}

/* A beam with errors keeps the nodes that are known, so that references to them cause no further errors. */
static void read_beam(HolBuilder *builder, const HolNode *node, Draft *draft, HolBeam *beam)
{
    Values values = {.order = 1, .elements = 1};
    HolPart part = {.what = "beam", .name = node->key, .node = node};
    hol_reader_enter(builder->reader, part.what, part.name);
    check_name(builder, node);
    *draft = (Draft){.node = node};
    *beam = (HolBeam){.name = node->key, .order = 1, .element_count = 1};
    part.given = hol_read_fields(builder->reader, node, fields, FIELD_COUNT, &values);
    bool has_ends = (part.given >> FROM & 1) && (part.given >> TO & 1), has_section = part.given >> SECTION & 1;
    bool is_drawn = has_ends && build_draw(builder, &part, &values, &draft->curve);
    bool is_counted = values.order > 0 && values.elements > 0 && check_counts(builder, &part, &values);
    if (has_section)
        draft->section = hol_section_read(builder, node->key, values.section);
    if (part.given >> FREE_CURVATURE & 1)
        draft->free_curvature = values.free_curvature.x;
    draft->is_whole = is_drawn && is_counted && draft->section.kind;
    if (is_counted) {
        beam->order = values.order;
        beam->element_count = values.elements;
    }
    beam->node_count = beam->order * beam->element_count + 1;
    beam->length = draft->curve.length;
}

HolStatus hol_beams_read(HolBuilder *builder, HolBeamDrafts **drafts, int *node_count)
{
    HolMechanism *m = builder->mechanism;
    const HolNode *section = hol_reader_section(builder->reader, "beams");
    size_t count = (size_t)(section ? section->count : 0);
    *node_count = 0;
    *drafts = hol_arena_alloc(builder->arena, sizeof **drafts);
    m->beams = hol_arena_alloc(builder->arena, count * sizeof *m->beams);
    if (!*drafts || !m->beams || !((*drafts)->list = hol_arena_alloc(builder->arena, count * sizeof(Draft))))
        return HOL_NO_MEMORY;
    if (section && m->planar && count > 0) {
        hol_error(builder->reader->model, section->first->key_place,
                  "beam '%s': planar models cannot contain beams; remove 'plane' and give three coordinates",
                  section->first->key);
        return HOL_OK;
    }
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next) {
        HolBeam *beam = &m->beams[m->beam_count];
        read_beam(builder, node, &(*drafts)->list[m->beam_count++], beam);
        *node_count += beam->node_count;
    }
    hol_reader_leave(builder->reader);
    return builder->failed ? HOL_NO_MEMORY : HOL_OK;
}

/* The ends have names that do not change with the number of elements. */
static const char *node_name(HolArena *arena, const HolBeam *beam, int index)
{
    size_t size = strlen(beam->name) + 16;
    char *text = hol_arena_small(arena, size);
    if (!text)
        return NULL;
    if (index == 0 || index == beam->node_count - 1)
        hol_format(text, size, "%s.%s", beam->name, index == 0 ? "start" : "end");
    else
        hol_format(text, size, "%s.%d", beam->name, index);
    return text;
}

static HolStatus make_nodes(HolBuilder *builder, const Draft *draft, HolBeam *beam)
{
    HolMechanism *m = builder->mechanism;
    beam->first_node = m->body_count + 1;
    for (int i = 0; i < beam->node_count; ++i) {
        HolBody *body = &m->bodies[m->body_count++];
        double axes[3][3];
        *body = (HolBody){.name = node_name(builder->arena, beam, i), .is_node = true, .e = {1, 0, 0, 0}};
        if (!body->name || hol_names_add(builder->reader->bodies, body->name) < 0)
            return HOL_NO_MEMORY;
        if (!draft->is_whole)
            continue;
        double within = (1 + hol_shape_nodes(beam->order + 1)[i % beam->order]) / 2;
        hol_curve_at(&draft->curve, (i / beam->order + within) / beam->element_count, body->r, axes);
        hol_quaternion_of_axes(axes, body->e);
    }
    return HOL_OK;
}

static void draw_section(const HolSectionRead *section, HolBeam *beam)
{
    double size[2] = {0};
    if (section->kind->draw)
        beam->is_round = section->kind->draw(section->values, size);
    beam->width = size[0];
    beam->height = size[1];
}

static void make_elements(HolBuilder *builder, const Draft *draft, HolBeam *beam)
{
    HolMechanism *m = builder->mechanism;
    HolElementFault fault = {0};
    beam->first_element = m->beam_element_count;
    draw_section(&draft->section, beam);
    for (int i = 0; i < beam->element_count && !fault.why; ++i)
        fault = hol_beam_element_make(m, beam, i, &draft->section, draft->free_curvature,
                                      &m->beam_elements[m->beam_element_count++]);
    hol_reader_enter(builder->reader, "beam", beam->name);
    if (fault.why && hol_model_error_count(builder->reader->model) == 0) /* else that may be why */
        hol_reader_error(builder->reader, hol_node_find(draft->node, "section")->place, "%s at s = %g m", fault.why,
                         fault.s);
}

HolStatus hol_beams_make(HolBuilder *builder, const HolBeamDrafts *drafts)
{
    HolMechanism *m = builder->mechanism;
    size_t count = 0;
    for (int i = 0; i < m->beam_count; ++i)
        count += (size_t)m->beams[i].element_count;
    m->beam_elements = hol_arena_alloc(builder->arena, count * sizeof *m->beam_elements);
    if (!m->beam_elements)
        return HOL_NO_MEMORY;
    for (int i = 0; i < m->beam_count; ++i) {
        HOL_TRY(make_nodes(builder, &drafts->list[i], &m->beams[i]));
        if (drafts->list[i].is_whole)
            make_elements(builder, &drafts->list[i], &m->beams[i]);
    }
    hol_reader_leave(builder->reader);
    return HOL_OK;
}

const HolBeam *hol_beam_find(const HolMechanism *mechanism, const char *name, size_t length)
{
    for (int i = 0; i < mechanism->beam_count; ++i)
        if (strlen(mechanism->beams[i].name) == length && memcmp(mechanism->beams[i].name, name, length) == 0)
            return &mechanism->beams[i];
    return NULL;
}

bool hol_beam_find_place(const HolMechanism *mechanism, const char *name, const HolBeam **beam, double *x)
{
    const char *at = strrchr(name, '@');
    int length = at ? hol_decimal_length(at + 1) : 0;
    *beam = at ? hol_beam_find(mechanism, name, (size_t)(at - name)) : NULL;
    *x = length > 0 ? hol_decimal_value(at + 1, length) : 0;
    return *beam && length > 0 && at[1 + length] == '\0' && *x <= 1;
}
