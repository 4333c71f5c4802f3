"""From the records of a shard to its rows: extract, describe, filter. No file is written here.

`pass_through` depends on its arguments alone: the same records and settings give the same rows in
the same order, in any process. A record without a row gives a `Reject` with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from tamis.corpus.files import Folder, last_name
from tamis.corpus.formats import WAITING_FORMAT
from tamis.corpus.records import Record, Reject, Row, Settings
from tamis.corpus.steps._base import WAITING, Job, Step, every_shard, part_name, shard_round
from tamis.corpus.steps.duplicates import make_signature
from tamis.corpus.steps.site_models import Models, count_parts
from tamis.describe.types.page_type import is_overview
from tamis.errors import (
    CrashError,
    DeadlineError,
    NotHtmlError,
    TamisError,
    TooDeepError,
    TooLargeError,
    TooManyNodesError,
)
from tamis.many import InputPage, extract_batch
from tamis.result import Result

Signed: TypeAlias = tuple[Row, bytes]
"""A row, and the signature of its text if duplicates are looked for."""
_REASONS: dict[type[Exception], str] = {
    TooLargeError: "too large",
    TooManyNodesError: "too many elements",
    TooDeepError: "too deep",
    DeadlineError: "too slow",
    CrashError: "crash",
    NotHtmlError: "not html",
}
_METADATA = "title authors published modified site_name language description canonical".split()


class Extracting(NamedTuple):
    """What a process that extracts is made from."""

    settings: Settings
    output: str
    """The output folder, which has the site models."""
    parts: int = 0
    """Of the site models; none if 0."""
    round: int = 0
    """Which models: those of the planning round of the shard."""


def make_extractor(made_from: Extracting) -> Callable[[list[Record]], list[Signed | Reject]]:
    settings, options = made_from.settings, made_from.settings.options
    method = options.make_method()
    models = None
    if made_from.parts:
        models = Models(Folder(made_from.output), made_from.parts, options, made_from.round)

    def extract(batch: list[Record]) -> list[Signed | Reject]:
        pages = [InputPage(record.body, record.url, record.content_type) for record in batch]
        results = models.extract(pages) if models else extract_batch(pages, method, options)
        return [
            _make_row(record, result, settings)
            for record, result in zip(batch, results, strict=True)
        ]

    return extract


def _make_row(record: Record, result: Result | TamisError, settings: Settings) -> Signed | Reject:
    try:
        if isinstance(result, TamisError):
            raise result
        return _describe_record(record, result, settings)
    except Exception as error:  # one page is never the end of a shard
        usual = "unreadable" if isinstance(error, TamisError) else "crash"
        reason = _REASONS.get(type(error), usual)
        return Reject(record.id, record.url, reason, f"{type(error).__name__}: {error}")


def _describe_record(record: Record, result: Result, settings: Settings) -> Signed | Reject:
    def reject(reason: str, detail: str = "") -> Reject:
        return Reject(record.id, record.url, reason, detail)

    if settings.options.overview == "skip" and is_overview(result.overview):
        return reject("overview", f"{result.overview:.2f}")
    weights = result.page.blocks.words * result.kept
    words = int(weights.sum())
    if not words:
        return reject("no content")
    if words < settings.min_words:
        return reject("short", f"{words} words")
    probability = float(result.scores @ weights / words)
    if probability < settings.min_probability:
        return reject("improbable", f"{probability:.2f}")
    if settings.page_types and result.page_type not in settings.page_types:
        return reject("page type", result.page_type)
    about: dict[str, Any] = {}
    if settings.describe or settings.languages:
        known = result.metadata
        if settings.languages and known.language.partition("-")[0] not in settings.languages:
            return reject("language", known.language or "unknown")
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
    return row, make_signature(row.text) if settings.duplicates != "keep" else b""


def _extract(job: Job) -> Iterator[None]:
    run, settings = job.run, job.run.settings
    round = run.shards[job.number].round
    site_parts = count_parts(run.rounds[round]) if settings.site_models else 0
    made_from = Extracting(settings, run.folder.address, site_parts, round)
    compared = settings.duplicates != "keep"
    stem = rejects_stem = part_name(job.number)
    format = settings.format
    if compared:
        stem, format = f"{WAITING}/{stem}", WAITING_FORMAT
    source = last_name(run.shards[job.number].source)
    signatures = bytearray()
    with job.open_outputs(format, stem, rejects_stem) as outputs:
        answers: Iterator[Signed | Reject] = job.ask(
            "tamis.corpus.steps.extraction:make_extractor", made_from, job.read_records()
        )
        for answer in answers:
            if isinstance(answer, Reject):
                outputs.reject(answer)
            else:
                row, signature = answer
                outputs.keep(row._replace(source=source))
                signatures += signature
            yield
    if compared:
        job.write(f"{stem}.signatures", bytes(signatures))


EXTRACT = Step("extract", every_shard, _extract, shard_round)
