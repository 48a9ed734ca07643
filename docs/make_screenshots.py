"""Take the README's picture: the page with an example opened, recognised and typeset. Needs Chromium and playwright.

python docs/make_screenshots.py [OUT.png]
python docs/make_screenshots.py --looks FOLDER     a sheet of three lines and the help, at three sizes, light and dark
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import numpy as np
from chromium import chromium
from playwright.sync_api import Browser, ViewportSize

from inkscan.ink import Ink
from inkscan.ink.boxes import stroke_boxes, writing_size

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples" / "ink"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SIZES: dict[str, ViewportSize] = {
    "desk": {"width": 1280, "height": 800},
    "tablet": {"width": 820, "height": 1180},
    "phone": {"width": 390, "height": 844},
}


def picture(out: Path) -> None:
    """The README's."""
    with served() as url, chromium() as browser:
        page = browser.new_page(viewport={"width": 1180, "height": 720}, device_scale_factor=1.5)
        page.goto(url)
        page.set_input_files("#file", EXAMPLES / "quadratic.inkml")
        page.wait_for_selector("math msup", timeout=20_000)
        time.sleep(1)
        page.screenshot(path=out)


def looks(folder: Path) -> None:
    """The page as people meet it, to be looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    with served() as url, chromium() as browser, tempfile.TemporaryDirectory() as scratch:
        sheet = Path(scratch) / "sheet.json"
        three_lines().save(sheet)
        for size in SIZES:
            for theme in THEMES:
                _look(browser, url, sheet, size, theme, folder)


def _look(
    browser: Browser, url: str, sheet: Path, size: str, theme: Literal["light", "dark"], folder: Path
) -> None:
    page = browser.new_page(viewport=SIZES[size], color_scheme=theme)
    page.goto(url)
    page.screenshot(path=folder / f"{size}-{theme}-empty.png")
    page.set_input_files("#file", sheet)
    page.wait_for_selector("math msup", timeout=20_000)
    time.sleep(1)
    page.screenshot(path=folder / f"{size}-{theme}-sheet.png")
    page.click("#help")
    time.sleep(0.5)
    page.screenshot(path=folder / f"{size}-{theme}-help.png")
    page.close()


def three_lines() -> Ink:
    """Examples under one another, equally large."""
    strokes, top = [], 0.0
    for name in ("euler", "polynomial", "quadratic"):
        ink = Ink.read(EXAMPLES / f"{name}.inkml")
        scale = 30 / writing_size(stroke_boxes(ink))
        box = ink.box()
        strokes += [
            (stroke.xy - np.array([box.left, box.top])) * scale + np.array([0, top]) for stroke in ink
        ]
        top += box.height * scale + 40
    return Ink.from_points(strokes)


@contextmanager
def served() -> Iterator[str]:
    """The address of a server that is up."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "inkscan", "serve", "--port", str(port)])
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz")
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait(10)


def wait_for(url: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"no answer from {url}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--looks"]:
        looks(Path(sys.argv[2]))
    else:
        picture(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images" / "page.png")
