/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulations that are saved and restored, and compared bit by bit with one that was not. */
#ifndef TESTS_SAVED_H
#define TESTS_SAVED_H

#include <holon/holon.h>

#include "allocations.h"
#include "check.h"

#include <stdint.h>
#include <stdlib.h>

/* How a test makes a simulation; two of one subject are alike. */
typedef struct Subject {
    const HolSystem *system;
    const HolInitialState *start;
    const HolSimulationOptions *options;
} Subject;

/* What was recorded of a run or of its steps: one number for each state with all that belongs to it. */
typedef struct Trace {
    uint64_t *marks;
    int count, room;
} Trace;

enum { MOST_SAVES = 8 };

static inline uint64_t mark_bytes(uint64_t mark, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        mark = (mark ^ at[i]) * 1099511628211u;
    return mark;
}

static inline uint64_t mark_doubles(uint64_t mark, const double *x, int n)
{
    return mark_bytes(mark, x, (size_t)n * sizeof *x);
}

static inline void trace_add(Trace *trace, uint64_t mark)
{
    if (trace->count == trace->room) {
        trace->room = trace->room > 0 ? 2 * trace->room : 256;
        trace->marks = realloc(trace->marks, (size_t)trace->room * sizeof *trace->marks);
    }
    trace->marks[trace->count++] = mark;
}

static inline void trace_close(Trace *trace)
{
    free(trace->marks);
    *trace = (Trace){0};
}

/* Adds t, q, v, vdot, lambda and the measures. */
static inline void trace_state(Trace *trace, const HolSystem *system, const HolState *state, const HolMeasures *m)
{
    const HolPattern *p = hol_system_pattern(system);
    const double measures[] = {
        m->kinetic,           m->potential,   m->work,        m->drift,        m->off_manifold_energy, m->position,
        m->velocity,          m->position_sq, m->velocity_sq, m->acceleration, m->acceleration_sq,     m->displacement,
        m->displacement_rate, m->sigma_min};
    uint64_t mark = mark_doubles(14695981039346656037u, &state->t, 1);
    mark = mark_doubles(mark, state->q, p->nq);
    mark = mark_doubles(mark, state->v, p->nv);
    mark = mark_doubles(mark, state->vdot, p->nv);
    mark = mark_doubles(mark, state->lambda, p->m);
    mark = state->q_before ? mark_doubles(mark, state->q_before, p->nq) : mark;
    trace_add(trace, mark_bytes(mark, measures, sizeof measures));
}

/* Whether the marks of `part` are those of `whole` from index `from` on, all of them. */
static inline bool trace_continues(const Trace *whole, int from, const Trace *part)
{
    bool is_long_enough = CHECK_EQUAL_INT(part->count, whole->count - from);
    for (int i = 0; is_long_enough && i < part->count; i++)
        if (!CHECK(part->marks[i] == whole->marks[from + i])) {
            printf("    the first difference is at state %d of %d\n", i, part->count);
            return false;
        }
    return is_long_enough;
}

static inline uint64_t mark_branches(uint64_t mark, const HolSimulation *simulation, const HolPattern *p, int index)
{
    HolState branch;
    for (int which = 0; which < 2; which++) {
        if (!hol_simulation_passage_branch(simulation, index, which, &branch))
            continue;
        mark = mark_doubles(mark_doubles(mark, branch.q, p->nq), branch.v, p->nv);
    }
    return mark;
}

/* A member that is new belongs into the lists below and into src/simulate/run/archive.c. */
_Static_assert(sizeof(HolSummary) == 488, "list the new member");
_Static_assert(sizeof(HolMeasures) == 112, "list the new member");

