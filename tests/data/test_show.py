from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from inkscan.data.corpus import Corpus, CorpusMetadata, write_corpus
from inkscan.data.show import choose, corpus_page
from inkscan.ink.svg import PALETTE

from .own_ink import sample


def test_page() -> None:
    flat = replace(sample("<flat>"), tokens=("&",), alignment=((),))
    page = corpus_page([sample("one"), flat], CorpusMetadata("train", "CC0-1.0"), total=9)
    assert "2 of 9" in page
    assert page.count("<svg") == page.count("<figure") == 2
    assert page.count("<math") == 1
    assert page.count(f'stroke="{PALETTE[0]}"') == 2
    assert page.count("no alignment known") == page.count("Each symbol has one colour") == 1
    unaligned = corpus_page([flat], CorpusMetadata("train"), total=9)
    assert "Each symbol has one colour" not in unaligned
    assert "The strokes of the symbols are not known. Licence of the inks: not stated." in unaligned
    assert f'<b style="color:{PALETTE[1]}">2</b>' in page
    assert "&lt;flat&gt;" in page
    assert "<flat>" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")  # nothing is fetched
    assert "https://" not in page


def test_choice(tmp_path: Path) -> None:
    samples = [sample(f"s{i}") for i in range(20)]
    samples[7] = replace(samples[7], tokens=("y",), alignment=((0,),))
    write_corpus(samples, tmp_path / "c.parquet", CorpusMetadata())
    corpus = Corpus.read(tmp_path / "c.parquet")
    assert [s.id for s in choose(corpus, 5, seed=0, token="y")] == ["s7"]
    assert len(choose(corpus, 5, seed=0)) == 5
    assert choose(corpus, 5, seed=0) == choose(corpus, 5, seed=0)
    assert choose(corpus, 99, seed=0) == samples
