"""Calibrate an exported model on a validation corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from inkscan.data.corpus import Corpus
from inkscan.errors import BadCorpus
from inkscan.runtime.calibration import Evidence, JudgedSymbol, fit_calibration
from inkscan.runtime.models import ExportedModel
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.recognizer import Recognizer, member_of

CHUNK = 64
FEWEST = 50  # answers that a calibration can be fitted on


def calibrated(
    exported: ExportedModel, corpus: Corpus, on_done: Callable[[int], None] = lambda count: None
) -> ExportedModel:
    """The model with confidences fitted to its answers on the corpus."""
    if len(corpus) < FEWEST:
        raise BadCorpus(f"{len(corpus)} samples are too few to calibrate on; {FEWEST} are needed")
    recognizer = Recognizer([member_of(exported)])
    evidence: list[Evidence] = []
    right: list[bool] = []
    symbols: list[JudgedSymbol] = []
    for start in range(0, len(corpus), CHUNK):
        samples = [corpus[i] for i in range(start, min(start + CHUNK, len(corpus)))]
        for sample, answer in zip(samples, recognizer.many([sample.ink for sample in samples]), strict=True):
            evidence.append(answer.evidence)
            right.append(answer.tokens == sample.tokens)
            symbols.extend(judged_symbols(answer, sample.tokens))
        on_done(len(samples))
    return replace(
        exported, info=replace(exported.info, calibration=fit_calibration(evidence, right, symbols))
    )


def judged_symbols(answer: Recognition, truth: Sequence[str]) -> Iterator[JudgedSymbol]:
    """A symbol is right if the closest alignment of answer and truth matches its token."""
    matched: set[int] = set()
    for block in SequenceMatcher(None, answer.tokens, truth, autojunk=False).get_matching_blocks():
        matched.update(range(block.a, block.a + block.size))
    for symbol in answer.symbols:
        yield JudgedSymbol(answer.evidence.log_probs[symbol.index], symbol.index in matched)
