/* SPDX-License-Identifier: BSD-3-Clause */
/* The base: arena, sentences, names, options. */
#include "base/arena.h"
#include "base/message.h"
#include "base/options.h"
#include "check.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Arena */

enum { PIECES = 1500, LINE = 64 };

static size_t piece_size(int i)
{
    return i % 100 == 99 ? (size_t)i * 200 : (size_t)i; /* some are larger than a chunk */
}

static bool all_bytes_are(const unsigned char *memory, size_t size, unsigned char value)
{
    for (size_t i = 0; i < size; i++) {
        if (memory[i] != value)
            return false;
    }
    return true;
}

static unsigned char mark(int i)
{
    return (unsigned char)(1 + i % 255);
}

/* Zeroed, on a line of its own, and still as it was after everything else has been handed out and written. */
static void arena_pieces_are_aligned_zeroed_and_apart(void)
{
    static unsigned char *pieces[PIECES];
    HolArena *arena = hol_arena_create();
    REQUIRE(arena != NULL);
    size_t total = 0;
    for (int i = 0; i < PIECES; i++) {
        CHECK_CONTEXT("piece %d", i);
        pieces[i] = hol_arena_alloc(arena, piece_size(i));
        REQUIRE(pieces[i] != NULL);
        CHECK((uintptr_t)pieces[i] % LINE == 0);
        CHECK(all_bytes_are(pieces[i], piece_size(i), 0));
        memset(pieces[i], mark(i), piece_size(i));
        total += piece_size(i);
    }
    for (int i = 0; i < PIECES; i++)
        CHECK(all_bytes_are(pieces[i], piece_size(i), mark(i)));
    CHECK(hol_arena_size(arena) >= total);
    CHECK(hol_arena_size(arena) <= total + (size_t)PIECES * LINE);
    CHECK(!hol_arena_failed(arena));
    hol_arena_destroy(arena);
}

static void arena_gives_typed_arrays(void)
{
    HolArena *arena = hol_arena_create();
    REQUIRE(arena != NULL);
    double *x = hol_arena_doubles(arena, 1000);
    int *i = hol_arena_ints(arena, 1000);
    REQUIRE(x != NULL && i != NULL);
    for (int k = 0; k < 1000; k++) {
        CHECK(x[k] == 0 && i[k] == 0);
        x[k] = i[k] = k;
    }
    CHECK(x[999] == 999 && i[0] == 0);
    void *nothing = hol_arena_alloc(arena, 0), *more = hol_arena_alloc(arena, 0);
    CHECK(nothing != NULL && more != NULL && nothing != more);
    hol_arena_destroy(arena);
    hol_arena_destroy(NULL);
}

/* Sizes that cannot be, also where the multiplication would wrap around to something small. */
static void arena_remembers_failures(void)
{
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / sizeof(double) + 2, SIZE_MAX / 16};
    for (int i = 0; i < 4; i++) {
        CHECK_CONTEXT("case %d", i);
        HolArena *arena = hol_arena_create();
        REQUIRE(arena != NULL);
        CHECK(hol_arena_doubles(arena, 8) != NULL && !hol_arena_failed(arena));
        CHECK(hol_arena_doubles(arena, counts[i]) == NULL);
        CHECK(hol_arena_failed(arena));
        CHECK(hol_arena_ints(arena, 8) != NULL);
        CHECK(hol_arena_failed(arena));
        hol_arena_destroy(arena);
    }
    HolArena *arena = hol_arena_create();
    REQUIRE(arena != NULL);
    CHECK(hol_arena_ints(arena, SIZE_MAX / sizeof(int) + 2) == NULL && hol_arena_failed(arena));
    hol_arena_destroy(arena);
}

