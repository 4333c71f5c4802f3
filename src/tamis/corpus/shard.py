"""From the records of a shard to its rows: extract, describe, filter. No file is written here.

`pass_through` depends on its arguments alone: the same records and settings give the same rows in
the same order, in any process. A record without a row gives a `Reject` with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from tamis._runtime.processes import Lost, Pool, Process
from tamis.corpus.duplicates import signature
from tamis.corpus.records import Record
from tamis.corpus.records import Reject as Reject
from tamis.corpus.rows import Row
from tamis.corpus.settings import Settings
from tamis.describe.page_type import is_overview
from tamis.errors import (
    CrashError,
    DeadlineError,
    NotHtmlError,
    TamisError,
    TooDeepError,
    TooLargeError,
    TooManyNodesError,
)
from tamis.many import InputPage, batches, extract_batch
from tamis.result import Result

T = TypeVar("T")
Signed: TypeAlias = tuple[Row, bytes]
"""A row, and the signature of its text if duplicates are looked for."""
Answer: TypeAlias = Callable[[list[Record]], list[T | Reject]]
"""What makes something of each record of a batch."""

_REASONS: dict[type[Exception], str] = {
    TooLargeError: "too large",
    TooManyNodesError: "too many elements",
    TooDeepError: "too deep",
    DeadlineError: "too slow",
    CrashError: "crash",
    NotHtmlError: "not html",
}
_METADATA = "title authors published modified site_name language description canonical".split()
_LOST = {"deadline": "too slow", "memory": "too much memory"}
# What a process gets beyond the limit of a page, which ends the page itself with a better message.
_GRACE_SECONDS = 1.0


class Watched(Generic[T]):
    """Processes that make a `T` of each record; `function` and `made_from` as for `Process`.

    With one, whoever asks waits for each batch, so that the two take no more than one processor.
    """

    def __init__(
        self, function: str, made_from: object, settings: Settings, workers: int = 1
    ) -> None:
        self.pool = Pool(workers, lambda _: Process(function, made_from, settings.memory))
        self.end = self.pool.close
        self._seconds = settings.options.max_seconds + _GRACE_SECONDS

    def ask(self, batch: Sequence[Record | Reject], process: Process) -> list[T | Reject]:
        """What becomes of a batch; a record that makes its process fail is refused for that."""
        records = [record for record in batch if isinstance(record, Record)]
        answers = iter(process.ask_each(records, self._seconds))
        return [_place_answers(record, answers) for record in batch]


def _place_answers(record: Record | Reject, answers: Iterator[T | Reject | Lost]) -> T | Reject:
    if isinstance(record, Reject):
        return record
    answer = next(answers)
    if isinstance(answer, Lost):
        reason = _LOST.get(answer.reason, "crash")
        return Reject(record.id, record.url, reason, f"its process {answer}")
    return answer


def pass_through(watched: Watched[T], records: Iterable[Record | Reject]) -> Iterator[T | Reject]:
    """What becomes of the records, in their order, with those in place that were refused before."""
    jobs = (partial(watched.ask, batch) for batch in batches(records, _size))
    try:
        for answers in watched.pool.results(map(watched.pool.submit, jobs)):
            yield from answers
    except Lost as lost:
        raise CrashError(f"a process for the extraction {lost}") from lost


def _size(record: Record | Reject) -> int:
    return len(record.body) if isinstance(record, Record) else 0


class Extracting(NamedTuple):
    """What a process that extracts is made from."""

    settings: Settings
    output: str
    """The output folder, which has the site models."""
    parts: int = 0
    """Of the site models; none if 0."""
    round: int = 0
    """Which models: those of the planning round of the shard."""


def make_extractor(made_from: Extracting) -> Answer[Signed]:
    """The extraction itself, in this process."""
    settings, options = made_from.settings, made_from.settings.options
    method = options.make_method()
    models = None
    if made_from.parts:
        from tamis.corpus.folder import Folder
        from tamis.corpus.sites import Models

        models = Models(Folder(made_from.output), made_from.parts, options, made_from.round)

    def extract(batch: list[Record]) -> list[Signed | Reject]:
        pages = [InputPage(record.body, record.url, record.content_type) for record in batch]
        results = models.extract(pages) if models else extract_batch(pages, method, options)
        return [
            _row(record, result, settings) for record, result in zip(batch, results, strict=True)
        ]

    return extract


def _row(record: Record, result: Result | TamisError, settings: Settings) -> Signed | Reject:
    try:
        if isinstance(result, TamisError):
            raise result
        return _describe_record(record, result, settings)
    except Exception as error:  # one page is never the end of a shard
        usual = "unreadable" if isinstance(error, TamisError) else "crash"
        reason = _REASONS.get(type(error), usual)
        return Reject(record.id, record.url, reason, f"{type(error).__name__}: {error}")


def _describe_record(record: Record, result: Result, settings: Settings) -> Signed | Reject:
    def refused(reason: str, detail: str = "") -> Reject:
        return Reject(record.id, record.url, reason, detail)

    if settings.options.overview == "skip" and is_overview(result.overview):
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
        url=record.url or about.get("canonical") or None,
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
