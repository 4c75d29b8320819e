/* SPDX-License-Identifier: BSD-3-Clause */
/* Denormal numbers are flushed to zero while the library steps.
 *
 * Processors compute with them a hundred times slower, and a long chain of bodies mostly at rest is full of them.
 * The caller's mode is restored on return. On unknown processors this does nothing. */
#ifndef HOLON_BASE_FLOAT_MODE_H
#define HOLON_BASE_FLOAT_MODE_H

#if defined(__SSE2__)
#include <immintrin.h>

static inline unsigned hol_float_mode_enter(void)
{
    enum { FLUSH_RESULTS = 0x8000, FLUSH_OPERANDS = 0x0040 };
    unsigned mode = _mm_getcsr();
    _mm_setcsr(mode | FLUSH_RESULTS | FLUSH_OPERANDS);
    return mode;
}

/* Keeps the exception flags that were raised meanwhile. */
static inline void hol_float_mode_leave(unsigned mode)
{
    enum { FLAGS = 0x003f };
    _mm_setcsr(mode | (_mm_getcsr() & FLAGS));
}
#else
static inline unsigned hol_float_mode_enter(void)
{
    return 0;
}

static inline void hol_float_mode_leave(unsigned mode)
{
    (void)mode;
}
#endif

#endif
