"""Blocks as Peters and Lecocq (2013) make them: a new one at each layout tag.

The page is read from its start to its end. A block begins at the start tag of a heading, `p`,
`div` or `table` and goes on to the next of these, whatever is closed in between: a list is part
of the block before it, and the text behind `</div>` of the block inside. What browsers hide is
text like any other, for the paper knows no style; the title is in the first block.

What the paper leaves open is read from the authors' program: the list of layout tags; elements
that are left out with all that is in them; that a link is one piece, in which no block begins and
of which only its own id and class count; and how words are counted for the densities, by the breaks
between them, so that an empty text has one. With a true count ST has 0.016 and 0.006 less on the
2012 train and test pages, but 0.013 more on CleanEval.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.methods._base import Scores, kept_share
from tamis.methods._shared.verdicts import first_texts, longest_runs
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Indexes
from tamis.page.structure.subtrees import mark_nodes, mark_texts
from tamis.page.table import Page

LINE = 80
"""Characters of a line (sec. 4)."""

ATTRIBUTES = ("class", "id")

PUBLISHED_TOKENS = tuple(
    f"{kind}:{token}"
    for kind, tokens in (
        (
            "class",
            "alt author avatar button cat comment content depth facebook header item menu meta nav"
            " post share thread time title tools top twitter widget",
        ),
        ("id", "comment content link nav rating title tools top"),
    )
    for token in tokens.split()
)
"""The 8 of id and 24 of class of sec. 4.1, as the authors' program lists them.

