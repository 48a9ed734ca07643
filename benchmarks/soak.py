"""A soak: one server for an hour among good and bad clients; memory, open files and latency must stay flat.

    python benchmarks/soak.py [--minutes 60] [--clients 4] [--pause 1.0] [--out FILE.json]

Honest clients send the repository's inks, one costly client the dearest ink that is taken. Bad ones send hostile JSON
and InkML, bodies that break off, headers that come a byte at a time, oversized bodies and web sockets that never read.
Each minute is a row: answers, latencies, resident memory, open files, threads. The second quarter of the hour is
compared with the last. Exit code 1: memory grew by more than a tenth, files or threads by more than a few, latency
doubled, an honest client met an error of the server, or the server did not stop when told to.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import hostile
import httpx
from load import Process, Tally, ask, costly_body, honest_bodies

GROWTH = 1.1  # of memory
MORE = 8  # open files or threads
SLOWER = 2.0
LARGE = 20_000_000  # bytes, more than a server takes
SECONDS_TO_STOP = 60


@dataclass(frozen=True)
class Minute:
    """What one minute was like."""

    answers: int
    p50_ms: float
    p95_ms: float
    megabytes: float
    files: int
    threads: int


async def paced(
    http: httpx.AsyncClient, bodies: list[bytes], stop: float, tally: Tally, seed: int, pause: float
) -> None:
    """An honest client that thinks between two inks."""
    choose = random.Random(seed)
    while time.monotonic() < stop:
        await ask(http, choose.choice(bodies), tally)
        await asyncio.sleep(pause)


async def bad_bodies(port: int, choose: random.Random) -> str:
    _, body = choose.choice(BAD)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        answer = await http.post(
            choose.choice(("/v1/recognize", "/v1/sheet", "/v1/typeset", "/v3/strokes")), content=body
        )
    return str(answer.status_code)


async def leaves_in_mid_body(port: int, choose: random.Random) -> str:
    await _send(port, b"POST /v1/recognize HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{", 0.2)
    return "left"


async def slow_headers(port: int, choose: random.Random) -> str:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for byte in b"GET /healthz HTTP/1.1\r\nHost: loc":
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.5)
    finally:
        writer.close()
    return "slow"


async def oversized(port: int, choose: random.Random) -> str:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        answer = await http.post("/v1/recognize", content=b" " * LARGE)
    return str(answer.status_code)


async def never_reads(port: int, choose: random.Random) -> str:
    """A web socket that pings and does not take the answers."""
    key = base64.b64encode(os.urandom(16)).decode()
    hello = (
        f"GET /v1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()
    ping = b"\x89\xfd" + os.urandom(4) + bytes(125)
    await _send(port, hello + ping * 2_000, 5)
    return "deaf"


async def _send(port: int, content: bytes, wait: float) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(content)
        await asyncio.sleep(wait)
    finally:
        writer.close()


BAD = [*hostile.jsons(), *hostile.inkmls()]
ATTACKS: tuple[Callable[[int, random.Random], Awaitable[str]], ...] = (
    bad_bodies,
    bad_bodies,
    bad_bodies,
    leaves_in_mid_body,
    slow_headers,
    oversized,
    never_reads,
)


async def attacker(port: int, stop: float, seen: Counter[str], seed: int, pause: float) -> None:
    choose = random.Random(seed)
    while time.monotonic() < stop:
        try:
            seen[await choose.choice(ATTACKS)(port, choose)] += 1
        except (OSError, httpx.HTTPError) as error:
            seen[type(error).__name__] += 1
        await asyncio.sleep(pause)


async def soak(options: argparse.Namespace, pid: int, port: int) -> dict[str, object]:
    """The minutes, and what everybody met."""
    url = f"http://127.0.0.1:{port}"
    limit = httpx.get(f"{url}/v1/model").json()["limits"]["strokes"]
    honest, costly, attacks = Tally(), Tally(), Counter[str]()
    stop = time.monotonic() + 60 * options.minutes
    minutes: list[Minute] = []
    async with httpx.AsyncClient(base_url=url, timeout=90) as http:
        tasks = [
            asyncio.create_task(paced(http, honest_bodies(), stop, honest, seed, options.pause))
            for seed in range(options.clients)
        ]
        tasks.append(
            asyncio.create_task(paced(http, [costly_body(limit)], stop, costly, 0, 20 * options.pause))
        )
        tasks += [
            asyncio.create_task(attacker(port, stop, attacks, seed, options.pause))
            for seed in range(options.clients)
        ]
        while time.monotonic() < stop - 1:
            before = len(honest.seconds)
            await asyncio.sleep(min(60, stop - time.monotonic()))
            minutes.append(_minute(Tally(seconds=honest.seconds[before:]), pid))
            print(json.dumps(asdict(minutes[-1])), flush=True)
        await asyncio.gather(*tasks)
    return {
        "minutes": [asdict(minute) for minute in minutes],
        "honest": dict(honest.statuses),
        "costly": dict(costly.statuses),
        "attacks": dict(attacks),
        "findings": findings(minutes, honest),
    }


def _minute(tally: Tally, pid: int) -> Minute:
    process = Process.of(pid)
    threads = len(os.listdir(f"/proc/{pid}/task"))
    p50, p95 = (round(1000 * tally.percentile(share), 1) for share in (0.5, 0.95))
    return Minute(len(tally.seconds), p50, p95, round(process.megabytes, 1), process.files, threads)


def findings(minutes: list[Minute], honest: Tally) -> list[str]:
    """What is not flat, the second quarter against the last; and errors that honest clients met."""
    found = [f"honest clients met {status}" for status in honest.statuses if status not in ("200", "429")]
    quarter = len(minutes) // 4
    if not quarter:
        return found
    early, late = minutes[quarter : 2 * quarter], minutes[-quarter:]

    def of(name: str, part: list[Minute]) -> float:
        return float(median(getattr(minute, name) for minute in part))

    for name, most in (
        ("megabytes", GROWTH * of("megabytes", early)),
        ("files", MORE + of("files", early)),
        ("threads", MORE + of("threads", early)),
        ("p50_ms", SLOWER * of("p50_ms", early)),
    ):
        if of(name, late) > most:
            found.append(f"{name}: {of(name, early):.1f}, then {of(name, late):.1f}")
    return found


def started_server() -> tuple[subprocess.Popen[bytes], int]:
    """A server of its own, and its port, which it says first."""
    with tempfile.NamedTemporaryFile() as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "inkscan", "serve", "--port", "0"], stdout=subprocess.DEVNULL, stderr=log
        )
        while not (said := re.search(rb"127\.0\.0\.1:(\d+)", Path(log.name).read_bytes())):
            time.sleep(0.1)
            if server.poll() is not None:
                raise SystemExit("the server did not start")
    return server, int(said[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--clients", type=int, default=4, help="honest ones, and as many bad ones")
    parser.add_argument(
        "--pause", type=float, default=1.0, help="seconds that a client waits after an answer"
    )
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    server, port = started_server()
    try:
        report = asyncio.run(soak(options, server.pid, port))
    finally:
        server.terminate()
        started = time.monotonic()
        server.wait(SECONDS_TO_STOP)
    report["seconds_to_stop"] = round(time.monotonic() - started, 1)
    if options.out:
        options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({name: value for name, value in report.items() if name != "minutes"}, indent=1))
    sys.exit(bool(report["findings"]))


if __name__ == "__main__":
    main()
