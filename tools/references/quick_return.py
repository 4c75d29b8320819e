# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/quick-return: the lever points from O4 to the crank pin, the ram follows its end; closed form.

The motor supplies the change of energy and the work of cutting: torque = (sum m (a - g).v + J w' w + F v) / rate.
"""
from reference_kit import Table, mp, rate

f = mp.mpf
r, d, lever, rod, H = (f(x) / 1000 for x in (100, 300, 600, 250, 580))
speed, g, cutting, blur = -2 * mp.pi, f("9.81"), f(600), f("0.05")


def box(m, a, b):
    return f(m), f(m) * (f(a) ** 2 + f(b) ** 2) / 12


MASS = dict(crank=(f(2), f(2) * r**2 / 12), block=box("0.5", "0.06", "0.04"), lever=(f(8), f(8) * lever**2 / 12),
            rod=(f(2), f(2) * rod**2 / 12), ram=box(15, "0.4", "0.06"))


def place(t):
    """Per body: x, y of the centre of mass and its angle."""
    phi = mp.pi / 2 + speed * t  # clockwise
    A = (r * mp.cos(phi), d + r * mp.sin(phi))
    psi = mp.atan2(A[1], A[0])
    B = (lever * mp.cos(psi), lever * mp.sin(psi))
    C = (B[0] + mp.sqrt(rod**2 - (H - B[1]) ** 2), H)
    return dict(crank=[A[0] / 2, (d + A[1]) / 2, phi], block=[A[0], A[1], psi - mp.pi / 2],
                lever=[B[0] / 2, B[1] / 2, psi],
                rod=[(B[0] + C[0]) / 2, (B[1] + C[1]) / 2, mp.asin((H - B[1]) / rod)], ram=[C[0], C[1], f(0)])


def torque(t):
    power = 0
    for name, (m, J) in MASS.items():
        v, a = (rate(lambda s: place(s)[name], t, order) for order in (1, 2))
        power += m * (a[0] * v[0] + (a[1] + g) * v[1]) + J * a[2] * v[2]
    v = rate(lambda s: place(s)["ram"][0], t)
    return (power + cutting * (1 + mp.tanh(v / blur)) / 2 * v) / speed


table = Table("quick-return",
              "Closed form of the motion, torque from the change of energy and the work of cutting.",
              "Written with 16 digits, all of them to be trusted. tools/references/quick_return.py")
for t in map(f, ("0", "0.1", "0.35", "0.5", "0.75", "1.9")):
    for quantity in ("lever.phi", "ram.x", "block.y", "rod.phi"):
        name, k = quantity.split(".")[0], ("x", "y", "phi").index(quantity.split(".")[1])
        table.row(t, quantity, place(t)[name][k])
        table.row(t, name + (".w" if k == 2 else ".v" + "xy"[k]), rate(lambda s: place(s)[name][k], t))
    table.row(t, "block.phi", place(t)["block"][2])
    table.row(t, "crank.phi", place(t)["crank"][2])
    # Reactions: the guide carries weight and tilting, the pin of the ram its inertia and the cut.
    v, a = (rate(lambda s: place(s)["ram"][0], t, order) for order in (1, 2))
    table.row(t, "pin_C.fx", 15 * a + cutting * (1 + mp.tanh(v / blur)) / 2, 1e-8, 1e-8)
    table.row(t, "motor.tz", torque(t), 1e-9, 1e-9)
table.write()
swing = mp.asin(r / d)
print("time ratio of the strokes", mp.nstr((mp.pi + 2 * swing) / (mp.pi - 2 * swing), 8), "stroke",
      mp.nstr(2 * lever * r / d, 6))
