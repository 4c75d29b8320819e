/* SPDX-License-Identifier: BSD-3-Clause */
/* What the command prints of a comparison, from one made by hand in which no two numbers are alike; and a plot. */
#include "check.h"
#include "cli/compare/output.h"
#include "cli/terminal/plot.h"

#include <unistd.h>

enum { LONGEST = 20000 };

static int out;
static FILE *file;

static void begin_capture(void)
{
    fflush(stdout);
    out = dup(STDOUT_FILENO);
    file = tmpfile();
    dup2(fileno(file), STDOUT_FILENO);
}

static void end_capture(char text[LONGEST])
{
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    rewind(file);
    text[fread(text, 1, LONGEST - 1, file)] = '\0';
    fclose(file);
}

static const HolCompareRecord records[] = {
    {.formulation = "lagrange",
     .integrator = "rk4",
     .block_integrator = "rk4",
     .step = 0.01,
     .remark = "",
     .summary = {.reached = 1,
                 .evaluations = 21,
                 .iterations = 22,
                 .position_iterations = 23,
                 .max_position_iterations = 24,
                 .max_position_violation = 0.1,
                 .max_velocity_violation = 0.2,
                 .max_acceleration_violation = 0.3,
                 .mean_position_violation_sq = 0.4,
                 .mean_velocity_violation_sq = 0.5,
                 .mean_acceleration_violation_sq = 0.6,
                 .max_energy_drift = 0.7},
     .position_error = 0.8,
     .reaction_error = 0.9,
     .order = -0.01,
     .time_ratio = 12345.678,
     .time_ratio_low = 11111.111,
     .time_ratio_high = 99999.999,
     .processor_s = 2,
     .wall_s = 1},
    {.formulation = "penalty",
     .integrator = "rk4",
     .block_integrator = "rk4",
     .step = 0.01,
     .remark = "inaccurate",
     .verdict = HOL_VERDICT_BAD,
     .position_error = 1e-9,
     .order = NAN,
     .time_ratio = 1.5,
     .time_ratio_low = 1.25,
     .time_ratio_high = 1.75,
     .processor_s = 4,
     .wall_s = 0.5},
    {.formulation = "penalty",
     .integrator = "dopri5",
     .block_integrator = "dopri5",
     .step = 0.01,
     .block = 1,
     .remark = "",
     .status = HOL_NOT_FINITE,
     .message = {"it broke"},
     .position_error = NAN,
     .order = NAN,
     .time_ratio = NAN,
     .processor_s = NAN},
};

static HolComparison comparison(void)
{
    return (HolComparison){.until = 1,
                           .rounds = 5,
                           .has_reference = true,
                           .reference_error = 5e-7,
                           .estimated_error = 5e-7,
                           .known_error = NAN,
                           .reference = {"made by hand"},
                           .count = 3,
                           .records = records};
}

static void print(const HolComparison *found, double accuracy, char text[LONGEST])
{
    CliComparison c = {.model = hol_model_create(), .found = found, .accuracy = accuracy};
    begin_capture();
    cli_comparison_print(&c);
    end_capture(text);
    hol_model_destroy((HolModel *)(size_t)c.model);
}

/* The second method comes first, in whatever order they were tried; a reference that could not be made says why. */
static void references_of_other_families_are_named(void)
{
    char text[LONGEST];
    HolComparison c = comparison();
    c.second_method = "penalty with rk4";
    c.second_difference = 5e-7;
    c.confirmations[c.confirmation_count++] = (HolConfirmation){
        .method = "ida", .step = NAN, .tolerance = 1e-9, .difference = 2e-6, .change = 3e-6, .is_independent = true};
    c.confirmations[c.confirmation_count++] =
        (HolConfirmation){.method = c.second_method, .step = 1e-3, .tolerance = NAN, .difference = 5e-7};
    print(&c, NAN, text);
    CHECK_CONTAINS(text, "reference: made by hand, uncertainty 5e-07; penalty with rk4 differs by 5e-07; "
                         "ida with tolerance 1e-09 differs by 2e-06\n");
    c = comparison();
    snprintf(c.without_ida.text, sizeof c.without_ida.text, "absent: built without SUNDIALS");
    print(&c, NAN, text);
    CHECK_CONTAINS(text, "\nida: absent: built without SUNDIALS\n");
}

static void every_number_has_its_column(void)
{
    char text[LONGEST];
    HolComparison c = comparison();
    print(&c, NAN, text);
    CHECK_CONTAINS(text,
                   "  formulation  position  velocity  accel.  energy  p sq  v sq  a sq  error   reactions  evals  "
                   "iters  corr.  time ratio                 verdict  status\n");
    CHECK_CONTAINS(text,
                   "  lagrange     0.1       0.2       0.3     0.7     0.4   0.5   0.6   0.8     0.9        21     "
                   "22     24     1.23e+04 (1.11e+04-1e+05)  good     ok\n");
    CHECK_CONTAINS(text, " <5e-07  0 ");
    CHECK_CONTAINS(text, "1.50 (1.25-1.75)           bad      ok, inaccurate\n");
    CHECK_CONTAINS(text, "reference: made by hand, uncertainty 5e-07\n");
}

