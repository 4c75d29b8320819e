# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/planetary-gear: Willis' equation and constant inertias give linear equations for the speeds."""
from reference_kit import Table, mp

f = mp.mpf
zs, zp, zr, count = f(24), f(24), f(72), 3
rs = rp = f("0.06")
arm = rs + rp
Js, Jp = f(4) * rs**2 / 2, f(2) * rp**2 / 2
Jc, Jr = f("0.03") + count * f(2) * arm**2, f("0.3")  # the carrier carries the masses of the planets
torque, load = f(10), f(4)

# Speeds (sun, carrier, ring, planet) for unit speed of the sun and of the carrier. Willis: with respect to the carrier,
# planet = -zs/zp sun and ring = -zs/zr sun.
unit_sun = mp.matrix([1, 0, -zs / zr, -zs / zp])
unit_carrier = mp.matrix([0, 1, 1 + zs / zr, 1 + zs / zp])
inertia = mp.diag([Js, Jc, Jr, count * Jp])


def first_order(shape, damping, t):
    """I w' = torque - damping w for motions `shape` times the speed of the sun."""
    I = (shape.T * inertia * shape)[0]
    w = torque / damping * (1 - mp.exp(-damping * t / I))
    return torque / damping * t - I / damping * w, w, torque / I * mp.exp(-damping * t / I)


FIXED = 5e-8  # rk4 with 1 ms: the motor starts with a jerk
table = Table("planetary-gear",
              "Closed form: Willis' equation leaves one linear equation (variant free: two), constant coefficients.",
              "Written with 16 digits, all of them to be trusted. tools/references/planetary_gear.py",
              "brake.tz: what is missing in the balance of angular momentum of the whole about O.")
TIMES = [f("0.05"), f("0.2"), f(1)]

ring_held = unit_sun + unit_carrier * zs / (zs + zr)
for t in TIMES:
    angle, w, wdot = first_order(ring_held, load * ring_held[1] ** 2, t)
    for k, name in enumerate(("sun", "carrier", "ring", "planet1")):
        table.row(t, name + ".phi", ring_held[k] * angle, FIXED)
        table.row(t, name + ".w", ring_held[k] * w, FIXED)
    place = 2 * mp.pi / 3 + ring_held[1] * angle
    table.row(t, "planet1.x", arm * mp.cos(place), FIXED)
    table.row(t, "planet1.vy", arm * mp.cos(place) * ring_held[1] * w, FIXED)
    change = (mp.matrix([1, 1, 1, 1]).T * inertia * ring_held)[0] * wdot
    table.row(t, "brake.tz", change - torque + load * ring_held[1] * w, FIXED)

table.note("variant: carrier-held")
for t in TIMES:
    angle, w, wdot = first_order(unit_sun, load * unit_sun[2] ** 2, t)
    for k, name in enumerate(("sun", "carrier", "ring", "planet1")):
        table.row(t, name + ".phi", unit_sun[k] * angle, FIXED)
        table.row(t, name + ".w", unit_sun[k] * w, FIXED)
    change = (mp.matrix([1, 1, 1, 1]).T * inertia * unit_sun)[0] * wdot
    # The fan sits between carrier and ring, so it is an inner torque here.
    table.row(t, "brake.tz", change - torque, FIXED)

table.note("variant: free")
shapes = mp.matrix([[unit_sun[k], unit_carrier[k]] for k in range(4)])
M = shapes.T * inertia * shapes
A, b = M**-1 * mp.diag([0, -load]), M**-1 * mp.matrix([torque, 0])
for t in TIMES:
    # [angles; speeds; 1]' = matrix [angles; speeds; 1]
    whole = mp.zeros(5)
    whole[0, 2] = whole[1, 3] = 1
    whole[2:4, 2:4], whole[2:4, 4] = A, b
    state = mp.expm(whole * t) * mp.matrix([0, 0, 0, 0, 1])
    for k, name in enumerate(("sun", "carrier", "ring", "planet1")):
        table.row(t, name + ".phi", (shapes * state[0:2, 0])[k], FIXED)
        table.row(t, name + ".w", (shapes * state[2:4, 0])[k], FIXED)
table.write()
