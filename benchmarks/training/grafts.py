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


def with_feed(
    page: Page, content: Indexes, texts: Sequence[str], headings: Sequence[str], random: Random
) -> bytes:
    """The source of the page with a feed below its content: `headings` and the begin of `texts`."""
    return _graft(
        "feeds", page, content, [_shorten(text, random) for text in texts], headings, random
    )


def with_stories(
    page: Page, content: Indexes, stories: Sequence[tuple[str, Sequence[str]]], random: Random
) -> bytes:
    """The source of the page with whole further stories below its own: headline, paragraphs.

    Half of them are in the element of the page's own story, as endless scrolling adds them.
    """
    markup = random.choice(_DATA["stories"]["markup"])
    node = _find_holder(page, content)
    tag = page.source[int(page.nodes.start[node]) :][:2000]
    begin = _TAG.match(tag)
    own = begin is not None and random.random() < 0.5
    added = []
    for number, (headline, paragraphs) in enumerate(stories):
        story = markup["item"].format(
            id=number + 4000,
            name=_escape(headline),
            date=random.choice(_DATA["dates"]),
            text="".join(f"<p>{_escape(text)}</p>" for text in paragraphs),
        )
        if own and begin is not None:
            name = page.tag_name(node)
            story = f"{begin[0].decode('utf-8', 'replace')}{story}</{name}>"
        added.append(story)
    graft = markup["list"].format(all="".join(added))
    place = int(page.nodes.close[node]) if not own else _find_close_tag(page, node)
    return _insert(page, place, graft)


def with_consent(page: Page, language: str, random: Random) -> bytes:
    """The source of the page with a consent text at the begin or at the end of its body."""
    languages = _DATA["consent"]["languages"]
    title, *sentences = languages.get(language, languages["en"])
    long = random.choice((3, 6, 12, 40, 80))
    chosen = [random.choice(sentences) for _ in range(long)]
    size = random.choice((1, 2, 4))
    text = "".join(
        f"<p>{_escape(' '.join(chosen[first : first + size]))}</p>"
        for first in range(0, long, size)
    )
    graft = random.choice(_DATA["consent"]["markup"]).format(title=_escape(title), text=text)
    bodies = [node for node in range(len(page.nodes)) if page.tag_name(node) == "body"]
    if not bodies:
        return page.source
    node = bodies[0]
    if random.random() < 0.5:
        start = int(page.nodes.start[node])
        return _insert(page, page.source.find(b">", start) + 1 or start, graft)
    return _insert(page, int(page.nodes.close[node]), graft)


def with_lines(
    page: Page, content: Indexes, language: str, tags: Sequence[str], random: Random
) -> bytes:
    """The source of the page with short lines around its content: to share, sources, keywords."""
    lines = _DATA["lines"].get(language, _DATA["lines"]["en"])

    def write_lines() -> str:
        wrapper, line = random.choice(_LINES)
        chosen = random.sample(lines, min(len(lines), random.choice((1, 2, 3, 5))))
        written = (
            text.format(
                tag=random.choice(tags),
                name=random.choice(_DATA["names"]),
                date=random.choice(_DATA["dates"]),
                n=random.randrange(200),
            )
            for text in chosen
        )
        return wrapper.format("".join(line.format(_escape(text)) for text in written))

    first, last = (int(page.blocks.node[block]) for block in (content[0], content[-1]))
    end = _insert(page, _find_close_tag(page, last), write_lines())
    if random.random() < 0.5:
        return end
    place = int(page.nodes.start[first])
    return end[:place] + write_lines().encode() + end[place:]


_LINES = (
    ("<p>{}</p>", "{} "),
    ("<div class='share'>{}</div>", "<a href='#'>{}</a> "),
    ("<ul class='tools'>{}</ul>", "<li><a href='#'>{}</a></li>"),
    ("{}", "<p>{}</p>"),
    ("<div>{}</div>", "<span>{}</span> "),
    ("<div class='post-meta'>{}</div>", "<div>{}</div>"),
)


def _shorten(text: str, random: Random) -> str:
    """The begin of a text as a teaser has it."""
    words = text.split(" ")
    most = random.choice((12, 20, 30, 45))
    # A script without spaces has few words.
    short = " ".join(words[:most]) if len(words) > 3 else text[: 2 * most]
    return short + random.choice(("…", "...", " […]", "", "")) if short != text else short


def _find_holder(page: Page, content: Indexes) -> int:
    """The lowest element around the first and the last block of the content."""
    first, last = (int(page.blocks.node[block]) for block in (content[0], content[-1]))
    node = first
    while page.nodes.last[node] < last and page.nodes.parent[node] >= 0:
        node = int(page.nodes.parent[node])
    return node


def _find_close_tag(page: Page, node: int) -> int:
    """Where an element ends, its end tag included."""
    close = int(page.nodes.close[node])
    if page.source[close : close + 2] == b"</":
        return page.source.find(b">", close) + 1 or close
    return close


def _insert(page: Page, place: int, graft: str) -> bytes:
    return page.source[:place] + graft.encode("utf-8", "replace") + page.source[place:]


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
                more=random.choice(_DATA["feeds"]["more"]),
            )
        )
    title = random.choice(_DATA[kind]["titles"]).format(n=len(items))
    graft: str = markup["list"].format(title=title, all="".join(items))
    return _insert(page, _find_end_below(page, int(content[-1]), random), graft)


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
