"""`inkscan bench`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.errors import BadCorpus


def test_an_empty_corpus_is_refused(tmp_path: Path) -> None:
    write_corpus([], tmp_path / "c.parquet", CorpusMetadata())
    with pytest.raises(BadCorpus, match="holds no inks"):
        CliRunner().invoke(app, ["bench", "--data", str(tmp_path / "c.parquet")], catch_exceptions=False)
