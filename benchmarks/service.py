"""`tamis serve` under load: clients and server side by side on this machine.

    python benchmarks/service.py                            1, 8, 64 and 512 clients
    python benchmarks/service.py --requests 200 --clients 1 8
    python benchmarks/service.py --soak 200000              memory, while workers are killed

Requests a second and the time of a request (half of them, 99 of 100 are below) when each client
sends its next request as soon as it has its answer, with pages of wcxb-dev as HTML and `text` as
the format. A client that is answered 429 waits as long as it is asked to, and that counts, too.
`bare` is `tamis.extract(page).text` of the page as text, in one process, page by page. The overhead
is that of one client: for each page the fastest request less the fastest bare extraction, and the
median of that, with the page as a string of JSON and as it is (`Content-Type: text/html`); it needs
a machine that does nothing else.

--soak sends that many requests by 32 clients, kills a worker every few seconds, and reports the
memory of all processes after each tenth of them. Writes benchmarks/results/service.json.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import script
from speed import processor, sampled_pages

import tamis
from tamis._runtime.processes import read_memory

LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_WAIT = re.compile(rb"\r\nretry-after: (\d+)", re.IGNORECASE)
# Requests at the same time in a soak, and seconds from one killed worker to the next.
_SOAKING = 32
_KILL_SECONDS = 5.0


@dataclass
class Outcome:
    """What some clients met."""

    seconds: list[float] = field(default_factory=list)
    """Of each request that was answered 200."""
    statuses: Counter[int] = field(default_factory=Counter)
    wall: float = 0.0

    def row(self) -> dict[str, Any]:
        """The figures of a table."""
        ordered = sorted(self.seconds)
        return {
            "requests_per_second": round(len(ordered) / self.wall, 1),
            "p50_ms": round(1000 * ordered[len(ordered) // 2], 2),
            "p99_ms": round(1000 * ordered[len(ordered) * 99 // 100], 2),
            "statuses": dict(self.statuses),
        }


@contextmanager
def serving(*words: str) -> Iterator[tuple[int, int]]:
    """The port and the process of a server that runs until the block ends."""
    command = [sys.executable, "-m", "tamis", "serve", "--port", "0", *words]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr
    line = server.stderr.readline()
    match = re.search(r":(\d+)$", line.strip())
    if not match:
        raise SystemExit(line + server.stderr.read())
    try:
        yield int(match[1]), server.pid
    finally:
        server.terminate()
        server.wait()


def request_of(page: bytes, *, as_json: bool = True) -> bytes:
    """The bytes of a request: the page inside JSON, or as it is."""
    html, query, kind = page.decode("utf-8", "replace"), "", "application/json"
    if as_json:
        body = json.dumps({"html": html, "formats": ["text"]}).encode()
    else:
        body, query, kind = html.encode(), "?formats=text", "text/html; charset=utf-8"
    head = (
        f"POST /v1/extract{query} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


# One client


def answered(connection: socket.socket, request: bytes) -> None:
    """Send a request and read all of the answer."""
    connection.sendall(request)
    answer = connection.recv(1 << 20)
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(1 << 20)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), answer
    match = LENGTH.search(head)
    assert match
    left = int(match[1]) - len(body)
    while left > 0:
        left -= len(connection.recv(left))


def fastest(work: Any, rounds: int) -> float:
    """Seconds of the fastest of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best


def overhead(port: int, pages: Sequence[bytes], rounds: int) -> dict[str, float]:
    """What a request takes longer than the extraction alone, of pages one by one."""
    bare: list[float] = []
    served: dict[str, list[float]] = {"json": [], "html": []}
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for page in pages:
            text = page.decode("utf-8", "replace")
            bare.append(fastest(lambda text=text: tamis.extract(text).text, rounds))
            for name, seconds in served.items():
                request = request_of(page, as_json=name == "json")
                seconds.append(
                    fastest(lambda request=request: answered(connection, request), rounds)
                )
    more = {
        f"overhead_{name}_ms": [own - alone for own, alone in zip(seconds, bare, strict=True)]
        for name, seconds in served.items()
    }
    figures = {"bare_ms": bare, "served_ms": served["json"], **more}
    return {name: round(1000 * statistics.median(each), 3) for name, each in figures.items()}


