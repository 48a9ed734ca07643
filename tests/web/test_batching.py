"""The queue: together what waits together, no more than it holds, and every answer to its own request."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.waiting import eventually
from tests.web import inks
from tests.web.conftest import MakeClient
from tests.web.fake import FakeRecognizer

from inkscan import Ink
from inkscan.latex.tokens import parse_latex
from inkscan.latex.tree import Row
from inkscan.web import typeset_routes
from inkscan.web.batching import CROWD


def test_a_full_queue_is_429_with_retry_after(make_client: MakeClient, fake: FakeRecognizer) -> None:
    client = make_client(queue=2, batch=1)
    fake.hold.clear()
    with ThreadPoolExecutor(8) as pool:
        ask = lambda: pool.submit(client.post, "/v1/recognize", json={"strokes": inks.plain(2)})  # noqa: E731
        futures = [ask()]
        eventually(lambda: fake.started == 1)
        futures += [ask() for _ in range(5)]
        eventually(lambda: sum(future.done() for future in futures) == 3)  # one runs, two wait
        fake.hold.set()
        responses = [future.result(10) for future in futures]
    assert sorted(r.status_code for r in responses) == [200, 200, 200, 429, 429, 429]
    busy = next(r for r in responses if r.status_code == 429)
    assert busy.headers["retry-after"] == "1"
    assert busy.json()["error"]["code"] == "request.overloaded"
    assert "inkscan_overloaded_total 3" in client.get("/metrics").text


def test_what_cannot_be_answered_in_time_is_refused_at_once(
    make_client: MakeClient, fake: FakeRecognizer
) -> None:
    client = make_client(batch=1, answer_seconds=4.0)
    fake.delay = 2.0
    assert client.post("/v1/recognize", json={"strokes": inks.plain(1)}).status_code == 200  # shows the pace
    with ThreadPoolExecutor(12) as pool:
        futures = [
            pool.submit(client.post, "/v1/recognize", json={"strokes": inks.plain(1)}) for _ in range(12)
        ]
        statuses = [future.result(30).status_code for future in futures]
    assert statuses.count(429) >= 6


def test_a_long_ink_holds_no_short_one(make_client: MakeClient, fake: FakeRecognizer) -> None:
    client = make_client()
    fake.hold.clear()
    fake.holds_from = 100  # strokes
    long = {"strokes": [[[i, 0], [i, 1]] for i in range(200)], "beam": 20}
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(client.post, "/v1/recognize", json=long) for _ in range(3)]
        eventually(lambda: len(client.app.state.service.queue) == 2)  # type: ignore[attr-defined]
        assert client.post("/v1/recognize", json={"strokes": inks.plain(5)}).json()["latex"] == "x=2"
        fake.hold.set()
        assert [future.result(10).status_code for future in futures] == [200] * 3
    assert fake.batches == [1, 1, 1, 1]  # long ones are read one by one, so that each can be given up


def test_what_many_typeset_is_bounded(make_client: MakeClient, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, release = threading.Event(), threading.Event()

    def slow(latex: str) -> Row:
        begun.set()
        release.wait(10)
        return parse_latex(latex)

    monkeypatch.setattr(typeset_routes, "parse_latex", slow)
    client = make_client(typeset_queue=2)
    with ThreadPoolExecutor(6) as pool:
        ask = lambda: pool.submit(client.post, "/v1/typeset", json={"latex": "x"})  # noqa: E731
        futures = [ask()]
        assert begun.wait(10)
        futures += [ask() for _ in range(5)]
        eventually(lambda: sum(future.done() for future in futures) == 3)  # one is typeset, two wait
        assert client.post("/v1/recognize", json={"strokes": inks.plain(2)}).json()["latex"] == "x"
        release.set()
        replies = [future.result(10) for future in futures]
    assert sorted(reply.status_code for reply in replies) == [200, 200, 200, 429, 429, 429]


def test_requests_that_wait_together_are_one_batch(make_client: MakeClient, fake: FakeRecognizer) -> None:
    client = make_client(batch=8)
    queue = client.app.state.service.queue  # type: ignore[attr-defined]
    fake.hold.clear()
    with ThreadPoolExecutor(6) as pool:
        ask = lambda count: pool.submit(client.post, "/v1/recognize", json={"strokes": inks.plain(count)})  # noqa: E731
        futures = [ask(1)]
        eventually(lambda: fake.started == 1)
        futures += [ask(count) for count in (2, 3, 4, 5, 6)]
        eventually(lambda: len(queue) == 5)
        fake.hold.set()
        latex = [future.result(10).json()["latex"] for future in futures]
    assert latex == ["/", "x", "x-", "x=", "x=2", "x=2^{5}"]
    assert fake.batches == [1, 5]


def test_no_second_model_is_asked_in_a_crowd(make_client: MakeClient, fake: FakeRecognizer) -> None:
    client = make_client(batch=1)
    fake.hold.clear()
    waiting = CROWD + 2
    with ThreadPoolExecutor(1 + waiting) as pool:
        ask = lambda: pool.submit(client.post, "/v1/recognize", json={"strokes": inks.plain(2)})  # noqa: E731
        futures = [ask()]
        eventually(lambda: fake.started == 1)
        futures += [ask() for _ in range(waiting)]
        eventually(lambda: len(client.app.state.service.queue) == waiting)  # type: ignore[attr-defined]
        fake.hold.set()
        assert [future.result(10).status_code for future in futures] == [200] * (1 + waiting)
    doubt = fake.settings.doubt
    assert doubt > 0 and fake.doubts == [doubt, 0.0, *[doubt] * (CROWD + 1)]  # once no more than CROWD wait


def test_other_searches_are_other_batches(make_client: MakeClient, fake: FakeRecognizer) -> None:
    client = make_client(batch=8)
    queue = client.app.state.service.queue  # type: ignore[attr-defined]
    fake.hold.clear()
    with ThreadPoolExecutor(6) as pool:
        futures = [pool.submit(client.post, "/v1/recognize", json={"strokes": inks.plain(1)})]
        eventually(lambda: fake.started == 1)
        for n_best in (1, 2, 1, 2):
            body = {"strokes": inks.plain(5), "n_best": n_best}
            futures.append(pool.submit(client.post, "/v1/recognize", json=body))
        eventually(lambda: len(queue) == 4)
        fake.hold.set()
        counts = [len(future.result(10).json()["alternatives"]) for future in futures]
    assert counts == [1, 1, 2, 1, 2]
    assert fake.batches == [1, 2, 2]


def test_an_ink_that_breaks_its_batch_spoils_no_other(make_client: MakeClient, fake: FakeRecognizer) -> None:
    client = make_client()
    queue = client.app.state.service.queue  # type: ignore[attr-defined]
    fake.hold.clear()
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(client.post, "/v1/recognize", json={"strokes": inks.plain(1)})
        eventually(lambda: fake.started == 1)
        bad = pool.submit(client.post, "/v1/recognize", json={"strokes": [[[i, i]] for i in range(13)]})
        good = pool.submit(client.post, "/v1/recognize", json={"strokes": inks.plain(5)})
        eventually(lambda: len(queue) == 2)
        fake.hold.set()
        assert first.result(10).status_code == 200
        assert good.result(10).json()["latex"] == "x=2"
        assert bad.result(10).status_code == 500
        assert bad.result(10).json()["error"]["code"] == "internal"


def test_python_and_every_http_shape_agree(make_client: MakeClient, fake: FakeRecognizer) -> None:
    client = make_client()
    latex = fake.answers([Ink.from_points(inks.plain(6))])[0].latex  # type: ignore[union-attr]
    native = client.post("/v1/recognize", json={"strokes": inks.plain(6)}).json()["latex"]
    mathpix = client.post("/v3/strokes", json={"strokes": {"strokes": inks.columns(6)}}).json()[
        "latex_styled"
    ]
    exports = [
        client.post("/api/v4.0/iink/batch", json={"strokeGroups": [{"strokes": inks.channels(6)}]}).text,
        client.post("/api/v4.0/iink/recognize", json={"strokes": inks.channels(6)}).text,
    ]
    with client.websocket_connect("/v1/live") as live:
        live.send_json({"set": inks.plain(6)})
        exports.append(live.receive_json()["latex"])
    assert {native, mathpix, *exports} == {latex}
