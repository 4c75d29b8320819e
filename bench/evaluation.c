/* SPDX-License-Identifier: BSD-3-Clause */
/* What one evaluation of the accelerations costs (the terms and the solution), against LAPACK's dgesv and SuiteSparse's
 * KLU on the very same matrices, what one step costs, and how both grow with the size. See docs/benchmarks.md.
 *
 * A shared machine is compared in turns: each round measures every contestant once, on the same state, and ratios are
 * taken within a round. What is printed are medians over the rounds. */
#define _GNU_SOURCE
#include <holon/holon.h>

#include "kkt.h"
#include "systems/scenes.h"
#include "timing.h"

#include <dlfcn.h>
#include <stdio.h>

enum { MOST_ROUNDS = 1000, MOST_STEPS = 100, SLOW_ROUNDS = 3 };
static const double SLICE_NS = 1e6;    /* what a contestant is timed for in a round, at least */
static const double SLOW_NS = 2e8;     /* one evaluation above this is timed in the first SLOW_ROUNDS only */
static const int LARGEST_DENSE = 4000; /* rows: above, dgesv takes seconds */
static const double AGREEMENT = 1e-8;  /* of the accelerations, relative to the largest */
static const int SIZES[] = {10, 30, 100, 300, 1000, 3000, 10000};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

typedef struct Options {
    int max, rounds;
    bool blocks;       /* KLU gets whole blocks, zeros included */
    const char *scene; /* NULL: all */
} Options;

/* One scene of one size with all its contestants. */
typedef struct Case {
    Scene *scene;
    double *q, *v; /* where all are measured */
    HolInitialState start;
    HolTerms *terms;
    HolSimulation *simulation;
    bool has_dense;
    DenseKkt dense;
    SparseKkt sparse;
} Case;

typedef enum Contestant { HOLON, TERMS, DGESV, KLU, STEP_LAGRANGE, STEP_CORRECTION, CONTESTANTS } Contestant;

typedef struct Samples {
    int count[CONTESTANTS]; /* rounds measured; less than all for the slow, none for the absent */
    double ns[CONTESTANTS][MOST_ROUNDS];
} Samples;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "bench_evaluation: %s: %s\n", what, why);
    exit(1);
}

/* ---- A state to measure at ---- */

static HolSimulation *simulation_at(const Scene *scene, const HolInitialState *start, const char *formulation)
{
    HolSimulationOptions options = hol_simulation_options();
    options.formulation = formulation;
    HolSimulation *simulation;
    HolMessage message;
    if (hol_simulation_create(scene->system, start, &options, &simulation, &message) != HOL_OK)
        fail(hol_system_name(scene->system), message.text);
    return simulation;
}

static void steps(HolSimulation *simulation, int count)
{
    for (int i = 0; i < count; ++i)
        if (hol_simulation_step(simulation, NULL) != HOL_OK)
            fail("step", hol_simulation_message(simulation));
}

/* In [-1, 1], always the same sequence. */
static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 2147483648.0 - 1;
}

/* Scenes start at rest and along the axes, where many numbers are zero. So that none is by chance, they get a push in
 * every direction that the constraints allow and move on for a while. */
static void set_in_motion(Case *c)
{
    enum { WHILE = 50 };
    const HolPattern *p = hol_system_pattern(c->scene->system);
    size_t nq = (size_t)p->nq, nv = (size_t)p->nv;
    HolMessage message;
    c->q = memcpy(checked(malloc(nq * sizeof(double))), c->scene->start.q, nq * sizeof(double));
    c->v = memcpy(checked(malloc(nv * sizeof(double))), c->scene->start.v, nv * sizeof(double));
    unsigned seed = 1;
    for (size_t i = 0; i < nv; ++i)
        c->v[i] += noise(&seed);
    if (hol_assemble(c->scene->system, c->scene->start.t, c->q, c->v, &message) != HOL_OK)
        fail(hol_system_name(c->scene->system), message.text);
    c->start = (HolInitialState){c->scene->start.t, c->q, c->v};
    HolSimulation *simulation = simulation_at(c->scene, &c->start, "direct-correction");
    steps(simulation, WHILE);
    const HolState *state = hol_simulation_state(simulation);
    memcpy(c->q, state->q, nq * sizeof(double));
    memcpy(c->v, state->v, nv * sizeof(double));
    c->start.t = state->t;
    hol_simulation_destroy(simulation);
}

