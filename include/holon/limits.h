/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model may cost before a run begins. A model file cannot change these limits: only the program that reads it
 * can, or the person who starts the command (--limit).
 *
 *     HolLimits limits = hol_limits();
 *     limits.memory = 16e9;
 *     status = hol_model_set_limits(model, &limits, &message);       before it is loaded */
#ifndef HOLON_LIMITS_H
#define HOLON_LIMITS_H

#include <holon/model.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct HolLimits {
    double parts;  /* that `repeat` writes out: points, bodies, beams, joints, forces, drivers, initial values */
    double memory; /* bytes of each object: the model, the mechanism, a simulation, an equilibrium, ... */
    double file;   /* bytes of a model file, and of each file that it extends */
} HolLimits;

/* A million parts, 4e9 bytes of memory, 64e6 bytes of a file. */
HolLimits hol_limits(void);

/* Holds for what is loaded and compiled from now on, and for simulations, equilibria and modes of the mechanisms. Each
 * limit is at least 1; parts and file at most 1e9. HOL_BAD_INPUT and a sentence leave the limits as they were. */
HolStatus hol_model_set_limits(HolModel *model, const HolLimits *limits, HolMessage *message);
HolLimits hol_model_limits(const HolModel *model); /* of NULL: the usual ones */

/* Sets one limit from text, as --limit does: "parts=2000000", "memory=16GB", "file=200MB" (B, kB, MB, GB or TB). */
HolStatus hol_limits_parse(const char *text, HolLimits *limits, HolMessage *message);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
