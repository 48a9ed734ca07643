"""A run as it is asked for: the command that repeats it, and what one that goes on refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.training.conftest import QUICK

from inkscan.errors import BadSetting
from inkscan.training.command import run_training
from inkscan.training.request import TrainRequest, check_options, command_of
from inkscan.training.run_folder import LAST


def test_the_command_of_a_run_repeats_it() -> None:
    request = TrainRequest(
        "onscan",
        (Path("/far/train.parquet"), Path("/far/mine.parquet")),
        Path("/far/my valid.parquet"),
        Path("/far/runs/a"),
        repeat=("/far/mine.parquet=20",),
        devices=2,
        init=(Path("/far/old.safetensors"),),
        settings=("epochs=3", "patterns.exchange=0"),
        select_on_test=True,
    )
    assert command_of(request) == (
        "inkscan train onscan --train train.parquet --train mine.parquet --repeat mine.parquet=20 "
        "--valid 'my valid.parquet' --out a --recipe fast --preset paper "
        "--devices 2 --init old.safetensors --select-on-test --set epochs=3 --set patterns.exchange=0"
    )


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"init": (Path("other.safetensors"),)}, "--init other.safetensors .* began with old.safetensors"),
        ({"encoder": (Path("old.safetensors"),)}, "--encoder old.safetensors .* began without"),
        ({"alphabet": "wide"}, "--alphabet wide .* began without"),
        ({"add_symbols": (r"\\star",)}, r"--add-symbols .*star.* began without"),
        ({"preset": "small"}, "--preset small .* began with tiny"),
        ({"recipe": "paper"}, "--recipe paper .* began with fast"),
    ],
)
def test_what_only_a_beginning_can_follow_is_refused_of_a_run_that_goes_on(
    other: dict[str, object], said: str
) -> None:
    begun = TrainRequest(
        "onscan", (Path("t"),), Path("v"), Path("run"), preset="tiny", init=(Path("/far/old.safetensors"),)
    )
    command = command_of(begun)
    with pytest.raises(BadSetting, match=said):
        check_options(command, replace(begun, resume=True, **other))  # type: ignore[arg-type]
    check_options(command, replace(begun, resume=True, init=(Path("/moved/old.safetensors"),)))
    check_options(command, replace(begun, resume=True, init=(), preset=TrainRequest.preset))
    check_options(None, replace(begun, resume=True, **other))  # type: ignore[arg-type] # it is not known


def test_a_run_goes_on_by_its_own_command_after_what_it_began_from_has_gone(
    corpora: tuple[Path, Path], finished: Path, tmp_path: Path
) -> None:
    start = tmp_path / "start.safetensors"
    start.write_bytes((finished / LAST).read_bytes())
    out = tmp_path / "run"
    begun = TrainRequest(
        "onscan", corpora[:1], corpora[1], out, preset="tiny", settings=QUICK, init=(start,), resume=True
    )
    run_training(begun)  # there is nothing to go on with, so it begins
    start.unlink()
    run_training(begun)
    with pytest.raises(BadSetting, match="--alphabet wide has no effect"):
        run_training(replace(begun, alphabet="wide"))
