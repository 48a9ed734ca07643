"""Attention over one or two memories: coverage attention, multi-modal attention and re-attention.

A row of `ATTENTIONS` says which of them a fusion takes; they have the interface of `Attention`.
Q and U_f are both linear with nothing between them, so the coverage term of Eqs. (11) and (12) is one convolution
with the folded kernel U_f Q, computed once per expression.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from inkscan.models.memory import Memory
from inkscan.models.systems import Fusion, ModelConfig

Kernel = tuple[int, int]


class Prepared(NamedTuple):
    """A memory, its keys U_att s_j and the folded coverage kernel."""

    values: Tensor  # (B, T, D)
    mask: Tensor  # (B, T) bool
    keys: Tensor  # (B, n_att, T)
    kernel: Tensor  # (n_att, 1, kh, kw)


class Attended(NamedTuple):
    """One step's result."""

    context: Tensor  # (B, D)
    alphas: tuple[Tensor, ...]  # one a view, each (B, H, W)
    coverage: tuple[Tensor, ...]  # the sums of past alphas after this step


class Attention(nn.Module, ABC):
    """f_att: `prepare` does what does not depend on the decoding step, `forward` one step."""

    D: int  # the size of its context
    joining: str | None = None  # its tensor that joins the contexts of views, where there is one

    @abstractmethod
    def places_of(self, part: str, view: int) -> tuple[str, ...]:
        """Where a tensor of a CoverageAttention over one view alone belongs among its own, both by name."""

    @abstractmethod
    def prepare(self, memories: list[Memory]) -> list[Prepared]: ...

    @abstractmethod
    def initial_coverage(self, memories: list[Memory]) -> tuple[Tensor, ...]: ...

    @abstractmethod
    def forward(self, h_hat: Tensor, prepared: list[Prepared], coverage: tuple[Tensor, ...]) -> Attended: ...


