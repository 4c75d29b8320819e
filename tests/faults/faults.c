/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one call of the C library fail: a library that is loaded before it (LD_PRELOAD).
 *
 *     HOLON_FAULT=allocation   malloc calloc realloc reallocarray strdup strndup aligned_alloc posix_memalign
 *     HOLON_FAULT=stream       fwrite fputs fflush fclose of a stream in memory
 *     HOLON_FAULT=write        write pwrite fwrite fputs fflush fclose ftruncate of a file, as on a full disk
 *     HOLON_FAULT=short        write pwrite: half of the bytes are written, and the call says so
 *     HOLON_FAULT=read         read pread fread getline
 *     HOLON_FAULT=sync         fsync fdatasync
 *     HOLON_FAULT=folder       fsync of a folder
 *     HOLON_FAULT=rename       rename
 *     HOLON_FAULT=open         open fopen, fcntl of copies
 *     HOLON_FAULT=lock         fcntl of locks
 *     HOLON_FAULT=close        close, which closes the file all the same
 *     HOLON_FAULT=remove       unlink
 *     HOLON_FAULT=permit       fchmod
 *     HOLON_FAULT=look         stat lstat fstat access realpath readlink getcwd chdir lseek
 *     HOLON_FAULT_AT=17        the 17th of these calls since main() began fails, 0: none
 *     HOLON_FAULT_LASTING=1    and so do all later ones
 *     HOLON_FAULT_COUNT=FILE   at the end the number of calls is written into this file
 *
 * Calls of the libraries that the program uses count too. Allocations inside of the C library are counted, its writes
 * for a FILE are not: the call that the program makes is. What is written to stderr never fails, so that the sentences
 * can be read, and neither do allocations of HDF5 and of SUNDIALS, which crash without them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum Fault {
    NONE,
    ALLOCATION,
    STREAM,
    WRITE,
    SHORT,
    READ,
    SYNC,
    RENAME,
    OPEN,
    LOCK,
    CLOSE,
    REMOVE,
    PERMIT,
    LOOK,
    FOLDER
} Fault;
static const char *const names[] = {"none", "allocation", "stream", "write",  "short",  "read", "sync",  "rename",
                                    "open", "lock",       "close",  "remove", "permit", "look", "folder"};

static Fault fault;
static long at;
static bool is_lasting;
static atomic_bool is_active;
static atomic_long calls;

/* Whether this call must fail. */
static bool fails(Fault kind)
{
    if (kind != fault || !atomic_load(&is_active))
        return false;
    long call = atomic_fetch_add(&calls, 1) + 1;
    return at > 0 && (call == at || (is_lasting && call > at));
}

/* dlsym() may allocate before the next malloc() is known. */
static char early[1 << 16];
static size_t early_used;

static void *early_memory(size_t size)
{
    size_t begin = (early_used + 63) / 64 * 64;
    if (size > sizeof early - begin)
        abort();
    early_used = begin + size;
    return early + begin;
}

static bool is_early(const void *memory)
{
    return (const char *)memory >= early && (const char *)memory < early + sizeof early;
}

