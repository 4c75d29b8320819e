/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what fuzzing begins with, from the tables of the library: fuzz_seeds FOLDER makes
 *
 *     FOLDER/model.dict      keys, kinds, methods and values as a dictionary of libFuzzer
 *     FOLDER/model/          a model for each sample of each kind, in the plane and in space */
#include "model_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

static FILE *seeds_open(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "cannot write '%s'\n", path);
        exit(1);
    }
    return file;
}

static void write_words(FILE *file, const char *const *words)
{
    for (; *words; ++words) {
        putc('"', file);
        for (const char *c = *words; *c; ++c)
            fprintf(file, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        fputs("\"\n", file);
    }
}

static void write_dictionary(const char *folder)
{
    FILE *file = seeds_open(folder, "model.dict");
    write_words(file, fuzz_keys());
    write_words(file, fuzz_words());
    write_words(file, fuzz_values);
    fclose(file);
}

typedef struct Seed {
    HolSection section;
    const char *kind, *sample;
    int number;
    bool planar;
} Seed;

/* A section of the frame, with the sample if it is of this section. */
static void write_section(FILE *file, const Seed *seed, HolSection section)
{
    const char *parts = fuzz_frames[seed->planar ? 0 : 1].parts[section];
    bool is_section = seed->section == HOL_BEAM_SECTIONS;
    bool is_here = seed->section == section || (is_section && section == HOL_BEAMS);
    if (!parts && !is_here)
        return;
    fprintf(file, "%s:\n%s", fuzz_section_names[section], parts ? parts : "");
    if (is_here)
        fprintf(file, "  x: %s%s%s\n", is_section ? "{from: O, to: Q, through: P, elements: 2, section: " : "",
                seed->sample, is_section ? "}" : "");
}

static void write_model(const char *folder, const Seed *seed)
{
    char name[200];
    snprintf(name, sizeof name, "model/%s-%s-%d-%s.yaml", fuzz_section_names[seed->section], seed->kind, seed->number,
             seed->planar ? "plane" : "space");
    FILE *file = seeds_open(folder, name);
    fputs(fuzz_frames[seed->planar ? 0 : 1].head, file);
    for (HolSection section = HOL_BODIES; section < HOL_BEAM_SECTIONS; ++section)
        write_section(file, seed, section);
    fputs("run:\n  until: 0.1 s\n", file);
    fclose(file);
}

static void write_kind(const char *folder, HolSection section, int kind)
{
    HolPartKind info = hol_part_kind(section, kind);
    for (int i = 0; i < info.sample_count; ++i) {
        HolPartSample sample = hol_part_sample(section, kind, i);
        if (sample.planar)
            write_model(folder, &(Seed){section, info.name, sample.text, i, true});
        if (sample.spatial)
            write_model(folder, &(Seed){section, info.name, sample.text, i, false});
    }
}

int main(int count, char **words)
{
    char models[PATH_SIZE];
    if (count != 2) {
        fputs("usage: fuzz_seeds FOLDER\n", stderr);
        return 2;
    }
    snprintf(models, sizeof models, "%s/model", words[1]);
    mkdir(models, 0777);
    write_dictionary(words[1]);
    for (HolSection section = HOL_BODIES; section <= HOL_BEAM_SECTIONS; ++section)
        for (int kind = 0; kind < hol_part_kind_count(section); ++kind)
            write_kind(words[1], section, kind);
    return 0;
}
