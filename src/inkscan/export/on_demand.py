"""Export on demand: a checkpoint named where a model is wanted becomes one, once, in a cache."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from inkscan import __version__
from inkscan.export.model import ExportSettings, export_checkpoint, write_model
from inkscan.runtime.models import MODEL_JSON


def cache_folder() -> Path:
    """$INKSCAN_CACHE, or the user's cache."""
    if named := os.environ.get("INKSCAN_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "inkscan"


def exported_folder(checkpoint: Path, cache: Path | None = None) -> Path:
    """The model of a checkpoint's weights; another content, or another inkscan, makes another folder."""
    digest = hashlib.sha256(__version__.encode())
    with checkpoint.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    folder = (cache or cache_folder()) / f"{checkpoint.stem}-{digest.hexdigest()[:16]}"
    if (folder / MODEL_JSON).is_file():
        return folder
    exported = export_checkpoint(checkpoint, ExportSettings(checkpoint.stem))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix=".") as made:
        partial = Path(made) / folder.name
        write_model(exported, partial)
        try:
            partial.rename(folder)
        except OSError:  # another process was faster, and its model is the same
            if not (folder / MODEL_JSON).is_file():
                raise
    return folder
