"""Archives from strangers: the same files as the standard library finds, and a code for every trick."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from inkscan.data import archive
from inkscan.data.source import iter_files
from inkscan.errors import BadCorpus, SourceNotFound

LONG = "deep/" * 40 + "name-" * 20 + ".inkml"
FILES = {"a.inkml": b"one", LONG: b"two" * 1000, "größe/ü.inkml": b"", "b/block.inkml": b"x" * 512}


def tarred(files: dict[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def header(kind: bytes, size: int) -> bytes:
    info = tarfile.TarInfo("a.inkml")
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


def read(content: bytes, tmp_path: Path) -> dict[str, bytes]:
    path = tmp_path / "archive"
    path.write_bytes(content)
    return {file.name: file.data for file in iter_files(path)}


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_tars_of_every_form_are_read(form: int, pack: object, tmp_path: Path) -> None:
    assert read(pack(tarred(FILES, form)), tmp_path) == FILES  # type: ignore[operator]


def test_the_old_form_splits_long_names(tmp_path: Path) -> None:
    files = {"a" * 90 + "/" + "b" * 90 + ".inkml": b"x"}
    assert read(tarred(files, tarfile.USTAR_FORMAT), tmp_path) == files


def test_streams_packed_one_after_the_other_are_one(tmp_path: Path) -> None:
    whole = tarred(FILES)
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        assert read(pack(whole[:700]) + pack(whole[700:]), tmp_path) == FILES


def test_a_link_is_told_and_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as tar:
        link = tarfile.TarInfo("link.inkml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    (file,) = iter_files(path)
    assert file.name == "link.inkml"
    with pytest.raises(SourceNotFound, match="a link"):
        _ = file.data


def overlapping(copies: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.inkml", bytes(5_000_000))
    whole = buffer.getvalue()
    place = whole.rindex(b"PK\x01\x02")
    entry = whole[place : whole.rindex(b"PK\x05\x06")]
    return (
        whole[:place]
        + entry * copies
        + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, copies, copies, copies * len(entry), place, 0)
    )


def zipped(method: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as packed:
        packed.writestr("a.inkml", bytes(100_000))
    return buffer.getvalue()


END = bytes(1024)
TRICKS = {
    "bzip2 in a zip": (zipped(zipfile.ZIP_BZIP2), "another method than deflate"),
    "lzma in a zip": (zipped(zipfile.ZIP_LZMA), "another method than deflate"),
    "entries over one body": (overlapping(2_000), "overlap"),
    "a header of gigabytes": (bz2.compress(header(b"x", 1 << 32) + bytes(1_000_000)), "longer than"),
    "a chain of headers": (
        (header(b"x", 512) + b"11 path=ab\n".ljust(512, b"\0")) * 2_000 + END,
        "headers describe",
    ),
    "a chain of long names": ((header(b"L", 512) + b"a".ljust(512, b"\0")) * 2_000 + END, "headers describe"),
    "digits without end": (header(b"x", 60_000) + b"1" * 60_416 + END, "damaged"),
    "a map of a sparse file": (
        header(b"x", 512) + b"30 GNU.sparse.map=0,1,2,3,4,5\n".ljust(512, b"\0") + header(b"0", 0) + END,
        "sparse",
    ),
    "an old sparse file": (header(b"S", 0) + END, "sparse"),
    "a size beyond measure": (header(b"0", 1 << 70) + END, "beyond all measure"),
    "two archives in one": (tarred({"a": b""}) + tarred({"b": b""}), "goes on after its end"),
    "a bomb": (bz2.compress(header(b"0", 1 << 40) + bytes(50_000_000)), "times its size"),
    "entries for nothing": (gzip.compress(header(b"0", 0) * 30_000 + END), "entries"),
    "a giant dictionary": (
        lzma.compress(bytes(1024), filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]),
        "Memory usage limit",
    ),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_tricks_are_refused_soon(trick: str, tmp_path: Path) -> None:
    content, said = TRICKS[trick]
    started = time.process_time()
    with pytest.raises(BadCorpus, match=said):
        read(content, tmp_path)
    assert time.process_time() - started < 1


def test_flipped_bytes_end_in_the_tree(tmp_path: Path) -> None:
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        packed = pack(tarred(FILES))
        for at in range(0, len(packed), 7):
            try:
                read(packed[:at] + bytes([packed[at] ^ 0x55]) + packed[at + 1 :], tmp_path)
            except BadCorpus:
                continue


def test_budgets_are_those_of_the_documents() -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / "security.md").read_text("utf-8")
    for number in (archive.MAX_RATIO, archive.FREE_BYTES // 1_000_000, archive.MAX_ENTRIES):
        assert f"{number:,}" in text
