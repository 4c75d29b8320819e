/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose locale has a decimal comma: numbers are written and read with a full stop all the same, in the model,
 * in sentences and in files. The locale is made by localedef where it is not installed. */
#include <holon/compare.h>
#include <holon/holon.h>
#include <holon/results.h>

#include "check.h"

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

/* Whether printf() writes a comma now. */
static bool has_comma(void)
{
    char text[16];
    snprintf(text, sizeof text, "%.1f", 0.5);
    return strcmp(text, "0,5") == 0;
}

static bool set_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (setlocale(LC_ALL, names[i]) && has_comma())
            return true;
    char folder[] = "/tmp/holon_locale_XXXXXX", command[200];
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    int made = system(command);
    setenv("LOCPATH", folder, 1);
    bool is_set = setlocale(LC_ALL, "de_DE.UTF-8") && has_comma();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 && made >= 0 && is_set;
}

static void the_locale_has_a_comma(void)
{
    CHECK(
        has_comma()); /* otherwise install the sources of locales (tools/setup.sh test): the rest would show nothing */
}

static void set_writes_numbers(void)
{
    HolModel *model = hol_model_create();
    double value = 0;
    CHECK_OK(hol_model_load(model, "four-bar"));
    CHECK_OK(hol_model_set(model, "bodies.crank.mass", "%g", 0.5));
    CHECK_STRING(hol_model_get(model, "bodies.crank.mass"), "0.5");
    CHECK_OK(hol_model_set(model, "points.X", "[%.3f, %.17g]", 0.5, 1.25));
    CHECK_STRING(hol_model_get(model, "bodies.crank.mass"), "0.5");
    CHECK_OK(hol_quantity_parse("0.5 m", "m", &value, NULL));
    CHECK_NEAR(value, 0.5, 0);
    CHECK(has_comma()); /* the locale of the program is as it was */
    hol_model_destroy(model);
}

static void numbers_are_plain(void)
{
    char text[HOL_NUMBER_SIZE];
    double value = 0;
    size_t length = 0;
    static const double numbers[] = {0.1, 1.25e-300, -3e200 / 7, 5e-324, 1.5};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        hol_number_text(numbers[i], text);
        CHECK(strchr(text, ',') == NULL);
        CHECK(hol_number_read(text, &value, &length) && value == numbers[i] && text[length] == '\0');
    }
    hol_format(text, sizeof text, "%.2f %d", 0.5, 1234567);
    CHECK_STRING(text, "0.50 1234567");
}

static void sentences_have_full_stops(void)
{
    HolMessage message;
    HolModel *model = hol_model_create();
    hol_fail(&message, HOL_BAD_INPUT, "step %g", 0.5);
    CHECK_STRING(message.text, "step 0.5");
    CHECK_OK(hol_model_load(model, "four-bar"));
    CHECK_OK(hol_model_set(model, "bodies.crank.mass", "%g", -0.5));
    HolMechanism *mechanism = NULL;
    CHECK_STATUS(hol_mechanism_create(model, &mechanism), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_model_error(model, 0), "-0.5");
    hol_model_destroy(model);
}

/* Runs with the same numbers, in the results and in their verdict. */
static void runs_are_the_same(void)
{
    HolFindings findings;
    HolRecording *with = NULL, *without = NULL;
    HolModel *model = hol_model_create();
    HolMessage message;
    CHECK_OK(hol_model_load(model, "four-bar"));
    CHECK_OK(hol_model_set(model, "run.until", "%g", 0.5));
    CHECK_OK(hol_model_run(model, NULL, 0, &with, &message));
    setlocale(LC_ALL, "C");
    CHECK_OK(hol_model_run(model, NULL, 0, &without, &message));
    set_comma();
    if (CHECK(with && without && with->row_count == without->row_count)) {
        size_t size = (size_t)with->row_count * (size_t)with->column_count * sizeof *with->values;
        CHECK(memcmp(with->values, without->values, size) == 0);
        hol_summary_findings(&with->summary, &findings);
        for (int i = 0; i < findings.count; ++i)
            for (const char *c = strchr(findings.list[i].reason, ','); c; c = strchr(c + 1, ','))
                CHECK(c[1] == ' '); /* no 0,5 */
    }
    hol_recording_destroy(with);
    hol_recording_destroy(without);
    hol_model_destroy(model);
}

static void results_are_plain(void)
{
    static const char *const columns[] = {"t", "x"};
    static const char path[] = "contract_locale.csv";
    const double row[] = {0.5, 1.25e-300};
    double values[2] = {0, 0};
    bool more = false;
    HolResults *results = NULL;
    HolResultsReader *reader = NULL;
    CHECK_OK(hol_results_create(path, columns, 2, &results, NULL));
    CHECK_OK(hol_results_add(results, row));
    CHECK_OK(hol_results_finish(results));
    hol_results_destroy(results);
    CHECK_OK(hol_results_open(path, &reader, NULL));
    CHECK_OK(hol_results_next(reader, values, &more, NULL));
    CHECK(more && values[0] == 0.5 && values[1] == 1.25e-300);
    hol_results_close(reader);
    unlink(path);
}

/* Known values are text; so are the names of steps. */
static HolStatus see_progress(void *user, const char *what, int done, int all)
{
    (void)done, (void)all;
    *(int *)user += strstr(what, "0,") != NULL;
    return HOL_OK;
}

static void comparisons_are_plain(void)
{
    static const char *const formulations[] = {"lagrange"};
    const double step = 0.005;
    int commas = 0;
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolComparison *comparison = NULL;
    HolCompareOptions options = hol_compare_options();
    options.formulations = formulations;
    options.formulation_count = options.step_count = options.rounds = 1;
    options.steps = &step;
    options.until = 0.1;
    options.known = "0.1,crank.x,0.5\n";
    options.progress = see_progress;
    options.user = &commas;
    CHECK_OK(hol_model_load(model, "four-bar"));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    CHECK_OK(hol_mechanism_assemble(mechanism, NULL));
    CHECK_OK(hol_compare(mechanism, &options, &comparison, NULL));
    if (CHECK(comparison != NULL))
        CHECK_EQUAL_INT(comparison->known_count, 1);
    CHECK_EQUAL_INT(commas, 0);
    hol_comparison_destroy(comparison);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

int main(int argc, char **argv)
{
    static const CheckTest tests[] = {TEST(the_locale_has_a_comma), TEST(set_writes_numbers),
                                      TEST(numbers_are_plain),      TEST(sentences_have_full_stops),
                                      TEST(runs_are_the_same),      TEST(results_are_plain),
                                      TEST(comparisons_are_plain)};
    set_comma();
    return check_main(tests, sizeof tests / sizeof *tests, argc, argv);
}
