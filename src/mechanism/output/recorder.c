/* SPDX-License-Identifier: BSD-3-Clause */
/* Records results by name: chooses columns, and computes their values at a state. */
#include "mechanism/output/recorder.h"

#include <holon/argument.h>

#include "base/format.h"
#include "base/message.h"
#include "base/names.h"
#include "linalg/block/blocks.h"
#include "mechanism/beams/build.h"
#include "mechanism/beams/evaluate.h"
#include "mechanism/evaluate/evaluate.h"
#include "mechanism/kinematics/rotation.h"
#include "mechanism/reactions/reaction.h"

#include <math.h>
#include <string.h>

/* The endings of the columns of each type, in the plane and in space. */
static const char *const endings[SOURCE_TYPES][2][14] = {
    [BODY] = {{"x", "y", "phi", "vx", "vy", "w"},
              {"x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz"}},
    [POINT] = {{"x", "y", "vx", "vy"}, {"x", "y", "z", "vx", "vy", "vz"}},
    [REACTION] = {{"fx", "fy", "tz"}, {"fx", "fy", "fz", "tx", "ty", "tz"}},
    [LOCAL] = {{"lfx", "lfy", "ltz"}, {"lfx", "lfy", "lfz", "ltx", "lty", "ltz"}},
    [ENERGY] = {{"kinetic", "potential", "total", "drift"}, {"kinetic", "potential", "total", "drift"}},
    [VIOLATION] = {{"position", "velocity"}, {"position", "velocity"}},
    [SINGULAR] = {{"sigma_min"}, {"sigma_min"}},
    [SECTION] = {{NULL}, {"N", "V2", "V3", "T", "M2", "M3"}},
};

static const char *source_name(const HolMechanism *m, Source source)
{
    switch (source.type) {
    case BODY: return m->bodies[source.index].name;
    case POINT: return m->points[source.index].name;
    case REACTION:
    case LOCAL: return m->joints[source.index].name;
    case ENERGY: return "energy";
    case VIOLATION: return "violation";
    case SECTION: return source.name;
    default: return "singular";
    }
}

static int count_of(const HolMechanism *m, SourceType type)
{
    const int counts[SOURCE_TYPES] = {[BODY] = m->body_count,
                                      [POINT] = m->point_count,
                                      [REACTION] = m->joint_count,
                                      [LOCAL] = m->joint_count,
                                      [ENERGY] = 1,
                                      [VIOLATION] = 1,
                                      [SINGULAR] = 1,
                                      [SECTION] = 0};
    return counts[type];
}

/* "bodies", "points", ...: all of a type; TIME if it is none of these words. */
static SourceType type_of_word(const char *word)
{
    static const char *const words[SOURCE_TYPES] = {
        [BODY] = "bodies",   [POINT] = "points",        [REACTION] = "reactions",
        [ENERGY] = "energy", [VIOLATION] = "violation", [SINGULAR] = "singular"};
    for (int type = BODY; type < SOURCE_TYPES; ++type)
        if (words[type] && strcmp(words[type], word) == 0)
            return (SourceType)type;
    return TIME;
}

/* Whether a name ends in a suffix, and its length without it. */
static bool ends_in(const char *name, const char *suffix, size_t *part)
{
    size_t length = strlen(name), end = strlen(suffix);
    bool ends = length > end && strcmp(name + length - end, suffix) == 0;
    if (ends)
        *part = length - end;
    return ends;
}

static bool recorder_find_section(const HolMechanism *m, const char *name, Source *source, bool *is_beam)
{
    const HolBeam *beam;
    bool found = hol_beam_find_place(m, name, &beam, &source->x);
    *is_beam = beam != NULL;
    *source = (Source){.type = SECTION, .index = beam ? (int)(beam - m->beams) : 0, .x = source->x, .name = name};
    return found;
}

