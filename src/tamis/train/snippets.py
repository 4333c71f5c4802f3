"""Labels of pages of which only snippets are known: what must be there, what must not.

A page whose set says both is labelled by itself. A set that only says what must be there (the
ingredients of a recipe, the values of a record) leaves open what must not; the other pages of the
site show that: what they have in common is the template, but for the labels beside the values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from tamis.evaluate.datasets import Example
from tamis.evaluate.measures import flat
from tamis.methods._base import Flags, Floats
from tamis.page import tags
from tamis.page.table import Page
from tamis.train.documents import LabelledPage

# Places that a value may have: a page repeats its title, but not often.
_PLACES = 3
# Share of a block that a value is where it is the block's point.
_OWN_SHARE = 1 / 3
# Blocks of an element that are beside each other: of a row or a short list, not of the whole page.
_MOST_BESIDE = 8
# Words of a label: "Number of pages:".
_LABEL = 4
# Share of a block in links from which on it is a menu.
_MENU = 0.8
_NEVER_CONTENT = tags.IN_NAVIGATION | tags.IN_FOOTER | tags.IN_SEARCH | tags.IN_DIALOG


def labels(page: Page, example: Example) -> Floats:
    """1 for blocks with a snippet that must be there, 0 for those with one that must not.

    The same for siblings with the same tag; NaN for the others.
    """
    texts = _texts(page)
    result = np.full(len(texts), np.nan)
    tag = page.nodes.tag[page.blocks.node]
    parent = page.nodes.parent[page.blocks.node]
    for snippets, value in ((example.without, 0.0), (example.with_, 1.0)):
        for snippet in map(flat, snippets):
            for block in [place for place, text in enumerate(texts) if snippet in text]:
                siblings = (parent == parent[block]) & (tag == tag[block])
                result[siblings & np.isnan(result)] = value
                result[block] = value
    return result


def relabel_pages(pages: Sequence[LabelledPage]) -> Iterator[LabelledPage]:
    """The pages in their order; those of which only is known what must be there, by their site."""
    for (_, alone), together in groupby(pages, lambda page: (page.site, _says_half(page))):
        if not alone:
            yield from together
            continue
        same_site = [*together]
        texts = [_texts(page.page) for page in same_site]
        pages_with = Counter(text for own in texts for text in set(own))
        # Of two pages both must have it: one page is no template.
        most = max(1, len(same_site) / 2)
        for page, own in zip(same_site, texts, strict=True):
            shared = np.array([pages_with[text] > most for text in own], bool)
            yield replace(page, labels=_by_site(page, own, shared))


def _says_half(page: LabelledPage) -> bool:
    example = page.example
    return example.text is None and bool(example.with_) and not example.without


def _by_site(page: LabelledPage, texts: Sequence[str], shared: Flags) -> Floats:
    """The labels of a page, given which of its blocks other pages of the site have, too."""
    blocks = page.page.blocks
    shown = blocks.flags & tags.HIDDEN == 0
    content = np.zeros(len(texts), bool)
    for snippet in map(flat, page.example.with_):
        places = [block for block in np.flatnonzero(shown).tolist() if _has(texts[block], snippet)]
        # A value that is also in a menu, or in a sentence about something else.
        for fits in (
            lambda block, _: not shared[block],
            lambda block, size: size >= _OWN_SHARE * len(texts[block]),
        ):
            places = [block for block in places if fits(block, len(snippet))] or places
        content[places[:_PLACES]] = True
    items = page.page.nodes.tag[blocks.node] == tags.ID["li"]
    parent = page.page.nodes.parent[blocks.node]
    few = np.bincount(parent + 1)[parent + 1] <= _MOST_BESIDE
    beside = np.isin(parent, parent[content]) & (few | items)
    result = np.full(len(texts), np.nan)
    noise = shared | (blocks.flags & _NEVER_CONTENT != 0) | (blocks.link_density >= _MENU)
    result[noise & ~beside] = 0
    result[beside & (items & ~shared | shared & (blocks.words <= _LABEL))] = 1
    result[content] = 1
    return result


def _has(text: str, snippet: str) -> bool:
    """Whether a snippet is in a text, not as part of a word."""
    start = text.find(snippet)
    while start >= 0:
        end = start + len(snippet)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            return True
        start = text.find(snippet, start + 1)
    return False


def _texts(page: Page) -> list[str]:
    return [flat(text) for text in page.block_texts(np.arange(len(page.blocks)))]
