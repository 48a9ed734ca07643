"""encoder.onnx: features of inks in; memories, keys and the decoder's first state out.

The numbers are those of `models`, with less work: a norm behind a convolution is folded into it, pooling
comes before a 1x1 convolution (both are linear), strokes are pooled before they are projected, and padding is
masked only where a kernel or a pooling would carry it over.
"""

from __future__ import annotations

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from inkscan.export.context_graph import stroke_context, stroke_shares
from inkscan.export.graph import BOOL, FLOAT, Graph
from inkscan.export.lowering import contract_of, joined, lowered
from inkscan.models.densenet import DenseNet, NormReluConv, Stage
from inkscan.models.encoders import BidirectionalGRU, OfflineEncoder, OnlineEncoder
from inkscan.models.norm import BatchNorm
from inkscan.models.scan import Scan
from inkscan.runtime.contract import (
    GATES,
    IMAGE,
    IMAGE_MASK,
    PMASK_OFF,
    PMASK_ON,
    POINT_MASK,
    POINTS,
    STROKE_MASK,
    H,
)


def encoder_graph(model: Scan, *, bits: int = 32, image_bits: int | None = None) -> onnx.ModelProto:
    """The encoder of any system, with batch norms as in evaluation; the image's weights may have bits of their own."""
    g = Graph("encoder", bits=bits)
    contract = contract_of(model)
    strokes = g.input(STROKE_MASK)
    local: dict[bool, _Local] = {}
    if model.online is not None:
        local[True] = _online(g, model.online)
    if model.offline is not None:
        g.bits = image_bits or bits
        local[False] = _offline(g, model.offline)
        g.bits = bits
    projections = {True: model.W_on, False: model.W_off}
    memories = []
    for view in model.system.views:
        values, mask, pmask = local[view.online]
        if view.strokes:
            values, mask = _stroke_pool(g, pmask, values), g.op("Unsqueeze", strokes, g.ints(1))
        project = projections[view.online]
        memories.append((values if project is None else g.linear(values, project.weight), mask))
    if model.join is not None:
        memories = [(joined(g, model.join, [values for values, _ in memories]), memories[0][1])]
    if model.context is not None:
        values, mask = memories[0]
        memories = [(stroke_context(g, model.context, values, strokes), mask)]
    for v, (_, mask) in enumerate(memories):
        g.output(contract.mask(v), mask)
    for i, part in enumerate(lowered(model.decoder).looks):
        s = memories[part.look.view][0]
        g.output(contract.keys(i), g.linear(s, part.terms.U_att.weight))
        g.output(contract.values(i), g.linear(s, part.factor))
    _first_state(g, model, memories)
    return g.model()


_Local = tuple[str, str, str]  # features (B, T, D), mask (B, H, W), pooled stroke masks (B, M, T)


def _online(g: Graph, encoder: OnlineEncoder) -> _Local:
    points = g.input(POINTS)
    point_mask = g.op("Cast", g.input(POINT_MASK), to=FLOAT)
    pmask = g.input(PMASK_ON)
    x = g.op("Unsqueeze", g.op("Transpose", points, perm=[0, 2, 1]), g.ints(2))
    maps, real = _densenet(g, encoder.densenet, x, g.op("Unsqueeze", point_mask, g.ints(1, 2)))
    a = g.op("Transpose", g.op("Squeeze", maps, g.ints(2)), perm=[2, 0, 1])  # (L, B, D')
    mask = g.op("Squeeze", real, g.ints(1))  # (B, 1, L)
    lengths = g.op("Cast", g.op("ReduceSum", mask, g.ints(1, 2), keepdims=0), to=onnx.TensorProto.INT32)
    for gru in encoder.grus:
        assert isinstance(gru, BidirectionalGRU)
        a = _bidirectional(g, gru, a, lengths)  # (L, B, D)   Eq. (3)
    return g.op("Transpose", a, perm=[1, 0, 2]), g.op("Cast", mask, to=BOOL), pmask


def _offline(g: Graph, encoder: OfflineEncoder) -> _Local:
    image = g.op("Unsqueeze", g.input(IMAGE), g.ints(1))
    real = g.op("Cast", g.input(IMAGE_MASK), to=FLOAT)
    pmask = g.op("Reshape", g.input(PMASK_OFF), g.ints(0, 0, -1))
    maps, mask = _densenet(g, encoder.densenet, image, g.op("Unsqueeze", real, g.ints(1)))
    b = g.op("Transpose", g.op("Reshape", maps, g.ints(0, 0, -1)), perm=[0, 2, 1])
    return b, g.op("Cast", g.op("Squeeze", mask, g.ints(1)), to=BOOL), pmask


