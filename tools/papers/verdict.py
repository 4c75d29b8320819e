# SPDX-License-Identifier: BSD-3-Clause
"""Whether numbers agree with a statement. Each function gives (what was measured, whether it agrees).

Nothing here knows a paper or a mechanism: the tests feed it made-up numbers.
"""
import functools
import math
import statistics

from page import number

LINEAR = 1.5  # a violation that grows in proportion to time is twice as large in the second half as in the first
BELOW = 0.9   # of a violation that nothing stabilises: clearly less


def halves(t, values, size=max):
    """The size of the magnitudes in each half of the time."""
    middle = (t[0] + t[-1]) / 2
    return [size([abs(y) for x, y in zip(t, values) if (x > middle) == late]) for late in (False, True)]


def growth(t, values, size=max):
    """The size in the second half of the time over that in the first half."""
    first, second = halves(t, values, size)
    return second / first if first > 0 else math.inf


def median_growth(t, values):
    """The same of medians: peaks that come and go do not count."""
    return growth(t, values, statistics.median)


def zigzag(values):
    """The amplitude of an oscillation from step to step, over the range: fourth differences are 16 times that."""
    values = list(values)
    most = max(abs(a - 4 * b + 6 * c - 4 * d + e) / 16
               for a, b, c, d, e in zip(values, values[1:], values[2:], values[3:], values[4:]))
    return most / (max(values) - min(values))


def measured(function):
    """A statement about a number that is missing does not agree."""
    @functools.wraps(function)
    def guarded(value, *others):
        found = value.values() if isinstance(value, dict) else [value]
        return ("not measured", False) if None in found else function(value, *others)
    return guarded


@measured
def grows(ratio):
    """Given the growth of the median: what a violation falls back to becomes larger."""
    return f"second half {number(ratio)} times the first", ratio > LINEAR


@measured
def bounded(ratio):
    """Given the growth of the largest."""
    return f"second half {number(ratio)} times the first", ratio <= LINEAR


@measured
def kept_down(ratios):
    """Given the growth of the largest, and the largest in the second half over that without any treatment."""
    text = f"second half {number(ratios['growth'])} times the first, {number(ratios['part'])} times that of standard"
    return text, ratios["growth"] <= LINEAR and ratios["part"] <= BELOW


@measured
def of_order(value, stated):
    """Within a factor of ten."""
    if value <= 0:
        return "0", False
    decades = math.log10(value / stated)
    if abs(decades) <= 1:
        return number(value), True
    return f"{number(value)}, {abs(decades):.0f} decades {'less' if decades < 0 else 'more'}", False


@measured
def within(value, stated, share):
    """Differs by at most this share of what is stated."""
    return number(value, 3), abs(value - stated) <= share * abs(stated)


@measured
def at_most(value, limit):
    return number(value), value <= limit


@measured
def at_least(value, limit):
    return number(value), value >= limit


@measured
def between(value, low, high):
    return number(value), low <= value <= high


@measured
def smallest(values, chosen):
    """Of {name: value}, no other is below those chosen."""
    others = {name: value for name, value in values.items() if name not in chosen}
    worst, best = max(chosen, key=values.get), min(others, key=others.get)
    agrees = values[worst] <= others[best]
    return ", ".join(f"{name} {number(values[name], 3)}" for name in [*chosen, best]), agrees


@measured
def increasing(values, *groups):
    """Everything in a group is below everything in the next one."""
    pairs = zip(groups, groups[1:])
    agrees = all(max(values[a] for a in low) < min(values[b] for b in high) for low, high in pairs)
    return ", ".join(f"{name} {number(values[name], 3)}" for group in groups for name in group), agrees


@measured
def alike(values, chosen, share, whole):
    """Those chosen differ by at most this share of the whole."""
    found = [values[name] for name in chosen]
    return ", ".join(f"{n} {number(values[n], 3)}" for n in chosen), max(found) - min(found) <= share * whole


@measured
def same_order(values, chosen):
    """Those chosen lie within a factor of ten."""
    found = [values[name] for name in chosen]
    return ", ".join(f"{n} {number(values[n])}" for n in chosen), min(found) > 0 and max(found) <= 10 * min(found)


def settling(t, values, part=1e-3):
    """How long after its largest value a violation stays above this part of it."""
    sizes = [abs(y) for y in values]
    peak = sizes.index(max(sizes))
    above = max(i for i, y in enumerate(sizes) if y >= part * sizes[peak])
    return t[above] - t[peak] if above + 1 < len(t) else math.inf
