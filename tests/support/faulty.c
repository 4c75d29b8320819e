/* SPDX-License-Identifier: BSD-3-Clause */
#include "faulty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Faulty {
    Scene scene;
    const HolSystem *inner;
    HolTerms *terms; /* of the inner system */
    Fault fault;
    bool active;
    long *calls; /* evaluate() sees this structure as constant */
};

/* Copies one term, with a NaN in front if it is the faulty one. */
static void pass_on(const char *name, const char *faulty, int count, const double *from, double *to)
{
    for (int i = 0; i < count; i++)
        to[i] = from[i];
    if (faulty && count > 0 && strcmp(name, faulty) == 0)
        to[0] = NAN;
}

static void pass_all(const HolTerms *from, const char *faulty, HolTerms *to)
{
    const HolPattern *p = from->pattern;
    pass_on("M", faulty, p->mass_start[p->mass_pair_count], from->M, to->M);
    pass_on("Q", faulty, p->nv, from->Q, to->Q);
    pass_on("Phi", faulty, p->nh, from->Phi, to->Phi);
    pass_on("D", faulty, p->pair_start[p->pair_count], from->D, to->D);
    pass_on("nu", faulty, p->m, from->nu, to->nu);
    pass_on("gamma", faulty, p->m, from->gamma, to->gamma);
    pass_on("kinetic", faulty, 1, &from->kinetic, &to->kinetic);
    pass_on("potential", faulty, 1, &from->potential, &to->potential);
    pass_on("power", faulty, 1, &from->power, &to->power);
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Faulty *f = self;
    bool wrong = f->active && at->t > f->fault.after && ++*f->calls > f->fault.calls;
    HolStatus status = hol_system_evaluate(f->inner, at, want, f->terms);
    pass_all(f->terms, wrong ? f->fault.term : NULL, terms);
    return wrong && f->fault.status != HOL_OK ? f->fault.status : status;
}

static void qdot(const void *self, const double *q, const double *v, double *result)
{
    hol_system_qdot(((const Faulty *)self)->inner, q, v, result);
}

static void retract(const void *self, const double *q, const double *w, double *q_new)
{
    hol_system_retract(((const Faulty *)self)->inner, q, w, q_new);
}

/* sizes[i] = start[i + 1] - start[i] */
static void sizes_of(int count, const int *start, int *sizes)
{
    for (int i = 0; i < count; i++)
        sizes[i] = start[i + 1] - start[i];
}

/* The same division as the inner system; nothing is constant, so that every term can go wrong at any time. */
static HolStatus wrap(Faulty *f)
{
    static const HolSystemOps ops = {.evaluate = evaluate, .qdot = qdot, .retract = retract};
    const HolPattern *p = f->terms->pattern;
    int *sizes = calloc((size_t)(p->block_count + p->group_count), sizeof *sizes);
    HolSystemSpec spec = hol_system_spec();
    if (!sizes)
        return HOL_NO_MEMORY;
    sizes_of(p->block_count, p->block_start, sizes);
    sizes_of(p->group_count, p->group_start, sizes + p->block_count);
    spec.name = hol_system_name(f->inner);
    spec.ops = &ops;
    spec.self = f;
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
    HolStatus status = hol_system_create(&spec, &f->scene.system, NULL);
    free(sizes);
    return status;
}

Faulty *faulty_create(const Scene *scene)
{
    Faulty *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->scene = *scene;
    f->scene.system = NULL;
    f->inner = scene->system;
    f->calls = calloc(1, sizeof *f->calls);
    if (!f->calls || hol_terms_create(scene->system, &f->terms) != HOL_OK || wrap(f) != HOL_OK) {
        faulty_destroy(f);
        return NULL;
    }
    return f;
}

void faulty_destroy(Faulty *faulty)
{
    if (!faulty)
        return;
    hol_system_destroy(faulty->scene.system);
    hol_terms_destroy(faulty->terms);
    free(faulty->calls);
    free(faulty);
}

const Scene *faulty_scene(const Faulty *faulty)
{
    return &faulty->scene;
}

void faulty_set(Faulty *faulty, const Fault *fault)
{
    faulty->active = fault != NULL;
    *faulty->calls = 0;
    if (fault)
        faulty->fault = *fault;
}
