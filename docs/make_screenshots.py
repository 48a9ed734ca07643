"""Take the README's picture: the page with an example opened, recognised and typeset. Needs Chromium and playwright.

python docs/make_screenshots.py [OUT.png]
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = "/usr/bin/chromium"


def main(out: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "inkscan", "serve", "--port", str(port)])
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz")
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1180, "height": 720}, device_scale_factor=1.5)
            page.goto(f"http://127.0.0.1:{port}/")
            page.set_input_files("#file", ROOT / "examples" / "ink" / "quadratic.inkml")
            page.wait_for_selector("math msup", timeout=20_000)
            time.sleep(1)
            page.screenshot(path=out)
            browser.close()
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
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images" / "page.png")
