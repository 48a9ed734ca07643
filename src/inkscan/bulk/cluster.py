"""The Ray engine: the same chunks through Ray Data, on this machine or on a cluster.

One task reads the source where the job was started; actors anywhere recognise, each with its own recogniser, which
is sent to them. Rows come back and are written where the job was started, so nothing but inkscan need be installed
on the other machines. Ray starts a dead actor again and repeats its chunk, without end; so a ledger that outlives the
actors counts their deaths over each chunk, and one that ends actors is halved to find the input that does it.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from inkscan.bulk.inputs import Chunk, Done, Source, iter_chunks
from inkscan.bulk.rows import crashed_chunk, recognize_chunk
from inkscan.bulk.workers import TRIES, Answered, Plan
from inkscan.errors import MissingExtra

BLOCK_BYTES = 1_000  # less than a chunk, so that each passes on by itself
READER_CPUS = 0.1  # unlike the actors', which also keeps Ray from fusing reading and recognising

try:
    import ray
except ModuleNotFoundError as missing:
    raise MissingExtra(
        "--engine ray needs Ray; install it with: pip install 'inkscan[ray]', or leave --engine out"
    ) from missing


@dataclass(frozen=True)
class RayEngine:
    """Ray Data over actors; without an address, a cluster of this machine's own cores."""

    workers: int
    address: str | None = None

    def run(self, source: Source, done: Done, plan: Plan) -> Iterator[Answered]:
        started_here = not ray.is_initialized()
        if started_here:
            self._start()
        try:
            for row in self._dataset(source, done, plan).iter_rows():
                yield row["answered"]
        finally:
            if started_here:
                ray.shutdown()

    def _start(self) -> None:
        # one CPU more than workers, so that the reader always has its share
        cpus = None if self.address else self.workers + 1
        ray.init(
            self.address or "local",
            num_cpus=cpus,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )

    def _dataset(self, source: Source, done: Done, plan: Plan) -> Any:
        context = ray.data.DataContext.get_current()
        context.target_max_block_size = BLOCK_BYTES
        context.enable_progress_bars = False
        here = _on_this_node()

        def read(batch: dict[str, Any]) -> Iterator[dict[str, Any]]:
            for chunk in iter_chunks(source, done, plan.chunk_inputs):
                yield {"chunk": _one(chunk)}

        ledger = ray.remote(Ledger).options(num_cpus=0, resources=here).remote()
        return (
            ray.data.range(1)
            .map_batches(read, batch_size=None, num_cpus=READER_CPUS, resources=here)
            .map_batches(
                RecognizerActor,
                fn_constructor_args=(ray.put(plan), ledger),
                batch_size=1,
                concurrency=self.workers,
                num_cpus=1,
            )
        )


def _on_this_node() -> dict[str, float]:
    """A trace of what only this node has, which keeps here whoever asks for it: the inputs may be here alone."""
    number = ray.get_runtime_context().get_node_id()
    (address,) = (node["NodeManagerAddress"] for node in ray.nodes() if node["NodeID"] == number)
    return {f"node:{address}": 0.001}


class Ledger:
    """How often work on a chunk was begun and not ended."""

    def __init__(self) -> None:
        self._deaths: Counter[tuple[int, int]] = Counter()

    def begin(self, first: int, inputs: int) -> int:
        """The deaths over a chunk so far; this try counts as one until it ends."""
        self._deaths[first, inputs] += 1
        return self._deaths[first, inputs] - 1

    def end(self, first: int, inputs: int) -> None:
        self._deaths[first, inputs] -= 1


class RecognizerActor:
    """A recogniser in an actor, loaded once."""

    def __init__(self, plan: Any, ledger: Any) -> None:
        held: Plan = ray.get(plan) if isinstance(plan, ray.ObjectRef) else plan
        self._recognizer = held.build()
        self._ledger = ledger

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        chunk: Chunk = batch["chunk"][0]
        return {"answered": _one(Answered(chunk.first, self._rows(chunk), chunk.share))}

    def _rows(self, chunk: Chunk) -> pa.Table:
        """The chunk's rows; where it ended actors before, those of its halves, or an error for its only input."""
        with self._entered(chunk) as deaths:
            if deaths < TRIES:
                return self._recognize(chunk)
            if len(chunk.inputs) == 1:
                return crashed_chunk(chunk, deaths)
            return pa.concat_tables([self._rows(half) for half in chunk.halves()])

    def _recognize(self, chunk: Chunk) -> pa.Table:
        return recognize_chunk(self._recognizer, chunk)

    @contextmanager
    def _entered(self, chunk: Chunk) -> Iterator[int]:
        key = (chunk.first, len(chunk.inputs))
        yield ray.get(self._ledger.begin.remote(*key))
        ray.get(self._ledger.end.remote(*key))


def _one(value: object) -> np.ndarray[Any, Any]:
    """A column of one object."""
    column = np.empty(1, dtype=object)
    column[0] = value
    return column
