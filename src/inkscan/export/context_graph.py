"""The part of encoder.onnx that lets strokes look at each other: `models.context`, op by op."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from inkscan.export.graph import FLOAT, Graph
from inkscan.features.settings import ONLINE_STRIDE
from inkscan.models.context import FAR, HEAD, SMALLEST, ContextLayer, StrokeContext
from inkscan.runtime.contract import PMASK_ON, POINTS


def stroke_context(g: Graph, context: StrokeContext, x: str, strokes: str) -> str:
    """x (B, M, D) with context, zero for padded strokes; the graph's inputs points and pmask_on place them."""
    real = g.op("Cast", strokes, to=FLOAT)  # (B, M)
    first, _, last = context.pairs
    assert isinstance(first, nn.Linear) and isinstance(last, nn.Linear)
    units = g.op("Relu", g.linear(_pair_features(g, real), first.weight, first.bias))
    bias = g.op("Transpose", g.linear(units, last.weight, last.bias), perm=[0, 3, 1, 2])
    far = g.op("Where", g.op("Unsqueeze", strokes, g.ints(1, 2)), g.number(0.0), g.number(FAR))
    bias = g.op("Add", bias, far)
    heads = last.out_features // len(context.layers)
    for i, layer in enumerate(context.layers):
        assert isinstance(layer, ContextLayer)
        its_bias = g.op("Slice", bias, g.ints(i * heads), g.ints((i + 1) * heads), g.ints(1))
        x = _layer(g, layer, x, its_bias, heads)
    return g.op("Mul", x, g.op("Unsqueeze", real, g.ints(2)))


def stroke_shares(g: Graph, pmask: str) -> str:
    """pmask (B, M, T) with each real stroke's row summing to one; a padded stroke's stays zero."""
    total = g.op("Max", g.op("ReduceSum", pmask, g.ints(2)), g.number(float(np.finfo(np.float32).tiny)))
    return g.op("Div", pmask, total)


def _pair_features(g: Graph, real: str) -> str:
    xy = g.columns(POINTS.name, 0, 2)
    both = g.op("Transpose", g.op("Concat", xy, g.op("Mul", xy, xy), axis=2), perm=[0, 2, 1])
    cells = g.op("AveragePool", both, kernel_shape=[ONLINE_STRIDE], strides=[ONLINE_STRIDE])  # (B, 4, L)
    pooled = g.op("MatMul", stroke_shares(g, PMASK_ON.name), g.op("Transpose", cells, perm=[0, 2, 1]))
    mean, square = g.columns(pooled, 0, 2), g.columns(pooled, 2, 4)
    variance = g.op("Sub", square, g.op("Mul", mean, mean))
    spread = g.op("Sqrt", g.op("Max", variance, g.number(0.0)))
    extent = g.op("Log", g.op("Add", spread, g.number(SMALLEST)))
    place = g.op("Unsqueeze", g.op("CumSum", real, g.index(1)), g.ints(2))  # real strokes come first
    apart = g.op("Asinh", _differences(g, g.op("Concat", mean, place, axis=2)))
    return g.op("Concat", apart, _differences(g, extent), axis=3)


def _differences(g: Graph, x: str) -> str:
    """x (B, M, c) -> x_j - x_i, (B, M, M, c) with i before j."""
    return g.op("Sub", g.op("Unsqueeze", x, g.ints(1)), g.op("Unsqueeze", x, g.ints(2)))


def _layer(g: Graph, layer: ContextLayer, x: str, bias: str, heads: int) -> str:
    q, k, v = layer.W_qkv.weight.chunk(3)
    projected = g.linear(_norm(g, layer.attention_norm, x), torch.cat([q * HEAD**-0.5, k, v]))
    parts = g.op("Transpose", g.op("Reshape", projected, g.ints(0, 0, 3, heads, HEAD)), perm=[2, 0, 3, 1, 4])
    q_i, k_j, v_j = (g.op("Gather", parts, g.index(part), axis=0) for part in range(3))  # (B, heads, M, HEAD)
    energy = g.op("Add", g.op("MatMul", q_i, g.op("Transpose", k_j, perm=[0, 1, 3, 2])), bias)
    seen = g.op("Transpose", g.op("MatMul", g.op("Softmax", energy, axis=3), v_j), perm=[0, 2, 1, 3])
    seen = g.op("Reshape", seen, g.ints(0, 0, heads * HEAD))
    x = g.op("Add", x, g.linear(seen, layer.W_out.weight))
    up = g.op("Relu", g.linear(_norm(g, layer.feed_norm, x), layer.W_up.weight, layer.W_up.bias))
    return g.op("Add", x, g.linear(up, layer.W_down.weight, layer.W_down.bias))


def _norm(g: Graph, norm: nn.LayerNorm, x: str) -> str:
    return g.op(
        "LayerNormalization", x, g.weight(norm.weight), g.weight(norm.bias), axis=-1, epsilon=norm.eps
    )
