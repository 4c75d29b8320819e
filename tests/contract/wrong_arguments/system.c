/* SPDX-License-Identifier: BSD-3-Clause */
#include "wrong_arguments.h"

/* A spec with wrong sizes or lists: contract.wrong_use. */
static void wrong_hol_system_create(void)
{
    HolSystemSpec spec = hol_system_spec();
    HolSystem *system = (HolSystem *)&said;
    REFUSED("hol_system_create: spec", hol_system_create(NULL, &system, message));
    CHECK(system == NULL);
    REFUSED("hol_system_create: system", hol_system_create(&spec, NULL, message));
    REFUSED("evaluate", hol_system_create(&spec, &system, message));
    CHECK(system == NULL);
}

static void wrong_hol_system_spec(void)
{
    CHECK(hol_system_spec().ops == NULL); /* it has no argument */
}

static void wrong_hol_system_destroy(void)
{
    hol_system_destroy(NULL);
    CHECK(true);
}

static void wrong_hol_system_has_constant_mass(void)
{
    CHECK(!hol_system_has_constant_mass(NULL));
}

static void wrong_hol_system_has_constant_force(void)
{
    CHECK(!hol_system_has_constant_force(NULL));
}

static void wrong_hol_system_has_tangent(void)
{
    CHECK(!hol_system_has_tangent(NULL));
}

static void wrong_hol_system_has_retraction(void)
{
    CHECK(!hol_system_has_retraction(NULL));
}

static void wrong_hol_system_has_discrete_gradient(void)
{
    CHECK(!hol_system_has_discrete_gradient(NULL));
}

static void wrong_hol_system_has_mean(void)
{
    CHECK(!hol_system_has_mean(NULL));
}

static void wrong_hol_system_has_strains(void)
{
    CHECK(!hol_system_has_strains(NULL));
}

static void wrong_hol_system_is_scleronomic(void)
{
    CHECK(!hol_system_is_scleronomic(NULL));
}

static void wrong_hol_system_is_flat(void)
{
    CHECK(!hol_system_is_flat(NULL));
}

static void wrong_hol_system_has_no_loops(void)
{
    CHECK(!hol_system_has_no_loops(NULL));
}

static void wrong_hol_system_pattern(void)
{
    CHECK(hol_system_pattern(NULL) == NULL);
}

static void wrong_hol_system_name(void)
{
    CHECK_STRING(hol_system_name(NULL), "");
}

/* A name of what is not there says so. */
static void check_names(const char *(*name)(const HolSystem *, int), int count, const char *expected)
{
    Subject s;
    CHECK_STRING(name(NULL, 0), expected);
    if (subject_open(&s, "four-bar")) {
        CHECK_STRING(name(s.system, count >= 0 ? count : hol_system_pattern(s.system)->group_count), expected);
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK_STRING(name(s.system, wrong_indices[i]), expected);
    }
    subject_close(&s);
}

static void wrong_hol_system_group_name(void)
{
    check_names(hol_system_group_name, -1, "no such group");
}

static void wrong_hol_system_group_is_impulsive(void)
{
    Subject s;
    CHECK(!hol_system_group_is_impulsive(NULL, 0));
    if (subject_open(&s, "four-bar")) {
        CHECK(!hol_system_group_is_impulsive(s.system, hol_system_pattern(s.system)->group_count));
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK(!hol_system_group_is_impulsive(s.system, wrong_indices[i]));
    }
    subject_close(&s);
}

static void wrong_hol_system_angle_count(void)
{
    CHECK_EQUAL_INT(hol_system_angle_count(NULL), 0);
}

static void wrong_hol_system_fingerprint(void)
{
    CHECK(hol_system_fingerprint(NULL) == 0);
}

static void wrong_hol_system_input_count(void)
{
    CHECK_EQUAL_INT(hol_system_input_count(NULL), 0);
}

static void wrong_hol_system_input_name(void)
{
    check_names(hol_system_input_name, 0, "no such input"); /* the model has no inputs */
}

static void wrong_hol_system_find_input(void)
{
    Subject s;
    CHECK_EQUAL_INT(hol_system_find_input(NULL, "torque"), -1);
    if (subject_open(&s, "four-bar")) {
        CHECK_EQUAL_INT(hol_system_find_input(s.system, NULL), -1);
        CHECK_EQUAL_INT(hol_system_find_input(s.system, "nothing"), -1);
    }
    subject_close(&s);
}

static void wrong_hol_system_event_count(void)
{
    CHECK_EQUAL_INT(hol_system_event_count(NULL), 0);
}

static const char *event_name(const HolSystem *system, int event)
{
    return hol_system_event_name(system, event).name;
}

static void wrong_hol_system_event_name(void)
{
    check_names(event_name, 0, "no such event"); /* the model has no events */
}

