/* SPDX-License-Identifier: BSD-3-Clause */
/* Large displacements of beams against closed forms and against independent solutions of the static equations of
 * geometrically exact beams by shooting, which are good to 8 digits. */
#include "unit/flexible.h"

static const char slender[] = "{EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 1, EI2: 1, EI3: 1, mass: 1}";

/* A beam of length 1 along x, clamped, with an end load that grows with t. */
static Flexible *open_cantilever(int elements, int order, const char *section, const char *load)
{
    char text[1000];
    snprintf(text, sizeof text,
             "points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
             "beams: {b: {from: A, to: B, elements: %d, order: %d, section: %s}}\n"
             "joints: {clamp: {fixed: [ground, b.start], at: A}}\n"
             "forces: {load: %s}\n",
             elements, order, section, load);
    return flexible_open(text);
}

/* ---- An end moment rolls it up to a circle ---- */

/* The largest distance of place and axis 1 of the end from x = sin(phi)/phi, z = (1 - cos(phi))/phi, phi = M L / EI. */
static double roll_up(int elements, int order, double turns, const char *section)
{
    char load[80];
    double phi = 2 * M_PI * turns, error = HUGE_VAL;
    snprintf(load, sizeof load, "{torque: b.end, vector: [0, \"-%.17g*t\", 0]}", phi);
    Flexible *f = open_cantilever(elements, order, section, load);
    if (f && CHECK(flexible_load(f, 12) > 0)) {
        const double *end = flexible_node(f, "b.end");
        error = hypot(end[0] - sin(phi) / phi, end[2] - (1 - cos(phi)) / phi);
        error = fmax(error, hypot(end[3] - cos(phi), end[5] - sin(phi)));
        error = fmax(error, fabs(end[1]));
    }
    flexible_close(f);
    return error;
}

static void an_end_moment_rolls_a_beam_up_to_a_circle(void)
{
    static const double turns[] = {0.125, 0.25, 0.5, 0.75, 1};
    for (int i = 0; i < 5; ++i) {
        CHECK_CONTEXT("%g turns", turns[i]);
        CHECK_NEAR(roll_up(20, 3, turns[i], slender), 0, 1e-6);
    }
}

/* With 2 p digits of h for each order p, at a quarter of a turn. */
static void errors_shrink_by_twice_the_order(void)
{
    static const int elements[] = {32, 8, 4};
    for (int order = 1; order <= 3; ++order) {
        double coarse = roll_up(elements[order - 1], order, 0.25, slender);
        double fine = roll_up(2 * elements[order - 1], order, 0.25, slender);
        CHECK_CONTEXT("order %d: %g, %g", order, coarse, fine);
        CHECK_NEAR(log2(coarse / fine), 2 * order, 0.15);
    }
}

/* A section that is thinner by 100 has EA / EI 1e4 times as large: 1e8 instead of 1e4. */
static void thin_sections_do_not_lock(void)
{
    static const char thin[] = "{EA: 1e8, GA2: 1e8, GA3: 1e8, GJ: 1, EI2: 1, EI3: 1, mass: 1}";
    for (int order = 1; order <= 3; ++order) {
        double thick_error = roll_up(8, order, 0.125, slender), thin_error = roll_up(8, order, 0.125, thin);
        CHECK_CONTEXT("order %d: %g, thin %g", order, thick_error, thin_error);
        CHECK(thin_error < 1.05 * thick_error + 1e-10);
    }
}

/* ---- The elastica: a dead force across the end ---- */

/* P L^2 / EI, and where the end of an inextensible beam without shear comes to */
static void a_dead_end_force_bends_it_to_the_elastica(void)
{
    static const double known[][3] = {{1, 0.9435667637167713, 0.3017207738009253},
                                      {2, 0.8393582791750385, 0.4934574803989126},
                                      {5, 0.612371639276582, 0.713791523624306},
                                      {10, 0.44500440224635895, 0.8106090248908323}};
    static const char stiff[] = "{EA: 1e8, GA2: 1e8, GA3: 1e8, GJ: 1, EI2: 1, EI3: 1, mass: 1}";
    for (int i = 0; i < 4; ++i) {
        char load[80];
        snprintf(load, sizeof load, "{force: b.end, vector: [0, %g*t, 0]}", known[i][0]);
        Flexible *f = open_cantilever(10, 3, stiff, load);
        CHECK_CONTEXT("P L^2 / EI = %g", known[i][0]);
        if (f && CHECK(flexible_load(f, 20) > 0)) {
            CHECK_NEAR(flexible_node(f, "b.end")[0], known[i][1], 5e-7);
            CHECK_NEAR(flexible_node(f, "b.end")[1], known[i][2], 5e-7);
        }
        flexible_close(f);
    }
}

