/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/elastic.h"

#include "mechanism/reaction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Reading ---- */

/* "x of the point, y of the point" */
static const char *list_rows(const HolJoint *joint, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < joint->row_count && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", joint->row_names[i]);
    return text;
}

/* Whether a key has one number for each row; else an error. */
static bool fits_rows(HolBuilder *builder, const HolPart *part, const char *key, int count)
{
    const HolJoint *joint = builder->joint;
    char rows[300];
    if (count == joint->row_count)
        return true;
    if (joint->row_count == 1)
        hol_reader_error(builder->reader, hol_part_place(part, key), "'%s' must be one number for its one row (%s)",
                         key, joint->row_names[0]);
    else
        hol_reader_error(builder->reader, hol_part_place(part, key),
                         "'%s' must be a list of %d numbers, one for each row (%s)", key, joint->row_count,
                         list_rows(joint, rows, sizeof rows));
    return false;
}

/* Beyond these, products of several numbers are no numbers any more. */
static const double LEAST_STIFFNESS = 1e-20, MOST_STIFFNESS = 1e30, MOST = 1e30;
static const double MOST_MISFIT = 0.1; /* of a rod, in parts of its length: what is shared is so by small changes */

double hol_read_inverse(HolReader *reader, HolPlace place, const char *key, double k)
{
    if (k >= LEAST_STIFFNESS && k <= MOST_STIFFNESS)
        return 1 / k;
    hol_reader_error(reader, place, "'%s' must be from %g to %g, not %g; leave it out for what is rigid", key,
                     LEAST_STIFFNESS, MOST_STIFFNESS, k);
    return 0;
}

static double read_compliance(HolReader *reader, const HolNode *node, const char *unit)
{
    double k;
    reader->field = "stiffness";
    bool was_read = hol_read_number(reader, node, unit, &k);
    reader->field = NULL;
    if (was_read && !(k > 0))
        hol_reader_error(reader, node->place, "'stiffness' must be positive, not %g", k);
    return was_read && k > 0 ? hol_read_inverse(reader, node->place, "stiffness", k) : 0;
}

/* {axial: , radial: } */
static void read_directions(HolBuilder *builder, const HolNode *map, HolElastic *elastic)
{
    typedef struct Values {
        double axial, radial;
    } Values;
    static const HolField fields[] = {
        {"axial", HOL_FIELD_NUMBER, offsetof(Values, axial), .unit = "N/m", .rule = HOL_POSITIVE, .help = "along"},
        {"radial", HOL_FIELD_NUMBER, offsetof(Values, radial), .unit = "N/m", .rule = HOL_POSITIVE, .help = "across"},
    };
    const HolJoint *joint = builder->joint;
    Values values;
    uint64_t given = hol_read_fields(builder->reader, map, fields, 2, &values);
    if (!joint->has_axis)
        hol_reader_error(builder->reader, map->place,
                         "'stiffness' is given along and across an axis, but a %s joint has none here; give one number",
                         joint->kind);
    else if (map->count == 0)
        hol_reader_error(builder->reader, map->place, "'stiffness' says nothing: give 'axial', 'radial' or one number");
    if (joint->is_rod && hol_node_find(map, "radial"))
        hol_reader_error(builder->reader, map->place, "a rod has no 'radial' stiffness, only 'axial'");
    elastic->axial = given & 1 ? hol_read_inverse(builder->reader, map->place, "axial", values.axial) : 0;
    elastic->radial = given & 2 ? hol_read_inverse(builder->reader, map->place, "radial", values.radial) : 0;
}

static void read_row_compliances(HolBuilder *builder, const HolPart *part, const HolNode *list, HolElastic *elastic)
{
    double *rows = hol_arena_doubles(builder->arena, (size_t)list->count);
    int i = 0;
    if (!rows || !fits_rows(builder, part, "stiffness", list->count))
        return;
    for (const HolNode *node = list->first; node; node = node->next)
        rows[i++] = read_compliance(builder->reader, node, NULL);
    elastic->rows = rows;
}

