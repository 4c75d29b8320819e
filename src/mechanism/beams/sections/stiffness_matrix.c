/* SPDX-License-Identifier: BSD-3-Clause */
/* A section by its 6 x 6 matrices: stresses (N, V2, V3, T, M2, M3) from strains, and momenta per length from velocity
 * and angular velocity in section axes. With the centre of mass at x = (0, x_2, x_3) the latter is
 *
 *     (m I, -m x~; m x~, J),   J_11 = J_22 + J_33                                                           (1) */
#include "base/tolerances.h"
#include "mechanism/beams/sections/section.h"

#include <math.h>
#include <string.h>

typedef struct Values {
    const HolNode *stiffness, *inertia;
    HolCrossSection section;
} Values;

static bool read_matrix(HolReader *reader, const HolNode *node, double A[6][6])
{
    bool ok = hol_read_list(reader, node, 6, "six rows of six numbers");
    const HolNode *row = ok ? node->first : NULL;
    double largest = 0;
    for (int i = 0; row; ++i, row = row->next) {
        bool has_six = hol_read_list(reader, row, 6, "a row of six numbers");
        const HolNode *entry = has_six ? row->first : NULL;
        for (int j = 0; entry; ++j, entry = entry->next) {
            has_six = hol_read_number(reader, entry, NULL, &A[i][j]) && has_six;
            largest = fmax(largest, fabs(A[i][j]));
        }
        ok = ok && has_six;
    }
    for (int k = 0; k < 36 && ok; ++k)
        if (fabs(A[k / 6][k % 6] - A[k % 6][k / 6]) > HOL_TOL_EQUAL * largest)
            return hol_reader_error(reader, node->place, "'%s' must be symmetric; entry %d, %d is %g, but %d, %d is %g",
                                    reader->field, k / 6 + 1, k % 6 + 1, A[k / 6][k % 6], k % 6 + 1, k / 6 + 1,
                                    A[k % 6][k / 6]);
    return ok;
}

/* (1) from mu. */
static void stiffness_matrix_inertia_of(double mu[3][3], double M[6][6])
{
    const double m = mu[0][0], x2 = mu[0][1], x3 = mu[0][2];
    const double upper[6][6] = {{m, 0, 0, 0, x3, -x2},
                                {0, m, 0, -x3, 0, 0},
                                {0, 0, m, x2, 0, 0},
                                {0, -x3, x2, mu[1][1] + mu[2][2], 0, 0},
                                {x3, 0, 0, 0, mu[2][2], -mu[1][2]},
                                {-x2, 0, 0, 0, -mu[1][2], mu[1][1]}};
    memcpy(M, upper, sizeof upper);
}

static bool stiffness_matrix_take_inertia(HolReader *reader, const HolNode *node, double M[6][6], double mu[3][3])
{
    double expected[6][6], largest = 0;
    mu[0][0] = M[0][0];
    mu[0][1] = mu[1][0] = -M[0][5];
    mu[0][2] = mu[2][0] = M[0][4];
    mu[1][1] = M[5][5];
    mu[2][2] = M[4][4];
    mu[1][2] = mu[2][1] = -M[4][5];
    stiffness_matrix_inertia_of(mu, expected);
    for (int k = 0; k < 36; ++k)
        largest = fmax(largest, fabs(M[k / 6][k % 6]));
    for (int k = 0; k < 36; ++k)
        if (fabs(M[k / 6][k % 6] - expected[k / 6][k % 6]) > HOL_TOL_SAME * largest)
            return hol_reader_error(reader, node->place,
                                    "'inertia' is not that of a section: entry %d, %d is %g, but the others make it %g",
                                    k / 6 + 1, k % 6 + 1, M[k / 6][k % 6], expected[k / 6][k % 6]);
    return true;
}

static bool stiffness_matrix_check(HolBuilder *builder, const HolPart *part, void *values)
{
    (void)part;
    Values *v = values;
    HolReader *reader = builder->reader;
    double M[6][6];
    reader->field = "stiffness";
    bool ok = read_matrix(reader, v->stiffness, v->section.S);
    reader->field = "inertia";
    ok =
        read_matrix(reader, v->inertia, M) && stiffness_matrix_take_inertia(reader, v->inertia, M, v->section.mu) && ok;
    reader->field = NULL;
    return ok;
}

static void stiffness_matrix_measure(const void *values, double s, HolCrossSection *section)
{
    (void)s;
    *section = ((const Values *)values)->section;
}

static const HolField fields[] = {
    {"stiffness", HOL_FIELD_NODE, offsetof(Values, stiffness), .needed = true,
     .help = "six rows of six numbers: (N, V2, V3, T, M2, M3) from stretch, shears, twist and curvatures"},
    {"inertia", HOL_FIELD_NODE, offsetof(Values, inertia), .needed = true,
     .help = "six rows of six numbers, per length: momenta from velocity and angular velocity in section axes"},
};

static const HolSample samples[] = {
    {"{stiffness: [[20, 0, 0, 0, 0, 0], [0, 7, 0, 0, 0, 0], [0, 0, 6, 0, 0, 0], [0, 0, 0, 3, 0, 0], [0, 0, 0, 0, 2,"
     " 0], [0, 0, 0, 0, 0, 1.5]], inertia: [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0,"
     " 0.3, 0, 0], [0, 0, 0, 0, 0.1, 0], [0, 0, 0, 0, 0, 0.2]]}",
     HOL_IN_SPACE, 0, 0},
};

const HolSectionKind hol_stiffness_matrix = {
    .kind = {"stiffness", "a section by its 6 x 6 matrices of stiffness and inertia", "matrix", HOL_IN_SPACE,
             HOL_FIELDS(fields, Values), HOL_SAMPLES(samples), .natural = true},
    .check = stiffness_matrix_check,
    .measure = stiffness_matrix_measure,
};
