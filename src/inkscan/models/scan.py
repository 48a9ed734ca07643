"""SCAN: encoders, views, fusion and decoder put together after a row of `systems`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from inkscan.errors import UnsupportedSystem
from inkscan.features import FeatureBatch
from inkscan.models.attention import ATTENTIONS
from inkscan.models.context import StrokeContext
from inkscan.models.decoder import Decoder
from inkscan.models.encoders import OfflineEncoder, OnlineEncoder
from inkscan.models.fusion import JOINS
from inkscan.models.memory import Memory, stroke_pool
from inkscan.models.systems import SYSTEMS, ModelConfig, System, View, system_named

WITH_CONTEXT = tuple(name for name, system in SYSTEMS.items() if system.takes_context)


class TensorBatch(NamedTuple):
    """A FeatureBatch as tensors; what a system does not use is None."""

    stroke_mask: Tensor  # (B, M)
    points: Tensor | None  # (B, N, 8)
    point_mask: Tensor | None  # (B, N)
    pmask_on: Tensor | None  # (B, M, L)
    image: Tensor | None  # (B, H_in, W_in)
    image_mask: Tensor | None  # (B, H_in, W_in)
    pmask_off: Tensor | None  # (B, M, H, W)

    @classmethod
    def of(cls, batch: FeatureBatch) -> TensorBatch:
        arrays = batch.arrays()
        tensors = {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in arrays.items()}
        return cls(**{name: tensors.get(name) for name in cls._fields})  # type: ignore[arg-type]

    def to(self, device: torch.device) -> TensorBatch:
        """The same on a device."""
        return TensorBatch(*(None if tensor is None else tensor.to(device) for tensor in self))  # type: ignore[arg-type]


class Decoded(NamedTuple):
    """Teacher-forced decoding of a batch."""

    logits: Tensor  # (B, C, K)
    alphas: tuple[Tensor, ...]  # one a view, each (B, C, T)


class Scan(nn.Module):
    """Any of the ten systems."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.system = system_named(config.system)
        both = self.system.online and self.system.offline
        self.online = OnlineEncoder(config) if self.system.online else None
        self.offline = OfflineEncoder(config) if self.system.offline else None
        # "additional fully connected layers on top of online and offline channels of multi-modal encoder"
        self.W_on = nn.Linear(self.online.D, config.D, bias=False) if both and self.online else None
        self.W_off = nn.Linear(self.offline.D, config.D, bias=False) if both and self.offline else None
        Ds = [self._view_size()] * len(self.system.views)
        fusion = self.system.fusion
        self.join = JOINS[fusion](Ds, config) if fusion in JOINS else None
        Ds = Ds if self.join is None else [self.join.D]
        self.context = _context(self.system, Ds[0], config)
        self.decoder = Decoder(
            ATTENTIONS[fusion](Ds, [_kernel(view, config) for view in self.system.attended], config),
            start_D=sum(Ds),
            K=config.vocabulary_size,
            m=config.m,
            n=config.n,
            dropout=config.dropout,
        )

    def _view_size(self) -> int:
        if self.online and self.offline:
            return self.config.D
        encoder = self.online or self.offline
        assert encoder is not None
        return encoder.D

    def encode(self, batch: TensorBatch) -> list[Memory]:
        """The memories that the decoder attends to: one a view, or one in all after encoder fusion."""
        local: dict[bool, tuple[Memory, Tensor]] = {}
        if self.online is not None:
            assert batch.points is not None and batch.point_mask is not None and batch.pmask_on is not None
            memory = self.online(batch.points, batch.point_mask)
            memory = _projected(memory, self.W_on)
            if self.training and self.offline is not None and self.config.hide_online:
                memory = _hidden(memory, self.config.hide_online)
            local[True] = memory, batch.pmask_on
        if self.offline is not None:
            assert batch.image is not None and batch.image_mask is not None and batch.pmask_off is not None
            memory = self.offline(batch.image, batch.image_mask)
            local[False] = _projected(memory, self.W_off), batch.pmask_off.flatten(2)
        memories = []
        for view in self.system.views:
            memory, pmask = local[view.online]
            if view.strokes:
                memory = stroke_pool(pmask, memory.features.flatten(1, 2), batch.stroke_mask)
            memories.append(memory)
        if self.join is not None:
            memories = [self.join(memories)]
        if self.context is not None:
            assert batch.points is not None and batch.pmask_on is not None
            memories = [self.context(memories[0], batch.points, batch.pmask_on)]
        return memories

    def forward(self, batch: TensorBatch, tokens: Tensor) -> Decoded:
        """Teacher forcing: tokens (B, C) with the end token last, anything after it ignored by the caller."""
        memories = self.encode(batch)
        state = self.decoder.start(memories)
        prepared = self.decoder.attention.prepare(memories)
        start = torch.full_like(tokens[:, :1], self.config.vocabulary_size)
        before = torch.cat([start, tokens[:, :-1]], dim=1)
        y = self.decoder.embed(before)  # (B, C, m)
        steps = []
        for t in range(tokens.shape[1]):
            step = self.decoder.step(y[:, t], state, prepared)
            state = step.state
            steps.append(step)
        h = torch.stack([step.h for step in steps], dim=1)
        context = torch.stack([step.context for step in steps], dim=1)
        alphas = tuple(
            torch.stack([step.alphas[v].flatten(1) for step in steps], dim=1)
            for v in range(len(steps[0].alphas))
        )
        return Decoded(self.decoder.read_out(y, h, context), alphas)


def _projected(memory: Memory, project: nn.Linear | None) -> Memory:
    return memory if project is None else Memory(project(memory.features), memory.mask)


def _hidden(memory: Memory, rate: float) -> Memory:
    """Zeros for some of the inks, so that the other modality must learn to read by itself."""
    shown = torch.rand(len(memory.features), 1, 1, 1, device=memory.features.device) >= rate
    return Memory(memory.features * shown, memory.mask)


def _context(system: System, D: int, config: ModelConfig) -> StrokeContext | None:
    if not config.context_layers:
        return None
    if not system.takes_context:
        raise UnsupportedSystem(
            f"context_layers need one memory of strokes with a trace, as in {' and '.join(WITH_CONTEXT)}"
        )
    return StrokeContext(D, config)


def _kernel(view: View, config: ModelConfig) -> tuple[int, int]:
    """The size of Q over a view: of the offline ones the paper's 11 x 11, of which a row of strokes sees one row."""
    if view.online:
        return 1, config.stroke_kernel
    return (1 if view.strokes else config.pixel_kernel), config.pixel_kernel
