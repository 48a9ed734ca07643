"""The folder of a run: what its files are called, and that one run at a time writes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from inkscan.errors import BadCheckpoint
from inkscan.files import AlreadyLocked, locked

LAST = "last.safetensors"  # to go on from
BEST = "best.safetensors"  # of the best validation
METRICS = "metrics.jsonl"
CONFIG = "config.json"
REPORT = "report.html"
LOCK = "lock"


@contextmanager
def hold_run(out: Path) -> Iterator[None]:
    """Keep other runs out of the folder, which is made: two would overwrite each other's checkpoints."""
    made = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    try:
        with locked(out / LOCK):
            yield
    except AlreadyLocked as error:
        raise BadCheckpoint(
            f"another process is training in {out}; wait for it, or choose another --out"
        ) from error
    finally:
        if made:
            with suppress(OSError):  # something was written there
                out.rmdir()
