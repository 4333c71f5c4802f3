"""Crawls of made-up papers as WARC files, small enough for many runs, and what does a run."""

from __future__ import annotations

import gzip
from collections.abc import Generator, Iterable, Sequence
from itertools import cycle
from pathlib import Path

from tamis.corpus.manifest import Run, Task
from tamis.corpus.tasks import TaskWorker, Update
from tests.site.pages import article


def write_warc(path: Path, pages: Iterable[tuple[str, str | bytes]]) -> Path:
    """A WARC file of pages with their addresses."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(_response(url, html) for url, html in pages))
    return path


def _response(url: str, html: str | bytes) -> bytes:
    body = html.encode() if isinstance(html, str) else html
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:test:{url}>\r\n"
        f"WARC-Date: 2024-05-01T08:00:00Z\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", mtime=0)


def write_crawl(folder: Path, files: int = 3, pages: int = 4) -> Path:
    """A folder of WARC files, each a shard: articles of as many papers as a file has pages."""
    for file in range(files):
        languages = zip(range(pages), cycle(("en", "de", "ru")), strict=False)
        write_warc(
            folder / f"{file}.warc.gz",
            (
                (f"https://paper{page}.example/{file}", article(10 * file + page, language))
                for page, language in languages
            ),
        )
    return folder


def in_this_process(run: Run, tasks: Sequence[Task]) -> Generator[Update, None, None]:
    """The simplest engine: one task after the other, here."""
    worker = TaskWorker(run)
    try:
        for task in tasks:
            *_, counts = worker.do_task(task)
            yield Update(task, counts, done=True)
    finally:
        worker.close()
