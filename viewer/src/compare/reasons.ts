// SPDX-License-Identifier: BSD-3-Clause
/* How runs ended: a few words for the table, and why, each reason once. */
import type { Summary } from "../contract.ts";
import { anything, number } from "../format.ts";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function shortStatus(record: Summary): string {
    if (record.status === "unsupported") return "does not apply";
    return [anything(record.status), text(record.remark)].filter((part) => part !== "").join(", ");
}

/* Why a run failed; "" where it did not. */
export function reasonOf(record: Summary): string {
    return record.status === "ok" ? "" : text(record.message);
}

/* A reason that names the formulation itself needs no other name; one that holds for any step is told without it. */
function withName(record: Summary): string {
    const reason = reasonOf(record);
    const formulation = text(record.formulation);
    if (reason.startsWith(formulation)) return reason;
    const step = record.status !== "unsupported" && typeof record.step === "number";
    return `${formulation} with ${text(record.integrator)}${step ? `, step ${number(record.step as number, 3)} s` : ""}: ${reason}`;
}

/* What is too stiff is told for all of them, beside the reference. */
export function reasons(records: Summary[]): string[] {
    const failed = records.filter((record) => reasonOf(record) !== "" && record.remark !== "too stiff");
    return [...new Set(failed.map(withName))];
}
