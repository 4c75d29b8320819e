/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases of wrong arguments: for each public function a function wrong_hol_...() that calls it with every argument that
 * can be wrong, one at a time. Nothing may crash; a status is HOL_BAD_INPUT, and a sentence names the function and the
 * argument. The list of functions is made from the header (cmake/list_functions.cmake).
 *
 *     static void wrong_hol_quantity_parse(void)
 *     {
 *         double value;
 *         REFUSED("text", hol_quantity_parse(NULL, "m", &value, message));
 *     }
 *
 *     WRONG_ARGUMENTS_MAIN()
 *
 * All cases run twice: the second time `message` is NULL. */
#ifndef HOLON_TESTS_WRONG_ARGUMENTS_H
#define HOLON_TESTS_WRONG_ARGUMENTS_H

#include <holon/mechanism.h>

#include "check.h"
#include "public_functions.h"

#include <limits.h>

static HolMessage said;
static HolMessage *message = &said;

/* The call has a sentence with this word, if a message was passed. */
#define REFUSED(word, call) check_refused(__FILE__, __LINE__, #call, word, (said.text[0] = '\0', (call)))
/* The same with the sentence in the errors of a model. */
#define REFUSED_BY_MODEL(model, word, call) check_refused_by_model(__FILE__, __LINE__, #call, word, call, model)

#define WRONG_CASE(function) {.name = #function, .run = wrong_##function},
#define WRONG_ARGUMENTS_MAIN()                                                                                         \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        static const CheckTest tests[] = {PUBLIC_FUNCTIONS(WRONG_CASE)};                                               \
        int first = check_main(tests, sizeof tests / sizeof *tests, argc, argv);                                       \
        message = NULL;                                                                                                \
        int second = check_main(tests, sizeof tests / sizeof *tests, argc, argv);                                      \
        return first ? first : second;                                                                                 \
    }

static const int wrong_indices[] = {-1, INT_MIN, INT_MAX};
static const double wrong_numbers[] = {NAN, HUGE_VAL, -HUGE_VAL};
enum { WRONG_INDICES = 3, WRONG_NUMBERS = 3 };

static inline bool check_refused(const char *file, int line, const char *call, const char *word, HolStatus status)
{
    bool is_refused = check_status(file, line, call, status, HOL_BAD_INPUT);
    return is_refused && (!message || check_contains(file, line, call, said.text, word));
}

static inline const char *last_error(const HolModel *model)
{
    int count = hol_model_error_count(model);
    return count > 0 ? hol_model_error(model, count - 1) : "";
}

static inline bool check_refused_by_model(const char *file, int line, const char *call, const char *word,
                                          HolStatus status, const HolModel *model)
{
    return check_status(file, line, call, status, HOL_BAD_INPUT) &&
           check_contains(file, line, call, last_error(model), word);
}

/* A built-in model, ready to run. */
typedef struct Subject {
    HolModel *model;
    HolMechanism *mechanism;
    const HolSystem *system;
    HolInitialState start;
    HolSimulation *simulation;
} Subject;

static inline bool subject_open(Subject *s, const char *name)
{
    *s = (Subject){.model = hol_model_create()};
    if (!CHECK(s->model != NULL) || !CHECK_OK(hol_model_load(s->model, name)) ||
        !CHECK_OK(hol_mechanism_create(s->model, &s->mechanism)) ||
        !CHECK_OK(hol_mechanism_assemble(s->mechanism, NULL)))
        return false;
    HolSimulationOptions options = hol_mechanism_options(s->mechanism);
    s->system = hol_mechanism_system(s->mechanism);
    s->start = hol_mechanism_initial_state(s->mechanism);
    return CHECK_OK(hol_simulation_create(s->system, &s->start, &options, &s->simulation, NULL));
}

static inline void subject_close(Subject *s)
{
    hol_simulation_destroy(s->simulation);
    hol_mechanism_destroy(s->mechanism);
    hol_model_destroy(s->model);
}

#endif
