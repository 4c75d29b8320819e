// SPDX-License-Identifier: BSD-3-Clause
// Bundles test/*.test.ts and runs them by node's own test runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "holon-viewer-"));
const entryPoints = readdirSync(here)
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(here, name));
await build({
    entryPoints,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
});
const files = readdirSync(folder).map((name) => join(folder, name));
const { status } = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
rmSync(folder, { recursive: true });
process.exit(status ?? 1);
