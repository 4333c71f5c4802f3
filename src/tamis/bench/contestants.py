"""What takes part in a bench, and the process in which each contestant extracts.

A contestant is one of our methods with its parameters, or another library. It is described by plain
values, so that its process can load it by itself. The process is watched from outside: a crash, a
hang or too much memory costs the contestant one page and its process, and the next page gets a new
one. Extracting is limited; scoring, which happens in the same process, is not.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import logging
import os
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from tamis._runtime.processes import Lost, Process
from tamis.bench import measures
from tamis.bench.measures import BLOCKS, BlockScore, Score, Snippets
from tamis.errors import LimitError, MethodError, WeightsError
from tamis.flow import extract
from tamis.method_choices import MethodLike, is_model, is_name, pin
from tamis.options import Options
from tamis.page.reader import parse

Extractor = Callable[[str | bytes], str]
_PACKAGE = Path(__file__).parents[1]
# Parts of the package on which no output of a method depends.
_APART = frozenset(["cli", "bench", "labels"])
_SUFFIXES = (".py", ".npz", ".json", ".tsv", ".txt")


@dataclass(frozen=True, slots=True)
class Contestant:
    """Something that turns a page into text."""

    name: str
    """Its name in tables: `boilerpipe variant=density`, `trafilatura 2.3.1`."""
    loader: str
    """`module:function` that gives the extractor when called with `arguments`."""
    arguments: tuple[Any, ...]
    """Plain values that can be hashed."""
    version: str
    """What its output depends on beside the page and the arguments."""
    ours: bool = False
    """Whether it is a method, of tamis or of the caller's own; else another library."""

    @property
    def fingerprint(self) -> str:
        """A name for this loader, these arguments and this version, for the cache."""
        described = json.dumps(
            [self.loader, self.arguments, self.version], sort_keys=True, default=str
        )
        return hashlib.sha256(described.encode()).hexdigest()[:16]

    def load(self) -> Extractor:
        module, _, function = self.loader.partition(":")
        extractor: Extractor = getattr(importlib.import_module(module), function)(*self.arguments)
        return extractor


def make_contestant(choice: MethodLike, parameters: Mapping[str, Any] | None = None) -> Contestant:
    """A method, however it is given. Raises `MethodError` if there is none such, or no parameter.

    A hash of the file of a method of the caller's own is among its arguments. With weights of the
    caller's own, their content is part of the version: training again writes other weights to the
    same path.
    """
    text, values = pin(choice, dict(sorted((parameters or {}).items())))
    weights = values.get("weights")
    described = "".join(f" {key}={value}" for key, value in values.items())
    return Contestant(
        f"{_short_name(text)}{described}",
        f"{__name__}:load_method",
        (text, tuple(values.items())),
        f"{source_hash()} {_file_hash(weights)}" if weights else source_hash(),
        ours=True,
    )


def _short_name(text: str) -> str:
    """What a table calls a method that `pin` wrote down: its name, its class or its file."""
    if is_name(text):
        return text
    without_hash = text.rpartition("@")[0] or text
    return Path(without_hash).name if is_model(text) else without_hash.rpartition(":")[2]


def name_apart(contestants: Iterable[Contestant]) -> list[Contestant]:
    """The contestants; those that share a name, as classes of two files may, with their source."""
    contestants = list(dict.fromkeys(contestants))
    counts = Counter(each.name for each in contestants)
    return [
        replace(each, name=f"{each.name} ({each.arguments[0]})") if counts[each.name] > 1 else each
        for each in contestants
    ]


def load_method(text: str, parameters: Iterable[tuple[str, Any]]) -> Extractor:
    """The extractor of a method that `pin` wrote down."""
    options = Options(method=text, parameters=dict(parameters))
    return lambda page: extract(page, options=options).text


