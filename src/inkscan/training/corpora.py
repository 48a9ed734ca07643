"""Corpora of a run: what it trains on, and how often an epoch goes through each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from inkscan.data.corpus import StoredCorpus, count_samples, read_metadata, refuse_test_set
from inkscan.errors import BadSetting


@dataclass(frozen=True)
class Corpora:
    """Corpora that are read as one; a repeated one weighs more, as if it had so many times its samples."""

    paths: tuple[Path, ...]
    repeats: tuple[int, ...]  # times in an epoch, one for each path

    @classmethod
    def asked_for(cls, paths: Sequence[Path], repeats: Sequence[str]) -> Corpora:
        """The files of --train, no test set among them, with the numbers of --repeat FILE=TIMES, else 1."""
        if not paths:
            raise BadSetting("a run needs a corpus to train on: name one with --train")
        times = dict(map(_repeat, repeats))
        if strangers := [str(path) for path in times if path not in paths]:
            raise BadSetting(f"--repeat {strangers[0]}: that is none of the corpora of --train")
        for path in paths:
            refuse_test_set(path)
        return cls(tuple(paths), tuple(times.get(path, 1) for path in paths))

    @property
    def read_paths(self) -> tuple[Path, ...]:
        """The files in the order of an epoch's samples, each as often as it counts."""
        return tuple(path for path, times in zip(self.paths, self.repeats, strict=True) for _ in range(times))

    def record(self) -> dict[str, Any]:
        """What a run's provenance says of them: together, and if there are several or a repeated one, each."""
        each = [
            asdict(read_metadata(path)) | {"samples": count_samples(path), "repeat": times}
            for path, times in zip(self.paths, self.repeats, strict=True)
        ]
        together = asdict(StoredCorpus(*self.read_paths).metadata)
        together["samples"] = sum(one["samples"] for one in each)  # different ones
        return together | ({"corpora": each} if len(self.read_paths) > 1 else {})


def _repeat(text: str) -> tuple[Path, int]:
    name, _, times = text.rpartition("=")
    if not name or not times.isdecimal() or not int(times):
        raise BadSetting(
            f"--repeat {text}: expected a corpus of --train and how often, such as mine.parquet=20"
        )
    return Path(name), int(times)
