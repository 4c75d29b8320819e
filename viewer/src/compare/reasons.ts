// SPDX-License-Identifier: BSD-3-Clause
/* The status of runs: a short text for the table, and each reason of a failure once. */
import type { Summary } from "../contract.ts";
import { anything, number } from "../format.ts";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function shortStatus(record: Summary): string {
    if (record.status === "unsupported") return "not applicable";
    return [anything(record.status), text(record.remark)].filter((part) => part !== "").join(", ");
}

/* Why a run failed; "" where it did not. */
export function reasonOf(record: Summary): string {
    return record.status === "ok" ? "" : text(record.message);
}

/* Adds the methods, unless the reason begins with the formulation, and the step, if it matters. */
function withName(record: Summary): string {
    const reason = reasonOf(record);
    const formulation = text(record.formulation);
    if (reason.startsWith(formulation)) return reason;
    const step = record.status !== "unsupported" && typeof record.step === "number";
    return `${formulation} with ${text(record.integrator)}${step ? `, step ${number(record.step as number, 3)} s` : ""}: ${reason}`;
}

/* Leaves out runs that are too stiff: the line about the reference covers them. */
export function reasons(records: Summary[]): string[] {
    const failed = records.filter((record) => reasonOf(record) !== "" && record.remark !== "too stiff");
    return [...new Set(failed.map(withName))];
}
