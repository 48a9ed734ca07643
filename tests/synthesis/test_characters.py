"""Files of isolated characters: whole, damaged, and by which writers."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from inkscan.errors import BadCorpus
from inkscan.synthesis.characters import read_characters, read_licence


def cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def flipped(data: bytes) -> bytes:
    return data[:12] + b"\xff" * 20 + data[32:]


def tar_of(member: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        info = tarfile.TarInfo("chars/1a.jsonl.gz")
        info.size = len(member)
        archive.addfile(info, io.BytesIO(member))
    return stream.getvalue()


@pytest.mark.parametrize("damaged", [cut, flipped])
def test_damaged_archives_are_refused(tmp_path: Path, damaged: Callable[[bytes], bytes]) -> None:
    line = json.dumps({"label": "a", "writer": "w", "strokes": [[[0, 0], [5, 9]]]})
    member = gzip.compress("\n".join([line] * 50).encode())
    path = tmp_path / "u.tar"
    path.write_bytes(tar_of(member))
    assert (len(list(read_characters(path))), read_licence(path)) == (50, "unknown")
    path.write_bytes(tar_of(damaged(member)))
    with pytest.raises(BadCorpus):
        list(read_characters(path))
    path.write_bytes(damaged(gzip.compress(tar_of(member))))
    with pytest.raises(BadCorpus):
        list(read_characters(path))
    with pytest.raises(BadCorpus):
        read_licence(path)
