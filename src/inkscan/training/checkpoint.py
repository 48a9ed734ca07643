"""Checkpoints: one safetensors file a time, written whole or not at all. No pickle.

Tensors are named `model.*`, `ema.*` and `optimizer.<moment>.*`; the header holds JSON texts: `model` (ModelConfig),
`vocabulary`, `recipe`, `progress`, `provenance`, `format` and `sha256`, a hash of all others and of the tensors (files
from before there was one are read without). A `FileFormat` says which of these texts its files have.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from inkscan.errors import BadCheckpoint, InkscanError
from inkscan.files import remove_partials, whole_file
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan
from inkscan.models.systems import ModelConfig
from inkscan.training.recipes import Recipe, recipe_from_plain, to_plain

_WRONG_CONTENT = (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)
_TEXTS = ("vocabulary", "recipe", "progress", "provenance")


@dataclass(frozen=True)
class FileFormat:
    """A kind of checkpoint, by what its header holds beside `format` and `sha256`."""

    name: str
    texts: tuple[str, ...] = _TEXTS
    unhashed: bool = False  # whether files without a hash are read, too


FORMAT = FileFormat("inkscan-checkpoint-1", ("model", *_TEXTS), unhashed=True)


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    step: int = 0
    epoch: int = 0
    window: int = 0  # windows done in this epoch
    batch: int = 0  # batches done in this window
    samples: int = 0
    cpu_hours: float = 0.0
    best: float = -1.0  # validation ExpRate
    best_epoch: float = 0.0
    stale: int = 0  # validations since the best


@dataclass(frozen=True)
class Checkpoint:
    config: ModelConfig
    vocabulary: Vocabulary
    recipe: Recipe
    progress: Progress
    provenance: dict[str, Any]
    tensors: dict[str, Tensor]

    def weights(self) -> dict[str, Tensor]:
        """The weights to use: the averaged ones where there are any."""
        return self.part("ema") or self.part("model")

    def model(self) -> Scan:
        """The network with these weights, ready to read."""
        model = Scan(self.config)
        model.load_state_dict(self.weights())
        return model.eval()

    @property
    def sha256(self) -> str:
        """What tells its tensors from others."""
        return content_hash({}, self.tensors)

    def part(self, name: str) -> dict[str, Tensor]:
        """The tensors under a first name, without it."""
        return tensors_under(name, self.tensors)


def tensors_under(name: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors under a first name, without it."""
    return {key[len(name) + 1 :]: value for key, value in tensors.items() if key.startswith(name + ".")}


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def save_checkpoint(checkpoint: Checkpoint, path: Path) -> None:
    texts = {
        "model": _compact(asdict(checkpoint.config)),
        "vocabulary": checkpoint.vocabulary.to_json(),
        "recipe": _compact(to_plain(checkpoint.recipe)),
        "progress": _compact(asdict(checkpoint.progress)),
        "provenance": _compact(checkpoint.provenance),
    }
    write_tensors(path, FORMAT, texts, checkpoint.tensors)


def write_tensors(
    path: Path, format: FileFormat, texts: Mapping[str, str], tensors: Mapping[str, Tensor]
) -> None:
    """A checkpoint with the hash of its content; if it cannot be written, the one before stays."""
    header = {"format": format.name, **texts}
    tensors = {key: value.contiguous() for key, value in tensors.items()}
    header["sha256"] = content_hash(header, tensors)
    remove_partials(path)
    try:
        with whole_file(path) as partial:
            partial.touch()
            mode = partial.stat().st_mode  # safetensors would keep the file to its owner
            save_file(tensors, partial, header)
            partial.chmod(mode)
    except (OSError, SafetensorError) as error:  # safetensors wraps what the system says
        raise BadCheckpoint(f"cannot write {path}: {error}; is the disk full?") from error


Named = tuple[str, Checkpoint]  # by the name of its file


