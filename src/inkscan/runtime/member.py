"""Member: one model of a recogniser, ready to run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from inkscan.runtime.models import ExportedModel, ModelInfo
from inkscan.runtime.network import Network


@dataclass(frozen=True)
class Member:
    """One model of a recogniser. What it was made of is kept, so that another process can make it again."""

    info: ModelInfo
    network: Network
    exported: ExportedModel | None = field(default=None, repr=False)
    threads: int = 1

    def __reduce__(self) -> tuple[Any, ...]:
        if self.exported is None:
            raise TypeError("only a model that was made by load() or member_of() can be pickled")
        return member_of, (self.exported, self.threads)


def member_of(exported: ExportedModel, threads: int = 1) -> Member:
    """The model ready to run."""
    info = exported.info
    network = Network(exported.encoder, exported.step, info.contract, threads=threads)
    return Member(info, network, exported, threads)
