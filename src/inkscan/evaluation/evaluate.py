"""Evaluation: how good a recogniser is on data."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any

from inkscan.data.sample import Sample
from inkscan.evaluation.bootstrap import Bootstrap
from inkscan.evaluation.convention import Convention
from inkscan.evaluation.counts import SampleCounts, count_sample, count_unread
from inkscan.evaluation.dataset import Dataset
from inkscan.evaluation.predict import AnyRecognizer, Prediction, predict
from inkscan.evaluation.report import Report, report
from inkscan.evaluation.symbol_counts import count_symbols, symbol_groups


@dataclass(frozen=True)
class Evaluation:
    """A report, and what it was made from."""

    dataset: Dataset
    report: Report
    samples: tuple[SampleCounts, ...]
    predictions: tuple[Prediction, ...]
    seconds: float  # wall clock, of recognition alone

    def expressions(self) -> dict[str, str]:
        """Predicted tokens by id, for `write_expressions`."""
        pairs = zip(self.dataset.samples, self.predictions, strict=True)
        return {sample.id: " ".join(prediction.tokens) for sample, prediction in pairs}

    def to_json(self) -> dict[str, Any]:
        return {
            "data": {
                **vars(self.dataset.metadata),
                "test": self.dataset.metadata.is_test,
                "condition": self.dataset.condition,
            },
            "seconds": self.seconds,
            **self.report.to_json(),
            "samples": [asdict(sample) for sample in self.samples],
        }


def evaluate(
    recognizer: AnyRecognizer,
    dataset: Dataset,
    bootstrap: Bootstrap | None = None,
    on_done: Callable[[int], None] = lambda count: None,
    convention: Convention = Convention.WRITTEN,
) -> Evaluation:
    """Read every ink once; files that could not be read count as wrong."""
    start = time.perf_counter()
    predictions = predict(recognizer, dataset.samples, on_done)
    seconds = time.perf_counter() - start
    samples = [_count(*pair, convention) for pair in zip(dataset.samples, predictions, strict=True)]
    samples += [
        count_unread(rejection.name, rejection.code, PurePosixPath(rejection.name).parent.name)
        for rejection in dataset.rejected
    ]
    scores = report(samples, bootstrap, convention)
    scores = scores.under(dataset.condition) if dataset.condition else scores
    return Evaluation(dataset, scores, tuple(samples), tuple(predictions), seconds)


def _count(sample: Sample, prediction: Prediction, convention: Convention) -> SampleCounts:
    groups = symbol_groups(sample.tokens, sample.alignment)
    return count_sample(
        sample.id,
        " ".join(sample.tokens),
        " ".join(prediction.tokens),
        failure=prediction.failure,
        source=sample.source,
        confidence=prediction.confidence,
        symbols=count_symbols(groups, prediction.symbols) if groups else None,
        convention=convention,
    )
