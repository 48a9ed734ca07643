"""Writing order: the same ink as people write it who go back, insert and correct."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from inkscan.data.sample import Sample
from inkscan.errors import BadRequest
from inkscan.ink.reading_order import in_reading_order
from inkscan.synthesis.proportion import check_shares, draw_by_share

Order = Literal[
    "late-symbol",
    "late-symbols",
    "late-stroke",
    "leftmost-last",
    "moved-run",
    "left-to-right",
    "reading",
    "shuffled",
]


@dataclass(frozen=True)
class Orders:
    """How often each order is drawn, in proportion to one another."""

    late_symbol: float = 0.15
    late_symbols: float = 0.12
    late_stroke: float = 0.13
    leftmost_last: float = 0.05
    moved_run: float = 0.1
    left_to_right: float = 0.05
    reading: float = 0.3
    shuffled: float = 0.1

    def __post_init__(self) -> None:
        check_shares("orders", vars(self).values())

    def draw(self, rng: np.random.Generator) -> Order:
        return draw_by_share(dict(zip(ORDERS, vars(self).values(), strict=True)), rng)


Groups = list[list[int]]  # the strokes of each symbol, symbols in the order of their first strokes


def reordered(sample: Sample, order: Order, rng: np.random.Generator) -> Sample:
    """The sample written in another order; the alignment follows its strokes."""
    if order not in ORDERS:
        raise BadRequest(f"no writing order {order!r}; there are {', '.join(ORDERS)}")
    return with_order(sample, ORDERS[order](sample, rng))


def with_order(sample: Sample, order: list[int]) -> Sample:
    """The sample with its strokes in an order, which names each of them once."""
    if order == list(range(len(sample.ink))):
        return sample
    place = {old: new for new, old in enumerate(order)}
    return replace(
        sample,
        ink=sample.ink.only(order),
        alignment=tuple(tuple(sorted(place[stroke] for stroke in strokes)) for strokes in sample.alignment),
    )


def _symbols(sample: Sample) -> Groups:
    """Strokes by symbol. One that two symbols share belongs to the first, one without a symbol stands alone."""
    owner: dict[int, int] = {}
    for token, strokes in enumerate(sample.alignment):
        for stroke in strokes:
            owner.setdefault(stroke, token)
    groups: dict[int, list[int]] = {}
    for stroke in range(len(sample.ink)):
        groups.setdefault(owner.get(stroke, -1 - stroke), []).append(stroke)
    return list(groups.values())


def _late(groups: Groups, late: list[int]) -> list[int]:
    """All groups in their order, but some of them last."""
    early = [at for at in range(len(groups)) if at not in late]
    return [stroke for at in (*early, *late) for stroke in groups[at]]


def _late_symbol(sample: Sample, rng: np.random.Generator) -> list[int]:
    groups = _symbols(sample)
    return _late(groups, [int(rng.integers(len(groups)))])


def _late_symbols(sample: Sample, rng: np.random.Generator) -> list[int]:
    """Two symbols, in any order."""
    groups = _symbols(sample)
    return _late(groups, rng.permutation(len(groups))[:2].tolist())


def _late_stroke(sample: Sample, rng: np.random.Generator) -> list[int]:
    strokes = [[stroke] for stroke in range(len(sample.ink))]
    return _late(strokes, [int(rng.integers(len(strokes)))])


def _leftmost_last(sample: Sample, rng: np.random.Generator) -> list[int]:
    groups = _symbols(sample)
    return _late(groups, [min(range(len(groups)), key=lambda at: sample.ink.box(groups[at]).left)])


def _moved_run(sample: Sample, rng: np.random.Generator) -> list[int]:
    """A run of symbols written at another time than its neighbours."""
    groups = _symbols(sample)
    begin, end = sorted(rng.integers(len(groups) + 1, size=2).tolist())
    rest = [*range(begin), *range(end, len(groups))]
    at = int(rng.integers(len(rest) + 1))
    return [stroke for group in (*rest[:at], *range(begin, end), *rest[at:]) for stroke in groups[group]]


def _left_to_right(sample: Sample, rng: np.random.Generator) -> list[int]:
    groups = _symbols(sample)
    return [
        stroke for group in sorted(groups, key=lambda group: sample.ink.box(group).left) for stroke in group
    ]


def _reading(sample: Sample, rng: np.random.Generator) -> list[int]:
    return list(in_reading_order(sample.ink))


def _shuffled(sample: Sample, rng: np.random.Generator) -> list[int]:
    """Symbols in any order, the strokes of each together."""
    groups = _symbols(sample)
    return [stroke for at in rng.permutation(len(groups)).tolist() for stroke in groups[at]]


ORDERS: dict[Order, Callable[[Sample, np.random.Generator], list[int]]] = {
    "late-symbol": _late_symbol,
    "late-symbols": _late_symbols,
    "late-stroke": _late_stroke,
    "leftmost-last": _leftmost_last,
    "moved-run": _moved_run,
    "left-to-right": _left_to_right,
    "reading": _reading,
    "shuffled": _shuffled,
}
ORDERS_OF_SYMBOLS = frozenset(ORDERS) - {
    "late-stroke",
    "reading",
}  # which need to know what strokes make a symbol
