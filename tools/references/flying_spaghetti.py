# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/flying-spaghetti: chains of rigid sections (rods.py), extrapolated from four numbers of elements.
Takes a minute or two.
"""
from multiprocessing import Pool

from reference_kit import Table
from rods import PlanarRod, SpatialRod, cross, extrapolated, follow, matrix, times, turned_back

LENGTH, EA, EI, MASS, J = 10.0, 1e4, 500.0, 1.0, 10.0
PLANAR, SPATIAL = (1.0, 2.0, 3.0, 5.0, 8.0), (1.0, 2.0, 3.0, 4.0, 5.0)


def planar(n):
    """Force 8 along x and torque -80 for 2.5 s on the end at (6, 0)."""
    rod = PlanarRod(n, LENGTH, EA, EA, EI, MASS, J, ((6.0, 0.0), (0.0, 8.0)))
    k = n + 1

    def slope(t, z):
        x, y, a = z[:k], z[k : 2 * k], z[2 * k : 3 * k]
        fx, fy, ft = rod.forces(x, y, a)
        if t < 2.5 or slope.early:
            fx[0] += 8.0
            ft[0] -= 80.0
        return (z[3 * k :] + [f / m for f, m in zip(fx, rod.m)] + [f / m for f, m in zip(fy, rod.m)]
                + [f / i for f, i in zip(ft, rod.J)])

    # The load ends with a step of the integration.
    slope.early = True
    begin = rod.x + rod.y + [0.0] * k + [0.0] * (3 * k)
    before = [t for t in PLANAR if t < 2.5]
    states = follow(slope, begin, before + [2.5], 5e-4)
    slope.early = False
    after = [t - 2.5 for t in PLANAR if t > 2.5]
    states = states[:-1] + follow(lambda t, z: slope(t + 2.5, z), states[-1], after, 5e-4)
    return [{"start.x": z[0], "start.y": z[k], "end.x": z[k - 1], "end.y": z[2 * k - 1]} for z in states]


def ramp(t):
    return 0.4 * t if t < 2.5 else 2.0 - 0.4 * t if t < 5 else 0.0


def spatial(n):
    """A triangle of 5 s of force 8 along x and of torques -80 about y and -40 about z on the end at (6, 0, 0)."""
    rod = SpatialRod(n, LENGTH, (EA, EA, EA), (EI, EI, EI), MASS, (2 * J, J, J))
    k = n + 1
    half = (0.2**0.5, 0.0, 0.0, 0.8**0.5)  # axis 1 along (-0.6, 0.8, 0)
    begin = [x for i in range(k) for x in (6 - 6.0 * i / n, 8.0 * i / n, 0.0)] + list(half) * k + [0.0] * (6 * k)

    def slope(t, z):
        r = [z[3 * i : 3 * i + 3] for i in range(k)]
        p = [z[3 * k + 4 * i : 3 * k + 4 * i + 4] for i in range(k)]
        w = [z[10 * k + 3 * i : 10 * k + 3 * i + 3] for i in range(k)]
        F, T = rod.loads(r, p)
        F[0][0] += 8 * ramp(t)
        T[0][1] -= 80 * ramp(t)
        T[0][2] -= 40 * ramp(t)
        turning, forces, torques = [], [], []
        for i in range(k):
            turning += [0.5 * x for x in times(p[i], (0.0, *w[i]))]
            forces += [f / rod.m[i] for f in F[i]]
            T_own = turned_back(matrix(p[i]), T[i])
            L = [j * x for j, x in zip(rod.J[i], w[i])]
            torques += [(a - b) / j for a, b, j in zip(T_own, cross(w[i], L), rod.J[i])]
        return z[7 * k : 10 * k] + turning + forces + torques

    states = follow(slope, begin, SPATIAL, 1.25e-3)
    names = ("x", "y", "z")
    return [{f"{end}.{names[c]}": z[3 * at + c] for end, at in (("start", 0), ("end", n)) for c in range(3)}
            for z in states]


def rows(table, run, moments, grids, pool, tolerance):
    runs = pool.map(run, grids)
    worst = 0.0
    for i, t in enumerate(moments):
        for name in runs[0][0]:
            value, doubt = extrapolated([states[i][name] for states in runs])
            worst = max(worst, doubt)
            table.row(t, f"b.{name}", value, tolerance, None)
    print(run.__name__, "extrapolation moves by", worst)


def main():
    table = Table("flying-spaghetti", "Chains of 8 to 128 rigid sections, extrapolated; 7 digits hold, in the plane 6.",
                  "tools/references/flying_spaghetti.py")
    with Pool() as pool:
        rows(table, planar, PLANAR, (16, 32, 64, 128), pool, 4e-3)
        table.note("variant: spatial")
        rows(table, spatial, SPATIAL, (8, 16, 32, 64), pool, 2e-4)
    table.write()


if __name__ == "__main__":
    main()
