/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers too small to be normal count as zero while the library steps.
 *
 * Processors take them at a hundredth of their speed, and a long chain of bodies, most of it at rest, is full of them.
 * The caller's mode is put back on return, so the host program is not changed. Where the processor is not known this
 * does nothing. */
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
