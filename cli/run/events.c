/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/events.h"

#include <stdio.h>

/* "bump-stop 'end' closes" */
static void describe_event(const HolMechanism *mechanism, HolEvent event, char *text, size_t size)
{
    HolEventName name = hol_system_event_name(hol_mechanism_system(mechanism), event.event);
    snprintf(text, size, "%s %s", name.name, event.direction > 0 ? name.rising : name.falling);
}

void cli_events_text(const HolMechanism *mechanism, const HolSimulation *simulation, char *text, size_t size)
{
    char what[200] = "", skipped[60] = "";
    HolSummary summary = hol_simulation_summary(simulation);
    if (summary.skipped_events > 0)
        snprintf(skipped, sizeof skipped, "; %ld more in steps too short to end there", summary.skipped_events);
    if (hol_simulation_event_count(simulation) == 0) {
        snprintf(text, size, "0%s", skipped);
        return;
    }
    HolEvent first = hol_simulation_event(simulation, 0);
    describe_event(mechanism, first, what, sizeof what);
    snprintf(text, size, "%ld, the first at t = %.6g s (%s)%s", summary.events, first.t, what, skipped);
}

void cli_events_members(const HolMechanism *mechanism, const HolSimulation *simulation, CliJson *json)
{
    cli_json_array(json, "events");
    for (int i = 0; i < hol_simulation_event_count(simulation); ++i) {
        HolEvent event = hol_simulation_event(simulation, i);
        char what[200];
        describe_event(mechanism, event, what, sizeof what);
        cli_json_object(json, NULL);
        cli_json_number(json, "t", event.t);
        cli_json_text(json, "what", what);
        cli_json_end(json);
    }
    cli_json_end(json);
    cli_json_whole(json, "skipped_events", hol_simulation_summary(simulation).skipped_events);
}

void cli_impulses_text(const HolMechanism *mechanism, const HolSimulation *simulation, char *text, size_t size)
{
    HolImpulse first = hol_simulation_impulse(simulation, 0);
    HolDriverImpulse driver = hol_mechanism_impulse(mechanism, &first);
    snprintf(text, size, "%ld, the first at t = %.6g s (%s '%s': %.6g %s, work %.6g J)",
             hol_simulation_summary(simulation).impulses, first.t, driver.part, driver.name, driver.impulse,
             driver.unit[0] ? driver.unit : "in the unit of its sum", first.work);
}

void cli_impulses_member(const HolMechanism *mechanism, const HolSimulation *simulation, CliJson *json)
{
    cli_json_array(json, "impulses");
    for (int i = 0; i < hol_simulation_impulse_count(simulation); ++i) {
        HolImpulse impulse = hol_simulation_impulse(simulation, i);
        HolDriverImpulse driver = hol_mechanism_impulse(mechanism, &impulse);
        cli_json_object(json, NULL);
        cli_json_number(json, "t", impulse.t);
        cli_json_text(json, "name", driver.name);
        cli_json_number(json, "impulse", driver.impulse);
        cli_json_text(json, "unit", driver.unit);
        cli_json_number(json, "work", impulse.work);
        cli_json_end(json);
    }
    cli_json_end(json);
}
