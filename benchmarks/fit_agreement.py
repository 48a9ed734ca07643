"""How sure is an answer after a vote? Fits `runtime.calibration.AGREED`.

    python benchmarks/fit_agreement.py test2013.parquet [--first MODEL --second MODEL --classifier FOLDER]

Reads a validation set as written, with one stroke last and with strokes lifted: by the first model alone, its answers
weighed by the classifier and its language model; with the second model where that leaves a doubt, not weighed; and
with all of them. Prints the weights of each kind of vote, and the calibration error with those in use and with the
new ones (fitted on other inks).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import typer
from rich.progress import track

from inkscan.data.sample import Sample
from inkscan.evaluation.dataset import read_dataset
from inkscan.evaluation.reliability import expected_calibration_error
from inkscan.export.calibrate import logistic
from inkscan.ink import Ink
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime import models
from inkscan.runtime.beam import Found
from inkscan.runtime.calibration import AGREED, Agreement, agreement_evidence
from inkscan.runtime.interpretation import Interpreter, Looked
from inkscan.runtime.models import ModelFolders, find_model
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.recognizer import Recognizer, read_models
from inkscan.runtime.search import SearchChanges, SearchSettings

FOLDS = 5
Floats = npt.NDArray[np.float64]


def votes_of(recognizer: Recognizer, sample: Sample) -> dict[str, tuple[Floats, bool]]:
    """What the regression sees of an ink's last vote of each kind, and whether its answer is right."""
    seen: dict[str, tuple[Floats, bool]] = {}
    recognition = Interpreter.recognition

    def watched(
        self: Interpreter,
        ink: Ink,
        found: Found,
        looked: Looked,
        settings: SearchSettings,
        agreement: Agreement | None = None,
    ) -> Recognition:
        answer = recognition(self, ink, found, looked, settings, agreement)
        assert self.calibration is not None
        if agreement is not None:
            confidence = self.calibration.of_expression(answer.evidence)
            evidence = agreement_evidence(confidence, agreement)
            seen[agreement.kind] = evidence, answer.tokens == sample.tokens
        return answer

    with patch.object(Interpreter, "recognition", watched):
        recognizer(sample.ink)
    return seen


def fitted(evidence: Sequence[Floats], right: Sequence[bool], kind: str) -> tuple[float, float, float]:
    """The weights of a kind of vote, and what they are worth."""
    x, y = np.stack(evidence), np.array(right, dtype=np.float64)
    fold = np.arange(len(y)) % FOLDS
    anew = np.zeros(len(y))
    for held_out in range(FOLDS):
        anew[fold == held_out] = x[fold == held_out] @ logistic(x[fold != held_out], y[fold != held_out])
    used = x @ np.array(AGREED.get(kind, (0.0, 1.0, 0.0)))
    for name, odds in (("in use", used), ("fitted anew", anew)):
        error = expected_calibration_error(1 / (1 + np.exp(-odds)), y)
        loss = float(np.log1p(np.exp(np.where(y == 1, -odds, odds))).mean())
        print(f"{kind}, {name}: error {error:.3f}, log-loss {loss:.3f}")
    one, model, share = (round(float(weight), 2) for weight in logistic(x, y))
    weights = one, model, share
    print(f"{kind}: {weights} from {len(y)} answers, {np.mean(y):.1%} right")
    return weights


def main(
    corpus: Annotated[Path, typer.Argument(help="A validation set.")],
    first: Annotated[str, typer.Option(help="A model by name or folder.")] = models.DEFAULT,
    second: Annotated[str, typer.Option(help="Another one, asked in doubt.")] = models.SECOND,
    classifier: Annotated[
        Path, typer.Option(help="The folder of the classifier of symbols.")
    ] = models.WEIGHTS / models.CLASSIFIER,
) -> None:
    """Print the weights, and what they are worth."""
    folders = ModelFolders((find_model(first),), find_model(second), classifier)
    recognizer = read_models(folders).recognizer().with_search(allow=CROHME.symbols, n_best=1)
    data = read_dataset(corpus)
    conditions = (data, data.reordered("late-stroke"), data.with_pen("lifted"))
    samples = [sample for condition in conditions for sample in condition.samples]
    # One model weighed; several, not weighed; and both.
    passes: tuple[tuple[SearchChanges, str], ...] = (
        ({"doubt": 0.0}, "one weighed"),
        ({"shapes": 0.0, "fluency": 0.0}, "several"),
        ({}, "several weighed"),
    )
    for changes, kind in passes:
        searching = recognizer.with_search(**changes)
        votes = [votes_of(searching, sample) for sample in track(samples, kind, transient=True)]
        found = [one[kind] for one in votes if kind in one]
        AGREED[kind] = fitted([values for values, _ in found], [is_right for _, is_right in found], kind)
    print("AGREED =", AGREED)


if __name__ == "__main__":
    typer.run(main)
