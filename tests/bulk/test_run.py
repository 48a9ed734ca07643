"""Bulk jobs: one row for each input, whatever happens on the way."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections import deque
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.bulk.conftest import FAULTS, INKS, SAMPLES
from tests.bulk.here import BEAM, HereEngine, read, request
from tests.runtime.tiny_classifier import exported_classifier

from inkscan import Ink, InkError, Recognition, Recognizer, load
from inkscan.bulk import inputs, local
from inkscan.bulk.inputs import Chunk
from inkscan.bulk.local import LocalEngine
from inkscan.bulk.parts import Job, Parts
from inkscan.bulk.run import Advance, run_bulk
from inkscan.bulk.workers import read_plan
from inkscan.errors import BadOutput, DamagedModel, OutputTaken, SourceNotFound
from inkscan.export.classifier_export import classifier_card, write_classifier
from inkscan.runtime.models import DEFAULT, SECOND, bundled_models

CODES = {"ink.malformed": 2, "ink.empty": 1, "ink.unknown_format": 1, "data.not_ink": 1}


@pytest.mark.parametrize("kind", ["folder", "zip", "tar", "corpus"])
def test_rows_are_those_of_the_recognizer(
    sources: dict[str, Path], kind: str, model: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    advances: list[Advance] = []
    summary = run_bulk(request(sources[kind], out, model), HereEngine(), advances.append)
    found = read(out)
    assert [row["input"] for row in found] == list(range(len(found)))
    assert summary.inputs == len(found) == sum(a.inputs for a in advances)
    assert sum(a.share for a in advances) == pytest.approx(1, abs=0.05)
    assert not out.with_name("out.parquet.parts").exists()
    recognizer = load(model).with_search(beam=BEAM)
    for number in (0, 8, 20):
        answer = recognizer(
            SAMPLES[number].ink if kind == "corpus" else Ink.read(sources["folder"] / found[number]["id"])
        )
        row = found[number]
        assert (row["latex"], tuple(row["tokens"])) == (answer.latex, answer.tokens)
        assert row["confidence"] == pytest.approx(answer.confidence, rel=1e-3)
        symbols = json.loads(row["symbols"])
        assert [(s["token"], tuple(s["strokes"])) for s in symbols] == [
            (s.token, s.strokes) for s in answer.symbols
        ]
        assert row["error_code"] is None


def test_every_fault_has_its_code(folder: Path, model: Path, tmp_path: Path) -> None:
    summary = run_bulk(request(folder, tmp_path / "out.parquet", model), HereEngine())
    assert dict(summary.codes) == CODES
    assert (summary.failed, summary.others, summary.recognized) == (len(FAULTS), 1, INKS - len(FAULTS))
    for row in read(tmp_path / "out.parquet"):
        assert (row["latex"] is None) == (row["error_code"] is not None) == (row["error_message"] is not None)


@pytest.mark.parametrize("kind", ["folder", "tar", "corpus"])
def test_a_stopped_job_goes_on_where_it_was(
    sources: dict[str, Path], kind: str, model: Path, tmp_path: Path
) -> None:
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    run_bulk(request(sources[kind], whole, model), HereEngine())
    with pytest.raises(KeyboardInterrupt):
        run_bulk(request(sources[kind], out, model), HereEngine(chunks=2))
    assert not out.exists()
    last = HereEngine()
    run_bulk(request(sources[kind], out, model), last)
    assert last.done[0] == 10
    assert read(out) == read(whole)
    again = HereEngine()
    assert run_bulk(request(sources[kind], out, model), again).inputs == len(read(out))
    assert again.done == []


def test_a_job_with_other_settings_does_not_go_on(folder: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        run_bulk(request(folder, out, model), HereEngine(chunks=1))
    with pytest.raises(OutputTaken, match="another beam"):
        run_bulk(request(folder, out, model, beam=3), HereEngine())
    run_bulk(request(folder, out, model), HereEngine())
    with pytest.raises(OutputTaken, match="another beam"):
        run_bulk(request(folder, out, model, beam=3), HereEngine())


def test_a_job_with_another_classifier_does_not_go_on(folder: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    alone = request(folder, out, model)
    for seed in (0, 1):
        exported = exported_classifier(seed=seed)
        write_classifier(exported, tmp_path / str(seed), classifier_card(exported))
    weighed, otherwise = (replace(alone, classifier=str(tmp_path / name)) for name in ("0", "1"))
    with pytest.raises(KeyboardInterrupt):
        run_bulk(weighed, HereEngine(chunks=1))
    for done in ([5, 10, 15, 20], []):  # of the job that was stopped, and of the finished one
        for other in (otherwise, alone):
            with pytest.raises(OutputTaken, match="another classifier:") as refused:
                run_bulk(other, HereEngine())
            assert refused.value.code == "bulk.taken"
        last = HereEngine()
        run_bulk(weighed, last)
        assert last.done == done


def test_no_other_file_is_overwritten(folder: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "precious.txt"
    out.write_text("mine")
    with pytest.raises(BadOutput, match="choose another output"):
        run_bulk(request(folder, out, model), HereEngine())
    assert out.read_text() == "mine"


def test_parts_that_overlap_give_each_row_once(folder: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        run_bulk(request(folder, out, model), HereEngine(chunks=1))
    job_text = (tmp_path / "out.parquet.parts" / "job.json").read_text()
    values = json.loads(job_text)
    parts = Parts(out, Job(**{**values, "models": tuple(values["models"])}))
    parts.write(2, pq.read_table(next(parts.folder.glob("part-*"))).slice(2))
    run_bulk(request(folder, out, model), HereEngine())
    assert [row["input"] for row in read(out)] == list(range(INKS + 1))


def test_an_internal_fault_costs_one_row(
    folder: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = Ink.read(next(folder.glob("1/*000012.inkml")))

    def answers(self: Recognizer, inks: list[Ink], **changes: Any) -> list[Recognition | InkError]:
        if bad in inks:
            raise ZeroDivisionError("a bug")
        return original(self, inks, **changes)

    original = Recognizer.answers
    monkeypatch.setattr(Recognizer, "answers", answers)
    summary = run_bulk(request(folder, tmp_path / "out.parquet", model), HereEngine())
    assert dict(summary.codes) == CODES | {"internal": 1}
    assert read(tmp_path / "out.parquet")[12]["error_message"] == "ZeroDivisionError: a bug"


def test_an_input_that_ends_workers_gets_its_own_row() -> None:
    """The local engine's bookkeeping: halves until one input is left."""
    chunk = Chunk(10, tuple(inputs.Input(10 + n, f"{n}.json", b"", 0.0) for n in range(4)), 1.0)
    ready: Any = deque()
    assert list(local._again(chunk, 1, ready)) == [] and list(ready) == [chunk]
    ready.clear()
    assert list(local._again(chunk, 2, ready)) == []
    assert [(half.first, len(half.inputs)) for half in ready] == [(10, 2), (12, 2)]
    single = ready[1].halves()[1]
    (answered,) = local._again(single, 2, ready)
    assert answered.rows.to_pylist()[0]["input"] == 13
    assert answered.rows.to_pylist()[0]["error_code"] == "request.crashed"


