"""Recognition: the answer to one ink."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from inkscan.ink import Box, Ink
from inkscan.runtime.calibration import Evidence


@dataclass(frozen=True)
class RecognizedSymbol:
    """One written symbol of the answer: a token, the strokes that write it and where they are.

    `box` is None for a symbol without strokes: an answer may have more symbols than the ink has strokes.
    """

    token: str
    index: int  # of the token in `Recognition.tokens`
    strokes: tuple[int, ...]
    box: Box | None
    confidence: float


@dataclass(frozen=True)
class Alternative:
    """A possible answer and its probability."""

    latex: str
    tokens: tuple[str, ...]
    score: float
    probability: float


@dataclass(frozen=True)
class Recognition:
    """What an ink says. `alternatives` begin with the answer itself."""

    latex: str
    tokens: tuple[str, ...]
    score: float  # log-probability, length-normalised where the search was told so
    confidence: float  # calibrated probability that the whole answer is right
    alternatives: tuple[Alternative, ...]
    symbols: tuple[RecognizedSymbol, ...]
    alignment: npt.NDArray[np.float32] = field(repr=False, compare=False)  # (C, M), rows sum to one
    attentions: tuple[npt.NDArray[np.float32], ...] = field(
        repr=False, compare=False
    )  # one a view, (C, H, W), of the ink as it was read
    evidence: Evidence = field(repr=False, compare=False)  # what the confidence was read off
    ink: Ink = field(repr=False, compare=False)
    ink_as_read: Ink = field(
        repr=False, compare=False
    )  # as the network got it, to which its attentions belong
    model: str = ""
    unread: tuple[int, ...] = ()  # strokes that no symbol explains; every other one belongs to one symbol

    def __str__(self) -> str:
        return self.latex

    @cached_property
    def mathml(self) -> str:
        """Presentation MathML."""
        from inkscan.latex.parser import parse_tokens
        from inkscan.latex.typeset import to_mathml

        return to_mathml(parse_tokens(self.tokens))

    @property
    def strokes_of_tokens(self) -> tuple[tuple[int, ...], ...]:
        """The strokes of each token, none for structure."""
        strokes: list[tuple[int, ...]] = [()] * len(self.tokens)
        for symbol in self.symbols:
            strokes[symbol.index] = symbol.strokes
        return tuple(strokes)

    def _repr_html_(self) -> str:
        """How a notebook shows it: the ink in a colour a symbol, the formula, and how sure it is."""
        from inkscan.ink.svg import symbol_colors, to_svg

        colors = symbol_colors([symbol.strokes for symbol in self.symbols])
        titles = {stroke: symbol.token for symbol in self.symbols for stroke in symbol.strokes}
        drawing = to_svg(self.ink, colors, titles, height=120, max_width=800)
        below = f"{self.mathml}<small>{self.confidence:.0%} sure</small>"
        return f'<div style="display: inline-block">{drawing}{below}</div>'

    def to_json(self) -> dict[str, Any]:
        """JSON values: the answer, its alternatives and its symbols."""
        return {
            "latex": self.latex,
            "tokens": list(self.tokens),
            "mathml": self.mathml,
            "score": round(self.score, 6),
            "confidence": round(self.confidence, 6),
            "alternatives": [
                {
                    "latex": alternative.latex,
                    "tokens": list(alternative.tokens),
                    "score": round(alternative.score, 6),
                    "probability": round(alternative.probability, 6),
                }
                for alternative in self.alternatives
            ],
            "symbols": [
                {
                    "token": symbol.token,
                    "index": symbol.index,
                    "strokes": list(symbol.strokes),
                    "box": None if symbol.box is None else vars(symbol.box),
                    "confidence": round(symbol.confidence, 6),
                }
                for symbol in self.symbols
            ],
            "unread": list(self.unread),
            "model": self.model,
        }

    def to_inkml(self) -> bytes:
        """The ink with the answer as its truth, its MathML and a trace group a symbol."""
        from xml.etree.ElementTree import fromstring

        from inkscan.ink.inkml import InkmlDocument, SymbolGroup
        from inkscan.ink.inkml_writer import write_inkml

        groups = tuple(
            SymbolGroup(symbol.token, symbol.strokes, id=f"symbol{symbol.index}")
            for symbol in self.symbols
            if symbol.strokes
        )
        annotations = {
            "truth": f"${self.latex}$",
            "confidence": f"{self.confidence:.4f}",
            "model": self.model,
        }
        return write_inkml(InkmlDocument(self.ink, annotations, fromstring(self.mathml), groups))

    def to_lg(self) -> str:
        """A label graph in CROHME's format: objects with their strokes, and relations between them."""
        from inkscan.runtime.label_graph import label_graph

        return label_graph(self.tokens, self.strokes_of_tokens)
