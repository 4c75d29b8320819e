/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "output.h"

#include <holon/argument.h>
#include <holon/results.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING ".holon-part"
enum { MAX_TRIES = 10 }; /* of opening a file that others rename meanwhile */

/* A temporary file has this permission, which means nothing for files and which no user gives them, until it takes its
 * name. So what a killed run has left is known from a file that a user gave the same name. */
static const mode_t MARK = S_ISVTX, PERMISSIONS = 0777;

/* The lock belongs to the open file and ends with it, however the process ends. HDF5 takes locks of flock() to read,
 * which must not meet this one: so it is a lock of fcntl(), where there are such locks for open files. File systems
 * without locks are written without. */
static int output_lock(int file)
{
#ifdef F_OFD_SETLK
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int code = fcntl(file, F_OFD_SETLK, &whole);
#else
    int code = flock(file, LOCK_EX | LOCK_NB);
#endif
    return code != 0 && (errno == EAGAIN || errno == EACCES) ? EBUSY : 0;
}

/* Whether the name still belongs to the open file. */
static bool is_named(int file, const char *name)
{
    struct stat open_one, named;
    return fstat(file, &open_one) == 0 && stat(name, &named) == 0 && open_one.st_dev == named.st_dev &&
           open_one.st_ino == named.st_ino;
}

/* Opens and locks a regular file. Its name may move to another file between the two. */
static int open_locked(const char *name, int flags, int *file)
{
    for (int tries = 0; tries < MAX_TRIES; ++tries) {
        struct stat there;
        int error = 0;
        *file = open(name, flags | O_RDWR | O_CLOEXEC, flags & O_EXCL ? 0666 | MARK : 0666);
        if (*file < 0)
            return errno;
        if (fstat(*file, &there) != 0)
            error = errno;
        else
            error = S_ISREG(there.st_mode) ? output_lock(*file) : EINVAL;
        if (error == 0 && is_named(*file, name))
            return 0;
        close(*file);
        *file = -1;
        if (error != 0 && flags & O_EXCL)
            unlink(name);
        if (error != 0)
            return error;
    }
    return EBUSY;
}

/* A file that the program prints to already, as in --summary /dev/stdout >file: its position is shared. */
static bool open_printed(HolOutput *output, const struct stat *there)
{
    for (int i = STDOUT_FILENO; i <= STDERR_FILENO; ++i) {
        struct stat printed;
        if (fstat(i, &printed) != 0 || printed.st_dev != there->st_dev || printed.st_ino != there->st_ino)
            continue;
        output->is_stream = true;
        output->file = fcntl(i, F_DUPFD_CLOEXEC, 0);
        return output->file >= 0;
    }
    return false;
}

static int open_stream(HolOutput *output, const char *path)
{
    output->is_stream = true;
    output->file = open(path, O_WRONLY | O_CLOEXEC);
    return output->file < 0 ? errno : 0;
}

/* Locks the file that has the name, so that nobody else replaces it. */
static int lock_older(HolOutput *output)
{
    int error = open_locked(output->target, 0, &output->older);
    if (error == ENOENT)
        return 0;
    output->was_there = error == 0;
    return error;
}

/* What a killed run has left bears the mark and one name alone: another name was given by a user. */
static bool is_left_over(const struct stat *there)
{
    return S_ISREG(there->st_mode) && there->st_nlink == 1 && there->st_mode & MARK;
}

/* A new file, or one that is left over; EEXIST if the name belongs to anything else. */
static int open_temporary(HolOutput *output)
{
    for (int tries = 0; tries < MAX_TRIES; ++tries) {
        struct stat there;
        int error = open_locked(output->part, O_CREAT | O_EXCL, &output->file);
        if (error != EEXIST)
            return error;
        error = open_locked(output->part, O_NOFOLLOW, &output->file);
        if (error == EBUSY || (error == 0 && fstat(output->file, &there) == 0 && is_left_over(&there)))
            return error;
        if (error == 0)
            close(output->file);
        output->file = -1;
        if (error != ENOENT) /* otherwise it took its name meanwhile */
            return EEXIST;
    }
    return EBUSY;
}

static int open_part(HolOutput *output)
{
    int error = open_temporary(output);
    if (error == 0)
        error = lock_older(output);
    return error == 0 && ftruncate(output->file, 0) != 0 ? errno : error; /* that of a killed run is taken over */
}

/* The folder of a path, with a slash at its end; false if it is too long. */
static bool output_folder(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    return snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./") < PATH_MAX;
}

