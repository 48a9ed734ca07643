"""Engines: what recognises chunks. Rows do not depend on the engine or its number of workers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from inkscan.bulk.inputs import CHUNK_INPUTS, Done, Source
from inkscan.runtime.member import member_of
from inkscan.runtime.models import MODEL_JSON, ExportedModel, find_models, read_model
from inkscan.runtime.reader import SecondOpinion
from inkscan.runtime.recognizer import Recognizer
from inkscan.runtime.search import SearchSettings

TRIES = 2  # of a chunk, before it is halved to find the input that ends workers


@dataclass(frozen=True)
class Plan:
    """All that a worker needs to build its recogniser; it is sent there, so no path need exist there."""

    models: tuple[ExportedModel, ...]
    second: ExportedModel | None  # asked where these are in doubt
    beam: int
    chunk_inputs: int = CHUNK_INPUTS

    def build(self) -> Recognizer:
        """A recogniser of one thread."""
        second = SecondOpinion(self.second) if self.second else None
        recognizer = Recognizer([member_of(model) for model in self.models], second=second)
        return recognizer.with_search(beam=self.beam, n_best=1)


@dataclass(frozen=True)
class ModelHashes:
    """The SHA-256 of each model.json, which holds those of the graphs."""

    together: tuple[str, ...]
    second: str | None


@dataclass(frozen=True)
class Answered:
    """The rows of a chunk."""

    first: int
    rows: pa.Table
    share: float  # of the source


class Engine(Protocol):
    """Recognises what of a source is not done yet; chunks come back in any order."""

    def run(self, source: Source, done: Done, plan: Plan) -> Iterator[Answered]: ...


def read_plan(
    models: tuple[str, ...], beam: int | None, chunk_inputs: int = CHUNK_INPUTS
) -> tuple[Plan, ModelHashes]:
    """The plan for models by name or folder, and what tells these models from others."""
    folders = find_models(models)
    plan = Plan(
        tuple(read_model(folder) for folder in folders.together),
        read_model(folders.second) if folders.second else None,
        beam or SearchSettings().beam,
        chunk_inputs,
    )
    plan.build().open_second()  # a damaged model is refused here, not by each worker after the other
    together = tuple(map(_hash, folders.together))
    return plan, ModelHashes(together, _hash(folders.second) if folders.second else None)


def _hash(folder: Path) -> str:
    return hashlib.sha256((folder / MODEL_JSON).read_bytes()).hexdigest()
