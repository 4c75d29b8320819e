/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds files to a target, without libFuzzer: fuzz.NAME FILE_OR_FOLDER... prints how many inputs it has run. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int input_count;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat about;
    if (!file || fstat(fileno(file), &about) != 0) {
        fprintf(stderr, "cannot read '%s'\n", path);
        return 1;
    }
    size_t size = (size_t)about.st_size;
    uint8_t *data = malloc(size > 0 ? size : 1);
    bool is_read = data && fread(data, 1, size, file) == size;
    fclose(file);
    if (getenv("FUZZ_VERBOSE"))
        fprintf(stderr, "%s\n", path);
    if (is_read)
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    input_count += is_read;
    return is_read ? 0 : 1;
}

static int replay_folder(const char *path)
{
    struct dirent **entries;
    char file[4096];
    int failures = 0, count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; ++i) {
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            failures += replay_file(file);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return count < 0 ? 1 : failures;
}

int main(int count, char **words)
{
    int failures = 0;
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < count; ++i) {
        struct stat about;
        bool is_folder = stat(words[i], &about) == 0 && S_ISDIR(about.st_mode);
        failures += is_folder ? replay_folder(words[i]) : replay_file(words[i]);
    }
    printf("%d inputs\n", input_count);
    return failures > 0 || input_count == 0;
}
