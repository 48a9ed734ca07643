"""Golden vectors: what Python says, for the JavaScript package to say the same.

    python js/make_golden.py                                  js/test/golden.json, ink of the project's own making
    python js/make_golden.py --lines FILE --generated 1000    recognitions of generated inks, one JSON value a line
    python js/make_golden.py --lines FILE --inks FOLDER       recognitions of all InkML files below a folder

golden.json keeps its inks, so that it changes with the answers alone; without it, new ones are made. The lines
are for `node js/parity.mjs FILE`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from fastapi.testclient import TestClient

from inkscan import Ink, load
from inkscan.errors import InkscanError, LatexError
from inkscan.features import FeatureSettings
from inkscan.features.raster import raster
from inkscan.features.symbol_pictures import CHANNELS, symbol_pictures
from inkscan.features.trace import trace_features
from inkscan.ink.json import ink_from_json, to_json
from inkscan.ink.mended_order import in_mended_order
from inkscan.ink.reading_order import in_reading_order
from inkscan.latex.tokens import latex_from_tokens, parse_latex
from inkscan.latex.tree import to_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.runtime.classifier import read_classifier
from inkscan.runtime.lines import lines_of
from inkscan.runtime.models import CLASSIFIER, DEFAULT, MODEL_JSON, SECOND, WEIGHTS, find_model
from inkscan.runtime.recognizer import Recognizer
from inkscan.synthesis.generate import Generator
from inkscan.web.app import create_app

HOME = Path(__file__).parent
TARGET = HOME / "test" / "golden.json"
EXAMPLES = HOME.parent / "examples" / "ink"
GENERATED = 16
SHEETS = 4
LAYOUTS = 30
PICTURED = 12  # strokes of an ink by themselves
MIXED = 4  # inks that are written out of order, too
SEED = 17
DECIMALS = 1  # of coordinates in golden.json, whose inks are some hundred units high

FORMATS = ["mathml", "alternatives", "symbols", "alignment"]
CHANGING = ("timing", "request_id")
NUMBERS = (
    1 / 128,
    3 / 128,
    -1 / 128,
    5 / 128,
    1.0000005,
    0.1234567,
    -12.3456785,
    2.5e-7,
    0.5,
    1e-9,
    123.4564995,
)
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"forbid": ["]"]},
    {"beam": 1},
    {"beam": 3, "n_best": 2},
    {"allow": [*"0123456789+-="], "beam": 5},
    {"forbid": ["x", "\\frac", "2"]},
    {"length_power": 0.0, "n_best": 10},
    {"max_tokens": 6},
    {"beam": 10, "spread": 20.0, "margin": 20.0, "n_best": 10},
    {"doubt": 0.0},
    {"doubt": 1.0},
)
SHAPES: dict[str, Any] = {
    "dot": [[[3, 4]]],
    "still": [[[3, 4], [3, 4], [3, 4]]],
    "bar": [[[0, 0], [0, 50]]],
    "dash": [[[0, 0], [80, 1]]],
    "division": [[[0, 10], [40, 10]], [[20, 0]], [[20, 20]]],
    "dashes": [[[0, 10 * i], [40, 10 * i + 1]] for i in range(5)],
    "long-bar": [[[0, 30], [900, 31]], *([[x, 0], [x + 9, 20]] for x in (300, 400, 500, 600))],
    "half-cells": [[[0, 0], [0, 10]], [[20, 0], [29, 0]], [[20, 0], [21.5, 0]]],
    "scribble": [[[i % 2 * 90.0, i / 4] for i in range(200)]],
    "many-dots": [[[3 * i, 5 * (i % 7)]] for i in range(130)],
    "far-stroke": [[[0, 0], [10, 20]], [[10, 0], [0, 20]], [[0, 90], [10, 110]], [[300, 0], [300, 30]]],
    "repeated": [[[0, 0], [0, 0], [5, 9], [5, 9], [10, 0]], [[1, 6], [9, 6], [9, 6]]],
}
EQUAL_BOXES: tuple[Any, ...] = (  # whose points decide, and their bytes are not ordered as their numbers
    [[[10, 10], [0, 0]], [[0.1, 0], [0, 10], [10, 0]], [[1, 0], [10, 10], [0, 0]], [[0, 0], [10, 10]]],
    [[[0, 0], [8, 8], [0, 0]], [[0, 0], [8, 8]], [[-0.0, 0], [8, 8]], [[0, 0], [8, 8]], [[-9, -9], [-5, -6]]],
)
RASTERS = ({"image_height": 24, "pen": 1}, {"image_height": 28, "pen": 3, "max_image_side": 400})
LONG_SHAPES = ("scribble", "many-dots")  # their features would fill the file
FORMULAS = (
    r"x", r"12.5 + .5", r"3.x", r"a_1^2 + b'_{ij}", r"\frac{1}{2}", r"\sqrt[3]{x+y}", r"\left(\frac{a}{b}\right)^2",
    r"\sum_{k=1}^{n} k", r"\sum\limits_{i} x_i", r"\int_0^1 f(x) dx", r"\int x^2 d\theta", r"\lim_{x \to 0} \sin x",
    r"\limsup_n a_n", r"|x| + |y+z|", r"\|v\|^2", r"[0, 1)", r"(a", r"b)", r"-x = -(-y)", r"x \in \mathbb{R}^n",
    r"\mathcal L", r"\mathbb{AB}", r"\hat{x} + \overline{ab} + \vec v", r"\underbrace{a+b}_{n}", r"\boxed{E}",
    r"\binom{n}{k}", r"a \over b", r"n \choose k", r"\overset{!}{=}", r"\stackrel{a}{b}", r"log x", r"l o g_2 8",
    r"\log(x)", r"\sin\cos x", r"\alpha\beta a", r"f'' + x^{\prime}", r"x^{a}'", r"≤ α ∞", r"a\ltb", r"M\gtN",
    r"x \leq y \neq z", r"\{ x | x > 0 \}", r"n!", r"a/b;c,d", r"\ldots, \cdots", r"\neg p \to q", r"\sum_{i}^{n}",
    r"\prod^2 x", r"$ \mathrm{d}x $", r"\text{if} \quad x", r"\operatorname*{max} x", r"\max_{x} f", r"{{x}}^2",
    r"\operatorname{cosh}x", r"\text{using} x^\mathrm{ab}", r"\bigl. x \bigr|_0", r"\left[ a \over b \right]^2",
    r"\left(\left( n \choose k\right) \over c\right)", r"\underset{i}{\hat{x}}", r"\overset{a}{\bigcirc}",
    r"a \boldsymbol* b", r"x_{}", r"a < b > c", r"\& \% \#", r"\mathbb{1}", r"\mathfrak{g}", r"\det A", r"{ab}_c",
    r"x^{y^{z}}",
)  # fmt: skip
BAD_FORMULAS = (
    "", r"\frac{1}", r"x^", r"^2", r"{x", r"x}", r"\sqrt[3", r"\foo", r"\begin{array}{c}", r"a & b", r"x_1_2",
    r"x^2^3", r"\limits", r"\sum\limits x", r"\frac{a}{b}\limits_x", r"a \over", "\\", r"\mathbb{\alpha}", r"\hat{}",
    r"\overset{a}{bc}", "{" * 80 + "x" + "}" * 80, r"\sqrt{}", r"ẋ", r"\overset{a}{\frac{b}{c}}",
)  # fmt: skip
BAD_INKS: tuple[Any, ...] = (
    None, 5, "strokes", {}, [], {"strokes": []}, {"strokes": 3}, [[]], [[1, 2]], [[[1]]], [[[1, 2, 3, 4, 5]]],
    [[[1, 2], [1, 2, 3]]], [[["a", "b"]]], [[[True, 1]]], [[[1e10, 0]]], [{"x": [1]}], [{"x": [1], "y": [1, 2]}],
    [{"x": [], "y": []}], [{"x": [1], "y": [2], "t": [1, 2]}], [{"x": 1, "y": 2}], {"strokes": {"x": [[1]]}},
    {"strokes": {"strokes": {"x": [[1], [2]], "y": [[1]]}}}, {"strokeGroups": [3]}, [None], [[None]],
)  # fmt: skip


def golden() -> dict[str, Any]:
    """All sections of golden.json."""
    recognizer = load()
    inks = _inks()
    return {
        "models": [
            json.loads((find_model(name) / MODEL_JSON).read_text("utf-8"))["sha256"]
            for name in (DEFAULT, SECOND)
        ]
        + [dict(read_classifier(WEIGHTS / CLASSIFIER).info.sha256)],
        "recognitions": [
            *(_recognition(recognizer, to_json(ink), {}) for ink in inks),
            *(_recognition(recognizer, to_json(inks[i]), options) for i, options in enumerate(OPTIONS[1:])),
            *(_recognition(recognizer, shape, {}) for shape in SHAPES.values()),
            *(_recognition(recognizer, _mixed(_points(ink)), {}) for ink in inks[:MIXED]),
            *(_recognition(recognizer, _late(_points(ink)), {}) for ink in inks[:MIXED]),
            *(
                _recognition(recognizer, [stroke[::-1] for stroke in _points(ink)], {})
                for ink in inks[:MIXED]
            ),
        ],
        "sheets": [
            _sheet(recognizer, ink) for ink in _stacked(inks[: 2 * SHEETS : 2], inks[1 : 2 * SHEETS : 2])
        ],
        "lines": [{"strokes": strokes, "lines": lines_of(ink_from_json(strokes))} for strokes in _layouts()],
        "orders": [
            {"strokes": strokes, "order": order, "mended": in_mended_order(ink, order)}
            for strokes in (*map(_mixed, _layouts()), *map(_late, _layouts()), *SHAPES.values(), *EQUAL_BOXES)
            for ink in [ink_from_json(strokes)]
            for order in [in_reading_order(ink)]
        ],
        "features": [
            {"strokes": shape, **_features(shape)}
            for name, shape in SHAPES.items()
            if name not in LONG_SHAPES
        ],
        "rasters": [
            {"strokes": shape, "settings": settings, **_raster(shape, settings)}
            for settings in RASTERS
            for shape in (*SHAPES.values(), _points(inks[0]))
        ],
        "pictures": [_pictures(strokes) for strokes in (*SHAPES.values(), _points(inks[0]))],
        "formulas": [_formula(latex) for latex in (*FORMULAS, *BAD_FORMULAS)],
        "rounded": [[number, digits, round(number, digits)] for number in NUMBERS for digits in (3, 6)],
        "refused": [{"ink": ink, "code": _refusal(ink)} for ink in BAD_INKS],
    }


def text(sections: dict[str, Any]) -> str:
    """JSON with an entry a line."""
    parts = []
    for name, entries in sections.items():
        written = [json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries]
        parts.append(f"{json.dumps(name)}: [\n" + ",\n".join(written) + "\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def lines(inks: Iterable[Ink]) -> Iterator[str]:
    """A recognition a line."""
    with TestClient(create_app(load())) as client:
        for value in map(to_json, inks):
            yield json.dumps({"ink": value, "options": {}, "reply": _reply(client, value)})


def _recognition(recognizer: Recognizer, ink: Any, options: dict[str, Any]) -> dict[str, Any]:
    with TestClient(create_app(recognizer.with_search(**options) if options else recognizer)) as client:
        return {"ink": ink, "options": options, "reply": _reply(client, ink)}


def _reply(client: TestClient, ink: Any) -> dict[str, Any]:
    """The reply of the server, less what differs from call to call."""
    body = ink if isinstance(ink, dict) else {"strokes": ink}
    reply = client.post("/v1/recognize", json={**body, "formats": FORMATS}).raise_for_status().json()
    return {key: value for key, value in reply.items() if key not in CHANGING}


def _stacked(uppers: Iterable[Ink], lowers: Iterable[Ink]) -> Iterator[Ink]:
    """Each two inks below one another, closer and closer."""
    for number, (upper, lower) in enumerate(zip(uppers, lowers, strict=True)):
        gap = upper.box().height * (0.6 - 0.6 * number / LAYOUTS)
        down = upper.box().bottom + gap - lower.box().top
        yield _rounded(
            Ink.from_points(
                [s.xy for s in upper.strokes] + [s.xy + np.array([0.0, down]) for s in lower.strokes]
            )
        )


def _sheet(recognizer: Recognizer, ink: Ink) -> dict[str, Any]:
    return {"ink": to_json(ink), "reply": recognizer.sheet(ink).to_json()}


def _layouts() -> list[Any]:
    """Where lines are parted depends on the boxes of the strokes alone, so a diagonal stands for a stroke."""
    if TARGET.is_file():
        return [entry["strokes"] for entry in json.loads(TARGET.read_text("utf-8"))["lines"]]
    inks = _stacked(_generated(LAYOUTS), _generated(LAYOUTS, SEED + 1))
    boxes = ([ink.box((stroke,)) for stroke in range(len(ink))] for ink in inks)
    return [[[[box.left, box.top], [box.right, box.bottom]] for box in ink] for ink in boxes]


def _inks() -> list[Ink]:
    if TARGET.is_file():
        kept = json.loads(TARGET.read_text("utf-8"))["recognitions"]
        return [
            ink_from_json(one["ink"]) for one in kept if isinstance(one["ink"], dict) and not one["options"]
        ]
    return [_rounded(ink) for ink in (*_examples(), *_generated(GENERATED))]


def _points(ink: Ink) -> Any:
    return [stroke.xy.tolist() for stroke in ink.strokes]


def _mixed(strokes: list[Any]) -> list[Any]:
    """The strokes in an order that no one writes in."""
    return [strokes[i] for i in np.random.default_rng(SEED).permutation(len(strokes))]


def _late(strokes: list[Any]) -> list[Any]:
    """The second stroke last."""
    return [*strokes[:1], *strokes[2:], *strokes[1:2]]


def _features(strokes: Any) -> dict[str, Any]:
    trace = trace_features(ink_from_json(strokes), FeatureSettings(trace="even"))
    return {
        "features": trace.features.ravel().round(6).tolist(),
        "stroke_lengths": trace.stroke_lengths.tolist(),
    }


def _raster(strokes: Any, settings: dict[str, int]) -> dict[str, Any]:
    """The inked pixels by a sum over their places, the shares by one over cells: the drawings would fill the file."""
    drawn = raster(ink_from_json(strokes), FeatureSettings(**settings))  # type: ignore[arg-type]
    rows, columns = np.nonzero(drawn.image)
    shares = drawn.pooled_masks
    return {
        "size": list(drawn.image.shape),
        "inked": [len(rows), int(rows.sum()), int(columns.sum()), int((rows * columns).sum())],
        "cells": list(shares.shape),
        "shares": [
            float(share) for share in (shares.reshape(len(shares), -1) @ np.arange(shares[0].size)).round(6)
        ],
    }


def _pictures(strokes: Any) -> dict[str, Any]:
    """Each stroke by itself and all together; the drawings by sums over their pixels, as they would fill the file."""
    ink = ink_from_json(strokes)
    groups = [*((stroke,) for stroke in range(min(len(ink), PICTURED))), tuple(range(len(ink)))]
    seen = symbol_pictures(ink, groups)
    flat = seen.images.reshape(len(groups) * CHANNELS, -1).astype(np.float64)
    places = np.arange(flat.shape[1])
    return {
        "strokes": strokes,
        "groups": groups,
        "inked": flat.sum(axis=1).round(4).tolist(),
        "moments": (flat @ places / len(places)).round(4).tolist(),
        "measures": seen.measures.ravel().astype(np.float64).round(5).tolist(),
    }


def _formula(latex: str) -> dict[str, Any]:
    try:
        row = parse_latex(latex)
    except LatexError as error:
        return {"latex": latex, "code": error.code, "position": error.position}
    tokens = to_tokens(row)
    typeset = {"latex": latex_from_tokens(tokens), "tokens": tokens, "mathml": to_mathml(row)}
    return {"latex": latex, "typeset": typeset}


def _refusal(ink: Any) -> str:
    try:
        ink_from_json(ink)
    except InkscanError as error:
        return error.code
    raise AssertionError(f"{ink!r} is not refused")


def _examples() -> list[Ink]:
    return [Ink.read(path) for path in sorted(EXAMPLES.glob("*.inkml"))]


def _generated(count: int, seed: int = SEED) -> Iterator[Ink]:
    for sample in Generator(max_symbols=20).samples(count, seed):
        yield sample.ink


def _rounded(ink: Ink) -> Ink:
    return Ink.from_points([np.round(stroke.xy, DECIMALS) for stroke in ink.strokes])


def _folder(folder: Path) -> Iterator[Ink]:
    for path in sorted(folder.rglob("*.inkml")):
        try:
            yield Ink.read(path)
        except InkscanError as error:
            print(f"{path.name}: {error.code}, left out", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=f"Golden vectors of {DEFAULT} and {SECOND}.")
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--generated", type=int, default=0)
    parser.add_argument("--inks", type=Path)
    wanted = parser.parse_args()
    if wanted.lines is None:
        TARGET.write_text(text(golden()), encoding="utf-8")
        return
    if wanted.inks and not wanted.inks.is_dir():
        parser.error(f"{wanted.inks} is no folder")
    inks = _folder(wanted.inks) if wanted.inks else _generated(wanted.generated)
    with wanted.lines.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines(inks))


if __name__ == "__main__":
    main()
