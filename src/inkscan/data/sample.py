"""Sample: one ink with its truth."""

from __future__ import annotations

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
