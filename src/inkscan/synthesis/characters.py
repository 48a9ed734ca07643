"""Isolated characters: single symbols that somebody wrote, as JSON lines.

A line has `label`, `writer` and `strokes` (y down), and may name the collection that it comes from (`source`) and its
`licence`. They come as one file, `.jsonl` or `.jsonl.gz`, whose labels are LaTeX, or as UNIPEN's characters do: a tar
of such files with a LICENSE for all, whose labels are the characters themselves.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import tarfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from inkscan.errors import BadCorpus, SourceNotFound
from inkscan.latex.symbols import label_of

FloatArray = npt.NDArray[np.float64]
UNKNOWN = "unknown"
HELD_OUT = 10  # one writer in so many is never trained on
FEWEST_WRITERS = 20  # of a collection, for some to be held out

_LICENCES = {"Attribution 4.0 International": "CC BY 4.0"}  # by the first line of the text
_ESCAPED = frozenset("{}%#&$_")
_DAMAGE = (tarfile.TarError, OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, RecursionError)


class Character(NamedTuple):
    """One written character; y grows downwards."""

    label: str
    writer: str
    strokes: list[FloatArray]  # each (n, 2)
    source: str = ""
    licence: str = UNKNOWN


def read_characters(path: Path) -> Iterator[Character]:
    """The characters of a file, in its order."""
    if not path.is_file():
        raise SourceNotFound(f"{path} is not a file; expected .jsonl, .jsonl.gz or a tar of these")
    try:
        if path.name.endswith((".jsonl", ".jsonl.gz")):
            with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
                yield from (one._replace(label=label_of(one.label)) for one in _characters(lines, UNKNOWN))
        else:
            licence = read_licence(path)
            with tarfile.open(path) as archive:
                for member in archive:
                    stream = archive.extractfile(member) if member.name.endswith(".jsonl.gz") else None
                    if stream is not None:
                        with gzip.open(stream) as lines:
                            yield from (_as_latex(one) for one in _characters(lines, licence))
    except _DAMAGE as error:
        raise BadCorpus(f"{path} is no file of characters: {error}") from error


def read_licence(path: Path) -> str:
    """What an archive's own file LICENSE is headed, by its short name where that is known."""
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                stream = archive.extractfile(member) if Path(member.name).stem == "LICENSE" else None
                if stream is not None:
                    title = stream.readline(200).decode("utf-8", "replace").strip()
                    return _LICENCES.get(title, title) or UNKNOWN
    except _DAMAGE as error:
        raise BadCorpus(f"{path} is not a tar: {error}") from error
    return UNKNOWN


def trained_on(characters: Iterable[Character], *, held_out: bool = False) -> Iterator[Character]:
    """The characters of all writers but those held out for measuring, or of these alone.

    Who is held out depends on his name only, so it is the same in all runs. A collection of few writers keeps them all.
    """
    by_source: dict[str, list[Character]] = defaultdict(list)
    for character in characters:
        by_source[character.source].append(character)
    for collection in by_source.values():
        apart = {
            writer
            for writer in {character.writer for character in collection}
            if hashlib.sha256(writer.encode()).digest()[0] % HELD_OUT == 0
        }
        if len({character.writer for character in collection}) < FEWEST_WRITERS:
            apart = set()
        yield from (character for character in collection if (character.writer in apart) == held_out)


def _characters(lines: Iterable[bytes], licence: str) -> Iterator[Character]:
    for line in lines:
        record = json.loads(line)
        strokes = [_points(stroke) for stroke in record["strokes"] if stroke]
        if strokes:
            yield Character(
                str(record["label"]),
                str(record["writer"]),
                strokes,
                str(record.get("source", "")),
                str(record.get("licence", licence)),
            )


def _points(stroke: Any) -> FloatArray:
    """x and y of each point; what is no list of points is refused."""
    points: FloatArray = np.asarray(stroke, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] < 2 or not np.isfinite(points).all():
        raise ValueError("a stroke is a list of points of two finite numbers")
    return points[:, :2]


def _as_latex(character: Character) -> Character:
    label = character.label
    return character._replace(label=f"\\{label}" if label in _ESCAPED else label)
