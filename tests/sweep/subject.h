/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sweep of truth runs: a model in one kind of coordinates, and the reference that its runs are judged by.
 *
 * A run is reduced to signals at SAMPLE_COUNT times: positions of bodies and points, divided by the length of the
 * model; angles in the plane; entries of rotation matrices in space. The motion of a model is the largest range of a
 * signal along its reference. The error of a run is its largest difference from the reference, divided by the motion.
 *
 * The reference is a run with tight error control. The same run with a smaller tolerance and a run by another family of
 * methods give its uncertainty; a chaotic or otherwise uncertain run is shortened until it is certain. Mechanisms of the
 * sweep may have a file of numbers that others computed instead. */
#ifndef HOLON_TESTS_SWEEP_SUBJECT_H
#define HOLON_TESTS_SWEEP_SUBJECT_H

#include <holon/holon.h>

enum { SAMPLE_COUNT = 21, VERDICT_COUNT = 3 };

typedef struct Subject {
    char name[256]; /* the model: built-in, a path below the sources, or an absolute one */
    char label[64]; /* without folders */
    const char *coordinates;
    HolModel *model;
    HolMechanism *mechanism;
    HolRecorder *recorder;
    double *values;     /* of the columns of the recorder */
    int size;           /* nv */
    int signals;        /* numbers of one sample */
    bool is_stiff;      /* the reference is implicit */
    double until;       /* of all runs */
    double length;      /* of the model, from its positions along the reference */
    double motion;      /* largest range of a signal */
    double *path;       /* the reference: SAMPLE_COUNT times signals; NULL: there is none */
    double unsure;      /* its uncertainty in parts of the motion */
    bool is_impossible; /* no motion exists until the end: a run that finishes is wrong */
    const char *why;    /* no reference */
} Subject;

typedef struct Method {
    const char *formulation, *integrator; /* NULL: the defaults of the model, and the step that they choose */
    double step;
    double tolerance; /* of an adaptive integrator, else 0 */
} Method;

typedef struct Outcome {
    HolStatus status;
    HolMessage message;
    bool is_created, is_expensive; /* is_expensive: stopped, as it had spent its work */
    HolSummary summary;
    HolFindings findings;
    double min_energy, max_energy, max_potential, min_potential;
    int samples;  /* reached */
    double *path; /* SAMPLE_COUNT times signals */
} Outcome;

/* Compiles and assembles the model; false: it does not exist in these coordinates. */
bool subject_open(const char *name, const char *coordinates, Subject *subject);
void subject_close(Subject *subject);

/* Runs the method until `until`, at most to this number of evaluations times velocities. */
void subject_run(Subject *subject, const Method *method, double until, double work, Outcome *outcome);
void outcome_close(Outcome *outcome);

/* Reads the file beside a mechanism of the sweep, from tools/references/sweep_mechanisms.py; false: there is none. */
bool subject_find_known(Subject *subject, double until);

/* References of an earlier sweep of the same library; false: there is none. */
bool subject_load_reference(Subject *subject, const char *cache);
void subject_save_reference(const Subject *subject, const char *cache);

/* Finds the reference, and shortens `until` to where it is certain. */
void subject_find_reference(Subject *subject, double until);

/* The largest difference over the samples of the outcome, in parts of the motion. */
double subject_error(const Subject *subject, const Outcome *outcome);

#endif
