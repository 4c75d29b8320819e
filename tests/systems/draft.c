/* SPDX-License-Identifier: BSD-3-Clause */
#include "draft.h"

#include <stdio.h>
#include <stdlib.h>

Draft draft_open(const HolSystemSpec *spec, size_t self_size)
{
    size_t words = (self_size + sizeof(double) - 1) / sizeof(double);
    Draft draft = {.scene = calloc(1, sizeof(Scene)), .spec = *spec};
    double *memory = calloc(words + (size_t)spec->nq + (size_t)spec->nv + 1, sizeof(double));
    if (!draft.scene || !memory) {
        free(draft.scene);
        free(memory);
        draft.scene = NULL;
        return draft;
    }
    draft.self = memory;
    draft.q = memory + words;
    draft.v = draft.q + spec->nq;
    draft.spec.self = draft.self;
    *draft.scene = (Scene){.start = {.q = draft.q, .v = draft.v}, .owned = memory};
    return draft;
}

void draft_divide(Draft *draft, int block_count, int block_size, int group_count, int group_size)
{
    draft->sizes = malloc(((size_t)block_count + (size_t)group_count) * sizeof(int));
    draft->pairs = malloc(2 * (size_t)group_count * sizeof(HolPair));
    if (!draft->sizes || !draft->pairs) {
        scene_destroy(draft->scene);
        draft->scene = NULL;
        return;
    }
    for (int i = 0; i < block_count + group_count; i++)
        draft->sizes[i] = i < block_count ? block_size : group_size;
    draft->spec.block_count = block_count;
    draft->spec.block_sizes = draft->sizes;
    draft->spec.group_count = group_count;
    draft->spec.group_sizes = draft->sizes + block_count;
    draft->spec.pairs = draft->pairs;
}

void draft_pair(Draft *draft, int group, int block)
{
    if (draft->scene)
        draft->pairs[draft->spec.pair_count++] = (HolPair){group, block};
}

static void create_system(Draft *draft)
{
    HolMessage message = {""};
    HolStatus status = hol_system_create(&draft->spec, &draft->scene->system, &message);
    if (status == HOL_OK)
        return;
    if (status != HOL_NO_MEMORY) {
        fprintf(stderr, "scene '%s': %s\n", draft->spec.name, message.text);
        abort();
    }
    scene_destroy(draft->scene);
    draft->scene = NULL;
}

Scene *draft_close(Draft *draft)
{
    if (draft->scene)
        create_system(draft);
    free(draft->sizes);
    free(draft->pairs);
    Scene *scene = draft->scene;
    if (scene)
        scene->dof = draft->spec.nv - draft->spec.nh - draft->spec.nn + scene->redundant_rows;
    return scene;
}

int draft_tangent(const Scene *scene, int row, int column)
{
    const HolPattern *pattern = hol_system_pattern(scene->system);
    for (int k = 0; k < pattern->tangent_count; k++) {
        if (pattern->tangents[k].row == row && pattern->tangents[k].column == column)
            return pattern->tangent_start[k];
    }
    return -1;
}
