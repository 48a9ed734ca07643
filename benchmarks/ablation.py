"""What each part of the recipe is worth: short OnSCAN runs of equal budget, each without one part.

    python benchmarks/ablation.py --train train.parquet --valid valid.parquet --out runs/ablation

Every run sees the same number of patterns made of the corpus's expressions of at most --max-tokens tokens, and is
measured on the validation expressions of that length by its last averaged weights, so that nothing is selected.
Interrupted, it goes on where it was; the table of all rows there are is in OUT/table.md.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer
from train_run import Training, short_samples

from inkscan.data.corpus import Corpus, write_corpus
from inkscan.metrics.counts import count_sample
from inkscan.models.scan import Scan
from inkscan.training.batches import training_batch
from inkscan.training.checkpoint import load_checkpoint
from inkscan.training.greedy import decode_greedily
from inkscan.training.loop import LAST
from inkscan.training.loss import objective

NOTHING_GENERATED = (
    "patterns.exchange=0",
    "patterns.subexpression=0",
    "patterns.piece=0",
    "patterns.recombine=0",
)
VARIANTS: dict[str, tuple[str, ...]] = {
    "the recipe": (),
    "the recipe, another seed": ("seed=2",),
    "no guider": ("guider=0",),
    "no distortion": ("patterns.distort=0",),
    "no generated patterns": NOTHING_GENERATED,
    "neither distortion nor generated patterns": (*NOTHING_GENERATED, "patterns.distort=0"),
    "no symbol exchange": ("patterns.exchange=0",),
    "no sub-expressions": ("patterns.subexpression=0",),
    "no recombination": ("patterns.recombine=0",),
}


@dataclass(frozen=True)
class Row:
    """One variant on the validation set."""

    exp_rate: float
    token_error_rate: float
    cross_entropies: tuple[float, ...]  # summed over the tokens of each ink
    tokens: int  # end tokens included
    cpu_hours: float

    @property
    def cross_entropy(self) -> float:
        return sum(self.cross_entropies) / self.tokens

    def gap(self, base: Row) -> str:
        """Cross entropy per token above another row's, give or take two standard errors over the inks."""
        gaps = np.subtract(self.cross_entropies, base.cross_entropies)
        error = 2 * gaps.std() * len(gaps) ** 0.5 / self.tokens
        return f"{gaps.sum() / self.tokens:+.3f} ± {error:.3f}"


def shortened(path: Path, max_tokens: int, out: Path) -> Path:
    """The expressions of a corpus that are short enough, as a corpus in `out`."""
    short = out / f"{path.stem}-{max_tokens}.parquet"
    if not short.exists():
        out.mkdir(parents=True, exist_ok=True)
        corpus = Corpus.read(path)
        write_corpus(short_samples(corpus, max_tokens), short, corpus.metadata)
    return short


@torch.no_grad()
def measure(run: Training) -> Row:
    """Read the validation set, ink by ink, with a finished run's averaged weights."""
    checkpoint = load_checkpoint(run.out / LAST)
    features, vocabulary = checkpoint.recipe.features, checkpoint.vocabulary
    model = Scan(checkpoint.config)
    model.load_state_dict(checkpoint.weights())
    model.eval()
    counts, cross_entropies, tokens = [], [], 0
    for sample in Corpus.read(run.valid):
        batch = training_batch([sample], model.system, features, vocabulary)
        (read,) = decode_greedily(model, batch.features, vocabulary).tokens
        counts.append(count_sample(sample.id, " ".join(sample.tokens), " ".join(read)))
        decoded = model(batch.features, batch.tokens)
        loss = objective(decoded, batch, model.system, guider=0.0, smoothing=0.0)
        cross_entropies.append(float(loss.cross_entropy) * batch.tokens.numel())
        tokens += batch.tokens.numel()
    errors = [count.token_errors or 0 for count in counts]
    return Row(
        exp_rate=100 * errors.count(0) / len(counts),
        token_error_rate=100 * sum(errors) / sum(count.truth_tokens for count in counts),
        cross_entropies=tuple(cross_entropies),
        tokens=tokens,
        cpu_hours=checkpoint.progress.cpu_hours,
    )


def finished_row(run: Training) -> Row:
    """The row of a run, which is brought to its end first."""
    kept = run.out / "row.json"
    if kept.exists():
        return Row(**json.loads(kept.read_text()))
    subprocess.run(run.command(), check=True)
    row = measure(run)
    kept.write_text(json.dumps(asdict(row)))
    return row


def table(rows: dict[str, Row], title: str) -> str:
    """Markdown; the first row is the one to which the others are compared."""
    base = next(iter(rows.values()))
    lines = [
        f"| {title} | ExpRate | token error rate | cross entropy per token | above the recipe's | CPU hours |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        gap = "" if row is base else row.gap(base)
        lines.append(
            f"| {name} | {row.exp_rate:.1f} | {row.token_error_rate:.1f} | {row.cross_entropy:.3f} | {gap} "
            f"| {row.cpu_hours:.3f} |"
        )
    return "\n".join(lines) + "\n"


def main(
    train: Annotated[Path, typer.Option(help="Training corpus.")],
    valid: Annotated[Path, typer.Option(help="Validation corpus.")],
    out: Annotated[Path, typer.Option(help="Folder for the runs and the table.")],
    max_tokens: Annotated[int, typer.Option(help="Longer expressions are left out.")] = 8,
    epochs: float = 4.0,
    preset: str = "small",
    devices: int = 1,
    settings: Annotated[list[str] | None, typer.Option("--set", help="For every row.")] = None,
) -> None:
    """Train and measure row by row."""
    torch.set_num_threads(1)
    corpora = (shortened(train, max_tokens, out), shortened(valid, max_tokens, out))
    shared = (f"epochs={epochs}", f"validate_every={epochs}", *(settings or ()))
    rows: dict[str, Row] = {}
    for name, own in VARIANTS.items():
        folder = out / name.replace(" ", "-").replace(",", "")
        rows[name] = finished_row(Training(*corpora, folder, preset, (*shared, *own), devices))
        text = table(rows, f"OnSCAN, {preset}, {epochs:g} epochs of at most {max_tokens} tokens")
        (out / "table.md").write_text(text)
    typer.echo(text)


if __name__ == "__main__":
    typer.run(main)