def _file_hash(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise WeightsError(f"there are no weights at {path}: {error.strerror}") from error


@cache
def source_hash() -> str:
    """A hash of everything in the package that an output can depend on."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*")):
        inside = path.relative_to(_PACKAGE)
        if inside.parts[0] in _APART or path.suffix not in _SUFFIXES:
            continue
        digest.update(f"{inside.as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


# --- the process of a contestant ----------------------------------------------------------------


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
    scores: dict[str, Score | BlockScore] = field(default_factory=dict)
    """By the name of the measure; none if the page has no gold text."""
    snippets: Snippets | None = None
    """None if the page has no snippets."""


Scores = tuple[dict[str, Score | BlockScore], Snippets | None]


def score(text: str, gold: Gold, names: Sequence[str], page: str | bytes) -> Scores:
    """Measure a text against the gold of its page."""
    scores: dict[str, Score | BlockScore] = {}
    if gold.text is not None:
        for name in names:
            if name != BLOCKS:
                scores[name] = measures.MEASURES[name](text, gold.text)
                continue
            # A page that is over a limit has no blocks.
            with contextlib.suppress(LimitError):
                scores[name] = measures.score_blocks(parse(page), text, gold.text)
    has_snippets = gold.with_ or gold.without
    return scores, measures.count_snippets(text, gold.with_, gold.without) if has_snippets else None


class ContestantProcess(Process):
    """A process that extracts for one contestant."""

    def __init__(self, contestant: Contestant, limits: Limits, names: Sequence[str]) -> None:
        made_from = (contestant, limits.megabytes, tuple(names))
        super().__init__("tamis.bench.contestants:make_contender", made_from)
        self._contestant = contestant
        self._limits = limits
        self._names = names

    def extract(self, page: str | bytes, gold: Gold) -> Outcome:
        """Extract and score; what the contestant does to its process is a miss."""
        started = time.perf_counter()
        try:
            if not self.pid:
                self._start()  # which is not the time of the page
                started = time.perf_counter()
            outcome: Outcome = self.ask(page, self._limits.seconds)
            scores, snippets = self.ask((outcome.text, gold))
        except Lost as lost:
            if lost.reason == "start":
                raise MethodError(f"{self._contestant.name} cannot be loaded: it {lost}") from lost
            if lost.reason == "closed":
                raise
            seconds = time.perf_counter() - started
            return Outcome("", seconds, self._miss(lost), *score("", gold, self._names, page))
        return replace(outcome, scores=scores, snippets=snippets)

    def _miss(self, lost: Lost) -> str:
        if lost.reason == "deadline":
            return f"no answer in {self._limits.seconds:g} s"
        if lost.code == _OUT_OF_MEMORY:
            return f"more memory than {self._limits.megabytes} MB"
        if lost.code is not None and lost.code < 0:
            return f"crashed ({signal.Signals(-lost.code).name})"
        return f"its process {lost}"


# --- inside the process -----------------------------------------------------------------------

_OUT_OF_MEMORY = 77


def make_contender(
    made_from: tuple[Contestant, int, Sequence[str]],
) -> Callable[[str | bytes | tuple[str, Gold]], object]:
    """What the process answers: to a page an `Outcome`, to a text and its gold the scores.

    Two questions, since extracting has a limit and scoring has none.
    """
    contestant, megabytes, names = made_from
    # Some libraries print or log every page they dislike.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    logging.disable(logging.CRITICAL)
    _cut_network()
    _limit_memory(megabytes)
    extract = contestant.load()
    _warm_up(extract)

    page: str | bytes = ""

    def answer(question: str | bytes | tuple[str, Gold]) -> object:
        nonlocal page
        if isinstance(question, tuple):
            return score(*question, names, page)
        page = question
        return _extract_page(extract, page)

    return answer


def _extract_page(extract: Extractor, page: str | bytes) -> Outcome:
    text, miss = "", None
    started = time.perf_counter()
    try:
        text = extract(page)
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    except BaseException as error:  # of other people's code, which may even leave by SystemExit
        miss = _make_writable(f"{type(error).__name__}: {error}"[:300])
    seconds = time.perf_counter() - started
    return Outcome(_make_writable(text or ""), seconds, miss)


def _make_writable(text: str) -> str:
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
    wanted = _measure_reserved() + megabytes * 1024 * 1024
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(ValueError, OSError):  # macOS has the constant but not the limit
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _measure_reserved() -> int:
    """Address space that is taken already: numpy's threads reserve some per processor."""
    try:
        with open("/proc/self/statm", encoding="ascii") as numbers:
            return int(numbers.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
