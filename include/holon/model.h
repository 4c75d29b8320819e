/* SPDX-License-Identifier: BSD-3-Clause */
/* A model: the description of a mechanism, with its names. docs/guide/model-file.md defines its contents.
 *
 *     HolModel *model = hol_model_create();
 *     status = hol_model_load(model, "four-bar");                            a file, or a built-in model
 *     status = hol_model_set(model, "bodies.crank.mass", "%g", 2.0);         as --set does
 *
 * A model can be built by hol_model_set() alone, each value written as in a file:
 *
 *     hol_model_set(model, "points.A", "[%.17g, %.17g]", x, y);
 *     hol_model_set(model, "joints.pin", "{revolute: [ground, bar], at: A}");
 *
 * All mistakes are collected, one sentence each with its place, wrong arguments too. They stay with the model until it
 * is loaded again. */
#ifndef HOLON_MODEL_H
#define HOLON_MODEL_H

#include <holon/status.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct HolModel HolModel;

/* Empty; NULL only when out of memory. */
HolModel *hol_model_create(void);
void hol_model_destroy(HolModel *model);

/* Replaces the contents of the model, mistakes included, by a file or by the built-in model of that name (a name that
 * contains '/' or '.' is a file). Files that it extends are loaded too. */
HolStatus hol_model_load(HolModel *model, const char *name);
/* The same from text; name is the file name in sentences, by default "text", and paths in `extends` are relative to it.
 */
HolStatus hol_model_parse(HolModel *model, const char *text, const char *name);

/* Sets the value at a path of names ("bodies.crank.mass"); the text is YAML and may be a whole map. Maps are created on
 * the way, but a body, joint, point, ... that does not exist must be set as a whole. ~ removes. A map replaces the old
 * value, it is not merged. A parameter or input that the file does not have is set with a warning. */
HolStatus hol_model_set(HolModel *model, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with plain text; sentences name its origin ("--step") instead of "--set PATH". */
HolStatus hol_model_set_as(HolModel *model, const char *origin, const char *path, const char *text);

/* The value at a path as it is written there, or NULL if there is none or it is a list or a map. The path
 * run.formulation.kind (or run.integrator.kind) also finds a kind that is given by a plain word. */
const char *hol_model_get(const HolModel *model, const char *path);

/* Applies the changes of a variant. */
HolStatus hol_model_choose(HolModel *model, const char *variant);
int hol_model_variant_count(const HolModel *model);
const char *hol_model_variant(const HolModel *model, int index); /* NULL: there is none */

const char *hol_model_name(
    const HolModel *model); /* of the file without ending (model.yaml: of its folder), or of the built-in */
const char *hol_model_title(const HolModel *model); /* or "" */
/* The files that were read: the model's own, then those that it extends. NULL: there is none of this index. */
int hol_model_file_count(const HolModel *model);
const char *hol_model_file(const HolModel *model, int index);
/* A hash of the texts that were read: of the file, and of those it extends. A changed file has another one. */
unsigned long long hol_model_fingerprint(const HolModel *model);

/* What is wrong (errors) or suspicious (warnings), in the order of detection; NULL: there is none of this index. */
int hol_model_error_count(const HolModel *model);
const char *hol_model_error(const HolModel *model, int index);
int hol_model_warning_count(const HolModel *model);
const char *hol_model_warning(const HolModel *model, int index);

/* A number as in a model file: "1e-3", "1 ms", "2*pi rad/s", whatever the locale. Without a unit it is in SI. A value
 * of another dimension than `unit` and an unknown unit are HOL_BAD_INPUT with a sentence. */
HolStatus hol_quantity_parse(const char *text, const char *unit, double *value, HolMessage *message);

/* The built-in models. */
typedef struct HolLibraryModel {
    const char *name, *title, *text;
    const char *reference; /* known values, lines `t,quantity,value,...`, or "" (models/README.md) */
} HolLibraryModel;

int hol_library_count(void);
HolLibraryModel hol_library_model(int index); /* name NULL: there is none */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
