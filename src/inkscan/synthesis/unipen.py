"""UNIPEN: isolated characters by some hundred writers."""

from __future__ import annotations

import gzip
import json
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from inkscan.errors import BadCorpus, SourceNotFound

_LICENCES = {"Attribution 4.0 International": "CC BY 4.0"}  # by the first line of the text
_LABELS = {"{": r"\{", "}": r"\}"}
_KEPT = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-=()[]{}|/,.!'<>")


class Character(NamedTuple):
    """One written character; y grows downwards."""

    label: str
    writer: str
    strokes: list[list[list[float]]]


def read_licence(path: Path) -> str:
    """What the archive's own file LICENSE is headed, by its short name where that is known."""
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                stream = archive.extractfile(member) if Path(member.name).stem == "LICENSE" else None
                if stream is not None:
                    title = stream.readline(200).decode("utf-8", "replace").strip()
                    return _LICENCES.get(title, title) or "unknown"
    except (tarfile.TarError, OSError, EOFError, zlib.error) as error:
        raise BadCorpus(f"{path} is not a tar: {error}") from error
    return "unknown"


def read_unipen(path: Path) -> Iterator[Character]:
    """Characters that are symbols of mathematics, from a tar of gzipped JSON lines."""
    if not path.is_file():
        raise SourceNotFound(f"{path} is not a file; expected a tar of .jsonl.gz members")
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                stream = archive.extractfile(member) if member.name.endswith(".jsonl.gz") else None
                if stream is None:
                    continue
                with gzip.open(stream) as lines:
                    for line in lines:
                        record = json.loads(line)
                        label = str(record["label"])
                        strokes = [stroke for stroke in record["strokes"] if stroke]
                        if label in _KEPT and strokes:
                            yield Character(_LABELS.get(label, label), str(record["writer"]), strokes)
    except (tarfile.TarError, OSError, EOFError, zlib.error, ValueError, KeyError, TypeError) as error:
        raise BadCorpus(f"{path} is not a tar of .jsonl.gz files of characters: {error}") from error
