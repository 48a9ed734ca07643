"""How the page without a server does in Chromium: `make app`, then python benchmarks/app.py [INKML ...].

Prints what the first visit takes over the wire and in time, and the second; then the example inks are written on the
page by pointer events, and it prints the time from each pen-up to the answer on the screen, and how the page did
meanwhile: its frames, the tasks that held its thread for long, and the CPU time that it and the worker took. Times by
the clock depend on what else the machine does, CPU times hardly.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tempfile
import threading
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from playwright.sync_api import ViewportSize, sync_playwright

from inkscan import Ink

Values = npt.NDArray[np.float64]
REPOSITORY = Path(__file__).resolve().parent.parent
EXAMPLES = sorted((REPOSITORY / "examples" / "ink").glob("*.inkml"))
CHROMIUM = "/usr/bin/chromium"
WINDOW = ViewportSize(width=1280, height=900)
WIDEST = 700  # pixels of an ink on the sheet, whose upper left corner is here:
CORNER = (60, 60)
APART = 10.0  # pixels from one point to the next
SETTLE_MS = 4_000  # in which WebAssembly is compiled for speed
PATIENCE_MS = 120_000
LATE_MS = 34  # two frames at sixty a second
LONG_MS = 50  # what browsers call a long task
READY = "() => document.getElementById('state').dataset.state === 'online'"
WATCH = """() => {
  const seen = { answers: [], frames: [] };
  let lifted = null;
  let last = performance.now();
  const frame = (now) => { seen.frames.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  addEventListener('pointerup', ({ timeStamp }) => { lifted = timeStamp; }, true);
  let wasReading = false;
  new MutationObserver(() => {
    const isReading = state.dataset.state === 'reading';
    if (wasReading && !isReading && lifted !== null) {
      const from = lifted;
      lifted = null;
      requestAnimationFrame(() => setTimeout(() => seen.answers.push(performance.now() - from))); // it has been drawn
    }
    wasReading = isReading;
  }).observe(state, { attributes: true });
  globalThis.seen = seen;
}"""
BEGIN = "() => { seen.answers.length = seen.frames.length = 0; }"


class _Host(ThreadingHTTPServer):
    """A static host, as `python -m http.server`, that counts what it sends."""

    def __init__(self, folder: Path) -> None:
        self.sent: list[Path] = []
        super().__init__(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class _Handler(SimpleHTTPRequestHandler):
    def copyfile(self, source: Any, outputfile: Any) -> None:
        assert isinstance(self.server, _Host)
        self.server.sent.append(Path(source.name))
        super().copyfile(source, outputfile)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@dataclass(frozen=True)
class Cpu:
    """CPU seconds: of the page's own thread, and of its whole process, where the worker is."""

    page: float
    process: float

    @classmethod
    def now(cls, session: Any, browser: Any) -> Cpu:
        metrics = session.send("Performance.getMetrics")["metrics"]
        page = next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        return cls(page, sum(process["cpuTime"] for process in processes if process["type"] == "renderer"))

    def since(self, earlier: Cpu) -> Cpu:
        return Cpu(self.page - earlier.page, self.process - earlier.process)


def measure(app: Path, inks: list[Path]) -> None:
    """Visit twice, then write."""
    host = _Host(app)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=WINDOW, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE_MS)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        for visit in ("first", "second"):
            _visit(visit, page, session, browser, host)
        page.evaluate(WATCH)
        _write(page, inks[0])  # what runs first is compiled meanwhile
        page.evaluate(BEGIN)
        before = Cpu.now(session, browser)
        trace = Path(folder) / "trace.json"
        browser.start_tracing(
            page=page, path=str(trace), categories=["toplevel", "devtools.timeline", "__metadata"]
        )
        for path in inks:
            _write(page, path)
        browser.stop_tracing()
        used = Cpu.now(session, browser).since(before)
        _report(page.evaluate("() => seen"), used, _tasks(trace))
    host.shutdown()


