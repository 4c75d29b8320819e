/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems that forward the terms of another one: the base of those that fail, return wrong terms or repeat rows.
 *
 * Such a system's self begins with a Wrapped. Its evaluate() begins with wrapped_evaluate(), which evaluates the
 * inner system and copies its terms; it may change them afterwards. */
#ifndef HOLON_TESTS_WRAPPED_H
#define HOLON_TESTS_WRAPPED_H

#include <holon/system.h>

typedef struct Wrapped {
    const HolSystem *inner;
    HolTerms *terms; /* of the inner system */
} Wrapped;

/* The numbers of one term, and the bit that asks for them (0: those of the tangent). */
typedef struct TermArray {
    const char *name;
    unsigned bit;
    double *x;
    int count;
} TermArray;

enum { TERM_ARRAYS = 11 };
void term_arrays(HolTerms *terms, TermArray *arrays);

HolStatus wrapped_open(const HolSystem *inner, Wrapped *wrapped);
void wrapped_close(Wrapped *wrapped);

/* Of every term as many numbers as both systems have. */
HolStatus wrapped_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms);
HolStatus wrapped_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                          HolTerms *terms);
void wrapped_qdot(const void *self, const double *q, const double *v, double *qdot);
void wrapped_displace(const void *self, const double *q_a, const double *delta, double *q_b);
HolStatus wrapped_evaluate_mean(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                                unsigned want, HolTerms *terms);
void wrapped_retract(const void *self, const double *q, const double *w, double *q_new);

/* A system with the division of the inner one, but nothing constant, so that every term is asked for at any time. */
HolStatus wrapped_create(const Wrapped *self, const HolSystemOps *ops, HolSystem **system);

#endif
