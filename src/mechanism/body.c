/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/body.h"

#include "mechanism/rotation.h"

#include <math.h>
#include <string.h>

/* Where the common keys stand in a kind's table. */
static bool given(const HolBodyKind *kind, const HolPart *part, const char *name)
{
    return hol_was_given(part->given, kind->kind.fields, kind->kind.field_count, name);
}

static bool find_mass(HolBuilder *builder, const HolBodyKind *kind, const HolPart *part, const HolBodyValues *values,
                      const HolShape *shape, double *mass)
{
    bool has_mass = given(kind, part, "mass"), has_density = given(kind, part, "density");
    HolReader *reader = builder->reader;
    *mass = has_mass ? values->mass : values->density * shape->volume;
    if (has_mass && has_density)
        hol_reader_error(reader, part->node->place, "'mass' and 'density' are both given; one is enough");
    else if (has_density && shape->volume <= 0)
        hol_reader_error(reader, part->node->place, "'density' needs a volume; give 'mass' or a 'section'");
    else if (!has_mass && !has_density && !hol_node_find(part->node, "mass") && !hol_node_find(part->node, "density"))
        hol_reader_error(reader, part->node->place, "it has no 'mass'");
    else
        return has_mass || has_density;
    return false;
}

/* Sylvester's test of a symmetric 3 x 3 matrix. */
static bool is_positive_definite(double J[3][3])
{
    double two = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    double three = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                   J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                   J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
    return J[0][0] > 0 && two > 0 && three > 0;
}

static bool take_inertia(HolBuilder *builder, const HolPart *part, const HolNumbers *numbers, HolBody *body)
{
    const double *x = numbers->x;
    bool planar = builder->mechanism->planar;
    if (planar ? numbers->count != 1 : numbers->count != 3 && numbers->count != 6) {
        hol_reader_error(builder->reader, part->node->place, "'inertia' must be %s",
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
    if (!is_positive_definite(body->J)) {
        hol_reader_error(builder->reader, part->node->place, "'inertia' must be positive%s",
                         planar ? "" : " (a positive definite matrix)");
        return false;
    }
    return true;
}

static bool find_inertia(HolBuilder *builder, const HolBodyKind *kind, const HolPart *part, const HolBodyValues *values,
                         const HolShape *shape, HolBody *body)
{
    if (given(kind, part, "inertia"))
        return take_inertia(builder, part, &values->inertia, body);
    if (hol_node_find(part->node, "inertia"))
        return false; /* it has been complained of */
    for (int i = 0; i < 3; ++i)
        body->J[i][i] = body->mass * shape->square[i];
    if (body->J[2][2] > 0)
        return true;
    hol_reader_error(builder->reader, part->node->place, "it has no 'inertia', and a '%s' has no shape to compute it",
                     kind->kind.name);
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
    memcpy(shape.centre, values->at, sizeof shape.centre);
    if (!(part.given & 1) || !kind->measure(builder, &part, memory, &shape))
        return;
    bool ok = find_pose(builder, kind, &part, values, &shape, body);
    if (find_mass(builder, kind, &part, values, &shape, &body->mass) && ok &&
        find_inertia(builder, kind, &part, values, &shape, body))
        warn_of_inertia(builder, &part, body);
}
