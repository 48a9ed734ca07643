"""Fault injection: each write, rename and flush fails once in turn; nothing is lost and nothing is half written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest
import torch
from tests.runtime.conftest import SETTINGS, tiny_scan

from inkscan.bulk import run
from inkscan.bulk.inputs import Done, Source, iter_chunks
from inkscan.bulk.rows import FailedInput, to_table
from inkscan.bulk.run import BulkRequest, run_bulk
from inkscan.bulk.workers import Answered, ModelHashes
from inkscan.errors import BadCheckpoint
from inkscan.export.model import ExportSettings, export_model, write_model
from inkscan.latex.vocabulary import CROHME
from inkscan.models.systems import preset
from inkscan.runtime.models import read_model
from inkscan.training import checkpoint as checkpoints
from inkscan.training.checkpoint import Checkpoint, Progress, load_checkpoint, save_checkpoint
from inkscan.training.recipes import Recipe


class Faults:
    """Counts what is written, renamed and flushed, and makes one of them fail."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.seen = 0
        self._active = True

    @contextmanager
    def held(self) -> Iterator[None]:
        """What happens here is neither counted nor made to fail."""
        self._active = False
        yield
        self._active = True

    def wrapped(self, function: Callable[..., Any], spoil: Callable[..., None]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            self.seen += self._active
            if self._active and self.seen == self.at:
                spoil(*arguments)
                raise OSError(28, "No space left on device")
            return function(*arguments, **options)

        return call


def nothing(*arguments: Any) -> None:
    """Fails before anything is done."""


def half(path: Path, *arguments: Any) -> None:
    """Leaves half a file behind."""
    with open(path, "wb") as file:
        file.write(b"half")


FAULTY: tuple[tuple[object, str, Callable[..., None]], ...] = (
    (os, "replace", nothing),
    (os, "fsync", nothing),
    (Path, "write_text", half),
    (Path, "write_bytes", half),
    (pq, "write_table", lambda rows, path: half(path)),
    (pq.ParquetWriter, "write_table", nothing),
    (pq.ParquetWriter, "close", nothing),
    (checkpoints, "save_file", lambda tensors, path, header: half(path)),
)


def each_fault(monkeypatch: pytest.MonkeyPatch) -> Iterator[Faults]:
    """One fault after the other, until there is none left to make."""
    for at in range(1, 1_000):
        faults = Faults(at)
        with monkeypatch.context() as patch:
            for owner, name, spoil in FAULTY:
                patch.setattr(owner, name, faults.wrapped(getattr(owner, name), spoil))
            yield faults
        if faults.seen < at:
            assert at > 4, "too little was tried"
            return
    raise AssertionError("there is no end to the faults")


class SayingNothing:
    """Gives every input a row without recognising it."""

    def run(self, source: Source, done: Done, plan: Any) -> Iterator[Answered]:
        for chunk in iter_chunks(source, done, 2):
            rows = to_table(chunk, [FailedInput("none", one.name) for one in chunk.inputs])
            yield Answered(chunk.first, rows, chunk.share)


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_bulk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.setattr(
        run, "read_plan", lambda *arguments: (SimpleNamespace(beam=1), ModelHashes(("0",), None, None))
    )
    source = tmp_path / "source"
    source.mkdir()
    for number in range(5):
        (source / f"{number}.json").write_bytes(b"[]")
    whole = tmp_path / "whole" / f"out.{suffix}"
    whole.parent.mkdir()
    run_bulk(BulkRequest(source, whole), SayingNothing())
    expected = {path.name: path.read_bytes() for path in whole.parent.iterdir()}
    for faults in each_fault(monkeypatch):
        folder = tmp_path / f"fault-{faults.at}"
        folder.mkdir()
        out = folder / f"out.{suffix}"
        try:
            run_bulk(BulkRequest(source, out), SayingNothing())
        except OSError:
            assert faults.seen >= faults.at
        if out.exists():
            assert out.read_bytes() == expected[out.name]
        assert not list(folder.rglob("*.partial"))
        with faults.held():
            summary = run_bulk(BulkRequest(source, out), SayingNothing())
        assert summary.inputs == 5
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == expected


def checkpoint(step: int) -> Checkpoint:
    config = preset("tiny", "onscan", len(CROHME))
    return Checkpoint(
        config, CROHME, Recipe(), Progress(step=step), {}, {"model.a": torch.full((3,), float(step))}
    )


def test_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "last.safetensors"
    for faults in each_fault(monkeypatch):
        with faults.held():
            save_checkpoint(checkpoint(1), path)
        written = True
        try:
            save_checkpoint(checkpoint(2), path)
        except BadCheckpoint:
            written = False
        found = load_checkpoint(path)
        assert found.progress.step in ((2,) if written else (1, 2))
        assert found.tensors["model.a"].tolist() == [found.progress.step] * 3
        assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = (
        export_model(tiny_scan("onscan", seed=seed), CROHME, SETTINGS, ExportSettings(name))
        for seed, name in enumerate(("old", "new"))
    )
    for faults in each_fault(monkeypatch):
        folder = tmp_path / f"fault-{faults.at}"
        with faults.held():
            write_model(old, folder)
            (folder / "notes.txt").write_text("mine")
        written = True
        try:
            write_model(new, folder)
        except OSError:
            written = False
        assert read_model(folder).info.name == ("new" if written else "old")
        assert read_model(folder).step == (new if written else old).step
        assert {file.name for file in folder.iterdir()} == {
            "encoder.onnx", "step.onnx", "card.md", "model.json", "notes.txt",
        }  # fmt: skip
