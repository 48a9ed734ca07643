"""Which model a name on the command line means: a bundled one, a folder, or a checkpoint that is exported on demand."""

from __future__ import annotations

from pathlib import Path

from inkscan.errors import MissingExtra

CHECKPOINTS = Path("checkpoints")  # of a copy of the project, seen from its top
SUFFIX = ".safetensors"


def model_folder(name: str) -> Path:
    """The folder of a model; a name that nothing has is refused with the names that there are."""
    from inkscan.runtime.models import bundled_models, find_model

    checkpoint = _checkpoint(name)
    if checkpoint is None or name in bundled_models():
        return find_model(name)
    try:
        from inkscan.export.on_demand import exported_folder
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"{checkpoint} is a checkpoint, which torch exports: pip install 'inkscan[train]'"
        ) from error
    return exported_folder(checkpoint)


def _checkpoint(name: str) -> Path | None:
    path = Path(name)
    if path.is_dir():
        return None
    candidates = (path, CHECKPOINTS / f"{name}{SUFFIX}")
    return next((file for file in candidates if file.suffix == SUFFIX and file.is_file()), None)
