/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between systems and the library, seen from both sides: every scene keeps it, and hol_system_check()
 * notices a system that does not. */
#include "systems/scenes.h"

#include "check.h"
#include "dense.h"
#include "random.h"
#include "wrapped.h"

#include <stdlib.h>

/* Points */

typedef struct Place {
    HolPoint at;
    double *q, *v;
} Place;

/* A point near the start, but with every coordinate and velocity moved, off the constraints, at another time. */
static Place place_near(const Scene *scene, double distance)
{
    const HolPattern *p = hol_system_pattern(scene->system);
    double *w = calloc((size_t)p->nv, sizeof *w);
    Place place = {.q = calloc((size_t)p->nq, sizeof(double)), .v = calloc((size_t)p->nv, sizeof(double))};
    random_seed(2024);
    for (int i = 0; i < p->nv; i++) {
        w[i] = distance * random_number();
        place.v[i] = scene->start.v[i] + 2 * distance * random_number();
    }
    hol_system_retract(scene->system, scene->start.q, w, place.q);
    place.at = (HolPoint){scene->start.t + distance, place.q, place.v};
    free(w);
    return place;
}

static void place_clear(Place *place)
{
    free(place->q);
    free(place->v);
}

static HolPoint start_of(const Scene *scene)
{
    return (HolPoint){scene->start.t, scene->start.q, scene->start.v};
}

/* Calls check with every kind at its default size, and with small sizes where the size can be chosen. */
static void with_every_scene(void (*check)(const Scene *scene))
{
    for (int i = 0; i < scene_kind_count; i++) {
        const SceneKind *kind = scene_kinds[i];
        int sizes[] = {0, 1, 3}, count = kind->default_n > 0 ? 3 : 1;
        for (int k = 0; k < count; k++) {
            Scene *scene = scene_create(kind->name, sizes[k]);
            CHECK_CONTEXT("%s, n = %d", kind->name, sizes[k]);
            REQUIRE(scene != NULL);
            check(scene);
            scene_destroy(scene);
        }
    }
}

/* Every scene keeps the contract */

static int pivot_of(int m, int n, int from, const double *D)
{
    int best = from * n + from;
    for (int r = from; r < m; r++)
        for (int c = from; c < n; c++)
            if (fabs(D[r * n + c]) > fabs(D[best]))
                best = r * n + c;
    return best;
}

static void swap(double *a, double *b)
{
    double keep = *a;
    *a = *b;
    *b = keep;
}

/* Elimination with full pivoting, in place. */
static int rank_of(int m, int n, double *D)
{
    int rank = 0;
    for (; rank < m && rank < n; rank++) {
        int best = pivot_of(m, n, rank, D);
        if (fabs(D[best]) < 1e-10)
            break;
        for (int c = 0; c < n; c++)
            swap(&D[rank * n + c], &D[best / n * n + c]);
        for (int r = 0; r < m; r++)
            swap(&D[r * n + rank], &D[r * n + best % n]);
        for (int r = rank + 1; r < m; r++) {
            double factor = D[r * n + rank] / D[rank * n + rank];
            for (int c = rank; c < n; c++)
                D[r * n + c] -= factor * D[rank * n + c];
        }
    }
    return rank;
}

static void check_start(const Scene *scene)
{
    const HolPattern *p = hol_system_pattern(scene->system);
    HolPoint at = start_of(scene);
    HolTerms *terms = NULL;
    REQUIRE_OK(hol_terms_create(scene->system, &terms));
    CHECK_OK(hol_system_evaluate(scene->system, &at, HOL_WANT_ALL, terms));
    Dense dense;
    REQUIRE(dense_open(terms, &dense));
    double *D = dense.D;
    for (int r = 0; r < p->nh; r++)
        CHECK_NEAR(terms->Phi[r], 0, 1e-13);
    for (int r = 0; r < p->m; r++) {
        double Dv = 0;
        for (int c = 0; c < p->nv; c++)
            Dv += D[r * p->nv + c] * at.v[c];
        CHECK_NEAR(Dv, terms->nu[r], 1e-13);
    }
    int rank = rank_of(p->m, p->nv, D);
    CHECK_EQUAL_INT(p->m - rank, scene->redundant_rows);
    CHECK_EQUAL_INT(p->nv - rank, scene->dof);
    CHECK(scene->until > 0);
    dense_close(&dense);
    hol_terms_destroy(terms);
}

