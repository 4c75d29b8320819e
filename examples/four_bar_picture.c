/* SPDX-License-Identifier: BSD-3-Clause */
/* The planar four-bar, released from rest, for 10 s through every formulation, as a picture: the mechanism with the
 * path of its coupler's centre, and how well each formulation keeps the constraints over time.
 *
 *     four_bar_picture docs/pictures/four-bar.svg
 *
 * A point of a curve is the largest violation of all steps in a time bin, so that no peak is lost; a zero is drawn as
 * 1e-17, which is below round-off. */
#include <holon/holon.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BINS = 200, POINTS = 501, MOST = 16, LOW = -17, HIGH = -6 };

typedef struct Point {
    double x, y;
} Point;

static const double UNTIL = 10, ZERO = 1e-17, SCALE = 48;
static const double LEFT = 372, RIGHT = 716, TOP = 92, BOTTOM = 412; /* the plot */
static const Point ORIGIN = {82, 306};                               /* of the mechanism's coordinates, its pin A */
static const char TITLE[] = "Four-bar, 10 s: who keeps its constraints?";

typedef struct Curve {
    const char *name;
    double worst[BINS], last; /* the largest violation in each bin, and in the last one reached */
    int bins;                 /* how many were reached */
} Curve;

typedef struct Path {
    Point points[POINTS];
    int count;
} Path;

/* Okabe and Ito's colours, the yellow replaced by grey. Later curves lie above earlier ones. */
typedef struct Style {
    const char *name, *colour, *dash;
    double width;
} Style;

static const Style STYLES[] = {
    {"lagrange", "#56b4e9", "none", 4.5},
    {"baumgarte", "#e69f00", "none", 1.8},
    {"penalty", "#cc79a7", "none", 1.8},
    {"augmented-lagrangian", "#d55e00", "7 3", 1.8},
    {"augmented-lagrangian-projected", "#777777", "none", 1.6},
    {"coordinate-partitioning", "#009e73", "5 3", 1.6},
    {"direct-correction", "#0072b2", "2 2", 1.8},
    {"null-space", "#000000", "6 5", 1.6},
    {NULL, "#444444", "1 3", 1.6}, /* any other */
};

static Style style_of(const char *name)
{
    const Style *style = STYLES;
    while (style->name && strcmp(style->name, name))
        ++style;
    return *style;
}

/* The place in the picture of a point on a bar, at a signed distance from its centre along its axis. */
static Point on_bar(const double *q, double distance)
{
    return (Point){ORIGIN.x + SCALE * (q[0] + distance * cos(q[2])), ORIGIN.y - SCALE * (q[1] + distance * sin(q[2]))};
}

/* ---- Running ---------------------------------------------------------------------------------- */

static HolStatus keep_worst(void *user, const HolState *state, const HolMeasures *measures)
{
    Curve *curve = user;
    int bin = (int)fmin(state->t / UNTIL * BINS, BINS - 1);
    for (; curve->bins <= bin; ++curve->bins)
        curve->worst[curve->bins] = ZERO;
    curve->last = curve->worst[bin] = fmax(curve->worst[bin], measures->position);
    return HOL_OK;
}

static HolStatus keep_centre(void *user, const HolState *state, const HolMeasures *measures)
{
    Path *path = user;
    (void)measures;
    if (path->count < POINTS)
        path->points[path->count++] = on_bar(state->q + 3, 0);
    return HOL_OK;
}

/* A formulation that fails leaves its curve where it stopped. */
static void run(const HolMechanism *mechanism, const char *formulation, HolRun with)
{
    HolSimulationOptions options = hol_simulation_options();
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulation *simulation;
    HolMessage message;
    options.formulation = formulation;
    with.until = UNTIL;
    if (hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message) != HOL_OK) {
        fprintf(stderr, "%s: %s\n", formulation, message.text);
        return;
    }
    if (hol_simulation_run(simulation, &with) != HOL_OK)
        fprintf(stderr, "%s: %s\n", formulation, hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
}

/* ---- The mechanism ---------------------------------------------------------------------------- */

