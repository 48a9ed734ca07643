"""Sample: one ink with its truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from inkscan.ink import Ink


@dataclass(frozen=True)
class Sample:
    """An ink, its canonical tokens, and for each token the strokes that write it (none for structure)."""

    id: str
    ink: Ink
    tokens: tuple[str, ...]
    alignment: tuple[tuple[int, ...], ...]
    source: str = ""

    @property
    def is_aligned(self) -> bool:
        """Whether it says of any symbol which strokes it has."""
        return any(self.alignment)

    def stroke_owners(self) -> Counter[int]:
        """How many tokens each stroke writes; more than one where symbols share it."""
        return Counter(stroke for strokes in self.alignment for stroke in strokes)
