"""Handwriting: the pen in one person's hand, which never draws a symbol twice alike."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from inkscan.errors import UnknownToken
from inkscan.latex.symbols import FUNCTIONS, OPERATORS, RELATIONS, shown
from inkscan.latex.tree import ACCENTS
from inkscan.synthesis.bank import SymbolBank, SymbolInk
from inkscan.synthesis.font import FloatArray, Font, Glyph, read_font
from inkscan.synthesis.hand import USUAL_ASPECT, USUAL_SLANT, Hand
from inkscan.synthesis.radical import corner_of, with_corner

_NARROW = frozenset((*OPERATORS, *RELATIONS))
_UPRIGHT = frozenset(
    ("|", "/", r"\|", r"\parallel", r"\setminus")
)  # would be taken for each other if they leaned
_STRAIGHT = frozenset(("-", "+", "=", r"\times", r"\div", r"\pm", r"\neq", "T", "H", "t", "f"))


@dataclass(frozen=True, slots=True)
class _Mark:
    """An accent: the symbol whose shape it has, and its size over one letter, in x-heights."""

    shape: str
    width: float
    height: float
    grows: bool = True  # as wide as what it stands over


_MARKS = {
    r"\hat": _Mark(r"\wedge", 0.6, 0.32),
    r"\widehat": _Mark(r"\wedge", 0.6, 0.32),
    r"\check": _Mark(r"\vee", 0.6, 0.32),
    r"\bar": _Mark("-", 0.7, 0.05),
    r"\overline": _Mark("-", 0.7, 0.05),
    r"\underline": _Mark("-", 0.7, 0.05),
    r"\vec": _Mark(r"\rightarrow", 0.8, 0.32),
    r"\overrightarrow": _Mark(r"\rightarrow", 0.8, 0.32),
    r"\overleftarrow": _Mark(r"\leftarrow", 0.8, 0.32),
    r"\overleftrightarrow": _Mark(r"\leftrightarrow", 0.8, 0.32),
    r"\tilde": _Mark(r"\sim", 0.7, 0.22),
    r"\widetilde": _Mark(r"\sim", 0.7, 0.22),
    r"\breve": _Mark(r"\cup", 0.6, 0.28, grows=False),
    r"\dot": _Mark(".", 0.08, 0.08, grows=False),
    r"\mathring": _Mark(r"\circ", 0.3, 0.3, grows=False),
}


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A symbol drawn with the baseline at 0, y downwards, in x-heights."""

    points: FloatArray  # (n, 2)
    ends: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    """How a writer has decided to write one label."""

    glyph: Glyph
    basis: FloatArray
    controls: FloatArray
    order: tuple[int, ...]  # of strokes
    backwards: tuple[bool, ...]


