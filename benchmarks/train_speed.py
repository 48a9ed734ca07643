"""Training speed: samples per CPU second of each system, where the time goes, and the memory it takes.

    python benchmarks/train_speed.py --corpus crohme-train.parquet
    python benchmarks/train_speed.py --corpus crohme-train.parquet --systems onscan --batches 40 --warm

Every system runs in a process of its own with one thread. Batches are those that the recipe trains on (by
cost); the ones measured are spread evenly over all batches in order of cost, so that they have the corpus's
lengths. Features are made anew for every batch. Time is CPU time. With --warm every batch is trained on once before
it is measured: kernels are prepared for each new width, once in a run, and a run has many epochs.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import torch
import typer

from inkscan.data.corpus import Corpus
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan
from inkscan.models.systems import SYSTEMS, preset
from inkscan.training.batches import training_batch
from inkscan.training.loop import make_optimizer
from inkscan.training.loss import objective
from inkscan.training.plan import pattern_sizes, plan_batches
from inkscan.training.precision import Precision, choose_precision
from inkscan.training.recipes import NO_PATTERNS, Recipe, recipe_named, with_settings

PHASES = ("features", "encoder", "decoder", "backward", "optimiser")


@dataclass(frozen=True)
class Job:
    """One system to be measured."""

    system: str
    corpus: Path
    preset: str
    recipe: Recipe
    batches: int
    warm: bool
    precision: Precision


@dataclass(frozen=True)
class Speed:
    """CPU seconds by phase over some samples, and the most memory held."""

    system: str
    samples: int
    tokens: int
    seconds: dict[str, float]
    peak_mib: float

    @property
    def samples_per_second(self) -> float:
        """Features, forward and backward; without the optimiser."""
        return self.samples / sum(s for phase, s in self.seconds.items() if phase != "optimiser")

    @property
    def trained_per_second(self) -> float:
        return self.samples / sum(self.seconds.values())


class Clock:
    """Adds up CPU seconds by phase."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PHASES, 0.0)

    def time(self, phase: str, work: Callable[..., Any], *arguments: Any) -> Any:
        started = time.process_time()
        result = work(*arguments)
        self.seconds[phase] += time.process_time() - started
        return result


def measure(job: Job) -> Speed:
    """Train a new model on the job's batches."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    corpus = Corpus.read(job.corpus)
    vocabulary = Vocabulary.learn(sample.tokens for sample in corpus)
    model = Scan(preset(job.preset, job.system, len(vocabulary))).train()
    cost = pattern_sizes(corpus, model.system, job.recipe)[:, 1:].prod(axis=1)  # points, pixels, or both
    plan = spread(plan_batches(corpus, model.system, job.recipe, 0), cost, job.batches)
    optimizer = make_optimizer(model, job.recipe)
    clock, samples, tokens = Clock(), 0, 0
    encode = model.encode
    model.encode = lambda batch: clock.time("encoder", encode, batch)  # type: ignore[method-assign]
    warm_up = plan if job.warm else plan[:1]
    for number, places in enumerate([*warm_up, *plan]):
        if number == len(warm_up):
            clock.seconds, samples, tokens = dict.fromkeys(PHASES, 0.0), 0, 0
        chosen = [corpus[place] for place in places]
        batch = clock.time("features", training_batch, chosen, model.system, job.recipe.features, vocabulary)
        before = clock.seconds["encoder"]
        started = time.process_time()
        with torch.autocast("cpu", torch.bfloat16, enabled=job.precision == "bf16-mixed"):
            decoded = model(batch.features, batch.tokens)
            loss = objective(
                decoded, batch, model.system, guider=job.recipe.guider, smoothing=job.recipe.label_smoothing
            )
        forward = time.process_time() - started
        clock.seconds["decoder"] += forward - (clock.seconds["encoder"] - before)
        optimizer.zero_grad(set_to_none=False)
        clock.time("backward", loss.total.backward)
        clock.time("optimiser", optimizer.step)
        samples, tokens = samples + len(places), tokens + int(batch.token_mask.sum())
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Speed(job.system, samples, tokens, clock.seconds, peak_mib)


def spread(plan: list[list[int]], cost: npt.NDArray[np.float64], count: int) -> list[list[int]]:
    """`count` batches of the plan at equal distances in order of cost."""
    by_cost = sorted(plan, key=lambda places: cost[places].max())
    count = min(count, len(by_cost))
    return [by_cost[(2 * i + 1) * len(by_cost) // (2 * count)] for i in range(count)]


def main(
    corpus: Annotated[Path, typer.Option(help="A corpus in Parquet, such as CROHME's training set.")],
    systems: Annotated[str, typer.Option(help="Names of systems, with commas between.")] = ",".join(SYSTEMS),
    preset: Annotated[str, typer.Option(help="paper, small or tiny.")] = "paper",
    recipe: Annotated[str, typer.Option(help="The recipe whose features and batches are taken.")] = "fast",
    batches: Annotated[int, typer.Option(help="Batches measured for each system.")] = 20,
    warm: Annotated[bool, typer.Option("--warm", help="Train on every batch once beforehand.")] = False,
    precision: Annotated[str, typer.Option(help="auto, bfloat16 or float32, as of `train`.")] = "auto",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Override a setting of the recipe.")
    ] = None,
) -> None:
    """Print one row a system."""
    chosen = replace(with_settings(recipe_named(recipe), settings or []), patterns=NO_PATTERNS)
    kind = choose_precision(precision, cuda=False)
    jobs = [Job(name, corpus, preset, chosen, batches, warm, kind) for name in systems.split(",")]
    print(
        f"{corpus.name}, preset {preset}, recipe {recipe}, {kind}, batches of up to {chosen.batch_size}, one thread"
    )
    print("samples/s: features, forward and backward; trained/s: with the optimiser; both per CPU second")
    print(
        f"{'system':12}{'samples/s':>10}{'trained/s':>10}{'tokens/s':>10}{'peak MiB':>10}"
        + "".join(f"{phase:>11}" for phase in PHASES)
    )
    # A process a system: the peak of memory is a process's own.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for job in jobs:
            speed = pool.submit(measure, job).result()
            total = sum(speed.seconds.values())
            shares = "".join(f"{speed.seconds[phase] / total:>11.1%}" for phase in PHASES)
            rates = (speed.samples_per_second, speed.trained_per_second, speed.tokens / total)
            print(
                f"{speed.system:12}"
                + "".join(f"{rate:>10.1f}" for rate in rates)
                + f"{speed.peak_mib:>10.0f}{shares}",
                flush=True,
            )


if __name__ == "__main__":
    typer.run(main)
