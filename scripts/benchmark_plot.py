"""The plot of scripts/benchmark's ratios: a bar for each, its bound as a mark, on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

LABEL, BAR, STEP, TOP = 330, 420, 24, 34  # widths of the labels and of the axis, height of a bar's row, of the head
LEAST, MOST = 1e-4, 10.0  # ends of the axis


class Bar(NamedTuple):
    """The comparison, the ratio of our time to theirs, and the bound (None: no bound)."""

    label: str
    part: float
    bound: float | None


def position(part: float) -> float:
    """The position of a ratio on the axis, in pixels from its left end."""
    inside = min(max(part, LEAST), MOST)
    return BAR * (math.log10(inside) - math.log10(LEAST)) / (math.log10(MOST) - math.log10(LEAST))


def row(number: int, bar: Bar) -> str:
    """One bar with its label, its value and its bound."""
    y = TOP + STEP * number
    held = bar.bound is None or bar.part <= bar.bound
    text = (
        f'<text x="{LABEL - 8}" y="{y + 15}" text-anchor="end">{escape(bar.label)}</text>'
        f'<rect x="{LABEL}" y="{y + 4}" width="{position(bar.part):.1f}" height="{STEP - 9}" '
        f'fill="{"#2a7f62" if held else "#b3402a"}"/>'
        f'<text x="{LABEL + BAR + 10}" y="{y + 15}">{bar.part:.2g}</text>'
    )
    if bar.bound is not None:
        at = LABEL + position(bar.bound)
        text += f'<path d="M{at:.1f} {y}v{STEP - 1}" stroke="#222" stroke-width="2"/>'
    return text


def svg_of(bars: Sequence[Bar]) -> str:
    """The whole plot; green is within the bound, red beyond it, the black marks are the bounds."""
    height = TOP + STEP * len(bars) + 8
    ticks = [10.0**exponent for exponent in range(int(math.log10(LEAST)), int(math.log10(MOST)) + 1)]
    axis = "".join(
        f'<path d="M{LABEL + position(tick):.1f} {TOP - 6}V{height - 8}" stroke="{"#888" if tick == 1 else "#ddd"}"/>'
        f'<text x="{LABEL + position(tick):.1f}" y="{TOP - 12}" text-anchor="middle">{tick:g}</text>'
        for tick in ticks
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABEL + BAR + 60}" height="{height}" '
        'font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="#fff"/>{axis}{"".join(map(row, range(len(bars)), bars))}</svg>\n'
    )
