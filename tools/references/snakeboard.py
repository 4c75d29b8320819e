# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/snakeboard. One speed by quadrature, the path with it, integrated with 30 digits.

The wheels let the middle move along the board only, with u, and turn it with th' = u tan(p)/l, where p(t) is how the
wheels are steered. With the rotor at s(t), the mass m of all and J their inertia about the middle, d'Alembert's principle
along that one freedom is

    (sqrt(G) u)' = -Jr s'' tan(p)/(l sqrt(G)),     G = m + J tan(p)^2/l^2

The wheels push sideways with N = (m u th' +- (J th'' + Jr s'')/l) / (2 cos p), front and back.
"""
from reference_kit import Table, integrate, mp

f = mp.mpf
l, mb, Jb, mr, Jr, mw, Jw = (f(x) for x in ("0.25", "4", "0.06", "2", "0.05", "0.5", "0.002"))
steer, swing, k = f("0.5"), f("1.2"), f(5)
m, J = mb + mr + 2 * mw, Jb + Jr + 2 * Jw + 2 * mw * l**2


def state(t, root):
    """u, p, p', s'' from root = sqrt(G) u."""
    p, p1 = steer * mp.sin(k * t), steer * k * mp.cos(k * t)
    G = m + J * mp.tan(p)**2 / l**2
    return root / mp.sqrt(G), p, p1, -swing * k**2 * mp.sin(k * t), G


def slope(t, y):
    _, _, th, root = y
    u, p, _, s2, G = state(t, root)
    return [u * mp.cos(th), u * mp.sin(th), u * mp.tan(p) / l, -Jr * s2 * mp.tan(p) / (l * mp.sqrt(G))]


def rows(t, y):
    x, y_, th, root = y
    u, p, p1, s2, G = state(t, root)
    sec = 1 / mp.cos(p)**2
    u1 = -(Jr * s2 * mp.tan(p) / l + J / l**2 * mp.tan(p) * sec * p1 * u) / G
    w, w1 = u * mp.tan(p) / l, (u1 * mp.tan(p) + u * sec * p1) / l
    c, s = mp.cos(th), mp.sin(th)
    for name, value, force in (("board.x", x, 0), ("board.y", y_, 0), ("board.phi", th, 0), ("board.vx", u * c, 0),
                               ("board.vy", u * s, 0), ("board.w", w, 0),
                               ("rotor.w", w + swing * k * mp.cos(k * t), 0), ("F.x", x + l * c, 0),
                               ("F.y", y_ + l * s, 0), ("front.phi", th + p, 0), ("back.phi", th - p, 0),
                               ("motor.tz", Jr * (w1 + s2), 1),
                               ("steer_f.tz", Jw * (w1 - steer * k**2 * mp.sin(k * t)), 1)):
        table.row(t, name, value, 1e-8 if force else 1e-9, 1e-8 if force else 1e-9)
    for name, sign in (("wheels_f", 1), ("wheels_b", -1)):
        push = (m * u * w + sign * (J * w1 + Jr * s2) / l) / (2 * mp.cos(p))
        table.row(t, name + ".fx", -push * mp.sin(th + sign * p), 1e-8, 1e-8)
        table.row(t, name + ".fy", push * mp.cos(th + sign * p), 1e-8, 1e-8)
    print(mp.nstr(t, 3), "x", mp.nstr(x, 8), "y", mp.nstr(y_, 8), "u", mp.nstr(u, 8))


table = Table("snakeboard", "One speed by quadrature, the path with it, integrated with 30 digits.",
              "Written with 16 digits, all of them to be trusted. tools/references/snakeboard.py")
t, y = f(0), [f(0)] * 4
for until in map(f, ("0", "0.3", "1", "3", "6")):
    y = integrate(slope, t, y, until, step=f("0.05"), columns=11) if until > t else y
    t = until
    rows(t, y)
table.write()