/* ---- The contestants ---- */

static Scene *checked_scene(const char *name, int n)
{
    Scene *scene = scene_create(name, n);
    if (!scene)
        fail(name, "no such scene, or not enough memory");
    return scene;
}

static Case *case_create(const char *name, int n, bool blocks)
{
    Case *c = checked(calloc(1, sizeof *c));
    c->scene = checked_scene(name, n);
    set_in_motion(c);
    const HolSystem *system = c->scene->system;
    HolPoint at = {c->start.t, c->q, c->v};
    c->simulation = simulation_at(c->scene, &c->start, "lagrange");
    if (hol_terms_create(system, &c->terms) != HOL_OK)
        fail(name, "not enough memory");
    /* A simulation pulls its start onto the constraints: all measure at the same place. */
    memcpy(c->q, hol_simulation_state(c->simulation)->q, (size_t)hol_system_pattern(system)->nq * sizeof *c->q);
    memcpy(c->v, hol_simulation_state(c->simulation)->v, (size_t)hol_system_pattern(system)->nv * sizeof *c->v);
    c->has_dense = hol_system_pattern(system)->nv + hol_system_pattern(system)->m <= LARGEST_DENSE;
    if (c->has_dense)
        c->dense = dense_create(system, at);
    if (!sparse_create(system, at, blocks, &c->sparse))
        fail(name, "KLU cannot factor the matrix");
    return c;
}

static void case_destroy(Case *c)
{
    if (c->has_dense)
        dense_destroy(&c->dense);
    sparse_destroy(&c->sparse);
    hol_terms_destroy(c->terms);
    hol_simulation_destroy(c->simulation);
    scene_destroy(c->scene);
    free(c->q);
    free(c->v);
    free(c);
}

static bool evaluate(Case *c, Contestant who)
{
    HolPoint at = {c->start.t, c->q, c->v};
    switch (who) {
    case HOLON: return hol_simulation_accelerate(c->simulation) == HOL_OK;
    case TERMS: return hol_system_evaluate(c->scene->system, &at, KKT_WANTS, c->terms) == HOL_OK;
    case DGESV: return dense_evaluate(&c->dense);
    case KLU: return sparse_evaluate(&c->sparse);
    default: return false;
    }
}

static double difference(int n, const double *x, const double *reference)
{
    double largest = 0, off = 0;
    for (int i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(reference[i]));
        off = fmax(off, fabs(x[i] - reference[i]));
    }
    return off / largest;
}

/* A benchmark of wrong results is worth nothing. */
static void check_agreement(Case *c, int n)
{
    const char *name = hol_system_name(c->scene->system);
    int nv = hol_system_pattern(c->scene->system)->nv;
    const double *vdot = hol_simulation_state(c->simulation)->vdot;
    if (!evaluate(c, HOLON) || !evaluate(c, KLU) || (c->has_dense && !evaluate(c, DGESV)))
        fail(name, "a solver failed");
    double klu = difference(nv, vdot, c->sparse.kkt.x);
    double dgesv = c->has_dense ? difference(nv, vdot, c->dense.kkt.x) : 0;
    if (!(klu <= AGREEMENT && dgesv <= AGREEMENT)) {
        fprintf(stderr, "bench_evaluation: %s, N = %d: accelerations differ by %.1e (KLU), %.1e (dgesv)\n", name, n,
                klu, dgesv);
        exit(1);
    }
}

/* ---- Rounds ---- */

static double time_evaluations(Case *c, Contestant who, int repeats)
{
    bool good = repeats == 1 || evaluate(c, who); /* the contestant before has used the caches */
    double begin = now_ns();
    for (int i = 0; i < repeats; ++i)
        good &= evaluate(c, who);
    double end = now_ns();
    if (!good)
        fail(hol_system_name(c->scene->system), "a solver failed");
    return (end - begin) / repeats;
}