/* The name behind links, also of a file that is not there yet; NULL with errno. */
static char *output_resolve(const char *path, bool exists)
{
    char name[PATH_MAX], to[PATH_MAX], folder[PATH_MAX];
    if (exists)
        return realpath(path, NULL);
    bool fits = snprintf(name, sizeof name, "%s", path) < PATH_MAX;
    for (int tries = 0; fits && tries < MAX_TRIES; ++tries) {
        ssize_t length = readlink(name, to, sizeof to - 1);
        if (length < 0)
            return strdup(name);
        to[length] = '\0';
        size_t before = to[0] != '/' && output_folder(name, folder) ? strlen(folder) : 0;
        fits = before + (size_t)length < PATH_MAX;
        if (fits) {
            memcpy(name, folder, before);
            memcpy(name + before, to, (size_t)length + 1);
        }
    }
    errno = fits ? ELOOP : ENAMETOOLONG;
    return NULL;
}

static int output_name(HolOutput *output, const char *path, bool exists)
{
    output->target = output_resolve(path, exists);
    if (!output->target)
        return errno;
    size_t size = strlen(output->target) + sizeof ENDING;
    output->part = malloc(size);
    if (!output->part)
        return ENOMEM;
    snprintf(output->part, size, "%s%s", output->target, ENDING);
    struct stat there;
    return lstat(output->part, &there) == 0 && !is_left_over(&there) ? EEXIST : 0;
}

/* In a folder that takes no new file the bytes wait in a file without a name, until they are better than those that are
 * there. */
static int open_nameless(HolOutput *output)
{
    int error = lock_older(output);
    FILE *nameless = error == 0 ? tmpfile() : NULL;
    if (!nameless)
        return error != 0 ? error : errno;
    output->is_nameless = true;
    output->file = fcntl(fileno(nameless), F_DUPFD_CLOEXEC, 0);
    error = output->file < 0 ? errno : 0;
    fclose(nameless);
    return error;
}

static int output_open(HolOutput *output, const char *path)
{
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (!exists && errno != ENOENT)
        return errno;
    if (exists && S_ISDIR(there.st_mode))
        return EISDIR;
    if (exists && S_ISREG(there.st_mode) && open_printed(output, &there))
        return 0;
    if (exists && !S_ISREG(there.st_mode))
        return open_stream(output, path);
    int error = output_name(output, path, exists);
    if (error != 0)
        return error;
    error = open_part(output);
    if (exists && output->file < 0 && (error == EACCES || error == EPERM || error == EROFS || error == ENAMETOOLONG))
        return open_nameless(output);
    return error;
}

/* Whether its folder takes new files. */
static int output_check_folder(const char *path)
{
    char folder[PATH_MAX];
    return !output_folder(path, folder) ? ENAMETOOLONG : access(folder, W_OK | X_OK) != 0 ? errno : 0;
}

int hol_output_check(const char *path)
{
    HolOutput output = {.file = -1, .older = -1};
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (!*path || (!exists && errno != ENOENT))
        return errno;
    if (exists && S_ISDIR(there.st_mode))
        return EISDIR;
    if (exists && access(path, W_OK) != 0)
        return errno;
    if (exists && !S_ISREG(there.st_mode))
        return 0;
    int error = output_name(&output, path, exists);
    if (error == 0 && !exists)
        error = output_check_folder(output.target);
    hol_output_close(&output);
    return error;
}

int hol_output_open(HolOutput *output, const char *path)
{
    *output = (HolOutput){.file = -1, .older = -1};
    int error = *path ? output_open(output, path) : ENOENT;
    if (error != 0)
        hol_output_close(output);
    return error;
}

int hol_output_continue(HolOutput *output, const char *path)
{
    *output = (HolOutput){.file = -1, .older = -1, .was_there = true};
    output->target = realpath(path, NULL);
    int error = output->target ? open_locked(output->target, 0, &output->file) : errno;
    if (error != 0)
        hol_output_close(output);
    return error;
}

/* The lock is on the file of that name, and on the temporary one where there is none. */
static int output_hold(HolOutput *output, const char *path)
{
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (!exists && errno != ENOENT)
        return errno;
    if (exists && !S_ISREG(there.st_mode))
        return EINVAL;
    int error = output_name(output, path, exists);
    if (error == 0 && exists)
        error = output_check_folder(output->target);
    if (error == 0 && exists)
        error = open_locked(output->target, 0, &output->older);
    output->was_there = exists;
    return error == 0 && !exists ? hol_output_renew(output) : error;
}

int hol_output_hold(HolOutput *output, const char *path)
{
    *output = (HolOutput){.file = -1, .older = -1};
    int error = *path ? output_hold(output, path) : ENOENT;
    if (error != 0)
        hol_output_close(output);
    return error;
}

int hol_output_renew(HolOutput *output)
{
    int error = output->file < 0 ? open_temporary(output) : 0;
    if (error != 0)
        return error;
    output->end = 0;
    return ftruncate(output->file, 0) != 0 ? errno : 0;
}

int hol_output_write(HolOutput *output, const void *bytes, size_t size)
{
    const char *from = bytes;
    size_t done = 0;
    while (done < size) {
        ssize_t count = output->is_stream ? write(output->file, from + done, size - done)
                                          : pwrite(output->file, from + done, size - done, output->end + (off_t)done);
        if (count < 0 && errno == EINTR)
            continue;
        output->partial = done;
        if (count <= 0)
            return count < 0 ? errno : EIO;
        done += (size_t)count;
    }
    output->partial = 0;
    output->end += (long long)size;
    return 0;
}

