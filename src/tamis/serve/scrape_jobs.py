"""Jobs that scrape many pages while nobody waits for the answer.

A job is kept in memory, within limits, and forgotten some time after it ended. Jobs leave room for
requests: all of them together have half of the worker processes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Any
from uuid import uuid4

from tamis.errors import TamisError
from tamis.serve.problems import Problem, make_problem
from tamis.serve.settings import ServeSettings

PAGE_BYTES = 10 << 20
"""Documents that are answered at a time, as by Firecrawl."""

# Pages of a job, and of all jobs, that are fetched or wait for a process.
_PAGES = 4
_PAGES_OF_ALL = 8
# A job may keep that part of all bytes.
_SHARE = 4

Scrape = Callable[[str], Awaitable[bytes]]
"""The document of an address, as JSON."""


@dataclass(eq=False)
class ScrapeJob:
    """Addresses, and what became of them."""

    id: str = field(default_factory=lambda: str(uuid4()))
    status: str = "scraping"
    """As Firecrawl names it: `scraping`, `completed`, `cancelled`, `failed`."""
    total: int = 0
    left: deque[tuple[int, str, Scrape]] = field(default_factory=deque)
    """Addresses that are not begun, each with its number."""
    done: dict[int, bytes | None] = field(default_factory=dict)
    """The documents by number; None where there is an error."""
    errors: list[dict[str, Any]] = field(default_factory=list)
    held: int = 0
    """Bytes of addresses and documents."""
    ended: datetime | None = None

    @property
    def runs(self) -> bool:
        return self.ended is None

    def end(self, status: str) -> None:
        """Begin no more pages; a job that has ended keeps its status."""
        if self.runs:
            self.status, self.ended = status, datetime.now(UTC)
            self.left.clear()

    def list_documents(self, skip: int, limit: int | None) -> tuple[list[bytes], int | None]:
        """List some documents in the order of their addresses, and how many to skip for the next.

        There is at least one if there are any. While the job runs, the list ends before the first
        that is missing: what clients have skipped must stay what it was.
        """
        numbers = range(self.total)
        known = takewhile(self.done.__contains__, numbers) if self.runs else numbers
        documents = [document for number in known if (document := self.done.get(number))]
        chosen: list[bytes] = []
        size = 0
        for document in documents[skip : None if limit is None else skip + limit]:
            size += len(document)
            if chosen and size > PAGE_BYTES:
                break
            chosen.append(document)
        end = skip + len(chosen)
        return chosen, end if chosen and end < len(documents) else None


class ScrapeJobs:
    """The jobs that run or have ended lately."""

    def __init__(self, settings: ServeSettings, count_problem: Callable[[str], None]) -> None:
        self._settings = settings
        self._count_problem = count_problem
        self._jobs: dict[str, ScrapeJob] = {}
        self._pages = asyncio.Semaphore(_PAGES_OF_ALL)
        self.turn = asyncio.Semaphore(max(1, settings.workers // 2))
        """What the page of a job waits for before it asks a worker process."""
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def running(self) -> int:
        return sum(job.runs for job in self._jobs.values())

    @property
    def held(self) -> int:
        return sum(job.held for job in self._jobs.values())

    def find(self, name: str) -> ScrapeJob:
        if name not in self._jobs:
            detail = "there is no such job: it never started, or is forgotten; start another"
            raise Problem(404, "no such job", detail)
        return self._jobs[name]

    def start(self, urls: Sequence[str], scrape: Scrape, most: int | None = None) -> ScrapeJob:
        """Start a job with at most so many pages at a time."""
        if self.running >= self._settings.max_jobs:
            detail = f"{self.running} jobs run, and there is no room for more; try again later"
            raise Problem(429, "busy", detail, {"Retry-After": "10"})
        job = ScrapeJob()
        self.append(job, urls, scrape)
        self._jobs[job.id] = job
        for old in self._list_ended()[: max(0, len(self._jobs) - self._settings.max_jobs)]:
            self._forget(old)
        # Its questions are those of no request, and all jobs take turns as one client.
        running = self._run(job, min(most or _PAGES, _PAGES))
        task = asyncio.create_task(running, context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    def append(self, job: ScrapeJob, urls: Sequence[str], scrape: Scrape) -> None:
        most = self._settings.max_job_urls
        if job.total + len(urls) > most:
            detail = f"a job has at most {most:,} URLs; start several, one after the other"
            raise Problem(413, "too large", detail)
        if not job.runs:
            raise Problem(409, "job ended", "the job has ended; start another")
        if not self._hold(job, sum(map(len, urls))):
            raise Problem(413, "too large", f"the URLs are too long; {self._advise_less()}")
        job.left.extend((number, url, scrape) for number, url in enumerate(urls, job.total))
        job.total += len(urls)

    def cancel(self, job: ScrapeJob) -> None:
        if not job.runs:
            raise Problem(409, "job ended", f"the job has ended already; it is {job.status}")
        job.end("cancelled")

    def find_expiry(self, job: ScrapeJob) -> datetime:
        """Find when a job is forgotten, at the earliest if it still runs."""
        seconds = timedelta(seconds=self._settings.max_job_seconds)
        return (job.ended or datetime.now(UTC)) + seconds

    def close(self) -> None:
        for job in self._jobs.values():
            job.end("failed")

    async def _run(self, job: ScrapeJob, most: int) -> None:
        later = asyncio.get_running_loop().call_later
        timer = later(self._settings.max_job_seconds, job.end, "failed")
        try:
            await asyncio.gather(*(self._scrape_some(job) for _ in range(most)))
            job.end("completed")
        finally:
            timer.cancel()
            job.end("failed")
            later(self._settings.max_job_seconds, self._forget, job)

    async def _scrape_some(self, job: ScrapeJob) -> None:
        while job.left:
            async with self._pages:
                if not job.left:
                    return
                number, url, scrape = job.left.popleft()
                document: bytes | None
                try:
                    document = await scrape(url)
                    if job.runs and not self._hold(job, len(document)):
                        detail = f"the results are too large to be kept; {self._advise_less()}"
                        raise Problem(413, "too large", detail)
                except (Problem, TamisError) as error:
                    document, problem = None, make_problem(error)
                    self._count_problem(problem.reason)
                    if job.runs:
                        about = {"id": str(uuid4()), "timestamp": datetime.now(UTC).isoformat()}
                        job.errors.append({**about, "url": url, "error": str(problem)})
                if job.runs:
                    job.done[number] = document

    def _hold(self, job: ScrapeJob, size: int) -> bool:
        """Count more bytes of a job, if there is room; ended jobs make room for it."""
        most = self._settings.max_job_bytes
        if job.held + size > most // _SHARE:
            return False
        for old in self._list_ended():
            if self.held + size <= most:
                break
            self._forget(old)
        if self.held + size > most:
            return False
        job.held += size
        return True

    def _list_ended(self) -> list[ScrapeJob]:
        ended = [(job.ended, job) for job in self._jobs.values() if job.ended]
        return [job for _, job in sorted(ended, key=lambda pair: pair[0])]

    def _forget(self, job: ScrapeJob) -> None:
        self._jobs.pop(job.id, None)

    def _advise_less(self) -> str:
        most = self._settings.max_job_bytes // _SHARE
        return f"ask for fewer formats or URLs at once (a job keeps {most:,} bytes)"
