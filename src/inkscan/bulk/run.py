"""A bulk job from its arguments to its output; after any interruption the same call goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inkscan import __version__
from inkscan.bulk.engine import Engine, read_plan
from inkscan.bulk.inputs import CHUNK_INPUTS, Done, open_source
from inkscan.bulk.parts import Job, Parts, Summary, finished, read_summary
from inkscan.errors import SourceNotFound


@dataclass(frozen=True)
class BulkRequest:
    """What to recognise, with what, and where the rows go."""

    source: Path
    out: Path
    models: tuple[str, ...] = ()  # names or folders; the default without any
    beam: int | None = None
    chunk_inputs: int = CHUNK_INPUTS  # recognised together


@dataclass(frozen=True)
class Advance:
    """What a chunk brought."""

    inputs: int
    failed: int
    share: float  # of the source


def run_bulk(
    request: BulkRequest, engine: Engine, on_advance: Callable[[Advance], None] = lambda advance: None
) -> Summary:
    """Write one row for each input of the source to `request.out`."""
    source = open_source(request.source, request.out)
    plan, hashes = read_plan(request.models, request.beam, request.chunk_inputs)
    job = Job(source.identity, hashes, plan.beam, __version__)
    parts = Parts(request.out, job)
    if finished(request.out, job):
        parts.remove()
        return read_summary(request.out)
    parts.open()
    for answered in engine.run(source, Done(parts.done()), plan):
        parts.write(answered.first, answered.rows)
        codes = answered.rows["error_code"]
        on_advance(Advance(len(codes), len(codes) - codes.null_count, answered.share))
    return _with_ink(parts.merge(), request)


def _with_ink(summary: Summary, request: BulkRequest) -> Summary:
    """A source without any ink is most likely the wrong one, so it leaves no output that looks like a result."""
    if summary.inputs == summary.others:
        request.out.unlink()
        raise SourceNotFound(f"{request.source} holds no ink, so nothing was written")
    return summary