def test_worker_processes_survive_the_death_of_one(folder: Path, model: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    run_bulk(request(folder, whole, model), HereEngine())
    killed: list[int | None] = []

    def kill_one(advance: Advance) -> None:
        if not killed:
            worker = active_children()[0]
            worker.kill()
            killed.append(worker.pid)

    run_bulk(request(folder, out, model), LocalEngine(2), kill_one)
    assert killed
    assert read(out) == read(whole)


def test_kill_of_the_whole_job_loses_nothing(folder: Path, model: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    run_bulk(request(folder, whole, model), HereEngine())
    script = tmp_path / "job.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\n"
        "from inkscan.bulk.local import LocalEngine\nfrom inkscan.bulk.run import BulkRequest, run_bulk\n"
        "if __name__ == '__main__':\n"
        "    source, out, model = sys.argv[1:]\n"
        f"    request = BulkRequest(Path(source), Path(out), (model,), {BEAM}, chunk_inputs=5)\n"
        "    run_bulk(request, LocalEngine(1))\n"
    )
    command = [sys.executable, str(script), str(folder), str(out), str(model)]
    parts = out.with_name("out.parquet.parts")
    job = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not list(parts.glob("part-*.parquet")) and time.monotonic() < deadline and job.poll() is None:
        time.sleep(0.005)
    job.kill()
    job.wait()
    assert list(parts.glob("part-*.parquet")) and not out.exists()
    subprocess.run(command, check=True)
    assert read(out) == read(whole)


def test_a_source_without_ink_is_an_error(model: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "source", tmp_path / "out.parquet"
    source.mkdir()
    for _ in range(2):
        with pytest.raises(SourceNotFound, match="holds no ink"):
            run_bulk(request(source, out, model), HereEngine())
        assert list(tmp_path.iterdir()) == [source]
        (source / "notes.txt").write_text("no ink")


def test_a_model_that_is_not_its_graphs_is_refused_before_any_worker(
    folder: Path, model: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(model, copy)
    facts = json.loads((copy / "model.json").read_text())
    facts["vocabulary"] = facts["vocabulary"][:-1]
    (copy / "model.json").write_text(json.dumps(facts))
    with pytest.raises(DamagedModel, match="are not its graphs'"):
        run_bulk(request(folder, tmp_path / "out.parquet", copy), HereEngine())


def test_the_command_reports_every_code(folder: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    command = [sys.executable, "-m", "inkscan", "bulk", str(folder), "-o", str(out), "--model", str(model)]
    done = subprocess.run([*command, "--workers", "1", "--json"], capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["codes"] == CODES
    wrong = subprocess.run([*command, "--address", "auto"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and wrong.stderr.startswith("error [request.invalid]")


@pytest.mark.skipif(SECOND not in bundled_models(), reason=f"the weights of {SECOND} are not bundled")
def test_a_model_asked_in_doubt_is_another_job_than_one_that_decides_with_the_first() -> None:
    _, in_doubt = read_plan((), None)
    _, together = read_plan((DEFAULT, SECOND), None)
    assert in_doubt.second is not None
    assert (*in_doubt.together, in_doubt.second) == together.together
    assert in_doubt != together