def _visit(visit: str, page: Any, session: Any, browser: Any, host: _Host) -> None:
    """Until the page is ready to read."""
    host.sent.clear()
    page.goto(host.url)
    page.wait_for_function(READY)
    taken = page.evaluate("() => performance.now()") / 1000
    cpu = Cpu.now(session, browser)
    page.wait_for_timeout(SETTLE_MS)
    sizes = [path.stat().st_size for path in host.sent]
    packed = [len(gzip.compress(path.read_bytes())) for path in host.sent]
    wire = f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB over the wire ({sum(packed) / 1e6:.1f} by gzip)"
    spent = f"{cpu.process:.2f} CPU s, {cpu.page:.2f} of them the page's own thread"
    print(f"{visit} visit: {wire}; ready after {taken:.2f} s, {spent}")


def _write(page: Any, path: Path) -> None:
    """An ink on an empty sheet, an answer awaited after each stroke."""
    for (x, y), *others in _placed(Ink.read(path), page.locator("canvas").bounding_box()):
        known = page.evaluate("() => seen.answers.length")
        page.mouse.move(x, y)
        page.mouse.down()
        for x, y in others:
            page.mouse.move(x, y)
        page.mouse.up()
        page.wait_for_function("(known) => seen.answers.length > known", arg=known)
    page.click("#clear")


def _placed(ink: Ink, frame: dict[str, float]) -> list[list[tuple[float, float]]]:
    """In the window, by no more points than a quick hand leaves there."""
    corner = np.min([stroke.xy.min(axis=0) for stroke in ink.strokes], axis=0)
    widest = np.max([stroke.xy[:, 0].max() for stroke in ink.strokes]) - corner[0]
    offset = np.add(CORNER, (frame["x"], frame["y"]))
    scale = min(1.0, WIDEST / float(widest))
    return [_thinned((stroke.xy - corner) * scale + offset) for stroke in ink.strokes]


def _thinned(points: Values) -> list[tuple[float, float]]:
    kept = [points[0]]
    for point in points[1:-1]:
        if np.hypot(*(point - kept[-1])) > APART:
            kept.append(point)
    return [(float(x), float(y)) for x, y in [*kept, points[-1]]]


def _tasks(trace: Path) -> Values:
    """Of each task of the page's thread: milliseconds by the clock, and of CPU."""
    events = json.loads(trace.read_text("utf-8"))["traceEvents"]
    named = (event for event in events if event.get("name") == "thread_name")
    main = {(e["pid"], e["tid"]) for e in named if e["args"]["name"] == "CrRendererMain"}
    tasks = [
        (event["dur"] / 1000, event.get("tdur", 0) / 1000)
        for event in events
        if event.get("name") == "ThreadControllerImpl::RunTask"
        and event["ph"] == "X"
        and (event["pid"], event["tid"]) in main
    ]
    return np.array(tasks)


def _report(seen: dict[str, list[float]], used: Cpu, tasks: Values) -> None:
    answers, frames = np.array(seen["answers"]), np.array(seen["frames"][1:])
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"pen-up to answer, {len(answers)} strokes: {_spread(answers, 95)}")
    page, rest = (1000 * cpu / len(answers) for cpu in (used.page, used.process - used.page))
    print(
        f"CPU time of a stroke and its answer: page's thread {page:.0f} ms, worker and drawing {rest:.0f} ms"
    )
    print(f"{len(frames)} frames: {_spread(frames, 99)}, {(frames > LATE_MS).mean():.1%} over {LATE_MS} ms")
    for name, milliseconds in zip(("by the clock", "by CPU time"), tasks.T, strict=True):
        long = int((milliseconds > LONG_MS).sum())
        print(
            f"tasks of the page's thread over {LONG_MS} ms {name}: {long}, the longest {milliseconds.max():.0f} ms"
        )


def _spread(milliseconds: Values, high: int) -> str:
    return f"median {np.median(milliseconds):.0f} ms, p{high} {np.percentile(milliseconds, high):.0f} ms"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--app", type=Path, default=REPOSITORY / "out" / "app")
    parser.add_argument("inks", type=Path, nargs="*", default=EXAMPLES)
    wanted = parser.parse_args()
    measure(wanted.app, wanted.inks)
