/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/row_solver.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/independent_rows.h"
#include "linalg/rank/rank.h"

/* While stepping the block solver leaves out only what is singular to rounding. */
static const double SINGULAR = HOL_TOL_PIVOT;
/* Directions that the dense solver takes for not held. */
static const double RANK_TOLERANCE = HOL_TOL_RANK_STILL;

/* Rows that depend on others at the start. */
static HolStatus count_redundant(const HolSetup *setup, const HolPattern *p, int *count)
{
    const HolTerms *terms = setup->work->terms;
    double violation = hol_relative_violation(p, terms->D, terms->Phi);
    return hol_rows_choose_once(p, terms->D, hol_rank_sine(HOL_TOL_RANK, violation), NULL, count);
}

static HolStatus create_block(const HolSetup *setup, HolRowSolver *s)
{
    const HolTerms *terms = setup->work->terms;
    const HolPattern *p = s->pattern;
    s->constant_mass = hol_system_has_constant_mass(setup->system);
    s->not_holonomic = hol_arena_alloc(setup->arena, (size_t)p->m);
    if (!s->not_holonomic)
        return HOL_NO_MEMORY;
    for (int i = p->nh; i < p->m; ++i)
        s->not_holonomic[i] = 1;
    HOL_TRY(hol_schur_create_for(setup->arena, p, terms->M, terms->D, &s->schur));
    HOL_TRY(hol_schur_factor(s->schur, terms->D, SINGULAR, NULL));
    return hol_refinement_create(setup, s->schur, &s->refinement);
}

static HolStatus create_dense(const HolSetup *setup, const char *name, HolRowSolver *s)
{
    const HolPattern *p = s->pattern;
    s->schur = NULL;
    HOL_TRY(hol_setup_check_dense(setup, name));
    HOL_TRY(hol_inverse_create(setup, p->m, RANK_TOLERANCE, &s->inverse[HOL_ALL_ROWS]));
    s->inverse[HOL_HOLONOMIC_ROWS] = s->inverse[HOL_ALL_ROWS];
    if (p->nn > 0)
        HOL_TRY(hol_inverse_create(setup, p->nh, RANK_TOLERANCE, &s->inverse[HOL_HOLONOMIC_ROWS]));
    s->inverse[HOL_ALL_ROWS]->space->qr->steady = s->inverse[HOL_HOLONOMIC_ROWS]->space->qr->steady = true;
    return HOL_OK;
}

HolStatus hol_row_solver_create(const HolSetup *setup, const char *name, HolRowSolverChoice choice,
                                HolRowSolver **solver)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolRowSolver *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *solver = s;
    s->pattern = p;
    s->stamp = -1;
    int redundant = 0;
    if (choice != HOL_SOLVER_DENSE)
        HOL_TRY(count_redundant(setup, p, &redundant));
    if (choice == HOL_SOLVER_BLOCK && redundant > 0)
        return hol_fail(setup->message, HOL_UNSUPPORTED,
                        "'%s': solver 'block' requires independent constraint equations, but %d of %d are redundant; "
                        "leave the choice to 'automatic'",
                        name, redundant, p->m);
    HolStatus status = choice == HOL_SOLVER_DENSE || redundant > 0 ? HOL_UNSUPPORTED : create_block(setup, s);
    if (choice == HOL_SOLVER_BLOCK && (status == HOL_UNSUPPORTED || status == HOL_SINGULAR))
        return hol_fail(
            setup->message, HOL_UNSUPPORTED,
            "'%s': solver 'block' cannot handle a mass matrix that couples most of the system; leave the choice "
            "to 'automatic'",
            name);
    return status == HOL_UNSUPPORTED || status == HOL_SINGULAR ? create_dense(setup, name, s) : status;
}

static HolStatus solve_unrefined(HolRowSolver *s, HolWorkspace *work, HolRowSet set, const double *f, const double *c,
                                 double *x, double *lambda)
{
    bool has_others = s->pattern->nn > 0, is_new = s->stamp != work->stamp;
    if (!is_new && (s->set == set || !has_others)) {
        hol_schur_solve(s->schur, f, c, x, lambda);
        return HOL_OK;
    }
    s->stamp = -1;
    if (is_new && !s->constant_mass)
        HOL_TRY(hol_schur_set_mass(s->schur, work->terms->M));
    const unsigned char *left_out = has_others && set == HOL_HOLONOMIC_ROWS ? s->not_holonomic : NULL;
    HOL_TRY(hol_schur_factor_solve(s->schur, work->terms->D, SINGULAR, left_out, f, c, x, lambda));
    s->stamp = work->stamp;
    s->set = set;
    return HOL_OK;
}

static HolStatus solve_block(HolRowSolver *s, HolWorkspace *work, HolRowSet set, const double *f, const double *c,
                             double *x, double *lambda)
{
    HOL_TRY(solve_unrefined(s, work, set, f, c, x, lambda));
    if (s->refinement)
        hol_refinement_apply(s->refinement, s->schur, work->terms, f, c, x, lambda);
    return HOL_OK;
}

HolStatus hol_row_solver_solve(HolRowSolver *solver, HolWorkspace *work, HolRowSet set, const double *f,
                               const double *c, double *x, double *lambda)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_PHI));
    if (solver->schur)
        return solve_block(solver, work, set, f, c, x, lambda);
    HOL_TRY(hol_inverse_factor(solver->inverse[set], work));
    hol_inverse_solve(solver->inverse[set], work->terms, f, c, x, lambda);
    return HOL_OK;
}

HolStatus hol_row_solver_prepare(HolRowSolver *solver, HolWorkspace *work)
{
    if (solver->schur)
        return HOL_OK;
    HOL_TRY(hol_inverse_count(solver->inverse[HOL_ALL_ROWS], work));
    if (solver->pattern->nn > 0)
        HOL_TRY(hol_inverse_count(solver->inverse[HOL_HOLONOMIC_ROWS], work));
    return HOL_OK;
}

void hol_row_solver_report(const HolRowSolver *solver, HolStepReport *report)
{
    const HolInverse *inverse = solver->inverse[HOL_ALL_ROWS];
    report->rank = solver->schur ? hol_schur_rank(solver->schur) : inverse->space->rank;
    report->pivot = solver->schur ? hol_schur_pivot(solver->schur) : hol_inverse_pivot(inverse);
}

void hol_row_solver_archive(HolRowSolver *solver, HolArchive *archive)
{
    hol_inverse_archive(solver->inverse[HOL_ALL_ROWS], archive);
    if (solver->pattern->nn > 0)
        hol_inverse_archive(solver->inverse[HOL_HOLONOMIC_ROWS], archive);
}
