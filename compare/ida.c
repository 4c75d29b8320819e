/* SPDX-License-Identifier: BSD-3-Clause */
#include "ida.h"

#include <holon/argument.h>
#include <holon/compare.h>

#ifdef HOLON_IDA

#include "index2.h"
#include "vectors.h"
#include "windows.h"

#include <float.h>
#include <ida/ida.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

enum { LEAST_STEPS = 1000, MOST_FAILURES = 30, MOST_ORDER = 5 };
enum { STABLE_ORDER = 2 }; /* higher orders amplify vibrations without damping at some frequencies */
/* Of the multipliers: they follow from the velocities, and short steps enlarge their rounding. */
static const double LOOSER = 1e6;
static const double LEFT_OUT = 1e-6; /* violation of redundant rows that are so no longer, relative to the model */
static const double LEAST_PROGRESS = 1e-4;          /* between two failures, relative to the run */
static const double LEAST_WORK = 5e5, LITTLE = 0.2; /* of the limit: from which the work of the run is extrapolated */

bool hol_compare_has_ida(void)
{
    return true;
}

struct HolIda {
    const HolSystem *system;
    const HolPattern *pattern;
    HolIdaOptions options;
    double start;
    HolPool pool, segment; /* segment: what lives until the next breakpoint */
    HolTerms *terms;
    HolState state;
    double break_at; /* the next breakpoint */
    HolIndex2 index2;
    HolStatus status; /* of the latest residual */
    double failed_at; /* where the latest segment had to begin again */
    HolMessage message;
    double evaluations; /* before this segment */
    SUNContext context;
    void *memory; /* of IDA; NULL between two segments */
    HolSpares spares;
    N_Vector y, ydot, id;
    SUNMatrix jacobian;
    SUNLinearSolver solver;
    HolCrossing *crossings;
};

/* ---- What IDA calls ---- */

static int outcome(HolIda *ida, HolStatus status)
{
    ida->status = status;
    return status == HOL_OK ? 0 : status == HOL_NOT_FINITE || status == HOL_SINGULAR ? 1 : -1;
}

static int ida_residual(realtype t, N_Vector y, N_Vector ydot, N_Vector F, void *user)
{
    HolIda *ida = user;
    return outcome(ida, hol_index2_residual(&ida->index2, t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot),
                                            N_VGetArrayPointer(F)));
}

static int ida_jacobian(realtype t, realtype c, N_Vector y, N_Vector ydot, N_Vector F, SUNMatrix J, void *user,
                        N_Vector a, N_Vector b, N_Vector d)
{
    HolIda *ida = user;
    const HolIndex2 *e = &ida->index2;
    (void)F, (void)a, (void)b, (void)d;
    for (int j = 0; j <= e->n; ++j)
        SUNSparseMatrix_IndexPointers(J)[j] = e->start[j];
    for (int k = 0; k < e->start[e->n]; ++k)
        SUNSparseMatrix_IndexValues(J)[k] = e->row[k];
    return outcome(ida, hol_index2_jacobian(&ida->index2, t, c, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot),
                                            SUNSparseMatrix_Data(J)));
}

static int ida_weights(N_Vector y, N_Vector weights, void *user)
{
    const HolIda *ida = user;
    const HolIndex2 *e = &ida->index2;
    int moving = e->pattern->nq + e->pattern->nv;
    const double *x = N_VGetArrayPointer(y);
    for (int i = 0; i < e->n; ++i) {
        double size = fabs(x[i]) + e->scale[i], tolerance = ida->options.tolerance * (i < moving ? 1 : LOOSER);
        N_VGetArrayPointer(weights)[i] = 1 / (tolerance * size);
    }
    return 0;
}

/* Where an event has no meaning it cannot happen. */
static int ida_events(realtype t, N_Vector y, N_Vector ydot, realtype *g, void *user)
{
    HolIda *ida = user;
    HolPoint at = {t, ida->index2.q, N_VGetArrayPointer(y) + ida->pattern->nq};
    (void)ydot;
    hol_system_retract(ida->system, N_VGetArrayPointer(y), ida->index2.zero, ida->index2.q);
    hol_system_events(ida->system, &at, ida->terms, ida->crossings);
    for (int i = 0; i < hol_system_event_count(ida->system); ++i)
        g[i] = isnan(ida->crossings[i].g) ? 1 : ida->crossings[i].g;
    return 0;
}

