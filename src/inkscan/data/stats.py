"""Statistics of a corpus: counts, spreads and symbols."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from inkscan.data.corpus import CorpusMetadata, IntArray, count_samples, iter_row_groups, read_metadata
from inkscan.data.sample import Sample
from inkscan.data.source import OnProgress
from inkscan.errors import LatexError
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import depth, walk


@dataclass(frozen=True, eq=False)
class Spread:
    """How a count is spread over the samples."""

    name: str
    values: IntArray

    @property
    def summary(self) -> tuple[float, ...]:
        """Mean, least, 5 %, median, 95 % and most."""
        if not len(self.values):
            return (0.0,) * 6
        quantiles = np.quantile(self.values, (0.0, 0.05, 0.5, 0.95, 1.0)).tolist()
        return float(self.values.mean()), *quantiles


@dataclass(frozen=True)
class Stats:
    """What a corpus holds."""

    metadata: CorpusMetadata
    samples: int
    sources: Counter[str]
    tokens: Counter[str]
    spreads: tuple[Spread, ...]
    flat: int  # expressions that the layout tree cannot take
    aligned: int  # expressions with strokes for every symbol
    uncovered: int  # aligned expressions with strokes that belong to no symbol

    def to_json(self) -> dict[str, Any]:
        """All figures as a JSON value."""
        names = ("mean", "least", "5%", "median", "95%", "most")
        return {
            **vars(self.metadata),
            "samples": self.samples,
            "flat": self.flat,
            "aligned": self.aligned,
            "uncovered": self.uncovered,
            "per_expression": {s.name: dict(zip(names, s.summary, strict=True)) for s in self.spreads},
            "sources": dict(self.sources.most_common()),
            "tokens": dict(self.tokens.most_common()),
        }


def corpus_stats(path: str | Path, on_progress: OnProgress = lambda fraction: None) -> Stats:
    """Count a corpus piece by piece."""
    total = count_samples(path)
    tally = _Tally()
    for part in iter_row_groups(path):
        tally.columns["strokes"].append(part.stroke_counts)
        tally.columns["points"].append(part.point_counts)
        tally.columns["tokens"].append(part.token_counts)
        for sample in part:
            tally.add(sample)
        on_progress(tally.samples / max(total, 1))
    return tally.stats(read_metadata(path))


class _Tally:
    def __init__(self) -> None:
        self.columns: dict[str, list[IntArray]] = {"strokes": [], "points": [], "tokens": []}
        self.depths: list[int] = []
        self.sources: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()
        self.samples = self.flat = self.aligned = self.uncovered = 0

    def add(self, sample: Sample) -> None:
        self.samples += 1
        self.sources[sample.source] += 1
        self.tokens.update(sample.tokens)
        try:
            row = parse_tokens(sample.tokens, sample.alignment)
        except LatexError:
            self.flat += 1
            return
        self.depths.append(depth(row))
        if all(symbol.strokes for symbol in walk(row)):
            self.aligned += 1
            covered = {stroke for entry in sample.alignment for stroke in entry}
            self.uncovered += len(covered) < len(sample.ink)

    def stats(self, metadata: CorpusMetadata) -> Stats:
        spreads = [Spread(name, np.concatenate([[], *parts])) for name, parts in self.columns.items()]
        spreads.append(Spread("depth", np.array(self.depths)))
        return Stats(
            metadata,
            self.samples,
            self.sources,
            self.tokens,
            tuple(spreads),
            self.flat,
            self.aligned,
            self.uncovered,
        )
