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
from inkscan.synthesis.characters import read_characters, read_licence, trained_on


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


def character(label: str, writer: str, **more: str) -> str:
    return json.dumps({"label": label, "writer": writer, "strokes": [[[0, 0], [5, 9]]], **more})


def test_json_lines_name_their_sources_and_spell_labels_in_any_way(tmp_path: Path) -> None:
    lines = [character(r"\lt", "ann", source="s", licence="MIT"), character("x", "bob")]
    (tmp_path / "c.jsonl").write_text("\n".join(lines))
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    for name in ("c.jsonl", "c.jsonl.gz"):
        first, second = read_characters(tmp_path / name)
        assert (first.label, first.source, first.licence) == ("<", "s", "MIT")
        assert (second.label, second.source, second.licence) == ("x", "", "unknown")


@pytest.mark.parametrize(
    "strokes", ["[[1, 2]]", "[[[1]]]", "[[[1, 2], [3]]]", '[[["a", 2]]]', "[[[NaN, 2]]]"]
)
def test_strokes_that_are_no_points_are_refused(tmp_path: Path, strokes: str) -> None:
    path = tmp_path / "symbols.jsonl"
    path.write_text(f'{{"label": "x", "writer": "w", "strokes": {strokes}}}\n')
    with pytest.raises(BadCorpus, match="no file of characters"):
        list(read_characters(path))


def test_a_tenth_of_the_writers_is_held_out_of_collections_of_many(tmp_path: Path) -> None:
    lines = [character("x", f"w{i}", source="many") for i in range(200)]
    lines += [character("y", f"v{i}", source="few") for i in range(5)]
    (tmp_path / "c.jsonl").write_text("\n".join(lines))
    characters = list(read_characters(tmp_path / "c.jsonl"))
    kept, apart = list(trained_on(characters)), list(trained_on(characters, held_out=True))
    assert len(kept) + len(apart) == 205 and 8 <= len(apart) <= 40
    assert {one.source for one in apart} == {"many"}
    assert not {one.writer for one in kept} & {one.writer for one in apart}
