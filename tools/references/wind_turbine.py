#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Closed forms of the wind-turbine model: writes models/wind-turbine/reference.csv.

The mass per length of a blade is linear between the entries of its table, so m r and m r^2 are polynomials of degree 2
and 3 there and Simpson's rule integrates them exactly. A blade that turns steadily at w carries, at the radius r, the
tension N(r) = w^2 (integral of m rho d rho from r to the tip + M_tip r_tip)."""
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent.parent.parent / "models" / "wind-turbine"
SPEED, ROOT, SPAN, TIP_MASS = 6.0, 1.184, 12.573, 11.34
TIP_INERTIA, HUB, SHAFT = 0.1, 300.0, 50.0


def table():
    text = re.search(r"m: \{points: \[(\[.*?\])\]\}", (HERE / "model.yaml").read_text(), re.S).group(1)
    return [tuple(map(float, pair.split(","))) for pair in re.findall(r"\[([^\[\]]*)\]", text)]


def integral(power, start):
    """Of m r^power from the fraction `start` of the span to the tip, which is exact for power <= 2."""
    points, total = table(), 0.0
    for (a, m_a), (b, m_b) in zip(points, points[1:]):
        low = max(a, start)
        if low >= b:
            continue
        mass = lambda s: m_a + (m_b - m_a) * (s - a) / (b - a)
        f = lambda s: mass(s) * (ROOT + SPAN * s) ** power
        total += SPAN * (b - low) / 6 * (f(low) + 4 * f((low + b) / 2) + f(b))
    return total


def tension(fraction):
    return SPEED**2 * (integral(1, fraction) + TIP_MASS * (ROOT + SPAN))


def main():
    blade = integral(2, 0) + TIP_MASS * (ROOT + SPAN) ** 2 + TIP_INERTIA
    kinetic = SPEED**2 / 2 * (2 * blade + HUB + SHAFT)
    rows = [f"0,energy.kinetic,{kinetic:.8g},300,-"]
    for fraction in (0.25, 0.5, 0.75):
        value = tension(fraction)
        rows += [f"1,{beam}@{fraction}.N,{value:.8g},{0.0015 * value:.3g},-" for beam in ("blade1", "blade2")]
    # An elastic shaft has the same inertia, and the stiffness of the blades does not affect their tension.
    rows += ["# variant: elastic", rows[0], rows[3], "# variant: proposal", rows[0]]
    (HERE / "reference.csv").write_text(
        f"""# Written by tools/references/wind_turbine.py from the mass table of the blades.
# Kinetic energy: two blades of {blade:.8g} kg m² about the shaft, {HUB:g} and {SHAFT:g} kg m² of hub and shaft. The
# elements integrate the table by four points each, 3e-4 off.
# Tension at 1 s: w² times the first moment of the mass beyond the section. The steps are longer than the axial vibration,
# and the gust bends the blades, so that the tension is within 0.15 %.
t,quantity,value,fixed,tight
"""
        + "\n".join(rows)
        + "\n"
    )


if __name__ == "__main__":
    main()
