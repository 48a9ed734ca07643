"""Files of scoring: `id<TAB>LaTeX`, and the counts of each sample."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from inkscan.errors import BadLabels, SourceNotFound
from inkscan.evaluation.convention import Convention
from inkscan.evaluation.counts import SampleCounts, count_sample
from inkscan.files import LineTooLong, one_line, read_lines, table_cell, whole_file

T = TypeVar("T")
_Lines = Iterable[tuple[int, str]]  # with their numbers

# In characters, which are counted while they are read: the length of a pipe is not known before.
MAX_LENGTH = 2_000_000_000
MAX_LINE = 1_000_000  # a long expression has a few hundred
MAX_REPORT = 100_000_000  # of `eval --json`, which is read whole
MAX_COUNT = 1_000_000_000  # of tokens or errors in one sample
OLD_SAMPLE_HEADER = "id\ttoken_errors\tsymlg_errors\tsame_structure"  # it does not say which limits counted
SAMPLE_HEADER = f"{OLD_SAMPLE_HEADER}\tlimits"
_COUNTED = ("id", "truth_tokens", "token_errors", "symlg_errors", "same_structure")
_HEADINGS = frozenset({"latex", "tokens", "truth", "prediction", "label"})


@dataclass(frozen=True)
class Scored:
    """The counts of samples, and the convention of `\\limits` that they were made by; None if it is not known."""

    samples: tuple[SampleCounts, ...]
    limits: str | None
    extra: int = 0  # predictions whose id no truth has


def read_expressions(path: str | Path, *, empty: bool) -> dict[str, str]:
    """LaTeX by id; `empty` allows expressions without LaTeX, as a failed prediction is."""
    return _expressions(_lines(Path(path)), path, empty=empty)


def _expressions(lines: _Lines, path: str | Path, *, empty: bool) -> dict[str, str]:
    expressions: dict[str, str] = {}
    repeated: list[str] = []
    for number, line in lines:
        id, _, latex = line.partition("\t")
        latex = latex.strip()  # but an id is what it is, blanks and all
        if number == 1 and id.strip().lower() in ("id", "file") and latex.lower() in _HEADINGS:
            continue
        if not id or (not empty and not latex):
            raise BadLabels(f"{path}, line {number}: an id, a tab and LaTeX are needed")
        if "\t" in latex:
            raise BadLabels(
                f"{path}, line {number}: more than two columns; an id and LaTeX are read, nothing else"
            )
        if id in expressions:
            repeated.append(id)
        expressions[id] = latex
    if repeated:
        raise BadLabels(f"{path}: {len(repeated)} lines repeat an id, the first is {repeated[0]!r}")
    return expressions


def write_expressions(expressions: Mapping[str, str], path: str | Path) -> None:
    """Write lines `id<TAB>LaTeX`."""
    _write((f"{table_cell(id)}\t{one_line(latex)}" for id, latex in expressions.items()), path)


def count_expressions(
    truths: Mapping[str, str],
    predictions: Mapping[str, str],
    convention: Convention = Convention.WRITTEN,
) -> list[SampleCounts]:
    """One line of counts for each truth, with or without a prediction."""
    return [
        count_sample(id, truth, predictions.get(id), convention=convention) for id, truth in truths.items()
    ]


def score_expressions(
    truths: Mapping[str, str],
    predictions: Mapping[str, str],
    convention: Convention = Convention.WRITTEN,
) -> Scored:
    """The same, and how many predictions belong to no truth."""
    counts = count_expressions(truths, predictions, convention)
    return Scored(tuple(counts), convention, len(predictions.keys() - truths.keys()))


def write_samples(
    samples: Iterable[SampleCounts], path: str | Path, convention: Convention = Convention.WRITTEN
) -> None:
    """Write the counts of each sample, made by a convention; errors that cannot be counted stay empty."""
    rows = (
        f"{table_cell(s.id)}\t{_cell(s.token_errors)}\t{_cell(s.symlg_errors)}\t{int(s.same_structure)}\t{convention}"
        for s in samples
    )
    _write((SAMPLE_HEADER, *rows), path)


def _samples(lines: _Lines, path: str | Path) -> Scored:
    """What `write_samples` wrote; the lengths of the truths are not in it."""
    samples, conventions = [], set()
    for number, line in lines:
        if number == 1 and line in (SAMPLE_HEADER, OLD_SAMPLE_HEADER):
            continue
        try:
            id, token, symlg, structure, *limits = line.split("\t")
            samples.append(SampleCounts(id, 0, _errors(token), _errors(symlg), bool(int(structure))))
            conventions.add(Convention(*limits) if limits else None)
        except (ValueError, TypeError) as error:
            raise BadLabels(f"{path}, line {number}: not a line of `inkscan score --per-sample`") from error
    if len(conventions) > 1:
        raise BadLabels(f"{path}: its lines count different \\limits")
    return Scored(tuple(samples), next(iter(conventions), None))


def read_scored(path: str | Path, truths: Mapping[str, str] | None = None) -> Scored:
    """Counts from `eval --json`, from `score --per-sample`, or from predictions where truths are given."""
    path = Path(path)
    if path.suffix == ".json":
        return _report(path, _scored)
    lines = _lines(path)
    first = list(islice(lines, 1))
    whole = chain(first, lines)  # a pipe can be read only once
    if first and first[0][1] in (SAMPLE_HEADER, OLD_SAMPLE_HEADER):
        return _samples(whole, path)
    if truths is None:
        raise BadLabels(f"{path} holds predictions: name their truths with --truth")
    return score_expressions(truths, _expressions(whole, path, empty=True))


def _scored(report: Any) -> Scored:
    limits = re.search(r"\|limits:([^|]+)", str(report["token"]["signature"]))
    samples = (_counts(*(row[name] for name in _COUNTED)) for row in report["samples"])
    return Scored(tuple(samples), limits[1] if limits else None)


def _report(path: Path, part: Callable[[Any], T]) -> T:
    """A part of a report of `eval --json`."""
    lines = _lines(path, MAX_REPORT, MAX_REPORT)
    try:
        return part(json.loads("\n".join(line for _, line in lines)))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise BadLabels(f"{path} is not a report of `inkscan eval --json`") from error


def _counts(
    id: str, truth_tokens: int, token: int | None, symlg: int | None, structure: bool
) -> SampleCounts:
    token, symlg = (None if errors is None else _count(errors) for errors in (token, symlg))
    return SampleCounts(str(id), _count(truth_tokens), token, symlg, bool(structure))


def _count(value: int | str) -> int:
    count = int(value)
    if not 0 <= count <= MAX_COUNT:
        raise ValueError(f"{count} is no count")
    return count


def _lines(path: Path, most: int = MAX_LINE, length: int = MAX_LENGTH) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers; only a newline ends a line."""
    if path.is_dir() or not path.exists():
        raise SourceNotFound(f"there is no file {path}")
    left = length
    try:
        for number, line in enumerate(read_lines(path, most), start=1):
            left -= len(line)
            if left < 0:
                raise BadLabels(f"{path} has more than {length} characters")
            if line.strip():
                yield number, line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise BadLabels(f"{path} is not UTF-8") from error
    except LineTooLong as error:
        raise BadLabels(f"{path}, {error}") from error


def _write(lines: Iterable[str], path: str | Path) -> None:
    with whole_file(path) as partial:
        partial.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _errors(cell: str) -> int | None:
    return _count(cell) if cell else None


def _cell(errors: int | None) -> str:
    return "" if errors is None else str(errors)
