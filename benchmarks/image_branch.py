"""Which image branch learns most in equal CPU time: OffSCAN with images of several sizes and depths.

    python benchmarks/image_branch.py --train train.parquet --valid test2013.parquet --minutes 4

Each size trains from nothing on the short expressions for as many CPU minutes of one thread, at a constant rate, and
its averaged weights are measured by the cross entropy per token of the short validation expressions.
"""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import torch
import typer
from lightning_fabric import Fabric
from short_runs import short_samples

from inkscan.data.corpus import Corpus
from inkscan.data.sample import Sample
from inkscan.latex.vocabulary import CROHME
from inkscan.models.systems import preset
from inkscan.training.batches import training_batch
from inkscan.training.cursor import Cursor, TrainingStep
from inkscan.training.loop import Run, Training
from inkscan.training.loss import objective
from inkscan.training.precision import choose_precision
from inkscan.training.recipes import recipe_named, with_settings
from inkscan.training.windows import Windows

SIZES = "16x4 16x6 16x8 20x4 20x6 20x8 28x4 28x6 28x8"
SETTINGS = ("warmup_steps=200", "cooldown=0", "ema=0.99", "patterns.reorder=0", "epochs=1000")


def main(
    train: Annotated[Path, typer.Option()],
    valid: Annotated[Path, typer.Option()],
    sizes: Annotated[str, typer.Option(help="Pixels of an average stroke x bottlenecks a block.")] = SIZES,
    minutes: Annotated[float, typer.Option(help="CPU minutes of each size.")] = 4.0,
    max_tokens: int = 10,
    out: Annotated[Path | None, typer.Option(help="A line of JSON for each size.")] = None,
) -> None:
    torch.set_num_threads(1)
    training, validation = (short_samples(Corpus.read(path), max_tokens) for path in (train, valid))
    for size in sizes.split():
        row = measured(size, minutes, training, validation)
        line = json.dumps(row)
        print(line, flush=True)
        if out:
            with out.open("a") as file:
                file.write(line + "\n")


def measured(size: str, minutes: float, train: list[Sample], valid: list[Sample]) -> dict[str, object]:
    pixels, layers = map(int, size.split("x"))
    image = (f"features.image_height={pixels}", f"features.pen={1 if pixels < 24 else 3}")
    recipe = with_settings(recipe_named("fast"), [*SETTINGS, *image])
    config = replace(preset("paper", "offscan", len(CROHME)), offline_layers=layers)
    fabric = Fabric(accelerator="cpu", devices=1, precision=choose_precision("auto", cuda=False))
    with tempfile.TemporaryDirectory() as folder:
        run = Run(config, CROHME, recipe, train, valid, Path(folder), {})
        state = Training(run, fabric, lambda report: None)
        cursor = Cursor(Windows(train, recipe), state.system, recipe, CROHME)
        until = time.process_time() + 60 * minutes
        for step in cursor.steps(state.progress):
            if isinstance(step, TrainingStep):
                state.step(step)
            if time.process_time() >= until:
                break
    model, total, count = state.average.eval(), 0.0, 0
    with torch.no_grad():
        for start in range(0, len(valid), 16):
            batch = training_batch(valid[start : start + 16], state.system, recipe.features, CROHME)
            loss = objective(model(batch.features, batch.tokens), batch, state.system, guider=0, smoothing=0)
            tokens = int(batch.token_mask.sum())
            total, count = total + float(loss.cross_entropy) * tokens, count + tokens
    return {
        "size": size,
        "samples": state.progress.samples,
        "samples_per_cpu_second": round(state.progress.samples / (60 * minutes), 1),
        "cross_entropy": round(total / count, 4),
    }


if __name__ == "__main__":
    typer.run(main)
