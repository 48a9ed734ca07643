"""What a person sees of a run: a progress line, a log of metrics, TensorBoard events."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from inkscan.files import whole_file
from inkscan.training.loop import Run, Update
from inkscan.training.run_folder import METRICS, REPORT
from inkscan.training.run_report import find_mistakes, write_report


class Listener:
    """Listens to the loop on the first process; silent on the others."""

    def __init__(self, run: Run, *, active: bool) -> None:
        self.run = run
        self.active = active
        self.console = Console()
        self.bar = Progress(
            TextColumn("epoch {task.fields[epoch]:.1f}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[status]}"),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
            disable=not (active and self.console.is_terminal),  # a file gets the lines of epochs alone
        )
        self.writer: Any = None

    def __enter__(self) -> Self:
        if self.active:
            # A run that was killed before its first checkpoint begins anew.
            keep_until(self.run.out / METRICS, self.run.resume.progress.step if self.run.resume else -1)
            self.writer = _tensorboard(self.run)
            self.bar.start()
            self.task = self.bar.add_task("train", total=self.run.recipe.epochs, epoch=0.0, status="starting")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.active:
            self.bar.stop()
            if self.writer is not None:
                self.writer.close()

    def __call__(self, update: Update) -> None:
        if not self.active:
            return
        row = self._row(update)
        with (self.run.out / METRICS).open("a") as log:
            log.write(json.dumps(row) + "\n")
        if self.writer is not None:
            for name, value in row.items():
                if isinstance(value, float):
                    self.writer.add_scalar(name, value, update.progress.step)
        if update.validation is None:
            status = (
                f"loss {update.cross_entropy:.3f}  guider {update.guider:.3f}  {update.samples_per_second:.1f} inks/s"
                f"  best {update.progress.best:.1f} %"
            )
            self.bar.update(self.task, completed=update.epochs_done, epoch=update.epochs_done, status=status)
        else:
            self._write_report(update)
            self.console.print(
                f"epoch {update.epochs_done:6.1f}  validation ExpRate {update.validation.exp_rate:5.2f} %"
                f"  best {update.progress.best:5.2f} %  {update.progress.cpu_hours:.2f} CPU hours"
            )

    def say(self, line: str) -> None:
        if self.active:
            self.console.print(line, highlight=False, markup=False, soft_wrap=True)

    def _write_report(self, update: Update) -> None:
        assert update.model is not None
        # A fixed, spread-out choice of inks, so that the galleries of two validations can be compared.
        chosen = self.run.valid[:: max(1, len(self.run.valid) // 64)]
        mistakes = find_mistakes(update.model, chosen, self.run.recipe.features, self.run.vocabulary)
        stamp = ", selected on a test split" if self.run.provenance.get("selected_on_test") else ""
        title = f"{update.model.system.title}: training report{stamp}"
        write_report(self.run.out / REPORT, self.run.out / METRICS, mistakes, title)

    def _row(self, update: Update) -> dict[str, Any]:
        shared = asdict(update.progress) | {
            "epochs": update.epochs_done,
            "learning_rate": update.learning_rate,
        }
        if update.validation is not None:
            return shared | {"exp_rate": update.validation.exp_rate}
        return shared | {
            "cross_entropy": update.cross_entropy,
            "guider": update.guider,
            "samples_per_second": update.samples_per_second,
        }


def keep_until(metrics: Path, step: int) -> None:
    """Take back what was logged after the step that a run goes on from, and a line that was cut short."""
    if not metrics.exists():
        return
    kept = [line for line in metrics.read_text().splitlines(keepends=True) if _logged_step(line) <= step]
    with whole_file(metrics) as partial:
        partial.write_text("".join(kept), encoding="utf-8")


def _logged_step(line: str) -> float:
    try:
        return float(json.loads(line)["step"])
    except (ValueError, KeyError, TypeError):
        return float("inf")


def _tensorboard(run: Run) -> Any:
    """A writer of TensorBoard events, or None where tensorboard is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    purge_step = run.resume.progress.step + 1 if run.resume else None
    return SummaryWriter(str(run.out / "tensorboard"), purge_step=purge_step)