/* ---- Small loads: each stiffness is where it belongs ---- */

typedef struct Small {
    const char *load;
    int number; /* of the end's twelve */
    double change;
} Small;

/* L = 1, loads of 1e-6. Bending about axis 2 moves the end along 3, with the shear along 3; x, y, z are axes 1, 2, 3. */
static void small_loads_find_their_stiffness(void)
{
    static const char section[] = "{EA: 11, GA2: 7, GA3: 5, GJ: 3, EI2: 2, EI3: 1.3, mass: 1}";
    static const Small cases[] = {
        {"{force: b.end, vector: [1e-6, 0, 0]}", 0, 1e-6 / 11},
        {"{force: b.end, vector: [0, 1e-6, 0]}", 1, 1e-6 * (1 / (3 * 1.3) + 1 / 7.0)},
        {"{force: b.end, vector: [0, 0, 1e-6]}", 2, 1e-6 * (1 / (3 * 2.0) + 1 / 5.0)},
        {"{torque: b.end, vector: [1e-6, 0, 0]}", 8, 1e-6 / 3},   /* z of a_2 */
        {"{torque: b.end, vector: [0, 1e-6, 0]}", 5, -1e-6 / 2},  /* z of a_1 */
        {"{torque: b.end, vector: [0, 0, 1e-6]}", 4, 1e-6 / 1.3}, /* y of a_1 */
        {"{torque: b.end, vector: [0, 0, 1e-6]}", 1, 1e-6 / 2.6},
        {"{force: b.end, vector: [0, 1e-6, 0], axes: body}", 1, 1e-6 * (1 / (3 * 1.3) + 1 / 7.0)},
        {"{force: b.end, at: [1, 0, 1], vector: [0, 1e-6, 0]}", 8, -1e-6 / 3}, /* on a rigid arm it twists */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Flexible *f = open_cantilever(2, 3, section, cases[i].load);
        CHECK_CONTEXT("%s", cases[i].load);
        double before = f ? flexible_node(f, "b.end")[cases[i].number] : 0;
        if (f && CHECK(flexible_settle(f, 0) > 0))
            CHECK_NEAR(flexible_node(f, "b.end")[cases[i].number] - before, cases[i].change, 1e-11);
        flexible_close(f);
    }
}

/* Its own weight sinks it by m g L^4 / 8 EI + m g L^2 / 2 GA, a load along it the same; cubic elements are exact. */
static void weights_and_line_loads_are_spread(void)
{
    static const char text[] = "gravity: [0, 0, %s]\n"
                               "points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
                               "beams: {b: {from: A, to: B, elements: %d, order: %d,\n"
                               "            section: {EA: 11, GA2: 7, GA3: 5, GJ: 3, EI2: 2, EI3: 1.3, mass: 1e-6}}}\n"
                               "joints: {clamp: {fixed: [ground, b.start], at: A}}\n"
                               "%s\n";
    static const char *const loads[] = {"", "forces: {w: {line-load: b, vector: [0, 0, -1e-6]}}",
                                        "forces: {w: {line-load: b, vector: [0, 0, -1e-6], axes: section}}"};
    for (int k = 0; k < 3; ++k) {
        char model[1000];
        snprintf(model, sizeof model, text, k == 0 ? "-1" : "0", 2, 3, loads[k]);
        Flexible *f = flexible_open(model);
        CHECK_CONTEXT("load %d", k);
        if (f && CHECK(flexible_settle(f, 0) > 0))
            CHECK_NEAR(flexible_node(f, "b.end")[2], -1e-6 * (1 / 16.0 + 1 / 10.0), 1e-12);
        flexible_close(f);
    }
}

