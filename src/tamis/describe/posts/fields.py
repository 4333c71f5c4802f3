"""Author, date, address and depth of posts.

What repeats in most units at the same place says what it is: the author is the short text that is
named like one or leads to a profile and differs from unit to unit, the date is the one that rises
from post to post, the permalink is around the date or leads to a place in a page.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from typing import TypeAlias

import numpy as np

from tamis._runtime import limits
from tamis.describe import authors
from tamis.describe.posts.clues import AUTHOR, CONTROL, PROFILE
from tamis.describe.posts.passes import NEAREST
from tamis.describe.posts.units import PostUnits
from tamis.page import tags
from tamis.page.addresses import Base

Places: TypeAlias = list[int | None]
"""The place of each unit, None where there is none."""
OfRole: TypeAlias = dict[int, int]
"""The places of one role by unit."""

# Ways in which authors are shown in one thread, and dates.
_WAYS, _DATE_WAYS = 4, 8
_LONGEST_NAME, _MOST_NAME_WORDS = 40, 5
# Words of its block that may stand on both sides of the name of an author.
_MOST_BESIDE = 8
# Points for an author: its names, a profile, another name, a button; by how near the element is.
_NAMED, _PROFILE, _OTHER, _BUTTON = 2.0, 1.5, -1.5, -2.0
_WEIGHTS = (1.0, 0.7, 0.4)
_LINKED, _IN_BOLD, _DECLARED, _SAME, _LABELLED = 0.3, 0.4, 2.0, 2.0, -1.5
_BASE = 0.3
_LEAST_HINT, _LEAST_SHARE = 0.5, 0.45  # one of them is enough
_PROMINENT = {tags.ID[name] for name in "b strong cite dt h2 h3 h4 h5 h6".split()}
# Parts of the card of an author that are not the name.
_OTHER_PART = re.compile(
    r"bio|avatar|image|photo|img|social|title|role|job|position|date|time|count|rank|stat|level"
    r"|location|joined|badge|group|total|points|karma|status|online|flair|extra|info|control"
    r"|button|quote|number"
)
_COUNT = re.compile(r"[\d.,]+\s")
# Beside a date: it is that of something else.
_OTHER_DATE = re.compile(
    r"joined|registered|since|inscri|registr|seit|dabei|depuis|desde|dal\b|注册|注冊", re.IGNORECASE
)
_DEPTH = re.compile(r"\b(?:aria-|data-)?(?:depth|level|indent|nesting)[-_=]?(\d{1,2})\b")
# Points of a place at which permalinks are, and elements among which an id is looked for.
_LEAST_LINK, _NEAR = 0.25, 20


def author_places(units: PostUnits) -> Places:
    """The text with the author of each unit."""
    return _Authors(units).places()


class _Authors:
    def __init__(self, units: PostUnits) -> None:
        self.units = units
        page, texts = units.page, units.page.texts
        self.attributes = [set(page.attributes(unit.first).values()) for unit in units.units]
        self.counts = [Counter(units.contents[text] for text in own) for own in units.own]
        # A name inside a sentence is no author.
        sums = np.append(0, np.cumsum(texts.words))
        before = sums[:-1] - sums[page.blocks.first_text[texts.block]]
        after = sums[page.blocks.end_text[texts.block]] - sums[1:]
        possible = (np.minimum(before, after) <= _MOST_BESIDE) & (texts.words <= _MOST_NAME_WORDS)
        short = units.texts[possible[units.texts]].tolist()
        self.names = {text for text in short if _may_be_name(units.contents[text])}
        """The texts that may be names."""

    def places(self) -> Places:
        """The text with the author of each unit; members and guests may differ in the way."""
        contents = self.units.contents
        chosen: Places = [None] * len(self.units)
        others: set[str] = set()
        for _ in range(_WAYS):
            left = [number for number, text in enumerate(chosen) if text is None]
            texts = self._best_role(left, others) if left else {}
            if not texts:
                break
            for number, text in texts.items():
                chosen[number] = text
            # What stands beside most of these authors is none elsewhere.
            beside = Counter(content for number in texts for content in self.counts[number])
            names = {contents[text] for text in chosen if text is not None}
            others |= {text for text in beside if 2 * beside[text] >= len(texts)} - names
        return chosen

    def _best_role(self, numbers: list[int], others: set[str]) -> OfRole:
        """The texts of these units at the place that looks most like that of the author."""
        units = self.units
        firsts: dict[int, OfRole] = defaultdict(dict)
        counts: Counter[int] = Counter()
        late: Counter[int] = Counter()
        for number in limits.checked(numbers, 100):
            long = 0
            for text in units.own[number]:
                if text in units.dated:
                    continue
                if text in self.names and units.contents[text] not in others:
                    role = units.role(text, number)
                    counts[role] += 1
                    if firsts[role].setdefault(number, text) == text:
                        late[role] += long
                long += units.words[text] > _MOST_NAME_WORDS
        best, most = 0, 0.0
        for role, texts in firsts.items():
            points = self._points(texts, late[role] / len(texts), len(texts) / len(numbers))
            points /= (counts[role] / len(texts)) ** 0.5
            if points > most:
                best, most = role, points
        return firsts.get(best, {})

    def _points(self, texts: OfRole, late: float, share: float) -> float:
        """How much a role looks like that of authors.

        `late` is the number of long texts before it, `share` that of the units that have it.
        """
        units = self.units
        values = {units.contents[text] for text in texts.values()}
        same = sum(units.contents[text] in self.attributes[n] for n, text in texts.items())
        same_share = same / len(texts)
        delay = 1 + 2 * late if same_share < 0.5 else 1.0
        hint = self._hint(next(iter(texts.values()))) + _SAME * same_share
        hint += _LABELLED * (values <= units.labels)
        hint += _DECLARED * (2 * len(values & units.clues.people) >= len(values))
        # Beside the picture and above the text.
        hint += sum(self.counts[n][units.contents[text]] > 1 for n, text in texts.items()) / len(
            texts
        )
        if delay < 2:
            hint += self._lead_apart(texts)
        if hint <= _LEAST_HINT and share <= _LEAST_SHARE:
            return 0.0
        # The same in all units is a label rather than a name.
        alone = {1: 1.0, 2: 0.5}.get(len(texts), 0.2) if len(values) == 1 else 1.0
        return (hint + _BASE) * share * alone / delay

    def _lead_apart(self, texts: OfRole) -> float:
        """1 if links lead each name to an address of its own."""
        units, pairs = self.units, set()
        for text in texts.values():
            node = units.node[text]
            for _ in range(NEAREST):
                if (href := units.clues.href(node)) is not None:
                    pairs.add((units.contents[text], href))
                    break
                node = max(units.parent[node], 0)
        names, hrefs = ({pair[side] for pair in pairs} for side in (0, 1))
        return float(len(names) == len(hrefs) == len(pairs) > 1)

    def _hint(self, text: int) -> float:
        """Points for what the elements around a text are called."""
        units, clues = self.units, self.units.clues
        node = units.node[text]
        hint = _LINKED * (units.flags[text] & tags.IN_LINK != 0)
        hint += _IN_BOLD * (units.tag[node] in _PROMINENT)
        for weight in _WEIGHTS:
            if node < 0:
                break
            kinds, names = units.kinds[node], " ".join(clues.names(node)).lower()
            hint += weight * _NAMED * (kinds & AUTHOR != 0)
            hint += weight * _PROFILE * (kinds & PROFILE != 0)
            hint += weight * _BUTTON * (kinds & CONTROL != 0)
            hint += weight * _OTHER * (_OTHER_PART.search(names) is not None)
            node = units.parent[node]
        return float(hint)


def _may_be_name(content: str) -> bool:
    return (
        1 < len(content) <= _LONGEST_NAME
        and any(map(str.isalpha, content))
        and not content.endswith(":")
        and not _COUNT.match(content)
    )


def name_at(units: PostUnits, text: int | None) -> str | None:
    """The name in a text."""
    if text is None:
        return None
    content = units.contents[text].strip(" ,:;|-–—»«•·")
    if authors.starts_byline(content):
        return next(iter(authors.names(content)), content)
    return content or None


def date_places(units: PostUnits) -> Places:
    """The place with the date of each unit."""
    firsts: dict[int, OfRole] = defaultdict(dict)
    dated = units.dated
    for number, own in enumerate(units.own):
        for place in (*own, *units.moments[number]):
            if place in dated:
                places = firsts[units.role(place, number)]
                # The time of the day may stand before the day.
                if number not in places or (dated[place] and not dated[places[number]]):
                    places[number] = place
    points = {role: _date_points(units, places) for role, places in firsts.items()}
    chosen: Places = [None] * len(units)
    ranked = sorted((role for role in points if points[role]), key=lambda role: -points[role])
    for role in ranked[:_DATE_WAYS]:
        for number, place in firsts[role].items():
            if chosen[number] is None:
                chosen[number] = place
    return chosen


def _date_points(units: PostUnits, places: OfRole) -> float:
    """How much a role looks like that of the dates of posts, which rise."""
    values = [units.dated[place] for place in places.values()]
    full = [value for value in values if value]
    rising = sum(a <= b for a, b in itertools.pairwise(full)) / max(len(full) - 1, 1)
    timed = sum("T" in value for value in full) / max(len(full), 1)
    share = (len(full) + 0.3 * (len(values) - len(full))) / len(units)
    texts = (_labelled(units, place) for place in places.values())
    labelled = sum(_OTHER_DATE.search(text) is not None for text in texts)
    return share * (1 + rising + 0.5 * timed) if 2 * labelled <= len(values) else 0.0


def _labelled(units: PostUnits, place: int) -> str:
    """A text with its label, or with what stands before it in its block."""
    if place < 0:
        return ""
    before = ""
    if place:
        label, blocks = units.page.text(place - 1)[-30:], units.page.texts.block
        if blocks[place - 1] == blocks[place] or label.endswith((":", "：")):
            before = label
    return f"{before} {units.contents[place]}"


def depths(units: PostUnits) -> list[int]:
    """How deep each unit is: inside others, or by a number in its class or attributes."""
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


def addresses(units: PostUnits, url: str | None, dates: Places) -> list[str | None]:
    """The address of each unit: a permalink, or the page with the id of an element in it."""
    page, links = units.page, _permalinks(units, dates)
    base, own = Base(page, url), (url or "").partition("#")[0]
    made: list[str | None] = []
    for number in range(len(units)):
        href = (page.attribute(links[number], "href") or "").strip() if number in links else ""
        if not href and (name := _id(units, number)):
            href = "#" + name
        if href.startswith("#"):
            made.append(own + href)
        else:
            made.append(base.web(href) if href else None)
    return made


def _permalinks(units: PostUnits, dates: Places) -> OfRole:
    """The links of the units at the place that is most like that of permalinks."""
    clues = units.clues
    firsts: dict[int, OfRole] = defaultdict(dict)
    links = clues.links
    for number, unit in enumerate(units.units):
        low, high = np.searchsorted(links, (unit.first, _own_end(units, number))).tolist()
        for link in limits.checked(links[low:high].tolist()):
            if clues.has_permalink[link] and not units.page.nodes.flags[link] & tags.IN_QUOTE:
                firsts[int(units.signatures[link])].setdefault(number, link)
    around = {units.node_at(place) for place in dates if place is not None}
    around |= {units.parent[node] for node in around}
    best, most = 0, _LEAST_LINK
    for role, places in firsts.items():
        nodes = list(places.values())
        hrefs = [clues.href(link) or "" for link in nodes]
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


def _own_end(units: PostUnits, number: int) -> int:
    """Where a unit or what of it stands before the first unit inside ends."""
    end = units.units[number].end
    return min(end, units.units[number + 1].first) if number + 1 < len(units) else end


def _id(units: PostUnits, number: int) -> str:
    """The first id with a number in a unit."""
    first = units.units[number].first
    for node in range(first, min(_own_end(units, number), first + _NEAR)):
        if units.clues.has_permalink[node]:
            for name in ("id", "name"):
                value = units.page.attribute(node, name) or ""
                if any(map(str.isdigit, value)):
                    return value
    return ""
