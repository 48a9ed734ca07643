"""The files of the page, with and without a built app beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.conftest import MakeClient

from inkscan.errors import BadServerSetting
from inkscan.web.page_files import STATIC
from inkscan.web.server_settings import ServerSettings

BUILT = {
    "app.json": "{}",
    "local.js": "export const openLocal = built;",
    "fonts.css": "built",
    "reader.js": "of an older build",
    "inkscan/index.js": "built",
    "ort/ort.wasm": "\0asm",
}


@pytest.fixture
def app(tmp_path: Path) -> Path:
    for name, text in BUILT.items():
        path = tmp_path / "app" / "static" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "app" / "secret").write_text("secret")
    return tmp_path / "app"


def test_a_built_app_brings_what_the_page_lacks(make_client: MakeClient, app: Path) -> None:
    client = make_client(ServerSettings(app=app))
    for name in ("local.js", "fonts.css", "inkscan/index.js", "ort/ort.wasm", "app.json"):
        assert client.get(f"/static/{name}").text == BUILT[name]
    assert client.get("/static/ort/ort.wasm").headers["content-type"] == "application/wasm"
    assert client.get("/static/reader.js").text == (STATIC / "reader.js").read_text("utf-8")
    for name in ("nothing.js", "inkscan", "../secret", "%2e%2e/secret"):
        assert client.get(f"/static/{name}").status_code == 404


def test_without_one_the_page_says_that_there_is_none(make_client: MakeClient) -> None:
    client = make_client()
    assert "openLocal = null" in client.get("/static/local.js").text
    assert client.get("/static/app.json").status_code == 404


def test_webassembly_may_run_on_the_page(make_client: MakeClient) -> None:
    assert "'wasm-unsafe-eval'" in make_client().get("/").headers["content-security-policy"]


def test_a_folder_without_an_app_is_refused(make_client: MakeClient, tmp_path: Path) -> None:
    with pytest.raises(BadServerSetting, match="make app"):
        make_client(ServerSettings(app=tmp_path))
