// SPDX-License-Identifier: BSD-3-Clause
/* Where everything is at a time: bodies, points and reactions, between rows as well. */
import type { Joint, RunHeader, Vec3 } from "./contract.ts";
import { type Column, columnNamed, locate, valueAt } from "./data.ts";
import { add, norm, type Quat, quatAboutZ, rotate, slerp } from "./vector.ts";

export interface Pose {
    r: Vec3;
    e: Quat;
}

const AT_REST: Pose = { r: [0, 0, 0], e: [1, 0, 0, 0] };

export class Motion {
    readonly times: ArrayLike<number>;
    readonly start: number;
    readonly end: number;
    private readonly turning: boolean[];
    private row = 0;
    private fraction = 0;

    constructor(
        readonly header: RunHeader,
        readonly columns: Column[],
    ) {
        this.times = ownTimes(header, columns) ?? columnNamed(columns, "t")?.values ?? new Float64Array([0]);
        this.turning = header.bodies.map(({ column }) => turns(columns, column + (header.planar ? 2 : 3)));
        this.start = this.times[0];
        this.end = this.times[this.times.length - 1];
    }

    /* The methods below evaluate at this time. */
    go(t: number): void {
        ({ row: this.row, fraction: this.fraction } = locate(this.times, t));
    }

    value(column: number): number {
        return valueAt(this.columns[column].values, this.row, this.fraction);
    }

    vector(column: number): Vec3 {
        return [this.value(column), this.value(column + 1), this.header.planar ? 0 : this.value(column + 2)];
    }

    pose(body: number): Pose {
        if (body < 0) return AT_REST;
        const { column } = this.header.bodies[body];
        if (!this.turning[body]) return { r: this.vector(column), e: AT_REST.e };
        if (this.header.planar) return { r: this.vector(column), e: quatAboutZ(this.value(column + 2)) };
        return { r: this.vector(column), e: this.turn(column + 3) };
    }

    /* Velocity, and what it turns by; null for a particle. */
    rates(body: number): { velocity: Vec3; spin: number | null } {
        const { planar, bodies } = this.header;
        const { column } = bodies[body];
        if (!this.turning[body]) return { velocity: this.vector(column + (planar ? 2 : 3)), spin: null };
        const spin = planar ? this.value(column + 5) : norm(this.vector(column + 10));
        return { velocity: this.vector(column + (planar ? 3 : 7)), spin };
    }

    private turn(column: number): Quat {
        const here = this.quaternion(column, this.row);
        return this.fraction > 0 ? slerp(here, this.quaternion(column, this.row + 1), this.fraction) : here;
    }

    private quaternion(column: number, row: number): Quat {
        return [0, 1, 2, 3].map((i) => this.columns[column + i].values[row]) as Quat;
    }

    /* A place in body axes, in global ones. */
    place(body: number, at: Vec3): Vec3 {
        const { r, e } = this.pose(body);
        return add(r, rotate(e, at));
    }

    jointPlace(joint: Joint): Vec3 | null {
        return joint.at ? this.place(jointBody(joint), joint.at) : null;
    }

    reactionForce(joint: Joint): Vec3 {
        return joint.column < 0 ? [0, 0, 0] : this.vector(joint.column);
    }
}

/* Whether a body has an orientation, by its columns: particles have none. */
function turns(columns: Column[], column: number): boolean {
    return /(^|\.)(phi|e0)$/.test(columns[column]?.name ?? "");
}

/* A scene inside a comparison shares the columns; its own t is then the last one before its first body. */
function ownTimes(header: RunHeader, columns: Column[]): ArrayLike<number> | null {
    const first = header.bodies[0]?.column ?? header.points?.[0]?.column ?? 0;
    for (let i = first - 1; i >= 0; i--) if (columns[i].name === "t") return columns[i].values;
    return null;
}

/* Whose axes the place of a joint is in. */
export function jointBody(joint: Joint): number {
    return joint.in === "first" ? joint.first : joint.second;
}
