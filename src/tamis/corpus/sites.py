"""Site models of a run: first what each page adds to the model of its site, then the models.

A model counts what repeats from page to page (`tamis.site.evidence`), so a page can be read on one
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

from tamis.corpus.folder import Folder
from tamis.corpus.records import Record, Reject
from tamis.corpus.settings import Settings
from tamis.errors import TamisError, WeightsError
from tamis.many import InputPage
from tamis.methods._shared.arrays import Arrays, forms_of, from_arrays, to_arrays
from tamis.model.weights.archive import DAMAGED, LARGEST_FILE, Archive, Form
from tamis.options import DEFAULT_METHOD, Options
from tamis.page.addresses import host_of
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.result import Result
from tamis.site.joint import site_method
from tamis.site.model import Site

HostReading = tuple[str, Any]
"""A host, and what a page of it adds to its model."""

MOST_PAGES = 200
"""Pages of a site that are learned, in the order of the input; of a shard, as many at most."""

_PARTS = 256
_LARGEST_COLUMN = 4 << 30  # bytes of an array of one part
_COUNT = "parts"
# Models that a process has at hand; a crawl comes in runs of pages of one site.
_AT_HAND = 64


def parts(shards: int) -> int:
    """Into how many parts the sites fall: independent of who does the work."""
    return min(_PARTS, shards)


def part_of(host: str, count: int) -> int:
    """The part of a site."""
    return zlib.crc32(host.encode()) % count


def site_of(page: Page, url: str | None) -> str:
    """The host of a page, empty if nothing says it."""
    return host_of(url or "") or page.declared.host


# First: readings


def make_reader(settings: Settings) -> Callable[[list[Record]], list[HostReading | Reject]]:
    """What a process that reads pages answers a batch with."""
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
    """The readings of a shard by the part of their site, as an archive of arrays."""
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
    """The readings of the sites of one of `count` parts, in order; no others are read."""
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


def learn(
    shards: Iterable[tuple[BinaryIO, bool]], part: int, count: int, options: Options
) -> Iterator[tuple[str, bytes]]:
    """The hosts of a part and their models, of those with more than one page.

    With the readings of each shard comes whether models of its sites are wanted.
    """
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


def archive(models: Iterable[tuple[str, bytes]]) -> tuple[bytes, int]:
    """The models of a part as one file, and how many they are."""
    buffer = io.BytesIO()
    count = 0
    with zipfile.ZipFile(buffer, "w") as file:
        for host, packed in models:
            file.writestr(zipfile.ZipInfo(host), packed)  # without the date: the same bytes always
            count += 1
    return buffer.getvalue(), count


class Models:
    """The models of a run, read as pages need them."""

    def __init__(self, folder: Folder, count: int, options: Options, round: int = 0) -> None:
        self._folder, self._count, self._options = folder, count, options
        self._round = round
        self._archive = lru_cache(4)(self._opened)
        self._model = lru_cache(_AT_HAND)(self._read)

    def extract(self, batch: list[InputPage]) -> list[Result | TamisError]:
        """The pages, each by the model of its site."""
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
        """The options without the method, which the model has."""
        return replace(self._options, method=DEFAULT_METHOD, parameters={})

    def _opened(self, part: int) -> zipfile.ZipFile:
        content = self._folder.read(archive_name(self._round, part)) or b""
        return zipfile.ZipFile(io.BytesIO(content))

    def _read(self, host: str) -> Site:
        """The model of a site; of one page, or of none if the page does not name its site."""
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
    """Where the models of a part are in the output folder."""
    return f"sites/{f'{round}/' if round else ''}{part:05}.zip"