int hol_output_patch(HolOutput *output, const void *bytes, size_t size, long long at)
{
    const char *from = bytes;
    for (size_t done = 0; done < size;) {
        ssize_t count = pwrite(output->file, from + done, size - done, at + (off_t)done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 ? errno : EIO;
        done += (size_t)count;
    }
    return 0;
}

int hol_output_read(const HolOutput *output, void *bytes, size_t size, long long at)
{
    char *to = bytes;
    for (size_t done = 0; done < size;) {
        ssize_t count = pread(output->file, to + done, size - done, at + (off_t)done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 ? errno : EIO;
        done += (size_t)count;
    }
    return 0;
}

int hol_output_cut(HolOutput *output)
{
    return output->is_stream || ftruncate(output->file, output->end) == 0 ? 0 : errno;
}

int hol_output_sync(HolOutput *output)
{
    return output->is_stream || fsync(output->file) == 0 ? 0 : errno;
}

/* A rename lasts when its folder is on the disk. File systems that cannot do this are left as they are. */
static void output_sync_folder(const char *path)
{
    char folder[PATH_MAX];
    int file = output_folder(path, folder) ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    fsync(file);
    close(file);
}

/* Permissions, those of the file that is replaced, with the mark or without. */
static int output_permit(const HolOutput *output, mode_t mark)
{
    struct stat there;
    int like = output->older >= 0 ? output->older : output->file;
    return fstat(like, &there) == 0 && fchmod(output->file, (there.st_mode & PERMISSIONS) | mark) == 0 ? 0 : errno;
}

/* The mark goes last: a kill before leaves a temporary file that is known, or a result that has a mark too many. */
static int output_rename(HolOutput *output)
{
    int error = output->older >= 0 ? output_permit(output, MARK) : 0;
    if (error == 0 && output->was_there)
        error = hol_output_sync(output); /* what is replaced is replaced by something lasting */
    if (error == 0 && rename(output->part, output->target) != 0)
        error = errno;
    if (error != 0)
        return error;
    (void)output_permit(output, 0);
    if (output->was_there)
        output_sync_folder(output->target);
    if (output->older >= 0)
        close(output->older);
    output->older = -1;
    return 0;
}

/* Copies what has no name into the file that has it. */
static int output_fill(HolOutput *output)
{
    char bytes[1 << 14];
    HolOutput to = {.file = output->older};
    int error = ftruncate(output->older, 0) != 0 ? errno : 0;
    while (error == 0) {
        ssize_t count = pread(output->file, bytes, sizeof bytes, (off_t)to.end);
        if (count <= 0 && !(count < 0 && errno == EINTR)) {
            error = count < 0 ? errno : 0;
            break;
        }
        error = count > 0 ? hol_output_write(&to, bytes, (size_t)count) : 0;
    }
    if (error != 0)
        return error;
    close(output->file);
    output->file = output->older;
    output->older = -1;
    output->is_nameless = false;
    return 0;
}

int hol_output_take_name(HolOutput *output)
{
    int error = output->is_nameless ? output_fill(output) : output->part ? output_rename(output) : 0;
    if (error != 0)
        return error;
    free(output->part);
    output->part = NULL;
    return 0;
}

int hol_output_hand_over(HolOutput *output)
{
    output->was_there = true;
    int error = output_rename(output);
    if (error != 0)
        return error;
    output->older = output->file;
    output->file = -1;
    return 0;
}

int hol_output_close(HolOutput *output)
{
    if (output->part && output->file >= 0 && !output->is_nameless)
        unlink(output->part); /* while it is locked */
    int error = output->file >= 0 && close(output->file) != 0 ? errno : 0;
    if (output->older >= 0)
        close(output->older);
    free(output->target);
    free(output->part);
    *output = (HolOutput){.file = -1, .older = -1};
    return error;
}

void hol_output_discard(HolOutput *output)
{
    if (output->file >= 0 && !output->part && !output->was_there && !output->is_stream &&
        is_named(output->file, output->target))
        unlink(output->target);
    hol_output_close(output);
}

HolStatus hol_output_fail(HolMessage *message, const char *path, int error)
{
    if (error == ENOMEM)
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory to write '%s'", path);
    if (error == EBUSY)
        return hol_fail(message, HOL_NOT_WRITTEN,
                        "'%s' is being written by another run: wait for its end, or choose another file", path);
    if (error == EEXIST)
        return hol_fail(message, HOL_NOT_WRITTEN,
                        "cannot write '%s': its temporary file would be '%s" ENDING
                        "', which is there and not of holon: "
                        "rename that one",
                        path, path);
    return hol_fail(message, HOL_NOT_WRITTEN, "cannot write '%s': %s", path, strerror(error));
}
