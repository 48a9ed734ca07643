"""Short training runs for the benchmarks: started, gone on with, and measured by their last averaged weights."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from inkscan.data.corpus import Corpus, StoredCorpus, read_metadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.training.run_folder import CONFIG, hold_run

ROW = "row.json"
SHOWN = 3  # settings that are named where many differ


@dataclass(frozen=True)
class Training:
    """One run of `inkscan train`."""

    train: Path
    valid: Path
    out: Path
    preset: str
    settings: Sequence[str] = ()
    devices: int = 1
    system: str = "onscan"

    def command(self) -> list[str]:
        """Starts the run, or goes on with it where it has a checkpoint."""
        return [
            *(sys.executable, "-m", "inkscan", "train", self.system, "--resume"),
            *("--train", str(self.train), "--valid", str(self.valid), "--out", str(self.out)),
            *("--preset", self.preset, "--devices", str(self.devices)),
            *(word for setting in self.settings for word in ("--set", setting)),
        ]

    def metrics(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.out / "metrics.jsonl").read_text().splitlines()]


@dataclass(frozen=True)
class Row:
    """A finished run on the validation set."""

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


def short_samples(corpus: Corpus, max_tokens: int) -> list[Sample]:
    """The samples of a corpus that have at most so many tokens."""
    return [corpus[i] for i, count in enumerate(corpus.token_counts) if count <= max_tokens]


def shortened(path: Path, max_tokens: int, out: Path) -> Path:
    """The expressions of a corpus that are short enough, as a corpus in `out`."""
    digest = read_metadata(path).fingerprint[:8]  # other corpora may have the same name
    short = out / f"{path.stem}-{max_tokens}-{digest}.parquet"
    if not short.exists():
        out.mkdir(parents=True, exist_ok=True)
        corpus = Corpus.read(path)
        write_corpus(short_samples(corpus, max_tokens), short, corpus.metadata)
    return short


def finished_row(run: Training) -> Row:
    """The row of a run, which is brought to its end first; one of other settings is put aside, not gone on with."""
    put_aside_others(run)
    kept = run.out / ROW
    if kept.exists():
        return Row(**json.loads(kept.read_text()))
    subprocess.run(run.command(), check=True)
    row = measure(run)
    kept.write_text(json.dumps(asdict(row)))
    return row


def put_aside_others(run: Training) -> None:
    """Give the folder of a run that was made otherwise another name, and say so."""
    differences = list(_differences(run))
    if not differences:
        return
    with hold_run(run.out):  # nobody trains in it
        names = (run.out.with_name(f"{run.out.name}-before-{number}") for number in count(1))
        aside = next(name for name in names if not name.exists())
    run.out.rename(aside)
    more = f" and {len(differences) - SHOWN} more" if len(differences) > SHOWN else ""
    print(
        f"{run.out} holds a run with other settings: {', '.join(differences[:SHOWN])}{more}. It is {aside.name} now, "
        "and this one is run anew.",
        flush=True,
    )


def _differences(run: Training) -> Iterator[str]:
    """In what the run that is in the folder, begun or finished, was made otherwise than the one asked for."""
    config = run.out / CONFIG
    if not config.exists():
        if (run.out / ROW).exists():
            yield f"it lacks {CONFIG}, which says them"
        return
    made, asked = _told(json.loads(config.read_text())), _told(_config(run))
    for name in sorted(made.keys() | asked.keys()):
        if made.get(name) != asked.get(name):
            yield f"{name} {made.get(name)} (now {asked.get(name)})"


def _config(run: Training) -> dict[str, Any]:
    """What config.json of a run says as soon as it begins."""
    from inkscan.training.command import choose_vocabulary, settle
    from inkscan.training.recipes import to_plain
    from inkscan.training.request import TrainRequest, command_of

    request = TrainRequest(
        run.system,
        (run.train,),
        run.valid,
        run.out,
        preset=run.preset,
        devices=run.devices,
        settings=tuple(run.settings),
    )
    settled = settle(request, choose_vocabulary(StoredCorpus(run.train)), None)
    return {
        "model": asdict(settled.model),
        "recipe": to_plain(settled.recipe),
        "provenance": {
            "train": asdict(read_metadata(run.train)),
            "valid": asdict(read_metadata(run.valid)),
            "command": command_of(request),
        },
    }


def _told(config: Mapping[str, Any]) -> dict[str, str]:
    """All that makes a run what it is, by name; its files count by their content."""
    from inkscan.training.request import options_of

    provenance = config["provenance"]
    parts = {"model": config["model"], "recipe": config["recipe"]}
    parts["devices"] = options_of(provenance["command"])["--devices"][-1]
    parts |= {name: provenance[name]["fingerprint"][:16] for name in ("train", "valid")}
    return dict(_leaves(parts))


def _leaves(values: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", json.dumps(value)


def measure(run: Training) -> Row:
    """Read the validation set, ink by ink, with a finished run's averaged weights."""
    import torch

    from inkscan.evaluation.counts import count_sample
    from inkscan.training.batches import training_batch
    from inkscan.training.checkpoint import load_checkpoint
    from inkscan.training.greedy import decode_greedily
    from inkscan.training.loss import objective
    from inkscan.training.run_folder import LAST

    torch.set_num_threads(1)
    checkpoint = load_checkpoint(run.out / LAST)
    features, vocabulary = checkpoint.recipe.features, checkpoint.vocabulary
    model = checkpoint.model()
    counts, cross_entropies, tokens = [], [], 0
    with torch.no_grad():
        for sample in Corpus.read(run.valid):
            batch = training_batch([sample], model.system, features, vocabulary)
            (read,) = decode_greedily(model, batch.features, vocabulary).tokens
            counts.append(count_sample(sample.id, " ".join(sample.tokens), " ".join(read)))
            decoded = model(batch.features, batch.tokens)
            loss = objective(decoded, batch, model.system, guider=0.0, smoothing=0.0)
            cross_entropies.append(float(loss.cross_entropy) * batch.tokens.numel())
            tokens += batch.tokens.numel()
    errors = [count.truth_tokens if count.token_errors is None else count.token_errors for count in counts]
    return Row(
        exp_rate=100 * errors.count(0) / len(counts),
        token_error_rate=100 * sum(errors) / sum(count.truth_tokens for count in counts),
        cross_entropies=tuple(cross_entropies),
        tokens=tokens,
        cpu_hours=checkpoint.progress.cpu_hours,
    )
