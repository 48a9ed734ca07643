"""Voting: the answer for which several readings of an ink speak most, and what its symbols look like.

Each reading votes for all its hypotheses, the likelier the louder. An answer that says the same letters again has more
votes: who has written an x and a c writes them again sooner than another letter of that shape. Where a classifier of
single symbols is at hand, it weighs the answers that come close: it has seen shapes alone, so it errs elsewhere than
those who read. And so does a language model, which has seen formulas alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from inkscan.latex.alphabet import SymbolKind, labels
from inkscan.runtime.beam import Found, Hypothesis
from inkscan.runtime.calibration import Agreement
from inkscan.runtime.interpretation import RIVALS, Looked
from inkscan.runtime.language import Fluency
from inkscan.runtime.readings import Read
from inkscan.runtime.search import SearchSettings
from inkscan.runtime.symbol_shapes import SegmentedAnswer, Shapes

TRUST = 3.0  # in scores: how much more a likelier answer counts when readings vote
CLOSE = 1.5  # an answer with e^CLOSE times fewer votes than the first is not weighed
# Signs and brackets come again in any formula, and in what strokes that were put together wrongly seem to say.
LETTERS = labels(SymbolKind.LETTER, SymbolKind.GREEK, SymbolKind.DIGIT)

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class _Candidate:
    """An answer, in the reading that it is taken from."""

    read: Read
    hypothesis: Hypothesis
    looked: Looked

    @property
    def tokens(self) -> Tokens:
        return self.hypothesis.tokens

    @property
    def unread(self) -> int:
        return len(self.looked.unread)

    def segmented(self) -> SegmentedAnswer:
        """With strokes as the ink has them, in whatever order they were read."""
        order = self.read.reading.order
        strokes = self.looked.strokes
        if order is not None:
            strokes = tuple(tuple(sorted(order[stroke] for stroke in group)) for group in strokes)
        return SegmentedAnswer(self.read.interpreter.vocabulary.decode(self.tokens), strokes)


def best_of(
    read: Sequence[Read],
    settings: SearchSettings,
    shapes: Shapes | None = None,
    fluency: Fluency | None = None,
) -> Read:
    """The reading with the answer that weighs most, that answer first; one that leaves strokes unread which another
    reading's answer reads is out."""
    weights = _votes(read, settings)
    shapes = shapes if settings.shapes > 0 else None
    fluency = fluency if settings.fluency > 0 else None
    is_weighed = shapes is not None or fluency is not None
    candidates = _close(read, _firsts(read), weights, CLOSE if is_weighed else 0.0)
    if is_weighed and len(candidates) > 1:
        weights |= _weighed(candidates, weights, settings, shapes, fluency)
    best = max(candidates, key=lambda one: weights[one.tokens])
    rivals = sorted(weight for tokens, weight in weights.items() if tokens != best.tokens)[-RIVALS:]
    agreement = Agreement(
        share=exp(weights[best.tokens] - _sum_of_logs([weights[best.tokens], *rivals])),
        are_several=any(one.interpreter is not best.read.interpreter for one in read),
        is_weighed=is_weighed,
    )
    found = merged(best.hypothesis, *(one.found for one in read))
    return replace(best.read, found=found, looked=best.looked, agreement=agreement)


def _votes(read: Sequence[Read], settings: SearchSettings) -> dict[Tokens, float]:
    """The logarithms of what all readings say of each answer, and more for letters that it says again."""
    scores: dict[Tokens, list[float]] = defaultdict(list)
    for one in read:
        for hypothesis in one.found.hypotheses:
            scores[hypothesis.tokens].append(TRUST * hypothesis.score)
    decode = read[0].interpreter.vocabulary.decode  # all readers know the same symbols
    return {
        tokens: _sum_of_logs(votes) + settings.repeats * repetition(decode(tokens))
        for tokens, votes in scores.items()
    }


def repetition(tokens: Iterable[str]) -> float:
    """How much an answer says again: the sum over its letters and digits of the logarithm of how often it has each."""
    counts = Counter(token for token in tokens if token in LETTERS)
    return sum(map(log, counts.values()))


def _sum_of_logs(values: Collection[float]) -> float:
    most = max(values)
    return most + log(sum(exp(value - most) for value in values))


def _firsts(read: Sequence[Read]) -> list[_Candidate]:
    """What each reading found likeliest, each answer once."""
    candidates = [_Candidate(one, one.found.best, one.looked) for one in read]
    if len({one.tokens for one in candidates}) > 1:
        fewest = min(one.unread for one in candidates)
        candidates = [one for one in candidates if one.unread == fewest]
    return _one_each(candidates)


def _close(
    read: Sequence[Read], firsts: Sequence[_Candidate], weights: Mapping[Tokens, float], behind: float
) -> list[_Candidate]:
    """These and other answers that are no more than so much behind the one of them that weighs most."""
    least = max(weights[one.tokens] for one in firsts) - behind
    most_unread, known = max(one.unread for one in firsts), {one.tokens for one in firsts}
    others = [
        _Candidate(one, hypothesis, looked)
        for one in read
        for hypothesis in one.found.hypotheses[1:]
        if weights[hypothesis.tokens] >= least and hypothesis.tokens not in known
        if (looked := one.look(hypothesis)) is not None
    ]
    candidates = [*firsts, *(one for one in _one_each(others) if one.unread <= most_unread)]
    least = max(weights[one.tokens] for one in candidates) - behind
    return [one for one in candidates if weights[one.tokens] >= least]


def _one_each(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """Of those with one answer that which leaves least of the ink unread, then the likeliest."""
    ranked = sorted(candidates, key=lambda one: (one.unread, -one.hypothesis.score))
    found: dict[Tokens, _Candidate] = {}
    for one in ranked:
        found.setdefault(one.tokens, one)
    return list(found.values())


def _weighed(
    candidates: Sequence[_Candidate],
    weights: Mapping[Tokens, float],
    settings: SearchSettings,
    shapes: Shapes | None,
    fluency: Fluency | None,
) -> dict[Tokens, float]:
    """The candidates' weights, more or less than that of the one with most votes by what their symbols look like and
    by what formulas usually say."""
    said = [0.0] * len(candidates)
    if shapes is not None:
        looks = shapes.weigh([one.segmented() for one in candidates])
        said = [settings.shapes * look for look in looks]
    if fluency is not None:
        fluent = fluency.of([one.tokens for one in candidates])
        said = [before + settings.fluency * one for before, one in zip(said, fluent, strict=True)]
    first = max(range(len(candidates)), key=lambda at: weights[candidates[at].tokens])
    return {
        one.tokens: weights[one.tokens] + more - said[first]
        for one, more in zip(candidates, said, strict=True)
    }


def merged(answer: Hypothesis, *found: Found) -> Found:
    """The hypotheses of several readings, each expression once; the answer comes first."""
    rivals = [hypothesis for one in found for hypothesis in one.hypotheses]
    rivals.sort(key=lambda hypothesis: hypothesis.score)
    likeliest = {hypothesis.tokens: hypothesis for hypothesis in rivals}  # the last one of each expression
    likeliest.pop(answer.tokens, None)
    ranked = sorted(likeliest.values(), key=lambda hypothesis: -hypothesis.score)
    return Found((answer, *ranked))
