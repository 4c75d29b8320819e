/* SPDX-License-Identifier: BSD-3-Clause */
/* What joints can do to each other while nothing else acts, one sentence for each independent pattern. */
#include "check.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of more patterns only the number is told, and of more parts in one only the first. */
enum { MOST_PATTERNS = 10, MOST_PARTS = 12 };

static const double ALONG = 1e-6; /* a direction this near to an axis is called by its name */

/* Those that are pulled, or those that are pushed; only their number if text is NULL. */
static int say_side(CliText *text, const HolMechanism *m, const HolSelfStress *stress, double sign, int count)
{
    int said = 0;
    for (int i = 0; i < stress->force_count + stress->member_count; ++i) {
        bool is_body = i >= stress->force_count;
        const HolSelfMember *member = is_body ? &stress->members[i - stress->force_count] : NULL;
        const HolSelfForce *rod = is_body ? NULL : &stress->forces[i];
        if (sign * (is_body ? member->tension : rod->tension) <= 0)
            continue;
        if (text && said < MOST_PARTS) {
            cli_say_between(text, said, count);
            cli_say(text, "%s",
                    is_body ? hol_mechanism_body(m, member->body) : hol_mechanism_joint(m, rod->joint).name);
        }
        ++said;
    }
    if (text && said > MOST_PARTS)
        cli_say(text, ", ...");
    return said;
}

/* Whether several rods and bodies that are only pulled or pushed explain the whole pattern. */
static bool is_all_tension(const HolMechanism *mechanism, const HolSelfStress *stress)
{
    for (int i = 0; i < stress->force_count; ++i) {
        HolJointInfo joint = hol_mechanism_joint(mechanism, stress->forces[i].joint);
        bool is_known = stress->forces[i].is_rod;
        for (int k = 0; k < stress->member_count && !is_known; ++k) {
            const char *body = hol_mechanism_body(mechanism, stress->members[k].body);
            is_known = strcmp(joint.first, body) == 0 || strcmp(joint.second, body) == 0;
        }
        if (!is_known)
            return false;
    }
    return say_side(NULL, mechanism, stress, 1, 0) + say_side(NULL, mechanism, stress, -1, 0) > 1;
}

/* The side of the first comes first. */
static void say_tension(CliText *text, const HolMechanism *m, const HolSelfStress *stress)
{
    bool has_rod = stress->forces[0].is_rod;
    double first = (has_rod ? stress->forces[0].tension : stress->members[0].tension) > 0 ? 1 : -1;
    int with = say_side(NULL, m, stress, first, 0), against = say_side(NULL, m, stress, -first, 0);
    say_side(text, m, stress, first, with);
    if (against > 0) {
        cli_say(text, " can be prestressed against ");
        say_side(text, m, stress, -first, against);
        cli_say(text, ": one side in tension, the other in compression");
    } else {
        cli_say(text, " can be prestressed together: all in tension, or all in compression");
    }
}

/* "x", "-y" or "(0.6, 0.8, 0)" */
static void say_direction(CliText *text, const double *x)
{
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < 3; ++i)
        if (fabs(x[i]) >= (1 - ALONG * ALONG) * length) {
            cli_say(text, "%s%c", x[i] < 0 ? "-" : "", "xyz"[i]);
            return;
        }
    cli_say(text, "(%.3g, %.3g, %.3g)", x[0] / length, x[1] / length, x[2] / length);
}

static bool is_zero(const double *x)
{
    return x[0] == 0 && x[1] == 0 && x[2] == 0;
}

/* "pin_A by a force along y and a moment about z" */
static void say_force(CliText *text, const HolMechanism *m, const HolSelfForce *force)
{
    cli_say(text, "%s by ", hol_mechanism_joint(m, force->joint).name);
    if (!is_zero(force->f)) {
        cli_say(text, "a force along ");
        say_direction(text, force->f);
    }
    if (!is_zero(force->f) && !is_zero(force->f + 3))
        cli_say(text, " and ");
    if (!is_zero(force->f + 3)) {
        cli_say(text, "a moment about ");
        say_direction(text, force->f + 3);
    }
}

static void say_forces(CliText *text, const HolMechanism *m, const HolSelfStress *stress)
{
    cli_say(text, "%s can act against each other: ", stress->force_count == 2 ? "Two joints" : "Joints");
    for (int i = 0; i < stress->force_count && i < MOST_PARTS; ++i) {
        cli_say(text, "%s", i > 0 ? "; " : "");
        say_force(text, m, &stress->forces[i]);
    }
    if (stress->force_count > MOST_PARTS)
        cli_say(text, "; ...");
}

void cli_self_stress_print(const CliFindings *findings)
{
    const HolDiagnosis *d = findings->diagnosis;
    for (int k = 0; k < d->self_stress_count && k < MOST_PATTERNS; ++k) {
        CliText text = {.length = 0};
        const HolSelfStress *stress = &d->self_stresses[k];
        cli_say(&text, "- ");
        if (stress->force_count == 0)
            continue; /* rows that say nothing */
        if (is_all_tension(findings->mechanism, stress))
            say_tension(&text, findings->mechanism, stress);
        else
            say_forces(&text, findings->mechanism, stress);
        cli_say(&text, ".");
        cli_text_print(&text);
    }
    if (d->self_stress_count > MOST_PATTERNS)
        printf("- and %d more such patterns, which --json lists.\n", d->self_stress_count - MOST_PATTERNS);
}
