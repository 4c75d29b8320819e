/* SPDX-License-Identifier: BSD-3-Clause */
/* Under AddressSanitizer its hooks report each call; otherwise the functions below take the place of glibc's in the
 * whole process, shared libraries included, and forward to the originals. */
#include "allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAVE_ADDRESS_SANITIZER
#endif

static atomic_bool counting;
static atomic_long call_count;

static void count_call(void)
{
    if (atomic_load_explicit(&counting, memory_order_relaxed))
        atomic_fetch_add_explicit(&call_count, 1, memory_order_relaxed);
}

long allocations_stop(void)
{
    atomic_store(&counting, false);
    return atomic_load(&call_count);
}

#ifdef HAVE_ADDRESS_SANITIZER

/* From <sanitizer/allocator_interface.h>, which gcc does not install. */
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void *, size_t),
                                              void (*free_hook)(const volatile void *));

static void malloc_hook(const volatile void *memory, size_t size)
{
    (void)memory;
    (void)size;
    count_call();
}

static void free_hook(const volatile void *memory)
{
    if (memory != NULL)
        count_call();
}

void allocations_start(void)
{
    static bool installed;
    if (!installed)
        installed = __sanitizer_install_malloc_and_free_hooks(malloc_hook, free_hook) != 0;
    atomic_store(&call_count, 0);
    atomic_store(&counting, true);
}

#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **memory, size_t alignment, size_t size);
void free(void *memory);

void allocations_start(void)
{
    atomic_store(&call_count, 0);
    atomic_store(&counting, true);
}

void *malloc(size_t size)
{
    count_call();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    count_call();
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    count_call();
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count_call();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    count_call();
    void *result = __libc_memalign(alignment, size);
    if (result == NULL)
        return ENOMEM;
    *memory = result;
    return 0;
}

void free(void *memory)
{
    if (memory != NULL)
        count_call();
    __libc_free(memory);
}

#endif