#define NEXT(type, name, ...)                                                                                          \
    static type (*next_##name)(__VA_ARGS__);                                                                           \
    static bool find_##name(void)                                                                                      \
    {                                                                                                                  \
        static volatile bool is_looking; /* dlsym() calls back, which the compiler does not expect */                  \
        if (!next_##name && !is_looking) {                                                                             \
            is_looking = true;                                                                                         \
            void *found = dlsym(RTLD_NEXT, #name);                                                                     \
            memcpy(&next_##name, &found, sizeof found);                                                                \
            is_looking = false;                                                                                        \
        }                                                                                                              \
        return next_##name != NULL;                                                                                    \
    }

NEXT(void *, malloc, size_t)
NEXT(void *, calloc, size_t, size_t)
NEXT(void *, realloc, void *, size_t)
NEXT(void, free, void *)
NEXT(int, posix_memalign, void **, size_t, size_t)
NEXT(void *, aligned_alloc, size_t, size_t)
NEXT(ssize_t, read, int, void *, size_t)
NEXT(ssize_t, pread, int, void *, size_t, off_t)
NEXT(size_t, fread, void *, size_t, size_t, FILE *)
NEXT(ssize_t, write, int, const void *, size_t)
NEXT(ssize_t, pwrite, int, const void *, size_t, off_t)
NEXT(size_t, fwrite, const void *, size_t, size_t, FILE *)
NEXT(int, fputs, const char *, FILE *)
NEXT(int, fflush, FILE *)
NEXT(int, fclose, FILE *)
NEXT(int, ftruncate, int, off_t)
NEXT(int, fsync, int)
NEXT(int, fdatasync, int)
NEXT(int, rename, const char *, const char *)
NEXT(int, fcntl, int, int, ...)
NEXT(int, close, int)
NEXT(int, unlink, const char *)
NEXT(int, fchmod, int, mode_t)
NEXT(int, stat, const char *, struct stat *)
NEXT(int, lstat, const char *, struct stat *)
NEXT(int, fstat, int, struct stat *)
NEXT(int, access, const char *, int)
NEXT(char *, realpath, const char *, char *)
NEXT(ssize_t, readlink, const char *, char *, size_t)
NEXT(char *, getcwd, char *, size_t)
NEXT(int, chdir, const char *)
NEXT(off_t, lseek, int, off_t, int)
NEXT(ssize_t, getline, char **, size_t *, FILE *)
NEXT(int, open, const char *, int, ...)
NEXT(FILE *, fopen, const char *, const char *)

/* The code of libraries that crash without memory: the executable segment of each. */
static const char *const spared_names[] = {"libhdf5", "libsundials"};
enum { MAX_SPARED = 8 };
static struct {
    const char *begin, *end;
} spared[MAX_SPARED];
static int spared_count;

static bool is_spared_library(const char *path)
{
    bool is_named = false;
    for (size_t i = 0; i < sizeof spared_names / sizeof *spared_names; ++i)
        is_named = is_named || strstr(path, spared_names[i]);
    return is_named;
}

static int find_spared(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int i = 0; is_spared_library(library->dlpi_name) && i < library->dlpi_phnum && spared_count < MAX_SPARED;
         ++i) {
        const char *begin = (const char *)library->dlpi_addr + library->dlpi_phdr[i].p_vaddr;
        if (library->dlpi_phdr[i].p_type != PT_LOAD || !(library->dlpi_phdr[i].p_flags & PF_X))
            continue;
        spared[spared_count].begin = begin;
        spared[spared_count++].end = begin + library->dlpi_phdr[i].p_memsz;
    }
    return 0;
}

static bool allocation_fails(const void *caller)
{
    const char *code = caller;
    bool is_spared = false;
    for (int i = 0; i < spared_count; ++i)
        is_spared = is_spared || (code >= spared[i].begin && code < spared[i].end);
    return !is_spared && fails(ALLOCATION);
}

#define CALLER __builtin_return_address(0)

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    if (!find_malloc())
        return early_memory(size);
    return allocation_fails(CALLER) ? no_memory() : next_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (!find_calloc())
        return early_memory(count * size); /* of zeros */
    return allocation_fails(CALLER) ? no_memory() : next_calloc(count, size);
}

static void *resize(void *memory, size_t size, const void *caller)
{
    if (is_early(memory) || !find_realloc())
        abort();
    return allocation_fails(caller) ? no_memory() : next_realloc(memory, size);
}

void *realloc(void *memory, size_t size)
{
    return resize(memory, size, CALLER);
}

void *reallocarray(void *memory, size_t count, size_t size)
{
    return resize(memory, count * size, CALLER);
}

void free(void *memory)
{
    if (memory && !is_early(memory) && find_free())
        next_free(memory);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    return !find_posix_memalign() || allocation_fails(CALLER) ? ENOMEM : next_posix_memalign(memory, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return !find_aligned_alloc() || allocation_fails(CALLER) ? no_memory() : next_aligned_alloc(alignment, size);
}

static char *duplicate(const char *text, size_t length, const void *caller)
{
    char *copy = find_malloc() && !allocation_fails(caller) ? next_malloc(length + 1) : no_memory();
    if (!copy)
        return NULL;
    copy[length] = '\0';
    return memcpy(copy, text, length);
}

char *strndup(const char *text, size_t most)
{
    return duplicate(text, strnlen(text, most), CALLER);
}

char *strdup(const char *text)
{
    return duplicate(text, strlen(text), CALLER);
}

/* Files */

static int fail_by(int error)
{
    errno = error;
    return -1;
}

static bool write_fails(int file)
{
    return file != STDERR_FILENO && fails(WRITE);
}

/* A stream in memory has no file. */
static bool stream_fails(FILE *file)
{
    int error = errno, number = file ? fileno(file) : STDOUT_FILENO;
    errno = error;
    return number < 0 ? fails(STREAM) : write_fails(number);
}

/* As after a failed write, which ferror() reports. */
static int fail_stream(FILE *file)
{
    enum { GLIBC_ERROR_FLAG = 0x20 };
    if (file)
        file->_flags |= GLIBC_ERROR_FLAG;
    return fail_by(ENOSPC);
}

static size_t most_of(int file, size_t size)
{
    return size > 1 && file != STDERR_FILENO && fails(SHORT) ? size / 2 : size;
}

ssize_t read(int file, void *bytes, size_t size)
{
    return !find_read() || fails(READ) ? fail_by(EIO) : next_read(file, bytes, size);
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset)
{
    return !find_pread() || fails(READ) ? fail_by(EIO) : next_pread(file, bytes, size, offset);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file)
{
    if (find_fread() && !fails(READ))
        return next_fread(bytes, size, count, file);
    fail_stream(file);
    fail_by(EIO);
    return 0;
}

ssize_t getline(char **line, size_t *size, FILE *file)
{
    if (find_getline() && !fails(READ))
        return next_getline(line, size, file);
    fail_stream(file);
    return fail_by(EIO);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    return !find_write() || write_fails(file) ? fail_by(ENOSPC) : next_write(file, bytes, most_of(file, size));
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    return !find_pwrite() || write_fails(file) ? fail_by(ENOSPC)
                                               : next_pwrite(file, bytes, most_of(file, size), offset);
}

/* Half of it is written. */
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    if (find_fwrite() && !stream_fails(file))
        return next_fwrite(bytes, size, count, file);
    size_t written = next_fwrite(bytes, size, count / 2, file);
    fail_stream(file);
    return written;
}

int fputs(const char *text, FILE *file)
{
    return !find_fputs() || stream_fails(file) ? fail_stream(file) : next_fputs(text, file);
}

int fflush(FILE *file)
{
    return !find_fflush() || stream_fails(file) ? fail_stream(file) : next_fflush(file);
}

int fclose(FILE *file)
{
    bool is_failing = stream_fails(file);
    int closed = find_fclose() ? next_fclose(file) : EOF;
    return is_failing ? fail_by(ENOSPC) : closed;
}

int ftruncate(int file, off_t size)
{
    return !find_ftruncate() || fails(WRITE) ? fail_by(ENOSPC) : next_ftruncate(file, size);
}

static bool is_folder(int file)
{
    struct stat there;
    return find_fstat() && next_fstat(file, &there) == 0 && S_ISDIR(there.st_mode);
}

int fsync(int file)
{
    if (fault == FOLDER && is_folder(file) && fails(FOLDER))
        return fail_by(EIO);
    return !find_fsync() || fails(SYNC) ? fail_by(EIO) : next_fsync(file);
}

int fdatasync(int file)
{
    return !find_fdatasync() || fails(SYNC) ? fail_by(EIO) : next_fdatasync(file);
}

int rename(const char *from, const char *to)
{
    return !find_rename() || fails(RENAME) ? fail_by(EIO) : next_rename(from, to);
}

/* The argument of all commands is an int or a pointer. */
int fcntl(int file, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    bool is_lock = command == F_OFD_SETLK || command == F_SETLK;
    if (command == F_DUPFD_CLOEXEC && fails(OPEN))
        return fail_by(EMFILE);
    return !find_fcntl() || (is_lock && fails(LOCK)) ? fail_by(EIO) : next_fcntl(file, command, argument);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (find_open() && !fails(OPEN))
        return next_open(path, flags, mode);
    return fail_by(EMFILE);
}

FILE *fopen(const char *path, const char *mode)
{
    if (find_fopen() && !fails(OPEN))
        return next_fopen(path, mode);
    errno = EMFILE;
    return NULL;
}

int close(int file)
{
    bool is_failing = fails(CLOSE);
    int closed = find_close() ? next_close(file) : -1;
    return is_failing ? fail_by(EIO) : closed;
}

int unlink(const char *path)
{
    return !find_unlink() || fails(REMOVE) ? fail_by(EIO) : next_unlink(path);
}

int fchmod(int file, mode_t mode)
{
    return !find_fchmod() || fails(PERMIT) ? fail_by(EIO) : next_fchmod(file, mode);
}

int stat(const char *path, struct stat *there)
{
    return !find_stat() || fails(LOOK) ? fail_by(EIO) : next_stat(path, there);
}

int lstat(const char *path, struct stat *there)
{
    return !find_lstat() || fails(LOOK) ? fail_by(EIO) : next_lstat(path, there);
}

int fstat(int file, struct stat *there)
{
    return !find_fstat() || fails(LOOK) ? fail_by(EIO) : next_fstat(file, there);
}

int access(const char *path, int mode)
{
    return !find_access() || fails(LOOK) ? fail_by(EIO) : next_access(path, mode);
}

char *realpath(const char *path, char *resolved)
{
    if (find_realpath() && !fails(LOOK))
        return next_realpath(path, resolved);
    errno = EIO;
    return NULL;
}

ssize_t readlink(const char *path, char *to, size_t size)
{
    return !find_readlink() || fails(LOOK) ? fail_by(EIO) : next_readlink(path, to, size);
}

char *getcwd(char *folder, size_t size)
{
    if (find_getcwd() && !fails(LOOK))
        return next_getcwd(folder, size);
    errno = EIO;
    return NULL;
}

int chdir(const char *path)
{
    return !find_chdir() || fails(LOOK) ? fail_by(EIO) : next_chdir(path);
}

off_t lseek(int file, off_t offset, int from)
{
    return !find_lseek() || fails(LOOK) ? fail_by(EIO) : next_lseek(file, offset, from);
}

/* Counting begins with main() and ends with it. */

static int (*program)(int, char **, char **);

static void report_calls(void)
{
    const char *path = getenv("HOLON_FAULT_COUNT");
    atomic_store(&is_active, false);
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", atomic_load(&calls));
        fclose(file);
    }
}

static int run_program(int count, char **words, char **environment)
{
    const char *name = getenv("HOLON_FAULT"), *number = getenv("HOLON_FAULT_AT");
    for (int i = 1; name && i < (int)(sizeof names / sizeof *names); ++i)
        fault = strcmp(name, names[i]) == 0 ? (Fault)i : fault;
    at = number ? strtol(number, NULL, 10) : 0;
    is_lasting = getenv("HOLON_FAULT_LASTING") != NULL;
    dl_iterate_phdr(find_spared, NULL);
    atexit(report_calls);
    atomic_store(&is_active, true);
    return program(count, words, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words, void (*begin)(void),
                      void (*end)(void), void (*finish)(void), void *stack)
{
    int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&start, &found, sizeof found);
    program = main;
    return start(run_program, count, words, begin, end, finish, stack);
}
