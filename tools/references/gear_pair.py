# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/gear-pair: one linear equation for the wheel's speed, solved in closed form."""
from reference_kit import Table, mp

f = mp.mpf
J_wheel, J_pinion = f(18) * f("0.15") ** 2 / 2, f(2) * f("0.05") ** 2 / 2
m, r, g, c, n = f(5), f("0.1"), f("9.81"), f("0.1"), 3  # the pinion turns n times as fast, the other way

inertia = J_wheel + n**2 * J_pinion + m * r**2
top_speed = m * g * r / (n**2 * c)
decay = inertia / (n**2 * c)

table = Table("gear-pair",
              "Closed form: I w' = m g r - n^2 c w for the wheel, I = J_wheel + n^2 J_pinion + m r^2, n = 3.",
              "Written with 16 digits, all of them to be trusted. tools/references/gear_pair.py")
for t in map(f, ("0.1", "0.5", "1", "3")):
    w = top_speed * (1 - mp.exp(-t / decay))
    wdot = top_speed / decay * mp.exp(-t / decay)
    turned = top_speed * (t - decay * (1 - mp.exp(-t / decay)))
    table.row(t, "wheel.phi", turned)
    table.row(t, "wheel.w", w)
    table.row(t, "pinion.phi", -n * turned)
    table.row(t, "pinion.w", -n * w)
    table.row(t, "weight.y", f("-0.5") - r * turned)
    table.row(t, "weight.vy", -r * w)
    table.row(t, "rope.fy", m * (g - r * wdot))
    table.row(t, "mesh.tz", -(m * (g - r * wdot) * r - J_wheel * wdot))
    table.row(t, "pin_O.fx", 0)
    table.row(t, "pin_P.fy", 2 * g)
table.write()
print("decay time", mp.nstr(decay, 6), "top speed", mp.nstr(top_speed, 6))