static void draw_polyline(FILE *out, const Point *points, int count, Style style)
{
    fprintf(out, "<polyline fill='none' stroke='%s' stroke-width='%.1f' ", style.colour, style.width);
    fprintf(out, "stroke-dasharray='%s' points='", style.dash);
    for (int i = 0; i < count; ++i)
        fprintf(out, "%s%.1f,%.1f", i ? " " : "", points[i].x, points[i].y);
    fprintf(out, "'/>\n");
}

static void draw_ground(FILE *out, Point pin)
{
    const char *shape = "l-11 18h22zm-18 18h36m-34 0l-6 7m14-7l-6 7m14-7l-6 7m14-7l-6 7m14-7l-6 7";
    fprintf(out, "<path d='M%.1f %.1f%s' fill='#ddd' stroke='#333'/>\n", pin.x, pin.y, shape);
}

static void draw_bar(FILE *out, Point from, Point to, const char *name, double side)
{
    double length = hypot(to.x - from.x, to.y - from.y);
    double turn = atan2(to.y - from.y, to.x - from.x) * 180 / acos(-1);
    fprintf(out, "<g transform='translate(%.1f %.1f) rotate(%.1f)'>", from.x, from.y, turn);
    fprintf(out, "<path d='M0 0H%.1f' stroke='#999' stroke-width='8' stroke-linecap='round'/>", length);
    fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='middle'>%s</text></g>\n", length / 2, side, name);
}

static void draw_pin(FILE *out, Point at, char name, double dx, double dy)
{
    fprintf(out, "<circle cx='%.1f' cy='%.1f' r='4.5' fill='#fff' stroke='#333' stroke-width='2'/>", at.x, at.y);
    fprintf(out, "<text x='%.1f' y='%.1f' font-weight='bold'>%c</text>\n", at.x + dx, at.y + dy, name);
}

static void draw_sketch(FILE *out, const double *q, const Path *path)
{
    Point a = on_bar(q, -1), b = on_bar(q, 1), c = on_bar(q + 3, 2), d = on_bar(q + 6, -2), centre = on_bar(q + 3, 0);
    draw_ground(out, a);
    draw_ground(out, d);
    draw_bar(out, a, b, "crank", -9);
    draw_bar(out, b, c, "coupler", -9);
    draw_bar(out, d, c, "follower", 18);
    draw_polyline(out, path->points, path->count, (Style){"", "#882255", "none", 1.5});
    draw_pin(out, a, 'A', -4, 41);
    draw_pin(out, b, 'B', -14, -8);
    draw_pin(out, c, 'C', 8, -6);
    draw_pin(out, d, 'D', -4, 41);
    fprintf(out, "<circle cx='%.1f' cy='%.1f' r='4.5' fill='#882255' stroke='#fff'/>\n", centre.x, centre.y);
    fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='middle'>ground</text>\n", (a.x + d.x) / 2, a.y + 22);
    fprintf(out, "<text x='24' y='%.1f'>The start, with the path of the coupler&#8217;s centre</text>\n", a.y + 72);
}

/* ---- The plot --------------------------------------------------------------------------------- */

static double level(double violation)
{
    return TOP + (HIGH - log10(violation)) / (HIGH - LOW) * (BOTTOM - TOP);
}

static double moment(double bins)
{
    return LEFT + bins / BINS * (RIGHT - LEFT);
}

static void draw_axes(FILE *out)
{
    for (int e = LOW; e <= HIGH; ++e) {
        double y = level(pow(10, e));
        fprintf(out, "<path d='M%.1f %.1fH%.1f' stroke='#e4e4e4'/>", LEFT, y, RIGHT);
        fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='end'>10", LEFT - 7, y + 5);
        fprintf(out, "<tspan dy='-5' font-size='9'>&#8722;%d</tspan></text>\n", -e);
    }
    for (int t = 0; t <= (int)UNTIL; t += 2) {
        double x = moment(t / UNTIL * BINS);
        fprintf(out, "<path d='M%.1f %.1fv5' stroke='#333'/>", x, BOTTOM);
        fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='middle'>%d</text>\n", x, BOTTOM + 19, t);
    }
    fprintf(out, "<path d='M%.1f %.1fV%.1fH%.1f' fill='none' stroke='#333'/>\n", LEFT, TOP, BOTTOM, RIGHT);
    fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='middle'>time [s]</text>\n", moment(BINS / 2), BOTTOM + 38);
    fprintf(out, "<text x='%.1f' y='%.1f'>max |&#934;| [m]</text>\n", LEFT - 36, TOP - 14);
}

