# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/chaplygin-sleigh. Speeds and heading in closed form, the path by quadrature.

The blade moves with u along itself, the sleigh turns with w; the centre of mass is a ahead, J the inertia about the
blade. From u' = a w^2 and J w' = -m a u w,

    u = U tanh(s)    w = W sech(s)    s = l (t - t0)    W^2 = U^2 m/J    l = m a U/J
    th = W/l (gd(s) - gd(s0)),   gd(s) = 2 atan(tanh(s/2))

and the blade pushes sideways with m (a w' + u w).
"""
from reference_kit import Table, mp

f = mp.mpf
m, I, a, U, backwards = f(2), f("0.1"), f("0.3"), f("1.2"), f("0.95")
J = I + m * a**2
W, l = U * mp.sqrt(m / J), m * a * U / J
s0 = -mp.atanh(backwards)


def gd(s):
    return 2 * mp.atan(mp.tanh(s / 2))


def heading(t):
    return W / l * (gd(s0 + l * t) - gd(s0))


def speed(t):
    return U * mp.tanh(s0 + l * t)


def path(t):
    pieces = mp.linspace(0, t, 9)
    return (mp.quad(lambda x: speed(x) * mp.cos(heading(x)), pieces),
            mp.quad(lambda x: speed(x) * mp.sin(heading(x)), pieces))


table = Table("chaplygin-sleigh", "Speeds and heading in closed form, the path by quadrature with 30 digits.",
              "Written with 16 digits, all of them to be trusted. tools/references/chaplygin_sleigh.py")
for t in map(f, ("0", "0.5", "1", "2", "4")):
    s, th, u = s0 + l * t, heading(t), speed(t)
    w = W * mp.sech(s)
    push = m * (-a * m * a / J * u * w + u * w)
    x, y = path(t) if t > 0 else (f(0), f(0))
    c, n = mp.cos(th), mp.sin(th)
    for quantity, value in (("P.x", x), ("P.y", y), ("sleigh.x", x + a * c), ("sleigh.y", y + a * n),
                            ("sleigh.phi", th), ("P.vx", u * c), ("P.vy", u * n),
                            ("sleigh.vx", u * c - a * w * n), ("sleigh.vy", u * n + a * w * c), ("sleigh.w", w),
                            ("blade.fx", -push * n), ("blade.fy", push * c), ("blade.tz", f(0)),
                            ("energy.kinetic", m * U**2 / 2)):
        table.row(t, quantity, value, 1e-9, 1e-9)
    print("t", mp.nstr(t, 3), "check of the turning:", mp.nstr(mp.diff(heading, t) - w, 3))
table.write()
