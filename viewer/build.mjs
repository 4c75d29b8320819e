// SPDX-License-Identifier: BSD-3-Clause
// Bundles src/ into one page: node build.mjs [--out DIR] writes DIR/page.html (default dist/ beside this file).
// Packages are looked for beside this file, then in ./node_modules of the current folder, so that a build folder
// may hold them (npm ci there) and the source tree stays clean.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const packages = [join(here, "node_modules"), resolve("node_modules")].filter((folder) => existsSync(folder));
if (!packages.length) throw new Error(`no node_modules in ${here} nor in ${resolve(".")}: run npm ci first`);
const { build } = createRequire(join(packages[0], "from.js"))("esbuild");
const MARKER = "<!--holon-data-->";
const LIMIT = 2_000_000;

function outputFolder() {
    const at = process.argv.indexOf("--out");
    if (at < 0) return join(here, "dist");
    if (!process.argv[at + 1]) throw new Error("--out needs a folder");
    return resolve(process.argv[at + 1]);
}

async function bundle(entry) {
    const result = await build({
        entryPoints: [join(here, entry)],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: "es2020",
        charset: "utf8",
        legalComments: "none",
        nodePaths: packages,
        logLevel: "warning",
        outfile: "page" + (entry.endsWith(".css") ? ".css" : ".js"),
    });
    return result.outputFiles[0].text;
}

function count(text, what) {
    return text.split(what).length - 1;
}

/* What would break the page later, found here instead. */
function check(page) {
    if (count(page, MARKER) !== 1)
        throw new Error(`the marker ${MARKER} stands ${count(page, MARKER)} times, not once`);
    if (count(page, "</script") !== 1) throw new Error("the script contains its own end");
    if (Buffer.byteLength(page) > LIMIT)
        throw new Error(`the page has ${Buffer.byteLength(page)} bytes, above ${LIMIT}`);
}

const licences = "three.js (c) three.js authors, uPlot (c) Leon Sorokin, both MIT licence; holon BSD-3-Clause";
const [script, style] = [await bundle("src/main.ts"), await bundle("src/layout.css")];
const skeleton = readFileSync(join(here, "src/page.html"), "utf8");
const page = skeleton.replace("/*style*/", () => style).replace("/*script*/", () => `/*! ${licences} */\n${script}`);
check(page);
const folder = outputFolder();
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "page.html"), page);
console.log(`${join(folder, "page.html")}: ${Buffer.byteLength(page)} bytes`);
