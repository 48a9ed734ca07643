"""Own symbols: drawn samples to a model that reads them, and nothing old forgotten on the way in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from inkscan import Ink, load
from inkscan.cli.data import app
from inkscan.data.corpus import Corpus
from inkscan.errors import BadSetting
from inkscan.export.model import ExportSettings, export_checkpoint, write_model
from inkscan.latex.vocabulary import CROHME, END, Vocabulary
from inkscan.models.scan import Scan
from inkscan.models.systems import preset
from inkscan.training.command import run_training
from inkscan.training.extend import PER_TOKEN, extended_vocabulary, extended_weights
from inkscan.training.request import TrainRequest

SYMBOL = "\\natural"  # LaTeX knows it, CROHME's vocabulary and the stroke font do not


def test_old_tokens_keep_their_numbers_and_rows() -> None:
    new = extended_vocabulary(CROHME, [SYMBOL, "\\aleph", SYMBOL])
    assert new.tokens == (*CROHME.tokens, SYMBOL, "\\aleph")
    old_model = Scan(preset("tiny", "onscan", len(CROHME)))
    weights = extended_weights(old_model.state_dict(), CROHME, new)
    Scan(preset("tiny", "onscan", len(new))).load_state_dict(weights)
    for name, rows in old_model.state_dict().items():
        assert torch.equal(weights[name][: len(rows)] if rows.ndim else weights[name], rows)
    output = weights["decoder.W_o.weight"]
    assert torch.allclose(output[-1], old_model.state_dict()["decoder.W_o.weight"].mean(dim=0))


@pytest.mark.parametrize("tokens", [["x"], []])
def test_tokens_that_are_not_new_are_refused(tokens: list[str]) -> None:
    with pytest.raises(BadSetting, match="--add-symbols"):
        extended_vocabulary(CROHME, tokens)


def spiral(seed: int) -> list[list[list[float]]]:
    """A made-up symbol: a spiral and a bar through it."""
    rng = np.random.default_rng(seed)
    turn = np.linspace(0, 4 * np.pi * rng.uniform(0.9, 1.1), 40)
    line = np.stack([turn * np.cos(turn), turn * np.sin(turn)], axis=1) * rng.uniform(2, 4)
    width = float(np.abs(line).max())
    return [line.tolist(), [[-width, 0.0], [width, rng.uniform(-5, 5)]]]


def test_a_made_up_symbol_from_a_handful_of_drawings(tmp_path: Path) -> None:
    drawn, labels = tmp_path / "drawn", tmp_path / "labels.tsv"
    drawn.mkdir()
    for number in range(6):
        (drawn / f"{number}.json").write_text(json.dumps(spiral(number)))
    labels.write_text("".join(f"{number}.json\t{SYMBOL}\n" for number in range(6)))
    expressions = tmp_path / "expressions.txt"
    expressions.write_text(f"{SYMBOL}\n{SYMBOL}+1\n1+{SYMBOL}\n{SYMBOL}-{SYMBOL}\n")
    bank, corpus, valid = (tmp_path / f"{name}.parquet" for name in ("bank", "train", "valid"))
    command("prepare", "folder", drawn, "--labels", labels, "-o", bank)
    assert Corpus.read(bank)[0].alignment == ((0, 1),)
    shared = ("--expressions", expressions, "--bank", bank, "--font-share", "0", "--care", "1")
    command("generate", corpus, "-n", "64", *shared)
    command("generate", valid, "-n", "8", "--seed", "1", *shared)

    quick = ("epochs=1", "batch_size=8", "ema=0")
    plain = tmp_path / "plain.parquet"
    command("generate", plain, "-n", "16", "--max-symbols", "4")
    run_training(TrainRequest("onscan", (plain,), plain, tmp_path / "old", preset="tiny", settings=quick))
    slow = (
        "epochs=24",
        "batch_size=8",
        "warmup_steps=10",
        "learning_rate=0.004",
        "ema=0",
        "validate_every=24",
    )
    patterns = tuple(f"patterns.{name}=0" for name in ("distort", "exchange", "subexpression", "piece"))
    run_training(
        TrainRequest(
            "onscan",
            (corpus,),
            valid,
            tmp_path / "new",
            init=(tmp_path / "old" / "best.safetensors",),
            add_symbols=(SYMBOL,),
            settings=slow + patterns,
        )
    )
    write_model(
        export_checkpoint(tmp_path / "new" / "best.safetensors", ExportSettings("own", length_power=0.5)),
        tmp_path / "model",
    )
    recognizer = load(tmp_path / "model")
    assert recognizer.settings.length_power == 0.5
    assert recognizer.vocabulary.tokens == (*CROHME.tokens, SYMBOL)
    answer = recognizer(Ink.from_points(spiral(100)))
    assert SYMBOL in answer.tokens
    assert answer.mathml


def command(*arguments: object) -> None:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output


def test_other_vocabularies_find_their_tokens_by_name() -> None:
    old, new = Vocabulary((END, "a", "b")), Vocabulary((END, "b", "c"))
    rows = torch.arange(6.0).view(3, 2)
    weights = extended_weights(dict.fromkeys(PER_TOKEN, rows), old, new)
    for name in PER_TOKEN:
        torch.testing.assert_close(weights[name], torch.stack([rows[0], rows[2], rows.mean(dim=0)]))
