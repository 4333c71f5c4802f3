"""`tamis serve` while many clients are slow, and its memory while some ask for large answers.

    python benchmarks/service_shares.py                     160 slow connections of each kind
    python benchmarks/service_shares.py --kinds body --slow 500 --requests 200

An honest client sends one request after the other, each on a connection of its own, alone and then
while so many slow connections are there: the share of its requests that is answered 200, and half
of them are faster than `p50_ms`. The slow ones come from another address, and from the same one. A
slow connection that is closed is opened again. What each kind does:

    body     sends a head and the first byte of a body
    trickle  and then a byte every second
    batch    sends the first byte of a batch
    head     sends half of a head
    idle     sends nothing
    unread   asks for an answer of some MB, reads nothing of it, and is opened once

`memory` is that of the server process, without its workers, while ten clients at the same time ask
for answers just below `max_answer`: at rest, the highest, and when all are answered. They read at
once, or nothing before all answers are there; status 0 is one that was cut for the next. All
traffic stays on loopback. Writes benchmarks/results/service_shares.json.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import script
from service import LENGTH, Outcome, request_of, serving
from speed import processor

from tamis._runtime.processes import read_memory

OWN, OTHER = "127.0.0.1", "127.0.0.2"
_PAGE = b"<p>A tamis is a sieve with a fine mesh of silk, horsehair or steel."
_HEAD = b"POST /v1/%b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"
_UNREAD_BYTES = 6 << 20
_PAUSE_SECONDS = 0.1
_SETTLE_SECONDS = 2.0
# Words of a page whose answer, in six formats, is a little below 64 MB.
_LARGE_WORDS = 1_820_000
_LARGE_CLIENTS = 10

KINDS = {
    "body": _HEAD % b"extract",
    "trickle": _HEAD % b"extract",
    "batch": _HEAD % b"batch",
    "head": b"POST /v1/extract HTTP/1.1\r\nHo",
    "idle": b"",
    "unread": request_of(b"<p>" + b"sieve " * (_UNREAD_BYTES // 6)),
}


async def opened(port: int, client: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection from an address."""
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(client, 0), limit=4096)


async def stay_slow(port: int, client: str, kind: str) -> None:
    """One slow connection after the other."""
    while True:
        with suppress(OSError):
            reader, writer = await opened(port, client)
            try:
                writer.write(KINDS[kind])
                await writer.drain()
                if kind == "unread":
                    await asyncio.Event().wait()
                while kind == "trickle" and not reader.at_eof():
                    writer.write(b" ")
                    await asyncio.sleep(1)
                await reader.read()
            finally:
                writer.close()
        await asyncio.sleep(_PAUSE_SECONDS)


