"""What each part of the recipe is worth: short OnSCAN runs of equal budget, each without one part.

    python benchmarks/ablation.py --train train.parquet --valid valid.parquet --out runs/ablation

Every run sees the same number of patterns made of the corpus's expressions of at most --max-tokens tokens, and is
measured on the validation expressions of that length by its last averaged weights, so that nothing is selected.
Interrupted, it goes on where it was; a run of other settings or corpora is put aside and run anew. The table of all
rows there are is in OUT/table.md.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer
from short_runs import Row, Training, finished_row, shortened

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
    corpora = (shortened(train, max_tokens, out), shortened(valid, max_tokens, out))
    shared = (f"epochs={epochs}", f"validate_every={math.ceil(epochs)}", *(settings or ()))
    rows: dict[str, Row] = {}
    for name, own in VARIANTS.items():
        folder = out / name.replace(" ", "-").replace(",", "")
        rows[name] = finished_row(Training(*corpora, folder, preset, (*shared, *own), devices))
        text = table(rows, f"OnSCAN, {preset}, {epochs:g} epochs of at most {max_tokens} tokens")
        (out / "table.md").write_text(text)
    typer.echo(text)


if __name__ == "__main__":
    typer.run(main)