/* ---- The 45-degree bend ---- */

/* An arc of radius 100 in the plane x y, clamped where it runs along y, pushed out of its plane. E = 1e7, a square section
 * of edge 1, nu = 0; GJ with the polar moment or after Saint-Venant. The end as known, in the axes of the arc. */
typedef struct Bend {
    const char *GJ;
    double P, end[3];
} Bend;

static void a_bend_of_45_degrees_goes_where_it_should(void)
{
    static const Bend cases[] = {
        {"1e7/2/6", 300, {22.2447809453731, 58.779122489689264, 40.1918916701523}},
        {"1e7/2/6", 450, {18.508178925395658, 52.23855801122061, 48.50292734438563}},
        {"1e7/2/6", 600, {15.684800534043372, 47.15043857363769, 53.4748587918259}},
        {"1e7/2*0.14057701", 300, {22.11261461363034, 58.53593278316851, 40.48026138663663}},
        {"1e7/2*0.14057701", 450, {18.369275741110716, 51.96971753409866, 48.704788492442}},
        {"1e7/2*0.14057701", 600, {15.557785914102771, 46.8919249531574, 53.60736917666138}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1000];
        snprintf(text, sizeof text,
                 "points: {A: [0, 0, 0], M: [100 - 100*cos(pi/8), 100*sin(pi/8), 0],\n"
                 "         B: [100 - 100*cos(pi/4), 100*sin(pi/4), 0]}\n"
                 "beams:\n"
                 "  b: {from: A, through: M, to: B, elements: 8,\n"
                 "      section: {EA: 1e7, GA2: 5e6, GA3: 5e6, GJ: %s, EI2: 1e7/12, EI3: 1e7/12, mass: 1}}\n"
                 "joints: {clamp: {fixed: [ground, b.start], at: A}}\n"
                 "forces: {load: {force: b.end, vector: [0, 0, %g*t]}}\n",
                 cases[i].GJ, cases[i].P);
        Flexible *f = flexible_open(text);
        CHECK_CONTEXT("GJ = %s, P = %g", cases[i].GJ, cases[i].P);
        if (f && CHECK(flexible_load(f, 6) > 0)) {
            const double *end = flexible_node(f, "b.end");
            for (int k = 0; k < 3; ++k)
                CHECK_NEAR(end[k], cases[i].end[k], 2e-5);
        }
        flexible_close(f);
    }
}

/* ---- The Princeton beam ---- */

/* A flat aluminium strip with a weight at its end, turned about its axis: load in N and angle from the stiff direction;
 * where the end comes to, along the beam, in the stiff and in the soft direction, and by how much it twists. */
typedef struct Strip {
    double P, angle, x, known[3];
} Strip;

static const Strip strips[] = {
    {4.448, 0, 0.5079660855370244, {0.005359544660223795, 0.0, 0}},
    {4.448, 15, 0.5074562216717743, {0.005210161673048014, 0.02080108831395909, -0.0038872195033197196}},
    {4.448, 30, 0.506083207566456, {0.004751074790608282, 0.03994940130882113, -0.006671193396520084}},
    {4.448, 45, 0.5042531113255135, {0.003965163324760723, 0.05605519287786855, -0.007608930973597307}},
    {4.448, 60, 0.5024729369897682, {0.0028622067026063667, 0.06812912236385957, -0.006510671043100111}},
    {4.448, 75, 0.501199881477513, {0.001502994630372812, 0.07557149697085583, -0.0037265819564839837}},
    {4.448, 90, 0.5007400544242212, {0, 0.07808186768048546, 0}},
    {8.896, 0, 0.5078644197076345, {0.010715412764279928, 0.0, 0}},
    {8.896, 15, 0.5057591639878489, {0.010625771183145593, 0.04212521861042942, -0.015809495377305065}},
    {8.896, 30, 0.5003391836207713, {0.01014724075362443, 0.07945607606479745, -0.02637980194670142}},
    {8.896, 45, 0.4936106797086954, {0.008888857579452212, 0.10904156764930131, -0.02906017634213175}},
    {8.896, 60, 0.4875268159528769, {0.006654361316620578, 0.12992351242535694, -0.024100472893441315}},
    {8.896, 75, 0.48341610343100067, {0.0035688906020801127, 0.14221441667151802, -0.01350773065022026}},
    {8.896, 90, 0.48197577100348044, {0, 0.14625998442818391, 0}},
    {13.345, 0, 0.5076951889998239, {0.016065144807901666, 0.0, 0}},
    {13.345, 15, 0.5027016248354762, {0.01650289202327218, 0.06449630943336443, -0.036542084754825725}},
    {13.345, 30, 0.49083658117870366, {0.01677798758367309, 0.11790226338503781, -0.05810540757756287}},
    {13.345, 45, 0.47763888555816386, {0.015342257533955855, 0.1565878232945213, -0.06081933725677845}},
    {13.345, 60, 0.4667936160756444, {0.011716415399336662, 0.1819211863474949, -0.04846084323026889}},
    {13.345, 75, 0.45992539083937894, {0.006328438259520146, 0.19612470733762874, -0.026506238717580045}},
    {13.345, 90, 0.4575943202610367, {0, 0.2006929113721252, 0}}};

