"""What is recorded of an evaluation, and the marks that it carries."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from research.__main__ import app
from research.marks import MARKS, marks_of
from research.measure import measured_rows
from research.paper import TRAINING_SET
from research.records import read_measured, read_times
from research.speed import random_timer, summed_seconds, trained_timer
from tests.evaluation.oracle import Oracle, made_samples
from typer.testing import CliRunner

from inkscan import load
from inkscan.cli.model_names import model_folder as named_folder
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.errors import BadRequest
from inkscan.evaluation.dataset import Dataset
from inkscan.evaluation.evaluate import Evaluation, evaluate
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import ModelConfig, preset
from inkscan.runtime.models import ModelInfo, bundled_models, read_info, read_model
from inkscan.runtime.recognizer import Recognizer
from inkscan.runtime.search import SearchSettings
from inkscan.training.checkpoint import Checkpoint, Progress, save_checkpoint
from inkscan.training.recipes import recipe_named, to_plain
from research import bench_command, eval_command

PAPERS = {"fingerprint": TRAINING_SET}
PAPERS_SEARCH = SearchSettings(length_power=0.0, both_cases=0.0)

SAMPLES = made_samples(40)
WRONG = {"sample3": ("x", "^", "{", "3", "}"), "sample4": ("x", "_", "{", "2", "}"), "sample5": ()}


def of_split(split: str) -> Evaluation:
    return evaluate(Oracle(SAMPLES, WRONG), Dataset(CorpusMetadata(split, fingerprint="f"), SAMPLES))


@pytest.fixture
def recognizer(model_folder: Callable[..., Path]) -> Recognizer:
    return load(model_folder("onscan"))


def papers_own(info: ModelInfo, system: str = "onscan") -> ModelInfo:
    """As the paper would have trained it."""
    recipe = recipe_named("paper")
    return replace(
        info,
        system=system,
        offline=system != "onscan",
        sizes=asdict(ModelConfig(system, len(CROHME))),
        features=recipe.features,
        provenance={"recipe": to_plain(recipe)},
    )


def test_rows_have_the_rates_of_each_family(recognizer: Recognizer) -> None:
    token, symlg = measured_rows(of_split("mine"), recognizer, "c", extra_data=True)
    assert (token.family, token.exp_rate, token.stru_rate) == ("token", 92.5, None)
    assert (symlg.family, symlg.exp_rate, symlg.stru_rate) == ("symlg", 92.5, 95.0)
    assert "x" in token.marks and "d" in token.marks  # a tiny model, said to have had more data


def test_only_whole_sets_and_known_systems_are_recorded(recognizer: Recognizer) -> None:
    with pytest.raises(BadRequest, match="has 986 expressions but 40"):
        measured_rows(of_split("test2014"), recognizer, "c")
    reordered = of_split("mine").dataset.reordered("shuffled")
    with pytest.raises(BadRequest, match="as it was written"):
        measured_rows(evaluate(Oracle(reordered.samples, {}), reordered), recognizer, "c")
    with pytest.raises(BadRequest, match="single models"):
        measured_rows(of_split("mine"), Recognizer([*recognizer.members] * 2), "c")
    (member,) = recognizer.members
    other = Recognizer([replace(member, info=replace(member.info, system="other"))])
    with pytest.raises(BadRequest, match="no system 'other'"):
        measured_rows(of_split("mine"), other, "c")


def test_the_papers_own_system_has_no_mark(recognizer: Recognizer) -> None:
    info = recognizer.members[0].info
    assert marks_of(papers_own(info), PAPERS_SEARCH) == ""
    assert marks_of(papers_own(info, "mmscan-e"), PAPERS_SEARCH) == ""


@pytest.mark.parametrize(
    ("mark", "change"),
    [
        ("a", {"provenance": {"init": {"file": "x"}}}),
        ("c", {"sizes": {"context_layers": 2}}),
        ("d", {"sizes": {"growth": 4}}),
        ("d", {"sizes": {"offline_layers": 6}}),
        ("d", {"sizes": {"stroke_kernel": 11}}),
        ("f", {"features": {"trace": "even"}}),
        ("f", {"features": {"whole_height": False}}),
        ("g", {"recipe": {"patterns": {"distort": 0.9}}}),
        ("i", {"features": {"image_height": 16}}),
        ("m", {"provenance": {"mean_of": [{"file": "a"}, {"file": "b"}]}}),
        ("r", {"recipe": {"optimizer": "adamw"}}),
        ("r", {"sizes": {"hide_online": 0.2}}),
        ("t", {"provenance": {"selected_on_test": True}}),
        ("u", {"provenance": {"recipe": None}}),
        ("x", {"provenance": {"bank": {"file": "x"}}}),
        ("x", {"provenance": {"teachers": [{"file": "t"}]}}),
        ("x", {"provenance": {"train": {"corpora": [{}, {}]}}}),
        ("x", {"provenance": {"train": {"fingerprint": "other"}}}),
        ("x", {"provenance": {"mean_of": [{"train": {"corpora": [{}, {}]}}]}}),
        ("x", {"provenance": {"mean_of": [{"teachers": [{"file": "t"}]}]}}),
        ("ax", {"provenance": {"init": {"train": {"corpora": [{}, {}]}}}}),
        ("ax", {"provenance": {"init": {"mean_of": [{"train": {"fingerprint": "other"}}]}}}),
        ("ax", {"provenance": {"init": {"file": "x", "teachers": [{"file": "t"}]}}}),
        ("ax", {"provenance": {"init": {"file": "x"}, "more_inits": [{"train": {"fingerprint": "other"}}]}}),
        ("a", {"provenance": {"mean_of": [{"file": "a", "init": {"train": PAPERS}}]}}),
    ],
)
def test_each_difference_has_its_mark(recognizer: Recognizer, mark: str, change: dict[str, Any]) -> None:
    info = papers_own(recognizer.members[0].info, "mmscan-e")
    recipe = {**info.provenance["recipe"], **change.get("recipe", {})}
    info = replace(
        info,
        sizes={**info.sizes, **change.get("sizes", {})},
        features=replace(info.features, **change.get("features", {})),
        provenance={"recipe": recipe, **change.get("provenance", {})},
    )
    assert marks_of(info, PAPERS_SEARCH) == mark
    assert marks_of(info, replace(PAPERS_SEARCH, length_power=0.7)) == "".join(sorted(mark + "l"))
    assert marks_of(info, replace(PAPERS_SEARCH, both_cases=1.0)) == "".join(sorted(mark + "j"))
    assert set(mark) <= MARKS.keys()


def test_the_papers_training_set_is_no_extra_data_however_often() -> None:
    crohme = read_info(bundled_models()["onscan-crohme"])
    assert crohme.provenance["train"]["fingerprint"] == TRAINING_SET
    assert "x" not in marks_of(crohme, PAPERS_SEARCH)
    repeated = {"train": {"fingerprint": "of both", "corpora": [PAPERS]}, "init": {"train": PAPERS}}
    assert "x" not in marks_of(replace(crohme, provenance=repeated), PAPERS_SEARCH)


def test_sizes_of_a_branch_that_a_system_has_not_are_no_difference(recognizer: Recognizer) -> None:
    info = papers_own(recognizer.members[0].info)
    assert marks_of(replace(info, sizes={**info.sizes, "offline_layers": 6, "D": 300}), PAPERS_SEARCH) == ""
    assert marks_of(replace(info, features=replace(info.features, image_height=16)), PAPERS_SEARCH) == ""


def test_eval_keeps_its_rows_and_its_reports(
    model_folder: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(eval_command, "MEASURED", tmp_path / "measured.json")
    paths = [tmp_path / f"{split}.parquet" for split in ("one", "two")]
    for path in paths:
        write_corpus(SAMPLES[:3], path, CorpusMetadata(path.stem, fingerprint="f"))
    data = [word for path in paths for word in ("--data", str(path))]
    words = [
        "eval",
        str(model_folder("onscan")),
        *data,
        "--length-power",
        "0.5",
        "--record",
        "-o",
        str(tmp_path),
    ]
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0
    rows = read_measured(tmp_path / "measured.json")
    assert [(row.dataset, row.family) for row in rows] == [
        ("one", "symlg"), ("one", "token"), ("two", "symlg"), ("two", "token"),
    ]  # fmt: skip
    assert all("l" in row.marks and row.command.startswith("python -m research") for row in rows)
    assert len(json.loads((tmp_path / "onscan-one.json").read_text())["samples"]) == 3
    assert (tmp_path / "onscan-two.tsv").is_file()


def test_two_models_of_one_system_are_kept_beside_each_other_and_what_is_replaced_is_said(
    model_folder: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eval_command, "MEASURED", tmp_path / "measured.json")
    corpus, other = tmp_path / "one.parquet", tmp_path / "other"
    write_corpus(SAMPLES[:3], corpus, CorpusMetadata("one", fingerprint="f"))
    shutil.copytree(model_folder("onscan"), other)
    told = json.loads((other / "model.json").read_text())
    (other / "model.json").write_text(json.dumps({**told, "name": "other"}))

    def recorded(folder: Path) -> str:
        words = ["eval", str(folder), "--data", str(corpus), "--record"]
        return CliRunner().invoke(app, words, catch_exceptions=False).stdout.split("recorded, ")[1]

    assert recorded(model_folder("onscan")).count("\n") == 1
    assert "beside those of onscan" in recorded(other)
    assert "in place of those of other of " in recorded(other)
    rows = read_measured(tmp_path / "measured.json")
    assert [(row.family, row.model) for row in rows] == [
        ("symlg", "onscan"), ("symlg", "other"), ("token", "onscan"), ("token", "other"),
    ]  # fmt: skip


def test_times_are_sums_over_all_inks_relative_to_tap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers = {"tap": lambda sample: 0.5, "wap": lambda sample: float(sample.id[-1])}
    monkeypatch.setattr(bench_command, "random_timers", lambda preset, beam: timers)
    monkeypatch.setattr(bench_command, "TIMES", tmp_path / "times.json")
    corpus = tmp_path / "c.parquet"
    write_corpus(SAMPLES[:4], corpus, CorpusMetadata())
    words = ["bench", "--random", "--data", str(corpus), "--record"]
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0
    found = {
        row.system: (row.seconds, row.time_cost, row.inks) for row in read_times(tmp_path / "times.json")
    }
    assert found == {"tap": (2.0, 1.0, 4), "wap": (0 + 1 + 2 + 3, 3.0, 4)}


def test_random_weights_and_trained_models_can_be_timed(recognizer: Recognizer) -> None:
    timers = {"random": random_timer("onscan", "tiny", beam=2), "trained": trained_timer(recognizer, beam=2)}
    assert min(summed_seconds(timers, SAMPLES[:2]).values()) > 0


def test_without_a_trained_tap_there_is_nothing_to_be_relative_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadRequest, match="no trained model"):
        CliRunner().invoke(app, ["bench", "--limit", "1"], catch_exceptions=False)


def test_the_ten_checkpoints_fit_into_the_project() -> None:
    kept = (Path(__file__).resolve().parents[2] / "checkpoints").glob("*.safetensors")
    assert sum(path.stat().st_size for path in kept) <= 130e6


def test_a_checkpoint_is_exported_once_and_says_how_it_was_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INKSCAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    config = preset("tiny", "tap", len(CROHME))
    tensors = {f"model.{name}": value.half() for name, value in Scan(config).state_dict().items()}
    kept = Checkpoint(config, CROHME, recipe_named("fast"), Progress(), {}, tensors)
    (tmp_path / "checkpoints").mkdir()
    save_checkpoint(kept, tmp_path / "checkpoints" / "tap.safetensors")
    folder = named_folder("tap")
    assert folder.parent == tmp_path / "cache"
    stamp = (folder / "model.json").stat().st_mtime_ns
    assert named_folder("tap") == folder
    assert (folder / "model.json").stat().st_mtime_ns == stamp
    assert marks_of(read_model(folder).info, PAPERS_SEARCH) == "dfgr"
    other = replace(kept, recipe=recipe_named("paper"))
    save_checkpoint(other, tmp_path / "checkpoints" / "tap.safetensors")
    assert named_folder("tap") != folder
