"""Where symbols stand is a matter of the alphabet."""

from __future__ import annotations

from inkscan.latex.alphabet import ALPHABET
from inkscan.latex.symbol_metrics import CLASSES, extent
from inkscan.latex.tree import ACCENTS, STRUCTURE
from inkscan.latex.vocabulary import WIDE


def test_every_class_that_the_alphabet_names_is_there_and_used() -> None:
    assert {entry.stands for entry in ALPHABET.values()} - {""} == set(CLASSES)


def test_every_symbol_that_models_know_has_a_place() -> None:
    composed = ACCENTS | STRUCTURE | {r"\binom"}
    assert all(ALPHABET[label].stands for label in WIDE.symbols if label not in composed)


def test_what_the_alphabet_lacks_stands_as_a_capital_and_tells_no_size() -> None:
    unknown = extent(r"\mine")
    assert (unknown.top, unknown.bottom, unknown.rigid) == (extent("A").top, 0.0, False)
