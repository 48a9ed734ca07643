"""Ancestry: which corpora weights have learnt from, by their own run or by one that they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def lineage(provenance: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The provenance of a run, a checkpoint or a model, and every record of what it comes from, at any depth."""
    yield provenance
    for name, value in provenance.items():
        for one in value if isinstance(value, list) else (value,):
            if name != "train" and isinstance(one, Mapping):
                yield from lineage(one)


def learnt_from(provenance: Mapping[str, Any]) -> frozenset[str]:
    """The fingerprints of these corpora, of each alone and of those that were read as one."""
    whole = (train for record in lineage(provenance) if isinstance(train := record.get("train"), Mapping))
    corpora = (one for train in whole for one in (train, *(train.get("corpora") or ())))
    return frozenset(str(one["fingerprint"]) for one in corpora if one.get("fingerprint"))


def corpora_of(provenance: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The records of these corpora, each once and its own run's first; of those that were read as one the parts."""
    found: dict[Any, Mapping[str, Any]] = {}
    for record in lineage(provenance):
        train = record.get("train")
        if isinstance(train, Mapping) and train:
            for one in train.get("corpora") or (train,):
                found.setdefault(one.get("fingerprint"), one)
    return list(found.values())
