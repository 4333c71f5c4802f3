"""Labels of advertisements among the kept blocks, which a rule drops.

A label such as "Advertisement" or "– Anzeige –" looks like a short paragraph of the story, and the
model keeps some. A block is dropped if all its words are a label of `advertisement_labels.tsv`,
alone or with a phrase such as "continue reading". The same words are content in a heading, a list
item, a table cell, a definition, code or a link, before a colon, and on a page that has them in its
title; there a label is dropped only in a short element that is named as an ad slot is. If such a
name is on an element of the block alone, it is enough that the words begin with a label, as in
"Advertisement: 10% off". Of 8,600 pages 55 had 72 kept labels, 23 of them in the gold as well,
where selectors or annotators took all that stands in the story (`benchmarks/advertisements.py`).

The rule looks only at short blocks that were kept, by their first bytes, since it runs on every
page: about 17 µs on average.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags
from tamis.page.table import Page

# A label and a phrase that goes with it.
_MOST_WORDS = 10
# Elements around a label that are looked at; hostile pages nest thousands.
_DEEPEST = 8
# Words of an ad slot: the label, a headline, two lines, a button. And texts of any element that is
# looked at: more are not counted, since thousands of labels may be in one element.
_SLOT_WORDS = 25
_MOST_TEXTS = 100
# Letters of a title and of a class that are read: a hostile page has a million, and many labels.
_LONGEST = 500

# What stands around and between the words of a label. Other signs are words: "Ad #" is a field.
_DECORATION = (
    " \t\n\r\f\xa0\u200b-–—―‐‑_|/\\•·・●▼▽↓▾⬇.…,;:：!?؟*~=+<>«»‹›"
    "()[]{}（）［］【】「」〈〉《》\"'’‘“”"
)
# The same as bytes at the beginning of a text, as far as no letter of a label begins with one.
_SIGNS = "".join(sign for sign in _DECORATION if ord(sign) < 0x100).encode()
# And those that are more than a byte, but for quotes, with which many short lines begin.
_DASHES = "–—―‐‑•・●▼▽↓▾⬇‹（［【「〈《"
_REFERENCES = "&nbsp &ndash &mdash &minus &bull &#8 &#1 &#x".split()
_PLAIN = str.maketrans(_DECORATION, " " * len(_DECORATION), "\xad\u200c\u200d\u2060\ufeff")

# Elements in which the word alone is content, and those that are the page.
_CONTENT_FLAGS = tags.IN_PRE | tags.IN_LINK | tags.IN_CONTROL | tags.IN_HEADING
_CONTENT_TAGS = frozenset(
    tags.ID[name]
    for name in "li td th dt dd caption figcaption code kbd samp summary legend label".split()
)
_PAGE_TAGS = frozenset(tags.ID[name] for name in ("html", "body", "main", "article"))

_NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+(?:x[0-9]+)?")
_AD_WORDS = frozenset(
    "ad ads advert adverts advertisement advertisements advertising adsbygoogle adsense adslot"
    " adunit adbox adwrapper adcontainer adbanner adlabel adspace adholder googlead googleads dfp"
    " gpt werbung anzeige publicidad publicidade publicite pubblicita reklama reklame iklan".split()
)
_SLOT_NAMES = frozenset(
    "slot slots container wrapper wrap unit box block banner label text txt notice placeholder"
    " holder space area zone header head heading title google div small large inline in article"
    " story body content section side sidebar rail top bottom middle mid left right center desktop"
    " mobile tablet leaderboard mpu rectangle medium skyscraper sticky native frame outer inner row"
    " responsive lazy loaded display above below before after first second third size s".split()
)


def find_labels(page: Page, kept: Flags) -> Flags | None:
    """The kept blocks that are labels of advertisements, None if there are none.

    A page that is nothing but labels keeps them.
    """
    columns, texts, source = page.blocks, page.texts, page.source
    short = (kept & (columns.words <= _MOST_WORDS)).nonzero()[0]
    beginnings = _list_beginnings()
    starts = texts.start[columns.first_text[short]]
    labels = []
    for block, start in limits.check_each(zip(short.tolist(), starts.tolist(), strict=True)):
        begin = source[start : start + 16].lstrip(_SIGNS)[:5].lower()
        if (begin in beginnings or begin[:3] in beginnings) and _is_label_block(page, block):
            labels.append(block)
    if not labels:
        return None
    found = np.zeros(len(kept), bool)
    found[labels] = True
    return found if columns.words[kept & ~found].any() else None


def _is_label_block(page: Page, block: int) -> bool:
    text = page.block_text(block)
    words = plain_words(text)
    labels = count_label_words(words)
    if not labels or _read_flags(page, block) & tags.IN_PRE:
        return False
    if labels == len(words):
        return not _is_content(page, block, text, words) or _is_in_slot(page, block, _SLOT_WORDS)
    return not _read_flags(page, block) & tags.IN_HEADING and _is_in_slot(page, block, len(words))


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a text without what decorates a label.

    >>> plain_words("– ADVERTISEMENT: story continues below –")
    ('advertisement', 'story', 'continues', 'below')
    """
    return tuple(text.translate(_PLAIN).casefold().split())


