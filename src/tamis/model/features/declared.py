"""What a page declares about itself: title, description, structured data (JSON-LD), kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tamis.model.features.words import DeclaredSets
from tamis.page import tags
from tamis.page.attributes import value_of

if TYPE_CHECKING:
    import cython

    from tamis.page.arrays import Ints
    from tamis.page.table import Page

COMPILED = not __file__.endswith(".py")

# Bytes of the title, of descriptions and of structured data that are read.
MOST_BYTES = 1 << 18

TITLE, META, SCRIPT = (tags.ID[_name] for _name in ("title", "meta", "script"))
NAME, PROPERTY, TYPE, CONTENT = (
    tags.ATTRIBUTE_ID[_name] for _name in ("name", "property", "type", "content")
)
FOREIGN = tags.FOREIGN

_KIND = b"og:type"
_NAMES = (b"description", b"og:description", b"twitter:description", _KIND)
_DATA = b"application/ld+json"
_START = b"<title>"

LONGEST_NAME = max(map(len, _NAMES))
IS_LENGTH = bytes(length in set(map(len, _NAMES)) for length in range(LONGEST_NAME + 1))
SHORTEST_TYPE, LONGEST_TYPE = len(_DATA), 200  # as in `tamis.page.declarations`


class DeclaredWords(NamedTuple):
    """The words that a page declares about itself."""

    sets: DeclaredSets
    """Three sets: the words of the title; pairs of neighbouring words of the descriptions; pairs
    of neighbouring words of the JSON-LD, its keys too."""
    title_words: int
    """Distinct words of the title."""
    description_words: int
    """Words of the descriptions, repeated ones too."""
    data_words: int
    """Words of the JSON-LD."""
    is_article: bool
    """`og:type` says so."""
    has_article: bool
    """The JSON-LD has a `NewsArticle` or another kind of article."""


def declared(page: Page) -> DeclaredWords:
    """What a page declares about itself."""
    nodes = page.nodes
    title, found = declaring(nodes.tag, nodes.flags, nodes.attributes, page.attribute_rows)
    descriptions, data, kind = _read(page, found)
    sets = DeclaredSets(_title(page, title) if title >= 0 else b"", descriptions, data)
    return DeclaredWords(
        sets, *sets.counts, is_article="article" in kind, has_article=b'Article"' in data
    )


def declaring(
    tag: Ints, flags: Ints, first_row: Ints, rows: Ints
) -> tuple[int, list[tuple[int, int, int, int, int, int]]]:
    """The first title of the page or -1, and the attributes that may declare something.

    Each is a name or property of a meta element, or a type of a script: node, tag, start and end of
    its value, start and end of the `content` beside it, 0 if there is none.
    """
    nodes: cython.Py_ssize_t = tag.shape[0]
    node: cython.Py_ssize_t
    row: cython.Py_ssize_t
    beside: cython.Py_ssize_t
    end_row: cython.Py_ssize_t
    start: cython.int
    end: cython.int
    title: cython.Py_ssize_t = -1
    found = []
    for node in range(nodes):
        if tag[node] == TITLE and title < 0 and not flags[node] & FOREIGN:
            title = node
        if tag[node] != META and tag[node] != SCRIPT:
            continue
        end_row = first_row[node + 1] if node + 1 < nodes else rows.shape[1]
        for row in range(first_row[node], end_row):
            start = rows[1, row]
            end = rows[2, row]
            if tag[node] == SCRIPT:
                if rows[0, row] == TYPE and SHORTEST_TYPE <= end - start <= LONGEST_TYPE:
                    found.append((node, SCRIPT, start, end, 0, 0))
                continue
            if rows[0, row] not in (NAME, PROPERTY):
                continue
            if end - start <= LONGEST_NAME and IS_LENGTH[end - start]:
                beside = first_row[node]
                while beside < end_row and rows[0, beside] != CONTENT:
                    beside += 1
                if beside < end_row:
                    found.append((node, META, start, end, rows[1, beside], rows[2, beside]))
                else:
                    found.append((node, META, start, end, 0, 0))
    return title, found


def _title(page: Page, node: int) -> bytes:
    """The title, white space as it is where that does not matter for its words."""
    start = int(page.nodes.start[node])
    begin = start + len(_START)
    raw = page.source[begin : int(page.nodes.close[node])]
    if page.source[start:begin].lower() == _START and len(raw) < MOST_BYTES and _is_plain(raw):
        return raw
    return page.title.encode("utf-8", "replace")[:MOST_BYTES]


def _is_plain(raw: bytes) -> bool:
    """Whether a text is what stands in the source."""
    return raw.isascii() and b"&" not in raw and b"\0" not in raw


def _read(page: Page, found: list[tuple[int, int, int, int, int, int]]) -> tuple[bytes, bytes, str]:
    """Descriptions, JSON-LD as the source has it, and the kind of page in lower case."""
    source = page.source
    descriptions: list[bytes] = []
    data: list[bytes] = []
    kind = ""
    before = -1
    for node, tag, start, end, content, content_end in found:
        value = source[start:end].lower()
        if tag == SCRIPT:
            if _DATA in value:
                # The rest of the start tag may hold another ">": a few words too many.
                close = int(page.nodes.close[node])
                begin = source.find(b">", end, close) + 1 or close
                data.append(source[begin : min(close, begin + MOST_BYTES)])
        elif value in _NAMES and node != before:
            before = node  # a name and a property on one element are one
            raw = source[content:content_end]
            if value == _KIND:
                kind = value_of(raw).lower()
            else:
                descriptions.append(
                    raw if _is_plain(raw) else value_of(raw).encode("utf-8", "replace")
                )
    return b" ".join(descriptions)[:MOST_BYTES], b" ".join(data)[:MOST_BYTES], kind
