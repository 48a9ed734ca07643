"""Two machines, played by two launchers on the loopback, train as one machine with two processes does."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from inkscan.training.checkpoint import load_checkpoint
from inkscan.training.command import leaving_the_group
from inkscan.training.run_folder import LAST, METRICS

SETTINGS = ("epochs=5", "batch_size=2", "patterns.recombine=0", "window=20", "validate_every=5")


def losses(out: Path) -> list[tuple[int, float]]:
    rows = [json.loads(line) for line in (out / METRICS).read_text().splitlines()]
    return [(row["step"], row.get("cross_entropy", row.get("exp_rate"))) for row in rows]


def test_processes_part_before_python_ends(tmp_path: Path) -> None:
    def fail() -> None:
        store = f"file://{tmp_path / 'store'}"
        torch.distributed.init_process_group("gloo", init_method=store, rank=0, world_size=1)
        raise KeyError

    with pytest.raises(KeyError), leaving_the_group():
        fail()
    assert not torch.distributed.is_initialized()
    with leaving_the_group():
        pass  # a run of one process has no group


@pytest.mark.slow
def test_two_nodes_train_as_one_with_two_processes(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def command(out: Path, *, devices: int, nodes: int) -> list[str]:
        options = ["--train", str(corpora[0]), "--valid", str(corpora[1]), "--out", str(out)]
        sets = [word for setting in SETTINGS for word in ("--set", setting)]
        sizes = ["--preset", "tiny", "--devices", str(devices), "--nodes", str(nodes)]
        return ["-m", "inkscan", "train", "onscan", *options, *sizes, *sets]

    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    one, two = tmp_path / "one", tmp_path / "two"
    subprocess.run(
        [sys.executable, *command(one, devices=2, nodes=1)], check=True, capture_output=True, env=environment
    )
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nnodes", "2", "--nproc-per-node", "1"]
    torchrun += ["--master-addr", "127.0.0.1", "--master-port", str(port)]
    launchers = [
        subprocess.Popen(
            [*torchrun, "--node-rank", str(rank), *command(two, devices=1, nodes=2)],
            stdout=subprocess.DEVNULL,
            env=environment,
        )
        for rank in range(2)
    ]
    try:
        assert [launcher.wait(timeout=300) for launcher in launchers] == [0, 0]
    finally:
        for launcher in launchers:
            launcher.terminate()
    assert losses(two) == losses(one)
    assert len(losses(one)) > 2
    ours, theirs = load_checkpoint(two / LAST), load_checkpoint(one / LAST)
    assert ours.progress.step == theirs.progress.step > 0
    assert all(torch.equal(ours.tensors[name], value) for name, value in theirs.tensors.items())
