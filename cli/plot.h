/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves over time in plain text on stdout, on a logarithmic scale.
 *
 *     CliPlot plot = {.title = "position violation", .until = 10};
 *     cli_plot_add(&plot, "lagrange", violation);
 *     cli_plot_print(&plot);
 *
 * Each curve has a letter of its name. Where curves meet their letters alternate. At most 80 columns, fewer on a
 * terminal that has fewer. */
#ifndef HOLON_CLI_PLOT_H
#define HOLON_CLI_PLOT_H

#include <holon/compare.h>

enum { CLI_PLOT_PARTS = HOL_COMPARE_PARTS, CLI_PLOT_MOST_CURVES = 26 };

typedef struct CliPlot {
    const char *title;
    double start, until; /* s */
    int count;
    const char *names[CLI_PLOT_MOST_CURVES];
    char marks[CLI_PLOT_MOST_CURVES];
    const double *values[CLI_PLOT_MOST_CURVES];
} CliPlot;

/* One value for each part of the time, not negative; NAN where there is none. Name and values are kept, not copied. */
void cli_plot_add(CliPlot *plot, const char *name, const double values[CLI_PLOT_PARTS]);
void cli_plot_print(const CliPlot *plot);

#endif
