/* SPDX-License-Identifier: BSD-3-Clause */
/* Multipliers resolved at states of a run: D^T lambda and unique reactions stay, and each rule satisfies its condition
 * on the null vectors of D^T. */
#include "mechanism/reactions/resolver.h"

#include "check.h"
#include "linalg/block/blocks.h"
#include "mechanism/evaluate/evaluate.h"
#include "mechanism/reactions/elastic.h"
#include "mechanism/reactions/reaction.h"
#include "random.h"
#include "simulate/diagnosis/redundancy.h"

#include <stdlib.h>

typedef struct Bench {
    HolModel *model;
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolArena *arena;
    HolWorkspace *work;
    HolResolver *resolver;
    const HolRedundancy *redundancy;
    HolMotion motion;
    double *lambda, *force, *unit;
    const double *resolved;
} Bench;

static bool open_bench(Bench *b, const char *model, const char *variant, const char *coordinates, const char *way)
{
    HolMessage message = {{0}};
    *b = (Bench){.model = hol_model_create(), .arena = hol_arena_create()};
    CHECK_OK(hol_model_load(b->model, model));
    if (variant)
        CHECK_OK(hol_model_choose(b->model, variant));
    CHECK_OK(hol_model_set(b->model, "run.coordinates", "%s", coordinates));
    CHECK_OK(hol_model_set(b->model, "run.reactions", "%s", way));
    if (!CHECK_OK(hol_mechanism_create(b->model, &b->mechanism)) ||
        !CHECK_OK(hol_mechanism_assemble(b->mechanism, &message)))
        return false;
    HolMechanism *m = b->mechanism;
    for (int j = 0; j < m->joint_count;
         ++j) { /* each joint its own stiffness, far from the others', every fifth rigid */
        HolElastic *elastic = hol_arena_alloc(b->arena, sizeof *elastic);
        *elastic = (HolElastic){1e-10 * pow(10, j % 6), 1e-10 * pow(10, j % 5), 1e-6 * (1 + j % 7), NULL, NULL, NULL};
        m->joints[j].elastic = j % 5 == 4 ? NULL : elastic;
    }
    m->is_elastic = true;
    HolInitialState start = hol_mechanism_initial_state(m);
    HolSimulationOptions options = hol_mechanism_options(m);
    b->lambda = hol_arena_doubles(b->arena, (size_t)m->pattern->m);
    b->unit = hol_arena_doubles(b->arena, (size_t)m->pattern->m);
    b->force = hol_arena_doubles(b->arena, (size_t)m->pattern->nv);
    return CHECK_OK(hol_simulation_create(m->system, &start, &options, &b->simulation, &message)) &&
           CHECK_OK(hol_workspace_create(m->system, b->arena, &b->work)) &&
           CHECK_OK(hol_resolver_create(b->arena, m, &b->resolver));
}

static void close_bench(Bench *b)
{
    hol_resolver_destroy(b->resolver);
    hol_workspace_destroy(b->work);
    hol_simulation_destroy(b->simulation);
    hol_mechanism_destroy(b->mechanism);
    hol_model_destroy(b->model);
    hol_arena_destroy(b->arena);
}

/* Random multipliers at the present state, resolved. */
static bool resolve(Bench *b)
{
    const HolState *state = hol_simulation_state(b->simulation);
    HolRedundancy *redundancy;
    HolPoint at = {.t = state->t, .q = state->q, .v = state->v};
    for (int i = 0; i < b->mechanism->pattern->m; ++i)
        b->lambda[i] = 100 * random_number();
    hol_workspace_move(b->work, at.t, at.q, at.v);
    if (!CHECK_OK(hol_workspace_need(b->work, HOL_WANT_MASS | HOL_WANT_JACOBIAN)) ||
        !CHECK_OK(hol_redundancy_create(b->arena, b->work, &redundancy)))
        return false;
    b->redundancy = redundancy;
    b->motion = hol_mechanism_motion(b->mechanism, &at, true, b->work->terms);
    HolResolverState here = {hol_reaction_rule(b->mechanism, 0), b->motion.frames, b->work->terms->D, 0};
    return CHECK_OK(hol_resolver_apply(b->resolver, &here, b->lambda, &b->resolved));
}

static void check_force_stays(Bench *b)
{
    const HolPattern *p = b->mechanism->pattern;
    memset(b->force, 0, (size_t)p->nv * sizeof *b->force);
    for (int i = 0; i < p->m; ++i)
        b->unit[i] = b->resolved[i] - b->lambda[i];
    hol_jacobian_add_transposed(p, b->work->terms->D, b->unit, b->force);
    CHECK(hol_max_norm(p->nv, b->force) < 1e-10);
    memset(b->unit, 0, (size_t)p->m * sizeof *b->unit);
}

