"""Tables of formulas: read, refused, and drawn by length with the rare symbols more often."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from inkscan.errors import BadCorpus, SourceNotFound
from inkscan.latex.tree import to_tokens
from inkscan.latex.vocabulary import CROHME
from inkscan.synthesis.formulas import Formula, FormulaBook, read_formulas

TABLE = "source\tlicence\tmore\ttokens\nbook\tCC BY 4.0\t1\tx + 1\nbook\tMIT\t0\t\\aleph = 2\n"


def test_a_table_is_read_plain_and_compressed(tmp_path: Path) -> None:
    (tmp_path / "f.tsv").write_text(TABLE)
    (tmp_path / "f.tsv.xz").write_bytes(lzma.compress(TABLE.encode()))
    for name in ("f.tsv", "f.tsv.xz"):
        first, second = read_formulas(tmp_path / name)
        assert first == Formula("book", "CC BY 4.0", ("x", "+", "1"))
        assert second.tokens == ("\\aleph", "=", "2")


@pytest.mark.parametrize(
    "content",
    [
        b"tokens\nx + 1\n",
        TABLE.encode() + b"too\tfew\n",
        b"\xff\xfe\x00",
        b"",
        lzma.compress(TABLE.encode())[:-9],
    ],
    ids=["heading", "columns", "encoding", "empty", "cut"],
)
def test_other_tables_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / ("f.tsv.xz" if content.startswith(b"\xfd7zXZ") else "f.tsv")
    path.write_bytes(content)
    with pytest.raises(BadCorpus):
        list(read_formulas(path))
    with pytest.raises(SourceNotFound):
        list(read_formulas(tmp_path / "absent.tsv"))


def test_formulas_are_drawn_by_length_and_rare_symbols_more_often() -> None:
    common = [("x", "+", "y")] * 900
    rare = [("x", "\\in", "y")] * 100
    long = [("x", "+", "1", "=", "y", "-", "2", "+", "z")] * 150
    book = FormulaBook.of([Formula("", "", tokens) for tokens in common + rare + long], CROHME.tokens)
    rng = np.random.default_rng(0)
    rows = [book.draw(3, rng) for _ in range(2000)]
    counts = Counter(to_tokens(row)[1] for row in rows if row)
    assert set(counts) == {"+", "\\in"} and 0.15 < counts["\\in"] / 2000 < 0.35
    assert {len(to_tokens(row)) for _ in range(50) if (row := book.draw(9, rng))} == {9}
    assert book.draw(40, rng) is None  # there is none so long


def test_roots_with_an_index_are_rare_though_their_tokens_are_not() -> None:
    plain = [("\\sqrt", "{", "x", "}", "+", "[", "x", "]")] * 990
    index = [("\\sqrt", "[", "x", "]", "{", "x", "}", "+", "x")] * 10
    book = FormulaBook([*plain, *index])
    rng = np.random.default_rng(0)
    drawn = [book.draw(9, rng) for _ in range(400)]
    with_index = sum(bool(row and row[0].above) for row in drawn)
    assert 20 < with_index < 70  # about a tenth, though one in a hundred


def test_formulas_of_unknown_symbols_alone_are_refused() -> None:
    with pytest.raises(BadCorpus, match="vocabulary"):
        FormulaBook.of([Formula("", "", ("\\aleph",))], CROHME.tokens)
