// SPDX-License-Identifier: BSD-3-Clause
// Opens a page and watches for what must not happen: errors, and requests to anywhere.
import { pathToFileURL } from "node:url";

export async function openPage(browser, file, report, { hash = "", ...options } = {}) {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    const trouble = [];
    page.on(
        "console",
        (message) => ["error", "warning"].includes(message.type()) && trouble.push(`console: ${message.text()}`),
    );
    page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
    page.on(
        "request",
        (request) => !/^(file|data|blob):/.test(request.url()) && trouble.push(`request: ${request.url()}`),
    );
    await page.goto(pathToFileURL(file).href + hash);
    const close = async () => {
        report.check(trouble.length === 0, `page is quiet: ${trouble.slice(0, 3).join("; ")}`);
        await context.close();
    };
    return { page, close };
}