/* n^T C lambda = 0 for all null vectors n, with C of the joints or 1 */
static void check_least(Bench *b, bool by_stiffness)
{
    const HolMechanism *m = b->mechanism;
    double C[HOL_JOINT_ROWS * HOL_JOINT_ROWS];
    for (int k = 0; k < b->redundancy->redundant_count; ++k) {
        const double *n = b->redundancy->null_vectors[k];
        double sum = 0, size = 0;
        for (int j = 0; j < m->joint_count; ++j) {
            const HolJoint *joint = &m->joints[j];
            int count = joint->row_count;
            hol_joint_compliance(m, joint, b->motion.frames, b->work->terms->D, b->unit, C);
            for (int i = 0; i < count * count; ++i) {
                double c = by_stiffness ? C[i] : i / count == i % count;
                double part = n[joint->rows[i / count]] * c * b->resolved[joint->rows[i % count]];
                sum += part;
                size += fabs(part);
            }
        }
        CHECK(fabs(sum) <= 1e-9 * size + 1e-16);
    }
}

/* As many rows of joints without force as there are redundant ones. */
static void check_eliminated(const Bench *b)
{
    int idle = 0;
    for (int j = 0; j < b->mechanism->joint_count; ++j)
        for (int i = 0; i < b->mechanism->joints[j].row_count; ++i)
            idle += b->resolved[b->mechanism->joints[j].rows[i]] == 0;
    CHECK_EQUAL_INT(idle, b->redundancy->redundant_count);
}

static void check_unique_stays(const Bench *b)
{
    const HolMechanism *m = b->mechanism;
    for (int j = 0; j < m->joint_count; ++j) {
        double before[6], after[6], open[6] = {0};
        hol_joint_reaction(m, &m->joints[j], b->motion.frames, b->work->terms->D, b->lambda, before);
        hol_joint_reaction(m, &m->joints[j], b->motion.frames, b->work->terms->D, b->resolved, after);
        for (int k = 0; k < b->redundancy->redundant_count; ++k) {
            double f[6];
            hol_joint_reaction(m, &m->joints[j], b->motion.frames, b->work->terms->D, b->redundancy->null_vectors[k],
                               f);
            for (int i = 0; i < 6; ++i)
                open[i] = fmax(open[i], fabs(f[i]));
        }
        for (int i = 0; i < 6; ++i)
            if (open[i] < 1e-12)
                CHECK_NEAR(after[i], before[i], 1e-8);
    }
}

static void check_way(const char *model, const char *variant, const char *coordinates, const char *way)
{
    Bench b;
    random_seed(7);
    if (open_bench(&b, model, variant, coordinates, way)) {
        for (int k = 0; k < 3; ++k) {
            CHECK_CONTEXT("%s, %s, %s, %d", model, coordinates, way, k);
            if (!resolve(&b) || !CHECK(b.redundancy->redundant_count > 0))
                break;
            check_force_stays(&b);
            check_unique_stays(&b);
            if (strcmp(way, "elimination") == 0)
                check_eliminated(&b);
            else
                check_least(&b, strcmp(way, "stiffness") == 0);
            CHECK_OK(hol_simulation_run(b.simulation, &(HolRun){.until = 0.1 * (k + 1)}));
        }
    }
    close_bench(&b);
}

static void every_way_keeps_its_promise(void)
{
    static const char *const ways[] = {"minimum-norm", "stiffness", "elimination"};
    static const char *const coordinates[] = {"reference-point", "natural"};
    for (int w = 0; w < 3; ++w)
        for (int c = 0; c < 2; ++c)
            check_way("governor", "hinged", coordinates[c], ways[w]);
}

/* The resolver allocates nothing and returns lambda itself. */
static void without_redundant_rows_nothing_changes(void)
{
    Bench b;
    random_seed(7);
    if (open_bench(&b, "four-bar", NULL, "reference-point", "minimum-norm") && resolve(&b))
        CHECK(b.resolved == b.lambda);
    close_bench(&b);
}

/* Checks whether redundant rows are found with the joints open by about `gap`. */
static void check_open(double gap, bool is_lost)
{
    Bench b;
    random_seed(7);
    if (open_bench(&b, "governor", "hinged", "reference-point", "minimum-norm") && resolve(&b)) {
        const HolState *state = hol_simulation_state(b.simulation);
        const HolPattern *p = b.mechanism->pattern;
        double *q = hol_arena_doubles(b.arena, (size_t)p->nq);
        for (int i = 0; i < p->nq; ++i)
            q[i] = state->q[i] + gap * random_number();
        CHECK(!hol_resolver_is_partial(b.resolver));
        hol_workspace_move(b.work, state->t, q, state->v);
        CHECK_OK(hol_workspace_need(b.work, HOL_WANT_JACOBIAN | HOL_WANT_PHI));
        HolResolverState here = {hol_reaction_rule(b.mechanism, 0), b.motion.frames, b.work->terms->D,
                                 hol_max_norm(p->nh, b.work->terms->Phi)};
        CHECK_OK(hol_resolver_apply(b.resolver, &here, b.lambda, &b.resolved));
        CHECK(hol_resolver_is_partial(b.resolver) == is_lost);
        CHECK(is_lost || b.resolved != b.lambda);
    }
    close_bench(&b);
}

/* Redundant rows are found in spite of drift; with large drift they are not, and the resolver reports it. */
static void drift_is_allowed_for(void)
{
    CHECK_CONTEXT("%s", "drift");
    check_open(1e-8, false);
    check_open(1e-6, false);
    check_open(0.1, true);
}

CHECK_MAIN(TEST(drift_is_allowed_for), TEST(every_way_keeps_its_promise), TEST(without_redundant_rows_nothing_changes))
