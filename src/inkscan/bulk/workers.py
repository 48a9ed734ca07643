"""Engines: what recognises chunks. Rows do not depend on the engine or its number of workers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from inkscan.bulk.inputs import CHUNK_INPUTS, Done, Source
from inkscan.runtime.models import CLASSIFIER_JSON, MODEL_JSON, find_models
from inkscan.runtime.recognizer import Recognizer, RecognizerModels, read_models
from inkscan.runtime.search import SearchSettings

TRIES = 2  # of a chunk, before it is halved to find the input that ends workers


@dataclass(frozen=True)
class Plan:
    """All that a worker needs to build its recogniser; it is sent there, so no path need exist there."""

    models: RecognizerModels
    beam: int
    chunk_inputs: int = CHUNK_INPUTS

    def build(self) -> Recognizer:
        """A recogniser of one thread."""
        return self.models.recognizer().with_search(beam=self.beam, n_best=1)


@dataclass(frozen=True)
class ModelHashes:
    """The SHA-256 of each model.json and of the classifier.json, which hold those of the graphs."""

    together: tuple[str, ...]
    second: str | None
    classifier: str | None


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
    models: tuple[str, ...],
    beam: int | None,
    chunk_inputs: int = CHUNK_INPUTS,
    classifier: str | None = None,
) -> tuple[Plan, ModelHashes]:
    """The plan for models by name or folder, and what tells these models from others."""
    folders = find_models(models, classifier)
    plan = Plan(read_models(folders), beam or SearchSettings().beam, chunk_inputs)
    plan.build().open_all()  # a damaged model is refused here, not by each worker after the other
    return plan, ModelHashes(
        tuple(_hash(folder / MODEL_JSON) for folder in folders.together),
        _hash(folders.second / MODEL_JSON) if folders.second else None,
        _hash(folders.classifier / CLASSIFIER_JSON) if folders.classifier else None,
    )


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
