"""Training of a classifier of single symbols, on the symbols of the same patterns that the ten systems learn from.

As in `training.loop` all that is drawn comes from seeds made of the recipe's, the epoch and the place, and the run is
kept after each epoch, so that one that was killed goes on exactly.
"""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from inkscan.data.sample import Sample
from inkscan.errors import BadCheckpoint, TrainingError
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.symbol_classifier import SymbolClassifier
from inkscan.training.ahead import received, saying_who_ended
from inkscan.training.checkpoint import (
    FileFormat,
    optimizer_tensors,
    read_tensors,
    refusing_damage,
    restore_optimizer,
    tensors_under,
    write_tensors,
)
from inkscan.training.patterns import Material, PatternSource
from inkscan.training.precision import Precision, computed_in
from inkscan.training.recipes import ClassifierRecipe, to_plain
from inkscan.training.schedule import learning_rate
from inkscan.training.symbol_examples import SymbolExamples, examples_of

FORMAT = FileFormat("inkscan-classifier-checkpoint-1")
TO_GO_ON = "the same command"
PATTERNS_AT_ONCE = 800  # whose symbols are mixed into batches
CHUNKS_AHEAD = 4
VALIDATED_AT_ONCE = 512


@dataclass(frozen=True)
class ClassifierProgress:
    epoch: int = 0
    step: int = 0
    symbols: int = 0
    cpu_hours: float = 0.0
    accuracy: float = 0.0  # on the validation set's symbols, per cent
    cross_entropy: float = 0.0


@dataclass(frozen=True)
class ClassifierRun:
    """Everything that a run is given."""

    vocabulary: Vocabulary
    recipe: ClassifierRecipe
    train: Sequence[Sample]
    valid: Sequence[Sample]
    extra: Material
    out: Path  # the checkpoint
    provenance: dict[str, Any] = field(default_factory=dict)
    precision: Precision = "32-true"
    ahead: bool = False  # whether a process of its own makes the pictures


@dataclass(frozen=True)
class ClassifierCheckpoint:
    """A run after one of its epochs."""

    vocabulary: Vocabulary
    recipe: dict[str, Any]
    progress: ClassifierProgress
    provenance: dict[str, Any]
    tensors: dict[str, Tensor]


def train_classifier(
    run: ClassifierRun, listen: Callable[[ClassifierProgress], None] = lambda progress: None
) -> tuple[SymbolClassifier, ClassifierProgress]:
    """Train to the recipe's last epoch, from the checkpoint that is there if there is one; the averaged network."""
    torch.manual_seed(run.recipe.seed)
    model = SymbolClassifier(len(run.vocabulary) + 1)
    model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = copy.deepcopy(model).requires_grad_(False).eval()
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=run.recipe.weight_decay)
    progress = ClassifierProgress()
    if run.out.exists():
        progress = _restored(run, model, average, optimizer)
    validation = examples_of(run.valid, run.vocabulary)
    if not len(validation.classes):
        raise TrainingError("no symbol of the validation corpus is known by its strokes")
    source = PatternSource(run.train, run.recipe.as_recipe(), extra=run.extra)
    while progress.epoch < run.recipe.epochs:
        started = time.process_time()
        chunks = _Chunks(run, source, progress.epoch)
        with saying_who_ended(TO_GO_ON):
            progress = _one_epoch(run, chunks, model, average, optimizer, progress)
        accuracy, cross_entropy = _validated(average, validation)
        if not math.isfinite(cross_entropy):  # the last sound checkpoint stays
            raise TrainingError(f"scores are not finite after epoch {progress.epoch}; lower learning_rate")
        hours = progress.cpu_hours + (time.process_time() - started) / 3600
        progress = replace(progress, cpu_hours=hours, accuracy=100 * accuracy, cross_entropy=cross_entropy)
        _save(run, model, average, optimizer, progress)
        listen(progress)
    return average, progress


def _one_epoch(
    run: ClassifierRun,
    chunks: _Chunks,
    model: SymbolClassifier,
    average: SymbolClassifier,
    optimizer: torch.optim.Optimizer,
    progress: ClassifierProgress,
) -> ClassifierProgress:
    recipe, step, symbols = run.recipe, progress.step, progress.symbols
    schedule = recipe.as_recipe()
    torch.manual_seed(recipe.seed + progress.epoch)  # of dropout
    model.train()
    prefetch = CHUNKS_AHEAD if run.ahead else None
    loader = DataLoader(chunks, batch_size=None, num_workers=int(run.ahead), prefetch_factor=prefetch)
    made = received(loader, TO_GO_ON) if run.ahead else loader
    for number, (images, measures, classes) in enumerate(made):
        for first in range(0, len(classes), recipe.batch_size):
            batch = slice(first, first + recipe.batch_size)
            done = progress.epoch + (number + first / len(classes)) / chunks.count
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(schedule, step, done)
            with computed_in(run.precision):
                scores = model(_as_floats(images[batch]), measures[batch])
            loss = functional.cross_entropy(
                scores.float(), classes[batch], label_smoothing=recipe.label_smoothing
            )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            step += 1
            _follow(average, model, min(recipe.ema, (step + 1) / (step + 20)))
        symbols += len(classes)
    return replace(progress, epoch=progress.epoch + 1, step=step, symbols=symbols)