static void every_scene_starts_consistently(void)
{
    with_every_scene(check_start);
}

static void check_derivatives(const Scene *scene)
{
    HolPoint start = start_of(scene);
    HolMessage message = {""};
    if (!CHECK_OK(hol_system_check(scene->system, &start, &message)))
        printf("    at the start: %s\n", message.text);
    Place place = place_near(scene, 0.3);
    if (!CHECK_OK(hol_system_check(scene->system, &place.at, &message)))
        printf("    elsewhere: %s\n", message.text);
    place_clear(&place);
}

static void every_scene_passes_the_check(void)
{
    with_every_scene(check_derivatives);
}

/* Compares bits: an evaluation may not depend on what was evaluated before. */
static void check_same(HolTerms *terms, HolTerms *expected, unsigned bits)
{
    TermArray a[TERM_ARRAYS], b[TERM_ARRAYS];
    term_arrays(terms, a);
    term_arrays(expected, b);
    for (int k = 0; k < TERM_ARRAYS; k++)
        for (int i = 0; (a[k].bit & bits) && i < a[k].count; i++)
            CHECK_NEAR(a[k].x[i], b[k].x[i], 0);
}

static void check_purity(const Scene *scene)
{
    HolPoint start = start_of(scene);
    Place place = place_near(scene, 0.3);
    HolTerms *used = NULL, *fresh = NULL;
    REQUIRE_OK(hol_terms_create(scene->system, &used));
    REQUIRE_OK(hol_terms_create(scene->system, &fresh));
    CHECK_OK(hol_system_evaluate(scene->system, &place.at, HOL_WANT_ALL, used));
    CHECK_OK(hol_system_evaluate(scene->system, &start, HOL_WANT_ALL, used));
    CHECK_OK(hol_system_evaluate(scene->system, &start, HOL_WANT_ALL, fresh));
    check_same(used, fresh, HOL_WANT_ALL);
    hol_terms_destroy(used);
    hol_terms_destroy(fresh);
    place_clear(&place);
}

static void evaluation_forgets_what_was_before(void)
{
    with_every_scene(check_purity);
}

static const double mark = -7.25e77;

static void mark_all_but(HolTerms *terms, unsigned bit)
{
    TermArray arrays[TERM_ARRAYS];
    term_arrays(terms, arrays);
    for (int k = 0; k < TERM_ARRAYS; k++)
        for (int i = 0; !(arrays[k].bit & bit) && i < arrays[k].count; i++)
            arrays[k].x[i] = mark;
}

static void check_marked_all_but(HolTerms *terms, unsigned bit)
{
    TermArray arrays[TERM_ARRAYS];
    term_arrays(terms, arrays);
    for (int k = 0; k < TERM_ARRAYS; k++)
        for (int i = 0; !(arrays[k].bit & bit) && i < arrays[k].count; i++)
            if (!CHECK(arrays[k].x[i] == mark))
                printf("    %s[%d] was written without being wanted\n", arrays[k].name, i);
}

static void check_wants(const Scene *scene)
{
    Place place = place_near(scene, 0.3);
    HolTerms *all = NULL;
    REQUIRE_OK(hol_terms_create(scene->system, &all));
    CHECK_OK(hol_system_evaluate(scene->system, &place.at, HOL_WANT_ALL, all));
    for (unsigned bit = 1; bit < HOL_WANT_ALL; bit <<= 1) {
        HolTerms *one = NULL;
        REQUIRE_OK(hol_terms_create(scene->system, &one));
        mark_all_but(one, bit);
        CHECK_OK(hol_system_evaluate(scene->system, &place.at, bit, one));
        check_marked_all_but(one, bit);
        check_same(one, all, bit);
        hol_terms_destroy(one);
    }
    hol_terms_destroy(all);
    place_clear(&place);
}

static void each_bit_is_honoured_alone(void)
{
    with_every_scene(check_wants);
}

/* A system that breaks it is noticed */

/* One deliberate mistake: x <- factor x + sum in one entry of one term (-1: the last entry), or a function; and the
 * words of which the sentence must have one. */
typedef struct Fault {
    const char *label, *scene, *words[4], *array;
    int index;
    double factor, sum;
    void (*spoil)(const HolPoint *at, HolTerms *terms);
} Fault;

/* A system that passes everything on to another one, spoiled. */
typedef struct Spoiled {
    Wrapped wrapped;
    const Fault *fault;
} Spoiled;

