"""Labels of a project in the formats of data sets, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tamis.errors import DatasetError
from tamis.evaluate import block_labels, exchange
from tamis.evaluate.block_labels import LabelledSource
from tamis.evaluate.datasets import KINDS, BlockLabel, Example
from tamis.flow import extract_visible
from tamis.options import Options
from tamis.page.read import parse
from tamis.project import labels, pages, renewal
from tamis.project.database import Database
from tamis.project.pages import StoredPage
from tamis.project.reading import ReadPage, as_sent, of_result

FORMATS = {"jsonl": "tamis", "label-studio": "label-studio", "web-main-bench": "webmainbench"}
"""The formats, and what they are called elsewhere."""
FRAMES = {
    "jsonl": (b"", b"", b""),
    "label-studio": (b"[\n", b",\n", b"]\n"),
    "web-main-bench": (b"", b"", b""),
}
"""What a file of a format begins with, what stands between two pages, what it ends with."""


def labelled_pages(database: Database, *, all_labels: bool = False) -> list[int]:
    """The numbers of the pages that are done, or of all that have labels.

    A page whose newer version is done, too, is left out.
    """
    wanted = (
        "EXISTS (SELECT 1 FROM labels WHERE page = id AND kind IS NOT NULL)"
        if all_labels
        else "state = 'done' AND NOT EXISTS"
        " (SELECT 1 FROM pages newer WHERE newer.replaces = pages.id AND newer.state = 'done')"
    )
    with database.reading() as connection:
        rows = connection.execute(f"SELECT id FROM pages WHERE {wanted} ORDER BY id").fetchall()
    return [row["id"] for row in rows]


def names_of(database: Database, numbers: list[int]) -> dict[int, str]:
    """A name for each page that no other has."""
    with database.reading() as connection:
        names = dict(connection.execute("SELECT id, name FROM pages").fetchall())
    counts = Counter(names[number] for number in numbers)
    return {
        number: names[number] if counts[names[number]] == 1 else f"{names[number]} ({number})"
        for number in numbers
    }


def example_of(page: StoredPage, name: str, project: str) -> Example:
    """A page with its labels as an entry of a data set."""
    blocks = tuple(
        BlockLabel(kind=kind, start=int(start), end=int(end))
        for block, kind in page.labels.items()
        for start, end in (page.offsets[int(block)],)
    )
    html = page.source.decode()
    return Example(id=name, dataset=project, html=html, url=page.url, site=page.site, blocks=blocks)


def examples(database: Database) -> Iterator[Example]:
    """The pages to learn from, one by one."""
    numbers = labelled_pages(database)
    for number, name in names_of(database, numbers).items():
        yield example_of(pages.get_page(database, number), name, database.name)


def export_page(example: Example, to: str) -> bytes:
    """A page in one of `FORMATS`: a JSON object, without what stands between two."""
    page = parse(as_sent(_utf8(example.html)))
    kinds, missing = block_labels.paint_blocks(page, example.blocks)
    source = LabelledSource(example, page, kinds, len(missing))
    pieces = exchange.FORMATS[FORMATS[to]]([source])
    return next(piece for piece in pieces if piece.startswith(b"{")).rstrip() + b"\n"


@dataclass(frozen=True, eq=False)
class Imported:
    """A page of a data set as a project keeps it."""

    name: str
    url: str | None
    site: str | None
    page: ReadPage
    kinds: dict[int, str | None]
    """Of the blocks that are labelled."""


def import_page(example: Example, options: Options) -> Imported:
    """A page of a data set as a project keeps it, with the labels of its blocks."""
    if not example.blocks and example.text is None:
        raise DatasetError("neither 'blocks' nor 'text' says what the page is about; give one")
    known = block_labels.label_blocks(example)
    html = known.page.source.decode("utf-8", "replace")
    page = parse(as_sent(html.encode()), options)
    if page.source != known.page.source:  # offsets count bytes, and some were not valid
        known = block_labels.label_blocks(replace(example, html=html))
    kinds: dict[int, str | None] = {
        block: KINDS[known.kinds[block]]
        for block in np.flatnonzero(known.kinds != block_labels.UNLABELLED).tolist()
    }
    read = of_result(extract_visible(page, example.url, options))
    return Imported(example.id, example.url, example.site, read, kinds)


def add(database: Database, entry: Imported, by: str, now: float) -> int:
    """Add a labelled page, or the labels to the page that is there; its number.

    It is done, but where somebody gave other labels: then a `LabelConflictError` is raised.
    """
    is_new, number = pages.add(database, entry.page, entry.name, entry.url, entry.site)
    if not is_new and renewal.is_old(database, number):
        renewal.renew(database, number, entry.page)
    change = labels.Change(0, entry.page.hash, by, entry.kinds, "done")
    labels.save(database, number, change, now, entry.page.proposal)
    return number


def _utf8(html: str | bytes) -> bytes:
    return html.encode("utf-8", "replace") if isinstance(html, str) else html