/* The section is as wide as axis 2, z is its stiff direction. */
static void check_strip(const Strip *strip)
{
    char text[1000];
    double angle = strip->angle * M_PI / 180;
    snprintf(text, sizeof text,
             "points: {A: [0, 0, 0], B: [0.508, 0, 0]}\n"
             "beams:\n"
             "  b: {from: A, to: B, elements: 4,\n"
             "      section: {rectangle: [3.2024 mm, 12.377 mm], E: 71.7 GPa, nu: 0.31, density: 2700}}\n"
             "joints: {clamp: {fixed: [ground, b.start], at: A}}\n"
             "forces: {load: {force: b.end, vector: [0, %.17g*t, %.17g*t]}}\n",
             strip->P * sin(angle), strip->P * cos(angle));
    Flexible *f = flexible_open(text);
    CHECK_CONTEXT("%g N at %g degrees", strip->P, strip->angle);
    if (f && CHECK(flexible_load(f, 5) > 0)) {
        const double *end = flexible_node(f, "b.end");
        CHECK_NEAR(end[0], strip->x, 1e-6 * strip->x);
        CHECK_NEAR(end[2], strip->known[0], 1e-5 * fabs(strip->known[0]) + 1e-9);
        CHECK_NEAR(end[1], strip->known[1], 1e-5 * fabs(strip->known[1]) + 1e-9);
        CHECK_NEAR(atan2(end[10], end[11]), strip->known[2], 1e-5 * fabs(strip->known[2]) + 1e-9);
    }
    flexible_close(f);
}

static void all_cases_of_the_princeton_beam_agree(void)
{
    for (size_t i = 0; i < sizeof strips / sizeof *strips; ++i)
        check_strip(&strips[i]);
}

/* ---- Frames, and beams that want to be curved ---- */

/* Two beams at a right angle, bent out of their plane by P: the first bends and is twisted by the second's arm. */
static void beams_joined_at_a_corner_share_their_loads(void)
{
    static const char text[] = "points: {A: [0, 0, 0], B: [1, 0, 0], C: [1, 0.5, 0]}\n"
                               "beams:\n"
                               "  a: {from: A, to: B, elements: 1, section: &s}\n"
                               "  b: {from: B, to: C, elements: 2, section: &s}\n"
                               "joints: {clamp: {fixed: [ground, a.start], at: A},\n"
                               "         corner: {fixed: [a.end, b.start], at: B}}\n"
                               "forces: {load: {force: b.end, vector: [0, 0, 1e-6]}}\n";
    static const char section[] = "{EA: 11, GA2: 7, GA3: 5, GJ: 3, EI2: 2, EI3: 1.3, mass: 1}";
    char model[1000];
    const char *first = strstr(text, "&s"), *second = strstr(first + 1, "&s");
    snprintf(model, sizeof model, "%.*s%s%.*s%s%s", (int)(first - text), text, section, (int)(second - first - 2),
             first + 2, section, second + 2);
    Flexible *f = flexible_open(model);
    /* P (1/3 EI2 + 1/GA3) of the first, P (l^3/3 EI2 + l/GA3) of the second, and P l^2 / GJ by the twist */
    double known = 1e-6 * (1 / 6.0 + 1 / 5.0 + 0.125 / 6 + 0.5 / 5 + 0.25 / 3);
    if (f && CHECK(flexible_settle(f, 0) > 0))
        CHECK_NEAR(flexible_node(f, "b.end")[2], known, 1e-11);
    flexible_close(f);
}

