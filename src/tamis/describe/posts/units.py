"""The units of a thread side by side: what is at the same place in all of them.

That says what it is: the author is the short text that is named like one or leads to a profile and
differs from unit to unit, and the date is the one that rises from post to post.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from tamis._runtime import limits
from tamis.describe.posts.clues import AUTHOR, CONTROL, PROFILE, UNSEEN, Clues
from tamis.describe.posts.elements import AROUND, NEAREST, ElementTree
from tamis.describe.posts.families import PostUnit, find_text_ranges, split_columns
from tamis.page import tags
from tamis.page.arrays import Flags, Hashes, Ints, mix_hashes
from tamis.page.table import Page

Places: TypeAlias = list[int | None]
"""The place of each unit, None where there is none."""
Role: TypeAlias = dict[int, int]
"""The places of several units that are the same place in all of them, by unit."""

# Shares of the units in which a text is a button or the like, and in which it is a label.
_MANY, _MOST = 0.3, 0.6
_FEWEST = 3
# Times that a name must be on the page, as a share of the number of units.
_COMMON = 0.2

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
_PROMINENT = frozenset(tags.find_ids("b strong cite dt h2 h3 h4 h5 h6"))
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


class PostUnits:
    """The units of a thread, each with its own texts.

    A place in a unit is the number of a text, or the complement of the number of an element without
    text, such as a date that scripts show.
    """

    def __init__(self, page: Page, clues: Clues, units: Sequence[PostUnit]) -> None:
        self.page, self.clues, self.units = page, clues, units
        self.parent: list[int] = page.nodes.parent.tolist()
        self.tag: list[int] = page.nodes.tag.tolist()
        self.node: list[int] = page.texts.node.tolist()
        self.words: list[int] = page.texts.words.tolist()
        self.flags: list[int] = page.texts.flags.tolist()
        self.kinds: list[int] = clues.kinds.tolist()
        self._chains: dict[int, list[int]] = {}
        low, high = find_text_ranges(page, *split_columns(units))
        self.ranges: list[tuple[int, int]] = list(zip(low.tolist(), high.tolist(), strict=True))
        # The unit of each text; of units inside each other, the inner one.
        self.owner = np.full(len(page.texts), -1, np.int64)
        self.depth: list[int] = []
        for number, (first, end) in enumerate(self.ranges):
            around = int(self.owner[first]) if first < len(self.owner) else -1
            self.depth.append(self.depth[around] + 1 if around >= 0 else 0)
            self.owner[first:end] = number
        self.own = self._list_own_texts()
        """The visible texts of each unit."""
        self.texts = np.array([text for own in self.own for text in own], np.intc)
        """The texts of all units, one unit after the other."""
        counts = np.array(list(map(len, self.own)))
        self.number = np.repeat(np.arange(len(units), dtype=np.intc), counts)
        """For each of these texts, the number of its unit."""
        self._begin = np.append(0, np.cumsum(counts))
        self.first = split_columns(units)[0]
        self.elements = ElementTree(page, clues)
        self.contents = {text: page.text(text) for own in self.own for text in own}
        self.dated = clues.dated | {~node: date for node, date in clues.moments.items()}
        """The date at each place that has one."""

    def __len__(self) -> int:
        return len(self.units)

    def _list_own_texts(self) -> list[list[int]]:
        own: list[list[int]] = [[] for _ in self.units]
        for text in np.flatnonzero(self.owner >= 0).tolist():
            if not self.flags[text] & UNSEEN:
                own[self.owner[text]].append(text)
        # What comes before the first unit inside is the post, what follows belongs to the page.
        for number in range(len(own) - 1):
            inner = self.ranges[number + 1][0]
            if own[number] and own[number][0] < inner < self.ranges[number][1]:
                own[number] = [text for text in own[number] if text < inner]
        return own

    @cached_property
    def moments(self) -> list[list[int]]:
        """For each unit, the places of elements without text that have a date."""
        first = self.page.nodes.first_text
        moments: list[list[int]] = [[] for _ in self.units]
        for node in self.clues.moments:
            for text in (int(first[node]), int(first[node]) - 1):
                number = int(self.owner[text]) if 0 <= text < len(self.owner) else -1
                if number >= 0 and self.units[number].first <= node < self.units[number].end:
                    moments[number].append(~node)
                    break
        return moments

    @cached_property
    def _counts(self) -> Counter[str]:
        """In how many units each text occurs."""
        return Counter(
            content for own in self.own for content in {self.contents[text] for text in own}
        )

    @cached_property
    def labels(self) -> set[str]:
        """What is written in most units."""
        return self._find_repeated(_MOST)

    @cached_property
    def in_template(self) -> Flags:
        """Whether each of `texts` is written in many units, as buttons are."""
        template = self._find_repeated(_MANY)
        return np.array([self.contents[text] in template for text in self.texts.tolist()])

    def _find_repeated(self, share: float) -> set[str]:
        least = max(_FEWEST, share * len(self))
        return {text for text, count in self._counts.items() if count >= least}

    def slice_texts(self, number: int) -> slice:
        return slice(self._begin[number], self._begin[number + 1])

    def find_around(self, chosen: Flags) -> Ints:
        """Find the nearest chosen element around each of `texts` in its unit, else -1."""
        node, first = self.page.texts.node[self.texts], self.first[self.number]
        return self.elements.find_around(node, first, chosen.view(np.uint8))

    # Places

    def find_node(self, place: int) -> int:
        return self.node[place] if place >= 0 else ~place

    def climb(self, place: int, number: int) -> list[int]:
        """List the elements around a place inside its unit, the nearest first."""
        chain = self._chains.get(place)
        if chain is None:
            node, first, parent = self.find_node(place), self.units[number].first, self.parent
            chain = self._chains[place] = [node]
            while len(chain) < AROUND and (node := parent[node]) >= first:
                chain.append(node)
        return chain

    @cached_property
    def signatures(self) -> Hashes:
        """A hash of the tag and names of each element; without names, of its parent's as well."""
        clues, nodes = self.clues, self.page.nodes
        common = self._is_common[clues.name]
        own = mix_hashes(nodes.tag, 0)
        named = np.zeros(len(nodes), bool)
        named[clues.name_node[common]] = True
        np.add.at(own, clues.name_node[common], mix_hashes(clues.name[common], 1))
        with_above = mix_hashes(own[1:], own[nodes.parent[1:]])
        return np.append(own[:1], np.where(named[1:], own[1:], with_above))

    def describe_signature(self, node: int) -> str:
        """Write out what the signature of an element is made of."""
        own = self._describe(node)
        return own if " " in own or not node else f"{own} in {self._describe(self.parent[node])}"

    def _describe(self, node: int) -> str:
        rows = slice(self.clues.first_name[node], self.clues.first_name[node + 1])
        names = [name for name in self.clues.name[rows].tolist() if self._is_common[name]]
        known = b" ".join(self.clues.all_names[name] for name in names)
        return f"{self.tag[node]} {known.decode('utf-8', 'replace')}".rstrip()

    @cached_property
    def _is_common(self) -> Flags:
        """Whether each name may repeat from unit to unit, unlike that of one post or author."""
        counts = np.bincount(self.clues.name, minlength=len(self.clues.all_names))
        common: Flags = counts >= max(2, _COMMON * len(self))
        return common

    def find_role(self, place: int, number: int) -> int:
        """Return a hash that the same places of other units share."""
        if place >= 0:
            return self._roles[place]
        return self._hash_roles(np.array([~place], np.intc), self.first[number : number + 1])[0]

    @cached_property
    def _roles(self) -> dict[int, int]:
        node, first = self.page.texts.node[self.texts], self.first[self.number]
        return dict(zip(self.texts.tolist(), self._hash_roles(node, first), strict=True))

    def _hash_roles(self, node: Ints, first: Ints) -> list[int]:
        made: list[int] = self.elements.hash_roles(node, first, self.signatures).tolist()
        return made

    def find_names(self, place: int) -> set[str]:
        """Return the names of the nearest element around a place that has any."""
        node = self.find_node(place)
        for _ in range(NEAREST):
            if names := self.clues.list_names(node):
                return set(names)
            node = max(self.parent[node], 0)
        return set(self.clues.list_names(node) or [str(self.tag[node])])


