/* SPDX-License-Identifier: BSD-3-Clause */
#include "uniqueness.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAX_LISTED = 10, MAX_CHANGING = 6 };

const char *const cli_component_names[6] = {"fx", "fy", "fz", "tx", "ty", "tz"};

const int *cli_components(const HolMechanism *mechanism)
{
    static const int planar[] = {0, 1, 5, -1}, spatial[] = {0, 1, 2, 3, 4, 5, -1};
    return hol_mechanism_is_planar(mechanism) ? planar : spatial;
}

bool cli_is_unique(const HolJointDiagnosis *joint)
{
    for (int i = 0; i < 6; ++i)
        if (!joint->unique[i])
            return false;
    return true;
}

/* A text that grows up to its size. */
typedef struct Growing {
    char *text;
    size_t size, used;
} Growing;

__attribute__((format(printf, 2, 3))) static void growing_add(Growing *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(g->text + g->used, g->size - g->used, format, arguments);
    va_end(arguments);
    g->used += (size_t)count < g->size - g->used ? (size_t)count : g->size - g->used - 1;
}

static Growing growing_begin(char *text, size_t size)
{
    text[0] = '\0';
    return (Growing){text, size, 0};
}

void cli_not_unique_text(const HolMechanism *mechanism, const HolDiagnosis *d, char *text, size_t size)
{
    Growing g = growing_begin(text, size);
    int count = 0;
    for (int i = 0; i < d->joint_count; ++i)
        if (!cli_is_unique(&d->joints[i]) && ++count <= MAX_LISTED)
            growing_add(&g, "%s%.60s", count > 1 ? ", " : "", hol_mechanism_joint(mechanism, i).name);
    if (count > MAX_LISTED)
        snprintf(text, size, "%d joints", count);
}

static bool is_changing(const HolDiagnosis *d, const HolJointDiagnosis *joint, int component)
{
    return joint->not_unique[component] > 0 && joint->not_unique[component] < d->configuration_count;
}

/* When the component is not unique. */
static void add_period(Growing *g, const HolDiagnosis *d, const HolJointDiagnosis *joint, int c)
{
    bool from_start = joint->first[c] == 1, to_end = joint->last[c] == d->configuration_count;
    bool is_one_period = joint->last[c] - joint->first[c] + 1 == joint->not_unique[c];
    if (is_one_period && joint->first[c] == 2 && to_end)
        growing_add(g, "only after the initial state");
    else if (joint->not_unique[c] == 1)
        growing_add(g, "only at t = %.4g s", joint->from[c]);
    else if (!is_one_period)
        growing_add(g, "only at times from %.4g s to %.4g s", joint->from[c], joint->until[c]);
    else if (to_end)
        growing_add(g, "only from t = %.4g s on", joint->from[c]);
    else if (from_start)
        growing_add(g, "only until t = %.4g s", joint->until[c]);
    else
        growing_add(g, "only from t = %.4g s to %.4g s", joint->from[c], joint->until[c]);
}

static bool has_same_period(const HolJointDiagnosis *a, int ca, const HolJointDiagnosis *b, int cb)
{
    return a->first[ca] == b->first[cb] && a->last[ca] == b->last[cb] && a->not_unique[ca] == b->not_unique[cb];
}

/* Components that follow each other and have one period share its words. */
void cli_changing_text(const HolMechanism *mechanism, const HolDiagnosis *d, char *text, size_t size)
{
    Growing g = growing_begin(text, size);
    const HolJointDiagnosis *before = NULL;
    int before_c = 0, count = 0;
    for (int i = 0; i < d->joint_count; ++i)
        for (const int *c = cli_components(mechanism); *c >= 0; ++c) {
            const HolJointDiagnosis *joint = &d->joints[i];
            if (!is_changing(d, joint, *c) || ++count > MAX_CHANGING)
                continue;
            if (before && !has_same_period(before, before_c, joint, *c)) {
                growing_add(&g, " ");
                add_period(&g, d, before, before_c);
            }
            growing_add(&g, "%s%.60s.%s", before ? ", " : "", hol_mechanism_joint(mechanism, i).name,
                        cli_component_names[*c]);
            before = joint;
            before_c = *c;
        }
    if (before) {
        growing_add(&g, " ");
        add_period(&g, d, before, before_c);
    }
    if (count > MAX_CHANGING)
        growing_add(&g, ", and %d others in a part of the run", count - MAX_CHANGING);
}

void cli_initially_unique_text(const HolMechanism *mechanism, const HolDiagnosis *d, char *text, size_t size)
{
    Growing g = growing_begin(text, size);
    int count = 0;
    for (int i = 0; i < d->joint_count; ++i)
        for (const int *c = cli_components(mechanism); *c >= 0; ++c)
            if (is_changing(d, &d->joints[i], *c) && d->joints[i].first[*c] > 1 && ++count <= MAX_LISTED)
                growing_add(&g, "%s%.60s.%s", count > 1 ? ", " : "", hol_mechanism_joint(mechanism, i).name,
                            cli_component_names[*c]);
    if (count > MAX_LISTED)
        growing_add(&g, " and %d others", count - MAX_LISTED);
}

static void write_changing(const HolMechanism *mechanism, const HolDiagnosis *d, int index, int c, CliJson *json)
{
    const HolJointDiagnosis *joint = &d->joints[index];
    if (!is_changing(d, joint, c))
        return;
    cli_json_object(json, NULL);
    cli_json_text(json, "joint", hol_mechanism_joint(mechanism, index).name);
    cli_json_text(json, "component", cli_component_names[c]);
    cli_json_whole(json, "not_unique", joint->not_unique[c]);
    cli_json_number(json, "from", joint->from[c]);
    cli_json_number(json, "until", joint->until[c]);
    cli_json_end(json);
}

void cli_uniqueness_members(const HolMechanism *mechanism, const HolDiagnosis *d, CliJson *json)
{
    cli_json_whole(json, "reactions_examined", d ? d->configuration_count : 0);
    cli_json_array(json, "changing_reactions");
    for (int i = 0; d && i < d->joint_count; ++i)
        for (const int *c = cli_components(mechanism); *c >= 0; ++c)
            write_changing(mechanism, d, i, *c, json);
    cli_json_end(json);
}
