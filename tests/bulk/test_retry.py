"""A finished or interrupted job does again what could not be opened and can be now."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.bulk.conftest import INKS
from tests.bulk.here import HereEngine, read, request

from inkscan.bulk import inputs
from inkscan.bulk.outputs import output_format
from inkscan.bulk.run import run_bulk
from inkscan.data import source
from inkscan.errors import InkscanError, OutputTaken, SourceNotFound

LOCKED = {2, 13, 14}
SUFFIXES = (".parquet", ".jsonl", ".csv")


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch, folder: Path) -> set[Path]:
    """Files that cannot be opened, as if their rights were taken away; take some out to mend them."""
    names = inputs.FolderSource.walked(folder).names
    paths = {folder / names[number] for number in LOCKED}
    original = source.read_file

    def read_file(path: Path) -> bytes | InkscanError:
        if path in paths:
            return SourceNotFound("the file cannot be opened: Permission denied")
        return original(path)

    monkeypatch.setattr(inputs, "read_file", read_file)
    return paths


def rows(out: Path) -> list[dict[str, Any]]:
    return [row for table in output_format(out).read_tables(out) for row in table.to_pylist()]


def check_whole(out: Path, folder: Path, model: Path, tmp_path: Path) -> None:
    """The rows are those of a job that never failed, each once; nothing else is left."""
    assert not out.with_name(f"{out.name}.parts").exists()
    whole = tmp_path / f"whole{out.suffix}"
    run_bulk(request(folder, whole, model), HereEngine())
    expected, found = rows(whole), rows(out)
    assert [row["input"] for row in found] == list(range(INKS + 1))
    for row, other in zip(found, expected, strict=True):
        assert (row.pop("confidence") or 0) == pytest.approx(other.pop("confidence") or 0, rel=1e-4)
        assert (row.pop("symbols") is None) == (other.pop("symbols") is None)
        assert row == other


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_finished_job_does_again_what_can_be_opened_now(
    folder: Path, model: Path, tmp_path: Path, locked: set[Path], suffix: str
) -> None:
    out = tmp_path / f"out{suffix}"
    first = run_bulk(request(folder, out, model), HereEngine())
    assert first.codes["data.not_found"] == len(LOCKED)
    written, engine = out.stat().st_mtime_ns, HereEngine()
    assert run_bulk(request(folder, out, model), engine) == first
    assert (engine.done, out.stat().st_mtime_ns) == ([], written)
    locked.pop()
    partly = run_bulk(request(folder, out, model), HereEngine())
    assert partly.codes["data.not_found"] == 2
    assert (partly.inputs, partly.recognized) == (first.inputs, first.recognized + 1)
    locked.clear()
    engine = HereEngine()
    assert "data.not_found" not in run_bulk(request(folder, out, model), engine).codes
    assert engine.done and set(engine.done) < LOCKED
    check_whole(out, folder, model, tmp_path)


def test_a_job_that_was_interrupted_does_so_too(
    folder: Path, model: Path, tmp_path: Path, locked: set[Path]
) -> None:
    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        run_bulk(request(folder, out, model), HereEngine(chunks=2))
    locked.clear()
    engine = HereEngine()
    run_bulk(request(folder, out, model), engine)
    assert engine.done[0] == 2
    check_whole(out, folder, model, tmp_path)


class Stopped(Exception):
    pass


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_wherever_a_retry_stops_the_same_call_goes_on(
    folder: Path,
    model: Path,
    tmp_path: Path,
    locked: set[Path],
    suffix: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each call is let change one name on the disk more than the one before."""
    out = tmp_path / f"out{suffix}"
    run_bulk(request(folder, out, model), HereEngine())
    locked.clear()
    replace, unlink, left, stops = os.replace, os.unlink, 0, 0

    def spend() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Stopped

    def counted_replace(*names: Any) -> None:
        spend()
        replace(*names)

    def counted_unlink(name: str | Path) -> None:
        if ".parts" in str(name):
            spend()
        unlink(name)

    while True:
        left = stops
        with monkeypatch.context() as patched:
            patched.setattr(os, "replace", counted_replace)
            patched.setattr(os, "unlink", counted_unlink)
            try:
                run_bulk(request(folder, out, model), HereEngine())
                break
            except Stopped:
                stops += 1
        assert [row["input"] for row in rows(out)] == list(range(INKS + 1))
    assert stops > 5
    check_whole(out, folder, model, tmp_path)


def test_another_file_in_the_place_of_the_output_is_not_overwritten(
    folder: Path, model: Path, tmp_path: Path, locked: set[Path]
) -> None:
    out = tmp_path / "out.csv"
    run_bulk(request(folder, out, model), HereEngine())
    locked.clear()
    with pytest.raises(KeyboardInterrupt):
        run_bulk(request(folder, out, model), HereEngine(chunks=0))
    out.write_text("mine")
    with pytest.raises(OutputTaken):
        run_bulk(request(folder, out, model), HereEngine())
    assert out.read_text() == "mine"


@pytest.mark.parametrize("kind", ["zip", "corpus"])
def test_what_is_in_one_file_cannot_be_mended_alone(sources: dict[str, Path], kind: str) -> None:
    assert inputs.open_source(sources[kind]).mended([0, 1]) == frozenset()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="all files can be opened")
def test_rights_that_were_mended(folder: Path, model: Path, tmp_path: Path) -> None:
    mine = tmp_path / "inks"
    mine.mkdir()
    for number, path in enumerate(sorted(folder.rglob("*.inkml"))[:3]):
        (mine / f"{number}.inkml").write_bytes(path.read_bytes())
    (mine / "1.inkml").chmod(0)
    out = tmp_path / "out.parquet"
    assert run_bulk(request(mine, out, model), HereEngine()).failed == 1
    (mine / "1.inkml").chmod(0o644)
    assert run_bulk(request(mine, out, model), HereEngine()).failed == 0
    assert len(read(out)) == 3
