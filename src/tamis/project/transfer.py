"""Pages and labels into a project and out: from HTML, and in the formats of data sets."""

from __future__ import annotations

import hashlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tamis.errors import DatasetError
from tamis.flow import extract_visible, parse
from tamis.labels import blocks as block_labels
from tamis.labels import formats as exchange
from tamis.labels.blocks import LabelledSource, propose_kind
from tamis.labels.datasets import KINDS, BlockLabel, Example
from tamis.options import Options
from tamis.page import tags
from tamis.project import labels, pages
from tamis.project.database import PRINT, Database, ReadPage, Vector
from tamis.project.pages import StoredPage
from tamis.result import Result

NEAR = 0.15
"""Scores as near to the cut as that are close decisions."""

# Places of a page's vector for the names of its elements and classes.
_NAMES = 24
_LONGEST_TITLE = 300

FORMATS = {"jsonl": "tamis", "label-studio": "label-studio", "web-main-bench": "webmainbench"}
"""The formats, and what they are called elsewhere."""
FRAMES = dict.fromkeys(FORMATS, (b"", b"", b"")) | {"label-studio": (b"[\n", b",\n", b"]\n")}
"""What a file of a format begins with, what stands between two pages, what it ends with."""


# Pages


def as_sent(source: bytes) -> bytes:
    """Mark a stored source as UTF-8, so that it is read as the same page."""
    return BOM_UTF8 + source


def read_page(html: bytes, url: str | None, content_type: str | None, options: Options) -> ReadPage:
    """Read a page with the method of the options; a `TamisError` if it is not a page."""
    page = parse(html, content_type=content_type, options=options)
    valid = page.source.decode("utf-8", "replace").encode()
    if valid != page.source:
        page = parse(as_sent(valid), options=options)
    return read_result(extract_visible(page, url, options))


def read_result(result: Result) -> ReadPage:
    page = result.page
    texts, blocks = page.texts, page.blocks
    starts = texts.start[blocks.first_text]
    ends = texts.end[blocks.end_text - 1]
    words = page.block_texts(np.arange(len(blocks)))
    cut = min(result.decision.cut, 1.0)
    return ReadPage(
        source=page.source,
        hash=hashlib.sha256(page.source).hexdigest(),
        title=result.metadata.title[:_LONGEST_TITLE],
        offsets=np.stack((starts, ends), axis=1).astype(np.int64),
        prints=b"".join(_hash_text(" ".join(text.split()), PRINT) for text in words),
        proposal=tuple(
            propose_kind(kind, kept)
            for kind, kept in zip(result.regions.tolist(), result.kept.tolist(), strict=True)
        ),
        close=int((np.abs(result.scores - cut) <= NEAR).sum()),
        vector=_describe_looks(result),
    )


def _hash_text(text: str, size: int) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=size).digest()


def _describe_looks(result: Result) -> Vector:
    """Describe a page by shares and sizes, and by the names of its elements and classes."""
    page = result.page
    blocks = page.blocks
    words = max(float(blocks.words.sum()), 1.0)

    def find_share(chosen: npt.NDArray[np.bool_]) -> float:
        return float(blocks.words[chosen].sum()) / words

    shape = [
        np.log1p(len(blocks)) / 8,
        np.log1p(words) / 10,
        find_share(result.kept),
        float(blocks.link_words.sum()) / words,
        find_share(blocks.flags & tags.IN_HEADING != 0),
        find_share(blocks.flags & tags.HIDDEN != 0),
        *(find_share(result.regions == kind) for kind in ("navigation", "comments", "promotion")),
    ]
    names = np.zeros(_NAMES)
    for node in np.unique(blocks.node).tolist():
        own = f"{page.tag_name(node)} {page.attribute(node, 'class') or ''}".split()[:4]
        for name in own:
            names[_hash_text(name, 1)[0] % _NAMES] += 1
    names /= max(float(np.linalg.norm(names)), 1.0)
    return np.array([*shape, *names], np.float32)


# Labels


def list_labelled(database: Database, all_labels: bool = False) -> list[int]:
    """List the pages that are done and that no done page replaces, or all that have labels."""
    wanted = (
        "EXISTS (SELECT 1 FROM labels WHERE page = id AND kind IS NOT NULL)"
        if all_labels
        else "state = 'done' AND NOT EXISTS"
        " (SELECT 1 FROM pages newer WHERE newer.replaces = pages.id AND newer.state = 'done')"
    )
    rows = database.fetch_all(f"SELECT id FROM pages WHERE {wanted} ORDER BY id")
    return [row["id"] for row in rows]


def name_pages(database: Database, numbers: list[int]) -> dict[int, str]:
    """Give each page a name that no other has."""
    names = dict(map(tuple, database.fetch_all("SELECT id, name FROM pages")))
    counts = Counter(names[number] for number in numbers)
    return {
        number: names[number] if counts[names[number]] == 1 else f"{names[number]} ({number})"
        for number in numbers
    }


def make_example(page: StoredPage, name: str, project: str) -> Example:
    blocks = tuple(
        BlockLabel(kind=kind, start=int(start), end=int(end))
        for block, kind in page.labels.items()
        for start, end in (page.offsets[int(block)],)
    )
    html = page.source.decode()
    return Example(id=name, dataset=project, html=html, url=page.url, site=page.site, blocks=blocks)


def read_examples(database: Database) -> Iterator[Example]:
    numbers = list_labelled(database)
    for number, name in name_pages(database, numbers).items():
        yield make_example(pages.get_page(database, number), name, database.name)


def export_page(example: Example, to: str) -> bytes:
    """Write a page in one of `FORMATS`: a JSON object, without what stands between two."""
    html = example.html
    page = parse(as_sent(html.encode("utf-8", "replace") if isinstance(html, str) else html))
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
    if not example.blocks and example.text is None:
        raise DatasetError("neither 'blocks' nor 'text' says what the page is about; give one")
    known = block_labels.label_blocks(example)
    html = known.page.source.decode("utf-8", "replace")
    page = parse(as_sent(html.encode()), options=options)
    if page.source != known.page.source:  # offsets count bytes, and some were not valid
        known = block_labels.label_blocks(replace(example, html=html))
    kinds: dict[int, str | None] = {
        block: KINDS[known.kinds[block]]
        for block in np.flatnonzero(known.kinds != block_labels.UNLABELLED).tolist()
    }
    read = read_result(extract_visible(page, example.url, options))
    return Imported(example.id, example.url, example.site, read, kinds)


def add_imported(database: Database, entry: Imported, by: str, now: float) -> int:
    """Add a labelled page, or add the labels to the page that is there; return its number.

    The page is then done. A `LabelConflictError` is raised if somebody gave other labels.
    """
    is_new, number = pages.add_page(database, entry.page, entry.name, entry.url, entry.site)
    if not is_new and labels.is_old(database, number):
        labels.renew_page(database, number, entry.page)
    change = labels.Change(0, entry.page.hash, by, entry.kinds, "done")
    labels.save_labels(database, number, change, now, entry.page.proposal)
    return number