class AuthorSearch:
    """The search for the text with the author of each unit."""

    def __init__(self, units: PostUnits) -> None:
        self.units = units
        page, texts = units.page, units.page.texts
        self.attributes = [set(page.attributes(unit.first).values()) for unit in units.units]
        self.counts = [Counter(units.contents[text] for text in own) for own in units.own]
        # A name inside a sentence is not an author.
        sums = np.append(0, np.cumsum(texts.words))
        before = sums[:-1] - sums[page.blocks.first_text[texts.block]]
        after = sums[page.blocks.end_text[texts.block]] - sums[1:]
        possible = (np.minimum(before, after) <= _MOST_BESIDE) & (texts.words <= _MOST_NAME_WORDS)
        short = units.texts[possible[units.texts]].tolist()
        self.possible = {text for text in short if _may_be_name(units.contents[text])}
        """The texts that may be names."""

    def find_places(self) -> Places:
        """Find the author of each unit; members and guests may be shown in different ways."""
        contents = self.units.contents
        chosen: Places = [None] * len(self.units)
        others: set[str] = set()
        for _ in range(_WAYS):
            left = [number for number, text in enumerate(chosen) if text is None]
            texts = self._find_best_role(left, others) if left else {}
            if not texts:
                break
            for number, text in texts.items():
                chosen[number] = text
            # What stands beside most of these authors is not an author elsewhere.
            beside = Counter(content for number in texts for content in self.counts[number])
            names = {contents[text] for text in chosen if text is not None}
            others |= {text for text in beside if 2 * beside[text] >= len(texts)} - names
        return chosen

    def _find_best_role(self, numbers: list[int], others: set[str]) -> Role:
        """Find the texts of these units at the place that looks most like that of the author."""
        units = self.units
        firsts: dict[int, Role] = defaultdict(dict)
        counts: Counter[int] = Counter()
        late: Counter[int] = Counter()
        for number in limits.check_each(numbers, 100):
            long = 0
            for text in units.own[number]:
                if text in units.dated:
                    continue
                if text in self.possible and units.contents[text] not in others:
                    role = units.find_role(text, number)
                    counts[role] += 1
                    if firsts[role].setdefault(number, text) == text:
                        late[role] += long
                long += units.words[text] > _MOST_NAME_WORDS
        best, most = 0, 0.0
        for role, texts in firsts.items():
            points = self._score(texts, late[role] / len(texts), len(texts) / len(numbers))
            points /= (counts[role] / len(texts)) ** 0.5
            if points > most:
                best, most = role, points
        return firsts.get(best, {})

    def _score(self, texts: Role, late: float, share: float) -> float:
        """Score how much a role looks like that of authors.

        `late` is the mean number of long texts before it, `share` the share of units that have it.
        """
        units = self.units
        values = {units.contents[text] for text in texts.values()}
        same = sum(units.contents[text] in self.attributes[n] for n, text in texts.items())
        same_share = same / len(texts)
        delay = 1 + 2 * late if same_share < 0.5 else 1.0
        hint = self._score_elements(next(iter(texts.values()))) + _SAME * same_share
        hint += _LABELLED * (values <= units.labels)
        hint += _DECLARED * (2 * len(values & units.clues.people) >= len(values))
        # Beside the picture and above the text.
        hint += sum(self.counts[n][units.contents[text]] > 1 for n, text in texts.items()) / len(
            texts
        )
        if delay < 2:
            hint += self._have_own_links(texts)
        if hint <= _LEAST_HINT and share <= _LEAST_SHARE:
            return 0.0
        # A text that is the same in all units is a label rather than a name.
        alone = {1: 1.0, 2: 0.5}.get(len(texts), 0.2) if len(values) == 1 else 1.0
        return (hint + _BASE) * share * alone / delay

    def _have_own_links(self, texts: Role) -> bool:
        """Whether each name links to an address of its own."""
        units, pairs = self.units, set()
        for text in texts.values():
            node = units.node[text]
            for _ in range(NEAREST):
                if (href := units.clues.find_href(node)) is not None:
                    pairs.add((units.contents[text], href))
                    break
                node = max(units.parent[node], 0)
        names, hrefs = ({pair[side] for pair in pairs} for side in (0, 1))
        return len(names) == len(hrefs) == len(pairs) > 1

    def _score_elements(self, text: int) -> float:
        """Score the names of the elements around a text."""
        units, clues = self.units, self.units.clues
        node = units.node[text]
        hint = _LINKED * (units.flags[text] & tags.IN_LINK != 0)
        hint += _IN_BOLD * (units.tag[node] in _PROMINENT)
        for weight in _WEIGHTS:
            if node < 0:
                break
            kinds, names = units.kinds[node], " ".join(clues.list_names(node)).lower()
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


