"""Blocks: pieces of ink that are laid out together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inkscan.synthesis.font import FloatArray


@dataclass(slots=True)
class Piece:
    """The strokes of one symbol and how far they have been moved."""

    points: FloatArray
    ends: tuple[int, ...]
    number: int
    size: float
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True)
class Block:
    """Pieces in writing order and the box around them; y grows downwards."""

    pieces: list[Piece]
    left: float
    top: float
    right: float
    bottom: float


def moved(block: Block, x: float, y: float) -> Block:
    """Move a block in place."""
    for piece in block.pieces:
        piece.x += x
        piece.y += y
    block.left += x
    block.right += x
    block.top += y
    block.bottom += y
    return block


def beside(blocks: Sequence[Block]) -> Block:
    """One block of several, written in the order given."""
    return Block(
        [piece for block in blocks for piece in block.pieces],
        min(block.left for block in blocks),
        min(block.top for block in blocks),
        max(block.right for block in blocks),
        max(block.bottom for block in blocks),
    )
