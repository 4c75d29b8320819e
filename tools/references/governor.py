# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/governor: Lagrange's equation for the opening a, with the turning of the spindle given or free.

    kinetic energy  I(a) w^2 / 2 + A(a) a'^2 / 2,  potential V(a),  sleeve at z = -2 b cos(a)
    A a'' + A' a'^2 / 2 - I' w^2 / 2 + V' = -c (2 b sin(a))^2 a'

free: I w is constant, c = 0. Driven: w is given and the engine's torque is (I w)'.
"""
from reference_kit import Table, integrate, mp, rate

f = mp.mpf
e, l, b, g, c = f("0.05"), f("0.3"), f("0.2"), f("9.81"), f(60)
ball, J_ball = f(2), f(2) * 2 / 5 * f("0.05") ** 2
link, J_along = f("0.3"), f("0.3") * f("0.008") ** 2 / 2
J_across = link * (3 * f("0.008") ** 2 + b**2) / 12
sleeve = f(3)
J_shaft = f(4) * f("0.02") ** 2 / 2 + sleeve * f("0.05") ** 2 / 2
slow, fast, tau = f(7), f(10), f("0.5")
start = mp.radians(30)


def about_axis(a):
    s = mp.sin(a)
    links = link * (e + b * s / 2) ** 2 + J_across * s**2 + J_along * mp.cos(a) ** 2
    return J_shaft + 2 * (ball * (e + l * s) ** 2 + J_ball + links)


def opening_inertia(a):
    s2, c2 = mp.sin(a) ** 2, mp.cos(a) ** 2
    links = link * b**2 * (c2 / 4 + 9 * s2 / 4) + J_across  # its middle is at (e + b sin/2, -3/2 b cos)
    return 2 * (ball * l**2 + J_ball + links) + sleeve * 4 * b**2 * s2


def potential(a):
    return -g * mp.cos(a) * (2 * ball * l + 3 * link * b + 2 * sleeve * b)


def slope_of(function, a):
    return rate(function, a)


def acceleration(a, adot, w, damping):
    lift = 2 * b * mp.sin(a)
    force = (slope_of(about_axis, a) * w**2 - slope_of(opening_inertia, a) * adot**2) / 2 - slope_of(potential, a)
    return (force - damping * lift**2 * adot) / opening_inertia(a)


def rows(t, a, adot, angle, w, fixed):
    r, z = e + l * mp.sin(a), -l * mp.cos(a)
    rdot = l * mp.cos(a) * adot
    for quantity, value in (("sleeve.z", -2 * b * mp.cos(a)), ("sleeve.vz", 2 * b * mp.sin(a) * adot),
                            ("spindle.wz", w), ("ball0.x", r * mp.cos(angle)), ("ball0.y", r * mp.sin(angle)), ("ball0.z", z),
                            ("ball0.vx", rdot * mp.cos(angle) - r * w * mp.sin(angle)), ("ball1.x", -r * mp.cos(angle)),
                            ("ball0.vz", l * mp.sin(a) * adot), ("link1.z", -3 * b * mp.cos(a) / 2), ("spindle.x", 0)):
        table.row(t, quantity, value, fixed, 1e-9)


table = Table("governor",
              "One coordinate, the opening of the arms, integrated with 30 digits; torque of the engine (I w)'.",
              "Written with 16 digits, all of them to be trusted. tools/references/governor.py")
speed = lambda t: fast - (fast - slow) * mp.exp(-t / tau)
t, y = f(0), [start, f(0)]
for until in map(f, ("0.2", "0.5", "1", "2")):
    y = integrate(lambda s, y: [y[1], acceleration(y[0], y[1], speed(s), c)], t, y, until)
    t = until
    rows(t, *y, fast * t - (fast - slow) * tau * (1 - mp.exp(-t / tau)), speed(t), 1e-8)
    torque = slope_of(about_axis, y[0]) * y[1] * speed(t) + about_axis(y[0]) * (fast - slow) / tau * mp.exp(-t / tau)
    table.row(t, "engine.tz", torque, 1e-7, 1e-8)
equal = mp.findroot(lambda a: slope_of(about_axis, a) * fast**2 / 2 - slope_of(potential, a), 1)
print("opening at the end", mp.nstr(mp.degrees(y[0]), 8), "for ever", mp.nstr(mp.degrees(equal), 8))

table.note("variant: free")
momentum = about_axis(start) * fast
spin = lambda a: momentum / about_axis(a)
t, y = f(0), [start, f(0), f(0)]
for until in map(f, ("0.2", "0.5", "1", "2")):
    y = integrate(lambda s, y: [y[1], acceleration(y[0], y[1], spin(y[0]), 0), spin(y[0])], t, y, until)
    t = until
    rows(t, *y, spin(y[0]), 1e-7)
table.write()
energy = lambda a, adot: momentum**2 / about_axis(a) / 2 + opening_inertia(a) * adot**2 / 2 + potential(a)
print("energy kept to", mp.nstr(energy(y[0], y[1]) - energy(start, 0), 3))
