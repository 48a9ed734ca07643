"""Banks keep symbols as they were written."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.errors import BadCorpus, SourceNotFound
from inkscan.ink import Ink
from inkscan.latex.tokens import parse_latex
from inkscan.synthesis.bank import SymbolBank, cut_symbol
from inkscan.synthesis.characters import read_characters
from inkscan.synthesis.hand import Hand
from inkscan.synthesis.handwriting import Pen
from inkscan.synthesis.layout import write_sample

from .conftest import check_alignment, written


def test_cutting_and_placing_is_an_identity() -> None:
    strokes = [np.array([[10.0, 20.0], [30.0, 60.0]]), np.array([[12.0, 30.0], [20.0, 35.0], [25.0, 25.0]])]
    symbol = cut_symbol("x", strokes)
    assert symbol is not None
    assert max(symbol.width, symbol.height) == 1
    for drawn, stroke in zip(symbol.strokes(40.0, np.array([20.0, 40.0])), strokes, strict=True):
        np.testing.assert_allclose(drawn, stroke)


def test_a_single_dot_is_kept() -> None:
    symbol = cut_symbol(".", [np.array([[5.0, 5.0]])])
    assert symbol is not None
    assert np.isfinite(symbol.points).all()


def test_every_symbol_of_a_corpus_is_harvested() -> None:
    sample = written(r"\frac { a } { b } + \sqrt { x ^ { 2 } }")
    bank = SymbolBank.harvest([sample])
    assert sorted(bank.entries) == sorted(["+", "2", r"\frac", r"\sqrt", "a", "b", "x"])
    assert len(bank) == 7


def test_size_and_height_are_told_against_the_line() -> None:
    bank = SymbolBank.harvest([written("x p b 2 x", seed) for seed in range(30)])

    def mean(label: str, name: str) -> float:
        return float(np.mean([getattr(symbol, name) for symbol in bank.entries[label]]))

    assert mean("p", "rise") < mean("x", "rise") < mean("b", "rise")
    assert mean("x", "size") == pytest.approx(1.0, abs=0.25)
    assert mean("b", "size") == pytest.approx(1.7, abs=0.3)


def test_points_and_dots_borrow_each_others_shape_but_not_its_place() -> None:
    bank = SymbolBank.harvest([written(text, seed) for text in ("1 . 2", r"1 \cdot 2") for seed in range(9)])
    points, dots = bank.entries["."], bank.entries[r"\cdot"]
    assert len(points) == len(dots) == 18
    assert max(one.rise for one in points) < min(one.rise for one in dots)
    assert {id(one.points) for one in points} == {id(one.points) for one in dots}


def test_shared_strokes_and_missing_trees_are_left_out() -> None:
    ink = Ink.from_points([[(0, 0), (1, 1)], [(2, 0), (3, 3)]])
    shared = Sample("a", ink, ("x", "y"), ((0, 1), (1,)))
    broken = Sample("b", ink, ("{", "y"), ((0,), (1,)))
    assert len(SymbolBank.harvest([shared, broken])) == 0


def test_freak_shapes_are_dropped() -> None:
    good = [written("1", seed, care=1.0) for seed in range(60)]
    freak = Sample("f", Ink.from_points([[(0, 0), (900, 1)]]), ("1",), ((0,),))
    bank = SymbolBank.harvest([*good, freak])
    assert all(symbol.height > symbol.width for symbol in bank.entries["1"])


def test_writers_are_kept_apart(bank: SymbolBank) -> None:
    rng = np.random.default_rng(0)
    writer = bank.entries["x"][0].writer
    assert all(bank.choose("x", rng, writer).writer == writer for _ in range(20))  # type: ignore[union-attr]
    assert bank.choose("no such label", rng) is None
    assert bank.choose("x", rng, "nobody") is not None
    assert bank.choose_writer(rng) in bank.writers


def test_the_layout_engine_writes_with_a_bank(bank: SymbolBank) -> None:
    rng = np.random.default_rng(0)
    row = parse_latex(r"\frac { x + 1 } { \sqrt { y } } ( \sin z ) ^ { 2 } \leq \sum _ { i } q _ { i }")
    for seed in range(10):
        sample = write_sample(row, Pen(Hand.sample(np.random.default_rng(seed)), bank, "3"), rng, "")
        check_alignment(sample)


def unipen_archive(path: Path, lines: list[str]) -> Path:
    data = gzip.compress("\n".join(lines).encode())
    with tarfile.open(path, "w") as archive:
        info = tarfile.TarInfo("chars/1a.jsonl.gz")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return path


def test_unipen_characters_are_read(tmp_path: Path) -> None:
    def line(label: str, writer: str) -> str:
        return json.dumps({"label": label, "writer": writer, "strokes": [[[0, 0], [5, 9]], []]})

    lines = [line("{", "ann"), line("&", "ann"), *(line("a", f"w{i}") for i in range(30))]
    bank = SymbolBank.of_characters(read_characters(unipen_archive(tmp_path / "u.tar", lines)), per_label=10)
    assert {label: len(symbols) for label, symbols in bank.entries.items()} == {r"\{": 1, r"\&": 1, "a": 10}
    assert bank.entries[r"\{"][0].ends == (2,)


def test_characters_of_a_coarse_tablet_are_left_out(tmp_path: Path) -> None:
    def line(label: str, steps: int) -> str:
        ring = np.linspace(0, 2 * np.pi, 40)
        points = np.rint(steps / 2 * np.stack([np.cos(ring), np.sin(ring)], axis=1))
        return json.dumps({"label": label, "writer": "w", "strokes": [points.tolist()]})

    lines = [line("o", 8), line("o", 40), line("O", 20), line("O", 64)]
    bank = SymbolBank.read(unipen_archive(tmp_path / "u.tar", lines))
    assert {label: len(symbols) for label, symbols in bank.entries.items()} == {"o": 1, "O": 1}


def test_bad_unipen_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        SymbolBank.read(tmp_path / "absent.tar")
    (tmp_path / "no.tar").write_bytes(b"nothing")
    with pytest.raises(BadCorpus):
        SymbolBank.read(tmp_path / "no.tar")
    with pytest.raises(BadCorpus):
        SymbolBank.read(unipen_archive(tmp_path / "bad.tar", ["{not json"]))


def test_banks_merge(bank: SymbolBank) -> None:
    assert len(SymbolBank.merged([bank, bank])) == 2 * len(bank)