static void work_lists_failures_and_no_steps_of_adaptive_integrators(void)
{
    char text[LONGEST];
    HolComparison c = comparison();
    print(&c, NAN, text);
    const char *work = strstr(text, "\nwork-precision\n");
    REQUIRE(work != NULL);
    CHECK_CONTAINS(work, "  lagrange     rk4         0.01     0.8     0.0    0.7     21     2            ok\n");
    CHECK_CONTAINS(work, "  penalty      dopri5      -        -       -      -       -      -            not-finite\n");
    CHECK_CONTAINS(text, "penalty with dopri5, adaptive steps: it broke\n");
}

/* The same, with a penalty record that is accurate. */
static HolComparison trusted(HolCompareRecord copies[3])
{
    HolComparison c = comparison();
    memcpy(copies, records, 3 * sizeof *copies);
    copies[1].remark = "";
    c.records = copies;
    return c;
}

static void the_next_is_another_method(void)
{
    char text[LONGEST];
    HolCompareRecord copies[3];
    HolComparison c = trusted(copies);
    print(&c, 1, text);
    CHECK_CONTAINS(text,
                   "position error of at most 1: fastest is lagrange with rk4, step 0.01 s: position error 0.8, ");
    CHECK_CONTAINS(
        text, "\nnext, with 2.00 times its CPU time, is penalty with rk4, step 0.01 s: position error below 5e-07, ");
    CHECK_CONTAINS(text, "\nby CPU time, median of 5 rounds\n");
    c.rounds = 0;
    print(&c, 0.1, text);
    CHECK_CONTAINS(text, "position error of at most 0.1: fastest is penalty with rk4, step 0.01 s");
    CHECK(!strstr(text, "times its CPU time"));
    CHECK_CONTAINS(text, "\nby CPU time of one run each, which is imprecise");
    c.records = records; /* an inaccurate record is never recommended */
    print(&c, 1, text);
    CHECK_CONTAINS(text, "fastest is lagrange");
    CHECK(!strstr(text, "times its CPU time"));
}

static void it_says_why_there_is_none(void)
{
    char text[LONGEST];
    HolCompareRecord copies[3];
    HolComparison c = trusted(copies);
    print(&c, 1e-7, text);
    CHECK_CONTAINS(text, "position error of at most 1e-07: no run reaches it; the smallest is 5e-07. Try smaller");
    c.records = records + 2;
    c.count = 1;
    print(&c, 1e-7, text);
    CHECK_CONTAINS(text, "position error of at most 1e-07: no run finished\n");
    c.has_reference = false;
    print(&c, 1e-7, text);
    CHECK_CONTAINS(text, "position error of at most 1e-07: there is no reference to measure errors against\n");
}

static void the_csv_has_every_number_once(void)
{
    char text[LONGEST];
    HolComparison found = comparison();
    CliComparison c = {.found = &found, .accuracy = NAN};
    begin_capture();
    cli_comparison_csv(&c, stdout);
    end_capture(text);
    CHECK_CONTAINS(text, "\nlagrange,rk4,0.01,1,1,ok,0,21,22,1,0.1,0.2,");
    CHECK_CONTAINS(text, ",0.3,0.4,0.5,0.7,0.8,0.9,-0.01,12345.678,");
    CHECK_CONTAINS(text, ",0.6,23,24,");
    CHECK_CONTAINS(text, ",second_difference,ida_difference,remark,verdict,reference_method,second_method\n");
    CHECK_CONTAINS(text, ",inaccurate,bad,,\n");
}

/* Twelve decades from the upper left to the lower right, and a level one. */
static void a_plot_looks_like_this(void)
{
    static const char expected[] = "\nfall\n"
                                   "  1e+00 |aaa\n"
                                   "        |   aaaaa\n"
                                   "        |        aaaaa\n"
                                   "        |             aaaaaa\n"
                                   "  1e-04 |                   aaaaa\n"
                                   "        |                        aaaaa\n"
                                   "        |bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbabababbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
                                   "        |                                   aaaaa\n"
                                   "  1e-08 |                                        aaaaa\n"
                                   "        |                                             aaaaaa\n"
                                   "        |                                                   aaaaa\n"
                                   "        |                                                        aaaaa\n"
                                   "  1e-12 |                                                             aaa\n"
                                   "        +----------------------------------------------------------------\n"
                                   "         0                                                            2 s\n"
                                   "         a all  b but\n";
    char text[LONGEST];
    double fall[CLI_PLOT_PARTS], level[CLI_PLOT_PARTS];
    for (int i = 0; i < CLI_PLOT_PARTS; ++i) {
        fall[i] = pow(10, -12.0 * (i + 0.5) / CLI_PLOT_PARTS);
        level[i] = 1e-6;
    }
    CliPlot plot = {.title = "fall", .until = 2};
    cli_plot_add(&plot, "all", fall);
    cli_plot_add(&plot, "but", level);
    begin_capture();
    cli_plot_print(&plot);
    end_capture(text);
    CHECK_STRING(text, expected);
}

static void zeros_are_reported(void)
{
    char text[LONGEST];
    const double zeros[CLI_PLOT_PARTS] = {0};
    CliPlot plot = {.title = "rest", .until = 2};
    cli_plot_add(&plot, "all", zeros);
    begin_capture();
    cli_plot_print(&plot);
    end_capture(text);
    CHECK_STRING(text, "\nrest\n  zero at all times\n");
}

CHECK_MAIN(TEST(references_of_other_families_are_named), TEST(every_number_has_its_column),
           TEST(work_lists_failures_and_no_steps_of_adaptive_integrators), TEST(the_next_is_another_method),
           TEST(it_says_why_there_is_none), TEST(the_csv_has_every_number_once), TEST(a_plot_looks_like_this),
           TEST(zeros_are_reported))
