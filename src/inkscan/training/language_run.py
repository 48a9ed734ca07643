"""Training of a language model of formulas: some minutes, so a run that was stopped begins again."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from inkscan.errors import TrainingError
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.language_model import LanguageNetwork
from inkscan.training.precision import Precision, computed_in
from inkscan.training.recipes import LanguageRecipe
from inkscan.training.schedule import learning_rate

JITTER = 3.0  # tokens: formulas whose lengths differ less meet in one batch
FILLER = -1  # the class of a place behind an answer's end

Answers = Sequence[tuple[int, ...]]


@dataclass(frozen=True)
class LanguageProgress:
    epoch: int = 0
    formulas: int = 0  # that an epoch goes through, repeated ones too
    cpu_hours: float = 0.0
    cross_entropy: float = 0.0  # nats a token of the validation set's truths


@dataclass(frozen=True)
class LanguageRun:
    """Everything that a run is given."""

    vocabulary: Vocabulary
    recipe: LanguageRecipe
    formulas: Answers  # without end tokens
    valid: Answers
    provenance: dict[str, Any] = field(default_factory=dict)
    precision: Precision = "32-true"


def train_language(
    run: LanguageRun, listen: Callable[[LanguageProgress], None] = lambda progress: None
) -> tuple[LanguageNetwork, LanguageProgress]:
    """Train to the recipe's last epoch."""
    recipe = run.recipe
    torch.manual_seed(recipe.seed)
    model = LanguageNetwork(len(run.vocabulary))
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=recipe.weight_decay)
    schedule = recipe.as_recipe()
    started, step = time.process_time(), 0
    progress = LanguageProgress(formulas=len(run.formulas))
    for epoch in range(int(recipe.epochs)):
        rng = np.random.default_rng([recipe.seed, epoch])
        batches = _batches(run.formulas, recipe.batch_size, rng)
        model.train()
        for number, batch in enumerate(batches):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(schedule, step, epoch + number / len(batches))
            loss = _cross_entropy(model, *_padded(batch, run.vocabulary), precision=run.precision)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip_norm or math.inf)
            optimizer.step()
            step += 1
        cross_entropy = _validated(model, run)
        if not math.isfinite(cross_entropy):
            raise TrainingError(f"scores are not finite after epoch {epoch + 1}; lower learning_rate")
        hours = (time.process_time() - started) / 3600
        progress = LanguageProgress(epoch + 1, len(run.formulas), hours, cross_entropy)
        listen(progress)
    return model.eval(), progress


def _batches(formulas: Answers, size: int, rng: np.random.Generator) -> list[Answers]:
    """All formulas with their like in length, in no order."""
    lengths = np.array([len(one) for one in formulas]) + rng.random(len(formulas)) * JITTER
    order = np.argsort(lengths).tolist()
    firsts = rng.permutation(np.arange(0, len(order), size)).tolist()
    return [[formulas[at] for at in order[first : first + size]] for first in firsts]


def _padded(answers: Answers, vocabulary: Vocabulary) -> tuple[Tensor, Tensor]:
    """Answers with their ends, and the same as classes, of which fillers do not count."""
    width = max(map(len, answers)) + 1
    tokens = torch.full((len(answers), width), vocabulary.end)
    classes = torch.full((len(answers), width), FILLER)
    for row, answer in enumerate(answers):
        tokens[row, : len(answer)] = classes[row, : len(answer)] = torch.tensor(answer)
        classes[row, len(answer)] = vocabulary.end
    return tokens, classes


def _cross_entropy(
    model: LanguageNetwork, tokens: Tensor, classes: Tensor, precision: Precision = "32-true"
) -> Tensor:
    with computed_in(precision):
        log_probs = model(tokens)
    return functional.nll_loss(log_probs.float().flatten(0, 1), classes.flatten(), ignore_index=FILLER)


@torch.no_grad()
def _validated(model: LanguageNetwork, run: LanguageRun) -> float:
    model.eval()
    total = count = 0.0
    for batch in _batches(run.valid, run.recipe.batch_size, np.random.default_rng(run.recipe.seed)):
        tokens, classes = _padded(batch, run.vocabulary)
        real = int((classes != FILLER).sum())
        total += float(_cross_entropy(model, tokens, classes)) * real
        count += real
    return total / count
