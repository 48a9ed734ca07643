"""The online encoder (DenseNet and bidirectional GRUs) and the offline encoder (a deeper DenseNet)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from inkscan.features.settings import OFFLINE_STRIDE, ONLINE_STRIDE
from inkscan.models.densenet import offline_densenet, online_densenet
from inkscan.models.dropout import Dropout
from inkscan.models.memory import Memory
from inkscan.models.systems import ModelConfig

# The convolution library prepares itself anew for every width that it meets; in training there shall be few of them.
TRAINING_WIDTH = 32


class BidirectionalGRU(nn.Module):
    """One layer of Eq. (3) in both directions; the backward one starts at each sequence's own end."""

    def __init__(self, size: int, units: int) -> None:
        super().__init__()
        self.forwards = nn.GRU(size, units, batch_first=True)
        self.backwards = nn.GRU(size, units, batch_first=True)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x (B, L, size), mask (B, L) -> (B, L, 2 units), zero at the padding."""
        turn = turned_positions(mask)[:, :, None]  # (B, L, 1)
        ahead = self.forwards(x)[0]
        back = self.backwards(x.gather(1, turn.expand_as(x)))[0]
        back = back.gather(1, turn.expand_as(back))
        return torch.cat([ahead, back], dim=2) * mask[:, :, None]


def turned_positions(mask: Tensor) -> Tensor:
    """Indices (B, L) that reverse the real places of each row and leave the padding where it is."""
    position = torch.arange(mask.shape[1], device=mask.device)
    return torch.where(mask, mask.sum(dim=1, keepdim=True) - 1 - position, position)


class OnlineEncoder(nn.Module):
    """Points (B, N, 8) -> point-level features A on a 1 x L grid."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.densenet = online_densenet(config)
        sizes = [self.densenet.channels] + [2 * config.gru_units] * (config.gru_layers - 1)
        self.grus = nn.ModuleList(BidirectionalGRU(size, config.gru_units) for size in sizes)
        self.dropout = Dropout(config.dropout)
        self.D = 2 * config.gru_units

    def forward(self, points: Tensor, point_mask: Tensor) -> Memory:
        N = points.shape[1]
        more = -N % TRAINING_WIDTH if self.training else 0
        x = F.pad(points.transpose(1, 2)[:, :, None], (0, more))  # (B, 8, 1, N)
        maps, real = self.densenet(x, F.pad(point_mask[:, None], (0, more)))
        L = N // ONLINE_STRIDE
        a = maps[:, :, 0, :L].transpose(1, 2)  # (B, L, D')
        mask = real[:, 0, :L]  # (B, L)
        for gru in self.grus:
            a = gru(self.dropout(a), mask)  # (B, L, D)   Eq. (3)
        return Memory(a[:, None], mask[:, None])


class OfflineEncoder(nn.Module):
    """Images (B, H_in, W_in) -> pixel-level features B on an H x W grid."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.densenet = offline_densenet(config)
        self.D = self.densenet.channels

    def forward(self, image: Tensor, image_mask: Tensor) -> Memory:
        W = image.shape[2]
        more = -W % TRAINING_WIDTH if self.training else 0
        x = F.pad(image[:, None], (0, more))  # (B, 1, H_in, W_in)
        maps, real = self.densenet(x, F.pad(image_mask, (0, more)))
        columns = W // OFFLINE_STRIDE
        return Memory(maps[..., :columns].permute(0, 2, 3, 1), real[:, :, :columns])
