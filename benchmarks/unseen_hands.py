"""Short formulas in the hands of writers that no training run has seen: a bank's symbols, composed.

    python benchmarks/unseen_hands.py train.parquet --bank unipen-characters.tar --bank symbols.jsonl.gz \
        --formulas formulas.tsv.xz

Each formula is written with the symbols of one of the writers that `inkscan train --bank` holds out, and of others of
them where he lacks one; signs that none of them wrote come from the corpus. Where symbols stand is made up, as in
training, so this tells how well shapes are read, not how well layouts are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

import inkscan
from inkscan.data.corpus import Corpus
from inkscan.data.sample import Sample
from inkscan.latex.vocabulary import CROHME
from inkscan.synthesis.accents import with_accents
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.characters import read_characters, trained_on
from inkscan.synthesis.formulas import FormulaBook, read_formulas
from inkscan.synthesis.hand import Hand
from inkscan.synthesis.handwriting import Pen
from inkscan.synthesis.layout import can_write, write_sample
from inkscan.synthesis.standin import with_stand_ins

SHORTEST, LONGEST = 5, 16  # tokens of a formula
MARKED = 0.5  # of the letters, where marks are asked for
FEWEST_LABELS = 20  # that a writer wrote, to be asked for a formula


def held_out_bank(corpus: Sequence[Sample], banks: Sequence[Path]) -> tuple[SymbolBank, list[str]]:
    """The corpus's symbols stood in for by those of held-out writers, and the writers of most labels."""
    characters = [one for path in banks for one in trained_on(read_characters(path), held_out=True)]
    labels = Counter(writer for writer, _ in {(one.writer, one.label) for one in characters})
    writers = sorted(writer for writer, count in labels.items() if count >= FEWEST_LABELS)
    bank = with_stand_ins(SymbolBank.harvest(corpus), SymbolBank.of_characters(characters))
    return bank, writers


def written(
    bank: SymbolBank, writers: Sequence[str], book: FormulaBook, marks: Sequence[str] = ()
) -> Iterator[Sample]:
    """Formulas without end, each by one writer in a hand of his own; with marks, those that have one at least."""
    number = 0
    while True:
        rng = np.random.default_rng((7, number))
        number += 1
        pen = Pen(Hand.sample(rng), bank, writers[int(rng.integers(len(writers)))])
        plain = book.draw(int(rng.integers(SHORTEST, LONGEST + 1)), rng)
        if not plain:
            continue
        row = with_accents(plain, marks, rng, MARKED) if marks else plain
        if can_write(row, pen) and (row != plain or not marks):
            yield write_sample(row, pen, rng, f"hand-{number}")


def main(
    corpus: Annotated[
        Path, typer.Argument(metavar="CORPUS.parquet", help="Whose symbols tell sizes and places.")
    ],
    bank: Annotated[list[Path], typer.Option(help="Isolated characters; repeatable.")],
    formulas: Annotated[Path, typer.Option(help="A table of formulas.")],
    model: Annotated[str | None, typer.Option(help="The default if not given.")] = None,
    marks: Annotated[
        str, typer.Option(help="Accents, or \\prime, over letters; all symbols may be answered.")
    ] = "",
    inks: Annotated[int, typer.Option(min=1)] = 300,
) -> None:
    recognizer = (inkscan.load(model) if model else inkscan.load()).with_search(n_best=1)
    symbols, writers = held_out_bank(list(Corpus.read(corpus)), bank)
    book = FormulaBook.of(list(read_formulas(formulas)), set(CROHME.tokens))
    samples = list(islice(written(symbols, writers, book, marks.split()), inks))
    answers = recognizer.many([sample.ink for sample in samples], allow=None if marks else CROHME.symbols)
    right = [answer.tokens == sample.tokens for answer, sample in zip(answers, samples, strict=True)]
    print(f"{len(samples)} formulas by {len(writers)} writers: {np.mean(right):.1%} right")


if __name__ == "__main__":
    typer.run(main)
