# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/jansen-leg: ten lengths as equations for five joints, solved by Newton's method at each instant.

The motor has to supply the change of kinetic and potential energy: torque = (sum m (a - g).v + J w' w) / rate.
"""
from reference_kit import Table, mp, rate

f = mp.mpf
L = {k: f(v) / 100 for k, v in dict(a="38.0", b="41.5", c="39.3", d="40.1", e="55.8", f="39.4", g="36.7", h="65.7",
                                    i="49.0", j="50.0", k="61.9", l="7.8", m="15.0").items()}
speed, g = 2 * mp.pi, f("9.81")
bar, plate = f("0.5"), f("0.6")
Q = (-L["a"], -L["l"])
# Where the joints are with the crank to the right, read off a sketch.
T, U, V, W, F = (-40, 34), (-78, -8), (-38, -47), (-75, -47), (-54, -92)
GUESS = [f(x) / 100 for place in (T, U, V, W, F) for x in place]
NEAR = {}  # solutions every hundredth of a turn, found one after the other, so that the motion is followed


def joints(t):
    """P, T, U, V, W, F at the time t, a list of 12 numbers."""
    nearest = int(mp.nint(t * 100))
    for k in range(len(NEAR), nearest + 1):
        NEAR[k] = solve(mp.mpf(k) / 100, NEAR[k - 1][2:] if k else GUESS)
    return solve(t, NEAR[max(0, nearest)][2:])


def solve(t, start):
    P = (L["m"] * mp.cos(speed * t), L["m"] * mp.sin(speed * t))

    def closed(*x):
        T, U, V, W, F = (x[2 * n : 2 * n + 2] for n in range(5))
        lengths = ((P, T, "j"), (Q, T, "b"), (Q, U, "d"), (T, U, "e"), (P, V, "k"), (Q, V, "c"), (U, W, "f"),
                   (V, W, "g"), (W, F, "h"), (V, F, "i"))
        return [(A[0] - B[0]) ** 2 + (A[1] - B[1]) ** 2 - L[side] ** 2 for A, B, side in lengths]

    return list(P) + list(mp.findroot(closed, start, tol=mp.mpf(10) ** (-2 * mp.mp.dps + 8), maxsteps=30))


def place(t):
    """Per body: x, y of the centre of mass and the angle of a line in it."""
    x = joints(t)
    at = dict(zip("PTUVWF", (x[2 * n : 2 * n + 2] for n in range(6))), O=[0, 0], Q=Q)
    middle = lambda *names: [sum(at[n][k] for n in names) / len(names) for k in (0, 1)]
    along = lambda A, B: mp.atan2(at[B][1] - at[A][1], at[B][0] - at[A][0])
    places = {name: middle(*corners) + [along(corners[0], corners[1])] for name, corners in BODIES.items()}
    places["crank"][2] = speed * t  # the only one that turns round and round
    return places


BODIES = dict(crank="OP", upper_rod="PT", lower_rod="PV", rocker="QV", link="UW", shoulder="QTU", foot="WVF")
SIDES = dict(crank="m", upper_rod="j", lower_rod="k", rocker="c", link="f", shoulder="bde", foot="ghi")


def mass(name):
    """Mass, inertia"""
    squares = sum(L[s] ** 2 for s in SIDES[name])
    if len(SIDES[name]) == 3:
        return plate, plate * squares / 36
    return bar * L[SIDES[name]], bar * L[SIDES[name]] * squares / 12


def torque(t):
    power = 0
    for name in BODIES:
        v, a = (rate(lambda s: place(s)[name], t, order) for order in (1, 2))
        m, J = mass(name)
        power += m * (a[0] * v[0] + (a[1] + g) * v[1]) + J * a[2] * v[2]
    return power / speed


table = Table("jansen-leg",
              "Joints from ten lengths by Newton's method with 30 digits and more; torque from the change of energy.",
              "Written with 16 digits, all of them to be trusted. tools/references/jansen_leg.py")
for t in map(f, ("0", "0.1", "0.35", "0.5", "0.8", "1.7")):
    x, v = joints(t), rate(joints, t)
    for k, column in enumerate(("F.x", "F.y")):
        table.row(t, column, x[10 + k])
        table.row(t, "F.v" + "xy"[k], v[10 + k])
    table.row(t, "W.y", x[9])
    table.row(t, "U.vx", v[4])
    for name in ("foot", "shoulder"):
        table.row(t, name + ".x", place(t)[name][0])
        table.row(t, name + ".w", rate(lambda s: place(s)[name], t)[2])
    table.row(t, "crank.phi", speed * t)
    table.row(t, "motor.tz", torque(t), 1e-9, 1e-9)
table.write()
print("foot of t = 0:", [mp.nstr(x, 8) for x in joints(f(0))[10:]])
path = [joints(f(k) / 100) for k in range(101)]
print("stride", mp.nstr(max(x[10] for x in path) - min(x[10] for x in path), 5), "lift",
      mp.nstr(max(x[11] for x in path) - min(x[11] for x in path), 5))
