"""The posts of a page: what was written in each, by whom, when, at which address and how deep.

The message is in the element, the same in most units, that holds most of the words that do not
repeat; without such an element it is what is left of the unit after the card of the author, the
date, buttons and the signature.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis._runtime import limits
from tamis.describe.attribute_values import number_equal_keys
from tamis.describe.metadata import authors
from tamis.describe.posts.clues import AUTHOR, CONTROL, DATE, SIGNATURE, Clues
from tamis.describe.posts.elements import AROUND, NEAREST
from tamis.describe.posts.families import PostUnit
from tamis.describe.posts.threads import find_units
from tamis.describe.posts.units import AuthorSearch, Places, PostUnits, Role, find_date_places
from tamis.page import tags
from tamis.page.addresses import Base
from tamis.page.arrays import Flags, Indexes, sort_distinct
from tamis.page.table import Page

# The weight of a word, and of a word in a link.
_PLAIN, _LINKED = 5, 1
# Elements hold the messages if a unit has at most so many on average, and if this share of the
# units and of the words are in them. An element with these shares of the most words will do: the
# smallest one, or one that is declared as the text.
_MOST_EACH, _LEAST_UNITS, _LEAST_WORDS, _ENOUGH, _DECLARED = 1.2, 0.5, 0.5, 0.93, 0.5
_NAMES = frozenset(("text", "articleBody", "commentText", "reviewBody"))
# So many words outside of the usual element are a message if that element is empty.
_ELSEWHERE = 20
# Most words of a button, a name or a date beside the message.
_MOST_BUTTON = 6
_DEPTH = re.compile(r"\b(?:aria-|data-)?(?:depth|level|indent|nesting)[-_=]?(\d{1,2})\b")
# Least score of a place with permalinks, and elements among which an id is looked for.
_LEAST_LINK, _NEAR = 0.25, 20


@dataclass(frozen=True, eq=False)
class Message:
    """A post as places in the page."""

    author: str | None
    date: str | None
    address: str | None
    depth: int
    first: int
    """First node of the element or elements with the message."""
    end: int
    """One past the last of them."""
    dropped: Flags
    """The texts of the page that are not part of any message; all posts share this column."""


def find_messages(
    page: Page,
    url: str | None = None,
    month_first: bool | None = None,
    today: dt.date | None = None,
) -> list[Message]:
    """Find the posts of a page, in document order.

    `url` is the address of the page; `month_first` says whether 3/4/2025 is in March; a day without
    a year is the last such day up to `today`.
    """
    thread = _find_thread(page, month_first, today)
    if thread is None:
        return []
    units, when = thread.units, thread.when
    addresses = _find_addresses(units, url, when)
    search = _MessageSearch(thread)
    return [
        Message(
            _read_name(units, thread.who[number]),
            (units.dated[place] or None) if (place := when[number]) is not None else None,
            addresses[number],
            search.depths[number],
            *search.find_message(number),
            search.dropped,
        )
        for number in limits.check_each(thread.posts, 10)
    ]


def find_written(page: Page) -> Flags | None:
    """Find the texts of the page that are part of messages, None if it has less than two posts."""
    thread = _find_thread(page)
    if thread is None or len(thread.posts) < 2:
        return None
    search = _MessageSearch(thread)
    for number in limits.check_each(thread.posts, 10):
        search.find_message(number)
    return ~search.dropped


def find_post_units(page: Page) -> list[PostUnit]:
    """Find the units that are posts, without the element around a thread."""
    thread = _find_thread(page)
    if thread is None:
        return []
    units = thread.units.units
    return [units[number] for number in thread.posts if not units[number].root]


class _Thread(NamedTuple):
    """The units of a page, and what all of them share."""

    units: PostUnits
    who: Places
    """The place of the author in each unit."""
    when: Places
    """The place of the date."""
    posts: list[int]
    """The numbers of the units that are posts."""


def _find_thread(
    page: Page, month_first: bool | None = None, today: dt.date | None = None
) -> _Thread | None:
    key = "thread", month_first, today
    if key not in page.made:
        page.made[key] = _search_thread(page, Clues(page, month_first, today))
    thread: _Thread | None = page.made[key]
    return thread


def _search_thread(page: Page, clues: Clues) -> _Thread | None:
    found = find_units(page, clues)
    if not found:
        return None
    units = PostUnits(page, clues, found)
    who, when = AuthorSearch(units).find_places(), find_date_places(units)
    known = max(sum(place is not None for place in places) for places in (who, when))
    if 2 * known < len(units):
        return None
    strangers = _find_strangers(units, who, when)
    posts = [number for number in range(len(units)) if number not in strangers]
    return _Thread(units, who, when, posts)


def _find_strangers(units: PostUnits, who: Places, when: Places) -> set[int]:
    """Find the units of another kind whose author or date is not where the others have it.

    Of the element around a thread only the author counts: it may have the date of the thread.
    """
    strangers: set[int] = set()
    others = [number for number, unit in enumerate(units.units) if not unit.usual]
    for places in (who,) if units.units[0].root else (who, when):
        usual: set[str] = set()
        for unit, place in zip(units.units, places, strict=True) if others else ():
            if unit.usual and place is not None:
                usual |= units.find_names(place)
        for number in others:
            place = places[number]
            if place is None or usual.isdisjoint(units.find_names(place)):
                strangers.add(number)
    return strangers


class _MessageSearch:
    """The search for the elements and texts that are messages."""

    def __init__(self, thread: _Thread) -> None:
        self.units, self.who, self.when, _ = thread
        units, texts = self.units, self.units.page.texts
        self.depths = _find_depths(units)
        self.dropped = np.ones(len(texts), bool)
        self.signed, self.controlled = (
            units.find_around(units.clues.kinds & kind != 0) for kind in (SIGNATURE, CONTROL)
        )
        apart = {*self.who, *self.when, *units.dated}
        self.counts = np.array([text not in apart for text in units.texts.tolist()], bool)
        """Whether each text says something of its own."""
        self.counts &= ~units.in_template & (self.signed < 0)
        linked = texts.flags[units.texts] & tags.IN_LINK != 0
        weight = texts.words[units.texts] * np.where(linked, _LINKED, _PLAIN)
        self.weight = np.where(self.counts, weight, 0)
        # The post around a thread, posts and replies may each be of their own kind.
        kinds = np.array(
            [
                0 if unit.root else 1 + min(depth, 1)
                for unit, depth in zip(units.units, self.depths, strict=True)
            ]
        )
        self.element = np.full(len(units.texts), -1, np.intc)
        for kind in set(kinds.tolist()):
            rows = np.flatnonzero((kinds == kind)[units.number])
            body = self._find_body(rows, int((kinds == kind).sum()))
            if body is not None:
                self.element[rows] = units.find_around(units.signatures == body)[rows]

    def _find_body(self, rows: Indexes, count: int) -> int | None:
        """Find the signature of the elements that hold the messages of `count` units."""
        units, texts = self.units, self.units.page.texts
        own, number = units.texts[rows], units.number[rows]
        columns = texts.node[own], units.first[number], number, self.weight[rows], texts.words[own]
        around, unit, held, words = units.elements.sum_below(*columns)
        for place in {*number.tolist()}:
            around[units.units[place].first] = False
            for known in (self.who[place], self.when[place]):
                if known is not None:
                    around[units.climb(known, place)] = False
        nodes = np.flatnonzero(around)
        group, firsts = number_equal_keys(units.signatures[nodes])
        weights = np.bincount(group, held[nodes])
        counts = np.bincount(group, words[nodes])
        holders = np.bincount(sort_distinct(group * len(units) + unit[nodes]) // len(units))
        usual = np.bincount(group) <= _MOST_EACH * holders
        usual &= holders >= _LEAST_UNITS * count
        most = weights[usual].max(initial=0.0)
        if not most or most < _LEAST_WORDS * self.weight[rows].sum():
            return None
        example = nodes[firsts].tolist()
        named = {
            place: units.describe_signature(example[place])
            for place in np.flatnonzero(usual & (weights >= _DECLARED * most)).tolist()
        }
        declared = [place for place, name in named.items() if not _NAMES.isdisjoint(name.split())]
        enough = declared or [place for place in named if weights[place] >= _ENOUGH * most]
        best = min(enough, key=lambda place: (counts[place], -weights[place], named[place]))
        return int(units.signatures[example[best]])

    def find_message(self, number: int) -> tuple[int, int]:
        """Find the first node and the end of the message of a unit, and keep its texts."""
        units, unit, nodes = self.units, self.units.units[number], self.units.page.nodes
        rows = units.slice_texts(number)
        texts, weight, elements = units.texts[rows], self.weight[rows], self.element[rows]
        element = int(elements[np.argmax(elements >= 0)]) if len(elements) else -1
        inside = np.zeros(len(texts), bool)
        if element >= 0:
            node = units.page.texts.node[texts]
            inside = (node >= element) & (node <= nodes.last[element])
            inside &= nodes.depth[node] < nodes.depth[element] + AROUND
        held = int(weight[inside].sum())
        if element < 0 or (held < _PLAIN and weight.sum() - held > _PLAIN * _ELSEWHERE):
            first, end = unit.first, unit.end
            self.dropped[self._find_rest(number)] = False
        else:
            first, end = element, int(nodes.last[element]) + 1
            # Buttons and signatures.
            is_apart = (self.controlled[rows] > element) & units.in_template[rows]
            is_apart |= self.signed[rows] > element
            self.dropped[texts[inside & ~is_apart]] = False
        if number + 1 < len(units) and first < units.units[number + 1].first < end:
            end = units.units[number + 1].first
        return first, end

    def _find_rest(self, number: int) -> list[int]:
        """Find the texts of a unit that are not around its author or its date."""
        units, rows = self.units, self.units.slice_texts(number)
        counts = self.counts[rows]
        if not counts.any():
            # A message may repeat what others wrote: "Thanks!"
            return [
                text
                for text in units.own[number]
                if text != self.who[number]
                and text not in units.dated
                and units.contents[text] not in units.labels
            ]
        texts, weight = units.texts[rows][counts], self.weight[rows][counts]
        message = set(units.climb(int(texts[np.argmax(weight)]), number))
        places = (self.who[number], self.when[number])
        cards = {
            node for place in places if place is not None for node in units.climb(place, number)
        }
        cards -= message
        kept = []
        for text in texts.tolist():
            chain = units.climb(text, number)
            if not cards.isdisjoint(chain):
                continue
            kinds = 0
            for node in chain[:NEAREST]:
                kinds |= 0 if node in message else units.kinds[node]
            is_other = kinds & (CONTROL | AUTHOR | DATE) and units.words[text] <= _MOST_BUTTON
            if not (kinds & SIGNATURE or is_other):
                kept.append(text)
        return kept


def _read_name(units: PostUnits, text: int | None) -> str | None:
    if text is None:
        return None
    content = units.contents[text].strip(" ,:;|-–—»«•·")
    if authors.starts_byline(content):
        return next(iter(authors.read_names(content)), content)
    return content or None


def _find_depths(units: PostUnits) -> list[int]:
    """Find how deep each unit is: inside others, or by a number in its class or attributes."""
    page, made, root = units.page, list(units.depth), units.units[0]
    if root.root:
        inside = [unit.end <= root.end for unit in units.units]
        made = [max(depth - within, 0) for depth, within in zip(made, inside, strict=True)]
        types = [page.attribute(unit.first, "itemtype") or "" for unit in units.units]
        if any(kind.endswith("Answer") for kind in types):
            # Comments beside answers are on the question.
            for number, kind in enumerate(types):
                made[number] = max(made[number], int(kind.endswith("Comment")))
    if any(made):
        return made
    levels: Places = []
    for unit in units.units:
        attributes = page.attributes(unit.first)
        match = _DEPTH.search(" ".join(f"{key}={attributes[key]}" for key in sorted(attributes)))
        levels.append(int(match[1]) if match else None)
    known = [level for level in levels if level is not None]
    return [level - min(known) if level is not None else 0 for level in levels]


def _find_addresses(units: PostUnits, url: str | None, dates: Places) -> list[str | None]:
    """Find the address of each unit: a permalink, or the page with the id of an element in it."""
    page, links = units.page, _find_permalinks(units, dates)
    base, own = Base(page, url), (url or "").partition("#")[0]
    made: list[str | None] = []
    for number in range(len(units)):
        href = (page.attribute(links[number], "href") or "").strip() if number in links else ""
        if not href and (name := _find_id(units, number)):
            href = "#" + name
        if href.startswith("#"):
            made.append(own + href)
        else:
            made.append(base.web(href) if href else None)
    return made


def _find_permalinks(units: PostUnits, dates: Places) -> Role:
    """Find the links of the units at the place that looks most like that of permalinks."""
    clues = units.clues
    firsts: dict[int, Role] = defaultdict(dict)
    links = clues.links
    for number, unit in enumerate(units.units):
        low, high = np.searchsorted(links, (unit.first, _find_own_end(units, number))).tolist()
        for link in limits.check_each(links[low:high].tolist()):
            if clues.has_permalink[link] and not units.page.nodes.flags[link] & tags.IN_QUOTE:
                firsts[int(units.signatures[link])].setdefault(number, link)
    around = {units.find_node(place) for place in dates if place is not None}
    around |= {units.parent[node] for node in around}
    best, most = 0, _LEAST_LINK
    for role, places in firsts.items():
        nodes = list(places.values())
        hrefs = [clues.find_href(link) or "" for link in nodes]
        if len(set(hrefs)) < len(nodes):
            continue
        points: float = sum("#" in href for href in hrefs) + 2 * sum(
            link in around for link in nodes
        )
        if any(units.kinds[link] & CONTROL for link in nodes):
            points /= 2
        if points / len(units) > most:
            best, most = role, points / len(units)
    return firsts.get(best, {})


def _find_own_end(units: PostUnits, number: int) -> int:
    """Find the end of a unit, or of what comes before the first unit inside it."""
    end = units.units[number].end
    return min(end, units.units[number + 1].first) if number + 1 < len(units) else end


def _find_id(units: PostUnits, number: int) -> str:
    """Find the first id with a number in a unit."""
    first = units.units[number].first
    for node in range(first, min(_find_own_end(units, number), first + _NEAR)):
        if units.clues.has_permalink[node]:
            for name in ("id", "name"):
                value = units.page.attribute(node, name) or ""
                if any(map(str.isdigit, value)):
                    return value
    return ""
