"""Looks: every place where a decoder attends, with the weights that both exported graphs need of it.

A context is only ever multiplied by matrices, so these are multiplied into the memory's vectors once an ink:
W (sum of alpha_j s_j) = sum of alpha_j (W s_j).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from inkscan.models.attention import CoverageAttention, CoverageTerms, MultiModalAttention, ReAttention
from inkscan.models.decoder import Decoder


@dataclass(frozen=True)
class Look:
    """One coverage attention: the view it looks at, its energy's weights and what its context is multiplied by."""

    view: int
    terms: CoverageTerms
    v_att: Tensor
    onward: Tensor  # (any, D)

    @property
    def kernel(self) -> Tensor:
        return self.terms.kernel().detach()


def looks_of(decoder: Decoder) -> list[Look]:
    """The looks of a decoder in the order of its coverages: pre-attentions before fine ones."""
    attention = decoder.attention
    if isinstance(attention, CoverageAttention):
        onward = torch.cat([decoder.GRU_2.weight_ih, decoder.W_c.weight])
        return [Look(0, attention.terms, attention.v_att, onward)]
    sizes = [look.terms.U_att.in_features for look in first_stage(attention)]
    joined = torch.split(attention.W_FC.weight, sizes, dim=1)
    if isinstance(attention, MultiModalAttention):
        return [Look(v, look.terms, look.v_att, joined[v]) for v, look in enumerate(first_stage(attention))]
    told = [project.state_dict()["weight"] for project in attention.U_p]
    fine = [terms for terms in attention.fine if isinstance(terms, CoverageTerms)]
    return [
        *(Look(v, look.terms, look.v_att, told[v]) for v, look in enumerate(first_stage(attention))),
        *(Look(v, terms, attention.v_att, joined[v]) for v, terms in enumerate(fine)),
    ]


def first_stage(attention: MultiModalAttention | ReAttention) -> list[CoverageAttention]:
    """The attentions over two views: all there are, or the first of two stages."""
    looks = attention.attentions if isinstance(attention, MultiModalAttention) else attention.pre
    return [look for look in looks if isinstance(look, CoverageAttention)]
