"""Files that a command writes: whole or not at all, and never over what it reads."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from inkscan.errors import BadRequest
from inkscan.files import whole_file


def refuse_inputs(out: Path | None, *inputs: str | Path | None) -> None:
    """An output that is an input of the same command would destroy it; a dash is standard input."""
    if out is not None and out.is_file():
        for one in inputs:
            read = None if one is None else _status(one)
            if read is not None and os.path.samestat(read, out.stat()):
                raise BadRequest(f"{out} is what this command reads: choose another file to write to")


def refuse_same(*outs: Path | None) -> None:
    """Of two outputs with one name the second would take the place of the first."""
    named = [os.path.realpath(out) for out in outs if out is not None and (not out.exists() or out.is_file())]
    if len(set(named)) < len(named):
        raise BadRequest(f"{named[0]} is named for two outputs: choose another file for one of them")


def _status(file: str | Path) -> os.stat_result | None:
    try:
        if file == "-":
            return None if sys.stdin is None else os.fstat(sys.stdin.fileno())
        return os.stat(file)
    except OSError:
        return None  # there is nothing to destroy


def write_text(out: Path, text: str) -> None:
    """A file of text; its folder is made. Names of files in it may hold what is no UTF-8."""
    with whole_file(out) as partial:
        partial.write_text(text, encoding="utf-8", errors="backslashreplace")