/* In which ways the rows of a joint can resist. */
typedef struct Ways {
    bool axial, radial, turning;
} Ways;

/* Of a push: along the joint's axis, across it, or both. */
static void add_push(const HolBuilder *builder, const HolMark *along, Ways *ways)
{
    static const double LITTLE = 1e-9;
    double direction[3], axis[3];
    hol_mark_value(builder->frames, along, direction);
    hol_mark_value(builder->frames, &builder->joint->axis, axis);
    double cosine = builder->joint->has_axis ? fabs(hol_dot3(direction, axis)) : 0.5;
    ways->axial = ways->axial || cosine > LITTLE;
    ways->radial = ways->radial || cosine < 1 - LITTLE;
}

static void add_measure(const HolBuilder *builder, int index, Ways *ways)
{
    const HolMeasure *measure = &builder->mechanism->measures[index];
    if (measure->type == HOL_OFFSET)
        add_push(builder, &measure->mark[0], ways);
    else if (measure->type == HOL_LENGTH || measure->type == HOL_SQUARE)
        ways->axial = true;
    else
        ways->turning = true;
}

static void add_speed(const HolBuilder *builder, const HolSpeed *speed, Ways *ways)
{
    switch (speed->type) {
    case HOL_SPEED_POINT: add_push(builder, &speed->along, ways); break;
    case HOL_SPEED_SIDEWAYS: ways->radial = true; break;
    case HOL_SPEED_TURNING: ways->turning = true; break;
    case HOL_SPEED_MEASURE: add_measure(builder, speed->measure, ways); break;
    }
}

static Ways find_ways(const HolBuilder *builder)
{
    const HolMechanism *m = builder->mechanism;
    const HolJoint *joint = builder->joint;
    bool holds_point = joint->coincidence_count > 0 || joint->rolling_count > 0;
    Ways ways = {holds_point, holds_point, false};
    for (int i = joint->first_row; i < joint->first_row + joint->general_count; ++i)
        for (int k = 0; k < m->rows[i].measure_count; ++k)
            add_measure(builder, m->rows[i].measure[k], &ways);
    for (int i = joint->first_velocity_row; i < joint->first_velocity_row + joint->velocity_row_count; ++i)
        for (int k = 0; k < m->velocity_rows[i].speed_count; ++k)
            add_speed(builder, &m->speeds[m->velocity_rows[i].first_speed + k], &ways);
    return ways;
}

/* A stiffness in a direction that the joint leaves free would do nothing. */
static void check_directions(HolBuilder *builder, const HolNode *map, const Ways *ways)
{
    const HolJoint *joint = builder->joint;
    const HolNode *axial = hol_node_find(map, "axial"), *radial = hol_node_find(map, "radial");
    if (!joint->has_axis)
        return; /* told elsewhere, as are rods */
    if (axial && !ways->axial)
        hol_reader_error(builder->reader, axial->place,
                         "'axial' stiffness would do nothing: a '%s' leaves its axis free; give 'radial'", joint->kind);
    if (radial && !ways->radial && !joint->is_rod)
        hol_reader_error(builder->reader, radial->place,
                         "'radial' stiffness would do nothing: a '%s' resists along its axis only; give 'axial'",
                         joint->kind);
}