/* Always the same steps: from the common state on. */
static double time_steps(Case *c, const char *formulation, int count)
{
    HolSimulation *simulation = simulation_at(c->scene, &c->start, formulation);
    steps(simulation, 1);
    double begin = now_ns();
    steps(simulation, count);
    double end = now_ns();
    hol_simulation_destroy(simulation);
    return (end - begin) / count;
}

static double time_one(Case *c, Contestant who, int repeats)
{
    switch (who) {
    case STEP_LAGRANGE: return time_steps(c, "lagrange", repeats < MOST_STEPS ? repeats : MOST_STEPS);
    case STEP_CORRECTION: return time_steps(c, "direct-correction", repeats < MOST_STEPS ? repeats : MOST_STEPS);
    default: return time_evaluations(c, who, repeats);
    }
}

static void measure(Case *c, int rounds, Samples *samples)
{
    double estimate[CONTESTANTS] = {0};
    for (Contestant who = 0; who < CONTESTANTS; ++who) {
        samples->count[who] = 0;
        if (who != DGESV || c->has_dense)
            estimate[who] = time_one(c, who, 1);
    }
    for (int round = 0; round < rounds; ++round)
        for (Contestant who = 0; who < CONTESTANTS; ++who) {
            if (estimate[who] == 0 || (estimate[who] > SLOW_NS && round >= SLOW_ROUNDS))
                continue;
            double ns = time_one(c, who, estimate[who] > SLOW_NS ? 1 : 2 + (int)(SLICE_NS / estimate[who]));
            estimate[who] = fmin(estimate[who], ns);
            samples->ns[who][samples->count[who]++] = ns;
        }
}

/* ---- Tables ---- */

static Quartiles time_of(const Samples *samples, Contestant who)
{
    static double sorted[MOST_ROUNDS];
    memcpy(sorted, samples->ns[who], sizeof sorted);
    return quartiles(sorted, samples->count[who]);
}

static Quartiles ratio_of(const Samples *samples, Contestant who, Contestant base)
{
    static double ratio[MOST_ROUNDS];
    for (int i = 0; i < samples->count[who]; ++i)
        ratio[i] = samples->ns[who][i] / samples->ns[base][i];
    return quartiles(ratio, samples->count[who]);
}

static void print_ratio(const Samples *samples, Contestant who, Contestant base)
{
    Quartiles r = ratio_of(samples, who, base);
    char text[64] = "-";
    if (r.median > 0 && r.median < 100)
        snprintf(text, sizeof text, "%.2f (%.2f-%.2f)", r.median, r.low, r.high);
    else if (r.median > 0)
        snprintf(text, sizeof text, "%.0f (%.0f-%.0f)", r.median, r.low, r.high);
    printf(" | %19s", text);
}

static void print_heading(const char *scene)
{
    printf("\n%s\n\n", scene);
    printf("| %5s | %11s | %8s | %10s | %19s | %19s | %12s | %12s | %19s |\n", "N", "eval ns", "per body", "terms ns",
           "dgesv / holon", "KLU / holon", "step ns", "corrected ns", "corrected / step");
    printf("|------:|------------:|---------:|-----------:|--------------------:|--------------------:|"
           "-------------:|-------------:|--------------------:|\n");
}

static void print_row(const Case *c, int n, const Samples *samples)
{
    double ns = time_of(samples, HOLON).median;
    int bodies = hol_system_pattern(c->scene->system)->block_count;
    printf("| %5d | %11.0f | %8.1f | %10.0f", n, ns, ns / bodies, time_of(samples, TERMS).median);
    print_ratio(samples, DGESV, HOLON);
    print_ratio(samples, KLU, HOLON);
    printf(" | %12.0f | %12.0f", time_of(samples, STEP_LAGRANGE).median, time_of(samples, STEP_CORRECTION).median);
    print_ratio(samples, STEP_CORRECTION, STEP_LAGRANGE);
    printf(" |\n");
    fflush(stdout);
}

static double run_case(const char *scene, int n, const Options *options)
{
    static Samples samples;
    Case *c = case_create(scene, n, options->blocks);
    check_agreement(c, n);
    measure(c, options->rounds, &samples);
    print_row(c, n, &samples);
    case_destroy(c);
    return time_of(&samples, HOLON).median;
}

