"""Does a system of two modalities use both? Its ExpRate as it is, without the image and without the trace.

    python benchmarks/hidden_views.py checkpoints/mmscan-e.safetensors --data test2013.parquet

The features of the hidden modality are zeros. Greedy, token metric, torch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from lightning_fabric import Fabric
from torch import Tensor, nn

from inkscan.data.corpus import Corpus
from inkscan.training.checkpoint import load_checkpoint
from inkscan.training.validation import validate


def main(
    checkpoint: Path,
    data: Annotated[Path, typer.Option(help="A corpus (Parquet).")],
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N expressions.")] = None,
) -> None:
    torch.set_num_threads(1)
    kept = load_checkpoint(checkpoint)
    model = kept.model()
    if model.W_on is None or model.W_off is None:
        raise typer.BadParameter(f"{kept.config.system} sees one modality only")
    samples = Corpus.read(data)[:limit]
    fabric = Fabric(accelerator="cpu", devices=1)
    for name, hidden in {
        "both": None,
        "without the image": model.W_off,
        "without the trace": model.W_on,
    }.items():
        hook = hidden.register_forward_hook(zeros) if hidden is not None else None
        rate = validate(fabric, model, samples, kept.recipe.features, kept.vocabulary).exp_rate
        typer.echo(f"{name}: {rate:.2f} % of {len(samples)}")
        if hook is not None:
            hook.remove()


def zeros(module: nn.Module, given: Any, features: Tensor) -> Tensor:
    """Nothing is seen of a modality."""
    return torch.zeros_like(features)


if __name__ == "__main__":
    typer.run(main)
