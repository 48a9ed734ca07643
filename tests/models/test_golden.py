"""Golden losses: a change of the code that is not meant to change the models must reproduce these numbers.

They are the losses of an untrained tiny model in training mode, before and after one step of plain gradient
descent, so that encoders, attention, read-out, guider and gradients all have a part in them. After a change
that is meant, write them anew with `python -m tests.models.test_golden` and say why in docs/decisions.md.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from tests.models.generated_ink import ALL_SYSTEMS, TAP, K, scribble, tensors

from inkscan.models.scan import Scan
from inkscan.models.systems import System, preset
from inkscan.training.batches import TrainingBatch
from inkscan.training.loss import objective

GOLDEN = Path(__file__).with_name("golden_losses.json")


def losses(system: System) -> list[float]:
    """Cross entropy, guider and total, then the total after a step."""
    torch.manual_seed(20)
    model = Scan(preset("tiny", system.name, K)).train()
    features = tensors([scribble([9, 14, 30, 6]), scribble([12, 11, 1], seed=1)], system, TAP, double=False)
    tokens = torch.tensor([[3, 1, 4, 1, 5, K - 1], [2, 7, K - 1, K - 1, K - 1, K - 1]])
    token_mask = torch.tensor([[True] * 6, [True] * 3 + [False] * 3])
    gamma = torch.zeros(2, 6, 4)
    gamma[0, 0, 0] = gamma[0, 2, 3] = gamma[1, 0, 2] = 1.0
    gamma[0, 1, 1:3] = gamma[1, 1, 0:2] = 0.5
    batch = TrainingBatch(features, tokens, token_mask, gamma)
    first = objective(model(features, tokens), batch, system, guider=0.2, smoothing=0.0)
    first.total.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            assert parameter.grad is not None
            parameter.sub_(parameter.grad, alpha=0.1)
        then = objective(model(features, tokens), batch, system, guider=0.2, smoothing=0.0)
    return [loss.item() for loss in (first.cross_entropy, first.guider, first.total, then.total)]


@pytest.mark.parametrize("system", ALL_SYSTEMS, ids=lambda system: system.name)
def test_golden_losses(system: System) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert losses(system) == pytest.approx(golden[system.name], rel=1e-4)


if __name__ == "__main__":
    rows = [f'  "{s.name}": {json.dumps([round(value, 6) for value in losses(s)])}' for s in ALL_SYSTEMS]
    GOLDEN.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
