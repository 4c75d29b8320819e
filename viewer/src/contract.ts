// SPDX-License-Identifier: BSD-3-Clause
/* The header that holon writes into the page. The numbers are in columns, see data.ts. */

export type Vec3 = [number, number, number];

export interface ColumnSpec {
    name: string;
    unit: string;
    type: "f4" | "f8";
    rows?: number; // where it differs from the header's
}

/* In body axes about the centre of mass. A length that the model does not give is absent. */
export interface Shape {
    bar?: [Vec3, Vec3];
    cylinder?: [Vec3, Vec3];
    disc?: [Vec3, Vec3];
    wheel?: [Vec3, Vec3]; // a rim with spokes: made here, not written by the command
    box?: Vec3;
    sphere?: number;
    plate?: Vec3[];
    radius?: number;
    thickness?: number;
    at?: Vec3;
    axes?: number[]; // of a box: nine numbers, rows
}

export interface Body {
    name: string;
    form?: "rigid" | "particle";
    column: number; // planar x y phi vx vy w; spatial x y z e0 e1 e2 e3 vx vy vz wx wy wz; a particle does not turn
    node_of?: number;
    shapes?: Shape[];
    marks?: Vec3[];
}

export interface Beam {
    name: string;
    order: number;
    nodes: number[]; // bodies
    s: number[];
    width?: number; // along axis 2 (y of a node)
    height?: number; // along axis 3 (z of a node)
    round: boolean;
}

export interface Joint {
    name: string;
    kind: string;
    first: number; // body, -1: ground
    second: number;
    at: Vec3 | null;
    from?: Vec3 | null; // the other end of a distance, in axes of the first body
    in?: "first" | "second"; // whose axes at and axis are in, absent: the second body's
    axis: Vec3 | null;
    radius?: number; // of what rolls; a disc has its axis, a ball none
    column: number;
    unique?: boolean[]; // fx fy fz tx ty tz
}

export interface Point {
    name: string;
    column: number;
    body?: number; // that carries it, -1: ground
    at?: Vec3;
}

export interface ForceEnd {
    body: number;
    at: Vec3;
}

export interface Force {
    name: string;
    kind: string;
    ends: ForceEnd[];
}

export interface RunEvent {
    t: number;
    kind: string;
    text: string;
}

export interface Verdict {
    level: "good" | "note" | "doubtful" | "bad";
    text: string;
}

export type Summary = Record<string, unknown>;

export interface RunHeader {
    format: number;
    kind: "run";
    holon: string;
    title: string;
    model: string;
    planar: boolean;
    gravity?: Vec3;
    summary?: Summary;
    verdicts?: Verdict[];
    rows: number;
    recorded_rows?: number;
    columns: ColumnSpec[];
    bodies: Body[];
    beams?: Beam[];
    ground?: { marks?: Vec3[] };
    joints?: Joint[];
    points?: Point[];
    forces?: Force[];
    events?: RunEvent[];
}

export interface Series {
    label: string;
    record: number;
    rows: number;
    column: number; // t, violation.position, violation.velocity, energy.drift
}

export interface CompareHeader {
    format: number;
    kind: "compare";
    holon: string;
    title: string;
    model: string;
    planar?: boolean;
    records: Summary[];
    advice?: { text: string }[];
    basis?: { text: string }[]; // the reference of errors, and whether the model is stiff
    series?: Series[];
    columns: ColumnSpec[];
    rows?: number;
    scene?: RunHeader;
}

export type Header = RunHeader | CompareHeader;
