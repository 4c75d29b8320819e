# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/cantilever: Timoshenko's beam. With y = (w, psi, M, V) of a vibration,

    w' = psi + V/GA,   psi' = M/EI,   M' = -V - J omega^2 psi,   V' = -mass omega^2 w

that is y(s) = exp(A s) y(0) with w = psi = 0 at the clamp, and omega such that M = V = 0 at the end. A weight p that
meets it at rest moves it by sum w_i(L) int p w_i / (omega_i^2 int (mass w_i^2 + J psi_i^2)) (1 - cos(omega_i t)).
Roll-up: an arc of radius L / (2 pi turns).
"""
from reference_kit import Table, mp

f = mp.mpf
L, EI, GA, mass, g = f(10), f(14000), f(10) ** 7, f("1.2"), f("0.01")
J = mass * EI / GA  # EA = GA


def matrix(omega):
    return mp.matrix([[0, 1, 0, 1 / GA], [0, 0, 1 / EI, 0], [0, -J * omega**2, 0, -1], [-mass * omega**2, 0, 0, 0]])


def free_end(omega):
    E = mp.expm(matrix(omega) * L)
    return E[2, 2] * E[3, 3] - E[2, 3] * E[3, 2]


def euler(i):
    """Without shear and rotary inertia."""
    b = mp.findroot(lambda x: mp.cos(x) + 1 / mp.cosh(x), (2 * i + 1) * mp.pi / 2)
    return b**2 * mp.sqrt(EI / (mass * L**4))


def share(omega, pieces=4):
    """Of a mode in the motion of the end under its weight."""
    A = matrix(omega)
    E = mp.expm(A * L)
    y0 = mp.matrix([0, 0, -E[2, 3] / E[2, 2], 1])
    nodes = mp.calculus.quadrature.GaussLegendre(mp.mp).calc_nodes(3, 80)
    load, inertia = f(0), f(0)
    for k in range(pieces):
        for x, weight in nodes:
            y = mp.expm(A * (L * (k + (1 + x) / 2) / pieces)) * y0
            load += weight * L / (2 * pieces) * mass * g * y[0]
            inertia += weight * L / (2 * pieces) * (mass * y[0] ** 2 + J * y[1] ** 2)
    return (E * y0)[0] * load / (omega**2 * inertia)


def main():
    mp.mp.dps = 30
    table = Table("cantilever", "Timoshenko's beam by its modes, the circle in closed form; 12 digits hold.",
                  "tools/references/cantilever.py")
    omega = [mp.findroot(free_end, (euler(i) * f("0.999"), euler(i)), tol=1e-20) for i in range(8)]
    for i, tolerance in enumerate((1e-6, 1e-6, 2e-5, 1e-4)):
        print(i, mp.nstr(omega[i], 15), mp.nstr(euler(i), 15))
        for plane in (1, 2):
            table.row("modes", f"omega{2 * i + plane}", omega[i], tolerance * float(omega[i]), None)
    table.row("static", "b.end.z", -mass * g * (L**4 / (8 * EI) + L**2 / (2 * GA)), 1e-9, None)
    shares = [share(w) for w in omega]
    for k in range(1, 9):
        t = f(k) / 4
        w = sum(s * (1 - mp.cos(o * t)) for s, o in zip(shares, omega))
        table.row(t, "b.end.z", -w, 1e-6, None)
    table.note("loads: 20")
    for turns in ("0.125", "0.25", "0.5", "0.75", "1"):
        table.note("variant: roll-up")
        table.note(f"set: parameters.turns={turns}")
        a = 2 * mp.pi * f(turns)
        table.row("static", "b.end.x", L * mp.sin(a) / a, 1e-5, None)
        table.row("static", "b.end.z", L * (1 - mp.cos(a)) / a, 1e-5, None)
        e0, e2 = mp.cos(a / 2), -mp.sin(a / 2)
        if turns == "0.5":
            table.row("static", "b.end.e0", e0, 5e-7, None)
        else:
            table.row("static", "b.end.e2", e2 if e0 > 0 else -e2, 5e-7, None)
    table.write()


if __name__ == "__main__":
    main()
