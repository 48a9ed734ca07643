"""How far symbols are set apart."""

from __future__ import annotations

import numpy as np

from inkscan.synthesis.hand import Hand
from inkscan.synthesis.spacing import gaps_between


def gaps(labels: list[str], count: int = 200) -> np.ndarray:
    """Of as many hands, without the one before the first symbol."""
    found = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        found.append(gaps_between(labels, Hand.sample(rng), rng)[1:])
    return np.array(found)


def test_two_primes_stand_nearer_than_two_letters_and_never_cross() -> None:
    primes, letters = gaps([r"\prime", r"\prime"]), gaps(["a", "b"])
    assert np.median(primes) < 0.7 * np.median(letters)
    assert primes.min() > 0
    assert primes.std() < 0.5 * letters.std()


def test_relations_stand_apart_and_nothing_stands_before_the_first() -> None:
    assert np.median(gaps(["a", "="])) > np.median(gaps(["a", "b"]))
    assert gaps_between([], Hand.sample(np.random.default_rng(0)), np.random.default_rng(0)) == []
