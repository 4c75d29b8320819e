/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_tables.h"

#include <holon/option.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 2000 };

const char *const fuzz_section_names[] = {
    [HOL_BODIES] = "bodies", [HOL_JOINTS] = "joints", [HOL_DRIVERS] = "drivers",
    [HOL_FORCES] = "forces", [HOL_BEAMS] = "beams",   [HOL_BEAM_SECTIONS] = "beams"};

const FuzzFrame fuzz_frames[2] = {
    {.head = "plane: xy\n"
             "gravity: [0.3, -9.81]\n"
             "points: {P: [0.4, 0.3], Q: [1.1, -0.2], O: [0, 0]}\n",
     .parts = {[HOL_BODIES] = "  a: {rigid: [0.2, 0.5], mass: 2, inertia: 0.3, orientation: 20 deg}\n"
                              "  b: {rigid: [0.9, 0.1], mass: 1.5, inertia: 0.2, orientation: -50 deg}\n",
               [HOL_JOINTS] = "  pin_a: {revolute: [ground, a], at: O}\n"
                              "  pin_b: {revolute: [a, b], at: P}\n"
                              "  slide: {prismatic: [ground, b], at: Q, axis: [1, 2]}\n"}},
    {.head = "gravity: [0.3, -1, -9.81]\n"
             "points: {P: [0.4, 0.3, 0.2], Q: [1.1, -0.2, 0.5], O: [0, 0, 0]}\n",
     .parts = {[HOL_BODIES] = "  a: {rigid: [0.2, 0.5, -0.1], mass: 2, inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.01]}\n"
                              "  b: {rigid: [0.9, 0.1, 0.4], mass: 1.5, inertia: [0.2, 0.3, 0.25]}\n",
               [HOL_JOINTS] = "  pin_a: {revolute: [ground, a], at: O, axis: y}\n"
                              "  pin_b: {spherical: [a, b], at: P}\n"
                              "  slide: {cylindrical: [ground, b], at: Q, axis: [1, 2, 0]}\n",
               [HOL_BEAMS] = "  c: {from: O, to: Q, through: P, elements: 1, section: {EA: 20, GA2: 7, GA3: 6, GJ: 3, "
                             "EI2: 2, EI3: 1.5, mass: 1 + s, J2: 0.1, J3: 0.2}}\n"}}};

const char *const fuzz_values[] = {"0",
                                   "-1",
                                   "1",
                                   "2",
                                   "3",
                                   "0.5",
                                   "1e300",
                                   "-1e300",
                                   "1e-300",
                                   "1e-320",
                                   "5e-324",
                                   "1e308",
                                   "nan",
                                   ".inf",
                                   "-.inf",
                                   "1e10",
                                   "1e-10",
                                   "1e15",
                                   "1e16",
                                   "-0",
                                   "1000",
                                   "99999",
                                   "2147483648",
                                   "9223372036854775807",
                                   "1e18",
                                   "~",
                                   "''",
                                   "true",
                                   "false",
                                   "no",
                                   "[]",
                                   "{}",
                                   "[0, 0]",
                                   "[0, 0, 0]",
                                   "[1, 0]",
                                   "[1, 0, 0]",
                                   "[1e200, 0, 0]",
                                   "x",
                                   "y",
                                   "z",
                                   "ground",
                                   "t",
                                   "sin(t)",
                                   "2*pi*t",
                                   "t^2",
                                   "sqrt(t)",
                                   "if(t > 0.005, 1, 0)",
                                   "step(t - 0.002)",
                                   "abs(sin(1e3*t))",
                                   "mod(t, 1 ms)",
                                   "piecewise(t < 1, t, t < 2, 1, 0)",
                                   "exp(1000*t)",
                                   "1/t",
                                   "log(t)",
                                   "tan(t)",
                                   "max(t, 0.001)",
                                   "min(t, 1e-9)",
                                   "floor(1e6*t)",
                                   "l",
                                   "l - 1",
                                   "ldot",
                                   "s",
                                   "1 m",
                                   "1 mm",
                                   "1 kg",
                                   "1 N",
                                   "10 N/m",
                                   "1e12 N/m",
                                   "1 s",
                                   "1 ms",
                                   "1 us",
                                   "30 deg",
                                   "1 rad/s",
                                   "3000 rpm",
                                   "1 GPa",
                                   "7800 kg/m^3",
                                   "1 N*m",
                                   "1 Hz",
                                   "1 m/s^2",
                                   "\"\\e[31m\"",
                                   "\"\\0\"",
                                   "'<script>'",
                                   "$i",
                                   "$(i+1)",
                                   "i",
                                   NULL};

static const char *const more_keys[] = {
    "title",    "plane",   "gravity", "parameters", "tables",      "points",     "bodies",      "beams",
    "joints",   "drivers", "forces",  "start",      "run",         "repeat",     "variants",    "extends",
    "inputs",   "until",   "step",    "every",      "formulation", "integrator", "coordinates", "reactions",
    "branch",   "record",  "kind",    "for",        "from",        "to",         "velocity",    "angular_velocity",
    "position", "angle",   "rate",    "elements",   NULL};

static const char *const more_words[] = {
    "all",          "energy",    "violation",   "singular",    "as-given",  "natural",  "reference-point",
    "minimum-norm", "stiffness", "elimination", "as-computed", "automatic", "continue", "report",
    "stop",         "four-bar",  "pendulum",    "linear",      "cubic",     "xy",       "xz",
    "yz",           NULL};

typedef struct Words {
    int count;
    const char *list[MOST_WORDS + 1];
} Words;

static void words_add(Words *words, const char *word)
{
    for (int i = 0; i < words->count; ++i)
        if (strcmp(words->list[i], word) == 0)
            return;
    if (words->count < MOST_WORDS)
        words->list[words->count++] = word;
}

static void words_add_all(Words *words, const char *const *list)
{
    for (; list && *list; ++list)
        words_add(words, *list);
}

static void add_fields(Words *keys, Words *words, HolSection section, int kind)
{
    for (int i = 0; i < hol_part_kind(section, kind).field_count; ++i) {
        HolFieldInfo field = hol_part_field(section, kind, i);
        words_add(keys, field.name);
        words_add_all(words, field.choices);
    }
}

static void add_parts(Words *keys, Words *words)
{
    for (HolSection section = HOL_BODIES; section <= HOL_BEAM_SECTIONS; ++section)
        for (int k = 0; k < hol_part_kind_count(section); ++k) {
            words_add(keys, hol_part_kind(section, k).name);
            add_fields(keys, words, section, k);
        }
}

static void add_method(Words *keys, Words *words, HolKindInfo kind)
{
    words_add(words, kind.name);
    for (int i = 0; i < kind.option_count; ++i) {
        words_add(keys, kind.options[i].name);
        words_add_all(words, kind.options[i].choices);
    }
}

static Words keys, words;

static void make_words(void)
{
    if (keys.count > 0)
        return;
    words_add_all(&keys, more_keys);
    words_add_all(&words, more_words);
    add_parts(&keys, &words);
    for (int i = 0; i < hol_formulation_count(); ++i)
        add_method(&keys, &words, hol_formulation_info(i));
    for (int i = 0; i < hol_integrator_count(); ++i)
        add_method(&keys, &words, hol_integrator_info(i));
}

const char *const *fuzz_keys(void)
{
    make_words();
    return keys.list;
}

const char *const *fuzz_words(void)
{
    make_words();
    return words.list;
}

int fuzz_word_count(const char *const *list)
{
    int count = 0;
    while (list[count])
        ++count;
    return count;
}
