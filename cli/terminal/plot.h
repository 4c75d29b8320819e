/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves over time in plain text on stdout, on a logarithmic scale.
 *
 *     CliPlot plot = {.title = "position violation", .until = 10};
 *     cli_plot_add(&plot, "lagrange", violation);
 *     cli_plot_print(&plot);
 *
 * Each curve is drawn with a letter of its name; where curves overlap, the letters alternate. The plot has at most 80
 * columns, fewer on a narrower terminal. */
#ifndef HOLON_CLI_TERMINAL_PLOT_H
#define HOLON_CLI_TERMINAL_PLOT_H

#include <holon/compare.h>

enum { CLI_PLOT_PARTS = HOL_HISTORY_INTERVALS, CLI_PLOT_MAX_CURVES = 26 };

typedef struct CliPlot {
    const char *title;
    double start, until; /* s */
    int count;
    const char *names[CLI_PLOT_MAX_CURVES];
    char marks[CLI_PLOT_MAX_CURVES];
    const double *values[CLI_PLOT_MAX_CURVES];
} CliPlot;

/* One value >= 0 for each interval of time; NAN: none. Name and values are not copied. */
void cli_plot_add(CliPlot *plot, const char *name, const double values[CLI_PLOT_PARTS]);
void cli_plot_print(const CliPlot *plot);

#endif
