/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/hash.h"

#include <string.h>

/* Both factors are odd and a shift is undone by itself: each call is a one-to-one map of hash for one word, and of word
 * for one hash. */
static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9u;
    hash ^= hash >> 32;
    return hash * 0x94D049BB133111EBu;
}

uint64_t hol_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t word = 0;
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = hash_word(hash, word);
    }
    word = 0;
    if (size > 0)
        memcpy(&word, at, size);
    return hash_word(hash_word(hash, word), size);
}

uint64_t hol_hash_text(uint64_t hash, const char *text)
{
    return text ? hol_hash_bytes(hash, text, strlen(text)) : hol_hash_int(hash, 0);
}

uint64_t hol_hash_doubles(uint64_t hash, const double *x, size_t count)
{
    return x ? hol_hash_bytes(hash, x, count * sizeof *x) : hol_hash_int(hash, 0);
}

uint64_t hol_hash_int(uint64_t hash, long long x)
{
    return hol_hash_bytes(hash, &x, sizeof x);
}
