"""Fingerprint: one digest for the content of a corpus, whatever its order, chunks or compression."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from inkscan.data.sample import Sample
from inkscan.ink.formats import ink_suffixes


@dataclass(frozen=True)
class _Placed:
    """A sample whose id has the folders of its file: its digest with the id, and with the file's name alone."""

    name: str
    by_id: bytes
    by_name: bytes


class Fingerprint:
    """SHA-256 over the sorted SHA-256 digests of the samples.

    Where several folders hold files of one name, the first to come is called so and the others by their folders too.
    Ids depend on the order of the files then, so the name that they share is digested in the place of each.
    """

    def __init__(self) -> None:
        self._names: Counter[str] = Counter()
        self._digests: list[bytes] = []  # of samples that are called by their names
        self._placed: list[_Placed] = []  # of others

    def add(self, sample: Sample) -> None:
        name = _name(sample)
        self._names[name] += 1
        if name == sample.id:
            self._digests.append(_digest(sample, name))
        else:
            self._placed.append(_Placed(name, _digest(sample, sample.id), _digest(sample, name)))

    def hexdigest(self) -> str:
        return _joined(
            self._digests + [one.by_name if self._names[one.name] > 1 else one.by_id for one in self._placed]
        )

    def hexdigest_by_ids(self) -> str:
        """With the ids as they are, as inkscan 0.1.0 made it; without repeated names it is the same."""
        return _joined(self._digests + [one.by_id for one in self._placed])


def _name(sample: Sample) -> str:
    """What the sample's file is called, without the folders that its id may begin with."""
    path = PurePosixPath(sample.id)
    if "/" not in sample.id or path.parent.name != sample.source:
        return sample.id
    suffix = path.suffix.partition("#")[0].lower()  # an archive may hold one name twice: x.inkml#2
    return path.stem if suffix in ink_suffixes() else path.name


def _digest(sample: Sample, name: str) -> bytes:
    digest = hashlib.sha256()
    text = [name, sample.source, " ".join(sample.tokens), repr(sample.alignment)]
    digest.update("\0".join(text).encode())
    for stroke in sample.ink.strokes:
        digest.update(len(stroke).to_bytes(4, "little"))
        digest.update(np.ascontiguousarray(stroke.xy, dtype="<f8").tobytes())
    return digest.digest()


def _joined(digests: list[bytes]) -> str:
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()
