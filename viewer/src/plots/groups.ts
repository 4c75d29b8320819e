// SPDX-License-Identifier: BSD-3-Clause
/* Columns grouped by the part they belong to, and the search in them. */
import type { RunHeader } from "../contract.ts";
import type { Column } from "../data.ts";

export interface Group {
    name: string;
    kind: string; // body, joint, point, or empty
    columns: number[];
}

/* Names are part.component; a part's name may itself contain dots. */
export function partName(column: string): string {
    const dot = column.lastIndexOf(".");
    return dot > 0 ? column.slice(0, dot) : column;
}

export function groupColumns(header: RunHeader, columns: Column[]): Group[] {
    const kinds = kindsByColumn(header);
    const groups: Group[] = [];
    (header.columns ?? columns).forEach((_, index) => {
        const { name } = columns[index];
        if (name === "t") return;
        const last = groups[groups.length - 1];
        const kind = kinds.get(index);
        if (last && last.name === partName(name) && kind === undefined) last.columns.push(index);
        else groups.push({ name: partName(name), kind: kind ?? "", columns: [index] });
    });
    return groups;
}

function kindsByColumn(header: RunHeader): Map<number, string> {
    const kinds = new Map<number, string>();
    header.bodies.forEach((body) => kinds.set(body.column, (body.node_of ?? -1) >= 0 ? "node" : "body"));
    header.joints?.forEach((joint) => joint.column >= 0 && kinds.set(joint.column, joint.kind));
    header.points?.forEach((point) => kinds.set(point.column, "point"));
    return kinds;
}

/* Every word must occur in the name of the column or of its kind. */
export function searchColumns(groups: Group[], columns: Column[], text: string): number[] {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    return groups.flatMap((group) =>
        group.columns.filter((column) => {
            const name = `${columns[column].name} ${group.kind}`.toLowerCase();
            return wanted.every((word) => name.includes(word));
        }),
    );
}
