"""Pages to learn from: the examples of a data set that have a gold text, and their sites."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from tamis.bench.measures import flatten
from tamis.errors import LimitError
from tamis.labels import blocks as block_labels
from tamis.labels import datasets
from tamis.labels.alignment import match_words, part_shares, tokenize
from tamis.labels.datasets import Example
from tamis.methods._base import Flags, Floats
from tamis.page import tags
from tamis.page.reader import parse
from tamis.page.table import Page

_NUMBER = re.compile(r"(?<=[^\W\d_])[-_.]?\d+$")


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page of a training set with what is known about its blocks."""

    example: Example
    page: Page
    site: str
    labels: Floats
    """Share of content of each block, NaN where nobody knows."""


def read_gold(path: Path, *, comments: bool = False) -> Iterator[Example]:
    """The examples that have a gold text, with their sites; with `comments`, those are gold too."""
    for example in datasets.read(path):
        gold = example.text
        if gold is None:
            continue
        if comments and example.comments:
            gold = f"{gold}\n{example.comments}"
        yield replace(example, text=gold, site=site_of(example))


def site_of(example: Example) -> str:
    """The site of a page, as far as its set says: `bbc` for a page `bbc-1` without an address."""
    return example.site or urlsplit(example.url or "").hostname or _NUMBER.sub("", example.id)


# In front of a country's ending these are no names of sites.
_SECOND_LEVEL = frozenset("ac co com edu go gob gov ne net or org".split())


def domain_of(site: str) -> str:
    parts = site.lower().split(".")
    if len(parts) > 2:
        second_level = len(parts[-1]) == 2 and parts[-2] in _SECOND_LEVEL
        parts = parts[-3 if second_level else -2 :]
    return ".".join(parts)


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


def label_by_snippets(page: Page, example: Example) -> Floats:
    """1 for blocks with a snippet that must be there, 0 for those with one that must not.

    The same for siblings with the same tag; NaN for the others.
    """
    texts = _flat_texts(page)
    result = np.full(len(texts), np.nan)
    tag = page.nodes.tag[page.blocks.node]
    parent = page.nodes.parent[page.blocks.node]
    for snippets, value in ((example.without, 0.0), (example.with_, 1.0)):
        for snippet in map(flatten, snippets):
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
        texts = [_flat_texts(page.page) for page in same_site]
        pages_with = Counter(text for own in texts for text in set(own))
        # Of two pages both must have it: one page is not a template.
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
    for snippet in map(flatten, page.example.with_):
        places = [
            block for block in np.flatnonzero(shown).tolist() if _has_whole(texts[block], snippet)
        ]
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


def _has_whole(text: str, snippet: str) -> bool:
    """Whether a snippet is in a text, not as part of a word."""
    start = text.find(snippet)
    while start >= 0:
        end = start + len(snippet)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            return True
        start = text.find(snippet, start + 1)
    return False


def _flat_texts(page: Page) -> list[str]:
    return [flatten(text) for text in page.block_texts(np.arange(len(page.blocks)))]


def label_content(page: Page, example: Example) -> Floats:
    """Share of content of each block, NaN where nobody knows.

    What a person said of blocks holds. With a gold text alone: the words in common with it, in
    order; hidden blocks are compared with what of the gold the visible ones do not have. With
    snippets alone, see `label_by_snippets`.
    """
    if example.blocks:
        return block_labels.content_shares(block_labels.paint_blocks(page, example.blocks)[0])
    if example.text is not None:
        return _label_by_gold(page, example.text)
    return label_by_snippets(page, example)


# If visible text has this share of the gold, hidden text is not looked at: a few words may miss.
_ENOUGH_VISIBLE = 0.97


def _label_by_gold(page: Page, gold: str) -> Floats:
    words = [tokenize(text) for text in page.block_texts(np.arange(len(page.blocks)))]
    gold_words = tokenize(gold)
    result = np.zeros(len(words))
    hidden = page.blocks.flags & tags.HIDDEN != 0
    visible, concealed = np.flatnonzero(~hidden), np.flatnonzero(hidden)
    seen = [word for block in visible for word in words[block]]
    counts = np.array([len(block) for block in words], np.intp)
    result[visible] = part_shares(counts[visible], match_words(seen, gold_words))
    covered = float(sum(result[block] * len(words[block]) for block in visible))
    if len(concealed) and covered < _ENOUGH_VISIBLE * len(gold_words):
        there = match_words(gold_words, seen)
        left = [word for word, known in zip(gold_words, there, strict=True) if not known]
        unseen = [word for block in concealed for word in words[block]]
        result[concealed] = part_shares(counts[concealed], match_words(unseen, left))
    return result


# Share of the words of a gold text that must be on the page; of labels that must fit.
_LEAST_COVERED = 0.5
_MOST_NAMES = 10
_NOTHING_KNOWN = "it has neither gold text nor labels that are on the page"


def align_pages(
    examples: Iterable[Example],
    *,
    comments: bool = False,
    between: Callable[[], None] = lambda: None,
) -> tuple[list[LabelledPage], list[str]]:
    """The pages with their labels, and warnings that name those that are left out.

    `between` is called before each page.
    """
    pages: list[LabelledPage] = []
    problems: dict[str, list[str]] = {}
    for example in examples:
        between()
        if comments and example.text is not None and example.comments:
            example = replace(example, text=f"{example.text}\n{example.comments}")
        try:
            page = parse(example.html)
        except LimitError as error:
            problems.setdefault(f"over a limit ({error})", []).append(example.id)
            continue
        own, problem = _label_checked(page, example, comments)
        if problem:
            problems.setdefault(problem, []).append(example.id)
        else:
            if not example.site and not example.url:
                example = replace(example, site=page.declared.host or None)
            pages.append(LabelledPage(example, page, site_of(example), own))
    known = []
    for source in relabel_pages(pages):
        if np.isnan(source.labels).all():
            problems.setdefault(_NOTHING_KNOWN, []).append(source.example.id)
        else:
            known.append(source)
    return known, [f"{_join_names(ids)}: left out, {problem}" for problem, ids in problems.items()]


def _label_checked(page: Page, example: Example, comments: bool) -> tuple[Floats, str]:
    """The labels of a page, and why nothing should be learned from them, if so."""
    if not len(page.blocks):
        return np.zeros(0), "the page has no text"
    if example.blocks:
        kinds, missing = block_labels.paint_blocks(page, example.blocks)
        if len(missing) > (1 - _LEAST_COVERED) * len(example.blocks):
            return np.zeros(0), "most labels are about nothing on the page: it has changed"
        return block_labels.content_shares(kinds, comments=comments), ""
    own = label_content(page, example)
    if example.text is None:
        return own, ""
    gold = len(tokenize(example.text))
    blocks = np.flatnonzero(own > 0)
    texts = page.block_texts(blocks)
    covered = sum(
        len(tokenize(text)) * own[block] for block, text in zip(blocks, texts, strict=True)
    )
    if gold and covered < _LEAST_COVERED * gold:
        return own, "gold and page do not align: most of the gold is not on the page"
    return own, ""


def _join_names(ids: list[str]) -> str:
    more = f" and {len(ids) - _MOST_NAMES} more" if len(ids) > _MOST_NAMES else ""
    return ", ".join(ids[:_MOST_NAMES]) + more
