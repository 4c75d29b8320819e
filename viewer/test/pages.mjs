// SPDX-License-Identifier: BSD-3-Clause
// Writes the fixture pages: node test/pages.mjs [FOLDER] [PAGE.html], from dist/page.html by default.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { comparison } from "./models/compare.mjs";
import { notFinite, singleRow } from "./models/edges.mjs";
import { fourBar, hostile, slider } from "./models/plane.mjs";
import { beam, crowd, redundant, sliderCrank } from "./models/space.mjs";
import { writePage } from "./page.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "../dist/pages");
const template = readFileSync(process.argv[3] ?? join(here, "../dist/page.html"), "utf8");

const MODELS = {
    "four-bar": fourBar,
    slider,
    "slider-crank": sliderCrank,
    beam,
    redundant,
    hostile,
    crowd,
    "single-row": singleRow,
    "not-finite": notFinite,
    compare: () => comparison(true),
    "compare-without-scene": () => comparison(false),
};

mkdirSync(folder, { recursive: true });
for (const [name, make] of Object.entries(MODELS)) writePage(template, join(folder, `${name}.html`), make());
console.log(`${Object.keys(MODELS).length} pages in ${folder}`);
