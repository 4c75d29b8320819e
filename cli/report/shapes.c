/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/shapes.h"

#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CliShapes {
    const HolMechanism *mechanism;
    const HolState *at;
    const HolModes *modes;
    HolRecorder *recorder;
    HolTerms *terms;
    int count, *columns; /* the velocity columns of the recorder */
    double *values, *v;
};

static const char *const velocities[] = {"vx", "vy", "vz", "wx", "wy", "wz", "w", NULL};
static const char *const displacements[] = {"x", "y", "z", "rx", "ry", "rz", "phi", NULL};

static int velocity_of(const char *column)
{
    const char *dot = strrchr(column, '.');
    for (int i = 0; dot && velocities[i]; ++i)
        if (strcmp(dot + 1, velocities[i]) == 0)
            return i;
    return -1;
}

static HolStatus shapes_fill(CliShapes *s, HolMessage *message)
{
    const HolSystem *system = hol_mechanism_system(s->mechanism);
    HolStatus status = hol_recorder_create(s->mechanism, (const char *[]){"bodies"}, 1, &s->recorder, message);
    if (status == HOL_OK)
        status = hol_terms_create(system, &s->terms);
    if (status != HOL_OK)
        return status;
    int count = hol_recorder_column_count(s->recorder);
    s->columns = calloc((size_t)count, sizeof *s->columns);
    s->values = calloc((size_t)count, sizeof *s->values);
    s->v = calloc((size_t)hol_system_pattern(system)->nv + 1, sizeof *s->v);
    if (!s->columns || !s->values || !s->v)
        return HOL_NO_MEMORY;
    for (int i = 0; i < count; ++i)
        if (velocity_of(hol_recorder_column(s->recorder, i)) >= 0)
            s->columns[s->count++] = i;
    HolPoint at = {s->at->t, s->at->q, s->v};
    return hol_system_evaluate(system, &at, HOL_WANT_MASS, s->terms);
}

CliShapes *cli_shapes_create(const HolMechanism *mechanism, const HolState *at, const HolModes *modes)
{
    HolMessage message = {"not enough memory"};
    CliShapes *s = calloc(1, sizeof *s);
    if (s)
        *s = (CliShapes){.mechanism = mechanism, .at = at, .modes = modes};
    if (!s || shapes_fill(s, &message) != HOL_OK) {
        cli_fail("%s", message.text);
        cli_shapes_destroy(s);
        return NULL;
    }
    return s;
}

void cli_shapes_destroy(CliShapes *shapes)
{
    if (!shapes)
        return;
    hol_recorder_destroy(shapes->recorder);
    hol_terms_destroy(shapes->terms);
    free(shapes->columns);
    free(shapes->values);
    free(shapes->v);
    free(shapes);
}

int cli_shapes_count(const CliShapes *shapes)
{
    return shapes->count;
}

void cli_shapes_name(const CliShapes *shapes, int index, char *name, size_t size)
{
    const char *column = hol_recorder_column(shapes->recorder, shapes->columns[index]);
    const char *dot = strrchr(column, '.');
    snprintf(name, size, "%.*s.%s", (int)(dot - column), column, displacements[velocity_of(column)]);
}

/* Evaluates velocity columns, which are linear in v, at v = y. */
static HolStatus read_part(CliShapes *s, const double *y, double *part)
{
    HolState state = *s->at;
    HolMeasures measures = {0};
    memcpy(s->v, y, (size_t)hol_system_pattern(hol_mechanism_system(s->mechanism))->nv * sizeof *y);
    state.v = s->v;
    HolStatus status = hol_recorder_read(s->recorder, &state, &measures, s->values);
    for (int i = 0; i < s->count; ++i)
        part[i] = s->values[s->columns[i]];
    return status;
}

HolStatus cli_shapes_read(CliShapes *shapes, int mode, double *re, double *im)
{
    double largest = 0;
    HolStatus status = read_part(shapes, shapes->modes->modes[mode].shape, re);
    if (status == HOL_OK)
        status = read_part(shapes, shapes->modes->modes[mode].shape_imaginary, im);
    for (int i = 0; i < shapes->count; ++i)
        largest = fmax(largest, hypot(re[i], im[i]));
    for (int i = 0; i < shapes->count && largest > 0; ++i) {
        re[i] /= largest;
        im[i] /= largest;
    }
    return status;
}

/* y^T M y of one block, or y^T y. */
static double shapes_energy(const HolPattern *p, const double *M, int block, const double *y)
{
    int start = p->block_start[block], n = p->block_start[block + 1] - start;
    double sum = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            sum += y[start + i] * (M ? M[p->mass_start[block] + i * n + j] : i == j) * y[start + j];
    return sum;
}

void cli_shapes_shares(const CliShapes *shapes, int mode, double *shares)
{
    const HolPattern *p = hol_system_pattern(hol_mechanism_system(shapes->mechanism));
    const HolMode *m = &shapes->modes->modes[mode];
    const double *M = shapes->terms->M;
    double sum = 0;
    for (int pass = 0; pass < 2 && !(sum > 0); ++pass, M = NULL) {
        sum = 0;
        for (int b = 0; b < p->block_count; ++b) {
            shares[b] = shapes_energy(p, M, b, m->shape) + shapes_energy(p, M, b, m->shape_imaginary);
            sum += shares[b];
        }
    }
    for (int b = 0; b < p->block_count && sum > 0; ++b)
        shares[b] /= sum;
}
