"""A bulk job from its arguments to its output; after any interruption the same call goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inkscan import __version__
from inkscan.bulk.inputs import CHUNK_INPUTS, Done, open_source
from inkscan.bulk.outputs import Summary, output_format, record_path
from inkscan.bulk.parts import Job, Parts, finished
from inkscan.bulk.retry import drop_mended, reopen
from inkscan.bulk.workers import Engine, read_plan
from inkscan.errors import BadOutput, OutputInUse, SourceNotFound
from inkscan.files import AlreadyLocked, locked


@dataclass(frozen=True)
class BulkRequest:
    """What to recognise, with what, and where the rows go."""

    source: Path
    out: Path
    models: tuple[str, ...] = ()  # names or folders; the default without any
    beam: int | None = None
    chunk_inputs: int = CHUNK_INPUTS  # recognised together
    classifier: str | None = None  # name or folder; the default models have one


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
    output_format(request.out)  # a wrong name is reported before any work
    with _alone(request.out):
        source = open_source(request.source, request.out)
        plan, hashes = read_plan(request.models, request.beam, request.chunk_inputs, request.classifier)
        listing = source.listing()
        job = Job(
            source.identity,
            hashes.together,
            hashes.second,
            hashes.classifier,
            plan.beam,
            __version__,
            listing.count,
            listing.sha256,
        )
        parts = Parts(request.out, job)
        summary = None if parts.is_reopened() else finished(request.out, job)
        if summary is not None:
            parts.remove()
            if not reopen(parts, source, summary):
                return summary
        parts.open()
        drop_mended(parts, source)
        for answered in engine.run(source, Done(parts.done()), plan):
            parts.write(answered.first, answered.rows)
            codes = answered.rows["error_code"]
            on_advance(Advance(len(codes), len(codes) - codes.null_count, answered.share))
        return _with_ink(parts.merge(), request)


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """No two jobs write one output: each would take the other's parts for its own."""
    if not out.parent.is_dir():
        raise BadOutput(f"there is no folder {out.parent} for the output")
    try:
        with locked(out.with_name(out.name + ".lock")):
            yield
    except AlreadyLocked as error:
        raise OutputInUse(f"another job is writing {out}; wait for it, or choose another output") from error


def _with_ink(summary: Summary, request: BulkRequest) -> Summary:
    """A source without any ink is most likely the wrong one, so it leaves no output that looks like a result."""
    if summary.inputs == summary.others:
        request.out.unlink()
        record_path(request.out).unlink(missing_ok=True)
        raise SourceNotFound(f"{request.source} holds no ink, so nothing was written")
    return summary
