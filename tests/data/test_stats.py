from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from defusedxml.ElementTree import fromstring

from inkscan.data.chart import stats_svg
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.stats import corpus_stats

from .own_ink import sample


def test_figures(tmp_path: Path) -> None:
    samples = [
        sample("full"),
        replace(sample("half"), alignment=((0, 1), (), (), (), ())),
        replace(sample("uncovered"), tokens=("x",), alignment=((0, 1),)),
        replace(sample("flat"), tokens=("&", "x"), alignment=((), ())),
    ]
    write_corpus(samples, tmp_path / "c.parquet", CorpusMetadata("train", "CC0-1.0"))
    stats = corpus_stats(tmp_path / "c.parquet")
    assert (stats.samples, stats.aligned, stats.uncovered, stats.flat) == (4, 2, 1, 1)
    assert stats.tokens["x"] == 4
    assert stats.sources == {"own": 4}
    spreads = {spread.name: spread.summary for spread in stats.spreads}
    assert spreads["strokes"] == (3, 3, 3, 3, 3, 3)
    assert spreads["tokens"][0] == 13 / 4
    assert spreads["depth"][-1] == 2
    assert json.loads(json.dumps(stats.to_json()))["aligned"] == 2
    drawing = fromstring(stats_svg(stats))
    bars = drawing.findall("{http://www.w3.org/2000/svg}rect[@class='bar']")
    assert len(bars) > 5


def test_an_empty_corpus_has_statistics(tmp_path: Path) -> None:
    write_corpus([], tmp_path / "c.parquet", CorpusMetadata())
    stats = corpus_stats(tmp_path / "c.parquet")
    assert stats.samples == 0
    fromstring(stats_svg(stats))
    assert stats.to_json()["per_expression"]["strokes"]["mean"] == 0
