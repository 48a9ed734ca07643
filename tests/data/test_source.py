from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from inkscan.data.source import SourceFile, iter_files
from inkscan.errors import BadCorpus, SourceNotFound
from inkscan.ink.ink import MAX_BYTES

FILES = {"set/a/1.inkml": b"one", "set/a/2.inkml": b"two", "set/b/1.inkml": b"three", "set/note.txt": b""}


def write_folder(path: Path) -> Path:
    for name, data in FILES.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path / "set"


def write_tar(path: Path, mode: str) -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        directory = tarfile.TarInfo("set")
        directory.type = tarfile.DIRTYPE
        archive.addfile(directory)
        for name, data in FILES.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def write_zip(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.mkdir("set")
        for name, data in FILES.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize("kind", ["folder", "zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_every_kind_of_source_gives_the_same_files(kind: str, tmp_path: Path) -> None:
    if kind == "folder":
        path = write_folder(tmp_path)
    elif kind == "zip":
        path = write_zip(tmp_path / "set.zip")
    else:
        path = write_tar(tmp_path / f"set.{kind}", f"w:{kind.removeprefix('tar').removeprefix('.')}")
    fractions: list[float] = []
    files = list(iter_files(path, fractions.append))
    assert {file.name: file.data for file in files} == FILES
    assert fractions
    assert 0 <= fractions[-1] <= 1


def test_names() -> None:
    file = SourceFile("set/a/1.INKML", b"")
    assert (file.stem, file.suffix, file.folder) == ("1", ".inkml", "a")


def test_content_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large.inkml").open("wb") as stream:
        stream.truncate(20 * MAX_BYTES)
    (file,) = iter_files(tmp_path)
    assert len(file.data) == MAX_BYTES + 1


def test_missing_and_damaged_sources(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        list(iter_files(tmp_path / "none"))
    (tmp_path / "text.tar").write_text("no archive at all")
    zipped = write_zip(tmp_path / "good.zip").read_bytes()
    (tmp_path / "bad.zip").write_bytes(zipped.replace(b"three", b"THREE"))
    (tmp_path / "cut.zip").write_bytes(zipped[:-40])
    for name in ("text.tar", "bad.zip", "cut.zip"):
        with pytest.raises(BadCorpus):
            list(iter_files(tmp_path / name))


@pytest.mark.parametrize("kind", ["", "gz", "bz2", "xz"])
def test_an_archive_cut_anywhere_is_noticed(tmp_path: Path, kind: str) -> None:
    """A tar cut between two files looks whole to tarfile; nothing may be lost that way."""
    whole = write_tar(tmp_path / "whole.tar", f"w:{kind}").read_bytes()
    last = len(whole) - 1 if kind else 8 * 512  # blocks of the five members, before the closing zeros
    for size in (1, last // 2, last - 9, last, *(range(512, last, 512))):
        (tmp_path / "cut.tar").write_bytes(whole[:size])
        with pytest.raises(BadCorpus):
            list(iter_files(tmp_path / "cut.tar"))