static bool concerns(const Fault *fault, const char *array)
{
    return fault->array && strcmp(fault->array, array) == 0;
}

static void spoil(const Fault *fault, const HolPoint *at, HolTerms *terms)
{
    TermArray arrays[TERM_ARRAYS];
    term_arrays(terms, arrays);
    for (int k = 0; k < TERM_ARRAYS; k++) {
        int i = fault->index < 0 ? arrays[k].count - 1 : fault->index;
        if (concerns(fault, arrays[k].name))
            arrays[k].x[i] = fault->factor * arrays[k].x[i] + fault->sum;
    }
    if (fault->spoil)
        fault->spoil(at, terms);
}

static HolStatus spoiled_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    HolStatus status = wrapped_evaluate(self, at, want, terms);
    spoil(((const Spoiled *)self)->fault, at, terms);
    return status;
}

static HolStatus spoiled_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                                 HolTerms *terms)
{
    HolStatus status = wrapped_tangent(self, at, vdot, lambda, terms);
    spoil(((const Spoiled *)self)->fault, at, terms);
    return status;
}

static void spoiled_qdot(const void *self, const double *q, const double *v, double *qdot)
{
    const Fault *fault = ((const Spoiled *)self)->fault;
    wrapped_qdot(self, q, v, qdot);
    if (concerns(fault, "qdot"))
        qdot[fault->index] += fault->sum;
}

static bool concerns_mean(const Fault *fault)
{
    return concerns(fault, "displace") || concerns(fault, "mean D") || concerns(fault, "mean Q");
}

static void spoiled_displace(const void *self, const double *q_a, const double *delta, double *q_b)
{
    const Fault *fault = ((const Spoiled *)self)->fault;
    wrapped_displace(self, q_a, delta, q_b);
    if (concerns(fault, "displace"))
        q_b[fault->index] += fault->sum * delta[0] * delta[0];
}

/* Wrong only between two configurations. */
static HolStatus spoiled_evaluate_mean(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                                       unsigned want, HolTerms *terms)
{
    const Fault *fault = ((const Spoiled *)self)->fault;
    HolStatus status = wrapped_evaluate_mean(self, middle, q_a, q_b, want, terms);
    double far = fault->sum * (q_b[0] - q_a[0]);
    if (concerns(fault, "mean D"))
        terms->D[fault->index] += far;
    if (concerns(fault, "mean Q"))
        terms->Q[fault->index] += far;
    return status;
}

static HolStatus check_spoiled(const Fault *fault, HolMessage *message)
{
    static const HolSystemOps mean = {.evaluate = wrapped_evaluate,
                                      .qdot = wrapped_qdot,
                                      .retract = wrapped_retract,
                                      .displace = spoiled_displace,
                                      .evaluate_mean = spoiled_evaluate_mean};
    static const HolSystemOps without = {
        .evaluate = spoiled_evaluate, .qdot = spoiled_qdot, .retract = wrapped_retract};
    static const HolSystemOps with = {
        .evaluate = spoiled_evaluate, .qdot = spoiled_qdot, .retract = wrapped_retract, .tangent = spoiled_tangent};
    Scene *scene = scene_create(fault->scene, 0);
    Spoiled spoiled = {.fault = fault};
    HolSystem *system = NULL;
    Place place = place_near(scene, 0.3);
    CHECK_OK(wrapped_open(scene->system, &spoiled.wrapped));
    const HolSystemOps *ops = concerns_mean(fault) ? &mean : spoiled.wrapped.terms->K ? &with : &without;
    CHECK_OK(wrapped_create(&spoiled.wrapped, ops, &system));
    HolStatus status = hol_system_check(system, &place.at, message);
    hol_system_destroy(system);
    wrapped_close(&spoiled.wrapped);
    place_clear(&place);
    scene_destroy(scene);
    return status;
}

static void nu_that_grows_with_v(const HolPoint *at, HolTerms *terms)
{
    terms->nu[0] += 0.1 * (at->v[0] * at->v[0] + at->v[1] * at->v[1]);
}

/* A negative mass whose kinetic energy agrees with it. */
static void negative_mass(const HolPoint *at, HolTerms *terms)
{
    terms->kinetic -= terms->M[0] * at->v[0] * at->v[0];
    terms->M[0] *= -1;
}

/* Symmetric, with a positive diagonal and a kinetic energy to match, and yet not a mass. */
static void indefinite_mass(const HolPoint *at, HolTerms *terms)
{
    terms->kinetic += 5 * at->v[0] * at->v[1];
    terms->M[1] = terms->M[3] = 5;
}

