/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/passages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *passages_joint_of(const HolMechanism *mechanism, const HolPassage *passage)
{
    return passage->group < 0 ? "constraints" : hol_system_group_name(hol_mechanism_system(mechanism), passage->group);
}

enum { SHOWN = 2 };

/* The angular velocities of bodies on each of two branches, or their velocities where no body can rotate. */
typedef struct Motion {
    const HolMechanism *mechanism;
    HolRecorder *recorder;
    double *row;       /* of the recorder */
    double *amount[2]; /* of each body on each branch, relative to the largest */
    bool turns;
    int shown[SHOWN]; /* the bodies in which the two branches differ most */
} Motion;

/* The column of a body, or -1. */
static int passages_column_of(const Motion *m, int body, const char *ending)
{
    char name[300];
    snprintf(name, sizeof name, "%.250s.%s", hol_mechanism_body(m->mechanism, body), ending);
    return hol_recorder_find(m->recorder, name);
}

/* The angular velocity or the velocity of a body; zero where it has none. */
static void passages_read_body(const Motion *m, int body, double x[3])
{
    int planar = m->turns ? passages_column_of(m, body, "w") : -1;
    int first = passages_column_of(m, body, m->turns ? "wx" : "vx"),
        third = passages_column_of(m, body, m->turns ? "wz" : "vz");
    for (int i = 0; i < 3; ++i)
        x[i] = first >= 0 && (i < 2 || third >= 0) ? m->row[first + i] : 0;
    if (planar >= 0)
        x[2] = m->row[planar];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Components along the largest vector, relative to it. False if nothing moves. */
static bool read_amounts(const Motion *m, double *amount)
{
    double largest[3] = {0}, x[3];
    int count = hol_mechanism_body_count(m->mechanism);
    for (int b = 0; b < count; ++b) {
        passages_read_body(m, b, x);
        if (dot(x, x) > dot(largest, largest))
            memcpy(largest, x, sizeof x);
    }
    for (int b = 0; b < count && dot(largest, largest) > 0; ++b) {
        passages_read_body(m, b, x);
        amount[b] = dot(x, largest) / dot(largest, largest);
    }
    return dot(largest, largest) > 0;
}

static bool read_branches(Motion *m, const HolSimulation *simulation, int index)
{
    static const HolMeasures none;
    for (int branch = 0; branch < 2; ++branch) {
        HolState state;
        if (!hol_simulation_passage_branch(simulation, index, branch, &state) ||
            hol_recorder_read(m->recorder, &state, &none, m->row) != HOL_OK || !read_amounts(m, m->amount[branch]))
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
        m.turns = m.turns || passages_column_of(&m, b, "w") >= 0 || passages_column_of(&m, b, "wx") >= 0;
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
static void print_ratio(FILE *file, const Motion *m, int branch)
{
    double a = m->amount[branch][m->shown[0]], b = m->shown[1] < 0 ? 0 : m->amount[branch][m->shown[1]];
    double scale = fabs(a) >= 0.999 * fabs(b) ? a : fabs(b);
    scale = scale != 0 ? scale : 1;
    fprintf(file, "%.3g : %.3g", round(1e3 * a / scale) / 1e3 + 0., round(1e3 * b / scale) / 1e3 + 0.);
}

/* "; angular velocities of 'crank' and 'rod': 1 : -1 on the current branch, 1 : 1 on the other" */
static void print_branches(FILE *file, Motion *m, const HolSimulation *simulation, int index)
{
    HolPassage passage = hol_simulation_passage(simulation, index);
    const char *first = passage.blocks[0] < 0 ? NULL : hol_mechanism_body(m->mechanism, passage.blocks[0]);
    if (m->row && m->amount[0] && m->amount[1] && read_branches(m, simulation, index)) {
        choose_bodies(m);
        if (m->shown[1] >= 0) {
            fprintf(file, "; %svelocities of '%s' and '%s': ", m->turns ? "angular " : "",
                    hol_mechanism_body(m->mechanism, m->shown[0]), hol_mechanism_body(m->mechanism, m->shown[1]));
            print_ratio(file, m, 0);
            fprintf(file, " on the current branch, ");
            print_ratio(file, m, 1);
            fprintf(file, " on the other");
            return;
        }
    }
    if (first)
        fprintf(file, "; '%s'%s can continue on more than %s", first,
                passage.has_many_branches ? ", among others," : "",
                passage.has_many_branches ? "two branches" : "one branch");
}

/* "; the run changed to the other branch, and its energy jumped. Later results are not reliable" */
static void print_outcome(FILE *file, const HolPassage *passage)
{
    static const char *const unsure = ". Later results are not reliable";
    if (passage->stopped)
        fprintf(file, "; the run stops before it: the next step %s",
                passage->changed_branch ? "changes the branch" : "jumps in energy");
    else if (passage->changed_branch)
        fprintf(file, "; the run %s%s%s",
                passage->branch_taken == 1 ? "changed to the other branch" : "left its branch",
                passage->energy_jump ? ", and its energy jumped" : "", unsure);
    else if (passage->energy_jump)
        fprintf(file, "; the energy of the run jumped%s", unsure);
    else if (passage->is_ambiguous)
        fprintf(file,
                "; lengths miss it by so little that the run cannot follow the turn of the motion there: its branch is "
                "ambiguous%s",
                unsure);
    else if (passage->recovered)
        fprintf(file, "; steps failed there, and the run was carried across the singularity on its branch");
    else
        fprintf(file, "; the run continues on the %s", passage->branch_taken == 1 ? "other branch" : "current branch");
}

static bool is_wrong(const HolPassage *passage)
{
    return passage->changed_branch || passage->energy_jump || passage->is_ambiguous;
}

static void print_passage(FILE *file, Motion *m, const HolSimulation *simulation, int index)
{
    HolPassage passage = hol_simulation_passage(simulation, index);
    if (passage.is_initial)
        fprintf(file, "the initial configuration is singular: constraint equations of '%s' are linearly dependent",
                passages_joint_of(m->mechanism, &passage));
    else
        fprintf(file, "singular configuration at t = %.6g s: constraint equations of '%s' become linearly dependent",
                passage.t, passages_joint_of(m->mechanism, &passage));
    print_branches(file, m, simulation, index);
    if (is_wrong(&passage) || passage.recovered || passage.is_initial)
        print_outcome(file, &passage);
}

void cli_passage_text(const HolMechanism *mechanism, const HolSimulation *simulation, int index, char *text,
                      size_t size)
{
    Motion motion = open_motion(mechanism);
    FILE *memory = fmemopen(text, size, "w");
    text[0] = '\0';
    if (memory) {
        print_passage(memory, &motion, simulation, index);
        fclose(memory);
    }
    text[size - 1] = '\0';
    close_motion(&motion);
}

void cli_passages_print(FILE *file, const HolMechanism *mechanism, const HolSimulation *simulation, bool quiet)
{
    enum { MAX_PRINTED = 5 };
    HolSummary summary = hol_simulation_summary(simulation);
    if (summary.singular_events == 0)
        return;
    int printed = 0, printed_changes = 0, printed_recoveries = 0;
    Motion motion = open_motion(mechanism);
    for (int i = 0; i < hol_simulation_passage_count(simulation) && printed < MAX_PRINTED; ++i) {
        HolPassage passage = hol_simulation_passage(simulation, i);
        if (!is_wrong(&passage) && (quiet || !(passage.recovered || passage.is_initial)))
            continue;
        ++printed;
        printed_changes += passage.changed_branch;
        printed_recoveries += passage.recovered;
        fputs("holon: ", file);
        print_passage(file, &motion, simulation, i);
        fputs("\n", file);
    }
    close_motion(&motion);
    if (summary.branch_changes > printed_changes)
        fprintf(file, "holon: %ld branch change%s in total\n", summary.branch_changes,
                summary.branch_changes == 1 ? "" : "s");
    if (summary.recoveries > printed_recoveries && !quiet)
        fprintf(file, "holon: %ld recover%s in total; --branch report shows the run without %s\n", summary.recoveries,
                summary.recoveries == 1 ? "y" : "ies", summary.recoveries == 1 ? "it" : "them");
}

void cli_passages_summary(const HolMechanism *mechanism, const HolSimulation *simulation, char *text, size_t size)
{
    HolSummary summary = hol_simulation_summary(simulation);
    HolPassage first = hol_simulation_passage(simulation, 0);
    char recoveries[60] = "", ambiguous[60] = "";
    if (summary.recoveries > 0)
        snprintf(recoveries, sizeof recoveries, ", %ld recover%s", summary.recoveries,
                 summary.recoveries == 1 ? "y" : "ies");
    if (summary.ambiguous_branches > 0)
        snprintf(ambiguous, sizeof ambiguous, ", %ld ambiguous", summary.ambiguous_branches);
    snprintf(text, size, "%ld singular configuration%s passed, first at t = %.6g s ('%s'); %ld branch change%s%s%s",
             summary.singular_events, summary.singular_events == 1 ? "" : "s", first.t,
             passages_joint_of(mechanism, &first), summary.branch_changes, summary.branch_changes == 1 ? "" : "s",
             ambiguous, recoveries);
}
