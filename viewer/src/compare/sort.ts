// SPDX-License-Identifier: BSD-3-Clause
/* Order of records: numbers by size, words by letters, what is missing last either way. Equal ones keep their order. */

export type Direction = "ascending" | "descending";

function missing(value: unknown): boolean {
    return value === null || value === undefined || value === "" || (typeof value === "number" && Number.isNaN(value));
}

function order(a: unknown, b: unknown): number {
    if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
    return String(a).localeCompare(String(b), "en");
}

/* The indices of the records in their new order. */
export function sortedIndices(values: unknown[], direction: Direction): number[] {
    const sign = direction === "ascending" ? 1 : -1;
    return values
        .map((_, i) => i)
        .sort((i, j) => {
            const [a, b] = [values[i], values[j]];
            if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b)) || i - j;
            return sign * order(a, b) || i - j;
        });
}
