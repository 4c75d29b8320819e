// SPDX-License-Identifier: BSD-3-Clause
/* The page of a run: verdicts, the mechanism beside its plots. */
import type { RunHeader } from "./contract.ts";
import type { Column } from "./data.ts";
import { el } from "./dom.ts";
import { anything } from "./format.ts";
import { Motion } from "./motion.ts";
import { controls, eventList } from "./panels/controls.ts";
import { heading, summaryTable, verdictList } from "./panels/top.ts";
import { Player } from "./player.ts";
import { RunPlots } from "./plots/run_plots.ts";
import type { Plot } from "./plots/plot.ts";
import { Stage } from "./view/stage.ts";

export interface Page {
    elements: HTMLElement[];
    player: Player | null;
    stage: Stage | null;
    plots: Plot[];
}

export function subtitleOf(header: RunHeader): string {
    const { summary = {} } = header;
    const method = [summary.formulation, summary.integrator].filter(Boolean).map(anything);
    const step = typeof summary.step === "number" ? [`step ${anything(summary.step)} s`] : [];
    const thinned = header.recorded_rows !== undefined && header.recorded_rows > header.rows;
    const rows = thinned ? [`${header.rows} of ${header.recorded_rows} recorded states`] : [];
    return [header.model, ...method, ...step, ...rows, `holon ${header.holon}`].join(" \u00b7 ");
}

/* The mechanism with its controls; also the scene of a comparison. */
export function stagePanel(
    header: RunHeader,
    columns: Column[],
    flat: boolean,
): { panel: HTMLElement; motion: Motion; player: Player; stage: Stage } {
    const motion = new Motion(header, columns);
    const player = new Player(motion.times);
    const stage = new Stage(motion, player, flat);
    const events = header.events ?? [];
    const parts = [stage.element, controls(player, motion.times.length, events), eventList(events, player)];
    const panel = el("section", { class: "stage", "aria-label": "Mechanism" }, ...parts);
    return { panel, motion, player, stage };
}

export function runPage(header: RunHeader, columns: Column[], flat: boolean, openHelp: () => void): Page {
    const { panel, motion, player, stage } = stagePanel(header, columns, flat);
    const plots = new RunPlots(header, columns, motion.times, player);
    const findings = el("section", { class: "findings", "aria-label": "Verdicts" }, verdictList(header.verdicts ?? []));
    if (header.summary) findings.append(summaryTable(header.summary));
    const work = el("main", { class: "work" }, panel, plots.element);
    document.body.classList.add("run");
    return {
        elements: [heading(header, subtitleOf(header), openHelp), findings, work],
        player,
        stage,
        plots: plots.plots,
    };
}
