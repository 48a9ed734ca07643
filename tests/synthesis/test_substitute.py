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


def bank_of(*labels: str) -> SymbolBank:
    return SymbolBank({label: [ink(label)] for label in labels})


@pytest.fixture
def letters() -> Substitutes:
    return Substitutes.of(bank_of("x", "P", r"\alpha", "2", "+"), {"x": 20_000, r"\alpha": 5_000})


def test_only_letters_change_and_structure_stays(letters: Substitutes) -> None:
    row = letters.exchanged(parse_tokens(TOKENS), np.random.default_rng(1), 1.0)
    renamed = to_tokens(row)
    assert len(renamed) == len(TOKENS) and renamed != TOKENS
    for old, new in zip(TOKENS, renamed, strict=True):
        assert new in letters.choices[LETTERS].labels if is_letter(old) else new == old


def test_nothing_changes_at_rate_zero(letters: Substitutes) -> None:
    assert to_tokens(letters.exchanged(parse_tokens(TOKENS), np.random.default_rng(1), 0.0)) == TOKENS


def test_rare_letters_are_drawn_by_the_root_of_their_count_in_expressions(letters: Substitutes) -> None:
    rng = np.random.default_rng(0)
    row = parse_tokens(("x",))
    drawn = Counter(letters.exchanged(row, rng, 1.0)[0].label for _ in range(4000))
    for label, share in (("x", 10 / 16), (r"\alpha", 5 / 16), ("P", 1 / 16)):
        assert drawn[label] / 4000 == pytest.approx(share, abs=0.03)


def test_a_letter_is_renamed_alike_wherever_it_stands(letters: Substitutes) -> None:
    row = parse_tokens(canonical_tokens(r"x + x ^ { x } = \frac { x } { x }"))
    for seed in range(20):
        renamed = to_tokens(letters.exchanged(row, np.random.default_rng(seed), 0.5))
        assert len({token for token in renamed if is_letter(token)}) == 1


def test_a_bank_without_letters_leaves_all_as_it_is() -> None:
    letters = Substitutes.of(bank_of("2"), {})
    assert to_tokens(letters.exchanged(parse_tokens(TOKENS), np.random.default_rng(1), 1.0)) == TOKENS


def test_points_stand_between_letters_too() -> None:
    letters = Substitutes.of(bank_of("x", ".", r"\ldots"), {})
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


def drawn_in(latex: str, letters: Substitutes) -> list[tuple[str, ...]]:
    row = parse_tokens(canonical_tokens(latex))
    return [to_tokens(letters.exchanged(row, np.random.default_rng(seed), 1.0)) for seed in range(60)]


def test_nothing_is_multiplied_where_a_sign_stands() -> None:
    operators = Substitutes.of(bank_of("+", "-", r"\times", r"\cdot", "="), {})
    drawn = drawn_in("- 2 - 3 = - 5", operators)
    assert {tokens[0] for tokens in drawn} == {"+", "-"} == {tokens[5] for tokens in drawn}
    assert r"\times" in {tokens[2] for tokens in drawn}


def test_beside_digits_stand_no_letters_that_look_like_digits() -> None:
    round_ones = Substitutes.of(bank_of("O", "l"), {})
    assert {tokens[1] for tokens in drawn_in("2 x + y", round_ones)} == {"x"}
    assert {tokens[3] for tokens in drawn_in("2 x + y", round_ones)} == {"O", "l"}


def test_what_is_no_letter_does_not_stand_for_one() -> None:
    assert all(tokens == ("x", "+", "y") for tokens in drawn_in("x + y", Substitutes.of(bank_of(r"\%"), {})))
