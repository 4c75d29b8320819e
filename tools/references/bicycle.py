# SPDX-License-Identifier: BSD-3-Clause
"""Reference of models/bicycle. Small disturbances: the linear equations of Meijaard and others (2007), appendix A, solved
by the exponential of their matrix. The large push: the three speeds of lean, steer and rear wheel by Kane's method.

Axes of the second part: z up; heading psi to the left, lean phi and steer delta to the right, pitch chi forwards. The
rear wheel touches at P and rolls along its heading x1, so that P' = r_R th' x1. The point of the front wheel that touches
is at rest, which gives psi', chi' and the spin of the front wheel; chi itself keeps that wheel on the road. Wheels are
round, so their spin angles do not matter. Partial velocities are differentiated along the motion by a step into the
complex numbers, which loses no digits.
"""
from reference_kit import Table, integrate, mp

f = mp.mpf
w, c, lam, g = f("1.02"), f("0.08"), mp.pi / 10, f("9.81")
rR, mR, IRx, IRy = f("0.3"), f(2), f("0.0603"), f("0.12")
xB, zB, mB, IBx, IBy, IBz, IBxz = f("0.3"), f("-0.9"), f(85), f("9.2"), f(11), f("2.8"), f("2.4")
xH, zH, mH, IHx, IHy, IHz, IHxz = f("0.9"), f("-0.7"), f(4), f("0.05892"), f("0.06"), f("0.00708"), f("-0.00756")
rF, mF, IFx, IFy = f("0.35"), f(3), f("0.1405"), f("0.28")
SIN, COS = mp.sin(lam), mp.cos(lam)
mT = mR + mB + mH + mF
xT = (xB * mB + xH * mH + w * mF) / mT
zT = (-rR * mR + zB * mB + zH * mH - rF * mF) / mT


# ---- Small disturbances; z down, as in the paper ----

def linear_matrices():
    ITx = IRx + IBx + IHx + IFx + mR * rR**2 + mB * zB**2 + mH * zH**2 + mF * rF**2
    ITxz = IBxz + IHxz - mB * xB * zB - mH * xH * zH + mF * w * rF
    ITz = IRx + IBz + IHz + IFx + mB * xB**2 + mH * xH**2 + mF * w**2
    mA = mH + mF
    xA, zA = (xH * mH + w * mF) / mA, (zH * mH - rF * mF) / mA
    IAx = IHx + IFx + mH * (zH - zA)**2 + mF * (rF + zA)**2
    IAxz = IHxz - mH * (xH - xA) * (zH - zA) + mF * (w - xA) * (rF + zA)
    IAz = IHz + IFx + mH * (xH - xA)**2 + mF * (w - xA)**2
    uA = (xA - w - c) * COS - zA * SIN
    IAll = mA * uA**2 + IAx * SIN**2 + 2 * IAxz * SIN * COS + IAz * COS**2
    IAlx, IAlz = -mA * uA * zA + IAx * SIN + IAxz * COS, mA * uA * xA + IAxz * SIN + IAz * COS
    mu, SR, SF = c / w * COS, IRy / rR, IFy / rF
    ST, SA = SR + SF, mA * uA + mu * mT * xT
    cross_mass = IAlx + mu * ITxz
    M = mp.matrix([[ITx, cross_mass], [cross_mass, IAll + 2 * mu * IAlz + mu**2 * ITz]])
    K0 = mp.matrix([[mT * zT, -SA], [-SA, -SA * SIN]])
    K2 = mp.matrix([[0, (ST - mT * zT) / w * COS], [0, (SA + SF * SIN) / w * COS]])
    C1 = mp.matrix([[0, mu * ST + SF * COS + ITxz / w * COS - mu * mT * zT],
                    [-(mu * ST + SF * COS), IAlz / w * COS + mu * (SA + ITz / w * COS)]])
    return M, C1, K0, K2


