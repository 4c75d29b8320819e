// SPDX-License-Identifier: BSD-3-Clause
// Collects columns row by row, under the names that holon gives them.
export class Table {
    columns = [];

    constructor(times) {
        this.times = times;
        this.add("t", "s", "f8", times);
    }

    add(name, unit, type, values) {
        this.columns.push({ name, unit, type, values });
        return this.columns.length - 1;
    }

    /* `at(t)` gives as many numbers as there are names; the index of the first column is returned. */
    addGroup(part, names, units, at, type = "f4") {
        const rows = this.times.map(at);
        const first = this.columns.length;
        names.forEach((name, i) =>
            this.add(
                `${part}.${name}`,
                units[i],
                type,
                rows.map((row) => row[i]),
            ),
        );
        return first;
    }

    /* Planar: place(t) = [x, y, phi]; velocities by differences. */
    addPlanarBody(name, place) {
        return this.addGroup(
            name,
            ["x", "y", "phi", "vx", "vy", "w"],
            ["m", "m", "rad", "m/s", "m/s", "rad/s"],
            (t) => [...place(t), ...rate(place, t)],
        );
    }

    /* Spatial: place(t) = [x, y, z, e0, e1, e2, e3]. */
    addSpatialBody(name, place) {
        const names = ["x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz"];
        const units = ["m", "m", "m", "", "", "", "", "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"];
        return this.addGroup(name, names, units, (t) => [...place(t), ...rate(place, t).slice(0, 3), 0, 0, 0]);
    }

    /* A particle has the columns of a point. */
    addPoint(name, place, planar) {
        const names = planar ? ["x", "y", "vx", "vy"] : ["x", "y", "z", "vx", "vy", "vz"];
        const units = planar ? ["m", "m", "m/s", "m/s"] : ["m", "m", "m", "m/s", "m/s", "m/s"];
        return this.addGroup(name, names, units, (t) => [...place(t), ...rate(place, t)]);
    }

    addReaction(name, force, planar) {
        const names = planar ? ["fx", "fy", "tz"] : ["fx", "fy", "fz", "tx", "ty", "tz"];
        const units = planar ? ["N", "N", "N m"] : ["N", "N", "N", "N m", "N m", "N m"];
        return this.addGroup(name, names, units, force);
    }

    addMeasures(position = 1e-14) {
        const noise = (t, k) => position * (0.05 + Math.abs(Math.sin(k * t) * Math.sin(3.7 * k * t)));
        this.addGroup(
            "energy",
            ["kinetic", "potential", "total", "drift"],
            ["J", "J", "J", "J"],
            (t) => {
                const kinetic = 40 * Math.sin(1.3 * t) ** 2;
                return [kinetic, 101 - kinetic, 101, 2.7e-7 * Math.sin(2 * t)];
            },
            "f8",
        );
        this.add(
            "violation.position",
            "",
            "f8",
            this.times.map((t) => noise(t, 11)),
        );
        this.add(
            "violation.velocity",
            "",
            "f8",
            this.times.map((t) => (t === 0 ? 0 : 0.3 * noise(t, 7))),
        );
    }
}

function rate(place, t) {
    const h = 1e-4;
    const [before, after] = [place(t - h), place(t + h)];
    return before.map((value, i) => (after[i] - value) / (2 * h));
}

export function timesUpTo(end, rows) {
    return Array.from({ length: rows }, (_, i) => (end * i) / (rows - 1));
}

/* Euler parameters of a rotation by an angle about an axis. */
export function turn(axis, angle) {
    const length = Math.hypot(...axis) || 1;
    return [Math.cos(angle / 2), ...axis.map((x) => (Math.sin(angle / 2) * x) / length)];
}

/* Euler parameters that turn x into a direction. */
export function turnFromX(d) {
    const length = Math.hypot(...d);
    const [x, y, z] = d.map((value) => value / length);
    const axis = [0, -z, y];
    return Math.hypot(...axis) < 1e-12 ? [1, 0, 0, 0] : turn(axis, Math.acos(Math.max(-1, Math.min(1, x))));
}

export const middle = (a, b) => a.map((value, i) => (value + b[i]) / 2);
