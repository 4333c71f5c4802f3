"""Reads a list of addresses into WARC files, politely.

One thread plans and writes, each request has its own. Hosts take turns: each has a queue, a time
before which it is left alone, and so many requests under way at most. A file is whole or absent; a
run that is begun again reads what is missing.
"""

from __future__ import annotations

import heapq
import os
import re
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple
from urllib.parse import urlsplit

from tamis.corpus.formats.warc_writing import (
    FetchedFile,
    asked_id,
    make_reject_record,
    make_response_record,
    read_asked,
)
from tamis.corpus.politeness import (
    Politeness,
    Rules,
    follow_within,
    origin_of,
    parse_rules,
    rules_without,
)
from tamis.errors import InputError, OutputError, TooLargeError
from tamis.web.download import FetchFailure
from tamis.web.fetch import fetch

FILE_ADDRESSES = 250
"""Addresses of one WARC file; a run that is stopped loses the answers of four files at most."""

_FILES_AHEAD = 4
_LONGEST_CRAWL_DELAY = 30.0
_LONGEST_RETRY_AFTER = 120.0
# A host that gave no answer to so many addresses in a row is asked no more: with two retries and
# timeouts of 20 s each address costs a minute.
_GIVE_UP = 5
# Rules and waits that are remembered; a list with more hosts may read a robots.txt again.
_HOSTS = 10_000
_LOOK_UP = 0.1  # seconds after which `stop` is seen

SCHEME = re.compile(r"https?://", re.IGNORECASE)
_ADDRESS = re.compile(SCHEME.pattern + r"[^\s/?#]\S*", re.IGNORECASE)


def is_web(source: str) -> bool:
    """Whether an input is an address, or by its name a list of addresses."""
    return source.lower().endswith(".txt") or SCHEME.match(source) is not None


def read_addresses(source: str | os.PathLike[str]) -> list[str]:
    """Read a list of addresses, one per line, or return the address that the source is itself.

    Lines that begin with # are comments. A repeated address counts once. `fetch_list` refuses lines
    that are not addresses; a list without any address is an `InputError`.
    """
    name = os.fspath(source)
    if SCHEME.match(name):
        return [name]
    addresses: dict[str, None] = {}
    try:
        with open(source, encoding="utf-8-sig") as file:
            for line in file:
                if (address := line.strip()) and not address.startswith("#"):
                    addresses[address] = None
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: a list of addresses is UTF-8 text, this is not") from error
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror})") from error
    if not any(map(_is_address, addresses)):
        raise InputError(
            f"{name}: no web address in it; write one per line, with http:// or https://"
        )
    return list(addresses)


class FetchedList(NamedTuple):
    """The pages of a list of addresses."""

    names: list[str]
    """The WARC files that have them, in order."""
    new: int
    """How many addresses were read now."""
    unlisted: list[str]
    """Addresses that were fetched before and are no longer in the list."""


def fetch_list(
    addresses: Sequence[str],
    folder: str | os.PathLike[str],
    *,
    politeness: Politeness | None = None,
    progress: Callable[[Counter[str]], None] = lambda counts: None,
    stop: threading.Event | None = None,
) -> FetchedList:
    """Fetch addresses into WARC files of `folder`, except those that its files already have.

    Each address gives one record, in the order of the list: a `response`, or a `metadata` record
    whose header `Tamis-Refused` says why there is none. New addresses get new files.

    `progress` gets the number of addresses that were `fetched`, `kept` from an earlier run, or
    refused, by reason. `stop.set()` ends this with a `KeyboardInterrupt`. Neither leaves an
    incomplete file.
    """
    if len(set(addresses)) < len(addresses):
        raise InputError("an address is in the list twice; give each once")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        there = read_asked(Path(folder))
        asked = {id: address for each in there.values() for id, address in each.items()}
        ids = {asked_id(address): address for address in addresses}
        new = [address for id, address in ids.items() if id not in asked]
        names = (Path(folder) / f"fetched-{number:05}.warc.gz" for number in count())
        free = (path for path in names if path not in there)
        files = [
            FetchedFile(next(free), new[start : start + FILE_ADDRESSES])
            for start in range(0, len(new), FILE_ADDRESSES)
        ]
        crawl = _Crawl(politeness or Politeness(), progress, stop or threading.Event())
        crawl.run(files, len(addresses) - len(new))
    except OSError as error:
        raise OutputError(
            f"{os.fspath(folder)}: cannot be written ({error.strerror}); make room or choose"
            " another folder, and run again"
        ) from error
    unlisted = [address for id, address in asked.items() if id not in ids]
    paths = sorted([*there, *(file.path for file in files)])
    return FetchedList([path.name for path in paths], len(new), unlisted)


