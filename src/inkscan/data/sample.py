"""Sample: one ink with its truth."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from inkscan.ink import Ink

# What the names of one writer's inks (of MathBrush: of one sitting's) share, by CROHME's collections; None: nothing.
_WRITER_IN_ID = {
    "HAMEX": re.compile(r"formulaire\d+"),
    "KAIST": re.compile(r"TrainData\d+_\d+"),
    "MathBrush": re.compile(r"\d+-\d+"),
    "expressmatch": re.compile(r"[^_]+$"),
    "MfrDB": None,
}


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

    @property
    def writer(self) -> str:
        """A name for whoever wrote it, empty if nothing tells; a source that is not known for many is one writer."""
        if self.source not in _WRITER_IN_ID:
            return self.source
        pattern = _WRITER_IN_ID[self.source]
        found = pattern.search(self.id) if pattern else None
        return f"{self.source}/{found[0]}" if found else ""

    def stroke_owners(self) -> Counter[int]:
        """How many tokens each stroke writes; more than one where symbols share it."""
        return Counter(stroke for strokes in self.alignment for stroke in strokes)