/* A body, a point, "joint.reaction", "joint.local", a joint by its bare name, or a section of a beam. */
static bool find_source(const HolMechanism *m, const char *name, Source *source)
{
    size_t part = strlen(name);
    bool is_beam;
    if (recorder_find_section(m, name, source, &is_beam))
        return true;
    bool asks_local = ends_in(name, ".local", &part), asks_joint = asks_local || ends_in(name, ".reaction", &part);
    int last = asks_local ? LOCAL : REACTION;
    for (int type = asks_joint ? last : BODY; type <= last; ++type)
        for (int i = 0; i < count_of(m, (SourceType)type); ++i) {
            *source = (Source){.type = (SourceType)type, .index = i};
            const char *known = source_name(m, *source);
            if (strlen(known) == part && memcmp(known, name, part) == 0)
                return true;
        }
    return false;
}

/* The most similar name, for a message. */
static const char *recorder_nearest(const HolMechanism *m, const char *name)
{
    const char *best = NULL;
    for (int type = BODY; type <= SINGULAR && !best; ++type)
        for (int i = 0; i < count_of(m, (SourceType)type) && !best; ++i) {
            const char *const names[] = {source_name(m, (Source){.type = (SourceType)type, .index = i}), NULL};
            best = hol_nearest_name(name, names);
        }
    return best;
}

bool hol_record_name_is_known(const HolMechanism *mechanism, const char *name, HolMessage *message)
{
    Source source;
    bool is_beam;
    if (!recorder_find_section(mechanism, name, &source, &is_beam) && is_beam) {
        hol_fail(message, HOL_OK, "'%.80s': '@' must be followed by a part of the length, from 0 to 1", name);
        return false;
    }
    if (type_of_word(name) != TIME || strcmp(name, "all") == 0 || find_source(mechanism, name, &source))
        return true;
    const char *near = recorder_nearest(mechanism, name);
    if (near)
        hol_fail(message, HOL_OK, "'%.80s' is neither a body, a point nor a joint (did you mean '%.80s'?)", name, near);
    else
        hol_fail(
            message, HOL_OK,
            "'%.80s' cannot be recorded: it is no body, point or joint, nor one of bodies, points, reactions, energy, "
            "violation, singular",
            name);
    return false;
}

static HolStatus add_columns(HolRecorder *r, Source source)
{
    bool is_element = source.type == BODY && r->mechanism->bodies[source.index].form != HOL_RIGID;
    const char *const *ending = endings[is_element ? POINT : source.type][r->mechanism->planar ? 0 : 1];
    const char *name = source_name(r->mechanism, source);
    for (int i = 0; ending[i]; ++i) {
        size_t size = strlen(name) + strlen(ending[i]) + 2;
        char *text = hol_arena_small(r->arena, size);
        if (!text)
            return HOL_NO_MEMORY;
        hol_format(text, size, "%s.%s", name, ending[i]);
        if (i == 0 && hol_names_find(r->columns, text) >= 0)
            return HOL_OK; /* given twice */
        if (hol_names_add(r->columns, text) < 0)
            return HOL_NO_MEMORY;
    }
    r->needs_reactions = r->needs_reactions || source.type == REACTION || source.type == LOCAL;
    r->sources[r->source_count++] = source;
    return HOL_OK;
}

static HolStatus recorder_add_all(HolRecorder *r, SourceType type)
{
    for (int i = 0; i < count_of(r->mechanism, type); ++i)
        HOL_TRY(add_columns(r, (Source){.type = type, .index = i}));
    return HOL_OK;
}

static HolStatus add_everything(HolRecorder *r)
{
    for (int type = BODY; type < SOURCE_TYPES; ++type)
        if (type != LOCAL && type != SINGULAR) /* LOCAL repeats reactions in other axes; SINGULAR is expensive */
            HOL_TRY(recorder_add_all(r, (SourceType)type));
    return HOL_OK;
}

static HolStatus recorder_add_name(HolRecorder *r, const char *name, HolMessage *message)
{
    Source source;
    SourceType all = type_of_word(name);
    if (!hol_record_name_is_known(r->mechanism, name, message))
        return HOL_BAD_INPUT;
    if (all != TIME)
        return recorder_add_all(r, all);
    return find_source(r->mechanism, name, &source) ? add_columns(r, source) : add_everything(r);
}

