"""Site models of a run: first what each page adds to the model of its site, then the models.

A model counts what repeats from page to page (`tamis.site.counts`), so a page can be read on one
machine and counted on another: the readings of a shard take some kB per page. Sites fall into parts
by a hash of their host; the models of a part are one archive, from which each can be read alone.

When inputs are added, the sites of the new shards are learned again from all pages so far, into
archives of that planning round. The earlier shards keep their models, and so their rows.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, BinaryIO

import numpy as np

from tamis.corpus.files import Folder
from tamis.corpus.manifest import Run
from tamis.corpus.records import Record, Reject, Settings
from tamis.corpus.steps._base import READINGS, Job, Step, every_shard, shard_round
from tamis.errors import TamisError, WeightsError
from tamis.many import InputPage
from tamis.model.weights.archive import DAMAGED, LARGEST_FILE, Archive, Form
from tamis.options import DEFAULT_METHOD, Options
from tamis.page.addresses import find_host
from tamis.page.reader import parse
from tamis.page.table import Page
from tamis.result import Result
from tamis.site.joint import site_method
from tamis.site.model import Site
from tamis.site.stored import Arrays, forms_of, from_arrays, to_arrays

HostReading = tuple[str, Any]
"""A host, and what a page of it adds to its model."""

MOST_PAGES = 200
"""Pages of a site that are learned, in the order of the input; of a shard, as many at most."""

_PARTS = 256
_LARGEST_COLUMN = 4 << 30  # bytes of an array of one part
_COUNT = "parts"
# Models that a process has at hand; a crawl comes in runs of pages of one site.
_AT_HAND = 64


def count_parts(shards: int) -> int:
    """How many parts the sites fall into, however many workers there are."""
    return min(_PARTS, shards)


def part_of(host: str, count: int) -> int:
    return zlib.crc32(host.encode()) % count


def site_of(page: Page, url: str | None) -> str:
    """The host of a page, or an empty string if it is unknown."""
    return find_host(url or "") or page.declared.host


# First: readings


def make_reader(settings: Settings) -> Callable[[list[Record]], list[HostReading | Reject]]:
    options = settings.options
    method = site_method(options)

    def read(record: Record) -> HostReading | Reject:
        try:
            page = parse(record.body, options, content_type=record.content_type)
            host = site_of(page, record.url)
            if not host or not len(page.blocks):
                return Reject(record.id, record.url, "no text" if host else "no host")
            return host, method.read(page, record.url)
        except TamisError as error:
            return Reject(record.id, record.url, "unreadable", str(error))

    return lambda batch: [read(record) for record in batch]


def pack(pages: Iterable[HostReading], count: int) -> bytes:
    """The readings of a shard, grouped by the part of their site, as an archive of arrays."""
    by_part: dict[int, list[HostReading]] = {}
    learned: Counter[str] = Counter()
    for host, reading in pages:
        learned[host] += 1
        if learned[host] <= MOST_PAGES:
            by_part.setdefault(part_of(host, count), []).append((host, reading))
    arrays: Arrays = {_COUNT: np.array(count)}
    for part, readings in by_part.items():
        arrays[f"{part}.hosts"] = np.array([host for host, _ in readings])
        columns = [to_arrays(reading) for _, reading in readings]
        for name in columns[0]:
            values = [each[name] for each in columns]
            arrays[f"{part}.{name}.lengths"] = np.array([len(value) for value in values])
            arrays[f"{part}.{name}"] = np.concatenate(values)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(packed: BinaryIO, part: int, count: int, kind: type[Any]) -> Iterator[HostReading]:
    """The readings of the sites of one of `count` parts, in order."""
    archive = Archive(packed, "the readings of a shard")
    packed_count = int(archive.read(_COUNT, Form("i8", 0))) if _COUNT in archive.names else count
    # Packed when there were fewer shards, and so fewer parts: the sites may be in any of them.
    places = [part] if packed_count == count else range(min(packed_count, _PARTS))
    for place in places:
        try:
            readings = list(_unpack_part(archive, place, kind))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise WeightsError(
                f"the readings of a shard are damaged ({error}); run the command again with another"
                " output folder"
            ) from error
        for host, reading in readings:
            if part_of(host, count) == part:
                yield host, reading


def _unpack_part(archive: Archive, part: int, kind: type[Any]) -> Iterator[HostReading]:
    start, end = f"{part}.", ".lengths"
    stored = [name for name in archive.names if name.startswith(start)]
    if not stored:
        return
    arrays = {name: archive.read(name, limit=_LARGEST_COLUMN) for name in stored}
    hosts = arrays[f"{start}hosts"].tolist()
    columns = {}
    for name in forms_of(kind):
        column, lengths = arrays[start + name], arrays[start + name + end]
        if len(lengths) != len(hosts) or (lengths < 0).any() or lengths.sum() != len(column):
            raise ValueError(f"{name} has not as many rows as there are pages")
        columns[name] = np.split(column, np.cumsum(lengths)[:-1])
    for number, host in enumerate(hosts):
        yield host, from_arrays(kind, {name: parts[number] for name, parts in columns.items()})


# Second: models


def learn_models(
    shards: Iterable[tuple[BinaryIO, bool]], part: int, count: int, options: Options
) -> Iterator[tuple[str, bytes]]:
    """The models of the sites of a part that have several pages and are in a wanted shard."""
    method = site_method(options)
    readings: dict[str, list[Any]] = {}
    wanted: set[str] = set()
    for packed, are_wanted in shards:
        for host, reading in unpack(packed, part, count, method.reading):
            if are_wanted:
                wanted.add(host)
            pages = readings.setdefault(host, [])
            if len(pages) < MOST_PAGES:
                pages.append(reading)
    for host in sorted(wanted):
        site = Site(method.fit_readings(readings[host], len(readings[host])))
        if site.pages > 1:
            yield host, site.pack()


def pack_models(models: Iterable[tuple[str, bytes]]) -> tuple[bytes, int]:
    """The models of a part as one file, and how many there are."""
    buffer = io.BytesIO()
    count = 0
    with zipfile.ZipFile(buffer, "w") as file:
        for host, packed in models:
            file.writestr(zipfile.ZipInfo(host), packed)  # without the date: the same bytes always
            count += 1
    return buffer.getvalue(), count


class Models:
    """The models of a run, loaded when pages need them."""

    def __init__(self, folder: Folder, count: int, options: Options, round: int = 0) -> None:
        self._folder, self._count, self._options = folder, count, options
        self._round = round
        self._archive = lru_cache(4)(self._open_archive)
        self._model = lru_cache(_AT_HAND)(self._read)

    def extract(self, batch: list[InputPage]) -> list[Result | TamisError]:
        return [self._extract(source) for source in batch]

    def _extract(self, source: InputPage) -> Result | TamisError:
        try:
            assert isinstance(source.page, bytes)
            page = parse(source.page, self._options, content_type=source.content_type)
            site = self._model(site_of(page, source.url))
            return site.extract(page, url=source.url, options=self._plain)
        except TamisError as error:
            return error

    @cached_property
    def _plain(self) -> Options:
        """The options without the method, which the model brings."""
        return replace(self._options, method=DEFAULT_METHOD, parameters={})

    def _open_archive(self, part: int) -> zipfile.ZipFile:
        content = self._folder.read(archive_name(self._round, part)) or b""
        return zipfile.ZipFile(io.BytesIO(content))

    def _read(self, host: str) -> Site:
        """The model of a site. If the host is unknown or has one page, an unfitted model."""
        part = part_of(host, self._count)
        try:
            archive = self._archive(part)
            member = archive.NameToInfo.get(host)
            if member is None:
                return Site(site_method(self._options))
            if member.file_size > LARGEST_FILE or member.compress_type != zipfile.ZIP_STORED:
                raise ValueError("it has a part that tamis did not write")
            packed = archive.read(member)
        except DAMAGED as error:
            raise WeightsError(
                f"{archive_name(self._round, part)}: damaged ({error}); run the command again with"
                " another output folder"
            ) from error
        return Site.unpack(packed, host, site_method(self._options))


def archive_name(round: int, part: int) -> str:
    return f"sites/{f'{round}/' if round else ''}{part:05}.zip"


def _learn(job: Job) -> Iterator[None]:
    answers: Iterator[HostReading | Reject] = job.ask(
        "tamis.corpus.steps.site_models:make_reader", job.run.settings, job.read_records()
    )
    pages = []
    for answer in answers:
        if isinstance(answer, Reject):
            job.counts.rejected[answer.reason] += 1
        else:
            job.counts.kept += 1
            pages.append(answer)
        yield
    run = job.run
    count = count_parts(run.rounds[run.shards[job.number].round])
    job.write(_readings_name(job.number), pack(pages, count))


def _unite(job: Job) -> Iterator[None]:
    round, part = _locate(job.run, job.number)

    def open_readings() -> Iterator[tuple[BinaryIO, bool]]:
        for shard in job.run.shards:
            if shard.round <= round:
                with job.run.folder.open_reading(_readings_name(shard.number)) as file:
                    yield file, shard.round == round

    count = count_parts(job.run.rounds[round])
    models = learn_models(open_readings(), part, count, job.run.settings.options)
    packed, job.counts.kept = pack_models(models)
    job.write(archive_name(round, part), packed)
    yield


def _locate(run: Run, number: int) -> tuple[int, int]:
    """The round and the part of a task: the parts of each round follow those of earlier rounds."""
    for round, shards in enumerate(run.rounds):
        if number < count_parts(shards):
            return round, number
        number -= count_parts(shards)
    raise ValueError(f"no task {number}")


def _readings_name(number: int) -> str:
    return f"{READINGS}/{number:05}.npz"


LEARN = Step(
    "learn", lambda run: every_shard(run) if run.settings.site_models else 0, _learn, shard_round
)
UNITE = Step(
    "unite",
    lambda run: sum(map(count_parts, run.rounds)) if run.settings.site_models else 0,
    _unite,
    lambda run, number: _locate(run, number)[0] or None,
)