@asynccontextmanager
async def slow_connections(port: int, client: str, kind: str, count: int) -> AsyncIterator[None]:
    """So many of them until the block ends."""
    tasks = [asyncio.create_task(stay_slow(port, client, kind)) for _ in range(count)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def ask(port: int, request: bytes, *, wait: asyncio.Event | None = None) -> int:
    """The status of the answer to a request; 0 if it was closed before its end."""
    try:
        reader, writer = await opened(port, OWN)
        try:
            writer.write(request.replace(b"Host", b"Connection: close\r\nHost", 1))
            await writer.drain()
            if wait:
                await wait.wait()
            head = await reader.readuntil(b"\r\n\r\n")
            length = LENGTH.search(head)
            left = int(length[1]) if length else 0
            while part := await reader.read(65536):
                left -= len(part)
            return 0 if left else int(head[9:12])
        finally:
            writer.close()
    except (OSError, asyncio.IncompleteReadError):
        return 0


async def be_honest(port: int, requests: int) -> dict[str, Any]:
    """What a client meets that sends one request after the other."""
    outcome, request = Outcome(), request_of(_PAGE)
    begun = time.perf_counter()
    for _ in range(requests):
        started = time.perf_counter()
        status = await ask(port, request)
        outcome.statuses[status] += 1
        outcome.seconds.append(time.perf_counter() - started)
        await asyncio.sleep(_PAUSE_SECONDS)
    outcome.wall = time.perf_counter() - begun
    row = outcome.row()
    served = outcome.statuses[200]
    return {"served": served, "of": requests, **{name: row[name] for name in ("p50_ms", "p99_ms")}}


async def measure_shares(port: int, kinds: list[str], slow: int, requests: int) -> dict[str, Any]:
    """The honest client alone, and with slow ones of each kind."""
    rows = {"alone": await be_honest(port, requests)}
    print("alone", rows["alone"], flush=True)
    for kind in kinds:
        for client in (OTHER, OWN):
            async with slow_connections(port, client, kind, slow):
                await asyncio.sleep(_SETTLE_SECONDS)
                name = f"{kind}, {'same' if client == OWN else 'another'} address"
                rows[name] = await be_honest(port, requests)
                print(name, rows[name], flush=True)
            await asyncio.sleep(_SETTLE_SECONDS)
    return rows


def large_request() -> bytes:
    """A request for an answer that is nearly as large as answers may be."""
    sentence = "A tamis is a sieve with a fine mesh. "
    page = "<title>Sieves</title>" + ("<p>" + sentence * 20) * (_LARGE_WORDS // 180)
    body = {"html": page, "formats": ["text", "markdown", "html", "json", "blocks", "chunks"]}
    sent = json.dumps(body).encode()
    head = f"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(sent)}\r\n\r\n"
    return head.encode() + sent


async def measure_memory(port: int, pid: int, *, reads: bool) -> dict[str, Any]:
    """The memory of the server while some clients ask for large answers at the same time."""
    request, highest, done = large_request(), 0, asyncio.Event()
    before = read_memory(pid)
    if reads:
        done.set()

    async def look() -> None:
        nonlocal highest
        while True:
            highest = max(highest, read_memory(pid))
            await asyncio.sleep(0.02)

    async def answer_all() -> None:
        while await gauge(port, "tamis_slots_taken") or await gauge(port, "tamis_waiting"):
            await asyncio.sleep(0.2)
        done.set()

    looking = asyncio.create_task(look())
    asking = [asyncio.create_task(ask(port, request, wait=done)) for _ in range(_LARGE_CLIENTS)]
    await asyncio.sleep(_SETTLE_SECONDS)
    await answer_all()
    statuses = Counter(await asyncio.gather(*asking))
    await asyncio.sleep(_SETTLE_SECONDS)
    looking.cancel()
    return {
        "before_mb": before >> 20,
        "peak_mb": highest >> 20,
        "after_mb": read_memory(pid) >> 20,
        "statuses": dict(statuses),
    }


async def gauge(port: int, name: str) -> float:
    """A metric of the server."""
    reader, writer = await opened(port, OWN)
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    text = (await reader.read()).decode()
    writer.close()
    return float(next(line for line in text.splitlines() if line.startswith(name + " ")).split()[1])


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--slow", type=int, default=160)
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--only", choices=("honest", "memory"))
    arguments = parser.parse_args()
    path = script.RESULTS / "service_shares.json"
    result = json.loads(path.read_text("utf-8")) if path.exists() else {}
    result |= {"processor": processor(), "slow": arguments.slow}
    if arguments.only != "memory":
        with serving("--workers", "2") as (port, _):
            asyncio.run(be_honest(port, 5))  # all is loaded
            result["honest"] = asyncio.run(
                measure_shares(port, arguments.kinds, arguments.slow, arguments.requests)
            )
    if arguments.only != "honest":
        result["memory"] = {}
        for name, reads in (("read at once", True), ("read at the end", False)):
            with serving("--workers", "2") as (port, pid):
                result["memory"][name] = asyncio.run(measure_memory(port, pid, reads=reads))
                print(name, result["memory"][name], flush=True)
    script.write(path, result)


if __name__ == "__main__":
    main()
