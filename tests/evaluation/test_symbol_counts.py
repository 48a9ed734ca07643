"""Symbol groups against the truth's own."""

from __future__ import annotations

from inkscan.evaluation.symbol_counts import LabelledGroup, SymbolCounts, count_symbols, symbol_groups


def _group(token: str, *strokes: int) -> LabelledGroup:
    return LabelledGroup(token, frozenset(strokes))


def test_groups_are_the_symbols_of_an_aligned_truth() -> None:
    tokens = ("\\frac", "{", "x", "}", "{", "2", "}")
    groups = symbol_groups(tokens, ((1,), (), (0, 3), (), (), (2,), ()))
    assert set(groups) == {_group("\\frac", 1), _group("x", 0, 3), _group("2", 2)}


def test_a_truth_that_leaves_a_symbol_without_strokes_has_no_groups() -> None:
    assert symbol_groups(("x", "y"), ((0,), ())) == ()
    assert symbol_groups(("\\begin{matrix}",), ((0,),)) == ()


def test_counts_take_each_symbol_once() -> None:
    truth = [_group("x", 0, 1), _group("+", 2), _group("y", 3)]
    predicted = [_group("x", 0, 1), _group("-", 2), _group("z", 2), _group("y", 3, 4), _group("w")]
    assert count_symbols(truth, predicted) == SymbolCounts(truth=3, predicted=4, segmented=2, recognized=1)


def test_a_failed_recognition_finds_nothing() -> None:
    assert count_symbols([_group("x", 0)], []) == SymbolCounts(1, 0, 0, 0)
