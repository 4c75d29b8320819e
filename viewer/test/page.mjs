// SPDX-License-Identifier: BSD-3-Clause
// Writes and reads pages as the contract with the command says. Reading is its own code, not that of the page.
import { readFileSync, writeFileSync } from "node:fs";

const MARKER = "<!--holon-data-->";

/* Columns: {name, unit, type, values, rows?}; values of any array. */
export function packColumns(columns) {
    const parts = columns.map(({ type, values }) => {
        const numbers = type === "f8" ? Float64Array.from(values) : Float32Array.from(values);
        const bytes = Buffer.alloc(Math.ceil(numbers.byteLength / 8) * 8);
        Buffer.from(numbers.buffer).copy(bytes);
        return bytes;
    });
    return Buffer.concat(parts).toString("base64");
}

export function specs(columns) {
    return columns.map(({ name, unit, type, rows }) =>
        rows === undefined ? { name, unit, type } : { name, unit, type, rows },
    );
}

const ESCAPES = { "<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029" };

export function fillPage(template, header, data) {
    const json = JSON.stringify(header).replace(/[<\u2028\u2029]/g, (letter) => ESCAPES[letter]);
    const [before, after] = template.split(MARKER);
    return (
        `${before}<script type="application/json" id="holon-header">${json}</script>\n` +
        `<script type="text/plain" id="holon-data">${data}</script>${after}`
    );
}

export function writePage(template, path, { header, columns }) {
    writeFileSync(path, fillPage(template, { ...header, columns: specs(columns) }, packColumns(columns)));
}

/* {header, columns: [[numbers]]} or null where a file is no report. */
export function readPage(path) {
    const text = readFileSync(path, "utf8");
    const json = text.match(/<script type="application\/json" id="holon-header">([^<]*)<\/script>/);
    const data = text.match(/<script type="text\/plain" id="holon-data">([^<]*)<\/script>/);
    if (!json || !data) return null;
    const header = JSON.parse(json[1]);
    const bytes = Buffer.from(data[1], "base64");
    let offset = 0;
    const columns = header.columns.map(({ type, rows = header.rows }) => {
        const size = type === "f8" ? 8 : 4;
        const values = Array.from({ length: rows }, (_, i) =>
            size === 8 ? bytes.readDoubleLE(offset + 8 * i) : bytes.readFloatLE(offset + 4 * i),
        );
        offset += Math.ceil((rows * size) / 8) * 8;
        return values;
    });
    return { header, columns };
}
