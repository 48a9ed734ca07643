"""Other readings of a symbol: what the alternatives have in its place, then what looks like it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from inkscan.latex.alphabet import ALPHABET
from inkscan.latex.tree import ACCENTS, STACKS, STRUCTURE
from inkscan.runtime.recognition import Recognition

_COMPOUND = STACKS | ACCENTS | {"\\sqrt"}  # swapping these would change more than one symbol


@dataclass(frozen=True)
class Candidate:
    """A token that may stand in a symbol's place; a look-alike has no probability."""

    token: str
    probability: float | None


class Candidates:
    """The other readings of each symbol of an answer, the likeliest first."""

    def __init__(self, recognition: Recognition, vocabulary: frozenset[str]) -> None:
        self._tokens = recognition.tokens
        self._vocabulary = vocabulary
        self._shares = _shares(recognition)

    def of(self, index: int, at_most: int = 6) -> tuple[Candidate, ...]:
        """For the token at this place."""
        token, shares = self._tokens[index], self._shares.get(index, {})
        if token in _COMPOUND:
            return ()
        found = [Candidate(other, share) for other, share in sorted(shares.items(), key=lambda kv: -kv[1])]
        alike = ALPHABET[token].looks_like if token in ALPHABET else ()
        found += [Candidate(name, None) for name in alike if name not in shares and name in self._vocabulary]
        return tuple(found[:at_most])


def _shares(recognition: Recognition) -> Mapping[int, Mapping[str, float]]:
    """By token index: the probability that alternatives give to each other token in that place."""
    shares: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for alternative in recognition.alternatives[1:]:
        for edit in Levenshtein.editops(recognition.tokens, alternative.tokens):
            ours, theirs = edit.src_pos, edit.dest_pos
            if edit.tag == "replace" and _swappable(recognition.tokens[ours], alternative.tokens[theirs]):
                shares[ours][alternative.tokens[theirs]] += alternative.probability
    return shares


def _swappable(one: str, other: str) -> bool:
    return not {one, other} & (STRUCTURE | _COMPOUND)
