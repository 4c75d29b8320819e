# SPDX-License-Identifier: BSD-3-Clause
"""Line plots over time, logarithmic or linear, panels above each other, one legend; SVG for light and dark pages."""
import math
from html import escape

# Colours that colour-blind readers can distinguish (after Okabe and Ito, and Tol), with dashes for lines that meet.
STYLES = [("#e69f00", ""), ("#56b4e9", ""), ("#cc79a7", ""), ("#009e73", ""), ("#d55e00", "7 4"), ("#9a8f2d", "2 3"),
          ("#3b7dd8", "10 3 2 3"), ("#8f8f8f", "4 4")]
CSS = """
.page { fill: #ffffff } .ink { fill: #222222 } .line { stroke: #222222; fill: none } .grid { stroke: #dddddd }
@media (prefers-color-scheme: dark) {
.page { fill: #0d1117 } .ink { fill: #e0e0e0 } .line { stroke: #e0e0e0 } .grid { stroke: #30363d } }
"""
WIDTH, LEFT, RIGHT, PANEL, GAP, LEGEND = 820, 70, 16, 190, 52, 22


def envelope(t, values, parts=160):
    """Points (time, largest magnitude) of equal parts of the time."""
    start, length = t[0], t[-1] - t[0] or 1
    largest = {}
    for x, y in zip(t, values):
        part = min(int((x - start) / length * parts), parts - 1)
        largest[part] = max(largest.get(part, 0), abs(y))
    return [(start + (part + 0.5) * length / parts, largest[part]) for part in sorted(largest)]


def thinned(t, values, parts=400):
    """Points (time, value), about that many, the last among them."""
    every = max(1, len(t) // parts)
    return [(x, y) for i, (x, y) in enumerate(zip(t, values)) if i % every == 0 or i + 1 == len(t)]


class Decades:
    """A logarithmic axis over the powers of ten that hold all points, none below the lowest."""

    def __init__(self, curves, lowest):
        values = [y for points in curves.values() for _, y in points if y > 0 and math.isfinite(y)] or [1]
        self.low = max(math.floor(math.log10(min(values))), lowest)
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)

    def ticks(self):
        every = max(1, math.ceil((self.high - self.low) / 7))
        return [(10.0**power, f"1e{power}") for power in range(self.low, self.high + 1, every)]

    def below_top(self, y):
        """The part of the height that lies above y."""
        return (self.high - min(max(math.log10(max(y, 1e-300)), self.low), self.high)) / (self.high - self.low)


class Even:
    """A linear axis between round numbers that hold all points."""

    def __init__(self, curves, _=None):
        values = [y for points in curves.values() for _, y in points if math.isfinite(y)] or [0, 1]
        rough = max(max(values) - min(values), 1e-12) / 6
        power = 10 ** math.floor(math.log10(rough))
        self.every = next(n * power for n in (1, 2, 5, 10) if n * power >= rough)
        self.first = math.floor(min(values) / self.every + 1e-9)
        self.last = max(math.ceil(max(values) / self.every - 1e-9), self.first + 1)

    def ticks(self):
        return [(i * self.every, f"{i * self.every:.6g}") for i in range(self.first, self.last + 1)]

    def below_top(self, y):
        low, high = self.first * self.every, self.last * self.every
        return (high - min(max(y, low), high)) / (high - low)


def text(x, y, words, anchor="start", extra=""):
    return f"<text class='ink' x='{x:.0f}' y='{y:.0f}' text-anchor='{anchor}'{extra}>{escape(words)}</text>"


def frame(top, axis, until):
    """Grid, ticks and border of one panel."""
    right = WIDTH - RIGHT
    parts = []
    for value, label in axis.ticks():
        y = top + PANEL * axis.below_top(value)
        parts.append(f"<path class='grid' d='M{LEFT} {y:.1f}H{right}'/>" + text(LEFT - 6, y + 4, label, "end"))
    for i in range(6):
        x = LEFT + (right - LEFT) * i / 5
        parts.append(text(x, top + PANEL + 16, f"{until * i / 5:.3g}" + (" s" if i == 5 else ""), "middle"))
    parts.append(f"<rect class='line' x='{LEFT}' y='{top}' width='{right - LEFT}' height='{PANEL}'/>")
    return parts


def curve(points, style, top, axis, until):
    colour, dash = style
    scale = (WIDTH - RIGHT - LEFT) / until
    path = " ".join(f"{LEFT + scale * x:.1f},{top + PANEL * axis.below_top(y):.1f}"
                    for x, y in points if math.isfinite(y))
    dashes = f" stroke-dasharray='{dash}'" if dash else ""
    return f"<polyline fill='none' stroke='{colour}' stroke-width='1.8'{dashes} points='{path}'/>"


def panel(title, curves, top, until, axis):
    parts = [text(LEFT, top - 8, title, extra=" font-weight='bold'"), *frame(top, axis, until)]
    for points, style in zip(curves.values(), STYLES):
        parts.append(curve(points, style, top, axis, until))
    return parts


def legend(names, top):
    parts = []
    for i, (name, (colour, dash)) in enumerate(zip(names, STYLES)):
        x, y = LEFT + (i % 3) * 250, top + (i // 3) * LEGEND
        line = f"stroke='{colour}' stroke-width='3' stroke-dasharray='{dash or 'none'}'"
        parts.append(f"<path d='M{x} {y - 4}h34' {line}/>" + text(x + 42, y, name))
    return parts


def figure(title, panels, until, lowest=-18, even=()):
    """SVG of panels {title: {name: [(t, y)]}}; all have the same names, in the same order, eight at most. Those whose
    titles are in `even` have a linear axis."""
    names = list(next(iter(panels.values())))
    first = 62 + LEGEND * math.ceil(len(names) / 3) + 14
    height = first + len(panels) * (PANEL + GAP) - 20
    parts = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' width='{WIDTH}' "
             f"height='{height}' role='img' font-family='sans-serif' font-size='12'>",
             f"<title>{escape(title)}</title><style>{CSS}</style>",
             f"<rect class='page' width='{WIDTH}' height='{height}'/>",
             text(LEFT, 30, title, extra=" font-size='17' font-weight='bold'"), *legend(names, 62)]
    for i, (name, curves) in enumerate(panels.items()):
        axis = (Even if name in even else Decades)(curves, lowest)
        parts += panel(name, curves, first + i * (PANEL + GAP), until, axis)
    return "\n".join([*parts, "</svg>\n"])
