/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/files.h"

#include <holon/results.h>

#include "command.h"
#include "terminal/interrupt.h"

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

/* The folder of a path and what follows it: the last name, or all of a path without a folder. */
static const char *split_path(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 0;
    snprintf(folder, PATH_MAX, "%.*s", length, path);
    return slash ? slash + 1 : path;
}

/* Follows a link to a file that is not there, one step. Returns false if it is no link. */
static bool follow_link(char path[PATH_MAX])
{
    char folder[PATH_MAX], to[PATH_MAX];
    ssize_t length = readlink(path, to, sizeof to - 1);
    if (length < 0)
        return false;
    to[length] = '\0';
    split_path(path, folder);
    size_t before = to[0] == '/' ? 0 : strlen(folder);
    if (before + (size_t)length >= PATH_MAX)
        return false;
    memcpy(path, folder, before);
    memcpy(path + before, to, (size_t)length + 1);
    return true;
}

#define TEMPORARY ".holon-part"
enum { RESOLVED_SIZE = 2 * PATH_MAX + sizeof TEMPORARY };

/* The path without links and dots, also that of a file that is not there yet. */
static void files_resolve(const char *path, const char *ending, char resolved[RESOLVED_SIZE])
{
    enum { MAX_LINKS = 16 };
    char name[PATH_MAX], folder[PATH_MAX];
    snprintf(name, sizeof name, "%s%s", path, ending);
    for (int i = 0; i < MAX_LINKS; ++i) {
        if (realpath(name, resolved))
            return;
        if (!follow_link(name))
            break;
    }
    const char *last = split_path(name, folder);
    char *real = realpath(folder[0] ? folder : ".", NULL);
    snprintf(resolved, 2 * PATH_MAX, "%s/%s", real ? real : folder, last);
    free(real);
}

/* What is written beside a file: the name with an ending, or the temporary file of that, and what to call it. */
typedef struct Beside {
    const char *ending, *temporary, *name;
} Beside;

static const Beside itself = {"", "", ""}, beside[] = {{".scene.json", "", "the scene"},
                                                       {"", TEMPORARY, "the temporary file"},
                                                       {".scene.json", TEMPORARY, "the temporary file"}};

/* Compares names, then the files themselves: they may have two names. */
static bool files_is_same(const char *a, const Beside *of_a, const char *b)
{
    struct stat first, second;
    char resolved[2][RESOLVED_SIZE];
    files_resolve(a, of_a->ending, resolved[0]);
    strcat(resolved[0], of_a->temporary); /* there is room for it */
    files_resolve(b, "", resolved[1]);
    if (strcmp(resolved[0], resolved[1]) == 0)
        return true;
    return stat(resolved[0], &first) == 0 && stat(resolved[1], &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static int files_check_beside(const CliFile *file, const CliFile *other)
{
    for (size_t i = 0; i < sizeof beside / sizeof *beside; ++i)
        if (files_is_same(file->path, &beside[i], other->path))
            return cli_fail("%s '%s' is %s of %s '%s': choose another name", other->option, other->path, beside[i].name,
                            file->option, file->path);
    return EXIT_DONE;
}

static int files_check_pair(const CliFile *a, const CliFile *b)
{
    if (!is_file(a->path) || !is_file(b->path))
        return EXIT_DONE;
    if (files_is_same(a->path, &itself, b->path))
        return cli_fail("%s and %s name the same file '%s'", a->option, b->option, b->path);
    int code = files_check_beside(a, b);
    return code == EXIT_DONE ? files_check_beside(b, a) : code;
}

int cli_files_check(const char *model, const CliFile *files, int count)
{
    for (int i = 0; i < count; ++i) {
        const CliFile source = {"MODEL", model};
        if (is_file(files[i].path) && *model && files_is_same(files[i].path, &itself, model))
            return cli_fail("'%s' is a file of the model: results would replace it", files[i].path);
        if (is_file(files[i].path) && *model && files_check_beside(&files[i], &source) != EXIT_DONE)
            return EXIT_BAD_INPUT;
        for (int k = 0; k < i; ++k) {
            int code = files_check_pair(&files[k], &files[i]);
            if (code != EXIT_DONE)
                return code;
        }
    }
    return EXIT_DONE;
}

int cli_files_check_model(const HolModel *model, const CliFile *files, int count)
{
    int code = EXIT_DONE;
    for (int i = 0; i < hol_model_file_count(model) && code == EXIT_DONE; ++i)
        code = cli_files_check(hol_model_file(model, i), files, count);
    return code;
}

bool cli_file_is_stream(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

int cli_file_check(const char *path)
{
    HolMessage message;
    return hol_file_check(path, &message) == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

/* A signal waits until the file has its name, so that no temporary file is left. A pipe that nobody reads has none. */
int cli_file_write(const char *path, const char *text, size_t size)
{
    HolMessage message;
    cli_interrupt_watch();
    CliActivity before = cli_interrupt_activity(cli_file_is_stream(path) ? CLI_SEARCHING : CLI_WRITING);
    HolStatus status = hol_file_write(path, text, size, &message);
    cli_interrupt_activity(before);
    if (status == HOL_OK)
        return EXIT_DONE;
    cli_fail("%s", message.text);
    return EXIT_EARLY;
}