def linear_system(v):
    """Of (phi, delta, phi', delta', psi, y of the rear contact)."""
    M, C1, K0, K2 = linear_matrices()
    stiffness, damping = M**-1 * (g * K0 + v**2 * K2), M**-1 * (v * C1)
    A = mp.matrix(6, 6)
    for i in range(2):
        A[i, 2 + i] = 1
        for j in range(2):
            A[2 + i, j], A[2 + i, 2 + j] = -stiffness[i, j], -damping[i, j]
    A[4, 1], A[4, 3], A[5, 4] = v * COS / w, c * COS / w, v
    return A


def eigenvalues(v):
    return sorted(mp.eig(linear_system(v)[:4, :4], left=False, right=False), key=lambda x: (x.real, x.imag))


def linear_rows(t, v, push):
    A = linear_system(v)
    y = mp.expm(A * t) * mp.matrix([0, 0, push, 0, 0, 0])
    phi, delta, phi1, delta1, psi, yP = y
    psi1 = (A * y)[4]
    forms = {"frame.e1": phi / 2, "frame.e3": -psi / 2, "fork.e1": (phi + delta * SIN) / 2,
             "fork.e3": -(psi + delta * COS) / 2, "frame.wx": phi1, "frame.wz": -psi1, "fork.wx": phi1 + delta1 * SIN,
             "fork.wz": -(psi1 + delta1 * COS), "frame.y": -(yP + xB * psi - zB * phi)}
    near = 1e-10 if v < 4.29 else 1e-11  # weave grows below that, and terms of third order with it
    for quantity, value in forms.items():
        table.row(t, quantity, value, near, near)
    table.row(t, "frame.vx", v, 1e-6, 1e-6)
    table.row(t, "rear.fz", mT * g * (1 - xT / w), 1e-5, 1e-5)
    table.row(t, "front.fz", mT * g * xT / w, 1e-5, 1e-5)


# ---- A large push; z up ----

def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def add(*vectors):
    return [sum(parts) for parts in zip(*vectors)]


def times(k, a):
    return [k * x for x in a]


def turn(axes, i, j, angle):
    """Axes i and j of a set turned in their plane, from i to j."""
    co, si = mp.cos(angle), mp.sin(angle)
    turned = list(axes)
    turned[i] = add(times(co, axes[i]), times(si, axes[j]))
    turned[j] = add(times(co, axes[j]), times(-si, axes[i]))
    return turned


def solve3(columns, b):
    det = dot(columns[0], cross(columns[1], columns[2]))
    return [dot(b, cross(columns[1], columns[2])) / det, dot(columns[0], cross(b, columns[2])) / det,
            dot(columns[0], cross(columns[1], b)) / det]


def sight(axes, x):
    return add(*(times(a, axis) for a, axis in zip(x, axes)))


Z = [f(0), f(0), f(1)]
UNIT = [[f(1), f(0), f(0)], [f(0), f(1), f(0)], Z]


def pose(q):
    """Axes of the rear wheel without its spin, of the frame and the fork, and the steering axis."""
    psi, phi, chi, delta = q
    wheel = turn(turn(UNIT, 0, 1, psi), 1, 2, phi)
    frame = turn(wheel, 2, 0, chi)
    steer = sight(frame, [SIN, 0, -COS])
    side = [sight(frame, [COS, 0, SIN]), frame[1], steer]  # x ahead of the axis; x cross y is up, against the axis
    side = turn(side, 1, 0, delta)
    fork = [add(times(COS, side[0]), times(SIN, steer)), side[1], add(times(SIN, side[0]), times(-COS, steer))]
    return wheel, frame, fork, steer


def arms(q):
    """From P: hubs, centres, a point of the steering axis; and from the front hub to where that wheel touches."""
    wheel, frame, fork, steer = pose(q)
    hub = times(rR, wheel[2])
    head = add(hub, sight(frame, [w + c, 0, -rR]))
    front = add(head, sight(fork, [-c, 0, rF]))
    up = add(Z, times(-dot(Z, fork[1]), fork[1]))
    down = times(-rF / mp.sqrt(dot(up, up)), up)
    return hub, add(hub, sight(frame, [xB, 0, -zB - rR])), add(head, sight(fork, [xH - w - c, 0, -zH])), head, front, down


