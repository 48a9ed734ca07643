"""The Ray engine gives the local engine's rows, also when a worker dies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from inkscan.bulk.local import LocalEngine
from inkscan.bulk.run import Advance, BulkRequest, run_bulk


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
def test_rows_equal_the_local_engines(
    sources: dict[str, Path], kind: str, model: Path, tmp_path: Path
) -> None:
    ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    from ray._private import state

    from inkscan.bulk.cluster import RayEngine

    source = sources[kind]
    outs = tmp_path / "local.parquet", tmp_path / "ray.parquet"
    run_bulk(BulkRequest(source, outs[0], (str(model),), 2, chunk_inputs=5), LocalEngine(1))
    killed = []

    def kill_one(advance: Advance) -> None:
        if not killed:
            alive = [actor for actor in state.actors().values() if actor["State"] == "ALIVE"]
            pids = [actor["Pid"] for actor in alive if "MapWorker" in actor["ActorClassName"]]
            killed.append(pids[0])
            subprocess.run(["kill", "-9", str(pids[0])], check=True)

    run_bulk(BulkRequest(source, outs[1], (str(model),), 2, chunk_inputs=5), RayEngine(2), kill_one)
    assert killed
    assert not ray.is_initialized()
    assert pq.read_table(outs[1]).equals(pq.read_table(outs[0]))