/* A rolling row's D is only as wrong as its gamma shows: a constant sum would make another, consistent row. */
static const Fault faults[] = {
    {"a pin's D", "four-bar", {"D"}, "D", 2, 1, 0.05, NULL},
    {"a rolling row's D", "rolling-disc", {"D", "gamma", "nu"}, "D", -1, 1.05, 0, NULL},
    {"a resting row's nu", "four-bar", {"nu"}, "nu", 0, 1, 0.05, NULL},
    {"a driven row's nu", "rheonomic-crank", {"nu"}, "nu", 2, 1.05, 0, NULL},
    {"a curved row's nu", "constant-speed", {"nu", "D", "gamma"}, NULL, 0, 0, 0, nu_that_grows_with_v},
    {"a pin's gamma", "four-bar", {"gamma"}, "gamma", 0, 1, 0.05, NULL},
    {"a driven row's gamma", "rheonomic-crank", {"gamma"}, "gamma", 2, 0, 0, NULL},
    {"a rolling row's gamma", "rolling-disc", {"gamma"}, "gamma", -1, 1, 0.05, NULL},
    {"Q", "four-bar", {"energy", "force", "Q"}, "Q", 0, 1, 0.5, NULL},
    {"potential", "pendulum", {"energy", "force", "Q"}, "potential", 0, 2, 0, NULL},
    {"kinetic", "slider-crank", {"energy", "kinetic"}, "kinetic", 0, 2, 0, NULL},
    {"power", "damped-pendulum", {"energy", "power"}, "power", 0, -1, 0, NULL},
    {"asymmetric mass", "four-bar", {"mass", "M"}, "M", 1, 1, 0.05, NULL},
    {"negative mass", "four-bar", {"mass", "M"}, NULL, 0, 0, 0, negative_mass},
    {"indefinite mass", "four-bar", {"mass", "M"}, NULL, 0, 0, 0, indefinite_mass},
    {"K", "four-bar", {"K"}, "K", 8, 1, 0.05, NULL},
    {"C", "damped-pendulum", {"C"}, "C", 8, 1.5, 0, NULL},
    {"qdot", "spherical-pendulum", {"qdot"}, "qdot", 4, 1, 0.05, NULL},
    {"a displacement", "spherical-pendulum", {"displace"}, "displace", 0, 1, 0.05, NULL},
    {"a mean's D", "spherical-pendulum", {"evaluate_mean"}, "mean D", 4, 1, 1, NULL},
    {"a mean's Q", "spherical-pendulum", {"evaluate_mean"}, "mean Q", 2, 1, 20, NULL},
};
enum { FAULT_COUNT = sizeof faults / sizeof faults[0] };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
            return true;
    return false;
}

static bool has_one_word(const char *text, const char *const *words)
{
    for (int i = 0; i < 4 && words[i]; i++)
        if (has_word(text, words[i]))
            return true;
    return false;
}

/* The wrapper itself breaks nothing, so that the next test sees only the faults. */
static void a_wrapped_system_passes_the_check(void)
{
    for (int i = 0; i < FAULT_COUNT; i++) {
        Fault none = {.label = "none", .scene = faults[i].scene};
        HolMessage message = {""};
        CHECK_CONTEXT("wrapped %s", none.scene);
        if (!CHECK_OK(check_spoiled(&none, &message)))
            printf("    %s\n", message.text);
    }
}

static void a_spoiled_term_is_named(void)
{
    for (int i = 0; i < FAULT_COUNT; i++) {
        HolMessage message = {""};
        CHECK_CONTEXT("%s of the %s", faults[i].label, faults[i].scene);
        CHECK_STATUS(check_spoiled(&faults[i], &message), HOL_BAD_INPUT);
        if (!CHECK(has_one_word(message.text, faults[i].words)))
            printf("    the sentence is: %s\n", message.text);
    }
}

static void an_unknown_scene_is_refused(void)
{
    CHECK(scene_create("six-bar", 0) == NULL);
}

CHECK_MAIN(TEST(every_scene_starts_consistently), TEST(every_scene_passes_the_check),
           TEST(evaluation_forgets_what_was_before), TEST(each_bit_is_honoured_alone),
           TEST(a_wrapped_system_passes_the_check), TEST(a_spoiled_term_is_named), TEST(an_unknown_scene_is_refused))
