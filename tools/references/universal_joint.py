# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/universal-joint: two angles, integrated with 30 digits.

    R = Ry(W t) Rx(a) Rz(b),   w = W j + a' d1 + b' e3      d1 = cos(W t) i - sin(W t) k, the axis of the shaft

e3 stays normal to d1 whatever a and b. The joint exerts no torque along d1 and e3, so that with the angular momentum
h = R I R^T w about the joint and its weight

    d1 . (h' - c x m g) = 0,   e3 . (h' - c x m g) = 0

and what is left of h' - c x m g is the torque of the joint, -lambda e3 x d1. The shaft turns evenly: the motor exerts
lambda e3 . d1' / W about y.
"""
from reference_kit import Table, about, cross, integrate, mp

f = mp.mpf
m, W = f("1.8"), f(1)
weight = mp.matrix([0, 0, -m * f("9.81")])
c = mp.matrix([f("0.1"), f("0.4"), f("0.3")])
I = mp.matrix([[f("1.1"), f("0.012"), f("0.015")], [f("0.012"), f("0.6"), f("0.023")], [f("0.015"), f("0.023"), f("0.9")]])
SHAFT = f("0.01") * W**2 / 2  # kinetic energy
# What energy-preserving with 400 steps in a turn is off by at most, and a bit more.
FIXED = dict(tip=5e-3, w=2e-2, torque=2e-2, energy=2e-3)
AT_LAST = dict(tip=2e-2, w=0.1, torque=0.15, energy=0.2)


def axes(t, a, b):
    R = about("y", W * t) * about("x", a) * about("z", b)
    d1 = mp.matrix([mp.cos(W * t), 0, -mp.sin(W * t)])
    return R, d1, R[:, 2]


def bias(t, a, b, da, db):
    """w, and the part of w' without a'' and b''."""
    R, d1, e3 = axes(t, a, b)
    j = mp.matrix([0, 1, 0])
    w = W * j + da * d1 + db * e3
    return w, da * W * cross(j, d1) + db * cross(W * j + da * d1, e3)


def torque(t, y, accelerations):
    """h' - c x m g with given a'' and b''"""
    a, b, da, db = y
    R, d1, e3 = axes(t, a, b)
    w, rest = bias(t, *y)
    inertia = R * I * R.T
    turning = rest + accelerations[0] * d1 + accelerations[1] * e3
    return inertia * turning + cross(w, inertia * w) - cross(R * c, weight)


def accelerations(t, y):
    """From two conditions, linear in them."""
    _, d1, e3 = axes(t, y[0], y[1])
    zero, first, second = (torque(t, y, unit) for unit in ((0, 0), (1, 0), (0, 1)))
    A = mp.matrix([[mp.fdot(x, first - zero), mp.fdot(x, second - zero)] for x in (d1, e3)])
    return list(mp.lu_solve(A, mp.matrix([-mp.fdot(d1, zero), -mp.fdot(e3, zero)])))


def slope(t, y):
    return [y[2], y[3], *accelerations(t, y)]


def rows(t, y):
    R, d1, e3 = axes(t, y[0], y[1])
    w, _ = bias(t, *y)
    T = torque(t, y, accelerations(t, y))
    power = -mp.fdot(T, cross(e3, d1)) * mp.fdot(e3, W * cross(mp.matrix([0, 1, 0]), d1))
    fixed = AT_LAST if t > 6 else FIXED
    energy = mp.fdot(w, R * I * R.T * w) / 2 - mp.fdot(weight, R * c) + SHAFT
    for k, axis in enumerate("xyz"):
        table.row(t, f"tip1.{axis}", R[k, 0], fixed["tip"])
        table.row(t, f"tip3.{axis}", R[k, 2], fixed["tip"])
        table.row(t, f"body.w{axis}", w[k], fixed["w"], 1e-8)
        table.row(t, f"joint.t{axis}", T[k], fixed["torque"], 1e-7)
    table.row(t, "motor.ty", power / W, fixed["torque"], 1e-7)
    table.row(t, "energy.total", energy, fixed["energy"], 1e-8)


table = Table("universal-joint",
              "Two angles, integrated with 30 digits. Written with 16 digits, all of them to be trusted.",
              "tools/references/universal_joint.py")
t, y = f(0), [f(0), f(0), f(0), f(0)]
for until in map(f, ("0", "0.314", "1.57", "3.14", "6.28")):
    y = integrate(slope, t, y, until, f("0.05")) if until > t else y
    t = until
    rows(t, y)
table.write()
print("angles at the end", [mp.nstr(x, 12) for x in y])
