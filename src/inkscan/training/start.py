"""The start of a run: weights of other models, placed where they fit."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from inkscan.errors import BadCheckpoint
from inkscan.models.scan import Scan

LEAST_FILLED = 0.2  # of the tensors of another model; below that, sizes agree by chance


def filled_weights(model: Scan, weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The model's weights with another's in their places."""
    if len(fill_parts(model, weights)) < LEAST_FILLED * len(weights):
        raise BadCheckpoint("hardly a part of the checkpoint of --init fits; are --preset and sizes its own?")
    return model.state_dict()


def fill_parts(model: Scan, weights: dict[str, Tensor]) -> list[str]:
    """Start from another model's weights where the names agree; returns the names filled.

    A matrix that takes more columns here gets the other's first and zeros for the rest, and what projects the online
    features of a multi-modal model starts as the identity: an MMSCAN-E begins as the OnSCAN that it is filled from.
    """
    own = model.state_dict()
    filled = {}
    for name, value in weights.items():
        if name not in own:
            continue
        ours, theirs = own[name].shape, value.shape
        if ours == theirs:
            filled[name] = value
        elif len(ours) == len(theirs) == 2 and ours[0] == theirs[0] and ours[1] > theirs[1]:
            filled[name] = nn.functional.pad(value, (0, ours[1] - theirs[1]))
    if model.W_on is not None and "W_on.weight" not in weights:
        filled["W_on.weight"] = torch.eye(*model.W_on.weight.shape, dtype=model.W_on.weight.dtype)
    model.load_state_dict({**own, **filled})
    return list(filled)
