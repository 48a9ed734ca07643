"""Own symbols: a trained model learns tokens that it was not made for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from inkscan.errors import BadSetting
from inkscan.latex.vocabulary import Vocabulary
from inkscan.training.checkpoint import Checkpoint, Progress
from inkscan.training.recipes import Recipe

PER_TOKEN = ("decoder.E.weight", "decoder.W_o.weight")  # a row for each token of the vocabulary


def extended_vocabulary(old: Vocabulary, tokens: Sequence[str]) -> Vocabulary:
    """The old tokens with their numbers, then the new ones."""
    known = [token for token in tokens if token in old]
    if known or not tokens:
        raise BadSetting(
            f"the model knows {' '.join(known)} already; --add-symbols names new tokens only"
            if known
            else "--add-symbols needs at least one token, such as '\\aleph \\oplus'"
        )
    return Vocabulary((*old.tokens, *dict.fromkeys(tokens)))


def extended_checkpoint(checkpoint: Checkpoint, tokens: Sequence[str], recipe: Recipe) -> Checkpoint:
    """A checkpoint to train on from by another recipe; sizes and features of the model stay."""
    vocabulary = extended_vocabulary(checkpoint.vocabulary, tokens)
    weights = extended_weights(checkpoint.weights(), checkpoint.vocabulary, vocabulary)
    return replace(
        checkpoint,
        config=replace(checkpoint.config, vocabulary_size=len(vocabulary)),
        vocabulary=vocabulary,
        recipe=replace(recipe, features=checkpoint.recipe.features),
        progress=Progress(),
        tensors={f"model.{name}": tensor for name, tensor in weights.items()},
    )


def extended_weights(
    weights: dict[str, Tensor], old_vocabulary: Vocabulary, new_vocabulary: Vocabulary
) -> dict[str, Tensor]:
    """The same weights for a larger vocabulary; a new token starts as the mean of the old ones."""
    places = torch.tensor([old_vocabulary.index.get(token, -1) for token in new_vocabulary.tokens])
    extended = dict(weights)
    for name in PER_TOKEN:
        rows = weights[name]
        extended[name] = torch.where((places >= 0)[:, None], rows[places.clamp_min(0)], rows.mean(dim=0))
    return extended
