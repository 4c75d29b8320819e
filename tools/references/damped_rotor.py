#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A mass on a stiff spring that turns, by the published first-order scheme that dissipates and conserves momenta.

    q_1 - q_0     = h (1 + g) v_m,    g = chi (|v_1| - |v_0|) / (2 (|v_1| + |v_0|))
    m (v_1 - v_0) = -h (k ((l_0 + l_1)/2 - l) + chi k (l_1 - l_0)/2) 2 q_m / (l_0 + l_1)

with chi = 1. Prints by how much the tension still rings: how docs/decisions/0029 compares it with the impulse of
energy-momentum-decaying, of which tests/physics/energy_momentum_decaying.c has the same rotor."""
import math

MASS, STIFFNESS, LENGTH, SPEED = 1, 1e7, 1, 100


def solve(matrix, right):
    """By elimination with row exchanges."""
    n = len(right)
    rows = [row + [x] for row, x in zip(matrix, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(n):
            factor = rows[k][i] / rows[i][i] if k != i else 0
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [row[n] / row[i] for i, row in enumerate(rows)]


def residual(x, q, v, h):
    d, w = x[:2], x[2:]
    before, after = math.hypot(*v), math.hypot(*w)
    g = (after - before) / (2 * (after + before))
    l_0, l_1 = math.hypot(*q), math.hypot(q[0] + d[0], q[1] + d[1])
    tension = STIFFNESS * ((l_0 + l_1) / 2 - LENGTH + (l_1 - l_0) / 2)
    return ([d[i] - h * (1 + g) * (v[i] + w[i]) / 2 for i in range(2)]
            + [MASS * (w[i] - v[i]) + h * tension * (2 * q[i] + d[i]) / (l_0 + l_1) for i in range(2)])


def step(q, v, h):
    x = [h * a for a in v] + list(v)
    for _ in range(100):
        found, columns = residual(x, q, v, h), []
        for i in range(4):
            e = 1e-7 * (h if i < 2 else 1) * SPEED
            up, down = ([a + s * e * (j == i) for j, a in enumerate(x)] for s in (1, -1))
            columns.append([(a - b) / (2 * e) for a, b in zip(residual(up, q, v, h), residual(down, q, v, h))])
        change = solve([list(row) for row in zip(*columns)], [-a for a in found])
        x = [a + b for a, b in zip(x, change)]
        if max(map(abs, change)) < 1e-13:
            break
    return [a + b for a, b in zip(q, x)], x[2:]


def main():
    for h in (1e-3, 5e-3):
        q, v, tensions = [LENGTH, 0], [0, SPEED * LENGTH], []
        for _ in range(51):
            q, v = step(q, v, h)
            tensions.append(STIFFNESS * (math.hypot(*q) - LENGTH))
        print(f"step {h:g} s: tension after 49, 50, 51 steps", *(f"{a:.6f}" for a in tensions[-3:]))


if __name__ == "__main__":
    main()