def _is_address(text: str) -> bool:
    return text.isprintable() and _ADDRESS.fullmatch(text) is not None


@dataclass(slots=True)
class _Request:
    """Something to fetch: an address of the list, or the robots.txt of an origin."""

    url: str
    file: FetchedFile | None = None
    position: int = 0
    tries: int = 0
    redirects: int = 0

    @property
    def asked(self) -> str:
        """The address as the list has it; `url` may be where it redirects to."""
        return self.file.addresses[self.position] if self.file else self.url


@dataclass(slots=True)
class _Host:
    """The requests that wait for a host, and when it may be asked again."""

    queue: deque[_Request] = field(default_factory=deque)
    active: int = 0
    ready: float = 0.0
    offered: bool = False
    rules: dict[str, Rules | FetchFailure] = field(default_factory=dict)
    """By origin; why there are none, if it gave no answer."""
    asking: bool = False
    """Whether a robots.txt is on its way."""
    unanswered: int = 0
    """Addresses in a row that gave no answer."""


_Outcome = bytes | Rules | FetchFailure
"""Of a request: a WARC record, the rules of a robots.txt, or why it is neither."""
_Answer = tuple[_Host, _Request, _Outcome | BaseException]


@dataclass(slots=True)
class _Crawl:
    """The plan of a crawl. Only the thread that calls `run` touches it."""

    _politeness: Politeness
    _progress: Callable[[Counter[str]], None]
    _stop: threading.Event
    _counts: Counter[str] = field(default_factory=Counter)
    _hosts: dict[str, _Host] = field(default_factory=dict)
    _turns: list[tuple[float, int, _Host]] = field(default_factory=list)
    _turn: Iterator[int] = field(default_factory=count)
    _active: int = 0
    _answers: SimpleQueue[_Answer] = field(default_factory=SimpleQueue)

    def run(self, files: list[FetchedFile], kept: int) -> None:
        """Fetch the addresses of the files; `kept` others were fetched before."""
        self._count("kept", kept)
        waiting = deque(files)
        window: deque[FetchedFile] = deque()
        try:
            while waiting or window:
                while waiting and len(window) < _FILES_AHEAD:
                    window.append(waiting.popleft())
                    for position, address in enumerate(window[-1].addresses):
                        self._add(_Request(address, window[-1], position))
                self._step()
                while window and window[0].whole:
                    window.popleft()
        finally:
            for file in window:
                file.close()

    def _step(self) -> None:
        """Start all requests that may start, then handle one answer if there is one."""
        if self._stop.is_set():
            raise KeyboardInterrupt("the crawl was stopped")
        try:
            host, request, outcome = self._answers.get(timeout=self._start_ready())
        except Empty:
            return
        host.active -= 1
        self._active -= 1
        if request.file is None:
            host.asking = False
        if isinstance(outcome, FetchFailure):
            self._settle(host, request, outcome)
        elif isinstance(outcome, BaseException):
            raise outcome
        elif isinstance(outcome, Rules):
            host.rules[origin_of(request.url)] = outcome
        elif request.file:
            host.unanswered = 0
            request.file.add(request.position, outcome)
            self._count("fetched")
        self._offer(host)

    def _add(self, request: _Request, *, first: bool = False) -> None:
        if not _is_address(request.url):
            self._refuse(request, "bad address", "no web address; begin with http:// or https://")
            return
        try:
            name = urlsplit(request.url).hostname or ""
        except ValueError as error:  # brackets around what is no IPv6 address
            self._refuse(request, "bad address", f"not a valid address ({error})")
            return
        if name not in self._hosts and len(self._hosts) >= _HOSTS:
            self._forget_idle()
        host = self._hosts.setdefault(name, _Host())
        (host.queue.appendleft if first else host.queue.append)(request)
        self._offer(host)

    def _forget_idle(self) -> None:
        now = time.monotonic()
        self._hosts = {
            name: host
            for name, host in self._hosts.items()
            if host.queue or host.active or host.ready > now
        }

    def _offer(self, host: _Host) -> None:
        """Queue a host for its next turn."""
        free = host.active < self._politeness.per_host and not host.asking
        if host.queue and free and not host.offered:
            host.offered = True
            heapq.heappush(self._turns, (host.ready, next(self._turn), host))

    def _start_ready(self) -> float:
        """Start all requests that may start; return how long to wait for the next."""
        while self._turns and self._active < self._politeness.concurrency:
            ready, _, host = self._turns[0]
            if ready < host.ready:
                heapq.heapreplace(self._turns, (host.ready, next(self._turn), host))
                continue
            wait = ready - time.monotonic()
            if wait > 0:
                return min(wait, _LOOK_UP)
            heapq.heappop(self._turns)
            host.offered = False
            self._start(host)
            self._offer(host)
        return _LOOK_UP if self._active else 0.0

    def _start(self, host: _Host) -> None:
        """Start the next request of a host, or refuse it."""
        request = host.queue.popleft()
        rules = self._find_rules(host, request)
        if isinstance(rules, FetchFailure):
            self._refuse(request, rules.reason, str(rules))
            return
        if rules is None:
            host.queue.appendleft(request)
            request, rules = _Request(f"{origin_of(request.url)}/robots.txt"), Rules()
        host.asking = request.file is None
        host.active += 1
        self._active += 1
        delay = max(self._politeness.delay, min(rules.delay, _LONGEST_CRAWL_DELAY))
        host.ready = time.monotonic() + delay
        threading.Thread(target=self._ask, args=(host, request, rules), daemon=True).start()

    def _find_rules(self, host: _Host, request: _Request) -> Rules | FetchFailure | None:
        """The rules for a request, why it is refused, or None if robots.txt is not read yet."""
        origin = origin_of(request.url)
        if request.file is None:
            return Rules()
        if host.unanswered >= _GIVE_UP:
            return FetchFailure(
                f"{origin}: no answer to {_GIVE_UP} addresses in a row, so it was asked no more;"
                " try again later"
            )
        rules = host.rules.get(origin) if self._politeness.robots else Rules()
        if isinstance(rules, Rules) and not rules.allows_url(request.url):
            return FetchFailure(f"{origin}/robots.txt does not allow it", "robots")
        return rules

    def _ask(self, host: _Host, request: _Request, rules: Rules) -> None:
        outcome: _Outcome | BaseException
        try:
            outcome = self._read(request, rules)
        except TooLargeError as error:
            outcome = FetchFailure(str(error), "too large")
        except BaseException as error:
            outcome = error
        self._answers.put((host, request, outcome))

    def _read(self, request: _Request, rules: Rules) -> bytes | Rules:
        """Do a request in a thread of its own."""
        polite, url = self._politeness, request.url
        if request.file is None:
            return parse_rules(fetch(url, polite.for_robots()).body, polite.product)
        # Another origin has its own rules and its own turn; on the same, cookies are kept.
        page = fetch(url, polite, follow=follow_within(origin_of(url), rules))
        return make_response_record(request.asked, page)

    def _settle(self, host: _Host, request: _Request, failure: FetchFailure) -> None:
        """Try again, follow a redirect, or give up."""
        if failure.passing and request.tries < self._politeness.retries:
            backoff = self._politeness.backoff * 2**request.tries
            asked_for = min(failure.retry_after or 0.0, _LONGEST_RETRY_AFTER)
            host.ready = max(host.ready, time.monotonic() + max(backoff, asked_for))
            request.tries += 1
            host.queue.appendleft(request)
        elif request.file is None:
            host.rules[origin_of(request.url)] = rules_without(failure)
        elif failure.target and request.redirects < self._politeness.max_redirects:
            host.unanswered = 0
            request.url, request.tries = failure.target, 0
            request.redirects += 1
            self._add(request, first=True)
        else:
            host.unanswered = host.unanswered + 1 if failure.passing else 0
            self._refuse(request, failure.reason, str(failure))

    def _refuse(self, request: _Request, reason: str, detail: str) -> None:
        assert request.file
        request.file.add(request.position, make_reject_record(request.asked, reason, detail))
        self._count(reason)

    def _count(self, outcome: str, addresses: int = 1) -> None:
        self._counts[outcome] += addresses
        self._progress(self._counts)
