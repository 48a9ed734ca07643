from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import inkscan
from inkscan import Ink
from inkscan.latex.tree import Symbol
from inkscan.latex.vocabulary import WIDE
from inkscan.runtime.unread import Writing
from inkscan.synthesis.generate import Generator
from inkscan.synthesis.layout import write_sample
from inkscan.training.patterns import stands_alone

Points = list[tuple[float, float]]


def line(*corners: tuple[float, float]) -> Points:
    """A stroke from corner to corner, with points all along it."""
    found = [np.linspace(a, b, 12) for a, b in pairwise(corners)]
    return [(float(x), float(y)) for x, y in np.concatenate(found)]


def arc(x: float, y: float, radius: float, first: float, last: float) -> Points:
    angles = np.linspace(first, last, 24) * np.pi
    return [(float(x + radius * np.cos(a)), float(y + radius * np.sin(a))) for a in angles]


X = [line((0, 8), (15, 26)), line((15, 8), (0, 26))]  # lower than the 1, so that it is no capital
TWO = [[*arc(30, -10, 5, 1, 2.2), *line((33, -6), (25, 4), (36, 4))]]
PLUS = [line((46, 13), (66, 13)), line((56, 3), (56, 24))]
ONE = [line((80, -4), (80, 26))]
MINUS = [line((-26, 13), (-8, 13))]


def test_a_minus_put_in_front_at_the_end_is_read_or_said_to_be_unread() -> None:
    recognizer = inkscan.load()
    whole = recognizer(Ink.from_points([*X, *TWO, *PLUS, *ONE]))
    assert (whole.latex, whole.unread) == ("x^{2}+1", ())
    late = recognizer(Ink.from_points([*X, *TWO, *PLUS, *ONE, *MINUS]))
    assert late.latex == "-x^{2}+1" or (late.unread == (6,) and late.confidence < 0.5)


def test_a_stroke_apart_from_its_symbol_is_not_of_it() -> None:
    ink = Ink.from_points([*X, *PLUS, *MINUS])
    alignment = np.array([[0.5, 0.4, 0.0, 0.0, 0.1], [0.0, 0.0, 0.5, 0.4, 0.1]])
    assert Writing(ink).read_strokes(["x", "+"], [(0, 1, 4), (2, 3)], alignment) == ((0, 1), (2, 3))
    assert Writing(ink).read_strokes(["x", "+"], [(0, 1), (2, 3, 4)], alignment) == ((0, 1), (2, 3))


def test_the_part_that_was_looked_at_most_is_the_symbol() -> None:
    ink = Ink.from_points([*ONE, *MINUS])
    for looked, strokes in (([0.9, 0.1], (0,)), ([0.1, 0.9], (1,))):
        assert Writing(ink).read_strokes(["1"], [(0, 1)], np.array([looked])) == (strokes,)


@pytest.mark.parametrize(
    ("token", "strokes"),
    [
        ("=", [line((0, 0), (20, 0)), line((0, 12), (20, 12))]),
        ("i", [line((0, 10), (0, 30)), line((0, 0), (1, 0))]),
        ("\\sin", [line((0, 0), (9, 20)), line((16, 0), (16, 20)), line((26, 0), (35, 20))]),
        ("\\ldots", [line((x, 20), (x + 1, 20)) for x in (0, 20, 40)]),
    ],
)
def test_symbols_in_parts_stay_together(token: str, strokes: list[Points]) -> None:
    ink = Ink.from_points([*strokes, *ONE, *ONE, *ONE, *ONE])
    group = tuple(range(len(strokes)))
    looked = np.full((1, len(ink)), 1 / len(ink))
    assert Writing(ink).read_strokes([token], [group], looked) == (group,)
    assert len(Writing(ink).read_strokes(["x"], [group], looked)[0]) < len(group)


def test_one_stroke_or_none_is_left_alone() -> None:
    ink = Ink.from_points(ONE)
    assert Writing(ink).read_strokes(["x", "^"], [(0,), ()], np.ones((2, 1))) == ((0,), ())


@pytest.mark.parametrize("label", [label for label in WIDE.symbols if stands_alone(label) and label != "'"])
def test_every_symbol_of_the_alphabet_keeps_its_own_strokes(label: str) -> None:
    """As the font writes it, all of its strokes looked at alike, between two letters."""
    row = (Symbol("a"), Symbol(label), Symbol("b"))
    lost = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        sample = write_sample(row, Generator().pen(rng), rng, "one")
        strokes = [strokes for strokes in sample.alignment if strokes]
        looked = np.zeros((len(strokes), len(sample.ink)))
        for at, own in enumerate(strokes):
            looked[at, list(own)] = 1 / len(own)
        tokens = [token for token, own in zip(sample.tokens, sample.alignment, strict=True) if own]
        lost += Writing(sample.ink).read_strokes(tokens, strokes, looked)[1] != strokes[1]
    assert lost <= 2
