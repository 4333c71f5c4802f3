"""Labels of WebMainBench: elements that are marked in the page itself, with `cc-select="true"`.

The mark and what the annotation tool leaves beside it must not stay in a page that somebody learns
from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tamis.errors import DatasetError
from tamis.evaluate import block_labels
from tamis.evaluate.block_labels import LabelledSource
from tamis.evaluate.datasets import (
    KINDS,
    BlockLabel,
    Example,
    get_optional,
    get_required,
)
from tamis.page.read import parse
from tamis.page.table import Page

_TAG = re.compile(rb"<[A-Za-z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_SELECTED = re.compile(rb"""\scc-select\s*=\s*["']?true["']?""", re.IGNORECASE)
_TRACES = re.compile(
    rb"""\s(?:cc-select|data-anno-uid|_item_id)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)""", re.IGNORECASE
)
_SELECTED_CLASS = re.compile(rb"""(\sclass\s*=\s*["'][^"']*?)\s*\bmark-selected\b""", re.IGNORECASE)


def read_row(row: dict[str, Any], dataset: str) -> Example:
    """A line of WebMainBench: `html` with marked elements, without what the marking left in it."""
    source = get_required(row, "html").encode("utf-8", "replace")
    clean, marked, length, done = [], [], 0, 0
    for match in _TAG.finditer(source):
        tag = match[0]
        own = _SELECTED_CLASS.sub(rb"\1", _TRACES.sub(b"", tag))
        if own == tag:
            continue
        clean += [source[done : match.start()], own]
        if _SELECTED.search(tag):
            marked.append(length + match.start() - done)
        length += match.start() - done + len(own)
        done = match.end()
    html_text = b"".join((*clean, source[done:])).decode()
    page = parse(html_text)
    nodes = np.flatnonzero(np.isin(page.nodes.start, marked) & ~_imply_tags(page))
    if not len(nodes):
        raise DatasetError('no element has cc-select="true"; this page is not labelled')
    selected = [BlockLabel(kind="main", xpath=page.xpath(int(node))) for node in nodes]
    kinds, _ = block_labels.paint_blocks(page, selected)
    meta = row.get("meta")
    return Example(
        id=get_required(row, "track_id", (str, int)),
        dataset=dataset,
        html=html_text,
        url=get_optional(row, "url"),
        text=block_labels.text_of(page, kinds),
        lang=get_optional(meta, "language") if isinstance(meta, dict) else None,
        blocks=block_labels.labels_of(page, kinds),
    )


def _imply_tags(page: Page) -> Any:
    source = np.frombuffer(page.source + b"\0", np.uint8)
    return source[np.minimum(page.nodes.start, len(page.source))] != ord("<")


def rows(pages: Iterable[LabelledSource]) -> Iterator[bytes]:
    """Lines of WebMainBench with the main content marked."""
    for source in pages:
        example = source.example
        row = {
            "track_id": example.id,
            "url": example.url,
            "html": _with_marks(source),
            "convert_main_content": block_labels.text_of(source.page, source.kinds),
            "meta": {"language": example.lang},
        }
        yield (json.dumps(row) + "\n").encode()


def _with_marks(source: LabelledSource) -> str:
    """The page with a mark on the highest elements that hold main content alone.

    Text beside other text in one element gets an element of its own.
    """
    page = source.page
    nodes, texts = page.nodes, page.texts
    main = np.isin(texts.block, np.flatnonzero(source.kinds == KINDS.index("main")))
    sums = np.concatenate(([0], np.cumsum(main)))
    inside = sums[nodes.end_text] - sums[nodes.first_text]
    whole = (inside > 0) & (inside == nodes.end_text - nodes.first_text) & ~_imply_tags(page)
    places: list[tuple[int, bytes]] = []
    covered = np.zeros(len(texts), bool)
    for node in np.flatnonzero(whole).tolist():
        run = int(nodes.first_text[node])
        if not covered[run]:
            covered[run : int(nodes.end_text[node])] = True
            name = page.tag_name(node).encode()
            places.append((int(nodes.start[node]) + 1 + len(name), b' cc-select="true"'))
    for run in np.flatnonzero(main & ~covered).tolist():
        places.append((int(texts.start[run]), b'<span cc-select="true">'))
        places.append((int(texts.end[run]), b"</span>"))
    pieces, done = [], 0
    for place, inserted in sorted(places):
        pieces += [page.source[done:place], inserted]
        done = place
    return b"".join((*pieces, page.source[done:])).decode("utf-8", "replace")