class Pen:
    """Draws single symbols in one hand, from the font or from a bank of real symbols.

    With a bank, its symbols are used where it has the label, or, `sparingly`, only those that the font lacks.
    `writer` keeps to one writer of the bank as far as he wrote the label.
    """

    def __init__(
        self,
        hand: Hand,
        bank: SymbolBank | None = None,
        writer: str | None = None,
        font: Font | None = None,
        *,
        sparingly: bool = False,
    ) -> None:
        self.hand = hand
        self.bank = bank
        self.writer = writer
        self.font = font or read_font()
        self.sparingly = sparingly
        self._forms: dict[str, _Form] = {}
        self._habits: dict[str, SymbolInk] = {}
        self._shear = np.array([[hand.aspect, 0.0], [-hand.slant, 1.0]])
        self._narrow = np.array([[hand.aspect**0.3, 0.0], [-hand.slant, 1.0]])
        self._upright = np.array([[1.0, 0.0], [-0.3 * hand.slant, 1.0]])

    def can_draw(self, label: str) -> bool:
        """Whether the font or the bank has the label's shape."""
        if label == r"\binom":
            return self.can_draw("(") and self.can_draw(")")
        if label in ACCENTS and label not in _MARKS:
            return False
        shape = _MARKS[label].shape if label in _MARKS else label
        return any(self._is_in_font(one) or self._uses_bank(one) for one in (label, shape))

    def draw(self, label: str, rng: np.random.Generator) -> Drawn:
        """One symbol at its usual place on the row."""
        if label in FUNCTIONS and not self._uses_bank(label):
            return self._word(shown(label).replace(" ", ""), rng)
        real = self._real(label, rng)
        if real is not None:
            points = real.points * real.size + (0.0, -real.rise)
            return Drawn(self._vary(points, rng, self._tilt_of(label)), real.ends)
        return self._glyph(label, rng)

    def _tilt_of(self, label: str) -> FloatArray:
        """How this hand leans and widens what others wrote, who lean and widen as usual themselves."""
        lean = (self.hand.slant - USUAL_SLANT) * (0.3 if label in _UPRIGHT else 1.0)
        wide = self.hand.aspect / USUAL_ASPECT
        return np.array([[wide**0.3 if label in _NARROW else wide, 0.0], [-lean, 1.0]])

    def draw_between(self, label: str, top: float, bottom: float, rng: np.random.Generator) -> Drawn:
        """A bracket or big operator stretched from `top` to `bottom`, in x-heights above the baseline."""
        drawn = self.draw(label, rng)
        y = drawn.points[:, 1]
        low, high = float(y.min()), float(y.max())
        stretch = (top - bottom) / max(high - low, 0.2)
        points = drawn.points * (min(max(stretch, 0.5), 4.0) ** 0.45, stretch)
        points[:, 1] += -top - low * stretch
        return self._filled(Drawn(points, drawn.ends)) if stretch > 1.5 else Drawn(points, drawn.ends)

    def draw_bar(self, width: float, rng: np.random.Generator) -> Drawn:
        """A fraction bar of a width, from x = 0, about y = 0."""
        real = self._real(r"\frac", rng)
        if real is not None and real.width > 0.8:
            points = real.points * (width / real.width, min(width, 3.0)) + (width / 2, 0.0)
            return Drawn(points, real.ends)
        count = max(6, round(0.6 * width * self.hand.density))
        way = np.linspace(0, 1, count)
        way += 0.1 * np.sin(2 * np.pi * way) / np.pi  # the pen starts and stops slowly
        rise, bow, swing = (rng.standard_normal(3) * (0.5 * self.hand.turn * width, 0.05, 0.03)).tolist()
        y = rise * (way - 0.5) + bow * np.sin(np.pi * way) + swing * np.sin(2 * np.pi * way)
        points = np.stack([width * way, y * min(1.0, width)], axis=1)
        return Drawn(points[::-1] if rng.random() < self.hand.reversed_bars else points, (count,))

    def draw_mark(self, label: str, width: float, rng: np.random.Generator) -> Drawn:
        """An accent for what has a width, about x = 0 and y = 0; the bank's own, or a symbol of like shape."""
        if not self.can_draw(label):
            raise UnknownToken(f"generated handwriting cannot have '{label}' yet")
        mark = _MARKS[label]
        drawn = self.draw(label if self._uses_bank(label) else mark.shape, rng)
        low, high = drawn.points.min(axis=0), drawn.points.max(axis=0)
        wide = mark.width * math.exp(0.15 * rng.standard_normal())
        if mark.grows and width > wide:
            wide += (0.9 * width - wide) * (width > 1.3 * mark.width or rng.random())
        tall = mark.height * math.exp(0.2 * rng.standard_normal())
        across, down = np.maximum(high - low, 1e-6).tolist()
        scale = (wide / across, min(tall / down, 2 * wide / across))
        return Drawn((drawn.points - (low + high) / 2) * scale, drawn.ends)

    def draw_radical(self, width: float, top: float, bottom: float, rng: np.random.Generator) -> Drawn:
        """A radical whose roof covers x from 0 to `width`; its tick lies left of 0."""
        real = self._real(r"\sqrt", rng)
        drawn = Drawn(real.points, real.ends) if real is not None else self._glyph(r"\sqrt", rng)
        points = drawn.points - drawn.points.min(axis=0)
        wide, high = points.max(axis=0).tolist()
        corner = corner_of(points)
        if corner is None:
            return Pen(self.hand, font=self.font).draw_radical(width, top, bottom, rng)
        tick = 0.55 / corner * min(max((top - bottom) / 1.6, 0.8), 1.6)
        points[:, 0] = with_corner(points[:, 0], corner, tick, width / (wide - corner))
        points[:, 1] = points[:, 1] * ((top - bottom) / high) - top
        return self._filled(Drawn(points, drawn.ends))

    def _filled(self, drawn: Drawn) -> Drawn:
        """What was stretched, with pen points added where they have become rare."""
        step = 2.0 / self.hand.density
        strokes = []
        for stroke in np.split(drawn.points, drawn.ends[:-1]):
            lengths = np.hypot(*np.diff(stroke, axis=0).T)
            index = np.arange(len(stroke))
            parts = np.maximum(np.ceil(lengths / step), 1).astype(int)
            at = np.append(np.repeat(index[:-1], parts) + _fractions(parts), index[-1])
            strokes.append(
                np.stack([np.interp(at, index, stroke[:, 0]), np.interp(at, index, stroke[:, 1])], axis=1)
            )
        return Drawn(np.concatenate(strokes), tuple(accumulate(map(len, strokes))))

    def _is_in_font(self, label: str) -> bool:
        return label in self.font or label in FUNCTIONS

    def _uses_bank(self, label: str) -> bool:
        if self.bank is None or (self.sparingly and self._is_in_font(label)):
            return False
        return bool(self.bank.entries.get(label))

    def _real(self, label: str, rng: np.random.Generator) -> SymbolInk | None:
        """A symbol of the bank; half the time the one this pen used before."""
        if self.bank is None or not self._uses_bank(label):
            return None
        habit = self._habits.get(label)
        if habit is not None and rng.random() < 0.5:
            return habit
        real = self.bank.choose(label, rng, self.writer)
        if real is not None:
            self._habits[label] = real
        return real

    def _glyph(self, label: str, rng: np.random.Generator) -> Drawn:
        form = self._form(label, rng)
        hand = self.hand
        shear = self._narrow if label in _NARROW else self._upright if label in _UPRIGHT else self._shear
        noise = rng.standard_normal(form.controls.shape) * (hand.wobble * form.glyph.slack)
        points = form.basis @ (form.controls + noise)
        ends = form.glyph.sampling(hand.density).ends
        if len(ends) == 1:
            return Drawn(self._vary(points, rng, shear), ends)
        starts = (0, *ends[:-1])
        strokes = [points[starts[i] : ends[i]] for i in form.order]
        strokes = [
            stroke[::-1] if back else stroke for stroke, back in zip(strokes, form.backwards, strict=True)
        ]
        return Drawn(
            self._vary(np.concatenate(strokes), rng, shear),
            tuple(accumulate(map(len, strokes))),
        )

    def _form(self, label: str, rng: np.random.Generator) -> _Form:
        form = self._forms.get(label)
        if form is not None and rng.random() < 0.93:
            return form
        variants = self.font.variants(label)
        weights = list(accumulate(glyph.weight for glyph in variants))
        glyph = variants[bisect_right(weights, rng.random() * weights[-1])]
        sampling = glyph.sampling(self.hand.density)
        basis = sampling.smooth
        if self.hand.angularity > 0:
            basis = basis + self.hand.angularity * (sampling.angular - basis)
        own = rng.standard_normal(glyph.controls.shape) * (self.hand.style * glyph.slack)
        count = len(sampling.ends)
        order = list(range(count))
        if count > 1 and rng.random() < 0.06:
            rng.shuffle(order)
        backwards = tuple(label in _STRAIGHT and rng.random() < self.hand.reversed_bars for _ in order)
        form = _Form(glyph, basis, glyph.controls + own, tuple(order), backwards)
        return self._forms.setdefault(label, form)

    def _vary(self, points: FloatArray, rng: np.random.Generator, shear: FloatArray) -> FloatArray:
        """This instance's own rotation, size and shape, on top of the writer's slant and width."""
        hand = self.hand
        turn, wide, high, lean = rng.standard_normal(4).tolist()
        angle, lean = hand.turn * turn, 0.03 * lean
        wide, high = math.exp(hand.swell * wide), math.exp(hand.swell * high)
        own = np.array([[wide, angle * wide], [-(angle + lean) * high, high]])
        varied: FloatArray = points @ shear @ own
        return varied

    def _word(self, name: str, rng: np.random.Generator) -> Drawn:
        """A function's name: letters close together, joined by a cursive hand, dots at the end."""
        cursive = rng.random() < self.hand.cursive
        strokes: list[FloatArray] = []
        marks: list[FloatArray] = []
        x = 0.0
        for letter in name:
            drawn = self.draw(letter, rng)
            left, right = float(drawn.points[:, 0].min()), float(drawn.points[:, 0].max())
            shift = x - left + 0.12 * (1 + 0.5 * rng.standard_normal())
            pieces = np.split(drawn.points + np.array([shift, 0.0]), drawn.ends[:-1])
            body, late = (pieces[:1], pieces[1:]) if letter in "ij" or cursive else (pieces, [])
            if cursive and strokes and rng.random() < 0.8:
                strokes[-1] = np.concatenate([strokes[-1], body[0]])
                body = body[1:]
            strokes.extend(body)
            marks.extend(late)
            x = right + shift
        strokes.extend(marks)
        return Drawn(np.concatenate(strokes), tuple(accumulate(map(len, strokes))))


def _fractions(parts: npt.NDArray[np.int_]) -> FloatArray:
    """0, 1/n, ..., (n-1)/n for each n in turn."""
    starts = np.repeat(np.cumsum(parts) - parts, parts)
    result: FloatArray = (np.arange(parts.sum()) - starts) / np.repeat(parts, parts)
    return result