class CoverageTerms(nn.Module):
    """The terms of the energy that belong to one memory: U_att s_j and U_f f_j."""

    def __init__(self, D: int, n_att: int, q: int, kernel: Kernel) -> None:
        super().__init__()
        self.U_att = nn.Linear(D, n_att, bias=False)
        self.U_f = nn.Linear(q, n_att, bias=False)
        self.Q = nn.Conv2d(1, q, kernel, padding=(kernel[0] // 2, kernel[1] // 2), bias=False)

    def prepare(self, memory: Memory) -> Prepared:
        values = memory.features.flatten(1, 2)
        keys = self.U_att(values).transpose(1, 2)  # (B, n_att, T)
        return Prepared(values, memory.mask.flatten(1), keys.contiguous(), self.kernel())

    def kernel(self) -> Tensor:
        """U_f Q as one kernel, (n_att, 1, kh, kw): both are linear."""
        return (self.U_f.weight @ self.Q.weight.flatten(1)).view(-1, *self.Q.weight.shape[1:])

    def coverage_term(self, alpha_past: Tensor, kernel: Tensor) -> Tensor:
        """U_f F with F = Q * alpha_past, (B, n_att, T)   Eq. (11).

        Written as a product where gradients are wanted over a grid: its backward pass takes half the time.
        """
        padding = (kernel.shape[2] // 2, kernel.shape[3] // 2)
        if kernel.shape[2] > 1 and torch.is_grad_enabled():
            around = F.unfold(alpha_past[:, None], kernel.shape[2:], padding=padding)  # (B, kh*kw, T)
            return F.linear(around.transpose(1, 2), kernel.flatten(1)).transpose(1, 2)
        return F.conv2d(alpha_past[:, None], kernel, padding=padding).flatten(2)


def attend(energy: Tensor, prepared: Prepared) -> tuple[Tensor, Tensor]:
    """Eq. (13): coefficients (B, T) over the real places and their context (B, D)."""
    alpha = torch.softmax(energy.masked_fill(~prepared.mask, float("-inf")), dim=1)
    context = torch.bmm(alpha[:, None], prepared.values)[:, 0]
    return alpha, context


class CoverageAttention(Attention):
    """f_att of Eqs. (11) to (13) over one memory."""

    def __init__(self, D: int, n: int, n_att: int, q: int, kernel: Kernel) -> None:
        super().__init__()
        self.D = D
        self.W_att = nn.Linear(n, n_att, bias=False)
        self.v_att = nn.Parameter(torch.empty(n_att).uniform_(-1, 1) / n_att**0.5)
        self.terms = CoverageTerms(D, n_att, q, kernel)

    def places_of(self, part: str, view: int) -> tuple[str, ...]:
        return (part,)

    def prepare(self, memories: list[Memory]) -> list[Prepared]:
        return [self.terms.prepare(memories[0])]

    def initial_coverage(self, memories: list[Memory]) -> tuple[Tensor, ...]:
        return (torch.zeros_like(memories[0].features[..., 0]),)

    def forward(self, h_hat: Tensor, prepared: list[Prepared], coverage: tuple[Tensor, ...]) -> Attended:
        context, alpha = self.look(h_hat, prepared[0], coverage[0])
        return Attended(context, (alpha,), (coverage[0] + alpha,))

    def look(self, h_hat: Tensor, prepared: Prepared, alpha_past: Tensor) -> tuple[Tensor, Tensor]:
        """Context (B, D) and coefficients (B, H, W) of one step."""
        terms = (
            prepared.keys
            + self.W_att(h_hat)[:, :, None]
            + self.terms.coverage_term(alpha_past, prepared.kernel)
        )
        energy = self.v_att @ torch.tanh(terms)  # (B, T)   Eq. (12)
        alpha, context = attend(energy, prepared)
        return context, alpha.view_as(alpha_past)


def _one_a_view(Ds: Sequence[int], n: int, n_att: int, q: int, kernels: Sequence[Kernel]) -> nn.ModuleList:
    return nn.ModuleList(
        CoverageAttention(size, n, n_att, q, kernel) for size, kernel in zip(Ds, kernels, strict=True)
    )


def _coverage(modules: nn.ModuleList) -> list[CoverageAttention]:
    return cast("list[CoverageAttention]", modules)


class JoinedAttention(Attention):
    """Attention over several views, whose contexts W_FC joins."""

    joining = "W_FC.weight"
    W_FC: nn.Linear

    def joined(self, contexts: list[Tensor]) -> Tensor:
        return torch.tanh(self.W_FC(torch.cat(contexts, dim=1)))  # (B, D)   Eq. (19)


class MultiModalAttention(JoinedAttention):
    """One coverage attention a view; the contexts are joined by W_FC (MAN and the "+" systems)."""

    def __init__(
        self, Ds: Sequence[int], D: int, n: int, n_att: int, q: int, kernels: Sequence[Kernel]
    ) -> None:
        super().__init__()
        self.D = D
        self.attentions = _one_a_view(Ds, n, n_att, q, kernels)
        self.W_FC = nn.Linear(sum(Ds), D, bias=False)

    def places_of(self, part: str, view: int) -> tuple[str, ...]:
        return (f"attentions.{view}.{part}",)

    def prepare(self, memories: list[Memory]) -> list[Prepared]:
        return [
            a.terms.prepare(memory) for a, memory in zip(_coverage(self.attentions), memories, strict=True)
        ]

    def initial_coverage(self, memories: list[Memory]) -> tuple[Tensor, ...]:
        return tuple(torch.zeros_like(memory.features[..., 0]) for memory in memories)

    def forward(self, h_hat: Tensor, prepared: list[Prepared], coverage: tuple[Tensor, ...]) -> Attended:
        looks = [
            attention.look(h_hat, memory, past)
            for attention, memory, past in zip(_coverage(self.attentions), prepared, coverage, strict=True)
        ]
        c_mm = self.joined([context for context, _ in looks])
        alphas = tuple(alpha for _, alpha in looks)
        return Attended(c_mm, alphas, tuple(a + b for a, b in zip(coverage, alphas, strict=True)))


class ReAttention(JoinedAttention):
    """Two stages (Eqs. 15 to 19): a pre-attention a view, then a fine one that also takes the other view's context.

    The fine attention shares W_att and v_att between the views, which carry no superscript in the paper; each
    stage keeps its own coverage.
    """

    def __init__(
        self, Ds: Sequence[int], D: int, n: int, n_att: int, q: int, kernels: Sequence[Kernel]
    ) -> None:
        super().__init__()
        self.D = D
        self.pre = _one_a_view(Ds, n, n_att, q, kernels)
        self.W_att = nn.Linear(n, n_att, bias=False)
        self.v_att = nn.Parameter(torch.empty(n_att).uniform_(-1, 1) / n_att**0.5)
        self.fine = nn.ModuleList(
            CoverageTerms(size, n_att, q, kernel) for size, kernel in zip(Ds, kernels, strict=True)
        )
        self.U_p = nn.ModuleList(nn.Linear(size, n_att, bias=False) for size in Ds)
        self.W_FC = nn.Linear(sum(Ds), D, bias=False)

    def places_of(self, part: str, view: int) -> tuple[str, ...]:
        of_terms = part.removeprefix("terms.")
        return f"pre.{view}.{part}", part if of_terms == part else f"fine.{view}.{of_terms}"

    def prepare(self, memories: list[Memory]) -> list[Prepared]:
        stages = [
            [attention.terms for attention in _coverage(self.pre)],
            cast("list[CoverageTerms]", self.fine),
        ]
        return [
            terms.prepare(memory) for stage in stages for terms, memory in zip(stage, memories, strict=True)
        ]

    def initial_coverage(self, memories: list[Memory]) -> tuple[Tensor, ...]:
        return tuple(torch.zeros_like(memory.features[..., 0]) for memory in [*memories, *memories])

    def forward(self, h_hat: Tensor, prepared: list[Prepared], coverage: tuple[Tensor, ...]) -> Attended:
        pre, fine = _coverage(self.pre), cast("list[CoverageTerms]", self.fine)
        looks = [pre[v].look(h_hat, prepared[v], coverage[v]) for v in (0, 1)]
        c_hat = [context for context, _ in looks]  # each (B, D)   Eq. (15)
        query = self.W_att(h_hat)
        contexts, alphas = [], []
        for v in (0, 1):
            memory, past, other = prepared[2 + v], coverage[2 + v], 1 - v
            hinted = query + self.U_p[other](c_hat[other])
            terms = memory.keys + hinted[:, :, None] + fine[v].coverage_term(past, memory.kernel)
            alpha, context = attend(self.v_att @ torch.tanh(terms), memory)  # Eqs. (16) to (18)
            contexts.append(context)
            alphas.append(alpha.view_as(past))
        c_mm = self.joined(contexts)
        spent = [alpha for _, alpha in looks] + alphas
        return Attended(c_mm, tuple(alphas), tuple(a + b for a, b in zip(coverage, spent, strict=True)))


def _over_one(Ds: Sequence[int], kernels: Sequence[Kernel], config: ModelConfig) -> Attention:
    return CoverageAttention(Ds[0], config.n, config.n_att, config.q, kernels[0])


def _over_two(Ds: Sequence[int], kernels: Sequence[Kernel], config: ModelConfig) -> Attention:
    return MultiModalAttention(Ds, max(Ds), config.n, config.n_att, config.q, kernels)


def _over_two_twice(Ds: Sequence[int], kernels: Sequence[Kernel], config: ModelConfig) -> Attention:
    return ReAttention(Ds, max(Ds), config.n, config.n_att, config.q, kernels)


# By fusion: the attention over memories of sizes Ds, with the kernel of Q for each.
ATTENTIONS: dict[Fusion, Callable[[Sequence[int], Sequence[Kernel], ModelConfig], Attention]] = {
    Fusion.NONE: _over_one,
    Fusion.ENCODER: _over_one,
    Fusion.DECODER: _over_two,
    Fusion.RE_ATTENTION: _over_two_twice,
}
