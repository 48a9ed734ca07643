"""How fast the page without a server is in Chromium: `make app`, then python benchmarks/app.py [--inks N].

Prints the time of the first and of the second load, the time from asking to the answer for generated inks, and how long
the page's frames took meanwhile.
"""

from __future__ import annotations

import argparse
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

from inkscan.ink.json import to_json
from inkscan.synthesis.generate import Generator

APP = Path(__file__).resolve().parent.parent / "out" / "app"
CHROMIUM = "/usr/bin/chromium"
SETTLE_MS = 4_000  # in which WebAssembly is compiled for speed
LATE_MS = 34  # two frames at sixty a second
OPEN = """async () => {
  const begun = performance.now();
  const { openLocal } = await import('./static/local.js');
  globalThis.local = await openLocal();
  return performance.now() - begun;
}"""
READ = """async (inks) => {
  const frames = [];
  let last = performance.now();
  let isReading = true;
  const frame = (now) => { frames.push(now - last); last = now; if (isReading) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  const answers = [];
  for (const ink of inks) {
    const begun = performance.now();
    const { timing } = await local.recognize(ink);
    answers.push([performance.now() - begun, timing.recognition_ms]);
  }
  isReading = false;
  return { answers, frames };
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def measure(inks: list[Any]) -> None:
    """Load twice, read once, print."""
    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(APP)))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.set_default_timeout(600_000)
        page.goto(f"http://127.0.0.1:{host.server_port}/")
        for load in ("first", "second"):
            before = _cpu_seconds(browser)
            taken = page.evaluate(OPEN) / 1000
            print(f"{load} load: {taken:.2f} s, {_cpu_seconds(browser) - before:.2f} CPU s")
            page.wait_for_timeout(SETTLE_MS)
            page.reload()
        page.evaluate(OPEN)
        page.wait_for_timeout(SETTLE_MS)
        before = _cpu_seconds(browser)
        found = page.evaluate(READ, inks)
        used = (_cpu_seconds(browser) - before) / len(inks)
    _report(found, used)
    host.shutdown()


def _cpu_seconds(browser: Any) -> float:
    """Of all of Chromium's processes that draw and run pages."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(process["cpuTime"] for process in processes if process["type"] == "renderer")


def _report(found: dict[str, Any], used: float) -> None:
    waited, worked = np.array(found["answers"]).T
    frames = np.array(found["frames"][1:])
    for name, values in (("answer", waited), ("of it the worker", worked)):
        print(f"{name}: median {np.median(values):.0f} ms, p95 {np.percentile(values, 95):.0f} ms")
    print(f"CPU time of an ink, frames included: mean {1000 * used:.0f} ms")
    late = float((frames > LATE_MS).mean())
    print(f"{len(frames)} frames: median {np.median(frames):.1f} ms, {late:.1%} over {LATE_MS} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inks", type=int, default=200)
    count = parser.parse_args().inks
    measure([to_json(sample.ink) for sample in Generator(max_symbols=20).samples(count, seed=17)])
