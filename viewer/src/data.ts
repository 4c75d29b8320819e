// SPDX-License-Identifier: BSD-3-Clause
/* Reads header and columns out of the page. Columns follow one another, little-endian, each padded to 8 bytes. */
import type { ColumnSpec, Header } from "./contract.ts";

export interface Column {
    name: string;
    unit: string;
    values: Float32Array | Float64Array;
}

export const FORMAT = 1;

export function base64Bytes(text: string): Uint8Array {
    const letters = atob(text.trim());
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
    return bytes;
}

function rowsOf(spec: ColumnSpec, rows: number): number {
    return spec.rows ?? rows;
}

function paddedSize(spec: ColumnSpec, rows: number): number {
    const size = rowsOf(spec, rows) * (spec.type === "f8" ? 8 : 4);
    return Math.ceil(size / 8) * 8;
}

export function decodeColumns(specs: ColumnSpec[], rows: number, bytes: Uint8Array): Column[] {
    const wanted = specs.reduce((sum, spec) => sum + paddedSize(spec, rows), 0);
    if (bytes.byteLength !== wanted)
        throw new Error(`The data of this page are ${bytes.byteLength} bytes long, but its header declares ${wanted}.`);
    let offset = bytes.byteOffset;
    return specs.map((spec) => {
        const n = rowsOf(spec, rows);
        const values =
            spec.type === "f8" ? new Float64Array(bytes.buffer, offset, n) : new Float32Array(bytes.buffer, offset, n);
        offset += paddedSize(spec, rows);
        return { name: spec.name, unit: spec.unit ?? "", values };
    });
}

export interface PageData {
    header: Header;
    columns: Column[];
}

/* Null if the page contains no data. Throws an error with a message if they are damaged. */
export function readPage(page: Document): PageData | null {
    const headerText = page.getElementById("holon-header")?.textContent;
    const dataText = page.getElementById("holon-data")?.textContent;
    if (!headerText) return null;
    const header = JSON.parse(headerText) as Header;
    if (header.format !== FORMAT)
        throw new Error(
            `This page contains data of format ${String(header.format)}, but can show only format ${FORMAT}.`,
        );
    return { header, columns: decodeColumns(header.columns, header.rows ?? 0, base64Bytes(dataText ?? "")) };
}

export function columnNamed(columns: Column[], name: string): Column | undefined {
    return columns.find((column) => column.name === name);
}

/* The largest index with times[index] <= t, and how far t is towards the next. Times ascend. */
export function locate(times: ArrayLike<number>, t: number): { row: number; fraction: number } {
    const last = times.length - 1;
    if (last <= 0 || !(t > times[0])) return { row: 0, fraction: 0 };
    if (t >= times[last]) return { row: last, fraction: 0 };
    let low = 0;
    let high = last;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (times[middle] <= t) low = middle;
        else high = middle;
    }
    return { row: low, fraction: (t - times[low]) / (times[low + 1] - times[low]) };
}

/* Value of a column between rows. */
export function valueAt(values: ArrayLike<number>, row: number, fraction: number): number {
    const here = values[row];
    return fraction > 0 ? here + fraction * (values[row + 1] - here) : here;
}
