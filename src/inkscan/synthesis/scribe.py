"""Scribe: places the symbols of a tree about one another, as a hand does."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from inkscan.latex.alphabet import SymbolKind, labels
from inkscan.latex.symbol_metrics import AXIS, LINE, RAISED, extent
from inkscan.latex.symbols import INTEGRALS, LARGE
from inkscan.latex.tree import ACCENTS, Row, Symbol
from inkscan.synthesis.block import Block, Piece, beside, moved
from inkscan.synthesis.brackets import partners
from inkscan.synthesis.handwriting import Drawn, Pen
from inkscan.synthesis.spacing import gaps_between

LOWER = 0.85  # the size of subscripts against that of superscripts
SMALLEST = 0.34  # nobody writes scripts of scripts smaller than this
_LIMITED = labels(SymbolKind.LARGE, SymbolKind.LIMIT)  # scripts are drawn above and below
_UNDER = labels(SymbolKind.UNDER)


@dataclass(frozen=True, slots=True)
class PlacedSymbol:
    """A symbol of the tree, the number of the piece that draws it, and the rows attached to it, placed."""

    symbol: Symbol
    piece: int
    sub: PlacedRow = ()
    sup: PlacedRow = ()
    above: PlacedRow = ()
    below: PlacedRow = ()
    inside: PlacedRow = ()


PlacedRow = tuple[PlacedSymbol, ...]


class Scribe:
    """Places symbols and numbers their pieces."""

    def __init__(self, pen: Pen, rng: np.random.Generator) -> None:
        self.pen = pen
        self.hand = pen.hand
        self.rng = rng
        self.count = 0

    def row(self, row: Row, size: float) -> tuple[Block, PlacedRow]:
        """Lay symbols side by side on a baseline at y = 0."""
        partner = partners(row)
        laid: list[tuple[Block, PlacedSymbol] | None] = [
            None if index in partner else self._symbol(symbol, size) for index, symbol in enumerate(row)
        ]
        for index in sorted(partner, key=lambda i: abs(partner[i] - i)):  # inner brackets first
            first, last = sorted((index, partner[index]))
            held = [one[0] for one in laid[first + 1 : last] if one is not None]
            usual = extent(row[index].label)
            reach = self.hand.brackets * usual.height / 2
            top = max([usual.centre + reach, *(-block.top / size + 0.15 for block in held)])
            bottom = min([usual.centre - reach, *(-block.bottom / size - 0.15 for block in held)])
            grown = (top, bottom) if held else None
            laid[index] = self._symbol(row[index], size, grown)
        done = [one for one in laid if one is not None]
        self._set_apart([block for block, _ in done], row, size)
        return beside([block for block, _ in done]), tuple(placed for _, placed in done)

    def _set_apart(self, blocks: list[Block], row: Row, size: float) -> None:
        bounce = (self.hand.bounce * size * self.rng.standard_normal(len(row))).tolist()
        gaps = gaps_between([symbol.label for symbol in row], self.hand, self.rng)
        x = 0.0
        for block, gap, up in zip(blocks, gaps, bounce, strict=True):
            moved(block, x - block.left + gap * size, up)
            x = block.right

    def _symbol(
        self, symbol: Symbol, size: float, span: tuple[float, float] | None = None
    ) -> tuple[Block, PlacedSymbol]:
        if symbol.label == r"\frac":
            base, done = self._fraction(symbol, size)
        elif symbol.label == r"\sqrt":
            base, done = self._radical(symbol, size)
        elif symbol.label == r"\binom":
            base, done = self._binomial(symbol, size)
        elif symbol.label in ACCENTS:
            base, done = self._accent(symbol, size)
        else:
            base, done = self._plain(symbol, size, span)
        if not (symbol.sub or symbol.sup or symbol.has_limits):
            return base, done
        if symbol.has_limits or (symbol.label in _LIMITED and self.rng.random() >= self.hand.side_limits):
            return self._limits(base, done, size)
        return self._scripts(base, done, size)

    def _plain(
        self, symbol: Symbol, size: float, span: tuple[float, float] | None
    ) -> tuple[Block, PlacedSymbol]:
        if span is not None:
            drawn = self.pen.draw_between(symbol.label, *span, self.rng)
        elif symbol.label in LARGE:
            usual = extent(symbol.label)
            least, most = (1.0, 1.85) if symbol.label in INTEGRALS else (0.8, 1.4)
            grow = least + (most - least) * self.rng.random()
            drawn = self.pen.draw_between(
                symbol.label, AXIS + grow * (usual.top - AXIS), AXIS + grow * (usual.bottom - AXIS), self.rng
            )
        else:
            drawn = self.pen.draw(symbol.label, self.rng)
        block, number = self._piece(drawn, size)
        return block, PlacedSymbol(symbol, number)

    def _piece(self, drawn: Drawn, size: float, number: int | None = None) -> tuple[Block, int]:
        """A block of its own; with the number of an earlier piece, another part of the same symbol."""
        if number is None:
            number = self.count
            self.count += 1
        points = drawn.points * size
        left, top = points.min(axis=0).tolist()
        right, bottom = points.max(axis=0).tolist()
        return Block([Piece(points, drawn.ends, number, size)], left, top, right, bottom), number

    def _smaller(self, size: float) -> float:
        return max(size * self.hand.script * float(np.exp(0.06 * self.rng.standard_normal())), SMALLEST)

    def _gap(self, size: float) -> float:
        """Between a symbol and its scripts."""
        return size * max(0.22 + 0.7 * self.hand.looseness * float(self.rng.standard_normal()), -0.5)

    def _loosely(self, value: float, part: float = 0.3) -> float:
        return value * float(np.exp(part * self.hand.looseness * self.rng.standard_normal()))

    def _scripts(self, base: Block, placed: PlacedSymbol, size: float) -> tuple[Block, PlacedSymbol]:
        """Put the superscript and the subscript at the right of their base."""
        hand, rng, symbol = self.hand, self.rng, placed.symbol
        blocks: list[Block] = []
        small = self._smaller(size)
        sign = symbol.label in INTEGRALS
        if symbol.sub:
            sub, row = self.row(symbol.sub, max(LOWER * small, SMALLEST))
            drop = (
                max(0.2 * size, base.bottom + 0.05 * size) + (0.2 * rng.random() - 0.1 + hand.raised) * size
            )
            drop = max(drop, -sub.top - 0.45 * size)
            x = base.right + self._gap(size)
            if sign:  # beside its lower end, which many write below the line
                drop += (0.2 + 0.25 * float(rng.standard_normal())) * size
                x -= 0.35 * (base.right - base.left)
            blocks.append(moved(sub, x - sub.left, drop))
            placed = replace(placed, sub=row)
        if symbol.sup:
            primes = all(extent(one.label) is RAISED for one in symbol.sup)
            sup, row = self.row(symbol.sup, size if primes else small)
            if primes:  # they stand where apostrophes do
                lift = max(0.0, -base.top - LINE * size) + 0.5 * hand.raised * size
            else:
                lift = max(0.95 * size, -base.top - 0.42 * size) + (0.3 * rng.random() + hand.raised) * size
                lift = max(lift, sup.bottom + 0.6 * size)
            if sign:
                lift -= (0.1 + 0.25 * float(rng.standard_normal())) * size
            gap = self._gap(0.6 * size if primes else size)
            blocks.append(moved(sup, base.right + gap - sup.left, -lift))
            placed = replace(placed, sup=row)
        if len(blocks) == 2 and rng.random() < hand.sup_first:
            blocks.reverse()
        return beside([base, *blocks]), placed

    def _limits(self, base: Block, placed: PlacedSymbol, size: float) -> tuple[Block, PlacedSymbol]:
        """Put rows over and under an operator."""
        symbol = placed.symbol
        small = 1.2 * self._smaller(size)
        middle = (base.left + base.right) / 2
        gap = self._loosely(0.22 * size, 0.8)
        blocks: list[Block] = []
        below, above = ("below", "above") if symbol.has_limits else ("sub", "sup")
        if rows := getattr(symbol, below):
            under, row = self.row(rows, small)
            blocks.append(moved(under, self._centred(under, middle, size), base.bottom + gap - under.top))
            placed = replace(placed, below=row) if symbol.has_limits else replace(placed, sub=row)
        if rows := getattr(symbol, above):
            over, row = self.row(rows, small)
            if symbol.label in INTEGRALS:  # its upper end
                middle = base.right
            blocks.append(moved(over, self._centred(over, middle, size), base.top - gap - over.bottom))
            placed = replace(placed, above=row) if symbol.has_limits else replace(placed, sup=row)
        if len(blocks) == 2 and self.rng.random() < self.hand.above_first:
            blocks.reverse()
        return beside([base, *blocks]), placed

    def _centred(self, block: Block, middle: float, size: float) -> float:
        return (
            middle
            - (block.left + block.right) / 2
            + 0.3 * self.hand.looseness * size * self.rng.standard_normal()
        )

    def _fraction(self, symbol: Symbol, size: float) -> tuple[Block, PlacedSymbol]:
        hand, rng = self.hand, self.rng
        small = max(size * hand.fraction, SMALLEST)
        over, above = self.row(symbol.above, small)
        under, below = self.row(symbol.below, small)
        left, right = (size * overhang for overhang in self._overhangs())
        width = max(max(over.right - over.left, under.right - under.left) + left + right, 0.6 * size)
        bar, number = self._piece(self.pen.draw_bar(width / size, rng), size)
        axis = -AXIS * size
        moved(bar, 0.0, axis)
        gap = hand.fraction_gap * size
        middle = (bar.left + left + bar.right - right) / 2
        moved(over, self._centred(over, middle, size), bar.top - self._near_bar(gap, size) - over.bottom)
        moved(
            under,
            self._centred(under, middle, size),
            bar.bottom + self._near_bar(1.2 * gap, size) - under.top,
        )
        chance = rng.random()
        if chance < hand.bar_first:
            order = [bar, over, under]
        elif chance < hand.bar_first + hand.bar_last:
            order = [over, under, bar]
        else:
            order = [over, bar, under]
        return beside(order), PlacedSymbol(symbol, number, above=above, below=below)

    def _overhangs(self) -> tuple[float, float]:
        """How far a bar reaches beyond what it parts, at the left and at the right, where many stop too soon."""
        left, right = (0.28 + self.hand.looseness * self.rng.standard_normal(2) * (0.8, 1.3)).tolist()
        return max(left, -0.15), max(right, -0.6)

    def _near_bar(self, gap: float, size: float) -> float:
        """Between a bar and what stands over or under it, which touches it now and then."""
        return (
            self._loosely(gap, 0.6)
            + max(0.25 * self.hand.looseness * self.rng.standard_normal(), -0.3) * size
        )

    def _binomial(self, symbol: Symbol, size: float) -> tuple[Block, PlacedSymbol]:
        """Two rows between one pair of brackets, which are the symbol's strokes."""
        small = max(size * self.hand.fraction, SMALLEST)
        over, above = self.row(symbol.above, small)
        under, below = self.row(symbol.below, small)
        gap = self._loosely(0.35 * size, 0.6)
        middle = max(over.right - over.left, under.right - under.left) / 2
        moved(over, self._centred(over, middle, size), -AXIS * size - gap / 2 - over.bottom)
        moved(under, self._centred(under, middle, size), -AXIS * size + gap / 2 - under.top)
        held = beside([over, under])
        span = (-held.top / size + 0.15, -held.bottom / size - 0.15)
        opening, number = self._piece(self.pen.draw_between("(", *span, self.rng), size)
        closing, _ = self._piece(self.pen.draw_between(")", *span, self.rng), size, number)
        moved(opening, held.left - self._loosely(0.15 * size) - opening.right, 0.0)
        moved(closing, held.right + self._loosely(0.15 * size) - closing.left, 0.0)
        done = PlacedSymbol(symbol, number, above=above, below=below)
        return beside([opening, held, closing]), done

    def _accent(self, symbol: Symbol, size: float) -> tuple[Block, PlacedSymbol]:
        """Put a mark over a row, or under it."""
        held, inside = self.row(symbol.inside, size)
        width = (held.right - held.left) / size
        mark, number = self._piece(self.pen.draw_mark(symbol.label, width, self.rng), size)
        gap = self._loosely(0.2 * size, 1.0)
        y = held.bottom + gap - mark.top if symbol.label in _UNDER else held.top - gap - mark.bottom
        moved(mark, self._centred(mark, (held.left + held.right) / 2, 0.5 * size), y)
        return beside([held, mark]), PlacedSymbol(symbol, number, inside=inside)

    def _roof_overhang(self) -> float:
        """How far a roof reaches beyond what it covers; in one of seven it ends before that does."""
        return -0.9 * self.rng.random() if self.rng.random() < 0.15 else self._loosely(0.75, 2.0)

    def _radical(self, symbol: Symbol, size: float) -> tuple[Block, PlacedSymbol]:
        rng = self.rng
        held, inside = self.row(symbol.inside, max(0.92 * size, SMALLEST))
        top = max(-held.top / size, 0.9) + self._loosely(0.85, 1.0)
        bottom = min(-held.bottom / size, 0.0) + 0.9 * self.hand.looseness * rng.standard_normal() - 0.1
        bottom = min(bottom, top - 0.8)
        width = (held.right - held.left) / size
        width = max(width + self._roof_overhang(), 0.6 * width)
        radical, number = self._piece(self.pen.draw_radical(width, top, bottom, rng), size)
        moved(held, self._loosely(0.15 * size, 1.0) - held.left, 0.0)
        order = [held, radical] if rng.random() < self.hand.radical_last else [radical, held]
        done = PlacedSymbol(symbol, number, inside=inside)
        if symbol.above:
            index, above = self.row(symbol.above, self._smaller(size) * 0.9)
            tick = (radical.bottom + radical.top) / 2 - 0.12 * size
            moved(index, 0.5 * radical.left - index.right, tick - index.bottom)
            order.insert(0 if rng.random() < 0.5 else 1, index)
            done = replace(done, above=above)
        return beside(order), done
