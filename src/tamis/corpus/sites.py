"""Site models of a run: first what each page adds to the model of its site, then the models.

A model counts what repeats from page to page (`tamis.site.evidence`), so a page can be read on one
machine and counted on another: the readings of a shard take some kB a page. Sites fall into parts
by a hash of their host; the models of a part are one archive, from which each can be read alone.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import lru_cache
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from tamis.corpus.folder import Folder
from tamis.corpus.records import Record, Refused
from tamis.corpus.settings import Settings
from tamis.describe.page_type import page_types
from tamis.errors import TamisError
from tamis.flow import extract
from tamis.many import Source
from tamis.methods import _registry
from tamis.methods.tamis import Tamis
from tamis.options import Options
from tamis.page.addresses import host_of
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.result import Result
from tamis.site import stored
from tamis.site.evidence import Counts
from tamis.site.joint import alone
from tamis.site.model import Site
from tamis.site.reading import Reading

Read = tuple[str, Reading]
"""A host, and what a page of it adds to its model."""

MOST_PAGES = 200
"""Pages of a site that are learned, in the order of the input; of a shard, as many at most."""

_PARTS = 256
# Models that a process has at hand; a crawl comes in runs of pages of one site.
_AT_HAND = 64


def parts(shards: int) -> int:
    """Into how many parts the sites fall: independent of who does the work."""
    return min(_PARTS, shards)


def part_of(host: str, count: int) -> int:
    """The part of a site."""
    return zlib.crc32(host.encode()) % count


def site_of(page: Page, url: str | None) -> str:
    """The host of a page, empty if nothing tells it."""
    return host_of(url or "") or page.declared.host


# First: readings


def reading(settings: Settings) -> Callable[[list[Record]], list[Read | Refused]]:
    """What a process that reads pages answers a batch with."""
    options = settings.options
    method = _registry.create(options.method, options.parameters)
    assert isinstance(method, Tamis)

    def read(record: Record) -> Read | Refused:
        try:
            page = parse(record.body, options, content_type=record.content_type)
            host = site_of(page, record.url)
            if not host or not len(page.blocks):
                return Refused(record.id, record.url, "no text" if host else "no host")
            forum = page_types(page, record.url)["forum"]
            return host, alone(method, page, forum).reading
        except TamisError as error:
            return Refused(record.id, record.url, "unreadable", str(error))

    return lambda batch: [read(record) for record in batch]


def pack(pages: Iterable[Read], count: int) -> bytes:
    """The readings of a shard by the part of their site, as an archive of arrays."""
    by_part: dict[int, list[Read]] = {}
    learned: Counter[str] = Counter()
    for host, one in pages:
        learned[host] += 1
        if learned[host] <= MOST_PAGES:
            by_part.setdefault(part_of(host, count), []).append((host, one))
    arrays: dict[str, npt.NDArray[Any]] = {}
    for part, some in by_part.items():
        arrays[f"{part}.hosts"] = np.array([host for host, _ in some])
        for column in fields(Reading):
            values = [getattr(one, column.name) for _, one in some]
            arrays[f"{part}.{column.name}.lengths"] = np.array([len(value) for value in values])
            arrays[f"{part}.{column.name}"] = np.concatenate(values)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(packed: BinaryIO, part: int) -> Iterator[Read]:
    """The readings of the sites of a part, in order; no others are read."""
    with np.load(packed, allow_pickle=False) as arrays:
        if f"{part}.hosts" not in arrays:
            return
        columns = [
            np.split(
                arrays[f"{part}.{column.name}"],
                np.cumsum(arrays[f"{part}.{column.name}.lengths"])[:-1],
            )
            for column in fields(Reading)
        ]
        hosts = arrays[f"{part}.hosts"].tolist()
    for host, *values in zip(hosts, *columns, strict=True):
        yield host, Reading(*values)


# Second: models


def learn(shards: Iterable[BinaryIO], part: int) -> Iterator[tuple[str, bytes]]:
    """The hosts of a part and their models, of those with more than one page."""
    sites: dict[str, Counts] = {}
    learned: Counter[str] = Counter()
    for packed in shards:
        for host, one in unpack(packed, part):
            learned[host] += 1
            if learned[host] <= MOST_PAGES:
                sites[host] = sites.get(host, Counts.none()).plus(one)
    for host in sorted(sites):
        if sites[host].pages.sum() > 1:
            yield host, stored.pack(stored.Stored(sites[host], {}, 0))


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

    def __init__(self, folder: Folder, count: int, options: Options) -> None:
        self._folder, self._count, self._options = folder, count, options
        self._archive = lru_cache(4)(self._opened)
        self._model = lru_cache(_AT_HAND)(self._read)

    def extract(self, batch: list[Source]) -> list[Result | TamisError]:
        """The pages, each by the model of its site if there is one."""
        return [self._extract(source) for source in batch]

    def _extract(self, source: Source) -> Result | TamisError:
        try:
            assert isinstance(source.page, bytes)
            page = parse(source.page, self._options, content_type=source.content_type)
            site = self._model(site_of(page, source.url))
            if site is None:
                return extract(page, source.url, self._options)
            return site.extract(page, source.url)
        except TamisError as error:
            return error

    def _opened(self, part: int) -> zipfile.ZipFile:
        content = self._folder.read(archive_name(part)) or b""
        return zipfile.ZipFile(io.BytesIO(content))

    def _read(self, host: str) -> Site | None:
        """The model of a site, None if there is none or the page does not tell its site."""
        try:
            packed = self._archive(part_of(host, self._count)).read(host)
        except KeyError:
            return None
        return Site.unpack(packed, host, self._options)


def archive_name(part: int) -> str:
    """Where the models of a part are in the output folder."""
    return f"sites/{part:05}.zip"
