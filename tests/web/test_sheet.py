"""POST /v1/sheet: several lines, each read by itself."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from tests.web import inks
from tests.web.conftest import MakeClient
from tests.web.fake import FakeRecognizer

from inkscan.ink.inkml import read_inkml

Points = list[list[list[float]]]


def below(strokes: Points, offset: float) -> Points:
    return [[[x, y + offset] for x, y in stroke] for stroke in strokes]


TWO_LINES = [*inks.plain(5), *below(inks.plain(2), 400)]


def test_each_line_has_its_answer_and_its_strokes(client: TestClient, fake: FakeRecognizer) -> None:
    body = {"strokes": TWO_LINES, "formats": ["mathml", "symbols"], "n_best": 2}
    reply = client.post("/v1/sheet", json=body).json()
    assert [line["latex"] for line in reply["lines"]] == ["x=2", "x"]
    assert [line["strokes"] for line in reply["lines"]] == [[0, 1, 2, 3, 4], [5, 6]]
    assert reply["latex"] == "x=2\nx"
    assert reply["aligned"] == "\\begin{aligned}\nx &=2 \\\\\n&x\n\\end{aligned}"
    assert reply["request_id"] and "alternatives" not in reply["lines"][0]
    alone = client.post("/v1/recognize", json={**body, "strokes": inks.plain(5)}).json()
    assert reply["lines"][0].keys() - {"strokes"} == alone.keys() - {"request_id"}
    assert sum(fake.batches) == 3


def test_strokes_keep_their_own_names(client: TestClient) -> None:
    strokes = [
        {"x": [x for x, _ in points], "y": [y for _, y in points], "id": f"s#{i}"}
        for i, points in enumerate(TWO_LINES)
    ]
    reply = client.post("/v1/sheet", json={"strokes": strokes, "formats": ["inkml"]}).json()
    documents = [read_inkml(line["inkml"].encode()) for line in reply["lines"]]
    assert [one.ink.ids for one in documents] == [("s#0", "s#1", "s#2", "s#3", "s#4"), ("s#5", "s#6")]
    assert sum(len(group.strokes) for group in documents[0].groups) == 5


def test_an_ink_file_may_be_a_sheet(client: TestClient) -> None:
    reply = client.post("/v1/sheet?formats=latex", content=inks.inkml(5)).json()
    assert reply["latex"] == "x=2" and "mathml" not in reply["lines"][0]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"strokes": []}, 400, "ink.no_strokes"),
        ({"strokes": TWO_LINES, "nbest": 1}, 400, "request.invalid"),
        ({"strokes": [[[i, 0], [i, 1]] for i in range(2_001)]}, 413, "ink.too_large"),
        ({"strokes": [[[i, 0], [i, 1]] for i in range(600)]}, 413, "ink.too_large"),  # in one line
    ],
)
def test_refusals(client: TestClient, body: object, status: int, code: str) -> None:
    reply = client.post("/v1/sheet", json=body)
    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)


def test_a_sheet_may_have_more_strokes_than_a_line(client: TestClient) -> None:
    lines = [stroke for i in range(120) for stroke in below(inks.plain(5), 400.0 * i)]
    reply = client.post("/v1/sheet", json={"strokes": lines, "formats": ["latex"]})
    assert reply.status_code == 200
    assert sorted(n for line in reply.json()["lines"] for n in line["strokes"]) == list(range(600))


def test_a_line_that_fails_fails_the_sheet_with_its_own_error(
    make_client: MakeClient, fake: FakeRecognizer
) -> None:
    client = make_client(answer_seconds=0.3)
    fake.hold.clear()
    fake.holds_from = 5  # strokes
    reply = client.post("/v1/sheet", json={"strokes": TWO_LINES})
    assert (reply.status_code, reply.json()["error"]["code"]) == (504, "request.timeout")
