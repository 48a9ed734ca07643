"""Preparation: a source becomes a corpus and a report of what was left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.rejection import NOT_INK, Rejection, rejection_path, write_rejections
from inkscan.data.sample import Sample
from inkscan.data.source import OnProgress, SourceFile, iter_files
from inkscan.data.whole_latex import check_whole
from inkscan.errors import BadLabels, InkscanError, LatexError, NoTruth
from inkscan.ink import Ink
from inkscan.latex.tokens import canonical_tokens, tokenize
from inkscan.latex.tree import STRUCTURE


@dataclass(frozen=True)
class Labelled:
    """An ink and its truth, before it has a name."""

    ink: Ink
    tokens: tuple[str, ...]
    alignment: tuple[tuple[int, ...], ...]
    known: bool = True  # False for arrays and commands that inkscan does not know


@dataclass(frozen=True)
class Preparation:
    """What came of a source; without any ink kept, no corpus was written."""

    kept: int
    rejections: tuple[Rejection, ...]
    metadata: CorpusMetadata
    foreign: tuple[str, ...] = ()  # files kept with LaTeX that inkscan does not know
    unused_labels: tuple[str, ...] = ()  # lines of the labels that name no ink

    @property
    def failed(self) -> tuple[Rejection, ...]:
        """The inks that could not be used; other files of the source are not counted here."""
        return tuple(r for r in self.rejections if r.code != NOT_INK)


def prepare(
    source: str | Path,
    out: str | Path,
    metadata: CorpusMetadata,
    read: Callable[[SourceFile], Labelled],
    suffixes: frozenset[str],
    on_progress: OnProgress = lambda fraction: None,
) -> Preparation:
    """Write the corpus OUT, unless it would be empty, and its rejection report from every file of SOURCE."""
    intake = _Intake(read, suffixes)
    samples = intake.samples(iter_files(source, on_progress))
    first = next(samples, None)
    if first is not None:
        metadata = write_corpus(chain([first], samples), out, metadata)
    if first is not None or not Path(out).exists():  # else the report of the corpus that stays would be lost
        write_rejections(intake.rejections, rejection_path(out))
    return Preparation(len(intake.ids), tuple(intake.rejections), metadata, tuple(intake.foreign))


def unaligned(ink: Ink, latex: str) -> Labelled:
    """An ink whose truth names no strokes: all are a single symbol's, else nobody's.

    LaTeX that the layout tree cannot take keeps its own tokens, if it is LaTeX at all.
    """
    known = True
    try:
        tokens = canonical_tokens(latex)
    except LatexError:
        lexemes = tokenize(latex)
        check_whole(lexemes)
        tokens, known = tuple(token.text for token in lexemes), False
    if STRUCTURE.issuperset(tokens):
        raise NoTruth("the label holds nothing that is written")
    if len(tokens) == 1:
        return Labelled(ink, tokens, (tuple(range(len(ink))),), known)
    return Labelled(ink, tokens, ((),) * len(tokens), known)


def endings(suffixes: Collection[str]) -> str:
    """Why a file is no ink by its name."""
    *others, last = sorted(suffixes)
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"the name does not end in {listed}"


class _Intake:
    """Turns files into samples with unique ids and keeps account of those it turns away."""

    def __init__(self, read: Callable[[SourceFile], Labelled], suffixes: frozenset[str]) -> None:
        self.read = read
        self.suffixes = suffixes
        self.ids: set[str] = set()
        self.rejections: list[Rejection] = []
        self.foreign: list[str] = []

    def samples(self, files: Iterator[SourceFile]) -> Iterator[Sample]:
        for file in files:
            if file.suffix not in self.suffixes:
                self._reject(file, NOT_INK, endings(self.suffixes))
                continue
            try:
                labelled = self.read(file)
            except BadLabels:
                raise  # it is the table that is wrong, not this ink
            except InkscanError as error:
                self._reject(file, error.code, str(error))
                continue
            if not labelled.known:
                self.foreign.append(file.name)
            yield Sample(
                self._unique_id(file), labelled.ink, labelled.tokens, labelled.alignment, source=file.folder
            )

    def _unique_id(self, file: SourceFile) -> str:
        candidates = (file.stem, f"{file.folder}/{file.stem}", file.name)
        chosen = next((name for name in candidates if name not in self.ids), "")
        number = 2
        while not chosen:  # an archive may hold one name twice
            name = f"{file.name}#{number}"
            chosen, number = ("" if name in self.ids else name), number + 1
        self.ids.add(chosen)
        return chosen

    def _reject(self, file: SourceFile, code: str, reason: str) -> None:
        self.rejections.append(Rejection(file.name, code, reason))
