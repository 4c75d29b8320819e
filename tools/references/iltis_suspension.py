#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes models/iltis-suspension/reference.csv. Needs numpy, scipy, mpmath; takes a minute or two.

One coordinate, the angle a of the arm. Everything else follows from it: the leaf angle b and the orientation of the
hub are solved from "the leaf ball stays together" and "the tie rod keeps its length"; differentiating that once and
twice gives the velocities and accelerations per unit of a'. Jourdain's principle then leaves one equation. The forces
have kinks (damper branches, buffer, tyre off the ground, road); each is located as an event, and between two of them
the integrator meets smooth functions only.
"""
import numpy as np
from reference_kit import Table
from scipy.integrate import solve_ivp

V = np.array
arm_pivot, arm_ball, arm_centre = V([0, -0.259, 0.302]), V([0, -0.572, 0.229]), V([0, -0.4155, 0.2655])
leaf_pivot, leaf_ball = V([0, -0.1585, 0.6]), V([0, -0.488, 0.531])
rack, hub_ball = V([-0.14, -0.07, 0.6]), V([-0.14, -0.448, 0.531])
wheel_centre = V([0, -0.615, 0.356])
shock_top, shock_foot = V([0.075, -0.297, 0.632]), V([0.075, -0.5, 0.241])
WHEEL, J_WHEEL = 57.35, np.diag([1.2402, 1.908, 1.2402])
ARM, J_ARM = 6.0, 0.052099
GRAVITY = V([0, 0, -9.81])
SPEED = 5.0
X = V([1.0, 0, 0])


def turn(vector):
    """The rotation matrix of a rotation vector."""
    angle = np.linalg.norm(vector)
    if angle == 0:
        return np.eye(3)
    x, y, z = vector / angle
    K = V([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def cross(u, v):  # numpy's own is slow for three numbers
    (a, b, c), (x, y, z) = u.tolist(), v.tolist()
    return V([b * z - c * y, c * x - a * z, a * y - b * x])


def about_x(angle, vector):
    c, s = np.cos(angle), np.sin(angle)
    return V([vector[0], c * vector[1] - s * vector[2], s * vector[1] + c * vector[2]])


class Pose:
    """Positions, and their first and second derivative with respect to the arm angle."""

    guess = (0.0, np.eye(3))

    def __init__(self, a):
        b, R = Pose.guess
        foot = arm_pivot + about_x(a, arm_ball - arm_pivot)
        for _ in range(30):
            leaf = about_x(b, leaf_ball - leaf_pivot)
            s, p = R @ (leaf_ball - arm_ball), R @ (hub_ball - arm_ball)
            tie = foot + p - rack
            gap = np.append(foot + s - leaf_pivot - leaf, (tie @ tie - (hub_ball - rack) @ (hub_ball - rack)) / 2)
            # columns: b, then the rotation w of the hub; d(R s) = w x s
            A = np.zeros((4, 4))
            A[:3, 0] = -cross(X, leaf)
            A[:3, 1:] = -V([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
            A[3, 1:] = cross(p, tie)
            d = np.linalg.solve(A, -gap)
            if np.abs(d).max() < 1e-15:
                break
            b, R = b + d[0], turn(d[1:]) @ R
        Pose.guess = (b, R)

        arm = foot - arm_pivot
        v_foot, a_foot = cross(X, arm), cross(X, cross(X, arm))
        rate = np.linalg.solve(A, -np.append(v_foot, tie @ v_foot))
        w = rate[1:]
        v_hub = v_foot + cross(w, p)
        bias = a_foot + cross(w, cross(w, s)) - rate[0] ** 2 * cross(X, cross(X, leaf))
        bias_hub = a_foot + cross(w, cross(w, p))
        second = np.linalg.solve(A, -np.append(bias, tie @ bias_hub + v_hub @ v_hub))
        wdot = second[1:]

        c = R @ (wheel_centre - arm_ball)
        self.R, self.w, self.wdot = R, w, wdot
        self.wheel = (foot + c, v_foot + cross(w, c), a_foot + cross(wdot, c) + cross(w, cross(w, c)))
        self.hub = (rack + tie, v_hub, bias_hub + cross(wdot, p))
        self.leaf = (leaf_pivot + leaf, rate[0] * cross(X, leaf),
                     second[0] * cross(X, leaf) + rate[0] ** 2 * cross(X, cross(X, leaf)))
        g = about_x(a, arm_centre - arm_pivot)
        self.arm = (arm_pivot + g, cross(X, g), cross(X, cross(X, g)))
        f = about_x(a, shock_foot - arm_pivot)
        line = shock_top - arm_pivot - f
        self.l = np.sqrt(line @ line)
        self.dl = -line @ cross(X, f) / self.l
        self.d = self.leaf[0][2] - 0.455


def spring(l):
    return -4.0092e6 + 2.8397e7 * l - 6.7061e7 * l**2 + 5.2796e7 * l**3


DAMPER = {-1: lambda u: -416.42 + 1844.3 * u,
          0: lambda u: 9945.627 * u + 33955.72 * u**2 - 59832.25 * u**3 - 395651.0 * u**4,
          1: lambda u: 1919.1638 + 1634.727 * u}


class Drive:
    """One ride over a bump of this height. The mode is the side of each kink:
    branch of the damper, buffer touched, tyre on the ground, road on the bump."""

    def __init__(self, height, link_mass):
        self.height, self.link_mass = height, link_mass
        Pose.guess = (0.0, np.eye(3))

    def pressed(self, t, pose, on_bump):
        """How much the tyre is pressed in; the road is taken at x = 5 t, not at the wheel centre's own x."""
        road = self.height / 2 * (1 - np.cos(2 * np.pi * (SPEED * t - 10) / 5)) if on_bump else 0.0
        return 0.364325 + road - pose.wheel[0][2]

    def acceleration(self, t, a, rate, mode):
        branch, buffer, contact, on_bump = mode
        p = Pose(a)
        tension = spring(p.l) + DAMPER[branch](p.dl * rate)
        leaf = -35900.0 * p.d - (1e7 * (p.d - 0.145) if buffer else 0.0)
        tyre = 460000.0 * self.pressed(t, p, on_bump) if contact else 0.0
        J, link = p.R @ J_WHEEL @ p.R.T, self.link_mass
        parts = [(WHEEL, WHEEL, p.wheel), (ARM, ARM, p.arm)]
        parts += [(link / 3, link / 2, end) for end in (p.leaf, p.hub)]  # slender rods with one end at rest
        mass = sum(m * v @ v for m, _, (_, v, _) in parts) + p.w @ J @ p.w + J_ARM
        bias = sum(m * v @ acc for m, _, (_, v, acc) in parts) + p.w @ (J @ p.wdot + cross(p.w, J @ p.w))
        force = sum(weight * GRAVITY @ v for _, weight, (_, v, _) in parts)
        force += -tension * p.dl + leaf * p.leaf[1][2] + tyre * p.wheel[1][2]
        return (force - bias * rate**2) / mass

    def crossings(self, mode):
        """The kinks that can come next: the function that vanishes, the sense of its crossing, the mode after it."""
        branch, buffer, contact, on_bump = mode

        def kink(function, sense, after):
            function.terminal, function.direction, function.after = True, sense, after
            return function

        def speed(y):
            return Pose(y[0]).dl * y[1]

        if branch <= 0:
            yield kink(lambda t, y: speed(y) + 0.2, 1 if branch else -1, (0 if branch else -1, *mode[1:]))
        if branch >= 0:
            yield kink(lambda t, y: speed(y) - 0.21, -1 if branch else 1, (0 if branch else 1, *mode[1:]))
        yield kink(lambda t, y: Pose(y[0]).d - 0.145, -1 if buffer else 1, (branch, not buffer, contact, on_bump))
        yield kink(lambda t, y: self.pressed(t, Pose(y[0]), on_bump), -1 if contact else 1,
                   (branch, buffer, not contact, on_bump))

    def states(self, times):
        """Yields (t, a, a')."""
        t, y, mode = 0.0, np.zeros(2), (0, False, True, False)
        stops = sorted({*times, 2.0, 3.0})  # the bump begins and ends at x = 10 and 15
        while stops:
            events = list(self.crossings(mode))
            result = solve_ivp(lambda t, y: [y[1], self.acceleration(t, *y, mode)], (t, stops[0]), y, "DOP853",
                               rtol=1e-13, atol=1e-13, events=events)
            t, y = result.t[-1], result.y[:, -1]
            if result.status == 1:
                mode = next(e.after for e, at in zip(events, result.t_events) if len(at))
                continue
            if t in times:
                yield t, *y
            if t in (2.0, 3.0):
                mode = (*mode[:3], t == 2.0)
            stops.pop(0)


def main():
    table = Table("iltis-suspension", "One coordinate, the arm angle, with located kinks; trust 12 digits.",
                  "tools/references/iltis_suspension.py")
    all_times = [0.05, 0.1, 0.5, 2.1, 2.5, 2.75, 3.0, 6.0]
    for variant, height, link_mass, times in ((None, 0.2, 1, all_times), ("low-bump", 0.1, 1, all_times[3:]),
                                              ("light-links", 0.2, 1e-3, all_times)):
        if variant:
            table.note(f"variant: {variant}")
        for t, a, rate in Drive(height, link_mass).states(times):
            p = Pose(a)
            for axis, value, scale in zip("xyz", p.wheel[0], (0.01, 1, 1)):
                table.row(t, f"wheel.{axis}", round(value, 14), 1e-6 * scale, 1e-9 * scale)
            table.row(t, "wheel.vz", round(p.wheel[1][2] * rate, 14), 1e-4, 1e-7)
            table.row(t, "arm.e1", round(np.sin(a / 2), 14), 1e-6, 1e-9)
            table.row(t, "arm.wx", round(rate, 14), 1e-4, 1e-7)
    table.write()


if __name__ == "__main__":
    main()
