"""How well lone symbols are read, by writers of a bank that no training run has seen.

    python benchmarks/lone_symbols.py unipen-characters.tar

The writers are those that `inkscan train --bank` holds out. Some symbols look alike where no line of writing tells
their size and place; they are counted apart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

import inkscan
from inkscan.synthesis.characters import Character, read_characters, trained_on

ALIKE = ("oO0", "xX", "sS5", "cC", "vV", "wW", "zZ2", "pP", "uU", "kK", "1lI|", "',", "9qg")


def main(
    bank: Annotated[Path, typer.Argument(metavar="BANK", help="A file of isolated characters.")],
    model: Annotated[
        str | None, typer.Option(help="A bundled model or a folder; the default if not given.")
    ] = None,
    per_label: Annotated[int, typer.Option(min=1, help="Characters of each label, at most.")] = 20,
) -> None:
    recognizer = (inkscan.load(model) if model else inkscan.load()).with_search(n_best=1)
    chosen = held_out(bank, per_label, set(recognizer.vocabulary.symbols))
    inks = [inkscan.Ink.from_points(one.strokes) for one in chosen]
    read = [" ".join(answer.tokens) for answer in recognizer.many(inks)]
    wrong = Counter((one.label, text) for one, text in zip(chosen, read, strict=True) if one.label != text)
    alike = sum(count for pair, count in wrong.items() if any(set(pair) <= set(group) for group in ALIKE))
    exact = len(chosen) - wrong.total()
    labels, writers = ({getattr(one, name) for one in chosen} for name in ("label", "writer"))
    print(f"{len(chosen)} characters of {len(labels)} labels by {len(writers)} writers")
    print(f"exact {exact / len(chosen):.1%}, with those that look alike {(exact + alike) / len(chosen):.1%}")
    for (label, text), count in wrong.most_common(25):
        print(f"{label} read as {text}: {count}")


def held_out(bank: Path, per_label: int, symbols: set[str]) -> list[Character]:
    """A few characters of each label, drawn from the writers that are held out."""
    found = [one for one in trained_on(read_characters(bank), held_out=True) if one.label in symbols]
    by_label: dict[str, list[Character]] = defaultdict(list)
    for at in np.random.default_rng(0).permutation(len(found)).tolist():
        if len(by_label[found[at].label]) < per_label:
            by_label[found[at].label].append(found[at])
    return [one for characters in by_label.values() for one in characters]


if __name__ == "__main__":
    typer.run(main)
