# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/gyroscope. Steady precession in closed form; nodding from the tilt th, integrated with 30 digits:

    A th'' = A p^2 sin(th) cos(th) - C n p sin(th) + m g l sin(th),   p = (b - C n cos(th)) / (A sin(th)^2)

with A, C the inertias about the tip, n the spin and b the angular momentum about the vertical, both constant.
"""
from reference_kit import Table, integrate, mp

f = mp.mpf
m, l, A, C, n, g = f("0.5"), f("0.06"), f("0.0023"), f("0.0006"), f(300), f("9.81")
tilt = mp.radians(30)
FIXED = dict(place=3e-5, v=1e-3, w=0.1, f=0.05)  # rk4 with 1 ms is coarse: the top turns 17 degrees in a step


def rows(t, theta, thetadot, thetaddot, psi, p, pdot):
    """psi, p, pdot: angle of precession and its rates"""
    s, c = mp.sin(theta), mp.cos(theta)
    radial = mp.matrix([mp.cos(psi), mp.sin(psi)])
    tangent = mp.matrix([-mp.sin(psi), mp.cos(psi)])
    place, v = l * s * radial, l * (thetadot * c * radial + p * s * tangent)
    a = l * ((thetaddot * c - (thetadot**2 + p**2) * s) * radial + (pdot * s + 2 * p * thetadot * c) * tangent)
    w = thetadot * tangent + (n - p * c) * s * radial  # the nodding axis is the tangent
    for quantity, value in (("top.x", place[0]), ("top.y", place[1]), ("top.z", l * c), ("top.vx", v[0]),
                            ("top.vy", v[1]), ("top.vz", -l * s * thetadot), ("nose.x", 2 * place[0]), ("top.wx", w[0]), ("top.wy", w[1]),
                            ("top.wz", (n - p * c) * c + p)):
        table.row(t, quantity, value, FIXED.get(quantity.split(".")[1][0], FIXED["place"]))
    for quantity, value in (("tip.fx", m * a[0]), ("tip.fy", m * a[1]),
                            ("tip.fz", m * (g - l * (thetaddot * s + thetadot**2 * c)))):
        table.row(t, quantity, value, FIXED["f"], 1e-8)


table = Table("gyroscope",
              "Steady precession in closed form. Written with 16 digits, all of them to be trusted.",
              "tools/references/gyroscope.py", "step: 2e-4")
# A cos(tilt) p^2 - C n p + m g l = 0, the slow root
p = 2 * m * g * l / (C * n + mp.sqrt((C * n) ** 2 - 4 * A * mp.cos(tilt) * m * g * l))
for t in map(f, ("0", "0.25", "1", "2")):
    rows(t, tilt, 0, 0, p * t, p, 0)

table.note("variant: nodding")
table.note("Integrated from the equation of the tilt with 30 digits")
b = C * n * mp.cos(tilt)


def turning(theta):
    return (b - C * n * mp.cos(theta)) / (A * mp.sin(theta) ** 2)


def nodding(theta):
    q, s = turning(theta), mp.sin(theta)
    return (A * q**2 * s * mp.cos(theta) - C * n * q * s + m * g * l * s) / A


t, y = f(0), [tilt, f(0), f(0)]
for until in map(f, ("0.03", "0.3", "1.03", "1.9")):
    y = integrate(lambda _, y: [y[1], nodding(y[0]), turning(y[0])], t, y, until)
    t = until
    theta, thetadot, psi = y
    q = turning(theta)
    qdot = C * n * mp.sin(theta) * thetadot / (A * mp.sin(theta) ** 2) - 2 * q * thetadot / mp.tan(theta)
    rows(t, theta, thetadot, nodding(theta), psi, q, qdot)
table.write()
print("precession", mp.nstr(p, 12), "tilt at the end", mp.nstr(mp.degrees(y[0]), 8))
