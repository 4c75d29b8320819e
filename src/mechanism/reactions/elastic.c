/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/reactions/elastic.h"

#include "base/format.h"
#include "base/tolerances.h"
#include "mechanism/reactions/reaction.h"

#include <math.h>
#include <string.h>

const char *hol_joint_list_rows(const HolJoint *joint, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < joint->row_count && used < size; ++i)
        used += (size_t)hol_format(text + used, size - used, "%s%s", i ? ", " : "", joint->row_names[i]);
    return text;
}

/* Whether a key has one number for each row; reports an error if not. */
static bool fits_rows(HolBuilder *builder, const HolPart *part, const char *key, int count)
{
    const HolJoint *joint = builder->joint;
    char rows[300];
    if (count == joint->row_count)
        return true;
    if (joint->row_count == 1)
        hol_reader_error(builder->reader, hol_part_place(part, key),
                         "'%s' must be one number, for its constraint equation (%s)", key, joint->row_names[0]);
    else
        hol_reader_error(builder->reader, hol_part_place(part, key),
                         "'%s' must be a list of %d numbers, one for each constraint equation (%s)", key,
                         joint->row_count, hol_joint_list_rows(joint, rows, sizeof rows));
    return false;
}

static const double MOST = 1e30;       /* products of larger values may overflow */
static const double MOST_MISFIT = 0.1; /* of the length of a rod: load sharing is linear about the drawn lengths */

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
        hol_reader_error(builder->reader, map->place, "'stiffness' is empty: give 'axial', 'radial' or one number");
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

/* The motions that the rows of a joint resist. */
typedef struct ResistedMotions {
    bool axial, radial, turning;
} ResistedMotions;

/* Adds a force with this direction: along the joint's axis, across it, or both. */
static void resisted_add_force(const HolBuilder *builder, const HolMark *along, ResistedMotions *resisted)
{
    static const double LITTLE = HOL_TOL_EQUAL;
    double direction[3], axis[3];
    hol_mark_value(builder->frames, along, direction);
    hol_mark_value(builder->frames, &builder->joint->axis, axis);
    double cosine = builder->joint->has_axis ? fabs(hol_dot3(direction, axis)) : 0.5;
    resisted->axial = resisted->axial || cosine > LITTLE;
    resisted->radial = resisted->radial || cosine < 1 - LITTLE;
}

static void resisted_add_measure(const HolBuilder *builder, int index, ResistedMotions *resisted)
{
    const HolMeasure *measure = &builder->mechanism->measures[index];
    switch (measure->kind->conjugate) {
    case HOL_FORCE_ALONG_DIRECTION: resisted_add_force(builder, &measure->mark[0], resisted); break;
    case HOL_FORCE_ALONG_LINE: resisted->axial = true; break;
    case HOL_MOMENT: resisted->turning = true; break;
    }
}

static void resisted_add_speed(const HolBuilder *builder, const HolSpeed *speed, ResistedMotions *resisted)
{
    switch (speed->type) {
    case HOL_SPEED_POINT: resisted_add_force(builder, &speed->along, resisted); break;
    case HOL_SPEED_SIDEWAYS: resisted->radial = true; break;
    case HOL_SPEED_TURNING: resisted->turning = true; break;
    case HOL_SPEED_MEASURE: resisted_add_measure(builder, speed->measure, resisted); break;
    }
}

static ResistedMotions resisted_motions(const HolBuilder *builder)
{
    const HolMechanism *m = builder->mechanism;
    const HolJoint *joint = builder->joint;
    bool holds_point = joint->coincidence_count > 0 || joint->rolling_count > 0;
    ResistedMotions resisted = {holds_point, holds_point, false};
    for (int i = joint->first_row; i < joint->first_row + joint->general_count; ++i)
        for (int k = 0; k < m->rows[i].measure_count; ++k)
            resisted_add_measure(builder, m->rows[i].measure[k], &resisted);
    for (int i = joint->first_velocity_row; i < joint->first_velocity_row + joint->velocity_row_count; ++i)
        for (int k = 0; k < m->velocity_rows[i].speed_count; ++k)
            resisted_add_speed(builder, &m->speeds[m->velocity_rows[i].first_speed + k], &resisted);
    return resisted;
}

/* Reports a stiffness in a direction in which the joint is free. */
static void check_directions(HolBuilder *builder, const HolNode *map, const ResistedMotions *resisted)
{
    const HolJoint *joint = builder->joint;
    const HolNode *axial = hol_node_find(map, "axial"), *radial = hol_node_find(map, "radial");
    if (!joint->has_axis)
        return; /* reported by read_directions(), as are rods */
    if (axial && !resisted->axial)
        hol_reader_error(builder->reader, axial->place,
                         "'axial' stiffness has no effect: a '%s' is free along its axis; give 'radial'", joint->kind);
    if (radial && !resisted->radial && !joint->is_rod)
        hol_reader_error(builder->reader, radial->place,
                         "'radial' stiffness has no effect: a '%s' resists along its axis only; give 'axial'",
                         joint->kind);
}

/* Whether the joint resists the motions that it gives a stiffness for. */
static bool can_act(HolBuilder *builder, const HolPart *part, const HolJointGiven *given)
{
    const char *kind = builder->joint->kind, *article = strchr("aeio", kind[0]) ? "an" : "a";
    bool is_list = given->stiffness && given->stiffness->type == HOL_LIST;
    ResistedMotions resisted = resisted_motions(builder);
    bool pushes = resisted.axial || resisted.radial;
    if (given->stiffness && !is_list && !pushes)
        hol_reader_error(builder->reader, hol_part_place(part, "stiffness"),
                         "%s '%s' resists rotation only: give 'turning_stiffness'", article, kind);
    else if (given->stiffness && given->stiffness->type == HOL_MAP)
        check_directions(builder, given->stiffness, &resisted);
    if (given->turning_stiffness > 0 && !resisted.turning)
        hol_reader_error(builder->reader, hol_part_place(part, "turning_stiffness"),
                         "%s '%s' does not resist rotation%s: give 'stiffness'", article, kind,
                         builder->mechanism->planar ? " in the plane" : "");
    return (pushes || is_list || !given->stiffness) && (resisted.turning || !(given->turning_stiffness > 0));
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

/* A large misfit would contradict the linear compliances. */
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
        hol_reader_error(
            builder->reader, hol_part_place(part, "turning_stiffness"),
            "'stiffness' is a list and gives that of every constraint equation already; leave one of them out");
}

static bool is_near(const double *a, const double *b, double size)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return hol_dot3(d, d) <= HOL_TOL_EQUAL * HOL_TOL_EQUAL * size * size;
}

/* A joint at the end of an elastic bar gets half of its compliance. */
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
        joint->bar[k] = hol_mark_direction(builder, joint->body[k], along);
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
                         "a 'misfit' needs a 'stiffness': rigid joints must fit");
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

enum { WAYS = 8 }; /* components of compliance: force, torque, and two bars */

/* The components of a reaction, each times the root of its compliance. */
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