/* Everything of the summary but the times that the computer took, the passages and the events. */
static inline uint64_t summary_mark(const HolSimulation *simulation, const HolSystem *system)
{
    HolSummary s = hol_simulation_summary(simulation);
    const long counts[] = {s.steps,
                           s.rejections,
                           s.evaluations,
                           s.iterations,
                           s.position_iterations,
                           s.repartitions,
                           s.divisions,
                           s.unconverged,
                           s.events,
                           s.skipped_events,
                           s.singular_events,
                           s.branch_changes,
                           s.energy_jumps,
                           s.recoveries,
                           s.ambiguous_branches,
                           s.checked_steps,
                           s.unchecked_steps,
                           s.impulses,
                           s.shortened_steps,
                           s.unresolved_steps,
                           s.missed_steps,
                           s.constraint_equations,
                           s.unresolved_events,
                           (long)s.status,
                           s.dof,
                           s.redundant_rows,
                           s.max_position_iterations};
    const double numbers[] = {s.step,
                              s.start,
                              s.reached,
                              s.max_position_violation,
                              s.max_velocity_violation,
                              s.max_acceleration_violation,
                              s.mean_position_violation_sq,
                              s.mean_velocity_violation_sq,
                              s.mean_acceleration_violation_sq,
                              s.energy_initial,
                              s.energy_final,
                              s.max_energy_drift,
                              s.max_kinetic_energy,
                              s.max_off_manifold_energy,
                              s.potential_low,
                              s.potential_high,
                              s.motion,
                              s.max_speed,
                              s.estimated_error,
                              s.phase_error,
                              s.sensitivity,
                              s.unknown_sensitivity,
                              s.max_energy_rise,
                              s.max_displacement,
                              s.max_displacement_rate,
                              s.length};
    uint64_t mark = mark_bytes(1, counts, sizeof counts);
    mark = mark_bytes(mark, numbers, sizeof numbers);
    for (int i = 0; i < hol_simulation_event_count(simulation); i++) {
        HolEvent event = hol_simulation_event(simulation, i);
        mark = mark_doubles(mark, &event.t, 1) + (uint64_t)event.event * 3 + (uint64_t)(event.direction + 1);
    }
    for (int i = 0; i < hol_simulation_passage_count(simulation); i++) {
        HolPassage passage = hol_simulation_passage(simulation, i);
        const double of_it[] = {passage.t, passage.sine, passage.sigma_min, passage.cosine};
        mark = mark_bytes(mark, of_it, sizeof of_it) + (uint64_t)(passage.branch_taken + 1) + passage.recovered * 4u;
        mark = mark_branches(mark, simulation, hol_system_pattern(system), i);
    }
    return mark;
}

static inline HolSimulation *subject_create(const Subject *subject)
{
    HolMessage message = {""};
    HolSimulation *simulation = NULL;
    if (!CHECK_OK(hol_simulation_create(subject->system, subject->start, subject->options, &simulation, &message)))
        printf("    %s\n", message.text);
    return simulation;
}

static inline void note_present(Trace *trace, const Subject *subject, const HolSimulation *simulation)
{
    HolMeasures measures = hol_simulation_measures(simulation);
    trace_state(trace, subject->system, hol_simulation_state(simulation), &measures);
}

static inline void take_steps(const Subject *subject, HolSimulation *simulation, int count, Trace *trace)
{
    for (int i = 0; i < count; i++) {
        HolStepReport report;
        HolStatus status = hol_simulation_step(simulation, &report);
        note_present(trace, subject, simulation);
        trace->marks[trace->count - 1] += (uint64_t)status + (uint64_t)report.evaluations * 31;
    }
}

/* An image of a simulation, made and used without allocations. */
typedef struct Image {
    void *memory;
    size_t size;
} Image;

static inline Image image_of(const HolSimulation *simulation)
{
    Image image = {.size = hol_simulation_save_size(simulation)};
    image.memory = calloc(1, image.size);
    allocations_start();
    HolStatus status = hol_simulation_save(simulation, image.memory, image.size);
    CHECK_EQUAL_INT(allocations_stop(), 0);
    CHECK_OK(status);
    return image;
}

static inline void image_restore(const Image *image, HolSimulation *simulation)
{
    allocations_start();
    HolStatus status = hol_simulation_restore(simulation, image->memory, image->size);
    CHECK_EQUAL_INT(allocations_stop(), 0);
    if (!CHECK_OK(status))
        printf("    %s\n", hol_simulation_message(simulation));
}

/* The image of the simulation is this one: nothing that is saved differs. */
static inline bool image_is_of(const Image *image, const HolSimulation *simulation)
{
    Image other = image_of(simulation);
    bool is_same = CHECK(other.size == image->size) && CHECK(memcmp(other.memory, image->memory, image->size) == 0);
    free(other.memory);
    return is_same;
}