static void wrong_hol_terms_create(void)
{
    HolTerms *terms = (HolTerms *)&said;
    Subject s;
    CHECK_STATUS(hol_terms_create(NULL, &terms), HOL_BAD_INPUT);
    CHECK(terms == NULL);
    if (subject_open(&s, "four-bar"))
        CHECK_STATUS(hol_terms_create(s.system, NULL), HOL_BAD_INPUT);
    subject_close(&s);
}

static void wrong_hol_terms_destroy(void)
{
    hol_terms_destroy(NULL);
    CHECK(true);
}

/* A system with its terms, those of another system, and points. */
typedef struct Place {
    Subject s, other;
    HolTerms *terms, *foreign;
    HolPoint at, without_q, without_v;
} Place;

static bool place_open(Place *p)
{
    *p = (Place){.terms = NULL};
    if (!subject_open(&p->s, "four-bar") || !subject_open(&p->other, "pendulum") ||
        !CHECK_OK(hol_terms_create(p->s.system, &p->terms)) ||
        !CHECK_OK(hol_terms_create(p->other.system, &p->foreign)))
        return false;
    p->at = p->without_q = p->without_v = (HolPoint){p->s.start.t, p->s.start.q, p->s.start.v};
    p->without_q.q = p->without_v.v = NULL;
    return true;
}

static void place_close(Place *p)
{
    hol_terms_destroy(p->terms);
    hol_terms_destroy(p->foreign);
    subject_close(&p->s);
    subject_close(&p->other);
}

/* Calls a function with each of system, point and terms wrong; REST are its other arguments. */
#define CHECK_AT(p, call)                                                                                              \
    do {                                                                                                               \
        CHECK_STATUS(call(NULL, &(p)->at, (p)->terms), HOL_BAD_INPUT);                                                 \
        CHECK_STATUS(call((p)->s.system, NULL, (p)->terms), HOL_BAD_INPUT);                                            \
        CHECK_STATUS(call((p)->s.system, &(p)->without_q, (p)->terms), HOL_BAD_INPUT);                                 \
        CHECK_STATUS(call((p)->s.system, &(p)->without_v, (p)->terms), HOL_BAD_INPUT);                                 \
        CHECK_STATUS(call((p)->s.system, &(p)->at, NULL), HOL_BAD_INPUT);                                              \
        CHECK_STATUS(call((p)->s.system, &(p)->at, (p)->foreign), HOL_BAD_INPUT);                                      \
    } while (0)

static void wrong_hol_system_evaluate(void)
{
    Place p;
    if (place_open(&p)) {
#define EVALUATE(system, at, terms) hol_system_evaluate(system, at, HOL_WANT_ALL, terms)
        CHECK_AT(&p, EVALUATE);
        CHECK_STATUS(hol_system_evaluate(p.s.system, &p.at, 1U << 20, p.terms), HOL_BAD_INPUT);
        CHECK_OK(EVALUATE(p.s.system, &p.at, p.terms));
    }
    place_close(&p);
}

static void wrong_hol_system_qdot(void)
{
    double qdot[64] = {7};
    Place p;
    if (place_open(&p)) {
        hol_system_qdot(NULL, p.at.q, p.at.v, qdot);
        hol_system_qdot(p.s.system, NULL, p.at.v, qdot);
        hol_system_qdot(p.s.system, p.at.q, NULL, qdot);
        hol_system_qdot(p.s.system, p.at.q, p.at.v, NULL);
        CHECK(qdot[0] == 7);
    }
    place_close(&p);
}

static void wrong_hol_system_retract(void)
{
    double q_new[64] = {7};
    Place p;
    if (place_open(&p)) {
        hol_system_retract(NULL, p.at.q, p.at.v, q_new);
        hol_system_retract(p.s.system, NULL, p.at.v, q_new);
        hol_system_retract(p.s.system, p.at.q, NULL, q_new);
        hol_system_retract(p.s.system, p.at.q, p.at.v, NULL);
        CHECK(q_new[0] == 7);
    }
    place_close(&p);
}

static void wrong_hol_system_displace(void)
{
    double q_b[64] = {7};
    Place p;
    if (place_open(&p)) {
        hol_system_displace(NULL, p.at.q, p.at.v, q_b);
        hol_system_displace(p.s.system, NULL, p.at.v, q_b);
        hol_system_displace(p.s.system, p.at.q, NULL, q_b);
        hol_system_displace(p.s.system, p.at.q, p.at.v, NULL);
        CHECK(q_b[0] == 7);
    }
    place_close(&p);
}

