/* SPDX-License-Identifier: BSD-3-Clause */
#include "wrapped.h"

#include <stdlib.h>
#include <string.h>

void term_arrays(HolTerms *terms, TermArray *arrays)
{
    const HolPattern *p = terms->pattern;
    int tangent = terms->K ? p->tangent_start[p->tangent_count] : 0;
    const TermArray list[TERM_ARRAYS] = {
        {"M", HOL_WANT_MASS, terms->M, p->mass_start[p->mass_pair_count]},
        {"Q", HOL_WANT_FORCE, terms->Q, p->nv},
        {"power", HOL_WANT_FORCE, &terms->power, 1},
        {"Phi", HOL_WANT_PHI, terms->Phi, p->nh},
        {"D", HOL_WANT_JACOBIAN, terms->D, p->pair_start[p->pair_count]},
        {"nu", HOL_WANT_NU, terms->nu, p->m},
        {"gamma", HOL_WANT_GAMMA, terms->gamma, p->m},
        {"kinetic", HOL_WANT_ENERGY, &terms->kinetic, 1},
        {"potential", HOL_WANT_ENERGY, &terms->potential, 1},
        {"K", 0, terms->K, tangent},
        {"C", 0, terms->C, tangent},
    };
    memcpy(arrays, list, sizeof list);
}

HolStatus wrapped_open(const HolSystem *inner, Wrapped *wrapped)
{
    *wrapped = (Wrapped){.inner = inner};
    return hol_terms_create(inner, &wrapped->terms);
}

void wrapped_close(Wrapped *wrapped)
{
    hol_terms_destroy(wrapped->terms);
    wrapped->terms = NULL;
}

static void copy_terms(HolTerms *from, HolTerms *to)
{
    TermArray a[TERM_ARRAYS], b[TERM_ARRAYS];
    term_arrays(from, a);
    term_arrays(to, b);
    for (int k = 0; k < TERM_ARRAYS; k++)
        for (int i = 0; i < a[k].count && i < b[k].count; i++)
            b[k].x[i] = a[k].x[i];
}

HolStatus wrapped_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Wrapped *w = self;
    HolStatus status = hol_system_evaluate(w->inner, at, want, w->terms);
    copy_terms(w->terms, terms);
    return status;
}

HolStatus wrapped_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                          HolTerms *terms)
{
    const Wrapped *w = self;
    HolStatus status = hol_system_tangent(w->inner, at, vdot, lambda, w->terms);
    copy_terms(w->terms, terms);
    return status;
}

void wrapped_displace(const void *self, const double *q_a, const double *delta, double *q_b)
{
    hol_system_displace(((const Wrapped *)self)->inner, q_a, delta, q_b);
}

HolStatus wrapped_evaluate_mean(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                                unsigned want, HolTerms *terms)
{
    const Wrapped *w = self;
    HolStatus status = hol_system_evaluate_mean(w->inner, middle, q_a, q_b, want, w->terms);
    copy_terms(w->terms, terms);
    return status;
}

void wrapped_qdot(const void *self, const double *q, const double *v, double *qdot)
{
    hol_system_qdot(((const Wrapped *)self)->inner, q, v, qdot);
}

void wrapped_retract(const void *self, const double *q, const double *w, double *q_new)
{
    hol_system_retract(((const Wrapped *)self)->inner, q, w, q_new);
}

/* sizes[i] = start[i + 1] - start[i] */
static void sizes_of(int count, const int *start, int *sizes)
{
    for (int i = 0; i < count; i++)
        sizes[i] = start[i + 1] - start[i];
}

HolStatus wrapped_create(const Wrapped *self, const HolSystemOps *ops, HolSystem **system)
{
    const HolPattern *p = self->terms->pattern;
    int *sizes = calloc((size_t)(p->block_count + p->group_count), sizeof *sizes);
    HolSystemSpec spec = hol_system_spec();
    if (!sizes)
        return HOL_NO_MEMORY;
    sizes_of(p->block_count, p->block_start, sizes);
    sizes_of(p->group_count, p->group_start, sizes + p->block_count);
    spec.name = hol_system_name(self->inner);
    spec.ops = ops;
    spec.self = self;
    spec.constant_mass = ops->displace != NULL; /* which need it */
    spec.nq = p->nq;
    spec.nv = p->nv;
    spec.nh = p->nh;
    spec.nn = p->nn;
    spec.block_count = p->block_count;
    spec.block_sizes = sizes;
    spec.group_count = p->group_count;
    spec.group_sizes = sizes + p->block_count;
    spec.pair_count = p->pair_count;
    spec.pairs = p->pairs;
    spec.mass_pair_count = p->mass_pair_count - p->block_count;
    spec.mass_pairs = spec.mass_pair_count > 0 ? p->mass_pairs + p->block_count : NULL;
    HolStatus status = hol_system_create(&spec, system, NULL);
    free(sizes);
    return status;
}
