/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/verdict/findings.h"

#include "base/format.h"
#include "base/message.h"

#include <math.h>
#include <stdarg.h>

const char *hol_verdict_name(HolVerdict verdict)
{
    static const char *const names[] = {"good", "doubtful", "bad"};
    return (unsigned)verdict < sizeof names / sizeof *names ? names[verdict] : "unknown";
}

bool hol_findings_begin(HolFindings *findings, const void *judged)
{
    if (!findings)
        return false;
    findings->count = 0;
    findings->verdict = HOL_VERDICT_BAD;
    if (judged)
        return true;
    HolJudged nothing = {"result", HUGE_VAL, 0, 0};
    hol_finding_advise(hol_findings_add(findings, nothing, "There is no result: the pointer to it is NULL."),
                       "Create the result first.");
    return false;
}

HolFinding *hol_findings_add(HolFindings *findings, HolJudged judged, const char *format, ...)
{
    if (findings->count == HOL_MAX_FINDINGS)
        return NULL;
    HolFinding *f = &findings->list[findings->count++];
    bool is_good = judged.value <= judged.good, is_doubtful = judged.value <= judged.doubtful;
    *f = (HolFinding){.verdict = is_good       ? HOL_VERDICT_GOOD
                                 : is_doubtful ? HOL_VERDICT_DOUBTFUL
                                               : HOL_VERDICT_BAD,
                      .what = judged.what,
                      .value = judged.value,
                      .limit = is_good || is_doubtful ? judged.good : judged.doubtful};
    va_list arguments;
    va_start(arguments, format);
    hol_vformat(f->reason, sizeof f->reason, format, arguments);
    va_end(arguments);
    hol_make_printable(f->reason);
    return f;
}

void hol_finding_advise(HolFinding *finding, const char *advice)
{
    if (finding)
        hol_format(finding->advice, sizeof finding->advice, "%s", advice);
}

void hol_findings_finish(HolFindings *findings)
{
    findings->verdict = HOL_VERDICT_GOOD;
    for (int i = 0; i < findings->count; ++i) {
        HolFinding f = findings->list[i];
        int k = i;
        for (; k > 0 && findings->list[k - 1].verdict < f.verdict; --k)
            findings->list[k] = findings->list[k - 1];
        if (f.verdict == HOL_VERDICT_GOOD)
            f.advice[0] = '\0';
        findings->list[k] = f;
    }
    if (findings->count > 0)
        findings->verdict = findings->list[0].verdict;
}
