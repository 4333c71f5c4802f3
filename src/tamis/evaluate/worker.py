"""A process for each contestant, watched from outside.

A crash, a hang or too much memory costs the contestant one page and its process: the next page
gets a new one. Extracting is limited; scoring, which happens in the same process, is not.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import NoReturn

from tamis.errors import MethodError
from tamis.evaluate import measures
from tamis.evaluate.contestants import Contestant, Extractor
from tamis.evaluate.measures import Score, Snippets

_STARTING = 120.0  # seconds for importing a library; newspaper4k takes about 2


@dataclass(frozen=True, slots=True)
class Limits:
    """What a contestant may use for one page."""

    seconds: float = 30.0
    megabytes: int = 4096
    """Address space beyond what its process starts with, where the system has such a limit."""


@dataclass(frozen=True, slots=True)
class Gold:
    """What the bench needs to know about a page beside its HTML."""

    dataset: str
    id: str
    page_type: str | None
    text: str | None
    with_: tuple[str, ...]
    without: tuple[str, ...]
    page: str
    """Hash of the HTML."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a contestant made of a page, and how near that is to the gold."""

    text: str
    seconds: float
    miss: str | None = None
    """Why there is no text: an exception, a crash, a limit."""
    scores: dict[str, Score] = field(default_factory=dict)
    """By the name of the measure; none if the page has no gold text."""
    snippets: Snippets | None = None
    """None if the page has no snippets."""


def score(text: str, gold: Gold, names: Sequence[str]) -> tuple[dict[str, Score], Snippets | None]:
    """Measure a text against the gold of its page."""
    scores = {}
    if gold.text is not None:
        scores = {name: measures.MEASURES[name](text, gold.text) for name in names}
    has_snippets = gold.with_ or gold.without
    return scores, measures.snippets(text, gold.with_, gold.without) if has_snippets else None


class Worker:
    """One process that extracts for one contestant, started when needed and after each death."""

    def __init__(self, contestant: Contestant, limits: Limits, names: Sequence[str]) -> None:
        self.contestant = contestant
        self.limits = limits
        self.names = tuple(names)
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None

    def extract(self, page: str | bytes, gold: Gold) -> Outcome:
        """Extract and score; never raises for what the contestant does."""
        connection = self._connection or self._start()
        started = time.perf_counter()
        try:
            connection.send((page, gold))
            if not connection.poll(self.limits.seconds):
                return self._missed(
                    gold, self.limits.seconds, f"no answer in {self.limits.seconds:g} s"
                )
            outcome = connection.recv()
            scores, snippets = connection.recv()
        except (EOFError, OSError):
            return self._missed(gold, time.perf_counter() - started, self._cause_of_death())
        return Outcome(outcome.text, outcome.seconds, outcome.miss, scores, snippets)

    def kill(self) -> None:
        """End the process from another thread; whoever waits for it sees a crash."""
        process = self._process
        if process is not None:
            with contextlib.suppress(ValueError):  # closed in between
                process.kill()

    def close(self) -> None:
        """End the process."""
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        self._process = self._connection = None

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve,
            args=(theirs, self.contestant, self.limits.megabytes, self.names),
            daemon=True,
        )
        self._process.start()
        theirs.close()
        self._connection = ours
        problem: str | None = "the process did not start"
        with contextlib.suppress(EOFError, OSError):
            if ours.poll(_STARTING):
                problem = ours.recv()
        if problem is not None:
            self.close()
            raise MethodError(f"{self.contestant.name} cannot be loaded: {problem}")
        return ours

    def _missed(self, gold: Gold, seconds: float, why: str) -> Outcome:
        self.close()
        return Outcome("", seconds, why, *score("", gold, self.names))

    def _cause_of_death(self) -> str:
        assert self._process is not None
        self._process.join(5)
        code = self._process.exitcode
        if code == _OUT_OF_MEMORY:
            return f"more memory than {self.limits.megabytes} MB"
        if code is not None and code < 0:
            return f"crashed ({signal.Signals(-code).name})"
        return f"its process ended (exit code {code})"


class Pool:
    """Workers for all contestants, handed out to threads and reused."""

    def __init__(self, size: int, limits: Limits, names: Sequence[str]) -> None:
        self.limits = limits
        self.names = names
        self._spare = size
        self._lock = threading.Lock()
        self._idle: dict[Contestant, list[Worker]] = defaultdict(list)
        self._busy: set[Worker] = set()

    @contextlib.contextmanager
    def worker(self, contestant: Contestant) -> Iterator[Worker]:
        """A worker for the contestant that nobody else uses."""
        with self._lock:
            idle = self._idle[contestant]
            worker = idle.pop() if idle else Worker(contestant, self.limits, self.names)
            self._busy.add(worker)
        try:
            yield worker
        finally:
            self._give_back(worker)

    def _give_back(self, worker: Worker) -> None:
        with self._lock:
            self._busy.discard(worker)
            self._idle[worker.contestant].append(worker)
            # One a contestant may wait, and a few more; threads times contestants would be many.
            most = max(self._idle.values(), key=len)
            waiting = sum(map(len, self._idle.values()))
            surplus = most.pop(0) if waiting > self._spare + len(self._idle) else None
        if surplus is not None:
            surplus.close()

    def interrupt(self) -> None:
        """End the processes that are in use, so that the threads that wait for them go on."""
        with self._lock:
            for worker in self._busy:
                worker.kill()

    def close(self) -> None:
        """End all processes that are not in use."""
        with self._lock:
            idle = [worker for workers in self._idle.values() for worker in workers]
            self._idle.clear()
        for worker in idle:
            worker.close()


# --- inside the process -----------------------------------------------------------------------

_OUT_OF_MEMORY = 77


def _serve(
    connection: Connection, contestant: Contestant, megabytes: int, names: Sequence[str]
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    # Some libraries print or log every page they dislike.
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    logging.disable(logging.CRITICAL)
    try:
        _cut_network()
        _limit_memory(megabytes)
        extract = contestant.load()
        _warm_up(extract)
    except BaseException as error:
        connection.send(f"{type(error).__name__}: {error}")
        return
    connection.send(None)
    with contextlib.suppress(EOFError, OSError):  # the parent went away
        while True:
            page, gold = connection.recv()
            text, miss = "", None
            started = time.perf_counter()
            try:
                text = extract(page)
            except MemoryError:
                os._exit(_OUT_OF_MEMORY)
            except BaseException as error:
                miss = f"{type(error).__name__}: {error}"[:300]
            seconds = time.perf_counter() - started
            text = _writable(text or "")
            connection.send(Outcome(text, seconds, miss and _writable(miss)))
            connection.send(score(text, gold, names))


def _writable(text: str) -> str:
    """The text without lone surrogates, which no file can hold."""
    return text.encode("utf-8", "replace").decode()


def _warm_up(extract: Extractor) -> None:
    """Let it import and compile now what it does lazily, so that no page is timed for that."""
    with contextlib.suppress(Exception):
        extract("<html><body><p>" + "A tamis is a fine sieve, made of silk. " * 20)


def _cut_network() -> None:
    """Whatever a library would like to fetch (images, lists of domains): no page leaves here."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError("a bench has no network")

    socket.getaddrinfo = refuse
    socket.socket.connect = refuse  # type: ignore[method-assign]  # in this process only


def _limit_memory(megabytes: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _reserved() + megabytes * 1024 * 1024
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(ValueError, OSError):  # macOS has the constant but not the limit
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _reserved() -> int:
    """Address space that is taken already: numpy's threads reserve some a processor."""
    try:
        with open("/proc/self/statm", encoding="ascii") as numbers:
            return int(numbers.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
