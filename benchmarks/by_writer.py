"""How even is a model's accuracy over writers? From a report of `inkscan eval --json`.

    python benchmarks/by_writer.py test2014.json test2016.json

CROHME's inks are named `WRITER_em_NUMBER` or `COLLECTION_YEAR_NUMBER`: all but the last part names who wrote them, or
at least where. Token metric; writers of few inks tell little by themselves and are left out.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Annotated

import numpy as np
import typer


def main(
    reports: list[Path],
    least: Annotated[int, typer.Option(min=1, help="Inks of a writer that is counted.")] = 15,
) -> None:
    for report in reports:
        right: dict[str, list[bool]] = defaultdict(list)
        for sample in json.loads(report.read_text(encoding="utf-8"))["samples"]:
            writer = sample["id"].removesuffix(".inkml").rpartition("_")[0]
            right[writer].append(sample["token_errors"] == 0)
        rates = {
            writer: 100 * float(np.mean(found)) for writer, found in right.items() if len(found) >= least
        }
        if not rates:
            raise typer.BadParameter(f"{report}: no writer of {least} inks")
        low, middle, high = np.percentile(list(rates.values()), (10, 50, 90))
        worst = min(rates, key=rates.__getitem__)
        best = max(rates, key=rates.__getitem__)
        typer.echo(
            f"{report.stem}: {len(rates)} of {len(right)} writers have {least} inks or more; a tenth of them is "
            f"read at {low:.1f} % or less, half at {middle:.1f}, a tenth at {high:.1f} or more; "
            f"worst {worst} {rates[worst]:.1f}, best {best} {rates[best]:.1f}"
        )


if __name__ == "__main__":
    typer.run(main)
