/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/plot.h"

#include "terminal/table.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A label at every fourth row is a power of ten, since the number of decades is a multiple of three. */
enum { ROWS = 13, ROWS_PER_LABEL = 4, LABEL_WIDTH = 7, LEAST_COLUMNS = 16, USUAL_WIDTH = 80 };
static const double LEAST = 1e-18; /* smaller values, and zero, are drawn here */

typedef struct Scale {
    int columns;
    int low, high; /* powers of ten of the lowest and the highest row */
} Scale;

static bool is_taken(const CliPlot *plot, char mark)
{
    return memchr(plot->marks, mark, (size_t)plot->count) != NULL;
}

/* The first letter of a part of the name, any letter of it, or any letter at all. */
static char choose_mark(const CliPlot *plot, const char *name)
{
    for (const char *c = name; *c; ++c)
        if (isalpha((unsigned char)*c) && (c == name || c[-1] == '-') && !is_taken(plot, *c))
            return *c;
    for (const char *c = name; *c; ++c)
        if (isalpha((unsigned char)*c) && !is_taken(plot, *c))
            return *c;
    char mark = 'a';
    while (is_taken(plot, mark))
        ++mark;
    return mark;
}

void cli_plot_add(CliPlot *plot, const char *name, const double values[CLI_PLOT_PARTS])
{
    if (plot->count == CLI_PLOT_MAX_CURVES || !values)
        return;
    plot->marks[plot->count] = choose_mark(plot, name);
    plot->names[plot->count] = name;
    plot->values[plot->count++] = values;
}

static int width(void)
{
    int line = cli_line_width();
    return line < USUAL_WIDTH ? line : USUAL_WIDTH;
}

/* The largest value in a column of the plot; NAN if there is none. */
static double value_at(const CliPlot *plot, int curve, int column, int columns)
{
    double largest = NAN;
    for (int i = column * CLI_PLOT_PARTS / columns; i < (column + 1) * CLI_PLOT_PARTS / columns; ++i)
        largest = fmax(largest, plot->values[curve][i]);
    return largest;
}

static bool choose_scale(const CliPlot *plot, Scale *scale)
{
    double low = HUGE_VAL, high = LEAST;
    int columns = width() - LABEL_WIDTH - 2;
    for (int c = 0; c < plot->count; ++c)
        for (int i = 0; i < CLI_PLOT_PARTS; ++i) {
            double value = plot->values[c][i];
            if (!isfinite(value))
                continue;
            low = fmin(low, fmax(value, LEAST));
            high = fmax(high, value);
        }
    scale->columns = columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns < CLI_PLOT_PARTS ? columns : CLI_PLOT_PARTS;
    scale->high = (int)ceil(log10(high));
    if (low > high)
        return false;
    int decades = scale->high - (int)floor(log10(low));
    int labels = (ROWS - 1) / ROWS_PER_LABEL;
    decades = decades < 1 ? 1 : decades;
    scale->low = scale->high - (decades + labels - 1) / labels * labels;
    return true;
}

static bool plot_is_zero(const CliPlot *plot)
{
    bool any = false;
    for (int c = 0; c < plot->count; ++c)
        for (int i = 0; i < CLI_PLOT_PARTS; ++i) {
            if (plot->values[c][i] > 0)
                return false;
            any = any || plot->values[c][i] == 0;
        }
    return any;
}

static int row_of(const Scale *scale, double value)
{
    double height = (log10(fmax(value, LEAST)) - scale->low) / (scale->high - scale->low);
    int row = (int)lround((ROWS - 1) * (1 - height));
    return row < 0 ? 0 : row >= ROWS ? ROWS - 1 : row;
}

/* The letters of the curves that pass through a cell alternate. */
static char plot_cell_at(const CliPlot *plot, const Scale *scale, int row, int column)
{
    char here[CLI_PLOT_MAX_CURVES];
    int count = 0;
    for (int c = 0; c < plot->count; ++c) {
        double value = value_at(plot, c, column, scale->columns);
        if (isfinite(value) && row_of(scale, value) == row)
            here[count++] = plot->marks[c];
    }
    return count > 0 ? here[column % count] : ' ';
}

static void print_line(const CliPlot *plot, const Scale *scale, int row)
{
    char line[CLI_PLOT_PARTS + 1];
    int length = 0;
    for (int column = 0; column < scale->columns; ++column) {
        line[column] = plot_cell_at(plot, scale, row, column);
        if (line[column] != ' ')
            length = column + 1;
    }
    if (row % ROWS_PER_LABEL == 0)
        printf("  1e%+03d |", scale->high - (scale->high - scale->low) * row / (ROWS - 1));
    else
        printf("%*s |", LABEL_WIDTH, "");
    printf("%.*s\n", length, line);
}

static void print_axis(const CliPlot *plot, const Scale *scale)
{
    char first[24], last[24];
    printf("%*s +", LABEL_WIDTH, "");
    for (int i = 0; i < scale->columns; ++i)
        putchar('-');
    int left = snprintf(first, sizeof first, "%g", plot->start);
    int right = snprintf(last, sizeof last, "%g s", plot->until);
    int gap = scale->columns - left - right;
    printf("\n%*s  %s%*s%s\n", LABEL_WIDTH, "", first, gap > 1 ? gap : 1, "", last);
}

static void print_legend(const CliPlot *plot)
{
    int most = width() - LABEL_WIDTH - 2, used = 0;
    printf("%*s  ", LABEL_WIDTH, "");
    for (int c = 0; c < plot->count; ++c) {
        int length = (int)strlen(plot->names[c]) + 2;
        if (used > 0 && used + 2 + length > most) {
            printf("\n%*s  ", LABEL_WIDTH, "");
            used = 0;
        }
        printf("%s%c ", used > 0 ? "  " : "", plot->marks[c]);
        cli_put(stdout, plot->names[c], strlen(plot->names[c]));
        used += length + (used > 0 ? 2 : 0);
    }
    putchar('\n');
}

void cli_plot_print(const CliPlot *plot)
{
    Scale scale;
    printf("\n%s\n", plot->title);
    if (!choose_scale(plot, &scale) || plot_is_zero(plot)) {
        puts(plot_is_zero(plot) ? "  zero at all times" : "  no data");
        return;
    }
    for (int row = 0; row < ROWS; ++row)
        print_line(plot, &scale, row);
    print_axis(plot, &scale);
    print_legend(plot);
}
