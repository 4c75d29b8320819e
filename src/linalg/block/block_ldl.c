/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/block/block_ldl.h"

#include "linalg/block/block_ldl_kernels.h"

HOL_KERNEL void eliminate(HolBlockLdl *ldl, int R, double tolerance, const unsigned char *left_out)
{
    HolPivots pivots = hol_pivots_begin(tolerance);
    const HolLdlColumn *c, *end = ldl->columns + ldl->count;
    double *const *target = ldl->target;
    for (c = ldl->columns; c < end; ++c) {
        hol_remember_diagonal(R ? R : c->size, c->L, c->reference);
        if (left_out)
            hol_leave_out(R ? R : c->size, left_out + c->start, c->reference);
    }
    for (c = ldl->columns; c < end; ++c)
        target = hol_eliminate(ldl, c, R, &pivots, target);
    hol_pivots_end(&pivots, ldl);
}

HOL_KERNEL void substitute(const HolBlockLdl *ldl, int R, double *x)
{
    for (const HolLdlColumn *c = ldl->columns; c < ldl->columns + ldl->count; ++c)
        hol_forward(c, R, x);
    hol_backward(ldl, R, x);
}

#define SIZED(R)                                                                                                       \
    HOL_CLONES static void eliminate_##R(HolBlockLdl *ldl, double tolerance, const unsigned char *left_out)            \
    {                                                                                                                  \
        eliminate(ldl, R, tolerance, left_out);                                                                        \
    }                                                                                                                  \
    HOL_CLONES static void substitute_##R(const HolBlockLdl *ldl, double *x)                                           \
    {                                                                                                                  \
        substitute(ldl, R, x);                                                                                         \
    }
SIZED(0)
SIZED(1)
SIZED(2)
SIZED(3)
SIZED(4)
SIZED(5)
SIZED(6)
SIZED(7)
SIZED(8)

void hol_ldl_choose_kernels(HolBlockLdl *ldl, int size)
{
    static const struct {
        void (*eliminate)(HolBlockLdl *ldl, double tolerance, const unsigned char *left_out);
        void (*substitute)(const HolBlockLdl *ldl, double *x);
    } copies[] = {{eliminate_0, substitute_0}, {eliminate_1, substitute_1}, {eliminate_2, substitute_2},
                  {eliminate_3, substitute_3}, {eliminate_4, substitute_4}, {eliminate_5, substitute_5},
                  {eliminate_6, substitute_6}, {eliminate_7, substitute_7}, {eliminate_8, substitute_8}};
    int known = size < (int)(sizeof copies / sizeof *copies) ? size : 0;
    ldl->eliminate = copies[known].eliminate;
    ldl->substitute = copies[known].substitute;
}

HolStatus hol_ldl_factor(HolBlockLdl *ldl, double tolerance, const unsigned char *left_out)
{
    ldl->eliminate(ldl, tolerance, left_out);
    return ldl->finite ? HOL_OK : HOL_NOT_FINITE;
}

void hol_ldl_solve(const HolBlockLdl *ldl, double *x)
{
    ldl->substitute(ldl, x);
}
