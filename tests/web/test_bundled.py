"""The bundled model says the same through the command line, Python and every HTTP shape."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from fastapi.testclient import TestClient
from tests.conftest import REPOSITORY

from inkscan import Ink, load
from inkscan.ink.json import to_json
from inkscan.runtime.models import DEFAULT, bundled_models
from inkscan.web.app import create_app

pytestmark = pytest.mark.skipif(
    DEFAULT not in bundled_models(), reason=f"the weights of {DEFAULT} are not bundled"
)
INKS = [REPOSITORY / "examples" / "ink" / f"{name}.inkml" for name in ("pythagoras", "euler", "cube-root")]


def test_all_interfaces_agree() -> None:
    code = "from inkscan.cli.main import main; main()"
    command = [sys.executable, "-c", code, "recognize", "--json", *map(str, INKS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    by_command_line = [json.loads(line)["latex"] for line in done.stdout.splitlines()]
    recognizer = load()
    assert [recognizer(Ink.read(path)).latex for path in INKS] == by_command_line
    with TestClient(create_app(recognizer)) as client:
        for path, latex in zip(INKS, by_command_line, strict=True):
            strokes = to_json(Ink.read(path))["strokes"]
            columns = {name: [stroke[name] for stroke in strokes] for name in ("x", "y")}
            answers = [
                client.post("/v1/recognize", content=path.read_bytes()).json()["latex"],
                client.post("/v1/recognize", json={"strokes": strokes}).json()["latex"],
                client.post("/v3/strokes", json={"strokes": {"strokes": columns}}).json()["latex_styled"],
                client.post("/api/v4.0/iink/batch", json={"strokeGroups": [{"strokes": strokes}]}).text,
                client.post("/api/v4.0/iink/recognize", json={"strokes": strokes}).text,
            ]
            with client.websocket_connect("/v1/live") as live:
                live.send_json({"set": strokes})
                answers.append(live.receive_json()["latex"])
            assert set(answers) == {latex}


def test_a_sheet_is_the_same_in_python_and_over_http() -> None:
    recognizer = load()
    first, second = (Ink.read(path) for path in INKS[:2])
    shift = 3 * (first.box().bottom - second.box().top)
    lower = [[(x, y + shift) for x, y in stroke.xy.tolist()] for stroke in second.strokes]
    ink = Ink.from_points([*(stroke.xy.tolist() for stroke in first.strokes), *lower])
    sheet = recognizer.sheet(ink)
    assert [str(line) for line in sheet] == [recognizer(first).latex, recognizer(second).latex]
    with TestClient(create_app(recognizer)) as client:
        reply = client.post("/v1/sheet", json={"strokes": to_json(ink)["strokes"]}).json()
    assert (reply["latex"], reply["aligned"]) == (sheet.latex, sheet.aligned)
    assert [line["strokes"] for line in reply["lines"]] == [list(line.strokes) for line in sheet]


def test_the_ink_of_the_documentation_is_read_rightly() -> None:
    minus_one = [
        [(10, 30), (50, 30)],
        [(70, 10), (70, 50)],
    ]  # docs/getting-started.md, docs/http-api.md, /docs
    assert load()(Ink.from_points(minus_one)).latex == "-1"


def test_candidates_are_symbols_that_the_call_allows() -> None:
    one = {"strokes": [[[70, 10], [70, 50]]]}
    with TestClient(create_app(load())) as client:

        def candidates(**options: list[str]) -> set[str]:
            (symbol,) = client.post("/v1/recognize", json={**one, **options}).json()["symbols"]
            return {candidate["token"] for candidate in symbol["candidates"]}

        assert {"l", "|"} <= candidates()
        assert not {"l", "|"} & candidates(forbid=["l", "|"])
        assert candidates(allow=["1", "7", "2"]) <= {"1", "7", "2"}
