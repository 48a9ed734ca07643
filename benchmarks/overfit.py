"""Each of the ten systems learns 16 generated expressions by heart, to be read back by greedy decoding.

python benchmarks/overfit.py
python benchmarks/overfit.py --systems onscan,mmscan-e --count 8
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import torch
import typer
from torch import nn

from inkscan.data.sample import Sample
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan
from inkscan.models.systems import SYSTEMS, ModelConfig, preset
from inkscan.synthesis.generate import Generator
from inkscan.training.batches import training_batch
from inkscan.training.greedy import decode_greedily
from inkscan.training.loss import objective

CHECK_EVERY = 20  # steps
FEATURES = FeatureSettings(trace="even", image_height=20)  # half the pixels are enough here


@dataclass(frozen=True)
class Outcome:
    exact: int
    steps: int
    cross_entropy: float
    cpu_seconds: float


def config(system: str, vocabulary_size: int) -> ModelConfig:
    """Larger than tiny, so that there is room for 16 expressions, and still small for a CPU."""
    sizes = {"growth": 8, "stem": 16, "gru_units": 32, "D": 64, "m": 64, "n": 64, "n_att": 64, "q": 16}
    return replace(preset("tiny", system, vocabulary_size), **sizes, pixel_kernel=5)  # type: ignore[arg-type]


def overfit(system: str, samples: Sequence[Sample], settings: FeatureSettings, max_steps: int) -> Outcome:
    """Train on all samples at once until greedy decoding returns every one of them."""
    torch.manual_seed(1)
    vocabulary = Vocabulary.learn(sample.tokens for sample in samples)
    model = Scan(config(system, len(vocabulary)))
    batch = training_batch(samples, model.system, settings, vocabulary)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.0)
    started, exact = time.process_time(), 0
    for step in range(1, max_steps + 1):
        model.train()
        decoded = model(batch.features, batch.tokens)
        loss = objective(decoded, batch, model.system, guider=0.2, smoothing=0.0)
        optimizer.zero_grad()
        torch.autograd.backward(loss.total)
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        if step % CHECK_EVERY == 0 or step == max_steps:
            model.eval()
            read = decode_greedily(model, batch.features, vocabulary, max_tokens=100).tokens
            exact = sum(tokens == sample.tokens for tokens, sample in zip(read, samples, strict=True))
            if exact == len(samples):
                break
    return Outcome(exact, step, loss.cross_entropy.item(), time.process_time() - started)


def main(
    systems: Annotated[str, typer.Option(help="Names of systems, with commas between.")] = ",".join(SYSTEMS),
    count: Annotated[int, typer.Option(help="Expressions to learn.")] = 16,
    max_symbols: Annotated[int, typer.Option(help="Symbols of an expression, at most.")] = 10,
    max_steps: Annotated[int, typer.Option(help="Steps before a system gives up.")] = 1500,
    seed: Annotated[int, typer.Option(help="Of the expressions.")] = 1,
) -> None:
    """Print one row a system; exit code 1 if one of them misses an expression."""
    torch.set_num_threads(1)
    samples = list(Generator(max_symbols=max_symbols).samples(count, seed))
    print(f"{'system':12}{'exact':>8}{'steps':>8}{'cross entropy':>15}{'CPU s':>8}")
    failed = False
    for system in systems.split(","):
        outcome = overfit(system, samples, FEATURES, max_steps)
        failed |= outcome.exact < count
        share = f"{outcome.exact}/{count}"
        print(
            f"{system:12}{share:>8}{outcome.steps:>8}{outcome.cross_entropy:>15.4f}{outcome.cpu_seconds:>8.0f}",
            flush=True,
        )
    raise SystemExit(int(failed))


if __name__ == "__main__":
    typer.run(main)
