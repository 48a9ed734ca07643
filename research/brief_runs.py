"""The ten systems at one small budget: does their order follow the paper's where their values cannot?

    python -m research brief-runs --train train.parquet --valid valid.parquet --out runs/systems [--record]

Every system is trained from nothing on the same patterns of short expressions, with small sizes and small images, and
is measured on the validation expressions of that length by its last averaged weights, so that nothing is selected.
Interrupted, it goes on where it was; a run of other settings or corpora is put aside and run anew. The table of all
rows there are is in OUT/table.md. --record keeps the rows for `python -m research tables --brief`.
"""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from benchmarks.short_runs import Training, finished_row, shortened

from inkscan.data.corpus import Corpus
from inkscan.models.systems import SYSTEMS
from research.command_line import command_line
from research.records import BRIEF, BriefRow, record

SETTINGS = (
    *("model.offline_layers=4", "features.image_height=12", "features.pen=1"),
    *("batch_size=16", "learning_rate=0.002", "warmup_steps=100", "ema=0.99"),
)


def table(rows: list[BriefRow]) -> str:
    lines = [
        "| system | ExpRate | token error rate | cross entropy per token | CPU hours |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.system} | {row.exp_rate:.1f} | {row.token_error_rate:.1f} | {row.cross_entropy:.3f} "
        f"| {row.cpu_hours:.2f} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def brief_runs(
    train: Annotated[Path, typer.Option(metavar="CORPUS", help="Training corpus.")],
    valid: Annotated[Path, typer.Option(metavar="CORPUS", help="Validation corpus.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the runs and the table.")],
    systems: Annotated[
        list[str] | None, typer.Option(metavar="SYSTEM", help="Repeatable; all ten if not given.")
    ] = None,
    max_tokens: Annotated[int, typer.Option(help="Longer expressions are left out.")] = 8,
    epochs: float = 8.0,
    seed: int = 1,
    keep: Annotated[bool, typer.Option("--record", help="Keep the rows for `tables --brief`.")] = False,
) -> None:
    """Train and measure system by system."""
    corpora = (shortened(train, max_tokens, out), shortened(valid, max_tokens, out))
    shared = (f"epochs={epochs}", f"validate_every={math.ceil(epochs)}", f"seed={seed}", *SETTINGS)
    sizes = [len(Corpus.read(corpus)) for corpus in corpora]
    rows: list[BriefRow] = []
    for system in systems or SYSTEMS:
        row = finished_row(Training(*corpora, out / f"{system}-{seed}", "small", shared, system=system))
        rows.append(
            BriefRow(
                system=system,
                seed=seed,
                exp_rate=row.exp_rate,
                token_error_rate=row.token_error_rate,
                cross_entropy=row.cross_entropy,
                patterns=round(epochs * sizes[0]),
                max_tokens=max_tokens,
                inks=sizes[1],
                cpu_hours=row.cpu_hours,
                date=date.today().isoformat(),
                command=command_line(),
            )
        )
        (out / "table.md").write_text(table(rows))
    if keep:
        record(rows, BRIEF)
    typer.echo(table(rows))