/* Drawn straight, with a quarter of a circle in mind: it settles there, without stress; so does a screw. */
static void free_curvature_is_where_a_beam_goes(void)
{
    static const char text[] = "points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
                               "beams: {b: {from: A, to: B, elements: 6, free_curvature: [%s, \"%s*pi/2\", 0],\n"
                               "            section: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 1, EI2: 1, EI3: 1, mass: 1}}}\n"
                               "joints: {clamp: {fixed: [ground, b.start], at: A}}\n";
    char model[1000];
    snprintf(model, sizeof model, text, "0", "-1");
    Flexible *f = flexible_open(model);
    if (f && CHECK(flexible_settle(f, 0) > 0)) {
        CHECK_NEAR(flexible_node(f, "b.end")[0], 2 / M_PI, 1e-7);
        CHECK_NEAR(flexible_node(f, "b.end")[2], 2 / M_PI, 1e-7);
        CHECK_NEAR(f->terms->potential, 0, 1e-7);
    }
    flexible_close(f);
    snprintf(model, sizeof model, text, "1.5", "0");
    f = flexible_open(model);
    if (f && CHECK(flexible_settle(f, 0) > 0)) {
        CHECK_NEAR(flexible_node(f, "b.end")[0], 1, 1e-6);
        CHECK_NEAR(flexible_node(f, "b.end")[7], cos(1.5), 1e-6);
        CHECK_NEAR(flexible_node(f, "b.end")[8], sin(1.5), 1e-6);
    }
    flexible_close(f);
}

/* Drawn with a twist of a quarter turn: a load along z at the end meets EI3 near the clamp and EI2 near the end. */
static void a_twisted_beam_bends_askew(void)
{
    Flexible *f = flexible_open("points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
                                "beams: {b: {from: A, to: B, elements: 4, axis2: y, twist: 90 deg,\n"
                                "            section: {EA: 1e4, GA2: 1e6, GA3: 1e6, GJ: 1, EI2: 1, EI3: 4, mass: 1}}}\n"
                                "joints: {clamp: {fixed: [ground, b.start], at: A}}\n"
                                "forces: {load: {force: b.end, vector: [0, 0, 1e-6]}}\n");
    /* With the angle phi = pi s/2: w = P int (1 - s)^2 (cos^2/EI2 + sin^2/EI3), v = P int (1 - s)^2 sin cos
     * (1/EI2 - 1/EI3), by (1 - s)^2 cos(pi s) and sin(pi s), whose integrals are 2/pi^2 and 1/pi - 4/pi^3 */
    double mean = (1 + 0.25) / 2, half = (1 - 0.25) / 2;
    double w = 1e-6 * (mean / 3 + half * 2 / (M_PI * M_PI)), v = 1e-6 * half * (1 / M_PI - 4 / pow(M_PI, 3));
    if (f && CHECK(flexible_settle(f, 0) > 0)) {
        CHECK_NEAR(flexible_node(f, "b.end")[2], w, 1e-10);
        CHECK_NEAR(flexible_node(f, "b.end")[1], -v, 1e-10);
    }
    flexible_close(f);
}

CHECK_MAIN(TEST(an_end_moment_rolls_a_beam_up_to_a_circle), TEST(errors_shrink_by_twice_the_order),
           TEST(thin_sections_do_not_lock), TEST(a_dead_end_force_bends_it_to_the_elastica),
           TEST(small_loads_find_their_stiffness), TEST(weights_and_line_loads_are_spread),
           TEST(a_bend_of_45_degrees_goes_where_it_should), TEST(all_cases_of_the_princeton_beam_agree),
           TEST(beams_joined_at_a_corner_share_their_loads), TEST(free_curvature_is_where_a_beam_goes),
           TEST(a_twisted_beam_bends_askew))
