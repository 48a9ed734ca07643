"""The Ray engine gives the local engine's rows, also when a worker dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inkscan.bulk.inputs import Chunk, Input
from inkscan.bulk.local import LocalEngine
from inkscan.bulk.rows import FailedInput, to_table
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


def test_an_input_that_ends_actors_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bookkeeping, without a cluster: an actor that dies is made anew and given the same chunk."""
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    from inkscan.bulk import cluster

    class Mortal(cluster.RecognizerActor):
        def __init__(self, ledger: object) -> None:
            self._ledger = ledger

        def _recognize(self, chunk: Chunk) -> pa.Table:
            if any(one.number == 12 for one in chunk.inputs):
                raise SystemExit
            return to_table(chunk, [FailedInput("fine", "")] * len(chunk.inputs))

    counts = cluster.Ledger()
    ledger = SimpleNamespace(
        begin=SimpleNamespace(remote=counts.begin), end=SimpleNamespace(remote=counts.end)
    )
    monkeypatch.setattr(cluster, "ray", SimpleNamespace(get=lambda value: value))
    chunk = Chunk(10, tuple(Input(10 + n, f"{n}.json", b"", 0.0) for n in range(4)), 1.0)
    deaths, rows = 0, None
    while rows is None and deaths < 100:
        try:
            rows = Mortal(ledger)._rows(chunk)
        except SystemExit:
            deaths += 1
    assert rows is not None
    assert deaths == 6  # two over the chunk, two over its half, two over the input
    assert rows["input"].to_pylist() == [10, 11, 12, 13]
    assert rows["error_code"].to_pylist() == ["fine", "fine", "request.crashed", "fine"]


@pytest.mark.slow
def test_ray_goes_on_without_an_input_that_ends_actors(
    sources: dict[str, Path], model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    from inkscan.bulk import cluster

    class Mortal(cluster.RecognizerActor):
        """Dies over the input number 7, always."""

        def _recognize(self, chunk: Chunk) -> pa.Table:
            if any(one.number == 7 for one in chunk.inputs):
                os.kill(os.getpid(), signal.SIGKILL)
            return super()._recognize(chunk)

    monkeypatch.setattr(cluster, "RecognizerActor", Mortal)
    out = tmp_path / "ray.parquet"
    run_bulk(BulkRequest(sources["corpus"], out, (str(model),), 1, chunk_inputs=2), cluster.RayEngine(1))
    codes = pq.read_table(out)["error_code"].to_pylist()
    assert codes[7] == "request.crashed"
    assert [code for number, code in enumerate(codes) if number != 7] == [None] * (len(codes) - 1)


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
