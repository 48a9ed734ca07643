"""Ink as an SVG drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from inkscan.ink.ink import Ink, Stroke, way

INK_COLOR = "#1a1a2e"
PALETTE = (
    "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#e07b00", "#008b8b", "#c2185b", "#7a5c00",
    "#3f51b5", "#5d8a00", "#8c564b", "#00838f", "#ad1457", "#455a64",
)  # fmt: skip


@way("draw")
def to_svg(
    ink: Ink,
    colors: Mapping[int, str] | Sequence[str] | None = None,
    titles: Mapping[int, str] | None = None,
    height: int = 160,
    max_width: int = 1200,
) -> str:
    """Draw the strokes, each in its colour and with its title, scaled to the given height in pixels."""
    box = ink.box()
    size = max(box.width, box.height, 1e-6)
    pen = size_of_pen(ink)
    margin = 2 * pen
    left, top = box.left - margin, box.top - margin
    width, tall = box.width + 2 * margin, max(box.height, size / 12) + 2 * margin
    scale = min(height / tall, max_width / width)
    strokes = "".join(
        _stroke_element(stroke, _color(colors, i), (titles or {}).get(i), (left, top), scale, pen * scale)
        for i, stroke in enumerate(ink.strokes)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" height="{tall * scale:.0f}" '
        f'viewBox="0 0 {width * scale:.1f} {tall * scale:.1f}" fill="none" stroke-linecap="round" '
        f'stroke-linejoin="round">{strokes}</svg>'
    )


def symbol_colors(symbols: Sequence[Sequence[int]]) -> dict[int, str]:
    """A colour for each stroke, the same for the strokes of one symbol; strokes of none are left out."""
    return {stroke: PALETTE[i % len(PALETTE)] for i, strokes in enumerate(symbols) for stroke in strokes}


def size_of_pen(ink: Ink) -> float:
    """A pen that suits the ink: a fraction of the typical stroke's extent."""
    extents = sorted(max(*(s.xy.max(axis=0) - s.xy.min(axis=0)).tolist(), 0.0) for s in ink.strokes)
    box = ink.box()
    typical = extents[len(extents) // 2] or max(box.width, box.height) or 1.0
    return 0.06 * min(typical, max(box.height, box.width / 10) or typical)


def _color(colors: Mapping[int, str] | Sequence[str] | None, index: int) -> str:
    if colors is None:
        return INK_COLOR
    return colors.get(index, INK_COLOR) if isinstance(colors, Mapping) else colors[index]


def _stroke_element(
    stroke: Stroke, color: str, title: str | None, origin: tuple[float, float], scale: float, pen: float
) -> str:
    points = ((stroke.xy - origin) * scale).tolist()
    if len(points) == 1:
        points = points * 2  # a dot is a line of no length with a round end
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    tooltip = f"<title>{escape(title)}</title>" if title else ""
    return f'<path d="{path}" stroke="{escape(color)}" stroke-width="{pen:.2f}">{tooltip}</path>'
