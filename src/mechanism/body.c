/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/body.h"

#include "mechanism/drawing.h"
#include "mechanism/rotation.h"

#include <math.h>
#include <string.h>

/* Where the common keys stand in a kind's table. */
static bool given(const HolBodyKind *kind, const HolPart *part, const char *name)
{
    return hol_was_given(part->given, kind->kind.fields, kind->kind.field_count, name);
}

static bool is_named(const HolBodyKind *kind, const HolPart *part, const char *name)
{
    return hol_was_given(part->named, kind->kind.fields, kind->kind.field_count, name);
}

/* Whether a sentence has been said where the key is missing. */
static bool is_needed(const HolBodyKind *kind, const char *name)
{
    for (int i = 0; i < kind->kind.field_count; ++i)
        if (strcmp(kind->kind.fields[i].name, name) == 0)
            return kind->kind.fields[i].needed;
    return false;
}

/* shape NULL: it could not be measured. */
static bool find_mass(HolBuilder *builder, const HolBodyKind *kind, const HolPart *part, const HolBodyValues *values,
                      const HolShape *shape, double *mass)
{
    bool has_mass = given(kind, part, "mass"), has_density = given(kind, part, "density");
    HolReader *reader = builder->reader;
    if (has_mass && has_density)
        hol_reader_error(reader, hol_part_place(part, "density"), "'mass' and 'density' are both given; one is enough");
    else if (has_density && shape && shape->volume <= 0)
        hol_reader_error(reader, hol_part_place(part, "density"), "'density' needs a volume; give %s",
                         hol_node_find(part->node, "bar") ? "a 'section', or 'mass' instead" : "'mass' instead");
    else if (!is_named(kind, part, "mass") && !is_named(kind, part, "density") && !is_needed(kind, "mass"))
        hol_reader_error(reader, part->node->place, "it has no 'mass'");
    else if (has_mass || (has_density && shape)) {
        *mass = has_mass ? values->mass : values->density * shape->volume;
        return true;
    }
    return false;
}

/* Sylvester's test of a symmetric 3 x 3 matrix, made free of its scale. */
static bool is_positive_definite(double J[3][3])
{
    double largest = fmax(J[0][0], fmax(J[1][1], J[2][2])), A[3][3];
    if (!(largest > 0) || !isfinite(largest))
        return false;
    for (int i = 0; i < 9; ++i)
        A[i / 3][i % 3] = J[i / 3][i % 3] / largest;
    double two = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    double three = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
                   A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
                   A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
    return A[0][0] > 0 && two > 0 && three > 0;
}

static bool take_inertia(HolBuilder *builder, const HolPart *part, const HolNumbers *numbers, HolBody *body)
{
    const double *x = numbers->x;
    bool planar = builder->mechanism->planar;
    HolPlace place = hol_part_place(part, "inertia");
    if (planar ? numbers->count != 1 : numbers->count != 3 && numbers->count != 6) {
        hol_reader_error(builder->reader, place, "'inertia' must be %s",
                         planar ? "one number in the plane" : "[Jx, Jy, Jz] or [Jx, Jy, Jz, Jxy, Jxz, Jyz] in space");
        return false;
    }
    if (planar) {
        body->J[0][0] = body->J[1][1] = body->J[2][2] = x[0];
    } else {
        for (int i = 0; i < 3; ++i)
            body->J[i][i] = x[i];
        for (int i = 3; i < numbers->count; ++i) {
            int row = i == 5 ? 1 : 0, column = i == 3 ? 1 : 2;
            body->J[row][column] = body->J[column][row] = x[i];
        }
    }
    if (is_positive_definite(body->J))
        return true;
    if (planar)
        hol_reader_error(builder->reader, place, "'inertia' must be positive, not %g", x[0]);
    else
        hol_reader_error(builder->reader, place, "'inertia' must be %s",
                         numbers->count == 3 ? "three positive numbers" : "a positive definite matrix");
    return false;
}

