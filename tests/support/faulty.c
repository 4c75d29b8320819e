/* SPDX-License-Identifier: BSD-3-Clause */
#include "faulty.h"

#include "wrapped.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Faulty {
    Wrapped wrapped;
    Scene scene;
    Fault fault;
    bool active;
    long *calls; /* evaluate() sees this structure as constant */
};

/* A NaN in front of the term. */
static void spoil(HolTerms *terms, const char *name)
{
    TermArray arrays[TERM_ARRAYS];
    term_arrays(terms, arrays);
    for (int k = 0; k < TERM_ARRAYS; k++)
        if (arrays[k].count > 0 && strcmp(arrays[k].name, name) == 0)
            arrays[k].x[0] = NAN;
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Faulty *f = self;
    bool wrong = f->active && at->t > f->fault.after && ++*f->calls > f->fault.calls;
    HolStatus status = wrapped_evaluate(self, at, want, terms);
    if (wrong && f->fault.term)
        spoil(terms, f->fault.term);
    return wrong && f->fault.status != HOL_OK ? f->fault.status : status;
}

Faulty *faulty_create(const Scene *scene)
{
    static const HolSystemOps ops = {.evaluate = evaluate, .qdot = wrapped_qdot, .retract = wrapped_retract};
    Faulty *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->scene = *scene;
    f->scene.system = NULL;
    f->calls = calloc(1, sizeof *f->calls);
    if (!f->calls || wrapped_open(scene->system, &f->wrapped) != HOL_OK ||
        wrapped_create(&f->wrapped, &ops, &f->scene.system) != HOL_OK) {
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
    wrapped_close(&faulty->wrapped);
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
