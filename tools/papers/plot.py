# SPDX-License-Identifier: BSD-3-Clause
"""Line plots over time on logarithmic axes, panels above each other with one legend; SVG for light and dark pages."""
import math
from html import escape

# Colours that colour-blind readers can tell apart (after Okabe and Ito, and Tol), with dashes for lines that meet.
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


def decades(curves, lowest):
    """The powers of ten that hold all points, none below the lowest."""
    values = [y for points in curves.values() for _, y in points if y > 0 and math.isfinite(y)] or [1]
    bottom = max(math.floor(math.log10(min(values))), lowest)
    return bottom, max(math.ceil(math.log10(max(values))), bottom + 1)


def text(x, y, words, anchor="start", extra=""):
    return f"<text class='ink' x='{x:.0f}' y='{y:.0f}' text-anchor='{anchor}'{extra}>{escape(words)}</text>"


def frame(top, low, high, until):
    """Grid, ticks and border of one panel."""
    right, every = WIDTH - RIGHT, max(1, math.ceil((high - low) / 7))
    parts = []
    for power in range(low, high + 1, every):
        y = top + PANEL * (high - power) / (high - low)
        parts.append(f"<path class='grid' d='M{LEFT} {y:.1f}H{right}'/>" + text(LEFT - 6, y + 4, f"1e{power}", "end"))
    for i in range(6):
        x = LEFT + (right - LEFT) * i / 5
        parts.append(text(x, top + PANEL + 16, f"{until * i / 5:.3g}" + (" s" if i == 5 else ""), "middle"))
    parts.append(f"<rect class='line' x='{LEFT}' y='{top}' width='{right - LEFT}' height='{PANEL}'/>")
    return parts


def curve(points, style, top, low, high, until):
    colour, dash = style
    scale = (WIDTH - RIGHT - LEFT) / until
    place = lambda y: PANEL * (high - min(max(math.log10(max(y, 1e-300)), low), high)) / (high - low)
    path = " ".join(f"{LEFT + scale * x:.1f},{top + place(y):.1f}" for x, y in points if math.isfinite(y))
    dashes = f" stroke-dasharray='{dash}'" if dash else ""
    return f"<polyline fill='none' stroke='{colour}' stroke-width='1.8'{dashes} points='{path}'/>"


def panel(title, curves, top, until, lowest):
    low, high = decades(curves, lowest)
    parts = [text(LEFT, top - 8, title, extra=" font-weight='bold'"), *frame(top, low, high, until)]
    for points, style in zip(curves.values(), STYLES):
        parts.append(curve(points, style, top, low, high, until))
    return parts


def legend(names, top):
    parts = []
    for i, (name, (colour, dash)) in enumerate(zip(names, STYLES)):
        x, y = LEFT + (i % 3) * 250, top + (i // 3) * LEGEND
        line = f"stroke='{colour}' stroke-width='3' stroke-dasharray='{dash or 'none'}'"
        parts.append(f"<path d='M{x} {y - 4}h34' {line}/>" + text(x + 42, y, name))
    return parts


def figure(title, panels, until, lowest=-18):
    """SVG of panels {title: {name: [(t, y)]}}; all have the same names, in the same order, eight at most."""
    names = list(next(iter(panels.values())))
    first = 62 + LEGEND * math.ceil(len(names) / 3) + 14
    height = first + len(panels) * (PANEL + GAP) - 20
    parts = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' width='{WIDTH}' "
             f"height='{height}' role='img' font-family='sans-serif' font-size='12'>",
             f"<title>{escape(title)}</title><style>{CSS}</style>",
             f"<rect class='page' width='{WIDTH}' height='{height}'/>",
             text(LEFT, 30, title, extra=" font-size='17' font-weight='bold'"), *legend(names, 62)]
    for i, (name, curves) in enumerate(panels.items()):
        parts += panel(name, curves, first + i * (PANEL + GAP), until, lowest)
    return "\n".join([*parts, "</svg>\n"])
