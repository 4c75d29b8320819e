/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/simulation.h>

#include <stdlib.h>
#include <string.h>
HolStatus hol_assemble_positions(const HolSystem *system, double t, double *q, HolMessage *message)
{
    double *v = calloc((size_t)hol_system_pattern(system)->nv, 8);
    HolStatus s = hol_assemble(system, t, q, v, message);
    free(v);
    return s;
}
HolStatus hol_assemble_velocities(const HolSystem *system, double t, const double *q, double *v, HolMessage *message)
{
    size_t nq = (size_t)hol_system_pattern(system)->nq;
    double *copy = calloc(nq, 8);
    memcpy(copy, q, nq * 8);
    HolStatus s = hol_assemble(system, t, copy, v, message);
    free(copy);
    return s;
}
