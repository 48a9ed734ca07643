"""Whole systems put together from the NumPy transcription of the equations, with the weights of a torch model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.models import encoder_equations as enc
from tests.models import equations as eq
from torch import Tensor, nn

from inkscan.models.attention import CoverageAttention, CoverageTerms, MultiModalAttention, ReAttention
from inkscan.models.decoder import Decoder
from inkscan.models.densenet import DenseLayer, DenseNet, NormReluConv, Stage
from inkscan.models.encoders import BidirectionalGRU
from inkscan.models.norm import BatchNorm
from inkscan.models.scan import Scan
from inkscan.models.systems import Fusion

# ---- the weights of the torch modules under the oracle's names


def array(tensor: Tensor | nn.Module | None) -> enc.Array:
    assert isinstance(tensor, Tensor)
    return tensor.detach().numpy()


def norm_weights(norm: BatchNorm) -> enc.BatchNorm:
    return enc.BatchNorm(*(array(t) for t in (norm.weight, norm.bias, norm.running_mean, norm.running_var)))


def convolution(unit: nn.Module) -> enc.Convolution:
    assert isinstance(unit, NormReluConv)
    return norm_weights(unit.norm), array(unit.conv.weight)


def gru_weights(module: nn.Module, suffix: str = "") -> dict[str, enc.Array]:
    names = {"W_ih": "weight_ih", "W_hh": "weight_hh", "b_ih": "bias_ih", "b_hh": "bias_hh"}
    return {ours: array(getattr(module, theirs + suffix)) for ours, theirs in names.items()}


def terms_weights(terms: nn.Module) -> dict[str, enc.Array]:
    assert isinstance(terms, CoverageTerms)
    return {"U_att": array(terms.U_att.weight), "U_f": array(terms.U_f.weight), "Q": array(terms.Q.weight)}


def attention_weights(attention: nn.Module) -> dict[str, enc.Array]:
    assert isinstance(attention, CoverageAttention)
    own = {"W_att": array(attention.W_att.weight), "v_att": array(attention.v_att)}
    return own | terms_weights(attention.terms)


def re_attention_weights(attention: ReAttention) -> dict[str, Any]:
    on, off = (terms_weights(terms) for terms in attention.fine)
    return {
        "pre_on": attention_weights(attention.pre[0]),
        "pre_off": attention_weights(attention.pre[1]),
        "W_att": array(attention.W_att.weight),
        "v_att": array(attention.v_att),
        "U_p_on": array(attention.U_p[0].weight),
        "U_p_off": array(attention.U_p[1].weight),
        "W_FC": array(attention.W_FC.weight),
        **{f"{name}_on": value for name, value in on.items()},
        **{f"{name}_off": value for name, value in off.items()},
    }


def decoder_weights(decoder: Decoder) -> dict[str, Any]:
    return {
        "E": array(decoder.E.weight).T,
        "GRU_1": gru_weights(decoder.GRU_1),
        "GRU_2": gru_weights(decoder.GRU_2),
        **{name: array(getattr(decoder, name).weight) for name in ("W_o", "W_h", "W_c")},
    }


# ---- the systems, put together from the oracle's functions alone


def densenet(x: enc.Array, net: DenseNet) -> enc.Array:
    x = enc.convolve(x, array(net.stem.weight), net.stem.stride[0])
    if net.stem_norm is not None:
        x = enc.max_pool(enc.relu(enc.batch_norm(x, norm_weights(net.stem_norm))), (2, 2))
    for stage in net.stages:
        assert isinstance(stage, Stage)
        layers = []
        for layer in stage.layers:
            assert isinstance(layer, DenseLayer)
            layers.append([convolution(unit) for unit in (layer.reduce, layer.grow) if unit])
        x = enc.dense_block(x, layers)
        if stage.transition is not None:
            x = enc.transition(x, *convolution(stage.transition), pool=stage.pool)
        elif stage.pool is not None:
            x = enc.average_pool(x, stage.pool)
    return enc.relu(enc.batch_norm(x, norm_weights(net.norm)))


def bidirectional(gru: nn.Module) -> tuple[enc.Weights, enc.Weights]:
    assert isinstance(gru, BidirectionalGRU)
    return gru_weights(gru.forwards, "_l0"), gru_weights(gru.backwards, "_l0")


class OracleMemory(NamedTuple):
    features: enc.Array  # (T, D)
    grid: enc.Grid


def oracle_memories(
    model: Scan, X_on: enc.Array, X_off: enc.Array, masks: dict[bool, enc.Array]
) -> list[OracleMemory]:
    """What the decoder attends to, from an expression's points, image and unpooled stroke masks."""
    local: dict[bool, OracleMemory] = {}
    if model.online is not None:
        A = enc.to_sequence(densenet(X_on.T[:, None], model.online.densenet))
        A = enc.bidirectional_gru(A, [bidirectional(gru) for gru in model.online.grus])
        A = A if model.W_on is None else enc.fully_connected(A, array(model.W_on.weight))
        local[True] = OracleMemory(A, (1, len(A)))
    if model.offline is not None:
        maps = densenet(X_off[None], model.offline.densenet)
        B = enc.to_sequence(maps)
        B = B if model.W_off is None else enc.fully_connected(B, array(model.W_off.weight))
        local[False] = OracleMemory(B, maps.shape[1:])
    memories = []
    for view in model.system.views:
        memory = local[view.online]
        if view.strokes:
            pool = enc.online_stroke_features if view.online else enc.offline_stroke_features
            S = pool(memory.features, masks[view.online])
            memory = OracleMemory(S, (1, len(S)))
        memories.append(memory)
    if model.system.fusion is Fusion.ENCODER:
        S_mm = eq.encoder_fusion(*(memory.features for memory in memories))
        return [OracleMemory(S_mm, (1, len(S_mm)))]
    return memories


def oracle_attend(model: Scan, memories: Sequence[OracleMemory]) -> tuple[eq.Attend, list[int]]:
    """Eq. (8), or what takes its place, and the lengths of its alphas."""
    attention = model.decoder.attention
    lengths = [len(memory.features) for memory in memories]
    S, grids = [memory.features for memory in memories], [memory.grid for memory in memories]
    if isinstance(attention, CoverageAttention):
        weights = attention_weights(attention)
        return lambda h_hat, past: eq.single_modal_attention(h_hat, past, S[0], grids[0], weights), lengths
    if isinstance(attention, MultiModalAttention):
        on, off = (attention_weights(part) for part in attention.attentions)
        W_FC = array(attention.W_FC.weight)
        return lambda h_hat, past: eq.multi_modal_attention(
            h_hat, past, (S[0], S[1]), (grids[0], grids[1]), on=on, off=off, W_FC=W_FC
        ), lengths
    assert isinstance(attention, ReAttention)
    re_weights = re_attention_weights(attention)
    return lambda h_hat, past: eq.re_attention(
        h_hat, past, (S[0], S[1]), (grids[0], grids[1]), **re_weights
    ), lengths * 2


def oracle_decode(
    model: Scan, memories: Sequence[OracleMemory], w: Sequence[int]
) -> tuple[enc.Array, list[enc.Array]]:
    """p(y_t) of every step, and the alphas that the guider looks at."""
    h_0 = eq.initial_state(
        *(memory.features for memory in memories), W_init=array(model.decoder.W_start.weight)
    )
    attend, lengths = oracle_attend(model, memories)
    p, alphas = eq.decode(w, h_0, attend, lengths, **decoder_weights(model.decoder))
    return p, list(alphas[: len(memories)])
