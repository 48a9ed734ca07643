"""ExtraBank: isolated characters that a run may write with beside its corpus's own symbols."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inkscan.errors import BadCorpus, BadSetting, SourceNotFound, WrongBank
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.unipen import read_licence
from inkscan.training.recipes import Patterns


@dataclass(frozen=True)
class ExtraBank:
    """A tar of characters, and what a run's provenance says of it."""

    path: Path
    sha256: str
    licence: str

    @classmethod
    def find(cls, path: Path) -> ExtraBank:
        """The bank of a file, of which only the digest and the licence are read."""
        if not path.is_file():
            raise SourceNotFound(f"there is no bank {path}; --bank takes a tar of UNIPEN characters")
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return cls(path, digest, read_licence(path))

    def record(self) -> dict[str, str]:
        return {"file": self.path.name, "sha256": self.sha256, "licence": self.licence}

    def read(self, labels: Container[str]) -> SymbolBank:
        """The characters whose labels a run's vocabulary has."""
        bank = SymbolBank.from_unipen(self.path).only(labels)
        if not bank:
            raise BadCorpus(f"{self.path} has no character that the training corpus's vocabulary knows")
        return bank


def bank_of(provenance: Mapping[str, Any]) -> dict[str, str] | None:
    """The bank that weights were trained with, in their own run or in one that they began from."""
    return provenance.get("bank") or provenance.get("init_bank")


def check_resumed(provenance: Mapping[str, Any], bank: ExtraBank | None) -> None:
    """A run goes on with the bank that it began with: else its patterns would change on the way."""
    begun = provenance.get("bank")
    if begun is None and bank is not None:
        raise WrongBank(f"the run to go on with began without a bank: leave out --bank {bank.path}")
    if begun is not None and (bank is None or bank.sha256 != begun["sha256"]):
        given = f"{bank.path} is another" if bank else "none is given"
        raise WrongBank(
            f"the run to go on with began with the bank {begun['file']} (SHA-256 {begun['sha256'][:16]}) and {given}: "
            "give it with --bank"
        )


def check_used(patterns: Patterns) -> None:
    """A bank that no pattern draws from would mark a run for nothing."""
    if not patterns.extra or not (patterns.exchange or patterns.recombine):
        raise BadSetting(
            "--bank has no use here: patterns.extra, or both patterns.exchange and patterns.recombine, are 0"
        )