/* What is given must be able to act. */
static bool can_act(HolBuilder *builder, const HolPart *part, const HolJointGiven *given)
{
    const char *kind = builder->joint->kind, *article = strchr("aeio", kind[0]) ? "an" : "a";
    bool is_list = given->stiffness && given->stiffness->type == HOL_LIST;
    Ways ways = find_ways(builder);
    bool pushes = ways.axial || ways.radial;
    if (given->stiffness && !is_list && !pushes)
        hol_reader_error(builder->reader, hol_part_place(part, "stiffness"),
                         "%s '%s' resists turning only: give 'turning_stiffness'", article, kind);
    else if (given->stiffness && given->stiffness->type == HOL_MAP)
        check_directions(builder, given->stiffness, &ways);
    if (given->turning_stiffness > 0 && !ways.turning)
        hol_reader_error(builder->reader, hol_part_place(part, "turning_stiffness"),
                         "%s '%s' does not resist turning%s: give 'stiffness'", article, kind,
                         builder->mechanism->planar ? " in the plane" : "");
    return (pushes || is_list || !given->stiffness) && (ways.turning || !(given->turning_stiffness > 0));
}

static void check_sizes(HolBuilder *builder, const HolPart *part, const char *key, const HolNumbers *numbers)
{
    for (int i = 0; i < numbers->count; ++i)
        if (!(fabs(numbers->x[i]) <= MOST)) {
            hol_reader_error(builder->reader, hol_part_place(part, key), "'%s' must be at most %g, not %g", key, MOST,
                             numbers->x[i]);
            return;
        }
}

/* A rod that is far from fitting cannot be put in its place. */
static void check_misfit(HolBuilder *builder, const HolPart *part, double misfit)
{
    double from[3], to[3];
    hol_mark_value(builder->frames, &builder->joint->from, from);
    hol_mark_value(builder->frames, &builder->joint->place, to);
    const double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    double length = sqrt(hol_dot3(d, d));
    if (!(fabs(misfit) <= MOST_MISFIT * length))
        hol_reader_error(builder->reader, hol_part_place(part, "misfit"),
                         "'misfit' must be at most a tenth of the length as drawn (%g m), not %g m", length, misfit);
}

static void read_stiffness(HolBuilder *builder, const HolPart *part, const HolJointGiven *given, HolElastic *elastic)
{
    const HolNode *node = given->stiffness;
    if (given->turning_stiffness > 0)
        elastic->turning = hol_read_inverse(builder->reader, hol_part_place(part, "turning_stiffness"),
                                            "turning_stiffness", given->turning_stiffness);
    if (node && node->type == HOL_MAP)
        read_directions(builder, node, elastic);
    else if (node && node->type == HOL_LIST)
        read_row_compliances(builder, part, node, elastic);
    else if (node)
        elastic->axial = elastic->radial = read_compliance(builder->reader, node, "N/m");
    if (node && node->type == HOL_LIST && given->turning_stiffness > 0)
        hol_reader_error(builder->reader, hol_part_place(part, "turning_stiffness"),
                         "the list 'stiffness' says it already for each row");
}

static bool is_near(const double *a, const double *b, double size)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return hol_dot3(d, d) <= 1e-18 * size * size;
}

/* At the end of a bar that yields the joint has half of that. */
static void read_bars(HolBuilder *builder)
{
    HolJoint *joint = builder->joint;
    for (int k = 0; k < 2; ++k) {
        const HolBody *body = joint->body[k] > 0 ? &builder->mechanism->bodies[joint->body[k] - 1] : NULL;
        double at[3], along[3], length;
        if (!body || !(body->compliance > 0))
            continue;
        for (int i = 0; i < 3; ++i)
            along[i] = body->ends[1][i] - body->ends[0][i];
        length = sqrt(hol_dot3(along, along));
        for (int i = 0; i < 3; ++i)
            along[i] /= length;
        hol_mark_value(builder->frames, joint->is_rod && k == 0 ? &joint->from : &joint->place, at);
        if (!is_near(at, body->ends[0], length) && !is_near(at, body->ends[1], length))
            continue;
        joint->bar[k] = hol_build_direction(builder, joint->body[k], along);
        joint->bar_compliance[k] = body->compliance / 2;
        builder->mechanism->is_elastic = true;
    }
}

