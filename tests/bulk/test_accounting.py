"""Nothing is lost in silence: every input of the source when the job began has its row, or there is no output."""

from __future__ import annotations

import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.bulk.conftest import INKS
from tests.bulk.here import HereEngine, read, request

from inkscan.bulk.inputs import Done, FolderSource, Source
from inkscan.bulk.parts import MANIFEST, Parts
from inkscan.bulk.run import run_bulk
from inkscan.bulk.workers import Answered, Plan
from inkscan.data.source import iter_files
from inkscan.errors import BadCorpus, DamagedJob, OutputInUse, SourceNotFound
from inkscan.files import locked


@pytest.fixture
def inks(folder: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "source" / "inks"
    shutil.copytree(folder, copy)
    return copy


class Meddling(HereEngine):
    """Does something to the source before it is read."""

    def __init__(self, meddle: object) -> None:
        super().__init__()
        self.meddle = meddle

    def run(self, source: Source, done: Done, plan: Plan) -> Iterator[Answered]:
        self.meddle()  # type: ignore[operator]
        yield from super().run(source, done, plan)


def test_files_that_go_while_the_job_runs_have_rows_that_say_so(
    inks: Path, model: Path, tmp_path: Path
) -> None:
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    run_bulk(request(inks, whole, model), HereEngine())
    summary = run_bulk(request(inks, out, model), Meddling(lambda: shutil.rmtree(inks / "1")))
    assert summary.inputs == INKS + 1
    assert summary.codes["data.not_found"] == 10
    rows = read(out)
    assert [row["id"] for row in rows] == [row["id"] for row in read(whole)]
    assert {row["error_code"] for row in rows if row["id"].startswith("1/")} == {"data.not_found"}


def test_a_file_that_comes_while_the_job_runs_moves_no_other(inks: Path, model: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    run_bulk(request(inks, whole, model), HereEngine())
    run_bulk(request(inks, out, model), Meddling(lambda: (inks / "0" / "000.inkml").write_bytes(b"")))
    assert read(out) == read(whole)


def test_an_archive_that_loses_files_while_it_is_read_gives_no_output(
    inks: Path, model: Path, tmp_path: Path
) -> None:
    archive, out = tmp_path / "inks.tar", tmp_path / "out.parquet"

    def pack(*names: str) -> None:
        with tarfile.open(archive, "w") as tar:
            for name in names:
                tar.add(inks / name, name)

    pack("0", "1", "2")
    with pytest.raises(BadCorpus, match="changed while it was read"):
        run_bulk(request(archive, out, model), Meddling(lambda: pack("0", "2")))
    assert not out.exists()


def test_parts_that_are_too_few_are_not_merged(inks: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"

    class Forgetful(HereEngine):
        def run(self, source: Source, done: Done, plan: Plan) -> Iterator[Answered]:
            *answered, _ = super().run(source, done, plan)
            yield from answered

    with pytest.raises(BadCorpus, match=f"{INKS + 1} inputs when the job began"):
        run_bulk(request(inks, out, model), Forgetful())
    assert not out.exists()
    run_bulk(request(inks, out, model), HereEngine())
    assert len(read(out)) == INKS + 1


def test_a_part_that_is_no_parquet_is_named(inks: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        run_bulk(request(inks, out, model), HereEngine(chunks=1))
    (part,) = (tmp_path / "out.parquet.parts").glob("part-*")
    part.write_bytes(b"spoilt")
    with pytest.raises(DamagedJob, match=r"part-0.*is damaged"):
        run_bulk(request(inks, out, model), HereEngine())


@pytest.mark.parametrize("manifest", [None, "", "[]", "[" * 100_000])
def test_parts_without_a_sound_manifest_are_refused(
    inks: Path, model: Path, tmp_path: Path, manifest: str | None
) -> None:
    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        run_bulk(request(inks, out, model), HereEngine(chunks=1))
    kept = tmp_path / "out.parquet.parts" / MANIFEST
    kept.unlink() if manifest is None else kept.write_text(manifest)
    with pytest.raises(DamagedJob, match="delete it to start anew"):
        run_bulk(request(inks, out, model), HereEngine())


def test_a_folder_that_cannot_be_read_is_an_error(
    inks: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def refusing(path: str) -> object:
        if os.fspath(path).endswith("1"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    with pytest.raises(SourceNotFound, match="1 cannot be read: Permission denied"):
        run_bulk(request(inks, tmp_path / "out.parquet", model), HereEngine())
    with pytest.raises(SourceNotFound, match="1 cannot be read: Permission denied"):
        list(iter_files(inks))
    assert not (tmp_path / "out.parquet").exists()


def test_links_and_pipes_are_inputs_that_fail(tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    source = tmp_path / "source"
    source.mkdir()
    (source / "away.inkml").symlink_to(tmp_path / "nowhere")
    (source / "folder").symlink_to(tmp_path / "else")
    os.mkfifo(source / "pipe.inkml")
    found = FolderSource.walked(source).inputs(Done())
    assert {one.name: type(one.content) for one in found} == dict.fromkeys(
        ("away.inkml", "folder", "pipe.inkml"), SourceNotFound
    )


def test_two_jobs_do_not_write_one_output(inks: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    with locked(tmp_path / "out.parquet.lock"), pytest.raises(OutputInUse, match="another job is writing"):
        run_bulk(request(inks, out, model), HereEngine())
    assert not out.exists()
    run_bulk(request(inks, out, model), HereEngine())
    assert {path.name for path in tmp_path.iterdir()} == {"source", "out.parquet"}


def test_what_killed_jobs_left_goes_and_what_others_put_there_stays(
    inks: Path, model: Path, tmp_path: Path
) -> None:
    out, parts = tmp_path / "out.parquet", tmp_path / "out.parquet.parts"
    with pytest.raises(KeyboardInterrupt):
        run_bulk(request(inks, out, model), HereEngine(chunks=1))
    (part,) = parts.glob("part-*")
    ours = [
        tmp_path / "out.parquet.7.partial",
        parts / f"{part.name}.7.partial",
        parts / "job.json.8.partial",
    ]
    theirs = [tmp_path / "out.parquet.mine.partial", parts / "notes.txt", parts / "part-of-mine.parquet"]
    for path in (*ours, *theirs):
        path.write_text("x")
    run_bulk(request(inks, out, model), HereEngine())
    assert not any(path.exists() for path in ours)
    assert all(path.read_text() == "x" for path in theirs)
    assert sorted(path.name for path in parts.iterdir()) == ["notes.txt", "part-of-mine.parquet"]


def test_rows_are_on_the_disk_before_their_parts_go(
    inks: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, events = tmp_path / "out.parquet", list[str]()
    fsync, remove = os.fsync, Parts.remove

    def watched_fsync(descriptor: int) -> None:
        if Path(os.readlink(f"/proc/self/fd/{descriptor}")) == tmp_path:
            events.append("folder written" if out.exists() else "folder written too early")
        fsync(descriptor)

    def watched_remove(parts: Parts) -> None:
        events.append("parts removed")
        remove(parts)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(Parts, "remove", watched_remove)
    run_bulk(request(inks, out, model), HereEngine())
    assert events == ["folder written", "parts removed"]
