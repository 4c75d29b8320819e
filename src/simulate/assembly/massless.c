/* SPDX-License-Identifier: BSD-3-Clause */
/* Along x with M x = 0 and D x = 0 no acceleration is determined. Where x moves one particle alone, which is what
 * happens where rods are collinear, the particle can be named:
 *
 *     S = sum_i d_i d_i^T,   d_i = (row i of D at the particle) / |row|                                      (1)
 *
 * is then singular. Several particles that only move together are found by the factorisation of the whole system. */
#include "simulate/assembly/massless.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "system/workspace.h"

static const double IN_LINE =
    HOL_TOL_PARALLEL * HOL_TOL_PARALLEL; /* square of the sine between rows, below which they point the same way */

static bool massless_has_mass(const HolPattern *p, const double *M, int block)
{
    return hol_max_norm(hol_part_size(p->mass_start, block), M + p->mass_start[block]) > 0;
}

/* (1); n is 2 or 3 */
static void add_rows(const HolPattern *p, const double *D, int pair, int n, double S[3][3])
{
    int rows = hol_part_size(p->group_start, p->pairs[pair].row);
    for (int r = 0; r < rows; ++r) {
        const double *d = D + p->pair_start[pair] + n * r;
        double square = 0;
        for (int i = 0; i < n; ++i)
            square += d[i] * d[i];
        for (int i = 0; i < n * n && square > 0; ++i)
            S[i / n][i % n] += d[i / n] * d[i % n] / square;
    }
}

/* By elimination with the largest pivot of what is left. */
static bool is_regular(int n, double S[3][3])
{
    bool done[3] = {false};
    for (int k = 0; k < n; ++k) {
        int at = -1;
        for (int i = 0; i < n; ++i)
            if (!done[i] && (at < 0 || S[i][i] > S[at][at]))
                at = i;
        if (!(S[at][at] > IN_LINE))
            return false;
        done[at] = true;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n && !done[i]; ++j)
                if (j != at)
                    S[i][j] -= S[i][at] * S[at][j] / S[at][at];
    }
    return true;
}

static bool massless_is_held(const HolPattern *p, const double *D, int block)
{
    double S[3][3] = {{0}};
    int n = hol_part_size(p->block_start, block);
    for (int pair = 0; pair < p->pair_count; ++pair)
        if (p->pairs[pair].column == block)
            add_rows(p, D, pair, n, S);
    return is_regular(n, S);
}

static HolStatus massless_check(const HolMechanism *m, HolWorkspace *work, HolMessage *message)
{
    HolInitialState start = hol_mechanism_initial_state(m);
    hol_workspace_move(work, 0, start.q, start.v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    for (int i = 0; i < m->body_count; ++i)
        if (m->bodies[i].form == HOL_PARTICLE && !massless_has_mass(m->pattern, work->terms->M, i) &&
            !massless_is_held(m->pattern, work->terms->D, i))
            return hol_fail(message, HOL_SINGULAR,
                            "'%s' cannot be assembled: the particle '%s' has no mass, but its joints leave it a "
                            "degree of freedom; give it a 'mass', or let a rod with mass end in it",
                            m->name, m->bodies[i].name);
    return HOL_OK;
}

HolStatus hol_massless_check(const HolMechanism *mechanism, HolMessage *message)
{
    bool has_massless = false;
    for (int i = 0; i < mechanism->body_count; ++i)
        has_massless = has_massless || (mechanism->bodies[i].form == HOL_PARTICLE && !(mechanism->bodies[i].mass > 0));
    if (!has_massless)
        return HOL_OK;
    HolWorkspace *work = NULL;
    HolArena *arena = hol_arena_create_within(mechanism->pattern->memory);
    HolStatus status = arena ? hol_workspace_create(mechanism->system, arena, &work) : HOL_NO_MEMORY;
    if (status == HOL_OK)
        status = massless_check(mechanism, work, message);
    hol_workspace_destroy(work);
    hol_arena_destroy(arena);
    return status;
}
