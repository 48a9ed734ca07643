"""An engine for tests, and how they ask for a job."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from inkscan.bulk.inputs import Done, Source, iter_chunks
from inkscan.bulk.rows import recognize_chunk
from inkscan.bulk.run import BulkRequest
from inkscan.bulk.workers import Answered, Plan

BEAM = 2


class HereEngine:
    """Recognises in this process and stops, as if killed, after some chunks."""

    def __init__(self, chunks: int = 1_000) -> None:
        self.chunks = chunks
        self.done: list[int] = []

    def run(self, source: Source, done: Done, plan: Plan) -> Iterator[Answered]:
        recognizer = plan.build()
        for chunk in iter_chunks(source, done, plan.chunk_inputs):
            if len(self.done) == self.chunks:
                raise KeyboardInterrupt
            self.done.append(chunk.first)
            yield Answered(chunk.first, recognize_chunk(recognizer, chunk), chunk.share)


def request(source: Path, out: Path, model: Path, beam: int = BEAM) -> BulkRequest:
    return BulkRequest(source, out, (str(model),), beam, chunk_inputs=5)


def read(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(out).to_pylist()
    return found
