"""The generator is repeatable, and its files read back as they were written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from inkscan.data.sample import Sample
from inkscan.errors import (
    BadCorpus,
    BadLabels,
    BadRequest,
    InkscanError,
    TestSplitSelection,
    UnknownToken,
)
from inkscan.latex.tokens import parse_latex
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.characters import read_characters, trained_on
from inkscan.synthesis.generate import Generator, sample_to_inkml

from .conftest import check_alignment


def test_a_sample_depends_on_seed_and_number_only() -> None:
    straight = list(Generator().samples(6, seed=1))
    assert straight[4:] == list(Generator().samples(2, seed=1, start=4))
    assert straight[0].ink != next(iter(Generator().samples(1, seed=2))).ink


def test_a_bank_can_be_used_for_all_or_none(bank: SymbolBank) -> None:
    for sample in Generator(bank=bank, font_share=0.3).samples(40):
        check_alignment(sample)
    for share, uses_bank in ((0.0, True), (1.0, False)):
        pens = [Generator(bank=bank, font_share=share).pen(np.random.default_rng(i)) for i in range(20)]
        assert [pen.sparingly for pen in pens] == [not uses_bank] * 20


def test_what_the_font_lacks_comes_from_the_bank_even_in_the_font_s_share(bank: SymbolBank) -> None:
    wp = SymbolBank({r"\wp": bank.entries["x"]})
    rows = [parse_latex(r"\wp+x")]
    for sample in Generator(bank=wp, font_share=1.0).write(rows, 3):
        assert sample.tokens == (r"\wp", "+", "x")
    with pytest.raises(UnknownToken, match="wp"):
        next(Generator().write(rows, 1))
    with pytest.raises(UnknownToken, match="ddot"):
        next(Generator().write([parse_latex(r"\ddot{x}")], 1))


def test_inks_look_like_a_digitiser_made_them(samples: list[Sample]) -> None:
    points = [len(stroke) for sample in samples for stroke in sample.ink.strokes]
    assert 8 < sum(points) / len(points) < 60
    assert max(points) < 800


def test_inkml_reads_back_with_its_truth(samples: list[Sample]) -> None:
    from inkscan.data.prepare_crohme import crohme_truth
    from inkscan.ink.inkml import read_inkml

    for sample in samples[:60]:
        document = read_inkml(sample_to_inkml(sample))
        truth = crohme_truth(document)
        assert document.ink == sample.ink
        assert truth.tokens == sample.tokens
        assert truth.alignment == sample.alignment


def run(*arguments: object) -> str:
    from inkscan.cli.data import app

    result = CliRunner().invoke(app, ["generate", *map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_the_command_writes_folders_and_corpora(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from inkscan.data.corpus import Corpus

    assert "3 InkML files" in run(tmp_path / "inks", "-n", 3)
    assert len(list((tmp_path / "inks").glob("*.inkml"))) == 3
    run(tmp_path / "a.parquet", "-n", 40, "--seed", 2)
    run(
        tmp_path / "b.parquet",
        "-n",
        5,
        "--bank",
        tmp_path / "a.parquet",
        "--expressions",
        tmp_path / "a.parquet",
    )
    made = Corpus.read(tmp_path / "b.parquet")
    assert len(made) == 5
    for sample in made:
        check_alignment(sample)


def test_the_licences_of_the_sources_are_inherited(tmp_path: Path, samples: list[Sample]) -> None:
    pytest.importorskip("pyarrow")
    from inkscan.data.corpus import CorpusMetadata, read_metadata, write_corpus

    sources = {"words": "A; B", "ink": "B; C", "silent": ""}
    for name, licence in sources.items():
        write_corpus(samples[:40], tmp_path / f"{name}.parquet", CorpusMetadata(name, licence))
    words, ink, silent = (tmp_path / f"{name}.parquet" for name in sources)
    for options, licence in (
        ((), ""),
        (("--expressions", words), "A; B"),
        (("--expressions", words, "--bank", ink, "--bank", silent), "A; B; C"),
        (("--licence", "D", "--bank", ink), "D; B; C"),
    ):
        run(tmp_path / "made.parquet", "-n", 1, *options)
        assert read_metadata(tmp_path / "made.parquet").licence == licence


@pytest.mark.parametrize("option", ["--bank", "--expressions"])
def test_what_is_made_from_a_test_set_is_one(tmp_path: Path, samples: list[Sample], option: str) -> None:
    pytest.importorskip("pyarrow")
    from inkscan.data.corpus import CorpusMetadata, read_metadata, refuse_test_set, write_corpus

    for split in ("train", "test2014"):
        write_corpus(samples[:40], tmp_path / f"{split}.parquet", CorpusMetadata(split))
    made, again = tmp_path / "made.parquet", tmp_path / "again.parquet"
    run(made, "-n", 2, option, tmp_path / "train.parquet")
    assert read_metadata(made).split == "made"
    run(made, "-n", 2, option, tmp_path / "test2014.parquet")
    run(again, "-n", 2, option, made)
    for path, split in ((made, "made + test2014"), (again, "again + made + test2014")):
        assert read_metadata(path).split == split
        with pytest.raises(TestSplitSelection, match="made from one"):
            refuse_test_set(path)
    with pytest.raises(BadRequest, match="no place for the mark"):
        run(tmp_path / "inks", "-n", 2, option, tmp_path / "test2014.parquet")
    assert not (tmp_path / "inks").exists()


def test_characters_bring_their_licence_and_ink_without_symbols_is_no_bank(
    tmp_path: Path, samples: list[Sample]
) -> None:
    pytest.importorskip("pyarrow")
    from inkscan.data.corpus import CorpusMetadata, read_metadata, write_corpus

    lines = [
        {
            "label": label,
            "writer": "w",
            "source": "s",
            "licence": f"Licence {label}",
            "strokes": [[[0, 0], [9, 40]]],
        }
        for label in "xy"
    ]
    (tmp_path / "c.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run(tmp_path / "made.parquet", "-n", 1, "--bank", tmp_path / "c.jsonl")
    assert read_metadata(tmp_path / "made.parquet").licence == "Licence x; Licence y"
    bare = [replace(sample, alignment=((),) * len(sample.tokens)) for sample in samples[:3]]
    write_corpus(bare, tmp_path / "bare.parquet", CorpusMetadata("bare"))
    with pytest.raises(BadCorpus, match="says of no symbol"):
        run(tmp_path / "other.parquet", "-n", 1, "--bank", tmp_path / "bare.parquet")


def test_writers_who_are_held_out_to_measure_with_are_not_recombined(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from inkscan.data.corpus import read_metadata

    file = tmp_path / "c.jsonl"
    writers = [f"writer {number}" for number in range(40)]
    shared = {"label": "x", "source": "s", "strokes": [[[0, 0], [9, 40]]]}
    file.write_text("".join(json.dumps(shared | {"writer": one, "licence": one}) + "\n" for one in writers))
    run(tmp_path / "made.parquet", "-n", 1, "--bank", file)
    used = set(read_metadata(tmp_path / "made.parquet").licence.split("; "))
    held_out = {one.writer for one in trained_on(read_characters(file), held_out=True)}
    assert held_out and used == set(writers) - held_out


def test_the_command_writes_given_expressions(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from inkscan.data.corpus import Corpus

    (tmp_path / "wanted.txt").write_text("x+1\n\ny\n2\n", "utf-8")
    for count, written in (((), ["x + 1", "y", "2"]), (("-n", 4), ["x + 1", "y", "2", "x + 1"])):
        run(tmp_path / "c.parquet", *count, "--expressions", tmp_path / "wanted.txt")
        corpus = Corpus.read(tmp_path / "c.parquet")
        assert [" ".join(sample.tokens) for sample in corpus] == written
    assert corpus[0].ink != corpus[3].ink


@pytest.mark.parametrize("option", [("--max-symbols", 5), ("--font-share", 0.5)])
def test_options_that_would_say_nothing_are_refused(tmp_path: Path, option: tuple[str, float]) -> None:
    (tmp_path / "wanted.txt").write_text("x+1\n", "utf-8")
    with pytest.raises(BadRequest, match=option[0]):
        run(tmp_path / "inks", "--expressions", tmp_path / "wanted.txt", *option)
    assert not (tmp_path / "inks").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x\n\\frac{1\n", "line 2"),
        (b"x\ny\n\\ddot{x}\n", "line 3.*ddot"),
        (b"x\xff\n", "not UTF-8"),
        (b"\xef\xbb\xbf\n", "no expr"),
    ],
)
def test_a_wrong_line_of_expressions_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    from inkscan.cli.data import app

    (tmp_path / "mine.txt").write_bytes(content)
    asked = ["generate", str(tmp_path / "out"), "-n", "1", "--expressions", str(tmp_path / "mine.txt")]
    with pytest.raises(InkscanError, match=message):
        CliRunner().invoke(app, asked, catch_exceptions=False)


def test_an_empty_bank_is_none(samples: list[Sample]) -> None:
    assert list(Generator(bank=SymbolBank({})).samples(2)) == list(Generator().samples(2))


def test_a_table_is_not_taken_for_expressions(tmp_path: Path) -> None:
    from inkscan.cli.data import app

    (tmp_path / "labels.tsv").write_text("a.inkml\tx + 1\n", "utf-8")
    words = ["generate", str(tmp_path / "out"), "--expressions", str(tmp_path / "labels.tsv")]
    with pytest.raises(BadLabels, match="line 1: a table"):
        CliRunner().invoke(app, words, catch_exceptions=False)
