"""A recogniser that knows its answers by the number of strokes, so that tests do not hang on a model's skill."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from inkscan import Alternative, Ink, InkError, Recognition, RecognizedSymbol, Recognizer, SearchSettings
from inkscan.errors import Cancelled
from inkscan.latex.tokens import latex_from_tokens
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime.calibration import Evidence
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.segmentation import is_written

# By number of strokes: the tokens and how many strokes write each symbol. An x, an equals sign and a two grow.
ANSWERS: dict[int, tuple[str, tuple[int, ...]]] = {
    1: ("/", (1,)),
    2: ("x", (2,)),
    3: ("x -", (2, 1)),
    4: ("x =", (2, 2)),
    5: ("x = 2", (2, 2, 1)),
    6: ("x = 2 ^ { 5 }", (2, 2, 1, 1)),
}
DOUBTFUL = {"2": 0.4}  # confidence; other symbols are sure
RIVALS = {"2": "z", "x": "X"}


class FakeRecognizer(Recognizer):
    """Answers ANSWERS; inks of other sizes are a row of ones. `delay` seconds a batch."""

    def __init__(self, delay: float = 0.0) -> None:
        self.name = "fake"
        self.members = ()
        self.second = self.classifier = None
        self.settings = SearchSettings()
        self._constraint = Constraint(CROHME)
        self.delay = delay
        self.batches: list[int] = []
        self.doubts: list[float] = []  # of each batch
        self.started = self.cancelled = 0  # inks
        self.holds_from = 0  # strokes
        self.hold = threading.Event()
        self.hold.set()

    @property
    def vocabulary(self) -> Any:
        return CROHME

    def answers(self, inks: Sequence[Ink], **options: Any) -> list[Recognition | InkError]:
        settings = options.get("search") or self.settings
        self.started += len(inks)
        self.doubts.append(settings.doubt)
        self.work(inks, settings, options.get("cancelled") or (lambda: False))
        self.batches.append(len(inks))
        if any(len(ink) == 13 for ink in inks):
            raise RuntimeError("thirteen strokes break this recogniser")
        return [answer(ink, settings.n_best) for ink in inks]

    def work(self, inks: Sequence[Ink], search: SearchSettings, cancelled: Callable[[], bool]) -> None:
        """Waits while it is held, then for as long as a batch takes."""
        while max(map(len, inks)) >= self.holds_from and not self.hold.wait(0.01):
            self.stop_if(cancelled, inks)
        time.sleep(self.delay)

    def stop_if(self, cancelled: Callable[[], bool], inks: Sequence[Ink]) -> None:
        if cancelled():
            self.cancelled += len(inks)
            raise Cancelled("nobody waits")


def answer(ink: Ink, n_best: int = 5) -> Recognition:
    """The fixed answer to an ink."""
    text, counts = ANSWERS.get(len(ink), (" ".join("1" * len(ink)), (1,) * len(ink)))
    tokens = tuple(text.split())
    ends = np.cumsum(counts)
    groups = iter([tuple(range(end - count, end)) for end, count in zip(ends, counts, strict=True)])
    strokes = [next(groups) if written else () for written in is_written(tokens)]
    alignment = np.full((len(tokens), len(ink)), 0.01, dtype=np.float32)
    for row, group in zip(alignment, strokes, strict=True):
        row[list(group)] = 1.0
    symbols = tuple(
        RecognizedSymbol(token, i, group, ink.box(group), DOUBTFUL.get(token, 0.98))
        for i, (token, group) in enumerate(zip(tokens, strokes, strict=True))
        if group
    )
    rivals = [tokens]
    for token, rival in RIVALS.items():
        if token in tokens:
            rivals.append(tuple(rival if t == token else t for t in tokens))
    shares = (0.7, 0.2, 0.1)
    alternatives = tuple(
        Alternative(latex_from_tokens(t), t, float(np.log(share)), share)
        for t, share in zip(rivals, shares, strict=False)
    )
    return Recognition(
        latex=latex_from_tokens(tokens), tokens=tokens, score=-0.3, confidence=0.7,
        alternatives=alternatives[:n_best], symbols=symbols,
        alignment=alignment / alignment.sum(axis=1, keepdims=True), attentions=(),
        evidence=Evidence((-0.3,), 1.0), ink=ink, ink_as_read=ink, model="fake",
    )  # fmt: skip
