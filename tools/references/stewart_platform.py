# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/stewart-platform: the pose is prescribed, everything else follows in closed form.

A leg with its foot F and head H turns about x by a and then about its own y by b, which its direction decides. The
forces in the legs do, for every small change of the pose, the work that weight and inertia of all bodies need (d'Alembert):

    sum_k f_k dl_k = sum_bodies m (a - g).dr + (J w' + w x J w).dtheta
"""
from reference_kit import Table, about, angular_velocity, cross, mp, rate

f = mp.mpf
base, top, height = f(1), f("0.6"), f("1.2")
roll, sway, heave, speed = mp.radians(15), f("0.15"), f("0.10"), mp.pi
GRAVITY = mp.matrix([0, 0, f("-9.81")])


def circle(radius, angle, z):
    return mp.matrix([radius * mp.cos(mp.radians(angle)), radius * mp.sin(mp.radians(angle)), z])


FEET = [circle(base, 60 * k + 30 - 18 * (-1) ** k, 0) for k in range(6)]
HEADS = [circle(top, 60 * k + 30 + 18 * (-1) ** k, 0) for k in range(6)]  # from the centre of the platform


def round_bar(m, radius, length):
    """Axis along the bar; the frame does not matter for the other two."""
    across = m * (3 * radius**2 + length**2) / 12
    return m * radius**2 / 2, across


def pose(t, change):
    """Centre and orientation of the platform, moved on by six small numbers (a shift and a turn)."""
    r = mp.matrix([0, sway * (1 - mp.cos(speed * t)), height + heave * mp.sin(speed * t)]) + mp.matrix(change[0:3])
    turn = about("x", change[3]) * about("y", change[4]) * about("z", change[5])
    return r, turn * about("x", roll * mp.sin(speed * t))


def leg(k, t, change):
    """Length, direction, and orientation relative to the start."""
    centre, R = pose(t, change)
    reach = centre + R * HEADS[k] - FEET[k]
    u = reach / mp.norm(reach)
    start = HEADS[k] + mp.matrix([0, 0, height]) - FEET[k]
    u0 = start / mp.norm(start)
    # about(y, b) u0 has the x of u; about(x, a) then brings the rest in line.
    b = mp.asin(u[0] / mp.hypot(u0[0], u0[2])) - mp.atan2(u0[0], u0[2])
    turned = about("y", b) * u0
    a = mp.atan2(u[2], u[1]) - mp.atan2(turned[2], turned[1])
    return mp.norm(reach), u, about("x", a) * about("y", b)


def bodies(t, change):
    """(mass, J in body axes, centre, orientation) of all"""
    r, R = pose(t, change)
    m, radius, thickness = f(80), f("0.7"), f("0.04")
    across = m * (3 * radius**2 + thickness**2) / 12
    found = [(m, mp.diag([across, across, m * radius**2 / 2]), r, R)]
    for k in range(6):
        length, u, turn = leg(k, t, change)
        half, u0 = leg(k, f(0), [0] * 6)[0] / 2, leg(k, f(0), [0] * 6)[1]
        for m, radius, away in ((f(6), f("0.04"), half / 2), (f(3), f("0.02"), length - half / 2)):
            along, across = round_bar(m, radius, half)
            J = across * mp.eye(3) + (along - across) * u0 * u0.T
            found.append((m, J, FEET[k] + away * u, turn))
    return found


def leg_forces(t):
    still = [f(0)] * 6
    unit = lambda j, x: [x if i == j else f(0) for i in range(6)]
    needed, lengthened = mp.zeros(6, 1), mp.zeros(6)
    for n, (m, J, _, R) in enumerate(bodies(t, still)):
        a = rate(lambda s: bodies(s, still)[n][2], t, 2)
        turn = lambda s: bodies(s, still)[n][3]
        w = angular_velocity(turn, t)
        wdot = rate(lambda s: angular_velocity(turn, s), t)
        inertia = R * J * R.T
        force, moment = m * (a - GRAVITY), inertia * wdot + cross(w, inertia * w)
        for j in range(6):
            dr = rate(lambda x: bodies(t, unit(j, x))[n][2], f(0))
            dtheta = angular_velocity(lambda x: bodies(t, unit(j, x))[n][3], f(0))
            needed[j] += (force.T * dr)[0] + (moment.T * dtheta)[0]
    for j in range(6):
        for k in range(6):
            lengthened[j, k] = rate(lambda x: leg(k, t, unit(j, x))[0], f(0))
    return mp.lu_solve(lengthened, needed)


table = Table("stewart-platform",
              "Closed form of the motion; forces in the legs from d'Alembert's principle with 20 digits.",
              "Written with 16 digits, all of them to be trusted. tools/references/stewart_platform.py",
              "leg: force of the driver on the rod, along the leg from foot to head.")
still = [f(0)] * 6
mp.mp.dps = 20
for t in map(f, ("0", "0.25", "0.5", "1.3", "1.9")):
    angle, w = (x(lambda s: roll * mp.sin(speed * s)) for x in (lambda y: y(t), lambda y: rate(y, t)))
    centre, v = (x(lambda s: pose(s, still)[0]) for x in (lambda y: y(t), lambda y: rate(y, t)))
    for quantity, value in (("x", centre[0]), ("y", centre[1]), ("z", centre[2]), ("e0", mp.cos(angle / 2)),
                            ("e1", mp.sin(angle / 2)), ("e2", 0), ("vy", v[1]), ("vz", v[2]), ("wx", w), ("wz", 0)):
        table.row(t, "platform." + quantity, value)
    rod = lambda s: bodies(s, still)[4][2]  # cylinders and rods alternate after the platform
    for i, axis in enumerate("xyz"):
        table.row(t, "rod1." + axis, rod(t)[i])
        table.row(t, "rod1.v" + axis, rate(rod, t)[i])
        table.row(t, "cylinder4.w" + axis, angular_velocity(lambda s: bodies(s, still)[9][3], t)[i])
    forces = leg_forces(t)
    for k in range(6):
        u = leg(k, t, still)[1]
        for i in range(3) if k == 0 else [2]:
            table.row(t, f"leg{k}.f{'xyz'[i]}", forces[k] * u[i], 1e-8, 1e-8)
    print(mp.nstr(t, 4), [mp.nstr(x, 8) for x in forces])
table.write()
