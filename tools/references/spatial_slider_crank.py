#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes models/spatial-slider-crank/reference.csv. Needs mpmath.

One coordinate, the crank angle theta about -y. It never turns back, so the energy integral is an equation of first
order, theta' = sqrt(2 (E - U) / m(theta)), integrated by extrapolation with 30 digits. The rod's axes are

    eta: from crank to slider,   xi = eta x y / |eta x y|: normal to the slider's y axis,   zeta = xi x eta.
"""
from reference_kit import Table, integrate, mp

number = mp.mpf
g = number("9.81")
CRANK, ROD, LEVEL = number("0.1"), number("0.29"), number("-0.15")
m_crank, m_rod, m_slider = number("0.12"), number("0.5"), number("0.5")
J_crank, J_rod = number("1e-4"), [number(n) for n in ("0.004", "0.0004", "0.004")]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def pose(theta):
    """Positions, axes and rates per unit of theta'."""
    s, c = mp.sin(theta), mp.cos(theta)
    B, dB = [-CRANK * s, number(0), CRANK * c], [-CRANK * c, number(0), -CRANK * s]
    y = mp.sqrt(ROD**2 - B[0] ** 2 - (LEVEL - B[2]) ** 2)
    dy = (-B[0] * dB[0] + (LEVEL - B[2]) * dB[2]) / y
    eta = [-B[0] / ROD, y / ROD, (LEVEL - B[2]) / ROD]
    deta = [-dB[0] / ROD, dy / ROD, -dB[2] / ROD]
    n = mp.hypot(eta[0], eta[2])
    xi = [-eta[2] / n, number(0), eta[0] / n]
    zeta = cross(xi, eta)
    dxi = [-deta[2] / n, number(0), deta[0] / n]  # but for a part along xi
    w = [dot(deta, zeta), -dot(dxi, zeta), -dot(deta, xi)]  # in rod axes
    centre, velocity = [B[0] / 2, y / 2, (B[2] + LEVEL) / 2], [dB[0] / 2, dy / 2, dB[2] / 2]
    mass = (m_crank * CRANK**2 / 4 + J_crank + m_rod * dot(velocity, velocity)
            + sum(j * x * x for j, x in zip(J_rod, w)) + m_slider * dy**2)
    U = g * (m_crank * B[2] / 2 + m_rod * centre[2] + m_slider * LEVEL)
    return dict(B=B, y=y, dy=dy, axes=(xi, eta, zeta), w=w, centre=centre, mass=mass, U=U)


START = pose(number(0))
ENERGY = START["mass"] * (2 * mp.pi) ** 2 / 2 + START["U"]


def rate(p):
    return mp.sqrt(2 * (ENERGY - p["U"]) / p["mass"])


def quaternion(axes):
    """Of the rotation with these columns; its scalar part is positive throughout this motion."""
    (a, b, c), (d, e, f), (u, v, z) = axes
    e0 = mp.sqrt(1 + a + e + z) / 2
    return e0, (f - v) / (4 * e0), (u - c) / (4 * e0), (b - d) / (4 * e0)


table = Table("spatial-slider-crank", "Energy integral, extrapolated with 30 digits; every digit can be trusted.",
              f"The total energy is {mp.nstr(ENERGY, 17)} J.", "tools/references/spatial_slider_crank.py")
now, y = number(0), [number(0)]
for t in ("0.1", "0.3", "0.5", "1", "2"):
    now, y = number(t), integrate(lambda t, y: [rate(pose(y[0]))], now, y, number(t))
    p = pose(y[0])
    speed = rate(p)
    table.row(t, "slider.y", p["y"], 1e-7)
    table.row(t, "slider.vy", p["dy"] * speed, 1e-6, 1e-8)
    table.row(t, "crank.x", p["B"][0] / 2, 1e-7)
    table.row(t, "crank.z", p["B"][2] / 2, 1e-7)
    table.row(t, "crank.wy", -speed, 1e-5, 1e-7)
    for axis, value in zip("xyz", p["centre"]):
        table.row(t, f"rod.{axis}", value, 1e-7)
    for k, value in enumerate(quaternion(p["axes"])):
        table.row(t, f"rod.e{k}", value, 1e-6, 1e-8)
    for k, axis in enumerate("xyz"):
        table.row(t, f"rod.w{axis}", speed * sum(w * a[k] for w, a in zip(p["w"], p["axes"])), 1e-5, 1e-7)
table.write()
