"""Words that several commands print."""

from __future__ import annotations

from pathlib import Path

import typer


def counted(count: int, noun: str) -> str:
    """`1 ink`, `2 inks`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def warn_of_extra(count: int, path: Path) -> None:
    """Say that predictions of a file belong to no truth."""
    if count:
        typer.echo(
            f"warning: {counted(count, 'prediction')} of {path} with an id that no truth has: not scored",
            err=True,
        )
