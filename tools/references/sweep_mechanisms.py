#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes tests/sweep/mechanisms/*.csv: 21 equidistant states of mechanisms, from closed forms or by Runge-Kutta in
minimal coordinates. Knows nothing of holon; needs no library; takes two minutes.

A file has a line `t,column,...` and one line for each state. `# impossible` says that no motion exists until the end:
a run that finishes is wrong. Steps of integrations end where a force jumps, and are halved until nothing changes.
"""
from bisect import bisect
from math import acosh, atan2, ceil, cos, cosh, exp, floor, hypot, pi, sin, sinh, sqrt
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "sweep" / "mechanisms"
G = 9.81


def write(name, until, columns, state):
    times = [until * k / 20 for k in range(21)]
    lines = [",".join(["t", *columns])]
    lines += [",".join(f"{x:.15g}" for x in [t, *state(t)]) for t in times]
    (FOLDER / f"{name}.csv").write_text("\n".join(lines) + "\n")


def impossible(name):
    (FOLDER / f"{name}.csv").write_text("# impossible\n")


def rk4(slope, t, y, until, h):
    n = max(1, ceil((until - t) / h - 1e-9))
    h = (until - t) / n
    for k in range(n):
        s = t + k * h
        a = slope(s, y)
        b = slope(s + h / 2, [p + h / 2 * q for p, q in zip(y, a)])
        c = slope(s + h / 2, [p + h / 2 * q for p, q in zip(y, b)])
        d = slope(s + h, [p + h * q for p, q in zip(y, c)])
        y = [p + h / 6 * (e + 2 * f + 2 * g + i) for p, e, f, g, i in zip(y, a, b, c, d)]
    return y


def integrated(slope, y0, until, step, jumps=(), change=1e-9):
    """The states at the 21 times. slope(t, y) may jump at `jumps`; a step begins just after and ends just before."""

    def path(h):
        states, t, y = [y0], 0.0, y0
        for k in range(1, 21):
            end = until * k / 20
            for mark in [*[j for j in jumps if t < j < end], end]:
                middle = (t + mark) / 2
                y = rk4(lambda s, x: slope(s, x, middle), t, y, mark, h)
                t = mark
            states.append(y)
        return states

    coarse, fine = path(step), path(step / 2)
    gap = max(abs(a - b) for p, q in zip(coarse, fine) for a, b in zip(p, q))
    size = max(abs(a) for p in fine for a in p)
    assert gap < change * size, (gap, size)
    return lambda t: fine[round(20 * t / until)]


def uniform_bar(name, until, length, angle, rate=0.0, torque=None, jumps=(), column="bar", step=1e-3):
    """A uniform bar hinged at its end: phi'' = -3 g / (2 L) cos phi + 3 torque / (m L^2), m = 1."""

    def slope(_, y, middle):
        more = 3 * torque(middle) / length**2 if torque else 0
        return [y[1], -1.5 * G / length * cos(y[0]) + more]

    path = integrated(slope, [angle, rate], until, step, jumps)
    write(name, until, [f"{column}.phi"], lambda t: [path(t)[0]])


# ---- Pulses ----

def after_pulse(t, begin, length, rate):
    """The displacement by a constant acceleration `rate` that lasts for `length`."""
    s = min(max(t - begin, 0), length)
    return rate * s * s / 2 + rate * length * max(t - begin - length, 0)


def half_sine(t, begin=0.503, length=0.01, most=100):
    s = min(max(t - begin, 0), length)
    w = pi / length
    speed = most / w * (1 - cos(w * s))
    return most / w * (s - sin(w * s) / w) + speed * max(t - begin - length, 0)


write("pulse-1us", 0.1, ["cart.x"], lambda t: [after_pulse(t, 0.0333337, 1e-6, 1e6)])
write("pulse-10us", 1, ["rotor.phi"], lambda t: [t + after_pulse(t, 0.777771, 1e-5, 2e5)])
write("pulse-10ms", 1, ["cart.x"], lambda t: [half_sine(t)])
uniform_bar("pulse-1ms", 1, 1, -pi / 2, torque=lambda t: 1000 if 0.1234 < t < 0.1244 else 0, jumps=(0.1234, 0.1244),
            step=2e-4)

# ---- Pendula of all sizes ----

uniform_bar("micro-pendulum", 5e-3, 1e-5, 0, step=2e-6)
uniform_bar("giant-pendulum", 1000, 1e5, 0, step=0.5)


def door():
    """Gravity across the axis is 4 m/s^2 towards -x; inertia about the axis 2 + 20 * 0.25."""
    path = integrated(lambda _, y, __: [y[1], 20 * 4 * 0.5 * sin(y[0]) / 7], [0.0, 2.0], 2, 1e-3)
    write("redundant-door", 2, ["door.x", "door.y"], lambda t: [0.5 * cos(path(t)[0]), 0.5 * sin(path(t)[0])])


def light():
    """The heavy bar does not feel the light one: b'' follows from its accelerated end."""

    def slope(_, y, __):
        a, u, b, v = y
        da = -1.5 * G * cos(a)
        x, z = -da * sin(a) - u * u * cos(a), da * cos(a) - u * u * sin(a)
        return [u, da, v, -1.5 / 0.5 * ((z + G) * cos(b) - x * sin(b))]

    path = integrated(slope, [0.0] * 4, 1, 2e-4)
    write("light-body", 1, ["heavy.phi", "light.phi"], lambda t: [path(t)[0], path(t)[2]])


def shaken():
    """The support moves by 0.05 sin(60 pi t), the bar has the length of [0.2, 0.979795897]."""
    angle = atan2(0.979795897, 0.2)
    length = sqrt(0.2**2 + 0.979795897**2)
    w = 60 * pi
    path = integrated(lambda t, y, _: [y[1], -1.5 / length * (G - 0.05 * w * w * sin(w * t)) * cos(y[0])],
                      [angle, 0.0], 1, 5e-5)
    write("shaken-pendulum", 1, ["bar.phi"], lambda t: [path(t)[0]])


door()
light()
shaken()

# ---- Oscillators ----

write("stiff-bushing", 0.02, ["block.x"], lambda t: [1e-4 * sin(1e4 * t)])
write("torsion-turns", 2, ["wheel.phi"], lambda t: [20 * sin(4 * t)])


def overdamped(t, c=1e5, k=1e5):
    """x = 0.5 + 0.5 (r e^(s t) - s e^(r t)) / (r - s), the roots of s^2 + c s + k."""
    root = sqrt(c * c - 4 * k)
    r = -(c + root) / 2
    s = k / r
    return 0.5 + 0.5 * (r * exp(s * t) - s * exp(r * t)) / (r - s)


write("overdamped", 1, ["block.x"], lambda t: [overdamped(t)])


def bouncing(t, g=G, k=1e6, height=0.1):
    """A fall of 0.1 m, then half and more of an oscillation about the static depth, and again."""
    w, fall = sqrt(k), sqrt(2 * height / g)
    speed, depth = g * fall, g / k
    # In contact x - 0.1 = -depth + depth cos w s - speed / w sin w s, until it is zero again.
    contact = 2 * (pi - atan2(speed / w, depth)) / w
    s = (t + fall) % (2 * fall + contact)
    if s > 2 * fall:
        s -= 2 * fall
        return 0.1 - depth + depth * cos(w * s) - speed / w * sin(w * s)
    return 0.1 + speed * s - g * s * s / 2


write("bouncing-stop", 2, ["weight.y"], lambda t: [bouncing(t)])


def elastic_rod():
    """Polar coordinates of the bob, spring 1e9 N/m."""

    def slope(_, y, __):
        x, z, u, v = y
        length = sqrt(x * x + z * z)
        f = 1e9 * (length - 1) / length
        return [u, v, -f * x, -f * z - G]

    path = integrated(slope, [1.0, 0.0, 0.0, 0.0], 0.5, 4e-6, change=1e-5)
    write("elastic-rod-pendulum", 0.5, ["bob.x", "bob.y"], lambda t: path(t)[:2])


elastic_rod()

# ---- Friction ----

write("coulomb", 1, ["block.x"], lambda t: [0.1 + (10 * t - 10 * t * t if t < 0.5 else 2.5)])


def sticking(t):
    """Half oscillations about 0.5 -+ 0.06 of decreasing amplitude, until the spring is weaker than friction."""
    x, w, direction = 1.0, 10.0, -1
    while 100 * abs(x - 0.5) > 6:
        middle = 0.5 - direction * 0.06
        if t < pi / w:
            return middle + (x - middle) * cos(w * t)
        x, t, direction = 2 * middle - x, t - pi / w, -direction
    return x


write("coulomb-sticking", 2, ["block.x"], lambda t: [sticking(t)])

# ---- Motors and tables ----

def piecewise_motor(t):
    return 2 * min(t, 0.3033) - 10 * min(max(t - 0.3033, 0), 0.3044) + 30 * min(max(t - 0.6077, 0), 0.1923)


def table_of(points, t):
    for (a, x), (b, y) in zip(points, points[1:]):
        if t <= b:
            return x + (y - x) * (t - a) / (b - a)
    return points[-1][1]


def crank(t):
    angle = table_of([(0, 0), (0.3033, 1), (0.6077, -1), (0.8, 2), (1, 2)], t)
    return [angle, 0.5 * cos(angle) + sqrt(1 - 0.25 * sin(angle) ** 2)]


FORCES = [(0, 0), (0.05, 80), (0.06, -120), (0.1, 40), (0.31, 45), (0.32, -200), (0.4, 10), (0.55, 150), (0.56, -90),
          (0.7, 30), (1, 0)]
cart = integrated(lambda t, y, _: [y[1], table_of(FORCES, t)], [0.0, 0.0], 1, 1e-2, [t for t, _ in FORCES[1:-1]])
write("piecewise-motor", 1, ["arm.phi"], lambda t: [piecewise_motor(t)])
write("piecewise-angle", 1, ["crank.phi", "C.x"], crank)
write("table-input", 1, ["cart.x"], lambda t: [cart(t)[0]])

# ---- Tops ----

def precession(t, spin=260, across=0.0023, along=0.0006, arm=0.06, mass=0.5, tilt=pi / 6):
    moment = mass * G * arm
    rate = 2 * moment / (along * spin + sqrt(along**2 * spin**2 - 4 * across * cos(tilt) * moment))
    return [arm * sin(tilt) * cos(rate * t), arm * sin(tilt) * sin(rate * t), arm * cos(tilt)]


def tumbling(t, a=0.5, c=0.1, w=(40.0, 200.0)):
    """The axis circles about the constant angular momentum (a w1, 0, c w3) with |momentum| / a."""
    px, pz = a * w[0], c * w[1]
    size = sqrt(px * px + pz * pz)
    nx, nz = px / size, pz / size
    angle = size / a * t
    along = nz  # of the axis (0, 0, 1) on the momentum
    # v cos + (n x v) sin + n (n . v)(1 - cos) with v = (0, 0, 1): n x v = (0, -nx, 0)
    return [nx * along * (1 - cos(angle)), -nx * sin(angle), cos(angle) + nz * along * (1 - cos(angle))]


write("fast-gyroscope", 1, ["top.x", "top.y", "top.z"], precession)
write("fast-spin", 0.5, ["P.x", "P.y", "P.z"], lambda t: [0.5 * t + cos(260 * t), sin(260 * t), 0])
write("tumbling-top", 0.5, ["P.x", "P.y", "P.z"], tumbling)

# ---- Linkages with one degree of freedom, near singular configurations ----

def on_branch(name, until, angle, rate, columns, configuration, masses, gravity=0.0):
    """t(angle) = integral of sqrt(M / (2 (E - V))) over the angle of the crank, which does not turn back.

    configuration(a) gives x, y, phi of all bodies on the branch of the start; masses are those and the inertias.
    """
    d, h = 1e-6, 2e-5

    def mass_and_potential(a):
        mass = 0.0
        for (m, inertia), p, q in zip(masses, configuration(a + d), configuration(a - d)):
            x, y, turn = ((u - v) / (2 * d) for u, v in zip(p, q))
            mass += m * (x * x + y * y) + inertia * turn * turn
        return mass, gravity * sum(m * body[1] for (m, _), body in zip(masses, configuration(a)))

    mass, potential = mass_and_potential(angle)
    energy = mass * rate**2 / 2 + potential

    def slowness(a):
        m, v = mass_and_potential(a)
        return sqrt(m / (2 * (energy - v)))

    times, last = [0.0], slowness(angle)
    while times[-1] < until:
        a = angle + (len(times) - 1) * h
        middle, end = slowness(a + h / 2), slowness(a + h)
        times.append(times[-1] + h / 6 * (last + 4 * middle + end))
        last = end

    def state(t):
        k = min(max(bisect(times, t) - 1, 0), len(times) - 2)
        a = angle + h * (k + (t - times[k]) / (times[k + 1] - times[k]))
        return [a, *[z for body in configuration(a)[1:] for z in body[:2]]]

    write(name, until, columns, state)


def circles(x, y, r, u, v, s):
    """The point to the left of the line from (x, y) to (u, v), at the distances r and s from them."""
    d = hypot(u - x, v - y)
    along = (d * d + r * r - s * s) / (2 * d)
    across = sqrt(r * r - along * along)
    return x + (along * (u - x) - across * (v - y)) / d, y + (along * (v - y) + across * (u - x)) / d


def parallelogram(a):
    bx, by = cos(a), sin(a)
    cx, cy = circles(bx, by, sqrt(4 + 1e-8), 2.0, 0.0, 1.0001)
    return [(bx / 2, by / 2, a), ((bx + cx) / 2, (by + cy) / 2, atan2(cy - by, cx - bx)),
            ((cx + 2) / 2, cy / 2, atan2(cy, cx - 2) % (2 * pi))]


def slider_crank(a):
    bx, by = cos(a), sin(a)
    cx = bx + sqrt((1 + 1e-7) ** 2 - by * by)
    return [(bx / 2, by / 2, a), ((bx + cx) / 2, by / 2, atan2(-by, cx - bx))]


on_branch("parallelogram-near", 1, pi / 2, 5.0, ["crank.phi", "coupler.x", "coupler.y", "rocker.x", "rocker.y"],
          parallelogram, [(1, 1 / 12), (1, (4 + 1e-8) / 12), (1, 1.0001**2 / 12)])
on_branch("slider-crank-near", 1, atan2(0.8, 0.6), 6.0, ["crank.phi", "rod.x", "rod.y"], slider_crank,
          [(1, 1 / 12), (1, (1 + 1e-7) ** 2 / 12)], G)

# ---- Chains ----

def solved(matrix, right):
    """Cholesky without roots, which a mass matrix allows."""
    n = len(right)
    rows = [[*matrix[i], right[i]] for i in range(n)]
    for k in range(n):
        top = rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / top[k]
            rows[i] = [p - factor * q for p, q in zip(rows[i], top)]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def chain(name, until, points, mass, step, change):
    """Uniform bars by their angles; a_ij is the arm of bar j for the centre of bar i:

    sum_j B_ij (a_j'' cos(a_i - a_j) + a_j'^2 sin(a_i - a_j)) + m l_i^2 / 12 a_i'' = -g cos(a_i) sum_k m a_ki,
    B = sum_k m a_ki a_kj
    """
    length = [hypot(q[0] - p[0], q[1] - p[1]) for p, q in zip(points, points[1:])]
    n = len(length)
    arm = [[length[j] if j < i else length[i] / 2 if j == i else 0.0 for j in range(n)] for i in range(n)]
    coupling = [[mass * sum(arm[k][i] * arm[k][j] for k in range(n)) for j in range(n)] for i in range(n)]
    weight = [mass * G * sum(arm[k][i] for k in range(n)) for i in range(n)]

    def slope(_, y, __):
        a, w = y[:n], y[n:]
        c, s = [cos(x) for x in a], [sin(x) for x in a]
        matrix = [[coupling[i][j] * (c[i] * c[j] + s[i] * s[j]) for j in range(n)] for i in range(n)]
        force = [-weight[i] * c[i] - sum(coupling[i][j] * (s[i] * c[j] - c[i] * s[j]) * w[j] ** 2 for j in range(n))
                 for i in range(n)]
        for i in range(n):
            matrix[i][i] += mass * length[i] ** 2 / 12
        return [*w, *solved(matrix, force)]

    start = [*[atan2(q[1] - p[1], q[0] - p[0]) for p, q in zip(points, points[1:])], *[0.0] * n]
    path = integrated(slope, start, until, step, change=change)
    shown = [1, n // 2, n]
    write(name, until, [f"link{i}.phi" for i in shown], lambda t: [path(t)[i - 1] for i in shown])


chain("chaotic-chain", 2, [(0, 0), (0.3, 0.4), (0.8, 0.4), (1.1, 0.8), (1.6, 0.8)], 1, 2e-4, 1e-6)
chain("long-chain", 0.5, [(0.1 * i, 0) for i in range(31)], 0.1, 4e-4, 1e-6)

# ---- Forces that change within short ways ----

def trough(t, aside=0.3, force=500.0):
    """Parabolas about 1 m, each half a period long."""
    quarter = sqrt(2 * aside / force)
    s = t % (4 * quarter)
    if s > 2 * quarter:
        return 2 - trough(s - 2 * quarter)
    if s <= quarter:
        return 1 + aside - force / 2 * s * s
    return 1 - aside + force / 2 * (2 * quarter - s) ** 2


def teeth(t, w=4.0, change=60.0, width=pi / 40):
    """Each tooth brakes, the next one drives."""
    slow = sqrt(w * w - 2 * change * width)
    brake = (w - slow) / change
    pairs = floor(t / (2 * brake))
    s, angle = t - pairs * 2 * brake, pairs * 2 * width
    if s <= brake:
        return angle + w * s - change / 2 * s * s
    s -= brake
    return angle + width + slow * s + change / 2 * s * s


def repelled(t, k=1e-4, begin=1.0, speed=3.0):
    """x'' = k/x^2: x = m (1 + cosh a)/2, t = m (a + sinh a)/(2 sqrt(2 E)) from the turning point m = k/E on."""
    energy = speed * speed / 2 + k / begin
    least = k / energy

    def time(a):
        return least * (a + sinh(a)) / (2 * sqrt(2 * energy))

    a = acosh(2 * begin / least - 1)
    goal = abs(t - time(a))
    for _ in range(100):
        a -= (time(a) - goal) / (least * (1 + cosh(a)) / (2 * sqrt(2 * energy)))
    return least * (1 + cosh(a)) / 2


def kerb():
    """20 kg on a tyre of 196200 N/m that only pushes, at 10 m/s over a bump at 1.503 m."""

    def slope(t, y, _):
        depth = 0.3 + 0.02 * exp(-((10 * t - 1.503) / 0.01) ** 2) - y[0]
        return [y[1], 196200 / 20 * max(0.0, depth) - G]

    path = integrated(slope, [0.299, 0.0], 0.4, 2e-5, [0.146, 0.155], change=1e-6)
    write("smooth-kerb", 0.4, ["wheel.y"], lambda t: [path(t)[0]])


def middle_axis(inertia=(0.3, 0.2, 0.1)):
    """Euler's equations in body axes, and the body's y axis by Euler parameters."""
    a, b, c = inertia

    def slope(_, y, __):
        u, v, w, e0, e1, e2, e3 = y
        return [(b - c) / a * v * w, (c - a) / b * w * u, (a - b) / c * u * v, (-e1 * u - e2 * v - e3 * w) / 2,
                (e0 * u + e2 * w - e3 * v) / 2, (e0 * v - e1 * w + e3 * u) / 2, (e0 * w + e1 * v - e2 * u) / 2]

    path = integrated(slope, [20.0, 100.0, 0.0, 1.0, 0.0, 0.0, 0.0], 0.4, 2e-5, change=1e-8)

    def axis(t):
        e0, e1, e2, e3 = path(t)[3:]
        return [2 * (e1 * e2 - e0 * e3), e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3, 2 * (e2 * e3 + e0 * e1)]

    write("middle-axis", 0.4, ["P.x", "P.y", "P.z"], axis)


def walls():
    path = integrated(lambda _, y, __: [y[1], exp(-400 * (y[0] - 0.8)) - exp(400 * (y[0] - 1.2))], [1.0, 4.0], 0.5, 1e-5)
    write("exponential-walls", 0.5, ["block.x"], lambda t: [path(t)[0]])


def swing_against_stop(k=1e6, place=-0.3):
    """A uniform bar of 1 m and 1 kg; the stop pushes its end along x. Steps across its edge are short."""

    def slope(_, y, __):
        push = max(0.0, place - cos(y[0])) * k
        return [y[1], -1.5 * G * cos(y[0]) - 3 * push * sin(y[0])]

    path = integrated(slope, [0.0, 0.0], 2, 1e-5, change=1e-5)
    write("pendulum-stop", 2, ["bar.phi"], lambda t: [path(t)[0]])


write("v-trough", 1, ["block.x"], lambda t: [trough(t)])
write("square-teeth", 1, ["rotor.phi"], lambda t: [teeth(t)])
write("hard-core", 0.6, ["block.x"], lambda t: [repelled(t)])
kerb()
middle_axis()
walls()
swing_against_stop()

impossible("conflicting-drivers")
impossible("conflicting-loops")
