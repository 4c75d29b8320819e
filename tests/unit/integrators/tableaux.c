/* SPDX-License-Identifier: BSD-3-Clause */
/* The order conditions of the embedded Runge-Kutta methods, for all rooted trees: with Phi_i(tree), the product over the
 * subtrees of a root of sum_j a_ij Phi_j(subtree),
 *
 *     sum_i b_i(theta) Phi_i(tree) = theta^n / gamma(tree)      n: nodes; gamma: n times gamma of the subtrees      (1)
 *
 * for the result (theta = 1) and for the dense output; sum_i e_i Phi_i(tree) = 0 for the estimates of errors. */
#include "check.h"
#include "integrators/embedded.h"

#include <string.h>

extern const HolEmbeddedScheme hol_dopri5_scheme, hol_dop853_scheme;

enum { MOST_NODES = 9, MOST_TREES = 500, MOST = HOL_EMBEDDED_STAGES };

/* A tree is a root with subtrees, which are earlier trees of the list in ascending order. */
typedef struct Tree {
    int nodes, count, subtrees[MOST_NODES];
    double gamma;
} Tree;

static Tree trees[MOST_TREES];
static int tree_count, first_of[MOST_NODES + 2]; /* first_of[n]: the first tree of n nodes */

static void forest_finish(Tree *tree, int nodes)
{
    tree->nodes = nodes;
    tree->gamma = nodes;
    for (int i = 0; i < tree->count; ++i)
        tree->gamma *= trees[tree->subtrees[i]].gamma;
    REQUIRE(tree_count < MOST_TREES);
    trees[tree_count++] = *tree;
}

/* Lists all trees of this many nodes, `rest` of which are still to be added in subtrees from `from` on. */
static void forest_extend(Tree *tree, int nodes, int rest, int from)
{
    if (rest == 0)
        forest_finish(tree, nodes);
    for (int k = from; k < first_of[nodes] && trees[k].nodes <= rest; ++k) {
        tree->subtrees[tree->count++] = k;
        forest_extend(tree, nodes, rest - trees[k].nodes, k);
        --tree->count;
    }
}

static void list_trees(void)
{
    if (tree_count > 0)
        return;
    for (int n = 1; n <= MOST_NODES; ++n) {
        Tree tree = {0};
        first_of[n] = tree_count;
        forest_extend(&tree, n, n - 1, 0);
    }
    first_of[MOST_NODES + 1] = tree_count;
}

/* Phi_i of all trees, by all stages. */
static double phi[MOST_TREES][MOST];

static void evaluate_trees(const HolEmbeddedScheme *s)
{
    list_trees();
    for (int k = 0; k < tree_count; ++k)
        for (int i = 0; i < s->dense_stages; ++i) {
            phi[k][i] = 1;
            for (int t = 0; t < trees[k].count; ++t) {
                double sum = 0;
                for (int j = 0; j < i; ++j)
                    sum += s->a[i * s->dense_stages + j] * phi[trees[k].subtrees[t]][j];
                phi[k][i] *= sum;
            }
        }
}

/* The largest difference of weights from (1) over the trees of n nodes; from 0 for an estimate of errors. */
static double defect(const double *b, int stages, int n, double theta, bool is_estimate)
{
    double largest = 0;
    for (int k = first_of[n]; k < first_of[n + 1]; ++k) {
        double sum = is_estimate ? 0 : -pow(theta, n) / trees[k].gamma;
        for (int i = 0; i < stages; ++i)
            sum += b[i] * phi[k][i];
        largest = fmax(largest, fabs(sum));
    }
    return largest;
}

/* All conditions up to this order hold to rounding, and some of the next order do not. */
static void check_weights(const double *b, int stages, double theta, bool is_estimate, int order)
{
    static const double ROUNDING = 3e-14; /* weights are up to 500 */
    for (int n = 1; n <= order; ++n) {
        CHECK_CONTEXT("order %d of %d, theta %g, difference %.3g", n, order, theta,
                      defect(b, stages, n, theta, is_estimate));
        CHECK(defect(b, stages, n, theta, is_estimate) < ROUNDING);
    }
    CHECK(defect(b, stages, order + 1, theta, is_estimate) > 1e-7);
}

static void check_scheme(const HolEmbeddedScheme *s, int order, int dense_order, int error_order, int low_order)
{
    double b[MOST];
    evaluate_trees(s);
    for (int i = 0; i < s->dense_stages; ++i) {
        double sum = 0;
        for (int j = 0; j < i; ++j)
            sum += s->a[i * s->dense_stages + j];
        CHECK_NEAR(sum, s->c[i], 1e-14);
    }
    check_weights(s->a + s->result * s->dense_stages, s->result, 1, false, order);
    check_weights(s->e, s->stages, 1, true, error_order);
    if (s->e_low)
        check_weights(s->e_low, s->stages, 1, true, low_order);
    for (double theta = 0.15; theta < 0.9; theta += 0.1) {
        s->weights(theta, b);
        check_weights(b, s->dense_stages, theta, false, dense_order);
    }
}

static void there_are_as_many_trees_as_theory_says(void)
{
    static const int known[] = {1, 1, 2, 4, 9, 20, 48, 115, 286};
    list_trees();
    for (int n = 1; n <= MOST_NODES; ++n)
        CHECK_EQUAL_INT(first_of[n + 1] - first_of[n], known[n - 1]);
}

static void dopri5_satisfies_the_order_conditions(void)
{
    check_scheme(&hol_dopri5_scheme, 5, 4, 4, 0);
}

static void dop853_satisfies_the_order_conditions(void)
{
    check_scheme(&hol_dop853_scheme, 8, 7, 5, 3);
}

/* The dense output joins the ends, with the slopes there. */
static void weights_join_the_ends(void)
{
    const HolEmbeddedScheme *const schemes[] = {&hol_dopri5_scheme, &hol_dop853_scheme};
    for (int k = 0; k < 2; ++k) {
        const HolEmbeddedScheme *s = schemes[k];
        const double *result = s->a + s->result * s->dense_stages, small = 1e-7;
        double from[MOST], to[MOST], after[MOST], before[MOST];
        s->weights(0, from);
        s->weights(1, to);
        s->weights(small, after);
        s->weights(1 - small, before);
        for (int i = 0; i < s->dense_stages; ++i) {
            CHECK_NEAR(from[i], 0, 0);
            CHECK_NEAR(to[i], i < s->result ? result[i] : 0, 1e-15);
            CHECK_NEAR(after[i] / small, i == 0, 1e-4);
            CHECK_NEAR((to[i] - before[i]) / small, i == s->result, 1e-4);
        }
    }
}

CHECK_MAIN(TEST(there_are_as_many_trees_as_theory_says), TEST(dopri5_satisfies_the_order_conditions),
           TEST(dop853_satisfies_the_order_conditions), TEST(weights_join_the_ends))
