"""The same rows as Parquet, JSON lines and CSV."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from tests.bulk.here import HereEngine, read, request

from inkscan.bulk.run import run_bulk
from inkscan.errors import BadOutput, DamagedJob, OutputTaken


def plain(row: dict[str, Any]) -> dict[str, str]:
    """As CSV has it."""
    tokens = None if row["tokens"] is None else " ".join(row["tokens"])
    return {name: "" if v is None else str(v) for name, v in (row | {"tokens": tokens}).items()}


def test_every_format_has_the_same_rows(folder: Path, model: Path, tmp_path: Path) -> None:
    outs = {suffix: tmp_path / f"out.{suffix}" for suffix in ("parquet", "jsonl", "csv")}
    summaries = [run_bulk(request(folder, out, model), HereEngine()) for out in outs.values()]
    assert summaries[0] == summaries[1] == summaries[2]
    rows = read(outs["parquet"])
    lines = [json.loads(line) for line in outs["jsonl"].read_text().split("\n")[:-1]]
    assert [
        row | {"symbols": None if row["symbols"] is None else json.dumps(row["symbols"], ensure_ascii=False)}
        for row in lines
    ] == rows
    with outs["csv"].open(newline="") as file:
        assert list(csv.DictReader(file)) == [plain(row) for row in rows]


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_text_output_is_finished_resumed_and_guarded_like_another(
    folder: Path, model: Path, tmp_path: Path, suffix: str
) -> None:
    out = tmp_path / f"out.{suffix}"
    with pytest.raises(KeyboardInterrupt):
        run_bulk(request(folder, out, model), HereEngine(chunks=2))
    assert not out.exists()
    last = HereEngine()
    summary = run_bulk(request(folder, out, model), last)
    assert last.done[0] == 10
    again = HereEngine()
    assert run_bulk(request(folder, out, model), again) == summary
    assert again.done == []
    with pytest.raises(OutputTaken, match="another beam"):
        run_bulk(request(folder, out, model, beam=3), HereEngine())
    out.write_text("something else")
    with pytest.raises(OutputTaken, match="was not made by a bulk job"):
        run_bulk(request(folder, out, model), HereEngine())
    assert out.read_text() == "something else"


def test_another_suffix_is_refused_before_any_work(model: Path, tmp_path: Path) -> None:
    with pytest.raises(BadOutput, match=r"none of \.parquet, \.jsonl, \.csv"):
        run_bulk(request(tmp_path / "nothing", tmp_path / "out.xls", model), HereEngine())


def test_an_output_in_no_folder_is_refused(model: Path, tmp_path: Path) -> None:
    with pytest.raises(BadOutput, match="there is no folder"):
        run_bulk(request(tmp_path / "nothing", tmp_path / "absent" / "out.csv", model), HereEngine())


@pytest.mark.parametrize(
    "record", ["", "[", "[" * 100_000, '{"job": "{}", "inputs": Infinity, "codes": {}, "size": 1}']
)
def test_a_damaged_record_is_refused(folder: Path, model: Path, tmp_path: Path, record: str) -> None:
    out = tmp_path / "out.csv"
    out.write_text("x")
    (tmp_path / "out.csv.job.json").write_text(record)
    with pytest.raises(DamagedJob, match="choose another output"):
        run_bulk(request(folder, out, model), HereEngine())
