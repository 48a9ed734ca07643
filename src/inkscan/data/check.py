"""Check: what a corpus promises, verified sample by sample."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inkscan.data.corpus import Corpus, count_samples, iter_row_groups, read_metadata
from inkscan.data.fingerprint import Fingerprint
from inkscan.data.sample import Sample
from inkscan.data.source import OnProgress
from inkscan.errors import BadCorpus, InkscanError, LatexError
from inkscan.latex.tokens import TOKENS_ARE, is_token, parse_latex


@dataclass(frozen=True)
class Finding:
    """A promise that a sample breaks."""

    id: str
    code: str
    reason: str


@dataclass(frozen=True)
class Check:
    """The outcome; `foreign` counts expressions in LaTeX that inkscan does not know, which a corpus may have."""

    samples: int
    foreign: int
    findings: tuple[Finding, ...]


def check_corpus(path: str | Path, on_progress: OnProgress = lambda fraction: None) -> Check:
    """Check ids, coordinates, alignments, tokens and the fingerprint; a file that is no corpus raises."""
    total = count_samples(path)
    checker = _Checker()
    for part in iter_row_groups(path):
        for sample in checker.readable(part):
            checker.check(sample)
        on_progress(checker.samples / max(total, 1))
    fingerprint = checker.fingerprint
    if read_metadata(path).fingerprint not in (fingerprint.hexdigest(), fingerprint.hexdigest_by_ids()):
        checker.find("", "the content does not have the fingerprint that the file claims")
    return Check(checker.samples, checker.foreign, tuple(checker.findings))


class _Checker:
    def __init__(self) -> None:
        self.fingerprint = Fingerprint()
        self.ids: set[str] = set()
        self.findings: list[Finding] = []
        self.samples = 0
        self.foreign = 0

    def find(self, name: str, reason: str, code: str = BadCorpus.code) -> None:
        self.findings.append(Finding(name, code, reason))

    def readable(self, part: Corpus) -> Iterator[Sample]:
        for i, name in enumerate(part.ids):
            self.samples += 1
            try:
                yield part[i]
            except InkscanError as error:
                self.find(name, str(error), error.code)

    def check(self, sample: Sample) -> None:
        self.fingerprint.add(sample)
        if not sample.id or sample.id in self.ids:
            self.find(sample.id, "the id is empty or occurs twice")
        self.ids.add(sample.id)
        if not sample.tokens or not all(sample.tokens):
            self.find(sample.id, "there are no tokens, or one is empty")
        elif broken := [token for token in sample.tokens if not is_token(token)]:
            self.find(sample.id, f"{broken[0]!r} is not one token: {TOKENS_ARE}")
        strokes = {stroke for entry in sample.alignment for stroke in entry}
        if not strokes <= set(range(len(sample.ink))):
            self.find(sample.id, f"the alignment names strokes beyond the ink's {len(sample.ink)}")
        try:
            parse_latex(" ".join(sample.tokens))
        except LatexError:
            self.foreign += 1
