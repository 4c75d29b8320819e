# SPDX-License-Identifier: BSD-3-Clause
"""Curves in a plane: paths, phase plots, stick figures. Panels in rows, one legend; SVG for light and dark pages."""
import math
from html import escape
from typing import NamedTuple

from plot import CSS, LEFT, LEGEND, RIGHT, STYLES, WIDTH, Even, legend, text

SPACE, BELOW, ABOVE = 58, 26, 30  # left of a panel, and below and above it


class Panel(NamedTuple):
    title: str
    curves: dict  # {name: [strokes]}, a stroke is [(x, y)]; all panels have the same names, in the same order
    equal: bool = False  # lengths along x and y are drawn alike
    nested: bool = False  # later curves are thinner: those that lie upon each other are seen


class Scale:
    """Of a coordinate, between round numbers; they lie `room` apart."""

    def __init__(self, values, room):
        self.axis = Even({"": [(0, value) for value in values]})
        self.low, self.high = self.axis.first * self.axis.every, self.axis.last * self.axis.every
        self.unit = room / (self.high - self.low)

    def length(self):
        return self.unit * (self.high - self.low)

    def __call__(self, value):
        return self.unit * (value - self.low)


def scales(panel, width, height):
    points = [point for strokes in panel.curves.values() for stroke in strokes for point in stroke]
    x, y = Scale([p[0] for p in points], width), Scale([p[1] for p in points], height)
    if panel.equal:
        x.unit = y.unit = min(x.unit, y.unit)
    return x, y


def frame(left, bottom, x, y):
    """Grid, ticks and border."""
    parts = []
    for value, label in y.axis.ticks():
        at = bottom - y(value)
        parts.append(f"<path class='grid' d='M{left:.1f} {at:.1f}h{x.length():.1f}'/>"
                     + text(left - 6, at + 4, label, "end"))
    for i, (value, label) in enumerate(x.axis.ticks()):
        at = left + x(value)
        parts.append(f"<path class='grid' d='M{at:.1f} {bottom:.1f}v{-y.length():.1f}'/>")
        if i % 2 == 0:
            parts.append(text(at, bottom + 16, label, "middle"))
    border = f"x='{left:.1f}' y='{bottom - y.length():.1f}' width='{x.length():.1f}' height='{y.length():.1f}'"
    return [*parts, f"<rect class='line' {border}/>"]


def draw(panel, left, top, width, height):
    x, y = scales(panel, width, height)
    bottom = top + y.length()
    parts = [text(left, top - 8, panel.title, extra=" font-weight='bold'"), *frame(left, bottom, x, y)]
    for i, (strokes, (colour, dash)) in enumerate(zip(panel.curves.values(), STYLES)):
        thick = 1.6 + 2.2 * (len(panel.curves) - 1 - i) * panel.nested
        dashes = f" stroke-dasharray='{dash}'" if dash else ""
        path = "".join("M" + " ".join(f"{left + x(a):.1f},{bottom - y(b):.1f}" for a, b in stroke)
                       for stroke in strokes)
        parts.append(f"<path fill='none' stroke='{colour}' stroke-width='{thick:.1f}'{dashes} d='{path}'/>")
    return parts, y.length()


def figure(title, panels, columns=1, height=200):
    names = list(panels[0].curves)
    top = 62 + LEGEND * math.ceil(len(names) / 3) + 14
    width = (WIDTH - RIGHT - LEFT + SPACE) / columns - SPACE
    parts = []
    for row in range(0, len(panels), columns):
        drawn = [draw(panel, LEFT + i * (width + SPACE), top, width, height)
                 for i, panel in enumerate(panels[row:row + columns])]
        parts += [line for lines, _ in drawn for line in lines]
        top += max(used for _, used in drawn) + BELOW + ABOVE
    top -= ABOVE - 4
    head = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {top:.0f}' width='{WIDTH}' "
            f"height='{top:.0f}' role='img' font-family='sans-serif' font-size='12'>",
            f"<title>{escape(title)}</title><style>{CSS}</style>",
            f"<rect class='page' width='{WIDTH}' height='{top:.0f}'/>",
            text(LEFT, 30, title, extra=" font-size='17' font-weight='bold'"), *legend(names, 62)]
    return "\n".join([*head, *parts, "</svg>\n"])