def _densenet(g: Graph, net: DenseNet, x: str, mask: str) -> tuple[str, str]:
    mask = _subsampled(g, mask, net.stem.stride)
    x = _convolution(g, x, net.stem, then=net.stem_norm)
    if net.stem_norm is not None:
        x = g.op("MaxPool", g.op("Mul", g.op("Relu", x), mask), kernel_shape=[2, 2], strides=[2, 2])
        mask = _subsampled(g, mask, (2, 2))
    for stage in net.stages:
        assert isinstance(stage, Stage)
        x, mask = _stage(g, stage, x, mask)
    return g.op("Mul", _norm_relu(g, net.norm, x), mask), mask


def _stage(g: Graph, stage: Stage, x: str, mask: str) -> tuple[str, str]:
    for layer in stage.layers:
        reduce, grow = layer.reduce, layer.grow
        assert isinstance(grow, NormReluConv)
        if isinstance(reduce, NormReluConv):
            inner = g.op("Relu", _convolution(g, _norm_relu(g, reduce.norm, x), reduce.conv, then=grow.norm))
        else:
            inner = _norm_relu(g, grow.norm, x)
        x = g.op("Concat", x, _convolution(g, g.op("Mul", inner, mask), grow.conv), axis=1)
    if stage.transition is not None:
        x = _norm_relu(g, stage.transition.norm, x)
    if stage.pool is not None:
        pool = list(stage.pool)
        x = g.op("AveragePool", g.op("Mul", x, mask), kernel_shape=pool, strides=pool)
        mask = _subsampled(g, mask, stage.pool)
    if stage.transition is not None:
        x = _convolution(g, x, stage.transition.conv)
    return x, mask


def _subsampled(g: Graph, mask: str, stride: tuple[int, ...]) -> str:
    if max(stride) == 1:
        return mask
    far = np.iinfo(np.int64).max
    return g.op("Slice", mask, g.ints(0, 0), g.ints(far, far), g.ints(2, 3), g.ints(*stride))


def _norm_relu(g: Graph, norm: BatchNorm, x: str) -> str:
    parameters = (norm.weight, norm.bias, norm.running_mean, norm.running_var)
    return g.op("Relu", g.op("BatchNormalization", x, *map(g.weight, parameters), epsilon=norm.eps))


def _convolution(g: Graph, x: str, conv: nn.Conv2d, then: BatchNorm | None = None) -> str:
    weight, bias = conv.weight.detach(), None
    if then is not None:
        scale = then.weight * torch.rsqrt(then.running_var + then.eps)
        weight, bias = weight * scale[:, None, None, None], then.bias - then.running_mean * scale
    assert isinstance(conv.padding, tuple)
    inputs = [g.weight(weight)] if bias is None else [g.weight(weight), g.weight(bias)]
    return g.op(
        "Conv",
        x,
        *inputs,
        kernel_shape=list(conv.kernel_size),
        strides=list(conv.stride),
        pads=list(conv.padding) * 2,
    )


def _bidirectional(g: Graph, gru: BidirectionalGRU, x: str, lengths: str) -> str:
    """Both directions in one ONNX GRU, which turns each sequence at its own end and zeroes the rest."""
    ahead, back = gru.forwards.state_dict(), gru.backwards.state_dict()
    W, R, B_W, B_R = (
        torch.stack([onnx_gates(ahead[name]), onnx_gates(back[name])])
        for name in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    )
    B = torch.cat([B_W, B_R], dim=1)
    units = gru.forwards.hidden_size
    y = g.op(
        "GRU", x, g.weight(W), g.weight(R), g.weight(B), lengths,
        direction="bidirectional", hidden_size=units, linear_before_reset=1,
    )  # (L, 2, B, units)  # fmt: skip
    return g.op("Reshape", g.op("Transpose", y, perm=[0, 2, 1, 3]), g.ints(0, 0, 2 * units))


def onnx_gates(weights: Tensor) -> Tensor:
    """From torch's order of gates (reset, update, new) to ONNX's (update, reset, new)."""
    r, z, n = weights.chunk(3)
    return torch.cat([z, r, n])


def _stroke_pool(g: Graph, pmask: str, features: str) -> str:
    """Eqs. (4) and (5); a padded stroke has a zero row and a zero vector."""
    return g.op("MatMul", stroke_shares(g, pmask), features)


def _first_state(g: Graph, model: Scan, memories: list[tuple[str, str]]) -> None:
    """h_0, and W_hh h_0 of the first GRU, which every step computes for its successor."""
    means = []
    for values, mask in memories:
        count = g.op("ReduceSum", g.op("Cast", mask, to=FLOAT), g.ints(1, 2), keepdims=0)
        total = g.op("ReduceSum", values, g.ints(1), keepdims=0)
        means.append(g.op("Div", total, g.op("Unsqueeze", count, g.ints(1))))
    mean = means[0] if len(means) == 1 else g.op("Concat", *means, axis=1)
    decoder = model.decoder
    h = g.op("Tanh", g.linear(mean, decoder.W_start.weight))
    g.output(H, h)
    g.output(GATES, g.linear(h, decoder.GRU_1.weight_hh, decoder.GRU_1.bias_hh))
