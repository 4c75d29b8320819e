/* SPDX-License-Identifier: BSD-3-Clause */
/* A 64-bit hash of bytes. Two inputs of one length that differ within eight aligned bytes never have the same hash. It
 * protects against accidents, not against people. */
#ifndef HOLON_BASE_HASH_H
#define HOLON_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HOL_HASH_BEGIN 0x9E3779B97F4A7C15u

/* The hash of what `hash` is of, followed by these bytes. */
uint64_t hol_hash_bytes(uint64_t hash, const void *bytes, size_t size);
uint64_t hol_hash_text(uint64_t hash, const char *text); /* NULL: an empty text; its end is part of the hash */
uint64_t hol_hash_doubles(uint64_t hash, const double *x, size_t count); /* NULL: no numbers */
uint64_t hol_hash_int(uint64_t hash, long long x);

#endif
