"""Letters under marks."""

from __future__ import annotations

import numpy as np

from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import to_tokens
from inkscan.synthesis.accents import with_accents

MARKS = (r"\hat", r"\vec")


def accented(text: str, rate: float, seed: int = 0) -> str:
    row = parse_tokens(tuple(text.split()))
    return " ".join(to_tokens(with_accents(row, MARKS, np.random.default_rng(seed), rate)))


def test_letters_alone_are_marked_and_keep_their_scripts() -> None:
    found = {accented("x _ { 2 } + 3", 1.0, seed) for seed in range(20)}
    assert found == {rf"{mark} {{ x }} _ {{ 2 }} + 3" for mark in MARKS}


def test_a_letter_has_the_same_mark_everywhere() -> None:
    for seed in range(20):
        written = accented(r"a = \frac { a } { b ^ { a } }", 0.5, seed)
        assert (
            len({mark for mark in ("", *MARKS) if (f"{mark} {{ a }}" if mark else " a =") in f" {written}"})
            == 1
        )


def test_a_marked_letter_is_not_marked_again() -> None:
    assert accented(r"\hat { x } + 1", 1.0) == r"\hat { x } + 1"


def test_no_letter_is_marked_at_rate_zero() -> None:
    assert accented("x + y", 0.0) == "x + y"


def test_primes_stand_before_a_power_and_are_half_of_the_marks() -> None:
    row = parse_tokens(("f", "^", "{", "2", "}"))
    marked = [
        " ".join(to_tokens(with_accents(row, (*MARKS, r"\prime"), np.random.default_rng(seed), 1.0)))
        for seed in range(300)
    ]
    one, two = r"f ^ { \prime 2 }", r"f ^ { \prime \prime 2 }"
    assert 120 < marked.count(one) + marked.count(two) < 180
    assert 15 < marked.count(two) < 50
    assert {text for text in marked if r"\prime" not in text} == {
        rf"{mark} {{ f }} ^ {{ 2 }}" for mark in MARKS
    }


def test_primes_may_be_the_only_marks() -> None:
    row = parse_tokens(("f",))
    assert to_tokens(with_accents(row, (r"\prime",), np.random.default_rng(0), 1.0))[:4] == (
        "f",
        "^",
        "{",
        r"\prime",
    )
