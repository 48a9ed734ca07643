"""Evaluation: how good a recogniser is on data."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from inkscan.data.sample import Sample
from inkscan.errors import BadRequest
from inkscan.evaluation.dataset import Dataset
from inkscan.evaluation.measured import MeasuredRow
from inkscan.evaluation.paper import OFFICIAL_COUNTS, OUR_SYSTEMS
from inkscan.evaluation.predict import Prediction, Recognizer, predict
from inkscan.metrics.bootstrap import Bootstrap
from inkscan.metrics.convention import Convention
from inkscan.metrics.counts import SampleCounts, count_sample, count_unread
from inkscan.metrics.report import Report, report
from inkscan.metrics.score import Score
from inkscan.metrics.segmentation import count_symbols, symbol_groups


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
            "data": {**vars(self.dataset.metadata), "test": self.dataset.metadata.is_test},
            "seconds": self.seconds,
            **self.report.to_json(),
            "samples": [asdict(sample) for sample in self.samples],
        }


@dataclass(frozen=True)
class Provenance:
    """What a recorded row says of where it came from."""

    system: str
    model: str
    command: str
    extra_data: bool = False
    selected_on_test: bool = False
    variant: str = ""


def evaluate(
    recognizer: Recognizer,
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
    return Evaluation(
        dataset, report(samples, bootstrap, convention), tuple(samples), tuple(predictions), seconds
    )


def measured_rows(evaluation: Evaluation, provenance: Provenance) -> list[MeasuredRow]:
    """The rows of the paper's tables that an evaluation fills; a set that is not whole is refused."""
    name, count = evaluation.dataset.name, evaluation.report.count
    if provenance.system not in map(str.lower, OUR_SYSTEMS):
        raise BadRequest(
            f"{provenance.system!r} is none of the paper's ten systems, so no table has a place for it"
        )
    official = OFFICIAL_COUNTS.get(name)
    if official is not None and count != official:
        raise BadRequest(
            f"{name} has {official} expressions but {count} were scored; only the whole set is recorded"
        )
    if count == 0:
        raise BadRequest("no expressions were scored, so there is nothing to record")
    families = (("token", evaluation.report.token), ("symlg", evaluation.report.symlg))
    return [_measured_row(evaluation, provenance, family, score) for family, score in families]


def _measured_row(evaluation: Evaluation, provenance: Provenance, family: str, score: Score) -> MeasuredRow:
    rates = {name: round(found.value, 2) for name, found in score.estimates.items() if found}
    return MeasuredRow(
        system=provenance.system,
        dataset=evaluation.dataset.name,
        family=family,
        count=evaluation.report.count,
        exp_rate=rates["exp_rate"],
        le1=rates["le1"],
        le2=rates["le2"],
        le3=rates["le3"],
        stru_rate=rates.get("stru_rate"),
        date=date.today().isoformat(),
        command=provenance.command,
        fingerprint=evaluation.dataset.metadata.fingerprint,
        model=provenance.model,
        extra_data=provenance.extra_data,
        selected_on_test=provenance.selected_on_test,
        variant=provenance.variant,
    )


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
