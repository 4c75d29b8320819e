# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/scissor-lift: the width w of the scissors decides everything.

h = sqrt(arm^2 - w^2) is the height of a stage. The kinetic energy is I(w) w'^2 / 2, the potential V(w), and the force
at the roller F = I w'' + I' w'^2 / 2 + V'. With a damper F = -c w', an equation of second order for w.
"""
from reference_kit import Table, integrate, mp, rate

f = mp.mpf
arm, mass, depth = f(2), f(20), f("0.1")
roller, load, g, pull, T, c = f(5), f(300), f("9.81"), f("0.7"), f(4), f(40000)
J = mass * (arm**2 + depth**2) / 12


def height(w):
    return mp.sqrt(arm**2 - w**2)


def inertia(w, N):
    steep = (w / height(w)) ** 2  # h' = -w/h w'
    stages = sum(2 * mass * (f(1) / 4 + (i - f(1) / 2) ** 2 * steep) for i in range(1, N + 1))
    turning = 2 * N * J / height(w) ** 2  # the arms turn with -w'/h
    return stages + turning + 2 * roller + N**2 * (roller + load) * steep


def potential(w, N):
    return g * height(w) * (mass * N**2 + N * (roller + load))  # the sum of 2 (i - 1/2) is N^2


def force(w, wdot, wddot, N):
    return (inertia(w, N) * wddot + rate(lambda x: inertia(x, N), w) * wdot**2 / 2 + rate(lambda x: potential(x, N), w))


def rows(t, w, wdot, N, fixed, tight):
    h, hdot = height(w), -w / height(w) * wdot
    for quantity, value in ((f"platform.z", N * h + f("0.1")), ("platform.vz", N * hdot), ("base_roller.x", w),
                            ("base_roller.vx", wdot), ("up1.z", h / 2), ("up1.vx", wdot / 2), ("up1.wy", wdot / h),
                            (f"down{N}.wy", -wdot / h), (f"M{N}.z", (N - f("0.5")) * h), ("platform.x", start / 2)):
        table.row(t, quantity, value, fixed, tight)


table = Table("scissor-lift",
              "Closed form of the height, force of the jack by Lagrange's equation for the one coordinate w.",
              "Written with 16 digits, all of them to be trusted. tools/references/scissor_lift.py")
for N in (3, 6):
    if N != 3:
        table.note(f"set: parameters.N={N}")
    start = arm * mp.cos(mp.radians(20))
    for t in map(f, ("0", "1", "2", "3.5") if N == 3 else ("0", "0.5", "1")):
        w = lambda x: start - pull * (1 - mp.cos(mp.pi * x / T)) / 2
        rows(t, w(t), rate(w, t), N, 1e-9, 1e-9)
        table.row(t, "jack.fx", force(w(t), rate(w, t), rate(w, t, 2), N), 1e-5, 1e-5)

table.note("variant: sinking")
table.note("w'' from the same equation with F = -c w', integrated with 30 digits")
start = arm * mp.cos(mp.radians(50))


def slope(t, y):
    w, wdot = y
    return [wdot, (-c * wdot - force(w, wdot, 0, 3)) / inertia(w, 3)]


t, y = f(0), [start, f(0)]
for until in map(f, ("0.1", "0.5", "1", "2")):
    y = integrate(slope, t, y, until)
    t = until
    rows(t, *y, 3, 1e-8, 1e-9)
table.write()
