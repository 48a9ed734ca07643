"""Fingerprint: one digest for the content of a corpus, whatever its order, chunks or compression."""

from __future__ import annotations

import hashlib

import numpy as np

from inkscan.data.sample import Sample


class Fingerprint:
    """SHA-256 over the sorted SHA-256 digests of the samples."""

    def __init__(self) -> None:
        self._digests: list[bytes] = []

    def add(self, sample: Sample) -> None:
        digest = hashlib.sha256()
        text = [sample.id, sample.source, " ".join(sample.tokens), repr(sample.alignment)]
        digest.update("\0".join(text).encode())
        for stroke in sample.ink.strokes:
            digest.update(len(stroke).to_bytes(4, "little"))
            digest.update(np.ascontiguousarray(stroke.xy, dtype="<f8").tobytes())
        self._digests.append(digest.digest())

    def hexdigest(self) -> str:
        return hashlib.sha256(b"".join(sorted(self._digests))).hexdigest()
