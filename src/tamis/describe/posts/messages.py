"""What was written in each post, without the card of its author, the date, buttons and signature.

The message is in the element, the same in most units, that holds most of the words that do not
repeat; where there is no such element, it is what is left of the unit.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis import limits
from tamis.describe.posts import fields
from tamis.describe.posts.clues import AUTHOR, CONTROL, DATE, SIGNATURE, Clues
from tamis.describe.posts.families import PostUnit
from tamis.describe.posts.fields import Places
from tamis.describe.posts.threads import units_of
from tamis.describe.posts.units import NEAREST, PostUnits
from tamis.page import tags
from tamis.page.table import Page

Flags = npt.NDArray[np.bool_]

# What a word in a link counts.
_LINKED = 0.2
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
    thread = _thread(page, Clues(page, month_first, today))
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


def post_units(page: Page) -> list[PostUnit]:
    """The units that are posts, without the element around a thread."""
    thread = _thread(page, Clues(page))
    if thread is None:
        return []
    units, _, _, strangers = thread
    return [
        unit for number, unit in enumerate(units.units) if number not in strangers and not unit.root
    ]


def _thread(page: Page, clues: Clues) -> tuple[PostUnits, Places, Places, set[int]] | None:
    """The units of a page, the places of author and date in each, and which are no posts."""
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
        # The post around a thread, posts and replies may each be of their own kind.
        self.kinds = [
            0 if unit.root else 1 + min(depth, 1)
            for unit, depth in zip(units.units, depths, strict=True)
        ]
        self.bodies = {
            kind: self._body([number for number, own in enumerate(self.kinds) if own == kind])
            for kind in set(self.kinds)
        }

    def _weights(self, number: int) -> dict[int, float]:
        """Words of the texts of a unit that say something of their own."""
        units, weights = self.units, {}
        for text in units.own[number]:
            if text in (self.who[number], self.when[number]) or text in units.dated:
                continue
            if units.contents[text] in units.template:
                continue
            if any(units.kinds[node] & SIGNATURE for node in units.chain(text, number)):
                continue
            linked = units.flags[text] & tags.IN_LINK
            weights[text] = units.words[text] * (_LINKED if linked else 1.0)
        return weights

    def _body(self, numbers: list[int]) -> int | None:
        """The signature of the elements with the messages of units, None if there is no such."""
        units = self.units
        held: dict[int, float] = defaultdict(float)
        words: Counter[int] = Counter()
        elements: Counter[int] = Counter()
        holders: dict[int, set[int]] = defaultdict(set)
        example: dict[int, int] = {}
        total = 0.0
        for number in limits.checked(numbers, 10):
            weights, below = self._weights(number), defaultdict[int, list[float]](lambda: [0.0, 0])
            for text in units.own[number]:
                for node in units.chain(text, number):
                    below[node][0] += weights.get(text, 0.0)
                    below[node][1] += units.words[text]
            total += sum(weights.values())
            apart = self._around(number) | {units.units[number].first}
            for node in below.keys() - apart:
                signature = units.signatures[node]
                held[signature] += below[node][0]
                words[signature] += int(below[node][1])
                elements[signature] += 1
                holders[signature].add(number)
                example[signature] = node
        usual = [
            signature
            for signature, units_with in holders.items()
            if elements[signature] <= _MOST_EACH * len(units_with)
            and len(units_with) >= _LEAST_UNITS * len(numbers)
        ]
        most = max((held[signature] for signature in usual), default=0.0)
        if not most or most < _LEAST_WORDS * total:
            return None
        named = {
            signature: units.signature(example[signature])
            for signature in usual
            if held[signature] >= _DECLARED * most
        }
        declared = [one for one, name in named.items() if not _NAMES.isdisjoint(name.split())]
        enough = declared or [one for one in usual if held[one] >= _ENOUGH * most]
        return min(enough, key=lambda one: (words[one], -held[one], named[one]))

    def _around(self, number: int) -> set[int]:
        """The elements of a unit around its author or its date."""
        places = (self.who[number], self.when[number])
        chains = (self.units.chain(place, number) for place in places if place is not None)
        return {node for chain in chains for node in chain}

    def nodes(self, number: int) -> tuple[int, int]:
        """First node and end of the message of a unit; its texts are no longer dropped."""
        units, unit = self.units, self.units.units[number]
        weights = self._weights(number)
        element = self._element(number)
        inside = [
            text
            for text in units.own[number]
            if element is not None and element in units.chain(text, number)
        ]
        held = sum(weights.get(text, 0.0) for text in inside)
        if held < 1 and sum(weights.values()) - held > _ELSEWHERE:
            element = None
        if element is None:
            first, end = unit.first, unit.end
            kept = self._rest(number, weights)
        else:
            first, end = element, int(units.page.nodes.last[element]) + 1
            kept = [text for text in inside if not self._is_apart(text, number, element)]
        self.dropped[kept] = False
        if number + 1 < len(units) and first < units.units[number + 1].first < end:
            end = units.units[number + 1].first
        return first, end

    def _element(self, number: int) -> int | None:
        """The element of a unit with the message, by its signature."""
        body = self.bodies[self.kinds[number]]
        for text in self.units.own[number] if body is not None else ():
            for node in self.units.chain(text, number):
                if self.units.signatures[node] == body:
                    return node
        return None

    def _is_apart(self, text: int, number: int, element: int) -> bool:
        """Whether a text in an element is a button or in a signature."""
        units, kinds = self.units, 0
        for node in units.chain(text, number):
            if node == element:
                break
            kinds |= units.kinds[node]
        is_button = kinds & CONTROL and units.contents[text] in units.template
        return bool(kinds & SIGNATURE or is_button)

    def _rest(self, number: int, weights: dict[int, float]) -> list[int]:
        """The texts of a unit without what is around its author and its date."""
        units = self.units
        if not weights:
            # A message may be what others wrote, too: "Thanks!"
            return [
                text
                for text in units.own[number]
                if text != self.who[number]
                and text not in units.dated
                and units.contents[text] not in units.labels
            ]
        message = set(units.chain(max(weights, key=weights.__getitem__), number))
        cards = self._around(number) - message
        kept = []
        for text in weights:
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
