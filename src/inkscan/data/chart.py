"""Charts of a corpus's statistics as one SVG picture."""

from __future__ import annotations

from html import escape

import numpy as np

from inkscan.data.stats import Spread, Stats

_WIDTH, _HEIGHT, _GAP = 420, 200, 60
_BARS = 24
_SYMBOLS = 60
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:14px;font-weight:600}"
    ".bar{fill:#4c78a8}.axis{stroke:#999}.note{fill:#777}"
)


def stats_svg(stats: Stats) -> str:
    """Histograms of strokes, points, tokens and depth, and the most frequent tokens."""
    panels = [_histogram(spread, *_place(i)) for i, spread in enumerate(stats.spreads)]
    rows = (len(stats.spreads) + 1) // 2
    top = 70 + rows * (_HEIGHT + _GAP)
    panels.append(_token_bars(stats, 40, top))
    width, height = 2 * (_WIDTH + _GAP) + 20, top + _HEIGHT + _GAP
    title = f"{stats.samples} expressions, split {stats.metadata.split or 'unnamed'}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><style>{_STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
        f'<text x="40" y="30" class="title">{escape(title)}</text>{"".join(panels)}</svg>\n'
    )


def _place(panel: int) -> tuple[int, int]:
    return 40 + panel % 2 * (_WIDTH + _GAP), 70 + panel // 2 * (_HEIGHT + _GAP)


def _histogram(spread: Spread, left: int, top: int) -> str:
    """The counts up to the 99th percentile; what lies beyond is said in the title."""
    values = spread.values
    if not len(values):
        return ""
    last = int(np.quantile(values, 0.99))
    first = int(values.min())
    step = max(1, -(-(last + 1 - first) // _BARS))
    edges = np.arange(first, last + step + 1, step)
    counts, _ = np.histogram(values[values < edges[-1]], edges)
    beyond = int((values >= edges[-1]).sum())
    labels = [str(edge) for edge in edges[:-1].tolist()]
    note = f"median {np.median(values):.0f}, most {values.max():.0f}"
    title = f"{spread.name} per expression ({note}{f'; {beyond} beyond the scale' if beyond else ''})"
    return _bars(title, counts.tolist(), labels, left, top, _WIDTH, every=max(1, len(labels) // 8))


def _token_bars(stats: Stats, left: int, top: int) -> str:
    common = stats.tokens.most_common(_SYMBOLS)
    title = f"the {len(common)} most frequent of {len(stats.tokens)} tokens"
    counts, labels = [count for _, count in common], [token for token, _ in common]
    return _bars(title, counts, labels, left, top, 2 * _WIDTH + _GAP, every=1, upright=True)


def _bars(
    title: str,
    counts: list[int],
    labels: list[str],
    left: int,
    top: int,
    width: int,
    every: int,
    upright: bool = False,
) -> str:
    most, step, base = max(counts, default=1) or 1, width / max(len(counts), 1), top + _HEIGHT - 30
    parts = [f'<text x="{left}" y="{top - 8}" class="title">{escape(title)}</text>']
    for i, (count, label) in enumerate(zip(counts, labels, strict=True)):
        tall, x = (_HEIGHT - 50) * count / most, left + i * step
        parts.append(
            f'<rect class="bar" x="{x:.1f}" y="{base - tall:.1f}" width="{max(step - 2, 1):.1f}" '
            f'height="{tall:.1f}"><title>{escape(label)}: {count}</title></rect>'
        )
        if i % every == 0:
            middle = x + step / 2
            turn = f' transform="rotate(60 {middle:.1f} {base + 12})"' if upright else ' text-anchor="middle"'
            parts.append(f'<text x="{middle:.1f}" y="{base + 16}"{turn}>{escape(label)}</text>')
    parts.append(f'<path class="axis" d="M{left} {base}H{left + width}"/>')
    parts.append(
        f'<text class="note" x="{left + width}" y="{top + 6}" text-anchor="end">highest bar {most}</text>'
    )
    return "".join(parts)