def find_date_places(units: PostUnits) -> Places:
    firsts: dict[int, Role] = defaultdict(dict)
    dated = units.dated
    for number, own in enumerate(units.own):
        for place in (*own, *units.moments[number]):
            if place in dated:
                places = firsts[units.find_role(place, number)]
                # The time of the day may stand before the day.
                if number not in places or (dated[place] and not dated[places[number]]):
                    places[number] = place
    points = {role: _score_dates(units, places) for role, places in firsts.items()}
    chosen: Places = [None] * len(units)
    ranked = sorted((role for role in points if points[role]), key=lambda role: -points[role])
    for role in ranked[:_DATE_WAYS]:
        for number, place in firsts[role].items():
            if chosen[number] is None:
                chosen[number] = place
    return chosen


def _score_dates(units: PostUnits, places: Role) -> float:
    """Score how much a role looks like that of the dates of posts, which rise."""
    values = [units.dated[place] for place in places.values()]
    full = [value for value in values if value]
    rising = sum(a <= b for a, b in itertools.pairwise(full)) / max(len(full) - 1, 1)
    timed = sum("T" in value for value in full) / max(len(full), 1)
    share = (len(full) + 0.3 * (len(values) - len(full))) / len(units)
    texts = (_add_label(units, place) for place in places.values())
    labelled = sum(_OTHER_DATE.search(text) is not None for text in texts)
    return share * (1 + rising + 0.5 * timed) if 2 * labelled <= len(values) else 0.0


def _add_label(units: PostUnits, place: int) -> str:
    """Return a text after its label, or after what stands before it in its block."""
    if place < 0:
        return ""
    before = ""
    if place:
        label, blocks = units.page.text(place - 1)[-30:], units.page.texts.block
        if blocks[place - 1] == blocks[place] or label.endswith((":", "：")):
            before = label
    return f"{before} {units.contents[place]}"
