"""Convolutions of images in eight bits."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from tests.runtime.conftest import SETTINGS, tiny_scan

from inkscan import Ink, Recognizer
from inkscan.errors import BadCorpus, BadRequest
from inkscan.export.encoder_graph import encoder_graph
from inkscan.export.lowering import contract_of
from inkscan.export.model import ExportSettings, export_model
from inkscan.export.quantize import quantized
from inkscan.features import ink_features, pad_batch
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime.member import Member, member_of


def exported(system: str, inks: list[Ink] | None, bits: int = 32) -> Member:
    settings = ExportSettings(system, bits, quantize_on=inks)
    return member_of(export_model(tiny_scan(system), CROHME, SETTINGS, settings))


@pytest.mark.parametrize("bits", [32, 8])
def test_what_the_encoder_says_stays_close(inks: list[Ink], bits: int) -> None:
    plain, rounded = exported("mmscan-e", None, bits), exported("mmscan-e", inks[:8], bits)
    for ink in inks[8:]:
        batch = pad_batch([ink_features(ink, SETTINGS, online=True, offline=True)])
        wanted, found = plain.network.encode(batch).memories, rounded.network.encode(batch).memories
        error = np.subtract(found["keys0"], wanted["keys0"])
        assert 0 < np.abs(error).mean() < 0.05 * np.abs(wanted["keys0"]).mean()


def test_many_inks_at_once_are_read_as_one_by_one(inks: list[Ink]) -> None:
    recognizer = Recognizer([exported("offscan", inks[:8])]).with_search(max_tokens=40)
    assert [a.tokens for a in recognizer.many(inks[8:])] == [recognizer(ink).tokens for ink in inks[8:]]


def test_only_the_image_is_convolved_in_eight_bits(inks: list[Ink]) -> None:
    model = tiny_scan("mmscan-e")
    encoder = quantized(encoder_graph(model), contract_of(model), SETTINGS, inks[:2])
    made_by = {result: node.op_type for node in encoder.graph.node for result in node.output}
    kinds = [made_by.get(node.input[0]) for node in encoder.graph.node if node.op_type == "Conv"]
    of_the_image = _convolutions(encoder_graph(tiny_scan("offscan")))
    assert kinds.count("DequantizeLinear") == of_the_image - 1  # the first one sees black and white
    assert len(kinds) > of_the_image  # the others convolve points


def _convolutions(model: onnx.ModelProto) -> int:
    return sum(node.op_type == "Conv" for node in model.graph.node)


def test_what_cannot_be_quantized_is_said(inks: list[Ink]) -> None:
    with pytest.raises(BadRequest, match="onscan sees no image"):
        exported("onscan", inks[:1])
    model = tiny_scan("offscan")
    with pytest.raises(BadCorpus, match="no ink"):
        quantized(encoder_graph(model), contract_of(model), SETTINGS, [])
