"""Worker processes: one that is killed at its start is replaced, and none outlives its job."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from inkscan.synthesis.generate import Generator, sample_to_inkml

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")

KILLED_AT_ITS_START = """
import os, signal, sys, threading
from dataclasses import replace
from pathlib import Path
from inkscan.bulk.workers import read_plan
from inkscan.bulk.inputs import Done, open_source
from inkscan.bulk.local import LocalEngine

def kill_the_first():
    while True:
        for task in Path("/proc/self/task").iterdir():
            for child in (task / "children").read_text().split():
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(int(child), signal.SIGKILL)
                    return

if __name__ == "__main__":
    source, model = map(Path, sys.argv[1:])
    plan, _ = read_plan((str(model),), 1, 5)
    (exported,) = plan.models.together
    heavy = replace(exported, info=replace(exported.info, summary={"padding": "x" * 9_000_000}))
    threading.Thread(target=kill_the_first).start()
    plan = replace(plan, models=replace(plan.models, together=(heavy,)))
    found = LocalEngine(1).run(open_source(source), Done(), plan)
    print(sum(len(answered.rows) for answered in found))
"""

BUSY = """
import sys
from pathlib import Path
from inkscan.bulk import local
from inkscan.bulk.run import BulkRequest, run_bulk

class Telling(local._Worker):
    def give(self, chunk):
        super().give(chunk)
        print(self.process.pid, flush=True)

if __name__ == "__main__":
    local._Worker = Telling
    source, out = map(Path, sys.argv[1:])
    run_bulk(BulkRequest(source, out, beam=10), local.LocalEngine(2))
"""


def test_a_worker_killed_at_its_start_does_not_stop_the_job(
    folder: Path, model: Path, tmp_path: Path
) -> None:
    script = tmp_path / "job.py"
    script.write_text(KILLED_AT_ITS_START)
    command = [sys.executable, str(script), str(folder), str(model)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert int(done.stdout) == 25


def test_workers_end_with_their_parent_in_the_middle_of_a_chunk(tmp_path: Path) -> None:
    source, script = tmp_path / "inks", tmp_path / "job.py"
    source.mkdir()
    script.write_text(BUSY)
    (ink,) = (sample_to_inkml(sample) for sample in Generator(max_symbols=25).samples(1, seed=9))
    for number in range(2_000):
        (source / f"{number}.inkml").write_bytes(ink)
    command = [sys.executable, str(script), str(source), str(tmp_path / "out.parquet")]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert job.stdout is not None
    workers = [int(job.stdout.readline()) for _ in range(2)]
    assert all(map(is_running, workers))
    job.send_signal(signal.SIGKILL)
    job.wait()
    job.stdout.close()
    deadline = time.monotonic() + 3
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.02)
    left = [pid for pid in workers if is_running(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
