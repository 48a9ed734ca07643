"""A tiny model with random weights and a folder of generated ink with faults among it."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest
import torch

from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.export.model import ExportSettings, export_model, write_model
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import preset
from inkscan.synthesis.generate import Generator, sample_to_inkml

INKS = 24
FAULTS = {3: b"<ink><trace>1 2", 11: b"", 17: b"[[[", 19: b"\x00\x01\x02"}
SAMPLES = tuple(Generator(max_symbols=4).samples(INKS, seed=3))


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    out = tmp_path_factory.mktemp("model") / "tiny"
    scan = Scan(preset("tiny", "onscan", len(CROHME))).eval()
    for values in scan.decoder.parameters():
        values.data.mul_(2.5)
    write_model(export_model(scan, CROHME, FeatureSettings(trace="even"), ExportSettings("tiny")), out)
    return out


def contents() -> dict[str, bytes]:
    """Names and bytes of the files, in the order of their names."""
    files = {
        f"{number // 10}/{sample.id}.inkml": FAULTS.get(number, sample_to_inkml(sample))
        for number, sample in enumerate(SAMPLES)
    }
    return files | {"9/notes.txt": b"no ink"}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("inks")
    for name, data in contents().items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(data)
    return root


@pytest.fixture(scope="session")
def sources(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same inks as folder, archives and corpus (which has no faults)."""
    root = tmp_path_factory.mktemp("sources")
    paths = {
        "folder": folder,
        "zip": root / "inks.zip",
        "tar": root / "inks.tar.gz",
        "corpus": root / "c.parquet",
    }
    with zipfile.ZipFile(paths["zip"], "w") as archive:
        for name, data in contents().items():
            archive.writestr(name, data)
    with tarfile.open(paths["tar"], "w:gz") as tar:
        for name, data in contents().items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    write_corpus(SAMPLES, paths["corpus"], CorpusMetadata("made"))
    return paths
