# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/differential: left + right = 2 case leaves linear equations for the two wheels."""
from reference_kit import Table, mp

f = mp.mpf
ratio, radius = f(2), f("0.06")
J_wheel, J_gear = f("0.6"), f("0.002")
chalk = f("0.3")
J_case = f("0.05") + 2 * (f("1.5e-4") + f("0.4") * radius**2)  # with the spiders, which are round about their axes
J_spider = f("2.0e-4")
torque, ice, asphalt, speed = f(40), f("0.05"), f("0.40"), f(20)

# case = (left + right)/2, spin of a spider in the case = ratio (left - case) = ratio (left - right)/2
case, spider = mp.matrix([[f(1) / 2, f(1) / 2]]), mp.matrix([[ratio / 2, -ratio / 2]])
M = (J_wheel + J_gear) * mp.eye(2) + J_case * case.T * case + 2 * J_spider * spider.T * spider
C = mp.diag([ice, asphalt])


def linear(A, b, start, t):
    """[angles; speeds]' for speeds' = A speeds + b."""
    n = A.rows
    whole = mp.zeros(2 * n + 1)
    whole[0:n, n : 2 * n] = mp.eye(n)
    whole[n : 2 * n, n : 2 * n] = A
    whole[n : 2 * n, 2 * n] = b
    state = mp.expm(whole * t) * mp.matrix([0] * n + start + [1])
    return state[0:n, 0], state[n : 2 * n, 0]


def rows(t, angles, speeds, accelerations):
    for k, side in enumerate(("left", "right")):
        table.row(t, f"wheel_{side}.wx", speeds[k], FIXED)
        table.row(t, f"{side}.wx", speeds[k], FIXED)
        table.row(t, f"chalk_{side}.y", chalk * mp.cos(angles[k]), FIXED_TURNED)
        table.row(t, f"chalk_{side}.vz", chalk * mp.cos(angles[k]) * speeds[k], FIXED_TURNED)
        table.row(t, f"shaft_{side}.tx", J_wheel * accelerations[k] + C[k, k] * speeds[k], FIXED)
    w, spin, turned = (speeds[0] + speeds[1]) / 2, ratio * (speeds[0] - speeds[1]) / 2, (angles[0] + angles[1]) / 2
    table.row(t, "case.wx", w, FIXED)
    table.row(t, "spider1.wy", spin * mp.cos(turned), FIXED_TURNED)
    table.row(t, "spider1.y", radius * mp.cos(turned), FIXED_TURNED)
    table.row(t, "spider1.vz", radius * mp.cos(turned) * w, FIXED_TURNED)


FIXED, FIXED_TURNED = 1e-6, 2e-5  # rk4 with 1 ms; wheels turn 0.06 rad in a step at the end
table = Table("differential",
              "Closed form: left + right = 2 case; the linear equations of the two wheels by the matrix exponential.",
              "Written with 16 digits, all of them to be trusted. tools/references/differential.py",
              "engine.tx (variant driven): balance of power about the case.")
for t in map(f, ("0.1", "0.5", "1", "2")):
    A, b = -(M**-1) * C, M**-1 * case.T * torque
    angles, speeds = linear(A, b, [0, 0], t)
    rows(t, angles, speeds, A * speeds + b)

table.note("variant: driven")
# left = speed + d, right = speed - d:  I d' = -(ice + asphalt) d - (ice - asphalt) speed
difference = mp.matrix([1, -1])
inertia = (difference.T * M * difference)[0]
for t in map(f, ("0.1", "0.5", "1", "2")):
    A, b = mp.matrix([[-(ice + asphalt) / inertia]]), mp.matrix([(asphalt - ice) * speed / inertia])
    angle, d = linear(A, b, [0], t)
    ddot = (A * d + b)[0]
    rows(t, [speed * t + angle[0], speed * t - angle[0]], [speed + d[0], speed - d[0]], [ddot, -ddot])
    table.row(t, "engine.tx", ice * (speed + d[0]) + asphalt * (speed - d[0]), FIXED)
table.write()
