"""Quantize: the image's convolutions as products of whole numbers of eight bits, two to three times as fast.

The pixels, and what follows from them, keep within ranges that some inks tell; points do not: a long stroke's features
are many times a short one's, and their convolutions stay float32.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx

from inkscan.errors import BadCorpus
from inkscan.features import FeatureSettings, ink_features, pad_batch
from inkscan.ink import Ink
from inkscan.runtime.contract import IMAGE, Contract
from inkscan.runtime.engine import onnxruntime_alone
from inkscan.runtime.network import Arrays

INKS = 100  # whose images tell the ranges


def quantized(
    encoder: onnx.ModelProto, contract: Contract, features: FeatureSettings, inks: Sequence[Ink]
) -> onnx.ModelProto:
    """The encoder with its image's convolutions in eight bits, their ranges measured on these inks."""
    if not inks:
        raise BadCorpus("ranges cannot be measured on no ink")
    onnxruntime_alone()  # before anything of it is loaded
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static

    with TemporaryDirectory() as folder, _quiet():
        plain, path = Path(folder) / "plain.onnx", Path(folder) / "quantized.onnx"
        onnx.save(encoder, plain)
        quantize_static(
            plain,
            path,
            _Measured(contract, features, inks),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["Conv"],
            nodes_to_quantize=_convolutions_after(IMAGE.name, encoder.graph),
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            reduce_range=True,  # seven bits: without VNNI the sum of two products of eight would overflow
        )
        return onnx.load(path)


class _Measured:
    """What goes into the encoder for each ink, one after the other: a CalibrationDataReader."""

    def __init__(self, contract: Contract, features: FeatureSettings, inks: Sequence[Ink]) -> None:
        self._feeds = _feeds(contract, features, inks)

    def get_next(self) -> Arrays | None:
        return next(self._feeds, None)


def _feeds(contract: Contract, features: FeatureSettings, inks: Sequence[Ink]) -> Iterator[Arrays]:
    for ink in inks:
        arrays = pad_batch([ink_features(ink, features, online=contract.online, offline=True)]).arrays()
        yield {value.name: arrays[value.name] for value in contract.features}


def _convolutions_after(source: str, graph: onnx.GraphProto) -> list[str]:
    """The names of the convolutions that a value leads to, but for the first, which has one channel to multiply."""
    reached, found = {source}, []
    for node in graph.node:  # in the order in which they are computed
        if reached.intersection(node.input):
            reached.update(node.output)
            if node.op_type == "Conv":
                found.append(node.name)
    return found[1:]


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the library's advice to simplify the graph first: it is written simple."""
    before = logging.root.manager.disable
    logging.disable(max(before, logging.WARNING))
    try:
        yield
    finally:
        logging.disable(before)
