"""The training loop, to be read from top to bottom.

A run is a pure function of its data, its config and the number of steps done: patterns, batches and dropout are all
drawn from seeds made of these, so a checkpoint needs no random state, and a run that was killed goes on exactly.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from lightning_fabric import Fabric
from torch import Tensor, nn

from inkscan.data.corpus import StoredCorpus
from inkscan.data.sample import Sample
from inkscan.errors import BadCheckpoint, TrainingError
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan
from inkscan.models.systems import ModelConfig
from inkscan.synthesis.bank import SymbolBank
from inkscan.training.batches import training_batch
from inkscan.training.checkpoint import (
    Checkpoint,
    Progress,
    optimizer_tensors,
    restore_optimizer,
    save_checkpoint,
)
from inkscan.training.loss import objective
from inkscan.training.plan import plan_batches
from inkscan.training.recipes import Recipe
from inkscan.training.schedule import learning_rate
from inkscan.training.validation import Validation, validate
from inkscan.training.windows import Windows

LAST = "last.safetensors"
BEST = "best.safetensors"
METRICS = "metrics.jsonl"
REPORT_EVERY = 50  # steps
LEAST_FILLED = 0.2  # of the tensors of another model; below that, sizes agree by chance


@dataclass(frozen=True)
class Run:
    """Everything that a training run is given."""

    config: ModelConfig
    vocabulary: Vocabulary
    recipe: Recipe
    train: Sequence[Sample] | StoredCorpus
    valid: Sequence[Sample]
    out: Path
    provenance: dict[str, Any]
    resume: Checkpoint | None = None
    extra: SymbolBank | None = None  # isolated characters beside the corpus's own symbols
    init: dict[str, Tensor] | None = None  # weights of another model, used where names and shapes agree


@dataclass(frozen=True)
class Report:
    """What the loop tells its listener every now and then."""

    progress: Progress
    epochs_done: float
    learning_rate: float
    cross_entropy: float = 0.0
    guider: float = 0.0
    samples_per_second: float = 0.0
    validation: Validation | None = None
    model: Scan | None = None  # the averaged model, with a validation


def train(run: Run, fabric: Fabric, listen: Callable[[Report], None]) -> Progress:
    """Train to the recipe's last epoch, keeping `last` and `best` checkpoints and a log of metrics in `run.out`."""
    recipe = run.recipe
    torch.manual_seed(recipe.seed)
    model = Scan(run.config).to(fabric.device)
    if run.init and len(fill_parts(model, run.init)) < LEAST_FILLED * len(run.init):
        raise BadCheckpoint("hardly a part of the checkpoint of --init fits; are --preset and sizes its own?")
    progress = Progress()
    if run.resume is not None:
        model.load_state_dict(run.resume.part("model"))
        progress = run.resume.progress
    average = copy.deepcopy(model).requires_grad_(False) if recipe.ema else model
    if run.resume is not None and recipe.ema:
        average.load_state_dict(run.resume.part("ema") or run.resume.part("model"))
    optimizer = make_optimizer(model, recipe)
    if run.resume is not None:
        restore_optimizer(optimizer, model, run.resume.part("optimizer"))
    bare = model
    model, optimizer = fabric.setup(model, optimizer)

    windows = Windows(run.train, recipe, run.extra)
    started_cpu, started_hours = time.process_time(), progress.cpu_hours
    saved = reported = time.monotonic()
    reported_samples = progress.samples
    rate = 0.0
    sums = torch.zeros(3)  # cross entropy, guider, steps since the last report

    def save(name: str) -> None:
        if fabric.is_global_zero:
            tensors = {f"model.{key}": value for key, value in bare.state_dict().items()}
            if recipe.ema:
                tensors |= {f"ema.{key}": value for key, value in average.state_dict().items()}
            if name == LAST:
                tensors |= optimizer_tensors(optimizer, bare)
            save_checkpoint(
                Checkpoint(run.config, run.vocabulary, recipe, progress, run.provenance, tensors),
                run.out / name,
            )

    while progress.epoch < recipe.epochs:
        ahead = windows.plan(progress.epoch)
        ahead = ahead[progress.window :] or ahead[-1:]  # resumed with larger windows, there may be fewer
        window = ahead[0]
        patterns = windows.held(window).epoch(progress.epoch)
        plan = plan_batches(patterns, bare.system, recipe, progress.epoch, window.start)
        while progress.batch < len(plan):
            epochs_done = progress.epoch + window.epoch_done(progress.batch / len(plan))
            if epochs_done >= recipe.epochs:
                break
            rate = learning_rate(recipe, progress.step, epochs_done)
            for group in optimizer.param_groups:
                group["lr"] = rate
            torch.manual_seed(
                recipe.seed * 1_000_003 + progress.step * fabric.world_size + fabric.global_rank
            )
            places = plan[progress.batch]
            mine = places[fabric.global_rank :: fabric.world_size] or places[:1]
            batch = training_batch(
                [patterns[place] for place in mine],
                bare.system,
                recipe.features,
                run.vocabulary,
            ).to(fabric.device)

            model.train()
            decoded = model(batch.features, batch.tokens)
            loss = objective(
                decoded, batch, bare.system, guider=recipe.guider, smoothing=recipe.label_smoothing
            )
            optimizer.zero_grad(set_to_none=False)
            fabric.backward(loss.total)
            norm = nn.utils.clip_grad_norm_(bare.parameters(), recipe.clip_norm or float("inf"))
            if not torch.isfinite(norm):
                raise TrainingError(
                    f"the gradient is not finite at step {progress.step}; lower learning_rate"
                )
            optimizer.step()
            if recipe.ema:
                follow(average, bare, min(recipe.ema, (1 + progress.step) / (10 + progress.step)))

            sums[:2] += torch.stack([loss.cross_entropy.detach(), loss.guider.detach()]).cpu()
            sums[2] += 1
            progress = replace(
                progress,
                step=progress.step + 1,
                batch=progress.batch + 1,
                samples=progress.samples + len(places),
                cpu_hours=started_hours + fabric.world_size * (time.process_time() - started_cpu) / 3600,
            )
            now = time.monotonic()
            if progress.step % REPORT_EVERY == 0:
                report = Report(
                    progress,
                    epochs_done,
                    rate,
                    float(sums[0] / sums[2]),
                    float(sums[1] / sums[2]),
                    (progress.samples - reported_samples) / (now - reported),
                )
                listen(report)
                sums.zero_()
                reported, reported_samples = now, progress.samples
            if now - saved > recipe.checkpoint_seconds:
                save(LAST)
                saved = now
        else:
            if len(ahead) > 1:
                progress = replace(progress, window=progress.window + 1, batch=0)
                continue
            progress = replace(progress, epoch=progress.epoch + 1, window=0, batch=0)
        within = progress.window > 0 or progress.batch > 0
        reached = epochs_done if within else float(progress.epoch)
        finished = progress.epoch >= recipe.epochs or within
        if finished or progress.epoch % recipe.validate_every == 0:
            share_buffers(average, fabric)
            validation = validate(fabric, average, run.valid, recipe.features, run.vocabulary)
            better = validation.exp_rate > progress.best
            progress = replace(
                progress,
                best=max(validation.exp_rate, progress.best),
                best_epoch=reached if better else progress.best_epoch,
                stale=0 if better else progress.stale + 1,
            )
            if better:
                save(BEST)
            listen(Report(progress, reached, rate, validation=validation, model=average))
            save(LAST)
            saved = reported = time.monotonic()
            reported_samples = progress.samples
            if recipe.patience and progress.stale >= recipe.patience:
                break
        if finished:
            break
    return progress


def make_optimizer(model: nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    """The recipe's optimiser; AdamW decays matrices only, Adadelta everything, as the paper's code does."""
    if recipe.optimizer == "adadelta":
        return torch.optim.Adadelta(
            model.parameters(), lr=recipe.learning_rate, rho=0.95, eps=1e-8, weight_decay=recipe.weight_decay
        )
    matrices = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    groups = [
        {"params": matrices, "weight_decay": recipe.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.98), eps=1e-8)


@torch.no_grad()
def follow(average: nn.Module, model: nn.Module, decay: float) -> None:
    """Move the averaged weights and statistics towards the model's."""
    torch._foreach_lerp_(list(average.parameters()), list(model.parameters()), 1 - decay)
    for ours, theirs in zip(average.buffers(), model.buffers(), strict=True):
        ours.lerp_(theirs, 1 - decay)


def share_buffers(model: nn.Module, fabric: Fabric) -> None:
    """Give all processes the first one's statistics, which are the ones that are saved."""
    if fabric.world_size > 1:
        for buffer in model.buffers():
            torch.distributed.broadcast(buffer, src=0)


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
