# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/slider-crank-flexible: the rod as a chain of rigid sections in the plane (rods.py), its first end
carried by the crank, its last one with the slider on the line y = 0; extrapolated. Takes a minute or two.
"""
from math import cos, pi, sin, sqrt
from multiprocessing import Pool

from reference_kit import Table
from rods import PlanarRod, extrapolated, follow

CRANK, ROD, D, E, NU, DENSITY, W = 0.15, 0.3, 6e-3, 200e9, 0.3, 7870.0, 150.0
TIMES = (0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.08)


A, I = pi / 4 * D**2, pi / 64 * D**4
GA = 6 / 7 * E / (2 * (1 + NU)) * A


def lowest():
    """Bending of Timoshenko's beam between two pins: EI k^4 - w^2 (m + J k^2 + m EI k^2 / GA) + m J w^4 / GA = 0."""
    m, J, k = DENSITY * A, DENSITY * I, pi / ROD
    a, b, c = m * J / GA, -(m + J * k**2 + m * E * I * k**2 / GA), E * I * k**4
    return sqrt(2 * c / (-b + sqrt(b * b - 4 * a * c)))


def run(n):
    rod = PlanarRod(n, ROD, E * A, GA, E * I, DENSITY * A, DENSITY * I, ((CRANK, 0.0), (CRANK + ROD, 0.0)))
    rod.m[n] += 0.5 * DENSITY * A * ROD  # the slider
    k = n + 1

    def slope(t, z):
        x, y, a = z[:k], z[k : 2 * k], z[2 * k : 3 * k]
        c, s = CRANK * cos(W * t), CRANK * sin(W * t)
        x[0], y[0], y[n] = c, s, 0.0
        fx, fy, ft = rod.forces(x, y, a)
        rate = z[3 * k :]
        rate[0], rate[k], rate[k + n] = -W * s, W * c, 0.0
        fast = ([f / m for f, m in zip(fx, rod.m)] + [f / m for f, m in zip(fy, rod.m)]
                + [f / j for f, j in zip(ft, rod.J)])
        fast[0] = fast[k] = fast[k + n] = 0.0
        return rate + fast

    w = -W * CRANK / ROD
    begin = (rod.x + rod.y + [0.0] * k + [0.0] * k + [W * CRANK + w * (x - CRANK) for x in rod.x] + [w] * k)
    states = follow(slope, begin, TIMES, 1e-6)
    return [{"slider.x": z[n], "rod.6.x": z[n // 2], "rod.6.y": z[k + n // 2]} for z in states]


def main():
    table = Table("slider-crank-flexible", "Chains of 8 to 64 rigid sections, extrapolated; 1e-8 m holds.",
                  "tools/references/slider_crank_flexible.py")
    with Pool() as pool:
        runs = pool.map(run, (8, 16, 32, 64), 1)
    table.row("modes", "omega1", lowest(), 1e-4 * lowest(), None)
    worst = 0.0
    for i, t in enumerate(TIMES):
        for name in runs[0][0]:
            value, doubt = extrapolated([states[i][name] for states in runs])
            worst = max(worst, doubt)
            table.row(t, name, value, 2e-6 if name.endswith("y") else 4e-5, None)
    print("extrapolation moves by", worst)
    table.write()


if __name__ == "__main__":
    main()
