# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/free-rigid-body: Euler's equations about the centre of mass, integrated with 30 digits.

    J w' = (J w) x w,   R' = R w~        w in body axes; J = tr(C) 1 - C, C = S - m c c^T

with S the second moments about O and c the centre of mass as seen from O. The centre moves straight ahead.
"""
from reference_kit import Table, cross, integrate, mp

f = mp.mpf
m = f("1.8")
first = mp.matrix([f("0.18"), f("0.72"), f("0.54")])
second = mp.matrix([[f("0.2"), f("0.012"), f("0.015")], [f("0.012"), f("0.7"), f("0.023")],
                    [f("0.015"), f("0.023"), f("0.4")]])
c = first / m
C = second - m * c * c.T
J = (C[0, 0] + C[1, 1] + C[2, 2]) * mp.eye(3) - C
J_inverse = J**-1
v0, w0 = mp.matrix([5, 0, 0]), mp.matrix([0, 4, 0])
v_centre = v0 + cross(w0, c)
# What energy-preserving with 12.5 ms is off by at most, and a bit more.
FIXED = dict(O=8e-3, tip=2.5e-2, v=4e-2, w=2e-2)


def slope(_, y):
    R, w = mp.matrix([y[0:3], y[3:6], y[6:9]]), mp.matrix(y[9:12])
    turning = R * mp.matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    return [*turning, *(J_inverse * cross(J * w, w))]


def rows(t, y):
    R, w = mp.matrix([y[0:3], y[3:6], y[6:9]]), mp.matrix(y[9:12])
    O, turning = c + v_centre * t - R * c, R * w
    for name, place in (("O", O), ("tip1", O + R[:, 0]), ("tip2", O + R[:, 1])):
        for k, axis in enumerate("xyz"):
            table.row(t, f"{name}.{axis}", place[k], FIXED["O" if name == "O" else "tip"])
    for k, axis in enumerate("xyz"):
        table.row(t, f"O.v{axis}", (v_centre - cross(turning, R * c))[k], FIXED["v"], 1e-8)
        table.row(t, f"body.v{axis}", v_centre[k], 1e-11, 1e-9)
        table.row(t, f"body.w{axis}", turning[k], FIXED["w"], 1e-8)
    table.row(t, "energy.total", (m * mp.fdot(v_centre, v_centre) + mp.fdot(w0, J * w0)) / 2, 1e-11, 1e-8)


table = Table("free-rigid-body",
              "Euler's equations about the centre of mass, integrated with 30 digits. Written with 16 digits, all of",
              "them to be trusted. tools/references/free_rigid_body.py")
t, y = f(0), [*mp.eye(3), *w0]
for until in map(f, ("0", "1", "2", "5")):
    y = integrate(slope, t, y, until) if until > t else y
    t = until
    rows(t, y)
table.write()
print("w at the end", [mp.nstr(x, 12) for x in y[9:12]])
