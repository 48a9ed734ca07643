"""Charts of a corpus's statistics as one SVG picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape

import numpy as np

from inkscan.data.stats import Spread, Stats
from inkscan.latex.tree import STRUCTURE

_WIDTH, _HEIGHT, _GAP = 420, 200, 60
_MAX_BARS = 24
_MAX_SYMBOLS = 60
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:14px;font-weight:600}"
    ".bar{fill:#4c78a8}.axis{stroke:#999}.note{fill:#777}"
)


@dataclass(frozen=True)
class _Bars:
    title: str
    note: str
    counts: list[int]
    labels: list[str]


def stats_svg(stats: Stats) -> str:
    """Histograms of strokes, points, tokens and depth, and the most frequent symbols."""
    spreads = [spread for spread in stats.spreads if len(spread.values)]
    places = [(40 + i % 2 * (_WIDTH + _GAP), 70 + i // 2 * (_HEIGHT + _GAP)) for i in range(len(spreads))]
    top = 70 + (len(spreads) + 1) // 2 * (_HEIGHT + _GAP)
    panels = [_drawn(_histogram(s), *place, _WIDTH) for s, place in zip(spreads, places, strict=True)]
    panels.append(_drawn(_symbol_bars(stats), 40, top, 2 * _WIDTH + _GAP, upright=True))
    width, height = 2 * (_WIDTH + _GAP) + 20, top + _HEIGHT + _GAP
    title = f"{stats.samples} expressions, split {stats.metadata.split or 'unnamed'}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><style>{_STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
        f'<text x="40" y="30" class="title">{escape(title)}</text>{"".join(panels)}</svg>\n'
    )


def _histogram(spread: Spread) -> _Bars:
    """The counts up to the 99th percentile; the note says how many lie beyond."""
    values = spread.values
    first, last = int(values.min()), int(np.quantile(values, 0.99))
    step = max(1, -(-(last + 1 - first) // _MAX_BARS))
    edges = np.arange(first, last + step + 1, step)
    counts, _ = np.histogram(values[values < edges[-1]], edges)
    beyond = int((values >= edges[-1]).sum())
    note = f"median {np.median(values):.0f}, most {values.max():.0f}, {beyond} beyond the scale"
    return _Bars(f"{spread.name} per expression", note, counts.tolist(), [str(e) for e in edges[:-1]])


def _symbol_bars(stats: Stats) -> _Bars:
    symbols = Counter({token: n for token, n in stats.tokens.items() if token not in STRUCTURE})
    common = symbols.most_common(_MAX_SYMBOLS)
    title, note = f"the {len(common)} most frequent symbols", f"of {len(symbols)} types"
    return _Bars(title, note, [count for _, count in common], [token for token, _ in common])


def _drawn(bars: _Bars, left: int, top: int, width: int, upright: bool = False) -> str:
    most, base = max(bars.counts, default=1), top + _HEIGHT - 30
    step = width / max(len(bars.counts), 1)
    labelled_every = 1 if upright else max(1, len(bars.labels) // 8)
    parts = [
        f'<text x="{left}" y="{top - 8}" class="title">{escape(bars.title)}</text>'
        f'<text x="{left + width}" y="{top + 8}" class="note" text-anchor="end">'
        f"{escape(bars.note)}, highest bar {most}</text>"
        f'<path class="axis" d="M{left} {base}H{left + width}"/>'
    ]
    for i, (count, label) in enumerate(zip(bars.counts, bars.labels, strict=True)):
        x, tall = left + i * step, (_HEIGHT - 50) * count / most
        parts.append(
            f'<rect class="bar" x="{x:.1f}" y="{base - tall:.1f}" width="{max(step - 2, 1):.1f}" '
            f'height="{tall:.1f}"><title>{escape(label)}: {count}</title></rect>'
        )
        if i % labelled_every == 0:
            middle = x + step / 2
            turn = f' transform="rotate(60 {middle:.1f} {base + 12})"' if upright else ' text-anchor="middle"'
            parts.append(f'<text x="{middle:.1f}" y="{base + 16}"{turn}>{escape(label)}</text>')
    return "".join(parts)
