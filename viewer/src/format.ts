// SPDX-License-Identifier: BSD-3-Clause
/* Formats numbers and names. */

const MINUS = "\u2212";

/* This many significant digits, without an exponent between 1e-3 and 1e6, with a true minus sign. */
export function number(value: number, digits = 4): string {
    if (Number.isNaN(value)) return "not a number";
    if (!Number.isFinite(value)) return value > 0 ? "infinite" : MINUS + "infinite";
    if (value === 0) return "0";
    const size = Math.abs(value);
    const text = size >= 1e-3 && size < 1e6 ? trimmed(size, digits) : exponential(size, digits);
    return (value < 0 ? MINUS : "") + text;
}

function trimmed(size: number, digits: number): string {
    const text = size.toPrecision(digits);
    if (text.includes("e")) return String(Math.round(size));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function exponential(size: number, digits: number): string {
    const [mantissa, exponent] = size.toExponential(Math.max(0, digits - 1)).split("e");
    const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    return `${short}e${exponent.replace("+", "").replace("-", MINUS)}`;
}

export function withUnit(value: number, unit: string, digits = 4): string {
    return unit ? `${number(value, digits)} ${unit}` : number(value, digits);
}

/* A fixed number of decimals, so that a running time does not jitter: one more than the recording interval needs. */
export function time(t: number, decimals: number): string {
    return t.toFixed(decimals).replace("-", MINUS);
}

export function timeDecimals(span: number, rows: number): number {
    const step = span / Math.max(1, rows - 1);
    return step > 0 ? Math.min(9, Math.max(1, 1 + Math.ceil(-Math.log10(step)))) : 3;
}

/* max_position_violation -> max position violation */
export function words(key: string): string {
    return key.replace(/_/g, " ");
}

/* A value of the summary, whatever it is. */
export function anything(value: unknown): string {
    if (value === null || value === undefined) return "\u2013";
    if (typeof value === "number")
        return Number.isInteger(value) && Math.abs(value) < 1e9 ? String(value) : number(value, 6);
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (Array.isArray(value)) return value.length ? value.map(anything).join(", ") : "none";
    if (typeof value === "object")
        return Object.entries(value)
            .map(([k, v]) => `${words(k)} ${anything(v)}`)
            .join(", ");
    return String(value);
}

/* A tick of a logarithmic axis, larger than zero: 1e-9, 0.01, 1, 100. */
export function power(value: number): string {
    const size = Number(value.toPrecision(6));
    return size < 0.01 || size >= 1e5 ? exponential(size, 3) : number(size, 3);
}

/* 1, 2 or 5 times a power of ten, at least as large. */
export function niceStep(size: number): number {
    if (!(size > 0) || !Number.isFinite(size)) return 1;
    const base = 10 ** Math.floor(Math.log10(size));
    const factor = [1, 2, 5, 10].find((k) => k * base >= size * 0.999999) ?? 10;
    return factor * base;
}

export function csvField(text: string): string {
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function csv(names: string[], columns: ArrayLike<number>[]): string {
    const lines = [names.map(csvField).join(",")];
    const rows = columns.length ? columns[0].length : 0;
    for (let i = 0; i < rows; i++) lines.push(columns.map((column) => String(column[i])).join(","));
    return lines.join("\n") + "\n";
}

/* A name that is valid on every file system. */
export function fileName(text: string, ending: string): string {
    const safe = text
        .normalize("NFKD")
        .replace(/[^A-Za-z0-9]+/g, "-")
        .replace(/^-+|-+$/g, "")
        .toLowerCase()
        .slice(0, 60);
    return `${safe || "holon"}.${ending}`;
}
