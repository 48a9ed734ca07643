"""The operators that are let through are those that export writes, and no others."""

from __future__ import annotations

import onnx
import pytest
from tests.runtime.conftest import tiny_scan

from inkscan.export.encoder_graph import encoder_graph
from inkscan.export.step_graph import step_graph
from inkscan.models.systems import SYSTEMS
from inkscan.runtime.graph_file import OPERATORS
from inkscan.runtime.models import WEIGHTS

OF_EIGHT_BITS = {
    "Identity",
    "QuantizeLinear",
    "DequantizeLinear",
}  # of weights larger than these, and of quantized images


def operators(*graphs: onnx.ModelProto) -> set[str]:
    return {node.op_type for graph in graphs for node in graph.graph.node}


def test_what_export_writes_is_let_through_and_nothing_else() -> None:
    written = set(OF_EIGHT_BITS)
    for name, system in SYSTEMS.items():
        for layers in (0, 1) if system.takes_context else (0,):
            model = tiny_scan(name, context_layers=layers)
            for bits in (8, 16, 32):
                written |= operators(encoder_graph(model, bits=bits), step_graph(model, bits=bits))
    assert written == OPERATORS


@pytest.mark.parametrize("graph", sorted(WEIGHTS.rglob("*.onnx")), ids=lambda path: "/".join(path.parts[-2:]))
def test_what_is_bundled_is_let_through(graph) -> None:  # type: ignore[no-untyped-def]
    assert operators(onnx.load(graph)) <= OPERATORS
