"""Extra material of a run beside its corpus: banks of isolated characters and tables of formulas."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inkscan.data.corpus import joined_licences
from inkscan.data.sample import Sample
from inkscan.errors import BadCorpus, BadSetting, SourceNotFound, WrongBank
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.characters import Character, read_characters, trained_on
from inkscan.synthesis.formulas import Formula, FormulaBook, read_formulas
from inkscan.training.recipes import Patterns

KEYS = (
    "bank",
    "formulas",
)  # in a run's provenance; with init_ before them, those of the weights it began from


@dataclass(frozen=True)
class Collection:
    """One collection within a file, as a model card names it."""

    name: str
    licence: str
    samples: int


@dataclass(frozen=True)
class ExtraFile:
    """A file of extra material, and what a run's provenance says of it."""

    path: Path
    sha256: str
    sources: tuple[Collection, ...]

    @property
    def licence(self) -> str:
        return joined_licences(source.licence for source in self.sources)

    def record(self) -> dict[str, Any]:
        return {
            "file": self.path.name,
            "sha256": self.sha256,
            "licence": self.licence,
            "sources": [vars(source) for source in self.sources],
        }


@dataclass(frozen=True)
class Extra:
    """Everything that a run writes with beside its corpus."""

    banks: tuple[ExtraFile, ...] = ()
    formulas: tuple[ExtraFile, ...] = ()
    characters: tuple[Character, ...] = ()
    expressions: tuple[Formula, ...] = ()

    @classmethod
    def read(cls, banks: Sequence[Path], formulas: Sequence[Path]) -> Extra:
        """All files whole; a tenth of the writers is left out, to measure with."""
        characters = [list(trained_on(read_characters(path))) for path in banks]
        expressions = [list(read_formulas(path)) for path in formulas]
        return cls(
            tuple(_file(path, found) for path, found in zip(banks, characters, strict=True)),
            tuple(_file(path, found) for path, found in zip(formulas, expressions, strict=True)),
            tuple(one for found in characters for one in found),
            tuple(one for found in expressions for one in found),
        )

    def bank(self, labels: Container[str]) -> SymbolBank | None:
        """The characters whose labels a run's vocabulary has."""
        if not self.banks:
            return None
        bank = SymbolBank.of_characters(one for one in self.characters if one.label in labels)
        if not bank:
            names = ", ".join(str(file.path) for file in self.banks)
            raise BadCorpus(f"{names}: no character that the training corpus's vocabulary knows")
        return bank

    def book(self, vocabulary: Container[str]) -> FormulaBook | None:
        """The formulas that a run's vocabulary can write."""
        return FormulaBook.of(self.expressions, vocabulary) if self.formulas else None

    def records(self) -> dict[str, list[dict[str, Any]]]:
        """What a run's provenance says of them."""
        found = {"bank": self.banks, "formulas": self.formulas}
        return {name: [file.record() for file in files] for name, files in found.items() if files}


def _file(path: Path, found: Sequence[Character | Formula]) -> ExtraFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    counts = Counter((one.source or path.name, one.licence) for one in found)
    return ExtraFile(path, digest, tuple(Collection(*key, count) for key, count in sorted(counts.items())))


def recorded(provenance: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The records under a key of a provenance; before there could be several it was a single one."""
    found = provenance.get(key) or []
    return [found] if isinstance(found, dict) else list(found)


def inherited(*provenances: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """What weights were written with, in their own run or in one that they began from, for what begins with them.

    Of two records of a file the one is kept that names its collections, which those of older runs do not.
    """
    found: dict[str, dict[str, dict[str, Any]]] = {f"init_{key}": {} for key in KEYS}
    for key in KEYS:
        files = found[f"init_{key}"]
        for provenance in provenances:
            for one in recorded(provenance, key) + recorded(provenance, f"init_{key}"):
                if one.get("sources") or one["sha256"] not in files:
                    files[one["sha256"]] = one
    return {key: list(files.values()) for key, files in found.items() if files}


def check_resumed(provenance: Mapping[str, Any], extra: Extra) -> None:
    """A run goes on with the material that it began with: else its patterns would change on the way."""
    given = extra.records()
    for key in KEYS:
        begun = recorded(provenance, key)
        now = given.get(key, [])
        if [one["sha256"] for one in begun] != [one["sha256"] for one in now]:
            option = f"--{key}"
            if not begun:
                raise WrongBank(f"the run to go on with began without {option}: leave it out")
            names = ", ".join(f"{one['file']} (SHA-256 {one['sha256'][:16]})" for one in begun)
            said = "other files are" if now else "none is"
            raise WrongBank(
                f"the run to go on with began with {names} and {said} given: name them with {option}"
            )


def check_used(patterns: Patterns, extra: Extra) -> None:
    """Material that no pattern draws from would mark a run for nothing."""
    if extra.banks and (not patterns.extra or not (patterns.exchange or patterns.recombine)):
        raise BadSetting(
            "--bank has no use here: patterns.extra, or both patterns.exchange and patterns.recombine, are 0"
        )
    if extra.formulas and not (patterns.formula and patterns.recombine):
        raise BadSetting("--formulas has no use here: patterns.formula or patterns.recombine is 0")


def check_aligned(corpus: Iterable[Sample], extra: Extra) -> None:
    """Both are written in the sizes and places of the corpus's own symbols, so these have to be known."""
    if (extra.banks or extra.formulas) and not any(sample.is_aligned for sample in corpus):
        raise BadCorpus(
            "the training corpus says of no symbol which strokes it has, so --bank and --formulas have no use here"
        )


def check_found(paths: Sequence[Path]) -> None:
    """A misspelt name is reported before any work."""
    for path in paths:
        if not path.is_file():
            raise SourceNotFound(f"there is no file {path}; --bank takes characters, --formulas a table")
