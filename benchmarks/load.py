"""Load on a running server: python benchmarks/load.py URL [--clients 64] [--costly 0] [--seconds 60] [--pid PID].

Each client sends inks as fast as they are answered; 429 is obeyed. Costly clients send the dearest ink that the server
takes: as many strokes as its limit, searched with the widest beam. Idle connections are only held open. Prints
throughput, latencies and statuses of both kinds and, with the server's process id, its CPU seconds, memory and open
files; with --stop, the process is told to stop (SIGTERM) under this load, and the seconds that it takes are printed.
One client shows the time of a single request.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from inkscan import Ink
from inkscan.ink.json import to_json

INKS = Path(__file__).parent.parent / "examples" / "ink"
WIDEST_BEAM = 20


@dataclass
class Tally:
    """What clients of one kind saw."""

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")

    def report(self, elapsed: float) -> dict[str, object]:
        return {
            "statuses": dict(self.statuses),
            "answers_a_second": round(len(self.seconds) / elapsed, 2),
            "p50_ms": round(1000 * self.percentile(0.5), 1),
            "p95_ms": round(1000 * self.percentile(0.95), 1),
            "slowest_ms": round(1000 * self.percentile(1), 1),
        }


@dataclass(frozen=True)
class Process:
    """CPU seconds, resident megabytes and open files of a process, from /proc."""

    cpu_seconds: float
    megabytes: float
    files: int

    @classmethod
    def of(cls, pid: int) -> Process:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text()
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        files = len(os.listdir(f"/proc/{pid}/fd"))
        return cls((int(fields[11]) + int(fields[12])) / 100, int(resident.split()[1]) / 1024, files)


def honest_bodies() -> list[bytes]:
    """The inks of the repository."""
    return [json.dumps(to_json(Ink.read(path))).encode() for path in sorted(INKS.glob("*.inkml"))]


def costly_body(strokes: int) -> bytes:
    """The same inks one after another in one long line."""
    pieces = (to_json(Ink.read(path))["strokes"] for path in cycle(sorted(INKS.glob("*.inkml"))))
    line: list[dict[str, list[float]]] = []
    right = 0.0
    while len(line) < strokes:
        piece = next(pieces)
        left = min(min(stroke["x"]) for stroke in piece)
        line += [{"x": [x - left + right for x in stroke["x"]], "y": stroke["y"]} for stroke in piece]
        right = max(max(stroke["x"]) for stroke in line) + 20
    return json.dumps({"strokes": list(islice(line, strokes)), "beam": WIDEST_BEAM}).encode()


async def client(http: httpx.AsyncClient, bodies: list[bytes], stop: float, tally: Tally, seed: int) -> None:
    """Ask until the time is over."""
    choose = random.Random(seed)
    while time.monotonic() < stop:
        await ask(http, choose.choice(bodies), tally)


async def ask(http: httpx.AsyncClient, body: bytes, tally: Tally) -> None:
    """One request; what it says of waiting is obeyed."""
    started = time.monotonic()
    try:
        response = await http.post("/v1/recognize", content=body)
    except httpx.HTTPError as error:
        tally.statuses[type(error).__name__] += 1
        await asyncio.sleep(0.1)
        return
    tally.statuses[str(response.status_code)] += 1
    if response.status_code == 200:
        tally.seconds.append(time.monotonic() - started)
    elif response.status_code == 429:
        await asyncio.sleep(float(response.headers.get("retry-after", "1")))


async def idle(url: str, stop: float) -> None:
    """A connection that asks now and then, so that the server keeps it."""
    place = urlsplit(url)
    while time.monotonic() < stop:
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        try:
            while time.monotonic() < stop:
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                if not await reader.read(4096):
                    break
                await asyncio.sleep(3)
        finally:
            writer.close()


async def seconds_to_stop(pid: int, after: float) -> float:
    """Tell the process to stop and wait until it has."""
    await asyncio.sleep(after)
    os.kill(pid, signal.SIGTERM)
    started = time.monotonic()
    while Path(f"/proc/{pid}").exists() and " Z " not in Path(f"/proc/{pid}/stat").read_text():
        await asyncio.sleep(0.05)
    return time.monotonic() - started


async def run(options: argparse.Namespace) -> dict[str, object]:
    """The load and what came of it."""
    url, pid = options.url, options.pid
    limit = httpx.get(f"{url}/v1/model").json()["limits"]["strokes"]
    kinds = {"honest": (options.clients, honest_bodies()), "costly": (options.costly, [costly_body(limit)])}
    tallies = {name: Tally() for name in kinds}
    before = Process.of(pid) if pid else None
    seen: list[Process] = []
    everyone = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=url, limits=everyone, timeout=90) as http:
        started = time.monotonic()
        stop = started + options.seconds
        tasks = [
            asyncio.create_task(client(http, bodies, stop, tallies[name], seed))
            for name, (count, bodies) in kinds.items()
            for seed in range(count)
        ]
        tasks += [asyncio.create_task(idle(url, stop)) for _ in range(options.idle)]
        stopping = asyncio.create_task(seconds_to_stop(pid, options.seconds - 1)) if options.stop else None
        while pid and not options.stop and not all(task.done() for task in tasks):
            seen.append(Process.of(pid))
            await asyncio.sleep(1)
        await asyncio.gather(*tasks, return_exceptions=True)
        elapsed = time.monotonic() - started
    report: dict[str, object] = {"clients": options.clients, "costly": options.costly, "idle": options.idle}
    report["seconds"] = round(elapsed, 1)
    report |= {name: tally.report(elapsed) for name, tally in tallies.items() if kinds[name][0]}
    if stopping is not None:
        report["seconds_to_stop"] = round(await stopping, 1)
    elif before is not None:
        report["cpu_seconds"] = round(seen[-1].cpu_seconds - before.cpu_seconds, 1)
        thirds = (seen[0], seen[len(seen) // 2], seen[-1])
        report["memory_mb"] = [round(process.megabytes) for process in thirds]
        report["open_files"] = [process.files for process in thirds]
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--costly", type=int, default=0)
    parser.add_argument("--idle", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pid", type=int)
    parser.add_argument(
        "--stop", action="store_true", help="send SIGTERM a second before the end; needs --pid"
    )
    options = parser.parse_args()
    if options.stop and not options.pid:
        parser.error("--stop needs --pid")
    print(json.dumps(asyncio.run(run(options)), indent=1))


if __name__ == "__main__":
    main()
