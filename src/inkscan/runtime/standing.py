"""Standing: an answer whose dots or roots stand elsewhere than it says is mended.

Every point of the ink that the networks learnt from stands between digits, so they take one between letters for a
raised dot, however low it stands; and they put what follows a root under its bar too often. A person sees both at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf

from inkscan.ink import Ink
from inkscan.ink.ink import Box
from inkscan.latex.symbol_metrics import extent
from inkscan.latex.symbols import CLOSING, OPENING, OPERATORS, RELATIONS
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.beam import Found
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.interpretation import Looked
from inkscan.runtime.search import SearchSettings

ROOT = "\\sqrt"
# What a raised dot, or row of them, is where it stands lower than so many x-heights above the line.
LOW = {"\\cdot": (".", 0.15), "\\cdots": ("\\ldots", 0.0)}
OVERHANG = 2  # symbols: many a bar ends one too soon
SCRIPTS = {"^", "_", "\\limits"}

Strokes = Sequence[tuple[int, ...]]  # of each token
Span = tuple[int, int]  # the place of a symbol on its row, and the place after its arguments and scripts


@dataclass(frozen=True)
class Mended:
    """An answer as its symbols stand."""

    tokens: tuple[str, ...]
    order: tuple[int, ...]  # where each of them was in the answer as it was found


def with_standing(
    ink: Ink,
    found: Found,
    looked: Looked,
    vocabulary: Vocabulary,
    constraint: Constraint,
    settings: SearchSettings,
) -> tuple[Found, Looked]:
    """The best hypothesis as its symbols stand; as it was found it is an alternative, with nats against it."""
    best, *others = found.hypotheses
    mended = as_it_stands(ink, vocabulary.decode(best.tokens), looked.strokes, constraint.allows)
    if mended is None:
        return found, looked
    order = list(mended.order)
    answer = replace(
        best,
        tokens=vocabulary.encode(mended.tokens),
        log_probs=(*(best.log_probs[i] for i in order), best.log_probs[-1]),
        alphas=tuple(tuple(alpha[order] for alpha in views) for views in best.alphas),
    )
    doubted = replace(
        best,
        log_probs=(*best.log_probs[:-1], best.log_probs[-1] - settings.standing),
        score=best.score - settings.standing / len(best.log_probs) ** settings.length_power,
    )
    rivals = [doubted, *others]
    rivals = [rival for rival in rivals if rival.tokens != answer.tokens]
    rivals.sort(key=lambda rival: -rival.score)
    strokes = tuple(looked.strokes[i] for i in order)
    return Found((answer, *rivals)), Looked(looked.alignment[order], strokes)


def as_it_stands(
    ink: Ink, tokens: Sequence[str], strokes: Strokes, allows: Callable[[str], bool] = lambda token: True
) -> Mended | None:
    """The answer as the places of its symbols tell, None where it stands as it says."""
    raised = {high for high, (low, _) in LOW.items() if allows(low)}
    if raised.isdisjoint(tokens) and ROOT not in tokens:
        return None
    order = _without_overhang(ink, tokens, strokes)
    moved = [tokens[i] for i in order]
    lowered = _lowered(ink, moved, [strokes[i] for i in order], raised)
    return Mended(tuple(lowered), tuple(order)) if lowered != list(tokens) else None


def _without_overhang(ink: Ink, tokens: Sequence[str], strokes: Strokes) -> list[int]:
    """The places of the tokens, in an order that leaves under no root what begins well beyond the end of its bar."""
    order = list(range(len(tokens)))
    for root in reversed([at for at, token in enumerate(tokens) if token == ROOT]):  # inner ones first
        now = [tokens[i] for i in order]
        closing = _closing(now)
        opening = closing[root + 1] + 1 if now[root + 1] == "[" else root + 1
        close = closing[opening]
        if not strokes[root] or _has_scripts(now, close) or _is_in_an_index(now, closing, root):
            continue  # what left such a root would take its script along, or close the index
        spans = _spans(now, closing, opening + 1, close)
        lefts = [_left(ink, order[first:last], strokes) for first, last in spans]
        under = _under(lefts, ink.box(strokes[root]).right)
        kept = [now[first] for first, _ in spans[:under]]
        if _is_whole(kept) and under <= len(spans) - OVERHANG:
            order.insert(spans[under][0], order.pop(close))
    return order


def _has_scripts(tokens: Sequence[str], close: int) -> bool:
    return close + 1 < len(tokens) and tokens[close + 1] in SCRIPTS


def _is_in_an_index(tokens: Sequence[str], closing: dict[int, int], at: int) -> bool:
    return any(tokens[opening] == "[" and opening < at < close for opening, close in closing.items())


def _is_whole(symbols: Sequence[str]) -> bool:
    """Whether these may be all that stands under a root: something, no open bracket, no sign that waits for more."""
    count = sum((symbol in OPENING) - (symbol in CLOSING) for symbol in symbols)
    return bool(symbols) and count == 0 and symbols[-1] not in OPERATORS and symbols[-1] not in RELATIONS


def _under(lefts: Sequence[float], end: float) -> int:
    """How many symbols there are up to the last one that begins before the end of a bar."""
    return max((count for count, left in enumerate(lefts, 1) if left <= end), default=0)


def _left(ink: Ink, places: Sequence[int], strokes: Strokes) -> float:
    """Where the ink of some tokens begins."""
    written = [stroke for i in places for stroke in strokes[i]]
    return ink.box(written).left if written else -inf


def _lowered(ink: Ink, tokens: list[str], strokes: Strokes, raised: set[str]) -> list[str]:
    """The tokens with points for raised dots that stand on the line."""
    found = list(tokens)
    closing = _closing(tokens)
    for first, last in _rows(tokens, closing):
        symbols = [at for at, _ in _spans(tokens, closing, first, last)]
        for before, at, after in zip((None, *symbols[:-1]), symbols, (*symbols[1:], None), strict=True):
            if tokens[at] in raised and strokes[at]:
                low, height = LOW[tokens[at]]
                beside = [
                    (tokens[i], ink.box(strokes[i])) for i in (before, after) if i is not None and strokes[i]
                ]
                heights = list(_heights(ink.box(strokes[at]), beside))
                if heights and sum(heights) / len(heights) < height:
                    found[at] = low
    return found


def _heights(dots: Box, beside: Sequence[tuple[str, Box]]) -> Iterator[float]:
    """How high dots stand above the line of each symbol beside them that tells where its line is, in its x-heights."""
    for token, box in beside:
        usual = extent(token)
        if usual.rigid and box.height > 0:
            unit = box.height / usual.height
            yield (box.bottom - (dots.top + dots.bottom) / 2) / unit + usual.bottom


def _closing(tokens: Sequence[str]) -> dict[int, int]:
    """Where each group that opens is closed: braces, and the brackets of a root's index."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token == "{" or (token == "[" and at and tokens[at - 1] == ROOT):
            opened.append(at)
        elif opened and token == ("}" if tokens[opened[-1]] == "{" else "]"):
            closing[opened.pop()] = at
    return closing


def _rows(tokens: Sequence[str], closing: dict[int, int]) -> Iterator[Span]:
    yield 0, len(tokens)
    for opening, close in closing.items():
        yield opening + 1, close


def _spans(tokens: Sequence[str], closing: dict[int, int], first: int, last: int) -> list[Span]:
    """The symbols of a row, each with its arguments and scripts."""
    spans: list[Span] = []
    while first < last:
        after = first + 1
        while after < last and (after in closing or tokens[after] in SCRIPTS):
            after = closing.get(after, after) + 1
        spans.append((first, after))
        first = after
    return spans