# Many clients


async def client(port: int, requests: Iterator[bytes], outcome: Outcome) -> None:
    """Send requests one after the other, as long as there are some."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for request in requests:
            status, started = 0, time.perf_counter()
            while status in (0, 429):
                writer.write(request)
                await writer.drain()
                head = await reader.readuntil(b"\r\n\r\n")
                match = LENGTH.search(head)
                assert match
                await reader.readexactly(int(match[1]))
                status = int(head[9:12])
                outcome.statuses[status] += 1
                if status == 429 and (wait := _WAIT.search(head)):
                    await asyncio.sleep(float(wait[1]) * random.uniform(0.5, 1.5))
            if status == 200:
                outcome.seconds.append(time.perf_counter() - started)
    finally:
        writer.close()


async def load(port: int, requests: Sequence[bytes], count: int, clients: int) -> Outcome:
    """So many requests by so many clients at a time."""
    outcome = Outcome()
    shared = (requests[number % len(requests)] for number in range(count))
    started = time.perf_counter()
    await asyncio.gather(*(client(port, shared, outcome) for _ in range(clients)))
    outcome.wall = time.perf_counter() - started
    return outcome


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    return [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]


async def soak(port: int, pid: int, requests: Sequence[bytes], count: int) -> dict[str, Any]:
    """Memory of the server and its workers along many requests, some of which lose a worker."""
    memory, total, killed = [], Outcome(), 0

    async def kill() -> None:
        nonlocal killed
        while True:
            await asyncio.sleep(_KILL_SECONDS)
            if workers := children(pid):
                os.kill(random.choice(workers), signal.SIGKILL)
                killed += 1

    killing = asyncio.create_task(kill())
    for tenth in range(10):
        outcome = await load(port, requests, count // 10, _SOAKING)
        total.statuses += outcome.statuses
        total.seconds += outcome.seconds
        total.wall += outcome.wall
        workers = children(pid)
        row = {
            "requests": (tenth + 1) * (count // 10),
            "server_mb": read_memory(pid) >> 20,
            "workers_mb": [read_memory(worker) >> 20 for worker in workers],
        }
        print(row, flush=True)
        memory.append(row)
    killing.cancel()
    return {**total.row(), "killed": killed, "memory": memory}


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--set", default="wcxb-dev")
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 64, 512])
    parser.add_argument("--requests", type=int, default=5000, help="of each number of clients")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--soak", type=int, metavar="N")
    arguments = parser.parse_args()
    pages = sampled_pages(arguments.shared, arguments.set, arguments.pages, arguments.seed)
    requests = [request_of(page) for page in pages]
    words = ["--workers", str(arguments.workers)] if arguments.workers else []
    path = script.RESULTS / "service.json"
    result = json.loads(path.read_text("utf-8")) if path.exists() else {}
    result |= {"set": arguments.set, "pages": len(pages), "processor": processor()}
    with serving(*words) as (port, pid):
        asyncio.run(load(port, requests, len(requests), 8))  # all is loaded and warm
        if arguments.soak:
            result["soak"] = asyncio.run(soak(port, pid, requests, arguments.soak))
            print(result["soak"])
        else:
            result["one_client"] = overhead(port, pages, arguments.rounds)
            print(result["one_client"])
            result["clients"] = {}
            print("| clients | requests/s | p50 ms | p99 ms | answers |")
            print("|---|---|---|---|---|")
            for clients in arguments.clients:
                count = max(arguments.requests, clients)
                row = asyncio.run(load(port, requests, count, clients)).row()
                result["clients"][str(clients)] = row
                print("|", clients, *(f"| {value}" for value in row.values()), "|", flush=True)
    script.write(path, result)


if __name__ == "__main__":
    main()
