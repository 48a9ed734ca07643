from __future__ import annotations

import numpy as np
import pytest

from inkscan.errors import BadRequest
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime.constraint import Constraint


def permitted(constraint: Constraint, *tokens: str, budget: int = 100) -> set[str]:
    """The tokens that may follow."""
    state = constraint.start
    for token in tokens:
        state = constraint.advance(state, CROHME.index[token])
    row = constraint.penalties([state], [budget])[0]
    return {CROHME.tokens[i] for i in np.flatnonzero(row == 0)}


def test_an_index_may_close_though_its_bracket_is_not_allowed() -> None:
    constraint = Constraint(CROHME, allow=["x", "\\sqrt", "["])
    assert "]" not in permitted(constraint, "x")
    assert "]" in permitted(constraint, "\\sqrt", "[", "x")


def test_limits_need_a_script_that_is_allowed() -> None:
    assert "\\limits" in permitted(Constraint(CROHME, forbid=["^"]), "x")
    assert "\\limits" not in permitted(Constraint(CROHME, forbid=["^", "_"]), "x")


def test_limits_need_a_sign_that_is_allowed_and_has_them() -> None:
    assert "\\limits" not in permitted(Constraint(CROHME, allow=["x", "="]), "x")
    assert "\\limits" in permitted(Constraint(CROHME, allow=["x", "\\sum"]), "\\sum")


def test_braces_and_the_end_are_always_there() -> None:
    constraint = Constraint(CROHME, allow=["x", "\\frac"], forbid=["{", "}"])
    assert permitted(constraint, "\\frac") == {"{"}
    assert "<eos>" in permitted(constraint, "x")


def test_a_short_budget_leaves_only_what_can_be_finished() -> None:
    constraint = Constraint(CROHME)
    assert permitted(constraint, "x", budget=1) == {"<eos>"}
    assert "\\frac" not in permitted(constraint, budget=7)
    assert "\\frac" in permitted(constraint, budget=8)


def test_symbols_with_commas_between_are_told_how() -> None:
    with pytest.raises(BadRequest, match="put spaces between symbols"):
        Constraint(CROHME, allow=["x,+,1"])
    with pytest.raises(BadRequest, match=r"forbid them$"):
        Constraint(CROHME, allow=["no-symbol"])
