/* SPDX-License-Identifier: BSD-3-Clause */
/* A model from its file and the files it extends: the base is read first, and the file's own tree is laid upon it. */
#include "base/hash.h"
#include "base/message.h"
#include "io/source.h"
#include "io/yaml.h"

/* The files being read, from the innermost base back to the one that the user named. */
typedef struct Chain {
    const struct Chain *derived; /* NULL: it is the user's */
    const HolSource *source;
    int length;
} Chain;

static HolStatus load_tree(HolModel *model, const HolSource *source, const Chain *derived, HolNode **root);

/* Variants are changes for later, so their nulls are kept; one that is null itself is removed. */
static HolNode *merge_variants(HolArena *arena, HolNode *base, HolNode *over)
{
    HolNode *merged = over->type == HOL_MAP ? hol_node_merge_changes(arena, base, over) : over;
    HolNode *next = merged && merged->type == HOL_MAP ? merged->first : NULL;
    while (next) {
        HolNode *variant = next;
        next = next->next;
        if (hol_node_is_null(variant))
            hol_node_remove(merged, variant);
    }
    return merged;
}

static HolNode *take_out(HolNode *map, const char *key)
{
    HolNode *node = hol_node_find(map, key);
    if (node)
        hol_node_remove(map, node);
    return node;
}

static HolNode *merge_trees(HolArena *arena, HolNode *base, HolNode *over)
{
    HolNode *variants = take_out(base, "variants");
    HolNode *changes = take_out(over, "variants");
    HolNode *merged = hol_node_merge(arena, base, over);
    if (changes)
        variants = merge_variants(arena, variants, changes);
    if (!merged || (changes && !variants))
        return NULL;
    if (variants && !hol_node_is_null(variants) && !hol_node_append(arena, merged, variants))
        return NULL;
    merged->place = over->place;
    return merged;
}

static HolStatus check_circle(HolModel *model, HolPlace place, const HolSource *source, const Chain *derived)
{
    for (const Chain *link = derived; link; link = link->derived) {
        if (hol_source_is_same(link->source, source))
            return hol_error(model, place, "files extend each other in a circle: '%s' extends itself", source->name);
    }
    return HOL_OK;
}

static HolStatus load_base(HolModel *model, const HolNode *extends, const Chain *chain, HolNode **base)
{
    HolSource source;
    *base = NULL;
    if (extends->type != HOL_SCALAR)
        return hol_error(model, extends->place, "'extends' is the name or path of one model, not %s",
                         hol_node_type_name(extends));
    if (chain->length == HOL_LONGEST_CHAIN)
        return hol_error(model, extends->place, "more than %d files extend each other", HOL_LONGEST_CHAIN);
    HOL_TRY(hol_source_open(model, extends->place, extends->text, chain->source->name, &source));
    HolStatus status = check_circle(model, extends->place, &source, chain);
    if (status == HOL_OK)
        status = load_tree(model, &source, chain, base);
    hol_source_close(&source);
    return status;
}

/* A file with mistakes is merged all the same, as far as it could be read. */
static HolStatus extend_tree(HolModel *model, const Chain *chain, HolNode **root)
{
    HolNode *base;
    const HolNode *extends = take_out(*root, "extends");
    if (!extends || hol_node_is_null(extends))
        return HOL_OK;
    HolStatus status = load_base(model, extends, chain, &base);
    if (status == HOL_NO_MEMORY || !base)
        return status;
    *root = merge_trees(model->arena, base, *root);
    return *root ? status : HOL_NO_MEMORY;
}

static HolStatus load_tree(HolModel *model, const HolSource *source, const Chain *derived, HolNode **root)
{
    Chain chain = {derived, source, derived ? derived->length + 1 : 1};
    HolYamlText text = {source->name, source->text, source->length, false};
    model->texts = hol_hash_bytes(model->texts, source->text, source->length);
    if (source->inode != 0 && model->file_count <= HOL_LONGEST_CHAIN)
        model->files[model->file_count++] = source->name;
    HolStatus read = hol_yaml_parse(model, &text, root);
    if (!*root)
        return read;
    HolStatus extended = extend_tree(model, &chain, root);
    return read == HOL_OK || extended == HOL_NO_MEMORY ? extended : read;
}

static HolStatus load_source(HolModel *model, const HolSource *source)
{
    HolNode *root = NULL;
    model->root->place.file = source->name;
    model->name = hol_source_stem(model, source);
    if (!model->name)
        return HOL_NO_MEMORY;
    HolStatus status = load_tree(model, source, NULL, &root);
    if (root)
        model->root = root;
    return status;
}

HolStatus hol_model_load(HolModel *model, const char *name)
{
    HolSource source;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, name));
    HOL_TRY(hol_model_clear(model));
    HOL_TRY(hol_source_open(model, (HolPlace){NULL, 0, 0}, name, NULL, &source));
    HolStatus status = load_source(model, &source);
    hol_source_close(&source);
    return status;
}

HolStatus hol_model_parse(HolModel *model, const char *text, const char *name)
{
    HolSource source;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, text));
    HOL_TRY(hol_model_clear(model));
    HOL_TRY(hol_source_of_text(model, text, name ? name : "text", &source));
    return load_source(model, &source);
}