/* From the image, `after` steps lead through the states of the trace to the image `end`. */
static inline void check_steps_from(const Subject *subject, HolSimulation *simulation, const Image *image,
                                    const Trace *trace, const Image *end)
{
    Trace repeated = {0};
    image_restore(image, simulation);
    image_is_of(image, simulation);
    take_steps(subject, simulation, trace->count, &repeated);
    if (trace_continues(trace, 0, &repeated))
        image_is_of(end, simulation);
    trace_close(&repeated);
}

/* Takes steps, saves, takes more; then repeats those from the saved simulation, in the same one and in a new one.
 * Steps that fail are part of it. */
static inline void check_saved_steps(const Subject *subject, int before, int after)
{
    HolSimulation *simulation = subject_create(subject), *other = subject_create(subject);
    REQUIRE(simulation != NULL && other != NULL);
    Trace trace = {0};
    take_steps(subject, simulation, before, &trace);
    trace.count = 0;
    Image image = image_of(simulation);
    take_steps(subject, simulation, after, &trace);
    Image end = image_of(simulation);
    check_steps_from(subject, simulation, &image, &trace, &end);
    check_steps_from(subject, other, &image, &trace, &end);
    free(image.memory);
    free(end.memory);
    trace_close(&trace);
    hol_simulation_destroy(simulation);
    hol_simulation_destroy(other);
}

/* A run under way. */
typedef struct Watched {
    const Subject *subject;
    HolSimulation *simulation;
    Trace trace;
    int steps, saved;
    const int *at; /* NULL: it does not save */
    Image images[MOST_SAVES];
    int records[MOST_SAVES]; /* at the time of each */
} Watched;

static inline HolStatus watched_record(void *user, const HolState *state, const HolMeasures *measures)
{
    Watched *run = user;
    trace_state(&run->trace, run->subject->system, state, measures);
    return HOL_OK;
}

static inline HolStatus watched_progress(void *user, double t)
{
    Watched *run = user;
    (void)t;
    ++run->steps;
    if (!run->at || run->at[run->saved] != run->steps)
        return HOL_OK;
    run->images[run->saved] = image_of(run->simulation);
    run->records[run->saved++] = run->trace.count;
    return HOL_OK;
}

static inline HolStatus watched_run(Watched *run, double until, double every, bool resume)
{
    HolRun options = {.until = until,
                      .every = every,
                      .singular = true,
                      .resume = resume,
                      .record = watched_record,
                      .progress = watched_progress,
                      .user = run};
    return hol_simulation_run(run->simulation, &options);
}

static inline void check_resumed_run(const Watched *whole, int save, double until, double every, HolStatus status)
{
    Watched run = {.subject = whole->subject, .simulation = subject_create(whole->subject)};
    REQUIRE(run.simulation != NULL);
    image_restore(&whole->images[save], run.simulation);
    HolStatus resumed = watched_run(&run, until, every, true);
    CHECK_STATUS(resumed, status);
    CHECK_EQUAL_INT(run.steps, whole->steps - whole->at[save]);
    if (trace_continues(&whole->trace, whole->records[save], &run.trace)) {
        CHECK(summary_mark(run.simulation, whole->subject->system) ==
              summary_mark(whole->simulation, whole->subject->system));
        CHECK_STRING(hol_simulation_message(run.simulation), hol_simulation_message(whole->simulation));
    }
    trace_close(&run.trace);
    hol_simulation_destroy(run.simulation);
}

/* Runs with records, saving in the progress function after each number of steps in `at`, which end with 0. Each is then
 * restored into a new simulation and resumed. */
static inline void check_saved_run(const Subject *subject, double length, double every, const int *at)
{
    Watched whole = {.subject = subject, .simulation = subject_create(subject), .at = at};
    REQUIRE(whole.simulation != NULL);
    const double until = subject->start->t + length;
    HolStatus status = watched_run(&whole, until, every, false);
    for (int i = 0; i < whole.saved; i++) {
        check_resumed_run(&whole, i, until, every, status);
        free(whole.images[i].memory);
    }
    trace_close(&whole.trace);
    hol_simulation_destroy(whole.simulation);
}

#endif