#ifdef NDEBUG
static void a_frozen_arena_gives_nothing(void)
{
    HolArena *arena = hol_arena_create();
    REQUIRE(arena != NULL);
    double *x = hol_arena_doubles(arena, 4);
    hol_arena_freeze(arena);
    size_t size = hol_arena_size(arena);
    CHECK(hol_arena_alloc(arena, 8) == NULL);
    CHECK(hol_arena_failed(arena));
    CHECK(hol_arena_size(arena) == size);
    x[3] = 1; /* what was handed out stays */
    hol_arena_destroy(arena);
}
#else
/* Asserts: seen from outside, by a process that may die of it. */
static void a_frozen_arena_gives_nothing(void)
{
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        HolArena *arena = hol_arena_create();
        hol_arena_freeze(arena);
        if (!freopen("/dev/null", "w", stderr))
            _exit(2);
        hol_arena_alloc(arena, 8);
        _exit(1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
#endif

/* Sentences and names */

static void a_failure_is_a_status_and_a_sentence(void)
{
    HolMessage message = {"old"};
    CHECK_STATUS(hol_fail(&message, HOL_SINGULAR, "row %d of '%s' is %g", 3, "pin", 0.5), HOL_SINGULAR);
    CHECK_STRING(message.text, "row 3 of 'pin' is 0.5");
    CHECK_STATUS(hol_fail(NULL, HOL_BAD_INPUT, "%s", "nobody listens"), HOL_BAD_INPUT);
    CHECK_OK(hol_fail(&message, HOL_OK, "%s", ""));
    CHECK_STRING(message.text, "");
}

/* A name in a file must not control the terminal on which the sentence appears. */
static void sentences_are_one_line_without_control_characters(void)
{
    HolMessage message;
    hol_fail(&message, HOL_BAD_INPUT, "body '%s'", "a\x1b[31m\nb\x7f\xc2\x9b\xc3\xa9");
    CHECK_STRING(message.text, "body 'a?[31m b???\xc3\xa9'");
}

static void long_sentences_are_cut_and_terminated(void)
{
    struct {
        HolMessage message;
        char fence[8];
    } box = {.fence = "fence"};
    char text[2000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    CHECK_STATUS(hol_fail(&box.message, HOL_BAD_INPUT, "%s", text), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(strlen(box.message.text), sizeof box.message.text - 1);
    CHECK(strncmp(box.message.text, text, sizeof box.message.text - 1) == 0);
    CHECK_STRING(box.fence, "fence");
}

static void every_status_has_a_name_of_its_own(void)
{
    for (int i = HOL_OK; i <= HOL_TOO_STIFF; i++) {
        CHECK(hol_status_name((HolStatus)i)[0] != '\0');
        for (int k = HOL_OK; k < i; k++)
            CHECK(strcmp(hol_status_name((HolStatus)i), hol_status_name((HolStatus)k)) != 0);
        CHECK(strchr(hol_status_cause((HolStatus)i), ' ') != NULL); /* words, not the name */
    }
    CHECK_STRING(hol_status_name(HOL_NO_CONVERGENCE), "no-convergence");
    CHECK(hol_status_name((HolStatus)1000) != NULL);
}

static void the_nearest_name_is_found(void)
{
    static const char *const names[] = {"lagrange", "baumgarte", "penalty", "null-space", NULL};
    static const char *const nobody[] = {NULL};
    CHECK_STRING(hol_nearest_name("lagrange", names), "lagrange");
    CHECK_STRING(hol_nearest_name("lagrang", names), "lagrange");     /* lost */
    CHECK_STRING(hol_nearest_name("PENALTY", names), "penalty");      /* in capitals */
    CHECK_STRING(hol_nearest_name("baumgartte", names), "baumgarte"); /* added */
    CHECK_STRING(hol_nearest_name("penalti", names), "penalty");      /* exchanged */
    CHECK_STRING(hol_nearest_name("nullspace", names), "null-space");
    CHECK_STRING(hol_nearest_name("Baumgart", names), "baumgarte");
    CHECK(hol_nearest_name("quaternion", names) == NULL);
    CHECK(hol_nearest_name("", names) == NULL);
    CHECK(hol_nearest_name("lagrange", nobody) == NULL);
}

static void names_of_any_length_do_no_harm(void)
{
    char longest[300];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    const char *const names[] = {longest, "alpha", NULL};
    CHECK(hol_nearest_name(longest, names) == NULL);
    CHECK_STRING(hol_nearest_name("alpa", names), "alpha");
    longest[64] = '\0';
    CHECK_STRING(hol_nearest_name(longest, names), longest);
    longest[63] = 'b';
    CHECK_STRING(hol_nearest_name(longest, names), longest);
}

/* What is longer than any name is not looked at, however near it is. */
static void overlong_names_are_near_nobody(void)
{
    char given[66], name[61];
    memset(given, 'a', sizeof given);
    memset(name, 'a', sizeof name);
    given[65] = name[60] = '\0';
    const char *const names[] = {name, NULL};
    CHECK(hol_nearest_name(given, names) == NULL);
    given[64] = '\0';
    CHECK_STRING(hol_nearest_name(given, names), name);
}

/* Options */

typedef struct Options {
    double alpha;
    int count, weight;
    double last;
} Options;

static const char *const weights[] = {"mass", "identity", NULL};
static const HolOption table[] = {
    {"alpha", HOL_OPTION_REAL, offsetof(Options, alpha), 1e7, 0, 1e15, NULL, "N", "penalty"},
    {"count", HOL_OPTION_INTEGER, offsetof(Options, count), 20, 1, 1000, NULL, "", "iterations"},
    {"weight", HOL_OPTION_CHOICE, offsetof(Options, weight), 1, 0, 1, weights, "", "norm"},
};
enum { OPTION_COUNT = 3 };

static HolStatus set(Options *options, const char *name, const char *value, HolMessage *message)
{
    return hol_options_set(table, OPTION_COUNT, "penalty", name, value, options, message);
}

static void defaults_come_from_the_table(void)
{
    Options options = {.last = 7};
    hol_options_defaults(table, OPTION_COUNT, &options);
    CHECK(options.alpha == 1e7 && options.count == 20 && options.weight == 1 && options.last == 7);
}

static void good_values_are_stored(void)
{
    Options o = {0};
    hol_options_defaults(table, OPTION_COUNT, &o);
    CHECK_OK(set(&o, "alpha", "2.5e3", NULL));
    CHECK(o.alpha == 2500);
    CHECK_OK(set(&o, "alpha", "0", NULL)); /* the ends of the range belong to it */
    CHECK(o.alpha == 0);
    CHECK_OK(set(&o, "alpha", "1e15", NULL));
    CHECK(o.alpha == 1e15);
    CHECK_OK(set(&o, "count", "1000", NULL));
    CHECK_EQUAL_INT(o.count, 1000);
    CHECK_OK(set(&o, "count", "1", NULL));
    CHECK_EQUAL_INT(o.count, 1);
    CHECK_OK(set(&o, "weight", "mass", NULL));
    CHECK_EQUAL_INT(o.weight, 0);
    CHECK_OK(set(&o, "weight", "identity", NULL));
    CHECK_EQUAL_INT(o.weight, 1);
}

/* What is refused, and what the sentence must say. */
typedef struct Refusal {
    const char *name, *value, *part;
} Refusal;

static const Refusal refusals[] = {
    {"alpha", "", "needs a number"},
    {"alpha", "much", "'much'"},
    {"alpha", "1e7x", "'1e7x'"},
    {"alpha", "1e7 zz", "needs a number"},
    {"alpha", "1,5", "needs a number"},
    {"alpha", "nan", "needs a number"},
    {"alpha", "inf", "needs a number"},
    {"alpha", "1e400", "needs a number"},
    {"alpha", "-1e-9", "between 0 and 1e+15"},
    {"alpha", "1.1e15", "between 0 and 1e+15"},
    {"alpha", NULL, "no value"},
    {"count", "3.5", "whole number"},
    {"count", "0", "between 1 and 1000"},
    {"count", "1001", "between 1 and 1000"},
    {"count", "1e30", "between 1 and 1000"},
    {"weight", "masses", "did you mean 'mass'"},
    {"weight", "Identity", "did you mean 'identity'"},
    {"weight", "0", "cannot be '0'"},
    {"weight", "", "cannot be ''"},
    {"alhpa", "1", "did you mean 'alpha'"},
    {"tolerance", "1", "it has: alpha"},
    {"", "1", "no option ''"},
};

static void bad_values_are_refused_with_a_sentence(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const Refusal *r = &refusals[i];
        CHECK_CONTEXT("%s = %s", r->name, r->value ? r->value : "(nothing)");
        HolMessage message = {""};
        Options o = {.alpha = 3, .count = 4, .weight = 1, .last = 5};
        CHECK_STATUS(set(&o, r->name, r->value, &message), HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, r->part);
        CHECK_CONTAINS(message.text, "'penalty'");
        CHECK(o.alpha == 3 && o.count == 4 && o.weight == 1 && o.last == 5);
        CHECK_STATUS(set(&o, r->name, r->value, NULL), HOL_BAD_INPUT);
    }
}

static void a_kind_without_options_says_so(void)
{
    HolMessage message = {""};
    CHECK_STATUS(hol_options_set(NULL, 0, "lagrange", "alpha", "1", NULL, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "it has no options");
}

CHECK_MAIN(TEST(arena_pieces_are_aligned_zeroed_and_apart), TEST(arena_gives_typed_arrays),
           TEST(arena_remembers_failures), TEST(a_frozen_arena_gives_nothing),
           TEST(a_failure_is_a_status_and_a_sentence), TEST(sentences_are_one_line_without_control_characters),
           TEST(long_sentences_are_cut_and_terminated), TEST(every_status_has_a_name_of_its_own),
           TEST(the_nearest_name_is_found), TEST(names_of_any_length_do_no_harm), TEST(overlong_names_are_near_nobody),
           TEST(defaults_come_from_the_table), TEST(good_values_are_stored),
           TEST(bad_values_are_refused_with_a_sentence), TEST(a_kind_without_options_says_so))
