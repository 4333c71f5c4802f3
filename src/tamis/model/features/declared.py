"""What a page declares about itself: title, description, structured data (JSON-LD), kind."""

from __future__ import annotations

from typing import NamedTuple

from tamis.model.features.words import HashSets, pairs_of, words_of
from tamis.page.attributes import value_of
from tamis.page.declared import META, NAME, PROPERTY, SCRIPT, TYPE
from tamis.page.table import Page

# Bytes of the title, of descriptions and of structured data that are read.
MOST_BYTES = 1 << 18

_KIND = b"og:type"
_NAMES = (b"description", b"og:description", b"twitter:description", _KIND)
_DATA = b"application/ld+json"


class DeclaredWords(NamedTuple):
    """The words that a page declares about itself."""

    sets: HashSets
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
    title = words_of(page.title.encode("utf-8", "replace")[:MOST_BYTES])
    descriptions, raw, kind = _read(page)
    description = words_of(descriptions)
    data = words_of(raw, escaped=1)
    return DeclaredWords(
        sets=HashSets(title, pairs_of(description), pairs_of(data)),
        title_words=len(set(title.tolist())),
        description_words=len(description),
        data_words=len(data),
        is_article="article" in kind,
        has_article=b'Article"' in raw,
    )


def _read(page: Page) -> tuple[bytes, bytes, str]:
    """Descriptions, JSON-LD as the source has it, and the kind of page in lower case."""
    descriptions: list[bytes] = []
    data: list[bytes] = []
    kind = ""
    rows = page.declared.rows
    rows = rows[(rows[:, 1] == META) | (rows[:, 1] == SCRIPT)]
    before = -1
    for node, tag, name, start, end, content, content_end in rows.tolist():
        value = page.source[start:end].lower()
        if tag == META:
            if value in _NAMES and node != before and name in (NAME, PROPERTY):
                before = node  # a name and a property on one element are one
                text = value_of(page.source[content:content_end])
                if value == _KIND:
                    kind = text.lower()
                else:
                    descriptions.append(text.encode("utf-8", "replace"))
        elif name == TYPE and _DATA in value:
            # The rest of the start tag may hold another ">": a few words too many.
            close = int(page.nodes.close[node])
            begin = page.source.find(b">", end, close) + 1 or close
            data.append(page.source[begin : min(close, begin + MOST_BYTES)])
    return b" ".join(descriptions)[:MOST_BYTES], b" ".join(data)[:MOST_BYTES], kind
