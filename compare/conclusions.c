/* SPDX-License-Identifier: BSD-3-Clause */
/* Conclusions from the numbers of a comparison. */
#include "study.h"

#include <math.h>
#include <string.h>

bool hol_compare_same_methods(const HolCompareRecord *a, const HolCompareRecord *b)
{
    if (!a || !b || !a->formulation || !b->formulation || !a->integrator || !b->integrator)
        return false;
    return strcmp(a->formulation, b->formulation) == 0 && strcmp(a->integrator, b->integrator) == 0;
}

bool hol_compare_is_adaptive(const char *integrator)
{
    for (int i = 0; integrator && i < hol_integrator_count(); ++i)
        if (strcmp(hol_integrator_info(i).name, integrator) == 0)
            return hol_integrator_info(i).adaptive;
    return false;
}

/* p = log(e1 / e2) / log(h1 / h2). Errors near that of the reference show no order. */
double hol_study_order(const HolCompareRecord *coarse, const HolCompareRecord *fine, double reference_error)
{
    double least = 10 * reference_error;
    if (!(fine->position_error > least) || !(coarse->position_error > least))
        return NAN;
    return log(coarse->position_error / fine->position_error) / log(coarse->step / fine->step);
}

/* A run may finish with wrong results. Rounding alone, as for a system at rest, does not count. */
const char *hol_study_remark(const HolCompareRecord *record, const HolScale *scale)
{
    static const double FAR = 0.1, ROUNDING = HOL_COMPARE_ROUNDING;
    double drift = record->summary.max_energy_drift, energy = fabs(record->summary.energy_initial) + scale->kinetic;
    double least = fmax(10 * scale->error, ROUNDING * scale->size);
    bool is_off = record->position_error > FAR * scale->range && record->position_error > least;
    bool has_drifted = drift > scale->kinetic && drift > ROUNDING * energy;
    return record->status == HOL_OK && (is_off || has_drifted) ? "inaccurate" : "";
}

HolVerdict hol_study_verdict(const HolCompareRecord *record, bool is_sensitive)
{
    HolFindings findings;
    hol_summary_findings(&record->summary, &findings);
    if (*record->remark || record->status != HOL_OK)
        return HOL_VERDICT_BAD;
    return is_sensitive && findings.verdict == HOL_VERDICT_GOOD ? HOL_VERDICT_DOUBTFUL : findings.verdict;
}

bool hol_comparison_reaches(const HolComparison *comparison, int index, HolCompareGoal goal, double most)
{
    if (!comparison || index < 0 || index >= comparison->count || (unsigned)goal > HOL_GOAL_ENERGY)
        return false;
    const HolCompareRecord *r = &comparison->records[index];
    double reached =
        goal == HOL_GOAL_ENERGY ? r->summary.max_energy_drift : r->position_error + comparison->reference_error;
    return r->status == HOL_OK && reached <= most;
}

int hol_comparison_fastest(const HolComparison *comparison, HolCompareGoal goal, double most, int except)
{
    if (!comparison || except < -1 || except >= comparison->count)
        return -1;
    const HolCompareRecord *records = comparison->records;
    int best = -1;
    for (int i = 0; i < comparison->count; ++i)
        if (hol_comparison_reaches(comparison, i, goal, most) && !*records[i].remark &&
            (except < 0 || !hol_compare_same_methods(&records[i], &records[except])) &&
            (best < 0 || records[i].processor_s < records[best].processor_s))
            best = i;
    return best;
}
