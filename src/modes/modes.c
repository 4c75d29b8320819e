/* SPDX-License-Identifier: BSD-3-Clause */
/* The modes of a system about a state: which method, and the list that it fills. */
#include <holon/argument.h>
#include <holon/modes.h>

#include "base/float_mode.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 10 };
/* A real part counts as growth above these, relative to |s| and, for rounding, of the largest |s|. */
static const double GROWTH = HOL_TOL_HALF, ROUNDING = 10 * HOL_TOL_AMPLIFIED;
static const double GROWTH_ITERATED = HOL_TOL_SAME; /* |s|, where vectors are iterated */
/* The splitting of a multiple s by rounding, relative to the root of s times the largest: a drifting body, seen from a
 * rotating frame, has s = i Omega twice with one shape. */
static const double SPLIT = HOL_TOL_SAME;

HolModesOptions hol_modes_options(void)
{
    return (HolModesOptions){.method = HOL_MODES_AUTOMATIC};
}

/* Scales a shape so that its largest component is 1 and real. */
static void modes_normalise(int n, double *re, double *im)
{
    int largest = 0;
    for (int j = 1; j < n; ++j)
        if (hypot(re[j], im[j]) > hypot(re[largest], im[largest]))
            largest = j;
    double x = n > 0 ? re[largest] : 0, y = n > 0 ? im[largest] : 0, square = x * x + y * y;
    for (int j = 0; j < n && square > 0; ++j) {
        double a = re[j], b = im[j];
        re[j] = (a * x + b * y) / square;
        im[j] = (b * x - a * y) / square;
    }
}

static void modes_combine(int nv, int count, const double *Z, const double *p, double *y)
{
    for (int k = 0; p && k < count; ++k)
        for (int j = 0; j < nv; ++j)
            y[j] += p[k] * Z[k * nv + j];
}

static HolStatus modes_make_room(HolModesBox *box)
{
    if (box->shown.count < box->capacity)
        return HOL_OK;
    int capacity = box->capacity > 0 ? 2 * box->capacity : 16;
    HolMode *modes = hol_arena_alloc(box->arena, (size_t)capacity * sizeof *modes);
    if (!modes)
        return HOL_NO_MEMORY;
    if (box->shown.count > 0)
        memcpy(modes, box->modes, (size_t)box->shown.count * sizeof *modes);
    box->modes = modes;
    box->capacity = capacity;
    return HOL_OK;
}

/* Keeps re and im. */
static HolStatus modes_add(HolModesBox *box, int nv, double *re, double *im, const HolEigen *eigen)
{
    HOL_TRY(modes_make_room(box));
    modes_normalise(nv, re, im);
    double damping = eigen->re == 0 ? 0 : -eigen->re / hypot(eigen->re, eigen->im);
    damping = eigen->is_zero ? NAN : damping;
    box->modes[box->shown.count++] = (HolMode){.real = eigen->re,
                                               .imaginary = eigen->im,
                                               .frequency = eigen->im / (2 * M_PI),
                                               .damping = damping,
                                               .is_zero = eigen->is_zero,
                                               .shape = re,
                                               .shape_imaginary = im};
    return HOL_OK;
}

HolStatus hol_modes_add(HolModesBox *box, const HolPattern *pattern, int count, const double *Z, const HolEigen *eigen)
{
    double *re, *im;
    HOL_DOUBLES(box->arena, pattern->nv, &re, &im);
    HOL_TRY(hol_arena_status(box->arena));
    modes_combine(pattern->nv, count, Z, eigen->p_re, re);
    modes_combine(pattern->nv, count, Z, eigen->p_im, im);
    return modes_add(box, pattern->nv, re, im, eigen);
}

HolStatus hol_modes_add_shape(HolModesBox *box, const HolPattern *pattern, const double *y_re, const double *y_im,
                              const HolEigen *eigen)
{
    double *re, *im;
    HOL_DOUBLES(box->arena, pattern->nv, &re, &im);
    HOL_TRY(hol_arena_status(box->arena));
    memcpy(re, y_re, (size_t)pattern->nv * sizeof *re);
    memcpy(im, y_im, (size_t)pattern->nv * sizeof *im);
    return modes_add(box, pattern->nv, re, im, eigen);
}