class _Chunks(IterableDataset[tuple[Tensor, Tensor, Tensor]]):
    """The symbols of an epoch's patterns, a few patterns at a time, mixed."""

    def __init__(self, run: ClassifierRun, source: PatternSource, epoch: int) -> None:
        self.run, self.source, self.epoch = run, source, epoch
        self.count = -(-len(run.train) // PATTERNS_AT_ONCE)

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        run = self.run
        rng = np.random.default_rng([run.recipe.seed, 3, self.epoch])
        places = rng.permutation(len(run.train)).tolist()
        for first in range(0, len(places), PATTERNS_AT_ONCE):
            patterns = self.source.epoch(self.epoch, places[first : first + PATTERNS_AT_ONCE])
            examples = examples_of(patterns, run.vocabulary, rng)
            mixed = rng.permutation(len(examples.classes))
            yield tuple(map(torch.from_numpy, (one[mixed] for one in _arrays(examples))))  # type: ignore[misc]


def _arrays(examples: SymbolExamples) -> tuple[Any, ...]:
    return examples.images, examples.measures, examples.classes


def _as_floats(images: Tensor) -> Tensor:
    return (images.float() / 255).contiguous(memory_format=torch.channels_last)


@torch.no_grad()
def _follow(average: SymbolClassifier, model: SymbolClassifier, decay: float) -> None:
    for slow, fast in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
        if slow.is_floating_point():
            slow.lerp_(fast, 1 - decay)
        else:
            slow.copy_(fast)


@torch.no_grad()
def _validated(model: SymbolClassifier, examples: SymbolExamples) -> tuple[float, float]:
    """How many symbols are known, and the cross entropy, if nothing could be no symbol."""
    images, measures, classes = map(torch.from_numpy, _arrays(examples))
    scores = torch.cat([
        model(_as_floats(images[first : first + VALIDATED_AT_ONCE]), measures[first : first + VALIDATED_AT_ONCE])
        for first in range(0, len(classes), VALIDATED_AT_ONCE)
    ])[:, :-1]  # fmt: skip
    right = (scores.argmax(dim=1) == classes).float().mean()
    return float(right), float(functional.cross_entropy(scores, classes))


def _save(
    run: ClassifierRun,
    model: SymbolClassifier,
    average: SymbolClassifier,
    optimizer: torch.optim.Optimizer,
    progress: ClassifierProgress,
) -> None:
    tensors = {
        **{f"model.{name}": value for name, value in model.state_dict().items()},
        **{f"ema.{name}": value for name, value in average.state_dict().items()},
        **optimizer_tensors(optimizer, model),
    }
    texts = {
        "vocabulary": run.vocabulary.to_json(),
        "recipe": json.dumps(to_plain(run.recipe)),
        "progress": json.dumps(asdict(progress)),
        "provenance": json.dumps(run.provenance),
    }
    write_tensors(run.out, FORMAT, texts, tensors)


def _restored(
    run: ClassifierRun,
    model: SymbolClassifier,
    average: SymbolClassifier,
    optimizer: torch.optim.Optimizer,
) -> ClassifierProgress:
    """The run that the checkpoint holds, if it is one with this recipe but for its length."""
    begun = load_classifier_checkpoint(run.out)
    mine = json.loads(json.dumps(to_plain(run.recipe)))
    length = dict.fromkeys(("epochs", "cooldown"))
    # Older files also hold settings that a classifier never had a use for.
    if {name: begun.recipe.get(name) for name in mine} | length != mine | length:
        raise BadCheckpoint(f"{run.out} was begun with other settings; repeat them, or choose another --out")
    if begun.vocabulary != run.vocabulary:
        raise BadCheckpoint(f"{run.out} knows other symbols; choose another --out")
    _check_complete(begun.tensors, model, run.out)
    model.load_state_dict(tensors_under("model", begun.tensors))
    average.load_state_dict(tensors_under("ema", begun.tensors))
    restore_optimizer(optimizer, model, tensors_under("optimizer", begun.tensors))
    return begun.progress


def _check_complete(tensors: dict[str, Tensor], model: SymbolClassifier, path: Path) -> None:
    """A file has both networks and AdamW's state, each tensor in its shape, and no others."""
    wanted = {
        f"{part}.{name}": value.shape
        for part in ("model", "ema")
        for name, value in model.state_dict().items()
    }
    for name, parameter in model.named_parameters():
        wanted[f"optimizer.step.{name}"] = torch.Size()
        wanted |= {f"optimizer.{moment}.{name}": parameter.shape for moment in ("exp_avg", "exp_avg_sq")}
    found = {name: value.shape for name, value in tensors.items()}
    if wrong := sorted(name for name, _ in wanted.items() ^ found.items()):
        raise BadCheckpoint(
            f"{path} is damaged or of another version: {wrong[0]} is missing, of another shape, or too many"
        )


def load_classifier_checkpoint(path: Path) -> ClassifierCheckpoint:
    """What a run has kept; a damaged file is refused."""
    header, tensors = read_tensors(path, FORMAT)
    with refusing_damage(path):
        return ClassifierCheckpoint(
            Vocabulary.from_json(header["vocabulary"]),
            dict(json.loads(header["recipe"]).items()),
            ClassifierProgress(**json.loads(header["progress"])),
            dict(json.loads(header["provenance"]).items()),
            tensors,
        )
