"""What was written in each post, without the card of its author, the date, buttons and signature.

The message is in the element, the same in most units, that holds most of the words that do not
repeat; where there is no such element, it is what is left of the unit.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.describe.posts import fields
from tamis.describe.posts.clues import AUTHOR, CONTROL, DATE, SIGNATURE, Clues
from tamis.describe.posts.families import PostUnit
from tamis.describe.posts.fields import Places
from tamis.describe.posts.passes import AROUND, NEAREST
from tamis.describe.posts.threads import units_of
from tamis.describe.posts.units import PostUnits
from tamis.describe.posts.values import groups
from tamis.page import tags
from tamis.page.arrays import Flags
from tamis.page.hashes import distinct
from tamis.page.table import Page

Ints = npt.NDArray[np.int_]

# What a word counts, and a word in a link.
_PLAIN, _LINKED = 5, 1
# Of the elements with the messages: how many in a unit on average, share of the units that have
# any, share of the words; share of the most words from which on the smallest or a declared one
# wins.
_MOST_EACH, _LEAST_UNITS, _LEAST_WORDS, _ENOUGH, _DECLARED = 1.2, 0.5, 0.5, 0.93, 0.5
_NAMES = frozenset(("text", "articleBody", "commentText", "reviewBody"))
# Words outside of the usual element, which is empty, that are a message all the same.
_ELSEWHERE = 20
# Words of a button, a name, a date that are no message.
_MOST_BUTTON = 6


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
    """The texts of the page that are not part of any message, the same for all posts."""


def messages(
    page: Page,
    url: str | None = None,
    month_first: bool | None = None,
    today: dt.date | None = None,
) -> list[Message]:
    """The posts of a page in document order, none if it has no thread.

    `url` is the address of the page; `month_first` says whether 3/4/2025 is in March; a day without
    a year is the last such day up to `today`.
    """
    thread = _thread(page, month_first, today)
    if thread is None:
        return []
    units, who, when, strangers = thread
    depths, addresses = fields.depths(units), fields.addresses(units, url, when)
    texts = _Texts(units, who, when, depths)
    return [
        Message(
            fields.name_at(units, who[number]),
            (units.dated[place] or None) if (place := when[number]) is not None else None,
            addresses[number],
            depths[number],
            *texts.nodes(number),
            texts.dropped,
        )
        for number in limits.checked(range(len(units)), 10)
        if number not in strangers
    ]


def find_written(page: Page) -> Flags | None:
    """The texts of the page that are part of messages, None if it has less than two posts."""
    thread = _thread(page)
    if thread is None:
        return None
    units, who, when, strangers = thread
    posts = [number for number in range(len(units)) if number not in strangers]
    if len(posts) < 2:
        return None
    texts = _Texts(units, who, when, fields.depths(units))
    for number in limits.checked(posts, 10):
        texts.nodes(number)
    return ~texts.dropped


def post_units(page: Page) -> list[PostUnit]:
    """The units that are posts, without the element around a thread."""
    thread = _thread(page)
    if thread is None:
        return []
    units, _, _, strangers = thread
    return [
        unit for number, unit in enumerate(units.units) if number not in strangers and not unit.root
    ]


_Thread: TypeAlias = tuple[PostUnits, Places, Places, set[int]]
"""The units of a page, the places of author and date in each, and which are no posts."""


def _thread(
    page: Page, month_first: bool | None = None, today: dt.date | None = None
) -> _Thread | None:
    key = "thread", month_first, today
    if key not in page.made:
        page.made[key] = _search(page, Clues(page, month_first, today))
    thread: _Thread | None = page.made[key]
    return thread


def _search(page: Page, clues: Clues) -> _Thread | None:
    thread = units_of(page, clues)
    if not thread:
        return None
    units = PostUnits(page, clues, thread)
    who, when = fields.author_places(units), fields.date_places(units)
    known = max(sum(place is not None for place in places) for places in (who, when))
    return (units, who, when, _strangers(units, who, when)) if 2 * known >= len(units) else None


def _strangers(units: PostUnits, who: Places, when: Places) -> set[int]:
    """The units of another kind whose author or date is not where the others have it.

    Of the element around a thread the author counts alone: it may have the date of the thread.
    """
    strangers: set[int] = set()
    others = [number for number, unit in enumerate(units.units) if not unit.usual]
    for places in (who,) if units.units[0].root else (who, when):
        usual: set[str] = set()
        for unit, place in zip(units.units, places, strict=True) if others else ():
            if unit.usual and place is not None:
                usual |= units.names_at(place)
        for number in others:
            place = places[number]
            if place is None or usual.isdisjoint(units.names_at(place)):
                strangers.add(number)
    return strangers


class _Texts:
    """The texts of all messages."""

    def __init__(self, units: PostUnits, who: Places, when: Places, depths: list[int]) -> None:
        self.units, self.who, self.when = units, who, when
        self.dropped = np.ones(len(units.page.texts), bool)
        self.signed, self.controlled = (
            units.around(units.clues.kinds & kind != 0) for kind in (SIGNATURE, CONTROL)
        )
        self.counts, self.weight = self._weights()
        # The post around a thread, posts and replies may each be of their own kind.
        kinds = np.array(
            [
                0 if unit.root else 1 + min(depth, 1)
                for unit, depth in zip(units.units, depths, strict=True)
            ]
        )
        self.element = np.full(len(units.texts), -1, np.intc)
        for kind in set(kinds.tolist()):
            rows = np.flatnonzero((kinds == kind)[units.number])
            body = self._body(rows, int((kinds == kind).sum()))
            if body is not None:
                self.element[rows] = units.around(units.signatures == body)[rows]

    def _weights(self) -> tuple[Flags, Ints]:
        """Whether each text says something of its own, and what its words count then."""
        units, texts = self.units, self.units.page.texts
        apart = {*self.who, *self.when, *units.dated}
        counts: Flags = np.array([text not in apart for text in units.texts.tolist()], bool)
        counts &= ~units.in_template & (self.signed < 0)
        linked = texts.flags[units.texts] & tags.IN_LINK != 0
        weight = texts.words[units.texts] * np.where(linked, _LINKED, _PLAIN)
        return counts, np.where(counts, weight, 0)

    def _body(self, rows: Ints, count: int) -> int | None:
        """The signature of the elements with the messages, None if there is no such."""
        units, texts = self.units, self.units.page.texts
        own, number = units.texts[rows], units.number[rows]
        columns = texts.node[own], units.first[number], number, self.weight[rows], texts.words[own]
        around, unit, held, words = units.elements.below(*columns)
        for place in {*number.tolist()}:
            around[units.units[place].first] = False
            for known in (self.who[place], self.when[place]):
                if known is not None:
                    around[units.chain(known, place)] = False
        nodes = np.flatnonzero(around)
        group, firsts = groups(units.signatures[nodes])
        weights = np.bincount(group, held[nodes])
        counts = np.bincount(group, words[nodes])
        holders = np.bincount(distinct(group * len(units) + unit[nodes]) // len(units))
        usual = np.bincount(group) <= _MOST_EACH * holders
        usual &= holders >= _LEAST_UNITS * count
        most = weights[usual].max(initial=0.0)
        if not most or most < _LEAST_WORDS * self.weight[rows].sum():
            return None
        example = nodes[firsts].tolist()
        named = {
            place: units.signature(example[place])
            for place in np.flatnonzero(usual & (weights >= _DECLARED * most)).tolist()
        }
        declared = [place for place, name in named.items() if not _NAMES.isdisjoint(name.split())]
        enough = declared or [place for place in named if weights[place] >= _ENOUGH * most]
        best = min(enough, key=lambda place: (counts[place], -weights[place], named[place]))
        return int(units.signatures[example[best]])

    def nodes(self, number: int) -> tuple[int, int]:
        """First node and end of the message of a unit; its texts are no longer dropped."""
        units, unit, nodes = self.units, self.units.units[number], self.units.page.nodes
        rows = units.rows(number)
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
            self.dropped[self._rest(number)] = False
        else:
            first, end = element, int(nodes.last[element]) + 1
            # A button or in a signature.
            is_apart = (self.controlled[rows] > element) & units.in_template[rows]
            is_apart |= self.signed[rows] > element
            self.dropped[texts[inside & ~is_apart]] = False
        if number + 1 < len(units) and first < units.units[number + 1].first < end:
            end = units.units[number + 1].first
        return first, end

    def _rest(self, number: int) -> list[int]:
        """The texts of a unit without what is around its author and its date."""
        units, rows = self.units, self.units.rows(number)
        counts = self.counts[rows]
        if not counts.any():
            # A message may be what others wrote, too: "Thanks!"
            return [
                text
                for text in units.own[number]
                if text != self.who[number]
                and text not in units.dated
                and units.contents[text] not in units.labels
            ]
        texts, weight = units.texts[rows][counts], self.weight[rows][counts]
        message = set(units.chain(int(texts[np.argmax(weight)]), number))
        places = (self.who[number], self.when[number])
        cards = {
            node for place in places if place is not None for node in units.chain(place, number)
        }
        cards -= message
        kept = []
        for text in texts.tolist():
            chain = units.chain(text, number)
            if not cards.isdisjoint(chain):
                continue
            kinds = 0
            for node in chain[:NEAREST]:
                kinds |= 0 if node in message else units.kinds[node]
            is_other = kinds & (CONTROL | AUTHOR | DATE) and units.words[text] <= _MOST_BUTTON
            if not (kinds & SIGNATURE or is_other):
                kept.append(text)
        return kept