def count_label_words(words: tuple[str, ...]) -> int:
    """How many words at the beginning are labels of advertisements and phrases that go with them.

    0 if no label is among them.
    """
    phrases, longest = _read_phrases()
    end, labelled = 0, False
    while end < len(words):
        for length in range(min(longest.get(words[end], 0), len(words) - end), 0, -1):
            says = phrases.get(words[end : end + length])
            if says is not None:
                labelled |= says
                end += length
                break
        else:
            break
    return end if labelled else 0


@cache
def _read_phrases() -> tuple[dict[tuple[str, ...], bool], dict[str, int]]:
    """Whether each phrase is a label of its own; and by first word the length of the longest."""
    phrases: dict[tuple[str, ...], bool] = {}
    rows = Path(__file__).with_name("advertisement_labels.tsv").read_text("utf-8").splitlines()
    for row in rows:
        for is_label, listed in zip((True, False), row.split("\t")[1:], strict=False):
            for phrase in map(plain_words, listed.split(", ")):
                phrases[phrase] = is_label or phrases.get(phrase, False)
    longest: dict[str, int] = {}
    for phrase in phrases:
        longest[phrase[0]] = max(longest.get(phrase[0], 0), len(phrase))
    return phrases, longest


@cache
def _list_beginnings() -> frozenset[bytes]:
    """How labels begin in the source, after `_SIGNS`, ASCII in lower case: five bytes or three."""
    after = [chr(code) for code in range(128) if not chr(code).isalnum()]
    begun = set()
    for phrase in map(" ".join, _read_phrases()[0]):
        for spelled in {phrase, phrase.upper(), phrase.title()}:
            if len(first := spelled.encode().lower()[:5]) == 5:
                begun.add(first)
            else:
                begun.update((spelled + sign).encode().lower()[:3] for sign in after)
    begun.update(text.encode()[:3] for text in (*_DASHES, *_REFERENCES))
    return frozenset(begun)


def _read_flags(page: Page, block: int) -> int:
    """What holds for the first text of a block or for the element around it."""
    first_text = page.texts.flags[page.blocks.first_text[block]]
    return int(first_text) | int(page.nodes.flags[page.blocks.node[block]])


def _is_content(page: Page, block: int, text: str, words: tuple[str, ...]) -> bool:
    """Whether a label is what the page says, by where it stands."""
    return (
        _read_flags(page, block) & _CONTENT_FLAGS != 0
        or text.rstrip().endswith((":", "："))
        or any(
            int(page.nodes.tag[node]) in _CONTENT_TAGS
            for node in _find_elements_around(page, block, len(words))
        )
        or _is_in_title(page, words, bool(page.blocks.unspaced[block]))
    )


def _is_in_title(page: Page, words: tuple[str, ...], unspaced: bool) -> bool:
    label, title = " ".join(words), " ".join(plain_words(page.title[:_LONGEST]))
    return label in title if unspaced else f" {label} " in f" {title} "


def _is_in_slot(page: Page, block: int, most_words: int) -> bool:
    """Whether an element around a block, of so many words at most, is named as an ad slot is."""
    return any(
        _names_a_slot(value)
        for node in _find_elements_around(page, block, most_words)
        for name in ("class", "id")
        if (value := (page.attribute(node, name) or "")[:_LONGEST])
    )


def _find_elements_around(page: Page, block: int, most_words: int) -> Iterator[int]:
    """The elements around the beginning of a block that have so many words at most."""
    nodes = page.nodes
    node = int(page.texts.node[page.blocks.first_text[block]])
    for _ in range(_DEEPEST):
        if node < 0 or int(nodes.tag[node]) in _PAGE_TAGS:
            return
        first, end = int(nodes.first_text[node]), int(nodes.end_text[node])
        if end - first > _MOST_TEXTS or page.texts.words[first:end].sum() > most_words:
            return
        yield node
        node = int(nodes.parent[node])


@lru_cache(maxsize=1024)
def _names_a_slot(value: str) -> bool:
    """Whether one of the names in a value is that of an ad slot."""
    return any(map(is_slot_name, value.split()))


def is_slot_name(name: str) -> bool:
    """Whether a name is that of an ad slot.

    >>> [name for name in ("ad-slot", "adTop", "header", "add-on", "ad-hoc", "has-ads")
    ...  if is_slot_name(name)]
    ['ad-slot', 'adTop']
    """
    if name.startswith(("div-gpt-ad", "google_ads_iframe")):
        return True
    parts = [part.lower() for part in _NAME_PART.findall(name)]
    return not _AD_WORDS.isdisjoint(parts) and all(
        part in _AD_WORDS or part in _SLOT_NAMES or part[0].isdigit() for part in parts
    )
