"""The Ray engine gives the local engine's rows, also when a worker dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from inkscan.bulk.local import LocalEngine
from inkscan.bulk.run import BulkRequest, run_bulk


def test_without_ray_the_sentence_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['ray'] = None\n"
        "from inkscan.errors import MissingExtra\n"
        "try:\n    import inkscan.bulk.cluster\n"
        "except MissingExtra as error:\n    assert 'inkscan[ray]' in str(error)\n"
        "else:\n    sys.exit('no error')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tar", "corpus"])
def test_rows_equal_the_local_engines_though_an_actor_dies(
    sources: dict[str, Path], kind: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    from inkscan.bulk import cluster

    died = tmp_path / "died"

    class Mortal(cluster.RecognizerActor):
        """Dies over the third chunk, once."""

        def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
            if batch["chunk"][0].first == 10 and not died.exists():
                died.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return super().__call__(batch)

    monkeypatch.setattr(cluster, "RecognizerActor", Mortal)
    source, outs = sources[kind], (tmp_path / "local.parquet", tmp_path / "ray.parquet")
    run_bulk(BulkRequest(source, outs[0], (str(model),), 2, chunk_inputs=5), LocalEngine(1))
    run_bulk(BulkRequest(source, outs[1], (str(model),), 2, chunk_inputs=5), cluster.RayEngine(2))
    assert died.exists()
    assert not ray.is_initialized()
    assert pq.read_table(outs[1]).equals(pq.read_table(outs[0]))
