/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings.h"

#include <stdio.h>

enum { LINE_SIZE = 700 };

static const char *findings_line(const HolFinding *f, char line[LINE_SIZE])
{
    snprintf(line, LINE_SIZE, "%s: %s%s%s", f->what, f->reason, *f->advice ? " " : "", f->advice);
    return line;
}

void cli_findings_add(const HolFindings *findings, CliTable *table)
{
    char line[LINE_SIZE];
    cli_table_add(table, "verdict", hol_verdict_name(findings->verdict));
    for (int i = 0; i < findings->count && findings->list[i].verdict != HOL_VERDICT_GOOD; ++i)
        cli_table_add(table, "", findings_line(&findings->list[i], line));
}

void cli_verdict_print(const HolFindings *findings)
{
    char line[LINE_SIZE];
    cli_print_line("Verdict: %s.", hol_verdict_name(findings->verdict));
    for (int i = 0; i < findings->count && findings->list[i].verdict != HOL_VERDICT_GOOD; ++i)
        cli_print_line("%s", findings_line(&findings->list[i], line));
}

void cli_findings_members(const HolFindings *findings, CliJson *json)
{
    cli_json_text(json, "verdict", hol_verdict_name(findings->verdict));
    cli_json_array(json, "findings");
    for (int i = 0; i < findings->count; ++i) {
        const HolFinding *f = &findings->list[i];
        cli_json_object(json, NULL);
        cli_json_text(json, "verdict", hol_verdict_name(f->verdict));
        cli_json_text(json, "what", f->what);
        cli_json_number(json, "value", f->value);
        cli_json_number(json, "limit", f->limit);
        cli_json_text(json, "reason", f->reason);
        cli_json_text(json, "advice", f->advice);
        cli_json_end(json);
    }
    cli_json_end(json);
}

int cli_findings_code(const HolFindings *findings, const char *accept)
{
    return findings->verdict == HOL_VERDICT_BAD && !accept ? EXIT_BAD : EXIT_DONE;
}
