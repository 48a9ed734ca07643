"""Draw what the bundled model misreads in generated ink, for its card: python docs/make_failures.py [OUT.svg]."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from make_attention import picture

import inkscan
from inkscan.data.sample import Sample
from inkscan.ink.svg import INK_COLOR, to_svg
from inkscan.synthesis.generate import Generator

TRIED, SHOWN, COLUMNS = 120, 9, 3
WIDTH, HEIGHT = 330, 140  # pixels of one picture
LINE, CHARACTERS = (
    16,
    40,
)  # pixels from line to line, and what fits into WIDTH at 12 pixels in any monospaced font
FONT = 'font-family="ui-monospace, monospace" font-size="12" xml:space="preserve"'
RED = "#c0392b"


@dataclass(frozen=True)
class Cell:
    """An ink with what it says and, in red, what was read."""

    ink: str  # an SVG element
    lines: tuple[tuple[str, str], ...]  # text and colour

    @classmethod
    def of(cls, sample: Sample, answer: inkscan.Recognition) -> Cell:
        read = f"{' '.join(answer.tokens)}  ({answer.confidence:.0%})"
        lines = (
            *((line, INK_COLOR) for line in wrapped(" ".join(sample.tokens))),
            *((line, RED) for line in wrapped(read)),
        )
        return cls(to_svg(sample.ink, height=HEIGHT - 20, max_width=WIDTH - 20), lines)

    @property
    def height(self) -> int:
        return HEIGHT + LINE * len(self.lines) + 12

    def drawn(self, x: int, y: int, height: int) -> str:
        texts = "".join(
            f'<text x="12" y="{HEIGHT + LINE * (i + 1) - 4}" fill="{color}" {FONT}>{escape(text)}</text>'
            for i, (text, color) in enumerate(self.lines)
        )
        frame = f'<rect x="3" y="3" width="{WIDTH - 6}" height="{height - 6}" rx="5" fill="none" stroke="#d9dbe3"/>'
        return f'<g transform="translate({x} {y})">{frame}<g transform="translate(10 10)">{self.ink}</g>{texts}</g>'


def main(out: Path) -> None:
    recognizer = inkscan.load()
    samples = [s for s in Generator(max_symbols=12).samples(TRIED, seed=11) if known(s, recognizer)]
    answers = recognizer.many([sample.ink for sample in samples])
    wrong = [
        (sample, answer)
        for sample, answer in zip(samples, answers, strict=True)
        if sample.tokens != answer.tokens
    ]
    wrong.sort(key=lambda pair: -pair[1].confidence)  # the sure ones are the worst
    cells = [Cell.of(*pair) for pair in wrong[:SHOWN]]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(sheet(cells), encoding="utf-8")
    print(f"{len(wrong)} of {len(samples)} generated expressions misread; {len(cells)} drawn in {out}")


def known(sample: Sample, recognizer: inkscan.Recognizer) -> bool:
    """Whether the model has all the tokens; it cannot read others at all."""
    return set(sample.tokens) <= set(recognizer.vocabulary.tokens)


def sheet(cells: Sequence[Cell]) -> str:
    """Rows of cells, each row as high as its highest cell."""
    drawn, y = [], 0
    for start in range(0, len(cells), COLUMNS):
        row = cells[start : start + COLUMNS]
        height = max(cell.height for cell in row)
        drawn += [cell.drawn(column * WIDTH, y, height) for column, cell in enumerate(row)]
        y += height
    return picture(COLUMNS * WIDTH, y, "".join(drawn))


def wrapped(text: str) -> list[str]:
    """Lines that fit into a cell; those after the first are indented."""
    return textwrap.wrap(
        text, CHARACTERS, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "images" / "failures.svg"))
