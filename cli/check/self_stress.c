/* SPDX-License-Identifier: BSD-3-Clause */
/* States of self-stress: reactions in equilibrium without external forces. One sentence for each independent one. */
#include "check/check.h"
#include "terminal/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Further states are only counted, and further parts of a state are left out. */
enum { MAX_PATTERNS = 10, MAX_PARTS = 12 };

static const double ALONG = 1e-6; /* a direction this near to an axis is called by its name */

/* Lists the members in tension (sign 1) or in compression (-1); only counts them if text is NULL. */
static int add_side(CliText *text, const HolMechanism *m, const HolSelfStress *stress, double sign, int count)
{
    int said = 0;
    for (int i = 0; i < stress->force_count + stress->member_count; ++i) {
        bool is_body = i >= stress->force_count;
        const HolSelfMember *member = is_body ? &stress->members[i - stress->force_count] : NULL;
        const HolSelfForce *rod = is_body ? NULL : &stress->forces[i];
        if (sign * (is_body ? member->tension : rod->tension) <= 0)
            continue;
        if (text && said < MAX_PARTS) {
            cli_text_add_separator(text, said, count);
            cli_text_add(text, "%s",
                         is_body ? hol_mechanism_body(m, member->body) : hol_mechanism_joint(m, rod->joint).name);
        }
        ++said;
    }
    if (text && said > MAX_PARTS)
        cli_text_add(text, ", ...");
    return said;
}

/* Whether the state of self-stress consists of axial forces in at least two rods or bodies. */
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
    return add_side(NULL, mechanism, stress, 1, 0) + add_side(NULL, mechanism, stress, -1, 0) > 1;
}

/* Lists the side of the first member first. */
static void add_tension(CliText *text, const HolMechanism *m, const HolSelfStress *stress)
{
    bool has_rod = stress->forces[0].is_rod;
    double first = (has_rod ? stress->forces[0].tension : stress->members[0].tension) > 0 ? 1 : -1;
    int with = add_side(NULL, m, stress, first, 0), against = add_side(NULL, m, stress, -first, 0);
    add_side(text, m, stress, first, with);
    if (against > 0) {
        cli_text_add(text, " can be prestressed against ");
        add_side(text, m, stress, -first, against);
        cli_text_add(text, ": one side in tension, the other in compression");
    } else {
        cli_text_add(text, " can be prestressed together: all in tension, or all in compression");
    }
}

/* "x", "-y" or "(0.6, 0.8, 0)" */
static void add_direction(CliText *text, const double *x)
{
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < 3; ++i)
        if (fabs(x[i]) >= (1 - ALONG * ALONG) * length) {
            cli_text_add(text, "%s%c", x[i] < 0 ? "-" : "", "xyz"[i]);
            return;
        }
    cli_text_add(text, "(%.3g, %.3g, %.3g)", x[0] / length, x[1] / length, x[2] / length);
}

static bool stress_is_zero(const double *x)
{
    return x[0] == 0 && x[1] == 0 && x[2] == 0;
}

/* "pin_A by a force along y and a moment about z" */
static void add_force(CliText *text, const HolMechanism *m, const HolSelfForce *force)
{
    cli_text_add(text, "%s by ", hol_mechanism_joint(m, force->joint).name);
    if (!stress_is_zero(force->f)) {
        cli_text_add(text, "a force along ");
        add_direction(text, force->f);
    }
    if (!stress_is_zero(force->f) && !stress_is_zero(force->f + 3))
        cli_text_add(text, " and ");
    if (!stress_is_zero(force->f + 3)) {
        cli_text_add(text, "a moment about ");
        add_direction(text, force->f + 3);
    }
}

static void add_forces(CliText *text, const HolMechanism *m, const HolSelfStress *stress)
{
    cli_text_add(text,
                 "%s can be prestressed against each other: ", stress->force_count == 2 ? "Two joints" : "Joints");
    for (int i = 0; i < stress->force_count && i < MAX_PARTS; ++i) {
        cli_text_add(text, "%s", i > 0 ? "; " : "");
        add_force(text, m, &stress->forces[i]);
    }
    if (stress->force_count > MAX_PARTS)
        cli_text_add(text, "; ...");
}

void cli_self_stress_print(const CliFindings *findings)
{
    const HolDiagnosis *d = findings->diagnosis;
    for (int k = 0; k < d->self_stress_count && k < MAX_PATTERNS; ++k) {
        CliText text = {.length = 0};
        const HolSelfStress *stress = &d->self_stresses[k];
        cli_text_add(&text, "- ");
        if (stress->force_count == 0)
            continue; /* a constraint equation that is identically zero */
        if (is_all_tension(findings->mechanism, stress))
            add_tension(&text, findings->mechanism, stress);
        else
            add_forces(&text, findings->mechanism, stress);
        cli_text_add(&text, ".");
        cli_text_print(&text);
    }
    if (d->self_stress_count > MAX_PATTERNS)
        printf("- and %d more states of self-stress, which --json lists.\n", d->self_stress_count - MAX_PATTERNS);
}
