"""The training loop, to be read from top to bottom.

A run is a pure function of its data, its config and the number of steps done: patterns, batches and dropout are all
drawn from seeds made of these, so a checkpoint needs no random state, and a run that was killed goes on exactly.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from lightning_fabric import Fabric
from torch import Tensor, nn

from inkscan.data.corpus import StoredCorpus
from inkscan.data.sample import Sample
from inkscan.errors import TrainingError
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan
from inkscan.models.systems import ModelConfig
from inkscan.training.ahead import saying_who_ended, steps_ahead, steps_in_line
from inkscan.training.checkpoint import (
    Checkpoint,
    Progress,
    optimizer_tensors,
    restore_optimizer,
    save_checkpoint,
)
from inkscan.training.cursor import Cursor, EndOfEpoch, TrainingStep
from inkscan.training.loss import Loss, objective
from inkscan.training.patterns import Material
from inkscan.training.recipes import Recipe
from inkscan.training.run_folder import BEST, LAST
from inkscan.training.schedule import learning_rate
from inkscan.training.teachers import Teachers
from inkscan.training.validation import Validation, validate
from inkscan.training.windows import Windows

REPORT_EVERY = 50  # steps


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
    extra: Material | None = None  # beside the corpus's own symbols and expressions
    init: dict[str, Tensor] | None = None  # weights to start from, one for each of the model's own
    ahead: bool = False  # whether a process of its own makes the batches
    teachers: Teachers = field(default_factory=Teachers)


@dataclass(frozen=True)
class Update:
    """What the loop tells its listener every now and then."""

    progress: Progress
    epochs_done: float
    learning_rate: float
    cross_entropy: float = 0.0
    guider: float = 0.0
    samples_per_second: float = 0.0
    validation: Validation | None = None
    model: Scan | None = None  # the averaged model, with a validation


def train(run: Run, fabric: Fabric, listen: Callable[[Update], None]) -> Progress:
    """Train to the recipe's last epoch, keeping `last` and `best` checkpoints and a log of metrics in `run.out`."""
    training = Training(run, fabric, listen)
    if training.out_of_patience:
        return training.progress
    cursor = Cursor(
        Windows(run.train, run.recipe, run.extra),
        training.system,
        run.recipe,
        run.vocabulary,
        fabric.global_rank,
        fabric.world_size,
        sights=run.teachers.sights,
    )
    started = training.progress
    steps = steps_ahead(cursor, started) if run.ahead else steps_in_line(cursor, started, fabric)
    with saying_who_ended():
        for step in steps:
            if isinstance(step, EndOfEpoch):
                training.end_epoch(whole=step.whole)
                if training.out_of_patience:
                    break
            else:
                training.step(step)
                training.report_now_and_then(step)
                training.save_now_and_then()
    return training.progress


