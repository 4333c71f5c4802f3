"""Overview pages: how likely a page is a list of links to other pages, and the entries of the list.

The entries are elements that repeat, each with a link: children of one element with the same tag,
or elements anywhere with the same path from the root. Of all such groups that one wins which holds
most words of content over most elements of about the same size. Where the repeated elements are
headings or terms, what follows each belongs to it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.describe.types.page_type import sum_overview
from tamis.methods._base import Method
from tamis.model.features.batch import Batch
from tamis.page import tags
from tamis.page.addresses import Base
from tamis.page.arrays import Floats, Indexes
from tamis.page.table import Page

# Elements, counted as if of equal size, that make a list; more than the second say nothing more.
_FEWEST_ITEMS = 2.5
_MANY_ITEMS = 20
# A word that is surely no content counts a little: a method may keep nothing of an overview page.
_LEAST_SCORE = 0.05
# A link before the title, to a section or an author, is shorter than this part of the longest.
_TITLE_PART = 0.5
_TITLES = [tags.ID[name] for name in "h1 h2 h3 h4 h5 h6 dt".split()]
_UNSEEN = tags.HIDDEN | tags.IN_CONTROL
_SEPARATED = tags.SPACE_BEFORE | tags.BREAK_BEFORE


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of an overview page."""

    title: str
    """Its heading, or else the text of its main link."""
    link: str
    """Where it leads, absolute if the address of the page is known."""
    teaser: str
    """The rest of its text, one line per block."""


def estimate_chance(page: Page, method: Method, types: Callable[[], Mapping[str, float]]) -> float:
    """How probable it is that the page is an overview page.

    By the method, if it has a verdict of its own, else by `types`: `page_type.estimate_types`.
    """
    own = method.overview(page)
    if own is not None:
        return own
    return sum_overview(types())


def find_items(page: Page, scores: Floats, url: str | None = None) -> tuple[Item, ...]:
    """The entries in document order, of those with the same link the first.

    `scores` say where the content is; none if nothing on the page repeats.
    """
    entries = _find_entries(page, scores)
    if not len(entries):
        return ()
    links = _Links(page, Base(page, url))
    by_link: dict[str, Item] = {}
    size = 0
    for first, end in limits.check_each(zip(*_find_ranges(page, entries), strict=True), 100):
        item = _read_item(page, first, end, links)
        if item is not None and by_link.setdefault(item.link, item) is item:
            size += len(item.title) + len(item.link) + len(item.teaser)
            limits.check_output(size)
    return tuple(by_link.values())


def find_item_blocks(page: Page, scores: Floats) -> npt.NDArray[np.bool_]:
    """Whether each block is part of an entry, and seen."""
    inside = np.zeros(len(page.blocks), bool)
    for first, end in zip(*_find_ranges(page, _find_entries(page, scores)), strict=True):
        inside[page.texts.block[first:end]] = True
    inside &= page.blocks.flags & _UNSEEN == 0
    return inside


# Groups


def _find_entries(page: Page, scores: Floats) -> Indexes:
    """The elements of the best group."""
    nodes, texts = page.nodes, page.texts
    seen = texts.flags & _UNSEEN == 0
    worth = texts.words * seen * np.maximum(scores, _LEAST_SCORE)[texts.block]
    size = page.sums_below(worth).astype(float)
    linked = page.sums_below(texts.words * (seen & (texts.flags & tags.IN_LINK != 0)))
    chosen = np.flatnonzero((size > 0) & (linked.astype(np.int64) > 0))
    best, most = chosen[:0], 0.0
    if not len(chosen):
        return best
    batch = Batch.from_pages([page])
    siblings = nodes.parent.astype(np.int64) << 32 | batch.tag
    for keys in (siblings, batch.paths.class_path):
        order = np.argsort(keys[chosen], kind="stable")
        ordered = keys[chosen][order]
        first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        sizes = size[chosen][order]
        held = np.add.reduceat(sizes, first)
        # Elements of equal size count as many as they are, a large one with small ones as one.
        count = held**2 / np.add.reduceat(sizes**2, first)
        value = np.where(count < _FEWEST_ITEMS, 0, held * np.minimum(count, _MANY_ITEMS) ** 0.5)
        place = int(value.argmax())
        if value[place] > most:
            most = float(value[place])
            best = np.sort(chosen[np.split(order, first[1:])[place]])
    return best


def _find_ranges(page: Page, entries: Indexes) -> tuple[list[int], list[int]]:
    """First text and end of each entry."""
    nodes = page.nodes
    first, end = nodes.first_text[entries], nodes.end_text[entries].copy()
    if np.isin(nodes.tag[entries], _TITLES).all():
        parent = nodes.parent[entries]
        end = nodes.end_text[parent]
        together = parent[1:] == parent[:-1]
        end[:-1][together] = first[1:][together]
    return first.tolist(), end.tolist()


# Entries


class _Links:
    """The links of a page that lead to other pages."""

    def __init__(self, page: Page, base: Base) -> None:
        self._page, self._base = page, base
        links = np.flatnonzero(page.nodes.flags & tags.IS_LINK != 0)
        self._start, self._last = links.tolist(), page.nodes.last[links].tolist()
        self._targets: dict[int, str | None] = {}

    def find_targets(self, texts: list[int]) -> dict[int, str]:
        """Where the texts that are in a link lead."""
        leads: dict[int, str] = {}
        for text, node in zip(texts, self._page.texts.node[texts].tolist(), strict=True):
            place = bisect_right(self._start, node) - 1
            if place < 0 or node > self._last[place]:
                continue
            link = self._start[place]
            if link not in self._targets:
                self._targets[link] = self._resolve_target(link)
            if target := self._targets[link]:
                leads[text] = target
        return leads

    def _resolve_target(self, link: int) -> str | None:
        """Where a link leads, None for scripts, mail and places on the page."""
        href = (self._page.attribute(link, "href") or "").strip()
        return self._base.web(href) if href and href[0] != "#" else None


def _read_item(page: Page, first: int, end: int, links: _Links) -> Item | None:
    """The entry that the texts from `first` to `end` make, if it leads anywhere."""
    flags = page.texts.flags[first:end].tolist()
    seen = [first + place for place, flag in enumerate(flags) if not flag & _UNSEEN]
    targets = links.find_targets(seen)
    if not targets:
        return None
    heading = [text for text in seen if flags[text - first] & tags.IN_HEADING]
    link = next((targets[text] for text in heading if text in targets), None)
    if link is None:
        link = _find_main_link(page, targets)
    candidates = heading or [text for text in targets if targets[text] == link]
    block = page.texts.block
    title = [text for text in candidates if block[text] == block[candidates[0]]]
    rest = sorted(set(seen) - set(title))
    return Item(_show_texts(page, title), link, _show_texts(page, rest))


def _find_main_link(page: Page, targets: dict[int, str]) -> str:
    """The first link with about as many words as the longest."""
    length: dict[str, int] = {}
    for text, target in targets.items():
        length[target] = length.get(target, 0) + int(page.texts.words[text])
    longest = max(length.values())
    return next(link for link, words in length.items() if words >= _TITLE_PART * longest)


def _show_texts(page: Page, texts: list[int]) -> str:
    """Texts as a browser shows them, one line per block."""
    pieces: list[str] = []
    before = -1
    for text in texts:
        block = int(page.texts.block[text])
        if before >= 0:
            flag = page.texts.flags[text]
            pieces.append("\n" if block != before else " " if flag & _SEPARATED else "")
        pieces.append(page.text(text))
        before = block
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)