static HolStatus recorder_choose(HolRecorder *r, const char *const *names, int name_count, HolMessage *message)
{
    const HolMechanism *m = r->mechanism;
    if (!names) {
        names = m->run->record;
        name_count = m->run->record_count;
    }
    size_t most = 3 + (size_t)m->body_count + (size_t)m->point_count + 2 * (size_t)m->joint_count;
    most += name_count > 0 ? (size_t)name_count : 0; /* sections */
    r->sources = hol_arena_alloc(r->arena, most * sizeof *r->sources);
    r->columns = hol_names_create(r->arena);
    if (!r->sources || !r->columns || hol_names_add(r->columns, "t") < 0)
        return HOL_NO_MEMORY;
    if (name_count < 0)
        return add_everything(r);
    for (int i = 0; i < name_count; ++i) {
        if (!names[i])
            return hol_fail(message, HOL_BAD_INPUT, "name %d of what to record is NULL", i);
        HOL_TRY(recorder_add_name(r, names[i], message));
    }
    return HOL_OK;
}

/* Begins with the orientations of the initial state. */
static HolStatus begin_turning(HolRecorder *r)
{
    const HolMechanism *m = r->mechanism;
    r->turned = hol_arena_alloc(r->arena, (size_t)m->body_count * sizeof *r->turned);
    if (!r->turned)
        return HOL_NO_MEMORY;
    for (int b = 0; b < m->body_count; ++b) {
        if (m->planar) {
            r->turned[b][0] = m->q[3 * b + 2];
            r->turned[b][1] = m->v[3 * b + 2];
        } else {
            memcpy(r->turned[b], m->q + 7 * b + 3, sizeof r->turned[b]);
        }
    }
    return HOL_OK;
}

HolStatus hol_recorder_create(const HolMechanism *mechanism, const char *const *names, int name_count,
                              HolRecorder **recorder, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, recorder));
    *recorder = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, mechanism));
    if (names)
        HOL_TRY(hol_argument_names(message, __func__, "names", names, name_count));
    HolArena *arena = hol_arena_create_within(mechanism->pattern->memory);
    HolRecorder *made = arena ? hol_arena_alloc(arena, sizeof *made) : NULL;
    if (!made) {
        hol_arena_destroy(arena);
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory to record '%s'", mechanism->name);
    }
    *made = (HolRecorder){.mechanism = mechanism, .arena = arena, .lost_at = HUGE_VAL};
    HolStatus status = hol_terms_create(mechanism->system, &made->terms);
    if (status == HOL_OK)
        status = hol_resolver_create(arena, mechanism, &made->resolver);
    if (status == HOL_OK && mechanism->natural)
        status = begin_turning(made);
    if (status == HOL_OK && mechanism->rod_count > 0) {
        made->rod_shares = hol_arena_alloc(arena, (size_t)mechanism->joint_count * sizeof *made->rod_shares);
        status = made->rod_shares ? HOL_OK : HOL_NO_MEMORY;
    }
    if (status == HOL_OK)
        status = recorder_choose(made, names, name_count, message);
    if (status != HOL_OK) {
        hol_recorder_destroy(made);
        return status == HOL_NO_MEMORY ? hol_fail(message, status, "not enough memory to record '%s'", mechanism->name)
                                       : status;
    }
    *recorder = made;
    return HOL_OK;
}

void hol_recorder_destroy(HolRecorder *recorder)
{
    if (!recorder)
        return;
    hol_terms_destroy(recorder->terms);
    hol_resolver_destroy(recorder->resolver);
    hol_arena_destroy(recorder->arena);
}

int hol_recorder_column_count(const HolRecorder *recorder)
{
    return recorder ? hol_names_count(recorder->columns) : 0;
}

const char *hol_recorder_column(const HolRecorder *recorder, int index)
{
    bool is_there = index >= 0 && index < hol_recorder_column_count(recorder);
    return is_there ? hol_names_get(recorder->columns, index) : "";
}

int hol_recorder_find(const HolRecorder *recorder, const char *column)
{
    return recorder && column ? hol_names_find(recorder->columns, column) : -1;
}

