"""`inkscan train onscan` as the benchmarks start it, on short expressions, and the metrics that it leaves."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inkscan.data.corpus import Corpus
from inkscan.data.sample import Sample


@dataclass(frozen=True)
class Training:
    """One run of OnSCAN."""

    train: Path
    valid: Path
    out: Path
    preset: str
    settings: Sequence[str] = ()
    devices: int = 1

    def command(self) -> list[str]:
        """Starts the run, or goes on with it where it has a checkpoint."""
        return [
            *(sys.executable, "-m", "inkscan", "train", "onscan", "--resume"),
            *("--train", str(self.train), "--valid", str(self.valid), "--out", str(self.out)),
            *("--preset", self.preset, "--devices", str(self.devices)),
            *(word for setting in self.settings for word in ("--set", setting)),
        ]

    def metrics(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.out / "metrics.jsonl").read_text().splitlines()]


def short_samples(corpus: Corpus, max_tokens: int) -> list[Sample]:
    """The samples of a corpus that have at most so many tokens."""
    return [corpus[i] for i, count in enumerate(corpus.token_counts) if count <= max_tokens]
