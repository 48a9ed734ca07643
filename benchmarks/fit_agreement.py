"""How sure is an answer that two models voted for? Fits `runtime.calibration.AGREED`.

    python benchmarks/fit_agreement.py test2013.parquet [--first MODEL --second MODEL]

Reads a validation set as written, with one stroke last and with strokes lifted, keeps the odds of every answer that
the second model was asked about, and prints the weights, the calibration error with those in use and with the new
ones (fitted on other inks), and how many answers were right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import typer
from rich.progress import track

from inkscan import Ink
from inkscan.evaluation.dataset import Dataset, read_dataset
from inkscan.evaluation.reliability import expected_calibration_error
from inkscan.export.calibrate import logistic
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime import interpretation
from inkscan.runtime.calibration import AGREED, agreement_evidence, with_agreement
from inkscan.runtime.member import member_of
from inkscan.runtime.models import find_model, read_model
from inkscan.runtime.reader import SecondOpinion
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.recognizer import Recognizer

FOLDS = 5


@dataclass
class Voted:
    """What the regression sees of each answer that two models voted for, and whether it is right."""

    evidence: list[npt.NDArray[np.float64]]
    right: list[bool]

    def read(self, recognizer: Recognizer, ink: Ink, truth: Sequence[str]) -> Recognition:
        seen: list[npt.NDArray[np.float64]] = []

        def watched(confidence: float, agreement: float) -> float:
            seen.append(agreement_evidence(confidence, agreement))
            return with_agreement(confidence, agreement)

        with patch.object(interpretation, "with_agreement", watched):
            answer = recognizer(ink)
        self.evidence += seen
        self.right += [answer.tokens == tuple(truth)] * len(seen)
        return answer


def conditions(data: Dataset) -> dict[str, Dataset]:
    return {
        "as written": data,
        "one stroke last": data.reordered("late-stroke"),
        "strokes lifted": data.with_pen("lifted"),
    }


def main(
    corpus: Annotated[Path, typer.Argument(help="A validation set.")],
    first: Annotated[str, typer.Option(help="A model by name or folder.")] = "onscan-wide",
    second: Annotated[str, typer.Option(help="Another one, asked in doubt.")] = "mmscan-wide",
    doubt: Annotated[float | None, typer.Option(help="Below it the second is asked.")] = None,
) -> None:
    """Print the weights, and what they are worth."""
    models = [read_model(find_model(name)) for name in (first, second)]
    recognizer = Recognizer([member_of(models[0])], second=SecondOpinion(models[1]))
    recognizer = recognizer.with_search(allow=CROHME.symbols)
    if doubt is not None:
        recognizer = recognizer.with_search(doubt=doubt)
    voted = Voted([], [])
    for name, data in conditions(read_dataset(corpus)).items():
        asked = len(voted.right)
        answers = [voted.read(recognizer, s.ink, s.tokens) for s in track(data.samples, name)]
        right = [a.tokens == s.tokens for a, s in zip(answers, data.samples, strict=True)]
        error = expected_calibration_error(np.array([a.confidence for a in answers]), np.array(right, float))
        print(
            f"{name}: {sum(right)} of {len(right)} right, {len(voted.right) - asked} asked, error {error:.3f}"
        )
    x, y = np.stack(voted.evidence), np.array(voted.right, dtype=np.float64)
    fold = np.arange(len(y)) % FOLDS
    anew = np.zeros(len(y))
    for held_out in range(FOLDS):
        anew[fold == held_out] = x[fold == held_out] @ logistic(x[fold != held_out], y[fold != held_out])
    for name, odds in (("in use", x @ np.array(AGREED)), ("fitted anew", anew)):
        print(f"{name}: error {expected_calibration_error(1 / (1 + np.exp(-odds)), y):.3f} where both voted")
    print("AGREED =", tuple(round(float(weight), 2) for weight in logistic(x, y)), f"from {len(y)} answers")


if __name__ == "__main__":
    typer.run(main)
