# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/ball-in-bowl. Two angles of the centre and the ball's orientation, integrated with 30 digits.

The centre is at rho (cos a cos b, cos a sin b, -sin a). The spin w about that line is constant, and so are the energy and

    p = b' cos^2 a + c sin a,    c = 2 r w / (7 rho)

from which a'' = 5 g/(7 rho) cos a + c b' cos a - b'^2 sin a cos a.
"""
from reference_kit import Table, integrate, mp

f = mp.mpf
m, r, bowl, g, w = f(1), f(1), f(8), f("9.81"), f(1)
rho = bowl - r
c = 2 * r * w / (7 * rho)
a0, a0_rate, b0_rate = mp.pi / 4, f("0.5"), f(1)
p = b0_rate * mp.cos(a0)**2 + c * mp.sin(a0)


def round_rate(a):
    return (p - c * mp.sin(a)) / mp.cos(a)**2


def bend(a):
    rate = round_rate(a)
    return mp.cos(a) * (5 * g / (7 * rho) + c * rate - rate**2 * mp.sin(a))


def spin(a, b, a_rate):
    """The angular velocity: about the line from the middle of the bowl, and what rolling asks for."""
    ca, sa, cb, sb = mp.cos(a), mp.sin(a), mp.cos(b), mp.sin(b)
    round_, over = rho / r * ca * round_rate(a), -rho / r * a_rate
    return (w * ca * cb - round_ * sa * cb - over * sb, w * ca * sb - round_ * sa * sb + over * cb,
            -w * sa - round_ * ca)


def slope(_, y):
    a, b, a_rate, e0, e1, e2, e3 = y
    x, y_, z = spin(a, b, a_rate)
    return [a_rate, round_rate(a), bend(a), -(x * e1 + y_ * e2 + z * e3) / 2, (x * e0 + y_ * e3 - z * e2) / 2,
            (y_ * e0 + z * e1 - x * e3) / 2, (z * e0 + x * e2 - y_ * e1) / 2]


def rows(t, y, places, forces, tight):
    a, b, a1 = y[:3]
    b1, a2 = round_rate(a), bend(a)
    b2 = -c * a1 / mp.cos(a) + 2 * b1 * a1 * mp.tan(a)
    ca, sa, cb, sb = mp.cos(a), mp.sin(a), mp.cos(b), mp.sin(b)
    line, down, side = mp.matrix([ca * cb, ca * sb, -sa]), mp.matrix([-sa * cb, -sa * sb, -ca]), mp.matrix([-sb, cb, 0])
    outward = mp.matrix([cb, sb, 0])
    v = rho * (a1 * down + ca * b1 * side)
    acc = rho * (a2 * down - a1**2 * line + (ca * b2 - 2 * sa * a1 * b1) * side - ca * b1**2 * outward)
    turning = spin(a, b, a1)
    for k, axis in enumerate("xyz"):
        table.row(t, "ball." + axis, rho * line[k], places, tight)
        table.row(t, "ball.v" + axis, v[k], 5 * places, 5 * tight)
        table.row(t, "ball.w" + axis, turning[k], 5 * places, 5 * tight)
        table.row(t, "bowl.f" + axis, m * (acc[k] + (g if axis == "z" else 0)), forces, 10 * tight)
        table.row(t, "bowl.t" + axis, 0, 1e-12, 1e-12)
    for k in range(4):
        table.row(t, f"ball.e{k}", y[3 + k], places, tight)
    kinetic = f(7) / 10 * m * rho**2 * (a1**2 + ca**2 * b1**2) + m * r**2 / 5 * w**2
    table.row(t, "energy.total", kinetic - m * g * rho * sa, 10 * places, tight)
    print(mp.nstr(t, 4), "a", mp.nstr(a, 16), "b", mp.nstr(b, 16), "energy", mp.nstr(kinetic - m * g * rho * sa, 16))


table = Table("ball-in-bowl", "Two angles of the centre and the orientation, integrated with 30 digits.",
              "Written with 16 digits, all of them to be trusted. tools/references/ball_in_bowl.py", "step: 0.01")
t, y = f(0), [a0, f(0), a0_rate, f(1), f(0), f(0), f(0)]
for until, places, forces, tight in (("0", 1e-13, 1e-12, 1e-13), ("0.1", 2e-8, 1e-7, 1e-10), ("1", 1e-7, 1e-6, 1e-9),
                                     ("10", 1e-6, 1e-5, 1e-8), ("100", 2e-5, 2e-4, 1e-7)):
    until = f(until)
    y = integrate(slope, t, y, until, step=f("0.05"), columns=11) if until > t else y
    t = until
    rows(t, y, places, forces, tight)
table.write()
