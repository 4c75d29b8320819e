/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/bodies/body.h"

#include "base/tolerances.h"
#include "mechanism/bodies/drawing.h"
#include "mechanism/kinematics/rotation.h"

#include <math.h>
#include <string.h>

/* Whether the reader has reported the key where it is missing. */
static bool is_needed(const HolKind *kind, const char *name)
{
    for (int i = 0; i < kind->field_count; ++i)
        if (strcmp(kind->fields[i].name, name) == 0)
            return kind->fields[i].needed;
    return false;
}

/* shape is NULL if it has an error. */
static bool find_mass(HolBuilder *builder, const HolPart *part, const HolBodyValues *values, const HolShape *shape,
                      double *mass)
{
    bool has_mass = hol_part_was_given(part, "mass"), has_density = hol_part_was_given(part, "density");
    HolReader *reader = builder->reader;
    if (has_mass && has_density)
        hol_reader_error(reader, hol_part_place(part, "density"), "'mass' and 'density' are both given; one is enough");
    else if (has_density && shape && shape->volume <= 0)
        hol_reader_error(reader, hol_part_place(part, "density"), "'density' needs a volume; give %s",
                         hol_node_find(part->node, "bar") ? "a 'section', or 'mass' instead" : "'mass' instead");
    else if (!hol_part_is_named(part, "mass") && !hol_part_is_named(part, "density") && !is_needed(part->kind, "mass"))
        hol_reader_error(reader, part->node->place, "it has no 'mass'");
    else if (has_mass || (has_density && shape)) {
        *mass = has_mass ? values->mass : values->density * shape->volume;
        return true;
    }
    return false;
}

/* Sylvester's criterion for a symmetric 3 x 3 matrix, independent of its scale. */
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

static bool body_has_no_inertia(const HolNumbers *numbers)
{
    bool is_zero = true;
    for (int i = 0; i < numbers->count; ++i)
        is_zero = is_zero && numbers->x[i] == 0;
    return is_zero;
}

static bool body_take_inertia(HolBuilder *builder, const HolPart *part, const HolNumbers *numbers, HolBody *body)
{
    const double *x = numbers->x;
    bool planar = builder->mechanism->planar;
    HolPlace place = hol_part_place(part, "inertia");
    if (planar ? numbers->count != 1 : numbers->count != 3 && numbers->count != 6)
        return hol_reader_error(builder->reader, place, "'inertia' must be %s",
                                planar ? "one number in the plane"
                                       : "[Jx, Jy, Jz] or [Jx, Jy, Jz, Jxy, Jxz, Jyz] in space");
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
    const char *hint = body_has_no_inertia(numbers) ? "; a point mass is a body of the kind 'particle'" : "";
    if (planar)
        return hol_reader_error(builder->reader, place, "'inertia' must be positive, not %g%s", x[0], hint);
    return hol_reader_error(builder->reader, place, "'inertia' must be %s%s",
                            numbers->count == 3 ? "three positive numbers" : "a positive definite matrix", hint);
}

static bool find_inertia(HolBuilder *builder, const HolPart *part, const HolBodyValues *values, const HolShape *shape,
                         HolBody *body)
{
    if (hol_part_was_given(part, "inertia"))
        return body_take_inertia(builder, part, &values->inertia, body);
    if (hol_part_is_named(part, "inertia") || is_needed(part->kind, "inertia") || !shape)
        return false; /* reported already */
    for (int i = 0; i < 3; ++i)
        body->J[i][i] = body->mass * shape->square[i];
    if (is_positive_definite(body->J))
        return true;
    return hol_reader_error(
        builder->reader, part->node->place,
        "its inertia, from mass and shape, is outside the range of floating-point numbers; check the units");
}

bool hol_body_is_real(const HolBody *body)
{
    double trace = body->J[0][0] + body->J[1][1] + body->J[2][2], P[3][3];
    for (int i = 0; i < 9; ++i)
        P[i / 3][i % 3] = (i % 4 == 0 ? trace * (0.5 + HOL_TOL_EQUAL) : 0) - body->J[i / 3][i % 3];
    return is_positive_definite(P);
}

static bool find_pose(HolBuilder *builder, const HolPart *part, const HolBodyValues *values, HolShape *shape,
                      HolBody *body)
{
    memcpy(body->r, hol_part_was_given(part, "centre") ? values->centre : shape->centre, sizeof body->r);
    if (hol_part_was_given(part, "orientation"))
        return hol_read_orientation(builder->reader, values->orientation, body->e, &body->phi);
    body->phi = shape->phi;
    hol_quaternion_of_axes(shape->axes, body->e);
    return true;
}

static void body_draw(HolBuilder *builder, const HolBodyKind *kind, const HolPart *part, const HolShape *shape,
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
    const HolBodyKind *kind = (const void *)hol_read_kind(builder->reader, node, "body", hol_body_kinds);
    if (!kind)
        return;
    const HolBodyValues *values = (const HolBodyValues *)(const void *)memory;
    part.kind = &kind->kind;
    part.given = hol_read_fields(builder->reader, node, kind->kind.fields, kind->kind.field_count, memory);
    part.named = builder->reader->named;
    memcpy(shape.centre, values->at, sizeof shape.centre);
    bool has_shape = part.given & 1 && kind->measure(builder, &part, memory, &shape);
    const HolShape *measured = has_shape ? &shape : NULL;
    body->form = kind->form;
    if (kind->form != HOL_RIGID) { /* its only values are those of its table */
        find_pose(builder, &part, values, &shape, body);
        body->mass = values->mass;
        body->J[0][0] = body->J[1][1] = body->J[2][2] = shape.square[0];
        return;
    }
    if (find_pose(builder, &part, values, &shape, body) && has_shape)
        body_draw(builder, kind, &part, &shape, memory, body);
    find_mass(builder, &part, values, measured, &body->mass);
    find_inertia(builder, &part, values, measured, body);
    body->compliance = shape.compliance;
    memcpy(body->ends, shape.ends, sizeof body->ends);
}
