"""Hostile model folders and checkpoints, and the targets that read them."""

from __future__ import annotations

import hashlib
import json
import random
import struct
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from hostile import Inputs

from inkscan import load
from inkscan.ink import Ink
from inkscan.runtime.classifier import Classifier, read_classifier
from inkscan.runtime.member import Member, member_of
from inkscan.runtime.models import (
    CLASSIFIER,
    CLASSIFIER_GRAPH,
    CLASSIFIER_JSON,
    ENCODER,
    LANGUAGE_GRAPH,
    MODEL_JSON,
    STEP,
    find_classifier,
    find_model,
    read_model,
)
from inkscan.runtime.recognizer import Recognizer

SEED = 20
INK = Ink.from_points([[[0, 0], [5, 5], [9, 2]]])
VALUES: tuple[object, ...] = (
    None, 3, -1, 1e400, "x", [], {}, [1, 2], ["<eos>", 1], {"a": []}, True, "x" * 100_000,
)  # fmt: skip


def model_with(name: str) -> Callable[[bytes], None]:
    """A target that replaces one file of a good model; a graph gets its hash."""

    def target(data: bytes) -> None:
        source = find_model("onscan")
        with tempfile.TemporaryDirectory() as folder:
            for file in (MODEL_JSON, ENCODER, STEP):
                (Path(folder) / file).write_bytes(data if file == name else (source / file).read_bytes())
            if name != MODEL_JSON:
                facts = json.loads((source / MODEL_JSON).read_text("utf-8"))
                facts["sha256"][name] = hashlib.sha256(data).hexdigest()
                (Path(folder) / MODEL_JSON).write_text(json.dumps(facts), "utf-8")
            read_model(Path(folder))
            load(folder)(INK)

    return target


def classifier_with(name: str) -> Callable[[bytes], None]:
    """The same for the bundled classifier, beside a model of its vocabulary."""

    def target(data: bytes) -> None:
        source = find_classifier(CLASSIFIER)
        with tempfile.TemporaryDirectory() as folder:
            facts = json.loads((source / CLASSIFIER_JSON).read_text("utf-8"))
            for file in (CLASSIFIER_GRAPH, LANGUAGE_GRAPH):
                (Path(folder) / file).write_bytes((source / file).read_bytes())
            if name != CLASSIFIER_JSON:
                facts["sha256"][name] = hashlib.sha256(data).hexdigest()
            (Path(folder) / CLASSIFIER_JSON).write_text(json.dumps(facts), "utf-8")
            (Path(folder) / name).write_bytes(data)
            classifier = Classifier(read_classifier(Path(folder)))
            Recognizer([_first()], classifier=classifier)
            classifier.scores(INK, [(0,)])
            if classifier.language:
                classifier.language.fluency([(1, 2, 3)])

    return target


@cache
def _first() -> Member:
    return member_of(read_model(find_model()))


def classifier_texts() -> Inputs:
    return _texts(json.loads((find_classifier(CLASSIFIER) / CLASSIFIER_JSON).read_text("utf-8")))


def classifier_graphs() -> Inputs:
    yield "another graph", (find_model("onscan") / STEP).read_bytes()
    yield from _flipped((find_classifier(CLASSIFIER) / CLASSIFIER_GRAPH).read_bytes())


def language_graphs() -> Inputs:
    yield "another graph", (find_classifier(CLASSIFIER) / CLASSIFIER_GRAPH).read_bytes()
    yield from _flipped((find_classifier(CLASSIFIER) / LANGUAGE_GRAPH).read_bytes())


def model_texts() -> Inputs:
    facts = json.loads((find_model("onscan") / MODEL_JSON).read_text("utf-8"))
    yield from _texts(facts)
    for key, value in ((k, v) for k in facts["features"] for v in VALUES):
        yield f"features {key}", json.dumps(facts | {"features": {**facts["features"], key: value}}).encode()


def _texts(facts: dict[str, Any]) -> Inputs:
    """A description with each value exchanged or missing."""
    for key in facts:
        for value in VALUES:
            yield f"{key} {str(value)[:20]}", json.dumps(facts | {key: value}).encode()
        yield f"without {key}", json.dumps({k: v for k, v in facts.items() if k != key}).encode()
    yield "deep", b"[" * 1_000_000
    yield "long", b" " * 20_000_000


def graph_bytes() -> Inputs:
    folder = find_model("onscan")
    yield "the encoder", (folder / ENCODER).read_bytes()
    yield from _flipped((folder / STEP).read_bytes())


def _flipped(graph: bytes) -> Inputs:
    rng = random.Random(SEED)
    for number in range(40):
        spoilt = bytearray(graph)
        for _ in range(rng.choice((1, 10, 100))):
            spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
        yield f"flipped {number}", bytes(spoilt[: rng.choice((len(spoilt), len(spoilt) // 2))])
    yield "endless numbers", b"\xff" * 1_000_000
    yield "deep", b"\x3a\x80\x80\x40" * 250_000


def load_checkpoint_at(path: Path) -> None:
    from inkscan.training.checkpoint import load_checkpoint

    load_checkpoint(path)


def good_checkpoint() -> bytes:
    from inkscan.latex.vocabulary import CROHME
    from inkscan.models.scan import Scan
    from inkscan.models.systems import preset
    from inkscan.training.checkpoint import Checkpoint, Progress, save_checkpoint
    from inkscan.training.recipes import Recipe

    config = preset("tiny", "onscan", len(CROHME))
    tensors = {f"model.{key}": value for key, value in Scan(config).state_dict().items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "last.safetensors"
        save_checkpoint(Checkpoint(config, CROHME, Recipe(), Progress(), {}, tensors), path)
        return path.read_bytes()


def checkpoints() -> Inputs:
    good = good_checkpoint()
    (length,) = struct.unpack("<Q", good[:8])
    header = json.loads(good[8 : 8 + length])
    facts = header["__metadata__"] | {"sha256": ""}
    for key in facts:
        for text in (
            "[" * 100_000,
            "{}",
            "3",
            "null",
            '{"step": 1e999}',
            "[[]]",
            '{"vocabulary_size": -1}',
            "",
        ):
            changed = {k: v for k, v in (facts | {key: text}).items() if k != "sha256" or key == "sha256"}
            head = json.dumps(header | {"__metadata__": changed}).encode()
            yield f"{key} {text[:12]}", struct.pack("<Q", len(head)) + head + good[8 + length :]
    for size in (0, 1, 2**40, 2**63, 2**64 - 1):
        yield f"header of {size}", struct.pack("<Q", size) + good[8:]
    rng = random.Random(SEED)
    for number in range(300):
        place = rng.randrange(len(good)) if number % 2 else rng.randrange(8 + length)
        yield (
            f"flipped at {place}",
            good[:place] + bytes([good[place] ^ (1 << rng.randrange(8))]) + good[place + 1 :],
        )
