"""Letters renamed: the structure stays, rare letters come more often than they were written."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from inkscan.latex.parser import parse_tokens
from inkscan.latex.tokens import canonical_tokens
from inkscan.latex.tree import to_tokens
from inkscan.synthesis.bank import SymbolBank, SymbolInk, cut_symbol
from inkscan.synthesis.substitute import LETTERS, Substitutes, is_letter

TOKENS = canonical_tokens(r"\frac { p ^ { 2 } + \alpha } { \sqrt { x } } = \sum \limits _ { i } s _ { i }")


def ink(label: str) -> SymbolInk:
    symbol = cut_symbol(label, [np.array([[0.0, 0.0], [1.0, 2.0]])])
    assert symbol is not None
    return symbol


@pytest.fixture
def letters() -> Substitutes:
    written = {"x": 100, "P": 4, r"\alpha": 25, "2": 900, "+": 50}
    return Substitutes.of(SymbolBank({label: [ink(label)] * count for label, count in written.items()}))


def test_only_letters_change_and_structure_stays(letters: Substitutes) -> None:
    row = letters.exchanged(parse_tokens(TOKENS), np.random.default_rng(1), 1.0)
    renamed = to_tokens(row)
    assert len(renamed) == len(TOKENS) and renamed != TOKENS
    for old, new in zip(TOKENS, renamed, strict=True):
        assert new in letters.choices[LETTERS].labels if is_letter(old) else new == old


def test_nothing_changes_at_rate_zero(letters: Substitutes) -> None:
    assert to_tokens(letters.exchanged(parse_tokens(TOKENS), np.random.default_rng(1), 0.0)) == TOKENS


def test_rare_letters_are_drawn_by_the_root_of_their_count(letters: Substitutes) -> None:
    rng = np.random.default_rng(0)
    row = parse_tokens(("x",))
    drawn = Counter(letters.exchanged(row, rng, 1.0)[0].label for _ in range(4000))
    for label, share in (("x", 10 / 17), (r"\alpha", 5 / 17), ("P", 2 / 17)):
        assert drawn[label] / 4000 == pytest.approx(share, abs=0.03)


def test_a_letter_is_renamed_alike_wherever_it_stands(letters: Substitutes) -> None:
    row = parse_tokens(canonical_tokens(r"x + x ^ { x } = \frac { x } { x }"))
    for seed in range(20):
        renamed = to_tokens(letters.exchanged(row, np.random.default_rng(seed), 0.5))
        assert len({token for token in renamed if is_letter(token)}) == 1


def test_a_bank_without_letters_leaves_all_as_it_is() -> None:
    letters = Substitutes.of(SymbolBank({"2": [ink("2")]}))
    assert to_tokens(letters.exchanged(parse_tokens(TOKENS), np.random.default_rng(1), 1.0)) == TOKENS


def test_points_stand_between_letters_too() -> None:
    letters = Substitutes.of(SymbolBank({label: [ink(label)] for label in ("x", ".", r"\ldots")}))
    row = parse_tokens(canonical_tokens(r"2 . 2 \cdots x \cdot x"))
    drawn = [to_tokens(letters.exchanged(row, np.random.default_rng(seed), 0.5)) for seed in range(200)]
    assert {tokens[1] for tokens in drawn} == {"."}
    for place, label in ((3, r"\ldots"), (5, ".")):
        assert np.mean([tokens[place] == label for tokens in drawn]) == pytest.approx(0.25, abs=0.08)


def test_dots_stay_where_nobody_wrote_points(letters: Substitutes) -> None:
    row = parse_tokens(canonical_tokens(r"2 \cdot 2 \cdots"))
    for seed in range(40):
        drawn = to_tokens(letters.exchanged(row, np.random.default_rng(seed), 1.0))
        assert not {".", r"\ldots"} & set(drawn)
