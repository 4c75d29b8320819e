/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/files.h"

#include "command.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const char *path)
{
    return path && strcmp(path, "-") != 0;
}

/* Compares names, then the files themselves: one may be a link. */
static bool files_is_same(const char *a, const char *b)
{
    struct stat first, second;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

int cli_files_check(const char *model, const CliFile *files, int count)
{
    for (int i = 0; i < count; ++i) {
        if (!is_file(files[i].path))
            continue;
        if (files_is_same(files[i].path, model))
            return cli_fail("'%s' is the model: results would replace it", files[i].path);
        for (int k = 0; k < i; ++k)
            if (is_file(files[k].path) && files_is_same(files[k].path, files[i].path))
                return cli_fail("%s and %s name the same file '%s'", files[k].option, files[i].option, files[i].path);
    }
    return EXIT_DONE;
}

/* Whether the folder of a new file is writable. */
static bool folder_allows(const char *path)
{
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder) {
        errno = ENAMETOOLONG;
        return false;
    }
    return access(dirname(folder), W_OK | X_OK) == 0;
}

int cli_file_check(const char *path)
{
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode))
        errno = EISDIR;
    else if (exists ? access(path, W_OK) == 0 : errno == ENOENT && folder_allows(path))
        return EXIT_DONE;
    return cli_fail("cannot write '%s': %s", path, strerror(errno));
}

static bool write_all(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool good = fwrite(text, 1, size, file) == size && fflush(file) == 0;
    return fclose(file) == 0 && good;
}

/* Writes a temporary file and renames it. Writes directly to devices, pipes, and files in a read-only folder. Follows
 * links. */
static bool files_replace(const char *path, const char *text, size_t size)
{
    struct stat there;
    char target[PATH_MAX], part[PATH_MAX + 24];
    bool exists = stat(path, &there) == 0;
    if (!exists || !realpath(path, target))
        snprintf(target, sizeof target, "%s", path);
    if ((exists && !S_ISREG(there.st_mode)) || !folder_allows(target))
        return write_all(path, text, size);
    snprintf(part, sizeof part, "%s.part%ld", target, (long)getpid());
    if (write_all(part, text, size) && (!exists || chmod(part, there.st_mode & 07777) == 0) &&
        rename(part, target) == 0)
        return true;
    int reason = errno;
    unlink(part);
    errno = reason;
    return false;
}

int cli_file_write(const char *path, const char *text, size_t size)
{
    if (files_replace(path, text, size))
        return EXIT_DONE;
    cli_fail("cannot write '%s': %s", path, strerror(errno));
    return EXIT_EARLY;
}

bool cli_memory_close(FILE *memory, char **text)
{
    bool is_complete = memory && !ferror(memory);
    is_complete = memory && fclose(memory) == 0 && is_complete && *text;
    if (!is_complete) {
        free(*text);
        *text = NULL;
    }
    return is_complete;
}