The 24th, `replyurl`, is two tokens between which a comma is missing; no page has it.
"""


_LAYOUT = tags.find_ids("h1 h2 h3 h4 h5 h6 p div table")
_LEFT_OUT = tags.find_ids(
    "applet area base basefont bdo button caption fieldset frameset iframe img input legend link"
    " menu meta noframes noscript object optgroup option param script select style textarea var xmp"
)
_WORD = re.compile(r"[^\W_]+")
_BREAK = re.compile(r"[\W_]+")


@dataclass(frozen=True, eq=False)
class LayoutBlocks:
    """The blocks of a page that have a word, in document order."""

    start: ClassVar[str] = "random"
    """Where the clusters of CETR start: by chance, as published."""

    page: Page
    of_text: Indexes
    """The block of each text of the page, -1 for those that are in none."""
    texts: list[str]
    """The text of each block, a space between its runs."""
    link_texts: list[str]
    """What of it is in links."""
    tags: Indexes
    """Elements that begin in the block."""
    attributes: dict[str, list[str]]
    """By name of the attribute, the values of the elements of each block, in lower case."""

    @cached_property
    def first_texts(self) -> Indexes:
        """The first text of each block, -1 for that of a title alone."""
        return first_texts(self.of_text, len(self.texts))

    @cached_property
    def words(self) -> Floats:
        return np.array([len(_WORD.findall(text)) for text in self.texts], float)

    @cached_property
    def text_density(self) -> Floats:
        """Words per line of 80 characters, the last line left out."""
        return np.array([_measure_density(text) for text in self.texts], float)

    @cached_property
    def link_density(self) -> Floats:
        """Share of the words that are in links, of a block without links that of one word."""
        inside = np.array([_count_pieces(text) for text in self.link_texts], float)
        return inside / [_count_pieces(text) for text in self.texts]

    @cached_property
    def tag_ratios(self) -> Floats:
        """Length of the text over the number of tags, at least 1."""
        return np.array([len(text) for text in self.texts], float) / np.maximum(self.tags, 1)

    def tokens(self) -> list[frozenset[str]]:
        table = self.token_features(PUBLISHED_TOKENS) > 0
        return [frozenset(PUBLISHED_TOKENS[hit] for hit in np.flatnonzero(row)) for row in table]

    def token_features(self, listed: Sequence[str]) -> Floats:
        """1 where a token is in an id or class of the block: `nav` is in `navigation`, too."""
        result = np.zeros((len(self.texts), len(listed)))
        for column, token in enumerate(listed):
            kind, _, word = token.partition(":")
            result[:, column] = [word in value for value in self.attributes[kind]]
        return result

    def rows_of(self, blocks: Indexes) -> Indexes:
        """For blocks of the page the one of these that most of each is in, -1 for none."""
        return self.of_text[longest_runs(self.page, blocks)]

    def on_blocks(self, scores: npt.ArrayLike) -> Scores:
        """Scores of these blocks as scores of the page's: the mean over a block's characters."""
        return kept_share(self.page, np.append(scores, 0.0)[self.of_text])


def cut_layout(page: Page) -> LayoutBlocks:
    left_out = np.flatnonzero(np.isin(page.nodes.tag, _LEFT_OUT))
    links = np.flatnonzero(page.nodes.tag == tags.ID["a"])
    left, inside_links = (
        mark_nodes(page, left_out),
        _select_children(page, mark_nodes(page, links)),
    )
    begins = np.isin(page.nodes.tag, _LAYOUT) & ~left & ~inside_links
    part: Indexes = np.cumsum(begins)  # of each element: how many blocks have begun
    texts, link_texts, part_of_text = _collect_texts(page, part, left_out, links)
    filled = [number for number, text in enumerate(texts) if _WORD.search(text)]
    block_of_part = np.full(len(texts) + 1, -1, np.intp)
    block_of_part[filled] = np.arange(len(filled))
    counts = np.bincount(part[~_select_children(page, left)], minlength=len(texts))
    values = _collect_attributes(page, part, ~left & ~inside_links, len(texts))
    return LayoutBlocks(
        page,
        block_of_part[part_of_text],
        [texts[number] for number in filled],
        [link_texts[number] for number in filled],
        counts[filled],
        {name: [values[name][number] for number in filled] for name in ATTRIBUTES},
    )


def _select_children(page: Page, within: Flags) -> Flags:
    parent = page.nodes.parent
    return within[np.maximum(parent, 0)] & (parent >= 0)


def _collect_texts(
    page: Page, part: Indexes, left_out: Indexes, links: Indexes
) -> tuple[list[str], list[str], Indexes]:
    """The text of each part and its text in links, and the part of each text, -1 for none."""
    count = int(part[-1]) + 1 if len(part) else 1
    before = np.searchsorted(page.nodes.first_text, np.arange(len(page.texts)), side="right") - 1
    part_of_text = np.where(mark_texts(page, left_out), -1, part[before])
    linked = mark_texts(page, links).tolist()
    runs: list[list[str]] = [[] for _ in range(count)]
    link_runs: list[list[str]] = [[] for _ in range(count)]
    runs[0].extend(page.title.split())
    for text, number in enumerate(limits.check_each(part_of_text.tolist())):
        if number >= 0:
            words = page.text(text).split()
            runs[number] += words
            if linked[text]:
                link_runs[number] += words
    return [" ".join(run) for run in runs], [" ".join(run) for run in link_runs], part_of_text


def _collect_attributes(
    page: Page, part: Indexes, counted: Flags, count: int
) -> dict[str, list[str]]:
    """By name the values of the attributes of each part, joined by spaces, in lower case."""
    kinds = {tags.ATTRIBUTE_ID[name]: name for name in ATTRIBUTES}
    rows = np.flatnonzero(np.isin(page.attribute_rows[0], list(kinds)))
    owner = np.searchsorted(page.nodes.attributes, rows, side="right") - 1
    rows, owner = rows[counted[owner]], owner[counted[owner]]
    values: dict[str, list[list[str]]] = {name: [[] for _ in range(count)] for name in ATTRIBUTES}
    table = page.attribute_rows[:, rows].T.tolist()
    for number, (kind, start, stop) in zip(part[owner].tolist(), table, strict=True):
        value = page.source[start:stop].decode("utf-8", "replace").lower()
        values[kinds[kind]][number].append(value)
    return {name: [" ".join(part) for part in parts] for name, parts in values.items()}


def _count_pieces(text: str) -> int:
    return len(_BREAK.split(text))


def _measure_density(text: str) -> float:
    full = max((len(text) - 1) // LINE, 1)  # lines without the last, or the only one
    return _count_pieces(text[: full * LINE]) / full
