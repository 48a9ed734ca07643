"""Load on a running server: python benchmarks/load.py URL [--clients 64] [--seconds 60] [--pid PID].

Each client sends inks as fast as they are answered; 429 is obeyed. Prints throughput, latencies, statuses and, with the
server's process id, its CPU seconds and memory. One client shows the time of a single request.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from inkscan import Ink
from inkscan.ink.json import to_json

INKS = Path(__file__).parent.parent / "examples" / "ink"


@dataclass
class Tally:
    """What the clients saw."""

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


@dataclass(frozen=True)
class Process:
    """CPU seconds and resident megabytes of a process, from /proc."""

    cpu_seconds: float
    megabytes: float

    @classmethod
    def of(cls, pid: int) -> Process:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text()
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return cls((int(fields[11]) + int(fields[12])) / 100, int(resident.split()[1]) / 1024)


async def client(http: httpx.AsyncClient, bodies: list[bytes], stop: float, tally: Tally, seed: int) -> None:
    """Ask until the time is over."""
    choose = random.Random(seed)
    while time.monotonic() < stop:
        started = time.monotonic()
        try:
            response = await http.post("/v1/recognize", content=choose.choice(bodies))
        except httpx.HTTPError as error:
            tally.statuses[type(error).__name__] += 1
            continue
        tally.statuses[str(response.status_code)] += 1
        if response.status_code == 200:
            tally.seconds.append(time.monotonic() - started)
        elif response.status_code == 429:
            await asyncio.sleep(float(response.headers.get("retry-after", "1")))


async def run(url: str, clients: int, seconds: float, pid: int | None) -> dict[str, object]:
    """The load and what came of it."""
    bodies = [json.dumps(to_json(Ink.read(path))).encode() for path in sorted(INKS.glob("*.inkml"))]
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    tally = Tally()
    before = Process.of(pid) if pid else None
    memory: list[float] = []
    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=60) as http:
        started = time.monotonic()
        tasks = [
            asyncio.create_task(client(http, bodies, started + seconds, tally, seed))
            for seed in range(clients)
        ]
        while pid and not all(task.done() for task in tasks):
            memory.append(Process.of(pid).megabytes)
            await asyncio.sleep(1)
        await asyncio.gather(*tasks)
        elapsed = time.monotonic() - started
    answered = len(tally.seconds)
    report: dict[str, object] = {
        "clients": clients,
        "seconds": round(elapsed, 1),
        "statuses": dict(tally.statuses),
        "answers_a_second": round(answered / elapsed, 2),
        "p50_ms": round(1000 * tally.percentile(0.5), 1),
        "p95_ms": round(1000 * tally.percentile(0.95), 1),
    }
    if pid and before:
        cpu = Process.of(pid).cpu_seconds - before.cpu_seconds
        report |= {
            "cpu_seconds": round(cpu, 1),
            "answers_a_cpu_second": round(answered / cpu, 2) if cpu else None,
            "memory_mb": [round(memory[0]), round(memory[len(memory) // 2]), round(memory[-1])],
        }
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pid", type=int)
    options = parser.parse_args()
    print(json.dumps(asyncio.run(run(options.url, options.clients, options.seconds, options.pid)), indent=1))


if __name__ == "__main__":
    main()
