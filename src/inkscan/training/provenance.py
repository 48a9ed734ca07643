"""Provenance: what weights were made from, by which command, and the licences that follow from that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from inkscan import __version__
from inkscan.data.corpus import CorpusMetadata, joined_licences
from inkscan.training.checkpoint import Checkpoint, Named
from inkscan.training.corpora import Corpora
from inkscan.training.extra import Extra, inherited

NOT_STATED = "not stated"
SEVERAL = ("more_inits", "mean_of", "teachers")  # what has several checkpoints behind it


@dataclass(frozen=True)
class Ingredients:
    """What a new run is made from."""

    train: Corpora
    valid: CorpusMetadata
    valid_samples: int
    extra: Extra
    inits: tuple[Named, ...] = ()
    teachers: tuple[Named, ...] = ()
    precision: str = "32-true"


def new_provenance(command: str, made_from: Ingredients) -> dict[str, Any]:
    """The record of a run that begins."""
    ancestors = [checkpoint.provenance for _, checkpoint in (*made_from.inits, *made_from.teachers)]
    provenance: dict[str, Any] = {
        "inkscan": __version__,
        "command": command,
        "train": made_from.train.record(),
        "valid": asdict(made_from.valid) | {"samples": made_from.valid_samples},
        "selected_on_test": made_from.valid.is_test or any(map(was_selected_on_test, ancestors)),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "precision": made_from.precision,
        **made_from.extra.records(),
    }
    if made_from.inits:
        sources = [source_of(file, checkpoint) for file, checkpoint in made_from.inits]
        provenance["init"] = sources[0]
        if len(sources) > 1:
            provenance["more_inits"] = sources[1:]
    if made_from.teachers:
        provenance["teachers"] = [
            source_of(file, checkpoint) | {"sha256": checkpoint.sha256}
            for file, checkpoint in made_from.teachers
        ]
    provenance |= inherited(*ancestors)
    return without_repeats(provenance)


def was_selected_on_test(provenance: Mapping[str, Any]) -> bool:
    """Whether a test set has chosen these weights, or some that they come from."""
    return bool(provenance.get("selected_on_test"))


def resumed_provenance(begun: Mapping[str, Any], command: str) -> dict[str, Any]:
    """The record of a run that goes on: as it began, and the command it went on with where that differs."""
    return {**begun, **({} if command == begun.get("command") else {"resumed_by": command})}


def began_from_others(provenance: Mapping[str, Any]) -> bool:
    """Whether there are weights behind these whose own recipes their record does not keep."""
    return any(name in provenance for name in ("init", "more_inits", "mean_of"))


def source_of(file: str, checkpoint: Checkpoint) -> dict[str, Any]:
    """A checkpoint that other weights are made from."""
    known = ("command", "train", "init", *SEVERAL)
    kept = {name: checkpoint.provenance[name] for name in known if name in checkpoint.provenance}
    licence = licence_of(checkpoint.provenance)
    return {"file": file, "licence": licence, **kept, **asdict(checkpoint.progress)}


def without_repeats(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The same with each source in full where it first stands, and by its command alone where it stands again.

    Means of runs that began from means of earlier ones have the same ancestors many times over.
    """
    known: set[str] = set()

    def shortened(source: Mapping[str, Any]) -> dict[str, Any]:
        key = json.dumps(source, sort_keys=True)
        if key in known:
            return {name: source[name] for name in ("file", "licence", "command") if name in source}
        known.add(key)
        return inside(source)

    def inside(record: Mapping[str, Any]) -> dict[str, Any]:
        shorter = dict(record)
        if "init" in record:
            shorter["init"] = shortened(record["init"])
        for name in SEVERAL:
            if name in record:
                shorter[name] = [shortened(source) for source in record[name]]
        return shorter

    return inside(provenance)


def licence_of(provenance: Mapping[str, Any]) -> str:
    """The licences of the corpora that weights have learnt from, by their own run or by one that they come from.

    Those of single symbols and of formulas, which corpora are mixed with, stand in the card, each by its source.
    """
    sources = [provenance[name] for name in ("train", "init") if name in provenance]
    sources += (source for name in SEVERAL for source in provenance.get(name, ()))
    sources = [one for source in sources for one in source.get("corpora") or (source,)]
    stated = (str(source.get("licence") or NOT_STATED) for source in sources)
    return joined_licences(stated) or NOT_STATED
