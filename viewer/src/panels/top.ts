// SPDX-License-Identifier: BSD-3-Clause
/* The head of the page: title, verdicts, and the summary to unfold. */
import type { Header, Summary, Verdict } from "../contract.ts";
import { isDark, onTheme, setDark } from "../colours.ts";
import { button, el, icon, sentence } from "../dom.ts";
import { anything, words } from "../format.ts";

const LEVELS = { good: "Good", note: "Note", doubtful: "Doubtful", bad: "Bad" };

export function heading(header: Header, subtitle: string, openHelp: () => void): HTMLElement {
    document.title = `${header.title} \u2013 holon`;
    const theme = button("Light or dark", icon("theme"), () => setDark(!isDark()), { class: "tool", id: "theme" });
    const press = (): void => theme.setAttribute("aria-pressed", String(isDark()));
    press();
    onTheme(press);
    return el(
        "header",
        { class: "top" },
        el("div", { class: "heading" }, el("h1", {}, header.title), el("p", { class: "subtitle" }, subtitle)),
        el("div", { class: "top-tools" }, theme, button("Keys (?)", "?", openHelp, { class: "tool", id: "help" })),
    );
}

export function verdictList(verdicts: Verdict[]): HTMLElement {
    const item = ({ level, text }: Verdict): HTMLElement =>
        el(
            "li",
            { class: `verdict ${level in LEVELS ? level : "note"}` },
            el("span", { class: "badge" }, icon(level in LEVELS ? level : "note"), LEVELS[level] ?? "Note"),
            el("span", { class: "sentence" }, sentence(text)),
        );
    return el("ul", { class: "verdict-list" }, ...verdicts.map(item));
}

export function summaryTable(summary: Summary): HTMLElement {
    const rows = Object.entries(summary).map(([key, value]) =>
        el("div", { class: "pair" }, el("dt", {}, words(key)), el("dd", {}, anything(value))),
    );
    return el("details", { class: "summary" }, el("summary", {}, "Summary of the run"), el("dl", {}, ...rows));
}
