"""Recognition of a fixed length: every system decodes as many tokens, so that random weights can be timed alike."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from inkscan.ink import Ink
from inkscan.latex.grammar import START_STATE
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.beam import BeamSearch
from inkscan.runtime.constraint import Constraint, Float64, Prefix
from inkscan.runtime.judge import Judge
from inkscan.runtime.recognizer import Recognizer
from inkscan.runtime.search import Bounds, SearchSettings


class FixedLength(Constraint):
    """No grammar: every hypothesis ends when its budget does."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        ends = np.arange(len(vocabulary)) == vocabulary.end
        self._going = np.where(ends, -np.inf, 0.0)
        self._ending = np.where(ends, 0.0, -np.inf)

    @property
    def start(self) -> Prefix:
        return Prefix(START_STATE, 1)

    def penalties(self, prefixes: Sequence[Prefix], budgets: Sequence[int]) -> Float64:
        return np.stack([self._going if budget > 1 else self._ending for budget in budgets])

    def advance(self, prefix: Prefix, token: int) -> Prefix:
        return prefix


def time_at_length(recognizer: Recognizer, ink: Ink, length: int, beam: int) -> float:
    """CPU seconds to encode an ink and decode `length` tokens with a full beam."""
    settings = SearchSettings(beam=beam, margin=1e9, spread=1e9)
    vocabulary = recognizer.vocabulary
    constraint, judge = FixedLength(vocabulary), Judge(vocabulary)
    start = time.process_time()
    batch, network = recognizer.features([ink]), recognizer.members[0].network
    encoded = network.encode(batch)
    BeamSearch([network], [encoded], vocabulary, constraint, judge, settings).run([Bounds(length + 1, beam)])
    return time.process_time() - start
