"""Spacing: how far a hand sets the symbols of a row apart, in x-heights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inkscan.latex.symbols import CLOSING, FUNCTIONS, INTEGRALS, OPENING, OPERATORS, PUNCTUATION, RELATIONS
from inkscan.latex.tree import PRIME
from inkscan.synthesis.hand import Hand

TOUCHING = 0.65  # how far symbols come nearer or stay farther than usual, of a hand's looseness
OVERLAP = 0.5  # by which they do so at most
_BINARY = frozenset((*OPERATORS, *RELATIONS, "/")) - {r"\cdot"}  # a dot stands as near as a point
_BARS = _BINARY | {r"\frac"}  # that touch would be read as one
_TWO_PRIMES = (PRIME, PRIME)  # stand near one another, whoever writes them


def gaps_between(labels: Sequence[str], hand: Hand, rng: np.random.Generator) -> list[float]:
    """The space before each symbol of a row, none before the first; letters and brackets overlap now and then."""
    loose = np.exp(hand.looseness * rng.standard_normal(len(labels))).tolist()
    nearer = np.maximum(TOUCHING * hand.looseness * rng.standard_normal(len(labels)), -OVERLAP).tolist()
    gaps = [0.0] if labels else []
    for index in range(1, len(labels)):
        pair = labels[index - 1], labels[index]
        gap = loose[index] * _usual_gap(*pair, hand, is_first=index == 1)
        if pair == _TWO_PRIMES:
            gaps.append(0.5 * gap)
            continue
        gaps.append(gap + (nearer[index] if _BARS.isdisjoint(pair) else max(nearer[index], -0.7 * gap)))
    return gaps


def _usual_gap(before: str, label: str, hand: Hand, *, is_first: bool) -> float:
    """The usual space between two symbols of a row; a sign before everything stands near what it belongs to."""
    gap = hand.spacing
    if label in _BINARY and before not in _BINARY and before not in OPENING:
        gap += hand.relation_space if label in RELATIONS else hand.operator_space
    if before in _BINARY and not is_first:
        gap += hand.relation_space if before in RELATIONS else hand.operator_space
    if before in FUNCTIONS or before in PUNCTUATION or label in FUNCTIONS:
        gap += 0.2
    if before in INTEGRALS or before in OPENING or label in CLOSING:
        return 0.6 * gap
    return gap + 0.15 * (before in CLOSING or label in OPENING)
