"""Statistics of batch norms measured anew: those of the data, whatever they were before."""

from __future__ import annotations

import torch

from inkscan.data.sample import Sample
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import preset
from inkscan.training.recipes import NO_PATTERNS, Recipe
from inkscan.training.statistics import measure_statistics


def test_statistics_are_the_datas_and_weights_stay(samples: list[Sample]) -> None:
    torch.manual_seed(0)
    model = Scan(preset("tiny", "onscan", len(CROHME)))
    recipe = Recipe(patterns=NO_PATTERNS, batch_size=8)
    measure_statistics(model, samples, recipe)
    first = {name: value.clone() for name, value in model.state_dict().items()}
    with torch.no_grad():
        for name, buffer in model.named_buffers():
            buffer.fill_(77.0)
            assert not torch.equal(buffer, first[name])
    measure_statistics(model, samples, recipe)
    for name, value in model.state_dict().items():
        torch.testing.assert_close(value, first[name])
    assert not model.training
