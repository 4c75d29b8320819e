/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors for IDA. N_VClone() of SUNDIALS 6.4 writes to a vector that it has not got where memory is short, so clones
 * are made in advance: a clone takes one of them. */
#ifndef HOLON_COMPARE_VECTORS_H
#define HOLON_COMPARE_VECTORS_H

#include <nvector/nvector_serial.h>
#include <stdbool.h>

enum { HOL_SPARE_VECTORS = 40 }; /* IDA and its user take 23 */

typedef struct HolSpares {
    N_Vector list[HOL_SPARE_VECTORS];
    int count;
} HolSpares;

/* False: not enough memory; what there is must be freed all the same. Spares must outlive all vectors. */
bool hol_spares_create(HolSpares *spares, int n, SUNContext context);
/* One that is owned by the caller, by N_VDestroy(); NULL: there is none left. */
N_Vector hol_spares_take(HolSpares *spares);
void hol_spares_free(HolSpares *spares);

#endif