static void run_sizes(const char *scene, const Options *options)
{
    double n[SIZE_COUNT], ns[SIZE_COUNT];
    int count = 0;
    print_heading(scene);
    for (int i = 0; i < SIZE_COUNT && SIZES[i] <= options->max; ++i, ++count) {
        n[count] = SIZES[i];
        ns[count] = run_case(scene, SIZES[i], options);
    }
    if (count > 1)
        printf("\nGrowth of the evaluation from N = %.0f to %.0f: exponent %.3f end to end, %.3f by least squares.\n",
               n[0], n[count - 1], end_to_end_exponent(count, n, ns), fitted_exponent(count, n, ns));
}

/* ---- The program ---- */

/* Which of the installed BLAS and LAPACK is at work decides how fast the dense competitor is. */
static void print_library(const char *symbol)
{
    Dl_info info;
    void *address = dlsym(RTLD_DEFAULT, symbol);
    bool known = address && dladdr(address, &info) && info.dli_fname;
    char *path = known ? realpath(info.dli_fname, NULL) : NULL;
    printf("%s from %s\n", symbol, path ? path : "an unknown library");
    free(path);
}

/* For a profiler: evaluations at the state of the tables, and nothing else. */
static int count_evaluations(const char *name, int n, int repeats)
{
    Case *c = case_create(name, n, false);
    for (int i = 0; i < repeats; ++i)
        if (!evaluate(c, HOLON))
            fail(name, hol_simulation_message(c->simulation));
    case_destroy(c);
    return 0;
}

static int usage(FILE *to, int code)
{
    fprintf(to,
            "usage: bench_evaluation [--max N] [--rounds K] [--scene four-bar|spatial-chain|n-four-bar] [--blocks]\n"
            "       bench_evaluation --count SCENE N REPEATS\n"
            "Times evaluations of the accelerations, and steps, against dgesv and KLU; docs/benchmarks.md.\n"
            "  --max N      largest size, 10 ... 10000 (the default)\n"
            "  --rounds K   how often everything is measured in turn, default 21\n"
            "  --scene NAME one scene only\n"
            "  --blocks     gives KLU the whole blocks of M and D instead of their nonzero numbers\n"
            "  --count      evaluates REPEATS times and measures nothing, for a profiler\n");
    return code;
}

static bool wanted(const Options *options, const char *scene)
{
    return !options->scene || strcmp(options->scene, scene) == 0;
}

static int run(const Options *options)
{
    print_library("dgesv_");
    print_library("dgemm_");
    printf("%d rounds; times are medians in ns; ratios are medians (lower-upper quartile) of the rounds.\n",
           options->rounds);
    if (wanted(options, "four-bar")) {
        print_heading("four-bar");
        run_case("four-bar", 1, options);
    }
    if (wanted(options, "spatial-chain"))
        run_sizes("spatial-chain", options);
    if (wanted(options, "n-four-bar"))
        run_sizes("n-four-bar", options);
    return 0;
}

static bool read_options(int argc, char **argv, Options *options)
{
    for (int i = 1; i < argc; ++i) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--blocks") == 0) {
            options->blocks = true;
            continue;
        }
        if (value && strcmp(argv[i], "--max") == 0)
            options->max = atoi(value);
        else if (value && strcmp(argv[i], "--rounds") == 0)
            options->rounds = atoi(value);
        else if (value && strcmp(argv[i], "--scene") == 0)
            options->scene = value;
        else
            return false;
        ++i;
    }
    bool known = wanted(options, "four-bar") || wanted(options, "spatial-chain") || wanted(options, "n-four-bar");
    return known && options->rounds >= 1 && options->rounds <= MOST_ROUNDS;
}

int main(int argc, char **argv)
{
    Options options = {.max = SIZES[SIZE_COUNT - 1], .rounds = 21};
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return usage(stdout, 0);
    if (argc == 5 && strcmp(argv[1], "--count") == 0)
        return count_evaluations(argv[2], atoi(argv[3]), atoi(argv[4]));
    return read_options(argc, argv, &options) ? run(&options) : usage(stderr, 2);
}
