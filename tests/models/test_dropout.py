"""Dropout against what it stands in for: nn.Dropout."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from inkscan.models.dropout import DRAWS, Dropout


def of_ones(dropout: Dropout, count: int) -> Tensor:
    torch.manual_seed(1)
    dropped: Tensor = dropout(torch.ones(count))
    return dropped


@pytest.mark.parametrize("p", [0.05, 0.2, 0.5, 0.9])
def test_a_share_becomes_zero_and_the_rest_keeps_the_mean(p: float) -> None:
    y = of_ones(Dropout(p).train(), 400_000)
    assert (y == 0).float().mean().item() == pytest.approx(p, abs=0.005)
    assert y[y > 0].unique().tolist() == pytest.approx([1 / (1 - p)], rel=1e-4)


def test_draws_of_one_random_number_are_alike_and_independent() -> None:
    kept = of_ones(Dropout(0.5).train(), 400_000).view(-1, DRAWS) > 0
    assert kept.float().mean(0).tolist() == pytest.approx([0.5] * DRAWS, abs=0.01)
    correlation = torch.corrcoef(kept.float().T) - torch.eye(DRAWS)
    assert correlation.abs().max().item() < 0.01


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 7), (2, 5, 3)])
def test_any_shape_in_any_layout(shape: tuple[int, ...]) -> None:
    x = torch.ones(shape).transpose(0, -1)
    assert Dropout(0.3).train()(x).shape == x.shape


def test_the_gradient_goes_where_the_values_went() -> None:
    x = torch.ones(100, dtype=torch.bfloat16, requires_grad=True)
    y = Dropout(0.2).train()(x)
    y.sum().backward()
    assert x.grad is not None and torch.equal(x.grad, y)
    assert y.dtype == x.dtype


def test_the_same_seed_draws_the_same() -> None:
    assert torch.equal(of_ones(Dropout(0.2).train(), 99), of_ones(Dropout(0.2).train(), 99))


@pytest.mark.parametrize("dropout", [Dropout(0.2).eval(), Dropout(0.0).train()])
def test_nothing_is_dropped_outside_training_or_at_zero(dropout: Dropout) -> None:
    x = torch.ones(5)
    assert dropout(x) is x
