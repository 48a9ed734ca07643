"""What `inkscan recognize` prints: an answer or an error for each file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from inkscan.errors import InkscanError, SourceNotFound

if TYPE_CHECKING:
    from inkscan.ink import Ink
    from inkscan.runtime.recognition import Recognition
    from inkscan.runtime.recognizer import Recognizer
    from inkscan.runtime.sheet import Sheet

CHUNK = 64  # files read and recognised together


class Form(StrEnum):
    """How an answer is written down."""

    LATEX = "latex"
    MATHML = "mathml"
    JSON = "json"
    INKML = "inkml"  # the ink itself with the answer as its truth


@dataclass(frozen=True)
class Printed:
    """What is shown of an answer."""

    form: Form = Form.LATEX
    n_best: int = 1
    confidence: bool = False
    sheet: bool = False
    aligned: bool = False  # a sheet as one formula
    truths: Mapping[str, tuple[str, ...]] | None = None  # tokens by the names of files, to compare with


def print_answers(files: Sequence[str], recognizer: Recognizer, printed: Printed) -> int:
    """Recognise files and print what comes of each; returns how many failed."""
    from inkscan.runtime.recognition import Recognition

    failed = right = 0
    for start in range(0, len(files), CHUNK):
        names = files[start : start + CHUNK]
        answers = _sheets(recognizer, names) if printed.sheet else _answers(recognizer, names)
        for name, answer in zip(names, answers, strict=True):
            if isinstance(answer, Exception):
                failed += 1
                _print_error(name, answer, as_json=printed.form is Form.JSON)
            elif printed.form is Form.JSON:
                print(json.dumps({"file": name, **answer.to_json()}))
            else:
                for line in _lines(answer, printed):
                    print(f"{name}\t{line}" if len(files) > 1 else line)
                if printed.truths is not None and isinstance(answer, Recognition):
                    right += _compare(answer, _truth_of(name, printed.truths))
    if printed.truths is not None:
        print(f"{right} of {len(files)} right")
    return failed


def _truth_of(name: str, truths: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """By the path as it was typed, by file name, or by bare stem."""
    path = Path(name)
    return next((truths[one] for one in (path.as_posix(), path.name, path.stem) if one in truths), None)


def _compare(answer: Recognition, truth: tuple[str, ...] | None) -> bool:
    """Whether an answer is right, token by token; if it is not, the truth is printed below it."""
    from inkscan.latex.tokens import latex_from_tokens

    if truth is None:
        print("\tnot in the table of truths")
    elif answer.tokens != truth:
        print(f"\twrong; the truth is {latex_from_tokens(truth)}")
    return answer.tokens == truth


def read_file(name: str) -> Ink:
    """The ink of a file, or of standard input for a dash."""
    from inkscan.ink import Ink

    if not name:
        raise SourceNotFound("the name of a file is empty")
    if name == "-":
        if sys.stdin is None:
            raise SourceNotFound("standard input is closed")
        return Ink.read(sys.stdin.buffer)
    if Path(name).is_dir():
        raise SourceNotFound(f"{name} is a folder; name the files in it, or give it to `inkscan bulk`")
    return Ink.read(name)


def _answers(recognizer: Recognizer, names: Sequence[str]) -> list[Recognition | InkscanError | OSError]:
    """The answer to each file, or why there is none."""
    read = [_ink_or_error(name) for name in names]
    answers = iter(recognizer.answers([ink for ink in read if not isinstance(ink, Exception)]))
    return [ink if isinstance(ink, Exception) else next(answers) for ink in read]


def _sheets(recognizer: Recognizer, names: Sequence[str]) -> Iterator[Sheet | InkscanError | OSError]:
    for name in names:
        try:
            yield recognizer.sheet(read_file(name))
        except (InkscanError, OSError) as error:
            yield error


def _ink_or_error(name: str) -> Ink | InkscanError | OSError:
    try:
        return read_file(name)
    except (InkscanError, OSError) as error:
        return error


def _lines(answer: Recognition | Sheet, printed: Printed) -> Iterator[str]:
    from inkscan.runtime.sheet import Sheet

    if isinstance(answer, Sheet):
        if printed.aligned:
            yield from answer.aligned.splitlines()
            return
        for line in answer:
            yield from _lines(line.recognition, printed)
    elif printed.form is Form.INKML:
        yield answer.to_inkml().decode().rstrip("\n")
    elif printed.n_best == 1:
        formula = answer.mathml if printed.form is Form.MATHML else answer.latex
        yield (f"{answer.confidence:.0%}\t" if printed.confidence else "") + formula
    else:
        for alternative in answer.alternatives:
            yield f"{alternative.probability:.4f}\t{alternative.latex}"


def _print_error(name: str, error: InkscanError | OSError, *, as_json: bool) -> None:
    code, message = (error.code, str(error)) if isinstance(error, InkscanError) else ("io", error.strerror)
    if as_json:
        print(json.dumps({"file": name, "error": {"code": code, "message": message}}))
    about = "" if isinstance(error, SourceNotFound) else f"{name}: "  # that error names the file itself
    print(f"error [{code}]: {about}{message}", file=sys.stderr)
