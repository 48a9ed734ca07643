"""The local engine: worker processes of this machine; what a worker drops when it dies, another does again."""

from __future__ import annotations

import os
import pickle
import signal
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Thread

import pyarrow as pa

from inkscan.bulk.inputs import Chunk, Done, Source, iter_chunks
from inkscan.bulk.rows import crashed_chunk, recognize_chunk
from inkscan.bulk.workers import TRIES, Answered, Plan
from inkscan.errors import DamagedModel


@dataclass(frozen=True)
class LocalEngine:
    """Chunks go to the worker that is free; the next one is read while all are busy."""

    workers: int

    def run(self, source: Source, done: Done, plan: Plan) -> Iterator[Answered]:
        chunks = iter_chunks(source, done, plan.chunk_inputs)
        ready = deque(_take(chunks))
        if not ready:
            return
        packed = pickle.dumps(plan)
        pool = [_Worker(packed) for _ in range(self.workers)]
        lost: Counter[tuple[int, int]] = Counter()
        try:
            while ready or any(worker.chunk for worker in pool):
                for worker in pool:
                    if worker.is_free and ready:
                        worker.give(ready.popleft())
                        ready.extend(_take(chunks) if not ready else ())
                waiting = [worker.connection for worker in pool if worker.chunk or not worker.is_ready]
                for connection in wait(waiting):
                    worker = next(worker for worker in pool if worker.connection is connection)
                    try:
                        answered = worker.take()
                    except (EOFError, OSError):
                        pool[pool.index(worker)] = worker.replaced()
                        dropped = worker.chunk
                        if dropped is not None:
                            lost[dropped.first, len(dropped.inputs)] += 1
                            tries = lost[dropped.first, len(dropped.inputs)]
                            yield from _again(dropped, tries, ready)
                        continue
                    if answered is not None:
                        yield answered
        finally:
            for worker in pool:
                worker.end()


def _take(chunks: Iterator[Chunk]) -> tuple[Chunk, ...]:
    chunk = next(chunks, None)
    return () if chunk is None else (chunk,)


def _again(chunk: Chunk, tries: int, ready: deque[Chunk]) -> Iterator[Answered]:
    """Put a chunk back; an input that ended its worker each time gets an error for its row."""
    if tries < TRIES:
        ready.appendleft(chunk)
    elif len(chunk.inputs) > 1:
        ready.extendleft(reversed(chunk.halves()))
    else:
        yield Answered(chunk.first, crashed_chunk(chunk, tries), chunk.share)


class _Worker:
    """A process and the chunk that it has.

    The plan goes through the pipe, when the worker asks for it: as an argument of the process its megabytes would be
    written before the worker reads, and for ever if the worker had ended by then.
    """

    def __init__(self, plan: bytes, failed_starts: int = 0) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()  # so that the worker's end is noticed here
        self.plan = plan
        self.has_plan = self.is_ready = False
        self.failed_starts = failed_starts  # of the workers before it that ended while they loaded the model
        self.chunk: Chunk | None = None

    @property
    def is_free(self) -> bool:
        return self.is_ready and self.chunk is None

    def give(self, chunk: Chunk) -> None:
        self.chunk = chunk
        with suppress(OSError):  # it has ended; `take` will notice
            self.connection.send(chunk)

    def take(self) -> Answered | None:
        """The answer to the chunk, or None for a word of the worker's: first that it runs, then that it has loaded."""
        rows: pa.Table | None = self.connection.recv()
        if not self.has_plan:
            self.connection.send_bytes(self.plan)
            self.has_plan = True
            return None
        if rows is None or self.chunk is None:
            self.is_ready = True
            return None
        chunk, self.chunk = self.chunk, None
        return Answered(chunk.first, rows, chunk.share)

    def replaced(self) -> _Worker:
        """A new worker in the place of one that has ended."""
        self.process.join()
        failed_starts = 0 if self.is_ready else self.failed_starts + 1
        if failed_starts >= TRIES:
            raise DamagedModel(
                f"a worker ended with code {self.process.exitcode} while it loaded the model; "
                "is there memory enough for so many workers?"
            )
        self.connection.close()
        return _Worker(self.plan, failed_starts)

    def end(self) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.join()


def _serve(connection: Connection) -> None:
    """A worker's life: it ends when the other end of the pipe is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        connection.send(None)
        plan: Plan = pickle.loads(connection.recv_bytes())
        recognizer = plan.build()
        connection.send(None)
        while True:
            connection.send(recognize_chunk(recognizer, connection.recv()))


def _end_with_parent() -> None:
    """End at once, also in the middle of a chunk: nobody is left to take its rows."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
