"""Brackets: which two of a row belong together, so that both grow around what they hold."""

from __future__ import annotations

from inkscan.latex.symbols import BARS, CLOSING, OPENING
from inkscan.latex.tree import Row


def partners(row: Row) -> dict[int, int]:
    """The index of each bracket's other half, of whatever shape; a bracket without one is absent."""
    partner: dict[int, int] = {}
    open_ones: list[int] = []
    for index, symbol in enumerate(row):
        if symbol.label in CLOSING:
            while open_ones and row[open_ones[-1]].label in BARS:
                open_ones.pop()
        closes = symbol.label in CLOSING or (open_ones and row[open_ones[-1]].label == symbol.label in BARS)
        if open_ones and closes:
            first = open_ones.pop()
            partner[first], partner[index] = index, first
        elif symbol.label in OPENING or symbol.label in BARS:
            open_ones.append(index)
    return partner
