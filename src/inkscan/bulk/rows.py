"""Rows: what a bulk job writes of each input, an answer or an error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import pyarrow as pa

from inkscan.bulk.inputs import Chunk, Input
from inkscan.data.preparation import endings
from inkscan.data.rejection import NOT_INK
from inkscan.data.source import utf8_text
from inkscan.errors import InkscanError, WorkerCrashed
from inkscan.ink import Ink
from inkscan.ink.formats import ink_suffixes, read_ink
from inkscan.runtime.recognition import Recognition, RecognizedSymbol
from inkscan.runtime.recognizer import Recognizer

INTERNAL = "internal"  # a fault of inkscan itself, as in the command line's exit code 3
SCHEMA = pa.schema(
    [
        pa.field("input", pa.int64(), nullable=False),  # its place in the source, from 0
        pa.field("id", pa.string(), nullable=False),  # the file's name, or the sample's id
        ("latex", pa.string()),
        ("tokens", pa.list_(pa.string())),
        ("confidence", pa.float64()),
        ("symbols", pa.string()),  # JSON: token, index, strokes, box, confidence
        ("error_code", pa.string()),
        ("error_message", pa.string()),
    ]
)


@dataclass(frozen=True)
class FailedInput:
    """Why an input has no answer."""

    code: str
    message: str


BulkAnswer = Recognition | FailedInput


def recognize_chunk(recognizer: Recognizer, chunk: Chunk) -> pa.Table:
    """One row for each input of a chunk, in its order."""
    opened = [_opened(one) for one in chunk.inputs]
    inks = [ink for ink in opened if isinstance(ink, Ink)]
    answers = iter(_answers(recognizer, inks))
    return to_table(chunk, [next(answers) if isinstance(ink, Ink) else ink for ink in opened])


def crashed_chunk(chunk: Chunk, deaths: int) -> pa.Table:
    """The rows of inputs that ended every worker that took them."""
    failure = FailedInput(WorkerCrashed.code, f"the worker process ended {deaths} times over this input")
    return to_table(chunk, [failure] * len(chunk.inputs))


def to_table(chunk: Chunk, answers: Iterable[BulkAnswer]) -> pa.Table:
    rows = [_row(one, answer) for one, answer in zip(chunk.inputs, answers, strict=True)]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _opened(one: Input) -> Ink | FailedInput:
    content = one.content
    if isinstance(content, bytes):
        if PurePosixPath(one.name).suffix.lower() not in ink_suffixes():
            return FailedInput(NOT_INK, endings(ink_suffixes()))
        try:
            content = read_ink(content)
        except InkscanError as error:
            content = error
        except Exception as error:  # one file's fault must not cost the others their rows
            return _fault(error)
    return content if isinstance(content, Ink) else FailedInput(content.code, str(content))


def _answers(recognizer: Recognizer, inks: Sequence[Ink]) -> list[BulkAnswer]:
    """Answers to all; if inkscan itself fails, to each by itself."""
    try:
        return [_answer(found) for found in recognizer.answers(inks)]
    except Exception as error:  # one ink's fault must not cost the others their rows
        if len(inks) <= 1:
            return [_fault(error) for _ in inks]
        return [answer for ink in inks for answer in _answers(recognizer, [ink])]


def _answer(found: Recognition | InkscanError) -> BulkAnswer:
    return FailedInput(found.code, str(found)) if isinstance(found, InkscanError) else found


def _fault(error: Exception) -> FailedInput:
    return FailedInput(INTERNAL, f"{type(error).__name__}: {error}")


def _row(one: Input, answer: BulkAnswer) -> dict[str, object]:
    row: dict[str, object] = {"input": one.number, "id": utf8_text(one.name)}
    if isinstance(answer, FailedInput):
        return row | {"error_code": answer.code, "error_message": utf8_text(answer.message)}
    return row | {
        "latex": answer.latex,
        "tokens": list(answer.tokens),
        "confidence": answer.confidence,
        "symbols": json.dumps([_symbol(symbol) for symbol in answer.symbols], ensure_ascii=False),
    }


def _symbol(symbol: RecognizedSymbol) -> dict[str, object]:
    box = None if symbol.box is None else vars(symbol.box)
    return vars(symbol) | {"box": box, "confidence": round(symbol.confidence, 6)}
