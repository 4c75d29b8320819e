# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/rolling-disc. Steady motion in closed form; else Euler's equations, integrated with 30 digits.

Axes: 1 horizontal in the disc, 2 up in the disc, 3 its normal; th its angle above the floor, psi its turning.

    (A + m R^2) w1' = A w2^2 cot(th) - (C + m R^2) w2 w3 - m g R cos(th)
     A w2'          = w1 (C w3 - A w2 cot(th))
    (C + m R^2) w3' = m R^2 w1 w2

with th' = w1, psi' = w2 / sin(th); the centre moves with -R w3 along axis 1 and R w1 along axis 3.
"""
from reference_kit import Table, integrate, mp

f = mp.mpf
R, h, m, g, circle = f("0.3"), f("0.01"), f(2), f("9.81"), f(1)
A, C = m * (3 * R**2 + h**2) / 12, m * R**2 / 2
lean = mp.radians(70)
turning = mp.sqrt(m * g * R * mp.cos(lean) / (mp.sin(lean) * (m * R * circle + A * mp.cos(lean) + C * circle / R)))


def accelerations(th, w1, w2, w3):
    cot = 1 / mp.tan(th)
    return ((A * w2**2 * cot - (C + m * R**2) * w2 * w3 - m * g * R * mp.cos(th)) / (A + m * R**2),
            w1 * (C * w3 - A * w2 * cot) / A, m * R**2 * w1 * w2 / (C + m * R**2))


def slope(_, y):
    th, psi, w1, w2, w3, x, z = y
    along, out = -R * w3, R * w1 * mp.sin(th)
    return [w1, w2 / mp.sin(th), *accelerations(th, w1, w2, w3),
            -along * mp.sin(psi) + out * mp.cos(psi), along * mp.cos(psi) + out * mp.sin(psi)]


def rows(t, y, fixed):
    th, psi, w1, w2, w3, x, z = y
    s, c, cp, sp = mp.sin(th), mp.cos(th), mp.cos(psi), mp.sin(psi)
    frame = mp.matrix([[-sp, -c * cp, s * cp], [cp, -c * sp, s * sp], [0, s, c]])  # its columns are the axes 1, 2, 3
    v, w = frame * mp.matrix([-R * w3, 0, R * w1]), frame * mp.matrix([w1, w2, w3])
    d1, _, d3 = accelerations(th, w1, w2, w3)
    turn3 = w2 / mp.tan(th)
    a = frame * mp.matrix([R * (w1 * w2 - d3), -R * (w1**2 + turn3 * w3), R * (d1 + w2 * w3)])
    for k, axis in enumerate("xyz"):
        table.row(t, "disc." + axis, (x, z, R * s)[k], fixed, 1e-9)
        table.row(t, "disc.v" + axis, v[k], fixed, 1e-9)
        table.row(t, "disc.w" + axis, w[k], 10 * fixed, 1e-9)
        table.row(t, "floor.f" + axis, m * (a[k] + (g if axis == "z" else 0)), 10 * fixed, 1e-8)


def start(push):
    return [lean, f(0), f(push), turning * mp.sin(lean), -turning * circle / R, circle, f(0)]


table = Table("rolling-disc",
              "Steady motion in closed form; the variant integrated from Euler's equations with 30 digits.",
              "Written with 16 digits, all of them to be trusted. tools/references/rolling_disc.py")
TIMES = list(map(f, ("0", "0.5", "2", "4")))
for t in TIMES:
    psi, (th, _, *w) = turning * t, start(0)[:5]
    rows(t, [th, psi, *w, circle * mp.cos(psi), circle * mp.sin(psi)], 1e-9)
y = integrate(slope, f(0), start(0), f(1))
print("steady, integrated:", mp.nstr(y[0] - lean, 3), mp.nstr(y[5] - circle * mp.cos(turning), 3))

table.note("variant: nodding")
t, y = f(0), start("0.5")
for until in TIMES:
    y = integrate(slope, t, y, until) if until > t else y
    t = until
    rows(t, y, 1e-9)
    print("lean", mp.nstr(mp.degrees(y[0]), 6))
table.write()