class Training:
    """The state of a run: model, averaged model, optimiser and progress."""

    def __init__(self, run: Run, fabric: Fabric, listen: Callable[[Update], None]) -> None:
        self.run, self.recipe, self.fabric, self.listen = run, run.recipe, fabric, listen
        torch.manual_seed(run.recipe.seed)
        self.model = Scan(run.config).to(fabric.device)
        if run.init:
            self.model.load_state_dict(run.init)
        if run.resume:
            self.model.load_state_dict(run.resume.part("model"))
        self.average = copy.deepcopy(self.model).requires_grad_(False) if self.recipe.ema else self.model
        if run.resume and self.recipe.ema:
            self.average.load_state_dict(run.resume.part("ema") or run.resume.part("model"))
        optimizer = make_optimizer(self.model, self.recipe)
        if run.resume:
            restore_optimizer(optimizer, self.model, run.resume.part("optimizer"))
        run.teachers.to(fabric.device)
        self.system = self.model.system
        self.parallel, self.optimizer = fabric.setup(self.model, optimizer)
        self.progress = run.resume.progress if run.resume else Progress()
        self.rate = 0.0
        self._cpu_before = self.progress.cpu_hours - fabric.world_size * time.process_time() / 3600
        self._saved = time.monotonic()
        self._start_report()

    def step(self, step: TrainingStep) -> None:
        """One step of the optimiser on all processes' shares of a batch."""
        recipe, fabric, progress = self.recipe, self.fabric, self.progress
        self.rate = learning_rate(recipe, progress.step, step.epochs_done)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate
        drawn_from = recipe.seed * 1_000_003 + progress.step * fabric.world_size + fabric.global_rank
        torch.manual_seed(drawn_from % 2**63)  # it takes no larger one
        loss = self._loss(step)
        self.optimizer.zero_grad(set_to_none=False)
        weight = step.tokens / step.samples if recipe.mean_over == "expressions" else 1.0
        fabric.backward(loss.total * weight)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), recipe.clip_norm or float("inf"))
        if not torch.isfinite(norm):
            raise TrainingError(f"the gradient is not finite at step {progress.step}; lower learning_rate")
        self.optimizer.step()
        if recipe.ema:
            follow(self.average, self.model, min(recipe.ema, (1 + progress.step) / (10 + progress.step)))
        self._sums += torch.stack([loss.cross_entropy.detach(), loss.guider.detach()]).cpu()
        self.progress = replace(
            progress,
            step=progress.step + 1,
            window=step.window,
            batch=step.batch,
            samples=progress.samples + step.samples,
            cpu_hours=self._cpu_before + fabric.world_size * time.process_time() / 3600,
        )

    def _loss(self, step: TrainingStep) -> Loss:
        """This process's part of the mean over the tokens of all processes, whose gradients are averaged."""
        batch = step.mine.to(self.fabric.device)
        self.parallel.train()
        decoded = self.parallel(batch.features, batch.tokens)
        with self.fabric.autocast():
            expected = self.run.teachers.expect(step.seen, batch.tokens)
        loss = objective(
            decoded,
            batch,
            self.system,
            guider=self.recipe.guider,
            smoothing=self.recipe.label_smoothing,
            guided=self.recipe.guided,
            count=step.tokens / self.fabric.world_size,
            expected=expected,
            trust=self.recipe.trust,
        )
        return loss if step.counts else Loss(*(part * 0.0 for part in loss))

    def report_now_and_then(self, step: TrainingStep) -> None:
        if self.progress.step % REPORT_EVERY:
            return
        cross_entropy, guider = (self._sums / (self.progress.step - self._reported_step)).tolist()
        speed = (self.progress.samples - self._reported_samples) / (time.monotonic() - self._reported_at)
        self.listen(Update(self.progress, step.epochs_done, self.rate, cross_entropy, guider, speed))
        self._start_report()

    def _start_report(self) -> None:
        self._sums = torch.zeros(2)  # cross entropy and guider since the last report
        self._reported_at, self._reported_step, self._reported_samples = (
            time.monotonic(),
            self.progress.step,
            self.progress.samples,
        )

    def save_now_and_then(self) -> None:
        if time.monotonic() - self._saved > self.recipe.checkpoint_seconds:
            self.save(LAST)

    def save(self, name: str) -> None:
        """The run as a checkpoint; the best one is not to go on from, so it needs no optimiser."""
        self._saved = time.monotonic()
        if not self.fabric.is_global_zero:
            return
        tensors = {f"model.{key}": value for key, value in self.model.state_dict().items()}
        if self.recipe.ema:
            tensors |= {f"ema.{key}": value for key, value in self.average.state_dict().items()}
        if name == LAST:
            tensors |= optimizer_tensors(self.optimizer, self.model)
        run = self.run
        save_checkpoint(
            Checkpoint(run.config, run.vocabulary, self.recipe, self.progress, run.provenance, tensors),
            run.out / name,
        )

    def end_epoch(self, *, whole: bool) -> None:
        """Go on to the next epoch, or stay in this one if it was cut short; validate where the recipe says so."""
        recipe = self.recipe
        if whole:
            self.progress = replace(self.progress, epoch=self.progress.epoch + 1, window=0, batch=0)
        reached = float(self.progress.epoch) if whole else recipe.epochs
        if reached < recipe.epochs and self.progress.epoch % recipe.validate_every:
            return
        share_buffers(self.average, self.fabric)
        with self.fabric.autocast():
            found = validate(self.fabric, self.average, self.run.valid, recipe.features, self.run.vocabulary)
        better = found.exp_rate > self.progress.best
        self.progress = replace(
            self.progress,
            best=max(found.exp_rate, self.progress.best),
            best_epoch=reached if better else self.progress.best_epoch,
            stale=0 if better else self.progress.stale + 1,
        )
        if better:
            self.save(BEST)
        self.listen(Update(self.progress, reached, self.rate, validation=found, model=self.average))
        self.save(LAST)
        self._start_report()

    @property
    def out_of_patience(self) -> bool:
        return bool(self.recipe.patience) and self.progress.stale >= self.recipe.patience


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
    # On other devices a fused one wants its counts of steps there, too; `restore_optimizer` has them here.
    fused = all(parameter.device.type == "cpu" for parameter in model.parameters())
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.98), eps=1e-8, fused=fused)


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
