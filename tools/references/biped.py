# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/biped. The motion in closed form; forces and moments by d'Alembert's principle.

Heel and toe stay where they are and the feet roll as prescribed, so both ankles are known. A leg whose knee is bent by k
is as long as |l1 + l2 exp(-i k)|: the hip is the upper intersection of two circles. Accelerations are differentiated
with many digits. In the coordinates q = (x, y, th, th1 ... th6), trunk, front thigh, shank and foot, rear ones, the
rows have the gradients A, and A^T lambda is what inertia and weight ask for.
"""
from reference_kit import Table, mp, rate

f = mp.mpf
H, m = f("1.8"), f(75)
l1, l2, h = f("0.245") * H, f("0.246") * H, f("0.039") * H
toe, heel = f("0.114") * H, f("0.038") * H
lc = f("0.626") * f("0.288") * H
below, g, w = f("0.433"), f("9.81"), mp.pi
masses = [f("0.678") * m] + 2 * [f("0.1") * m, f("0.0465") * m, f("0.0145") * m]
foot_length = f("0.152") * H
radii = [f("0.496") * f("0.288") * H] + 2 * [f("0.323") * l1, f("0.302") * l2, f("0.475") * foot_length]
inertias = [mass * radius**2 for mass, radius in zip(masses, radii)]
NAMES = ["trunk", "thigh_f", "shank_f", "foot_f", "thigh_r", "shank_r", "foot_r"]

lean, lift, front = 4 * mp.pi / 9, mp.pi / 9, f(2)
hip0 = mp.mpc(f("0.056") - lc * mp.cos(lean), (l1 + l2) * mp.sin(front) + heel * mp.sin(lift) + h * mp.cos(lift))
rear = mp.asin((hip0.imag - h) / (l1 + l2))


def turn(angle):
    return mp.expj(angle)


HEEL = (hip0 - (l1 + l2) * turn(front) + turn(lift) * mp.mpc(-heel, -h)).real
TOE = (hip0 - (l1 + l2) * turn(rear) + mp.mpc(toe, -h)).real


def motion(t):
    """q at the time t."""
    swing = 1 - mp.cos(w * t)
    knee, th, th3, th6 = mp.pi / 10 * swing, lean + mp.pi / 18 * swing, lift - mp.pi / 18 * swing, -mp.pi / 18 * swing
    ankle_f, ankle_r = HEEL - turn(th3) * mp.mpc(-heel, -h), TOE - turn(th6) * mp.mpc(toe, -h)
    leg = l1 + l2 * turn(-knee)
    half = (ankle_f - ankle_r) / 2
    hip = ankle_r + half + mp.mpc(0, 1) * half / abs(half) * mp.sqrt(abs(leg)**2 - abs(half)**2)
    th1, th4 = mp.arg((hip - ankle_f) / leg), mp.arg((hip - ankle_r) / leg)
    centre = hip + lc * turn(th)
    return [centre.real, centre.imag, th, th1, th1 - knee, th3, th4, th4 - knee, th6]


def places(q):
    """Centres of the seven bodies, heel and toe."""
    hip = mp.mpc(q[0], q[1]) - lc * turn(q[2])
    found = [mp.mpc(q[0], q[1])]
    ends = []
    for th, sh, ft in (q[3:6], q[6:9]):
        knee = hip - l1 * turn(th)
        ankle = knee - l2 * turn(sh)
        found += [hip - below * l1 * turn(th), knee - below * l2 * turn(sh),
                  ankle + turn(ft) * mp.mpc((toe - heel) / 2, -h / 2)]
        ends.append(ankle + turn(ft) * mp.mpc(toe if len(found) > 4 else -heel, -h))
    return found + ends


def slopes(q):
    """Derivatives of all places by each coordinate, by central differences with three times the digits."""
    digits = mp.mp.dps
    columns = []
    with mp.workdps(3 * digits):
        e = f(10) ** -digits
        for k in range(9):
            ahead, behind = ([x + s * e * (i == k) for i, x in enumerate(q)] for s in (1, -1))
            columns.append([(a - b) / (2 * e) for a, b in zip(places(ahead), places(behind))])
    return columns


def loads(t):
    """lambda: vertical at heel and toe, moments of the five drivers, horizontal at heel and toe."""
    q = motion(t)
    acc = rate(lambda s: [part for z in places(motion(s))[:7] for part in (z.real, z.imag)], t, 2)
    turning = rate(motion, t, 2)[2:]
    J = slopes(q)
    need, A = mp.matrix(9, 1), mp.matrix(9, 9)
    for k in range(9):
        for i in range(7):
            need[k] += masses[i] * (acc[2 * i] * J[k][i].real + (acc[2 * i + 1] + g) * J[k][i].imag)
        if k >= 2:
            need[k] += inertias[k - 2] * turning[k - 2]
        for end in range(2):
            A[end, k], A[7 + end, k] = J[k][7 + end].imag, J[k][7 + end].real
    for row, terms in enumerate((((4, 1), (3, -1)), ((7, 1), (6, -1)), ((2, 1),), ((5, 1),), ((8, 1),))):
        for k, sign in terms:
            A[2 + row, k] = sign
    return mp.lu_solve(A.T, need)


table = Table("biped", "The motion in closed form, forces and moments by d'Alembert's principle, with 30 digits.",
              "Written with 16 digits, all of them to be trusted. tools/references/biped.py", "step: 0.01")
for t in map(f, ("0", "0.25", "1", "1.7", "10.3", "100")):
    q, lam = motion(t), loads(t)
    velocity = rate(motion, t)
    for i, (name, z) in enumerate(zip(NAMES, places(q))):
        table.row(t, name + ".x", z.real, 1e-10, 1e-9)
        table.row(t, name + ".y", z.imag, 1e-10, 1e-9)
        table.row(t, name + ".phi", q[2 + i], 1e-10, 1e-9)
        table.row(t, name + ".w", velocity[2 + i], 1e-9, 1e-9)
    table.row(t, "trunk.vx", velocity[0], 1e-9, 1e-9)
    table.row(t, "trunk.vy", velocity[1], 1e-9, 1e-9)
    for quantity, value in (("heel_f.x", HEEL), ("toe_r.x", TOE), ("heel_f.y", 0), ("toe_r.y", 0)):
        table.row(t, quantity, value, 1e-10, 1e-9)
    for quantity, value in zip(("heel.fy", "toe.fy", "bend_f.tz", "bend_r.tz", "posture.tz", "roll_f.tz", "roll_r.tz",
                                "heel_grip.fx", "toe_grip.fx"), lam):
        table.row(t, quantity, value, 1e-7, 1e-7)
    print(mp.nstr(t, 4), "x", mp.nstr(q[0], 16), "y", mp.nstr(q[1], 16), "heel", mp.nstr(lam[0], 15), mp.nstr(lam[7], 15))
table.write()
