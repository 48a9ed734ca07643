"""Files that a command writes: whole or not at all, and never over what it reads."""

from __future__ import annotations

from pathlib import Path

from inkscan.errors import BadRequest
from inkscan.files import whole_file


def refuse_inputs(out: Path | None, *inputs: str | Path | None) -> None:
    """An output that is an input of the same command would destroy it."""
    if out is not None and out.is_file():
        for one in inputs:
            if one is not None and Path(one).is_file() and out.samefile(one):
                raise BadRequest(f"{out} is what this command reads: choose another file to write to")


def write_text(out: Path, text: str) -> None:
    """A file of text; its folder is made."""
    with whole_file(out) as partial:
        partial.write_text(text, encoding="utf-8")
