"""Lowering: each attention and each fusion of memories, written as nodes of the exported graphs.

A row of `ATTENTIONS` or `JOINS` is all that a new one needs here. A context is only ever multiplied by matrices, so
these are multiplied into the memory's vectors once an ink: W (sum of alpha_j s_j) = sum of alpha_j (W s_j).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

import torch
from torch import Tensor, nn

from inkscan.errors import ModelError
from inkscan.export.graph import Graph
from inkscan.models.attention import (
    Attention,
    CoverageAttention,
    CoverageTerms,
    MultiModalAttention,
    ReAttention,
)
from inkscan.models.decoder import Decoder
from inkscan.models.fusion import SideBySide
from inkscan.models.scan import Scan
from inkscan.runtime.contract import Contract, Look

Row = TypeVar("Row")
LookAt = Callable[[int, str], str]  # a look's number and its query (P, n_att) -> its context, multiplied


@dataclass(frozen=True)
class LoweredLook:
    """One look of the decoder: the weights of its energy, and what its context is multiplied by."""

    look: Look
    terms: CoverageTerms
    v_att: Tensor
    factor: Tensor  # (any, D)

    @property
    def kernel(self) -> Tensor:
        return self.terms.kernel().detach()


class Lowered(Protocol):
    """An attention as the graphs need it."""

    @property
    def looks(self) -> Sequence[LoweredLook]:
        """In the order of its coverages."""

    @property
    def queries(self) -> Sequence[Tensor]:
        """What h_hat is multiplied by before any look."""

    def attend(self, g: Graph, look_at: LookAt, queries: Sequence[str]) -> str:
        """The context of Eq. (8), multiplied by `factor`, (P, 3n + m)."""


class LoweredCoverage:
    """Eqs. (11) to (13)."""

    def __init__(self, attention: CoverageAttention, factor: Tensor) -> None:
        self.looks = [LoweredLook(Look(0), attention.terms, attention.v_att, factor)]
        self.queries = [attention.W_att.weight]

    def attend(self, g: Graph, look_at: LookAt, queries: Sequence[str]) -> str:
        return look_at(0, queries[0])


class LoweredMultiModal:
    """Eq. (19) over one look a view."""

    def __init__(self, attention: MultiModalAttention, factor: Tensor) -> None:
        parts = cast("list[CoverageAttention]", attention.attentions)
        joined = _columns_of(attention.W_FC, parts)
        self.looks = [LoweredLook(Look(v), part.terms, part.v_att, joined[v]) for v, part in enumerate(parts)]
        self.queries = [part.W_att.weight for part in parts]
        self.factor = factor

    def attend(self, g: Graph, look_at: LookAt, queries: Sequence[str]) -> str:
        return _fused(g, [look_at(v, query) for v, query in enumerate(queries)], self.factor)


class LoweredReAttention:
    """Eqs. (15) to (19): pre-attentions come before fine ones."""

    def __init__(self, attention: ReAttention, factor: Tensor) -> None:
        pre = cast("list[CoverageAttention]", attention.pre)
        fine = cast("list[CoverageTerms]", attention.fine)
        hints = cast("list[nn.Linear]", attention.U_p)
        joined = _columns_of(attention.W_FC, pre)
        self.looks = [
            *(
                LoweredLook(Look(v, shown=False), part.terms, part.v_att, hints[v].weight)
                for v, part in enumerate(pre)
            ),
            *(LoweredLook(Look(v), terms, attention.v_att, joined[v]) for v, terms in enumerate(fine)),
        ]
        self.queries = [*(part.W_att.weight for part in pre), attention.W_att.weight]
        self.factor = factor

    def attend(self, g: Graph, look_at: LookAt, queries: Sequence[str]) -> str:
        *first, fine = queries
        hinted = [g.op("Add", fine, look_at(v, query)) for v, query in enumerate(first)]  # Eq. (15)
        return _fused(g, [look_at(2 + v, hinted[1 - v]) for v in (0, 1)], self.factor)  # Eqs. (16) to (18)


def _columns_of(W_FC: nn.Linear, parts: Sequence[CoverageAttention]) -> Sequence[Tensor]:
    return torch.split(W_FC.weight, [part.terms.U_att.in_features for part in parts], dim=1)


def _fused(g: Graph, parts: Sequence[str], factor: Tensor) -> str:
    c_mm = g.op("Tanh", g.op("Add", *parts))  # (P, D)   Eq. (19)
    return g.linear(c_mm, factor)


def _side_by_side(g: Graph, join: SideBySide, memories: Sequence[str]) -> str:
    return g.op("Concat", *memories, axis=2)  # (B, M, 2D)   Eq. (21)


ATTENTIONS: dict[type[Attention], Callable[[Any, Tensor], Lowered]] = {
    CoverageAttention: LoweredCoverage,
    MultiModalAttention: LoweredMultiModal,
    ReAttention: LoweredReAttention,
}
JOINS: dict[type[nn.Module], Callable[[Graph, Any, Sequence[str]], str]] = {SideBySide: _side_by_side}


def lowered(decoder: Decoder) -> Lowered:
    """A decoder's attention, whose context goes on to the second GRU and to the read-out."""
    factor = torch.cat([decoder.GRU_2.weight_ih, decoder.W_c.weight])
    return _row(ATTENTIONS, decoder.attention)(decoder.attention, factor)


def joined(g: Graph, join: nn.Module, memories: Sequence[str]) -> str:
    """The memories of several views as one."""
    return _row(JOINS, join)(g, join, memories)


def _row(table: Mapping[Any, Row], module: nn.Module) -> Row:
    if type(module) not in table:
        raise ModelError(f"export.lowering has no row for {type(module).__name__}")
    return table[type(module)]


def contract_of(model: Scan) -> Contract:
    """What the graphs of a model take and give."""
    system = model.system
    looks = tuple(each.look for each in lowered(model.decoder).looks)
    return Contract(system.online, system.offline, model.config.vocabulary_size, looks)
