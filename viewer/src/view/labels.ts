// SPDX-License-Identifier: BSD-3-Clause
/* The label of the part under the pointer: name, kind, current numbers. */
import type { Joint, Vec3 } from "../contract.ts";
import { number, withUnit } from "../format.ts";
import type { Motion } from "../motion.ts";
import type { Part } from "../scene/kit.ts";
import { norm, subtract } from "../vector.ts";

export interface Label {
    title: string;
    kind: string;
    rows: [string, string][];
}

const list = (v: Vec3, planar: boolean): string => (planar ? v.slice(0, 2) : v).map((x) => number(x)).join(", ");

export function describe(part: Part, motion: Motion): Label {
    const { header } = motion;
    switch (part.kind) {
        case "body":
            return bodyLabel(part.index, motion);
        case "joint":
        case "reaction":
            return jointLabel((header.joints ?? [])[part.index], motion);
        case "point":
            return pointLabel(part.index, motion);
        case "beam":
            return beamLabel(part.index, motion);
        default:
            return forceLabel(part.index, motion);
    }
}

function bodyLabel(index: number, motion: Motion): Label {
    const { planar, bodies } = motion.header;
    const { name, column } = bodies[index];
    const { velocity, spin } = motion.rates(index);
    const rows: [string, string][] = [["at", `${list(motion.vector(column), planar)} m`]];
    if (planar && spin !== null) rows.push(["angle", `${number(motion.value(column + 2))} rad`]);
    rows.push(["speed", `${number(norm(velocity))} m/s`]);
    if (spin !== null) rows.push(["turning", `${number(spin)} rad/s`]);
    return { title: name, kind: spin === null ? "particle" : "body", rows };
}

function jointLabel(joint: Joint, motion: Motion): Label {
    const { planar, bodies } = motion.header;
    const name = (body: number): string => (body < 0 ? "ground" : bodies[body].name);
    const rows: [string, string][] = [["between", `${name(joint.first)} and ${name(joint.second)}`]];
    if (joint.column >= 0) {
        const force = motion.reactionForce(joint);
        const unique = joint.unique ?? [];
        const forceUnique = unique.slice(0, 3).every(Boolean);
        rows.push(["force", `${list(force, planar)} N${forceUnique ? "" : ", not unique"}`]);
        const torque = planar ? number(motion.value(joint.column + 2)) : list(motion.vector(joint.column + 3), false);
        rows.push(["torque", `${torque} N m${unique.slice(3).every(Boolean) ? "" : ", not unique"}`]);
    }
    return { title: joint.name, kind: joint.kind, rows };
}

function pointLabel(index: number, motion: Motion): Label {
    const { planar, points } = motion.header;
    const { name, column } = (points ?? [])[index];
    return { title: name, kind: "point", rows: [["at", `${list(motion.vector(column), planar)} m`]] };
}

function beamLabel(index: number, motion: Motion): Label {
    const beam = (motion.header.beams ?? [])[index];
    const end = motion.pose(beam.nodes[beam.nodes.length - 1]).r;
    const elements = Math.max(1, Math.round((beam.nodes.length - 1) / Math.max(1, beam.order)));
    const rows: [string, string][] = [
        ["elements", `${elements} of order ${beam.order}`],
        ["end at", `${list(end, false)} m`],
    ];
    return { title: beam.name, kind: "beam", rows };
}

function forceLabel(index: number, motion: Motion): Label {
    const force = (motion.header.forces ?? [])[index];
    const [a, b] = force.ends.map((end) => motion.place(end.body, end.at));
    const rows: [string, string][] = a && b ? [["length", withUnit(norm(subtract(b, a)), "m")]] : [];
    return { title: force.name, kind: force.kind, rows };
}
