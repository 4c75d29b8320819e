/* SPDX-License-Identifier: BSD-3-Clause */
/* The output of a comparison: tables, a recommendation, plots, JSON and CSV. */
#ifndef HOLON_CLI_COMPARE_OUTPUT_H
#define HOLON_CLI_COMPARE_OUTPUT_H

#include <holon/compare.h>

#include "json.h"

#include <stdio.h>

typedef struct CliComparison {
    const HolModel *model;
    const HolMechanism *mechanism;
    const HolComparison *found;
    HolCompareGoal goal;
    double accuracy; /* of --accuracy, NAN: not given */
} CliComparison;

enum { CLI_COMPARISON_NAME_SIZE = 100 };
/* "rk4, step 0.001 s", "dopri5, adaptive steps" */
void cli_comparison_name(const char *integrator, double step, char text[CLI_COMPARISON_NAME_SIZE]);

void cli_comparison_print(const CliComparison *comparison); /* to stdout, as all functions here but CSV */
void cli_comparison_recommend(const CliComparison *comparison);

/* The recommended record and why. The default accuracy is ten times the smallest error. */
enum { CLI_ADVICE_LINES = 4, CLI_ADVICE_LONGEST = 620 };
typedef struct CliAdvice {
    int best; /* the record, -1: none */
    int count;
    char lines[CLI_ADVICE_LINES][CLI_ADVICE_LONGEST];
} CliAdvice;
/* The reference that errors are measured against, and whether the model is stiff. */
void cli_comparison_basis(const HolComparison *comparison, CliAdvice *basis);
void cli_comparison_advice(const CliComparison *comparison, CliAdvice *advice);
void cli_comparison_plot(const CliComparison *comparison);
void cli_comparison_json(const CliComparison *comparison);
void cli_comparison_records(const CliComparison *comparison, CliJson *json); /* into an array that is open */
void cli_comparison_csv(const CliComparison *comparison, FILE *file);

#endif