static bool find_inertia(HolBuilder *builder, const HolBodyKind *kind, const HolPart *part, const HolBodyValues *values,
                         const HolShape *shape, HolBody *body)
{
    if (given(kind, part, "inertia"))
        return take_inertia(builder, part, &values->inertia, body);
    if (is_named(kind, part, "inertia") || is_needed(kind, "inertia") || !shape)
        return false; /* it has been complained of */
    for (int i = 0; i < 3; ++i)
        body->J[i][i] = body->mass * shape->square[i];
    if (is_positive_definite(body->J))
        return true;
    hol_reader_error(builder->reader, part->node->place,
                     "its inertia, from mass and shape, is too small or too large to compute with");
    return false;
}

/* No real body has one principal moment larger than the sum of the others. */
static void warn_of_inertia(const HolBuilder *builder, const HolPart *part, const HolBody *body)
{
    double trace = body->J[0][0] + body->J[1][1] + body->J[2][2];
    for (int i = 0; i < 3 && !builder->mechanism->planar; ++i)
        if (2 * body->J[i][i] > trace * (1 + 1e-9)) {
            hol_warning(builder->reader->model, part->node->place,
                        "body '%s': no real body has this inertia (one moment is larger than the sum of the others)",
                        part->name);
            return;
        }
}

static bool find_pose(HolBuilder *builder, const HolBodyKind *kind, const HolPart *part, const HolBodyValues *values,
                      HolShape *shape, HolBody *body)
{
    memcpy(body->r, given(kind, part, "centre") ? values->centre : shape->centre, sizeof body->r);
    if (given(kind, part, "orientation"))
        return hol_read_orientation(builder->reader, values->orientation, body->e, &body->phi);
    body->phi = shape->phi;
    hol_quaternion_of_axes(shape->axes, body->e);
    return true;
}

static const HolBodyKind *find_kind(HolBuilder *builder, const HolNode *node)
{
    const HolKind *choices[HOL_MOST_KINDS];
    int count = 0;
    for (; hol_body_kinds[count]; ++count)
        choices[count] = &hol_body_kinds[count]->kind;
    int index = hol_read_kind(builder->reader, node, "body", choices, count);
    return index < 0 ? NULL : hol_body_kinds[index];
}

static void draw(HolBuilder *builder, const HolBodyKind *kind, const HolPart *part, const HolShape *shape,
                 const void *values, HolBody *body)
{
    HolDrawing drawing = {.builder = builder, .part = part, .shape = shape, .body = body};
    if (!kind->draw)
        return;
    hol_frame_place(&drawing.frame, body->r, body->e);
    kind->draw(&drawing, values);
}

void hol_body_build(HolBuilder *builder, const HolNode *node, HolBody *body)
{
    _Alignas(16) char memory[HOL_LARGEST_VALUES] = {0};
    HolPart part = {.what = "body", .name = node->key, .node = node};
    HolShape shape = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    hol_reader_enter(builder->reader, part.what, part.name);
    *body = (HolBody){.name = node->key, .mass = 1, .e = {1, 0, 0, 0}};
    const HolBodyKind *kind = find_kind(builder, node);
    if (!kind)
        return;
    const HolBodyValues *values = (const HolBodyValues *)(const void *)memory;
    part.given = hol_read_fields(builder->reader, node, kind->kind.fields, kind->kind.field_count, memory);
    part.named = builder->reader->named;
    memcpy(shape.centre, values->at, sizeof shape.centre);
    bool has_shape = part.given & 1 && kind->measure(builder, &part, memory, &shape);
    const HolShape *measured = has_shape ? &shape : NULL;
    body->form = kind->form;
    if (kind->form != HOL_RIGID) { /* it has no more than its table says */
        find_pose(builder, kind, &part, values, &shape, body);
        body->mass = values->mass;
        body->J[0][0] = body->J[1][1] = body->J[2][2] = shape.square[0];
        return;
    }
    bool ok = find_pose(builder, kind, &part, values, &shape, body);
    if (ok && has_shape)
        draw(builder, kind, &part, &shape, memory, body);
    ok = find_mass(builder, kind, &part, values, measured, &body->mass) && ok;
    ok = find_inertia(builder, kind, &part, values, measured, body) && ok;
    body->compliance = shape.compliance;
    memcpy(body->ends, shape.ends, sizeof body->ends);
    if (ok)
        warn_of_inertia(builder, &part, body);
}