HolStatus hol_modes_add_undamped(HolModesBox *box, const HolPattern *pattern, int count, const double *Z,
                                 const double *p, double omega2, double zero)
{
    HolEigen eigen = {.p_re = p, .is_zero = fabs(omega2) <= zero};
    double root = eigen.is_zero ? 0 : sqrt(fabs(omega2));
    if (omega2 >= 0 || eigen.is_zero) {
        eigen.im = root;
        return hol_modes_add(box, pattern, count, Z, &eigen);
    }
    eigen.re = root;
    HOL_TRY(hol_modes_add(box, pattern, count, Z, &eigen));
    eigen.re = -root;
    return hol_modes_add(box, pattern, count, Z, &eigen);
}

/* By |s|, then by growth, so that the order does not depend on the sorting library. */
static int modes_compare(const void *left, const void *right)
{
    const HolMode *a = left, *b = right;
    double size_a = hypot(a->real, a->imaginary), size_b = hypot(b->real, b->imaginary);
    if (size_a != size_b)
        return size_a < size_b ? -1 : 1;
    return (a->real < b->real) - (a->real > b->real);
}

/* |x^H y|^2 >= (1 - sine^2) |x|^2 |y|^2 */
static bool is_same_shape(int nv, const HolMode *x, const HolMode *y)
{
    const double *a = x->shape, *b = x->shape_imaginary, *c = y->shape, *d = y->shape_imaginary;
    double re = hol_inner_product(nv, a, c) + hol_inner_product(nv, b, d),
           im = hol_inner_product(nv, a, d) - hol_inner_product(nv, b, c);
    double sizes = (hol_inner_product(nv, a, a) + hol_inner_product(nv, b, b)) *
                   (hol_inner_product(nv, c, c) + hol_inner_product(nv, d, d));
    return re * re + im * im >= (1 - HOL_SINE_SAME_SHAPE * HOL_SINE_SAME_SHAPE) * sizes;
}

/* The growth of a mode. Where rounding may have split it from others of its shape, their mean, which rounding does not
 * change. */
static double growth_of(const HolModesBox *box, int all, int nv, const HolMode *own, double largest)
{
    double split = SPLIT * sqrt(largest * hypot(own->real, own->imaginary)), sum = 0;
    int count = 0;
    if (own->real > split)
        return own->real;
    for (int k = 0; k < all; ++k) {
        const HolMode *other = &box->modes[k];
        bool is_near = hypot(other->real - own->real, other->imaginary - own->imaginary) <= 2 * split;
        if (is_near && is_same_shape(nv, own, other)) {
            sum += other->real;
            ++count;
        }
    }
    return count > 0 ? sum / count : own->real;
}

static void modes_finish(HolModesBox *box, int count, int nv)
{
    HolModes *shown = &box->shown;
    int all = shown->count;
    double largest = 0, growth = shown->iterations > 0 ? GROWTH_ITERATED : GROWTH;
    if (shown->count > 0)
        qsort(box->modes, (size_t)shown->count, sizeof *box->modes, modes_compare);
    for (int i = 0; i < shown->count; ++i)
        largest = fmax(largest, hypot(box->modes[i].real, box->modes[i].imaginary));
    if (count > 0 && shown->count > count) {
        shown->count = count;
        shown->is_complete = false;
    }
    for (int i = 0; i < shown->count; ++i) {
        const HolMode *mode = &box->modes[i];
        shown->zero_count += mode->is_zero;
        double limit = growth * hypot(mode->real, mode->imaginary) + ROUNDING * largest;
        shown->unstable_count += mode->real > limit && growth_of(box, all, nv, mode, largest) > limit;
    }
    shown->modes = box->modes;
}

static HolStatus modes_refuse(const HolLinear *l, const HolModesOptions *options, HolMessage *message)
{
    const char *name = hol_system_name(l->system);
    const HolPattern *p = l->pattern;
    bool needs_dense = !l->is_at_rest || p->nn > 0;
    if (l->turns && l->is_at_rest)
        return hol_fail(message, HOL_BAD_INPUT, "'%s' is at rest at t = %g s: a rotating frame needs a state of motion",
                        name, l->t);
    if (!l->is_at_rest && !l->turns && hol_system_has_retraction(l->system))
        return hol_fail(
            message, HOL_UNSUPPORTED,
            "modes of '%s' about a state of motion need the rotation of its frame (HolModesOptions.turning)", name);
    if (needs_dense && options->method == HOL_MODES_LOWEST)
        return hol_fail(message, HOL_UNSUPPORTED,
                        "the sparse method finds modes about a state at rest without nonholonomic constraints only; "
                        "choose the complete method for '%s'",
                        name);
    bool dense = needs_dense || options->method == HOL_MODES_COMPLETE;
    if (dense && p->nv > HOL_MODES_MAX_DENSE)
        return hol_fail(message, HOL_UNSUPPORTED,
                        "'%s' has %d velocities: the dense method, which its modes need here, is limited to %d", name,
                        p->nv, HOL_MODES_MAX_DENSE);
    return HOL_OK;
}

