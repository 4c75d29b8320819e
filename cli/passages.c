/* SPDX-License-Identifier: BSD-3-Clause */
#include "passages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *joint_of(const HolMechanism *mechanism, const HolPassage *passage)
{
    return passage->group < 0 ? "rows" : hol_system_group_name(hol_mechanism_system(mechanism), passage->group);
}

/* ---- How bodies move in a motion ---- */

enum { SHOWN = 2 };

/* What each body does in one of two motions: turning rates, or velocities where no body can turn. */
typedef struct Motion {
    const HolMechanism *mechanism;
    HolRecorder *recorder;
    double *row;       /* of the recorder */
    double *amount[2]; /* of each body, the largest of a motion being 1 */
    bool turns;
    int shown[SHOWN]; /* the bodies in which the two motions differ most */
} Motion;

/* The first of some columns of a body, or -1. */
static int column_of(const Motion *m, int body, const char *ending)
{
    char name[300];
    snprintf(name, sizeof name, "%.250s.%s", hol_mechanism_body(m->mechanism, body), ending);
    return hol_recorder_find(m->recorder, name);
}

/* A vector of the body; zeros where it has none of that kind. */
static void read_body(const Motion *m, int body, double x[3])
{
    int planar = m->turns ? column_of(m, body, "w") : -1;
    int first = column_of(m, body, m->turns ? "wx" : "vx"), third = column_of(m, body, m->turns ? "wz" : "vz");
    for (int i = 0; i < 3; ++i)
        x[i] = first >= 0 && (i < 2 || third >= 0) ? m->row[first + i] : 0;
    if (planar >= 0)
        x[2] = m->row[planar];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Along the largest vector of the motion, in parts of it. False if nothing moves. */
static bool read_amounts(const Motion *m, double *amount)
{
    double largest[3] = {0}, x[3];
    int count = hol_mechanism_body_count(m->mechanism);
    for (int b = 0; b < count; ++b) {
        read_body(m, b, x);
        if (dot(x, x) > dot(largest, largest))
            memcpy(largest, x, sizeof x);
    }
    for (int b = 0; b < count && dot(largest, largest) > 0; ++b) {
        read_body(m, b, x);
        amount[b] = dot(x, largest) / dot(largest, largest);
    }
    return dot(largest, largest) > 0;
}

static bool read_ways(Motion *m, const HolSimulation *simulation, int index)
{
    static const HolMeasures none;
    for (int way = 0; way < 2; ++way) {
        HolState state;
        if (!hol_simulation_passage_way(simulation, index, way, &state) ||
            hol_recorder_read(m->recorder, &state, &none, m->row) != HOL_OK || !read_amounts(m, m->amount[way]))
            return false;
    }
    return true;
}

static double difference(const Motion *m, int body)
{
    return fabs(m->amount[0][body] - m->amount[1][body]) + 1e-3 * (fabs(m->amount[0][body]) + fabs(m->amount[1][body]));
}

static void choose_bodies(Motion *m)
{
    int count = hol_mechanism_body_count(m->mechanism), first = -1, second = -1;
    for (int b = 0; b < count; ++b)
        if (first < 0 || difference(m, b) > 1.001 * difference(m, first))
            first = b;
    for (int b = 0; b < count; ++b)
        if (b != first && (second < 0 || difference(m, b) > 1.001 * difference(m, second)))
            second = b;
    m->shown[0] = first < second || second < 0 ? first : second;
    m->shown[1] = first < second || second < 0 ? second : first;
}

static Motion open_motion(const HolMechanism *mechanism)
{
    static const char *const names[] = {"bodies"};
    HolMessage message;
    Motion m = {.mechanism = mechanism};
    size_t count = (size_t)hol_mechanism_body_count(mechanism);
    if (hol_recorder_create(mechanism, names, 1, &m.recorder, &message) != HOL_OK)
        return m;
    m.row = calloc((size_t)hol_recorder_column_count(m.recorder), sizeof *m.row);
    m.amount[0] = calloc(count, sizeof(double));
    m.amount[1] = calloc(count, sizeof(double));
    for (int b = 0; b < (int)count; ++b)
        m.turns = m.turns || column_of(&m, b, "w") >= 0 || column_of(&m, b, "wx") >= 0;
    return m;
}

static void close_motion(Motion *m)
{
    hol_recorder_destroy(m->recorder);
    free(m->row);
    free(m->amount[0]);
    free(m->amount[1]);
}

/* "1 : -1", the larger one being 1 or -1 */
static void print_ratio(FILE *file, const Motion *m, int way)
{
    double a = m->amount[way][m->shown[0]], b = m->shown[1] < 0 ? 0 : m->amount[way][m->shown[1]];
    double scale = fabs(a) >= 0.999 * fabs(b) ? a : fabs(b);
    scale = scale != 0 ? scale : 1;
    fprintf(file, "%.3g : %.3g", round(1e3 * a / scale) / 1e3 + 0., round(1e3 * b / scale) / 1e3 + 0.);
}

/* ---- Sentences ---- */

/* ": 'crank' and 'rod' can go on as they came, turning 1 : -1, or turn 1 : 1" */
static void tell_ways(FILE *file, Motion *m, const HolSimulation *simulation, int index)
{
    HolPassage passage = hol_simulation_passage(simulation, index);
    const char *first = passage.blocks[0] < 0 ? NULL : hol_mechanism_body(m->mechanism, passage.blocks[0]);
    if (m->row && m->amount[0] && m->amount[1] && read_ways(m, simulation, index)) {
        choose_bodies(m);
        if (m->shown[1] >= 0) {
            fprintf(file, ": '%s' and '%s' can go on as they %s, %s ", hol_mechanism_body(m->mechanism, m->shown[0]),
                    hol_mechanism_body(m->mechanism, m->shown[1]), passage.at_start ? "start" : "came",
                    m->turns ? "turning" : "moving");
            print_ratio(file, m, 0);
            fprintf(file, ", or %s ", m->turns ? "turn" : "move");
            print_ratio(file, m, 1);
            return;
        }
    }
    if (first)
        fprintf(file, ": '%s'%s has %s on", first, passage.has_many_ways ? ", for one," : "",
                passage.has_many_ways ? "more than two ways" : "more than one way");
}

/* "; the run took the other way, and the energy jumped. From there on ..." */
static void tell_outcome(FILE *file, const HolPassage *passage)
{
    static const char *const unsure = ". From there on the results are not to be trusted";
    if (passage->refused)
        fprintf(file, "; the run %s there, and stops before",
                passage->changed_branch ? "would have turned into another motion" : "would have jumped in energy");
    else if (passage->changed_branch)
        fprintf(file, "; the run %s%s%s",
                passage->taken == 1 ? "took the other way" : "turned into a motion that is not the one it came with",
                passage->energy_jump ? ", and the energy jumped" : "", unsure);
    else if (passage->energy_jump)
        fprintf(file, "; the energy of the run jumped%s", unsure);
    else if (passage->recovered)
        fprintf(file, "; steps were lost there, and the run was led across as it came");
    else
        fprintf(file, "; the run took the %s", passage->taken == 1 ? "other way" : "first");
}

static bool is_wrong(const HolPassage *passage)
{
    return passage->changed_branch || passage->energy_jump;
}

static void tell_passage(FILE *file, Motion *m, const HolSimulation *simulation, int index)
{
    HolPassage passage = hol_simulation_passage(simulation, index);
    if (passage.at_start)
        fprintf(file, "the start is a singular configuration, where rows of '%s' depend on others",
                joint_of(m->mechanism, &passage));
    else
        fprintf(file, "at t = %.6g s, a singular configuration, rows of '%s' became dependent", passage.t,
                joint_of(m->mechanism, &passage));
    tell_ways(file, m, simulation, index);
    if (is_wrong(&passage) || passage.recovered || passage.at_start)
        tell_outcome(file, &passage);
}

void cli_passage_text(const HolMechanism *mechanism, const HolSimulation *simulation, int index, char *text,
                      size_t size)
{
    Motion motion = open_motion(mechanism);
    FILE *memory = fmemopen(text, size, "w");
    text[0] = '\0';
    if (memory) {
        tell_passage(memory, &motion, simulation, index);
        fclose(memory);
    }
    text[size - 1] = '\0';
    close_motion(&motion);
}

void cli_tell_passages(FILE *file, const HolMechanism *mechanism, const HolSimulation *simulation, bool quiet)
{
    enum { MOST_TOLD = 5 };
    HolSummary summary = hol_simulation_summary(simulation);
    if (summary.singular_events == 0)
        return;
    int told = 0, told_changes = 0, told_recoveries = 0;
    Motion motion = open_motion(mechanism);
    for (int i = 0; i < hol_simulation_passage_count(simulation) && told < MOST_TOLD; ++i) {
        HolPassage passage = hol_simulation_passage(simulation, i);
        if (!is_wrong(&passage) && (quiet || !(passage.recovered || passage.at_start)))
            continue;
        ++told;
        told_changes += passage.changed_branch;
        told_recoveries += passage.recovered;
        fputs("holon: ", file);
        tell_passage(file, &motion, simulation, i);
        fputs("\n", file);
    }
    close_motion(&motion);
    if (summary.branch_changes > told_changes)
        fprintf(file, "holon: %ld change%s of branch in all\n", summary.branch_changes,
                summary.branch_changes == 1 ? "" : "s");
    if (summary.recoveries > told_recoveries && !quiet)
        fprintf(file, "holon: %ld recover%s in all; --branch report shows the run without %s\n", summary.recoveries,
                summary.recoveries == 1 ? "y" : "ies", summary.recoveries == 1 ? "it" : "them");
}

void cli_passages_text(const HolMechanism *mechanism, const HolSimulation *simulation, char *text, size_t size)
{
    HolSummary summary = hol_simulation_summary(simulation);
    HolPassage first = hol_simulation_passage(simulation, 0);
    char recoveries[60] = "";
    if (summary.recoveries > 0)
        snprintf(recoveries, sizeof recoveries, ", %ld recover%s", summary.recoveries,
                 summary.recoveries == 1 ? "y" : "ies");
    snprintf(text, size, "%ld configuration%s passed, the first at %.6g s ('%s'); %ld change%s of branch%s",
             summary.singular_events, summary.singular_events == 1 ? "" : "s", first.t, joint_of(mechanism, &first),
             summary.branch_changes, summary.branch_changes == 1 ? "" : "s", recoveries);
}
