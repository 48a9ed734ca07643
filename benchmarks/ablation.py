"""What each part of the recipe is worth: short OnSCAN runs of equal budget, each without one part.

    python benchmarks/ablation.py --train train.parquet --valid valid.parquet --out runs/ablation --epochs 6

Every run sees the same number of samples; interrupted, it resumes. Prints a table of validation ExpRate and CPU hours
for docs/log.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

NOTHING_GENERATED = ("patterns.exchange=0", "patterns.subexpression=0", "patterns.recombine=0")
VARIANTS: dict[str, tuple[str, ...]] = {
    "all": (),
    "no guider": ("guider=0",),
    "no distortion": ("patterns.distort=0",),
    "no symbol exchange": ("patterns.exchange=0",),
    "no sub-expressions": ("patterns.subexpression=0",),
    "no recombination": ("patterns.recombine=0",),
    "no generated patterns": NOTHING_GENERATED,
    "neither distortion nor generated patterns": (*NOTHING_GENERATED, "patterns.distort=0"),
}


def main(
    train: Annotated[Path, typer.Option(help="Training corpus.")],
    valid: Annotated[Path, typer.Option(help="Validation corpus.")],
    out: Annotated[Path, typer.Option(help="Folder for the runs.")],
    epochs: float = 6.0,
    preset: str = "small",
    devices: int = 2,
) -> None:
    rows = []
    for name, settings in VARIANTS.items():
        folder = out / name.replace(" ", "-")
        sets = [f"epochs={epochs}", *settings]
        subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "inkscan",
                    "train",
                    "onscan",
                    "--train",
                    str(train),
                    "--valid",
                    str(valid),
                ),
                *("--out", str(folder), "--preset", preset, "--devices", str(devices), "--resume"),
                *(word for setting in sets for word in ("--set", setting)),
            ],
            check=True,
        )
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        last = [line for line in lines if "exp_rate" in line][-1]
        rows.append((name, last["exp_rate"], last["cpu_hours"]))
    typer.echo(
        f"| OnSCAN, {preset} preset, {epochs:g} epochs | validation ExpRate | CPU hours |\n|---|---|---|"
    )
    for name, exp_rate, hours in rows:
        typer.echo(f"| {name} | {exp_rate:.2f} | {hours:.2f} |")


if __name__ == "__main__":
    typer.run(main)