double hol_recorder_unresolved_since(const HolRecorder *recorder)
{
    return recorder ? recorder->lost_at : NAN;
}

static double *recorder_put(double *to, const double *x, int count)
{
    memcpy(to, x, (size_t)count * sizeof *x);
    return to + count;
}

/* Chooses the phi nearest to its extrapolation, and e with the sign of the state before. */
static void follow_turning(HolRecorder *r, const HolMotion *motion)
{
    for (int b = 0; b < r->mechanism->body_count; ++b) {
        const HolFrame *f = &motion->frames[b + 1];
        double *turned = r->turned[b], axes[3][3], e[4], along = 0;
        if (r->mechanism->planar) {
            double expected = turned[0] + (motion->t - r->t) * (turned[1] + f->w[2]) / 2;
            turned[0] = expected + remainder(atan2(f->R[1][0], f->R[0][0]) - expected, 2 * M_PI);
            turned[1] = f->w[2];
            continue;
        }
        for (int k = 0; k < 9; ++k)
            axes[k / 3][k % 3] = f->R[k % 3][k / 3];
        hol_quaternion_of_axes(axes, e);
        for (int i = 0; i < 4; ++i)
            along += e[i] * turned[i];
        for (int i = 0; i < 4; ++i)
            turned[i] = along < 0 ? -e[i] : e[i];
    }
    r->t = motion->t;
}

static double *read_mark(const HolRecorder *r, const HolMotion *motion, const HolMark *mark, double *to)
{
    int n = r->mechanism->planar ? 2 : 3;
    double x[3], xdot[3];
    hol_mark_value(motion->frames, mark, x);
    hol_mark_velocity(motion->frames, mark, xdot);
    return recorder_put(recorder_put(to, x, n), xdot, n);
}

static double *read_natural_body(const HolRecorder *r, const HolMotion *motion, int body, double *to)
{
    const HolFrame *f = &motion->frames[body + 1];
    int dimension = r->mechanism->planar ? 2 : 3;
    HolBodyForm form = r->mechanism->bodies[body].form;
    double w[3];
    if (form != HOL_RIGID) {
        const HolMark own = {.body = body + 1, .is_point = form == HOL_PARTICLE, .s = {form == HOL_DIRECTION}};
        return read_mark(r, motion, &own, to);
    }
    hol_turn(f, f->w, w);
    to = recorder_put(to, f->r, dimension);
    to = recorder_put(to, r->turned[body], r->mechanism->planar ? 1 : 4);
    to = recorder_put(to, f->v, dimension);
    return r->mechanism->planar ? recorder_put(to, w + 2, 1) : recorder_put(to, w, 3);
}

static double *recorder_read_body(const HolRecorder *r, const HolMotion *motion, const HolState *state, int body,
                                  double *to)
{
    if (r->mechanism->natural)
        return read_natural_body(r, motion, body, to);
    if (r->mechanism->planar) {
        to = recorder_put(to, state->q + 3 * body, 3);
        return recorder_put(to, state->v + 3 * body, 3);
    }
    double w[3];
    hol_turn(&motion->frames[body + 1], state->v + 6 * body + 3, w);
    to = recorder_put(to, state->q + 7 * body, 7);
    to = recorder_put(to, state->v + 6 * body, 3);
    return recorder_put(to, w, 3);
}

static double *read_reaction(const HolRecorder *r, const HolMotion *motion, int index, bool is_local, double *to)
{
    const HolJoint *joint = &r->mechanism->joints[index];
    double f[6], axes[3][3];
    hol_joint_reaction(r->mechanism, joint, motion->frames, r->terms->D, r->lambda, f);
    for (int i = 0; i < 3 && r->rod_shares; ++i)
        f[i] += r->rod_shares[index][i];
    if (is_local) {
        const double global[6] = {f[0], f[1], f[2], f[3], f[4], f[5]};
        hol_joint_axes(r->mechanism, joint, motion->frames, axes);
        for (int i = 0; i < 6; ++i)
            f[i] = hol_dot3(axes[i % 3], global + 3 * (i / 3));
    }
    if (!r->mechanism->planar)
        return recorder_put(to, f, 6);
    const double in_plane[3] = {f[0], f[1], f[5]};
    return recorder_put(to, in_plane, 3);
}

