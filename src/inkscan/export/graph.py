"""An ONNX graph written op by op: small, free of tracing, dynamic in every length."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor

from inkscan.runtime.contract import Value

OPSET = 17
IR_VERSION = 8
FLOAT, BOOL = TensorProto.FLOAT, TensorProto.BOOL
SHORTENED_FROM = 256  # constants smaller than this stay float32: they save nothing
STEPS = 127  # of an eight-bit weight on each side of zero
SHARING = 32  # eight-bit weights of one step, at least: a step itself has 32 bits

Floats = npt.NDArray[np.float32]


class Graph:
    """Collects nodes and constants; values are known by their names.

    Large constants are stored in so many bits, 32, 16 or 8. They become float32 again once, when the model is loaded.
    """

    def __init__(self, name: str, *, bits: int = 32) -> None:
        self.name = name
        self.bits = bits
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []
        self._count = 0

    def input(self, value: Value) -> str:
        """Take a value of the contract and return its name."""
        self._inputs.append(_described(value))
        return value.name

    def output(self, value: Value, result: str) -> None:
        """Hand out a node's result as a value of the contract."""
        self._nodes.append(helper.make_node("Identity", [result], [value.name]))
        self._outputs.append(_described(value))

    def op(self, kind: str, *inputs: str, **attributes: object) -> str:
        """Add a node with one result and return the result's name."""
        return self.ops(kind, *inputs, results=1, **attributes)[0]

    def ops(self, kind: str, *inputs: str, results: int, **attributes: object) -> list[str]:
        """Add a node with several results."""
        names = [self._fresh(kind) for _ in range(results)]
        node = helper.make_node(kind, list(inputs), names, names[0], None, None, None, **attributes)
        self._nodes.append(node)
        return names

    def weight(self, value: Tensor | npt.NDArray[np.floating]) -> str:
        """A constant of floats, in as few bits as the graph stores."""
        array = value.detach().numpy() if isinstance(value, Tensor) else value
        array = np.ascontiguousarray(array, dtype=np.float32)
        if self.bits == 32 or array.size < SHORTENED_FROM:
            return self._constant(array)
        if self.bits == 16:
            return self.op("Cast", self._constant(array.astype(np.float16)), to=FLOAT)
        whole, scale = _in_steps(array)
        return self.op("Mul", self.op("Cast", self._constant(whole), to=FLOAT), self._constant(scale))

    def ints(self, *values: int) -> str:
        """A constant vector of integers, as shapes, axes and pads are given."""
        return self._constant(np.array(values, dtype=np.int64))

    def index(self, value: int) -> str:
        """A constant integer without an axis: what Gather takes so that it drops one."""
        return self._constant(np.array(value, dtype=np.int64))

    def number(self, value: float) -> str:
        return self._constant(np.array(value, dtype=np.float32))

    def linear(self, x: str, weight: Tensor, bias: Tensor | None = None) -> str:
        """x W^T + b over the last axis."""
        product = self.op("MatMul", x, self.weight(weight.detach().t()))
        return product if bias is None else self.op("Add", product, self.weight(bias))

    def columns(self, x: str, start: int, end: int) -> str:
        """x[..., start:end]."""
        return self.op("Slice", x, self.ints(start), self.ints(end), self.ints(-1))

    def model(self) -> onnx.ModelProto:
        graph = helper.make_graph(self._nodes, self.name, self._inputs, self._outputs, self._constants)
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="inkscan",
        )
        onnx.checker.check_model(model)
        return model

    def _constant(self, array: npt.NDArray[np.generic]) -> str:
        name = self._fresh("c")
        self._constants.append(numpy_helper.from_array(array, name))
        return name

    def _fresh(self, kind: str) -> str:
        self._count += 1
        return f"{kind}_{self._count}"


def _described(value: Value) -> onnx.ValueInfoProto:
    kind = TensorProto.DataType.Value(value.kind.upper())
    return helper.make_tensor_value_info(value.name, kind, list(value.dims))


def _in_steps(weights: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Weights as whole numbers of steps, and the steps: one for each row, column or channel, whichever is closest."""
    axes = tuple(range(weights.ndim))
    found = []
    for group in (axes[-1:], axes[1:], axes[:-1], axes):
        scale = np.abs(weights).max(axis=group, keepdims=True) / np.float32(STEPS)
        if scale.size * SHARING > weights.size and group != axes:
            continue
        scale[scale == 0] = 1
        whole = np.rint(weights / scale).astype(np.int8)
        found.append((float(np.square(whole * scale - weights).sum()), whole, scale))
    _, whole, scale = min(found, key=lambda one: one[0])
    return whole, scale
