/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/schur/targets.h"

#include "base/message.h"
#include "linalg/block/blocks.h"

/* Pairs of D blocks in the same group of rows, each block with itself included. */
static int count_links(const HolPattern *p)
{
    int links = 0;
    for (int g = 0; g < p->group_count; ++g) {
        int touched = p->group_pairs[g + 1] - p->group_pairs[g];
        links += touched * (touched + 1) / 2;
    }
    return links;
}

static void targets_find_edges(const HolPattern *p, HolTargets *t, HolPair *edges)
{
    int count = 0;
    for (int g = 0; g < p->group_count; ++g)
        for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i)
            for (int j = p->group_pairs[g]; j <= i; ++j) {
                t->links[count] = (HolLink){i, j, {0, false}};
                edges[count++] = (HolPair){p->pairs[i].column, p->pairs[j].column};
            }
    for (int k = p->block_count; k < p->mass_pair_count; ++k)
        edges[count++] = p->mass_pairs[k];
    for (int k = 0; t->tangents && k < p->tangent_count; ++k)
        edges[count++] = p->tangents[k];
}

static HolTarget target_of(const HolBlockLdl *matrix, int row, int column)
{
    HolTarget target;
    target.turned = !hol_ldl_slot(matrix, row, column, &target.value);
    return target;
}

static void targets_aim(const HolPattern *p, const HolBlockLdl *matrix, HolTargets *t)
{
    for (HolLink *link = t->links; link < t->links + t->link_count; ++link)
        link->target = target_of(matrix, p->pairs[link->i].column, p->pairs[link->j].column);
    for (int k = 0; k < p->mass_pair_count; ++k)
        t->masses[k] = target_of(matrix, p->mass_pairs[k].row, p->mass_pairs[k].column);
    for (int k = 0; t->tangents && k < p->tangent_count; ++k)
        t->tangents[k] = target_of(matrix, p->tangents[k].row, p->tangents[k].column);
}

HolStatus hol_targets_create(HolArena *arena, const HolPattern *p, int states, bool with_tangents, HolTargets *targets,
                             HolBlockLdl **matrix)
{
    int tangents = with_tangents ? p->tangent_count : 0;
    targets->link_count = count_links(p);
    int edge_count = targets->link_count + p->mass_pair_count - p->block_count + tangents;
    targets->links = hol_arena_alloc(arena, (size_t)targets->link_count * sizeof *targets->links);
    targets->masses = hol_arena_alloc(arena, (size_t)p->mass_pair_count * sizeof *targets->masses);
    targets->tangents = with_tangents ? hol_arena_alloc(arena, (size_t)tangents * sizeof *targets->tangents) : NULL;
    HolPair *edges = hol_arena_alloc(arena, (size_t)edge_count * sizeof *edges);
    int *sizes = hol_arena_ints(arena, (size_t)p->block_count);
    HOL_TRY(hol_arena_status(arena));
    for (int b = 0; b < p->block_count; ++b)
        sizes[b] = states * hol_part_size(p->block_start, b);
    targets_find_edges(p, targets, edges);
    HOL_TRY(hol_ldl_create(arena, p->block_count, sizes, edges, edge_count, matrix));
    targets_aim(p, *matrix, targets);
    return HOL_OK;
}