static void read_given(HolBuilder *builder, const HolPart *part, const HolJointGiven *given, HolElastic *elastic)
{
    const HolJoint *joint = builder->joint;
    HolMechanism *m = builder->mechanism;
    bool gives_way = given->stiffness || given->turning_stiffness > 0;
    if (can_act(builder, part, given))
        read_stiffness(builder, part, given, elastic);
    if (given->misfit.x && !gives_way)
        hol_reader_error(builder->reader, hol_part_place(part, "misfit"),
                         "a 'misfit' needs a 'stiffness': what is rigid must fit");
    check_sizes(builder, part, "misfit", &given->misfit);
    check_sizes(builder, part, "preload", &given->preload);
    if (given->misfit.x && fits_rows(builder, part, "misfit", given->misfit.count))
        elastic->misfit = given->misfit.x;
    if (joint->is_rod && elastic->misfit)
        check_misfit(builder, part, elastic->misfit[0]);
    if (given->preload.x && fits_rows(builder, part, "preload", given->preload.count))
        elastic->preload = given->preload.x;
    if (joint->is_rod && elastic->preload) /* tension pulls the second body back */
        given->preload.x[0] = -given->preload.x[0];
    m->is_elastic = m->is_elastic || gives_way;
    m->has_preload = m->has_preload || elastic->misfit || elastic->preload;
}

void hol_joint_read_elastic(HolBuilder *builder, const HolPart *part, const void *values)
{
    const HolJointGiven *given = values;
    read_bars(builder);
    if (!given->stiffness && !(given->turning_stiffness > 0) && !given->misfit.x && !given->preload.x)
        return;
    HolElastic *elastic = hol_arena_small(builder->arena, sizeof *elastic);
    if (!elastic)
        return;
    builder->joint->elastic = elastic;
    read_given(builder, part, given, elastic);
}

/* ---- Compliance ---- */

enum { WAYS = 8 }; /* in which a joint may yield: force, torque, and its bars */

/* What yields, each times the root of its compliance. */
static void weigh_reaction(const HolJoint *joint, const HolFrame *frames, double axes[3][3], const double *f, double *w)
{
    static const HolElastic rigid = {0};
    const HolElastic *e = joint->elastic && !joint->elastic->rows ? joint->elastic : &rigid;
    const double c[6] = {e->axial, e->radial, e->radial, e->turning, e->turning, e->turning};
    for (int i = 0; i < 6; ++i)
        w[i] = sqrt(c[i]) * hol_dot3(axes[i % 3], f + 3 * (i / 3));
    for (int k = 0; k < 2; ++k) {
        double along[3];
        hol_mark_value(frames, &joint->bar[k], along);
        w[6 + k] = sqrt(joint->bar_compliance[k]) * hol_dot3(along, f);
    }
}

void hol_joint_compliance(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *frames, const double *D,
                          double *unit, double *G)
{
    const HolElastic *elastic = joint->elastic;
    int n = joint->row_count;
    double axes[3][3], f[6], w[HOL_JOINT_ROWS][WAYS];
    memset(G, 0, (size_t)(n * n) * sizeof *G);
    for (int i = 0; elastic && elastic->rows && i < n; ++i)
        G[i * (n + 1)] = elastic->rows[i];
    if (!elastic && !hol_joint_is_at_bar(joint))
        return;
    hol_joint_axes(mechanism, joint, frames, axes);
    for (int i = 0; i < n; ++i) {
        unit[joint->rows[i]] = 1;
        hol_joint_reaction(mechanism, joint, frames, D, unit, f);
        unit[joint->rows[i]] = 0;
        weigh_reaction(joint, frames, axes, f, w[i]);
    }
    for (int i = 0; i < n * n; ++i)
        for (int k = 0; k < WAYS; ++k)
            G[i] += w[i / n][k] * w[i % n][k];
}

bool hol_joint_is_at_bar(const HolJoint *joint)
{
    return joint->bar_compliance[0] > 0 || joint->bar_compliance[1] > 0;
}
