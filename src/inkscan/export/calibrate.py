"""Calibrate an exported model: fit its confidences to its answers on a validation corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inkscan.data.ancestry import learnt_from
from inkscan.data.corpus import Corpus
from inkscan.errors import BadCorpus, TestSplitSelection
from inkscan.evaluation.reliability import expected_calibration_error
from inkscan.latex.matching import matched_tokens
from inkscan.runtime.calibration import Calibration, Evidence, Float64, log_odds
from inkscan.runtime.member import member_of
from inkscan.runtime.models import ExportedModel
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.recognizer import Recognizer
from inkscan.synthesis.order import Orders, reordered

CHUNK = 64
FEWEST = 50  # answers that a calibration can be fitted on
_RIDGE = 1e-2


@dataclass(frozen=True)
class JudgedSymbol:
    log_prob: float
    right: bool


def calibrated(
    exported: ExportedModel, corpus: Corpus, on_done: Callable[[int], None] = lambda count: None
) -> ExportedModel:
    """The model with confidences fitted to its answers on the corpus."""
    if corpus.metadata.fingerprint in learnt_from(exported.info.provenance):
        raise BadCorpus(
            "the weights have learnt from this corpus, so confidences fitted on it would promise too much; another "
            "corpus, or --confidences-of a model that has not seen it, keeps them honest"
        )
    if corpus.metadata.is_test:
        raise TestSplitSelection(
            f"{corpus.metadata.split!r} is a test set: it is reported on, nothing is fitted to it"
        )
    if len(corpus) < FEWEST:
        raise BadCorpus(f"{len(corpus)} samples are too few to calibrate on; {FEWEST} are needed")
    recognizer = Recognizer([member_of(exported)])
    evidence: list[Evidence] = []
    right: list[bool] = []
    symbols: list[JudgedSymbol] = []
    for start in range(0, len(corpus), CHUNK):
        samples = [corpus[i] for i in range(start, min(start + CHUNK, len(corpus)))]
        if exported.info.reading_order:  # its confidences shall hold for ink out of order, too
            rng = np.random.default_rng(start)
            samples += [reordered(sample, Orders().draw(rng), rng) for sample in samples]
        for sample, answer in zip(samples, recognizer.many([sample.ink for sample in samples]), strict=True):
            evidence.append(answer.evidence)
            right.append(answer.tokens == sample.tokens)
            symbols.extend(judged_symbols(answer, sample.tokens))
        on_done(min(CHUNK, len(corpus) - start))
    fitted_on = {"split": corpus.metadata.split, "fingerprint": corpus.metadata.fingerprint}
    info = replace(
        exported.info,
        calibration=fit_calibration(evidence, right, symbols),
        provenance={**exported.info.provenance, "calibrated_on": fitted_on},
    )
    return replace(exported, info=info)


def judged_symbols(answer: Recognition, truth: Sequence[str]) -> Iterator[JudgedSymbol]:
    """A symbol is right if the closest alignment of answer and truth matches its token."""
    matched = matched_tokens(answer.tokens, truth)
    for symbol in answer.symbols:
        yield JudgedSymbol(answer.evidence.log_probs[symbol.index], symbol.index in matched)


def fit_calibration(
    evidence: Sequence[Evidence], right: Sequence[bool], symbols: Sequence[JudgedSymbol], folds: int = 5
) -> Calibration:
    """Fit on answers whose truth and lead are known; the error is measured on parts that were left out."""
    x = np.stack([one.values() for one in evidence])
    y = np.array(right, dtype=np.float64)
    fold = np.arange(len(y)) % folds
    predicted = np.zeros(len(y))
    for held_out in range(folds):
        weights = logistic(x[fold != held_out], y[fold != held_out])
        predicted[fold == held_out] = 1 / (1 + np.exp(-x[fold == held_out] @ weights))
    odds = np.array([[1.0, log_odds(symbol.log_prob)] for symbol in symbols])
    slope = logistic(odds, np.array([symbol.right for symbol in symbols], dtype=np.float64))
    return Calibration(
        expression=tuple(logistic(x, y).tolist()),
        without_lead=tuple(logistic(x[:, :-1], y).tolist()),
        symbol=(float(slope[0]), float(slope[1])),
        samples=len(y),
        error=expected_calibration_error(predicted, y),
    )


def logistic(x: Float64, y: Float64) -> Float64:
    """Weights by Newton's method with a small ridge, so that separable data has an answer too."""
    ridge = _RIDGE * np.eye(x.shape[1])
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (y - p) - ridge @ weights
        hessian = (x * (p * (1 - p))[:, None]).T @ x + ridge
        step = np.linalg.solve(hessian, gradient)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights
