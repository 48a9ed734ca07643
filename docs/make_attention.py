"""Draw the attention of the bundled model for docs/how-scan-works.md: python docs/make_attention.py [FOLDER]."""

from __future__ import annotations

import sys
from html import escape
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

import inkscan
from inkscan.ink.svg import INK_COLOR, symbol_colors, to_svg
from inkscan.runtime.explain import heat

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = "limit"
COLUMNS = 5
WIDTH, MARGIN, CAPTION = 200, 16, 16  # pixels of one step's picture
FAINT = 0.005  # shares below are not shown
FONT = 'font-family="ui-monospace, monospace" font-size="13"'


def main(folder: Path) -> None:
    answer = inkscan.load()(inkscan.Ink.read(ROOT / "examples" / "ink" / f"{EXAMPLE}.inkml"))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "attention.svg").write_text(steps(answer), encoding="utf-8")
    (folder / "alignment.svg").write_text(matrix(answer), encoding="utf-8")


def steps(answer: inkscan.Recognition) -> str:
    """One picture a token: the redder a stroke, the more the decoder looked at it."""
    written = {symbol.index for symbol in answer.symbols}
    box = answer.ink.box()
    scale = (WIDTH - 2 * MARGIN) / box.width
    height = round(box.height * scale) + 2 * MARGIN + CAPTION
    cells = []
    for i, (token, shares) in enumerate(zip(answer.tokens, answer.alignment, strict=True)):
        strokes = sorted(zip(shares.tolist(), answer.ink.strokes, strict=True), key=lambda pair: pair[0])
        paths = "".join(
            f'<path d="{path((stroke.xy - [box.left, box.top]) * scale + MARGIN)}" stroke="{heat(share)}" '
            f'stroke-width="{1.5 + 1.5 * share:.1f}"/>'
            for share, stroke in strokes
        )
        fill = "#fff" if i in written else "#f1f2f7"
        cells.append(
            f'<g transform="translate({i % COLUMNS * WIDTH} {i // COLUMNS * height})">'
            f'<rect x="3" y="3" width="{WIDTH - 6}" height="{height - 6}" rx="5" stroke="#d9dbe3" fill="{fill}"/>'
            f'<g fill="none" stroke-linecap="round" stroke-linejoin="round">{paths}</g>'
            f'<text x="{WIDTH / 2}" y="{height - 14}" text-anchor="middle" fill="{INK_COLOR}" {FONT}>'
            f"{i + 1}. {escape(token)}</text></g>"
        )
    return picture(COLUMNS * WIDTH, -(-len(cells) // COLUMNS) * height, "".join(cells))


def matrix(answer: inkscan.Recognition) -> str:
    """The ink coloured by symbol, and below it the alignment: a row a symbol, a column a stroke."""
    colors = symbol_colors([symbol.strokes for symbol in answer.symbols])
    wide, tall, left, top = 40, 24, 120, 222
    drawn = to_svg(answer.ink, colors, height=170, max_width=700)
    parts = [
        f'<g transform="translate({left} 10)">{drawn}</g>',
        f'<text x="{left - 10}" y="{top - 8}" text-anchor="end" fill="#5a5f73" {FONT}>stroke</text>',
    ]
    for stroke in range(len(answer.ink)):
        parts.append(
            f'<text x="{left + (stroke + 0.5) * wide}" y="{top - 8}" text-anchor="middle" '
            f'fill="{colors.get(stroke, INK_COLOR)}" {FONT}>{stroke}</text>'
        )
    for row, symbol in enumerate(answer.symbols):
        y = top + row * tall
        color = colors[symbol.strokes[0]] if symbol.strokes else INK_COLOR
        parts.append(
            f'<text x="{left - 10}" y="{y + 17}" text-anchor="end" fill="{color}" {FONT}>'
            f"{escape(symbol.token)}</text>"
        )
        for stroke, share in enumerate(answer.alignment[symbol.index].tolist()):
            fill = heat(share) if share > FAINT else "#f1f2f7"
            parts.append(
                f'<rect x="{left + stroke * wide + 1}" y="{y + 1}" width="{wide - 2}" height="{tall - 2}" rx="3" '
                f'fill="{fill}"><title>{share:.1%}</title></rect>'
            )
    return picture(left + len(answer.ink) * wide + 16, top + len(answer.symbols) * tall + 16, "".join(parts))


def path(xy: npt.NDArray[np.float64]) -> str:
    """A stroke thinned to what the eye sees at this size."""
    points = [xy[0], *(b for a, b in pairwise(xy[::2]) if np.abs(b - a).max() > 0.2), xy[-1]]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def picture(width: float, height: float, content: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><rect width="100%" height="100%" fill="#fff"/>{content}</svg>\n'
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
