"""Pages from files, folders and addresses into a project: all that a corpus run reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from tamis.corpus import formats
from tamis.corpus.crawl import is_web, read_addresses
from tamis.corpus.planning import plan_shards
from tamis.corpus.records import Columns, Record, Reject, Settings
from tamis.corpus.tasks import Watched, process_records
from tamis.errors import TamisError
from tamis.many import catch_error
from tamis.options import Options
from tamis.project import pages
from tamis.project.database import Database, ReadPage
from tamis.project.transfer import read_page
from tamis.web.fetch import fetch

_ReadRecord = tuple[Record, ReadPage]


@dataclass(frozen=True)
class Added:
    """What became of a page of the input."""

    name: str
    number: int | None = None
    """In the project; None if it could not be added."""
    is_new: bool = False
    why: str = ""
    """Why it could not be added."""


def add_inputs(
    database: Database,
    inputs: Sequence[str],
    options: Options,
    *,
    limit: int | None = None,
    workers: int = 1,
    allow_private: bool = False,
) -> Iterator[Added]:
    """Add all pages of the inputs, one by one, in order; name those that fail."""
    records = islice(_read_records(inputs, options, allow_private), limit)
    settings = Settings(options=options)
    watched: Watched[_ReadRecord] = Watched(
        "tamis.project.intake:make_worker", options, settings, workers
    )
    with watched.pool:
        for answer in process_records(watched, records):
            if isinstance(answer, Reject):
                name = answer.url or answer.id
                yield Added(name, why=answer.detail or answer.reason)
                continue
            record, page = answer
            name = record.url or record.id
            is_new, number = pages.add_page(database, page, name, record.url)
            yield Added(name, number, is_new)


def make_worker(options: Options) -> Callable[[list[Record]], list[_ReadRecord | Reject]]:
    return lambda records: [_read_record(record, options) for record in records]


def _read_record(record: Record, options: Options) -> _ReadRecord | Reject:
    page = catch_error(partial(read_page, record.body, record.url, record.content_type, options))
    if isinstance(page, TamisError):
        return Reject(record.id, record.url, "not read", str(page))
    return record, page


def _read_records(
    inputs: Sequence[str], options: Options, allow_private: bool
) -> Iterator[Record | Reject]:
    for source in inputs:
        if is_web(source):
            for address in read_addresses(source):
                yield _fetch_page(address, options, allow_private)
        else:
            for shard in plan_shards([source], Columns(), options.max_bytes):
                yield from formats.read(shard, Columns(), options.max_bytes)


def _fetch_page(address: str, options: Options, allow_private: bool) -> Record | Reject:
    try:
        page = fetch(
            address,
            max_bytes=options.max_bytes,
            max_seconds=options.max_seconds,
            allow_private=allow_private,
        )
    except TamisError as error:
        return Reject(address, address, "not fetched", str(error))
    return Record(address, page.url, page.body, page.content_type, None)