def height(q):
    front, down = arms(q)[4:]
    return front[2] + down[2]


def pitch(psi, phi, delta, chi):
    """The pitch at which the front wheel touches."""
    for _ in range(60):
        rise = mp.im(height((psi, phi, mp.mpc(chi, STEP), delta))) / STEP
        miss = height((psi, phi, chi, delta)) / rise
        chi -= miss
        if abs(miss) < mp.eps * 10:
            break
    return chi


STEP = f(10) ** -40


def velocities(q, psi1, phi1, chi1, delta1, th1, spin1):
    """(v, w) of rear wheel, frame, fork and front wheel, and the velocity of the front contact."""
    wheel, frame, fork, steer = pose(q)
    hub, centre, fork_centre, head, front, down = arms(q)
    rolls = times(rR * th1, wheel[0])
    w0 = add(times(psi1, Z), times(phi1, wheel[0]))
    wB = add(w0, times(chi1, wheel[1]))
    wH = add(wB, times(delta1, steer))
    wF = add(wH, times(spin1, fork[1]))
    v0 = add(rolls, cross(w0, hub))

    def of_frame(x):
        return add(v0, cross(wB, add(x, times(-1, hub))))

    def of_fork(x):
        return add(of_frame(head), cross(wH, add(x, times(-1, head))))

    vF = of_fork(front)
    bodies = [(v0, add(w0, times(th1, wheel[1]))), (of_frame(centre), wB), (of_fork(fork_centre), wH), (vF, wF)]
    return bodies, add(vF, cross(wF, down))


def partial(q):
    """For each speed phi', delta', th': its psi', chi', front spin, and (v, w) of the bodies."""
    units = [[int(i == k) for i in range(6)] for k in range(6)]
    slips = [velocities(q, *unit)[1] for unit in units]
    found = []
    for k in (1, 3, 4):
        psi1, chi1, spin1 = solve3([slips[0], slips[2], slips[5]], times(-1, slips[k]))
        speeds = [psi1, int(k == 1), chi1, int(k == 3), int(k == 4), spin1]
        found.append((psi1, chi1, velocities(q, *speeds)[0]))
    return found


MASSES = [mR, mB, mH, mF]
INERTIAS = [(IRx, IRy, IRx, 0), (IBx, IBy, IBz, -IBxz), (IHx, IHy, IHz, -IHxz), (IFx, IFy, IFx, 0)]


def momenta(q, found):
    """m v and I w of the bodies, for each speed."""
    wheel, frame, fork, _ = pose(q)
    made = []
    for _, _, bodies in found:
        row = []
        for m, (Ix, Iy, Iz, Ixz), axes, (v, turning) in zip(MASSES, INERTIAS, (wheel, frame, fork, fork), bodies):
            x, y, z = (dot(turning, axis) for axis in axes)
            row.append((times(m, v), sight(axes, [Ix * x + Ixz * z, Iy * y, Ixz * x + Iz * z])))
        made.append(row)
    return made


def slope(_, y):
    x, y_, psi, phi, delta, u0, u1, u2 = y
    u = [u0, u1, u2]
    q = (psi, phi, pitch(psi, phi, delta, f(0)), delta)
    found = partial(q)
    psi1, chi1 = (sum(u[k] * found[k][i] for k in range(3)) for i in (0, 1))
    moved = tuple(mp.mpc(a, STEP * b) for a, b in zip(q, (psi1, u0, chi1, u1)))
    here, ahead = momenta(q, found), momenta(moved, partial(moved))
    A, b = mp.matrix(3, 3), mp.matrix(3, 1)
    for k in range(3):
        for i, (v, turning) in enumerate(found[k][2]):
            for j in range(3):
                A[k, j] += dot(v, here[j][i][0]) + dot(turning, here[j][i][1])
                change = [[mp.im(a) / STEP for a in part] for part in ahead[j][i]]
                b[k] -= u[j] * (dot(v, change[0]) + dot(turning, change[1]))
            b[k] -= MASSES[i] * g * v[2]
    rates = mp.lu_solve(A, b)
    return [rR * u2 * mp.cos(psi), rR * u2 * mp.sin(psi), psi1, u0, u1, *rates]