static void wrong_hol_system_evaluate_mean(void)
{
    const double zeros[64] = {0};
    Place p;
    if (place_open(&p)) {
#define MEAN(system, at, terms) hol_system_evaluate_mean(system, at, zeros, zeros, HOL_WANT_FORCE, terms)
        CHECK_AT(&p, MEAN);
        CHECK_STATUS(hol_system_evaluate_mean(p.s.system, &p.at, NULL, zeros, 0, p.terms), HOL_BAD_INPUT);
        CHECK_STATUS(hol_system_evaluate_mean(p.s.system, &p.at, zeros, NULL, 0, p.terms), HOL_BAD_INPUT);
        CHECK_STATUS(hol_system_evaluate_mean(p.s.system, &p.at, zeros, zeros, HOL_WANT_PHI, p.terms), HOL_BAD_INPUT);
        CHECK_STATUS(MEAN(p.s.system, &p.at, p.terms), HOL_UNSUPPORTED); /* a planar model */
    }
    place_close(&p);
}

static void wrong_hol_system_tangent(void)
{
    const double zeros[64] = {0};
    Place p;
    if (place_open(&p)) {
#define TANGENT(system, at, terms) hol_system_tangent(system, at, zeros, zeros, terms)
        CHECK_AT(&p, TANGENT);
        CHECK_STATUS(hol_system_tangent(p.s.system, &p.at, NULL, zeros, p.terms), HOL_BAD_INPUT);
        CHECK_STATUS(hol_system_tangent(p.s.system, &p.at, zeros, NULL, p.terms), HOL_BAD_INPUT);
        CHECK_OK(TANGENT(p.s.system, &p.at, p.terms));
    }
    place_close(&p);
}

static void wrong_hol_system_events(void)
{
    HolCrossing crossings[8] = {{.g = 7}};
    Place p;
    if (place_open(&p)) {
        hol_system_events(NULL, &p.at, p.terms, crossings);
        hol_system_events(p.s.system, NULL, p.terms, crossings);
        hol_system_events(p.s.system, &p.without_q, p.terms, crossings);
        hol_system_events(p.s.system, &p.at, NULL, crossings);
        hol_system_events(p.s.system, &p.at, p.foreign, crossings);
        hol_system_events(p.s.system, &p.at, p.terms, NULL);
        hol_system_events(p.s.system, &p.at, p.terms, crossings); /* it has no events */
        CHECK(crossings[0].g == 7);
    }
    place_close(&p);
}

static void wrong_hol_system_next_breakpoint(void)
{
    Subject s;
    CHECK(hol_system_next_breakpoint(NULL, 0, 1) == HUGE_VAL);
    if (subject_open(&s, "four-bar")) {
        for (int i = 0; i < WRONG_NUMBERS; ++i) {
            CHECK(hol_system_next_breakpoint(s.system, wrong_numbers[i], 1) == HUGE_VAL);
            CHECK(hol_system_next_breakpoint(s.system, 0, wrong_numbers[i]) == HUGE_VAL);
        }
        CHECK(hol_system_next_breakpoint(s.system, 1, 0) == HUGE_VAL);
    }
    subject_close(&s);
}

static void wrong_hol_system_time_function_count(void)
{
    CHECK_EQUAL_INT(hol_system_time_function_count(NULL), 0);
}

static void wrong_hol_system_time_function_name(void)
{
    Subject s;
    CHECK_STRING(hol_system_time_function_name(NULL, 0), "no such function");
    if (subject_open(&s, "four-bar"))
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK_STRING(hol_system_time_function_name(s.system, wrong_indices[i]), "no such function");
    subject_close(&s);
}

static void wrong_hol_system_function_is_velocity(void)
{
    Subject s;
    CHECK(!hol_system_function_is_velocity(NULL, 0));
    if (subject_open(&s, "four-bar"))
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK(!hol_system_function_is_velocity(s.system, wrong_indices[i]));
    subject_close(&s);
}

static void wrong_hol_system_time_bounds(void)
{
    Subject s;
    CHECK(isinf(hol_system_time_bounds(NULL, 0, 0, 1).value[1]));
    if (subject_open(&s, "four-bar")) {
        for (int i = 0; i < WRONG_INDICES; ++i)
            CHECK(isinf(hol_system_time_bounds(s.system, wrong_indices[i], 0, 1).value[0]));
        CHECK(isinf(hol_system_time_bounds(s.system, 0, NAN, 1).slope[1]));
        CHECK(isnan(hol_system_time_bounds(s.system, 0, 1, 0).middle));
    }
    subject_close(&s);
}

static void wrong_hol_system_next_jump(void)
{
    HolJump jump = {.t = 7};
    Subject s;
    CHECK(!hol_system_next_jump(NULL, 0, 1, &jump));
    if (subject_open(&s, "four-bar")) {
        CHECK(!hol_system_next_jump(s.system, 0, 1, NULL));
        CHECK(!hol_system_next_jump(s.system, NAN, 1, &jump));
        CHECK(!hol_system_next_jump(s.system, 0, NAN, &jump));
        CHECK(!hol_system_next_jump(s.system, 1, 0, &jump));
        CHECK(jump.t == 7);
    }
    subject_close(&s);
}

