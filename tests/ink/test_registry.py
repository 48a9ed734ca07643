"""One ink format, one row: whatever takes ink by file takes a new format from it."""

from __future__ import annotations

import ast
import io
from pathlib import Path

import pytest

from inkscan.bulk.inputs import Input
from inkscan.bulk.rows import _opened
from inkscan.data.corpus import Corpus
from inkscan.data.prepare_folder import prepare_folder
from inkscan.errors import MalformedInk, NoStrokes, SourceNotFound, UnknownInkFormat
from inkscan.ink import Ink, Stroke, formats
from inkscan.ink.formats import FORMATS, InkFormat
from inkscan.ink.inkml import InkmlDocument

INK = Ink.from_points([[[0, 0], [4, 9]], [[7, 2], [7, 5]], [[1, 1]]])


@pytest.mark.parametrize("suffix", [one.suffix for one in FORMATS])
def test_what_is_saved_is_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    INK.save(path)
    assert Ink.read(path) == Ink.read(str(path)) == INK
    INK.save(str(tmp_path / f"b{suffix.upper()}"))


def test_another_suffix_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(UnknownInkFormat, match=r"\.inkml, \.json, \.scgink: not as 'a\.png'"):
        INK.save(tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_a_new_format_is_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(data: bytes) -> InkmlDocument:
        numbers = [float(word) for word in data.split()[1:]]
        return InkmlDocument(Ink([list(zip(numbers[::2], numbers[1::2], strict=True))]))

    dots = InkFormat("dots", ".dots", (b"DOTS",), read, lambda ink: b"DOTS 1 2 3 4")
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, dots))
    expected = Ink([[[1, 2], [3, 4]]])
    source = tmp_path / "inks"
    source.mkdir()
    expected.save(source / "a.dots")
    (tmp_path / "labels.tsv").write_text("a.dots\tx\n")
    assert Ink.read(source / "a.dots") == expected  # as `inkscan recognize` reads it
    with pytest.raises(SourceNotFound, match="ink itself is passed as bytes"):
        Ink.read("DOTS 1 2 3 4")
    assert formats.format_names("or") == "InkML, JSON, SCGINK or dots"
    assert _opened(Input(0, "a.dots", b"DOTS 1 2 3 4", 1.0)) == expected
    prepare_folder(source, tmp_path / "labels.tsv", tmp_path / "c.parquet")
    assert Corpus.read(tmp_path / "c.parquet")[0].ink == expected
    with pytest.raises(UnknownInkFormat, match="neither InkML, JSON, SCGINK nor dots"):
        Ink.read(b"something")


def test_the_modules_of_ink_import_one_another_in_one_direction() -> None:
    folder = Path(formats.__file__).parent
    below: dict[str, set[str]] = {}
    for path in folder.glob("*.py"):
        found = {
            node.module
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("inkscan.ink")
        }
        below[path.stem] = {
            name.removeprefix("inkscan.ink").removeprefix(".") or "__init__" for name in found
        }
    below["__init__"].discard("__init__")
    done: set[str] = set()
    while len(done) < len(below):
        free = {name for name, others in below.items() if name not in done and others <= done}
        assert free, f"a cycle among {sorted(below.keys() - done)}"
        done |= free


def test_ink_is_a_sequence_of_strokes() -> None:
    assert list(INK) == list(INK.strokes)
    assert INK[1] == INK.strokes[1]
    assert INK[-1] == INK.strokes[2]
    assert INK[:2] == Ink(INK.strokes[:2])
    named = Ink(INK.strokes, ids=("a", "b", "c"))
    assert named[1:].ids == ("b", "c")
    assert named.only([2, 0]).ids == ("c", "a")
    assert INK.only([2, 0]).ids == ()
    with pytest.raises(IndexError):
        INK[3]
    with pytest.raises(NoStrokes):
        INK[3:]


def test_ink_of_plain_lists() -> None:
    assert Ink([[[0, 0], [4, 9]], [(7, 2), (7, 5)], [[1, 1]]]) == INK
    assert Ink(list(INK.strokes)) == INK
    assert Ink(iter(INK.strokes)) == INK
    timed = Ink([[[0, 0, 5], [4, 9, 7]]])
    assert timed[0].time is not None and timed[0].time.tolist() == [5, 7]
    assert isinstance(timed[0], Stroke)
    assert Stroke([[0, 0], [4, 9]], time=[5, 7]) == Stroke(timed[0].xy, timed[0].time)


def test_an_ink_is_shown_in_a_line() -> None:
    assert repr(INK) == "<Ink: strokes 3, points 5, (0, 0) to (7, 9)>"
    long = Ink([[[x, 0.5] for x in range(5000)]])
    assert repr(long) == "<Ink: strokes 1, points 5000, (0, 0.5) to (4999, 0.5)>"


@pytest.mark.parametrize(
    "given", ["a.inkml", b"<ink/>", {"strokes": []}, 3, None, [[0, 0], [1, 1]], [3], [[[1]]]]
)
def test_what_is_no_list_of_strokes_gets_a_sentence(given: object) -> None:
    with pytest.raises(MalformedInk, match=r"Ink\(\[\[\[0, 0\], \[4, 9\]\]"):
        Ink(given)  # type: ignore[arg-type]


def test_no_strokes_at_all() -> None:
    with pytest.raises(NoStrokes):
        Ink([])


def test_ink_of_a_json_value() -> None:
    assert Ink.read({"strokes": [[[0, 0], [4, 9]], [[7, 2], [7, 5]], [[1, 1]]]}) == INK
    assert Ink.read([[[0, 0], [4, 9]], [[7, 2], [7, 5]], [[1, 1]]]) == INK
    with pytest.raises(MalformedInk, match="no strokes found"):
        Ink.read({"points": []})


def test_what_cannot_be_read_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match=r"passed as bytes: text\.encode\(\)"):
        Ink.read("<ink>" + "<trace>1 2</trace>" * 1000 + "</ink>")
    with pytest.raises(SourceNotFound, match="there is no file"):
        Ink.read(tmp_path / "none")
    with pytest.raises(SourceNotFound, match="there is no file"):
        Ink.read("a\0b")
    with pytest.raises(MalformedInk, match="opened as binary"):
        Ink.read(io.StringIO("<ink/>"))  # type: ignore[arg-type]
    with pytest.raises(MalformedInk, match="not from int"):
        Ink.read(3)  # type: ignore[arg-type]
