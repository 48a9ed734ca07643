"""Ancestry: which corpora weights have learnt from, by their own run or by one that they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def learnt_from(provenance: Mapping[str, Any]) -> frozenset[str]:
    """The fingerprints of these corpora, as the provenance of a run, a checkpoint or a model tells them."""
    return frozenset(_fingerprints(provenance))


def _fingerprints(record: Mapping[str, Any]) -> Iterator[str]:
    train = record.get("train")
    if isinstance(train, Mapping):
        corpora = (train, *(train.get("corpora") or ()))
        yield from (str(one["fingerprint"]) for one in corpora if one.get("fingerprint"))
    for name, value in record.items():
        for one in value if isinstance(value, list) else (value,):
            if name != "train" and isinstance(one, Mapping):
                yield from _fingerprints(one)
