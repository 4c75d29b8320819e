// SPDX-License-Identifier: BSD-3-Clause
/* The page of a comparison: recommendation, table, work-precision diagram, all runs over time, mechanism. */
import type { CompareHeader } from "./contract.ts";
import type { Column } from "./data.ts";
import { el, sentence } from "./dom.ts";
import { overlayPlots } from "./compare/overlays.ts";
import { Precision } from "./compare/precision.ts";
import { CompareTable, reasonList } from "./compare/table.ts";
import { heading } from "./panels/top.ts";
import { type Page, stagePanel } from "./run_page.ts";

function advice(header: CompareHeader): HTMLElement | null {
    const list = [...(header.advice ?? []), ...(header.basis ?? [])];
    if (!list.length) return null;
    return el(
        "section",
        { class: "findings advice", "aria-label": "Recommendation" },
        el("h2", {}, "Recommendation"),
        ...list.map(({ text }) => el("p", {}, sentence(text))),
    );
}

export function comparePage(header: CompareHeader, columns: Column[], flat: boolean, openHelp: () => void): Page {
    const scene = header.scene ? stagePanel(header.scene, columns, flat) : null;
    const plots = overlayPlots(header, columns, scene?.player ?? null);
    const table = new CompareTable(header.records);
    const precision = new Precision(header.records);
    const count = header.records.length;
    const subtitle = [header.model, `${count} ${count === 1 ? "run" : "runs"}`, `holon ${header.holon}`].join(
        " \u00b7 ",
    );
    const pair = el(
        "div",
        { class: scene ? "pair-of-panels" : "single-panel" },
        precision.element,
        scene?.panel ?? null,
    );
    const overlays = el("div", { class: "overlays" }, ...plots.map((plot) => plot.element));
    const main = el("main", { class: "comparison" }, table.element, reasonList(header.records), pair, overlays);
    document.body.classList.add("compare");
    const elements = [heading(header, subtitle, openHelp), advice(header), main].filter(
        (e): e is HTMLElement => e !== null,
    );
    return { elements, player: scene?.player ?? null, stage: scene?.stage ?? null, plots };
}