static void wrong_hol_jump_describe(void)
{
    HolJump jump = {.size = NAN};
    hol_jump_describe(&jump, NULL);
    hol_jump_describe(&jump, &said); /* without a name, a place or a unit */
    CHECK_CONTAINS(said.text, "jumps by nan at");
    hol_jump_describe(NULL, &said);
    CHECK_STRING(said.text, "");
}

static void wrong_hol_system_discrete_gradient(void)
{
    const double zeros[64] = {0};
    Place p;
    if (place_open(&p)) {
#define GRADIENT(system, at, terms) hol_system_discrete_gradient(system, at, zeros, zeros, terms)
        CHECK_AT(&p, GRADIENT);
        CHECK_STATUS(hol_system_discrete_gradient(p.s.system, &p.at, NULL, zeros, p.terms), HOL_BAD_INPUT);
        CHECK_STATUS(hol_system_discrete_gradient(p.s.system, &p.at, zeros, NULL, p.terms), HOL_BAD_INPUT);
    }
    place_close(&p);
}

static void wrong_hol_system_discrete_gradient_tangent(void)
{
    const double zeros[64] = {0};
    Place p;
    if (place_open(&p)) {
#define GRADIENT_TANGENT(system, at, terms) hol_system_discrete_gradient_tangent(system, at, zeros, zeros, terms)
        CHECK_AT(&p, GRADIENT_TANGENT);
        CHECK_STATUS(hol_system_discrete_gradient_tangent(p.s.system, &p.at, NULL, zeros, p.terms), HOL_BAD_INPUT);
        CHECK_STATUS(hol_system_discrete_gradient_tangent(p.s.system, &p.at, zeros, NULL, p.terms), HOL_BAD_INPUT);
    }
    place_close(&p);
}

static void wrong_hol_system_strain_stiffness(void)
{
    Place p;
    if (place_open(&p)) {
        CHECK_AT(&p, hol_system_strain_stiffness);
    }
    place_close(&p);
}

static void wrong_hol_system_strain_forces(void)
{
    const double zeros[64] = {0};
    Place p;
    if (place_open(&p)) {
        const HolStrainPath path = {.q_a = zeros, .q_b = zeros, .q_m = zeros, .z = zeros};
        for (int i = 0; i < 4; i++) {
            HolStrainPath wrong = path;
            *(const double **[]){&wrong.q_a, &wrong.q_b, &wrong.q_m, &wrong.z}[i] = NULL;
            CHECK_STATUS(hol_system_strain_forces(p.s.system, &wrong, p.terms), HOL_BAD_INPUT);
        }
        CHECK_STATUS(hol_system_strain_forces(NULL, &path, p.terms), HOL_BAD_INPUT);
        CHECK_STATUS(hol_system_strain_forces(p.s.system, NULL, p.terms), HOL_BAD_INPUT);
        CHECK_STATUS(hol_system_strain_forces(p.s.system, &path, NULL), HOL_BAD_INPUT);
        CHECK_STATUS(hol_system_strain_forces(p.s.system, &path, p.foreign), HOL_BAD_INPUT);
    }
    place_close(&p);
}

static void wrong_hol_system_follow(void)
{
    Place p;
    if (place_open(&p)) {
        hol_system_follow(NULL, &p.at, p.terms);
        hol_system_follow(p.s.system, NULL, p.terms);
        hol_system_follow(p.s.system, &p.without_q, p.terms);
        hol_system_follow(p.s.system, &p.at, NULL);
        hol_system_follow(p.s.system, &p.at, p.foreign);
        CHECK(p.terms != NULL);
    }
    place_close(&p);
}

static void wrong_hol_system_check(void)
{
    const double no_numbers[64] = {NAN};
    Place p;
    if (place_open(&p)) {
        HolPoint late = p.at, nowhere = p.at, wild = p.at;
        late.t = HUGE_VAL;
        nowhere.q = wild.v = no_numbers;
        REFUSED("hol_system_check: system", hol_system_check(NULL, &p.at, message));
        REFUSED("hol_system_check: at", hol_system_check(p.s.system, NULL, message));
        REFUSED("hol_system_check: at->q", hol_system_check(p.s.system, &p.without_q, message));
        REFUSED("hol_system_check: at->v", hol_system_check(p.s.system, &p.without_v, message));
        REFUSED("hol_system_check: at->t", hol_system_check(p.s.system, &late, message));
        REFUSED("hol_system_check: at->q[0]", hol_system_check(p.s.system, &nowhere, message));
        REFUSED("hol_system_check: at->v[0]", hol_system_check(p.s.system, &wild, message));
    }
    place_close(&p);
}

WRONG_ARGUMENTS_MAIN()
