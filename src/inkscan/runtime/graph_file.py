"""Graph files: what an ONNX file holds, looked through before onnxruntime loads it.

A model folder may come from a stranger. Of ONNX only the operators that export writes are let through: no loops, which
may never end, no functions or operators of other libraries, and no weights in files beside it, which no hash covers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from inkscan.errors import DamagedModel

_WRITTEN = (
    "Add Asinh AveragePool BatchNormalization Cast Concat Conv CumSum DequantizeLinear Div GRU Gather Identity "
    "LayerNormalization Log LogSoftmax MatMul Max MaxPool Mul QuantizeLinear ReduceMax ReduceSum Relu Reshape Shape "
    "Sigmoid Slice Softmax Split Sqrt Squeeze Sub Tanh Transpose Unsqueeze Where"
)
OPERATORS = frozenset(_WRITTEN.split())
_DOMAINS = ("", "ai.onnx")
_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5  # of protobuf's wire format
_BITS = {1: ("<u4", 0x7F800000), 10: ("<u2", 0x7C00), 11: ("<u8", 0x7FF0 << 48)}  # of infinity, by data_type

_Value = int | memoryview


@dataclass
class GraphNames:
    """The names that a graph is called by."""

    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)


def check_graph(data: bytes, file: str) -> GraphNames:
    """The inputs and outputs of a graph; raises DamagedModel for what export never writes."""
    names = GraphNames()
    try:
        for number, value in _fields(memoryview(data)):
            if number == 7:
                _check_content(_message(value), names, file)
            elif number == 25:
                raise DamagedModel(f"{file} defines functions of its own, which inkscan never writes")
    except (ValueError, IndexError, UnicodeDecodeError) as error:
        raise DamagedModel(f"{file} is no ONNX graph: {error}; export the model again") from error
    return names


def _check_content(graph: memoryview, names: GraphNames, file: str) -> None:
    for number, value in _fields(graph):
        if number == 1:
            _check_node(_message(value), file)
        elif number == 5:
            _check_tensor(_message(value), file)
        elif number in (11, 12):
            listed = names.inputs if number == 11 else names.outputs
            listed += [_text(part) for key, part in _fields(_message(value)) if key == 1]
        elif number == 15:
            raise DamagedModel(f"{file} holds sparse weights, which inkscan never writes")


def _check_node(node: memoryview, file: str) -> None:
    for number, value in _fields(node):
        if (number == 4 and _text(value) not in OPERATORS) or (number == 7 and _text(value) not in _DOMAINS):
            raise DamagedModel(f"{file} has the operator {_text(value)[:40]!r}, which inkscan never writes")
        if number == 5:
            for key, part in _fields(_message(value)):
                if key in (6, 11):
                    raise DamagedModel(f"{file} has a graph within a graph, which inkscan never writes")
                if key in (5, 10):
                    _check_tensor(_message(part), file)


def _check_tensor(tensor: memoryview, file: str) -> None:
    kind, raw = 0, memoryview(b"")
    for number, value in _fields(tensor):
        if number == 2 and isinstance(value, int):
            kind = value
        elif number in (13, 14):
            raise DamagedModel(
                f"{file} takes weights from another file, which no hash covers; export it again"
            )
        elif number in (4, 9, 10):
            raw = _message(value)
    if kind not in _BITS or not len(raw):
        return
    dtype, infinity = _BITS[kind]
    bits = np.frombuffer(raw, dtype)
    if (
        int((bits << bits.dtype.type(1)).max()) > infinity << 1
    ):  # the sign shifted out; above infinity lies NaN
        raise DamagedModel(f"{file} holds weights that are not numbers (NaN); export a sound checkpoint")


def _fields(message: memoryview) -> Iterator[tuple[int, _Value]]:
    """The numbers and values of a protobuf message's fields."""
    at, end = 0, len(message)
    while at < end:
        key, at = _varint(message, at)
        wire = key & 7
        if wire == _VARINT:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        if wire == _BYTES:
            length, at = _varint(message, at)
        elif wire in (_FIXED_64, _FIXED_32):
            length = 8 if wire == _FIXED_64 else 4
        else:
            raise ValueError(f"a field of the unknown kind {wire}")
        if at + length > end:
            raise ValueError("it is cut short")
        yield key >> 3, message[at : at + length]
        at += length


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("a number is too long")


def _message(value: _Value) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a number in the place of a message")
    return value


def _text(value: _Value) -> str:
    return str(_message(value), "utf-8")
