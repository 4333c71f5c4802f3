"""Training pages made over: with more around the content, or without the names of elements.

The training sets are today's pages. Older ones, blogs above all, have the readers' comments in the
source, often more words than the article, where today a script loads them; they have teasers in
tables, and neither HTML 5 elements nor class names with a meaning. So a page of a training set may
get comments or teasers below its content, in the markup of common systems and with text of other
pages of the sets, or lose the names of its elements. Its gold stays what it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tamis.page.arrays import Indexes
from tamis.page.table import Page

# `titles` and `markup` of comments and of teasers, and `names` and `dates` for both. In the markup,
# a `list` has {title} and {all} its items; an `item` has {id}, {name}, {date}, {text}, and {even}
# for the class names of even and odd items.
_DATA = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

_TAG = re.compile(rb"<[a-z][^>]*>", re.IGNORECASE)
_NAMES_OF_ELEMENTS = re.compile(
    rb"""\s*(?<![\w-])(?:class|id|role|itemprop)\s*=\s*("[^"]*"|'[^']*'|[^\s>"']+)""", re.IGNORECASE
)
_NEW_ELEMENTS = re.compile(
    rb"(</?)(?:main|article|section|nav|header|footer|aside|figure|figcaption)(?=[\s>/])",
    re.IGNORECASE,
)


def with_comments(page: Page, content: Indexes, texts: Sequence[str], random: Random) -> bytes:
    """The source of the page with comments below its `content`, some block numbers in order.

    A comment is one or two of `texts`, paragraphs of other pages.
    """
    return _graft("comments", page, content, texts, _DATA["names"], random)


def with_teasers(
    page: Page, content: Indexes, texts: Sequence[str], headings: Sequence[str], random: Random
) -> bytes:
    """The source of the page with teasers below its `content`: `headings` of other pages."""
    return _graft("teasers", page, content, texts, headings, random)


def strip_names(source: bytes) -> bytes:
    """A page without class names, ids and roles, and with plain elements for those of HTML 5."""
    nameless = _TAG.sub(lambda tag: _NAMES_OF_ELEMENTS.sub(b"", tag[0]), source)
    return _NEW_ELEMENTS.sub(rb"\1div", nameless)


def _graft(
    kind: str,
    page: Page,
    content: Indexes,
    texts: Sequence[str],
    names: Sequence[str],
    random: Random,
) -> bytes:
    markup = random.choice(_DATA[kind]["markup"])
    items = []
    for number in range(1, random.choice((2, 4, 8, 15, 30, 60)) + 1):
        paragraphs = random.choices(texts, k=random.choice((1, 1, 2)))
        items.append(
            markup["item"].format(
                id=number + 4000,
                name=_escape(random.choice(names)),
                date=random.choice(_DATA["dates"]),
                text="".join(f"<p>{_escape(text)}</p>" for text in paragraphs),
                even="even" if number % 2 else "odd alt",  # WordPress counts from 0
            )
        )
    title = random.choice(_DATA[kind]["titles"]).format(n=len(items))
    graft: str = markup["list"].format(title=title, all="".join(items))
    place = _find_end_below(page, int(content[-1]), random)
    return page.source[:place] + graft.encode("utf-8", "replace") + page.source[place:]


def _find_end_below(page: Page, block: int, random: Random) -> int:
    """Where in the source the second to fourth element around a block ends."""
    node = int(page.blocks.node[block])
    for _ in range(random.choice((1, 2, 3))):
        parent = int(page.nodes.parent[node])
        if page.tag_name(parent) in ("body", "html"):
            break
        node = parent
    return int(page.nodes.close[node])


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
