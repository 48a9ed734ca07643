"""The symbol layout tree: symbols on a baseline, each with rows of symbols attached around it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Symbol:
    """One written symbol, the strokes that draw it, and the rows attached to it.

    A fraction bar has `above` and `below`; a radical has `inside` and, for its index, `above`;
    an operator with `\\limits` has `above` and `below`; everything else has `sup` and `sub`.
    """

    label: str
    strokes: tuple[int, ...] = ()
    sub: Row = ()
    sup: Row = ()
    above: Row = ()
    below: Row = ()
    inside: Row = ()


Row = tuple[Symbol, ...]