/* The heights of the labels: each at the end of its curve, or as little below as the labels above it demand. */
static void place_labels(const Curve *curves, int count, double *height)
{
    bool placed[MOST] = {false};
    double free_from = TOP;
    for (int k = 0; k < count; ++k) {
        int next = -1;
        for (int i = 0; i < count; ++i)
            if (!placed[i] && (next < 0 || curves[i].last > curves[next].last))
                next = i;
        placed[next] = true;
        height[next] = fmax(level(curves[next].last), free_from);
        free_from = height[next] + 17;
    }
}

static void draw_curve(FILE *out, const Curve *curve, double label)
{
    Point points[BINS], end = {moment(curve->bins) + 1, level(curve->last)}, near = {RIGHT + 15, label};
    for (int k = 0; k < curve->bins; ++k)
        points[k] = (Point){moment(k + 0.5), level(curve->worst[k])};
    draw_polyline(out, points, curve->bins, style_of(curve->name));
    draw_polyline(out, (Point[]){end, near}, 2, (Style){"", "#999", "none", 0.7});
    draw_polyline(out, (Point[]){near, {near.x + 26, label}}, 2, style_of(curve->name));
    fprintf(out, "<text x='%.1f' y='%.1f' font-size='11'>%s</text>\n", near.x + 31, label + 4, curve->name);
}

static void draw(FILE *out, const double *q, const Path *path, const Curve *curves, int count)
{
    double height[MOST];
    fprintf(out, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 960 458' width='960' height='458' role='img' ");
    fprintf(out, "font-family='sans-serif' font-size='12' fill='#222'>\n<title>%s</title>\n", TITLE);
    fprintf(out, "<rect width='960' height='458' fill='#fff'/>\n<text x='24' y='32' font-size='19' ");
    fprintf(out, "font-weight='bold'>%s</text>\n", TITLE);
    fprintf(out, "<text x='24' y='52'>rk4, step 1 ms; a point is the largest violation within 50 ms</text>\n");
    draw_sketch(out, q, path);
    draw_axes(out);
    place_labels(curves, count, height);
    for (int i = 0; i < count; ++i)
        draw_curve(out, &curves[i], height[i]);
    fprintf(out, "</svg>\n");
}

/* The built-in model, assembled; NULL if that fails. */
static HolMechanism *open_four_bar(void)
{
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    if (model && hol_model_load(model, "four-bar") == HOL_OK && hol_mechanism_create(model, &mechanism) == HOL_OK &&
        hol_mechanism_assemble(mechanism, NULL) != HOL_OK) {
        hol_mechanism_destroy(mechanism);
        mechanism = NULL;
    }
    hol_model_destroy(model);
    return mechanism;
}

int main(int argc, char **argv)
{
    static Curve curves[MOST];
    static Path path;
    int count = hol_formulation_count() < MOST ? hol_formulation_count() : MOST;
    HolMechanism *mechanism = open_four_bar();
    FILE *out = argc > 1 ? fopen(argv[1], "w") : stdout;
    if (!mechanism || !out)
        return 1;
    run(mechanism, "direct-correction", (HolRun){.every = UNTIL / (POINTS - 1), .record = keep_centre, .user = &path});
    for (int i = 0; i < count; ++i) {
        curves[i] = (Curve){.name = hol_formulation_info(i).name, .last = ZERO};
        run(mechanism, curves[i].name, (HolRun){.record = keep_worst, .user = &curves[i]});
    }
    draw(out, hol_mechanism_initial_state(mechanism).q, &path, curves, count);
    hol_mechanism_destroy(mechanism);
    return fclose(out) ? 1 : 0;
}
