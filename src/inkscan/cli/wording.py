"""Words that several commands print."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """`1 ink`, `2 inks`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