def load_checkpoint(path: Path) -> Checkpoint:
    header, tensors = read_tensors(path, FORMAT)
    with refusing_damage(path):
        return Checkpoint(
            config=ModelConfig(**json.loads(header["model"])),
            vocabulary=Vocabulary.from_json(header["vocabulary"]),
            recipe=recipe_from_plain(json.loads(header["recipe"])),
            progress=Progress(**json.loads(header["progress"])),
            provenance=dict(json.loads(header["provenance"]).items()),
            tensors=tensors,
        )


def read_tensors(path: Path, format: FileFormat) -> tuple[dict[str, str], dict[str, Tensor]]:
    """Header and tensors of a checkpoint that is as it was written."""
    if not path.is_file():
        raise BadCheckpoint(f"no checkpoint at {path}")
    with refusing_damage(path):
        with safe_open(path, framework="pt") as file:
            header: dict[str, str] = file.metadata() or {}
            if header.get("format") != format.name:
                raise BadCheckpoint(f"{path} is not an inkscan checkpoint of format {format.name}")
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - not a dict
        _check_sound(header, tensors, format, path)
    return header, tensors


@contextmanager
def refusing_damage(path: Path) -> Iterator[None]:
    """Content of any other shape is refused by one error."""
    try:
        yield
    except BadCheckpoint:
        raise
    except (InkscanError, SafetensorError, OSError, *_WRONG_CONTENT) as error:
        raise BadCheckpoint(f"{path} is damaged or of another version: {error}") from error


def load_named(paths: Sequence[Path]) -> tuple[Named, ...]:
    """Several checkpoints, with what a run's provenance calls them."""
    return tuple((path.name, load_checkpoint(path)) for path in paths)


def content_hash(header: Mapping[str, str], tensors: Mapping[str, Tensor]) -> str:
    """SHA-256 over the header's texts and the tensors, by name."""
    digest = hashlib.sha256()
    for key in sorted(header.keys() - {"sha256"}):
        digest.update(f"{key}\0{header[key]}\0".encode())
    for key in sorted(tensors):
        value = tensors[key].detach().cpu()
        digest.update(f"{key}\0{value.dtype}\0{tuple(value.shape)}\0".encode())
        digest.update(value.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _check_sound(
    header: Mapping[str, str], tensors: Mapping[str, Tensor], format: FileFormat, path: Path
) -> None:
    known = {"format", "sha256", *format.texts}
    if strange := sorted(header.keys() - known):  # one that was "sha256" once must not go unchecked
        raise BadCheckpoint(f"{path} is damaged or of another version: its header has a key {strange[0]!r}")
    unhashed = format.unhashed and "sha256" not in header
    if not unhashed and header.get("sha256") != content_hash(header, tensors):
        raise BadCheckpoint(
            f"{path} is damaged: its content does not have the SHA-256 that it was written with"
        )
    for key, value in tensors.items():
        if value.is_floating_point() and not torch.isfinite(value).all():
            raise BadCheckpoint(
                f"{path} holds a value that is not finite, in {key}; go back to an earlier one"
            )


def optimizer_tensors(optimizer: torch.optim.Optimizer, model: nn.Module) -> dict[str, Tensor]:
    """The optimiser's state by parameter name."""
    names: dict[Tensor, str] = {parameter: name for name, parameter in model.named_parameters()}
    return {
        f"optimizer.{moment}.{names[parameter]}": value
        for parameter, moments in optimizer.state.items()
        for moment, value in moments.items()
    }


def restore_optimizer(optimizer: torch.optim.Optimizer, model: nn.Module, tensors: dict[str, Tensor]) -> None:
    """The inverse of `optimizer_tensors`, from names without the first part."""
    parameters = dict(model.named_parameters())
    for key, value in tensors.items():
        moment, name = key.split(".", 1)
        # Counts of steps are read by the processor, whatever computes the rest.
        device = value.device if moment == "step" else parameters[name].device
        optimizer.state[parameters[name]][moment] = value.to(device, copy=True)