static double *read_measures(SourceType type, const HolMeasures *m, double *to)
{
    const double energy[4] = {m->kinetic, m->potential, m->kinetic + m->potential, m->drift};
    const double violation[2] = {m->position, m->velocity};
    if (type == SINGULAR)
        return recorder_put(to, &m->sigma_min, 1);
    return type == ENERGY ? recorder_put(to, energy, 4) : recorder_put(to, violation, 2);
}

static double *read_source(const HolRecorder *r, const HolMotion *motion, const HolState *state,
                           const HolMeasures *measures, Source source, double *to)
{
    switch (source.type) {
    case BODY: return recorder_read_body(r, motion, state, source.index, to);
    case POINT: return read_mark(r, motion, &r->mechanism->points[source.index].mark, to);
    case REACTION: return read_reaction(r, motion, source.index, false, to);
    case LOCAL: return read_reaction(r, motion, source.index, true, to);
    case SECTION:
        hol_beam_mean_resultants(r->mechanism, &r->mechanism->beams[source.index], source.x, state, to);
        return to + HOL_STRAINS;
    default: return read_measures(source.type, measures, to);
    }
}

/* The formulation of the run may differ from the model's. */
static HolReactionRule rule_at(const HolMechanism *m, const HolState *state)
{
    return hol_reaction_rule(m, state->load_sharing ? state->load_sharing : m->run->load_sharing);
}

/* Uses the frames as scratch memory: call it before they are set to the state. */
static void find_rod_shares(HolRecorder *r, const HolState *state)
{
    HolPoint at = {.t = state->t, .q = state->q, .v = state->vdot};
    HolMotion rates = hol_mechanism_motion(r->mechanism, &at, true, r->terms);
    for (int j = 0; j < r->mechanism->joint_count; ++j)
        if (r->mechanism->joints[j].rod_mass > 0)
            hol_joint_rod_share(r->mechanism, &r->mechanism->joints[j], rates.frames, r->rod_shares[j]);
}

static HolStatus recorder_resolve(HolRecorder *r, const HolState *state, const HolFrame *frames)
{
    HolResolverState at = {.rule = rule_at(r->mechanism, state),
                           .frames = frames,
                           .D = r->terms->D,
                           .violation = hol_max_norm(r->mechanism->pattern->nh, r->terms->Phi)};
    HOL_TRY(hol_resolver_apply(r->resolver, &at, state->lambda, &r->lambda));
    if (hol_resolver_is_partial(r->resolver))
        r->lost_at = fmin(r->lost_at, state->t);
    return HOL_OK;
}

HolStatus hol_recorder_read(HolRecorder *recorder, const HolState *state, const HolMeasures *measures, double *values)
{
    if (!recorder || !state || !state->q || !state->v || !measures || !values)
        return HOL_BAD_INPUT;
    if (recorder->needs_reactions && !state->lambda && recorder->mechanism->pattern->m > 0)
        return HOL_BAD_INPUT;
    const HolMechanism *m = recorder->mechanism;
    HolPoint at = {.t = state->t, .q = state->q, .v = state->v};
    if (recorder->rod_shares && recorder->needs_reactions && state->vdot)
        find_rod_shares(recorder, state);
    if (recorder->needs_reactions)
        HOL_TRY(hol_system_evaluate(m->system, &at, HOL_WANT_JACOBIAN | HOL_WANT_PHI, recorder->terms));
    HolMotion motion = hol_mechanism_motion(m, &at, true, recorder->terms);
    if (m->natural)
        follow_turning(recorder, &motion);
    if (recorder->needs_reactions)
        HOL_TRY(recorder_resolve(recorder, state, motion.frames));
    *values++ = state->t;
    for (int i = 0; i < recorder->source_count; ++i)
        values = read_source(recorder, &motion, state, measures, recorder->sources[i], values);
    return HOL_OK;
}
