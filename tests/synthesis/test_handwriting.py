"""Hands differ from one another more than from themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from inkscan.data.sample import Sample
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.hand import Hand
from inkscan.synthesis.handwriting import Pen

from .conftest import written


def outline(pen: Pen, label: str, seed: int) -> np.ndarray:
    points = pen.draw(label, np.random.default_rng(seed)).points
    chosen: np.ndarray = points[np.linspace(0, len(points) - 1, 20).astype(int)]
    return chosen


def test_the_same_seed_gives_the_same_ink() -> None:
    assert written("x + 1", 3).ink == written("x + 1", 3).ink
    assert written("x + 1", 3).ink != written("x + 1", 4).ink


def test_a_writer_is_like_himself() -> None:
    hands = [Hand.sample(np.random.default_rng(seed)) for seed in range(8)]
    pens = [Pen(replace(hand, density=8.0)) for hand in hands]
    own, others = [], []
    for pen in pens:
        pen.draw("c", np.random.default_rng(hash(pen.hand.slant) % 100))
    for index, pen in enumerate(pens):
        own.append(np.abs(outline(pen, "c", 1) - outline(pen, "c", 2)).mean())
        others.append(np.abs(outline(pen, "c", 1) - outline(pens[index - 1], "c", 2)).mean())
    assert np.mean(own) < 0.8 * np.mean(others)


def test_no_two_symbols_are_equal() -> None:
    pen = Pen(Hand.sample(np.random.default_rng(0)))
    rng = np.random.default_rng(1)
    first, second = pen.draw("a", rng), pen.draw("a", rng)
    assert len(first.points) != len(second.points) or not np.allclose(first.points, second.points)


def test_care_makes_writing_regular() -> None:
    def spread(care: float) -> float:
        bottoms = []
        for seed in range(20):
            sample = written("n n n n n n", seed, care)
            boxes = [sample.ink.box(strokes) for strokes in sample.alignment]
            bottoms.append(np.std([box.bottom for box in boxes]) / np.mean([box.height for box in boxes]))
        return float(np.mean(bottoms))

    assert spread(1.0) < 0.7 * spread(0.0)


def test_a_slanted_hand_leans() -> None:
    hand = Hand.sample(np.random.default_rng(0), care=1.0)

    def lean(slant: float) -> float:
        pen = Pen(replace(hand, slant=slant, turn=0.0, style=0.0, wobble=0.0))
        points = pen.draw("l", np.random.default_rng(0)).points
        top, bottom = points[points[:, 1].argmin()], points[points[:, 1].argmax()]
        return float((top[0] - bottom[0]) / (bottom[1] - top[1]))

    assert lean(0.4) > lean(0.0) + 0.25


def test_a_bank_takes_the_place_of_the_font(bank: SymbolBank, samples: list[Sample]) -> None:
    hand = Hand.sample(np.random.default_rng(0), care=1.0)
    pen = Pen(hand, bank)
    counts = {len(symbol.points) for symbol in bank.entries["x"]}
    rng = np.random.default_rng(0)
    assert all(len(pen.draw("x", rng).points) in counts for _ in range(20))
    assert r"\exists" not in SymbolBank({}).entries
    assert len(Pen(hand, SymbolBank({})).draw(r"\exists", rng).points) > 4
