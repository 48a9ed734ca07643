"""Draw what the bundled model misreads in generated ink, for its card: python docs/make_failures.py [OUT.svg]."""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

from make_attention import picture

import inkscan
from inkscan.data.sample import Sample
from inkscan.ink.svg import INK_COLOR, to_svg
from inkscan.synthesis.generate import Generator

TRIED, SHOWN, COLUMNS = 120, 9, 3
WIDTH, HEIGHT, CAPTION = 330, 150, 44  # pixels of one picture and of the text below it
FONT = 'font-family="ui-monospace, monospace" font-size="12"'


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
    cells = [cell(i, *pair) for i, pair in enumerate(wrong[:SHOWN])]
    height = -(-len(cells) // COLUMNS) * (HEIGHT + CAPTION)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(picture(COLUMNS * WIDTH, height, "".join(cells)), encoding="utf-8")
    print(f"{len(wrong)} of {len(samples)} generated expressions misread; {len(cells)} drawn in {out}")


def known(sample: Sample, recognizer: inkscan.Recognizer) -> bool:
    """Whether the model has all the tokens; it cannot read others at all."""
    return set(sample.tokens) <= set(recognizer.vocabulary.tokens)


def cell(i: int, sample: Sample, answer: inkscan.Recognition) -> str:
    """The ink, what it says and what was read."""
    x, y = i % COLUMNS * WIDTH, i // COLUMNS * (HEIGHT + CAPTION)
    lines = (
        (" ".join(sample.tokens), INK_COLOR, 14),
        (f"{' '.join(answer.tokens)}  ({answer.confidence:.0%})", "#c0392b", 30),
    )
    texts = "".join(
        f'<text x="10" y="{HEIGHT + down}" fill="{color}" {FONT}>{escape(shortened(text))}</text>'
        for text, color, down in lines
    )
    ink = to_svg(sample.ink, height=HEIGHT - 20, max_width=WIDTH - 20)
    return (
        f'<g transform="translate({x} {y})">'
        f'<rect x="3" y="3" width="{WIDTH - 6}" height="{HEIGHT + CAPTION - 6}" rx="5" fill="none" stroke="#d9dbe3"/>'
        f'<g transform="translate(10 10)">{ink}</g>{texts}</g>'
    )


def shortened(text: str) -> str:
    return text if len(text) <= 44 else text[:43] + "…"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "images" / "failures.svg"))
