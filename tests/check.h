/* SPDX-License-Identifier: BSD-3-Clause */
/* The test harness: checks that count failures and go on, and a main that runs the tests of one file.
 *
 *     static void arena_gives_aligned_memory(void)
 *     {
 *         CHECK_CONTEXT("alignment %d", 64);
 *         REQUIRE(memory != NULL);
 *         CHECK_NEAR(length, 1.0, 1e-12);
 *     }
 *
 *     CHECK_MAIN(TEST(arena_gives_aligned_memory), TEST(...))
 *
 * The program runs all its tests, or those named as arguments, and prints one line for each. It returns 1 if a check
 * failed or a test made no check at all. Actual values come first, expected ones second, everywhere. */
#ifndef HOLON_TESTS_CHECK_H
#define HOLON_TESTS_CHECK_H

#include <holon/status.h>

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Each check is an expression: true if it holds. */
#define CHECK(...) check_true(__FILE__, __LINE__, #__VA_ARGS__, (__VA_ARGS__) ? true : false)
#define CHECK_NEAR(actual, expected, tolerance)                                                                        \
    check_near(__FILE__, __LINE__, #actual, (actual), (expected), (tolerance)) /* fails on NaN */
#define CHECK_EQUAL_INT(actual, expected)                                                                              \
    check_equal_int(__FILE__, __LINE__, #actual, (long long)(actual), (long long)(expected))
#define CHECK_STRING(actual, expected) check_string(__FILE__, __LINE__, #actual, (actual), (expected))
#define CHECK_CONTAINS(text, part) check_contains(__FILE__, __LINE__, #text, (text), (part))
#define CHECK_OK(...) check_status(__FILE__, __LINE__, #__VA_ARGS__, (__VA_ARGS__), HOL_OK)
#define CHECK_STATUS(actual, expected) check_status(__FILE__, __LINE__, #actual, (actual), (expected))

/* These return from the test function if the check fails. */
#define REQUIRE(...) CHECK_OR_RETURN(CHECK(__VA_ARGS__))
#define REQUIRE_OK(...) CHECK_OR_RETURN(CHECK_OK(__VA_ARGS__))
#define CHECK_OR_RETURN(check)                                                                                         \
    do {                                                                                                               \
        if (!(check))                                                                                                  \
            return;                                                                                                    \
    } while (0)

/* A sentence printed with the failures that follow, until the next one or the end of the test. */
#define CHECK_CONTEXT(...) check_context(__VA_ARGS__)

#define TEST(function)                                                                                                 \
    {                                                                                                                  \
        .name = #function, .run = function                                                                             \
    }
#define CHECK_MAIN(...)                                                                                                \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        static const CheckTest tests[] = {__VA_ARGS__};                                                                \
        return check_main(tests, sizeof tests / sizeof tests[0], argc, argv);                                          \
    }

typedef struct CheckTest {
    const char *name;
    void (*run)(void);
} CheckTest;

enum { CHECK_SHOWN_FAILURES = 20 }; /* per test; the rest is only counted */

static struct {
    long checks, failures; /* of the running test */
    char context[256];
} check_state;

__attribute__((format(printf, 1, 2))) static inline void check_context(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check_state.context, sizeof check_state.context, format, arguments);
    va_end(arguments);
}

/* Counts a check; prints the message and returns false if it does not hold. */
__attribute__((format(printf, 4, 5))) static inline bool check_that(bool holds, const char *file, int line,
                                                                    const char *format, ...)
{
    check_state.checks++;
    if (holds)
        return true;
    if (++check_state.failures > CHECK_SHOWN_FAILURES)
        return false;
    printf("%s:%d: ", file, line);
    if (check_state.context[0] != '\0')
        printf("[%s] ", check_state.context);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
    return false;
}

static inline bool check_true(const char *file, int line, const char *expression, bool holds)
{
    return check_that(holds, file, line, "%s does not hold", expression);
}

static inline bool check_near(const char *file, int line, const char *expression, double actual, double expected,
                              double tolerance)
{
    double difference = actual - expected;
    return check_that(fabs(difference) <= tolerance, file, line,
                      "%s is %.17g, expected %.17g; the difference %.3g exceeds %.3g", expression, actual, expected,
                      difference, tolerance);
}

static inline bool check_equal_int(const char *file, int line, const char *expression, long long actual,
                                   long long expected)
{
    return check_that(actual == expected, file, line, "%s is %lld, expected %lld", expression, actual, expected);
}

static inline const char *check_text(const char *text)
{
    return text != NULL ? text : "(null)";
}

static inline bool check_string(const char *file, int line, const char *expression, const char *actual,
                                const char *expected)
{
    bool same = actual == expected || (actual != NULL && expected != NULL && strcmp(actual, expected) == 0);
    return check_that(same, file, line, "%s is \"%s\", expected \"%s\"", expression, check_text(actual),
                      check_text(expected));
}

static inline bool check_contains(const char *file, int line, const char *expression, const char *text,
                                  const char *part)
{
    bool found = text != NULL && part != NULL && strstr(text, part) != NULL;
    return check_that(found, file, line, "%s is \"%s\", expected to contain \"%s\"", expression, check_text(text),
                      check_text(part));
}

static inline bool check_status(const char *file, int line, const char *expression, HolStatus actual,
                                HolStatus expected)
{
    return check_that(actual == expected, file, line, "%s gives %s, expected %s", expression, hol_status_name(actual),
                      hol_status_name(expected));
}

static inline bool check_run(const CheckTest *test)
{
    memset(&check_state, 0, sizeof check_state);
    test->run();
    if (check_state.failures > CHECK_SHOWN_FAILURES)
        printf("... and %ld more failures\n", check_state.failures - CHECK_SHOWN_FAILURES);
    bool passed = check_state.failures == 0 && check_state.checks > 0;
    if (passed)
        printf("ok      %s (%ld checks)\n", test->name, check_state.checks);
    else if (check_state.checks == 0)
        printf("FAILED  %s: no check was executed\n", test->name);
    else
        printf("FAILED  %s (%ld of %ld checks)\n", test->name, check_state.failures, check_state.checks);
    fflush(stdout);
    return passed;
}

static inline int check_main(const CheckTest *tests, size_t test_count, int argc, char **argv)
{
    bool all_passed = true;
    for (size_t i = 0; argc < 2 && i < test_count; i++)
        all_passed = check_run(&tests[i]) && all_passed;
    for (int a = 1; a < argc; a++) {
        size_t i = 0;
        while (i < test_count && strcmp(tests[i].name, argv[a]) != 0)
            i++;
        if (i == test_count) {
            printf("there is no test '%s'\n", argv[a]);
            return 2;
        }
        all_passed = check_run(&tests[i]) && all_passed;
    }
    return all_passed ? 0 : 1;
}

#endif
