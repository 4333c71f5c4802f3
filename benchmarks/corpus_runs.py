"""What the benchmarks of corpus runs share: WARC files, the command, and its processes (Linux)."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import sys
from collections import defaultdict
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

ROLES = ("main", "shard", "extraction")
"""Of the processes of a run, by their depth below the command."""


def record(number: int, url: str, body: bytes) -> bytes:
    """A page as a response record of a WARC file, the same for the same arguments."""
    http = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body)
    )
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\n"
        f"WARC-Record-ID: <{uuid5(NAMESPACE_URL, f'{number} {url}').urn}>\r\n"
        f"WARC-Target-URI: {url}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http) + len(body)}\r\n\r\n"
    )
    return b"".join((head.encode(), http, body, b"\r\n\r\n"))


def packed(record: bytes) -> bytes:
    """A record as a member of a .warc.gz file."""
    return gzip.compress(record, 6, mtime=0)


@dataclass(frozen=True)
class Warc:
    """A file of pages, repeated to a number."""

    path: Path
    pages: int
    bytes: int
    """Of the pages, unpacked."""
    middle: int
    """Where the record begins that the second half of the pages begins with."""


def wcxb(shared: Path) -> list[tuple[str, bytes]]:
    """Address and bytes of each page of wcxb-dev."""
    pages = []
    with lzma.open(shared / "datasets" / "wcxb-dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            url = page.get("url") or f"https://{page['id']}.example/"
            pages.append((url, page["html"].encode("utf-8", "replace")))
    return pages


def warc_of(pages: list[tuple[str, bytes]], count: int, work: Path) -> Warc:
    """The pages repeated to a number in a WARC file, made if it is not there."""
    name = f"wcxb-{len(pages)}-{count}"
    path, card = work / f"{name}.warc.gz", work / f"{name}.json"
    if not card.exists():
        print(f"writing {path}", file=sys.stderr)
        size = middle = 0
        with path.open("wb") as file:
            for number, (url, body) in enumerate(islice(cycle(pages), count)):
                if number == count // 2:
                    middle = file.tell()
                file.write(packed(record(number, url, body)))
                size += len(body)
        card.write_text(json.dumps({"bytes": size, "middle": middle}), "utf-8")
    return Warc(path, count, **json.loads(card.read_text("utf-8")))


def command(inputs: list[Path], output: Path, *options: str) -> list[str]:
    """`tamis corpus`, as this Python has it."""
    words = [sys.executable, "-m", "tamis", "corpus", *map(str, inputs), "--output", str(output)]
    return [*words, "--quiet", *options]


def processes(leader: int) -> list[list[int]]:
    """The processes of a run, those of each role together."""
    children = defaultdict(list)
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                after_name = Path(f"/proc/{entry}/stat").read_text("utf-8").rpartition(")")[2]
            except OSError:  # it ended
                continue
            children[int(after_name.split()[1])].append(int(entry))
    levels = [[leader]]
    for _ in ROLES[1:]:
        levels.append([child for parent in levels[-1] for child in sorted(children[parent])])
    return levels
