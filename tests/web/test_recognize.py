"""POST /v1/recognize and its neighbours."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.conftest import REPOSITORY
from tests.runtime.tiny_classifier import exported_classifier
from tests.web import inks
from tests.web.conftest import MakeClient
from tests.web.fake import FakeRecognizer

from inkscan import SearchSettings
from inkscan.latex.vocabulary import WIDE
from inkscan.runtime.classifier import Classifier
from inkscan.web.options import FORMATS, Options
from inkscan.web.page_files import STATIC


def test_all_shapes_of_strokes_give_the_same_answer(client: TestClient) -> None:
    bodies: list[dict[str, Any]] = [
        {"json": {"strokes": inks.plain(5)}},
        {"json": {"strokes": inks.channels(5)}},
        {"json": {"strokes": {"strokes": inks.columns(5)}}},
        {"json": inks.plain(5)},
        {"content": inks.inkml(5), "headers": {"Content-Type": "application/inkml+xml"}},
    ]
    for body in bodies:
        response = client.post("/v1/recognize", **body)
        assert response.status_code == 200
        assert response.json()["latex"] == "x=2"


def test_the_answer_has_what_was_asked_for(client: TestClient) -> None:
    answer = client.post("/v1/recognize", json={"strokes": inks.plain(5), "formats": list(FORMATS)}).json()
    assert answer["mathml"].startswith("<math")
    assert [a["latex"] for a in answer["alternatives"]] == ["x=2", "x=z", "X=2"]
    assert all(a["mathml"].startswith("<math") for a in answer["alternatives"])
    assert [s["strokes"] for s in answer["symbols"]] == [[0, 1], [2, 3], [4]]
    assert len(answer["alignment"]) == 3 and len(answer["alignment"][0]) == 5
    assert "<trace" in answer["inkml"] and answer["lg"]
    assert answer["timing"]["batch"] == 1


def test_formats_leave_out_the_rest(client: TestClient) -> None:
    answer = client.post("/v1/recognize?formats=latex&n_best=1", content=inks.inkml(5)).json()
    assert answer["latex"] == "x=2"
    assert not {"mathml", "alternatives", "symbols", "alignment", "inkml", "lg"} & set(answer)


def test_json_with_a_byte_order_mark_keeps_its_options(client: TestClient) -> None:
    body = json.dumps({"strokes": inks.plain(5), "formats": ["latex"]}).encode("utf-8-sig")
    answer = client.post("/v1/recognize", content=body).json()
    assert answer["latex"] == "x=2" and "mathml" not in answer


def test_formats_may_be_repeated_in_the_query(client: TestClient) -> None:
    answer = client.post("/v1/recognize?formats=lg&formats=mathml,symbols", content=inks.inkml(5)).json()
    assert {"lg", "mathml", "symbols"} <= set(answer) and "alternatives" not in answer


def test_candidates_come_from_the_alternatives_and_then_from_looks(client: TestClient) -> None:
    answer = client.post("/v1/recognize", json={"strokes": inks.plain(5)}).json()
    two = answer["symbols"][2]["candidates"]
    assert two[0] == {"token": "z", "probability": 0.2}
    assert two[1:] and all(c["probability"] is None for c in two[1:])


def test_n_best_bounds_the_alternatives(client: TestClient) -> None:
    answer = client.post("/v1/recognize", json={"strokes": inks.plain(5), "n_best": 2}).json()
    assert len(answer["alternatives"]) == 2


def test_options_change_only_what_they_name() -> None:
    base = SearchSettings(spread=1.0, margin=2.0, length_power=0.5, max_tokens=50, forbid=("X",))
    assert Options.read({"beam": 3, "allow": ["x"]}).search(base) == replace(base, beam=3, allow=("x",))


def test_all_but_one_of_the_widest_alphabet_can_be_allowed() -> None:
    symbols = WIDE.symbols[1:]
    assert Options.read({"allow": list(symbols)}).search(SearchSettings()).allow == symbols


def test_json_in_utf_16_keeps_its_options(client: TestClient) -> None:
    body = json.dumps({"strokes": inks.plain(2), "formats": ["mathml"]})
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"):
        answer = client.post("/v1/recognize", content=body.encode(encoding)).json()
        assert "mathml" in answer and "symbols" not in answer


def test_typeset_gives_canonical_latex(client: TestClient) -> None:
    answer = client.post("/v1/typeset", json={"tokens": ["x", "^", "2"]}).json()
    assert answer["latex"] == "x^{2}"
    assert "<msup>" in answer["mathml"]
    assert client.post("/v1/typeset", json={"latex": "\\frac12"}).json()["latex"] == "\\frac{1}{2}"
    for asked in ({"latex": "\\stackrel{?}{=}"}, {"tokens": ["=", "\\limits", "^", "?"]}):
        assert client.post("/v1/typeset", json=asked).json()["latex"] == "\\mathop{=}\\limits^{?}"


def test_typeset_takes_tokens_as_it_takes_latex(client: TestClient) -> None:
    answer = client.post("/v1/typeset", json={"tokens": ["\\left", "(", "x", "\\right", ")", "\\le"]}).json()
    assert answer["tokens"] == ["(", "x", ")", "\\leq"] and "\\" not in answer["mathml"]
    for tokens, code in ((["$"], "latex.unknown_token"), ([], "latex.syntax")):
        response = client.post("/v1/typeset", json={"tokens": tokens})
        assert (response.status_code, response.json()["error"]["code"]) == (400, code)
    empty_latex = client.post("/v1/typeset", json={"latex": ""})
    assert response.json()["error"]["message"] == empty_latex.json()["error"]["message"]


@pytest.mark.parametrize(
    "token", ["", " ", "a b", "\n", "\0", "\ud800", "<b>", r"\mathbb", r"\mathbb{", r"\foo{x}", "\\"]
)
def test_what_is_no_token_is_not_typeset(client: TestClient, token: str) -> None:
    response = client.post("/v1/typeset", content=json.dumps({"tokens": ["a", token, "b"]}))
    assert (response.status_code, response.json()["error"]["code"]) == (400, "request.invalid")


def test_the_model_is_named_with_the_limits(client: TestClient) -> None:
    about = client.get("/v1/model").json()
    assert len(about["symbols"]) == 110 and "<eos>" not in about["symbols"]
    assert about["model"] == "fake"
    assert (about["second"], about["classifier"]) == (None, None)
    assert about["limits"]["strokes"] == 500


def test_the_classifier_is_named_with_its_licence(fake: FakeRecognizer, make_client: MakeClient) -> None:
    fake.classifier = Classifier(exported_classifier())
    about = make_client().get("/v1/model").json()
    assert (about["classifier"], about["licence"]) == ("shapes", "CC0-1.0")


def test_health_and_metrics(client: TestClient) -> None:
    assert client.head("/healthz").status_code == client.head("/").status_code == 200
    assert client.get("/healthz").json()["status"] == "ok"
    client.post("/v1/recognize", json={"strokes": inks.plain(2)})
    client.post("/v1/recognize", content=b"{")
    text = client.get("/metrics").text
    assert 'inkscan_requests_total{route="/v1/recognize",status="200"} 1' in text
    assert 'inkscan_requests_total{route="/v1/recognize",status="400"} 1' in text
    assert "inkscan_inks_total 1" in text
    assert 'inkscan_batch_size_bucket{le="+Inf"} 1' in text


ELSEWHERE = re.compile(r"""(?:src|href)=["'](?:https?:)?//|url\(["']?(?:https?:)?//|from ["']https?:""")


def test_pages_need_nothing_from_elsewhere(client: TestClient) -> None:
    for path in ("/", "/docs", "/static/style.css", "/static/app.js", "/static/client.js"):
        response = client.get(path)
        assert response.status_code == 200
        assert "default-src 'self'" in response.headers["content-security-policy"]
        assert not ELSEWHERE.findall(response.text), path
    assert {"/v1/recognize", "/v3/strokes", "/api/v4.0/iink/batch"} <= set(
        client.get("/openapi.json").json()["paths"]
    )


def test_the_page_offers_the_example_inks_of_the_repository() -> None:
    offered = sorted((STATIC / "examples").iterdir())
    assert len(offered) == 6
    for path in offered:
        assert path.read_bytes() == (REPOSITORY / "examples" / "ink" / path.name).read_bytes()
