"""From the records of a shard to its rows: extract, describe, filter. No file is written here.

`through` is a function of its arguments: the same records and settings give the same rows in the
same order, in whatever process, and a record that gives none gives a `Refused` with the reason.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from tamis.corpus.duplicates import signature
from tamis.corpus.records import Record, Refused
from tamis.corpus.rows import Row
from tamis.corpus.settings import Settings
from tamis.errors import (
    CrashError,
    DeadlineError,
    TamisError,
    TooDeepError,
    TooLargeError,
    TooManyNodesError,
)
from tamis.many import Source, extract_batch
from tamis.processes import Lost, Process
from tamis.result import Result

T = TypeVar("T")
Signed: TypeAlias = tuple[Row, bytes]
"""A row, and the signature of its text if duplicates are to be told."""
Answer: TypeAlias = Callable[[list[Record]], list[T | Refused]]
"""What makes something of each record of a batch."""

# A batch is full at either; see tamis.many.
_BATCH_PAGES = 16
_BATCH_BYTES = 2 * 1024 * 1024

_REASONS: dict[type[Exception], str] = {
    TooLargeError: "too large",
    TooManyNodesError: "too many elements",
    TooDeepError: "too deep",
    DeadlineError: "too slow",
    CrashError: "crash",
}
_METADATA = "title authors published modified site_name language description".split()
_LOST = {"deadline": "too slow", "memory": "too much memory", "crash": "crash"}
# What a process gets beyond the limit of a page, which ends the page itself with a better message.
_GRACE_SECONDS = 1.0
# How often it is tried to start one.
_STARTS = 3


def through(
    answers: Sequence[Answer[T]], records: Iterable[Record | Refused]
) -> Iterator[T | Refused]:
    """What becomes of the records, asked for in batches, in their order.

    With several `answers` as many batches are on their way at a time; with one, this process waits
    for each, so that the two take no more than one processor.
    """
    if len(answers) == 1:
        for batch in _batches(records):
            yield from _in_place(batch, answers[0](_pages(batch)))
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    idle = deque(answers)
    waiting: deque[tuple[list[Record | Refused], Future[list[T | Refused]]]] = deque()

    def ask(pages: list[Record]) -> list[T | Refused]:
        answer = idle.pop()
        try:
            return answer(pages)
        finally:
            idle.append(answer)

    with ThreadPoolExecutor(len(answers), "tamis") as threads:
        for batch in _batches(records):
            waiting.append((batch, threads.submit(ask, _pages(batch))))
            while len(waiting) > 2 * len(answers):
                first, answered = waiting.popleft()
                yield from _in_place(first, answered.result())
        for first, answered in waiting:
            yield from _in_place(first, answered.result())


def _pages(batch: list[Record | Refused]) -> list[Record]:
    return [one for one in batch if isinstance(one, Record)]


def _in_place(batch: list[Record | Refused], answers: list[T | Refused]) -> Iterator[T | Refused]:
    """The answers, among the records that were refused before."""
    each = iter(answers)
    return (one if isinstance(one, Refused) else next(each) for one in batch)


def _batches(records: Iterable[Record | Refused]) -> Iterator[list[Record | Refused]]:
    batch: list[Record | Refused] = []
    size = 0
    for record in records:
        batch.append(record)
        if isinstance(record, Record):
            size += len(record.body)
        if len(batch) >= _BATCH_PAGES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class Watched(Generic[T]):
    """An `Answer` from a process of its own; `function` and `made_from` as for `Process`.

    A batch that makes the process fail is tried again record by record; the record that makes it
    fail once more is refused, and the others have lost nothing.
    """

    def __init__(self, function: str, made_from: object, settings: Settings) -> None:
        self._process = Process(function, made_from, settings.memory)
        self._seconds = settings.options.max_seconds + _GRACE_SECONDS
        self.end = self._process.end

    def __call__(self, batch: list[Record]) -> list[T | Refused]:
        """The answers to a batch."""
        if not batch:
            return []
        try:
            return self._ask(batch)
        except Lost:
            return [self._alone(record) for record in batch]

    def _alone(self, record: Record) -> T | Refused:
        try:
            return self._ask([record])[0]
        except Lost as lost:
            return Refused(record.id, record.url, _LOST[lost.reason], f"its process {lost}")

    def _ask(self, batch: list[Record]) -> list[T | Refused]:
        ended = ""
        for _ in range(_STARTS):
            try:
                answers: list[T | Refused] = self._process.ask(batch, self._seconds)
                return answers
            except Lost as lost:
                if lost.reason != "start":
                    raise
                ended = str(lost)  # no page is to blame
        raise CrashError(f"a process for the extraction {ended} before it began, {_STARTS} times")


class Extracting(NamedTuple):
    """What a process that extracts is made from."""

    settings: Settings
    output: str
    """The output folder, which has the site models."""
    parts: int = 0
    """Of the site models; none if 0."""


def extracting(made_from: Extracting) -> Answer[Signed]:
    """The extraction itself, in this process."""
    settings, options = made_from.settings, made_from.settings.options
    method = options.make_method()
    models = None
    if made_from.parts:
        from tamis.corpus.folder import Folder
        from tamis.corpus.sites import Models

        models = Models(Folder(made_from.output), made_from.parts, options)

    def extract(batch: list[Record]) -> list[Signed | Refused]:
        sources = [Source(one.body, one.url, one.content_type) for one in batch]
        results = models.extract(sources) if models else extract_batch(sources, method, options)
        return [
            _row(record, result, settings) for record, result in zip(batch, results, strict=True)
        ]

    return extract


def _row(record: Record, result: Result | TamisError, settings: Settings) -> Signed | Refused:
    try:
        if isinstance(result, TamisError):
            raise result
        return _described(record, result, settings)
    except Exception as error:  # one page is never the end of a shard
        usual = "unreadable" if isinstance(error, TamisError) else "crash"
        reason = _REASONS.get(type(error), usual)
        return Refused(record.id, record.url, reason, f"{type(error).__name__}: {error}")


def _described(record: Record, result: Result, settings: Settings) -> Signed | Refused:
    def refused(reason: str, detail: str = "") -> Refused:
        return Refused(record.id, record.url, reason, detail)

    if settings.options.overview == "skip" and result.overview > 0.5:
        return refused("overview", f"{result.overview:.2f}")
    weights = result.page.blocks.words * result.kept
    words = int(weights.sum())
    if not words:
        return refused("no content")
    if words < settings.min_words:
        return refused("short", f"{words} words")
    probability = float(result.scores @ weights / words)
    if probability < settings.min_probability:
        return refused("improbable", f"{probability:.2f}")
    if settings.page_types and result.page_type not in settings.page_types:
        return refused("page type", result.page_type)
    about: dict[str, Any] = {}
    if settings.describe or settings.languages:
        known = result.metadata
        if settings.languages and known.language.partition("-")[0] not in settings.languages:
            return refused("language", known.language or "unknown")
        about = {name: getattr(known, name) for name in _METADATA}
        about |= {"page_type": result.page_type, "overview": result.overview}
    row = Row(
        id=record.id,
        source="",
        url=record.url,
        fetched=record.fetched,
        probability=probability,
        words=words,
        text=result.text,
        encoding=result.page.encoding,
        embedded=result.embedded,
        site_pages=result.site_pages,
        **{view: getattr(result, view) for view in settings.also},
        **(about if settings.describe else {}),
    )
    return row, signature(row.text) if settings.duplicates != "keep" else b""