static HolStatus modes_solve(HolLinear *l, const HolModesOptions *options, HolModesBox *box, HolMessage *message)
{
    HOL_TRY(modes_refuse(l, options, message));
    bool needs_dense = !l->is_at_rest || l->pattern->nn > 0 || options->method == HOL_MODES_COMPLETE;
    bool dense = needs_dense || (options->method == HOL_MODES_AUTOMATIC && l->pattern->nv <= HOL_MODES_DENSE);
    int count = options->count > 0 || dense ? options->count : FEWEST;
    box->shown.is_steady = l->is_steady;
    HOL_TRY(dense ? hol_modes_complete(l, box, message) : hol_modes_lowest(l, count, box, message));
    modes_finish(box, count, l->pattern->nv);
    return HOL_OK;
}

static HolStatus modes_run(const HolSystem *system, const HolState *at, const HolModesOptions *options,
                           HolModesBox *box, HolMessage *message)
{
    HolLinear linear = {.terms = NULL};
    HolArena *scratch = hol_arena_create_within(hol_system_pattern(system)->memory);
    HolStatus status = scratch ? hol_linear_create(system, at, options, scratch, &linear, message) : HOL_NO_MEMORY;
    if (status == HOL_OK)
        status = modes_solve(&linear, options, box, message);
    if (status == HOL_NO_MEMORY)
        hol_arena_fail(scratch, "the search for modes", message);
    hol_linear_destroy(&linear);
    hol_arena_destroy(scratch);
    return status;
}

static HolStatus modes_check(const HolSystem *system, const HolState *at, const HolModesOptions *options,
                             HolMessage *message)
{
    static const char function[] = "hol_modes";
    HOL_TRY(hol_argument_pointer(message, function, "system", system));
    HOL_TRY(hol_argument_pointer(message, function, "at", at));
    HOL_TRY(hol_argument_pointer(message, function, "options", options));
    const HolPattern *p = hol_system_pattern(system);
    HOL_TRY(hol_argument_finite(message, function, "at->t", at->t));
    HOL_TRY(hol_argument_numbers(message, function, "at->q", at->q, p->nq));
    if (at->v)
        HOL_TRY(hol_argument_numbers(message, function, "at->v", at->v, p->nv));
    if (at->vdot)
        HOL_TRY(hol_argument_numbers(message, function, "at->vdot", at->vdot, p->nv));
    if (p->m > 0)
        HOL_TRY(hol_argument_numbers(message, function, "at->lambda", at->lambda, p->m));
    HOL_TRY(hol_argument_index(message, function, "options->method", (long)options->method, HOL_MODES_LOWEST + 1));
    return hol_argument_count(message, function, "options->count", options->count);
}

HolStatus hol_modes(const HolSystem *system, const HolState *at, const HolModesOptions *options, HolModes **modes,
                    HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, modes));
    *modes = NULL;
    HOL_TRY(modes_check(system, at, options, message));
    unsigned mode = hol_float_mode_enter();
    HolArena *arena = hol_arena_create_within(hol_system_pattern(system)->memory);
    HolModesBox *box = arena ? hol_arena_alloc(arena, sizeof *box) : NULL;
    HolStatus status = HOL_NO_MEMORY;
    hol_fail(message, HOL_OK, "%s", "");
    if (box) {
        box->arena = arena;
        status = modes_run(system, at, options, box, message);
    }
    if (status == HOL_OK)
        *modes = &box->shown;
    else
        hol_arena_destroy(arena);
    if (status == HOL_NO_MEMORY && message && !message->text[0])
        hol_arena_fail(NULL, "the search for modes", message);
    hol_float_mode_leave(mode);
    return status;
}

void hol_modes_destroy(HolModes *modes)
{
    if (modes)
        hol_arena_destroy(((HolModesBox *)modes)->arena);
}
