"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Where to write a file that gets its name only when it is written out to the disk; its folder is made."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = partial_path(path)
    try:
        yield partial
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def partial_path(path: Path) -> Path:
    """The name of the file while it is written; another process writes to another."""
    return path.with_name(f"{path.name}.{os.getpid()}.partial")


def remove_partials(path: Path) -> None:
    """Remove what killed processes have left of a file that no other process may be writing."""
    for left in path.parent.glob(f"{escape(path.name)}.*.partial"):
        left.unlink(missing_ok=True)
