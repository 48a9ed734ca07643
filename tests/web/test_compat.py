"""The request shapes of Mathpix and MyScript, as their documents print them."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.web import fake, inks
from tests.web.conftest import MakeClient

from inkscan.runtime.segmentation import is_written
from inkscan.web.server_settings import ServerSettings

JIIX = "application/vnd.myscript.jiix"


def mathpix(**more: object) -> dict[str, object]:
    return {"strokes": {"strokes": inks.columns(6)}, **more}


def batch(**more: object) -> dict[str, object]:
    return {
        "configuration": {"lang": "en_US", "math": {"mimeTypes": ["application/x-latex"]}},
        "xDPI": 96, "yDPI": 96, "contentType": "Math", "width": 800, "height": 600,
        "strokeGroups": [{"strokes": inks.channels(3)}, {"strokes": inks.channels(6)[3:]}], **more,
    }  # fmt: skip


def test_mathpix_defaults(client: TestClient) -> None:
    answer = client.post("/v3/strokes", json=mathpix(), headers={"app_id": "a", "app_key": "k"}).json()
    assert answer["text"] == "\\( x=2^{5} \\)"
    assert answer["latex_styled"] == "x=2^{5}"
    assert answer["confidence"] == pytest.approx(0.7)
    assert answer["is_handwritten"] is True and answer["is_printed"] is False
    assert 0 < answer["confidence_rate"] <= 1
    assert answer["image_width"] == 260 and answer["request_id"]
    assert "data" not in answer and "html" not in answer


def test_mathpix_formats_data_and_delimiters(client: TestClient) -> None:
    body = mathpix(
        formats=["text", "data", "html"],
        data_options={"include_latex": True, "include_mathml": True, "include_asciimath": True},
        math_inline_delimiters=["$", "$"],
        rm_spaces=True,
    )
    answer = client.post("/v3/strokes", json=body).json()
    assert answer["text"] == "$ x=2^{5} $"
    assert [entry["type"] for entry in answer["data"]] == ["latex", "mathml", "asciimath"]
    assert answer["data"][0]["value"] == "x=2^{5}"
    assert answer["data"][2]["value"] == "x = 2^(5)"
    assert "<math" in answer["html"] and "latex_styled" not in answer


def test_mathpix_delimiters_are_written_whole_or_refused(client: TestClient) -> None:
    for length, status in ((20, 200), (21, 400)):
        response = client.post("/v3/strokes", json=mathpix(math_inline_delimiters=["<" * length, ">"]))
        assert response.status_code == status
    assert "at most 20 characters" in response.json()["error"]


def test_mathpix_errors_have_its_shape(client: TestClient) -> None:
    response = client.post("/v3/strokes", json={"strokes": {"strokes": {"x": [[1]], "y": []}}})
    assert response.status_code == 400
    assert response.json()["error_info"]["id"] == "ink.malformed"
    assert response.json()["error"] == response.json()["error_info"]["message"]


@pytest.mark.parametrize(
    ("accept", "kind", "start"),
    [
        ("application/x-latex", "application/x-latex", "x=2^{5}"),
        ("application/json,application/x-latex", "application/x-latex", "x=2^{5}"),
        ("application/mathml+xml", "application/mathml+xml", "<math"),
        (JIIX, JIIX, "{"),
        ("*/*", "application/x-latex", "x=2^{5}"),
        (f"{JIIX};q=0.5, application/x-latex; q=0.9", "application/x-latex", "x=2^{5}"),
        ("application/x-latex;q=0, */*;q=0.1", "application/mathml+xml", "<math"),
    ],
)
@pytest.mark.parametrize("path", ["batch", "recognize"])
def test_myscript_exports_by_accept(
    client: TestClient, path: str, accept: str, kind: str, start: str
) -> None:
    newer = {"scaleX": 0.26, "scaleY": 0.26, "contentType": "Math", "strokes": inks.channels(6)}
    body = batch() if path == "batch" else newer
    response = client.post(f"/api/v4.0/iink/{path}", json=body, headers={"Accept": accept})
    assert response.status_code == 200
    assert response.headers["content-type"].partition(";")[0] == kind
    assert response.text.startswith(start)


def test_jiix_is_a_tree_with_strokes_boxes_and_candidates(client: TestClient) -> None:
    response = client.post("/api/v4.0/iink/batch", json=batch(), headers={"Accept": JIIX})
    document = response.json()
    assert document["type"] == "Math" and document["id"] == "MainBlock"
    assert document["bounding-box"]["width"] == pytest.approx(260.0 * 25.4 / 96, rel=0.02)
    (equals,) = document["expressions"]
    assert equals["type"] == "="
    x, power = equals["operands"]
    assert (x["type"], x["label"]) == ("symbol", "x")
    assert [item["id"] for item in x["items"]] == ["s0", "s1"]
    assert power["type"] == "superscript"
    two, five = power["operands"]
    assert (two["label"], two["value"]) == ("2", 2.0) and five["label"] == "5"
    assert two["symbols"][0]["candidates"][:2] == ["2", "z"]


def test_jiix_has_the_strokes_of_bars_roots_and_fences(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(fake.ANSWERS, 6, ("\\frac { 1 } { \\sqrt { ( x ) } }", (1,) * 6))
    document = client.post("/api/v4.0/iink/batch", json=batch(), headers={"Accept": JIIX}).json()
    (fraction,) = document["expressions"]
    root = fraction["operands"][1]
    fence = root["operands"][0]
    marks = [mark for node in (fraction, root, fence) for mark in node["symbols"]]
    assert [(mark["label"], [item["id"] for item in mark["items"]]) for mark in marks] == [
        ("―", ["s0"]), ("√", ["s2"]), ("(", ["s3"]), (")", ["s5"]),
    ]  # fmt: skip
    assert (fraction["type"], root["type"], fence["type"]) == ("fraction", "square root", "fence")


@pytest.mark.parametrize(
    ("text", "strokes", "kind", "labels"),
    [
        (r"\frac { a } { b } ^ { n }", (1, 2, 1, 2), "fraction", ["a", "b"]),
        (r"\sqrt [ 3 ] { x } ^ { n }", (1, 2, 1, 2), "root", ["x", "3"]),
    ],
)
def test_jiix_keeps_all_of_what_has_a_script(
    text: str, strokes: tuple[int, ...], kind: str, labels: list[str], client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setitem(fake.ANSWERS, 6, (text, strokes))
    document = client.post("/api/v4.0/iink/batch", json=batch(), headers={"Accept": JIIX}).json()
    (power,) = document["expressions"]
    base, exponent = power["operands"]
    assert (power["type"], base["type"], exponent["label"]) == ("superscript", kind, "n")
    assert [operand["label"] for operand in base["operands"]] == labels


def outline(node: dict[str, Any]) -> Any:
    """A JIIX node as its label, or its type and operands."""
    return node.get("label") or [node["type"], *map(outline, node.get("operands", ()))]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 2 x", ["group", "12", "x"]),
        ("1 0 ^ { 2 }", ["superscript", "10", "2"]),
        ("2 . 5 x", ["group", "2.5", "x"]),
        ("1 . 2 . 3", "1.2.3"),
        ("| x + 1 |", ["fence", ["+", "x", "1"]]),
        ("( a + b ) ^ { 2 }", ["superscript", ["fence", ["+", "a", "b"]], "2"]),
        ("a = b - c", ["=", "a", ["-", "b", "c"]]),
        ("a = _ { n } b", ["group", "a", ["subscript", "=", "n"], "b"]),
        ("- x", ["group", "-", "x"]),
        ("2 \\times - 3", ["×", "2", ["group", "-", "3"]]),
        ("a + - b", ["+", "a", ["group", "-", "b"]]),
        ("\\sin - x", ["group", "sin", "-", "x"]),
        ("( 1 , - 2 )", ["fence", ["group", "1", ",", ["group", "-", "2"]]]),
        (r"\{ x | x > 0 \}", ["fence", ["|", "x", [">", "x", "0"]]]),
        (r"\{ x | y , z \}", ["fence", ["|", "x", ["group", "y", ",", "z"]]]),
        ("x = 1 , y", ["group", ["=", "x", "1"], ",", "y"]),
    ],
)
def test_jiix_has_numbers_fences_and_operators_as_they_bind(
    text: str, tree: Any, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = sum(is_written(text.split()))
    monkeypatch.setitem(fake.ANSWERS, 6, (text, (1,) * (written - 1) + (7 - written,)))
    document = client.post("/api/v4.0/iink/batch", json=batch(), headers={"Accept": JIIX}).json()
    assert [outline(node) for node in document["expressions"]] == [tree]


def test_myscript_errors_have_its_shape(client: TestClient) -> None:
    response = client.post("/api/v4.0/iink/batch", json=batch(contentType="Text"))
    assert response.status_code == 400
    assert response.json().keys() == {"code", "message"}
    for accept in ("image/png", "application/x-latex;q=0", "application/x-latex;q=0.0, */*;q=0"):
        response = client.post("/api/v4.0/iink/batch", json=batch(), headers={"Accept": accept})
        assert (response.status_code, response.json()["code"]) == (406, "request.not_acceptable")


def test_myscript_signatures(make_client: MakeClient) -> None:
    client = make_client(ServerSettings(api_key="app", hmac_key="secret"))
    body = json.dumps(batch()).encode()
    signature = hmac.new(b"appsecret", body, hashlib.sha512).hexdigest()
    headers = {"applicationKey": "app", "hmac": signature, "Accept": "application/x-latex"}
    assert client.post("/api/v4.0/iink/batch", content=body, headers=headers).text == "x=2^{5}"
    refused = client.post("/api/v4.0/iink/batch", content=body + b" ", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (401, "request.unauthorized")