def parameters_of(axes):
    """Euler parameters of axes that are not far from the global ones; e0 is positive."""
    e0 = mp.sqrt(1 + axes[0][0] + axes[1][1] + axes[2][2]) / 2
    return [e0, (axes[1][2] - axes[2][1]) / (4 * e0), (axes[2][0] - axes[0][2]) / (4 * e0),
            (axes[0][1] - axes[1][0]) / (4 * e0)]


def rows(t, y):
    x, y_, psi, phi, delta, *u = y
    q = (psi, phi, pitch(psi, phi, delta, f(0)), delta)
    found = partial(q)
    bodies = [tuple(add(*(times(u[k], found[k][2][i][part]) for k in range(3))) for part in (0, 1)) for i in range(4)]
    wheel, frame, fork, _ = pose(q)
    hub, centre, fork_centre, _, front, _ = arms(q)
    for k, axis in enumerate("xyz"):
        P = (x, y_, 0)[k]
        for i, (name, at) in enumerate((("rear_wheel", hub), ("frame", centre), ("fork", fork_centre),
                                        ("front_wheel", front))):
            table.row(t, f"{name}.{axis}", P + at[k], 1e-8, 1e-9)
            table.row(t, f"{name}.v{axis}", bodies[i][0][k], 1e-8, 1e-9)
            table.row(t, f"{name}.w{axis}", bodies[i][1][k], 1e-7, 1e-8)
    for name, axes in (("frame", frame), ("fork", fork)):
        for k, e in enumerate(parameters_of(axes)):
            table.row(t, f"{name}.e{k}", e, 1e-8, 1e-9)
    energy = sum(m * g * at[2] for m, at in zip(MASSES, (hub, centre, fork_centre, front)))
    made = momenta(q, found)
    for i, (v, turning) in enumerate(bodies):
        p, h = (add(*(times(u[k], made[k][i][part]) for k in range(3))) for part in (0, 1))
        energy += (dot(p, v) + dot(h, turning)) / 2
    table.row(t, "energy.total", energy, 1e-8, 1e-8)
    print(mp.nstr(t, 3), "lean", mp.nstr(mp.degrees(phi), 8), "steer", mp.nstr(mp.degrees(delta), 8), "heading",
          mp.nstr(mp.degrees(psi), 8), "energy", mp.nstr(energy, 16))


table = Table("bicycle", "Kane's method with three speeds, integrated with 20 digits; where lean_rate is set, the linear",
              "equations of Meijaard and others (2007). Written with 16 digits. tools/references/bicycle.py")
mp.mp.dps = 20
t, y = f(0), [f(0), f(0), f(0), f(0), f(0), f("0.5"), f(0), f("4.6") / rR]
for until in map(f, ("0", "0.5", "1", "2", "5")):
    y = integrate(slope, t, y, until, step=f("0.1"), columns=8) if until > t else y
    t = until
    rows(t, y)
mp.mp.dps = 30

for v in map(f, ("4.6", "5", "4.2", "6.1")):
    print("v", mp.nstr(v, 3), [mp.nstr(x, 6) for x in eigenvalues(v)])
    table.note("set: parameters.lean_rate=1e-4")
    table.note(f"set: parameters.speed={mp.nstr(v, 3)}")
    for t in map(f, ("0", "0.3", "1", "3")):
        linear_rows(t, v, f("1e-4"))
# Published: weave begins at 4.292383 m/s, capsize at 6.024262 m/s.
weave = mp.findroot(lambda v: eigenvalues(v)[-1].real if abs(eigenvalues(v)[-1].imag) > 1 else 1, (f("4.28"), f("4.30")))
capsize = mp.findroot(lambda v: eigenvalues(v)[-1].real, (f("6.0"), f("6.05")))
print("weave", mp.nstr(weave, 8), "capsize", mp.nstr(capsize, 8))
table.write()
