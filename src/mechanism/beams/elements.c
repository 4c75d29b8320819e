/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/beams/elements.h"

#include "base/tolerances.h"
#include "mechanism/beams/evaluate.h"
#include "mechanism/beams/shape.h"
#include "mechanism/kinematics/rotation.h"

#include <math.h>
#include <string.h>

/* Coordinates of the nodes as drawn. */
static void read_nodes(const HolMechanism *m, const HolBeamElement *e, double *q)
{
    for (int i = 0; i < e->node_count; ++i, q += HOL_NODE_NUMBERS) {
        const HolBody *body = &m->bodies[e->body - 1 + i];
        HolFrame frame;
        hol_frame_place(&frame, body->r, body->e);
        for (int x = 0; x < 3; ++x) {
            q[x] = frame.r[x];
            for (int k = 0; k < 3; ++k)
                q[3 + 3 * k + x] = frame.R[x][k];
        }
    }
}

/* Shape functions with derivatives by s, and the part of the length: ds = |dr/dxi| dxi. */
static void place_point(const HolBeamElement *e, const HolGauss *gauss, const double *q, HolBeamPoint *p)
{
    double dr[3] = {0};
    hol_shape_functions(e->node_count, gauss->xi, p->N, p->dN);
    for (int i = 0; i < e->node_count; ++i)
        for (int x = 0; x < 3; ++x)
            dr[x] += p->dN[i] * q[HOL_NODE_NUMBERS * i + x];
    double stretch = sqrt(hol_dot3(dr, dr));
    p->weight = gauss->weight * stretch;
    for (int i = 0; i < e->node_count; ++i)
        p->dN[i] /= stretch;
}

/* Whether a symmetric matrix has a Cholesky factor; it is scaled to a unit diagonal first. */
static bool is_positive(int n, const double *A)
{
    double L[HOL_STRAINS][HOL_STRAINS];
    for (int i = 0; i < n; ++i)
        if (!(A[n * i + i] > 0) || !isfinite(A[n * i + i]))
            return false;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = A[n * i + j] / sqrt(A[n * i + i]) / sqrt(A[n * j + j]);
            for (int k = 0; k < j; ++k)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 10 * HOL_TOL_PIVOT))
                return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    return true;
}

static HolElementFault fault_of(const HolCrossSection *section, double s)
{
    HolElementFault fault = {.s = s};
    if (!is_positive(HOL_STRAINS, section->S[0]))
        fault.why = "its stiffness must be positive (a matrix: positive definite); it is not";
    else if (!is_positive(HOL_MASS_VECTORS, section->mu[0]))
        fault.why = "its mass and inertia per length must be positive (a matrix: positive definite); they are not";
    return fault;
}

/* (4) of beam.h, by one Gauss point more than the stiffness has, which is exact where the section does not change. */
static void particles_add_mass(HolBeamElement *e, const HolBeamPoint *p, double mu[HOL_MASS_VECTORS][HOL_MASS_VECTORS])
{
    for (int i = 0; i < e->node_count; ++i) {
        for (int k = 0; k < HOL_MASS_VECTORS; ++k)
            e->moments[i][k] += p->weight * p->N[i] * mu[0][k];
        for (int j = 0; j < e->node_count; ++j) {
            double share = p->weight * p->N[i] * p->N[j];
            e->share[i][j] += share;
            for (int k = 0; k < HOL_MASS_VECTORS * HOL_MASS_VECTORS; ++k)
                e->inertia[i][j][k / HOL_MASS_VECTORS][k % HOL_MASS_VECTORS] +=
                    share * mu[k / HOL_MASS_VECTORS][k % HOL_MASS_VECTORS];
        }
    }
}

/* What a node weighs while mechanisms are assembled, where it is a body by itself. */
static void lend_mass(const HolMechanism *m, const HolBeamElement *e, double length)
{
    for (int i = 0; i < e->node_count; ++i) {
        HolBody *body = &m->bodies[e->body - 1 + i];
        body->assembly_mass += e->moments[i][0];
        body->assembly_inertia += e->moments[i][0] * length * length / 12;
    }
}

HolElementFault hol_beam_element_make(const HolMechanism *mechanism, const HolBeam *beam, int index,
                                      const HolSectionRead *section, const double *free_curvature,
                                      HolBeamElement *element)
{
    double q[HOL_NODE_NUMBERS * HOL_BEAM_NODES], each = beam->length / beam->element_count;
    HolElementFault fault = {0};
    *element = (HolBeamElement){.node_count = beam->order + 1, .body = beam->first_node + beam->order * index};
    read_nodes(mechanism, element, q);
    for (int i = 0; i < beam->order && !fault.why; ++i) {
        const HolGauss *gauss = &hol_gauss(beam->order)[i];
        HolBeamPoint *p = &element->points[i];
        HolCrossSection here;
        double s = each * (index + (1 + gauss->xi) / 2);
        place_point(element, gauss, q, p);
        section->kind->measure(section->values, s, &here);
        fault = fault_of(&here, s);
        memcpy(p->S, here.S, sizeof p->S);
        hol_beam_strains(element, p, q, p->eps_0);
        p->a_1 = hol_beam_axis(element, p, q);
        if (free_curvature)
            memcpy(p->eps_0 + 3, free_curvature, 3 * sizeof *free_curvature);
    }
    for (int i = 0; i < element->node_count && !fault.why; ++i) {
        const HolGauss *gauss = &hol_gauss(element->node_count)[i];
        HolBeamPoint p;
        HolCrossSection here;
        double s = each * (index + (1 + gauss->xi) / 2);
        place_point(element, gauss, q, &p);
        section->kind->measure(section->values, s, &here);
        fault = fault_of(&here, s);
        particles_add_mass(element, &p, here.mu);
    }
    lend_mass(mechanism, element, each);
    return fault;
}