/* Failures are told by what IDA returns. */
static void ida_report(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

/* ---- A segment between two breakpoints ---- */

static void segment_end(HolIda *ida)
{
    ida->evaluations += (double)ida->index2.evaluations;
    ida->index2.evaluations = 0;
    if (ida->memory)
        IDAFree(&ida->memory);
    if (ida->solver)
        SUNLinSolFree(ida->solver);
    if (ida->jacobian)
        SUNMatDestroy(ida->jacobian);
    N_VDestroy(ida->y);
    N_VDestroy(ida->ydot);
    N_VDestroy(ida->id);
    hol_spares_free(&ida->spares);
    ida->solver = NULL;
    ida->jacobian = NULL;
    ida->y = ida->ydot = ida->id = NULL;
    hol_pool_clear(&ida->segment);
}

/* Terms are evaluated strictly between the breakpoints. */
static double distance_from_break(const HolIda *ida, double t)
{
    return 8 * DBL_EPSILON * fabs(t) + 1e-12 * (ida->options.until - ida->start) / LEAST_STEPS;
}

/* vdot and lambda at the present state, from which IDA guesses the first step. */
static HolStatus guess_start(HolIda *ida, double t)
{
    HolSimulationOptions options = hol_simulation_options();
    HolInitialState start = {t, ida->state.q, ida->state.v};
    HolSimulation *simulation;
    options.keep_start = true;
    HOL_TRY(hol_simulation_create(ida->system, &start, &options, &simulation, &ida->message));
    const HolState *state = hol_simulation_state(simulation);
    memcpy(ida->state.vdot, state->vdot, (size_t)ida->pattern->nv * sizeof *state->vdot);
    memcpy(ida->state.lambda, state->lambda, (size_t)ida->pattern->m * sizeof *state->lambda);
    hol_simulation_destroy(simulation);
    return HOL_OK;
}

static double largest_of(int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n; ++i)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* The sizes below which numbers count as zero: of a model that moves by itself once in the run. */
static void set_scales(HolIda *ida)
{
    HolIndex2 *e = &ida->index2;
    const HolPattern *p = ida->pattern;
    double speed = p->length / (ida->options.until - ida->start);
    double force = fmax(largest_of(p->nv, ida->terms->Q), largest_of(p->m, ida->state.lambda));
    for (int i = 0; i < e->n; ++i)
        e->scale[i] = i < p->nq ? (p->pure && p->pure[i] ? 1 : p->length) : speed;
    for (int i = 0; i < p->nv; ++i)
        e->scale[p->nq + i] *= p->unit ? p->unit[i] : 1;
    for (int i = 0; i < p->m; ++i)
        if (e->lambda[i] >= 0)
            e->scale[e->lambda[i]] = force > 0 ? force : 1;
}

static void set_initial_values(HolIda *ida)
{
    const HolIndex2 *e = &ida->index2;
    const HolPattern *p = ida->pattern;
    double *y = N_VGetArrayPointer(ida->y), *ydot = N_VGetArrayPointer(ida->ydot), *id = N_VGetArrayPointer(ida->id);
    memset(y, 0, (size_t)e->n * sizeof *y);
    memset(ydot, 0, (size_t)e->n * sizeof *ydot);
    memcpy(y, ida->state.q, (size_t)p->nq * sizeof *y);
    memcpy(y + p->nq, ida->state.v, (size_t)p->nv * sizeof *y);
    hol_system_qdot(ida->system, ida->state.q, ida->state.v, ydot);
    memcpy(ydot + p->nq, ida->state.vdot, (size_t)p->nv * sizeof *ydot);
    for (int i = 0; i < p->m; ++i)
        if (e->lambda[i] >= 0)
            y[e->lambda[i]] = ida->state.lambda[i];
    for (int i = 0; i < e->n; ++i)
        id[i] = i < p->nq + (ida->options.is_stiff ? 0 : p->nv);
}

static bool segment_allocate(HolIda *ida)
{
    const HolIndex2 *e = &ida->index2;
    if (!hol_spares_create(&ida->spares, e->n, ida->context))
        return false;
    ida->y = hol_spares_take(&ida->spares);
    ida->ydot = hol_spares_take(&ida->spares);
    ida->id = hol_spares_take(&ida->spares);
    ida->jacobian = SUNSparseMatrix(e->n, e->n, e->start[e->n], CSC_MAT, ida->context);
    ida->solver = ida->jacobian ? SUNLinSol_KLU(ida->y, ida->jacobian, ida->context) : NULL;
    ida->memory = ida->solver ? IDACreate(ida->context) : NULL;
    return ida->memory;
}

/* The first step is of order 1 and changes q by h^2 vdot / 2 more than it should. */
static double first_step(const HolIda *ida)
{
    double longest = (ida->options.until - ida->start) / LEAST_STEPS;
    double most = largest_of(ida->pattern->nv, ida->state.vdot);
    return most > 0 ? fmin(longest, sqrt(ida->options.tolerance * ida->pattern->length / most)) : longest;
}

/* The multipliers are left out of the error test: their errors are of lower order. */
static bool segment_set_up(HolIda *ida)
{
    void *m = ida->memory;
    int events = hol_system_event_count(ida->system);
    bool done = IDASetErrHandlerFn(m, ida_report, ida) == 0 &&
                IDAInit(m, ida_residual, ida->state.t, ida->y, ida->ydot) == 0 && IDASetUserData(m, ida) == 0 &&
                IDAWFtolerances(m, ida_weights) == 0 && IDASetId(m, ida->id) == 0 && IDASetSuppressAlg(m, 1) == 0 &&
                IDASetLinearSolver(m, ida->solver, ida->jacobian) == 0 && IDASetJacFn(m, ida_jacobian) == 0 &&
                IDASetMaxOrd(m, ida->options.is_stiff ? STABLE_ORDER : MOST_ORDER) == 0 &&
                IDASetInitStep(m, first_step(ida)) == 0 && IDASetMaxErrTestFails(m, MOST_FAILURES) == 0 &&
                IDASetMaxConvFails(m, MOST_FAILURES) == 0;
    if (done && events > 0)
        done = IDARootInit(m, events, ida_events) == 0 && IDASetNoInactiveRootWarn(m) == 0;
    return done;
}

static HolStatus segment_begin(HolIda *ida)
{
    double t = ida->state.t, from = t + distance_from_break(ida, t);
    HolPoint at = {from, ida->state.q, ida->state.v};
    ida->break_at = hol_system_next_breakpoint(ida->system, t, ida->options.until);
    HOL_TRY(guess_start(ida, from));
    hol_system_follow(ida->system, &at, ida->terms);
    HOL_TRY(hol_index2_create(&ida->segment, ida->system, ida->terms, &at, &ida->index2));
    ida->index2.earliest = from;
    ida->index2.latest = ida->break_at - distance_from_break(ida, ida->break_at);
    set_scales(ida);
    if (!segment_allocate(ida))
        return hol_fail(&ida->message, HOL_NO_MEMORY, "not enough memory");
    set_initial_values(ida);
    return segment_set_up(ida) ? HOL_OK : hol_fail(&ida->message, HOL_NO_MEMORY, "IDA could not be set up");
}

/* ---- The run ---- */

static void take_state(HolIda *ida, double t)
{
    const HolIndex2 *e = &ida->index2;
    const HolPattern *p = ida->pattern;
    const double *y = N_VGetArrayPointer(ida->y);
    ida->state.t = t;
    hol_system_retract(ida->system, y, e->zero, ida->state.q);
    memcpy(ida->state.v, y + p->nq, (size_t)p->nv * sizeof *y);
    memcpy(ida->state.vdot, N_VGetArrayPointer(ida->ydot) + p->nq, (size_t)p->nv * sizeof *y);
    for (int i = 0; i < p->m; ++i)
        ida->state.lambda[i] = e->lambda[i] >= 0 ? y[e->lambda[i]] : 0;
}

static bool is_too_much(const HolIda *ida)
{
    double work = hol_ida_work(ida), done = (ida->state.t - ida->start) / (ida->options.until - ida->start);
    double limit = ida->options.work_limit;
    return limit > 0 && work > LEAST_WORK && (work > limit || (work > LITTLE * limit && work > limit * done));
}

static HolStatus ida_failure(HolIda *ida, int flag)
{
    HolStatus status = ida->status == HOL_OK ? HOL_NO_CONVERGENCE : ida->status;
    char *name = IDAGetReturnFlagName(flag);
    hol_fail(&ida->message, status, "stopped at t = %.4g s with %s", ida->state.t, name ? name : "a failure");
    free(name);
    return status;
}

/* The end of the next step at most: no function of time may be stepped over. */
static double limit_step(HolIda *ida, double until)
{
    double longest = (ida->options.until - ida->start) / LEAST_STEPS, next = 0;
    double window = hol_window(ida->system, ida->start, ida->options.until, ida->state.t, longest);
    IDASetMaxStep(ida->memory, window);
    IDAGetCurrentStep(ida->memory, &next);
    return next > window ? fmin(until, ida->state.t + window) : until;
}

/* One step, not beyond `until`. */
static HolStatus ida_step(HolIda *ida, double until, bool *at_event)
{
    realtype t;
    double stop = limit_step(ida, until);
    int flag = IDASetStopTime(ida->memory, stop);
    flag = flag == IDA_SUCCESS ? IDASolve(ida->memory, stop, &t, ida->y, ida->ydot, IDA_ONE_STEP) : flag;
    if (flag < 0)
        return ida_failure(ida, flag);
    *at_event = flag == IDA_ROOT_RETURN;
    take_state(ida, flag == IDA_TSTOP_RETURN ? stop : t);
    hol_system_follow(ida->system, &(HolPoint){ida->state.t, ida->state.q, ida->state.v}, ida->terms);
    if (is_too_much(ida))
        return hol_fail(&ida->message, HOL_GIVEN_UP, "given up: it would need too many evaluations");
    return ida->options.after_step ? ida->options.after_step(ida->options.user, ida->state.t) : HOL_OK;
}

/* Rows that were redundant may be so no longer: the segment then ends, and the next one chooses others. */
static HolStatus check_left_out(HolIda *ida, bool *is_violated)
{
    double violation;
    *is_violated = false;
    if (ida->index2.lambda_count == ida->pattern->m)
        return HOL_OK;
    HOL_TRY(hol_index2_left_out(&ida->index2, ida->state.t, N_VGetArrayPointer(ida->y), &violation));
    *is_violated = violation > LEFT_OUT * ida->pattern->length;
    return HOL_OK;
}

static HolStatus segment_run(HolIda *ida, double until)
{
    bool is_over = false;
    while (ida->state.t < until && !is_over)
        HOL_TRY(ida_step(ida, until, &is_over));
    if (!is_over)
        HOL_TRY(check_left_out(ida, &is_over));
    if (is_over || ida->state.t >= ida->break_at)
        segment_end(ida);
    return HOL_OK;
}

/* A formula of high order may lose its way where the motion changes quickly: it begins again with order 1. */
static bool may_begin_again(HolIda *ida, HolStatus status)
{
    double progress = ida->state.t - ida->failed_at;
    if (status != HOL_NO_CONVERGENCE || !(progress > LEAST_PROGRESS * (ida->options.until - ida->start)))
        return false;
    ida->failed_at = ida->state.t;
    segment_end(ida);
    return true;
}

HolStatus hol_ida_run(HolIda *ida, double until)
{
    hol_fail(&ida->message, HOL_OK, "%s", "");
    ida->status = HOL_OK;
    while (ida->state.t < until) {
        if (!ida->memory)
            HOL_TRY(segment_begin(ida));
        HolStatus status = segment_run(ida, fmin(until, ida->break_at));
        if (status != HOL_OK && !may_begin_again(ida, status))
            return status;
    }
    return HOL_OK;
}

/* ---- Creation ---- */

static HolStatus ida_take_state(HolIda *ida, const HolInitialState *start)
{
    const HolPattern *p = ida->pattern;
    size_t nq = (size_t)p->nq, nv = (size_t)p->nv, m = (size_t)p->m;
    ida->state.t = start->t;
    ida->state.q = hol_pool_doubles(&ida->pool, nq + 1);
    ida->state.v = hol_pool_doubles(&ida->pool, nv + 1);
    ida->state.vdot = hol_pool_doubles(&ida->pool, nv + 1);
    ida->state.lambda = hol_pool_doubles(&ida->pool, m + 1);
    ida->crossings =
        hol_pool_alloc(&ida->pool, (size_t)(hol_system_event_count(ida->system) + 1) * sizeof *ida->crossings);
    if (!ida->state.q || !ida->state.v || !ida->state.vdot || !ida->state.lambda || !ida->crossings)
        return HOL_NO_MEMORY;
    memcpy(ida->state.q, start->q, nq * sizeof *start->q);
    memcpy(ida->state.v, start->v, nv * sizeof *start->v);
    return SUNContext_Create(NULL, &ida->context) == 0 ? HOL_OK : HOL_NO_MEMORY;
}

static bool has_impulses(const HolSystem *system)
{
    for (int g = 0; g < hol_system_pattern(system)->group_count; ++g)
        if (hol_system_group_is_impulsive(system, g))
            return true;
    return false;
}

HolStatus hol_ida_create(const HolSystem *system, const HolInitialState *start, const HolIdaOptions *options,
                         HolIda **out, HolMessage *message)
{
    *out = NULL;
    if (has_impulses(system))
        return hol_fail(message, HOL_UNSUPPORTED, "prescribed velocities may jump, which ida has no equations for");
    HolIda *ida = calloc(1, sizeof *ida);
    if (!ida)
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory");
    ida->system = system;
    ida->pattern = hol_system_pattern(system);
    ida->options = *options;
    ida->start = start->t;
    ida->failed_at = -HUGE_VAL;
    HolStatus status = hol_terms_create(system, &ida->terms);
    status = status == HOL_OK ? ida_take_state(ida, start) : status;
    status = status == HOL_OK ? guess_start(ida, start->t + distance_from_break(ida, start->t)) : status;
    if (status == HOL_OK)
        *out = ida;
    else {
        hol_fail(message, status, "%s", *ida->message.text ? ida->message.text : "not enough memory");
        hol_ida_destroy(ida);
    }
    return status;
}

void hol_ida_destroy(HolIda *ida)
{
    if (!ida)
        return;
    segment_end(ida);
    SUNContext_Free(&ida->context);
    hol_terms_destroy(ida->terms);
    hol_pool_clear(&ida->pool);
    free(ida);
}

const HolState *hol_ida_state(const HolIda *ida)
{
    return &ida->state;
}

double hol_ida_work(const HolIda *ida)
{
    return (ida->evaluations + (double)ida->index2.evaluations) * ida->pattern->nq;
}

const char *hol_ida_message(const HolIda *ida)
{
    return ida->message.text;
}

#else

bool hol_compare_has_ida(void)
{
    return false;
}

HolStatus hol_ida_create(const HolSystem *system, const HolInitialState *start, const HolIdaOptions *options,
                         HolIda **ida, HolMessage *message)
{
    (void)system, (void)start, (void)options;
    *ida = NULL;
    return hol_fail(message, HOL_UNSUPPORTED, "absent: built without SUNDIALS");
}

void hol_ida_destroy(HolIda *ida)
{
    (void)ida;
}

HolStatus hol_ida_run(HolIda *ida, double until)
{
    (void)ida, (void)until;
    return HOL_UNSUPPORTED;
}

const HolState *hol_ida_state(const HolIda *ida)
{
    (void)ida;
    return NULL;
}

double hol_ida_work(const HolIda *ida)
{
    (void)ida;
    return 0;
}

const char *hol_ida_message(const HolIda *ida)
{
    (void)ida;
    return "absent: built without SUNDIALS";
}

#endif
